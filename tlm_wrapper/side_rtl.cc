// The RTL under Verilator as a side.
//
// One clock of the RTL is two evaluations: inputs with the clock low, where
// the cycle's combinational values (VB..V) settle, then the rising edge.
#include <algorithm>
#include <cstring>
#include <memory>
#include <new>

#include "Vpmuv3_31.h"
#include "Vpmuv3_8.h"
#include "tlm_wrapper/side.h"
#ifdef PMUV3_WAVES
#include <verilated_fst_c.h>
#endif

namespace {

#ifdef PMUV3_WAVES
constexpr bool kHasWaves = true;

// An FST, dumped after each evaluation once it is open. An evaluation is half a clock.
class RtlWave {
 public:
  template <class Model>
  bool Open(Model *model, const char *file) {
    model->trace(&fst_, 99);
    fst_.open(file);
    return fst_.isOpen();
  }
  void Dump() {
    if (fst_.isOpen()) fst_.dump(time_++);
  }
  ~RtlWave() { fst_.close(); }

 private:
  VerilatedFstC fst_;
  uint64_t time_ = 0;
};
#else
constexpr bool kHasWaves = false;

struct RtlWave {
  template <class Model>
  bool Open(Model *, const char *) {
    return false;
  }
  void Dump() {}
};
#endif

// The configuration input, packed as config_t in pmuv3_pkg.sv: first member on top.
uint64_t Config(const pmuv3_params &params) {
  uint64_t config = 0;
#define PMUV3_PARAM(name, dflt, min, max, bits, text) config = config << (bits) | params.name;
#include "pmuv3/params.def"
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) config = config << (bits) | params.id;
#include "pmuv3/params.def"
  return config << PMUV3_NUM_FEATURES | params.features;
}

// Index of an event's increment input; SELF events have none (pmuv3_pkg.sv).
struct EventInputs {
  uint8_t index[PMUV3_NUM_EVENTS] = {};
  EventInputs() {
    uint8_t next = 0;
    for (int e = 0; e < PMUV3_NUM_EVENTS; e++) {
      index[e] = next;
      next += pmuv3_event_class_of(static_cast<pmuv3_event>(e)) != PMUV3_EVENT_CLASS_SELF;
    }
  }
};
const EventInputs kEventInputs;

struct RtlSideBase : pmuv3_side {
  explicit RtlSideBase(pmuv3_side side) : pmuv3_side(side) {}
  virtual ~RtlSideBase() = default;
  virtual bool Wave(const char *file) = 0;
};

template <class Model>
class RtlSide : public RtlSideBase {
 public:
  RtlSide(const pmuv3_params &with, uint32_t x_seed) : RtlSideBase{{&kOps, with}}, now_{} {
    context_.traceEverOn(kHasWaves);
    context_.randReset(2);
    context_.randSeed(static_cast<int>(x_seed));
    model_ = std::make_unique<Model>(&context_);
    model_->cfg_i = Config(with);
    ColdReset();
  }

 private:
  static RtlSide &Of(pmuv3_side *side) { return *static_cast<RtlSide *>(side); }

  void ColdReset() {
    model_->rst_cold_ni = 1;
    Eval();
    model_->rst_cold_ni = 0;
    Reset();
    model_->rst_cold_ni = 1;
    Eval();
  }

  void Reset() {
    now_ = {};
    model_->clk_i = 0;
    model_->cycle_i = 0;
    model_->reg_write_i = 0;
    model_->reg_read_i = 0;
    model_->rst_ni = 1;
    Eval();
    model_->rst_ni = 0;
    Eval();
    model_->rst_ni = 1;
    Eval();
  }

  bool Wave(const char *file) override { return wave_.Open(model_.get(), file); }

  void Eval() {
    model_->eval();
    wave_.Dump();
  }

  void ClockEdge() {
    model_->clk_i = 1;
    Eval();
    model_->clk_i = 0;  // falls with the next inputs, in one evaluation
  }

  // RTL says no; which of the reasons it was shows in what it says to the opposite access.
  pmuv3_access Refused(pmuv3_access when_opposite_works) {
    model_->reg_write_i = !model_->reg_write_i;
    model_->reg_read_i = !model_->reg_read_i;
    model_->eval();
    bool opposite_works = !model_->reg_error_o;
    model_->reg_write_i = 0;
    model_->reg_read_i = 0;
    return opposite_works ? when_opposite_works : PMUV3_ACCESS_UNKNOWN;
  }

