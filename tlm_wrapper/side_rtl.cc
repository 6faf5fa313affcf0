// The RTL under Verilator as a side.
//
// In a clock of the RTL its inputs come with the clock low, so that the cycle's combinational
// values (VB..V) settle, and then the rising edge. A model that samples its inputs has one
// evaluation a clock: it meets the edge together with the next inputs, or when somebody asks for
// what follows.
//
// A read takes no clock of its own. It stays on its port in the next clock, unless a write takes
// its place, and the data pins of a read are all ones: a read that changes something shows.
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#ifdef PMUV3_MUTANTS_THREADS
#include "Vpmuv3_mutants.h"
#elif defined PMUV3_CODE_COVERAGE
#include "Vpmuv3_2_8.h"
#else
#ifndef PMUV3_WAVES
#include "Vpmuv3_1_8.h"
#include "Vpmuv3_2_31.h"
#include "Vpmuv3_4_8.h"
#endif
#include "Vpmuv3_1_31.h"
#include "Vpmuv3_4_31.h"
#endif
#include "tlm_wrapper/rtl_occurrences.h"
#include "tlm_wrapper/rtl_ports.h"
#include "tlm_wrapper/rtl_probes.h"
#include "tlm_wrapper/side_rtl.h"
#ifdef PMUV3_WAVES
#include "tlm_wrapper/fst.h"
#endif
#ifdef PMUV3_CODE_COVERAGE
#include <unistd.h>

#include <cstdlib>
#include <string>
extern "C" {
#include <gcov.h>  // of C alone
}
#endif

namespace {

using pmuv3_rtl::GetElement;
using pmuv3_rtl::kIsSampled;
using pmuv3_rtl::kPeBits;
using pmuv3_rtl::Pack;
using pmuv3_rtl::PutBits;
using pmuv3_rtl::PutElement;

#ifdef PMUV3_WAVES
constexpr bool kHasWaves = true;
using RtlWave = pmuv3::Fst;
#else
constexpr bool kHasWaves = false;

struct RtlWave {
  template <class Model>
  bool Open(Model *, const char *) {
    return false;
  }
  bool End() { return false; }
  void Dump() {}
};
#endif

#ifdef PMUV3_CODE_COVERAGE
constexpr int kRandReset = 0;  // from random states, every bit would toggle when it is reset

// Writes what was executed so far: the RTL's points to a file of this side in a directory, and
// what gcov counts, which it would do itself if processes of the testbench did not end by _exit.
void WriteCodeCoverage(VerilatedContext &context) {
  static unsigned number = 0;
  const char *directory = std::getenv("PMUV3_CODE_COVERAGE");
  if (!directory) return;
  const std::string name = std::to_string(getpid()) + "-" + std::to_string(number++) + ".dat";
  context.coveragep()->write((directory + ("/" + name)).c_str());
  __gcov_dump();
  __gcov_reset();
}
#else
constexpr int kRandReset = 2;

void WriteCodeCoverage(VerilatedContext &) {}
#endif

// What a Verilated model is made with.
struct Context : VerilatedContext {
  explicit Context(uint32_t x_seed) {
    traceEverOn(kHasWaves);
    randReset(kRandReset);
    randSeed(static_cast<int>(x_seed));
  }
};

struct RtlSideBase : pmuv3_side {
  explicit RtlSideBase(pmuv3_side side) : pmuv3_side(side) {}
  virtual ~RtlSideBase() = default;
  virtual bool Wave(const char *file) = 0;
  virtual bool EndWave() = 0;
};

// kThreads and kLanes are the model's; params.threads and params.counters of them are implemented.
template <class Model, unsigned kThreads, unsigned kLanes>
class RtlSide : public RtlSideBase {
  static_assert(kThreads <= 4, "the thread is paddr_i[13:12]");
  static constexpr bool kPostpones = kIsSampled<Model>;

 public:
  RtlSide(const pmuv3_params &with, uint32_t x_seed)
      : RtlSideBase{{&kOps, with}},
        context_(x_seed),
        model_(std::make_unique<Model>(&context_)),
        occurrences_(*model_, params),
        probes_(*model_) {
    pmuv3_rtl::PutConfig(model_->cfg_i, params);
    // Threads that are not implemented stay in random states, which must not matter.
    for (unsigned t = 0; t < params.threads; t++) SetPe(t, pmuv3_rtl::ResetState());
    ColdReset();
    ReadEventIds();
  }
  ~RtlSide() override { WriteCodeCoverage(context_); }

