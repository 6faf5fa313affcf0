// Whose events a counter counts (rules.md B.1, B.2, C.0, D.6), typed as data: nothing here is
// computed, and nothing of either implementation is in it.
//
// In a pattern x is any.
#ifndef PMUV3_ATTRIBUTION_TABLES_H
#define PMUV3_ATTRIBUTION_TABLES_H

#include <string>
#include <vector>

namespace pmuv3::exhaustive::attribution {

// ---- Effective MT (C.0, D13.6-5 .. D13.6-9) ----

// Whether FEAT_MTPMU is disabled in a thread.
struct Disabled {
  std::string when;  // EL3, EL2, MDCR_EL3.MTPME, MDCR_EL2.MTPME
  bool yes;
};

struct EffectiveMt {
  std::string when;  // several threads, MTPMU, K-MT-LEGACY = rw, the thread's disabled, another's
                     // disabled, K-MTPME-GROUP = group, MT
  bool yes;
};

struct MtTables {
  std::vector<Disabled> disabled = {
      {"1x0x", true}, {"1x1x", false}, {"01x0", true}, {"01x1", false}, {"00xx", false},
  };
  std::vector<EffectiveMt> mt = {
      {"0xxxxxx", false}, {"1xxxxx0", false}, {"100xxx1", false},
      {"101xxx1", true},                                           // D13.6-5, D13.6-6
      {"1101xx1", false},                                          // D13.6-7, D13.6-8
      {"11000x1", true},  {"1100101", true},  {"1100111", false},  // D13.6-9
  };
};

// ---- Table D13-3 and what goes with several threads (D.6) ----

// A choice that overrides a refusal.
enum class Unless {
  kNever,
  kUnattrFilter,  // K-UNATTR-FILTER does not list the event's attribution
  kUnattrProhib,  // K-UNATTR-PROHIB lists the event's attribution
  kUnattrDebug,   // K-UNATTR-DEBUG lists the event's attribution
  kAttrNonelFilter,
  kAttrNonssProhib,
  kDebugLate,
  kSharedOther,
  kMtSelfDebug,
};

// An occurrence counts unless a row refuses it.
struct Refusal {
  const char *rule;
  std::string origins;       // attributable in the current state, in the other; Unattributable; of
                             // a debugger: 1 where the row is
  std::string attributions;  // core, memory, shared, own, trace: likewise
  std::string when;  // the source is a sibling, Effective MT, the counting thread is halted,
                     // the source is halted, prohibited, filtered
  Unless unless;
};

struct OccurrenceTables {
  std::vector<Refusal> refusals = {
      {"D13.6-4", "1111", "11111", "10xxxx", Unless::kNever},
      {"D13.10-2", "0001", "11111", "xxxxxx", Unless::kNever},

      {"D13.4-T2", "1100", "11110", "xxxx01", Unless::kNever},
      {"D13.4-T2", "1100", "00001", "xxxx01", Unless::kAttrNonelFilter},
      {"D13.4-T3", "1100", "11110", "xxxx1x", Unless::kNever},
      {"D13.4-T3", "1100", "00001", "xxxx1x", Unless::kAttrNonssProhib},
      {"D13.4-T4", "1100", "11111", "xxx1xx", Unless::kDebugLate},
      {"D13.10-3", "1100", "11111", "1x1xxx", Unless::kMtSelfDebug},

      {"D13.4-T2", "0010", "11111", "xx0x01", Unless::kUnattrFilter},
      {"D13.4-T3", "0010", "11111", "xx0x1x", Unless::kUnattrProhib},
      {"D13.4-T4", "0010", "11111", "xx1xxx", Unless::kUnattrDebug},
      {"D13.10-4", "0010", "11111", "xx1xx1", Unless::kNever},
      {"MT-SHARED-1", "0010", "00100", "x0xxxx", Unless::kNever},
      {"MT-SHARED-1", "0010", "00100", "x1xxxx", Unless::kSharedOther},
      {"D13.4-9", "0010", "00010", "xxxxxx", Unless::kNever},
  };
};

// ---- Occurrences in, or related to, another context (D13.6-12 .. D13.6-14) ----

// The choices K-..-COUNT-..-ATTR and K-..-COUNT-..-UNATTR of a prohibition.
enum Choice { kNsCountS, kLoCountEl2, kLoCountSsel, kChoices };

// A part of rules.md D.4: the contexts in which counting is prohibited.
struct Part {
  std::string when;    // SPME, MPMX, HPMD
  std::string states;  // NS S RL of EL0, NS S RL of EL1, NS S RL of EL2, EL3: 1 where it prohibits
  bool r1, r2;
  Choice choice;
  std::string decides;  // in the same order: with MT = 0 the choice decides while the counting
                        // thread is in this state
};

// The same for the instruction counter, without choices.
struct InstructionPart {
  std::string when;
  std::string states;
};

struct ContextTables {
  std::vector<Part> parts = {
      {"00x", "0100100100", true, true, kNsCountS, "1001001000"},
      {"xx1", "0000001110", true, false, kLoCountEl2, "1111110001"},
      {"11x", "0000000001", true, false, kLoCountSsel, "1111111110"},
      {"0xx", "0000000001", true, true, kLoCountSsel, "1111111110"},
  };
  std::vector<InstructionPart> instruction = {
      {"00x", "0100100101"},
      {"x1x", "0000000001"},
      {"xx1", "0000001110"},
  };
};

}  // namespace pmuv3::exhaustive::attribution

#endif
