#define _GNU_SOURCE
#include "testbench/explore/command/shards.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/source.h"
#include "testbench/cosim/cli/text.h"

static void *room(size_t count, size_t size) {
  void *memory = calloc(count + 1, size);
  if (!memory) pmuv3_cli_no_verdict("out of memory");
  return memory;
}

/* ---- What a shard is of ---- */

struct identity {
  char *text;
  size_t size;
};

/* A pipe is empty when it is read again. */
static FILE *open_regular(const char *what, const char *path) {
  struct stat status;
  FILE *in = pmuv3_cli_open_input(what, path);
  if (fstat(fileno(in), &status) != 0 || !S_ISREG(status.st_mode))
    pmuv3_cli_unusable("%s: '%s' is no regular file; shards read it again", what, path);
  return in;
}

static void print_crc(FILE *out, const char *path) {
  static unsigned char bytes[1 << 16];
  FILE *in = open_regular("TRACE", path);
  uLong crc = 0;
  for (size_t size; (size = fread(bytes, 1, sizeof bytes, in)) > 0;)
    crc = crc32_z(crc, bytes, size);
  if (ferror(in)) pmuv3_cli_unusable("TRACE: cannot read '%s': %s", path, strerror(errno));
  fprintf(out, "%08lX\n", crc);
  fclose(in);
}

static void print_file(FILE *out, const char *path) {
  FILE *in = open_regular("--config", path);
  char *text = pmuv3_text_all(in);
  if (!text) pmuv3_cli_unusable("--config: cannot read '%s': %s", path, strerror(errno));
  fputs(text, out);
  free(text);
  fclose(in);
}

/* The sources, the parameters with each row of the events, the intervals, the configuration and
 * what its names stand for; and the trace, by its header, its size, the sums of its columns, and
 * the CRC of all. */
static struct identity identify(const struct explore_shards *shards) {
  struct identity identity;
  const struct pmt_reader *reader = shards->reader;
  const struct pmt_header *header = pmt_reader_header(reader);
  FILE *out = open_memstream(&identity.text, &identity.size);
  if (!out) pmuv3_cli_no_verdict("out of memory");
  fprintf(out, "%s\n%016" PRIX64 "%s\n%" PRIu64 "\n", pmuv3_source,
          pmuv3_params_digest(&shards->config->params), shards->options->words, shards->interval);
  fprintf(out, "%s\n%s\n%s\n", header->generator, header->command, header->core);
  fprintf(out, "%" PRIu64 " %" PRIu64 "\n", pmt_reader_cycles(reader), pmt_reader_bytes(reader));
  for (unsigned c = 0; c < header->num_columns; c++)
    fprintf(out, "%s %" PRIu64 "\n", header->columns[c].name, pmt_reader_total(reader, c));
  print_crc(out, shards->options->trace);
  print_file(out, shards->options->config);
  for (unsigned c = 0; c < shards->config->num_counters; c++)
    fprintf(out, "%s %016" PRIX64 "\n", shards->config->counters[c].name,
            shards->config->counters[c].type);
  if (fclose(out) != 0) pmuv3_cli_no_verdict("out of memory");
  return identity;
}

/* ---- Listing ---- */

/* A name says what a shard is of, so files of another exploration do not hide what is missing. */
void explore_shards_list(const struct explore_shards *shards) {
  const struct explore_options *options = shards->options;
  const unsigned pmus = shards->config->num_pmus;
  const struct identity identity = identify(shards);
  const uLong name = crc32_z(0, (const unsigned char *)identity.text, identity.size);
  char *config = pmuv3_cli_quoted(options->config), *trace = pmuv3_cli_quoted_name(options->trace);
  for (unsigned begin = 0; begin < pmus; begin += options->shard_pmus) {
    const unsigned left = pmus - begin;
    const unsigned end = begin + (left < options->shard_pmus ? left : options->shard_pmus);
    printf("pmus-%u-%u-%08lX\t--pmus %u-%u --config %s --interval %" PRIu64 "%s --jobs 1 %s\n",
           begin + 1, end, name, begin + 1, end, config, shards->interval, options->words, trace);
  }
  free(config);
  free(trace);
  free(identity.text);
}

/* ---- The file: its head, the identity, the intervals, the end, and a CRC of all before it ---- */

struct head {
  uint64_t identity;   /* bytes */
  uint32_t begin, end; /* numbers of its PMUs, from 0 on */
};

/* An interval is its cycles, and what each counter counted in them. */

static size_t size_of_row(unsigned counters) {
  return (1 + (size_t)counters) * sizeof(uint64_t);
}

