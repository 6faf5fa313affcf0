/*
 * pmuv3-derive ipxact: docs/reference/pmuv3.ipxact.xml, the external view as an IEEE 1685-2014
 * component: a memory map for each layout.
 *
 * With EXT32 a register of 64 bits is two of 32, NAME_LO and NAME_HI; where those of <n> alternate,
 * they are an array of register files, since an array of registers has no gaps in IP-XACT.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "derive.h"
#include "pmuv3/params.h"

/* A part of a register that is a register of the map: `bits` of it from lsb. */
struct part {
  const char *suffix;
  unsigned lsb;
  unsigned bits;
  unsigned offset;
};

/* ---- Elements ---- */

static void print_indent(unsigned depth) {
  printf("%*s", (int)(2 * depth), "");
}

static void open_element(unsigned depth, const char *name) {
  print_indent(depth);
  printf("<ipxact:%s>\n", name);
}

static void close_element(unsigned depth, const char *name) {
  print_indent(depth);
  printf("</ipxact:%s>\n", name);
}

/* `text` has none of & < >. */
static void print_element(unsigned depth, const char *name, const char *text) {
  print_indent(depth);
  printf("<ipxact:%s>%s</ipxact:%s>\n", name, text, name);
}

static void print_number(unsigned depth, const char *name, unsigned number) {
  print_indent(depth);
  printf("<ipxact:%s>%u</ipxact:%s>\n", name, number, name);
}

static void print_offset(unsigned depth, const char *name, unsigned offset) {
  print_indent(depth);
  printf("<ipxact:%s>'h%03X</ipxact:%s>\n", name, offset, name);
}

static void print_access(unsigned depth, const char *access) {
  print_element(depth, "access",
                strcmp(access, "RO") == 0   ? "read-only"
                : strcmp(access, "WO") == 0 ? "write-only"
                                            : "read-write");
}

/* ---- Fields ---- */

/* One to set, one to clear: registers whose writes do not replace what they read. */
static const char *write_effect(const char *reg) {
  static const char *const effect[][2] = {
      {"PMCNTENSET", "oneToSet"},   {"PMINTENSET", "oneToSet"},   {"PMOVSSET", "oneToSet"},
      {"PMCNTENCLR", "oneToClear"}, {"PMINTENCLR", "oneToClear"}, {"PMOVSCLR", "oneToClear"},
  };
  for (size_t i = 0; i < sizeof effect / sizeof *effect; i++)
    if (strcmp(reg, effect[i][0]) == 0) return effect[i][1];
  return NULL;
}

/* What a field resets to where that is a number: "0x3F", "1 (Cold reset)". */
static void print_reset(unsigned depth, const struct derive_field *field, const struct part *part) {
  char *end;
  unsigned long value = strtoul(derive_reset(field), &end, 0);
  if (end == derive_reset(field)) return;
  if (*end && strcmp(end, " (Cold reset)") != 0) return;
  if (field->lsb < part->lsb) value = 0; /* the rest of a field that begins in the low half */

  open_element(depth, "resets");
  open_element(depth + 1, "reset");
  print_indent(depth + 2);
  printf("<ipxact:value>'h%lX</ipxact:value>\n", value);
  close_element(depth + 1, "reset");
  close_element(depth, "resets");
}

static void print_field(unsigned depth, const char *reg, const struct derive_field *field,
                        const struct part *part) {
  const unsigned top = part->lsb + part->bits - 1;
  const unsigned msb = field->msb < top ? field->msb : top;
  const unsigned lsb = field->lsb > part->lsb ? field->lsb : part->lsb;
  const char *const present = derive_present_text(field->present);
  const char *const effect = write_effect(reg);

  open_element(depth, "field");
  print_element(depth + 1, "name", field->name);
  if (strcmp(present, "always") != 0) {
    print_indent(depth + 1);
    printf("<ipxact:description>Present: %s.</ipxact:description>\n", present);
  }
  print_number(depth + 1, "bitOffset", lsb - part->lsb);
  print_reset(depth + 1, field, part);
  print_number(depth + 1, "bitWidth", msb - lsb + 1);
  print_access(depth + 1, field->access);
  if (effect) print_element(depth + 1, "modifiedWriteValue", effect);
  close_element(depth, "field");
}

/* The fields of a part; one that is reserved as a whole where it has none, as PMMIR's high half. */
static void print_fields(unsigned depth, const char *reg, const struct part *part) {
  const struct derive_field *field = derive_next_external_field(reg, NULL);
  bool any = false;
  for (; field; field = derive_next_external_field(reg, field)) {
    if (field->msb < part->lsb || field->lsb >= part->lsb + part->bits) continue;
    print_field(depth, reg, field, part);
    any = true;
  }
  if (any) return;
  open_element(depth, "field");
  print_element(depth + 1, "name", "RES0");
  print_number(depth + 1, "bitOffset", 0);
  print_number(depth + 1, "bitWidth", part->bits);
  print_access(depth + 1, "RO");
  print_element(depth + 1, "reserved", "true");
  close_element(depth, "field");
}

