/*
 * `pmuv3 coverage`: functional coverage in the evidence database. A bin must be covered if a
 * configuration that was run can reach it. A bin is covered if it was hit in such a configuration.
 * A hit in a configuration that cannot reach the bin is an error.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/json_text.h"
#include "testbench/cosim/cli/source.h"
#include "testbench/cosim/run/configurations.h"
#include "testbench/signoff/coverage/coverage.h"
#include "testbench/signoff/evidence/database.h"
#include "testbench/signoff/evidence/database_files.h"

/* ---- The command line ---- */

struct options {
  const char *db;
  const char *json;
  const char *source;
  bool holes;       /* list open bins */
  bool unreachable; /* list bins that no configuration that was run can reach */
};

enum { OPT_DB = 0x100, OPT_JSON, OPT_SOURCE, OPT_HOLES, OPT_UNREACHABLE };

static const struct argp_option argp_options[] = {
    {"db", OPT_DB, "FILE", 0, "the evidence database (default build/evidence.db)", 0},
    {"holes", OPT_HOLES, 0, 0, "list the bins that were not hit, and nothing else", 0},
    {"unreachable", OPT_UNREACHABLE, 0, 0,
     "list the bins that no configuration that was run can reach, and why", 0},
    {"source", OPT_SOURCE, "DIGEST", 0, "of these sources (default: those that are there)", 0},
    {"json", OPT_JSON, "FILE", 0, "write the result to FILE", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state) {
  struct options *options = state->input;
  switch (key) {
    case OPT_DB:
      options->db = arg;
      return 0;
    case OPT_JSON:
      options->json = arg;
      return 0;
    case OPT_SOURCE:
      options->source = arg;
      return 0;
    case OPT_HOLES:
      options->holes = true;
      return 0;
    case OPT_UNREACHABLE:
      options->unreachable = true;
      return 0;
    case ARGP_KEY_ARG:
      pmuv3_cli_unusable("unusable argument '%s'; see ./pmuv3 help", arg);
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

/* ---- Merged coverage ---- */

/* A bin, merged over all configurations that were run. */
struct bin {
  uint64_t hits;           /* in configurations that can reach the bin */
  unsigned reachable;      /* the number of configurations that can reach the bin */
  const char *unreachable; /* why the last configuration cannot */
};

/* A hit in a configuration that cannot reach the bin. */
struct mistake {
  size_t bin;
  const char *configuration;
  const char *why;
};

struct coverage {
  struct bin *bins;
  size_t num_bins;
  struct configuration {
    char *name;
    struct pmuv3_params params;
  } * configurations;
  size_t num_configurations;
  struct mistake *mistakes;
  size_t num_mistakes;
  uint64_t cycles;
};

static void *grown(void *array, size_t count, size_t size) {
  void *larger = reallocarray(array, count + 1, size);
  if (!larger) pmuv3_cli_no_verdict("out of memory");
  return larger;
}

static const char *text_of(sqlite3_stmt *row, int column) {
  return (const char *)sqlite3_column_text(row, column);
}

static void add_configuration(struct coverage *coverage, const char *name, const char *params) {
  struct configuration configuration = {.name = strdup(name)};
  const char *error = pmuv3_configuration_complete(&configuration.params, params);
  if (error) pmuv3_cli_unusable("the database: configuration '%s': %s", name, error);
  coverage->configurations = grown(coverage->configurations, coverage->num_configurations,
                                   sizeof *coverage->configurations);
  coverage->configurations[coverage->num_configurations++] = configuration;
  for (size_t bin = 0; bin < coverage->num_bins; bin++) {
    const char *why = pmuv3_coverage_unreachable(bin, &configuration.params);
    if (why)
      coverage->bins[bin].unreachable = why;
    else
      coverage->bins[bin].reachable++;
  }
}

static void read_configurations(struct coverage *coverage, sqlite3 *database, const char *source) {
  sqlite3_stmt *row = pmuv3_database_ask(database,
                                         "SELECT configuration, params, SUM(cycles) FROM run"
                                         " WHERE source = ?1 GROUP BY configuration",
                                         "t", source);
  while (pmuv3_database_next(row)) {
    add_configuration(coverage, text_of(row, 0), text_of(row, 1));
    coverage->cycles += (uint64_t)sqlite3_column_int64(row, 2);
  }
}

static const struct configuration *find_configuration(const struct coverage *coverage,
                                                      const char *name) {
  for (size_t i = 0; i < coverage->num_configurations; i++)
    if (strcmp(coverage->configurations[i].name, name) == 0) return &coverage->configurations[i];
  return NULL;
}

static void add_hits(struct coverage *coverage, size_t bin,
                     const struct configuration *configuration, uint64_t hits) {
  const char *why = pmuv3_coverage_unreachable(bin, &configuration->params);
  if (!why) {
    coverage->bins[bin].hits += hits;
    return;
  }
  coverage->mistakes =
      grown(coverage->mistakes, coverage->num_mistakes, sizeof *coverage->mistakes);
  coverage->mistakes[coverage->num_mistakes++] =
      (struct mistake){.bin = bin, .configuration = configuration->name, .why = why};
}

static int by_name(const void *a, const void *b) {
  return strcmp(pmuv3_coverage_name(*(const size_t *)a), pmuv3_coverage_name(*(const size_t *)b));
}

/* The bins, sorted by name. find_bin then gives the bin with a name; num_bins: there is none. */
static size_t *sorted_bins(size_t num_bins) {
  size_t *sorted = grown(NULL, num_bins, sizeof *sorted);
  for (size_t bin = 0; bin < num_bins; bin++) sorted[bin] = bin;
  qsort(sorted, num_bins, sizeof *sorted, by_name);
  return sorted;
}

static size_t find_bin(const size_t *sorted, size_t num_bins, const char *name) {
  size_t low = 0, high = num_bins;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    const int order = strcmp(name, pmuv3_coverage_name(sorted[middle]));
    if (order == 0) return sorted[middle];
    if (order < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return num_bins;
}

static void read_hits(struct coverage *coverage, sqlite3 *database, const char *source) {
  size_t *sorted = sorted_bins(coverage->num_bins);
  sqlite3_stmt *row = pmuv3_database_ask(
      database, "SELECT configuration, bin, hits FROM hit WHERE source = ?1", "t", source);
  while (pmuv3_database_next(row)) {
    const struct configuration *configuration = find_configuration(coverage, text_of(row, 0));
    const size_t bin = find_bin(sorted, coverage->num_bins, text_of(row, 1));
    if (!configuration || bin == coverage->num_bins)
      pmuv3_cli_unusable(
          "the database has hits of bin '%s' in configuration '%s', and one of the two is unknown",
          text_of(row, 1), text_of(row, 0));
    add_hits(coverage, bin, configuration, (uint64_t)sqlite3_column_int64(row, 2));
  }
  free(sorted);
}

static struct coverage read_coverage(const struct options *options) {
  if (access(options->db, R_OK) != 0) pmuv3_cli_unusable("%s: %s", options->db, strerror(errno));
  sqlite3 *database = pmuv3_database_open_input(options->db);
  const char *source = options->source ? options->source : pmuv3_source;
  struct coverage coverage = {.num_bins = pmuv3_coverage_num_bins()};
  coverage.bins = calloc(coverage.num_bins, sizeof *coverage.bins);
  if (!coverage.bins) pmuv3_cli_no_verdict("out of memory");
  read_configurations(&coverage, database, source);
  if (coverage.num_configurations == 0)
    pmuv3_cli_unusable("%s: no run of the sources %s", options->db, source);
  read_hits(&coverage, database, source);
  sqlite3_close(database);
  return coverage;
}

/* ---- Report ---- */

static bool is_goal(const struct bin *bin) {
  return bin->reachable > 0;
}

static bool is_hole(const struct bin *bin) {
  return is_goal(bin) && bin->hits == 0;
}

static size_t length_of_coverpoint(const char *name) {
  return (size_t)(strrchr(name, '.') - name);
}

/* A coverpoint's bins. They need not be adjacent. */
struct coverpoint {
  const char *name; /* the name of one of its bins */
  size_t length;    /* the length of the coverpoint's part of `name` */
  size_t goals, covered, unreachable;
};

static struct coverpoint *find_coverpoint(struct coverpoint *coverpoints, size_t count,
                                          const char *name) {
  const size_t length = length_of_coverpoint(name);
  for (size_t i = count; i-- > 0;)
    if (coverpoints[i].length == length && memcmp(coverpoints[i].name, name, length) == 0)
      return &coverpoints[i];
  return NULL;
}

/* Coverpoints in the order of their first bins. */
static struct coverpoint *coverpoints_of(const struct coverage *coverage, size_t *count) {
  struct coverpoint *coverpoints = NULL;
  *count = 0;
  for (size_t i = 0; i < coverage->num_bins; i++) {
    const char *name = pmuv3_coverage_name(i);
    struct coverpoint *coverpoint = find_coverpoint(coverpoints, *count, name);
    if (!coverpoint) {
      coverpoints = grown(coverpoints, *count, sizeof *coverpoints);
      coverpoint = &coverpoints[(*count)++];
      *coverpoint = (struct coverpoint){.name = name, .length = length_of_coverpoint(name)};
    }
    coverpoint->goals += is_goal(&coverage->bins[i]);
    coverpoint->covered += is_goal(&coverage->bins[i]) && !is_hole(&coverage->bins[i]);
    coverpoint->unreachable += !is_goal(&coverage->bins[i]);
  }
  return coverpoints;
}

static struct coverpoint sum_of(const struct coverpoint *coverpoints, size_t count) {
  struct coverpoint sum = {.name = "", .length = 0};
  for (size_t i = 0; i < count; i++) {
    sum.goals += coverpoints[i].goals;
    sum.covered += coverpoints[i].covered;
    sum.unreachable += coverpoints[i].unreachable;
  }
  return sum;
}

static double percent(const struct coverpoint *of) {
  return of->goals ? 100.0 * (double)of->covered / (double)of->goals : 100.0;
}

static void print_coverpoints(const struct coverage *coverage) {
  size_t count;
  struct coverpoint *coverpoints = coverpoints_of(coverage, &count);
  printf("%-42s %8s %8s %8s %12s\n", "coverpoint", "bins", "hit", "%", "unreachable");
  for (size_t i = 0; i < count; i++) {
    const struct coverpoint *of = &coverpoints[i];
    printf("%-42.*s %8zu %8zu %8.1f %12zu\n", (int)of->length, of->name, of->goals, of->covered,
           percent(of), of->unreachable);
  }
  const struct coverpoint all = sum_of(coverpoints, count);
  printf("%-42s %8zu %8zu %8.1f %12zu\n", "in all", all.goals, all.covered, percent(&all),
         all.unreachable);
  printf("%zu configurations, %" PRIu64 " cycles\n", coverage->num_configurations,
         coverage->cycles);
  free(coverpoints);
}

static void print_holes(const struct coverage *coverage) {
  for (size_t i = 0; i < coverage->num_bins; i++)
    if (is_hole(&coverage->bins[i])) printf("%s\n", pmuv3_coverage_name(i));
}

static void print_unreachable(const struct coverage *coverage) {
  for (size_t i = 0; i < coverage->num_bins; i++)
    if (!is_goal(&coverage->bins[i]))
      printf("%s: %s\n", pmuv3_coverage_name(i), coverage->bins[i].unreachable);
}

static void print_mistakes(const struct coverage *coverage) {
  for (size_t i = 0; i < coverage->num_mistakes; i++) {
    const struct mistake *mistake = &coverage->mistakes[i];
    fprintf(stderr, "pmuv3 coverage: %s was hit in '%s', where it is listed as unreachable: %s\n",
            pmuv3_coverage_name(mistake->bin), mistake->configuration, mistake->why);
  }
}

/* ---- JSON ---- */

static struct json_object *names_of(const struct coverage *coverage,
                                    bool (*is)(const struct bin *)) {
  struct json_object *names = json_object_new_array();
  for (size_t i = 0; i < coverage->num_bins; i++)
    if (is(&coverage->bins[i]))
      json_object_array_add(names, pmuv3_json_text(pmuv3_coverage_name(i)));
  return names;
}

static struct json_object *as_json(const struct coverpoint *of) {
  struct json_object *object = json_object_new_object();
  if (of->length)
    json_object_object_add(object, "name", json_object_new_string_len(of->name, (int)of->length));
  json_object_object_add(object, "bins", json_object_new_uint64(of->goals));
  json_object_object_add(object, "hit", json_object_new_uint64(of->covered));
  json_object_object_add(object, "unreachable", json_object_new_uint64(of->unreachable));
  return object;
}

static bool write_json(FILE *out, const void *context) {
  const struct coverage *coverage = context;
  size_t count;
  struct coverpoint *coverpoints = coverpoints_of(coverage, &count);
  const struct coverpoint all = sum_of(coverpoints, count);
  struct json_object *object = as_json(&all), *array = json_object_new_array();
  for (size_t i = 0; i < count; i++) json_object_array_add(array, as_json(&coverpoints[i]));
  json_object_object_add(object, "cycles", json_object_new_uint64(coverage->cycles));
  json_object_object_add(object, "mistakes", json_object_new_uint64(coverage->num_mistakes));
  json_object_object_add(object, "coverpoints", array);
  json_object_object_add(object, "holes", names_of(coverage, is_hole));
  const bool written =
      fprintf(out, "%s\n", json_object_to_json_string_ext(object, JSON_C_TO_STRING_PRETTY)) > 0;
  json_object_put(object);
  free(coverpoints);
  return written;
}

static void free_coverage(struct coverage *coverage) {
  for (size_t i = 0; i < coverage->num_configurations; i++) free(coverage->configurations[i].name);
  free(coverage->configurations);
  free(coverage->mistakes);
  free(coverage->bins);
}

static size_t num_holes(const struct coverage *coverage) {
  size_t holes = 0;
  for (size_t i = 0; i < coverage->num_bins; i++) holes += is_hole(&coverage->bins[i]);
  return holes;
}

int main(int argc, char **argv) {
  static const struct argp argp = {
      .options = argp_options,
      .parser = parse,
      .doc = "Functional coverage, over all configurations and runs in the evidence database."};
  struct options options = {.db = "build/evidence.db"};
  pmuv3_cli_parse(&argp, "pmuv3 coverage", argc, argv, &options);
  if (options.holes && options.unreachable)
    pmuv3_cli_unusable("--holes and --unreachable exclude each other");
  pmuv3_database_check_input(options.db);
  pmuv3_cli_check_output("--json", options.json);
  struct coverage coverage = read_coverage(&options);
  if (options.unreachable)
    print_unreachable(&coverage);
  else if (options.holes)
    print_holes(&coverage);
  else
    print_coverpoints(&coverage);
  if (options.json) pmuv3_cli_write("--json", options.json, write_json, &coverage);
  print_mistakes(&coverage);
  const bool closed = num_holes(&coverage) == 0 && coverage.num_mistakes == 0;
  free_coverage(&coverage);
  return closed ? 0 : 1;
}
