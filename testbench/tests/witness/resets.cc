#include "testbench/tests/witness/resets.h"

#include <map>
#include <sstream>
#include <stdexcept>

#include "testbench/tests/witness/rows.h"

namespace pmuv3::witness {
namespace {

// ---- What each word of NEEDS, COLD and WARM means

template <pmuv3_feature feature>
bool Feature(const Resets &r) {
  return r.Has(feature);
}

bool HasExternalView(const Resets &r) {
  return r.Has(PMUV3_FEATURE_EXT32) || r.Has(PMUV3_FEATURE_EXT64);
}

// K-MT-LEGACY: a multi-threaded extension of before Armv8.6.
bool HasMt(const Resets &r) {
  return r.Has(PMUV3_FEATURE_MTPMU) || r.params->k_mt_legacy;
}

bool HasDp(const Resets &r) {
  return r.params->el3 || (r.Has(PMUV3_FEATURE_PMUv3p1) && r.params->el2) ||
         r.Has(PMUV3_FEATURE_PMUv3p7) || r.Has(PMUV3_FEATURE_DPFZS);
}

bool HasSoftwareLock(const Resets &r) {
  return r.Has(PMUV3_FEATURE_EXT32) && r.params->k_software_lock == 0;
}

bool HasEnPm2(const Resets &r) {
  return r.Has(PMUV3_FEATURE_PMUv3p9) || r.Has(PMUV3_FEATURE_EBEP) || r.Has(PMUV3_FEATURE_SS);
}

// Without EL3, the thread's Security state is the implementation's.
bool HasSder(const Resets &r) {
  const bool secure_el1 = r.params->el3 || r.pe.ss == PMUV3_S;
  return (r.params->el3 && r.CanAa32(3)) || (r.CanAa32(1) && secure_el1);
}

const std::map<std::string, Condition::Fact> &Facts() {
  static const std::map<std::string, Condition::Fact> facts = {
      {"p1", Feature<PMUV3_FEATURE_PMUv3p1>},
      {"p5", Feature<PMUV3_FEATURE_PMUv3p5>},
      {"p7", Feature<PMUV3_FEATURE_PMUv3p7>},
      {"p9", Feature<PMUV3_FEATURE_PMUv3p9>},
      {"TH", Feature<PMUV3_FEATURE_TH>},
      {"EDGE", Feature<PMUV3_FEATURE_EDGE>},
      {"TH2", Feature<PMUV3_FEATURE_TH2>},
      {"SME", Feature<PMUV3_FEATURE_SME>},
      {"SS", Feature<PMUV3_FEATURE_SS>},
      {"RME", Feature<PMUV3_FEATURE_RME>},
      {"SEL2", Feature<PMUV3_FEATURE_SEL2>},
      {"EBEP", Feature<PMUV3_FEATURE_EBEP>},
      {"SEBEP", Feature<PMUV3_FEATURE_SEBEP>},
      {"ICNTR", Feature<PMUV3_FEATURE_ICNTR>},
      {"MTPMU", Feature<PMUV3_FEATURE_MTPMU>},
      {"SPEv1p2", Feature<PMUV3_FEATURE_SPE>},
      {"EXTPMN", Feature<PMUV3_FEATURE_EXTPMN>},
      {"EXT64", Feature<PMUV3_FEATURE_EXT64>},
      {"EXT", HasExternalView},
      {"SLK", HasSoftwareLock},
      {"AA32", [](const Resets &r) { return r.CanAa32(0); }},
      {"AA32EL1", [](const Resets &r) { return r.CanAa32(1); }},
      {"AA32EL2", [](const Resets &r) { return r.params->el2 && r.CanAa32(2); }},
      {"AA32EL3", [](const Resets &r) { return r.params->el3 && r.CanAa32(3); }},
      {"AA64", [](const Resets &r) { return r.params->aa64 != 0; }},
      {"EL2", [](const Resets &r) { return r.params->el2 != 0; }},
      {"EL3", [](const Resets &r) { return r.params->el3 != 0; }},
      {"TOP1", [](const Resets &r) { return !r.params->el2 && !r.params->el3; }},
      {"TOP2", [](const Resets &r) { return r.params->el2 && !r.params->el3; }},
      {"MT", HasMt},
      {"DP", HasDp},
      {"ENPM2", HasEnPm2},
      {"SDER", HasSder},
  };
  return facts;
}

// ---- Reading the table

std::vector<std::string> Split(const std::string &text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);) parts.push_back(part);
  return parts;
}

