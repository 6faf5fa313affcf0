#include "testbench/prove/equivalence/prover.h"

#include <stdlib.h>
#include <string.h>

#include "testbench/prove/equivalence/prover_internal.h"

/* ---- Answers ---- */

/* The result in which a variable's value is looked up. */
struct looked_up {
  const struct prover *prover;
  const struct result *result;
};

static uint64_t value_of(const char *variable, void *with) {
  const struct prover *prover = ((const struct looked_up *)with)->prover;
  const struct result *result = ((const struct looked_up *)with)->result;
  const term named = model_variable(prover->model, variable);
  uint64_t words[2] = {0};
  if (model_fixes(prover->model, variable, words)) return words[0];
  if (named != TERM_NONE) result->value(named, words, result->model);
  return words[0];
}

static void fall_short(const struct question *question, const struct result *result) {
  const struct prover *prover = question->prover;
  struct tally *tally = prover->tally;
  tally->refuted += question->answer == ANSWER_REFUTED;
  tally->unknown += question->answer == ANSWER_UNKNOWN;
  tally->disagreed += question->answer == ANSWER_DISAGREE;
  struct looked_up values = {prover, result};
  const struct shortfall shortfall = {
      question->name, question->answer,
      question->against != NULL ? question->against : result->trouble,
      question->answer == ANSWER_REFUTED ? value_of : NULL, &values};
  prover->options->failed(&shortfall, prover->model);
}

/* A condition that is refuted with free cuts may hold in the whole clock, unless cuts stay free. */
static bool is_final(const struct prover *prover, enum answer answer) {
  if (prover->round > PATIENT) return true;
  return answer == ANSWER_REFUTED ? prover->options->cuts_stay_free : prover->round == PATIENT;
}

static void proved(struct question *question, unsigned proof) {
  const struct prover *prover = question->prover;
  prover->tally->by_solvers++;
  proofs_count(&prover->tally->proofs, proof);
  if (question->query.assumptions == prover->model->assumptions)
    proof_cache_add(prover->options->cache, prover_digest(prover, question->query.condition));
  else
    prover->tally->of_whole_clock++;
}

/* A solver that differs is not forgotten when the question is asked again, and then proved. */
static void keep_against(struct question *question, const char *what, bool is_wrong) {
  if (question->against != NULL && (question->is_wrong || !is_wrong)) return;
  free(question->against);
  question->against = strdup(what);
  if (question->against == NULL) abort();
  question->is_wrong = is_wrong;
}

/* Whoever said sat without a model was right, as there is a model now. */
static void explain(struct question *question) {
  if (question->is_wrong) return;
  free(question->against);
  question->against = NULL;
}

static void hear(struct question *question, const struct result *result) {
  if (result->answer == ANSWER_REFUTED) explain(question);
  if (result->is_wrong || result->answer == ANSWER_DISAGREE)
    keep_against(question, result->trouble, result->is_wrong);
}

static enum answer answer_of(const struct question *question, enum answer said) {
  const bool is_against = said == ANSWER_PROVED ? question->against != NULL
                                                : said == ANSWER_UNKNOWN && question->is_wrong;
  return is_against ? ANSWER_DISAGREE : said;
}

/* What is proved is not asked again, even if a solver differs. */
static void settle(struct question *question, const struct result *result) {
  question->answer = answer_of(question, result->answer);
  question->is_final =
      result->answer == ANSWER_PROVED || is_final(question->prover, question->answer);
  if (question->answer == ANSWER_PROVED)
    proved(question, result->proof);
  else if (question->is_final)
    fall_short(question, result);
}

static void done(const struct query *query, const struct result *result) {
  struct question *question = query->with;
  const struct prover *prover = question->prover;
  prover->tally->solver_seconds += result_seconds(result);
  prover->options->answered(question->name, result);
  hear(question, result);
  if (prover->round > PATIENT && prover->round < LAST && result->answer != ANSWER_REFUTED) return;
  settle(question, result);
}

