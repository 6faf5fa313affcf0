/* Questions. Each writes a configuration as text, runs it, and makes a table of what was counted.
 */
#define _GNU_SOURCE
#include "testbench/explore/command/ask.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/explore/command/plot.h"
#include "testbench/explore/command/spec.h"
#include "testbench/explore/command/table.h"

enum { ERROR_SIZE = 4096 + 512, MOST_EVENTS = PMT_MAX_COLUMNS }; /* a path, and words */

struct asking {
  const struct explore_options *options;
  const struct pmt_reader *reader;
  const struct pmt_header *header;
  char *text; /* the configuration */
  size_t text_size;
  FILE *out; /* to the text */
  struct explore_config config;
  struct explore_results results;
};

struct explore_question {
  const char *name;
  void (*answer)(struct asking *asking);
  bool takes_event, takes_interval, takes_period; /* options that it has a use for */
};

/* ---- Configurations ---- */

/* A question may write a second configuration, which takes the place of the first. */
static void drop(struct asking *asking) {
  explore_results_free(&asking->results);
  explore_config_free(&asking->config);
  free(asking->text);
  asking->text = NULL;
}

static void begin(struct asking *asking) {
  drop(asking);
  asking->out = open_memstream(&asking->text, &asking->text_size);
  if (!asking->out) pmuv3_cli_no_verdict("out of memory");
  fputs("pmuv3-explore 1\n", asking->out);
}

__attribute__((format(printf, 2, 3))) static void add(struct asking *asking, const char *format,
                                                      ...) {
  va_list args;
  va_start(args, format);
  vfprintf(asking->out, format, args);
  va_end(args);
  putc('\n', asking->out);
}

/* The user did not write the configuration, so a line of it says nothing. */
static void unusable_configuration(const struct asking *asking, const char *error) {
  const char *why = strstr(error, ": ");
  pmuv3_cli_unusable("--ask %s%s", asking->options->ask, why);
}

/* Counts the configuration that was written. `run` says whom to tell meanwhile. */
static void run_with(struct asking *asking, struct explore_run run) {
  char error[ERROR_SIZE];
  if (fclose(asking->out) != 0) pmuv3_cli_no_verdict("out of memory");
  FILE *in = fmemopen(asking->text, asking->text_size, "r");
  if (!in) pmuv3_cli_no_verdict("out of memory");
  if (!explore_config_read(&asking->config, &asking->options->params, asking->reader, true, in,
                           "--ask", error, sizeof error))
    unusable_configuration(asking, error);
  fclose(in);
  run.reader = asking->reader;
  run.kernels = asking->options->kernels;
  run.shows_progress = isatty(STDERR_FILENO) == 1;
  if (!explore_run(&run, &asking->config, &asking->results, error, sizeof error))
    pmuv3_cli_unusable("%s", error);
}

static void run(struct asking *asking, uint64_t interval) {
  run_with(asking, (struct explore_run){.jobs = asking->options->jobs, .interval = interval});
}

static double total(const struct asking *asking, unsigned counter) {
  return (double)asking->results.totals[counter];
}

static double cycles(const struct asking *asking) {
  return (double)asking->results.cycles;
}

/* ---- The trace's columns ---- */

/* Columns of thread 0 itself. No trace has a column of an event that the PMU makes. */
static bool is_counted(const struct pmt_column *column) {
  return column->thread == 0 && column->origin == PMUV3_CURRENT;
}

static const struct pmt_column *column_of(const struct asking *asking, uint16_t event) {
  for (unsigned c = 0; c < asking->header->num_columns; c++)
    if (is_counted(&asking->header->columns[c]) && asking->header->columns[c].event == event)
      return &asking->header->columns[c];
  return NULL;
}