/* The end: overflows of each counter, and cycles that were ticked, by reason. */
static size_t size_of_end(unsigned counters) {
  return (counters + (size_t)EXPLORE_NUM_REASONS) * sizeof(uint64_t);
}

/* ---- Writing ---- */

struct writing {
  FILE *out;
  uLong crc;
  unsigned counters;
};

/* The end of the file says whether all was written. */
static void put(struct writing *writing, const void *bytes, size_t size) {
  writing->crc = crc32_z(writing->crc, bytes, size);
  fwrite(bytes, 1, size, writing->out);
}

static void put_row(void *context, uint64_t cycles, const uint64_t *row) {
  struct writing *writing = context;
  put(writing, &cycles, sizeof cycles);
  put(writing, row, writing->counters * sizeof *row);
}

static void put_head(struct writing *writing, const struct explore_options *options,
                     const struct identity *identity) {
  const struct head head = {identity->size, options->first_pmu - 1, options->last};
  put(writing, &head, sizeof head);
  put(writing, identity->text, identity->size);
}

static void put_end(struct writing *writing, const struct explore_results *results) {
  put(writing, results->overflows, writing->counters * sizeof *results->overflows);
  put(writing, results->ticked, sizeof results->ticked);
  const uint64_t crc = writing->crc;
  put(writing, &crc, sizeof crc);
}

void explore_shards_write(const struct explore_shards *shards) {
  const struct explore_options *options = shards->options;
  struct explore_config *config = shards->config;
  if (options->last > config->num_pmus)
    pmuv3_cli_unusable("--pmus: '%s' has %u PMUs", options->config, config->num_pmus);
  const struct identity identity = identify(shards); /* of all PMUs */
  explore_config_keep(config, options->first_pmu - 1, options->last);
  struct pmuv3_file *file = pmuv3_cli_begin_output("--shard", options->shards.path);
  struct writing writing = {.out = pmuv3_file_stream(file), .counters = config->num_counters};
  struct explore_results results;
  char error[4096 + 512];
  put_head(&writing, options, &identity);
  free(identity.text);
  const struct explore_run run = {.reader = shards->reader,
                                  .kernels = options->kernels,
                                  .jobs = options->jobs,
                                  .interval = shards->interval,
                                  .row = put_row,
                                  .context = &writing};
  if (!explore_run(&run, config, &results, error, sizeof error)) {
    pmuv3_file_drop(file);
    pmuv3_cli_failed_at(error);
  }
  put_end(&writing, &results);
  pmuv3_cli_end("--shard", options->shards.path, file);
  explore_results_free(&results);
}

/* ---- Merging: files ---- */

struct part {
  FILE *file;
  struct head head;
  unsigned *counters; /* numbers of its counters in the configuration */
  unsigned num_counters;
  uint64_t *numbers; /* of an interval, or of the end */
};

struct explore_parts {
  const struct explore_shards *shards;
  struct identity identity;
  struct part *parts;
  unsigned num;
  bool *is_there; /* of each PMU */
};

static _Noreturn void refuse(const char *path, const char *why) {
  pmuv3_cli_unusable("%s: %s", path, why);
}

static uint64_t num_intervals(const struct explore_shards *shards) {
  return (pmt_reader_cycles(shards->reader) + shards->interval - 1) / shards->interval;
}

/* Reads the head and the identity. */
static void read_head(struct part *part, const struct explore_parts *parts, const char *path) {
  const struct identity *identity = &parts->identity;
  const unsigned pmus = parts->shards->config->num_pmus;
  struct head *head = &part->head;
  if (fread(head, sizeof *head, 1, part->file) != 1) refuse(path, "it is damaged");
  char *text = room(identity->size, 1);
  const bool is_read = head->identity == identity->size &&
                       fread(text, 1, identity->size, part->file) == identity->size;
  if (!is_read || memcmp(text, identity->text, identity->size) != 0)
    refuse(path, "it is damaged, or a shard of other sources, or of another exploration");
  free(text);
  if (head->begin >= head->end || head->end > pmus) refuse(path, "it is damaged");
}

static void find_counters(struct part *part, const struct explore_config *config) {
  part->counters = room(config->num_counters, sizeof *part->counters);
  for (unsigned c = 0; c < config->num_counters; c++)
    if (config->counters[c].pmu >= part->head.begin && config->counters[c].pmu < part->head.end)
      part->counters[part->num_counters++] = c;
  part->numbers = room(part->num_counters + EXPLORE_NUM_REASONS + 1, sizeof *part->numbers);
}

