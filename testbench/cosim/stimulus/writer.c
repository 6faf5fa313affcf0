/* The writer of stimulus files: what it writes, the reader reads back to the same items. */
#include <inttypes.h>
#include <string.h>

#include "testbench/cosim/stimulus/events_text.h"
#include "testbench/cosim/stimulus/stimulus.h"

const char *pmuv3_security_state_name(enum pmuv3_security_state ss) {
  static const char *const names[] = {
      [PMUV3_NS] = "NS", [PMUV3_S] = "S", [PMUV3_RL] = "RL", [PMUV3_RT] = "RT"};
  return names[ss];
}

const char *pmuv3_result_name(enum pmuv3_result result) {
  static const char *const names[] = {[PMUV3_DONE] = "done",
                                      [PMUV3_UNDEFINED] = "undefined",
                                      [PMUV3_TRAP_EL1] = "el1",
                                      [PMUV3_TRAP_EL2] = "el2",
                                      [PMUV3_TRAP_EL3] = "el3"};
  return names[result];
}

const char *pmuv3_result_text(enum pmuv3_result result, uint32_t syndrome, uint32_t mask,
                              char text[32]) {
  char ec[8] = "", iss[16] = "";
  if (mask & PMUV3_SYNDROME_EC) snprintf(ec, sizeof ec, "/ec0x%02x", (unsigned)(syndrome >> 26));
  if (mask & PMUV3_SYNDROME_ISS)
    snprintf(iss, sizeof iss, "/iss0x%" PRIx32, syndrome & PMUV3_SYNDROME_ISS);
  snprintf(text, 32, "%s%s%s", pmuv3_result_name(result), ec, iss);
  return text;
}

const char *pmuv3_external_result_name(bool is_error) {
  return is_error ? "error" : "done";
}

static const struct {
  const char *name;
  uint64_t max;
} outputs[PMUV3_NUM_OUTPUTS] = {
    [PMUV3_OUTPUT_PMUIRQ] = {"PMUIRQ", 1},
    [PMUV3_OUTPUT_CTI] = {"CTI", 1},
    [PMUV3_OUTPUT_EXCEPTION] = {"EXCEPTION", 15},
    [PMUV3_OUTPUT_HALT] = {"HALT", 1},
    [PMUV3_OUTPUT_BRBE] = {"BRBE", 3},
    [PMUV3_OUTPUT_PULSES] = {"PULSES", UINT64_C(0x1FFFFFFFF)},
};

const char *pmuv3_output_name(enum pmuv3_output_kind output) {
  return outputs[output].name;
}

uint64_t pmuv3_output_max(enum pmuv3_output_kind output) {
  return outputs[output].max;
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
#define PMUV3_IDENTITY(name, dflt, mask, bits, text) \
  fprintf(out, " " #name "=0x%" PRIx64, params->name);
#include "pmuv3/params.def"
  fputs("\nparam", out);
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) \
  write_choice(out, name, values, params->id);
#include "pmuv3/params.def"
  fputc('\n', out);
  if (!pmuv3_events_are_default(&params->events)) {
    fputs("param ", out);
    pmuv3_events_write(out, &params->events, "\nparam ");
    fputc('\n', out);
  }
  write_features(out, params);
}

/* ---- Items ---- */

/* "@T" and what is between it and what follows; nothing for thread 0. */
static void write_thread(FILE *out, unsigned thread, const char *end) {
  if (thread > 0) fprintf(out, "@%u%s", thread, end);
}

/* A keyword, the thread and the register of an access. */
static void write_register(FILE *out, const char *keyword, const struct pmuv3_item *item) {
  char name[24];
  fprintf(out, "%s ", keyword);
  write_thread(out, item->thread, " ");
  fputs(pmuv3_register_name(item->access.reg, name), out);
}

static void write_access(FILE *out, const char *keyword, const struct pmuv3_item *item) {
  write_register(out, keyword, item);
  fprintf(out, " 0x%" PRIx64 "\n", item->access.value);
}

static void write_read(FILE *out, const char *keyword, const struct pmuv3_item *item) {
  write_register(out, keyword, item);
  fputc('\n', out);
}

/* A checked access up to its value, which a read has only where it is expected, and its result. */
static void write_checked(FILE *out, const struct pmuv3_item *item) {
  bool is_write = item->kind == PMUV3_ITEM_MSR;
  write_register(out, is_write ? "msr" : "mrs", item);
  if (is_write || item->has_value) fprintf(out, " 0x%" PRIx64, item->access.value);
  char text[32];
  if (item->has_result)
    fprintf(out, " %s",
            pmuv3_result_text((enum pmuv3_result)item->result, item->syndrome.bits,
                              item->syndrome.mask, text));
  fputc('\n', out);
}

