// A condition of presence.txt that no configuration of `run` decides is one that no co-simulation
// checks: wherever some parameters tell `SS & ICNTR` from `SS`, a configuration must, too.
#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <string>
#include <vector>

#include "testbench/tests/presence/sets.h"
#include "testbench/tests/presence/table.h"
#include "testbench/tests/unit/side_test.h"

extern "C" {
#include "testbench/cosim/run/configurations.h"
}

namespace pmuv3::presence {
namespace {

// The names in a condition.
std::set<std::string> Atoms(const std::string &condition) {
  std::set<std::string> atoms;
  std::string atom;
  for (const char sign : condition + " ") {
    if (isalnum(static_cast<unsigned char>(sign)) || sign == '_') {
      atom += sign;
    } else if (!atom.empty()) {
      atoms.insert(atom);
      atom.clear();
    }
  }
  return atoms;
}

void SetFeature(pmuv3_feature feature, bool value, pmuv3_params *params) {
  const uint32_t bit = UINT32_C(1) << feature;
  params->features = value ? params->features | bit : params->features & ~bit;
}

// Whether AArch32 reaches a level. The levels below come with it, and those above go with it.
void SetAa32(uint8_t level, bool value, pmuv3_params *params) {
  if ((params->aa32 >= level) == value) return;
  params->aa32 = static_cast<uint8_t>(value ? level : level - 1);
}

// The parameters with one name of a condition held. They need not be possible. False: the name is
// none that can be held.
bool Hold(const std::string &atom, bool value, pmuv3_params *params) {
  for (unsigned f = 0; f < PMUV3_NUM_FEATURES; f++) {
    const auto feature = static_cast<pmuv3_feature>(f);
    if (atom != pmuv3_feature_name(feature)) continue;
    SetFeature(feature, value, params);
    return true;
  }
  if (atom == "EL2")
    params->el2 = value;
  else if (atom == "EL3")
    params->el3 = value;
  else if (atom == "AA64")
    params->aa64 = value;
  else if (atom == "AA32")
    SetAa32(PMUV3_AA32_EL0, value, params);
  else if (atom == "AA32EL1")
    SetAa32(PMUV3_AA32_EL1, value, params);
  else if (atom == "AA32EL2")
    SetAa32(PMUV3_AA32_EL2, value, params);
  else if (atom == "AA32EL3")
    SetAa32(PMUV3_AA32_EL3, value, params);
  else if (atom == "LEGACY")
    params->k_mt_legacy = value;
  else if (atom == "LOCK")
    params->k_software_lock = !value;
  else
    return false;
  return true;
}

// Whether the parameters tell the condition from one in which a name is always true, or false.
bool Tells(const pmuv3_params &params, const std::string &condition, const std::string &atom,
           bool value) {
  pmuv3_params held = params;
  return Hold(atom, value, &held) && Holds(condition, params, 1) != Holds(condition, held, 1);
}

bool AnyTells(const std::vector<pmuv3_params> &sets, const std::string &condition,
              const std::string &atom, bool value) {
  for (const pmuv3_params &params : sets)
    if (Tells(params, condition, atom, value)) return true;
  return false;
}

std::vector<pmuv3_params> Configurations() {
  std::vector<pmuv3_params> all;
  for (size_t c = 0; c < PMUV3_NUM_CONFIGURATIONS; c++)
    all.push_back(pmuv3_configuration_params(c));
  return all;
}

std::vector<pmuv3_params> PossibleSets() {
  std::vector<pmuv3_params> all;
  for (const std::string &set : Boundaries())
    if (Possible(set)) all.push_back(Params(set));
  for (const std::string &set : RandomSets(2000)) all.push_back(Params(set));
  return all;
}

// A field, or a word, is there only where its register is.
std::set<std::string> Conditions() {
  std::set<std::string> all;
  for (const Register &reg : ReadTable(PMUV3_PRESENCE)) {
    if (!reg.modelled) continue;
    const std::string there = "(" + reg.condition + ") & ";
    all.insert(reg.condition);
    if (!reg.unchecked.empty()) all.insert(reg.unchecked);
    for (const Field &field : reg.fields) all.insert(there + "(" + field.condition + ")");
    for (const Word &word : reg.words)
      all.insert(there + word.layout + " & (" + word.condition + ")");
  }
  return all;
}

TEST(PresenceOfConfigurations, EveryConditionIsDecided) {
  const std::vector<pmuv3_params> configurations = Configurations(), possible = PossibleSets();
  for (const std::string &condition : Conditions())
    for (const std::string &atom : Atoms(condition))
      for (const bool value : {false, true})
        EXPECT_TRUE(AnyTells(configurations, condition, atom, value) ||
                    !AnyTells(possible, condition, atom, value))
            << "no configuration tells '" << condition << "' from one in which " << atom << " is "
            << value;
}

}  // namespace
}  // namespace pmuv3::presence