/* The column of --event, or of the default. */
static const struct pmt_column *asked_column(const struct asking *asking, uint16_t otherwise) {
  uint16_t event = otherwise;
  const char *asked = asking->options->event;
  const char *why =
      asked ? explore_event_find(asked, &asking->options->params, asking->header, &event) : NULL;
  if (why) pmuv3_cli_unusable("--event: %s", why);
  const struct pmt_column *column = column_of(asking, event);
  if (!column)
    pmuv3_cli_unusable("%s: the trace has no column of event 0x%04X", asking->options->trace,
                       event);
  return column;
}

static bool is_condition(const struct pmt_column *column) {
  return column->width == 1;
}

/* Columns that satisfy `is`, in their order; NULL: all. Returns their number. */
static unsigned list_columns(const struct asking *asking,
                             bool (*is)(const struct pmt_column *column),
                             const struct pmt_column *columns[MOST_EVENTS]) {
  unsigned num = 0;
  for (unsigned c = 0; c < asking->header->num_columns; c++) {
    const struct pmt_column *column = &asking->header->columns[c];
    if (is_counted(column) && (!is || is(column))) columns[num++] = column;
  }
  if (num == 0) pmuv3_cli_unusable("%s: no column suits the question", asking->options->trace);
  return num;
}

/* Columns that occur as often as this in the trace. */
static unsigned list_frequent(const struct asking *asking, uint64_t least,
                              const struct pmt_column *columns[MOST_EVENTS]) {
  unsigned num = 0;
  for (unsigned c = 0; c < asking->header->num_columns; c++)
    if (is_counted(&asking->header->columns[c]) && pmt_reader_total(asking->reader, c) >= least)
      columns[num++] = &asking->header->columns[c];
  return num;
}

/* ---- Tables ---- */

__attribute__((format(printf, 2, 3))) static void name(char to[64], const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(to, 64, format, args);
  va_end(args);
}

static void tell(const struct asking *asking, const struct explore_table *table) {
  explore_table_print(stdout, table);
  if (asking->options->csv)
    pmuv3_cli_write("--csv", asking->options->csv, explore_table_csv, table);
  if (asking->options->json)
    pmuv3_cli_write("--json", asking->options->json, explore_table_json, table);
}

/* Draws some columns of a table: a bar group or a line of colors for each row. */
static void draw(const struct asking *asking, const struct explore_table *table,
                 enum explore_plot_kind kind, unsigned first, unsigned num, const char *title,
                 const char *y_label) {
  if (!asking->options->plot) return;
  const char **names = calloc(num + 1u, sizeof *names);
  const char **labels = calloc(table->num_rows + 1u, sizeof *labels);
  double *y = calloc((size_t)num * table->num_rows + 1, sizeof *y);
  if (!names || !labels || !y) pmuv3_cli_no_verdict("out of memory");
  for (unsigned r = 0; r < table->num_rows; r++) labels[r] = table->rows[r];
  for (unsigned c = 0; c < num; c++) {
    names[c] = table->columns[first + c];
    for (unsigned r = 0; r < table->num_rows; r++)
      y[(size_t)c * table->num_rows + r] = *explore_cell(table, r, first + c);
  }
  const struct explore_plot plot = {.kind = kind,
                                    .title = title,
                                    .x_label = kind == EXPLORE_PLOT_BARS ? table->rows_name : "",
                                    .y_label = y_label,
                                    .num_series = num,
                                    .num_points = table->num_rows,
                                    .names = names,
                                    .labels = labels,
                                    .y = y};
  explore_plot_draw(&plot, asking->options->plot);
  free(names);
  free(labels);
  free(y);
}

/* ---- How wide: cycles with at least 1, 2, ... occurrences ---- */