/* ---- Registers ---- */

static void print_name(unsigned depth, const struct derive_external *external, const char *suffix) {
  print_indent(depth);
  printf("<ipxact:name>");
  derive_print_name(external->name, "");
  printf("%s</ipxact:name>\n", suffix);
}

/* When a register is present; its high half with EXT32 has a condition besides. */
static void print_description(unsigned depth, const struct derive_external *external,
                              bool is_high) {
  const char *const present = derive_present_text(external->present);
  const char *const high = is_high ? derive_present_text(external->high) : "always";
  print_indent(depth);
  printf("<ipxact:description>%s.", external->text);
  if (strcmp(present, "always") != 0) printf(" Present: %s.", present);
  if (strcmp(high, "always") != 0) printf(" This half: %s.", high);
  printf("</ipxact:description>\n");
}

static void print_register(unsigned depth, const struct derive_external *external,
                           const struct part *part, bool array) {
  open_element(depth, "register");
  print_name(depth + 1, external, part->suffix);
  print_description(depth + 1, external, part->lsb != 0);
  if (array) print_number(depth + 1, "dim", PMUV3_MAX_COUNTERS);
  print_offset(depth + 1, "addressOffset", part->offset);
  print_number(depth + 1, "size", part->bits);
  print_access(depth + 1, external->access);
  print_fields(depth + 1, external->id, part);
  close_element(depth, "register");
}

/* Those of <n> in pairs of words. */
static void print_pairs(unsigned depth, const struct derive_external *external) {
  open_element(depth, "registerFile");
  print_name(depth + 1, external, "");
  print_description(depth + 1, external, false);
  print_number(depth + 1, "dim", PMUV3_MAX_COUNTERS);
  print_offset(depth + 1, "addressOffset", external->lo32);
  print_number(depth + 1, "range", external->stride32);
  print_register(depth + 1, external, &(struct part){"_LO", 0, 32, 0}, false);
  print_register(depth + 1, external, &(struct part){"_HI", 32, 32, 4}, false);
  close_element(depth, "registerFile");
}

static void print_register_ext32(unsigned depth, const struct derive_external *external) {
  const bool array = external->stride32 != 0;
  if (external->stride32 == 8) {
    print_pairs(depth, external);
  } else if (external->hi32 == NO_OFFSET) {
    print_register(depth, external, &(struct part){"", 0, 32, external->lo32}, array);
  } else {
    print_register(depth, external, &(struct part){"_LO", 0, 32, external->lo32}, array);
    print_register(depth, external, &(struct part){"_HI", 32, 32, external->hi32}, array);
  }
}

static void print_register_ext64(unsigned depth, const struct derive_external *external) {
  const unsigned bits = derive_has_high_half64(external) ? 64 : 32;
  print_register(depth, external, &(struct part){"", 0, bits, external->off64},
                 external->stride64 != 0);
}

/* ---- Maps ---- */

static void open_map(const char *layout, unsigned width) {
  open_element(2, "memoryMap");
  print_element(3, "name", layout);
  print_indent(3);
  printf("<ipxact:description>The page of a thread with FEAT_PMUv3_%s.</ipxact:description>\n",
         layout);
  open_element(3, "addressBlock");
  print_element(4, "name", "PMU");
  print_element(4, "baseAddress", "0");
  print_element(4, "range", "'h1000");
  print_number(4, "width", width);
  print_element(4, "usage", "register");
  print_element(4, "volatile", "true"); /* counting and System registers change them, too */
}

static void close_map(void) {
  close_element(3, "addressBlock");
  print_element(3, "addressUnitBits", "8");
  close_element(2, "memoryMap");
}

void derive_ipxact(void) {
  printf(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<!-- derived by pmuv3-derive from cmodel/include/pmuv3/external.def and registers.def -->\n"
      "<ipxact:component xmlns:ipxact=\"http://www.accellera.org/XMLSchema/IPXACT/1685-2014\"\n"
      "    xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"\n"
      "    xsi:schemaLocation=\"http://www.accellera.org/XMLSchema/IPXACT/1685-2014 "
      "http://www.accellera.org/XMLSchema/IPXACT/1685-2014/index.xsd\">\n");
  print_element(1, "vendor", "pmuv3");
  print_element(1, "library", "pmuv3");
  print_element(1, "name", "pmuv3");
  print_element(1, "version", "1.0");
  open_element(1, "memoryMaps");
  open_map("EXT32", 32);
  for (size_t i = 0; i < derive_num_externals; i++)
    if (derive_externals[i].lo32 != NO_OFFSET) print_register_ext32(4, &derive_externals[i]);
  close_map();
  open_map("EXT64", 64);
  for (size_t i = 0; i < derive_num_externals; i++)
    if (derive_externals[i].off64 != NO_OFFSET) print_register_ext64(4, &derive_externals[i]);
  close_map();
  close_element(1, "memoryMaps");
  print_element(1, "description",
                "Performance Monitors (PMUv3), the external view: a page for each thread");
  printf("</ipxact:component>\n");
}
