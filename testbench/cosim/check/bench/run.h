/* `pmuv3 check`: its options, its tasks, and what they give. */
#ifndef PMUV3_CHECK_RUN_H
#define PMUV3_CHECK_RUN_H

#include "pmuv3/check.h"
#include "testbench/cosim/check/bench/item.h"
#include "testbench/cosim/check/bench/profile.h"
#include "testbench/cosim/check/bench/random.h"
#include "testbench/cosim/cli/shards.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Clocks of a task: a task is a device from its reset on, with a stimulus of its own. */
#define TASK_CLOCKS 100000
/* With the same events, or without an access, at most. */
#define LONGEST_STRETCH_BITS 12
#define LONGEST_STRETCH (1 << LONGEST_STRETCH_BITS)
#define LONGEST_STOP_BITS 10
#define LONGEST_STOP (1 << LONGEST_STOP_BITS)

/* A recording of --calibrate is kept in memory. */
#define MAX_RECORDED_CLOCKS 1000000

enum { NUM_MODES = PMUV3_MODE_SETTLED + 1 };

struct options {
  const char *description;
  char **device; /* the words of the command that name the RTL; NULL ends them */
  uint64_t cycles, seed;
  unsigned jobs;
  const char *json, *junit, *out, *replay, *wave, *mode, *emit;
  const char *recorded, *scope; /* a recording instead of RTL, and the device's instance in it */
  const char *module;           /* the device's top module */
  const char *database, *page;
  bool names_database; /* it is not the default */
  const char *source;  /* the digest of the device's sources, and of its description */
  const char *sources; /* each with its digest, as sha256sum --check reads them; or NULL */
  char *reads;         /* the files that the device reads, as argz.h has them */
  size_t reads_length;
  int64_t last_change; /* of these files, before the device ran */
  /* Of a second simulator, or NULL: what it compared, why it compared nothing, or how the device
   * diverged there. */
  const char *again, *unread, *differs;
  const char *variant; /* a file of RTL that has other text without the macro VERILATOR, or NULL */
  bool shrinks, calibrates, has_seed;
  double seconds;
  uint64_t num_seeds;   /* from `seed` on, each a run; 0: one run, which is no campaign */
  uint64_t shard_seeds; /* seeds of a shard */
  struct pmuv3_shards shards;
};

struct options options_parse(int argc, char **argv);

/* When one of the files that the device reads was changed last, in nanoseconds: no user can set
 * that, and a change that was taken back counts. */
int64_t options_last_change(const struct options *options);

/* Names the files of the result (cli.h). */
void results_name(const struct options *options);

/* The description of the options, in their mode. Does not return if it is unusable. */
struct pmuv3_device *read_device(const struct options *options);

/* The files of a divergence. */
extern const char *const divergence_files[];

/* What all tasks together compared. */
struct totals {
  struct pmuv3_check_counts counts;
  struct pmuv3_check_port ports[PMUV3_DEVICE_MAX_PORTS]; /* of a recording or a replay */
  struct pmuv3_check_register *registers;                /* of the description */
  uint64_t *reached; /* what the stimulus reached (cover.h), in so many clocks: */
  uint64_t watched;
};

/* How a device diverged. */
struct met {
  char words[400];
  struct pmuv3_check_divergence divergence;
  struct pmuv3_check_access accesses[PMUV3_CHECK_ACCESSES];
  size_t num_accesses;
};

/* A seed of a campaign that diverged, or on which the device ended without a verdict. */
struct failed_seed {
  uint64_t seed;
  char *words, *folder; /* folder: of its reproducer; "": none is kept */
};

enum { CRASH_SIZE = 400 };

struct outcome {
  const struct options *options;
  const struct pmuv3_device *device;
  const struct profile *profile;
  struct totals totals;
  double seconds;
  bool diverged, is_shrunk;
  char crash[CRASH_SIZE]; /* how the device ended without a verdict; or "" */
  struct met met;         /* in the run */
  struct met shrunk;      /* with the shrunk stimulus, which may meet another mistake */
  size_t lines_before, lines_after;
  uint64_t time;                       /* of the divergence, in a recording */
  struct failed_seed *seeds, *crashes; /* of a campaign */
  size_t num_diverged, num_crashed;
};

/* Returns the memory, if there is any. */
void *or_no_verdict(void *memory);

struct totals totals_create(const struct pmuv3_device *device);
void totals_free(struct totals *totals);

/* Nothing was compared yet. */
struct outcome outcome_begin(const struct options *options, const struct profile *profile);

/* What a checker compared, and how the device diverged. */
void outcome_count(struct outcome *outcome, const struct pmuv3_check *check);
struct met met_of(const struct pmuv3_check *check);
void outcome_diverge(struct outcome *outcome, const struct met *met);

/* Does not return if there is no verdict: nothing was compared, no access of a port matches a line,
 * or the device diverged in a second simulator alone. */
void outcome_expect_verdict(const struct outcome *outcome);

/* Prints the verdict, and writes the files. Returns the exit status. */
int outcome_end(const struct outcome *outcome);

/* How many values were compared. */
uint64_t report_comparisons(const struct outcome *outcome);

/* The page that a run prints, and the files that it writes. */
void report_print(FILE *out, const struct outcome *outcome);
bool report_json(FILE *out, const void *outcome);
bool report_junit(FILE *out, const void *outcome);

/* JUnit XML of a run, which is one test. */
struct report_case {
  const char *description, *name;
  double seconds;
  bool failure, error;
  const char *why; /* of a failure or an error */
};
bool report_junit_case(FILE *out, const struct report_case *of);

/* The first task that diverged, how, and the foci of its stimulus. */
struct diverged {
  uint64_t task;
  struct met met;
  struct foci foci;
};

/* Runs all tasks. Returns whether one diverged. If none did, and the device ended a process before
 * its time, `crash` says how. Does not return if it was not the device. */
bool tasks_run(const struct options *options, const struct profile *profile, struct totals *totals,
               struct diverged *diverged, char crash[CRASH_SIZE]);

/* The stimulus of a task, up to its divergence. */
struct player;
bool task_record(struct player *player, const struct options *options,
                 const struct profile *profile, const struct diverged *diverged,
                 struct stimulus *stimulus);

#ifdef __cplusplus
}
#endif

#endif