Condition ReadCondition(const std::string &text) {
  Condition condition;
  if (text == "-") return condition;
  for (const std::string &word : Split(text, '&')) {
    const bool negated = word[0] == '!';
    condition.facts.emplace_back(Facts().at(word.substr(negated)), !negated);
  }
  return condition;
}

Field::Outcome ReadOutcome(const std::string &text) {
  Field::Outcome outcome{};
  const size_t colon = text.find(':');
  if (colon != std::string::npos) outcome.condition = ReadCondition(text.substr(0, colon));
  const std::string value = text.substr(colon + 1);
  if (value == "kept") {
    outcome.kind = Field::Outcome::kKept;
  } else if (value == "unknown") {
    outcome.kind = Field::Outcome::kUnknown;
  } else if (value == "NUM") {
    outcome.kind = Field::Outcome::kNum;
  } else {
    outcome.number = std::stoul(value);
  }
  return outcome;
}

// The last outcome has no condition, so that one of them always holds.
std::vector<Field::Outcome> ReadOutcomes(const std::string &text, const std::string &of) {
  std::vector<Field::Outcome> outcomes;
  for (const std::string &part : Split(text, '|')) {
    outcomes.push_back(ReadOutcome(part));
    outcomes.back().name = of + part;
  }
  if (outcomes.empty() || !outcomes.back().condition.facts.empty())
    throw std::invalid_argument("no outcome without a condition");
  return outcomes;
}

Field::View ViewOf(const std::string &reg) {
  if (reg.rfind("PMU.", 0) == 0) return Field::kExternal;
  return reg.find("_EL") != std::string::npos ? Field::kMrs : Field::kMrc;
}

Field ReadField(const std::string &line) {
  static const char *const of_view[] = {"AA64", "AA32", "EXT"};
  std::string needs, cold, warm, more;
  Field field;
  std::istringstream in(line);
  if (!(in >> field.name >> needs >> cold >> warm) || in >> more)
    throw std::invalid_argument("not four columns");
  const size_t dot = field.name.rfind('.'), bits = field.name.find('['),
               colon = field.name.find(':');
  field.reg = field.name.substr(0, dot);
  field.view = ViewOf(field.reg);
  field.msb = static_cast<unsigned>(std::stoul(field.name.substr(bits + 1)));
  field.lsb = colon == std::string::npos
                  ? field.msb
                  : static_cast<unsigned>(std::stoul(field.name.substr(colon + 1)));
  field.needs = ReadCondition(needs);
  field.needs.facts.emplace_back(Facts().at(of_view[field.view]), true);
  field.cold = ReadOutcomes(cold, field.name + " Cold ");
  field.warm = ReadOutcomes(warm, field.name + " Warm ");
  return field;
}

}  // namespace

const std::vector<Field> &Fields() {
  static const std::vector<Field> fields = ReadRows(PMUV3_RESETS, ReadField);
  return fields;
}

// ---- What a field holds

bool Condition::Holds(const Resets &resets) const {
  for (const auto &[fact, is] : facts)
    if (fact(resets) != is) return false;
  return true;
}

// Only the external view reaches the counters of an external agent.
unsigned Resets::NumberOf(const Field &field) const {
  if (field.reg.find("<n>") == std::string::npos) return 1;
  return field.view == Field::kExternal ? params->counters : EffectiveEPMN();
}

const Field::Outcome &Resets::After(const Field &field, bool cold) const {
  const auto &outcomes = cold ? field.cold : field.warm;
  size_t at = 0;
  while (!outcomes[at].condition.Holds(*this)) at++;
  return outcomes[at];
}

// A mistake takes a field that is kept for one that is reset, and the reverse.
uint64_t Resets::Value(const Field &field, const Field::Outcome &outcome, uint64_t before) const {
  if (Is(outcome.name, outcome.kind == Field::Outcome::kKept)) return before;
  if (outcome.kind != Field::Outcome::kNum) return outcome.number;
  // RMFYQC: HPMN reads as EPMN, if that is less.
  return field.view == Field::kExternal ? params->counters : EffectiveEPMN();
}

}  // namespace pmuv3::witness
