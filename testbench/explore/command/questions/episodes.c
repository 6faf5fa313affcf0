/* How often, or how long: episodes of a condition. */
#include "testbench/explore/command/questions/questions.h"

#include <math.h>

void ask_episodes(struct asking *asking) {
  const struct pmt_column *columns[ASKING_MOST_EVENTS];
  unsigned num = 1;
  if (asking->options->event)
    columns[0] = asking_option_column(asking, 0);
  else
    num = asking_list(asking, asking_is_condition, columns);
  asking_begin(asking);
  for (unsigned i = 0; i < num; i++) {
    const unsigned event = columns[i]->event;
    asking_add(asking, "0x%04X/threshold=1,threshold_compare=2,threshold_count=1,name=c%u/", event,
               i);
    asking_add(asking, "0x%04X/threshold=1,threshold_compare=2,threshold_count=1,edge=1,name=e%u/",
               event, i);
  }
  asking_run(asking, 0);
  struct explore_table table = explore_table_new("condition", num, 4, 3);
  explore_table_name(table.columns[0], "cycles");
  explore_table_name(table.columns[1], "episodes");
  explore_table_name(table.columns[2], "mean length");
  explore_table_name(table.columns[3], "share, %%");
  for (unsigned i = 0; i < num; i++) {
    const double held = asking_total(asking, 2 * i), episodes = asking_total(asking, 2 * i + 1);
    explore_table_name(table.rows[i], "%s", columns[i]->name);
    *explore_cell(&table, i, 0) = held;
    *explore_cell(&table, i, 1) = episodes;
    *explore_cell(&table, i, 2) = episodes == 0 ? NAN : held / episodes;
    *explore_cell(&table, i, 3) = 100 * held / asking_cycles(asking);
  }
  asking_tell(asking, &table);
  asking_draw(asking, &table, EXPLORE_PLOT_BARS, 2, 1, "Mean length of an episode", "cycles");
  explore_table_free(&table);
}
