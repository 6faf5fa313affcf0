/*
 * mutate SEED COUNT DIRECTORY FILE...: writes COUNT mutants of the stimulus files, DIRECTORY/0.stim
 * and on. The same arguments give the same mutants. Mutations change bytes, words and lines: some
 * mutants are no text, some are refused late, and many still run. The number of an `idle` line
 * stays small, since a large number is legal but slow.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/stimulus/prng.h"

enum { MAX_SIZE = 1 << 16, MAX_PIECE = 64, MAX_IDLE_DIGITS = 3 };

struct text {
  size_t size;
  char bytes[MAX_SIZE];
};

/* A part of a text. */
struct span {
  size_t start;
  size_t length;
};

static struct pmuv3_prng prng;

static uint32_t below(size_t n) {
  return n ? pmuv3_prng_below(&prng, (uint32_t)n) : 0;
}

static void fail(const char *what) {
  fprintf(stderr, "mutate: %s: %s\n", what, strerror(errno));
  exit(2);
}

/* ---- Texts ---- */

static void read_file(const char *name, struct text *text) {
  FILE *in = fopen(name, "rb");
  if (!in) fail(name);
  text->size = fread(text->bytes, 1, MAX_SIZE, in);
  fclose(in);
}

static void write_file(const char *name, const struct text *text) {
  FILE *out = fopen(name, "wb");
  if (!out || fwrite(text->bytes, 1, text->size, out) != text->size || fclose(out) != 0) fail(name);
}

/* Replaces a span by `length` bytes. Does nothing if there is no room. */
static void replace(struct text *text, struct span span, const char *bytes, size_t length) {
  size_t end = span.start + span.length;
  if (text->size - span.length + length > MAX_SIZE) return;
  memmove(text->bytes + span.start + length, text->bytes + end, text->size - end);
  memcpy(text->bytes + span.start, bytes, length);
  text->size = text->size - span.length + length;
}

/* ---- Places ---- */

static struct span any_run(const struct text *text) {
  struct span run = {below(text->size), 0};
  size_t left = text->size - run.start;
  run.length = below(left < MAX_PIECE ? left : MAX_PIECE);
  return run;
}

/* The text between separators around a random place. */
static struct span any_part(const struct text *text, const char *separators) {
  size_t start = below(text->size);
  size_t end = start;
  while (start > 0 && !strchr(separators, text->bytes[start - 1])) start--;
  while (end < text->size && !strchr(separators, text->bytes[end])) end++;
  return (struct span){start, end - start};
}

static struct span any_word(const struct text *text) {
  return any_part(text, below(2) ? " \t\n" : " \t\n=:,@/");
}

/* A random line, with its line end. */
static struct span any_line(const struct text *text) {
  struct span line = any_part(text, "\n");
  if (line.start + line.length < text->size) line.length++;
  return line;
}

/* ---- Mutations ---- */

static void flip_bit(struct text *text, const struct text *other) {
  (void)other;
  if (text->size) text->bytes[below(text->size)] ^= (char)(1 << below(8));
}

static void insert_byte(struct text *text, const struct text *other) {
  (void)other;
  char byte = (char)below(256);
  replace(text, (struct span){below(text->size + 1), 0}, &byte, 1);
}

static void delete_run(struct text *text, const struct text *other) {
  (void)other;
  replace(text, any_run(text), "", 0);
}

static void truncate_text(struct text *text, const struct text *other) {
  (void)other;
  text->size = below(text->size + 1);
}

static void insert_run(struct text *text, const struct text *other) {
  struct span run = any_run(other);
  replace(text, (struct span){below(text->size + 1), 0}, other->bytes + run.start, run.length);
}

static void change_number(struct text *text, const struct text *other) {
  static const char *const formats[] = {"%" PRIu64, "0x%" PRIx64};
  (void)other;
  char number[32];
  uint64_t value = pmuv3_prng_next(&prng) >> below(64);
  int length = snprintf(number, sizeof number, formats[below(2)], value);
  struct span word = any_word(text);
  for (int i = 0; i < 8 && !strchr("0123456789", text->bytes[word.start]); i++)
    word = any_word(text);
  replace(text, word, number, (size_t)length);
}

static void swap_word(struct text *text, const struct text *other) {
  struct span word = any_word(other);
  replace(text, any_word(text), other->bytes + word.start, word.length);
}

static void delete_word(struct text *text, const struct text *other) {
  (void)other;
  replace(text, any_word(text), "", 0);
}

static void delete_line(struct text *text, const struct text *other) {
  (void)other;
  replace(text, any_line(text), "", 0);
}

static void insert_line(struct text *text, const struct text *other) {
  struct span line = any_line(other);
  replace(text, (struct span){any_line(text).start, 0}, other->bytes + line.start, line.length);
}

