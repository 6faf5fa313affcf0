/*
 * `pmuv3 bench`: the speed of the C model, the RTL and their lockstep. Each size is measured in its
 * own process, one after the other, since SystemC elaborates only once in a process.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/signoff/bench/measure.h"
#include "testbench/signoff/bench/options.h"
#include "testbench/signoff/bench/platform.h"
#include "testbench/signoff/bench/report.h"

static const struct {
  unsigned threads;
  unsigned counters;
} sizes[] = {{1, 1}, {1, 6}, {1, 31}, {2, 31}, {4, 31}};

enum { NUM_ROWS = sizeof sizes / sizeof *sizes };

/* The results. They are in memory that the processes share. */
struct results {
  struct pmuv3_bench_row rows[NUM_ROWS];
  struct pmuv3_bench_platform platform;
};

/* The results, and the parameters of the measurement. */
struct measured {
  const struct pmuv3_bench_options *options;
  const struct results *results;
};

static bool write_json(FILE *out, const void *context) {
  const struct measured *measured = context;
  return pmuv3_bench_json(out, measured->options, measured->results->rows, NUM_ROWS,
                          &measured->results->platform);
}

static void measure_size(const struct pmuv3_bench_options *options, void *size) {
  struct pmuv3_bench_row *row = size;
  struct pmuv3_params params = pmuv3_params_default();
  params.threads = (uint8_t)row->threads;
  params.counters = (uint8_t)row->counters;
  pmuv3_params_complete(&params);
  pmuv3_bench_measure(&params, options, row);
}

static void measure_platform(const struct pmuv3_bench_options *options, void *platform) {
  pmuv3_bench_measure_platform(options, platform);
}

/* Measures in a child process. `what` is for messages, `error` is of the result. */
static void measure_apart(const struct pmuv3_bench_options *options,
                          void (*measure)(const struct pmuv3_bench_options *options, void *result),
                          void *result, const char *error, const char *what) {
  fflush(NULL);
  const pid_t parent = getpid(), process = fork();
  if (process == 0) {
    pmuv3_cli_end_with(parent);
    measure(options, result);
    fflush(NULL);
    _exit(0);
  }
  int status = 0;
  if (process < 0 || waitpid(process, &status, 0) < 0)
    pmuv3_cli_no_verdict("cannot run a process: %s", strerror(errno));
  if (status != 0) pmuv3_cli_no_verdict("%s: its process ended early", what);
  if (!*error) return;
  pmuv3_cli_warn("%s: %s", what, error);
  exit(1);
}

static void measure_all(const struct pmuv3_bench_options *options, struct results *results) {
  for (size_t i = 0; i < NUM_ROWS; i++) {
    struct pmuv3_bench_row *row = &results->rows[i];
    char what[48];
    row->threads = sizes[i].threads;
    row->counters = sizes[i].counters;
    snprintf(what, sizeof what, "%u counters, %u threads", row->counters, row->threads);
    measure_apart(options, measure_size, row, row->error, what);
  }
  measure_apart(options, measure_platform, &results->platform, results->platform.error,
                "the TLM module");
}

/* Google Benchmark takes its settings from BENCHMARK_* before main: it would write to a file of the
 * environment, or leave measurements out. So the program begins again without them. */
static void forget_settings(char **argv) {
  static const char prefix[] = "BENCHMARK_";
  bool is_found = false;
  for (char **variable = environ; *variable;) {
    char *name = strndup(*variable, strcspn(*variable, "="));
    const bool is_setting = name && strncmp(name, prefix, strlen(prefix)) == 0;
    if (is_setting && unsetenv(name) == 0)
      is_found = true;
    else
      variable++;
    free(name);
  }
  if (!is_found) return;
  execv("/proc/self/exe", argv);
  pmuv3_cli_unusable("BENCHMARK_* is set in the environment, which changes what is measured");
}

int main(int argc, char **argv) {
  forget_settings(argv);
  struct pmuv3_bench_options options = pmuv3_bench_parse(argc, argv);
  struct results *results =
      mmap(NULL, sizeof *results, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (results == MAP_FAILED) pmuv3_cli_no_verdict("out of memory");
  measure_all(&options, results);
  pmuv3_bench_print(stdout, results->rows, NUM_ROWS, &results->platform);
  if (options.json)
    pmuv3_cli_write("--json", options.json, write_json, &(struct measured){&options, results});
  return 0;
}
