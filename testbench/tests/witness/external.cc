#include "testbench/tests/witness/external.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>

#include "testbench/tests/witness/rows.h"

namespace pmuv3::witness {
namespace {

constexpr uint64_t kCycle = UINT64_C(1) << kCycleCounterId;
constexpr uint64_t kInstruction = UINT64_C(1) << kInstructionCounterId;
constexpr uint32_t kKey = 0xC5ACCE55;  // of PMLAR
constexpr Response kError = {true, false, 0}, kRazWi = {false, true, 0}, kEither = {true, true, 0};

uint64_t Bits(unsigned msb, unsigned lsb) {
  return (~UINT64_C(0) >> (63 - msb + lsb)) << lsb;
}

void Replace(uint64_t *reg, uint64_t value, uint64_t mask) {
  *reg = (*reg & ~mask) | (value & mask);
}

// ---- What each name of external.txt means

// A bit for each counter: as SET, CLR and the whole value, of PMCNTEN, PMINTEN and PMOVS.
template <uint64_t Machine::*reg>
uint64_t GetBits(const External &e, unsigned) {
  return e.*reg & e.AccessMask();
}
template <uint64_t Machine::*reg>
void SetBits(External *e, unsigned, uint64_t value, uint64_t mask) {
  e->*reg |= value & mask & e->AccessMask();
}
template <uint64_t Machine::*reg>
void ClearBits(External *e, unsigned, uint64_t value, uint64_t mask) {
  e->*reg &= ~(value & mask & e->AccessMask());
}
template <uint64_t Machine::*reg>
void PutBits(External *e, unsigned, uint64_t value, uint64_t mask) {
  Replace(&(e->*reg), value, mask & e->AccessMask());
}

// PMPIDR4 is the top byte of the parameter, and PMPIDR0 its lowest.
template <unsigned number>
uint64_t GetPmpidr(const External &e, unsigned) {
  return e.params->pidr >> (8 * number) & 0xFF;
}

using E = External;

const std::map<std::string, Shown> &AllShown() {
  static const std::map<std::string, Shown> shown = {
      {"PMEVCNTR<n>_EL0",
       {[](const E &e, unsigned n) { return e.pmevcntr[n]; },
        [](E *e, unsigned n, uint64_t value, uint64_t mask) {
          Replace(&e->pmevcntr[n], value, mask & e->CounterMask());
        }}},
      {"PMCCNTR_EL0",
       {[](const E &e, unsigned) { return e.pmccntr; },
        [](E *e, unsigned, uint64_t value, uint64_t mask) { Replace(&e->pmccntr, value, mask); }}},
      {"PMICNTR_EL0",
       {[](const E &e, unsigned) { return e.pmicntr; },
        [](E *e, unsigned, uint64_t value, uint64_t mask) { Replace(&e->pmicntr, value, mask); }}},
      {"PMEVTYPER<n>_EL0",
       {[](const E &e, unsigned n) { return e.pmevtyper[n]; },
        [](E *e, unsigned n, uint64_t value, uint64_t mask) {
          Replace(&e->pmevtyper[n], value, mask & e->PmevtyperMask(n));
        }}},
      {"PMCCFILTR_EL0",
       {[](const E &e, unsigned) { return e.pmccfiltr; },
        [](E *e, unsigned, uint64_t value, uint64_t mask) {
          Replace(&e->pmccfiltr, value, mask & e->FilterMask());
        }}},
      {"PMICFILTR_EL0",
       {[](const E &e, unsigned) { return e.pmicfiltr; },
        [](E *e, unsigned, uint64_t value, uint64_t mask) {
          const bool sync = pmuv3_has(e->params, PMUV3_FEATURE_SEBEP);
          Replace(&e->pmicfiltr, value, mask & (e->FilterMask() | (sync ? Bits(58, 58) : 0)));
        }}},
      {"PMEVCNTSVR<n>_EL1", {[](const E &e, unsigned n) { return e.pmevcntsvr[n]; }, nullptr}},
      {"PMCCNTSVR_EL1", {[](const E &e, unsigned) { return e.pmccntsvr; }, nullptr}},
      {"PMICNTSVR_EL1", {[](const E &e, unsigned) { return e.pmicntsvr; }, nullptr}},
      {"PMCNTENSET_EL0", {GetBits<&Machine::pmcnten>, SetBits<&Machine::pmcnten>}},
      {"PMCNTENCLR_EL0", {GetBits<&Machine::pmcnten>, ClearBits<&Machine::pmcnten>}},
      {"PMCNTEN", {GetBits<&Machine::pmcnten>, PutBits<&Machine::pmcnten>}},
      {"PMINTENSET_EL1", {GetBits<&Machine::pminten>, SetBits<&Machine::pminten>}},
      {"PMINTENCLR_EL1", {GetBits<&Machine::pminten>, ClearBits<&Machine::pminten>}},
      {"PMINTEN", {GetBits<&Machine::pminten>, PutBits<&Machine::pminten>}},
      {"PMOVSSET_EL0", {GetBits<&Machine::pmovs>, SetBits<&Machine::pmovs>}},
      {"PMOVSCLR_EL0", {GetBits<&Machine::pmovs>, ClearBits<&Machine::pmovs>}},
      {"PMOVS", {GetBits<&Machine::pmovs>, PutBits<&Machine::pmovs>}},
      {"PMZR_EL0",
       {[](const E &, unsigned) { return UINT64_C(0); },
        [](E *e, unsigned, uint64_t value, uint64_t mask) { e->ZeroPMUCounters(value & mask); }}},
      {"PMCGCR0", {[](const E &e, unsigned) { return e.Pmcgcr0(); }, nullptr}},
      {"PMCFGR", {[](const E &e, unsigned) { return e.Pmcfgr(); }, nullptr}},
      {"PMCR_EL0",  // bits [31:11] are RAZ/WI
       {[](const E &e, unsigned) { return e.pmcr & ~Bits(31, 11); },
        [](E *e, unsigned, uint64_t value, uint64_t mask) { e->WritePmcr(value, mask); }}},
      {"PMIIDR", {[](const E &e, unsigned) { return e.params->iidr; }, nullptr}},
      {"PMCEID0_EL0", {[](const E &e, unsigned) { return e.pmceid0; }, nullptr}},
      {"PMCEID1_EL0", {[](const E &e, unsigned) { return e.pmceid1; }, nullptr}},
      {"PMSSCR_EL1",
       {[](const E &e, unsigned) { return e.pmsscr; },
        [](E *e, unsigned, uint64_t value, uint64_t) {
          if (Bit(value, 0)) e->RequestCapture();
        }}},
      {"PMMIR_EL1", {[](const E &e, unsigned) { return e.pmmir; }, nullptr}},
      {"PMCCR",
       {[](const E &e, unsigned) { return e.pmccr; },
        [](E *e, unsigned, uint64_t value, uint64_t mask) {
          Replace(&e->pmccr, value, mask & (Bits(8, 7) | Bits(4, 0)));
        }}},
      {"PMDEVAFF", {[](const E &e, unsigned) { return e.Pmdevaff(); }, nullptr}},
      {"PMLAR",
       {[](const E &, unsigned) { return UINT64_C(0); },
        [](E *e, unsigned, uint64_t value, uint64_t) {
          e->slk = e->HaveSoftwareLock() && value != kKey;
        }}},
      {"PMLSR", {[](const E &e, unsigned) { return e.Pmlsr(); }, nullptr}},
      {"PMAUTHSTATUS", {[](const E &e, unsigned) { return e.params->authstatus; }, nullptr}},
      {"PMDEVID", {[](const E &e, unsigned) { return e.Pmdevid(); }, nullptr}},
      {"PMPIDR0", {GetPmpidr<0>, nullptr}},
      {"PMPIDR1", {GetPmpidr<1>, nullptr}},
      {"PMPIDR2", {GetPmpidr<2>, nullptr}},
      {"PMPIDR3", {GetPmpidr<3>, nullptr}},
      {"PMPIDR4", {GetPmpidr<4>, nullptr}},
  };
  return shown;
}

// ---- Reading the table

Word::Place ReadPlace(const std::string &text) {
  Word::Place place;
  if (text == "-") return place;
  const size_t colon = text.find(':'), plus = text.find('+');
  place.exists = true;
  place.offset = static_cast<uint16_t>(std::stoul(text, nullptr, 16));
  if (plus < colon) place.stride = static_cast<uint16_t>(std::stoul(text.substr(plus + 1)));
  if (colon != std::string::npos) place.condition = text.substr(colon + 1);
  return place;
}

Word::Check ReadCheck(const std::string &text) {
  static const std::map<std::string, Word::Check> checks = {
      {"DLK", Word::DLK}, {"EPMAD", Word::EPMAD}, {"EPMSSAD", Word::EPMSSAD}, {"OSLK", Word::OSLK},
      {"R3", Word::R3},   {"MOST", Word::MOST},   {"SLK", Word::SLK}};
  return checks.at(text);
}

Word ReadWord(const std::string &line) {
  std::istringstream in(line);
  std::string places[2], access, shows, check;
  Word word;
  in >> word.name >> places[0] >> places[1] >> access >> shows >> check;
  if (check != ":") throw std::invalid_argument("no colon");
  for (unsigned ext = 0; ext < 2; ext++) word.place[ext] = ReadPlace(places[ext]);
  word.reads = access[0] == 'R';
  word.writes = access.at(1) != 'O' || access[0] == 'W';
  const size_t bracket = shows.find('[');
  if (bracket == std::string::npos) {
    word.constant = static_cast<uint32_t>(std::stoul(shows, nullptr, 16));
  } else {
    word.shown = &AllShown().at(shows.substr(0, bracket));
    word.lsb = shows.substr(bracket) == "[63:32]" ? 32 : 0;
  }
  while (in >> check) word.checks.emplace_back(ReadCheck(check), word.name + ": " + check);
  word.is_present = word.name + ": present";
  word.is_written = word.name + ": written";
  return word;
}

}  // namespace

const std::vector<Word> &Words() {
  static const std::vector<Word> words = ReadRows(PMUV3_EXTERNAL, ReadWord);
  return words;
}

// ---- Where words stand

// Alternatives with | between, or all of them with & between.
bool External::IsPresent(const std::string &condition) const {
  if (condition.empty()) return true;
  static const std::map<std::string, pmuv3_feature> features = {
      {"p1", PMUV3_FEATURE_PMUv3p1}, {"p4", PMUV3_FEATURE_PMUv3p4},
      {"p5", PMUV3_FEATURE_PMUv3p5}, {"p8", PMUV3_FEATURE_PMUv3p8},
      {"p9", PMUV3_FEATURE_PMUv3p9}, {"TH", PMUV3_FEATURE_TH},
      {"SME", PMUV3_FEATURE_SME},    {"ICNTR", PMUV3_FEATURE_ICNTR},
      {"SS", PMUV3_FEATURE_SS},      {"EXTPMN", PMUV3_FEATURE_EXTPMN}};
  const size_t at = condition.find_first_of("|&");
  // PMIIDR: "a value of zero for PMIIDR indicates this register is not implemented".
  const std::string first = condition.substr(0, at);
  const bool is = first == "IIDR" ? params->iidr != 0 : Has(features.at(first));
  if (at == std::string::npos) return is;
  const bool rest = IsPresent(condition.substr(at + 1));
  return condition[at] == '|' ? is || rest : is && rest;
}

void External::LayOut() {
  for (Location &location : page_) location = {};
  const bool ext64 = Has(PMUV3_FEATURE_EXT64);
  for (const Word &word : *words) {
    const Word::Place &place = word.place[ext64];
    if (!place.exists || !Is(word.is_present, IsPresent(place.condition))) continue;
    // The registers of a counter that is not implemented are reserved.
    const unsigned number = place.stride ? params->counters : 1;
    for (unsigned n = 0; n < number; n++) page_[(place.offset + n * place.stride) / 4] = {&word, n};
  }
}

// ---- The pseudocode

// Not a parameter. It has FEAT_Debugv8p2, and FEAT_Debugv8p2 is taken to have it.
bool External::IsDebugv8p4() const {
  return params->debugv8p2;
}

// Without EL3 the thread's Security state says which Security state the implementation has.
bool External::SecureOnlyImplementation() const {
  return !params->el3 && pe.ss == PMUV3_S;
}

bool External::IsMostSecureAccess() const {
  if (Is("IsMostSecureAccess: FEAT_RME", Has(PMUV3_FEATURE_RME))) return paspace == PMUV3_RT;
  if (Is("IsMostSecureAccess: HaveEL(EL3)", params->el3) ||
      Is("IsMostSecureAccess: SecureOnlyImplementation()", SecureOnlyImplementation()))
    return paspace == PMUV3_S;
  return true;
}

bool External::AllowExternalPMUAccess() const {
  const bool epmad = PMUV3_GET(mdcr_el3, MDCR_EL3, EPMAD) != 0;
  const bool root = paspace == PMUV3_RT, secure = paspace == PMUV3_S, realm = paspace == PMUV3_RL;
  if (Is("AllowExternalPMUAccess: FEAT_RME", Has(PMUV3_FEATURE_RME))) {
    const bool epmade = PMUV3_GET(mdcr_el3, MDCR_EL3, EPMADE) != 0;
    if (!epmade && !epmad) return Is("AllowExternalPMUAccess: EPMADE, EPMAD == 00", true);
    if (!epmade) return Is("AllowExternalPMUAccess: EPMADE, EPMAD == 01", root || secure);
    if (!epmad) return Is("AllowExternalPMUAccess: EPMADE, EPMAD == 10", root || realm);
    return Is("AllowExternalPMUAccess: EPMADE, EPMAD == 11", root);
  }
  // EPMAD acts as with FEAT_Debugv8p4. If that is undone, ExternalInvasiveDebugEnabled() is taken
  // as TRUE, and ExternalSecureInvasiveDebugEnabled() as FALSE, as they are no inputs.
  if (Is("AllowExternalPMUAccess: FEAT_Debugv8p4", undone != kEpmad || IsDebugv8p4()) &&
      Is("AllowExternalPMUAccess: PAS_Secure", secure))
    return true;
  if (Is("AllowExternalPMUAccess: HaveEL(EL3)", params->el3))
    return Is("AllowExternalPMUAccess: EPMAD == 0", !epmad);
  return Is("AllowExternalPMUAccess: NonSecureOnlyImplementation()", !SecureOnlyImplementation());
}

bool External::AllowExternalPMSSAccess() const {
  const bool root = paspace == PMUV3_RT, secure = paspace == PMUV3_S, realm = paspace == PMUV3_RL;
  const bool rme = Is("AllowExternalPMSSAccess: FEAT_RME", Has(PMUV3_FEATURE_RME));
  uint64_t epmssad = PMUV3_GET(mdcr_el3, MDCR_EL3, EPMSSAD);
  if (!Is("AllowExternalPMSSAccess: HaveEL(EL3)", params->el3)) epmssad = 3;
  if (!rme && (epmssad == 1 || epmssad == 2)) epmssad = 0;  // reserved: the choice of this model
  switch (epmssad) {
    case 0:
      return Is("AllowExternalPMSSAccess: EPMSSAD == 00", rme ? root : secure);
    case 1:
      return Is("AllowExternalPMSSAccess: EPMSSAD == 01", root || realm);
    case 2:
      return Is("AllowExternalPMSSAccess: EPMSSAD == 10", root || secure);
    default:
      return Is("AllowExternalPMSSAccess: EPMSSAD == 11", true);
  }
}

// pe.dlk is OSDLR_EL1.DLK. CORENPDRQ is the core's: dlk is 0 while it is 1.
bool External::DoubleLockStatus() const {
  return Is("DoubleLockStatus: OSDLR_EL1.DLK == 1", pe.dlk) &&
         !Is("DoubleLockStatus: Halted()", pe.halted);
}

bool External::OSLockStatus() const {
  return Is("OSLockStatus()", pe.oslk);
}

bool External::OsLockApplies() const {
  return (!Is("OSLK: FEAT_PMUv3_EXTPMN", Has(PMUV3_FEATURE_EXTPMN)) || !IsMostSecureAccess() ||
          Is("OSLK: PMCCR.OSLO == 0", !Bit(pmccr, 8))) &&
         OSLockStatus();
}

// K-SOFTWARE-LOCK: whether it is implemented, which FEAT_Debugv8p4 excludes.
bool External::HaveSoftwareLock() const {
  return Is("HaveSoftwareLock: FEAT_PMUv3_EXT32", Has(PMUV3_FEATURE_EXT32)) &&
         Is("HaveSoftwareLock: implemented", params->k_software_lock == 0);
}

bool External::SoftwareLockStatus() const {
  return HaveSoftwareLock() && Is("PMLSR.SLK == 1", slk);
}

bool External::IsRange3Counter(unsigned n) const {
  return Is("IsRange3Counter()", n >= EffectiveEPMN());
}

// ---- Registers

// The bits of event counters, of the cycle counter, and F0.
uint64_t External::AccessMask() const {
  uint64_t mask = kCycle;
  if (Is("F0: FEAT_PMUv3_ICNTR", Has(PMUV3_FEATURE_ICNTR))) mask |= kInstruction;
  const bool most_secure = IsMostSecureAccess();
  for (unsigned m = 0; m < params->counters; m++)
    if (most_secure || Is("P<m>: m < UInt(EffectiveEPMN())", m < EffectiveEPMN()))
      mask |= UINT64_C(1) << m;
  return mask;
}

// What PMEVTYPER<n>, PMCCFILTR and PMICFILTR have in common.
uint64_t External::FilterMask() const {
  uint64_t mask = Bits(31, 30);  // P, U
  if (Is("NSK, NSU: EL3", params->el3)) mask |= Bits(29, 28);
  if (Is("NSH: EL2", params->el2)) mask |= Bits(27, 27);
  if (Is("M: EL3 and FEAT_AA64", params->el3 && params->aa64)) mask |= Bits(26, 26);
  if (Is("SH: EL3 and FEAT_SEL2", params->el3 && Has(PMUV3_FEATURE_SEL2))) mask |= Bits(24, 24);
  if (Is("RLK, RLU, RLH: FEAT_RME", Has(PMUV3_FEATURE_RME))) mask |= Bits(22, 20);
  if (Is("VS: FEAT_PMUv3_SME", Has(PMUV3_FEATURE_SME))) mask |= Bits(57, 56);
  return mask;
}

uint64_t External::PmevtyperMask(unsigned n) const {
  uint64_t mask = FilterMask() | Bits(9, 0);
  if (Is("evtCount[15:10]: FEAT_PMUv3p1", Has(PMUV3_FEATURE_PMUv3p1))) mask |= Bits(15, 10);
  // K-MT-LEGACY: a multi-threaded extension of before Armv8.6.
  if (Is("MT: FEAT_MTPMU or K-MT-LEGACY", Has(PMUV3_FEATURE_MTPMU) || params->k_mt_legacy))
    mask |= Bits(25, 25);
  if (Is("TC, TH: FEAT_PMUv3_TH", Has(PMUV3_FEATURE_TH)))
    mask |= Bits(63, 61) | Bits(31 + params->th_width, 32);
  if (Is("TE: FEAT_PMUv3_EDGE", Has(PMUV3_FEATURE_EDGE))) mask |= Bits(60, 60);
  if (Is("TLC: FEAT_PMUv3_TH2 and n MOD 2 == 1", Has(PMUV3_FEATURE_TH2) && n % 2 == 1))
    mask |= Bits(55, 54);
  if (Is("SYNC: FEAT_SEBEP", Has(PMUV3_FEATURE_SEBEP))) mask |= Bits(58, 58);
  return mask;
}

// K-CNT64-A32: 32 bits in a PE without AArch64.
uint64_t External::CounterMask() const {
  return Is("EVCNT: FEAT_PMUv3p5 and FEAT_AA64", Has(PMUV3_FEATURE_PMUv3p5) && params->aa64)
             ? Bits(63, 0)
             : Bits(31, 0);
}

// K-LP-A32: LP is RAZ/WI in a PE without AArch64. K-EXPORT: no X.
uint64_t External::PmcrMask() const {
  uint64_t mask = Bits(0, 0);  // E
  const bool prohibits = params->el3 || (Has(PMUV3_FEATURE_PMUv3p1) && params->el2) ||
                         Has(PMUV3_FEATURE_PMUv3p7) || Has(PMUV3_FEATURE_DPFZS);
  if (Is("LC, D: FEAT_AA32", params->aa32 != PMUV3_AA32_NONE)) mask |= Bits(6, 6) | Bits(3, 3);
  if (Is("DP: EL3, or FEAT_PMUv3p1 and EL2, or FEAT_PMUv3p7", prohibits)) mask |= Bits(5, 5);
  if (Is("LP: FEAT_PMUv3p5 and FEAT_AA64", Has(PMUV3_FEATURE_PMUv3p5) && params->aa64))
    mask |= Bits(7, 7);
  if (Is("FZO: FEAT_PMUv3p7", Has(PMUV3_FEATURE_PMUv3p7))) mask |= Bits(9, 9);
  if (Is("FZS: FEAT_SPEv1p2", Has(PMUV3_FEATURE_SPE))) mask |= Bits(32, 32);
  return mask;
}

// C and P act if the mask has them.
void External::WritePmcr(uint64_t value, uint64_t mask) {
  Replace(&pmcr, value, mask & PmcrMask());
  if (Bit(value & mask, 2)) pmccntr = 0;
  if (!Bit(value & mask, 1)) return;
  for (unsigned n = 0; n < params->counters; n++)
    if (Is("PMCR_EL0.P: a Most secure access", IsMostSecureAccess()) || !IsRange3Counter(n))
      pmevcntr[n] = 0;
}

// GetPMUWriteMask of an external access is AccessMask.
void External::ZeroPMUCounters(uint64_t val) {
  val &= AccessMask();
  if (val & kInstruction) pmicntr = 0;
  if (val & kCycle) pmccntr = 0;
  for (unsigned idx = 0; idx < params->counters; idx++)
    if (Bit(val, idx)) pmevcntr[idx] = 0;
}

// D13.9: a prohibited capture sets NC. An allowed one saves all counters.
void External::RequestCapture() {
  if (!PMUCaptureEventEnabled()) return;
  const bool allowed = PMUCaptureEventAllowed();
  pmsscr = allowed ? 0 : PMUV3_MASK(PMSSCR, NC);
  if (!allowed) return;
  for (unsigned n = 0; n < params->counters; n++) pmevcntsvr[n] = pmevcntr[n];
  pmccntsvr = pmccntr;
  pmicntsvr = pmicntr;
}

// PMCFGR.N without the instruction counter, and PMCGCR0.CG0NC without the cycle counter.
unsigned External::VisibleCounters() const {
  const bool extpmn = Is("PMCFGR.N: FEAT_PMUv3_EXTPMN", Has(PMUV3_FEATURE_EXTPMN));
  return extpmn && !IsMostSecureAccess() ? EffectiveEPMN() : params->counters;
}

uint64_t External::Pmcfgr() const {
  const bool icntr = Is("PMCFGR: FEAT_PMUv3_ICNTR", Has(PMUV3_FEATURE_ICNTR));
  const bool ss = Is("PMCFGR.SS: FEAT_PMUv3_SS", Has(PMUV3_FEATURE_SS));
  const bool fzo = Is("PMCFGR.FZO: FEAT_PMUv3p7", Has(PMUV3_FEATURE_PMUv3p7));
  const bool ccd = Is("PMCFGR.CCD: AArch32", params->aa32 != PMUV3_AA32_NONE);
  return uint64_t{icntr} << 28 | uint64_t{ss} << 22 | uint64_t{fzo} << 21 | uint64_t{ccd} << 15 |
         Bits(14, 14) | Bits(13, 8) | (VisibleCounters() + icntr);  // CC, SIZE, N
}

uint64_t External::Pmcgcr0() const {
  return 1 << 8 | (VisibleCounters() + 1);
}

// U and MT are IMPLEMENTATION DEFINED: the PE is one of several, and MT says that it has threads.
uint64_t External::Pmdevaff() const {
  const uint64_t aff3 = params->affinity >> 16, aff2_to_1 = params->affinity & 0xFFFF;
  return aff3 << 32 | Bits(31, 31) | uint64_t{params->threads > 1} << 24 | aff2_to_1 << 8;
}

uint64_t External::Pmdevid() const {
  return uint64_t{Has(PMUV3_FEATURE_EXTPMN)} << 8 | uint64_t{Has(PMUV3_FEATURE_SS)} << 4;
}

uint64_t External::Pmlsr() const {
  return HaveSoftwareLock() ? uint64_t{slk} << 1 | 1 : 0;  // SLK, SLI
}

std::vector<std::pair<std::string, uint64_t>> External::Registers() const {
  std::vector<std::pair<std::string, uint64_t>> registers = {
      {"PMCR_EL0", pmcr},           {"PMCNTEN", pmcnten},
      {"PMINTEN", pminten},         {"PMOVS", pmovs},
      {"PMCCFILTR_EL0", pmccfiltr}, {"PMICFILTR_EL0", pmicfiltr},
      {"PMCCNTR_EL0", pmccntr},     {"PMICNTR_EL0", pmicntr},
      {"PMCCNTSVR_EL1", pmccntsvr}, {"PMICNTSVR_EL1", pmicntsvr},
      {"PMSSCR_EL1", pmsscr},       {"PMCCR", pmccr},
      {"PMLSR", Pmlsr()},           {"MDCR_EL2", mdcr_el2},
      {"MDCR_EL3", mdcr_el3},       {"PMECR_EL1", pmecr}};
  for (unsigned n = 0; n < params->counters; n++) {
    registers.emplace_back("PMEVCNTR<n>_EL0", pmevcntr[n]);
    registers.emplace_back("PMEVTYPER<n>_EL0", pmevtyper[n]);
    registers.emplace_back("PMEVCNTSVR<n>_EL1", pmevcntsvr[n]);
  }
  return registers;
}

// ---- An access

std::string External::NameOf(uint16_t offset) const {
  const Word *word = page_[offset / 4].word;
  return word ? word->name : "a reserved word";
}

bool External::Bites(Word::Check check, unsigned n) const {
  switch (check) {
    case Word::DLK:
      return DoubleLockStatus();
    case Word::EPMAD:
      return !AllowExternalPMUAccess();
    case Word::EPMSSAD:
      return !AllowExternalPMSSAccess();
    case Word::OSLK:
      return OsLockApplies();
    case Word::R3:
      return IsRange3Counter(n) && !IsMostSecureAccess();
    case Word::MOST:
      return !IsMostSecureAccess();
    default:
      return SoftwareLockStatus();
  }
}

// H8.5.6: reserved management registers are RES0. Elsewhere, where a lock or EPMAD would refuse a
// register, the response is CONSTRAINED UNPREDICTABLE.
Response External::Reserved(uint16_t offset) const {
  if (offset >= 0xF00) return kRazWi;
  return DoubleLockStatus() || OSLockStatus() || !AllowExternalPMUAccess() ? kEither : kRazWi;
}

bool External::Reaches(uint16_t offset, Response *response, bool *locked) const {
  *locked = false;
  if (offset % 4) {  // I1.1, IMPLEMENTATION DEFINED: not supported
    *response = kError;
    return false;
  }
  const Location &at = page_[offset / 4];
  if (!at.word) {
    *response = Reserved(offset);
    return false;
  }
  for (const auto &[check, name] : at.word->checks) {
    if (!Is(name, Bites(check, at.n))) continue;
    *response = check == Word::R3 || check == Word::MOST ? kRazWi : kError;
    *locked = check == Word::SLK;
    return *locked;
  }
  return true;
}

Response External::Read(uint16_t offset) const {
  Response response = kRazWi;
  bool locked;
  if (!Reaches(offset, &response, &locked)) return response;
  const auto &[word, n] = page_[offset / 4];
  if (!word->reads) return kRazWi;
  const uint64_t value = word->shown ? word->shown->get(*this, n) >> word->lsb : word->constant;
  return {false, true, static_cast<uint32_t>(value)};
}

Response External::Write(uint16_t offset, uint32_t value) {
  Response response = kRazWi;
  bool locked;
  if (!Reaches(offset, &response, &locked)) return response;
  const auto &[word, n] = page_[offset / 4];
  if (locked || !word->shown || !word->shown->put) return kRazWi;
  if (!Is(word->is_written, word->writes)) return kRazWi;
  word->shown->put(this, n, uint64_t{value} << word->lsb, UINT64_C(0xFFFFFFFF) << word->lsb);
  // RMFYQC, RZCCDD: what reads of HPMN and PMCR.N make of PMCCR.EPMN.
  if (!Has(PMUV3_FEATURE_EXTPMN)) return kRazWi;
  Replace(&pmcr, uint64_t{EffectiveEPMN()} << 11, Bits(15, 11));
  if (params->el2) Replace(&mdcr_el2, std::min(hpmn, EffectiveEPMN()), Bits(4, 0));
  return kRazWi;
}

}  // namespace pmuv3::witness
