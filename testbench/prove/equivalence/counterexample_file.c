#include "testbench/prove/equivalence/counterexample_file.h"

#include <stdarg.h>
#include <string.h>

void file_differs(struct file *file, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("# Differs: ", file->out);
  vfprintf(file->out, format, args);
  fputc('\n', file->out);
  va_end(args);
  file->exact = false;
}

static void idle(struct pmuv3 *pmu, uint64_t cycles) {
  const struct pmuv3_cycle nothing = {0};
  for (; cycles > 0; cycles--) pmuv3_tick(pmu, &nothing);
}

bool file_is_pmswinc(uint16_t reg) {
  return reg == PMUV3_PMSWINC || reg == PMUV3_PMSWINC_AA32;
}

static void count_increments(struct file *file, const struct pmuv3_item *item) {
  if (!file_is_pmswinc(item->access.reg) || item->result != PMUV3_DONE) return;
  if (file->now.pe[item->thread].halted) return;
  for (unsigned n = 0; n < file->now.params.counters; n++)
    if (item->access.value >> n & 1) file->increments[item->thread][n]++;
}

bool file_waits(const struct file *file, unsigned t) {
  for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++)
    if (file->increments[t][n] != 0) return true;
  return false;
}

void file_put(struct file *file, const struct pmuv3_item *item) {
  const struct pmuv3_external *external = &item->external;
  struct pmuv3 *pmu = &file->now;
  pmuv3_stimulus_write_item(file->out, item);
  switch (item->kind) {
    case PMUV3_ITEM_WRITE:
      count_increments(file, item);
      pmuv3_write(pmu, item->thread, item->access.reg, item->access.value);
      break;
    case PMUV3_ITEM_MSR:
      count_increments(file, item);
      pmuv3_msr(pmu, item->thread, item->access.reg, item->access.value);
      break;
    case PMUV3_ITEM_EXTERNAL_WRITE:
      pmuv3_external_write(pmu, item->thread, (enum pmuv3_security_state)external->ss,
                           external->offset, external->value);
      break;
    case PMUV3_ITEM_PE:
      pmuv3_set_pe(pmu, item->thread, &item->pe);
      break;
    case PMUV3_ITEM_RESET:
      memset(file->increments, 0, sizeof file->increments);
      pmuv3_reset(pmu);
      break;
    case PMUV3_ITEM_IDLE:
      memset(file->increments, 0, sizeof file->increments);
      idle(pmu, item->idle);
      break;
    case PMUV3_ITEM_CYCLE:
      memset(file->increments, 0, sizeof file->increments);
      pmuv3_tick(pmu, &item->cycle);
      break;
    default: /* changes nothing */
      break;
  }
}

void file_put_write(struct file *file, unsigned t, uint16_t reg, uint64_t written) {
  file_put(file, &(struct pmuv3_item){.kind = PMUV3_ITEM_WRITE,
                                      .thread = (uint8_t)t,
                                      .access = {.reg = reg, .value = written}});
}

void file_put_read(struct file *file, unsigned t, const struct step_access *access) {
  struct pmuv3_item item = {.kind = PMUV3_ITEM_EXPECT,
                            .thread = (uint8_t)t,
                            .access = {.reg = access->reg, .checked = access->checked}};
  uint64_t *read = &item.access.value;
  if (access->checked) {
    item.kind = PMUV3_ITEM_MRS;
    item.has_result = true;
    item.result = (uint8_t)pmuv3_mrs(&file->now, t, access->reg, read);
    item.has_value = item.result == PMUV3_DONE;
  } else if (pmuv3_read(&file->now, t, access->reg, read) != PMUV3_ACCESS_OK) {
    item.kind = PMUV3_ITEM_REFUSED_READ;
  }
  file_put(file, &item);
}

void file_put_expect(struct file *file, unsigned t, uint16_t reg) {
  file_put_read(file, t, &(struct step_access){.reg = reg});
}

void file_put_idle(struct file *file, uint64_t cycles) {
  file_put(file, &(struct pmuv3_item){.kind = PMUV3_ITEM_IDLE, .idle = cycles});
}

void file_put_pe(struct file *file, unsigned t, const struct pmuv3_pe *pe) {
  if (pmuv3_pe_equal(&file->now.pe[t], pe)) return;
  file_put(file, &(struct pmuv3_item){.kind = PMUV3_ITEM_PE, .thread = (uint8_t)t, .pe = *pe});
}

void file_put_external(struct file *file, unsigned t, uint16_t offset, uint64_t word) {
  file_put(file, &(struct pmuv3_item){
                     .kind = PMUV3_ITEM_EXTERNAL_WRITE,
                     .thread = (uint8_t)t,
                     .external = {(uint8_t)t, (uint8_t)pmuv3_el3_state(&file->now.params), offset,
                                  (uint32_t)word}});
}

void file_set(struct file *file, unsigned t, uint16_t reg, uint64_t to) {
  uint64_t is;
  if (pmuv3_read(&file->now, t, reg, &is) != PMUV3_ACCESS_OK) return;
  if (is != to) file_put_write(file, t, reg, to);
}

void file_set_bits(struct file *file, unsigned t, uint16_t set_reg, uint16_t clear_reg,
                   uint64_t to) {
  uint64_t is;
  pmuv3_read(&file->now, t, set_reg, &is);
  if ((is & ~to) != 0) file_put_write(file, t, clear_reg, is & ~to);
  if ((to & ~is) != 0) file_put_write(file, t, set_reg, to & ~is);
}
