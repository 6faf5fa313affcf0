#include "testbench/prove/equivalence/cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUM_ENCODINGS = 1 << 16, PAGE_SIZE = 1 << 12, MAX_PAGES = 4, NAME_SIZE = 24 };

static void add(struct cases *cases, bool cycle, enum model_access access, unsigned thread,
                unsigned place) {
  cases->cases = realloc(cases->cases, (cases->num_cases + 1) * sizeof *cases->cases);
  if (cases->cases == NULL) abort();
  cases->cases[cases->num_cases++] = (struct model_case){
      .cycle = cycle, .access = access, .thread = thread, .place = (uint16_t)place};
}

/* In a clock that is a Processor cycle, and in one that is none. */
static void add_both(struct cases *cases, enum model_access access, unsigned thread,
                     unsigned place) {
  add(cases, true, access, thread, place);
  add(cases, false, access, thread, place);
}

/* ---- Registers ---- */

static bool is_in_sample(unsigned reg) {
  static const uint16_t sample[] = {PMUV3_PMCR,      PMUV3_PMOVSCLR, PMUV3_PMSWINC, PMUV3_MDCR_EL2,
                                    PMUV3_PMEVTYPER, PMUV3_PMEVCNTR, PMUV3_PMZR,    PMUV3_PMICNTR};
  for (size_t s = 0; s < sizeof sample / sizeof *sample; s++)
    if (sample[s] == reg) return true;
  return false;
}

static void add_unknown(struct cases *cases, enum model_access access, unsigned thread) {
  for (int cycle = 0; cycle < 2; cycle++) {
    add(cases, cycle, access, thread, 0);
    cases->cases[cases->num_cases - 1].is_unknown = true;
  }
}

/* For each value of PMSELR_EL0, if that says which register it is. */
static void add_register(struct cases *cases, enum model_access access, unsigned thread,
                         unsigned reg) {
  const unsigned number = model_is_selected((uint16_t)reg) ? PMUV3_MAX_COUNTERS + 1 : 1;
  for (unsigned sel = 0; sel < number; sel++) {
    const size_t first = cases->num_cases;
    add_both(cases, access, thread, reg);
    for (size_t c = first; c < cases->num_cases; c++) cases->cases[c].sel = (uint8_t)sel;
  }
}

static void add_registers(struct cases *cases, unsigned threads, enum case_set set) {
  for (unsigned reg = 0; reg < NUM_ENCODINGS; reg++) {
    if (!model_knows_register((uint16_t)reg) || (set == CASES_CI && !is_in_sample(reg))) continue;
    for (unsigned t = 0; t < threads; t++) {
      add_register(cases, MODEL_WRITE, t, reg);
      add_register(cases, MODEL_READ, t, reg);
    }
  }
  for (unsigned t = 0; t < threads; t++) {
    add_unknown(cases, MODEL_WRITE, t);
    add_unknown(cases, MODEL_READ, t);
  }
}

/* ---- The external page ---- */

static bool is_of(unsigned offset, unsigned base, unsigned stride, unsigned size) {
  if (base > PAGE_SIZE || offset < base) return false;
  if (stride == 0) return offset - base < size;
  return (offset - base) % stride < size && (offset - base) / stride < PMUV3_MAX_COUNTERS;
}

/* Whether some register may be there. */
static bool is_used(enum model_layout layout, unsigned offset) {
#define PMUV3_EXTERNAL(id, name, lo32, hi32, off64, stride32, stride64, access, domain, present,   \
                       high, text)                                                                 \
  if (layout == MODEL_EXT32 ? is_of(offset, lo32, stride32, 4) || is_of(offset, hi32, stride32, 4) \
                            : is_of(offset, off64, stride64, 8))                                   \
    return true;
#include "pmuv3/external.def"
  return false;
}

static bool is_offset_in_sample(unsigned offset) {
  return offset == 0x000 || offset == 0x400 || offset == 0xC80 || offset == 0xE58;
}

