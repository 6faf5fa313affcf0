#define _GNU_SOURCE
#include "testbench/cosim/run/configurations.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "presets.h"
#include "testbench/cosim/stimulus/events_text.h"
#include "testbench/cosim/stimulus/prng.h"

/* Choices that count occurrences which the defaults drop, and choices that differ by
 * attribution. */
#define COUNT_MORE                                                                         \
  " K-UNATTR-FILTER=none K-UNATTR-PROHIB=all K-UNATTR-DEBUG=all K-ATTR-NONEL-FILTER=count" \
  " K-ATTR-NONSS-PROHIB=count K-DEBUG-LATE=count K-SHARED-OTHER=all K-MT-SELF-DEBUG=count" \
  " K-CHAIN-FILTER=ignore"
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
#define FEATURES " features=TH2,SME,ICNTR,RME,SEL2,MTPMU,SEBEP,HPMN0,PMUv3p9,Debugv8p9"

/* What identification registers read, each byte another value. Each bit is 1 in one of the two. */
#define IDENTITY_A                                                                \
  " imp=0x41 idcode=0x3D iidr=0xD4F2143B pidr=0x94E3CBBD4F authstatus=0x080040C8" \
  " affinity=0x813C96 bus_slots=0x5A bus_width=0xC"
#define IDENTITY_B                                                                \
  " imp=0xBE idcode=0xC2 iidr=0x2B0DEBC4 pidr=0x6B1C3442B0 authstatus=0x04008004" \
  " affinity=0x7EC369 bus_slots=0xA5 bus_width=0x3"

/* Sets of events (I-13). 12 events, some of them with another attribution, traits or width than
 * usual. Then 38 events, few of the architecture's: an exception-related event and one of each
 * class and attribution among them. */
#define EVENTS_12                                                                            \
  " events=none event=0x0004,most=15 event=0x0008,most=4 event=0x0016"                       \
  ",attribution=CORE event=0x0024 event=0x00C5,IMP_QUEUE,class=SECOND,attribution=MEMORY"    \
  " event=0x4010,most=1 event=0xC0C0,IMP_SNOOPS,attribution=SHARED,traits=EXACT+SYNC,most=3" \
  " event=0xC0C1,IMP_HOLES,class=SLOTS,attribution=MEMORY,most=9"
#define EVENTS_38                                                                               \
  " events=none event=0x0004 event=0x0008 event=0x0009 event=0x000A event=0x000B event=0x0015"  \
  " event=0x0016 event=0x0018 event=0x0019 event=0x001C event=0x001D event=0x0023"              \
  " event=0x0024 event=0x003C event=0x003D event=0x003E event=0x003F event=0x0081 event=0x0082" \
  " event=0x0083 event=0x0084 event=0x0086 event=0x0087 event=0x0088 event=0x008A event=0x008B" \
  " event=0x008C event=0x008D event=0x008E event=0x008F event=0x4005 event=0x4010 event=0x80C1" \
  " event=0x811F"

/* As many events as there can be: the default set and IMPLEMENTATION DEFINED ones, of each class
 * with each attribution that it can have. Four of them have numbers that begin alike. */
#define IMP(number, class, keys, most) \
  " event=0x" #number ",IMP_" #number ",class=" #class keys ",most=" #most
