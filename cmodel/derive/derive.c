/*
 * Derives from the single sources what is written in other languages:
 *
 *   pmuv3-derive rtl          rtl/pmuv3_pkg.sv
 *   pmuv3-derive parameters   docs/parameters.md
 *   pmuv3-derive events       docs/events.md
 *   pmuv3-derive registers    docs/registers.md
 *
 * The results are checked in; a test compares them with what this prints.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "pmuv3/events.h"
#include "pmuv3/params.h"
#include "pmuv3/registers.h"

/* "PMUv3p5" -> "pmuv3p5": members are lower case. */
static void print_lower(const char *name) {
  for (; *name; name++) putchar(tolower((unsigned char)*name));
}

static void derive_rtl_config(void) {
  printf(
      "  // The static configuration input: what is implemented and how choices are made.\n"
      "  typedef struct packed {\n");
#define PMUV3_PARAM(name, dflt, min, max, bits, text) \
  printf("    logic [%u:0] %s;  // %s\n", (bits)-1u, #name, text);
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) \
  printf("    logic [%u:0] %s;  // %s\n", (bits)-1u, #id, name);
#include "pmuv3/params.def"
  const char *feature[PMUV3_NUM_FEATURES] = {
#define PMUV3_FEATURE(id, implies, text) #id,
#include "pmuv3/params.def"
  };
  for (int i = PMUV3_NUM_FEATURES - 1; i >= 0; i--) {
    printf("    logic feat_");
    print_lower(feature[i]);
    printf(";\n");
  }
  printf("  } config_t;\n\n");
}

/* "SW_INCR" -> "SwIncr": constants are UpperCamelCase. */
static void print_camel(const char *name) {
  bool start = true;
  for (; *name; name++) {
    if (*name == '_') {
      start = true;
      continue;
    }
    putchar(start ? toupper((unsigned char)*name) : tolower((unsigned char)*name));
    start = false;
  }
}

static void derive_rtl_events(void) {
  unsigned inputs = 0;
  for (unsigned e = 0; e < PMUV3_NUM_EVENTS; e++)
    inputs += pmuv3_event_class_of((enum pmuv3_event)e) != PMUV3_EVENT_CLASS_SELF;

  printf(
      "  // Events: an index for each implemented one. Those below NumEventInputs have an\n"
      "  // increment input, event_i[8*index +: 8]; the others are made by the PMU itself.\n"
      "  typedef logic [5:0] event_t;\n"
      "  localparam int unsigned NumEventInputs = %u;\n"
      "  localparam int unsigned NumEvents = %u;\n",
      inputs, (unsigned)PMUV3_NUM_EVENTS);
  unsigned index = 0;
  for (int self = 0; self < 2; self++) {
    for (unsigned e = 0; e < PMUV3_NUM_EVENTS; e++) {
      if ((pmuv3_event_class_of((enum pmuv3_event)e) == PMUV3_EVENT_CLASS_SELF) != self) continue;
      printf("  localparam event_t Event");
      print_camel(pmuv3_event_mnemonic((enum pmuv3_event)e));
      printf(" = 6'd%u;  // 0x%04X\n", index++, pmuv3_event_number((enum pmuv3_event)e));
    }
  }
  printf(
      "  localparam event_t EventNone = 6'd63;  // a number that is not implemented\n\n"
      "  // evtCount to event index.\n"
      "  function automatic event_t event_index(input logic [15:0] evt_count);\n"
      "    unique case (evt_count)\n");
  for (unsigned e = 0; e < PMUV3_NUM_EVENTS; e++) {
    printf("      16'h%04X: event_index = Event", pmuv3_event_number((enum pmuv3_event)e));
    print_camel(pmuv3_event_mnemonic((enum pmuv3_event)e));
    printf(";\n");
  }
  printf(
      "      default: event_index = EventNone;\n"
      "    endcase\n"
      "  endfunction\n\n");

  uint64_t ceid[2] = {0, 0};
  for (unsigned e = 0; e < PMUV3_NUM_EVENTS; e++) {
    unsigned number = pmuv3_event_number((enum pmuv3_event)e);
    if (number < 0x40) ceid[number / 32] |= UINT64_C(1) << number % 32;
    if (number >= 0x4000 && number < 0x4040)
      ceid[number / 32 % 2] |= UINT64_C(1) << (32 + number % 32);
  }
  printf(
      "  // The common events as PMCEID0_EL0 and PMCEID1_EL0 show them, with PMUv3p1.\n"
      "  localparam logic [63:0] Pmceid0 = 64'h%016llX;\n"
      "  localparam logic [63:0] Pmceid1 = 64'h%016llX;\n\n",
      (unsigned long long)ceid[0], (unsigned long long)ceid[1]);
}

static void derive_rtl_registers(void) {
  printf(
      "  // System register encodings {op0, op1, CRn, CRm, op2}; PMEVCNTR and PMEVTYPER are those\n"
      "  // of n = 0, and n adds to the low 5 bits.\n");
#define PMUV3_REGISTER(id, name, op0, op1, crn, crm, op2, access, present, text) \
  printf("  localparam logic [15:0] Reg");                                       \
  print_camel(#id);                                                              \
  printf(" = 16'h%04X;\n", PMUV3_##id);
#include "pmuv3/registers.def"
  printf("\n  // Fields.\n");
#define PMUV3_FIELD(reg, field, msb, lsb, access, present) \
  if (strcmp(#access, "LATER") != 0) {                     \
    printf("  localparam int unsigned ");                  \
    print_camel(#reg);                                     \
    print_camel("_" #field);                               \
    printf("Lsb = %u;\n", (unsigned)(lsb));                \
    if ((msb) != (lsb)) {                                  \
      printf("  localparam int unsigned ");                \
      print_camel(#reg);                                   \
      print_camel("_" #field);                             \
      printf("Msb = %u;\n", (unsigned)(msb));              \
    }                                                      \
  }
#include "pmuv3/registers.def"
}

static void derive_rtl(void) {
  printf(
      "// Constants and types of the PMU. Derived by pmuv3-derive from "
      "cmodel/include/pmuv3/*.def:\n"
      "// change those, not this file.\n"
      "`default_nettype none\n\n"
      "package pmuv3_pkg;\n\n");
  derive_rtl_config();
  derive_rtl_events();
  derive_rtl_registers();
  printf("\nendpackage\n\n`default_nettype wire\n");
}

static void derive_parameters(void) {
  printf(
      "# Parameters, features and choices\n\n"
      "<!-- derived by pmuv3-derive from cmodel/include/pmuv3/params.def -->\n\n"
      "Given by `param` lines of a stimulus file, `struct pmuv3_params` in C and the "
      "configuration\n"
      "input `cfg_i` of the RTL.\n\n"
      "| parameter | default | range | meaning |\n|---|---|---|---|\n");
#define PMUV3_PARAM(name, dflt, min, max, bits, text) \
  printf("| `%s` | %d | %d..%d | %s |\n", #name, dflt, min, max, text);
#include "pmuv3/params.def"
  printf(
      "\n`features=` takes a comma separated list of these, or `none`; without it all are "
      "present.\n\n"
      "| feature | brings | meaning |\n|---|---|---|\n");
#define PMUV3_FEATURE(id, implies, text) \
  printf("| `%s` | %s | %s |\n", #id, strcmp(#implies, "NONE") == 0 ? "" : #implies, text);
#include "pmuv3/params.def"
  printf(
      "\nWhat the architecture leaves to the implementation, as further `param` names:\n\n"
      "| choice | default | values | meaning |\n|---|---|---|---|\n");
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) \
  printf("| `%s` | %s | one of `%s` | %s |\n", name, dflt, values, text);
#include "pmuv3/params.def"
}

static void derive_events(void) {
  static const char *const class_text[] = {
      [PMUV3_EVENT_CLASS_SELF] = "made by the PMU itself, never presented to it",
      [PMUV3_EVENT_CLASS_COUNT] = "occurrences",
      [PMUV3_EVENT_CLASS_CYCLE] = "condition of the cycle",
      [PMUV3_EVENT_CLASS_SLOTS] = "Slots",
  };
  printf(
      "# Implemented events\n\n"
      "<!-- derived by pmuv3-derive from cmodel/include/pmuv3/events.def -->\n\n"
      "| number | mnemonic | counts | at most, in a cycle |\n|---|---|---|---|\n");
  for (unsigned i = 0; i < PMUV3_NUM_EVENTS; i++) {
    enum pmuv3_event e = (enum pmuv3_event)i;
    printf("| 0x%04X | %s | %s | ", pmuv3_event_number(e), pmuv3_event_mnemonic(e),
           class_text[pmuv3_event_class_of(e)]);
    if (pmuv3_event_limit(e) > 0) printf("%u ", pmuv3_event_limit(e));
    printf("|\n");
  }
}

/* "PMEVCNTR%u_EL0" -> "PMEVCNTR<n>_EL0" */
static void print_register_name(const char *name) {
  const char *number = strstr(name, "%u");
  if (number)
    printf("%.*s<n>%s", (int)(number - name), name, number + 2);
  else
    printf("%s", name);
}

static void derive_registers(void) {
  printf(
      "# Registers\n\n"
      "<!-- derived by pmuv3-derive from cmodel/include/pmuv3/registers.def -->\n\n"
      "System register encoding is op0, op1, CRn, CRm, op2. Bits that no row names are RES0. "
      "LATER:\nin the architecture, not modelled yet; reads as 0, and writing it non-zero is an "
      "error.\n");
#define PMUV3_REGISTER(id, name, op0, op1, crn, crm, op2, access, present, text) \
  printf("\n## ");                                                               \
  print_register_name(name);                                                     \
  printf(": " text                                                               \
         "\n\nEncoding %d, %d, %d, %d, %d (0x%04X); %s; present: %s.\n\n"        \
         "| bits | field | access | present |\n|---|---|---|---|\n",             \
         op0, op1, crn, crm, op2, PMUV3_##id, #access, #present);
#define PMUV3_FIELD(reg, field, msb, lsb, access, present)             \
  if ((msb) == (lsb))                                                  \
    printf("| %d | %s | %s | %s |\n", msb, #field, #access, #present); \
  else                                                                 \
    printf("| %d:%d | %s | %s | %s |\n", msb, lsb, #field, #access, #present);
#include "pmuv3/registers.def"
}

static const struct {
  const char *name;
  void (*derive)(void);
} derivations[] = {
    {"rtl", derive_rtl},
    {"parameters", derive_parameters},
    {"events", derive_events},
    {"registers", derive_registers},
};

int main(int argc, char **argv) {
  for (size_t i = 0; i < sizeof derivations / sizeof *derivations; i++) {
    if (argc != 2 || strcmp(argv[1], derivations[i].name) != 0) continue;
    derivations[i].derive();
    return 0;
  }
  fprintf(stderr, "usage: pmuv3-derive rtl|parameters|events|registers\n");
  return 2;
}