static void add_transfer(struct cases *cases, enum model_layout layout, unsigned page,
                         unsigned offset) {
  const size_t first = cases->num_cases;
  add_both(cases, MODEL_TRANSFER, page, offset);
  for (size_t c = first; c < cases->num_cases; c++) cases->cases[c].layout = layout;
}

static bool is_wanted(enum case_set set, enum model_layout layout, unsigned offset) {
  if (set == CASES_ALL) return true;
  if (set == CASES_CI) return layout != MODEL_NO_PAGE && is_offset_in_sample(offset);
  return layout == MODEL_NO_PAGE ? offset == 0 : is_used(layout, offset);
}

/* Words of the threads' pages; any place in others. */
static void add_transfers(struct cases *cases, unsigned threads, enum case_set set) {
  for (int l = 0; l < MODEL_LAYOUTS; l++) {
    const enum model_layout layout = (enum model_layout)l;
    for (unsigned offset = 0; offset < PAGE_SIZE; offset += 4)
      for (unsigned t = 0; t < threads && is_wanted(set, layout, offset); t++)
        add_transfer(cases, layout, t, offset);
    for (unsigned page = threads; page < MAX_PAGES; page++) add_transfer(cases, layout, page, 0);
  }
}

/* A write that waits for the cycle in which a write of the page waits, too. */
static void add_waits(struct cases *cases, unsigned threads) {
  for (unsigned t = 0; t < threads; t++) {
    add(cases, false, MODEL_WAIT, t, PMUV3_PMCNTENCLR);
    add(cases, false, MODEL_WAIT, t, PMUV3_PMSWINC);
  }
}

static void add_resets(struct cases *cases, unsigned threads) {
  add(cases, false, MODEL_RESET, 0, 0);
  add(cases, false, MODEL_COLD_RESET, 0, 0);
  for (unsigned t = 0; t < threads; t++) add(cases, false, MODEL_SET_PE, t, 0);
}

const char *case_set_name(enum case_set set) {
  static const char *const names[CASE_SETS] = {"ci", "standard", "large", "all"};
  return names[set];
}

struct cases cases_of(struct size size, enum case_set set) {
  struct cases cases = {0};
  for (unsigned idle = 0; idle < MODEL_IDLES; idle++) add_both(&cases, MODEL_NO_ACCESS, 0, idle);
  add_resets(&cases, size.threads);
  add_registers(&cases, size.threads, set);
  add_transfers(&cases, size.threads, set);
  add_waits(&cases, size.threads);
  return cases;
}

void cases_free(struct cases *cases) {
  free(cases->cases);
}

void case_name(const struct model_case *which, char *text, size_t size) {
  static const char *const layouts[] = {"no page", "EXT32", "EXT64"};
  static const char *const idle[] = {"idle", "APB set up", "APB without a clock"};
  const char *cycle = which->cycle ? ", cycle" : "";
  char name[NAME_SIZE], sel[NAME_SIZE] = "";
  if (which->is_unknown)
    strcpy(name, "an unknown register");
  else
    pmuv3_register_name(which->place, name);
  if (!which->is_unknown && model_is_selected(which->place))
    snprintf(sel, sizeof sel, ", SEL %u", which->sel);
  switch (which->access) {
    case MODEL_NO_ACCESS:
      snprintf(text, size, "%s%s", idle[which->place], cycle);
      break;
    case MODEL_READ:
      snprintf(text, size, "t%u reads %s%s%s", which->thread, name, sel, cycle);
      break;
    case MODEL_WRITE:
      snprintf(text, size, "t%u writes %s%s%s", which->thread, name, sel, cycle);
      break;
    case MODEL_TRANSFER:
      snprintf(text, size, "%s, page %u offset 0x%03X%s", layouts[which->layout], which->thread,
               which->place, cycle);
      break;
    case MODEL_RESET:
      snprintf(text, size, "reset");
      break;
    case MODEL_COLD_RESET:
      snprintf(text, size, "cold reset");
      break;
    case MODEL_SET_PE:
      snprintf(text, size, "t%u changes its state", which->thread);
      break;
    case MODEL_WAIT:
      snprintf(text, size, "t%u writes %s while its page waits", which->thread, name);
      break;
  }
}
