#include "testbench/cosim/scoreboard/divergence.h"
#include "testbench/cosim/stimulus/events_text.h"

#include <inttypes.h>
#include <string.h>

#include "pmuv3/events.h"
#include "pmuv3/registers.h"

/* A signal's value in both probes. */
struct pair {
  const char *name;
  uint64_t cmodel;
  uint64_t rtl;
};

enum {
#define PMUV3_PROBE_BITS(field, name, owner) SIGNAL_##field,
#define PMUV3_PROBE_LANES(field, name, owner) SIGNAL_##field,
#define PMUV3_PROBE_COUNTERS(field, name, owner) SIGNAL_##field,
#include "pmuv3/probe.def"
  NUM_SIGNALS
};

enum {
#define PMUV3_PROBE_GLOBAL(field, name, owner) GLOBAL_##field,
#include "pmuv3/probe.def"
  NUM_GLOBALS
};

/* Every signal of counter n, in data-flow order. */
static void get_signals(struct pair pairs[NUM_SIGNALS], const struct pmuv3_probe *cmodel,
                        const struct pmuv3_probe *rtl, int n) {
#define PMUV3_PROBE_BITS(field, name, owner) \
  pairs[SIGNAL_##field] = (struct pair){name, cmodel->field >> n & 1, rtl->field >> n & 1};
#define PMUV3_PROBE_LANES(field, name, owner) \
  pairs[SIGNAL_##field] = (struct pair){name, cmodel->field[n], rtl->field[n]};
#define PMUV3_PROBE_COUNTERS(field, name, owner) \
  pairs[SIGNAL_##field] = (struct pair){name, cmodel->field[n], rtl->field[n]};
#include "pmuv3/probe.def"
}

static void get_globals(struct pair pairs[NUM_GLOBALS], const struct pmuv3_probe *cmodel,
                        const struct pmuv3_probe *rtl) {
#define PMUV3_PROBE_GLOBAL(field, name, owner) \
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

static bool begins_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

bool pmuv3_divergence_is_end(const struct pmuv3_divergence *divergence) {
  return begins_with(divergence->signal, "result of ") ||
         begins_with(divergence->signal, "syndrome of ");
}

const char *pmuv3_divergence_words(const struct pmuv3_divergence *divergence,
                                   char words[PMUV3_DIVERGENCE_WORDS]) {
  char counter[24] = "";
  if (divergence->counter >= 0)
    snprintf(counter, sizeof counter, ", counter %d", divergence->counter);
  snprintf(words, PMUV3_DIVERGENCE_WORDS,
           "diverged at cycle %" PRIu64 ", thread %u%s, %s: cmodel 0x%" PRIx64 ", rtl 0x%" PRIx64,
           divergence->cycle, divergence->thread, counter, divergence->signal, divergence->cmodel,
           divergence->rtl);
  return words;
}

void pmuv3_divergence_print(FILE *out, const struct pmuv3_divergence *divergence) {
  char words[PMUV3_DIVERGENCE_WORDS];
  fprintf(out, "%s\n", pmuv3_divergence_words(divergence, words));
}

static void print_pairs(FILE *out, const struct pair *pairs, size_t num_pairs) {
  for (size_t i = 0; i < num_pairs; i++)
    fprintf(out, "    %-14s %#20" PRIx64 " %#20" PRIx64 "%s\n", pairs[i].name, pairs[i].cmodel,
            pairs[i].rtl, pairs[i].cmodel != pairs[i].rtl ? "  <-" : "");
}

/* Prints states as the `pe` line of a stimulus file has them. */
static void print_states(FILE *out, const struct pmuv3_divergence *divergence,
                         const struct pmuv3_params *params) {
  static const char *const security_states[] = {"NS", "S", "RL", "RT"};
  for (unsigned t = 0; t < params->threads; t++) {
    const struct pmuv3_pe *pe = &divergence->pe[t];
    fprintf(out, "  pe %u el=%u ss=%s", t, pe->el, security_states[pe->ss & 3]);
#define PMUV3_PE_FLAG(name, text) fprintf(out, " " #name "=%d", pe->name);
#include "pmuv3/pe.def"
    fprintf(out, " fgt=0x%" PRIx64 "\n", pe->fgt);
  }
}

/* A register's field and its value. */
struct field {
  const char *name;
  int width;
  uint64_t value;
};

static struct field field_of(const char *name, int msb, int lsb, uint64_t value) {
  const int width = msb - lsb + 1;
  return (struct field){name, width, value >> lsb & ((UINT64_C(1) << width) - 1)};
}

#define PLACE(reg, name) PMUV3_##reg##_##name##_MSB, PMUV3_##reg##_##name##_LSB
#define FIELD(reg, name, value) field_of(#name, PLACE(reg, name), value)
#define FULL_FIELD(reg, name, value) field_of(#reg "." #name, PLACE(reg, name), value)

/* A short field of several bits, in binary. */
static void print_bits(FILE *out, const struct field *field) {
  fprintf(out, " %s=", field->name);
  for (int i = field->width - 1; i >= 0; i--) fputc(field->value >> i & 1 ? '1' : '0', out);
}

static void print_fields(FILE *out, const char *title, const struct field *fields,
                         size_t num_fields) {
  fprintf(out, "  %s", title);
  for (size_t i = 0; i < num_fields; i++) {
    if (fields[i].width == 2 || fields[i].width == 3)
      print_bits(out, &fields[i]);
    else
      fprintf(out, " %s=%" PRIu64, fields[i].name, fields[i].value);
  }
  fputc('\n', out);
}

#define PRINT_FIELDS(out, title, fields) \
  print_fields(out, title, fields, sizeof(fields) / sizeof *(fields))

/* The C model's controls that enable, prohibit and freeze the thread's counters. */
static void print_controls(FILE *out, const struct pmuv3_probe *probe) {
  const struct field ranges[] = {
      FULL_FIELD(MDCR_EL2, HPMN, probe->mdcr_el2), FULL_FIELD(PMCR, E, probe->pmcr),
      FULL_FIELD(MDCR_EL2, HPME, probe->mdcr_el2), FULL_FIELD(PMCR, LP, probe->pmcr),
      FULL_FIELD(MDCR_EL2, HLP, probe->mdcr_el2),  field_of("PMCCR.EPMN", 4, 0, probe->pmccr),
      field_of("PMCCR.EPME", 7, 7, probe->pmccr),
  };
  const struct field freezes[] = {
      FULL_FIELD(PMCR, FZO, probe->pmcr),
      FULL_FIELD(MDCR_EL2, HPMFZO, probe->mdcr_el2),
      FULL_FIELD(PMCR, FZS, probe->pmcr),
      FULL_FIELD(MDCR_EL2, HPMFZS, probe->mdcr_el2),
  };
  const struct field prohibitions[] = {
      FULL_FIELD(MDCR_EL3, SPME, probe->mdcr_el3),
      FULL_FIELD(MDCR_EL3, MPMX, probe->mdcr_el3),
      FULL_FIELD(MDCR_EL2, HPMD, probe->mdcr_el2),
      FULL_FIELD(SDER32_EL3, SUNIDEN, probe->sder),
  };
  const struct field profiling[] = {
      FULL_FIELD(MDCR_EL3, PMEE, probe->mdcr_el3),
      FULL_FIELD(MDCR_EL2, PMEE, probe->mdcr_el2),
      FULL_FIELD(PMECR, PMEE, probe->pmecr),
      FULL_FIELD(PMECR, KPME, probe->pmecr),
  };
  const struct field threads[] = {
      FULL_FIELD(MDCR_EL3, MTPME, probe->mdcr_el3),
      FULL_FIELD(MDCR_EL2, MTPME, probe->mdcr_el2),
  };
  PRINT_FIELDS(out, "ranges:     ", ranges);
  PRINT_FIELDS(out, "freeze:     ", freezes);
  PRINT_FIELDS(out, "prohibition:", prohibitions);
  PRINT_FIELDS(out, "profiling:  ", profiling);
  PRINT_FIELDS(out, "threads:    ", threads);
}

/* The counter's configuration in the C model. */
static void print_configuration(FILE *out, const struct pmuv3_probe *probe,
                                const struct pmuv3_params *params, int n) {
  char name[PMUV3_EVENT_NAME_SIZE];
  const uint64_t type = probe->evtyper[n];
  const bool is_there = pmuv3_events_find(&params->events, (uint16_t)type) != NULL;
  const struct field thresholds[] = {
      FIELD(PMEVTYPER, TC, type), FIELD(PMEVTYPER, TE, type),   FIELD(PMEVTYPER, TLC, type),
      FIELD(PMEVTYPER, TH, type), FIELD(PMEVTYPER, SYNC, type),
  };
  const struct field filters[] = {
      FIELD(PMEVTYPER, MT, type),  FIELD(PMEVTYPER, P, type),   FIELD(PMEVTYPER, U, type),
      FIELD(PMEVTYPER, NSK, type), FIELD(PMEVTYPER, NSU, type), FIELD(PMEVTYPER, NSH, type),
      FIELD(PMEVTYPER, M, type),   FIELD(PMEVTYPER, SH, type),  FIELD(PMEVTYPER, RLK, type),
      FIELD(PMEVTYPER, RLU, type), FIELD(PMEVTYPER, RLH, type), FIELD(PMEVTYPER, VS, type),
  };
  fprintf(out, "  counter %d: event 0x%04X %s\n", n, (unsigned)type & 0xFFFF,
          is_there ? pmuv3_event_name((uint16_t)type, name) : "not implemented");
  PRINT_FIELDS(out, "  threshold:", thresholds);
  PRINT_FIELDS(out, "  filter:   ", filters);
}

static void explain_counter(FILE *out, const struct pmuv3_divergence *divergence,
                            const struct pmuv3_params *params, int n) {
  struct pair signals[NUM_SIGNALS];
  get_signals(signals, &divergence->cmodel_probe, &divergence->rtl_probe, n);
  print_configuration(out, &divergence->cmodel_probe, params, n);
  fprintf(out, "    %-14s %20s %20s\n", "", "cmodel", "rtl");
  print_pairs(out, signals, NUM_SIGNALS);
}

static void explain_globals(FILE *out, const struct pmuv3_divergence *divergence) {
  struct pair globals[NUM_GLOBALS];
  get_globals(globals, &divergence->cmodel_probe, &divergence->rtl_probe);
  fprintf(out, "    %-14s %20s %20s\n", "", "cmodel", "rtl");
  print_pairs(out, globals, NUM_GLOBALS);
}

void pmuv3_divergence_explain(FILE *out, const struct pmuv3_divergence *divergence,
                              const struct pmuv3_params *params) {
  print_states(out, divergence, params);
  print_controls(out, &divergence->cmodel_probe);
  if (divergence->counter < 0) {
    explain_globals(out, divergence);
    return;
  }
  explain_counter(out, divergence, params, divergence->counter);
  if (divergence->counter % 2 == 1)
    explain_counter(out, divergence, params, divergence->counter - 1);
}
