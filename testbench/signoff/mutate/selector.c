/* Which mutant of the RTL is there, and how large the model of it is: for mutants.c, and by DPI. */
extern int pmuv3_mutant;
extern const unsigned pmuv3_mutant_threads, pmuv3_mutant_counters, pmuv3_mutant_events;
int pmuv3_mutant_number(void);

int pmuv3_mutant;
const unsigned pmuv3_mutant_threads = PMUV3_MUTANTS_THREADS;
const unsigned pmuv3_mutant_counters = PMUV3_MUTANTS_COUNTERS;
const unsigned pmuv3_mutant_events = PMUV3_MUTANTS_EVENTS;

int pmuv3_mutant_number(void) {
  return pmuv3_mutant;
}