 private:
  static RtlSide &Of(pmuv3_side *side) { return static_cast<RtlSide &>(*side); }

  // An access or a cycle. Its first evaluation shows what was before it; an external access has
  // more clocks, which could hide an error.
  static RtlSide &Begin(pmuv3_side *side) {
    Of(side).begins_ = true;
    return Of(side);
  }

  // The RTL decodes the events only for a read.
  void ReadEventIds() {
    for (unsigned t = 0; t < params.threads; t++) {
      uint64_t pmceid0, pmceid1;
      Read(t, PMUV3_PMCEID0, &pmceid0);
      Read(t, PMUV3_PMCEID1, &pmceid1);
      probes_.KeepEventIds(t, pmceid0, pmceid1);
    }
  }

  void ColdReset() {
    model_->rst_cold_ni = 1;
    Eval();
    model_->rst_cold_ni = 0;
    Reset();
    model_->rst_cold_ni = 1;
    Eval();
  }

  void Reset() {
    probes_.Reset();
    model_->clk_i = 0;
    model_->cycle_i = 0;
    model_->reg_write_i = 0;
    model_->reg_read_i = 0;
    model_->reg_checked_i = 0;
    model_->capture_i = 0;
    model_->pclken_i = 1;
    model_->psel_i = 0;
    model_->penable_i = 0;
    model_->rst_ni = 1;
    Eval();
    model_->rst_ni = 0;
    Eval();
    model_->rst_ni = 1;
    Eval();
  }

  bool Wave(const char *file) override { return wave_.Open(model_.get(), file); }
  bool EndWave() override { return wave_.End(); }

  // The edge that was postponed, if there is one, and the inputs as they are now.
  void Evaluate() {
    model_->clk_i = has_edge_;
    pmuv3_rtl::Evaluate(*model_, occurrences_.TakeChanged());
    if (has_edge_) Fall();
    settled_ = true;
    if (std::exchange(begins_, false)) KeepProbes();
  }

  // Nothing follows the falling edge, so this evaluation is cheap.
  void Fall() {
    has_edge_ = false;
    model_->clk_i = 0;
    model_->eval();
  }

  void Eval() {
    Evaluate();
    wave_.Dump();
  }

  // The edge that ends a clock. The inputs are those of the last evaluation.
  void ClockEdge() {
    if constexpr (kPostpones) {
      has_edge_ = true;
      settled_ = false;
    } else {
      model_->clk_i = 1;
      model_->eval();
      wave_.Dump();
      model_->clk_i = 0;  // falls with the next inputs, in one evaluation
    }
  }

  void SetPe(unsigned thread, const pmuv3_pe &pe) {
    PutBits(model_->pe_i, kPeBits * thread, kPeBits, Pack(pe));
    settled_ = false;
  }

  // The edge that ends a clock, and the accesses of System registers in it.
  void EndClock() {
    ClockEdge();
    model_->reg_write_i = 0;
    EndRead();
  }

  // Registers and outputs follow the edge and the states since the last evaluation.
  void Settle() {
    if (!settled_) Evaluate();
  }

  // RTL says no; which of the reasons it was shows in what it says to the opposite access.
  pmuv3_access Refused(unsigned thread, pmuv3_access when_opposite_works) {
    std::swap(model_->reg_write_i, model_->reg_read_i);
    Evaluate();
    const bool opposite_works = (model_->reg_error_o >> thread & 1) == 0;
    std::swap(model_->reg_write_i, model_->reg_read_i);
    model_->reg_write_i = 0;
    return opposite_works ? when_opposite_works : PMUV3_ACCESS_UNKNOWN;
  }

  pmuv3_access Write(unsigned thread, uint16_t reg, uint64_t value) {
    model_->cycle_i = 0;
    EndRead();
    model_->reg_write_i = 1u << thread;
    PresentWrite(thread, {reg, false, value});
    Eval();
    if (model_->reg_error_o >> thread & 1) return Refused(thread, PMUV3_ACCESS_READ_ONLY);
    EndClock();
    return PMUV3_ACCESS_OK;
  }

