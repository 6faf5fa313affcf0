/* The questions, a file each. A question writes a configuration, runs it, and makes a table. */
#ifndef EXPLORE_QUESTIONS_H
#define EXPLORE_QUESTIONS_H

#include "testbench/explore/command/questions/asking.h"

void ask_width(struct asking *asking);
void ask_episodes(struct asking *asking);
void ask_coincide(struct asking *asking);
void ask_topdown(struct asking *asking);
void ask_multiplex(struct asking *asking);
void ask_bias(struct asking *asking);

#endif
