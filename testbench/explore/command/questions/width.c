/* How wide: cycles with at least 1, 2, ... occurrences of an event. */
#include "testbench/explore/command/questions/questions.h"

#include <stdio.h>

/* Counts the cycles with at least 1 to `most` occurrences. Returns the most that occur, or 1. */
static unsigned count_widths(struct asking *asking, uint16_t event, unsigned most) {
  unsigned rows = 1;
  asking_begin(asking);
  asking_add(asking, "0x%04X/threshold=1..%u,threshold_compare=2,threshold_count=1/", event, most);
  asking_run(asking, 0);
  for (unsigned k = 0; k < most; k++)
    if (asking_total(asking, k) != 0) rows = k + 1;
  return rows;
}

/* The most occurrences that the columns of an event have room for: a counter of the event counts
 * all origins. */
static unsigned most_of(const struct asking *asking, uint16_t event) {
  unsigned most = 0;
  for (unsigned c = 0; c < asking->header->num_columns; c++) {
    const struct pmt_column *column = &asking->header->columns[c];
    if (column->thread == 0 && column->event == event) most += (1u << column->width) - 1;
  }
  return most;
}

/* Few events occur more often than the counters of one PMU tell. */
void ask_width(struct asking *asking) {
  const struct pmt_column *column = asking_option_column(asking, PMUV3_EVENT_INST_RETIRED);
  const unsigned widest = most_of(asking, column->event);
  const unsigned few = widest < PMUV3_MAX_COUNTERS ? widest : PMUV3_MAX_COUNTERS;
  unsigned rows = count_widths(asking, column->event, few);
  if (rows == few && few < widest) rows = count_widths(asking, column->event, widest);
  struct explore_table table = explore_table_new("at least", rows, 2, 3);
  explore_table_name(table.columns[0], "cycles");
  explore_table_name(table.columns[1], "share, %%");
  for (unsigned k = 0; k < rows; k++) {
    explore_table_name(table.rows[k], "%u", k + 1);
    *explore_cell(&table, k, 0) = asking_total(asking, k);
    *explore_cell(&table, k, 1) = 100 * asking_total(asking, k) / asking_cycles(asking);
  }
  char title[128];
  snprintf(title, sizeof title, "Cycles with at least so many %s", column->name);
  asking_tell(asking, &table);
  asking_draw(asking, &table, EXPLORE_PLOT_BARS, 1, 1, title, "share of cycles, %");
  explore_table_free(&table);
}
