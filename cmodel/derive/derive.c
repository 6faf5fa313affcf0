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

#include "pmuv3/cycle.h"
#include "pmuv3/events.h"
#include "pmuv3/params.h"
#include "pmuv3/registers.h"

#define NUM_EVENTS ((unsigned)PMUV3_NUM_EVENTS)

static const struct {
  unsigned number;
  const char *mnemonic;
  enum pmuv3_event_class class_of;
  enum pmuv3_event_attribution attribution;
  unsigned traits;
} events[] = {
#define NONE PMUV3_EVENT_TRAIT_NONE
#define EXACT PMUV3_EVENT_TRAIT_EXACT
#define SYNC PMUV3_EVENT_TRAIT_SYNC
#define PMUV3_EVENT(number, mnemonic, class, attribution, traits) \
  {number, #mnemonic, PMUV3_EVENT_CLASS_##class, PMUV3_EVENT_ATTRIBUTION_##attribution, traits},
#include "pmuv3/events.def"
#undef NONE
#undef EXACT
#undef SYNC
};

static const char *const class_name[] = {
    [PMUV3_EVENT_CLASS_SELF] = "SELF",           [PMUV3_EVENT_CLASS_COUNT] = "COUNT",
    [PMUV3_EVENT_CLASS_STALL] = "STALL",         [PMUV3_EVENT_CLASS_SECOND] = "SECOND",
    [PMUV3_EVENT_CLASS_CONDITION] = "CONDITION", [PMUV3_EVENT_CLASS_SLOTS] = "SLOTS",
};

static const char *const attribution_name[] = {
    [PMUV3_EVENT_ATTRIBUTION_CORE] = "CORE",
    [PMUV3_EVENT_ATTRIBUTION_MEMORY] = "MEMORY",
    [PMUV3_EVENT_ATTRIBUTION_SHARED] = "SHARED",
    [PMUV3_EVENT_ATTRIBUTION_TRACE] = "TRACE",
};

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
#define PMUV3_FEATURE(id, implies, text) #id,
#include "pmuv3/params.def"
  };
  for (int i = PMUV3_NUM_FEATURES - 1; i >= 0; i--) {
    printf("    logic feat_");
    print_lower(feature[i]);
    printf(";\n");
  }
  printf("  } config_t;\n\n");

  printf("  // Choices: the index of each word.\n");
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) print_choice(#id, values, bits);
#include "pmuv3/params.def"
  printf("\n");
}

static void derive_rtl_threads(void) {
  printf(
      "  // State of a thread, in one cycle.\n"
      "  typedef struct packed {\n"
      "    logic snid;  // ExternalSecureNoninvasiveDebugEnabled, without Debugv8p2\n"
      "    logic a32el3;  // EL3 uses AArch32\n"
      "    logic a32el1;  // EL1 uses AArch32\n"
      "    logic aa32;  // the current Exception level uses AArch32\n"
      "    logic wfx;  // in WFI or WFE\n"
      "    logic active;  // may issue in this cycle (D14.4-a)\n"
      "    logic halted;  // Debug state\n"
      "    logic sm;  // Streaming SVE mode\n"
      "    logic [1:0] ss;\n"
      "    logic [1:0] el;\n"
      "  } pe_t;\n"
      "  localparam int unsigned PeWidth = 12;\n\n"
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
      "  localparam int unsigned OccurrenceWidth = 32;\n\n",
      PMUV3_NS, PMUV3_S, PMUV3_RL, PMUV3_RT);
}

/* A constant for each name: EventClassSelf = 3'd0. */
static void print_indices(const char *prefix, const char *const *names, unsigned count,
                          unsigned bits) {
  for (unsigned i = 0; i < count; i++) {
    printf("  localparam logic [%u:0] %s", bits - 1, prefix);
    print_camel(names[i]);
    printf(" = %u'd%u;\n", bits, i);
  }
}

/* A line of a case: what event e gives. Events that give the default have none. */
static void print_event_case(unsigned e, const char *function, const char *prefix,
                             const char *value) {
  printf("      Event");
  print_camel(events[e].mnemonic);
  printf(": %s = %s", function, prefix);
  print_camel(value);
  printf(";\n");
}

