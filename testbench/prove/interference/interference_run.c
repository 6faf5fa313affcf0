#include "testbench/prove/interference/interference_run.h"

#include <stdio.h>
#include <stdlib.h>

struct question {
  const struct interference *of;
  char *name;
  bool is_answered; /* as it must be, or wrong: neither is asked again */
};

/* Of one place; solve() calls back without it. */
static struct {
  const struct place_options *options;
  struct place_report *report;
  struct question *questions;
  size_t num_questions;
  bool is_last; /* what is unknown now is a shortfall */
} run;

static void make_questions(const struct interference *all, size_t number, enum place place) {
  run.questions = calloc(number + 1, sizeof *run.questions);
  if (run.questions == NULL) abort();
  run.num_questions = number;
  for (size_t q = 0; q < number; q++) {
    struct question *question = &run.questions[q];
    question->of = &all[q];
    if (asprintf(&question->name, "%s: %s", place_name(place), all[q].name) < 0) abort();
    if (all[q].must_fail)
      run.report->must_fail++;
    else
      run.report->questions++;
  }
}

static void free_questions(void) {
  for (size_t q = 0; q < run.num_questions; q++) free(run.questions[q].name);
  free(run.questions);
}

static void fall_short(const struct question *question, const struct result *result) {
  struct place_report *report = run.report;
  run.options->failed(question->name, question->of->must_fail, result);
  if (report->shortfall[0] == '\0')
    snprintf(report->shortfall, sizeof report->shortfall, "%s", question->name);
}

static void count_proved(const struct result *result) {
  run.report->proved++;
  proofs_count(&run.report->proofs, result->proof);
}

static void done(const struct query *query, const struct result *result) {
  struct question *question = query->with;
  const bool must_fail = question->of->must_fail;
  run.report->solver_seconds += result_seconds(result);
  run.options->answered(question->name, result);
  question->is_answered = run.is_last || result->answer != ANSWER_UNKNOWN;
  if (result->answer == ANSWER_REFUTED && must_fail && !result->is_wrong)
    run.report->refuted++;
  else if (result->answer == ANSWER_PROVED && !must_fail)
    count_proved(result);
  else if (question->is_answered)
    fall_short(question, result);
}

static bool ask(double seconds, bool is_last) {
  struct query *queries = malloc((run.num_questions + 1) * sizeof *queries);
  if (queries == NULL) abort();
  size_t number = 0;
  for (size_t q = 0; q < run.num_questions; q++) {
    struct question *question = &run.questions[q];
    if (question->is_answered) continue;
    queries[number++] =
        (struct query){question->name, question->of->condition, question->of->assumptions,
                       question->of->num_assumptions, question};
  }
  struct solver_options options = run.options->solver;
  options.seconds = seconds;
  run.is_last = is_last;
  const bool ran = number == 0 || solve(queries, number, &options, done);
  free(queries);
  return ran;
}

bool place_prove(const struct model *model, enum place place, const struct place_options *options,
                 struct place_report *report) {
  struct interference *all;
  const size_t number = interference_make(model, place, &all);
  *report = (struct place_report){.size = report->size, .place = place};
  run.options = options;
  run.report = report;
  make_questions(all, number, place);
  const bool ran = ask(options->solver.seconds, false) && ask(options->patience, true);
  free_questions();
  interference_free(all, number);
  return ran;
}

bool place_is_proved(const struct place_report *report) {
  return report->questions > 0 && report->proved == report->questions && report->must_fail > 0 &&
         report->refuted == report->must_fail;
}
