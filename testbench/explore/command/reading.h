/* A configuration that is being read: what its lines have said so far. config_read.c reads the
 * lines, config_counters.c those of counters; config_place.c then gives the counters their places.
 */
#ifndef EXPLORE_READING_H
#define EXPLORE_READING_H

#include "testbench/cosim/stimulus/lex.h"
#include "testbench/cosim/stimulus/param_lines.h"
#include "testbench/explore/command/config.h"

/* A register write of the configuration. */
struct write {
  uint32_t line;
  unsigned pmu;
  bool has_cycle;
  uint64_t cycle;
  uint16_t reg;
  uint64_t value;
};

/* Names that counters have: a hash table, which is at most half full. */
struct names {
  struct named {
    unsigned counter; /* 1 + its number; 0: the place is free */
    unsigned next;    /* the number that an equal name may get */
  } * places;
  unsigned num, room;
};

struct reading {
  struct explore_config *config;
  const struct pmt_header *header;
  const char *trace; /* its path */
  uint64_t cycles;   /* of the trace */
  struct pmuv3_lex lex;
  struct pmuv3_param_lines params;
  struct names names; /* of the counters */
  struct write *writes;
  size_t num_writes;
  uint32_t params_line; /* the last param line; 0: there is none */
  bool is_complete;     /* the parameters are: a line that needs them came */
  bool is_packed;       /* counters go to PMUs of their own, as many as they need */
};

/* Says in one line what is wrong. Returns false. */
bool reading_fail(struct reading *reading, const char *why);

/* The same, with the line of what it is about: for errors that come up after their line. */
bool reading_fail_at(struct reading *reading, uint32_t line, const char *why);

/* An array with one more place, which is zero. There is room for a power of two. NULL: out of
 * memory. */
void *reading_grown(void *array, size_t num, size_t size);

/* Another PMU. NULL: out of memory. */
struct explore_config_pmu *reading_add_pmu(struct reading *reading);

/* The PMU that the current line belongs to. NULL: out of memory. */
struct explore_config_pmu *reading_current_pmu(struct reading *reading);

/* A line of counters, from its first word. */
bool reading_counters(struct reading *reading, char *word);

/* Gives each event counter its place in a PMU. */
bool reading_place(struct reading *reading);

/* Configures the PMUs. */
bool reading_configure(struct reading *reading);

#endif
