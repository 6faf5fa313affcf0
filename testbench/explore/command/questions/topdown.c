/* Top-down, level 1: where the Slots went. */
#include "testbench/explore/command/questions/questions.h"

#include <math.h>
#include <stdlib.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/explore/command/plot.h"

/* The parts of the question. Without OP_SPEC and OP_RETIRED, bad speculation cannot
 * be told from retirement. */
enum { FRONTEND, BACKEND, STALLED, OP_RETIRED, OP_SPEC, NUM_PARTS };
static const struct {
  uint16_t event;
  const char *name;
} slot_events[NUM_PARTS] = {
    [FRONTEND] = {PMUV3_EVENT_STALL_SLOT_FRONTEND, "stall_slot_frontend"},
    [BACKEND] = {PMUV3_EVENT_STALL_SLOT_BACKEND, "stall_slot_backend"},
    [STALLED] = {PMUV3_EVENT_STALL_SLOT, "stall_slot"},
    [OP_RETIRED] = {PMUV3_EVENT_OP_RETIRED, "op_retired"},
    [OP_SPEC] = {PMUV3_EVENT_OP_SPEC, "op_spec"},
};

static uint64_t default_interval(const struct asking *asking, unsigned intervals) {
  const uint64_t interval = pmt_reader_cycles(asking->reader) / intervals;
  return interval < 64 ? 64 : interval;
}

static bool has_part(const struct asking *asking, unsigned part) {
  return asking_find_column(asking, slot_events[part].event) != NULL;
}

/* The counter of a part that the trace has. CPU_CYCLES has counter 0. */
static unsigned counter_of(const struct asking *asking, unsigned part) {
  unsigned counter = 1;
  for (unsigned before = 0; before < part; before++) counter += has_part(asking, before);
  return counter;
}

static double part_total(const struct asking *asking, unsigned part) {
  return has_part(asking, part) ? asking_total(asking, counter_of(asking, part)) : 0;
}

/* The cycles that have Slots: the thread runs, in Non-debug state, and is not in WFx. */
static double cycles_with_slots(const struct asking *asking) {
  return asking_total(asking, 0);
}

/* A core may present Slots in other cycles, too, and a set of events may have them as another
 * class. The shares are of the Slots that there are, so their counters keep to the cycles of
 * CPU_CYCLES. */
static void keep_to_cycles(struct asking *asking) {
  struct pmuv3_events *events = &asking->params.events;
  const char *wrong = pmuv3_params_set(&asking->params, "K-STALL-CYCLES", "cpu_cycles");
  for (unsigned part = 0; !wrong && part <= STALLED; part++) {
    const uint16_t number = slot_events[part].event;
    const struct pmuv3_event *row = pmuv3_events_find(events, number);
    struct pmuv3_event event = row ? *row : *pmuv3_event_of_architecture(number);
    event.event_class = PMUV3_EVENT_CLASS_SLOTS;
    wrong = pmuv3_events_add(events, event);
  }
  if (wrong) pmuv3_cli_unusable("--ask topdown: %s", wrong);
  asking->keeps_to_cycles = true;
}

/* The share of the operations that were sent and retire. Operations retire after they were sent, so
 * in an interval more can retire than are sent in it. */
static double share_retired(const struct asking *asking, const double counts[NUM_PARTS]) {
  const bool is_told = has_part(asking, OP_RETIRED) && counts[OP_SPEC] != 0;
  return is_told ? fmin(counts[OP_RETIRED] / counts[OP_SPEC], 1) : 1;
}

/* The four shares of `slots`, in %, of what was counted in them. None is negative, and their sum is
 * at most 100. A Slot that both ends stall is in STALL_SLOT once (D14.3, STALL_SLOT_BACKEND): the
 * ends then divide STALL_SLOT as their counts are. */
static void share_slots(const struct asking *asking, const double counts[NUM_PARTS], double slots,
                        double shares[4]) {
  for (unsigned s = 0; s < 4; s++) shares[s] = 0;
  if (slots == 0) return;
  const double stalled = fmin(counts[STALLED], slots);
  const double of_ends = counts[FRONTEND] + counts[BACKEND];
  const double part = of_ends > stalled ? stalled / of_ends : 1;
  const double busy = 1 - stalled / slots;
  const double retired = share_retired(asking, counts);
  shares[0] = 100 * busy * retired;
  shares[1] = 100 * busy * (1 - retired);
  shares[2] = 100 * part * counts[FRONTEND] / slots;
  shares[3] = 100 * part * counts[BACKEND] / slots;
}

/* In a whole trace, too, more operations can retire than are sent, if it begins in the middle of a
 * program or the core counts otherwise. The shares do not show this. */
static void note_surplus(const struct asking *asking, const double counts[NUM_PARTS],
                         struct explore_table *table) {
  if (!has_part(asking, OP_SPEC) || counts[OP_RETIRED] <= counts[OP_SPEC]) return;
  explore_table_name(table->note,
                     "OP_RETIRED (%.0f) is more than OP_SPEC (%.0f): bad speculation is shown as 0",
                     counts[OP_RETIRED], counts[OP_SPEC]);
}