/* The size follows from the head; the CRC says the rest. */
static void check_file(const struct part *part, const struct explore_parts *parts,
                       const char *path) {
  uint64_t left = sizeof part->head + part->head.identity +
                  num_intervals(parts->shards) * size_of_row(part->num_counters) +
                  size_of_end(part->num_counters);
  static unsigned char bytes[1 << 16];
  uLong crc = 0;
  uint64_t expected;
  rewind(part->file);
  for (size_t size; left > 0; left -= size) {
    size = left < sizeof bytes ? (size_t)left : sizeof bytes;
    if (fread(bytes, 1, size, part->file) != size) refuse(path, "it is damaged");
    crc = crc32_z(crc, bytes, size);
  }
  if (fread(&expected, sizeof expected, 1, part->file) != 1 || expected != crc ||
      getc(part->file) != EOF)
    refuse(path, "it is damaged");
}

static bool is_to_take(const struct part *part, const struct explore_parts *parts,
                       const char *path) {
  unsigned known = 0;
  for (unsigned p = part->head.begin; p < part->head.end; p++) known += parts->is_there[p];
  if (known != 0 && known != part->head.end - part->head.begin)
    refuse(path, "some of its PMUs are in another file");
  return known == 0;
}

static void free_part(struct part *part) {
  fclose(part->file);
  free(part->counters);
  free(part->numbers);
}

static void open_part(const char *path, void *with) {
  struct explore_parts *parts = with;
  const char *why;
  struct part part = {.file = pmuv3_file_open(path, &why)};
  if (!part.file) refuse(path, why);
  read_head(&part, parts, path);
  find_counters(&part, parts->shards->config);
  check_file(&part, parts, path);
  if (!is_to_take(&part, parts, path)) {
    free_part(&part);
    return;
  }
  fseeko(part.file, (off_t)(sizeof part.head + part.head.identity), SEEK_SET);
  memset(&parts->is_there[part.head.begin], true, part.head.end - part.head.begin);
  parts->parts = reallocarray(parts->parts, parts->num + 1, sizeof *parts->parts);
  if (!parts->parts) pmuv3_cli_no_verdict("out of memory");
  parts->parts[parts->num++] = part;
}

struct explore_parts *explore_shards_open(const struct explore_shards *shards) {
  const unsigned pmus = shards->config->num_pmus;
  struct explore_parts *parts = room(1, sizeof *parts);
  unsigned missing = 0;
  *parts = (struct explore_parts){.shards = shards,
                                  .identity = identify(shards),
                                  .is_there = room(pmus, sizeof *parts->is_there)};
  pmuv3_shards_each(&shards->options->shards, open_part, parts);
  for (unsigned p = 0; p < pmus; p++) missing += !parts->is_there[p];
  if (missing) pmuv3_cli_no_verdict("%u of %u PMUs are missing", missing, pmus);
  return parts;
}

/* ---- Merging: intervals ---- */

/* The file was read once already. */
static void get(struct part *part, size_t size) {
  if (fread(part->numbers, 1, size, part->file) != size)
    pmuv3_cli_no_verdict("the file of a shard changed while it was read");
}

/* Joins the parts of an interval. Returns its cycles. */
static uint64_t get_row(struct explore_parts *parts, uint64_t *row) {
  for (unsigned p = 0; p < parts->num; p++) {
    struct part *part = &parts->parts[p];
    get(part, size_of_row(part->num_counters));
    for (unsigned i = 0; i < part->num_counters; i++) row[part->counters[i]] = part->numbers[1 + i];
  }
  return parts->parts[0].numbers[0];
}

static void get_end(struct part *part, struct explore_results *results) {
  get(part, size_of_end(part->num_counters));
  for (unsigned i = 0; i < part->num_counters; i++)
    results->overflows[part->counters[i]] = part->numbers[i];
  for (unsigned r = 0; r < EXPLORE_NUM_REASONS; r++)
    results->ticked[r] += part->numbers[part->num_counters + r];
}

bool explore_shards_take(struct explore_parts *parts, struct explore_collector *collector) {
  uint64_t *row = calloc(collector->config->num_counters + 1, sizeof *row);
  if (!row || !explore_collect_begin(collector)) return false;
  for (uint64_t i = 0; i < num_intervals(parts->shards); i++) {
    const uint64_t cycles = get_row(parts, row);
    explore_collect_row(collector, cycles, row);
  }
  for (unsigned p = 0; p < parts->num; p++) {
    get_end(&parts->parts[p], collector->results);
    free_part(&parts->parts[p]);
  }
  free(parts->parts);
  free(parts->identity.text);
  free(parts->is_there);
  free(parts);
  free(row);
  return true;
}
