#include "testbench/tests/presence/sets.h"

#include <array>
#include <cstdint>
#include <random>
#include <sstream>

#include "testbench/tests/unit/side_test.h"

namespace pmuv3::presence {
namespace {

std::string FeatureList(uint32_t features) {
  std::string list;
  for (unsigned f = 0; f < PMUV3_NUM_FEATURES; f++)
    if (features >> f & 1)
      list += (list.empty() ? "" : ",") +
              std::string(pmuv3_feature_name(static_cast<pmuv3_feature>(f)));
  return list.empty() ? "none" : list;
}

// Adds settings in all combinations of Exception levels and Execution states.
void AddEverywhere(std::vector<std::string> *sets, const std::string &settings) {
  for (const char *where : {"el2=1 el3=1", "el2=0 el3=1", "el2=1 el3=0", "el2=0 el3=0"})
    for (const char *state : {"aa64=1", "aa64=0", "aa32=none", "aa32=el0", "aa32=el1", "aa32=el2"})
      sets->push_back(std::string(where) + " " + state + " " + settings);
}

}  // namespace

bool Possible(const std::string &settings) {
  pmuv3_params params = pmuv3_params_default();
  std::istringstream words(settings);
  for (std::string word; words >> word;) {
    const size_t equals = word.find('=');
    if (pmuv3_params_set(&params, word.substr(0, equals).c_str(),
                         word.substr(equals + 1).c_str()) != nullptr)
      return false;
  }
  return pmuv3_params_complete(&params) == nullptr;
}

std::vector<std::string> Boundaries() {
  constexpr uint32_t kAll = (UINT32_C(1) << PMUV3_NUM_FEATURES) - 1;
  const uint32_t ext32 = UINT32_C(1) << PMUV3_FEATURE_EXT32;
  const uint32_t ext64 = UINT32_C(1) << PMUV3_FEATURE_EXT64;
  std::vector<std::string> sets = {"counters=0", "counters=1 th_width=1", "counters=31 th_width=5"};
  for (const uint32_t page : {UINT32_C(0), ext32, ext64}) {
    const uint32_t others = page == ext32 ? ext64 : page == ext64 ? ext32 : ext32 | ext64;
    AddEverywhere(&sets, "counters=2 features=" + FeatureList(page));
    AddEverywhere(&sets, "counters=2 features=" + FeatureList(kAll & ~others));
    for (unsigned f = 0; f < PMUV3_NUM_FEATURES; f++) {
      const uint32_t one = UINT32_C(1) << f;
      sets.push_back("counters=2 features=" + FeatureList(one | page));
      sets.push_back("counters=2 aa64=0 features=" + FeatureList(one | page));
      // All features but one, without the features that imply this one.
      uint32_t rest = kAll & ~others & ~one;
      for (unsigned g = 0; g < PMUV3_NUM_FEATURES; g++)
        if ((Params("features=" + FeatureList(UINT32_C(1) << g)).features & one) != 0)
          rest &= ~(UINT32_C(1) << g);
      sets.push_back("counters=3 features=" + FeatureList(rest));
    }
  }
  for (const char *level : {"none", "PMUv3p1"}) {
    AddEverywhere(&sets, std::string("counters=2 debugv8p2=0 features=") + level);
    AddEverywhere(&sets, std::string("counters=2 K-MT-LEGACY=rw features=") + level);
  }
  return sets;
}

std::vector<std::string> RandomSets(unsigned number) {
  std::mt19937 random(1);
  std::vector<std::string> sets;
  while (sets.size() < number) {
    const auto draw = [&](unsigned below) { return random() % below; };
    const std::string settings =
        "counters=" + std::to_string(draw(9)) + " th_width=" + std::to_string(1 + draw(12)) +
        " el2=" + std::to_string(draw(2)) + " el3=" + std::to_string(draw(2)) +
        " aa64=" + std::to_string(draw(4) != 0) + " debugv8p2=" + std::to_string(draw(8) != 0) +
        " aa32=" + std::array{"none", "el0", "el1", "el2", "el3"}[draw(5)] +
        " K-MT-LEGACY=" + (draw(8) ? "res0" : "rw") +
        " K-SOFTWARE-LOCK=" + (draw(2) ? "present" : "absent") +
        " features=" + FeatureList(random() & random() & ((1u << PMUV3_NUM_FEATURES) - 1));
    if (Possible(settings)) sets.push_back(settings);
  }
  return sets;
}

}  // namespace pmuv3::presence
