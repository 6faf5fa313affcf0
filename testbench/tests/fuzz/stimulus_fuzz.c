/*
 * Fuzzes the reader of stimulus files with libFuzzer. The reader refuses arbitrary bytes with one
 * line, or reads them. Then the writer's output must read back to the same items, and the checked C
 * model (checked.h) runs them.
 */
#define _POSIX_C_SOURCE 200809L
#include <string.h>

#include "testbench/cosim/stimulus/stimulus.h"
#include "testbench/tests/fuzz/checked.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_CYCLES = 256, ERROR_SIZE = 160 };

static bool read_bytes(struct pmuv3_stimulus *stimulus, const void *data, size_t size,
                       char error[ERROR_SIZE]) {
  FILE *in = fmemopen((void *)(uintptr_t)data, size, "rb");
  CHECK(in);
  bool good = pmuv3_stimulus_read(stimulus, in, "FILE", error, ERROR_SIZE);
  fclose(in);
  return good;
}

/* Checks "FILE:LINE: text", one printable line. LINE must be a line of the file. */
static void check_error(const char *error, const uint8_t *data, size_t size) {
  unsigned long lines = 1;
  for (size_t i = 0; i < size; i++) lines += data[i] == '\n';
  CHECK(strlen(error) < ERROR_SIZE);
  CHECK(!strstr(error, "out of memory"));
  CHECK(strncmp(error, "FILE:", 5) == 0);
  char *end;
  unsigned long line = strtoul(error + 5, &end, 10);
  CHECK(line >= 1 && line <= lines);
  CHECK(strncmp(end, ": ", 2) == 0 && end[2]);
  for (const char *c = error; *c; c++) CHECK(*c >= ' ' && *c <= '~');
}

static void check_same_access(const struct pmuv3_write *a, const struct pmuv3_write *b) {
  CHECK(a->reg == b->reg && a->checked == b->checked && a->value == b->value);
}

static void check_same_external(const struct pmuv3_external *a, const struct pmuv3_external *b) {
  CHECK(a->thread == b->thread && a->ss == b->ss);
  CHECK(a->offset == b->offset && a->value == b->value);
}

/* Only contexts that occurrences use must be the same. */
static void check_same_occurrences(const struct pmuv3_cycle *a, const struct pmuv3_cycle *b) {
  CHECK(a->num_occurrences == b->num_occurrences);
  for (unsigned i = 0; i < a->num_occurrences; i++) {
    const struct pmuv3_occurrence *of_a = &a->occurrences[i];
    const struct pmuv3_context *other_a = &a->other[of_a->thread];
    const struct pmuv3_context *other_b = &b->other[of_a->thread];
    CHECK(memcmp(of_a, &b->occurrences[i], sizeof *of_a) == 0);
    CHECK(other_a->related == other_b->related);
    if (of_a->origin == PMUV3_OTHER || other_a->related)
      CHECK(other_a->el == other_b->el && other_a->ss == other_b->ss);
  }
}

static void check_same_cycle(const struct pmuv3_cycle *a, const struct pmuv3_cycle *b) {
  check_same_occurrences(a, b);
  CHECK(a->has_write == b->has_write);
  for (unsigned t = 0; t < PMUV3_MAX_THREADS; t++) check_same_access(&a->write[t], &b->write[t]);
  CHECK(a->has_external == b->has_external && a->capture == b->capture);
  check_same_external(&a->external, &b->external);
}

static void check_same_item(const struct pmuv3_item *a, const struct pmuv3_item *b) {
  CHECK(a->kind == b->kind && a->thread == b->thread);
  CHECK(a->has_value == b->has_value && a->has_result == b->has_result && a->result == b->result);
  switch (a->kind) {
    case PMUV3_ITEM_IDLE:
      CHECK(a->idle == b->idle);
      break;
    case PMUV3_ITEM_CYCLE:
      check_same_cycle(&a->cycle, &b->cycle);
      break;
    case PMUV3_ITEM_PE:
      CHECK(pmuv3_pe_equal(&a->pe, &b->pe));
      break;
    case PMUV3_ITEM_EXTERNAL_WRITE:
    case PMUV3_ITEM_EXTERNAL_READ:
      check_same_external(&a->external, &b->external);
      break;
    case PMUV3_ITEM_EXPECT_OUTPUT:
      CHECK(a->output.kind == b->output.kind && a->output.level == b->output.level);
      break;
    default:
      check_same_access(&a->access, &b->access);
  }
}

