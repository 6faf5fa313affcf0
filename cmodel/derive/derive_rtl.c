/* pmuv3-derive rtl: rtl/pmuv3_pkg.sv. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "derive.h"
#include "pmuv3/cycle.h"
#include "pmuv3/params.h"
#include "pmuv3/registers.h"

/* "PMUv3p5" -> "pmuv3p5": members are lower case. */
static void print_lower(const char *name) {
  for (; *name; name++) putchar(tolower((unsigned char)*name));
}

/* "SW_INCR" -> "SwIncr": constants are UpperCamelCase. */
static void print_camel(const char *name) {
  bool start = true;
  for (; *name; name++) {
    if (*name != '_')
      putchar(start ? toupper((unsigned char)*name) : tolower((unsigned char)*name));
    start = *name == '_';
  }
}

/* A constant for each word of a choice: KVsResBoth = 2'd3. */
static void print_choice(const char *id, const char *values, unsigned bits) {
  for (unsigned index = 0; *values; index++) {
    char word[32];
    size_t length = strcspn(values, "|");
    snprintf(word, sizeof word, "%.*s", (int)length, values);
    printf("  localparam logic [%u:0] ", bits - 1);
    print_camel(id);
    print_camel(word);
    printf(" = %u'd%u;\n", bits, index);
    values += length + (values[length] == '|');
  }
}