static void derive_rtl_event_functions(void) {
  printf(
      "  // evtCount to event index.\n"
      "  function automatic event_t event_index(input logic [15:0] evt_count);\n"
      "    unique case (evt_count)\n");
  for (unsigned e = 0; e < NUM_EVENTS; e++) {
    printf("      16'h%04X: event_index = Event", events[e].number);
    print_camel(events[e].mnemonic);
    printf(";\n");
  }
  printf(
      "      default: event_index = EventNone;\n"
      "    endcase\n"
      "  endfunction\n\n");

  printf("  // Classes of events: how a cycle's occurrences become a number.\n");
  print_indices("EventClass", class_name, sizeof class_name / sizeof *class_name, 3);
  printf(
      "  function automatic logic [2:0] event_class(input logic [5:0] index);\n"
      "    unique case (index)\n");
  for (unsigned e = 0; e < NUM_EVENTS; e++)
    if (events[e].class_of != PMUV3_EVENT_CLASS_COUNT)
      print_event_case(e, "event_class", "EventClass", class_name[events[e].class_of]);
  printf(
      "      EventNone: event_class = EventClassSelf;\n"
      "      default: event_class = EventClassCount;\n"
      "    endcase\n"
      "  endfunction\n\n");

  printf("  // What an event's occurrences are attributable to.\n");
  print_indices("EventAttribution", attribution_name,
                sizeof attribution_name / sizeof *attribution_name, 2);
  printf(
      "  function automatic logic [1:0] event_attribution(input logic [5:0] index);\n"
      "    unique case (index)\n");
  for (unsigned e = 0; e < NUM_EVENTS; e++)
    if (events[e].attribution != PMUV3_EVENT_ATTRIBUTION_CORE)
      print_event_case(e, "event_attribution", "EventAttribution",
                       attribution_name[events[e].attribution]);
  printf(
      "      default: event_attribution = EventAttributionCore;\n"
      "    endcase\n"
      "  endfunction\n\n");

  printf(
      "  // Whether an event can support synchronous mode (D14.7).\n"
      "  function automatic logic event_is_sync(input logic [5:0] index);\n"
      "    unique case (index)\n");
  for (unsigned e = 0; e < NUM_EVENTS; e++)
    if (events[e].traits & PMUV3_EVENT_TRAIT_SYNC) print_event_case(e, "event_is_sync", "1'b", "1");
  printf(
      "      default: event_is_sync = 1'b0;\n"
      "    endcase\n"
      "  endfunction\n\n");
}