/* Counts the cycles with at least 1 to `most` occurrences. Returns the most that occur, or 1. */
static unsigned count_widths(struct asking *asking, uint16_t event, unsigned most) {
  unsigned rows = 1;
  begin(asking);
  add(asking, "0x%04X/threshold=1..%u,threshold_compare=2,threshold_count=1/", event, most);
  run(asking, 0);
  for (unsigned k = 0; k < most; k++)
    if (total(asking, k) != 0) rows = k + 1;
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
static void ask_width(struct asking *asking) {
  const struct pmt_column *column = asked_column(asking, PMUV3_EVENT_INST_RETIRED);
  const unsigned widest = most_of(asking, column->event);
  const unsigned few = widest < PMUV3_MAX_COUNTERS ? widest : PMUV3_MAX_COUNTERS;
  unsigned rows = count_widths(asking, column->event, few);
  if (rows == few && few < widest) rows = count_widths(asking, column->event, widest);
  struct explore_table table = explore_table_new("at least", rows, 2, 3);
  name(table.columns[0], "cycles");
  name(table.columns[1], "share, %%");
  for (unsigned k = 0; k < rows; k++) {
    name(table.rows[k], "%u", k + 1);
    *explore_cell(&table, k, 0) = total(asking, k);
    *explore_cell(&table, k, 1) = 100 * total(asking, k) / cycles(asking);
  }
  char title[128];
  snprintf(title, sizeof title, "Cycles with at least so many %s", column->name);
  tell(asking, &table);
  draw(asking, &table, EXPLORE_PLOT_BARS, 1, 1, title, "share of cycles, %");
  explore_table_free(&table);
}

/* ---- How often, or how long: episodes of a condition ---- */

static void ask_episodes(struct asking *asking) {
  const struct pmt_column *columns[MOST_EVENTS];
  unsigned num = 1;
  if (asking->options->event)
    columns[0] = asked_column(asking, 0);
  else
    num = list_columns(asking, is_condition, columns);
  begin(asking);
  for (unsigned i = 0; i < num; i++) {
    const unsigned event = columns[i]->event;
    add(asking, "0x%04X/threshold=1,threshold_compare=2,threshold_count=1,name=c%u/", event, i);
    add(asking, "0x%04X/threshold=1,threshold_compare=2,threshold_count=1,edge=1,name=e%u/", event,
        i);
  }
  run(asking, 0);
  struct explore_table table = explore_table_new("condition", num, 4, 3);
  name(table.columns[0], "cycles");
  name(table.columns[1], "episodes");
  name(table.columns[2], "mean length");
  name(table.columns[3], "share, %%");
  for (unsigned i = 0; i < num; i++) {
    const double held = total(asking, 2 * i), episodes = total(asking, 2 * i + 1);
    name(table.rows[i], "%s", columns[i]->name);
    *explore_cell(&table, i, 0) = held;
    *explore_cell(&table, i, 1) = episodes;
    *explore_cell(&table, i, 2) = episodes == 0 ? NAN : held / episodes;
    *explore_cell(&table, i, 3) = 100 * held / cycles(asking);
  }
  tell(asking, &table);
  draw(asking, &table, EXPLORE_PLOT_BARS, 2, 1, "Mean length of an episode", "cycles");
  explore_table_free(&table);
}

/* ---- What coincides: events in cycles of a condition ---- */

/* Counts `event` where `condition` occurs, or where it does not: the second counter of the pair
 * adds what the first one counts. */
static void add_pair(struct asking *asking, const struct pmt_column *event,
                     const struct pmt_column *condition, bool occurs, unsigned number) {
  add(asking, "0x%04X/name=a%u/", event->event, number);
  add(asking, "0x%04X/threshold=1,threshold_compare=%u,link=true,name=p%u/", condition->event,
      occurs ? 2u : 3u, number);
}

/* Cycles that retire nothing come first. */
static unsigned list_conditions(const struct asking *asking,
                                const struct pmt_column *conditions[MOST_EVENTS]) {
  unsigned num = 0;
  const struct pmt_column *retired = column_of(asking, PMUV3_EVENT_INST_RETIRED);
  if (retired) conditions[num++] = retired;
  for (unsigned c = 0; c < asking->header->num_columns; c++) {
    const struct pmt_column *column = &asking->header->columns[c];
    const bool stalls = strncmp(column->name, "STALL", 5) == 0;
    if (is_counted(column) && is_condition(column) && stalls) conditions[num++] = column;
  }
  if (num == 0) pmuv3_cli_unusable("%s: no column suits the question", asking->options->trace);
  return num;
}

static bool is_retired(const struct pmt_column *column) {
  return column->event == PMUV3_EVENT_INST_RETIRED;
}

static void name_condition(char to[64], const struct pmt_column *condition) {
  name(to, is_retired(condition) ? "retires nothing" : "%s", condition->name);
}

static void ask_coincide(struct asking *asking) {
  const struct pmt_column *events[MOST_EVENTS], *conditions[MOST_EVENTS];
  const unsigned num = list_columns(asking, NULL, events);
  const unsigned columns = list_conditions(asking, conditions);
  begin(asking);
  for (unsigned r = 0; r < num; r++)
    for (unsigned c = 0; c < columns; c++)
      add_pair(asking, events[r], conditions[c], !is_retired(conditions[c]), r * columns + c);
  run(asking, 0);
  struct explore_table table = explore_table_new("event, % in cycles of", num, columns + 1, 2);
  name(table.columns[columns], "occurrences");
  for (unsigned c = 0; c < columns; c++) name_condition(table.columns[c], conditions[c]);
  for (unsigned r = 0; r < num; r++) {
    name(table.rows[r], "%s", events[r]->name);
    const double all = total(asking, 2 * r * columns);
    *explore_cell(&table, r, columns) = all;
    for (unsigned c = 0; c < columns; c++)
      if (all != 0)
        *explore_cell(&table, r, c) = 100 * total(asking, 2 * (r * columns + c) + 1) / all;
  }
  tell(asking, &table);
  draw(asking, &table, EXPLORE_PLOT_HEAT, 0, columns, "Where events occur", "% of occurrences");
  explore_table_free(&table);
}

/* ---- Top-down, level 1: where the Slots went ---- */

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
  return column_of(asking, slot_events[part].event) != NULL;
}