  pmuv3_access Read(unsigned thread, uint16_t reg, uint64_t *value) {
    *value = 0;
    PresentRead(thread, reg, false);
    if (model_->reg_error_o >> thread & 1) return Refused(thread, PMUV3_ACCESS_WRITE_ONLY);
    *value = GetElement<uint64_t>(model_->reg_rdata_o, thread);
    return PMUV3_ACCESS_OK;
  }

  void PresentRead(unsigned thread, uint16_t reg, bool checked) {
    model_->cycle_i = 0;
    model_->reg_read_i = 1u << thread;
    model_->reg_checked_i = checked << thread;
    PresentWrite(thread, {reg, false, ~uint64_t{0}});
    Evaluate();
  }

  void EndRead() {
    model_->reg_read_i = 0;
    model_->reg_checked_i = 0;
  }

  void PresentWrite(unsigned thread, const pmuv3_write &write) {
    PutElement(model_->reg_addr_i, thread, write.reg);
    PutElement(model_->reg_wdata_i, thread, write.value);
  }

  // ---- Accesses that are judged by the thread's state ----

  pmuv3_result Result(unsigned thread) const {
    return static_cast<pmuv3_result>(model_->reg_result_o >> 3 * thread & 7);
  }

  uint32_t Syndrome(unsigned thread) const {
    return GetElement<uint32_t>(model_->reg_syndrome_o, thread);
  }

  // Of a write that is made, UNDEFINED where it is not checked and refused.
  uint8_t End(unsigned thread, bool checked) const {
    const bool refused = (model_->reg_error_o >> thread & 1) != 0;
    return static_cast<uint8_t>(checked ? Result(thread) : refused ? PMUV3_UNDEFINED : PMUV3_DONE);
  }

  pmuv3_result Msr(unsigned thread, uint16_t reg, uint64_t value) {
    model_->cycle_i = 0;
    EndRead();
    model_->reg_write_i = 1u << thread;
    model_->reg_checked_i = 1u << thread;
    PresentWrite(thread, {reg, true, value});
    Eval();
    const pmuv3_result result = Result(thread);
    syndrome_[thread] = Syndrome(thread);
    EndClock();
    return result;
  }

  pmuv3_result Mrs(unsigned thread, uint16_t reg, uint64_t *value) {
    PresentRead(thread, reg, true);
    const pmuv3_result result = Result(thread);
    syndrome_[thread] = Syndrome(thread);
    *value = GetElement<uint64_t>(model_->reg_rdata_o, thread);
    return result;
  }

  // ---- APB ----

  // The setup phase, a clock of its own before the access phase.
  void SetUp(const pmuv3_external &access, bool write) {
    model_->psel_i = 1;
    model_->penable_i = 0;
    model_->pwrite_i = write;
    model_->paddr_i = static_cast<uint16_t>(access.thread << 12 | access.offset);
    model_->pnse_i = access.ss == PMUV3_RT || access.ss == PMUV3_RL;
    model_->pprot_i = access.ss == PMUV3_NS || access.ss == PMUV3_RL ? 2 : 0;
    model_->pwdata_i = write ? access.value : ~uint32_t{0};
    model_->pstrb_i = write ? 15 : 0;
    model_->cycle_i = 0;
    Eval();
    EndClock();
    model_->penable_i = 1;
  }

  // The access phase where nothing else holds it up. False: PSLVERR.
  bool Access(uint32_t *value) {
    model_->cycle_i = 0;
    Eval();
    const bool done = !model_->pslverr_o;
    *value = model_->prdata_o;
    ClockEdge();
    EndAccess();
    return done;
  }

  // After a write PENABLE stays, as in a transfer of another slave: it must not matter.
  void EndAccess() {
    model_->psel_i = 0;
    model_->penable_i = model_->pwrite_i;
  }

  // Whether the port can say it; what it cannot is an error.
  bool IsWord(const pmuv3_external &access) const {
    return access.thread < params.threads && access.ss <= PMUV3_RT && access.offset < 0x1000;
  }

  // The port gets nothing. It is an access all the same (Begin).
  bool NoWord() {
    Evaluate();
    return false;
  }

