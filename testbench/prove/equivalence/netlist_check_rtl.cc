#include "testbench/prove/equivalence/netlist_check_rtl.h"

#include <Vpmuv3_1_31.h>
#include <Vpmuv3_1_8.h>
#include <Vpmuv3_2_31.h>
#include <Vpmuv3_4_31.h>
#include <Vpmuv3_4_8.h>

#include "tlm_wrapper/rtl_ports.h"

namespace pmuv3::prove {
namespace {

template <class Model>
class Verilated : public Rtl {
 public:
  explicit Verilated(uint64_t seed) {
    context_.randReset(2);
    context_.randSeed(static_cast<int>(seed >> 33 | 1));
    model_ = std::make_unique<Model>(&context_);
#define PIN(name) Pin{#name, &model_->name, sizeof model_->name}
    inputs_ = {PIN(clk_i),        PIN(rst_ni),      PIN(rst_cold_ni), PIN(cfg_i),
               PIN(events_i),     PIN(cycle_i),     PIN(pe_i),        PIN(other_i),
               PIN(occurrence_i), PIN(reg_write_i), PIN(reg_read_i),  PIN(reg_checked_i),
               PIN(reg_addr_i),   PIN(reg_wdata_i), PIN(pclken_i),    PIN(psel_i),
               PIN(penable_i),    PIN(pwrite_i),    PIN(paddr_i),     PIN(pnse_i),
               PIN(pprot_i),      PIN(pwdata_i),    PIN(pstrb_i),     PIN(capture_i)};
    outputs_ = {
        PIN(reg_rdata_o),   PIN(reg_error_o),     PIN(reg_result_o),    PIN(reg_syndrome_o),
        PIN(prdata_o),      PIN(pready_o),        PIN(pslverr_o),       PIN(irq_o),
        PIN(cti_o),         PIN(exception_o),     PIN(halt_o),          PIN(brbe_o),
        PIN(pulse_o),       PIN(probe_allowed_o), PIN(probe_ct_o),      PIN(probe_cp_o),
        PIN(probe_ce_o),    PIN(probe_vb_o),      PIN(probe_vt_o),      PIN(probe_ve_o),
        PIN(probe_v_o),     PIN(probe_value_o),   PIN(probe_evtyper_o), PIN(probe_overflow_o),
        PIN(probe_cnten_o), PIN(probe_inten_o),   PIN(probe_svr_o)};
#define PMUV3_PROBE_GLOBAL(field, name, owner) outputs_.push_back(PIN(probe_##field##_o));
#define PMUV3_PROBE_STATIC(field, name, owner)  // no port
#define PMUV3_PROBE_OUTPUT(field, name, owner)  // among those above
#include "pmuv3/probe.def"
#undef PIN
  }
  ~Verilated() override {
    model_->final();
  }
  void Eval() override {
    pmuv3_rtl::Configure(*model_, 0);
    pmuv3_rtl::Evaluate(*model_);
  }

 private:
  VerilatedContext context_;
  std::unique_ptr<Model> model_;
};

template <class Model>
std::unique_ptr<Rtl> Make(uint64_t seed) {
  return std::make_unique<Verilated<Model>>(seed);
}

const Size kSizes[] = {{"1_8", 1, 8, Make<Vpmuv3_1_8>},
                       {"1_31", 1, 31, Make<Vpmuv3_1_31>},
                       {"2_31", 2, 31, Make<Vpmuv3_2_31>},
                       {"4_8", 4, 8, Make<Vpmuv3_4_8>},
                       {"4_31", 4, 31, Make<Vpmuv3_4_31>}};

}  // namespace

const Size *FindSize(const char *name) {
  for (const Size &size : kSizes)
    if (!std::strcmp(size.name, name)) return &size;
  return nullptr;
}

}  // namespace pmuv3::prove
