#define _GNU_SOURCE
#include "testbench/prove/equivalence/shards.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "pmuv3/params.h"
#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/source.h"

/* ---- Listing ---- */

static void print_option(const char *option, const char *value) {
  char *quoted = pmuv3_cli_quoted(value);
  printf(" %s %s", option, quoted);
  free(quoted);
}

/* A text of --only need not be in each part. */
static void print_shard(const struct prove_options *options, const char *theorem, struct size size,
                        size_t part, size_t parts) {
  const char *set = case_set_name(options->set);
  char name[SIZE_NAME];
  size_name(size, name);
  printf("%s-%s-%s-part-%zu-of-%zu\t--theorem %s --size %s --set %s --part %zu/%zu --jobs 1",
         theorem, name, set, part, parts, theorem, name, set, part, parts);
  printf(" --seconds %.0f --patience %.0f --seed %" PRIu64, options->seconds, options->patience,
         options->sample.seed);
  if (options->execute_all) printf(" --execute-all");
  for (unsigned o = 0; o < options->num_only; o++) print_option("--among", options->only[o]);
  print_option("--out", options->out);
  print_option("--bitcode", options->bitcode);
  if (options->netlists != NULL) print_option("--netlists", options->netlists);
  printf("\n");
}

void shards_list(const struct prove_options *options, const size_t num_cases[MAX_SIZES],
                 const size_t num_places[MAX_SIZES]) {
  for (unsigned s = 0; s < options->num_sizes; s++) {
    const size_t parts = (num_cases[s] + options->shard_cases - 1) / options->shard_cases;
    for (size_t part = 1; part <= parts; part++)
      print_shard(options, "equivalence", options->sizes[s], part, parts);
  }
  for (unsigned s = 0; s < options->num_interference; s++)
    for (size_t part = 1; part <= num_places[s]; part++)
      print_shard(options, "interference", options->interference[s], part, num_places[s]);
}

/* ---- Files ---- */

/* What a file begins with; then cases or places follow. */
struct header {
  char source[24];
  enum theorems theorem;
  struct size size;
  size_t number;
  uint64_t digest; /* of what is before it, and of all that follows */
};

struct content {
  struct header header;
  const void *records;
  size_t size;
};

static bool write_content(FILE *out, const void *context) {
  const struct content *content = context;
  return fwrite(&content->header, sizeof content->header, 1, out) == 1 &&
         fwrite(content->records, 1, content->size, out) == content->size;
}

static uint64_t digest_of(const struct header *header, const void *records, size_t size) {
  const uint64_t digests[] = {pmuv3_digest(header, offsetof(struct header, digest)),
                              pmuv3_digest(records, size)};
  return pmuv3_digest(digests, sizeof digests);
}

static size_t size_of_record(enum theorems theorem) {
  return theorem == EQUIVALENCE ? sizeof(struct case_report) : sizeof(struct place_report);
}

void shards_write(const struct prove_options *options, const struct report *report) {
  const bool is_equivalence = options->theorems == EQUIVALENCE;
  struct content content = {
      .header = {.theorem = options->theorems,
                 .size = is_equivalence ? options->sizes[0] : options->interference[0]}};
  if (!report_is_of_sources(report))
    pmuv3_cli_unusable("--bitcode, --netlists: they are not of the sources of this program");
  snprintf(content.header.source, sizeof content.header.source, "%s", pmuv3_source);
  content.records = is_equivalence ? (const void *)report_cases(report, &content.header.number)
                                   : report_places(report, &content.header.number);
  content.size = content.header.number * size_of_record(options->theorems);
  content.header.digest = digest_of(&content.header, content.records, content.size);
  pmuv3_cli_write("--shard", options->shards.path, write_content, &content);
}

/* ---- Merging ---- */

static _Noreturn void refuse(const char *path, const char *why) {
  pmuv3_cli_unusable("%s: %s", path, why);
}

/* The caller frees the records. */
static void *read_content(const char *path, struct header *header) {
  const char *why;
  FILE *in = pmuv3_file_open(path, &why);
  if (in == NULL) refuse(path, why);
  if (fread(header, sizeof *header, 1, in) != 1) refuse(path, "it is damaged");
  if (strncmp(header->source, pmuv3_source, sizeof header->source) != 0)
    refuse(path, "it is damaged, or a shard of other sources");
  const bool is_known = header->theorem == EQUIVALENCE || header->theorem == INTERFERENCE;
  if (!is_known || header->number > UINT16_MAX) refuse(path, "it is damaged");
  const size_t size = header->number * size_of_record(header->theorem);
  void *records = malloc(size + 1);
  if (records == NULL) pmuv3_cli_no_verdict("out of memory");
  if (fread(records, 1, size + 1, in) != size || digest_of(header, records, size) != header->digest)
    refuse(path, "it is damaged");
  fclose(in);
  return records;
}

static unsigned find_size(const struct size *sizes, unsigned num, struct size size,
                          const char *path) {
  unsigned s = 0;
  while (s < num && memcmp(&sizes[s], &size, sizeof size) != 0) s++;
  if (s == num) refuse(path, "it is a shard of another size");
  return s;
}

struct merging {
  const struct prove_options *options;
  struct report *report;
  bool adds; /* false: files are only checked */
};

/* What is there twice is added once. What nobody asked for must not stand for what is missing. */
static bool is_to_add(const struct merging *merging, enum expectation expectation,
                      const char *path) {
  if (expectation == NOT_EXPECTED) refuse(path, "it is a shard of another proof");
  return merging->adds && expectation == MISSING;
}

static void merge_cases(const struct merging *merging, const struct header *header,
                        struct case_report *cases, const char *path) {
  const struct prove_options *options = merging->options;
  const unsigned s = find_size(options->sizes, options->num_sizes, header->size, path);
  for (size_t c = 0; c < header->number; c++) {
    cases[c].size = s;
    if (is_to_add(merging, report_expects(merging->report, &cases[c]), path))
      report_add(merging->report, &cases[c]);
  }
}

static void merge_places(const struct merging *merging, const struct header *header,
                         struct place_report *places, const char *path) {
  const struct prove_options *options = merging->options;
  const unsigned s =
      find_size(options->interference, options->num_interference, header->size, path);
  for (size_t p = 0; p < header->number; p++) {
    places[p].size = s;
    if (is_to_add(merging, report_expects_place(merging->report, &places[p]), path))
      report_add_place(merging->report, &places[p]);
  }
}

static void merge_file(const char *path, void *with) {
  const struct merging *merging = with;
  struct header header;
  void *records = read_content(path, &header);
  if (header.theorem == EQUIVALENCE)
    merge_cases(merging, &header, records, path);
  else
    merge_places(merging, &header, records, path);
  free(records);
}

/* All files are checked before the first is added, and printed. */
void shards_merge(const struct prove_options *options, struct report *report) {
  pmuv3_shards_each(&options->shards, merge_file, &(struct merging){options, report, false});
  pmuv3_shards_each(&options->shards, merge_file, &(struct merging){options, report, true});
}
