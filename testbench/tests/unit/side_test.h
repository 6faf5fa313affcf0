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
//
// Whatever belongs to a thread takes its number first, and without it is thread
// 0's: Write(1, PMUV3_PMCR, 1). States and occurrences are put together:
//
//   SetPe(1, Pe().El(2).Sm());
//   Cycle({{PMUV3_EVENT_INST_RETIRED, 3},
//          Occurrence(PMUV3_EVENT_INST_RETIRED, 2).On(1).In(1, PMUV3_NS),
//          Occurrence(PMUV3_EVENT_BUS_ACCESS, 1).On(1).RelatedTo(1, PMUV3_NS)});
#ifndef PMUV3_SIDE_TEST_H
#define PMUV3_SIDE_TEST_H

#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "testbench/cosim/stimulus/events_text.h"
#include "tlm_wrapper/side_rtl.h"

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

// Complete parameters from the words of a `param` line, such as "counters=8 features=TH2".
inline pmuv3_params Params(const std::string &settings = "") {
  pmuv3_params params = pmuv3_params_default();
  std::istringstream words(settings);
  for (std::string word; words >> word;) {
    const size_t equals = word.find('=');
    const char *wrong =
        pmuv3_param_set(&params, word.substr(0, equals).c_str(), word.substr(equals + 1).c_str());
    EXPECT_EQ(wrong, nullptr) << word << ": " << wrong;
  }
  const char *impossible = pmuv3_params_complete(&params);
  EXPECT_EQ(impossible, nullptr) << settings << ": " << impossible;
  return params;
}

// A value of PMEVTYPER<n>_EL0: Type(PMUV3_EVENT_STALL).Tc(0b001).Te().M(). Of no event: one of
// PMCCFILTR_EL0 or PMICFILTR_EL0, whose fields stand at the same places: Type().P().Vs(0b01).
class Type {
 public:
  Type() = default;
  explicit Type(unsigned event) : value_(event) {}
  Type &Tc(uint64_t tc) { return Set(PMUV3_PMEVTYPER_TC_LSB, tc); }
  Type &Te(uint64_t te = 1) { return Set(PMUV3_PMEVTYPER_TE_LSB, te); }
  Type &Sync(uint64_t sync = 1) { return Set(PMUV3_PMEVTYPER_SYNC_LSB, sync); }
  Type &Vs(uint64_t vs) { return Set(PMUV3_PMEVTYPER_VS_LSB, vs); }
  Type &Tlc(uint64_t tlc) { return Set(PMUV3_PMEVTYPER_TLC_LSB, tlc); }
  Type &Th(uint64_t th) { return Set(PMUV3_PMEVTYPER_TH_LSB, th); }
  Type &P(uint64_t p = 1) { return Set(PMUV3_PMEVTYPER_P_LSB, p); }
  Type &U(uint64_t u = 1) { return Set(PMUV3_PMEVTYPER_U_LSB, u); }
  Type &Nsk(uint64_t nsk = 1) { return Set(PMUV3_PMEVTYPER_NSK_LSB, nsk); }
  Type &Nsu(uint64_t nsu = 1) { return Set(PMUV3_PMEVTYPER_NSU_LSB, nsu); }
  Type &Nsh(uint64_t nsh = 1) { return Set(PMUV3_PMEVTYPER_NSH_LSB, nsh); }
  Type &M(uint64_t m = 1) { return Set(PMUV3_PMEVTYPER_M_LSB, m); }
  Type &Mt(uint64_t mt = 1) { return Set(PMUV3_PMEVTYPER_MT_LSB, mt); }
  Type &Sh(uint64_t sh = 1) { return Set(PMUV3_PMEVTYPER_SH_LSB, sh); }
  Type &Rlk(uint64_t rlk = 1) { return Set(PMUV3_PMEVTYPER_RLK_LSB, rlk); }
  Type &Rlu(uint64_t rlu = 1) { return Set(PMUV3_PMEVTYPER_RLU_LSB, rlu); }
  Type &Rlh(uint64_t rlh = 1) { return Set(PMUV3_PMEVTYPER_RLH_LSB, rlh); }
  operator uint64_t() const { return value_; }