/* The counter of a part that the trace has. */
static unsigned counter_of(const struct asking *asking, unsigned part) {
  unsigned counter = 0;
  for (unsigned before = 0; before < part; before++) counter += has_part(asking, before);
  return counter;
}

static double part_total(const struct asking *asking, unsigned part) {
  return has_part(asking, part) ? total(asking, counter_of(asking, part)) : 0;
}

/* The four shares of `slots`, in %, of what was counted in them. */
static void share_slots(const struct asking *asking, const double counts[NUM_PARTS], double slots,
                        double shares[4]) {
  const bool is_told = has_part(asking, OP_RETIRED) && counts[OP_SPEC] != 0;
  const double busy = 1 - counts[STALLED] / slots;
  const double retired = is_told ? counts[OP_RETIRED] / counts[OP_SPEC] : 1;
  shares[0] = 100 * busy * retired;
  shares[1] = 100 * busy * (1 - retired);
  shares[2] = 100 * counts[FRONTEND] / slots;
  shares[3] = 100 * counts[BACKEND] / slots;
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
    share_slots(asking, counts, width * (double)series->cycles[i], shares);
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
 * of all cycles. 0: the trace does not say how many Slots a cycle has. */
static unsigned traced_slots(const struct asking *asking) {
  const double sum = part_total(asking, STALLED) + part_total(asking, OP_SPEC);
  const double slots = floor(sum / cycles(asking));
  const bool is_whole = has_part(asking, OP_SPEC) && slots * cycles(asking) == sum;
  return is_whole ? (unsigned)slots : 0;
}

/* The Slots of a cycle: as the options say, and else as the trace says. The two must agree. */
static unsigned slots_of(const struct asking *asking) {
  const struct explore_options *options = asking->options;
  const unsigned given = options->params.slots, traced = traced_slots(asking);
  if (!options->has_slots && traced == 0)
    pmuv3_cli_unusable(
        "%s: OP_SPEC and STALL_SLOT do not say how many Slots a cycle has: "
        "expected --param slots=N",
        options->trace);
  if (!options->has_slots) return traced;
  if (traced != 0 && traced != given)
    pmuv3_cli_unusable("%s: OP_SPEC and STALL_SLOT add up to %u Slots a cycle, not %u",
                       options->trace, traced, given);
  if (part_total(asking, STALLED) + part_total(asking, OP_SPEC) > given * cycles(asking))
    pmuv3_cli_unusable("%s: OP_SPEC and STALL_SLOT add up to more than %u Slots a cycle",
                       options->trace, given);
  return given;
}

static void ask_topdown(struct asking *asking) {
  begin(asking);
  for (unsigned part = 0; part < NUM_PARTS; part++) {
    if (!has_part(asking, part) && part <= STALLED)
      pmuv3_cli_unusable("%s: the trace has no column %s, which topdown needs",
                         asking->options->trace, slot_events[part].name);
    if (has_part(asking, part)) add(asking, "0x%04X", slot_events[part].event);
  }
  run(asking,
      asking->options->interval ? asking->options->interval : default_interval(asking, 200));
  const double width = slots_of(asking);
  double counts[NUM_PARTS], shares[4];
  for (unsigned part = 0; part < NUM_PARTS; part++) counts[part] = part_total(asking, part);
  share_slots(asking, counts, width * cycles(asking), shares);
  struct explore_table table = explore_table_new("Slots", 4, 1, 2);
  static const char *const rows[] = {"retiring", "bad speculation", "frontend bound",
                                     "backend bound"};
  name(table.columns[0], "share, %%");
  for (unsigned r = 0; r < 4; r++) {
    name(table.rows[r], "%s", rows[r]);
    *explore_cell(&table, r, 0) = shares[r];
  }
  tell(asking, &table);
  if (asking->options->plot) draw_topdown(asking, width);
  explore_table_free(&table);
}

/* ---- What multiplexing costs ---- */

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
  add(asking, "pmu rotates%u", number);
  for (unsigned e = 0; e < num; e++)
    add(asking, "0x%04X/name=%llu.%u/", events[e]->event, (unsigned long long)period, e);
  add(asking, "write PMCNTENCLR_EL0 0x%x", ((1u << num) - 1) & ~group_of(0, num));
  uint64_t turn = 1;
  for (uint64_t cycle = period; cycle < end; cycle += period, turn++) {
    add(asking, "write @%llu PMCNTENCLR_EL0 0x%x", (unsigned long long)cycle,
        group_of((unsigned)(turn - 1), num));
    add(asking, "write @%llu PMCNTENSET_EL0 0x%x", (unsigned long long)cycle,
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

static void ask_multiplex(struct asking *asking) {
  const struct pmt_column *events[MOST_EVENTS];
  unsigned num = list_frequent(asking, LEAST_MULTIPLEXED, events);
  if (num > MOST_MULTIPLEXED) num = MOST_MULTIPLEXED;
  if (num <= GROUP)
    pmuv3_cli_unusable("%s: %u events need no multiplexing", asking->options->trace, num);
  const uint64_t end = pmt_reader_cycles(asking->reader);
  const unsigned groups = (num + GROUP - 1) / GROUP;
  uint64_t periods[PERIODS];
  begin(asking);
  add(asking, "pmu truth");
  for (unsigned e = 0; e < num; e++) add(asking, "0x%04X", events[e]->event);
  for (unsigned p = 0; p < PERIODS; p++) {
    periods[p] = end / groups >> 3 * (PERIODS - p);
    if (periods[p] < 64) periods[p] = 64;
    add_rotation(asking, events, num, p, periods[p]);
  }
  run(asking, 0);
  struct explore_table table = explore_table_new("error, %, of event", num + 1, PERIODS + 1, 3);
  name(table.columns[0], "truth");
  name(table.rows[num], "mean of absolute errors");
  for (unsigned p = 0; p < PERIODS; p++) {
    double sum = 0;
    unsigned some = 0;
    name(table.columns[p + 1], "%llu cycles", (unsigned long long)periods[p]);
    for (unsigned e = 0; e < num; e++) {
      const double truth = total(asking, e);
      const double counted = total(asking, num * (p + 1) + e);
      const double enabled = enabled_cycles(end, periods[p], groups, e / GROUP);
      name(table.rows[e], "%s", events[e]->name);
      *explore_cell(&table, e, 0) = truth;
      if (truth == 0 || enabled == 0) continue;
      *explore_cell(&table, e, p + 1) = 100 * (counted * (double)end / enabled / truth - 1);
      sum += fabs(*explore_cell(&table, e, p + 1));
      some++;
    }
    if (some != 0) *explore_cell(&table, num, p + 1) = sum / some;
  }
  tell(asking, &table);
  table.num_rows--; /* the mean is of another kind */
  draw(asking, &table, EXPLORE_PLOT_BARS, 1, PERIODS,
       "Error of events on four counters, by rotation period", "error, %");
  explore_table_free(&table);
}

/* ---- What sampling hides ---- */

enum { SKIDS = 6, DEFAULT_SAMPLES = 10000, SHORTEST_PERIOD = 101 };
static const unsigned skids[SKIDS] = {0, 1, 4, 16, 64, 256};

/* The cycles in which interrupts came, of one skid. */
struct interrupts {
  uint64_t *cycles; /* those that are in no counted block yet, in their order */
  size_t num, room;
  uint64_t taken;            /* all others */
  uint64_t hit[MOST_EVENTS]; /* of these: where each event occurred */
};

struct sampling {
  const struct asking *asking;
  const struct pmt_column *events[MOST_EVENTS];
  unsigned num_events;
  struct interrupts interrupts[SKIDS];
};

/* The samples' counters are the first ones, a counter for each skid. */
static void note_sample(void *context, unsigned counter, uint64_t cycle) {
  struct interrupts *interrupts = &((struct sampling *)context)->interrupts[counter];
  if (interrupts->num == interrupts->room) {
    interrupts->room = interrupts->room * 2 + 64;
    interrupts->cycles = realloc(interrupts->cycles, interrupts->room * sizeof *interrupts->cycles);
    if (!interrupts->cycles) pmuv3_cli_no_verdict("out of memory");
  }
  interrupts->cycles[interrupts->num++] = cycle + skids[counter];
}

static void take_interrupt(const struct sampling *sampling, struct interrupts *interrupts,
                           const struct pmt_block *block, uint32_t cycle) {
  interrupts->taken++;
  for (unsigned e = 0; e < sampling->num_events; e++) {
    const unsigned column = (unsigned)(sampling->events[e] - sampling->asking->header->columns);
    if (block->planes[column] && pmt_block_count(block, column, cycle) != 0) interrupts->hit[e]++;
  }
}

/* Looks up what occurred in the cycles of interrupts in a block. */
static void look_up(void *context, unsigned engine, const struct pmt_block *block) {
  struct sampling *sampling = context;
  (void)engine;
  for (unsigned s = 0; s < SKIDS; s++) {
    struct interrupts *interrupts = &sampling->interrupts[s];
    size_t i = 0;
    for (; i < interrupts->num && interrupts->cycles[i] - block->first < block->cycles; i++)
      take_interrupt(sampling, interrupts, block, (uint32_t)(interrupts->cycles[i] - block->first));
    if (i == 0) continue;
    interrupts->num -= i;
    memmove(interrupts->cycles, interrupts->cycles + i, interrupts->num * sizeof(uint64_t));
  }
}

static bool is_prime(uint64_t number) {
  for (uint64_t divisor = 2; divisor * divisor <= number; divisor++)
    if (number % divisor == 0) return false;
  return true;
}

/* A prime, so that a loop of the program does not keep in step with the samples. */
static uint64_t period_of(const struct asking *asking, const struct pmt_column *column) {
  if (asking->options->period) return asking->options->period;
  const unsigned number = (unsigned)(column - asking->header->columns);
  uint64_t period = pmt_reader_total(asking->reader, number) / DEFAULT_SAMPLES;
  if (period < SHORTEST_PERIOD) period = SHORTEST_PERIOD;
  if (period > INT32_MAX / 2) period = INT32_MAX / 2;
  while (!is_prime(period)) period++;
  return period;
}

/* A column for the truth, and for each skid. The last row has the mean distance from the truth. */
static struct explore_table compare_samples(const struct sampling *sampling) {
  const unsigned num = sampling->num_events;
  struct explore_table table = explore_table_new("% in cycles of", num + 1, SKIDS + 1, 2);
  name(table.columns[0], "truth");
  name(table.rows[num], "mean of absolute errors");
  for (unsigned s = 0; s < SKIDS; s++) {
    const struct interrupts *interrupts = &sampling->interrupts[s];
    double sum = 0;
    name(table.columns[s + 1], "skid %u", skids[s]);
    for (unsigned e = 0; e < num; e++) {
      const double all = total(sampling->asking, SKIDS + 2 * e);
      const double truth = 100 * total(sampling->asking, SKIDS + 2 * e + 1) / all;
      const double share = 100 * (double)interrupts->hit[e] / (double)interrupts->taken;
      name(table.rows[e], "%s", sampling->events[e]->name);
      *explore_cell(&table, e, 0) = truth;
      *explore_cell(&table, e, s + 1) = share;
      sum += fabs(share - truth);
    }
    *explore_cell(&table, num, s + 1) = sum / num;
  }
  return table;
}

static void ask_bias(struct asking *asking) {
  const struct pmt_column *asked = asked_column(asking, PMUV3_EVENT_INST_RETIRED);
  const uint64_t period = period_of(asking, asked);
  struct sampling sampling = {.asking = asking};
  sampling.num_events = list_frequent(asking, 1, sampling.events);
  begin(asking);
  for (unsigned s = 0; s < SKIDS; s++)
    add(asking, "pmu skid%u\n0x%04X/period=%llu,skid=%u,name=s%u/", skids[s], asked->event,
        (unsigned long long)period, skids[s], s);
  for (unsigned e = 0; e < sampling.num_events; e++) {
    add(asking, "pmu truth%u", e);
    add_pair(asking, asked, sampling.events[e], true, e);
  }
  /* One engine, so that one thread tells of samples and of blocks. */
  run_with(asking, (struct explore_run){
                       .jobs = 1, .sampled = note_sample, .block = look_up, .context = &sampling});
  if (sampling.interrupts[SKIDS - 1].taken == 0)
    pmuv3_cli_unusable("%s: %s occurs too seldom for a sample every %llu", asking->options->trace,
                       asked->name, (unsigned long long)period);
  struct explore_table table = compare_samples(&sampling);
  char title[128];
  snprintf(title, sizeof title, "Where %s occurs, and where its samples are", asked->name);
  printf("%s: %.0f occurrences, a sample every %llu: %llu samples at skid 0\n", asked->name,
         total(asking, SKIDS), (unsigned long long)period,
         (unsigned long long)sampling.interrupts[0].taken);
  tell(asking, &table);
  table.num_rows--; /* the mean is of another kind */
  draw(asking, &table, EXPLORE_PLOT_HEAT, 0, SKIDS + 1, title, "% of occurrences");
  explore_table_free(&table);
  for (unsigned s = 0; s < SKIDS; s++) free(sampling.interrupts[s].cycles);
}

/* ---- The questions ---- */

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
  struct asking asking = {
      .options = options, .reader = reader, .header = pmt_reader_header(reader)};
  explore_question_find(options->ask)->answer(&asking);
  drop(&asking);
}
