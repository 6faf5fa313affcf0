#include "testbench/tests/witness/states.h"

#include <algorithm>
#include <sstream>

namespace pmuv3::witness {
namespace {

constexpr unsigned kTpm = 6, kTpmcr = 5;
constexpr unsigned kEnPm2 = 7, kEnPmss = 44;

uint64_t With(uint64_t value, unsigned bit, bool set) {
  return (value & ~(UINT64_C(1) << bit)) | uint64_t{set} << bit;
}

// Values around the limits that decide.
unsigned CounterNumber(Random *random, unsigned counters) {
  switch (random->Below(4)) {
    case 0:
      return counters;
    case 1:
      return counters ? random->Below(counters) : 0;
    case 2:
      return std::min(31u, counters + 1);
    default:
      return random->Below(32);
  }
}

bool Aa32At(const pmuv3_params &params, const pmuv3_pe &pe, unsigned el) {
  if (!params.aa64 || (params.el3 && pe.a32el3)) return true;
  if (el == 3) return false;
  if (el == 2) return pe.a32el2 || (pe.el == 2 && pe.aa32);
  if (el == 1) return pe.a32el1 || Aa32At(params, pe, 2);
  return pe.aa32 || Aa32At(params, pe, 1);
}

}  // namespace

pmuv3_params RandomParams(Random *random, unsigned most_counters) {
  for (;;) {
    pmuv3_params params = pmuv3_params_default();
    params.features = static_cast<uint32_t>(random->Next() & random->Next());
    if (random->OneIn(3)) params.features |= static_cast<uint32_t>(random->Next());
    params.features &= (UINT32_C(1) << PMUV3_NUM_FEATURES) - 1;
    params.counters = static_cast<uint8_t>(random->Below(most_counters + 1));
    params.el2 = !random->OneIn(5);
    params.el3 = !random->OneIn(4);
    params.aa64 = !random->OneIn(8);
    params.aa32 =
        static_cast<uint8_t>(random->OneIn(2) ? unsigned{PMUV3_AA32_EL3} : random->Below(5));
    params.k_sdd_priority = static_cast<uint8_t>(random->Below(2));
    if (!pmuv3_params_complete(&params)) return params;
  }
}

pmuv3_pe RandomPe(Random *random, const pmuv3_params &params) {
  for (;;) {
    const uint64_t bits = random->Next();
    pmuv3_pe pe = PMUV3_PE_RESET;
    pe.el = static_cast<uint8_t>(bits & 3);
    pe.ss = static_cast<uint8_t>(bits >> 2 & 3);
    pe.halted = (bits >> 4 & 3) == 0;
    pe.aa32 = bits >> 6 & 1;
    pe.a32el1 = bits >> 7 & 1;
    pe.a32el3 = (bits >> 8 & 3) == 0;
    pe.tge = bits >> 10 & 1;
    pe.e2h = bits >> 11 & 1;
    pe.eel2 = bits >> 12 & 1;
    // These decide no access.
    pe.sm = bits >> 20 & 1;
    pe.wfx = bits >> 21 & 1;
    pe.pm = bits >> 22 & 1;
    pe.spe = bits >> 23 & 1;
    pe.oslk = bits >> 24 & 1;
    pe.dlk = bits >> 25 & 1;
    pe.snid = bits >> 26 & 1;
    pe.pme = bits >> 27 & 1;
    // Secure EL2 uses AArch64.
    pe.a32el2 = pe.a32el1 && pe.ss != PMUV3_S && (bits >> 13 & 1);
    pe.hstr = (bits >> 14 & 3) == 0;
    pe.nv = bits >> 16 & 1;
    pe.sdd = bits >> 17 & 1;
    pe.fgwte3 = bits >> 18 & 1;
    const uint64_t fgt = random->Next() & random->Next() & random->Next();
    const uint64_t traps = (UINT64_C(1) << PMUV3_NUM_FGT) - 1;
    pe.fgt = static_cast<decltype(pe.fgt)>(fgt & traps);
    if (!pmuv3_pe_wrong(&params, &pe)) return pe;
  }
}

Controls RandomControls(Random *random, const pmuv3_params &params) {
  Controls controls;
  controls.pmuserenr = random->Below(128);
  controls.pmuacr = random->Next();
  controls.mdcr_el2 = random->Next() & ~UINT64_C(31);
  controls.mdcr_el2 |= CounterNumber(random, params.counters);
  controls.mdcr_el2 = With(controls.mdcr_el2, kTpm, random->OneIn(5));
  controls.mdcr_el2 = With(controls.mdcr_el2, kTpmcr, random->OneIn(3));
  controls.mdcr_el3 = random->Next();
  controls.mdcr_el3 = With(controls.mdcr_el3, kTpm, random->OneIn(5));
  controls.mdcr_el3 = With(controls.mdcr_el3, kEnPm2, !random->OneIn(5));
  controls.mdcr_el3 = With(controls.mdcr_el3, kEnPmss, !random->OneIn(5));
  controls.pmselr = random->OneIn(4) ? 31 : CounterNumber(random, params.counters);
  return controls;
}

void WriteControls(pmuv3_side *side, const Controls &controls) {
  pmuv3_side_write(side, 0, PMUV3_PMUSERENR, controls.pmuserenr);
  pmuv3_side_write(side, 0, PMUV3_PMUACR, controls.pmuacr);
  pmuv3_side_write(side, 0, PMUV3_MDCR_EL2, controls.mdcr_el2);
  pmuv3_side_write(side, 0, PMUV3_MDCR_EL3, controls.mdcr_el3);
  pmuv3_side_write(side, 0, PMUV3_PMSELR, controls.pmselr);
}

Controls ReadControls(pmuv3_side *side) {
  Controls controls;
  pmuv3_side_read(side, 0, PMUV3_PMUSERENR, &controls.pmuserenr);
  pmuv3_side_read(side, 0, PMUV3_PMUACR, &controls.pmuacr);
  pmuv3_side_read(side, 0, PMUV3_MDCR_EL2, &controls.mdcr_el2);
  pmuv3_side_read(side, 0, PMUV3_MDCR_EL3, &controls.mdcr_el3);
  pmuv3_side_read(side, 0, PMUV3_PMSELR, &controls.pmselr);
  return controls;
}

void SetControls(State *state, const Controls &controls) {
  state->pmuserenr = controls.pmuserenr;
  state->pmuacr = controls.pmuacr;
  state->mdcr_el2 = controls.mdcr_el2;
  state->mdcr_el3 = controls.mdcr_el3;
  state->sel = static_cast<unsigned>(controls.pmselr & 31);
  // K-HPMN-RES: a reserved value acts as the number of counters. RMFYQC: EPMN limits HPMN.
  const unsigned hpmn = static_cast<unsigned>(controls.mdcr_el2 & 31);
  const bool reserved = hpmn == 0 && !state->Has(PMUV3_FEATURE_HPMN0);
  state->hpmn = !state->params->el2 || reserved ? state->epmn : std::min(hpmn, state->epmn);
}

State StateOf(const pmuv3_params &params, const pmuv3_pe &pe, const Controls &controls,
              unsigned epmn) {
  State state{};
  state.params = &params;
  state.highest_aa32 = params.aa64 ? params.aa32 - PMUV3_AA32_EL0 : 3;
  state.sdd_first = params.k_sdd_priority != 0;
  state.el = pe.el;
  for (unsigned el = 0; el < 4; el++) state.aa32[el] = Aa32At(params, pe, el);
  state.now_aa32 = state.aa32[pe.el];
  state.secure = pe.ss == PMUV3_S;
  // At EL3, `eel2` says whether EL2 is enabled below it: with an EL3 in AArch32 that is SCR.NS.
  state.eel2 = state.ns = pe.eel2;
  const bool enabled = pe.el == 2 || !params.el3 || pe.ss == PMUV3_NS || pe.ss == PMUV3_RL;
  const bool secure_el2 = pmuv3_has(&params, PMUV3_FEATURE_SEL2) && !state.aa32[3];
  state.el2_enabled = params.el2 && (enabled || (pe.eel2 && (pe.el == 3 || secure_el2)));
  state.tge = pe.tge;
  state.e2h = pe.e2h;
  state.nv = pe.nv;
  state.hstr_t9 = pe.hstr;
  state.halted = pe.halted;
  state.sdd = pe.sdd;
  state.fgwte3 = pe.fgwte3;
  state.fgt = pe.fgt;
  state.epmn = epmn;
  SetControls(&state, controls);
  return state;
}

void WidenState(Random *random, State *state) {
  const uint64_t bits = random->Next();
  const bool all_of_sdd = bits >> 13 & 1;
  state->sdd_first = all_of_sdd || (bits & 1);
  state->sdd = all_of_sdd || (bits >> 1 & 1);
  state->nv = bits >> 2 & 1;
  state->hstr_t9 = (bits >> 3 & 3) == 0;
  state->hstr_t1 = (bits >> 5 & 3) == 0;
  state->tde_tda = (bits >> 7 & 3) == 0;
  state->sdisable = bits >> 9 & 1;
  state->fgwte3 = bits >> 10 & 1;
  state->aa32[2] |= state->aa32[1] && (bits >> 11 & 1);
  state->halted = all_of_sdd || (bits >> 12 & 1);
  state->fgt = random->Next() & random->Next();
}

std::string Text(const State &s) {
  std::ostringstream out;
  out << "EL" << s.el << (s.now_aa32 ? " AArch32" : " AArch64");
  for (unsigned el = 1; el < 4; el++)
    if (s.aa32[el]) out << " a32el" << el;
  const struct {
    const char *name;
    bool value;
  } flags[] = {{"secure", s.secure},
               {"el2", s.params->el2 != 0},
               {"el3", s.params->el3 != 0},
               {"EL2Enabled", s.el2_enabled},
               {"eel2", s.eel2},
               {"tge", s.tge},
               {"e2h", s.e2h},
               {"nv", s.nv},
               {"hstr", s.hstr_t9},
               {"halted", s.halted},
               {"sdd", s.sdd},
               {"sdd_first", s.sdd_first},
               {"fgwte3", s.fgwte3}};
  for (const auto &flag : flags)
    if (flag.value) out << ' ' << flag.name;
  out << std::hex << " fgt=0x" << s.fgt << " PMUSERENR=0x" << s.pmuserenr << " PMUACR=0x"
      << s.pmuacr << " MDCR_EL2=0x" << s.mdcr_el2 << " MDCR_EL3=0x" << s.mdcr_el3 << std::dec
      << " SEL=" << s.sel << " EPMN=" << s.epmn << " HPMN=" << s.hpmn
      << " counters=" << unsigned{s.params->counters} << " highest_aa32=" << s.highest_aa32
      << " features:";
  for (unsigned f = 0; f < PMUV3_NUM_FEATURES; f++)
    if (s.Has(static_cast<pmuv3_feature>(f)))
      out << ' ' << pmuv3_feature_name(static_cast<pmuv3_feature>(f));
  return out.str();
}

}  // namespace pmuv3::witness