 private:
  Type &Set(int lsb, uint64_t field) {
    value_ |= field << lsb;
    return *this;
  }
  uint64_t value_ = 0;
};

// A thread's state: the state after reset (EL1, Non-secure, active) with changes.
class Pe {
 public:
  Pe() : Pe(1, PMUV3_NS) {}
  Pe(unsigned el, pmuv3_security_state ss) { El(el).Ss(ss).Active(); }
  Pe &El(unsigned el) {
    pe_.el = static_cast<uint8_t>(el);
    return *this;
  }
  Pe &Ss(pmuv3_security_state ss) {
    pe_.ss = static_cast<uint8_t>(ss);
    return *this;
  }
  Pe &Sm(bool sm = true) { return Set(&pmuv3_pe::sm, sm); }
  Pe &Halted(bool halted = true) { return Set(&pmuv3_pe::halted, halted); }
  Pe &Active(bool active = true) { return Set(&pmuv3_pe::active, active); }
  Pe &Wfx(bool wfx = true) { return Set(&pmuv3_pe::wfx, wfx); }
  Pe &Aa32(bool aa32 = true) { return Set(&pmuv3_pe::aa32, aa32); }
  Pe &A32El1(bool a32el1 = true) { return Set(&pmuv3_pe::a32el1, a32el1); }
  Pe &A32El2(bool a32el2 = true) { return Set(&pmuv3_pe::a32el2, a32el2); }
  Pe &A32El3(bool a32el3 = true) { return Set(&pmuv3_pe::a32el3, a32el3); }
  Pe &Snid(bool snid = true) { return Set(&pmuv3_pe::snid, snid); }
  Pe &Tge(bool tge = true) { return Set(&pmuv3_pe::tge, tge); }
  Pe &E2h(bool e2h = true) { return Set(&pmuv3_pe::e2h, e2h); }
  Pe &Eel2(bool eel2 = true) { return Set(&pmuv3_pe::eel2, eel2); }
  Pe &Pm(bool pm = true) { return Set(&pmuv3_pe::pm, pm); }
  Pe &Spe(bool spe = true) { return Set(&pmuv3_pe::spe, spe); }
  Pe &Oslk(bool oslk = true) { return Set(&pmuv3_pe::oslk, oslk); }
  Pe &Dlk(bool dlk = true) { return Set(&pmuv3_pe::dlk, dlk); }
  Pe &Hstr(bool hstr = true) { return Set(&pmuv3_pe::hstr, hstr); }
  Pe &Nv(bool nv = true) { return Set(&pmuv3_pe::nv, nv); }
  Pe &Sdd(bool sdd = true) { return Set(&pmuv3_pe::sdd, sdd); }
  Pe &Pme(bool pme = true) { return Set(&pmuv3_pe::pme, pme); }
  Pe &Fgwte3(bool fgwte3 = true) { return Set(&pmuv3_pe::fgwte3, fgwte3); }
  Pe &Fgt(uint64_t fgt) {
    pe_.fgt = fgt;
    return *this;
  }
  operator pmuv3_pe() const { return pe_; }

 private:
  Pe &Set(bool pmuv3_pe::*key, bool value) {
    pe_.*key = value;
    return *this;
  }
  pmuv3_pe pe_ = {};
};

// Occurrences of an event: in thread 0's current state, unless changed.
struct Occurrence {
  unsigned event;
  int count;
  unsigned thread = 0;
  pmuv3_origin origin = PMUV3_CURRENT;
  bool has_context = false;
  pmuv3_context context = {};  // the thread's other context of the cycle