/* Checks that the writer's output reads back to the same items. */
static void check_round_trip(const struct pmuv3_stimulus *stimulus) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  CHECK(out);
  pmuv3_stimulus_write_head(out, &stimulus->params);
  for (size_t i = 0; i < stimulus->num_items; i++)
    pmuv3_stimulus_write_item(out, &stimulus->items[i]);
  fclose(out);

  struct pmuv3_stimulus again;
  char error[ERROR_SIZE] = "";
  bool good = read_bytes(&again, text, size, error);
  if (!good) fprintf(stderr, "what was written is refused: %s\n", error);
  CHECK(good);
  check_same_params(&again.params, &stimulus->params);
  CHECK(again.num_items == stimulus->num_items);
  for (size_t i = 0; i < again.num_items; i++)
    check_same_item(&stimulus->items[i], &again.items[i]);
  pmuv3_stimulus_free(&again);
  free(text);
}

/* Runs an item. The reader knows which accesses are refused. Returns the number of cycles. */
static uint64_t run_item(struct pmuv3 *pmu, const struct pmuv3_item *item, uint64_t max_cycles) {
  static const struct pmuv3_cycle nothing;
  uint64_t value;
  uint32_t word;
  uint64_t cycles = 0;
  switch (item->kind) {
    case PMUV3_ITEM_WRITE:
      CHECK(checked_write(pmu, item->thread, item->access.reg, item->access.value) ==
            PMUV3_ACCESS_OK);
      break;
    case PMUV3_ITEM_READ:
    case PMUV3_ITEM_EXPECT:
      CHECK(checked_read(pmu, item->thread, item->access.reg, &value) == PMUV3_ACCESS_OK);
      break;
    case PMUV3_ITEM_CYCLE:
      checked_tick(pmu, &item->cycle);
      return 1;
    case PMUV3_ITEM_IDLE:
      for (; cycles < item->idle && cycles < max_cycles; cycles++) checked_tick(pmu, &nothing);
      break;
    case PMUV3_ITEM_REFUSED_WRITE:
      CHECK(checked_write(pmu, item->thread, item->access.reg, item->access.value) !=
            PMUV3_ACCESS_OK);
      break;
    case PMUV3_ITEM_REFUSED_READ:
      CHECK(checked_read(pmu, item->thread, item->access.reg, &value) != PMUV3_ACCESS_OK);
      break;
    case PMUV3_ITEM_RESET:
      checked_reset(pmu);
      break;
    case PMUV3_ITEM_PE:
      checked_set_pe(pmu, item->thread, &item->pe);
      break;
    case PMUV3_ITEM_MSR:
      checked_msr(pmu, item->thread, item->access.reg, item->access.value);
      break;
    case PMUV3_ITEM_MRS:
      checked_mrs(pmu, item->thread, item->access.reg, &value);
      break;
    case PMUV3_ITEM_EXTERNAL_WRITE:
      checked_external_write(pmu, &item->external);
      break;
    case PMUV3_ITEM_EXTERNAL_READ:
      checked_external_read(pmu, &item->external, &word);
      break;
    case PMUV3_ITEM_EXPECT_OUTPUT: /* outputs are checked in every cycle */
      break;
    case PMUV3_NUM_ITEM_KINDS:
      CHECK(!"in a file");
  }
  return cycles;
}

static void run(const struct pmuv3_stimulus *stimulus) {
  struct pmuv3 pmu;
  uint64_t cycles = 0;
  checked_init(&pmu, &stimulus->params);
  for (size_t i = 0; i < stimulus->num_items && cycles < MAX_CYCLES; i++)
    cycles += run_item(&pmu, &stimulus->items[i], MAX_CYCLES - cycles);
  check_derived(&pmu);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct pmuv3_stimulus stimulus;
  char error[ERROR_SIZE] = "";
  if (size == 0) return 0; /* fmemopen needs at least one byte */
  if (!read_bytes(&stimulus, data, size, error)) {
    check_error(error, data, size);
    return 0;
  }
  check_round_trip(&stimulus);
  run(&stimulus);
  pmuv3_stimulus_free(&stimulus);
  return 0;
}
