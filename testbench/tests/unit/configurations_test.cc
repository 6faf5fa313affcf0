// configurations: what `run` covers when none is asked for leaves no choice, feature or number of
// threads out.
extern "C" {
#include "testbench/cosim/run/configurations.h"
}

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace pmuv3 {
namespace {

const std::vector<pmuv3_params> &All() {
  static const std::vector<pmuv3_params> all = [] {
    std::vector<pmuv3_params> params;
    for (size_t i = 0; i < PMUV3_NUM_CONFIGURATIONS; i++)
      params.push_back(pmuv3_configuration_params(i));
    return params;
  }();
  return all;
}

template <class Condition>
bool Some(Condition condition) {
  return std::any_of(All().begin(), All().end(), condition);
}

// A list of names is read from the left, and a name may have commas.
TEST(ConfigurationsTest, NoNameBeginsAnother) {
  for (const pmuv3_configuration &one : pmuv3_configurations)
    for (const pmuv3_configuration &other : pmuv3_configurations)
      EXPECT_TRUE(&one == &other || std::strncmp(one.name, other.name, std::strlen(one.name)) != 0)
          << one.name;
}

TEST(ConfigurationsTest, EachHasANameOfItsOwn) {
  std::set<std::string> names;
  for (const pmuv3_configuration &configuration : pmuv3_configurations) {
    ASSERT_NE(configuration.name, nullptr) << "PMUV3_NUM_CONFIGURATIONS is too large";
    EXPECT_TRUE(names.insert(configuration.name).second) << configuration.name;
  }
}

TEST(ConfigurationsTest, HaveEveryWordOfEveryChoice) {
  const struct {
    const char *name, *words;
    uint8_t pmuv3_params::*choice;
  } choices[] = {
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) {name, values, &pmuv3_params::id},
#include "pmuv3/params.def"
  };
  for (const auto &of : choices) {
    std::istringstream words(of.words);
    std::string word;
    for (uint8_t i = 0; std::getline(words, word, '|'); i++)
      EXPECT_TRUE(Some([&](const pmuv3_params &params) { return params.*of.choice == i; }))
          << of.name << "=" << word;
  }
}

TEST(ConfigurationsTest, HaveEveryFeatureAndLackIt) {
  for (int f = 0; f < PMUV3_NUM_FEATURES; f++) {
    const auto feature = static_cast<pmuv3_feature>(f);
    const auto has = [&](const pmuv3_params &params) { return pmuv3_has(&params, feature); };
    EXPECT_TRUE(Some(has)) << pmuv3_feature_name(feature);
    EXPECT_TRUE(Some(std::not_fn(has))) << "without " << pmuv3_feature_name(feature);
  }
}

// Every bit of what identification registers read, seen in PMCR_EL0, in both layouts of the page,
// and in PMMIR.
TEST(ConfigurationsTest, HaveIdentities) {
  const auto is_seen = [](const pmuv3_params &params) {
    return params.imp != 0 && params.idcode != 0 && !pmuv3_has(&params, PMUV3_FEATURE_PMUv3p7);
  };
  EXPECT_TRUE(Some(is_seen));
  EXPECT_TRUE(
      Some([](const pmuv3_params &params) { return params.imp == 0 && params.idcode != 0; }));
  for (const pmuv3_feature page : {PMUV3_FEATURE_EXT32, PMUV3_FEATURE_EXT64})
    EXPECT_TRUE(Some([&](const pmuv3_params &params) {
      return pmuv3_has(&params, page) && params.iidr != 0 && params.authstatus != 0 &&
             params.affinity != 0;
    }));
  for (const unsigned width : {3, 12})
    EXPECT_TRUE(Some([&](const pmuv3_params &params) {
      return params.bus_width == width && params.bus_slots != 0 &&
             pmuv3_has(&params, PMUV3_FEATURE_PMUv3p4);
    }));
}

// I-13: the default set, small ones, and one of as many events as there can be; every class with
// every attribution; a number and a class that the architecture does not give an event.
TEST(ConfigurationsTest, HaveSetsOfEvents) {
  const auto has_size = [](int num) {
    return Some([&](const pmuv3_params &params) { return params.events.num == num; });
  };
  EXPECT_TRUE(has_size(pmuv3_events_default().num));
  EXPECT_TRUE(has_size(12));
  EXPECT_TRUE(has_size(38));
  EXPECT_TRUE(has_size(PMUV3_MAX_EVENTS));
  for (int event_class = PMUV3_EVENT_CLASS_COUNT; event_class < PMUV3_NUM_EVENT_CLASSES;
       event_class++)
    for (int attribution = 0; attribution < PMUV3_NUM_EVENT_ATTRIBUTIONS; attribution++) {
      const bool is_trace = attribution == PMUV3_EVENT_ATTRIBUTION_TRACE;
      if (is_trace && event_class != PMUV3_EVENT_CLASS_COUNT) continue;  // pmuv3_events_wrong
      const auto is = [&](const pmuv3_event &event) {
        return event.event_class == event_class && event.attribution == attribution &&
               !pmuv3_event_of_architecture(event.number);
      };
      EXPECT_TRUE(Some([&](const pmuv3_params &params) {
        return std::any_of(params.events.event, params.events.event + params.events.num, is);
      })) << event_class
          << " " << attribution;
    }
}

// An input of the RTL is a row of the events. So every row that INST_RETIRED can have, behind up to
// six events with inputs and SW_INCR, has it in some reduced set.
TEST(ConfigurationsTest, ReducedSetsAreLegalAndHaveOtherRows) {
  std::set<unsigned> rows;
  uint64_t seed = 0;
  for (const pmuv3_params &whole : All())
    for (int i = 0; i < 32; i++) {
      pmuv3_params reduced = whole;
      pmuv3_configuration_reduce_events(&reduced, seed++);
      EXPECT_STREQ(pmuv3_params_wrong(&reduced), nullptr);
      EXPECT_LE(reduced.events.num, whole.events.num);
      rows.insert(pmuv3_events_index(&reduced.events, PMUV3_EVENT_INST_RETIRED));
    }
  for (unsigned row = 1; row <= PMUV3_EVENT_INST_RETIRED; row++)
    EXPECT_TRUE(rows.count(row)) << row;
}

TEST(ConfigurationsTest, HaveEveryNumberOfThreads) {
  for (unsigned threads = 1; threads <= PMUV3_MAX_THREADS; threads++)
    EXPECT_TRUE(Some([&](const pmuv3_params &params) { return params.threads == threads; }))
        << threads;
}

}  // namespace
}  // namespace pmuv3