/* Likewise one of the external view. */
static void write_external(FILE *out, const struct pmuv3_item *item) {
  const struct pmuv3_external *external = &item->external;
  bool is_write = item->kind == PMUV3_ITEM_EXTERNAL_WRITE;
  fputs(is_write ? "extw " : "extr ", out);
  write_thread(out, item->thread, " ");
  fprintf(out, "%s 0x%03x", pmuv3_security_state_name((enum pmuv3_security_state)external->ss),
          (unsigned)external->offset);
  if (is_write || item->has_value) fprintf(out, " 0x%" PRIx32, external->value);
  if (item->has_result) fprintf(out, " %s", pmuv3_external_result_name(item->result));
  fputc('\n', out);
}

static void write_expected_output(FILE *out, const struct pmuv3_item *item) {
  fputs("expect ", out);
  write_thread(out, item->thread, " ");
  fprintf(out, "%s %" PRIu64 "\n", pmuv3_output_name((enum pmuv3_output_kind)item->output.kind),
          item->output.level);
}

static void write_pe(FILE *out, const struct pmuv3_item *item) {
  const struct pmuv3_pe *pe = &item->pe;
  fprintf(out, "pe %u el=%u ss=%s", (unsigned)item->thread, (unsigned)pe->el,
          pmuv3_security_state_name((enum pmuv3_security_state)pe->ss));
#define PMUV3_PE_FLAG(name, text) fprintf(out, " " #name "=%d", pe->name);
#include "pmuv3/pe.def"
  fprintf(out, " fgt=0x%" PRIx64 "\n", pe->fgt);
}

static void write_context(FILE *out, char mark, const struct pmuv3_context *context) {
  fprintf(out, "%cel%u,%s", mark, (unsigned)context->el,
          pmuv3_security_state_name((enum pmuv3_security_state)context->ss));
}

static void write_occurrence(FILE *out, const struct pmuv3_cycle *cycle,
                             const struct pmuv3_occurrence *occurrence) {
  const struct pmuv3_context *other = &cycle->other[occurrence->thread];
  fprintf(out, " 0x%04x:%u", (unsigned)occurrence->event, (unsigned)occurrence->count);
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

static void write_capture(FILE *out, unsigned thread) {
  fputs(" capture", out);
  write_thread(out, thread, "");
}

/* A thread's register write in the clock of a cycle. */
static void write_inline(FILE *out, unsigned thread, const struct pmuv3_write *write) {
  char name[24];
  fputc(' ', out);
  write_thread(out, thread, ":");
  fprintf(out, "%s%s=0x%" PRIx64, write->checked ? "msr:" : "",
          pmuv3_register_name(write->reg, name), write->value);
}

static void write_inline_external(FILE *out, const struct pmuv3_external *external) {
  fputc(' ', out);
  write_thread(out, external->thread, ":");
  fprintf(out, "ext.%s:0x%03x=0x%" PRIx32,
          pmuv3_security_state_name((enum pmuv3_security_state)external->ss),
          (unsigned)external->offset, external->value);
}

static void write_cycle(FILE *out, const struct pmuv3_cycle *cycle,
                        const struct pmuv3_expected_ends *expected) {
  fputs("cycle", out);
  for (unsigned i = 0; i < cycle->num_occurrences; i++)
    write_occurrence(out, cycle, &cycle->occurrences[i]);
  for (unsigned t = 0; t < PMUV3_MAX_THREADS; t++)
    if (cycle->capture >> t & 1) write_capture(out, t);
  for (unsigned t = 0; t < PMUV3_MAX_THREADS; t++)
    if (cycle->has_write >> t & 1) {
      write_inline(out, t, &cycle->write[t]);
      char text[32];
      if (expected->known >> t & 1)
        fprintf(out, "/%s",
                pmuv3_result_text((enum pmuv3_result)expected->ends.result[t],
                                  expected->ends.syndrome[t], expected->syndrome_mask[t], text));
    }
  if (cycle->has_external) {
    write_inline_external(out, &cycle->external);
    if (expected->known >> PMUV3_MAX_THREADS & 1)
      fprintf(out, "/%s", pmuv3_external_result_name(expected->ends.external_error));
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
      write_cycle(out, &item->cycle, &item->expected);
      break;
    case PMUV3_ITEM_IDLE:
      fprintf(out, "idle %" PRIu64 "\n", item->idle);
      break;
    case PMUV3_ITEM_REFUSED_WRITE:
      write_access(out, "refused write", item);
      break;
    case PMUV3_ITEM_REFUSED_READ:
      write_read(out, "refused read", item);
      break;
    case PMUV3_ITEM_RESET:
      fputs("reset\n", out);
      break;
    case PMUV3_ITEM_PE:
      write_pe(out, item);
      break;
    case PMUV3_ITEM_MSR:
    case PMUV3_ITEM_MRS:
      write_checked(out, item);
      break;
    case PMUV3_ITEM_EXTERNAL_WRITE:
    case PMUV3_ITEM_EXTERNAL_READ:
      write_external(out, item);
      break;
    case PMUV3_ITEM_EXPECT_OUTPUT:
      write_expected_output(out, item);
      break;
    case PMUV3_ITEM_READ:
      write_read(out, "read", item);
      break;
    case PMUV3_NUM_ITEM_KINDS:
      break;
  }
}