  bool ExternalWrite(const pmuv3_external &access) {
    uint32_t unused;
    if (!IsWord(access)) return NoWord();
    SetUp(access, true);
    return Access(&unused);
  }

  bool ExternalRead(const pmuv3_external &access, uint32_t *value) {
    *value = 0;
    if (!IsWord(access)) return NoWord();
    SetUp(access, false);
    return Access(value);
  }

  // ---- A cycle ----

  // An external write waits for the clock after a System register write of the same thread.
  void Cycle(const pmuv3_cycle &cycle) {
    const bool has_external = cycle.has_external && IsWord(cycle.external);
    if (has_external) SetUp(cycle.external, true);
    occurrences_.Present(cycle);
    PresentWrites(cycle);
    model_->capture_i = cycle.capture & ((1u << params.threads) - 1);
    model_->cycle_i = 1;
    Eval();
    const bool waits = has_external && !model_->pready_o;
    ends_ = {};
    ends_.external_error = cycle.has_external && (!has_external || (!waits && model_->pslverr_o));
    for (unsigned t = 0; t < kThreads; t++) {
      if ((model_->reg_write_i >> t & 1) == 0) continue;
      ends_.result[t] = End(t, cycle.write[t].checked);
      if (cycle.write[t].checked) ends_.syndrome[t] = Syndrome(t);
    }
    for (unsigned t = 0; t < params.threads; t++) probes_.SampleCycle(t);
    EndClock();
    model_->capture_i = 0;
    model_->cycle_i = 0;
    uint32_t unused;
    if (waits)
      ends_.external_error = !Access(&unused);
    else if (has_external)
      EndAccess();
  }

  void PresentWrites(const pmuv3_cycle &cycle) {
    model_->reg_write_i = cycle.has_write & ((1u << params.threads) - 1);
    model_->reg_read_i &= ~model_->reg_write_i;
    model_->reg_checked_i &= model_->reg_read_i;
    for (unsigned t = 0; t < params.threads; t++) {
      if ((cycle.has_write >> t & 1) == 0) continue;
      PresentWrite(t, cycle.write[t]);
      model_->reg_checked_i |= cycle.write[t].checked << t;
    }
  }

  // ---- Probes ----

  void Probe(unsigned thread, pmuv3_probe *probe) {
    Settle();
    std::memcpy(probe, &probes_.Of(thread), sizeof *probe);
  }

  void KeepProbes() {
    if (!before_) return;
    for (unsigned t = 0; t < params.threads; t++)
      std::memcpy(&before_[t], &probes_.Of(t), sizeof *before_);
  }

  struct pmuv3_outputs Outputs(unsigned thread) {
    Settle();
    return probes_.Outputs(thread);
  }

  static const pmuv3_side_ops kOps;