static void derive_rtl_events(void) {
  unsigned inputs = 0;
  for (unsigned e = 0; e < NUM_EVENTS; e++) inputs += events[e].class_of != PMUV3_EVENT_CLASS_SELF;

  printf(
      "  // Events: an index for each implemented one. Those below NumEventInputs have an input,\n"
      "  // an occurrence_t for each thread; the others are made by the PMU itself.\n"
      "  typedef logic [5:0] event_t;\n"
      "  localparam int unsigned NumEventInputs = %u;\n"
      "  localparam int unsigned NumEvents = %u;\n",
      inputs, NUM_EVENTS);
  unsigned index = 0;
  for (int self = 0; self < 2; self++) {
    for (unsigned e = 0; e < NUM_EVENTS; e++) {
      if ((events[e].class_of == PMUV3_EVENT_CLASS_SELF) != self) continue;
      printf("  localparam event_t Event");
      print_camel(events[e].mnemonic);
      printf(" = 6'd%u;  // 0x%04X\n", index++, events[e].number);
    }
  }
  printf("  localparam event_t EventNone = 6'd63;  // a number that is not implemented\n\n");
  derive_rtl_event_functions();

  uint64_t ceid[2] = {0, 0};
  for (unsigned e = 0; e < NUM_EVENTS; e++) {
    unsigned number = events[e].number;
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
  printf("\n  // AArch32 System registers, views of bits [31:0], and what they show of them.\n");
#define PMUV3_VIEW(id, name, of, opc1, crn, crm, opc2, mask, text)           \
  printf("  localparam logic [15:0] Reg");                                   \
  print_camel(#id);                                                          \
  printf(" = 16'h%04X;\n", (unsigned)PMUV3_SYSREG(0, opc1, crn, crm, opc2)); \
  printf("  localparam logic [31:0] View");                                  \
  print_camel(#id);                                                          \
  printf(" = 32'h%08llX;\n", (unsigned long long)(mask));
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
  derive_rtl_threads();
  derive_rtl_events();
  derive_rtl_registers();
  printf("\nendpackage\n\n`default_nettype wire\n");
}

/* "a|b" -> "`a`, `b`" */
static void print_words(const char *words) {
  while (*words) {
    const size_t length = strcspn(words, "|");
    printf("`%.*s`", (int)length, words);
    words += length;
    if (*words) {
      printf(", ");
      words++;
    }
  }
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
  printf("| `%s` | %s | ", name, dflt);                  \
  print_words(values);                                   \
  printf(" | %s |\n", text);
#include "pmuv3/params.def"
}

static void derive_events(void) {
  static const char *const class_text[] = {
      [PMUV3_EVENT_CLASS_SELF] = "made by the PMU itself, never presented to it |",
      [PMUV3_EVENT_CLASS_COUNT] = "occurrences | 255",
      [PMUV3_EVENT_CLASS_STALL] = "a stall condition of the cycle | 1",
      [PMUV3_EVENT_CLASS_SECOND] = "a second condition of cycles with STALL_BACKEND | 1",
      [PMUV3_EVENT_CLASS_CONDITION] = "another condition of the cycle | 1",
      [PMUV3_EVENT_CLASS_SLOTS] = "Slots | 255",
  };
  static const char *const mt_text[] = {
      [PMUV3_EVENT_CLASS_SELF] = "",
      [PMUV3_EVENT_CLASS_COUNT] = "the sum",
      [PMUV3_EVENT_CLASS_STALL] = "on all threads",
      [PMUV3_EVENT_CLASS_SECOND] = "STALL_BACKEND on all threads, this on any",
      [PMUV3_EVENT_CLASS_CONDITION] = "on any thread",
      [PMUV3_EVENT_CLASS_SLOTS] = "Slots that no thread uses",
  };
  printf(
      "# Implemented events\n\n"
      "<!-- derived by pmuv3-derive from cmodel/include/pmuv3/events.def -->\n\n"
      "What an event is attributable to: CORE, the thread's Exception level and Security state;\n"
      "MEMORY, likewise, and an agent outside the PE can cause it, too; SHARED, likewise, in a\n"
      "structure that the threads share; TRACE, no Exception level or Security state. EXACT: "
      "booked\n"
      "to the state it occurred in without tolerance; SYNC: can support synchronous mode.\n\n"
      "| number | mnemonic | counts | at most, in a cycle | with MT = 1 | attributable to | |\n"
      "|---|---|---|---|---|---|---|\n");
  for (unsigned e = 0; e < NUM_EVENTS; e++) {
    unsigned traits = events[e].traits;
    printf("| 0x%04X | %s | %s | %s | %s | %s%s%s |\n", events[e].number, events[e].mnemonic,
           class_text[events[e].class_of], mt_text[events[e].class_of],
           attribution_name[events[e].attribution], traits & PMUV3_EVENT_TRAIT_EXACT ? "EXACT" : "",
           traits == (PMUV3_EVENT_TRAIT_EXACT | PMUV3_EVENT_TRAIT_SYNC) ? ", " : "",
           traits & PMUV3_EVENT_TRAIT_SYNC ? "SYNC" : "");
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
  printf(
      "\n## AArch32 views\n\n"
      "Bits [31:0] of a register, without those that the mask has not. A write replaces [31:0] "
      "and\n"
      "keeps [63:32]. The encoding has op0 = 0.\n\n"
      "| view | of | encoding | mask | |\n|---|---|---|---|---|\n");
#define PMUV3_VIEW(id, name, of, opc1, crn, crm, opc2, mask, text)                               \
  printf("| ");                                                                                  \
  print_register_name(name);                                                                     \
  printf(" | %s | %d, %d, %d, %d (0x%04X) | 0x%08llX | " text " |\n", #of, opc1, crn, crm, opc2, \
         (unsigned)PMUV3_SYSREG(0, opc1, crn, crm, opc2), (unsigned long long)(mask));
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