  pmuv3_access Write(uint16_t reg, uint64_t value) {
    model_->cycle_i = 0;
    model_->reg_write_i = 1;
    model_->reg_addr_i = reg;
    model_->reg_wdata_i = value;
    Eval();
    if (model_->reg_error_o) return Refused(PMUV3_ACCESS_READ_ONLY);
    ClockEdge();
    model_->reg_write_i = 0;
    return PMUV3_ACCESS_OK;
  }

  pmuv3_access Read(uint16_t reg, uint64_t *value) {
    *value = 0;
    model_->cycle_i = 0;
    model_->reg_read_i = 1;
    model_->reg_addr_i = reg;
    model_->eval();
    if (model_->reg_error_o) return Refused(PMUV3_ACCESS_WRITE_ONLY);
    *value = model_->reg_rdata_o;
    model_->reg_read_i = 0;
    return PMUV3_ACCESS_OK;
  }

  void Cycle(const pmuv3_cycle &cycle) {
    uint8_t events[sizeof model_->event_i] = {};
    for (int i = 0; i < cycle.num_occurrences; i++)
      events[kEventInputs.index[cycle.occurrences[i].event]] = cycle.occurrences[i].count;
    std::memcpy(&model_->event_i, events, sizeof events);
    model_->cycle_i = 1;
    model_->reg_write_i = cycle.has_write;
    if (cycle.has_write) {
      model_->reg_addr_i = cycle.write.reg;
      model_->reg_wdata_i = cycle.write.value;
    }
    Eval();
    SampleCycle();
    ClockEdge();
    model_->reg_write_i = 0;
    model_->cycle_i = 0;
  }

  // Vectors of 16 or 64 bits a lane are arrays of uint16_t or uint64_t on a little-endian host.
  template <class Port, class Lane>
  static void CopyLanes(Lane *to, const Port &from) {
    std::memcpy(to, &from, std::min(sizeof from, sizeof(Lane) * PMUV3_LANES));
  }

  // The values that exist only during the cycle.
  void SampleCycle() {
    now_.allowed = model_->probe_allowed_o;
    now_.CT = model_->probe_ct_o;
    now_.CP = model_->probe_cp_o;
    now_.CE = model_->probe_ce_o;
    CopyLanes(now_.VB, model_->probe_vb_o);
    CopyLanes(now_.VT, model_->probe_vt_o);
    CopyLanes(now_.VE, model_->probe_ve_o);
    CopyLanes(now_.V, model_->probe_v_o);
  }

  void Probe(pmuv3_probe *probe) {
    CopyLanes(now_.value, model_->probe_value_o);
    CopyLanes(now_.evtyper, model_->probe_evtyper_o);
    now_.overflow = model_->probe_overflow_o;
    now_.cnten = model_->probe_cnten_o;
    now_.inten = model_->probe_inten_o;
    now_.pmcr = model_->probe_pmcr_o;
    now_.mdcr_el2 = model_->probe_mdcr_el2_o;
    now_.pmmir = model_->probe_pmmir_o;
    now_.pmceid0 = model_->probe_pmceid0_o;
    now_.pmceid1 = model_->probe_pmceid1_o;
    now_.irq = model_->irq_o;
    std::memcpy(probe, &now_, sizeof now_);
  }

  static const pmuv3_side_ops kOps;

  VerilatedContext context_;
  std::unique_ptr<Model> model_;
  RtlWave wave_;
  pmuv3_probe now_;
};

template <class Model>
const pmuv3_side_ops RtlSide<Model>::kOps = {
    "rtl",
    [](pmuv3_side *side) { Of(side).Reset(); },
    [](pmuv3_side *side, uint16_t reg, uint64_t value) { return Of(side).Write(reg, value); },
    [](pmuv3_side *side, uint16_t reg, uint64_t *value) { return Of(side).Read(reg, value); },
    [](pmuv3_side *side, const pmuv3_cycle *cycle) { Of(side).Cycle(*cycle); },
    [](pmuv3_side *side, pmuv3_probe *probe) { Of(side).Probe(probe); },
    [](pmuv3_side *side) { return Of(side).model_->irq_o != 0; },
    [](pmuv3_side *side) { delete &Of(side); },
};

}  // namespace

pmuv3_side *pmuv3_side_rtl(const pmuv3_params *params, uint32_t x_seed) try {
  if (params->counters <= 8) return new RtlSide<Vpmuv3_8>(*params, x_seed);
  return new RtlSide<Vpmuv3_31>(*params, x_seed);
} catch (const std::bad_alloc &) {
  return nullptr;
}

bool pmuv3_side_rtl_wave(pmuv3_side *side, const char *file) {
  return static_cast<RtlSideBase *>(side)->Wave(file);
}