  Context context_;
  std::unique_ptr<Model> model_;
  pmuv3_rtl::Occurrences<Model, kThreads> occurrences_;
  pmuv3_rtl::Probes<Model, kThreads, kLanes> probes_;
  bool has_edge_ = false;          // an edge is postponed
  bool settled_ = false;           // nothing is: outputs are those of registers and states
  bool begins_ = false;            // an access or a cycle, which is not evaluated yet
  pmuv3_probe *before_ = nullptr;  // of each thread, before the last access or cycle
  RtlWave wave_;
  pmuv3_ends ends_ = {};              // of the writes in the last cycle
  uint32_t syndrome_[kThreads] = {};  // of each thread's last checked access
};

template <class Model, unsigned kThreads, unsigned kLanes>
const pmuv3_side_ops RtlSide<Model, kThreads, kLanes>::kOps = {
    "rtl",
    [](pmuv3_side *side) { Of(side).Reset(); },
    [](pmuv3_side *side, unsigned thread, const pmuv3_pe *pe) { Of(side).SetPe(thread, *pe); },
    [](pmuv3_side *side, unsigned thread, uint16_t reg, uint64_t value) {
      return Begin(side).Write(thread, reg, value);
    },
    [](pmuv3_side *side, unsigned thread, uint16_t reg, uint64_t *value) {
      return Begin(side).Read(thread, reg, value);
    },
    [](pmuv3_side *side, unsigned thread, uint16_t reg, uint64_t value) {
      return Begin(side).Msr(thread, reg, value);
    },
    [](pmuv3_side *side, unsigned thread, uint16_t reg, uint64_t *value) {
      return Begin(side).Mrs(thread, reg, value);
    },
    [](pmuv3_side *side, unsigned thread) { return Of(side).syndrome_[thread]; },
    [](pmuv3_side *side, unsigned thread, pmuv3_security_state ss, uint16_t offset,
       uint32_t value) {
      return Begin(side).ExternalWrite(
          {static_cast<uint8_t>(thread), static_cast<uint8_t>(ss), offset, value});
    },
    [](pmuv3_side *side, unsigned thread, pmuv3_security_state ss, uint16_t offset,
       uint32_t *value) {
      return Begin(side).ExternalRead(
          {static_cast<uint8_t>(thread), static_cast<uint8_t>(ss), offset, 0}, value);
    },
    [](pmuv3_side *side, const pmuv3_cycle *cycle) { Begin(side).Cycle(*cycle); },
    [](pmuv3_side *side) { return Of(side).ends_; },
    [](pmuv3_side *side, unsigned thread, pmuv3_probe *probe) { Of(side).Probe(thread, probe); },
    [](pmuv3_side *side, unsigned thread) { return Of(side).Outputs(thread); },
    [](pmuv3_side *side) { delete &Of(side); },
    nullptr,  // repeat
    nullptr,  // next_overflow
    nullptr,  // clone
    nullptr,  // depends
    nullptr,  // repeat_to_overflow
    nullptr,  // save
    nullptr,  // restore
    [](pmuv3_side *side) { Of(side).ColdReset(); },
    !kPostpones ? nullptr : +[](pmuv3_side *side, pmuv3_probe *before) {
      Of(side).Settle();
      Of(side).before_ = before;
    },
};

#ifdef PMUV3_MUTANTS_THREADS
// The one model that has the mutants (testbench/signoff/mutate), as large as it is.
pmuv3_side *Create(const pmuv3_params &params, uint32_t x_seed) {
  if (params.events.num - pmuv3_events_smallest().num > PMUV3_MUTANTS_EVENTS) return nullptr;
  return new RtlSide<Vpmuv3_mutants, PMUV3_MUTANTS_THREADS, PMUV3_MUTANTS_COUNTERS>(params, x_seed);
}
#elif defined PMUV3_CODE_COVERAGE
pmuv3_side *Create(const pmuv3_params &params, uint32_t x_seed) {
  if (params.threads > 2 || params.counters > 8) return nullptr;
  return new RtlSide<Vpmuv3_2_8, 2, 8>(params, x_seed);
}
#else
// The smallest built model that is large enough; with waves there are two.
static_assert(PMUV3_MAX_THREADS == 4 && PMUV3_MAX_COUNTERS == 31, "Vpmuv3_4_31 has the most");
pmuv3_side *Create(const pmuv3_params &params, uint32_t x_seed) {
#ifndef PMUV3_WAVES
  if (params.counters <= 8) {
    if (params.threads <= 1) return new RtlSide<Vpmuv3_1_8, 1, 8>(params, x_seed);
    return new RtlSide<Vpmuv3_4_8, 4, 8>(params, x_seed);
  }
  if (params.threads == 2) return new RtlSide<Vpmuv3_2_31, 2, 31>(params, x_seed);
#endif
  if (params.threads <= 1) return new RtlSide<Vpmuv3_1_31, 1, 31>(params, x_seed);
  return new RtlSide<Vpmuv3_4_31, 4, 31>(params, x_seed);
}
#endif

}  // namespace

pmuv3_side *pmuv3_side_rtl(const pmuv3_params *params, uint32_t x_seed) try {
  return pmuv3_params_wrong(params) ? nullptr : Create(*params, x_seed);
} catch (const std::bad_alloc &) {
  return nullptr;
}

bool pmuv3_side_rtl_wave(pmuv3_side *side, const char *file) {
  return static_cast<RtlSideBase *>(side)->Wave(file);
}

bool pmuv3_side_rtl_wave_end(pmuv3_side *side) {
  return static_cast<RtlSideBase *>(side)->EndWave();
}
