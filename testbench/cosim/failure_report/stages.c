#include "testbench/cosim/failure_report/stages.h"

#include <string.h>

#include "pmuv3/registers.h"

const char *pmuv3_stage_name(enum pmuv3_stage stage) {
  static const char *const names[] = {
      "event",  "filter",    "attribution", "threshold",     "edge",
      "link",   "increment", "overflow",    "cycle counter", "instruction counter",
      "access", "external",  "registers",   "snapshot",      "exception",
  };
  return names[stage];
}

/* ---- Signals ---- */

enum kind { KIND_BITS, KIND_LANES, KIND_COUNTERS, KIND_GLOBAL };

static const struct {
  const char *name;
  enum kind kind;
  enum pmuv3_stage owner;
  size_t offset;
} signals[] = {
#define SIGNAL(kind, field, name, owner) \
  {name, KIND_##kind, PMUV3_STAGE_##owner, offsetof(struct pmuv3_probe, field)},
#define PMUV3_PROBE_BITS(field, name, owner) SIGNAL(BITS, field, name, owner)
#define PMUV3_PROBE_LANES(field, name, owner) SIGNAL(LANES, field, name, owner)
#define PMUV3_PROBE_COUNTERS(field, name, owner) SIGNAL(COUNTERS, field, name, owner)
#define PMUV3_PROBE_GLOBAL(field, name, owner) SIGNAL(GLOBAL, field, name, owner)
#include "pmuv3/probe.def"
};

const char *pmuv3_signal_name(enum pmuv3_signal signal) {
  return signals[signal].name;
}

bool pmuv3_signal_is_of_counter(enum pmuv3_signal signal) {
  return signals[signal].kind != KIND_GLOBAL;
}

bool pmuv3_signal_is_bit(enum pmuv3_signal signal) {
  return signals[signal].kind == KIND_BITS;
}

enum pmuv3_stage pmuv3_signal_stage(enum pmuv3_signal signal) {
  return signals[signal].owner;
}

uint64_t pmuv3_signal_value(enum pmuv3_signal signal, const struct pmuv3_probe *probe,
                            int counter) {
  const char *at = (const char *)probe + signals[signal].offset;
  uint64_t value;
  uint32_t bits;
  uint16_t lane;
  switch (signals[signal].kind) {
    case KIND_BITS:
      memcpy(&bits, at, sizeof bits);
      return bits >> counter & 1;
    case KIND_LANES:
      memcpy(&lane, at + (size_t)counter * sizeof lane, sizeof lane);
      return lane;
    case KIND_COUNTERS:
      at += (size_t)counter * sizeof value;
      break;
    case KIND_GLOBAL:
      break;
  }
  memcpy(&value, at, sizeof value);
  return value;
}

/* ---- What each stage goes by ---- */

/* A field of a register, called otherwise; a field as REGISTER.FIELD; one of PMEVTYPER as FIELD;
 * bits by their numbers; the bits that filter. */
#define NAMED(stage, field, text, reg, name)                                     \
  {                                                                              \
    PMUV3_STAGE_##stage, PMUV3_SIGNAL_##field, text, PMUV3_##reg##_##name##_MSB, \
        PMUV3_##reg##_##name##_LSB                                               \
  }
#define FIELD(stage, field, reg, name) NAMED(stage, field, #reg "." #name, reg, name)
#define TYPE(stage, name) NAMED(stage, evtyper, #name, PMEVTYPER, name)
#define BITS(stage, field, text, msb, lsb) \
  { PMUV3_STAGE_##stage, PMUV3_SIGNAL_##field, text, msb, lsb }
#define FILTERS(stage, field, reg)                                                \
  NAMED(stage, field, "P", reg, P), NAMED(stage, field, "U", reg, U),             \
      NAMED(stage, field, "NSK", reg, NSK), NAMED(stage, field, "NSU", reg, NSU), \
      NAMED(stage, field, "NSH", reg, NSH), NAMED(stage, field, "M", reg, M),     \
      NAMED(stage, field, "SH", reg, SH), NAMED(stage, field, "RLK", reg, RLK),   \
      NAMED(stage, field, "RLU", reg, RLU), NAMED(stage, field, "RLH", reg, RLH), \
      NAMED(stage, field, "VS", reg, VS)

const struct pmuv3_input pmuv3_inputs[] = {
    BITS(EVENT, evtyper, "evtCount", PMUV3_PMEVTYPER_evtCount_hi_MSB, PMUV3_PMEVTYPER_evtCount_LSB),
    BITS(FILTER, cnten, "PMCNTEN", -1, 0),
    FIELD(FILTER, pmcr, PMCR, E),
    FIELD(FILTER, mdcr_el2, MDCR_EL2, HPME),
    FIELD(FILTER, mdcr_el2, MDCR_EL2, HPMN),
    BITS(FILTER, pmccr, "PMCCR.EPME", 7, 7),
    BITS(FILTER, pmccr, "PMCCR.EPMN", 4, 0),
    FILTERS(FILTER, evtyper, PMEVTYPER),
    TYPE(FILTER, SYNC),
    FIELD(FILTER, mdcr_el3, MDCR_EL3, SPME),
    FIELD(FILTER, mdcr_el3, MDCR_EL3, MPMX),
    FIELD(FILTER, mdcr_el2, MDCR_EL2, HPMD),
    NAMED(FILTER, sder, "SUNIDEN", SDER32_EL3, SUNIDEN),
    FIELD(FILTER, pmcr, PMCR, FZO),
    FIELD(FILTER, mdcr_el2, MDCR_EL2, HPMFZO),
    FIELD(FILTER, pmcr, PMCR, FZS),
    FIELD(FILTER, mdcr_el2, MDCR_EL2, HPMFZS),
    TYPE(ATTRIBUTION, MT),
    FIELD(ATTRIBUTION, mdcr_el3, MDCR_EL3, MTPME),
    FIELD(ATTRIBUTION, mdcr_el2, MDCR_EL2, MTPME),
    TYPE(THRESHOLD, TC),
    TYPE(THRESHOLD, TH),
    TYPE(EDGE, TE),
    TYPE(LINK, TLC),
    FIELD(OVERFLOW, pmcr, PMCR, LP),
    FIELD(OVERFLOW, mdcr_el2, MDCR_EL2, HLP),
    FIELD(OVERFLOW, mdcr_el3, MDCR_EL3, PMEE),
    FIELD(OVERFLOW, mdcr_el2, MDCR_EL2, PMEE),
    FIELD(OVERFLOW, pmecr, PMECR, PMEE),
    BITS(CYCLE_COUNTER, fixed_cnten, "PMCNTEN.C", 0, 0),
    FIELD(CYCLE_COUNTER, pmcr, PMCR, E),
    FIELD(CYCLE_COUNTER, pmcr, PMCR, D),
    FIELD(CYCLE_COUNTER, pmcr, PMCR, LC),
    FIELD(CYCLE_COUNTER, pmcr, PMCR, DP),
    FILTERS(CYCLE_COUNTER, pmccfiltr, PMCCFILTR),
    FIELD(CYCLE_COUNTER, mdcr_el3, MDCR_EL3, MCCD),
    FIELD(CYCLE_COUNTER, mdcr_el3, MDCR_EL3, SCCD),
    FIELD(CYCLE_COUNTER, mdcr_el2, MDCR_EL2, HCCD),
    BITS(INSTRUCTION_COUNTER, fixed_cnten, "PMCNTEN.F0", 1, 1),
    FIELD(INSTRUCTION_COUNTER, pmcr, PMCR, E),
    FILTERS(INSTRUCTION_COUNTER, pmicfiltr, PMICFILTR),
    FIELD(INSTRUCTION_COUNTER, mdcr_el3, MDCR_EL3, SPME),
    FIELD(INSTRUCTION_COUNTER, mdcr_el3, MDCR_EL3, MPMX),
    FIELD(INSTRUCTION_COUNTER, pmcr, PMCR, FZO),
    FIELD(ACCESS, mdcr_el3, MDCR_EL3, TPM),
    FIELD(ACCESS, mdcr_el2, MDCR_EL2, TPM),
    FIELD(ACCESS, mdcr_el2, MDCR_EL2, TPMCR),
    FIELD(ACCESS, mdcr_el2, MDCR_EL2, HPMN),
    FIELD(ACCESS, mdcr_el3, MDCR_EL3, EnPM2),
    FIELD(ACCESS, mdcr_el3, MDCR_EL3, EnPMSS),
    BITS(ACCESS, pmuserenr, "PMUSERENR", 6, 0),
    BITS(ACCESS, pmuacr, "PMUACR", 32, 0),
    BITS(ACCESS, pmselr, "PMSELR", 4, 0),
    FIELD(EXTERNAL, mdcr_el3, MDCR_EL3, EPMAD),
    FIELD(EXTERNAL, mdcr_el3, MDCR_EL3, EPMADE),
    FIELD(EXTERNAL, mdcr_el3, MDCR_EL3, EPMSSAD),
    BITS(EXTERNAL, pmccr, "PMCCR", 7, 0),
    BITS(EXTERNAL, pmlsr, "PMLSR", 31, 0),
    FIELD(SNAPSHOT, mdcr_el3, MDCR_EL3, PMSSE),
    FIELD(SNAPSHOT, mdcr_el2, MDCR_EL2, PMSSE),
    FIELD(SNAPSHOT, pmecr, PMECR, SSE),
    FIELD(EXCEPTION, mdcr_el3, MDCR_EL3, PMEE),
    FIELD(EXCEPTION, mdcr_el2, MDCR_EL2, PMEE),
    FIELD(EXCEPTION, pmecr, PMECR, PMEE),
    FIELD(EXCEPTION, pmecr, PMECR, KPME),
    FIELD(EXCEPTION, pmcr, PMCR, E),
    FIELD(EXCEPTION, mdcr_el2, MDCR_EL2, HPME),
    BITS(EXCEPTION, fixed_overflow, "PMOVS.{F0,C}", 1, 0),
    BITS(EXCEPTION, fixed_inten, "PMINTEN.{F0,C}", 1, 0),
};
const size_t pmuv3_num_inputs = sizeof pmuv3_inputs / sizeof *pmuv3_inputs;

uint64_t pmuv3_input_value(const struct pmuv3_input *input, const struct pmuv3_probe *probe,
                           int counter) {
  const uint64_t value = pmuv3_signal_value(input->signal, probe, counter);
  if (input->msb < 0) return value;
  return value >> input->lsb & (~UINT64_C(0) >> (63 - (input->msb - input->lsb)));
}