static void use_keyword(struct text *text, const struct text *other) {
  static const char *const keywords[] = {"param",
                                         "write",
                                         "expect",
                                         "cycle",
                                         "idle",
                                         "pe 0 el=0",
                                         "pe 1",
                                         "el=3",
                                         "ss=RL",
                                         "ss=S",
                                         "halted=1",
                                         "wfx=1",
                                         "aa32=1",
                                         "a32el3=1",
                                         "snid=1",
                                         "msr",
                                         "mrs",
                                         "extw",
                                         "extr",
                                         "undefined",
                                         "error",
                                         "el1",
                                         "NS",
                                         "0xC10",
                                         "msr:PMCR_EL0=1",
                                         "ext:0xE04=1",
                                         "@1:ext.NS:0=1",
                                         "PMUIRQ",
                                         "EXCEPTION",
                                         "tge=1",
                                         "fgt=15",
                                         "fgt=0xFFFFFFFFF",
                                         "a32el2=1",
                                         "hstr=1",
                                         "nv=1",
                                         "sdd=1",
                                         "fgwte3=1",
                                         "el2/ec0x18",
                                         "/iss0x30E419",
                                         "PMCCNTR64",
                                         "SDER32_EL2",
                                         "features=EXT32",
                                         "features=EXTPMN,SS",
                                         "PMXEVTYPER_EL0",
                                         "PMCCNTR",
                                         "@0",
                                         "@1",
                                         "@3:",
                                         "/el0,NS",
                                         "/el3",
                                         "/unattr",
                                         "/unattr,el2,S",
                                         "/dbg",
                                         "none",
                                         "features=TH",
                                         "counters=31",
                                         "threads=4",
                                         "K-VS-RES=both",
                                         "aa64=0",
                                         "aa32=none",
                                         "aa32=el0",
                                         "el3=0",
                                         "\r",
                                         "\t",
                                         "#",
                                         "0x",
                                         "-1",
                                         "PMSWINC_EL0",
                                         "PMCR_EL0=3",
                                         "0x001e",
                                         "0x11",
                                         "8:255",
                                         "MDCR_EL3",
                                         "th_width=1",
                                         "PMEVCNTR30_EL0",
                                         "SDER",
                                         "PMEVTYPER0",
                                         "PMICNTR_EL0",
                                         "PMCCNTR_EL0=1",
                                         "0x3f:255"};
  (void)other;
  const char *keyword = keywords[below(sizeof keywords / sizeof *keywords)];
  replace(text, any_word(text), keyword, strlen(keyword));
}

typedef void mutation(struct text *text, const struct text *other);

static mutation *const byte_mutations[] = {flip_bit, insert_byte, delete_run, truncate_text,
                                           insert_run};
static mutation *const word_mutations[] = {change_number, change_number, swap_word,  delete_word,
                                           delete_line,   insert_line,   use_keyword};

static void mutate(struct text *text, const struct text *other) {
  bool rough = below(4) == 0;
  for (uint32_t times = 1 + below(rough ? 8 : 3); times > 0; times--) {
    if (rough && below(2))
      byte_mutations[below(sizeof byte_mutations / sizeof *byte_mutations)](text, other);
    else
      word_mutations[below(sizeof word_mutations / sizeof *word_mutations)](text, other);
  }
}

/* Cuts the number of every `idle` line to a few digits. */
static void hold_idle_down(struct text *text) {
  for (size_t i = 0; i + 4 < text->size; i++) {
    if (memcmp(text->bytes + i, "idle", 4) != 0) continue;
    size_t start = i + 4;
    while (start < text->size && strchr(" \t", text->bytes[start])) start++;
    size_t end = start;
    while (end < text->size && !strchr(" \t\r\n", text->bytes[end])) end++;
    if (end - start <= MAX_IDLE_DIGITS) continue;
    replace(text, (struct span){start + MAX_IDLE_DIGITS, end - start - MAX_IDLE_DIGITS}, "", 0);
  }
}

int main(int argc, char **argv) {
  if (argc < 5) {
    fputs("mutate: expected SEED COUNT DIRECTORY FILE...\n", stderr);
    return 2;
  }
  static struct text text, other;
  pmuv3_prng_seed(&prng, strtoull(argv[1], NULL, 10));
  unsigned long count = strtoul(argv[2], NULL, 10);
  for (unsigned long i = 0; i < count; i++) {
    char name[4096];
    read_file(argv[4 + below((size_t)argc - 4)], &text);
    read_file(argv[4 + below((size_t)argc - 4)], &other);
    mutate(&text, &other);
    hold_idle_down(&text);
    snprintf(name, sizeof name, "%s/%lu.stim", argv[3], i);
    write_file(name, &text);
  }
  return 0;
}
