/* The writer of stimulus files: what it writes, the reader reads back to the same items. */
#include <inttypes.h>
#include <string.h>

#include "testbench/stimulus/stimulus.h"

static void write_features(FILE *out, const struct pmuv3_params *params) {
  const char *separator = "param features=";
  for (unsigned f = 0; f < PMUV3_NUM_FEATURES; f++) {
    if (!pmuv3_has(params, (enum pmuv3_feature)f)) continue;
    fprintf(out, "%s%s", separator, pmuv3_feature_name((enum pmuv3_feature)f));
    separator = ",";
  }
  fputs(params->features ? "\n" : "param features=none\n", out);
}

void pmuv3_stimulus_write_head(FILE *out, const struct pmuv3_params *params) {
  fputs("pmuv3-stimulus 1\nparam", out);
#define PMUV3_PARAM(name, dflt, min, max, bits, text) \
  fprintf(out, " " #name "=%u", (unsigned)params->name);
#include "pmuv3/params.def"
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) \
  fprintf(out, " " name "=%c", values[params->id]);
#include "pmuv3/params.def"
  fputc('\n', out);
  write_features(out, params);
}

static void write_access(FILE *out, const char *keyword, const struct pmuv3_write *access) {
  char name[24];
  fprintf(out, "%s %s 0x%" PRIx64 "\n", keyword, pmuv3_register_name(access->reg, name),
          access->value);
}

static void write_cycle(FILE *out, const struct pmuv3_cycle *cycle) {
  fputs("cycle", out);
  for (unsigned i = 0; i < cycle->num_occurrences; i++) {
    const struct pmuv3_occurrence *occurrence = &cycle->occurrences[i];
    fprintf(out, " 0x%04x:%u", (unsigned)pmuv3_event_number((enum pmuv3_event)occurrence->event),
            (unsigned)occurrence->count);
  }
  if (cycle->has_write) {
    char name[24];
    fprintf(out, " %s=0x%" PRIx64, pmuv3_register_name(cycle->write.reg, name), cycle->write.value);
  }
  fputc('\n', out);
}

void pmuv3_stimulus_write_item(FILE *out, const struct pmuv3_item *item) {
  char name[24];
  switch (item->kind) {
    case PMUV3_ITEM_WRITE:
      write_access(out, "write", &item->access);
      break;
    case PMUV3_ITEM_EXPECT:
      write_access(out, "expect", &item->access);
      break;
    case PMUV3_ITEM_CYCLE:
      write_cycle(out, &item->cycle);
      break;
    case PMUV3_ITEM_IDLE:
      fprintf(out, "idle %" PRIu64 "\n", item->idle);
      break;
    case PMUV3_ITEM_REFUSED_WRITE:
      write_access(out, "refused write", &item->access);
      break;
    case PMUV3_ITEM_REFUSED_READ:
      fprintf(out, "refused read %s\n", pmuv3_register_name(item->access.reg, name));
      break;
    case PMUV3_ITEM_RESET:
      fputs("reset\n", out);
      break;
    case PMUV3_ITEM_READ: /* only compared, not expected to give a certain value */
      break;
  }
}