  Occurrence(unsigned of, int times) : event(of), count(times) {}
  Occurrence &On(unsigned which) {
    thread = which;
    return *this;
  }
  // Attributable to the thread, in its other context.
  Occurrence &In(unsigned el, pmuv3_security_state ss) { return From(PMUV3_OTHER, el, ss, false); }
  // Unattributable; optionally related to activity of the thread in its other context.
  Occurrence &Unattributable() {
    origin = PMUV3_UNATTRIBUTABLE;
    return *this;
  }
  Occurrence &RelatedTo(unsigned el, pmuv3_security_state ss) {
    return From(PMUV3_UNATTRIBUTABLE, el, ss, true);
  }
  // A debugger's operation on the halted thread.
  Occurrence &Debugger() {
    origin = PMUV3_DEBUGGER;
    return *this;
  }

 private:
  Occurrence &From(pmuv3_origin where, unsigned el, pmuv3_security_state ss, bool related) {
    origin = where;
    has_context = true;
    context = {static_cast<uint8_t>(el), static_cast<uint8_t>(ss), related};
    return *this;
  }
};

// A register write of a thread in the clock of a cycle. `checked`: the state decides, as for MSR.
struct InlineWrite {
  unsigned thread;
  uint16_t reg;
  uint64_t value;
  bool checked = false;
};

// Bit n of a value with a bit for each counter.
inline int Bit(uint64_t bits, int n) {
  return static_cast<int>(bits >> n & 1);
}

class SideTest : public ::testing::TestWithParam<Implementation> {
 protected:
  void SetUp() override { Build(); }
  void TearDown() override { pmuv3_side_destroy(side_); }

  // Replaces the side by a new one with these parameters.
  void Build(const std::string &settings = "") {
    pmuv3_side_destroy(side_);
    params_ = Params(settings);
    side_ = GetParam().create(&params_);
    ASSERT_NE(side_, nullptr);
  }

  void Reset() { pmuv3_side_reset(side_); }

  // Sets a thread's state. The state must be legal with the parameters.
  void SetPe(unsigned thread, const pmuv3_pe &pe) { pmuv3_side_set_pe(side_, thread, &pe); }
  void SetPe(const pmuv3_pe &pe) { SetPe(0, pe); }

  pmuv3_access TryWrite(unsigned thread, uint16_t reg, uint64_t value) {
    return pmuv3_side_write(side_, thread, reg, value);
  }
  pmuv3_access TryWrite(uint16_t reg, uint64_t value) { return TryWrite(0, reg, value); }
  void Write(unsigned thread, uint16_t reg, uint64_t value) {
    EXPECT_EQ(TryWrite(thread, reg, value), PMUV3_ACCESS_OK);
  }
  void Write(uint16_t reg, uint64_t value) { Write(0, reg, value); }

  pmuv3_access TryRead(unsigned thread, uint16_t reg, uint64_t *value) {
    return pmuv3_side_read(side_, thread, reg, value);
  }
  pmuv3_access TryRead(uint16_t reg, uint64_t *value) { return TryRead(0, reg, value); }
  uint64_t Read(unsigned thread, uint16_t reg) {
    uint64_t value = 0;
    EXPECT_EQ(TryRead(thread, reg, &value), PMUV3_ACCESS_OK);
    return value;
  }
  uint64_t Read(uint16_t reg) { return Read(0, reg); }

  // Checked accesses. Mrs(reg) expects success.
  pmuv3_result Msr(unsigned thread, uint16_t reg, uint64_t value) {
    return pmuv3_side_msr(side_, thread, reg, value);
  }
  pmuv3_result Msr(uint16_t reg, uint64_t value) { return Msr(0, reg, value); }
  pmuv3_result TryMrs(uint16_t reg, uint64_t *value) {
    return pmuv3_side_mrs(side_, 0, reg, value);
  }
  uint64_t Mrs(uint16_t reg) {
    uint64_t value = 0;
    EXPECT_EQ(TryMrs(reg, &value), PMUV3_DONE);
    return value;
  }

