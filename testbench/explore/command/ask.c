/* The questions, and which options they have a use for. */
#include "testbench/explore/command/ask.h"

#include <string.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/explore/command/questions/questions.h"

struct explore_question {
  const char *name;
  void (*answer)(struct asking *asking);
  bool takes_event, takes_interval, takes_period; /* options that it has a use for */
};

static const struct explore_question questions[] = {
    {.name = "width", .answer = ask_width, .takes_event = true},
    {.name = "episodes", .answer = ask_episodes, .takes_event = true},
    {.name = "coincide", .answer = ask_coincide},
    {.name = "topdown", .answer = ask_topdown, .takes_interval = true},
    {.name = "multiplex", .answer = ask_multiplex},
    {.name = "bias", .answer = ask_bias, .takes_event = true, .takes_period = true},
};

const struct explore_question *explore_question_find(const char *asked) {
  for (size_t q = 0; q < sizeof questions / sizeof *questions; q++)
    if (strcmp(questions[q].name, asked) == 0) return &questions[q];
  return NULL;
}

void explore_ask_check(const struct explore_options *options) {
  const struct explore_question *question = explore_question_find(options->ask);
  const struct {
    const char *name;
    bool is_given, has_use;
  } given[] = {{"--event", options->event != NULL, question->takes_event},
               {"--interval", options->interval != 0, question->takes_interval},
               {"--period", options->period != 0, question->takes_period}};
  for (size_t g = 0; g < sizeof given / sizeof *given; g++)
    if (given[g].is_given && !given[g].has_use)
      pmuv3_cli_unusable("--ask %s has no use for %s", question->name, given[g].name);
}

void explore_ask(const struct explore_options *options, const struct pmt_reader *reader) {
  struct asking asking = {.options = options,
                          .reader = reader,
                          .header = pmt_reader_header(reader),
                          .params = options->params};
  explore_question_find(options->ask)->answer(&asking);
  asking_drop(&asking);
}
