#include "testbench/tests/witness/trial.h"

#include <cstdlib>
#include <sstream>

namespace pmuv3::witness {

void Trial::Run(uint64_t states, bool to_first) {
  constexpr uint64_t kStatesOfEach = 20;
  for (uint64_t state = 0; state < states && !(to_first && !differences_.empty()); state++) {
    if (state % kStatesOfEach == 0) NewImplementation();
    pmuv3_side_reset(side_.get());
    CompareState();
  }
}

void Trial::NewImplementation() {
  do {
    params_ = RandomParams(&random_, most_counters_);
    Adapt(&params_);
  } while (pmuv3_params_complete(&params_));
  side_.reset(create_(&params_));
}

void Trial::WritePmccr(uint32_t value) {
  constexpr uint16_t kPmccr = 0xE58;
  for (int ss = PMUV3_NS; ss <= PMUV3_RT; ss++)
    pmuv3_side_external_write(side_.get(), 0, static_cast<pmuv3_security_state>(ss), kPmccr, value);
}

void Trial::AddOneIn(unsigned n, pmuv3_feature feature, pmuv3_params *params) {
  if (random_.OneIn(n)) params->features |= Mask(feature);
}

void Trial::ChooseLegacyMt(pmuv3_params *params) {
  params->k_mt_legacy = 0;
  if (!pmuv3_has(params, PMUV3_FEATURE_MTPMU) && !pmuv3_has(params, PMUV3_FEATURE_PMUv3p7))
    params->k_mt_legacy = random_.OneIn(2);
}

void Trial::WriteCounters() {
  for (unsigned n = 0; n < params_.counters; n++) Write(PMUV3_PMEVCNTRn(n), random_.Next());
  Write(PMUV3_PMCCNTR, random_.Next());
  Write(PMUV3_PMICNTR, random_.Next());
}

void Trial::Capture() {
  Write(PMUV3_MDCR_EL3, PMUV3_MASK(MDCR_EL3, PMSSE));
  Write(PMUV3_MDCR_EL2, PMUV3_MASK(MDCR_EL2, PMSSE));
  Write(PMUV3_PMECR, PMUV3_MASK(PMECR, SSE));
  Write(PMUV3_PMSSCR, PMUV3_MASK(PMSSCR, SS));
}

uint64_t Trial::Read(uint16_t reg) {
  uint64_t value = 0;
  pmuv3_side_read(side_.get(), 0, reg, &value);
  return value;
}

void Trial::ReadMachine(const pmuv3_pe &pe, Machine *machine) {
  pmuv3_probe probe;
  pmuv3_side_probe(side_.get(), 0, &probe);
  machine->params = &params_;
  machine->pe = pe;
  machine->pmcr = Read(PMUV3_PMCR);
  machine->mdcr_el2 = Read(PMUV3_MDCR_EL2);
  machine->mdcr_el3 = Read(PMUV3_MDCR_EL3);
  machine->pmecr = Read(PMUV3_PMECR);
  machine->pmcnten = uint64_t{probe.fixed_cnten} << 31 | probe.cnten;
  machine->pminten = uint64_t{probe.fixed_inten} << 31 | probe.inten;
  machine->pmovs = uint64_t{probe.fixed_overflow} << 31 | probe.overflow;
  machine->pmicfiltr = Read(PMUV3_PMICFILTR);
  machine->pmccr = probe.pmccr;
  for (unsigned n = 0; n < params_.counters; n++) machine->pmevtyper[n] = probe.evtyper[n];
  const State state = StateOf(params_, pe, ReadControls(side_.get()), 0);
  machine->el2_enabled = state.el2_enabled;
  for (unsigned el = 0; el < 4; el++) machine->aa32[el] = state.aa32[el];
  machine->mistake = mistake_;
  machine->checks = notes_ ? &checks_ : nullptr;
}

void Trial::Same(const std::string &what, uint64_t is, uint64_t expected) {
  if (is == expected || differences_.count(what)) return;
  std::ostringstream text;
  text << std::hex << "is 0x" << is << ", expected 0x" << expected << " with " << Text();
  differences_[what] = text.str();
}

uint64_t Trial::Sparse(unsigned n) {
  uint64_t bits = random_.Next();
  for (; n > 1; n /= 2) bits &= random_.Next();
  return bits;
}

uint64_t FromEnvironment(const char *name, uint64_t otherwise) {
  const char *value = getenv(name);
  return value ? strtoull(value, nullptr, 0) : otherwise;
}

}  // namespace pmuv3::witness
