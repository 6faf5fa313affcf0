/*
 * What pmuv3-derive makes, and the single sources (*.def) as tables for it.
 */
#ifndef PMUV3_DERIVE_H
#define PMUV3_DERIVE_H

#include <stdbool.h>
#include <stddef.h>

#include "pmuv3/events.h"

/* Each prints one file. */
void derive_rtl(void);
void derive_parameters(void);
void derive_events(void);
void derive_registers(void);
void derive_external_map(void);
void derive_ipxact(void);

/* A part of derive_rtl: macros of the probe. */
void derive_rtl_probe(void);

struct derive_field {
  const char *reg; /* its register's id */
  const char *name;
  unsigned msb;
  unsigned lsb;
  const char *access;
  const char *present;
  const char *reset; /* NULL: derive_reset says it */
};

/* Of the external view: external.def. Offsets are NO_OFFSET where a layout has none. */
struct derive_external {
  const char *id;
  const char *name;
  unsigned lo32;
  unsigned hi32;
  unsigned off64;
  unsigned stride32; /* of <n>; 0: not of a counter */
  unsigned stride64;
  const char *access;
  const char *domain;
  const char *present;
  const char *high;
  const char *text;
};

#define NO_OFFSET 0xFFFFu

extern const struct derive_external derive_externals[];
extern const size_t derive_num_externals;

/* The field after `field`, or the first one, of a register in the System registers' view. NULL: no
 * further one. */
const struct derive_field *derive_next_field(const char *reg, const struct derive_field *field);

/* Likewise in the external view, whose PMCR_EL0 has no IMP, IDCODE and N, and whose PMCNTEN,
 * PMINTEN and PMOVS have the fields of the SET registers. */
const struct derive_field *derive_next_external_field(const char *reg,
                                                      const struct derive_field *field);

/* To what a field resets, or what a read-only one reads: a number, or words. "" of a write-only
 * one.
 */
const char *derive_reset(const struct derive_field *field);

/* Whether a register of the external view has 64 bits with EXT64. */
bool derive_has_high_half64(const struct derive_external *external);

/* "P5_AA64" -> "PMUv3p5 and AArch64"; "ALWAYS" -> "always". */
const char *derive_present_text(const char *present);

/* "PMEVCNTR%u_EL0" -> "PMEVCNTR", what stands for n, "_EL0". */
void derive_print_name(const char *name, const char *n);

#endif
