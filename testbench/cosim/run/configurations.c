#define _GNU_SOURCE
#include "testbench/cosim/run/configurations.h"

#include <stdlib.h>
#include <string.h>

/* Choices that count occurrences which the defaults drop, and choices that differ by
 * attribution. */
#define COUNT_MORE                                                                         \
  " K-UNATTR-FILTER=none K-UNATTR-PROHIB=all K-UNATTR-DEBUG=all K-ATTR-NONEL-FILTER=count" \
  " K-ATTR-NONSS-PROHIB=count K-DEBUG-LATE=count K-SHARED-OTHER=all K-MT-SELF-DEBUG=count"
#define CORE                                                         \
  " K-UNATTR-FILTER=memory K-UNATTR-PROHIB=core K-UNATTR-DEBUG=core" \
  " K-ATTR-NONEL-FILTER=count"
#define MEMORY                                                         \
  " K-UNATTR-FILTER=core K-UNATTR-PROHIB=memory K-UNATTR-DEBUG=memory" \
  " K-ATTR-NONSS-PROHIB=count K-DEBUG-LATE=count"

/* Six choices are about another state. Each is permitted in two of these sets, and no two choices
 * in the same two sets. So a test can tell every choice from the others. */
#define PERMIT_A " K-NS-COUNT-S-ATTR=permit K-NS-COUNT-S-UNATTR=permit K-LO-COUNT-EL2-ATTR=permit"
#define PERMIT_B \
  " K-NS-COUNT-S-ATTR=permit K-LO-COUNT-EL2-UNATTR=permit K-LO-COUNT-SSEL-ATTR=permit"
#define PERMIT_C \
  " K-NS-COUNT-S-UNATTR=permit K-LO-COUNT-EL2-UNATTR=permit K-LO-COUNT-SSEL-UNATTR=permit"
#define PERMIT_D \
  " K-LO-COUNT-EL2-ATTR=permit K-LO-COUNT-SSEL-ATTR=permit K-LO-COUNT-SSEL-UNATTR=permit"

/* The default features, to add others to them. */
#define FEATURES " features=TH2,SME,ICNTR,RME,SEL2,MTPMU,SEBEP,HPMN0,PMUv3p9"

const struct pmuv3_configuration pmuv3_configurations[PMUV3_NUM_CONFIGURATIONS] = {
    {"31 counters, everything", "counters=31" FEATURES ",SS,DPFZS,EXTPMN"},
    {"2 threads, 31 counters, everything, EXT32",
     "threads=2 counters=31 slots=6" PERMIT_A FEATURES ",SS,DPFZS,EXT32,EXTPMN"},
    {"4 threads, 8 counters, everything", "threads=4 counters=8" FEATURES ",SS,DPFZS,EXTPMN"},
    {"8 counters, count more", "counters=8 K-RESTC=b K-VS-RES=both" COUNT_MORE PERMIT_A},
    {"8 counters, choices for core events",
     "counters=8 th_width=4 K-VS-RES=01" CORE PERMIT_B FEATURES ",EXTPMN"},
    {"8 counters, choices for memory events",
     "counters=8 K-VS-RES=10" MEMORY PERMIT_C FEATURES ",SS,SPE,EXT32,EXTPMN"},
    {"4 threads, 6 counters, MTPME of the group",
     "threads=4 counters=6 slots=0 K-MTPME-GROUP=group K-SHARED-OTHER=all"
     " K-UNATTR-PROHIB=memory K-ATTR-NONSS-PROHIB=count" PERMIT_C FEATURES ",SS"},
    {"3 threads, 7 counters, no EL3",
     "threads=3 counters=7 el3=0 K-MT-SELF-DEBUG=count K-ATTR-NONEL-FILTER=count" FEATURES
     ",SS,DPFZS,EXTPMN"},
    {"2 threads, 6 counters, no EL2",
     "threads=2 counters=6 el2=0 K-DEBUG-LATE=count" FEATURES ",SS,SPE,EXT64"},
    {"2 threads, 5 counters, no EL2, no EL3",
     "threads=2 counters=5 el2=0 el3=0 th_width=1" FEATURES ",SS,EXT32"},
    {"2 threads, 5 counters, AArch32 alone", "threads=2 counters=5 aa64=0" FEATURES ",EXT32"},
    {"2 threads, 4 counters, Armv8.0, no feature",
     "threads=2 counters=4 features=none debugv8p2=0 K-MT-LEGACY=rw K-NS-COUNT-S-UNATTR=permit"},
    {"2 threads, 5 counters, Armv8.1 with PMUv3p1",
     "threads=2 counters=5 features=PMUv3p1,EXT32 debugv8p2=0"},
    {"4 threads, 8 counters, MT before MTPMU",
     "threads=4 counters=8 features=PMUv3p5,SEL2,HPMN0 K-MT-LEGACY=rw"},
    {"8 counters, no RME",
     "counters=8 features=TH2,SME,ICNTR,SEL2,MTPMU,SEBEP,HPMN0,SS,DPFZS,EXT64"},
    {"7 linked counters of 32 bits, no PMUv3p1", "counters=7 features=TH2 K-RESTC=b"},
    {"5 counters of 32 bits, edges without links", "counters=5 features=EDGE,PMUv3p4,EXT64"},
    {"8 counters, thresholds without edges", "counters=8 features=TH,PMUv3p7,SPE"},
    {"1 counter", "counters=1 K-RESTC=b" FEATURES ",EXT32"},
    {"no counters", "counters=0" FEATURES ",SS,EXTPMN"},
    {"6 counters of 32 bits, EXT32 alone", "counters=6 features=EXT32"},
    {"2 threads, 8 counters, an agent's, no EL2",
     "threads=2 counters=8 el2=0 features=PMUv3p8,EBEP,EXT32,EXTPMN"},
    {"4 threads, 31 counters, count more",
     "threads=4 counters=31 K-MTPME-GROUP=group" COUNT_MORE PERMIT_D FEATURES ",SS,SPE"},
    {"3 counters, SPE at EL1 alone", "counters=3 el2=0 el3=0 features=SPE"},
};

const char *pmuv3_configuration_set(struct pmuv3_params *params, const char *pairs) {
  static char copy[2048];
  if (strlen(pairs) >= sizeof copy) return "parameters too long";
  strcpy(copy, pairs);
  char *rest = copy;
  for (char *pair = strtok_r(rest, " ", &rest); pair; pair = strtok_r(NULL, " ", &rest)) {
    char *value = strchr(pair, '=');
    if (!value) return "expected NAME=VALUE";
    *value++ = '\0';
    const char *error = pmuv3_params_set(params, pair, value);
    if (error) return error;
  }
  return NULL;
}

const char *pmuv3_configuration_complete(struct pmuv3_params *params, const char *pairs) {
  *params = pmuv3_params_default();
  const char *error = pmuv3_configuration_set(params, pairs);
  return error ? error : pmuv3_params_complete(params);
}

/* The built-in configurations are correct: an error here is a defect of the project. */
struct pmuv3_params pmuv3_configuration_params(size_t number) {
  struct pmuv3_params params;
  if (pmuv3_configuration_complete(&params, pmuv3_configurations[number].params)) abort();
  return params;
}

/* The cycles of the configurations up to this one, less the cycles of those before. */
uint64_t pmuv3_configuration_cycles(size_t number, uint64_t cycles) {
  return (number + 1) * cycles / PMUV3_NUM_CONFIGURATIONS -
         number * cycles / PMUV3_NUM_CONFIGURATIONS;
}