static void draw_topdown(const struct asking *asking, double width) {
  const struct explore_series *series = &asking->results.series;
  const char *names[] = {"retiring", "bad speculation", "frontend bound", "backend bound"};
  double *x = calloc(series->num + 1u, sizeof *x);
  double *y = calloc(4u * series->num + 1, sizeof *y), begin = 0;
  if (!x || !y) pmuv3_cli_no_verdict("out of memory");
  for (unsigned i = 0; i < series->num; i++) {
    double counts[NUM_PARTS] = {0}, shares[4];
    for (unsigned part = 0; part < NUM_PARTS; part++) {
      const size_t c = counter_of(asking, part);
      if (has_part(asking, part))
        counts[part] = (double)series->values[c * EXPLORE_MOST_POINTS + i];
    }
    share_slots(asking, counts, width * (double)series->values[i], shares);
    x[i] = begin;
    begin += (double)series->cycles[i];
    for (unsigned s = 0; s < 4; s++) y[(size_t)s * series->num + i] = shares[s];
  }
  const struct explore_plot plot = {.kind = EXPLORE_PLOT_STACKED,
                                    .title = asking->header->command,
                                    .x_label = "cycle",
                                    .y_label = "% of Slots",
                                    .num_series = 4,
                                    .num_points = series->num,
                                    .names = names,
                                    .x = x,
                                    .y = y};
  explore_plot_draw(&plot, asking->options->plot);
  free(x);
  free(y);
}

/* An operation takes a Slot, or the Slot is empty. So OP_SPEC and STALL_SLOT together are the Slots
 * of all cycles that have some. 0: the trace does not say how many Slots a cycle has. */
static unsigned traced_slots(const struct asking *asking) {
  const double sum = part_total(asking, STALLED) + part_total(asking, OP_SPEC);
  const double cycles = cycles_with_slots(asking);
  if (!has_part(asking, OP_SPEC) || cycles == 0) return 0;
  const double slots = floor(sum / cycles);
  return slots * cycles == sum ? (unsigned)slots : 0;
}

/* The Slots of a cycle: as the options say, and else as the trace says. The two must agree. A core
 * without PMMIR has slots=0, which says nothing of its Slots. */
static unsigned slots_of(const struct asking *asking) {
  const struct explore_options *options = asking->options;
  const unsigned given = options->has_slots ? options->params.slots : 0;
  const unsigned traced = traced_slots(asking);
  if (given == 0 && traced == 0)
    pmuv3_cli_unusable(
        "%s: OP_SPEC and STALL_SLOT do not say how many Slots a cycle has: "
        "expected --param slots=N",
        options->trace);
  if (given == 0) return traced;
  if (traced != 0 && traced != given)
    pmuv3_cli_unusable("%s: OP_SPEC and STALL_SLOT add up to %u Slots a cycle, not %u",
                       options->trace, traced, given);
  if (part_total(asking, STALLED) + part_total(asking, OP_SPEC) > given * cycles_with_slots(asking))
    pmuv3_cli_unusable("%s: OP_SPEC and STALL_SLOT add up to more than %u Slots a cycle",
                       options->trace, given);
  return given;
}

void ask_topdown(struct asking *asking) {
  asking_begin(asking);
  asking_add(asking, "0x%04X", PMUV3_EVENT_CPU_CYCLES);
  for (unsigned part = 0; part < NUM_PARTS; part++) {
    if (!has_part(asking, part) && part <= STALLED)
      pmuv3_cli_unusable("%s: the trace has no column %s, which topdown needs",
                         asking->options->trace, slot_events[part].name);
    if (has_part(asking, part)) asking_add(asking, "0x%04X", slot_events[part].event);
  }
  keep_to_cycles(asking);
  asking_run(asking,
             asking->options->interval ? asking->options->interval : default_interval(asking, 200));
  const double width = slots_of(asking);
  double counts[NUM_PARTS], shares[4];
  for (unsigned part = 0; part < NUM_PARTS; part++) counts[part] = part_total(asking, part);
  share_slots(asking, counts, width * cycles_with_slots(asking), shares);
  struct explore_table table = explore_table_new("Slots", 4, 1, 2);
  static const char *const rows[] = {"retiring", "bad speculation", "frontend bound",
                                     "backend bound"};
  explore_table_name(table.columns[0], "share, %%");
  for (unsigned r = 0; r < 4; r++) {
    explore_table_name(table.rows[r], "%s", rows[r]);
    *explore_cell(&table, r, 0) = shares[r];
  }
  note_surplus(asking, counts, &table);
  asking_tell(asking, &table);
  if (asking->options->plot) draw_topdown(asking, width);
  explore_table_free(&table);
}