/* From a session. */
static void take(struct question *question, const struct said_together *said) {
  if (question->is_final) return;
  if (said->against != NULL) keep_against(question, said->against, said->is_wrong);
  if (said->proof != 0)
    settle(question, &(struct result){.answer = ANSWER_PROVED, .proof = said->proof});
}

/* ---- Rounds ---- */

/* Collects the questions that have this answer so far. */
static size_t collect(struct prover *prover, struct query *queries, enum answer answer) {
  size_t number = 0;
  for (size_t q = prover->from; q < prover->to; q++) {
    struct question *question = &prover->questions[q];
    if (question->is_final || question->answer != answer) continue;
    if (answer == ANSWER_REFUTED) prover_ask_whole(question);
    queries[number] = question->query;
    queries[number++].with = question;
  }
  return number;
}

static bool fell_short(const struct prover *prover) {
  return prover->tally->refuted + prover->tally->unknown + prover->tally->disagreed > 0;
}

static bool is_enough(const struct prover *prover) {
  return prover->options->stop && fell_short(prover);
}

static bool ask_solvers(struct prover *prover, enum round round, enum answer answer,
                        double seconds) {
  struct query *queries = malloc((prover->num_questions + 1) * sizeof *queries);
  if (queries == NULL) abort();
  prover->round = round;
  struct solver_options options = prover->options->solver;
  options.seconds = seconds;
  const bool ran =
      is_enough(prover) || solve(queries, collect(prover, queries, answer), &options, done);
  free(queries);
  return ran;
}

static bool ask_whole_clocks(struct prover *prover) {
  return ask_solvers(prover, APART, ANSWER_REFUTED, prover->options->solver.seconds) &&
         ask_solvers(prover, RICH, ANSWER_REFUTED, prover->options->solver.seconds) &&
         ask_solvers(prover, PREFERRED, ANSWER_REFUTED, prover->options->solver.seconds) &&
         ask_solvers(prover, LAST, ANSWER_REFUTED, prover->options->patience);
}

/* Asks the remaining questions, one by one if the first shortfall is enough. */
static bool ask_in_steps(struct prover *prover) {
  const size_t step = prover->options->stop ? 1 : prover->num_questions;
  bool ran = true;
  for (prover->from = 0; ran && prover->from < prover->num_questions && !is_enough(prover);
       prover->from += step) {
    prover->to = prover->from + step;
    ran = ask_solvers(prover, PLAIN, ANSWER_UNKNOWN, prover->options->solver.seconds) &&
          ask_whole_clocks(prover);
  }
  return ran;
}

/* A session mixes queries, so with --keep each question is asked by itself. */
static bool is_for_session(const struct prover *prover) {
  return prover->num_questions > 1 && prover->options->solver.keep == NULL;
}

/* A question may take little time in a session. */
static struct solver_options in_session(const struct prover *prover) {
  static const double most = 0.5;
  struct solver_options options = prover->options->solver;
  if (options.seconds <= 0 || options.seconds > most) options.seconds = most;
  return options;
}

static struct query_set all_questions(const struct prover *prover) {
  term *conditions = malloc(prover->num_questions * sizeof *conditions);
  if (conditions == NULL) abort();
  for (size_t q = 0; q < prover->num_questions; q++)
    conditions[q] = prover->questions[q].query.condition;
  return (struct query_set){prover->model->assumptions, prover->model->num_assumptions, conditions,
                            prover->num_questions};
}

/* A way to ask all questions in one session. */
typedef bool ask_session(const struct query_set *set, const struct solver_options *options,
                         struct said_together *said, double *seconds);

static bool ask_in_session(struct prover *prover, ask_session *ask) {
  const struct query_set set = all_questions(prover);
  const struct solver_options options = in_session(prover);
  struct said_together *said = calloc(prover->num_questions, sizeof *said);
  double seconds;
  if (said == NULL) abort();
  const bool ran = ask(&set, &options, said, &seconds);
  for (size_t q = 0; ran && q < prover->num_questions; q++) take(&prover->questions[q], &said[q]);
  prover->tally->solver_seconds += seconds;
  free(said);
  free((void *)set.conditions);
  return ran;
}

