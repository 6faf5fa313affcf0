/* What sampling hides. */
#include "testbench/explore/command/questions/questions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/cli/cli.h"

enum { SKIDS = 6, DEFAULT_SAMPLES = 10000, SHORTEST_PERIOD = 101 };
static const unsigned skids[SKIDS] = {0, 1, 4, 16, 64, 256};

/* The cycles in which interrupts came, of one skid. */
struct interrupts {
  uint64_t *cycles; /* those that are in no counted block yet, in their order */
  size_t num, room;
  uint64_t taken;                   /* all others */
  uint64_t hit[ASKING_MOST_EVENTS]; /* of these: where each event occurred */
};

struct sampling {
  const struct asking *asking;
  const struct pmt_column *events[ASKING_MOST_EVENTS];
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
  for (unsigned e = 0; e < sampling->num_events; e++)
    interrupts->hit[e] += asking_occurs(sampling->asking, sampling->events[e], block, cycle);
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
  uint64_t period = asking_occurrences(asking, column) / DEFAULT_SAMPLES;
  if (period < SHORTEST_PERIOD) period = SHORTEST_PERIOD;
  if (period > INT32_MAX / 2) period = INT32_MAX / 2;
  while (!is_prime(period)) period++;
  return period;
}

/* A column for the truth, and for each skid. The last row has the mean distance from the truth. */
static struct explore_table compare_samples(const struct sampling *sampling) {
  const unsigned num = sampling->num_events;
  struct explore_table table = explore_table_new("% in cycles of", num + 1, SKIDS + 1, 2);
  explore_table_name(table.columns[0], "truth");
  explore_table_name(table.rows[num], "mean of absolute errors");
  for (unsigned s = 0; s < SKIDS; s++) {
    const struct interrupts *interrupts = &sampling->interrupts[s];
    double sum = 0;
    explore_table_name(table.columns[s + 1], "skid %u", skids[s]);
    for (unsigned e = 0; e < num; e++) {
      const double all = asking_total(sampling->asking, SKIDS + 2 * e);
      const double truth = 100 * asking_total(sampling->asking, SKIDS + 2 * e + 1) / all;
      const double share = 100 * (double)interrupts->hit[e] / (double)interrupts->taken;
      explore_table_name(table.rows[e], "%s", sampling->events[e]->name);
      *explore_cell(&table, e, 0) = truth;
      *explore_cell(&table, e, s + 1) = share;
      sum += fabs(share - truth);
    }
    *explore_cell(&table, num, s + 1) = sum / num;
  }
  return table;
}

void ask_bias(struct asking *asking) {
  const struct pmt_column *asked = asking_option_column(asking, PMUV3_EVENT_INST_RETIRED);
  const uint64_t period = period_of(asking, asked);
  struct sampling sampling = {.asking = asking};
  sampling.num_events = asking_list_frequent(asking, 1, sampling.events);
  asking_begin(asking);
  for (unsigned s = 0; s < SKIDS; s++)
    asking_add(asking, "pmu skid%u\n0x%04X/period=%llu,skid=%u,name=s%u/", skids[s], asked->event,
               (unsigned long long)period, skids[s], s);
  for (unsigned e = 0; e < sampling.num_events; e++) {
    asking_add(asking, "pmu truth%u", e);
    asking_add_pair(asking, asked, sampling.events[e], true, e);
  }
  /* One engine, so that one thread tells of samples and of blocks. */
  asking_run_with(asking,
                  (struct explore_run){
                      .jobs = 1, .sampled = note_sample, .block = look_up, .context = &sampling});
  if (sampling.interrupts[SKIDS - 1].taken == 0)
    pmuv3_cli_unusable("%s: %s occurs too seldom for a sample every %llu", asking->options->trace,
                       asked->name, (unsigned long long)period);
  struct explore_table table = compare_samples(&sampling);
  char title[128];
  snprintf(title, sizeof title, "Where %s occurs, and where its samples are", asked->name);
  printf("%s: %.0f occurrences, a sample every %llu: %llu samples at skid 0\n", asked->name,
         asking_total(asking, SKIDS), (unsigned long long)period,
         (unsigned long long)sampling.interrupts[0].taken);
  asking_tell(asking, &table);
  table.num_rows--; /* the mean is of another kind */
  asking_draw(asking, &table, EXPLORE_PLOT_HEAT, 0, SKIDS + 1, title, "% of occurrences");
  explore_table_free(&table);
  for (unsigned s = 0; s < SKIDS; s++) free(sampling.interrupts[s].cycles);
}
