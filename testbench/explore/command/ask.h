/* Questions of `pmuv3 explore --ask`: each is a configuration, and a table of its results. */
#ifndef EXPLORE_ASK_H
#define EXPLORE_ASK_H

#include "testbench/explore/command/options.h"

struct explore_question;

/* NULL: there is no such question. */
const struct explore_question *explore_question_find(const char *name);

/* Options that the question has no use for are unusable. */
void explore_ask_check(const struct explore_options *options);

/* Answers the question of the command line: prints, writes and draws it. */
void explore_ask(const struct explore_options *options, const struct pmt_reader *reader);

#endif