  // Enables these counters, and the first range by PMCR.E.
  void Enable(unsigned thread, uint64_t counters) {
    Write(thread, PMUV3_PMCNTENSET, counters);
    Write(thread, PMUV3_PMCR, 1);
  }
  void Enable(uint64_t counters) { Enable(0, counters); }

  // Runs one Processor cycle.
  void Cycle(std::initializer_list<Occurrence> occurrences = {}) { Run(occurrences, {}); }

  // Runs one Processor cycle with a register write, or a write for each thread, in the same clock.
  void CycleWriting(uint16_t reg, uint64_t value,
                    std::initializer_list<Occurrence> occurrences = {}) {
    Run(occurrences, {{0, reg, value}});
  }
  void CycleWriting(std::initializer_list<InlineWrite> writes,
                    std::initializer_list<Occurrence> occurrences = {}) {
    Run(occurrences, writes);
  }

  // Likewise with a request from outside to capture: bit t, the counters of thread t.
  void CycleCapturing(unsigned threads, std::initializer_list<Occurrence> occurrences = {},
                      std::initializer_list<InlineWrite> writes = {}) {
    Run(occurrences, writes, threads);
  }

  pmuv3_probe Probe(unsigned thread = 0) {
    pmuv3_probe probe;
    pmuv3_side_probe(side_, thread, &probe);
    return probe;
  }

  uint64_t Counter(unsigned thread, int n) { return Read(thread, PMUV3_PMEVCNTRn(n)); }
  uint64_t Counter(int n) { return Counter(0, n); }
  bool Irq(unsigned thread = 0) { return pmuv3_side_outputs(side_, thread).irq; }
  bool Cti(unsigned thread = 0) { return pmuv3_side_outputs(side_, thread).cti; }
  unsigned Exception(unsigned thread = 0) { return pmuv3_side_outputs(side_, thread).exception; }
  bool Halt(unsigned thread = 0) { return pmuv3_side_outputs(side_, thread).halt; }
  unsigned Brbe(unsigned thread = 0) { return pmuv3_side_outputs(side_, thread).brbe; }
  uint64_t Pulses(unsigned thread = 0) { return pmuv3_side_outputs(side_, thread).pulses; }

  const pmuv3_params &params() const { return params_; }
  pmuv3_side *side() { return side_; }

 private:
  void Run(std::initializer_list<Occurrence> occurrences, std::initializer_list<InlineWrite> writes,
           unsigned captures = 0) {
    std::vector<pmuv3_occurrence> list;
    pmuv3_cycle cycle = {};
    cycle.capture = static_cast<uint8_t>(captures);
    // Unused fields of a cycle must not matter, so they hold values that would show.
    for (pmuv3_write &write : cycle.write) write = {PMUV3_PMCR, false, 0b10};
    for (pmuv3_context &other : cycle.other) other = {3, PMUV3_S, false};
    for (const Occurrence &occurrence : occurrences) {
      list.push_back(
          {static_cast<uint16_t>(occurrence.event), static_cast<uint8_t>(occurrence.count),
           static_cast<uint8_t>(occurrence.thread), static_cast<uint8_t>(occurrence.origin)});
      if (!occurrence.has_context) continue;
      pmuv3_context &other = cycle.other[occurrence.thread];
      const bool related = other.related || occurrence.context.related;
      other = occurrence.context;
      other.related = related;
    }
    for (const InlineWrite &write : writes) {
      cycle.has_write |= static_cast<uint8_t>(1u << write.thread);
      cycle.write[write.thread] = {write.reg, write.checked, write.value};
    }
    cycle.occurrences = list.data();
    cycle.num_occurrences = static_cast<uint16_t>(list.size());
    pmuv3_side_cycle(side_, &cycle);
  }

  pmuv3_params params_ = {};
  pmuv3_side *side_ = nullptr;
};

}  // namespace pmuv3

#endif
