/* What coincides: events in cycles of a condition. */
#include "testbench/explore/command/questions/questions.h"

#include <string.h>

/* Cycles that retire nothing come first. */
static unsigned list_conditions(const struct asking *asking,
                                const struct pmt_column *conditions[ASKING_MOST_EVENTS]) {
  unsigned num = 0;
  const struct pmt_column *retired = asking_find_column(asking, PMUV3_EVENT_INST_RETIRED);
  if (retired) conditions[num++] = retired;
  for (unsigned c = 0; c < asking->header->num_columns; c++) {
    const struct pmt_column *column = &asking->header->columns[c];
    const bool stalls = strncmp(column->name, "STALL", 5) == 0;
    if (asking_is_counted(asking, column) && asking_is_condition(column) && stalls)
      conditions[num++] = column;
  }
  if (num == 0) asking_no_column(asking);
  return num;
}

static bool is_retired(const struct pmt_column *column) {
  return column->event == PMUV3_EVENT_INST_RETIRED;
}

static void name_condition(char to[EXPLORE_NAME_SIZE], const struct pmt_column *condition) {
  explore_table_name(to, is_retired(condition) ? "retires nothing" : "%s", condition->name);
}

void ask_coincide(struct asking *asking) {
  const struct pmt_column *events[ASKING_MOST_EVENTS], *conditions[ASKING_MOST_EVENTS];
  const unsigned num = asking_list(asking, NULL, events);
  const unsigned columns = list_conditions(asking, conditions);
  asking_begin(asking);
  for (unsigned r = 0; r < num; r++)
    for (unsigned c = 0; c < columns; c++)
      asking_add_pair(asking, events[r], conditions[c], !is_retired(conditions[c]),
                      r * columns + c);
  asking_run(asking, 0);
  struct explore_table table = explore_table_new("event, % in cycles of", num, columns + 1, 2);
  explore_table_name(table.columns[columns], "occurrences");
  for (unsigned c = 0; c < columns; c++) name_condition(table.columns[c], conditions[c]);
  for (unsigned r = 0; r < num; r++) {
    explore_table_name(table.rows[r], "%s", events[r]->name);
    const double all = asking_total(asking, 2 * r * columns);
    *explore_cell(&table, r, columns) = all;
    for (unsigned c = 0; c < columns; c++)
      if (all != 0)
        *explore_cell(&table, r, c) = 100 * asking_total(asking, 2 * (r * columns + c) + 1) / all;
  }
  asking_tell(asking, &table);
  asking_draw(asking, &table, EXPLORE_PLOT_HEAT, 0, columns, "Where events occur",
              "% of occurrences");
  explore_table_free(&table);
}
