/* The writer of stimulus files: what it writes, the reader reads back to the same items. */
#include <inttypes.h>
#include <string.h>

#include "testbench/stimulus/stimulus.h"

const char *pmuv3_security_state_name(enum pmuv3_security_state ss) {
  static const char *const names[] = {
      [PMUV3_NS] = "NS", [PMUV3_S] = "S", [PMUV3_RL] = "RL", [PMUV3_RT] = "RT"};
  return names[ss];
}

/* ---- The first lines ---- */

static void write_features(FILE *out, const struct pmuv3_params *params) {
  const char *separator = "param features=";
  for (unsigned f = 0; f < PMUV3_NUM_FEATURES; f++) {
    if (!pmuv3_has(params, (enum pmuv3_feature)f)) continue;
    fprintf(out, "%s%s", separator, pmuv3_feature_name((enum pmuv3_feature)f));
    separator = ",";
  }
  fputs(params->features ? "\n" : "param features=none\n", out);
}

/* A choice as its word, which is the one with that index in words with | between. */
static void write_choice(FILE *out, const char *name, const char *words, unsigned index) {
  for (; index > 0; index--) words += strcspn(words, "|") + 1;
  fprintf(out, " %s=%.*s", name, (int)strcspn(words, "|"), words);
}

void pmuv3_stimulus_write_head(FILE *out, const struct pmuv3_params *params) {
  fputs("pmuv3-stimulus 1\nparam", out);
#define PMUV3_PARAM(name, dflt, min, max, bits, text) \
  fprintf(out, " " #name "=%u", (unsigned)params->name);
#include "pmuv3/params.def"
  fputs("\nparam", out);
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) \
  write_choice(out, name, values, params->id);
#include "pmuv3/params.def"
  fputc('\n', out);
  write_features(out, params);
}

/* ---- Items ---- */

/* "@T" and what is between it and what follows; nothing for thread 0. */
static void write_thread(FILE *out, unsigned thread, const char *end) {
  if (thread > 0) fprintf(out, "@%u%s", thread, end);
}

static void write_access(FILE *out, const char *keyword, const struct pmuv3_item *item) {
  char name[24];
  fprintf(out, "%s ", keyword);
  write_thread(out, item->thread, " ");
  fprintf(out, "%s 0x%" PRIx64 "\n", pmuv3_register_name(item->access.reg, name),
          item->access.value);
}

static void write_refused_read(FILE *out, const struct pmuv3_item *item) {
  char name[24];
  fputs("refused read ", out);
  write_thread(out, item->thread, " ");
  fprintf(out, "%s\n", pmuv3_register_name(item->access.reg, name));
}

static void write_pe(FILE *out, const struct pmuv3_item *item) {
  const struct pmuv3_pe *pe = &item->pe;
  fprintf(out, "pe %u el=%u ss=%s", (unsigned)item->thread, (unsigned)pe->el,
          pmuv3_security_state_name((enum pmuv3_security_state)pe->ss));
#define FLAG(flag) fprintf(out, " " #flag "=%d", pe->flag);
  PMUV3_PE_FLAGS(FLAG)
#undef FLAG
  fputc('\n', out);
}

static void write_context(FILE *out, char mark, const struct pmuv3_context *context) {
  fprintf(out, "%cel%u,%s", mark, (unsigned)context->el,
          pmuv3_security_state_name((enum pmuv3_security_state)context->ss));
}

static void write_occurrence(FILE *out, const struct pmuv3_cycle *cycle,
                             const struct pmuv3_occurrence *occurrence) {
  const struct pmuv3_context *other = &cycle->other[occurrence->thread];
  fprintf(out, " 0x%04x:%u", (unsigned)pmuv3_event_number((enum pmuv3_event)occurrence->event),
          (unsigned)occurrence->count);
  write_thread(out, occurrence->thread, "");
  switch (occurrence->origin) {
    case PMUV3_OTHER:
      write_context(out, '/', other);
      break;
    case PMUV3_UNATTRIBUTABLE:
      fputs("/unattr", out);
      if (other->related) write_context(out, ',', other);
      break;
    case PMUV3_DEBUGGER:
      fputs("/dbg", out);
      break;
    default: /* PMUV3_CURRENT is where nothing is said */
      break;
  }
}

static void write_cycle(FILE *out, const struct pmuv3_cycle *cycle) {
  fputs("cycle", out);
  for (unsigned i = 0; i < cycle->num_occurrences; i++)
    write_occurrence(out, cycle, &cycle->occurrences[i]);
  for (unsigned t = 0; t < PMUV3_MAX_THREADS; t++) {
    char name[24];
    if (!(cycle->has_write >> t & 1)) continue;
    fputc(' ', out);
    write_thread(out, t, ":");
    fprintf(out, "%s=0x%" PRIx64, pmuv3_register_name(cycle->write[t].reg, name),
            cycle->write[t].value);
  }
  fputc('\n', out);
}

void pmuv3_stimulus_write_item(FILE *out, const struct pmuv3_item *item) {
  switch (item->kind) {
    case PMUV3_ITEM_WRITE:
      write_access(out, "write", item);
      break;
    case PMUV3_ITEM_EXPECT:
      write_access(out, "expect", item);
      break;
    case PMUV3_ITEM_CYCLE:
      write_cycle(out, &item->cycle);
      break;
    case PMUV3_ITEM_IDLE:
      fprintf(out, "idle %" PRIu64 "\n", item->idle);
      break;
    case PMUV3_ITEM_REFUSED_WRITE:
      write_access(out, "refused write", item);
      break;
    case PMUV3_ITEM_REFUSED_READ:
      write_refused_read(out, item);
      break;
    case PMUV3_ITEM_RESET:
      fputs("reset\n", out);
      break;
    case PMUV3_ITEM_PE:
      write_pe(out, item);
      break;
    case PMUV3_ITEM_READ: /* only compared, not expected to give a certain value */
      break;
  }
}
