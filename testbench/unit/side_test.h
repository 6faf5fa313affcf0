// The language of the unit tests: a fixture that holds a side and runs on each
// implementation of one, and short words for what is done to it.
//
//   TEST_P(CounterTest, Counts) {
//     Build("counters=2 features=PMUv3p5");
//     Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED));
//     Enable(0x1);
//     Cycle({{PMUV3_EVENT_INST_RETIRED, 3}});
//     EXPECT_EQ(Probe().V[0], 3);
//   }
//   PMUV3_ON_BOTH_SIDES(CounterTest);
#ifndef PMUV3_SIDE_TEST_H
#define PMUV3_SIDE_TEST_H

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "tlm_wrapper/side.h"

namespace pmuv3 {

struct Implementation {
  const char *name;
  pmuv3_side *(*create)(const pmuv3_params *params);
};

inline void PrintTo(const Implementation &implementation, std::ostream *out) {
  *out << implementation.name;
}

inline const Implementation kImplementations[] = {
    {"Cmodel", pmuv3_side_cmodel},
    {"Rtl", [](const pmuv3_params *params) { return pmuv3_side_rtl(params, 1); }},
};

inline std::string ImplementationName(const ::testing::TestParamInfo<Implementation> &info) {
  return info.param.name;
}

#define PMUV3_ON_BOTH_SIDES(suite)                                                      \
  INSTANTIATE_TEST_SUITE_P(Side, suite, ::testing::ValuesIn(::pmuv3::kImplementations), \
                           ::pmuv3::ImplementationName)

// Complete parameters from what a `param` line says, such as "counters=8 features=TH2".
inline pmuv3_params Params(const std::string &settings = "") {
  pmuv3_params params = pmuv3_params_default();
  std::istringstream words(settings);
  for (std::string word; words >> word;) {
    const size_t equals = word.find('=');
    const char *wrong =
        pmuv3_params_set(&params, word.substr(0, equals).c_str(), word.substr(equals + 1).c_str());
    EXPECT_EQ(wrong, nullptr) << word << ": " << wrong;
  }
  pmuv3_params_complete(&params);
  return params;
}

// A value of PMEVTYPER<n>_EL0: Type(PMUV3_EVENT_STALL).Tc(0b001).Te(1).
class Type {
 public:
  explicit Type(pmuv3_event event) : value_(pmuv3_event_number(event)) {}
  Type &Tc(uint64_t tc) { return Set(PMUV3_PMEVTYPER_TC_LSB, tc); }
  Type &Te(uint64_t te) { return Set(PMUV3_PMEVTYPER_TE_LSB, te); }
  Type &Tlc(uint64_t tlc) { return Set(PMUV3_PMEVTYPER_TLC_LSB, tlc); }
  Type &Th(uint64_t th) { return Set(PMUV3_PMEVTYPER_TH_LSB, th); }
  operator uint64_t() const { return value_; }

 private:
  Type &Set(int lsb, uint64_t field) {
    value_ |= field << lsb;
    return *this;
  }
  uint64_t value_;
};

struct Occurrence {
  pmuv3_event event;
  int count;
};

// Bit n of a value with a bit per counter.
inline int Bit(uint64_t bits, int n) {
  return static_cast<int>(bits >> n & 1);
}

class SideTest : public ::testing::TestWithParam<Implementation> {
 protected:
  void SetUp() override { Build(); }
  void TearDown() override { pmuv3_side_destroy(side_); }

  // Replaces the side by a new one of these parameters.
  void Build(const std::string &settings = "") {
    pmuv3_side_destroy(side_);
    params_ = Params(settings);
    side_ = GetParam().create(&params_);
    ASSERT_NE(side_, nullptr);
  }

  void Reset() { pmuv3_side_reset(side_); }

  pmuv3_access TryWrite(uint16_t reg, uint64_t value) {
    return pmuv3_side_write(side_, reg, value);
  }
  void Write(uint16_t reg, uint64_t value) { EXPECT_EQ(TryWrite(reg, value), PMUV3_ACCESS_OK); }

  pmuv3_access TryRead(uint16_t reg, uint64_t *value) { return pmuv3_side_read(side_, reg, value); }
  uint64_t Read(uint16_t reg) {
    uint64_t value = 0;
    EXPECT_EQ(TryRead(reg, &value), PMUV3_ACCESS_OK);
    return value;
  }

  // Enables these counters and, by PMCR.E, counting in the first range.
  void Enable(uint64_t counters) {
    Write(PMUV3_PMCNTENSET, counters);
    Write(PMUV3_PMCR, 1);
  }

  // Runs one Processor cycle.
  void Cycle(std::initializer_list<Occurrence> occurrences = {}) { Run(occurrences, nullptr); }

  // Runs one Processor cycle with a register write in the same clock.
  void CycleWriting(uint16_t reg, uint64_t value,
                    std::initializer_list<Occurrence> occurrences = {}) {
    const pmuv3_write write = {reg, value};
    Run(occurrences, &write);
  }

  pmuv3_probe Probe() {
    pmuv3_probe probe;
    pmuv3_side_probe(side_, &probe);
    return probe;
  }

  uint64_t Counter(int n) { return Read(PMUV3_PMEVCNTRn(n)); }
  bool Irq() { return pmuv3_side_irq(side_); }

  const pmuv3_params &params() const { return params_; }
  pmuv3_side *side() { return side_; }

 private:
  void Run(std::initializer_list<Occurrence> occurrences, const pmuv3_write *write) {
    std::vector<pmuv3_occurrence> list;
    for (const Occurrence &occurrence : occurrences)
      list.push_back(
          {static_cast<uint8_t>(occurrence.event), static_cast<uint8_t>(occurrence.count)});
    pmuv3_cycle cycle = {};
    cycle.occurrences = list.data();
    cycle.num_occurrences = static_cast<uint8_t>(list.size());
    cycle.has_write = write != nullptr;
    // Without has_write the write must not matter, so it is one that would show.
    cycle.write = write ? *write : pmuv3_write{PMUV3_PMCR, 0b10};
    pmuv3_side_cycle(side_, &cycle);
  }

  pmuv3_params params_ = {};
  pmuv3_side *side_ = nullptr;
};

}  // namespace pmuv3

#endif
