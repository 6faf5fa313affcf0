/* What multiplexing costs. */
#include "testbench/explore/command/questions/questions.h"

#include <math.h>

#include "testbench/cosim/cli/cli.h"

/* The error of an event that is rarer says nothing: most turns have none. */
enum { GROUP = 4, MOST_MULTIPLEXED = 16, PERIODS = 4, LEAST_MULTIPLEXED = 100 };

/* The counters of a group that are enabled in turn n. */
static unsigned group_of(unsigned n, unsigned events) {
  const unsigned groups = (events + GROUP - 1) / GROUP, first = n % groups * GROUP;
  return ((1u << GROUP) - 1) << first & ((1u << events) - 1);
}

/* A PMU with all events, of which a group at a time is enabled: the same as four counters whose
 * events are exchanged. The last counter counts the cycles of the first group, and so on. */
static void add_rotation(struct asking *asking, const struct pmt_column *const *events,
                         unsigned num, unsigned number, uint64_t period) {
  const uint64_t end = pmt_reader_cycles(asking->reader);
  asking_add(asking, "pmu rotates%u", number);
  for (unsigned e = 0; e < num; e++)
    asking_add(asking, "0x%04X/name=%llu.%u/", events[e]->event, (unsigned long long)period, e);
  asking_add(asking, "write PMCNTENCLR_EL0 0x%x", ((1u << num) - 1) & ~group_of(0, num));
  uint64_t turn = 1;
  for (uint64_t cycle = period; cycle < end; cycle += period, turn++) {
    asking_add(asking, "write @%llu PMCNTENCLR_EL0 0x%x", (unsigned long long)cycle,
               group_of((unsigned)(turn - 1), num));
    asking_add(asking, "write @%llu PMCNTENSET_EL0 0x%x", (unsigned long long)cycle,
               group_of((unsigned)turn, num));
  }
}

/* The cycles in which a counter of group g was enabled. */
static double enabled_cycles(uint64_t end, uint64_t period, unsigned groups, unsigned g) {
  uint64_t enabled = 0, turn = 0;
  for (uint64_t cycle = 0; cycle < end; cycle += period, turn++)
    if (turn % groups == g) enabled += end - cycle < period ? end - cycle : period;
  return (double)enabled;
}

void ask_multiplex(struct asking *asking) {
  const struct pmt_column *events[ASKING_MOST_EVENTS];
  unsigned num = asking_list_frequent(asking, LEAST_MULTIPLEXED, events);
  if (num > MOST_MULTIPLEXED) num = MOST_MULTIPLEXED;
  if (num <= GROUP)
    pmuv3_cli_unusable("%s: %u events need no multiplexing", asking->options->trace, num);
  const uint64_t end = pmt_reader_cycles(asking->reader);
  const unsigned groups = (num + GROUP - 1) / GROUP;
  uint64_t periods[PERIODS];
  unsigned num_periods = 0;
  asking_begin(asking);
  asking_add(asking, "pmu truth");
  for (unsigned e = 0; e < num; e++) asking_add(asking, "0x%04X", events[e]->event);
  for (unsigned p = 0; p < PERIODS; p++) {
    const uint64_t turns = end / groups >> 3 * (PERIODS - p), period = turns < 64 ? 64 : turns;
    if (num_periods != 0 && period == periods[num_periods - 1]) continue;
    add_rotation(asking, events, num, num_periods, period);
    periods[num_periods++] = period;
  }
  asking_run(asking, 0);
  struct explore_table table = explore_table_new("error, %, of event", num + 1, num_periods + 1, 3);
  explore_table_name(table.columns[0], "truth");
  explore_table_name(table.rows[num], "mean of absolute errors");
  for (unsigned p = 0; p < num_periods; p++) {
    double sum = 0;
    unsigned some = 0;
    explore_table_name(table.columns[p + 1], "%llu cycles", (unsigned long long)periods[p]);
    for (unsigned e = 0; e < num; e++) {
      const double truth = asking_total(asking, e);
      const double counted = asking_total(asking, num * (p + 1) + e);
      const double enabled = enabled_cycles(end, periods[p], groups, e / GROUP);
      explore_table_name(table.rows[e], "%s", events[e]->name);
      *explore_cell(&table, e, 0) = truth;
      if (truth == 0 || enabled == 0) continue;
      *explore_cell(&table, e, p + 1) = 100 * (counted * (double)end / enabled / truth - 1);
      sum += fabs(*explore_cell(&table, e, p + 1));
      some++;
    }
    if (some != 0) *explore_cell(&table, num, p + 1) = sum / some;
  }
  asking_tell(asking, &table);
  table.num_rows--; /* the mean is of another kind */
  asking_draw(asking, &table, EXPLORE_PLOT_BARS, 1, num_periods,
              "Error of events on four counters, by rotation period", "error, %");
  explore_table_free(&table);
}
