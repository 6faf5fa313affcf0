/* What the questions have in common: a configuration that is written as text and counted, the
 * trace's columns, and a table that is told and drawn.
 */
#ifndef EXPLORE_ASKING_H
#define EXPLORE_ASKING_H

#include "testbench/explore/command/options.h"
#include "testbench/explore/command/plot.h"
#include "testbench/explore/command/results.h"
#include "testbench/explore/command/table.h"

enum { ASKING_MOST_EVENTS = PMT_MAX_COLUMNS };

struct asking {
  const struct explore_options *options;
  const struct pmt_reader *reader;
  const struct pmt_header *header;
  struct pmuv3_params params; /* of the configuration; at first those of the options */
  bool keeps_to_cycles;       /* of the configuration */
  char *text;                 /* the configuration */
  size_t text_size;
  FILE *out; /* to the text */
  struct explore_config config;
  struct explore_results results;
};

/* ---- Configurations ---- */

/* Begins a configuration. A question may write a second one, which takes the place of the first. */
void asking_begin(struct asking *asking);

/* Adds lines to the configuration. */
__attribute__((format(printf, 2, 3))) void asking_add(struct asking *asking, const char *format,
                                                      ...);

/* Adds the counters 2 * number and 2 * number + 1: the second one counts `event` where `condition`
 * occurs, or where it does not. It adds what the first one counts. */
void asking_add_pair(struct asking *asking, const struct pmt_column *event,
                     const struct pmt_column *condition, bool occurs, unsigned number);

/* Counts the configuration that was written, and each interval of so many cycles; 0: none. */
void asking_run(struct asking *asking, uint64_t interval);

/* The same. `run` says whom to tell meanwhile. */
void asking_run_with(struct asking *asking, struct explore_run run);

/* What a counter counted, and in how many cycles. */
double asking_total(const struct asking *asking, unsigned counter);
double asking_cycles(const struct asking *asking);

/* Frees the configuration, and what was counted. */
void asking_drop(struct asking *asking);

/* ---- The trace's columns: those that a counter of thread 0 counts, one an event ---- */

/* NULL: the trace has no column of the event. */
const struct pmt_column *asking_find_column(const struct asking *asking, uint16_t event);

/* The column of --event, or of another event where that is not given. */
const struct pmt_column *asking_option_column(const struct asking *asking, uint16_t otherwise);

/* Whether the column is the first of its event that a counter of thread 0 counts. */
bool asking_is_counted(const struct asking *asking, const struct pmt_column *column);

/* Whether an event occurs at most once a cycle. */
bool asking_is_condition(const struct pmt_column *column);

/* Columns that satisfy `is`, in their order; NULL: all. Returns their number, which is not 0. */
unsigned asking_list(const struct asking *asking, bool (*is)(const struct pmt_column *column),
                     const struct pmt_column *columns[ASKING_MOST_EVENTS]);

/* How often an event occurs in the trace: all its columns of the thread, as a counter counts them.
 */
uint64_t asking_occurrences(const struct asking *asking, const struct pmt_column *event);

/* Whether it occurs in a cycle of the block. */
bool asking_occurs(const struct asking *asking, const struct pmt_column *event,
                   const struct pmt_block *block, uint32_t cycle);

/* Columns whose events occur as often as this in the trace. Returns their number. */
unsigned asking_list_frequent(const struct asking *asking, uint64_t least,
                              const struct pmt_column *columns[ASKING_MOST_EVENTS]);

/* Ends the program: the question needs a column that the trace has not. */
_Noreturn void asking_no_column(const struct asking *asking);

/* ---- Tables ---- */

/* Prints a table, and writes it as --csv and --json say. */
void asking_tell(const struct asking *asking, const struct explore_table *table);

/* Draws some columns of a table where --plot is given: a bar group or a line of colors for each
 * row. */
void asking_draw(const struct asking *asking, const struct explore_table *table,
                 enum explore_plot_kind kind, unsigned first, unsigned num, const char *title,
                 const char *y_label);

#endif
