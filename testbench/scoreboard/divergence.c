#include "testbench/scoreboard/divergence.h"

#include <inttypes.h>

#include "pmuv3/events.h"
#include "pmuv3/registers.h"

/* A signal's value in both probes. */
struct pair {
  const char *name;
  uint64_t cmodel;
  uint64_t rtl;
};

enum {
#define PMUV3_PROBE_BITS(field, name) SIGNAL_##field,
#define PMUV3_PROBE_LANES(field, name) SIGNAL_##field,
#define PMUV3_PROBE_COUNTERS(field, name) SIGNAL_##field,
#include "pmuv3/probe.def"
  NUM_SIGNALS
};

enum {
#define PMUV3_PROBE_GLOBAL(field, name) GLOBAL_##field,
#include "pmuv3/probe.def"
  NUM_GLOBALS
};

/* Every signal of counter n, in data flow. */
static void get_signals(struct pair pairs[NUM_SIGNALS], const struct pmuv3_probe *cmodel,
                        const struct pmuv3_probe *rtl, int n) {
#define PMUV3_PROBE_BITS(field, name) \
  pairs[SIGNAL_##field] = (struct pair){name, cmodel->field >> n & 1, rtl->field >> n & 1};
#define PMUV3_PROBE_LANES(field, name) \
  pairs[SIGNAL_##field] = (struct pair){name, cmodel->field[n], rtl->field[n]};
#define PMUV3_PROBE_COUNTERS(field, name) \
  pairs[SIGNAL_##field] = (struct pair){name, cmodel->field[n], rtl->field[n]};
#include "pmuv3/probe.def"
}

static void get_globals(struct pair pairs[NUM_GLOBALS], const struct pmuv3_probe *cmodel,
                        const struct pmuv3_probe *rtl) {
#define PMUV3_PROBE_GLOBAL(field, name) \
  pairs[GLOBAL_##field] = (struct pair){name, cmodel->field, rtl->field};
#include "pmuv3/probe.def"
}

static const struct pair *first_difference(const struct pair *pairs, size_t num_pairs) {
  for (size_t i = 0; i < num_pairs; i++)
    if (pairs[i].cmodel != pairs[i].rtl) return &pairs[i];
  return NULL;
}

bool pmuv3_divergence_find(struct pmuv3_divergence *divergence, const struct pmuv3_probe *cmodel,
                           const struct pmuv3_probe *rtl) {
  struct pair signals[NUM_SIGNALS], globals[NUM_GLOBALS];
  const struct pair *difference = NULL;
  int counter = 0;
  for (; counter < PMUV3_LANES; counter++) {
    get_signals(signals, cmodel, rtl, counter);
    difference = first_difference(signals, NUM_SIGNALS);
    if (difference) break;
  }
  if (!difference) {
    counter = -1;
    get_globals(globals, cmodel, rtl);
    difference = first_difference(globals, NUM_GLOBALS);
  }
  if (!difference) return false;
  divergence->counter = counter;
  snprintf(divergence->signal, sizeof divergence->signal, "%s", difference->name);
  divergence->cmodel = difference->cmodel;
  divergence->rtl = difference->rtl;
  divergence->cmodel_probe = *cmodel;
  divergence->rtl_probe = *rtl;
  return true;
}

void pmuv3_divergence_print(FILE *out, const struct pmuv3_divergence *divergence) {
  fprintf(out, "diverged at cycle %" PRIu64 ", thread %u", divergence->cycle, divergence->thread);
  if (divergence->counter >= 0) fprintf(out, ", counter %d", divergence->counter);
  fprintf(out, ", %s: cmodel 0x%" PRIx64 ", rtl 0x%" PRIx64 "\n", divergence->signal,
          divergence->cmodel, divergence->rtl);
}

static void print_pairs(FILE *out, const struct pair *pairs, size_t num_pairs) {
  for (size_t i = 0; i < num_pairs; i++)
    fprintf(out, "    %-12s %#20" PRIx64 " %#20" PRIx64 "%s\n", pairs[i].name, pairs[i].cmodel,
            pairs[i].rtl, pairs[i].cmodel != pairs[i].rtl ? "  <-" : "");
}

static const char *bits(uint64_t value, int width, char text[4]) {
  for (int i = 0; i < width; i++) text[i] = value >> (width - 1 - i) & 1 ? '1' : '0';
  text[width] = '\0';
  return text;
}

/* What the counter is told to do, as the C model has it. */
static void print_configuration(FILE *out, const struct pmuv3_probe *probe,
                                const struct pmuv3_params *params, int n) {
  const uint64_t type = probe->evtyper[n];
  const enum pmuv3_event event = pmuv3_event_find((uint16_t)type);
  char TC[4], TLC[4];
  fprintf(out, "  counter %d: event 0x%04X %s, TC=%s TE=%u TLC=%s TH=%u", n,
          (unsigned)type & 0xFFFF,
          event == PMUV3_EVENT_NONE ? "not implemented" : pmuv3_event_mnemonic(event),
          bits(PMUV3_GET(type, PMEVTYPER, TC), 3, TC), (unsigned)PMUV3_GET(type, PMEVTYPER, TE),
          bits(PMUV3_GET(type, PMEVTYPER, TLC), 2, TLC), (unsigned)PMUV3_GET(type, PMEVTYPER, TH));
  fprintf(out, ", %u counters, HPMN=%u, E=%u LP=%u HPME=%u HLP=%u\n", params->counters,
          (unsigned)PMUV3_GET(probe->mdcr_el2, MDCR_EL2, HPMN),
          (unsigned)PMUV3_GET(probe->pmcr, PMCR, E), (unsigned)PMUV3_GET(probe->pmcr, PMCR, LP),
          (unsigned)PMUV3_GET(probe->mdcr_el2, MDCR_EL2, HPME),
          (unsigned)PMUV3_GET(probe->mdcr_el2, MDCR_EL2, HLP));
}

static void explain_counter(FILE *out, const struct pmuv3_divergence *divergence,
                            const struct pmuv3_params *params, int n) {
  struct pair signals[NUM_SIGNALS];
  get_signals(signals, &divergence->cmodel_probe, &divergence->rtl_probe, n);
  print_configuration(out, &divergence->cmodel_probe, params, n);
  fprintf(out, "    %-12s %20s %20s\n", "", "cmodel", "rtl");
  print_pairs(out, signals, NUM_SIGNALS);
}

void pmuv3_divergence_explain(FILE *out, const struct pmuv3_divergence *divergence,
                              const struct pmuv3_params *params) {
  struct pair globals[NUM_GLOBALS];
  if (divergence->counter >= 0) {
    explain_counter(out, divergence, params, divergence->counter);
    if (divergence->counter % 2 == 1)
      explain_counter(out, divergence, params, divergence->counter - 1);
    return;
  }
  get_globals(globals, &divergence->cmodel_probe, &divergence->rtl_probe);
  fprintf(out, "    %-12s %20s %20s\n", "", "cmodel", "rtl");
  print_pairs(out, globals, NUM_GLOBALS);
}
