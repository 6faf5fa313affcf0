/* pmuv3-derive parameters, events, registers and external: the references in docs. */
#include <stdio.h>
#include <string.h>

#include "derive.h"
#include "pmuv3/registers.h"

/* ---- docs/reference/parameters.md and docs/reference/events.md ---- */

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

void derive_parameters(void) {
  printf(
      "# Parameters, features and choices\n\n"
      "<!-- derived by pmuv3-derive from cmodel/include/pmuv3/params.def -->\n\n"
      "Three places give parameters: `param` lines of a stimulus file, `struct pmuv3_params`\n"
      "in C, and the configuration input `cfg_i` of the RTL. The set of implemented events is a\n"
      "parameter, too ([formats](formats.md#events-of-an-implementation)).\n\n"
      "| parameter | default | range | meaning |\n|---|---|---|---|\n");
#define PMUV3_PARAM(name, dflt, min, max, bits, text) \
  printf("| `%s` | %d | %d..%d | %s |\n", #name, dflt, min, max, text);
#define PMUV3_IDENTITY(name, dflt, mask, bits, text) \
  printf("| `%s` | 0x%X | bits of 0x%llX | %s |\n", #name, dflt, (unsigned long long)(mask), text);
#include "pmuv3/params.def"
  printf(
      "\n`features=` takes a comma-separated list of features, or `none`. Without `features=`,\n"
      "those with \"yes\" in the column default are present. So that features can be tried apart,\n"
      "some implications of A2.2 and A2.3 are not checked:\n"
      "\n"
      "| present | implies |\n"
      "|---|---|\n"
      "| RME | PMUv3p7; EL2; EL2 and EL3 in AArch64 |\n"
      "| SME | PMUv3p1 |\n"
      "| EBEP with AArch32 | Debugv8p9 |\n"
      "| RME, SME, EBEP, TH2, FGWTE3 or EXTPMN, which are of Armv9 "
      "| AArch32 at EL0 alone: `aa32=el0` or `aa32=none` |\n"
      "| MTPMU | EL2 or EL3 |\n"
      "| any feature but PMUv3p1, PMUv3p4 and EXT32 | FEAT_Debugv8p4, and so no Software Lock: "
      "`K-SOFTWARE-LOCK=absent` |\n"
      "\n"
      "Nor are the states that follow from them refused. A PE with RME and without SEL2 has no\n"
      "Secure state below EL3 (J1.3, HaveSecureState). No PE has `ss=RL` under an EL3 in AArch32.\n"
      "\n"
      "| feature | default | brings | meaning |\n|---|---|---|---|\n");
#define PMUV3_FEATURE(id, implies, dflt, text)                    \
  printf("| `%s` | %s | %s | %s |\n", #id, (dflt) ? "yes" : "no", \
         strcmp(#implies, "NONE") == 0 ? "" : #implies, text);
#include "pmuv3/params.def"
  printf(
      "\nThe architecture leaves these choices to the implementation. Each is a `param` name,\n"
      "too:\n\n"
      "| choice | default | values | meaning |\n|---|---|---|---|\n");
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) \
  printf("| `%s` | %s | ", name, dflt);                  \
  print_words(values);                                   \
  printf(" | %s |\n", text);
#include "pmuv3/params.def"
}

void derive_events(void) {
  static const char *const class_text[] = {
      [PMUV3_EVENT_CLASS_SELF] = "made by the PMU itself, never presented to it",
      [PMUV3_EVENT_CLASS_COUNT] = "occurrences",
      [PMUV3_EVENT_CLASS_STALL] = "a stall condition of the cycle",
      [PMUV3_EVENT_CLASS_SECOND] = "a second condition of cycles with STALL_BACKEND",
      [PMUV3_EVENT_CLASS_CONDITION] = "another condition of the cycle",
      [PMUV3_EVENT_CLASS_SLOTS] = "Slots",
  };
  static const char *const mt_text[] = {
      [PMUV3_EVENT_CLASS_SELF] = "",
      [PMUV3_EVENT_CLASS_COUNT] = "the sum",
      [PMUV3_EVENT_CLASS_STALL] = "on all threads",
      [PMUV3_EVENT_CLASS_SECOND] = "STALL_BACKEND on all threads, this condition on any",
      [PMUV3_EVENT_CLASS_CONDITION] = "on any thread",
      [PMUV3_EVENT_CLASS_SLOTS] = "Slots that no thread uses",
  };
  printf(
      "# Events\n\n"
      "<!-- derived by pmuv3-derive from cmodel/include/pmuv3/events.def -->\n\n"
      "The default set of implemented events. Another set is a parameter\n"
      "([formats](formats.md#events-of-an-implementation), [design](../design/events.md)).\n\n"
      "| attributable to | meaning |\n"
      "|---|---|\n"
      "| CORE | the thread's Exception level and Security state |\n"
      "| MEMORY | as CORE; an agent outside the PE can cause the event, too |\n"
      "| SHARED | as MEMORY, in a structure that the threads share |\n"
      "| OWN | as CORE; an Unattributable occurrence does not count (D13.4-9) |\n"
      "| TRACE | no Exception level or Security state |\n\n"
      "EXACT: an occurrence is booked to the state in which it occurred, without tolerance.\n"
      "SYNC: the event can support synchronous mode.\n\n"
      "In a core, a Slots event occurs at most PMMIR_EL1.SLOTS times in a cycle. The model does\n"
      "not compare the count with the parameter `slots`. It counts what is presented. To refuse\n"
      "a larger count, give the event this limit: `event=0x003F,most=8`.\n\n"
      "| number | mnemonic | counts | at most, in a cycle | with MT = 1 | attributable to | "
      "EXACT, SYNC |\n"
      "|---|---|---|---|---|---|---|\n");
  const struct pmuv3_events events = pmuv3_events_default();
  for (unsigned e = 0; e < events.num; e++) {
    const struct pmuv3_event *event = &events.event[e];
    printf("| 0x%04X | %s | %s | %u | %s | %s | %s%s%s |\n", event->number,
           pmuv3_event_mnemonic(event->number), class_text[event->event_class], event->most,
           mt_text[event->event_class], pmuv3_event_attribution_name(event->attribution),
           event->traits & PMUV3_EVENT_TRAIT_EXACT ? "EXACT" : "",
           event->traits == (PMUV3_EVENT_TRAIT_EXACT | PMUV3_EVENT_TRAIT_SYNC) ? ", " : "",
           event->traits & PMUV3_EVENT_TRAIT_SYNC ? "SYNC" : "");
  }
}

/* ---- docs/reference/registers.md ---- */

/* "31" or "30:0" */
static void print_bits(const struct derive_field *field) {
  if (field->msb == field->lsb)
    printf("%u", field->msb);
  else
    printf("%u:%u", field->msb, field->lsb);
}

static void print_fields(const char *reg) {
  const struct derive_field *field = derive_next_field(reg, NULL);
  if (!field) return;
  printf("\n| bits | field | access | present | reset |\n|---|---|---|---|---|\n");
  for (; field; field = derive_next_field(reg, field)) {
    printf("| ");
    print_bits(field);
    printf(" | %s | %s | %s | %s |\n", field->name, field->access,
           derive_present_text(field->present), derive_reset(field));
  }
}

void derive_registers(void) {
  printf(
      "# Registers\n\n"
      "<!-- derived by pmuv3-derive from cmodel/include/pmuv3/registers.def -->\n\n"
      "The encoding of a System register is op0, op1, CRn, CRm, op2. Bits that no row names\n"
      "are RES0. MDCR_EL2 is RES0 as a whole without EL2, MDCR_EL3 and SDER32_EL3 without\n"
      "EL3. The [external map](external-map.md) says what the external view shows of these\n"
      "registers, and what else it has.\n\n"
      "The column *reset* has the value after a Warm reset. \"(Cold reset)\" marks a value that\n"
      "only a Cold reset sets. For a read-only field the column has what the field reads. A\n"
      "field that the architecture resets to UNKNOWN resets to 0.\n\n"
      "With EXTPMN only a Cold reset touches counters, their filters, saved values, and P and\n"
      "C of PMCNTEN, PMINTEN and PMOVS. A Warm reset zeroes TC, TE and TH of PMEVTYPER if\n"
      "EL1 can use AArch32.\n\n"
      "`testbench/tests/registers/check.sh NAME` lists the tests of a register.\n");
#define PMUV3_REGISTER(id, name, op0, op1, crn, crm, op2, access, present, text)                  \
  printf("\n## ");                                                                                \
  derive_print_name(name, "\\<n>");                                                               \
  printf(": " text "\n\nEncoding %d, %d, %d, %d, %d (0x%04X); %s; present: %s.\n", op0, op1, crn, \
         crm, op2, PMUV3_##id, #access, derive_present_text(#present));                           \
  print_fields(#id);
#include "pmuv3/registers.def"
  printf(
      "\n## AArch32 views\n\n"
      "A view shows 32 bits of a register, as far as the mask has them. A write replaces\n"
      "[31:0] and keeps [63:32]. It writes 0 to the bits that the mask lacks. The encoding\n"
      "has op0 = 0.\n\n"
      "PMCCNTR64 stands for MRRC and MCRR of PMCCNTR, which access all 64 bits (opc1 = 0,\n"
      "CRm = 9). Its encoding here has CRn = 9 and opc2 = 0: no MRC or MCR has that encoding.\n\n"
      "A view is present where its register is present and the column *present* holds.\n\n"
      "| view | of | bits | encoding | mask | present | name |\n|---|---|---|---|---|---|---|\n");
#define PMUV3_VIEW(id, name, of, opc1, crn, crm, opc2, lsb, mask, present, text)        \
  printf("| ");                                                                         \
  derive_print_name(name, "\\<n>");                                                     \
  printf(" | %s | %d:%d | %d, %d, %d, %d (0x%04X) | 0x%08llX | %s | " text " |\n", #of, \
         (lsb) + ((mask) > UINT32_MAX ? 63 : 31), lsb, opc1, crn, crm, opc2,            \
         (unsigned)PMUV3_SYSREG(0, opc1, crn, crm, opc2), (unsigned long long)(mask),   \
         derive_present_text(#present));
#include "pmuv3/registers.def"
  printf(
      "\n## Other names\n\n"
      "Another name of a register has an encoding of its own, and reaches all its bits. It is\n"
      "present where its register is present and the column *present* holds.\n\n"
      "| name | of | encoding | present |\n|---|---|---|---|\n");
#define PMUV3_ALIAS(id, name, of, op0, op1, crn, crm, op2, present, text)                        \
  printf("| " name " | %s | %d, %d, %d, %d, %d (0x%04X) | %s |\n", #of, op0, op1, crn, crm, op2, \
         PMUV3_##id, derive_present_text(#present));
#include "pmuv3/registers.def"
}

/* ---- docs/reference/external-map.md ---- */

/* " 0x400 + 8n", or nothing. */
static void print_offset(unsigned offset, unsigned stride) {
  if (offset == NO_OFFSET) return;
  printf(" 0x%03X", offset);
  if (stride) printf(" + %un", stride);
}

/* Where [63:32] is with EXT32, and with which feature, unless always. */
static void print_high(const struct derive_external *external) {
  print_offset(external->hi32, external->stride32);
  if (strcmp(external->high, "ALWAYS") != 0)
    printf(", with %s", derive_present_text(external->high));
}

static const char *domain_text(const char *domain) {
  if (strcmp(domain, "CORE") == 0) return "DLK, OSLK, EPMAD";
  if (strcmp(domain, "SNAPSHOT") == 0) return "DLK, EPMSSAD";
  if (strcmp(domain, "AGENT") == 0) return "DLK";
  return "";
}

static const char *external_present_text(const struct derive_external *external) {
  const char *text = derive_present_text(external->present);
  return strcmp(text, "always") == 0 ? "" : text;
}

static void print_map(void) {
  printf(
      "| register | EXT32 [31:0] | EXT32 [63:32] | EXT64 | bits with EXT64 | access | blocked by | "
      "present |\n|---|---|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < derive_num_externals; i++) {
    const struct derive_external *const e = &derive_externals[i];
    printf("| ");
    derive_print_name(e->name, "\\<n>");
    printf(" |");
    print_offset(e->lo32, e->stride32);
    printf(" |");
    print_high(e);
    printf(" |");
    print_offset(e->off64, e->stride64);
    printf(" | %s | %s | %s | %s |\n",
           e->off64 == NO_OFFSET       ? ""
           : derive_has_high_half64(e) ? "64"
                                       : "32",
           e->access, domain_text(e->domain), external_present_text(e));
  }
}

static void print_external_fields(void) {
  for (size_t i = 0; i < derive_num_externals; i++) {
    const struct derive_external *const e = &derive_externals[i];
    const struct derive_field *field = derive_next_field(e->id, NULL);
    if (!field || !field->reset) continue; /* in docs/reference/registers.md */
    printf("\n### %s: %s\n\n| bits | field | access | value |\n|---|---|---|---|\n", e->name,
           e->text);
    for (; field; field = derive_next_field(e->id, field)) {
      printf("| ");
      print_bits(field);
      printf(" | %s | %s | %s |\n", field->name, field->access, derive_reset(field));
    }
  }
}

void derive_external_map(void) {
  printf(
      "# The external view\n\n"
      "<!-- derived by pmuv3-derive from cmodel/include/pmuv3/external.def -->\n\n"
      "Each thread has a page of 4 KiB, in words of 32 bits, with EXT32 or EXT64. Without\n"
      "either there is no page. With EXT64, [63:32] of a register of 64 bits is 4 further.\n\n"
      "These words are reserved, that is RAZ/WI without an error: an offset that is not here,\n"
      "a half that is not there, a counter that is not implemented, and a register that is\n"
      "not present.\n\n"
      "| blocked by | what answers an access with an error |\n"
      "|---|---|\n"
      "| DLK | the OS Double Lock, except in Debug state |\n"
      "| OSLK | the OS Lock |\n"
      "| EPMAD | MDCR_EL3.{EPMADE, EPMAD} |\n"
      "| EPMSSAD | MDCR_EL3.EPMSSAD |\n\n");
  print_map();
  printf(
      "\nThe fields of System registers are those of [registers](registers.md), but\n"
      "PMCR_EL0.{IMP, IDCODE, N} read as 0 here. PMCNTEN, PMINTEN and PMOVS have the fields of\n"
      "PMCNTENSET_EL0, PMINTENSET_EL1 and PMOVSSET_EL0, as plain values: a write replaces them.\n\n"
      "[pmuv3.ipxact.xml](pmuv3.ipxact.xml) has the same as IP-XACT (IEEE 1685-2014).\n\n"
      "## Registers of this view alone\n");
  print_external_fields();
}