static void derive_rtl_config(void) {
  printf(
      "  // The static configuration input: what is implemented and how choices are made.\n"
      "  typedef struct packed {\n");
#define PMUV3_PARAM(name, dflt, min, max, bits, text) \
  printf("    logic [%u:0] %s;  // %.*s\n", (bits)-1u, #name, (int)strcspn(text, ";"), text);
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) \
  printf("    logic [%u:0] %s;  // %s\n", (bits)-1u, #id, name);
#include "pmuv3/params.def"
  const char *feature[PMUV3_NUM_FEATURES] = {
#define PMUV3_FEATURE(id, implies, dflt, text) #id,
#include "pmuv3/params.def"
  };
  for (int i = PMUV3_NUM_FEATURES - 1; i >= 0; i--) {
    printf("    logic feat_");
    print_lower(feature[i]);
    printf(";\n");
  }
  printf("  } config_t;\n\n");

  printf("  // Identities: the bits that they have.\n");
#define PMUV3_PARAM(name, dflt, min, max, bits, text)
#define PMUV3_IDENTITY(name, dflt, mask, bits, text) \
  printf("  localparam logic [%u:0] ", (bits)-1u);   \
  print_camel(#name);                                \
  printf("Mask = %u'h%llX;\n", (bits), (unsigned long long)(mask));
#include "pmuv3/params.def"
  printf("\n");

  printf("  // Choices: the index of each word.\n");
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) print_choice(#id, values, bits);
#include "pmuv3/params.def"
  printf("\n");
}

/* A member of pe_t. */
struct member {
  const char *name;
  unsigned bits; /* 0: a flag */
  const char *text;
};

static const struct member members[] = {
#define PMUV3_PE_NUMBER(name, bits, text) {#name, bits, text},
#define PMUV3_PE_MASK(name, bits, text) {#name, bits, text},
#define PMUV3_PE_FLAG(name, text) {#name, 0, text},
#include "pmuv3/pe.def"
};

/* The first member of a packed struct has the top bits; the rows begin at the bottom. */
static void derive_rtl_pe(void) {
  unsigned width = 0;
  printf(
      "  // State of a thread, in one cycle.\n"
      "  typedef struct packed {\n");
  for (size_t i = sizeof members / sizeof *members; i-- > 0;) {
    const struct member *member = &members[i];
    const char *name = member->name;
    const int length = (int)strcspn(member->text, ";");
    if (member->bits == 0)
      printf("    logic %s;  // %.*s\n", name, length, member->text);
    else
      printf("    logic [%u:0] %s;  // %.*s\n", member->bits - 1, name, length, member->text);
    width += member->bits == 0 ? 1 : member->bits;
  }
  printf(
      "  } pe_t;\n"
      "  localparam int unsigned PeWidth = %u;\n\n"
      "  // Fine-grained traps: bits of fgt.\n",
      width);
#define PMUV3_FGT(id, bit, text) \
  printf("  localparam int unsigned Fgt"), print_camel(#id), printf(" = %u;\n", bit);
#include "pmuv3/pe.def"
  printf("\n");
}

static void derive_rtl_threads(void) {
  printf(
      "  // Security states, in ss.\n"
      "  localparam logic [1:0] SsNonSecure = 2'd%d;\n"
      "  localparam logic [1:0] SsSecure = 2'd%d;\n"
      "  localparam logic [1:0] SsRealm = 2'd%d;\n"
      "  localparam logic [1:0] SsRoot = 2'd%d;\n\n"
      "  // The other context of a thread in a cycle: where it was before its state changed.\n"
      "  typedef struct packed {\n"
      "    logic related;  // its Unattributable occurrences are related to activity there\n"
      "    logic [1:0] ss;\n"
      "    logic [1:0] el;\n"
      "  } context_t;\n"
      "  localparam int unsigned ContextWidth = 5;\n\n"
      "  // How often an event occurs on a thread in a cycle, by how it came about.\n"
      "  typedef struct packed {\n"
      "    logic [7:0] debugger;  // of operations that a debugger issued\n"
      "    logic [7:0] unattributable;\n"
      "    logic [7:0] other;  // in the other context\n"
      "    logic [7:0] current;  // in the current state\n"
      "  } occurrence_t;\n"
      "  localparam int unsigned OccurrenceWidth = 32;\n\n"
      "  // How a checked access ends.\n"
      "  localparam logic [2:0] ResultDone = 3'd%d;\n"
      "  localparam logic [2:0] ResultUndefined = 3'd%d;\n"
      "  localparam logic [2:0] ResultTrapEl1 = 3'd%d;\n"
      "  localparam logic [2:0] ResultTrapEl2 = 3'd%d;\n"
      "  localparam logic [2:0] ResultTrapEl3 = 3'd%d;\n\n",
      PMUV3_NS, PMUV3_S, PMUV3_RL, PMUV3_RT, PMUV3_DONE, PMUV3_UNDEFINED, PMUV3_TRAP_EL1,
      PMUV3_TRAP_EL2, PMUV3_TRAP_EL3);
}

/* A constant for each name: EventClassSelf = 3'd0. */
static void print_indices(const char *prefix, const char *name_of(unsigned), unsigned count,
                          unsigned bits) {
  for (unsigned i = 0; i < count; i++) {
    printf("  localparam logic [%u:0] %s", bits - 1, prefix);
    print_camel(name_of(i));
    printf(" = %u'd%u;\n", bits, i);
  }
}

/* An event that the RTL itself knows: EventSwIncr = 16'h0000. */
static void print_event_number(const char *mnemonic, unsigned number) {
  printf("  localparam logic [15:0] Event");
  print_camel(mnemonic);
  printf(" = 16'h%04X;\n", number);
}

static void derive_rtl_events(void) {
  printf("  // Classes of events: how a cycle's occurrences become a number.\n");
  print_indices("EventClass", pmuv3_event_class_name, PMUV3_NUM_EVENT_CLASSES, 3);
  printf("\n  // What an event's occurrences are attributable to.\n");
  print_indices("EventAttribution", pmuv3_event_attribution_name, PMUV3_NUM_EVENT_ATTRIBUTIONS, 3);
  printf(
      "\n  // An event that has an input: a row of the static input events_i. The rows are in "
      "order\n"
      "  // of their numbers. Rows that are not used are 0, and come last.\n"
      "  typedef struct packed {\n"
      "    logic sync;  // can support synchronous mode (D14.7)\n"
      "    logic [2:0] attribution;\n"
      "    logic [2:0] event_class;\n"
      "    logic [15:0] number;\n"
      "  } event_t;\n"
      "  localparam int unsigned EventWidth = 23;\n\n"
      "  // The event that a counter selects: its row, or with class SELF one of these.\n"
      "  typedef logic [7:0] event_index_t;\n"
      "  localparam event_index_t SelfSwIncr = 8'd0;\n"
      "  localparam event_index_t SelfCpuCycles = 8'd1;\n"
      "  localparam event_index_t SelfChain = 8'd2;\n"
      "  localparam event_index_t SelfSnapshot = 8'd3;\n"
      "  localparam event_index_t SelfNone = 8'd4;  // a number that is not implemented\n\n"
      "  // Numbers of the events that have a meaning to the PMU.\n");
#define PRINT_NUMBER(mnemonic) print_event_number(#mnemonic, PMUV3_EVENT_##mnemonic)
  PRINT_NUMBER(SW_INCR);
  PRINT_NUMBER(INST_RETIRED);
  PRINT_NUMBER(CPU_CYCLES);
  PRINT_NUMBER(CHAIN);
  PRINT_NUMBER(STALL_BACKEND);
  PRINT_NUMBER(PMU_SNAPSHOT);
#undef PRINT_NUMBER
  printf("\n");
}

/* What a view of 32 bits shows. */
static void print_view(const char *id, uint64_t mask) {
  if (mask > UINT32_MAX) return;
  printf("  localparam logic [31:0] View");
  print_camel(id);
  printf(" = 32'h%08X;\n", (unsigned)mask);
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
  printf("\n  // AArch32 System registers, views of 32 bits, and what they show of them.\n");
#define PMUV3_VIEW(id, name, of, opc1, crn, crm, opc2, lsb, mask, present, text) \
  printf("  localparam logic [15:0] Reg");                                       \
  print_camel(#id);                                                              \
  printf(" = 16'h%04X;\n", (unsigned)PMUV3_SYSREG(0, opc1, crn, crm, opc2));     \
  print_view(#id, mask);
#include "pmuv3/registers.def"
  printf("\n  // Other names of AArch64 registers.\n");
#define PMUV3_ALIAS(id, name, of, op0, op1, crn, crm, op2, present, text) \
  printf("  localparam logic [15:0] Reg");                                \
  print_camel(#id);                                                       \
  printf(" = 16'h%04X;\n", PMUV3_##id);
#include "pmuv3/registers.def"
  printf("\n  // Fields.\n");
#define PMUV3_FIELD(reg, field, msb, lsb, access, present) \
  printf("  localparam int unsigned ");                    \
  print_camel(#reg);                                       \
  print_camel("_" #field);                                 \
  printf("Lsb = %u;\n", (unsigned)(lsb));                  \
  if ((msb) != (lsb)) {                                    \
    printf("  localparam int unsigned ");                  \
    print_camel(#reg);                                     \
    print_camel("_" #field);                               \
    printf("Msb = %u;\n", (unsigned)(msb));                \
  }
#include "pmuv3/registers.def"
}

/* An offset: ExtPmcrLo32 = 12'hE04. */
static void print_offset(const char *id, const char *layout, unsigned offset) {
  if (offset == NO_OFFSET) return;
  printf("  localparam logic [11:0] Ext");
  print_camel(id);
  printf("%s = 12'h%03X;\n", layout, offset);
}

static void derive_rtl_external(void) {
  printf("\n  // Offsets in the external view: with EXT32 of [31:0] and of [63:32], with EXT64.\n");
  for (size_t i = 0; i < derive_num_externals; i++) {
    print_offset(derive_externals[i].id, "Lo32", derive_externals[i].lo32);
    print_offset(derive_externals[i].id, "Hi32", derive_externals[i].hi32);
    print_offset(derive_externals[i].id, "Off64", derive_externals[i].off64);
  }
}

void derive_rtl(void) {
  printf(
      "// Constants and types of the PMU. Derived by pmuv3-derive from "
      "cmodel/include/pmuv3/*.def:\n"
      "// change those, not this file.\n"
      "`default_nettype none\n\n");
  derive_rtl_probe();
  printf("package pmuv3_pkg;\n\n");
  derive_rtl_config();
  derive_rtl_pe();
  derive_rtl_threads();
  derive_rtl_events();
  derive_rtl_registers();
  derive_rtl_external();
  printf("\nendpackage\n\n`default_nettype wire\n");
}