#define IMP_4(begin, class, last, a, b)                       \
  IMP(begin##0, class, "", a)                                 \
  IMP(begin##1, class, ",attribution=MEMORY,traits=SYNC", b)  \
  IMP(begin##2, class, ",attribution=SHARED,traits=EXACT", a) \
  IMP(begin##F, class, ",attribution=" #last ",traits=EXACT+SYNC", b)
#define EVENTS_256                                       \
  IMP_4(00C, COUNT, TRACE, 255, 1)                       \
  IMP_4(00D, STALL, CORE, 1, 1)                          \
  IMP_4(0FF, SECOND, SHARED, 1, 1)                       \
  IMP_4(10C, CONDITION, MEMORY, 1, 1)                    \
  IMP_4(20C, SLOTS, CORE, 255, 7)                        \
  IMP_4(3FF, COUNT, TRACE, 7, 63)                        \
  IMP_4(040, COUNT, OWN, 128, 2)                         \
  IMP_4(3EC, STALL, OWN, 1, 1)                           \
  IMP_4(40F, SECOND, OWN, 1, 1)                          \
  IMP_4(7FF, CONDITION, OWN, 1, 1)                       \
  IMP_4(C0C, SLOTS, OWN, 9, 31)                          \
  IMP_4(C0D, COUNT, TRACE, 254, 15)                      \
  IMP_4(FFE, STALL, SHARED, 1, 1)                        \
  IMP(FFF0, COUNT, "", 255)                              \
  IMP(FFF1, COUNT, ",attribution=MEMORY,traits=SYNC", 3) \
  IMP(FFFF, COUNT, ",attribution=TRACE,traits=EXACT+SYNC", 3)

/* The presets are those of the sources that were compiled, whatever lies in a folder when a program
 * runs. */
const struct pmuv3_configuration pmuv3_configurations[PMUV3_NUM_CONFIGURATIONS] = {
    {"31 counters, everything", "counters=31" FEATURES ",SS,DPFZS,EXTPMN"},
    {"2 threads, 31 counters, everything, EXT32",
     "threads=2 counters=31 slots=6" IDENTITY_A PERMIT_A FEATURES ",SS,DPFZS,EXT32,EXTPMN"},
    {"4 threads, 8 counters, everything", "threads=4 counters=8" FEATURES ",SS,DPFZS,EXTPMN"},
    {"8 counters, count more",
     "counters=8 K-RESTC=b K-VS-RES=both" COUNT_MORE PERMIT_A FEATURES ",SPE"},
    {"8 counters, choices for core events",
     "counters=8 th_width=4 K-VS-RES=01 K-STALL-CYCLES=cpu_cycles K-A32-RES0=keep" CORE PERMIT_B
         FEATURES ",EXTPMN"},
    {"8 counters, choices for memory events",
     "counters=8 K-VS-RES=10" IDENTITY_B MEMORY PERMIT_C FEATURES ",SS,SPE,EXT32,EXTPMN"},
    {"4 threads, 6 counters, MTPME of the group",
     "threads=4 counters=6 slots=0 K-MTPME-GROUP=group K-SHARED-OTHER=all"
     " K-UNATTR-PROHIB=memory K-ATTR-NONSS-PROHIB=count" PERMIT_C FEATURES ",SS"},
    {"3 threads, 7 counters, no EL3",
     "threads=3 counters=7 el3=0 K-MTPME-GROUP=group K-MT-SELF-DEBUG=count"
     " K-ATTR-NONEL-FILTER=count" FEATURES ",SS,DPFZS,EXTPMN"},
    {"2 threads, 6 counters, no EL2",
     "threads=2 counters=6 el2=0 K-DEBUG-LATE=count K-STALL-CYCLES=cpu_cycles "
     "K-A32-RES0=keep" FEATURES ",SS,SPE,EXT64"},
    {"2 threads, 5 counters, no EL2, no EL3",
     "threads=2 counters=5 el2=0 el3=0 th_width=1" IDENTITY_B FEATURES ",SS,EXT32"},
    {"2 threads, 5 counters, AArch32 alone",
     "threads=2 counters=5 aa64=0" IDENTITY_B FEATURES ",EXT32"},
    {"2 threads, 6 counters, no AArch32", "threads=2 counters=6 aa32=none" FEATURES ",EXTPMN"},
    {"6 counters, AArch32 at EL0 alone",
     "counters=6 aa32=el0 K-A32-RES0=keep K-SOFTWARE-LOCK=absent" FEATURES ",EXT32,EXTPMN"},
    {"2 threads, 4 counters, Armv8.0, no feature",
     "threads=2 counters=4 features=none debugv8p2=0 K-MT-LEGACY=rw K-NS-COUNT-S-UNATTR=permit"},
    {"2 threads, 5 counters, Armv8.1 with PMUv3p1",
     "threads=2 counters=5 features=PMUv3p1,EXT32 debugv8p2=0" IDENTITY_A},
    {"4 threads, 8 counters, MT before MTPMU",
     "threads=4 counters=8 features=PMUv3p5,SEL2,HPMN0 K-MT-LEGACY=rw aa32=el1"},
    {"8 counters, no RME",
     "counters=8 features=TH2,SME,ICNTR,SEL2,MTPMU,SEBEP,HPMN0,SS,DPFZS,EXT64,FGWTE3"
     " K-SDD-PRIORITY=first" IDENTITY_A},
    {"7 linked counters of 32 bits, no PMUv3p1", "counters=7 features=TH2,SME,EXT64 K-RESTC=b"},
    {"5 counters of 32 bits, edges without links",
     "counters=5 features=EDGE,PMUv3p4,EXT64" IDENTITY_B},
    {"8 counters, thresholds without edges",
     "counters=8 features=TH,PMUv3p7,SPE,Debugv8p9,EXT32 aa32=el2"},
    {"1 counter", "counters=1 K-RESTC=b K-SDD-PRIORITY=first" IDENTITY_B FEATURES ",EXT32,FGWTE3"},
    {"no counters", "counters=0" FEATURES ",SS,EXTPMN"},
    {"6 counters of 32 bits, EXT32 alone", "counters=6 features=EXT32 idcode=0xFF"},
    {"2 threads, 4 counters, no EL3, PMUv3p1",
     "threads=2 counters=4 el3=0 aa32=el2 features=PMUv3p1,SME,SEL2,MTPMU,EXT32" IDENTITY_A},
    {"3 counters, no EL3, Armv8.0", "counters=3 el3=0 aa32=el2 features=EXT32"},
    {"2 threads, 3 counters, EL1 alone, PMUv3p1",
     "threads=2 counters=3 el2=0 el3=0 features=PMUv3p1,EXT32 K-MT-LEGACY=rw"},
    {"2 threads, 3 counters, EL1 in AArch32 alone",
     "threads=2 counters=3 aa64=0 el2=0 el3=0 features=PMUv3p5,MTPMU,EXT32"},
    {"2 threads, 3 counters, EL2 in AArch32 alone",
     "threads=2 counters=3 aa64=0 el3=0 features=MTPMU,EXT32"},
    {"4 counters, snapshots without ICNTR", "counters=4 features=SS,SEBEP,EXT64" IDENTITY_B},
    {"4 counters, EXT32, snapshots without ICNTR", "counters=4 features=SS,RME,EXT32"},
    {"4 counters, ICNTR alone", "counters=4 features=ICNTR,EXT64"},
    {"2 threads, 8 counters, an agent's, no EL2",
     "threads=2 counters=8 el2=0 features=PMUv3p8,EBEP,EXT32,EXTPMN"},
    {"4 threads, 31 counters, count more",
     "threads=4 counters=31 K-MTPME-GROUP=group" COUNT_MORE PERMIT_D FEATURES ",SS,SPE"},
    {"2 threads, 3 counters, SPE at EL1 alone", "threads=2 counters=3 el2=0 el3=0 features=SPE"},
    {"2 threads, 3 counters, SPE, no EL3", "threads=2 counters=3 el3=0 features=SPE,PMUv3p9"},
    {"2 threads, 8 counters, 12 events",
     "threads=2 counters=8 K-SHARED-OTHER=all K-UNATTR-PROHIB=core" EVENTS_12 FEATURES ",SS"},
    {"8 counters, 38 events", "counters=8" EVENTS_38 FEATURES ",EXT32"},
    {"4 threads, 8 counters, 256 events",
     "threads=4 counters=8 slots=5 K-UNATTR-FILTER=core K-STALL-CYCLES=cpu_cycles" EVENTS_256
         FEATURES},
    {"Cortex-A53", CORTEX_A53},
    {"Neoverse N1", NEOVERSE_N1},
    {"Neoverse V2", NEOVERSE_V2},
};

const char *pmuv3_configuration_set(struct pmuv3_params *params, const char *pairs) {
  static char copy[8192];
  if (strlen(pairs) >= sizeof copy) return "parameters too long";
  strcpy(copy, pairs);
  char *rest = copy;
  for (char *pair = strtok_r(rest, " ", &rest); pair; pair = strtok_r(NULL, " ", &rest)) {
    char *value = strchr(pair, '=');
    if (!value) return "expected NAME=VALUE";
    *value++ = '\0';
    const char *error = pmuv3_param_set(params, pair, value);
    if (error) return error;
  }
  return NULL;
}

const char *pmuv3_configuration_complete(struct pmuv3_params *params, const char *pairs) {
  *params = pmuv3_params_default();
  const char *error = pmuv3_configuration_set(params, pairs);
  return error ? error : pmuv3_params_complete(params);
}

/* The built-in configurations are correct. */
struct pmuv3_params pmuv3_configuration_params(size_t number) {
  const struct pmuv3_configuration *configuration = &pmuv3_configurations[number];
  struct pmuv3_params params;
  const char *error = pmuv3_configuration_complete(&params, configuration->params);
  if (!error) return params;
  fprintf(stderr, "pmuv3: configuration '%s': %s\n", configuration->name, error);
  exit(3);
}

bool pmuv3_configuration_needs(const struct pmuv3_event *event) {
  return event->event_class == PMUV3_EVENT_CLASS_SELF ||
         event->number == PMUV3_EVENT_INST_RETIRED || event->number == PMUV3_EVENT_STALL_BACKEND;
}

void pmuv3_configuration_reduce_events(struct pmuv3_params *params, uint64_t seed) {
  static const unsigned kept_of_8[] = {1, 4, 7};
  struct pmuv3_prng prng;
  pmuv3_prng_seed(&prng, seed);
  const unsigned kept = kept_of_8[pmuv3_prng_below(&prng, 3)];
  const struct pmuv3_events all = params->events;
  params->events = (struct pmuv3_events){0};
  for (unsigned e = 0; e < all.num; e++) {
    const bool is_kept = pmuv3_prng_below(&prng, 8) < kept;
    if (is_kept || pmuv3_configuration_needs(&all.event[e]))
      params->events.event[params->events.num++] = all.event[e];
  }
}

/* The cycles of the configurations up to this one, less the cycles of those before. */
uint64_t pmuv3_configuration_cycles(size_t number, uint64_t cycles) {
  return (number + 1) * cycles / PMUV3_NUM_CONFIGURATIONS -
         number * cycles / PMUV3_NUM_CONFIGURATIONS;
}
