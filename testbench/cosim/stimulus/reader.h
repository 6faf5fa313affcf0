/*
 * The reader of stimulus files, a file a part:
 *
 *   stimulus.c         the file: its head, parameters, lines and arrays
 *   stimulus_access.c  accesses of registers and of the external view, and outputs
 *   stimulus_states.c  states of threads
 *   stimulus_cycle.c   cycles and what occurs in them
 *
 * Functions that return bool give false after an error, which they have told.
 */
#ifndef PMUV3_READER_H
#define PMUV3_READER_H

#include "testbench/cosim/stimulus/lex.h"
#include "testbench/cosim/stimulus/param_lines.h"
#include "testbench/cosim/stimulus/stimulus.h"

struct reader {
  struct pmuv3_lex lex;
  struct pmuv3_stimulus *stimulus;
  size_t items_capacity;
  size_t num_occurrences;
  size_t occurrences_capacity;
  struct pmuv3_param_lines param_lines;
  bool params_done; /* past the param lines */
  bool leaves_out;  /* wrong lines after them */

  /* Each thread as the lines so far leave it: its state, and software increments that wait. */
  struct pmuv3_pe pe[PMUV3_MAX_THREADS];
  uint8_t pending[PMUV3_MAX_THREADS][PMUV3_MAX_COUNTERS];
};

/* ---- Arrays that grow ---- */

bool reader_add_item(struct reader *reader, struct pmuv3_item item);
bool reader_add_occurrence(struct reader *reader, struct pmuv3_occurrence occurrence);

/* ---- Pieces of a line ---- */

bool reader_check_once(struct reader *reader, const char *name, bool given_before);
bool reader_expect_end(struct reader *reader);

/* Returns false; `form` is what was expected. */
bool reader_ends_too_early(struct reader *reader, const char *form);

/* The number of a thread that exists. */
bool reader_thread(struct reader *reader, const char *text, uint8_t *thread);

/* The next word after an optional @T; NULL: the line ends before it. */
bool reader_word_of_thread(struct reader *reader, uint8_t *thread, char **word);

/* The value of a key, at most `max`. */
bool reader_small(struct reader *reader, const char *key, const char *text, uint8_t max,
                  uint8_t *number);

/* A Security state's name; `what` it is of is for the message. */
bool reader_security_state(struct reader *reader, const char *what, const char *name, uint8_t *ss);

/* ---- Software increments that wait for the next cycle ---- */

bool reader_has_pending(const struct reader *reader, unsigned thread);

/* By a cycle or a reset. */
void reader_consume_pending(struct reader *reader);

/* ---- Lines, after their first word ---- */

bool reader_write(struct reader *reader);
bool reader_expect(struct reader *reader);
bool reader_read(struct reader *reader);
bool reader_refused(struct reader *reader);
bool reader_reset(struct reader *reader);
bool reader_msr(struct reader *reader);
bool reader_mrs(struct reader *reader);
bool reader_extw(struct reader *reader);
bool reader_extr(struct reader *reader);
bool reader_pe(struct reader *reader);
bool reader_cycle(struct reader *reader);

/* A write in the clock of a cycle; `equals` is where the word's equals sign stands. */
bool reader_inline_write(struct reader *reader, char *word, char *equals, struct pmuv3_cycle *cycle,
                         struct pmuv3_expected_ends *expected);

#endif