/* If one shortfall is enough: asks the first likely one before the others. */
static bool ask_likely(struct prover *prover) {
  if (!prover->options->stop || !is_for_session(prover)) return true;
  if (!ask_in_session(prover, solve_until_refuted)) return false;
  size_t likely = 0;
  while (likely < prover->num_questions && prover->questions[likely].against == NULL) likely++;
  if (likely == prover->num_questions) return true;
  prover->from = likely;
  prover->to = likely + 1;
  return ask_solvers(prover, PLAIN, ANSWER_UNKNOWN, prover->options->solver.seconds) &&
         ask_whole_clocks(prover);
}

/* Most questions are answered at once; reading the assumptions takes the time. So all questions go
 * into one session first. */
static bool ask_together(struct prover *prover) {
  return !is_for_session(prover) || ask_in_session(prover, solve_together);
}

static bool ask_and_again(struct prover *prover) {
  const double patience = prover->options->patience;
  if (!ask_likely(prover)) return false;
  if (is_enough(prover)) return true;
  if (!ask_together(prover) || !ask_in_steps(prover)) return false;
  prover->from = 0;
  prover->to = prover->num_questions;
  return ask_solvers(prover, PATIENT, ANSWER_UNKNOWN, patience) &&
         ask_solvers(prover, PATIENT, ANSWER_DISAGREE, patience) && ask_whole_clocks(prover);
}

/* If no question needed more than the model's assumptions, the assertions that were split by events
 * are proved as a whole. Another case then need not split them again. */
static bool is_all_proved_plainly(const struct prover *prover) {
  for (size_t q = 0; q < prover->num_questions; q++)
    if (prover->questions[q].answer != ANSWER_PROVED ||
        prover->questions[q].query.assumptions != prover->model->assumptions)
      return false;
  return true;
}

static void keep_wholes(struct prover *prover) {
  const struct theorem *theorem = prover->theorem;
  if (!is_all_proved_plainly(prover)) return;
  for (size_t a = 0; a < theorem->num_assertions; a++) {
    const struct assertion *assertion = &theorem->assertions[a];
    const term condition = assertion->condition;
    if (assertion->counter >= 0 && assertion->events == EVENTS_ALL && !term_is_true(condition) &&
        !prover_has_proved(prover, condition))
      proof_cache_add(prover->options->cache, prover_digest(prover, condition));
  }
}

static bool is_all_answered(struct prover *prover) {
  if (is_enough(prover)) return true;
  for (size_t q = 0; q < prover->num_questions; q++)
    if (!prover->questions[q].is_final) return false;
  return true;
}

bool prover_run(const struct theorem *theorem, const struct model *model,
                const struct prover_options *options, struct tally *tally) {
  *tally = (struct tally){.assertions = theorem->num_assertions};
  struct prover prover = {
      .theorem = theorem, .model = model, .options = options, .tally = tally, .shows = TERM_NONE};
  prover_ask_all(&prover);
  prover_define_whole(&prover);
  const bool ran = ask_and_again(&prover);
  if (ran && !is_all_answered(&prover)) abort();
  if (ran) keep_wholes(&prover);
  for (size_t q = 0; q < prover.num_questions; q++) {
    free(prover.questions[q].name);
    free(prover.questions[q].against);
  }
  free(prover.questions);
  free(prover.definitions);
  return ran;
}

void tally_add(struct tally *sum, const struct tally *tally) {
  sum->assertions += tally->assertions;
  sum->by_structure += tally->by_structure;
  sum->by_memory += tally->by_memory;
  sum->by_solvers += tally->by_solvers;
  proofs_add(&sum->proofs, &tally->proofs);
  sum->of_whole_clock += tally->of_whole_clock;
  sum->refuted += tally->refuted;
  sum->unknown += tally->unknown;
  sum->disagreed += tally->disagreed;
  sum->solver_seconds += tally->solver_seconds;
}

bool tally_is_proved(const struct tally *tally) {
  return tally->assertions > 0 && tally->by_structure + tally->by_memory + tally->by_solvers > 0 &&
         tally->refuted + tally->unknown + tally->disagreed == 0;
}
