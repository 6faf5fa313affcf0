// external: the page of each thread's registers, word by word, typed from the
// architecture's tables I3-1 and I3-2, I3-3 and the external register descriptions.
#include <cstring>
#include <string>
#include <vector>

#include "testbench/tests/unit/side_test.h"

namespace pmuv3 {
namespace {

constexpr uint32_t kOnes = ~uint32_t{0};
constexpr uint32_t kKey = 0xC5ACCE55;
constexpr uint64_t kPmcrPC = 0b110;  // PMCR.{C, P}, which read 0
const pmuv3_security_state kSpaces[] = {PMUV3_NS, PMUV3_S, PMUV3_RL, PMUV3_RT};

// Everything but the page itself.
const char kAll[] = "TH2,SME,ICNTR,RME,SEL2,MTPMU,SEBEP,HPMN0,SS,DPFZS";

std::string With(const std::string &features, const std::string &more = "") {
  return "features=" + std::string(kAll) + "," + features + " " + more;
}

// ---- The layouts ----

enum class Access { kRw, kSet, kClear, kRo, kWo };
enum class Domain { kCore, kSnapshot, kAgent, kManagement };
using A = Access;
using D = Domain;

constexpr uint16_t kNoSysreg = 0;

struct Word {
  int offset;
  int stride;  // of <n> = 0..30; 0: one register
  const char *name;
  uint16_t reg;       // the System register that this is a half of, or what PMCNTEN... hold
  int lsb;            // which half
  Access access;      // kSet, kClear: RW, and what ones do
  Domain domain;      // what blocks it
  const char *needs;  // features: all of the words, of each one of those between |
};

// Table I3-2, with FEAT_PMUv3_EXT32.
const Word kWords32[] = {
    {0x000, 8, "PMEVCNTR<n>[31:0]", PMUV3_PMEVCNTR, 0, A::kRw, D::kCore, ""},
    {0x004, 8, "PMEVCNTR<n>[63:32]", PMUV3_PMEVCNTR, 32, A::kRw, D::kCore, "PMUv3p5"},
    {0x0F8, 0, "PMCCNTR[31:0]", PMUV3_PMCCNTR, 0, A::kRw, D::kCore, ""},
    {0x0FC, 0, "PMCCNTR[63:32]", PMUV3_PMCCNTR, 32, A::kRw, D::kCore, ""},
    {0x100, 0, "PMICNTR[31:0]", PMUV3_PMICNTR, 0, A::kRw, D::kCore, "ICNTR"},
    {0x104, 0, "PMICNTR[63:32]", PMUV3_PMICNTR, 32, A::kRw, D::kCore, "ICNTR"},
    {0x400, 4, "PMEVTYPER<n>[31:0]", PMUV3_PMEVTYPER, 0, A::kRw, D::kCore, ""},
    {0x47C, 0, "PMCCFILTR[31:0]", PMUV3_PMCCFILTR, 0, A::kRw, D::kCore, ""},
    {0x480, 0, "PMICFILTR[31:0]", PMUV3_PMICFILTR, 0, A::kRw, D::kCore, "ICNTR"},
    {0x600, 8, "PMEVCNTSVR<n>[31:0]", PMUV3_PMEVCNTSVR, 0, A::kRo, D::kSnapshot, "SS"},
    {0x604, 8, "PMEVCNTSVR<n>[63:32]", PMUV3_PMEVCNTSVR, 32, A::kRo, D::kSnapshot, "SS"},
    {0x6F8, 0, "PMCCNTSVR[31:0]", PMUV3_PMCCNTSVR, 0, A::kRo, D::kSnapshot, "SS"},
    {0x6FC, 0, "PMCCNTSVR[63:32]", PMUV3_PMCCNTSVR, 32, A::kRo, D::kSnapshot, "SS"},
    {0x700, 0, "PMICNTSVR[31:0]", PMUV3_PMICNTSVR, 0, A::kRo, D::kSnapshot, "SS ICNTR"},
    {0x704, 0, "PMICNTSVR[63:32]", PMUV3_PMICNTSVR, 32, A::kRo, D::kSnapshot, "SS ICNTR"},
    {0xA00, 4, "PMEVTYPER<n>[63:32]", PMUV3_PMEVTYPER, 32, A::kRw, D::kCore, "TH|PMUv3p8|SME"},
    {0xA7C, 0, "PMCCFILTR[63:32]", PMUV3_PMCCFILTR, 32, A::kRw, D::kCore, "TH|PMUv3p8|SME"},
    {0xA80, 0, "PMICFILTR[63:32]", PMUV3_PMICFILTR, 32, A::kRw, D::kCore, "ICNTR"},
    {0xC00, 0, "PMCNTENSET[31:0]", PMUV3_PMCNTENSET, 0, A::kSet, D::kCore, ""},
    {0xC04, 0, "PMCNTENSET[63:32]", PMUV3_PMCNTENSET, 32, A::kSet, D::kCore, "PMUv3p9"},
    {0xC20, 0, "PMCNTENCLR[31:0]", PMUV3_PMCNTENCLR, 0, A::kClear, D::kCore, ""},
    {0xC24, 0, "PMCNTENCLR[63:32]", PMUV3_PMCNTENCLR, 32, A::kClear, D::kCore, "PMUv3p9"},
    {0xC40, 0, "PMINTENSET[31:0]", PMUV3_PMINTENSET, 0, A::kSet, D::kCore, ""},
    {0xC44, 0, "PMINTENSET[63:32]", PMUV3_PMINTENSET, 32, A::kSet, D::kCore, "PMUv3p9"},
    {0xC60, 0, "PMINTENCLR[31:0]", PMUV3_PMINTENCLR, 0, A::kClear, D::kCore, ""},
    {0xC64, 0, "PMINTENCLR[63:32]", PMUV3_PMINTENCLR, 32, A::kClear, D::kCore, "PMUv3p9"},
    {0xC80, 0, "PMOVSCLR[31:0]", PMUV3_PMOVSCLR, 0, A::kClear, D::kCore, ""},
    {0xC84, 0, "PMOVSCLR[63:32]", PMUV3_PMOVSCLR, 32, A::kClear, D::kCore, "PMUv3p9"},
    {0xCA0, 0, "PMZR[31:0]", PMUV3_PMZR, 0, A::kWo, D::kCore, "PMUv3p9"},
    {0xCA4, 0, "PMZR[63:32]", PMUV3_PMZR, 32, A::kWo, D::kCore, "PMUv3p9"},
    {0xCC0, 0, "PMOVSSET[31:0]", PMUV3_PMOVSSET, 0, A::kSet, D::kCore, ""},
    {0xCC4, 0, "PMOVSSET[63:32]", PMUV3_PMOVSSET, 32, A::kSet, D::kCore, "PMUv3p9"},
    {0xCE0, 0, "PMCGCR0", kNoSysreg, 0, A::kRo, D::kCore, "ICNTR"},
    {0xE00, 0, "PMCFGR", kNoSysreg, 0, A::kRo, D::kCore, ""},
    {0xE04, 0, "PMCR", PMUV3_PMCR, 0, A::kRw, D::kCore, ""},
    {0xE08, 0, "PMIIDR", kNoSysreg, 0, A::kRo, D::kCore, ""},
    {0xE20, 0, "PMCEID0", PMUV3_PMCEID0, 0, A::kRo, D::kCore, ""},
    {0xE24, 0, "PMCEID1", PMUV3_PMCEID1, 0, A::kRo, D::kCore, ""},
    {0xE28, 0, "PMCEID2", PMUV3_PMCEID0, 32, A::kRo, D::kCore, "PMUv3p1"},
    {0xE2C, 0, "PMCEID3", PMUV3_PMCEID1, 32, A::kRo, D::kCore, "PMUv3p1"},
    {0xE30, 0, "PMSSCR[31:0]", PMUV3_PMSSCR, 0, A::kRw, D::kSnapshot, "SS"},
    {0xE34, 0, "PMSSCR[63:32]", PMUV3_PMSSCR, 32, A::kRw, D::kSnapshot, "SS"},
    {0xE40, 0, "PMMIR[31:0]", PMUV3_PMMIR, 0, A::kRo, D::kCore, "PMUv3p4"},
    {0xE44, 0, "PMMIR[63:32]", PMUV3_PMMIR, 32, A::kRo, D::kCore, "PMUv3p9"},
    {0xE58, 0, "PMCCR[31:0]", kNoSysreg, 0, A::kRw, D::kAgent, "EXTPMN"},
    {0xE5C, 0, "PMCCR[63:32]", kNoSysreg, 32, A::kRw, D::kAgent, "EXTPMN"},
    {0xFA8, 0, "PMDEVAFF0", kNoSysreg, 0, A::kRo, D::kManagement, ""},
    {0xFAC, 0, "PMDEVAFF1", kNoSysreg, 0, A::kRo, D::kManagement, ""},
    {0xFB0, 0, "PMLAR", kNoSysreg, 0, A::kWo, D::kManagement, ""},
    {0xFB4, 0, "PMLSR", kNoSysreg, 0, A::kRo, D::kManagement, ""},
};

// Table I3-1, with FEAT_PMUv3_EXT64: [31:0], and [63:32] where there is more than zeros.
const Word kWords64[] = {
    {0x000, 8, "PMEVCNTR<n>[31:0]", PMUV3_PMEVCNTR, 0, A::kRw, D::kCore, ""},
    {0x004, 8, "PMEVCNTR<n>[63:32]", PMUV3_PMEVCNTR, 32, A::kRw, D::kCore, ""},
    {0x0F8, 0, "PMCCNTR[31:0]", PMUV3_PMCCNTR, 0, A::kRw, D::kCore, ""},
    {0x0FC, 0, "PMCCNTR[63:32]", PMUV3_PMCCNTR, 32, A::kRw, D::kCore, ""},
    {0x100, 0, "PMICNTR[31:0]", PMUV3_PMICNTR, 0, A::kRw, D::kCore, "ICNTR"},
    {0x104, 0, "PMICNTR[63:32]", PMUV3_PMICNTR, 32, A::kRw, D::kCore, "ICNTR"},
    {0x400, 8, "PMEVTYPER<n>[31:0]", PMUV3_PMEVTYPER, 0, A::kRw, D::kCore, ""},
    {0x404, 8, "PMEVTYPER<n>[63:32]", PMUV3_PMEVTYPER, 32, A::kRw, D::kCore, ""},
    {0x4F8, 0, "PMCCFILTR[31:0]", PMUV3_PMCCFILTR, 0, A::kRw, D::kCore, ""},
    {0x4FC, 0, "PMCCFILTR[63:32]", PMUV3_PMCCFILTR, 32, A::kRw, D::kCore, ""},
    {0x500, 0, "PMICFILTR[31:0]", PMUV3_PMICFILTR, 0, A::kRw, D::kCore, "ICNTR"},
    {0x504, 0, "PMICFILTR[63:32]", PMUV3_PMICFILTR, 32, A::kRw, D::kCore, "ICNTR"},
    {0x600, 8, "PMEVCNTSVR<n>[31:0]", PMUV3_PMEVCNTSVR, 0, A::kRo, D::kSnapshot, "SS"},
    {0x604, 8, "PMEVCNTSVR<n>[63:32]", PMUV3_PMEVCNTSVR, 32, A::kRo, D::kSnapshot, "SS"},
    {0x6F8, 0, "PMCCNTSVR[31:0]", PMUV3_PMCCNTSVR, 0, A::kRo, D::kSnapshot, "SS"},
    {0x6FC, 0, "PMCCNTSVR[63:32]", PMUV3_PMCCNTSVR, 32, A::kRo, D::kSnapshot, "SS"},
    {0x700, 0, "PMICNTSVR[31:0]", PMUV3_PMICNTSVR, 0, A::kRo, D::kSnapshot, "SS ICNTR"},
    {0x704, 0, "PMICNTSVR[63:32]", PMUV3_PMICNTSVR, 32, A::kRo, D::kSnapshot, "SS ICNTR"},
    {0xC00, 0, "PMCNTENSET[31:0]", PMUV3_PMCNTENSET, 0, A::kSet, D::kCore, ""},
    {0xC04, 0, "PMCNTENSET[63:32]", PMUV3_PMCNTENSET, 32, A::kSet, D::kCore, ""},
    {0xC10, 0, "PMCNTEN[31:0]", PMUV3_PMCNTENSET, 0, A::kRw, D::kCore, ""},
    {0xC14, 0, "PMCNTEN[63:32]", PMUV3_PMCNTENSET, 32, A::kRw, D::kCore, ""},
    {0xC20, 0, "PMCNTENCLR[31:0]", PMUV3_PMCNTENCLR, 0, A::kClear, D::kCore, ""},
    {0xC24, 0, "PMCNTENCLR[63:32]", PMUV3_PMCNTENCLR, 32, A::kClear, D::kCore, ""},
    {0xC40, 0, "PMINTENSET[31:0]", PMUV3_PMINTENSET, 0, A::kSet, D::kCore, ""},
    {0xC44, 0, "PMINTENSET[63:32]", PMUV3_PMINTENSET, 32, A::kSet, D::kCore, ""},
    {0xC50, 0, "PMINTEN[31:0]", PMUV3_PMINTENSET, 0, A::kRw, D::kCore, ""},
    {0xC54, 0, "PMINTEN[63:32]", PMUV3_PMINTENSET, 32, A::kRw, D::kCore, ""},
    {0xC60, 0, "PMINTENCLR[31:0]", PMUV3_PMINTENCLR, 0, A::kClear, D::kCore, ""},
    {0xC64, 0, "PMINTENCLR[63:32]", PMUV3_PMINTENCLR, 32, A::kClear, D::kCore, ""},
    {0xC80, 0, "PMOVSCLR[31:0]", PMUV3_PMOVSCLR, 0, A::kClear, D::kCore, ""},
    {0xC84, 0, "PMOVSCLR[63:32]", PMUV3_PMOVSCLR, 32, A::kClear, D::kCore, ""},
    {0xC90, 0, "PMOVS[31:0]", PMUV3_PMOVSSET, 0, A::kRw, D::kCore, ""},
    {0xC94, 0, "PMOVS[63:32]", PMUV3_PMOVSSET, 32, A::kRw, D::kCore, ""},
    {0xCA0, 0, "PMZR[31:0]", PMUV3_PMZR, 0, A::kWo, D::kCore, "PMUv3p9"},
    {0xCA4, 0, "PMZR[63:32]", PMUV3_PMZR, 32, A::kWo, D::kCore, "PMUv3p9"},
    {0xCC0, 0, "PMOVSSET[31:0]", PMUV3_PMOVSSET, 0, A::kSet, D::kCore, ""},
    {0xCC4, 0, "PMOVSSET[63:32]", PMUV3_PMOVSSET, 32, A::kSet, D::kCore, ""},
    {0xCE0, 0, "PMCGCR0[31:0]", kNoSysreg, 0, A::kRo, D::kCore, "ICNTR"},
    {0xCE4, 0, "PMCGCR0[63:32]", kNoSysreg, 32, A::kRo, D::kCore, "ICNTR"},
    {0xE00, 0, "PMCFGR[31:0]", kNoSysreg, 0, A::kRo, D::kCore, ""},
    {0xE04, 0, "PMCFGR[63:32]", kNoSysreg, 32, A::kRo, D::kCore, ""},
    {0xE08, 0, "PMIIDR[31:0]", kNoSysreg, 0, A::kRo, D::kCore, ""},
    {0xE0C, 0, "PMIIDR[63:32]", kNoSysreg, 32, A::kRo, D::kCore, ""},
    {0xE10, 0, "PMCR[31:0]", PMUV3_PMCR, 0, A::kRw, D::kCore, ""},
    {0xE14, 0, "PMCR[63:32]", PMUV3_PMCR, 32, A::kRw, D::kCore, ""},
    {0xE30, 0, "PMSSCR[31:0]", PMUV3_PMSSCR, 0, A::kRw, D::kSnapshot, "SS"},
    {0xE34, 0, "PMSSCR[63:32]", PMUV3_PMSSCR, 32, A::kRw, D::kSnapshot, "SS"},
    {0xE40, 0, "PMMIR[31:0]", PMUV3_PMMIR, 0, A::kRo, D::kCore, "PMUv3p4"},
    {0xE44, 0, "PMMIR[63:32]", PMUV3_PMMIR, 32, A::kRo, D::kCore, "PMUv3p4"},
    {0xE58, 0, "PMCCR[31:0]", kNoSysreg, 0, A::kRw, D::kAgent, "EXTPMN"},
    {0xE5C, 0, "PMCCR[63:32]", kNoSysreg, 32, A::kRw, D::kAgent, "EXTPMN"},
    {0xFA8, 0, "PMDEVAFF[31:0]", kNoSysreg, 0, A::kRo, D::kManagement, ""},
    {0xFAC, 0, "PMDEVAFF[63:32]", kNoSysreg, 0, A::kRo, D::kManagement, ""},
};

// Of both: what makes the page a CoreSight component.
const Word kManagementWords[] = {
    {0xFB8, 0, "PMAUTHSTATUS", kNoSysreg, 0, A::kRo, D::kManagement, ""},
    {0xFBC, 0, "PMDEVARCH", kNoSysreg, 0, A::kRo, D::kManagement, ""},
    {0xFC8, 0, "PMDEVID", kNoSysreg, 0, A::kRo, D::kManagement, ""},
    {0xFCC, 0, "PMDEVTYPE", kNoSysreg, 0, A::kRo, D::kManagement, ""},
    {0xFD0, 0, "PMPIDR4", kNoSysreg, 0, A::kRo, D::kManagement, ""},
    {0xFE0, 0, "PMPIDR0", kNoSysreg, 0, A::kRo, D::kManagement, ""},
    {0xFE4, 0, "PMPIDR1", kNoSysreg, 0, A::kRo, D::kManagement, ""},
    {0xFE8, 0, "PMPIDR2", kNoSysreg, 0, A::kRo, D::kManagement, ""},
    {0xFEC, 0, "PMPIDR3", kNoSysreg, 0, A::kRo, D::kManagement, ""},
    {0xFF0, 0, "PMCIDR0", kNoSysreg, 0, A::kRo, D::kManagement, ""},
    {0xFF4, 0, "PMCIDR1", kNoSysreg, 0, A::kRo, D::kManagement, ""},
    {0xFF8, 0, "PMCIDR2", kNoSysreg, 0, A::kRo, D::kManagement, ""},
    {0xFFC, 0, "PMCIDR3", kNoSysreg, 0, A::kRo, D::kManagement, ""},
};

// Whether a feature of each word is there; a word is alternatives with | between.
bool Has(const pmuv3_params &params, const char *needs) {
  std::istringstream words(needs);
  for (std::string word; words >> word;) {
    std::istringstream alternatives(word);
    bool has = false;
    for (std::string name; std::getline(alternatives, name, '|');)
      for (int f = 0; f < PMUV3_NUM_FEATURES; f++)
        has |= name == pmuv3_feature_name(static_cast<pmuv3_feature>(f)) &&
               pmuv3_has(&params, static_cast<pmuv3_feature>(f));
    if (!has) return false;
  }
  return true;
}

// A word of the page as it is with some parameters: its row, and which <n>.
struct Place {
  const Word *word = nullptr;  // nullptr: reserved
  int n = 0;
  uint16_t reg() const { return static_cast<uint16_t>(word->reg + n); }
  uint64_t half() const { return uint64_t{kOnes} << word->lsb; }
};

std::vector<Word> Layout(const pmuv3_params &params) {
  std::vector<Word> words;
  if (Has(params, "EXT32")) words.assign(std::begin(kWords32), std::end(kWords32));
  if (Has(params, "EXT64")) words.assign(std::begin(kWords64), std::end(kWords64));
  words.insert(words.end(), std::begin(kManagementWords), std::end(kManagementWords));
  return words;
}

Place Find(const pmuv3_params &params, const std::vector<Word> &layout, int offset) {
  for (const Word &word : layout) {
    const int count = word.stride == 0 ? 1 : params.counters;
    for (int n = 0; n < count; n++)
      if (offset == word.offset + word.stride * n && Has(params, word.needs)) return {&word, n};
  }
  return {};
}

// Parameters in which words come and go.
const std::string kSettings[] = {
    With("EXT32,EXTPMN", "counters=31"),
    With("EXT64,EXTPMN", "counters=31"),
    With("EXT32"),
    With("EXT64", "counters=1"),
    With("EXT32", "counters=0"),
    With("EXT64", "counters=0"),
    With("EXT32", "el2=0 el3=0"),
    With("EXT64", "el2=0"),
    "features=EXT32",
    "features=EXT64",
    "features=EXT32,TH",
    "features=EXT32,SME",
    "features=EXT32,SEBEP",
    "features=EXT32,PMUv3p1",
    "features=EXT32,PMUv3p4",
    "features=EXT64,PMUv3p4",
    "features=EXT32,PMUv3p5",
    "features=EXT64,PMUv3p5",
    "features=EXT32,PMUv3p7",
    "features=EXT32,PMUv3p8",
    "features=EXT32,PMUv3p9",
    "features=EXT64,PMUv3p9",
    "features=EXT32,ICNTR",
    "features=EXT64,ICNTR",
    "features=EXT32,SS",
    "features=EXT64,SS",
    "features=EXT64,SPE",
    "features=EXT32,SPE",
    "features=EXT32,EXTPMN",
    "features=EXTPMN",  // brings EXT64
    "features=EXT32,PMUv3p9 aa64=0",
};

class ExternalTest : public SideTest {
 protected:
  // A side whose Software Lock is open.
  void BuildOpen(const std::string &settings) {
    Build(settings);
    for (unsigned t = 0; t < params().threads; t++) Unlock(t);
  }
  void Unlock(unsigned thread = 0) {
    if (Has(params(), "EXT32")) Poke(thread, PMUV3_NS, 0xFB0, kKey);
  }

  pmuv3_security_state MostSecure() const { return Has(params(), "RME") ? PMUV3_RT : PMUV3_S; }

  bool TryPoke(unsigned thread, pmuv3_security_state ss, int offset, uint32_t value) {
    return pmuv3_side_external_write(side(), thread, ss, static_cast<uint16_t>(offset), value);
  }
  bool TryPoke(pmuv3_security_state ss, int offset, uint32_t value) {
    return TryPoke(0, ss, offset, value);
  }
  void Poke(unsigned thread, pmuv3_security_state ss, int offset, uint32_t value) {
    EXPECT_TRUE(TryPoke(thread, ss, offset, value)) << std::hex << offset;
  }
  void Poke(pmuv3_security_state ss, int offset, uint32_t value) { Poke(0, ss, offset, value); }
  void Poke(int offset, uint32_t value) { Poke(0, MostSecure(), offset, value); }

  bool TryPeek(unsigned thread, pmuv3_security_state ss, int offset, uint32_t *value) {
    *value = 0xDEADBEEF;
    return pmuv3_side_external_read(side(), thread, ss, static_cast<uint16_t>(offset), value);
  }
  uint32_t Peek(unsigned thread, pmuv3_security_state ss, int offset) {
    uint32_t value = 0;
    EXPECT_TRUE(TryPeek(thread, ss, offset, &value)) << std::hex << offset;
    return value;
  }
  uint32_t Peek(pmuv3_security_state ss, int offset) { return Peek(0, ss, offset); }
  uint32_t Peek(int offset) { return Peek(0, MostSecure(), offset); }

  // Whether a read gets an error, which reads 0.
  bool Blocked(pmuv3_security_state ss, int offset) {
    uint32_t value = 0;
    const bool blocked = !TryPeek(0, ss, offset, &value);
    EXPECT_TRUE(!blocked || value == 0) << std::hex << offset;
    return blocked;
  }

  // Where PMCR is.
  int Pmcr() const { return Has(params(), "EXT64") ? 0xE10 : 0xE04; }

  // Values that are all different in what software may write.
  void Fill() {
    uint64_t value = 0x0123456789ABCDEF;
    for (const Word &word : Layout(params())) {
      const int count = word.stride == 0 ? 1 : params().counters;
      const bool written = word.access == A::kRw || word.access == A::kSet;
      if (word.reg == kNoSysreg || !written || word.lsb != 0 || !Has(params(), word.needs))
        continue;
      for (int n = 0; n < count; n++) {
        value = value * 6364136223846793005u + 1442695040888963407u;
        if (word.reg != PMUV3_PMSSCR) Write(static_cast<uint16_t>(word.reg + n), value & ~kPmcrPC);
      }
    }
    if (Has(params(), "SS")) Capture();
  }

  // Lets captures be (PMSSE of all levels), and makes one.
  void Capture() {
    AllowCaptures(0b11);
    Write(PMUV3_PMSSCR, 1);
  }
  void AllowCaptures(uint64_t pmsse) {
    constexpr uint64_t kPmsse = uint64_t{3} << 30;
    for (const uint16_t reg : {PMUV3_MDCR_EL2, PMUV3_MDCR_EL3})
      Write(reg, (Read(reg) & ~kPmsse) | pmsse << 30);
    Write(PMUV3_PMECR, pmsse << 3);
  }

  bool Same(const pmuv3_probe &before) {
    const pmuv3_probe after = Probe();
    return std::memcmp(&before, &after, sizeof after) == 0;
  }

  // One Processor cycle with an external write of its clock, and perhaps a System register write.
  struct Clock {
    std::vector<pmuv3_occurrence> occurrences;
    std::vector<InlineWrite> writes;
  };
  void CyclePoking(unsigned thread, pmuv3_security_state ss, int offset, uint32_t value,
                   const Clock &clock = {}) {
    pmuv3_cycle cycle = {};
    cycle.occurrences = clock.occurrences.data();
    cycle.num_occurrences = static_cast<uint16_t>(clock.occurrences.size());
    for (const InlineWrite &write : clock.writes) {
      cycle.has_write |= static_cast<uint8_t>(1u << write.thread);
      cycle.write[write.thread] = {write.reg, write.checked, write.value};
    }
    cycle.has_external = true;
    cycle.external.thread = static_cast<uint8_t>(thread);
    cycle.external.ss = static_cast<uint8_t>(ss);
    cycle.external.offset = static_cast<uint16_t>(offset);
    cycle.external.value = value;
    pmuv3_side_cycle(side(), &cycle);
  }
  void CyclePoking(int offset, uint32_t value, const Clock &clock = {}) {
    CyclePoking(0, MostSecure(), offset, value, clock);
  }
};
PMUV3_ON_BOTH_SIDES(ExternalTest);

pmuv3_occurrence Retired(unsigned count, unsigned thread = 0) {
  return {PMUV3_EVENT_INST_RETIRED, static_cast<uint8_t>(count), static_cast<uint8_t>(thread),
          PMUV3_CURRENT};
}

// ---- Every offset ----

TEST_P(ExternalTest, ReadsEveryOffset) {
  for (const std::string &settings : kSettings) {
    SCOPED_TRACE(settings);
    Build(settings);
    Fill();
    const std::vector<Word> layout = Layout(params());
    for (int offset = 0; offset < 0x1000; offset += 4) {
      const Place place = Find(params(), layout, offset);
      const uint32_t value = Peek(offset);
      if (place.word == nullptr || place.word->access == A::kWo) {
        EXPECT_EQ(value, 0u) << std::hex << offset;
      } else if (place.word->reg != kNoSysreg) {
        uint64_t expected = Read(place.reg());
        if (place.word->reg == PMUV3_PMCR) expected &= ~uint64_t{0xFFFFF800};  // RAZ/WI
        if (place.word->lsb == 32) expected >>= 32;
        EXPECT_EQ(value, static_cast<uint32_t>(expected)) << place.word->name << " " << place.n;
      } else if (place.word->lsb == 32) {
        EXPECT_EQ(value, 0u) << place.word->name;
      }
    }
  }
}

// PMCNTEN, PMINTEN and PMOVS show bits of another register, and have no encoding.
bool HasEncoding(const Word &word) {
  const std::string name(word.name, strcspn(word.name, "["));
  return word.reg != kNoSysreg && name != "PMCNTEN" && name != "PMINTEN" && name != "PMOVS";
}

TEST(ExternalWordTest, ShowsARegister) {
  for (const std::string &settings : kSettings) {
    SCOPED_TRACE(settings);
    const pmuv3_params params = Params(settings);
    const std::vector<Word> layout = Layout(params);
    for (int offset = 0; offset < 0x1000; offset++) {
      const Place place = Find(params, layout, offset);
      unsigned lsb = 99;
      const uint16_t reg = pmuv3_register_external(&params, static_cast<uint16_t>(offset), &lsb);
      const bool is_shown = place.word != nullptr && HasEncoding(*place.word);
      EXPECT_EQ(reg, is_shown ? place.reg() : 0) << std::hex << offset;
      if (reg != 0) {
        EXPECT_EQ(static_cast<int>(lsb), place.word->lsb) << std::hex << offset;
      }
    }
  }
  const pmuv3_params without = Params("features=PMUv3p9");
  unsigned lsb;
  EXPECT_EQ(pmuv3_register_external(&without, 0, &lsb), 0);
}

// What a write leaves in the register, typed from its kind.
uint64_t Written(const Place &place, uint64_t before, uint64_t writable, uint32_t value) {
  const uint64_t ones = uint64_t{value} << place.word->lsb & writable;
  switch (place.word->access) {
    case A::kSet:
      return before | ones;
    case A::kClear:
      return before & ~ones;
    default:
      return (before & ~(place.half() & writable)) | ones;
  }
}

TEST_P(ExternalTest, WritesEveryHalf) {
  for (const std::string &settings : kSettings) {
    SCOPED_TRACE(settings);
    BuildOpen(settings);
    Fill();
    const std::vector<Word> layout = Layout(params());
    for (int offset = 0; offset < 0x1000; offset += 4) {
      const Place place = Find(params(), layout, offset);
      if (place.word == nullptr || place.word->reg == kNoSysreg) continue;
      const Word &word = *place.word;
      if (word.access == A::kRo || word.access == A::kWo || word.reg == PMUV3_PMSSCR) continue;
      uint64_t writable = pmuv3_register_mask(&params(), place.reg());
      if (word.reg == PMUV3_PMCR) writable &= ~kPmcrPC;
      for (const uint32_t value : {kOnes, 0u, 0xA5C33C5Au, 0x5A3CC3A5u, 0x0F1E2D3Cu}) {
        const uint64_t expected = Written(place, Read(place.reg()), writable, value);
        Poke(offset, value);
        EXPECT_EQ(Read(place.reg()), expected) << word.name << " " << place.n;
      }
    }
  }
}

TEST_P(ExternalTest, ReadOnlyAndReservedIgnoreWrites) {
  for (const std::string &settings : kSettings) {
    SCOPED_TRACE(settings);
    BuildOpen(settings);
    Fill();
    const pmuv3_probe before = Probe();
    const std::vector<Word> layout = Layout(params());
    for (int offset = 0; offset < 0x1000; offset += 4) {
      const Place place = Find(params(), layout, offset);
      if (place.word != nullptr && place.word->access != A::kRo) continue;
      const uint32_t reads = Peek(offset);
      Poke(offset, kOnes);
      EXPECT_EQ(Peek(offset), reads) << std::hex << offset;
    }
    EXPECT_TRUE(Same(before));
  }
}

// Without FEAT_PMUv3_EXT there is no page.
TEST_P(ExternalTest, NoPage) {
  for (const char *settings : {"", "features=none", "features=PMUv3p9,SS"}) {
    Build(settings);
    const pmuv3_probe before = Probe();
    for (int offset = 0; offset < 0x1000; offset += 4) {
      uint32_t value = 1;
      EXPECT_FALSE(TryPeek(0, PMUV3_RT, offset, &value)) << std::hex << offset;
      EXPECT_EQ(value, 0u);
      EXPECT_FALSE(TryPoke(PMUV3_RT, offset, kOnes)) << std::hex << offset;
    }
    EXPECT_TRUE(Same(before));
  }
}

TEST_P(ExternalTest, PageOfEachThread) {
  BuildOpen(With("EXT32", "threads=4"));
  for (unsigned t = 0; t < 4; t++) Poke(t, PMUV3_RT, 0x0F8, 100 + t);
  for (unsigned t = 0; t < 4; t++) {
    EXPECT_EQ(Read(t, PMUV3_PMCCNTR), 100 + t);
    EXPECT_EQ(Peek(t, PMUV3_RT, 0x0F8), 100 + t);
  }
}

// Without FEAT_PMUv3p5, and without AArch64, event counters have 32 bits.
TEST_P(ExternalTest, CountersOf32Bits) {
  for (const char *settings :
       {"features=EXT32,PMUv3p4", "features=EXT64,PMUv3p4", "features=EXT32,PMUv3p5 aa64=0"}) {
    SCOPED_TRACE(settings);
    BuildOpen(settings);
    Poke(0x000, kOnes);
    Poke(0x004, kOnes);
    EXPECT_EQ(Peek(0x000), kOnes);
    EXPECT_EQ(Peek(0x004), 0u);
    Poke(0x0FC, kOnes);  // not so the cycle counter
    EXPECT_EQ(Peek(0x0FC), kOnes);
  }
}

// ---- Errors (tables I3-1, I3-2) ----

struct Lock {
  const char *name;
  bool dlk, oslk, halted;
  uint64_t mdcr_el3;  // controls that are against NS accesses
  bool core, snapshot, agent;
};

constexpr uint64_t kEpmad = uint64_t{1} << 21, kEpmade = uint64_t{1} << 2;
constexpr int kEpmssad = 45;
constexpr uint64_t kAnySnapshot = uint64_t{3} << kEpmssad;

const Lock kLocks[] = {
    {"nothing", false, false, false, kAnySnapshot, false, false, false},
    {"DLK", true, false, false, kAnySnapshot, true, true, true},
    {"DLK in Debug state", true, false, true, kAnySnapshot, false, false, false},
    {"OSLK", false, true, false, kAnySnapshot, true, false, false},
    {"OSLK in Debug state", false, true, true, kAnySnapshot, true, false, false},
    {"EPMAD", false, false, false, kAnySnapshot | kEpmad, true, false, false},
    {"EPMSSAD", false, false, false, 0, false, true, false},
};

TEST_P(ExternalTest, ErrorsAtEveryOffset) {
  for (const std::string &settings : kSettings) {
    BuildOpen(settings);
    const std::vector<Word> layout = Layout(params());
    for (const Lock &lock : kLocks) {
      SCOPED_TRACE(settings + ": " + lock.name);
      const bool el3 = params().el3 != 0;
      const bool by_mdcr = lock.mdcr_el3 != kAnySnapshot;
      if (by_mdcr && !el3) continue;
      SetPe(Pe().Dlk(lock.dlk).Oslk(lock.oslk).Halted(lock.halted));
      Write(PMUV3_MDCR_EL3, lock.mdcr_el3);
      const pmuv3_probe before = Probe();
      for (int offset = 0; offset < 0x1000; offset += 4) {
        const Place place = Find(params(), layout, offset);
        const bool blocked =
            place.word != nullptr && ((place.word->domain == D::kCore && lock.core) ||
                                      (place.word->domain == D::kSnapshot && lock.snapshot) ||
                                      (place.word->domain == D::kAgent && lock.agent));
        EXPECT_EQ(Blocked(PMUV3_NS, offset), blocked) << std::hex << offset;
        if (!blocked && place.word != nullptr) continue;
        EXPECT_EQ(TryPoke(PMUV3_NS, offset, kOnes), !blocked) << std::hex << offset;
      }
      EXPECT_TRUE(Same(before));
    }
  }
}

// Which address spaces may, as in {NS, S, RL, RT}: AllowExternalPMUAccess().
struct Spaces {
  const char *settings;
  uint64_t mdcr_el3;
  const char *allowed;
};

const Spaces kCounterSpaces[] = {
    {"features=RME,SS,EXT64", 0, "1111"},
    {"features=RME,SS,EXT64", kEpmad, "0101"},
    {"features=RME,SS,EXT64", kEpmade, "0011"},
    {"features=RME,SS,EXT64", kEpmad | kEpmade, "0001"},
    {"features=RME,EXT32", kEpmade, "0011"},
    // Without RME: Realm is as Non-secure, Root as Secure.
    {"features=SS,EXT64", 0, "1111"},
    {"features=SS,EXT64", kEpmad, "0101"},
    {"features=SS,EXT64", kEpmad | kEpmade, "0101"},
    {"features=SS,EXT64", kEpmade, "1111"},
    {"features=EXT32 aa64=0", kEpmad, "0101"},
    {"features=EXT32 el2=0", kEpmad, "0101"},
    {"features=SS,EXT64 el3=0", kEpmad | kEpmade, "1111"},
};

TEST_P(ExternalTest, SpacesOfTheCounters) {
  for (const Spaces &spaces : kCounterSpaces) {
    SCOPED_TRACE(::testing::Message() << spaces.settings << " " << std::hex << spaces.mdcr_el3);
    BuildOpen(spaces.settings);
    Write(PMUV3_MDCR_EL3, spaces.mdcr_el3 | kAnySnapshot);
    for (const pmuv3_security_state ss : kSpaces) {
      const bool allowed = spaces.allowed[ss] == '1';
      for (const int offset : {0x000, 0x0F8, 0xC00, 0xE00}) {
        EXPECT_EQ(Blocked(ss, offset), !allowed) << ss << " " << std::hex << offset;
        EXPECT_EQ(TryPoke(ss, offset, 0), allowed) << ss << " " << std::hex << offset;
      }
      for (const int offset : {0x6F8, 0xE30, 0xFFC}) EXPECT_FALSE(Blocked(ss, offset)) << ss;
    }
  }
}

// Without EL3 the thread's Security state is that of the implementation. A Secure-only one allows
// Secure accesses alone, which are the Most secure ones (NonSecureOnlyImplementation(),
// IsMostSecureAccess()). Snapshots are not blocked.
TEST_P(ExternalTest, SecureOnly) {
  for (const char *settings : {"features=SS,ICNTR,EXTPMN el3=0", "features=SS,ICNTR,EXT32 el3=0"}) {
    SCOPED_TRACE(settings);
    BuildOpen(settings);
    Poke(PMUV3_S, 0xE58, 0x103);  // OSLO, EPMN = 3; no PMCCR with EXT32 alone
    SetPe(Pe().Ss(PMUV3_S));
    for (const pmuv3_security_state ss : kSpaces) {
      const bool is_secure = ss == PMUV3_S || ss == PMUV3_RT;
      for (const int offset : {0x000, 0x0F8, 0xC00, 0xE00}) {
        EXPECT_EQ(Blocked(ss, offset), !is_secure) << ss << " " << std::hex << offset;
        EXPECT_EQ(TryPoke(ss, offset, 0), is_secure) << ss << " " << std::hex << offset;
      }
      for (const int offset : {0x600, 0x6F8, 0xE30, 0xE58, 0xFFC})
        EXPECT_FALSE(Blocked(ss, offset)) << ss << " " << std::hex << offset;
      const bool has_pmccr = Has(params(), "EXTPMN");
      EXPECT_EQ(Peek(ss, 0xE58), is_secure && has_pmccr ? 0x103u : 0u) << ss;
      Poke(ss, 0xE58, is_secure ? 0x103 : 0);
      EXPECT_EQ(Probe().pmccr, has_pmccr ? 0x103u : 0u) << ss;
      SetPe(Pe().Ss(PMUV3_S).Oslk());  // OSLO is for the Most secure accesses
      EXPECT_EQ(Blocked(ss, 0x000), !(is_secure && has_pmccr)) << ss;
      SetPe(Pe().Ss(PMUV3_S));
    }
    SetPe(Pe());  // and a Non-secure-only one allows all
    for (const pmuv3_security_state ss : kSpaces) EXPECT_FALSE(Blocked(ss, 0x000)) << ss;
  }
}

// AllowExternalPMSSAccess()
const Spaces kSnapshotSpaces[] = {
    {"features=RME,SS,EXT64", uint64_t{0} << kEpmssad, "0001"},
    {"features=RME,SS,EXT64", uint64_t{1} << kEpmssad, "0011"},
    {"features=RME,SS,EXT64", uint64_t{2} << kEpmssad, "0101"},
    {"features=RME,SS,EXT64", uint64_t{3} << kEpmssad, "1111"},
    {"features=RME,SS,EXT32", uint64_t{1} << kEpmssad, "0011"},
    // Without RME 0b01 and 0b10 are reserved, and are 0b00 here.
    {"features=SS,EXT64", uint64_t{0} << kEpmssad, "0101"},
    {"features=SS,EXT64", uint64_t{1} << kEpmssad, "0101"},
    {"features=SS,EXT64", uint64_t{2} << kEpmssad, "0101"},
    {"features=SS,EXT64", uint64_t{3} << kEpmssad, "1111"},
    {"features=SS,EXT32 el3=0", 0, "1111"},
};

TEST_P(ExternalTest, SpacesOfTheSnapshots) {
  for (const Spaces &spaces : kSnapshotSpaces) {
    SCOPED_TRACE(::testing::Message() << spaces.settings << " " << std::hex << spaces.mdcr_el3);
    BuildOpen(spaces.settings);
    Write(PMUV3_MDCR_EL3, spaces.mdcr_el3);
    for (const pmuv3_security_state ss : kSpaces) {
      const bool allowed = spaces.allowed[ss] == '1';
      for (const int offset : {0x600, 0x604, 0x6F8, 0xE30, 0xE34}) {
        EXPECT_EQ(Blocked(ss, offset), !allowed) << ss << " " << std::hex << offset;
        EXPECT_EQ(TryPoke(ss, offset, 0), allowed) << ss << " " << std::hex << offset;
      }
      for (const int offset : {0x000, 0xC00, 0xFFC}) EXPECT_FALSE(Blocked(ss, offset)) << ss;
    }
  }
}

// ---- The agent's own register, PMCCR ----

// Which address spaces are the most secure, as in {NS, S, RL, RT}.
struct MostSecureSpaces {
  const char *settings;
  const char *are;
};
const MostSecureSpaces kMostSecure[] = {
    {"features=RME,SS,ICNTR,EXTPMN", "0001"},   {"features=RME,SS,ICNTR,EXTPMN,EXT32", "0001"},
    {"features=SS,ICNTR,EXTPMN", "0101"},       {"features=SS,ICNTR,EXTPMN,EXT32 el2=0", "0101"},
    {"features=SS,ICNTR,EXTPMN el3=0", "1111"},
};

TEST_P(ExternalTest, Pmccr) {
  for (const MostSecureSpaces &most_secure : kMostSecure) {
    SCOPED_TRACE(most_secure.settings);
    BuildOpen(most_secure.settings);
    EXPECT_EQ(Peek(0xE58), 6u);  // Cold reset: EPMN is all counters
    EXPECT_EQ(Probe().pmccr, 6u);
    for (const pmuv3_security_state ss : kSpaces) {
      const bool is = most_secure.are[ss] == '1';
      Poke(0xE58, 0x13);
      EXPECT_EQ(Peek(ss, 0xE58), is ? 0x13u : 0u) << ss;
      Poke(ss, 0xE58, kOnes);
      Poke(ss, 0xE5C, kOnes);                             // RES0
      EXPECT_EQ(Peek(0xE58), is ? 0x19Fu : 0x13u) << ss;  // OSLO, EPME, EPMN
      EXPECT_EQ(Probe().pmccr, is ? 0x19Fu : 0x13u) << ss;
      EXPECT_EQ(Peek(ss, 0xE5C), 0u);
    }
    Poke(0xE58, 0x185);
    Reset();  // a Cold reset alone resets it
    EXPECT_EQ(Peek(0xE58), 0x185u);
  }
}

TEST_P(ExternalTest, NoPmccr) {
  BuildOpen(With("EXT64"));
  EXPECT_EQ(Peek(0xE58), 0u);
  Poke(0xE58, kOnes);
  EXPECT_EQ(Peek(0xE58), 0u);
  EXPECT_EQ(Probe().pmccr, 0u);
}

// OSLO: the most secure access ignores the OS Lock, at once (IYWTNH).
TEST_P(ExternalTest, OsLockOverride) {
  for (const MostSecureSpaces &most_secure : kMostSecure) {
    SCOPED_TRACE(most_secure.settings);
    BuildOpen(most_secure.settings);
    Write(PMUV3_MDCR_EL3, kAnySnapshot);
    SetPe(Pe().Oslk());
    for (const pmuv3_security_state ss : kSpaces) EXPECT_TRUE(Blocked(ss, 0x0F8)) << ss;
    Poke(0xE58, 0x106);
    for (const pmuv3_security_state ss : kSpaces) {
      EXPECT_EQ(!Blocked(ss, 0x0F8), most_secure.are[ss] == '1') << ss;
      EXPECT_EQ(TryPoke(ss, 0x0F8, 0), most_secure.are[ss] == '1') << ss;
    }
    SetPe(Pe().Oslk().Dlk());  // not the Double Lock
    for (const pmuv3_security_state ss : kSpaces) EXPECT_TRUE(Blocked(ss, 0x0F8)) << ss;
    SetPe(Pe().Oslk());
    Poke(0xE58, 0x006);
    EXPECT_TRUE(Blocked(MostSecure(), 0x0F8));
  }
}

// D24.5, I5: with an agent a Warm reset leaves its counters alone, and what says what they count.
TEST_P(ExternalTest, WarmResetWithAgent) {
  for (const char *settings : {"features=TH2,SEBEP,EXTPMN", "features=TH2,SEBEP,EXTPMN,EXT32",
                               "features=TH2,SEBEP,SS,EXTPMN"}) {
    SCOPED_TRACE(settings);
    BuildOpen(settings);
    const int type = Has(params(), "EXT64") ? 0x428 : 0x414;
    const int type_high = Has(params(), "EXT64") ? 0x42C : 0xA14;
    Poke(0xE58, 0x84);  // EPME, EPMN = 4
    Poke(0x028, 7);     // counter 5
    Poke(type, 0x80000008);
    Poke(type_high, 0xF4000123);  // TC, TE, SYNC, TH
    for (const int set : {0xC00, 0xC40, 0xCC0}) Poke(set, 0x80000020);
    Reset();
    EXPECT_EQ(Peek(0xE58), 0x84u);
    EXPECT_EQ(Peek(0x028), 7u);
    EXPECT_EQ(Peek(type), 0x80000008u);
    EXPECT_EQ(Peek(type_high), Has(params(), "SS") ? 0xF4000123u : 0x04000000u);
    for (const int set : {0xC00, 0xC40, 0xCC0}) EXPECT_EQ(Peek(set), 0x80000020u);
    EXPECT_TRUE(Cti());
  }
}

// ---- The third range (table I3-3, RDQYGL) ----

// Counters 4 and 5 are the agent's; counters 2 and 3, of EL2 or not, are everybody's.
class ExternalRangesTest : public ExternalTest {
 protected:
  void BuildRanges(const std::string &settings) {
    BuildOpen(settings);
    Poke(0xE58, 4);
    Write(PMUV3_MDCR_EL3, kAnySnapshot);
    if (params().el2) Write(PMUV3_MDCR_EL2, 2);
    Refill();
  }
  void Refill() {
    for (int n = 0; n < 6; n++) {
      Poke(8 * n, 100 + static_cast<uint32_t>(n));
      Poke(TypeOffset(n), 0x10 + static_cast<uint32_t>(n));
    }
    Poke(0x0F8, 131);
    Poke(0x100, 132);
  }
  int TypeOffset(int n) const { return 0x400 + (Has(params(), "EXT64") ? 8 : 4) * n; }
};
PMUV3_ON_BOTH_SIDES(ExternalRangesTest);

TEST_P(ExternalRangesTest, CountersAndTypes) {
  for (const MostSecureSpaces &most_secure : kMostSecure) {
    SCOPED_TRACE(most_secure.settings);
    BuildRanges(most_secure.settings);
    for (const pmuv3_security_state ss : kSpaces) {
      for (int n = 0; n < 6; n++) {
        SCOPED_TRACE(::testing::Message() << ss << " " << n);
        const bool reaches = n < 4 || most_secure.are[ss] == '1';
        Refill();
        const uint32_t value = 100 + static_cast<uint32_t>(n),
                       type = 0x10 + static_cast<uint32_t>(n);
        EXPECT_EQ(Peek(ss, 8 * n), reaches ? value : 0);
        EXPECT_EQ(Peek(ss, TypeOffset(n)), reaches ? type : 0);
        Poke(ss, 8 * n, 7);
        Poke(ss, 8 * n + 4, 9);
        Poke(ss, TypeOffset(n), 8);
        EXPECT_EQ(Peek(8 * n), reaches ? 7 : value);
        EXPECT_EQ(Peek(8 * n + 4), reaches ? 9u : 0u);
        EXPECT_EQ(Peek(TypeOffset(n)), reaches ? 8 : type);
        Poke(8 * n + 4, 0);
      }
    }
  }
}

TEST_P(ExternalRangesTest, BitsOfCounters) {
  const struct { int set, clear; } kPairs[] = {{0xC00, 0xC20}, {0xC40, 0xC60}, {0xCC0, 0xC80}};
  for (const MostSecureSpaces &most_secure : kMostSecure) {
    SCOPED_TRACE(most_secure.settings);
    BuildRanges(most_secure.settings);
    for (const auto &pair : kPairs) {
      for (const pmuv3_security_state ss : kSpaces) {
        SCOPED_TRACE(::testing::Message() << ss << " " << std::hex << pair.set);
        const uint32_t reached = most_secure.are[ss] == '1' ? 0x8000003F : 0x8000000F;
        Poke(pair.clear, kOnes);
        Poke(ss, pair.set, kOnes);
        EXPECT_EQ(Peek(pair.set), reached);
        Poke(pair.set, kOnes);
        EXPECT_EQ(Peek(ss, pair.set), reached);
        EXPECT_EQ(Peek(ss, pair.clear), reached);
        Poke(ss, pair.clear, kOnes);
        EXPECT_EQ(Peek(pair.set), 0x8000003F & ~reached);
      }
    }
  }
}

// PMCNTEN, PMINTEN and PMOVS replace what they reach, half by half.
TEST_P(ExternalRangesTest, BitsOfCountersAsOneValue) {
  for (const MostSecureSpaces &most_secure : kMostSecure) {
    SCOPED_TRACE(most_secure.settings);
    BuildRanges(most_secure.settings);
    if (!Has(params(), "EXT64")) continue;
    for (const int offset : {0xC10, 0xC50, 0xC90}) {
      for (const pmuv3_security_state ss : kSpaces) {
        SCOPED_TRACE(::testing::Message() << ss << " " << std::hex << offset);
        const uint32_t reached = most_secure.are[ss] == '1' ? 0x8000003F : 0x8000000F;
        const uint32_t rest = 0x8000003F & ~reached;
        Poke(offset, kOnes);
        Poke(offset + 4, kOnes);
        EXPECT_EQ(Peek(ss, offset), reached);
        Poke(ss, offset, 0x80000015);
        EXPECT_EQ(Peek(offset), (0x80000015 & reached) | rest);
        EXPECT_EQ(Peek(offset + 4), 1u);
        Poke(ss, offset + 4, 0);
        EXPECT_EQ(Peek(offset), (0x80000015 & reached) | rest);
        EXPECT_EQ(Peek(offset + 4), 0u);
        Poke(ss, offset, 0x0000002A);
        EXPECT_EQ(Peek(offset), (0x0000002A & reached) | rest);
        Poke(ss, offset + 4, kOnes);
        EXPECT_EQ(Peek(offset + 4), 1u);
      }
    }
  }
}

// PMCR.P zeroes the counters of EL2, too, and the agent's for it alone; PMZR likewise.
TEST_P(ExternalRangesTest, Zeroing) {
  for (const MostSecureSpaces &most_secure : kMostSecure) {
    SCOPED_TRACE(most_secure.settings);
    BuildRanges(most_secure.settings);
    for (const pmuv3_security_state ss : kSpaces) {
      const int reached = most_secure.are[ss] == '1' ? 6 : 4;
      const auto check = [&](const char *by, int zeroed_from, uint32_t cycles, uint32_t insts) {
        for (int n = 0; n < 6; n++) {
          const bool zeroed = n >= zeroed_from && n < reached;
          EXPECT_EQ(Peek(8 * n), zeroed ? 0 : 100 + static_cast<uint32_t>(n)) << by << ss << n;
        }
        EXPECT_EQ(Peek(0x0F8), cycles) << by << ss;
        EXPECT_EQ(Peek(0x100), insts) << by << ss;
      };
      Refill();
      Poke(0xCC0, kOnes);
      Poke(ss, Pmcr(), 0b010);
      check("P ", 0, 131, 132);
      Refill();
      Poke(ss, Pmcr(), 0b100);
      check("C ", 6, 0, 132);
      Refill();
      Poke(ss, 0xCA0, 0x7FFFFFFE);
      check("PMZR[30:1] ", 1, 131, 132);
      Poke(ss, 0xCA0, 0x80000000);
      check("PMZR.C ", 1, 0, 132);
      Poke(ss, 0xCA4, kOnes);
      check("PMZR.F0 ", 1, 0, 0);
      EXPECT_EQ(Peek(0xCC0), 0x8000003F);  // no flag changes
    }
  }
}

// Without an agent's range everybody reaches all counters, and HPMN does not matter (I3.1.2).
TEST_P(ExternalRangesTest, NoThirdRange) {
  for (const char *layout : {"EXT32", "EXT64"}) {
    BuildOpen(With(layout));
    Write(PMUV3_MDCR_EL2, 2);
    for (int n = 0; n < 6; n++) Poke(PMUV3_NS, 8 * n, 100);
    Poke(PMUV3_NS, 0xC00, kOnes);
    EXPECT_EQ(Read(PMUV3_PMCNTENSET), 0x8000003Fu);
    for (int n = 0; n < 6; n++) EXPECT_EQ(Counter(n), 100u);
    Poke(PMUV3_NS, Pmcr(), 0b010);
    for (int n = 0; n < 6; n++) EXPECT_EQ(Counter(n), 0u);
  }
}

// System registers do not reach the third range, at the highest rights either.
TEST_P(ExternalRangesTest, SystemRegistersDoNotReachIt) {
  BuildRanges(With("EXT64,EXTPMN"));
  Poke(0xC10, kOnes);
  Write(PMUV3_PMEVCNTRn(4), 1);
  Write(PMUV3_PMEVTYPERn(4), 1);
  Write(PMUV3_PMCNTENCLR, ~uint64_t{0});
  Write(PMUV3_PMCR, 0b010);
  EXPECT_EQ(Peek(8 * 4), 104u);
  EXPECT_EQ(Peek(8 * 3), 0u);
  EXPECT_EQ(Peek(TypeOffset(4)), 0x14u);
  EXPECT_EQ(Peek(0xC10), 0x30u);
  EXPECT_EQ(Read(PMUV3_PMCNTENSET), 0u);
  EXPECT_EQ(Counter(4), 0u);
}

TEST_P(ExternalRangesTest, SavedCounters) {
  for (const MostSecureSpaces &most_secure : kMostSecure) {
    SCOPED_TRACE(most_secure.settings);
    BuildRanges(most_secure.settings);
    Write(PMUV3_MDCR_EL3, kAnySnapshot);
    Write(PMUV3_MDCR_EL2, params().el2 ? 2 : 0);
    AllowCaptures(0b11);
    Poke(0xE30, 1);
    for (const pmuv3_security_state ss : kSpaces) {
      for (int n = 0; n < 6; n++) {
        const bool reaches = n < 4 || most_secure.are[ss] == '1';
        EXPECT_EQ(Peek(ss, 0x600 + 8 * n), reaches ? 100u + static_cast<uint32_t>(n) : 0u)
            << ss << n;
      }
      EXPECT_EQ(Peek(ss, 0x6F8), 131u);
      EXPECT_EQ(Peek(ss, 0x700), 132u);
    }
  }
}

// PMCFGR.N and PMCGCR0.CG0NC: the counters that the access reaches (IWYJGF).
TEST_P(ExternalRangesTest, CountersThatItReaches) {
  const struct {
    uint32_t epmn, reached;
  } kEpmn[] = {{0, 0}, {4, 4}, {6, 6}, {7, 6}, {31, 6}};  // beyond 6 reserved: K-EPMN-RES
  for (const char *settings : {"features=RME,ICNTR,EXTPMN", "features=RME,ICNTR,EXTPMN,EXT32"}) {
    BuildOpen(settings);
    for (const auto &epmn : kEpmn) {
      Poke(0xE58, epmn.epmn);
      EXPECT_EQ(Peek(PMUV3_RT, 0xE00) & 0xFF, 7u);
      EXPECT_EQ(Peek(PMUV3_RT, 0xCE0), 0x107u);
      for (const pmuv3_security_state ss : {PMUV3_NS, PMUV3_S, PMUV3_RL}) {
        EXPECT_EQ(Peek(ss, 0xE00) & 0xFF, epmn.reached + 1);
        EXPECT_EQ(Peek(ss, 0xCE0), 0x101 + epmn.reached);
      }
    }
  }
  Build("features=EXTPMN");
  Poke(PMUV3_S, 0xE58, 3);
  EXPECT_EQ(Peek(PMUV3_S, 0xE00) & 0xFF, 6u);
  EXPECT_EQ(Peek(PMUV3_NS, 0xE00) & 0xFF, 3u);
}

// The agent's counters count by its enable, up to bit 63, and prohibited never.
TEST_P(ExternalRangesTest, AgentCounts) {
  BuildRanges(With("EXT64,EXTPMN"));
  SetPe(Pe(1, PMUV3_S));
  Poke(TypeOffset(4), 0x08);
  Poke(8 * 4, kOnes);
  Poke(0xC10, 1u << 4);
  Cycle({{PMUV3_EVENT_INST_RETIRED, 1}});
  EXPECT_EQ(Peek(8 * 4), kOnes);
  Poke(0xE58, 0x84);  // EPME
  Cycle({{PMUV3_EVENT_INST_RETIRED, 1}});
  EXPECT_EQ(Peek(8 * 4), 0u);
  EXPECT_EQ(Peek(8 * 4 + 4), 1u);
  EXPECT_EQ(Peek(0xC90), 0u);
}

// ---- Software Lock ----

TEST_P(ExternalTest, SoftwareLock) {
  Build(With("EXT32,EXTPMN", "threads=2"));
  Fill();
  Write(PMUV3_MDCR_EL3, kAnySnapshot);
  const std::vector<Word> layout = Layout(params());
  EXPECT_EQ(Peek(0xFB4), 0b011u);  // locked by a Cold reset
  EXPECT_EQ(Probe().pmlsr, 0b011u);
  const pmuv3_probe before = Probe();
  for (int offset = 0; offset < 0x1000; offset += 4) {
    if (offset == 0xFB0 || offset == 0xE58) continue;
    for (const uint32_t value : {kOnes, 0u, kKey}) Poke(offset, value);
  }
  EXPECT_TRUE(Same(before));
  const uint32_t pmccr = Peek(0xE58);
  Poke(0xE58, pmccr ^ 0x80);  // Table I3-2 has it as RW
  EXPECT_EQ(Peek(0xE58), pmccr ^ 0x80);
  Poke(0xE58, pmccr);
  for (int offset = 0; offset < 0x1000; offset += 4) {  // what is read is there nonetheless
    const Place place = Find(params(), layout, offset);
    if (place.word == nullptr || place.word->reg != PMUV3_PMEVCNTR) continue;
    EXPECT_EQ(Peek(offset), static_cast<uint32_t>(Read(place.reg()) >> place.word->lsb));
  }

  Poke(PMUV3_NS, 0xFB0, kKey);  // anyone may
  EXPECT_EQ(Peek(0xFB4), 0b001u);
  EXPECT_EQ(Peek(1, PMUV3_RT, 0xFB4), 0b011u);  // a lock a thread
  EXPECT_EQ(Peek(0xFB0), 0u);
  Poke(0x0F8, 5);
  EXPECT_EQ(Peek(0x0F8), 5u);
  Poke(1, PMUV3_RT, 0x0F8, 5);
  EXPECT_EQ(Peek(1, PMUV3_RT, 0x0F8), 0u);
  Reset();  // which is not that of the debug domain
  EXPECT_EQ(Peek(0xFB4), 0b001u);
  for (const uint32_t value : {0u, kOnes, kKey ^ 1, kKey ^ 0x80000000}) {
    Poke(0xFB0, kKey);
    EXPECT_EQ(Peek(0xFB4), 0b001u);
    Poke(0xFB0, value);
    EXPECT_EQ(Peek(0xFB4), 0b011u);
  }
  Reset();
  EXPECT_EQ(Peek(0xFB4), 0b011u);
  Write(PMUV3_PMCCNTR, 6);  // it is not there for System registers
  EXPECT_EQ(Peek(0x0F8), 6u);
}

// A locked page answers an access that is not allowed as an open one does.
TEST_P(ExternalTest, SoftwareLockAndErrors) {
  Build(With("EXT32"));
  SetPe(Pe().Dlk());
  EXPECT_FALSE(TryPoke(PMUV3_RT, 0x0F8, 1));
  EXPECT_TRUE(TryPoke(PMUV3_RT, 0xFB0, kKey));
  EXPECT_EQ(Peek(0xFB4), 0b001u);
}

// With EXT64, and with FEAT_Debugv8p4 (K-SOFTWARE-LOCK).
TEST_P(ExternalTest, NoSoftwareLock) {
  for (const std::string &settings : {With("EXT64"), With("EXT32", "K-SOFTWARE-LOCK=absent")}) {
    SCOPED_TRACE(settings);
    Build(settings);
    EXPECT_EQ(Peek(0xFB4), 0u);
    EXPECT_EQ(Probe().pmlsr, 0u);
    for (const uint32_t value : {0u, 1u, kKey, kOnes}) {
      Poke(0xFB0, value);
      EXPECT_EQ(Peek(0xFB4), 0u);
      EXPECT_EQ(Peek(0xFB0), 0u);
      Poke(0x0F8, value ^ 5);
      EXPECT_EQ(Peek(0x0F8), value ^ 5);
      Reset();
    }
  }
}

// ---- What there is: configuration and identification ----

struct Identity {
  std::string settings;
  unsigned thread;
  int offset;
  uint32_t value;
};

const Identity kIdentities[] = {
    // PMCFGR: NCG 31:28, SS 22, FZO 21, CCD 15, CC 14, SIZE 13:8, N 7:0
    {With("EXT32"), 0, 0xE00, 0x1060FF07},
    {With("EXT64"), 0, 0xE00, 0x1060FF07},
    {With("EXT64", "counters=31"), 0, 0xE00, 0x1060FF20},
    {With("EXT64", "counters=0"), 0, 0xE00, 0x1060FF01},
    {"features=EXT32", 0, 0xE00, 0x0000FF06},
    {"features=EXT32 counters=0", 0, 0xE00, 0x0000FF00},
    {"features=EXT32 aa64=0", 0, 0xE00, 0x0000FF06},
    {"features=EXT32 aa32=none", 0, 0xE00, 0x00007F06},
    {"features=EXT64 aa32=none", 0, 0xE00, 0x00007F06},
    {"features=EXT64 aa32=el0", 0, 0xE00, 0x0000FF06},
    {"features=EXT64,PMUv3p7", 0, 0xE00, 0x0020FF06},
    {"features=EXT64,PMUv3p9", 0, 0xE00, 0x0020FF06},
    {"features=EXT64,ICNTR", 0, 0xE00, 0x1020FF07},
    {"features=EXT64,SS", 0, 0xE00, 0x0060FF06},
    // PMCGCR0
    {With("EXT32"), 0, 0xCE0, 0x00000107},
    {With("EXT64", "counters=31"), 0, 0xCE0, 0x00000120},
    {"features=EXT64,PMUv3p9", 0, 0xCE0, 0},
    // PMDEVAFF: MPIDR_EL1
    {With("EXT32"), 0, 0xFA8, 0x80000000},
    {With("EXT64"), 0, 0xFA8, 0x80000000},
    {With("EXT64", "threads=2"), 0, 0xFA8, 0x81000000},
    {With("EXT64", "threads=4"), 3, 0xFA8, 0x81000003},
    {With("EXT32", "threads=4"), 2, 0xFA8, 0x81000002},
    {With("EXT64", "threads=4"), 3, 0xFAC, 0},
    // PMDEVARCH
    {With("EXT32"), 0, 0xFBC, 0x47702A16},
    {With("EXT64"), 0, 0xFBC, 0x47702A26},
    {"features=EXTPMN", 0, 0xFBC, 0x47702A26},
    // PMDEVID: EXTPMN 11:8, PMSS 7:4, PCSample 3:0
    {"features=EXT32", 0, 0xFC8, 0x000},
    {"features=EXT64,SS", 0, 0xFC8, 0x010},
    {"features=EXTPMN", 0, 0xFC8, 0x100},
    {With("EXT32,EXTPMN"), 0, 0xFC8, 0x110},
};

TEST_P(ExternalTest, Identification) {
  for (const Identity &identity : kIdentities) {
    SCOPED_TRACE(identity.settings);
    Build(identity.settings);
    for (const pmuv3_security_state ss : kSpaces)
      EXPECT_EQ(Peek(identity.thread, ss, identity.offset), identity.value)
          << std::hex << identity.offset;
  }
}

// What makes the page a CoreSight component. The integrator says whose, in PMIIDR and PMPIDR.
TEST_P(ExternalTest, ComponentIdentification) {
  const struct {
    const char *name;
    int offset;
    uint32_t value;
  } kConstants[] = {
      {"PMIIDR", 0xE08, 0},     {"PMAUTHSTATUS", 0xFB8, 0}, {"PMDEVTYPE", 0xFCC, 0x16},
      {"PMPIDR4", 0xFD0, 0x00}, {"PMPIDR0", 0xFE0, 0x00},   {"PMPIDR1", 0xFE4, 0x00},
      {"PMPIDR2", 0xFE8, 0x08}, {"PMPIDR3", 0xFEC, 0x00},   {"PMCIDR0", 0xFF0, 0x0D},
      {"PMCIDR1", 0xFF4, 0x90}, {"PMCIDR2", 0xFF8, 0x05},   {"PMCIDR3", 0xFFC, 0xB1},
  };
  for (const std::string &settings : kSettings) {
    SCOPED_TRACE(settings);
    Build(settings);
    for (const auto &constant : kConstants)
      for (const pmuv3_security_state ss : kSpaces)
        EXPECT_EQ(Peek(ss, constant.offset), constant.value) << constant.name;
  }
}

// The integrator's values. Aff0 stays the thread's number; MT stays as it is.
TEST_P(ExternalTest, IntegratorsIdentification) {
  const struct {
    const char *name;
    int offset;
    uint32_t value;
  } kValues[] = {
      {"PMIIDR", 0xE08, 0xD4F2143B},    {"PMAUTHSTATUS", 0xFB8, 0x080040C8},
      {"PMPIDR4", 0xFD0, 0x94},         {"PMPIDR3", 0xFEC, 0xE3},
      {"PMPIDR2", 0xFE8, 0xCB},         {"PMPIDR1", 0xFE4, 0xBD},
      {"PMPIDR0", 0xFE0, 0x4F},         {"PMDEVAFF[31:0]", 0xFA8, 0x813C9601},
      {"PMDEVAFF[63:32]", 0xFAC, 0x81},
  };
  for (const char *layout : {"EXT32", "EXT64"}) {
    Build(
        "threads=2 iidr=0xD4F2143B pidr=0x94E3CBBD4F authstatus=0x080040C8 affinity=0x813C96"
        " features=" +
        std::string(layout));
    for (const auto &value : kValues)
      for (const pmuv3_security_state ss : kSpaces)
        EXPECT_EQ(Peek(1, ss, value.offset), value.value) << value.name << " " << layout;
  }
}

// ---- PMCR ----

// [31:11] are RAZ/WI: IMP and IDCODE are System registers' alone.
TEST_P(ExternalTest, PmcrHasNoIdentification) {
  for (const char *layout : {"EXT32", "EXT64"}) {
    Build("imp=0x41 idcode=0x5A features=" + std::string(layout));
    EXPECT_EQ(Read(PMUV3_PMCR) & 0xFFFF0000, 0x415A0000u);
    EXPECT_EQ(Peek(Pmcr()) & 0xFFFFF800, 0u);
  }
}

TEST_P(ExternalTest, Pmcr) {
  for (const char *layout : {"EXT32", "EXT64"}) {
    BuildOpen(With(layout));
    Write(PMUV3_PMCR, 0);
    EXPECT_EQ(Peek(Pmcr()), 0u);  // N is PMCFGR's
    Poke(Pmcr(), kOnes);
    EXPECT_EQ(Peek(Pmcr()), 0x2E9u);  // FZO, LP, LC, DP, D, E; C and P read 0
    EXPECT_EQ(Read(PMUV3_PMCR), 0x2E9u | 6 << 11);
    Write(PMUV3_PMCR, uint64_t{1} << 32);  // FZS
    Poke(Pmcr(), 1);
    EXPECT_EQ(Read(PMUV3_PMCR), (uint64_t{1} << 32) | 6 << 11 | 1);
  }
  EXPECT_EQ(Peek(0xE14), 1u);
  Poke(0xE14, 0);
  EXPECT_EQ(Read(PMUV3_PMCR), 6u << 11 | 1);
  Poke(0xE14, kOnes);
  EXPECT_EQ(Read(PMUV3_PMCR), (uint64_t{1} << 32) | 6 << 11 | 1);
}

// Neither the thread's state nor what is there to keep software out matters (I3.1.2).
TEST_P(ExternalTest, ControlsOfSoftwareDoNotMatter) {
  BuildOpen(With("EXT64"));
  Write(PMUV3_PMUSERENR, 0);
  Write(PMUV3_PMUACR, 0);
  Write(PMUV3_PMSELR, 31);
  Write(PMUV3_MDCR_EL2, 0x60 | 1);          // TPM, TPMCR, HPMN
  Write(PMUV3_MDCR_EL3, uint64_t{1} << 6);  // TPM; EnPM2 = 0
  for (unsigned el = 0; el < 3; el++) {
    SetPe(Pe(el, PMUV3_NS).Halted(el == 1));
    Poke(PMUV3_NS, 0x028, 40 + el);
    Poke(PMUV3_NS, 0x100, 50 + el);
    Poke(PMUV3_NS, 0xC14, el & 1);
    EXPECT_EQ(Peek(PMUV3_NS, 0x028), 40 + el);
    EXPECT_EQ(Peek(PMUV3_NS, 0x100), 50 + el);
    EXPECT_EQ(Peek(PMUV3_NS, 0xC14), el & 1);
    EXPECT_EQ(Counter(5), 40 + el);
  }
}

// ---- Snapshots ----

TEST_P(ExternalTest, Snapshot) {
  for (const char *layout : {"EXT32", "EXT64"}) {
    BuildOpen(With(layout));
    Write(PMUV3_MDCR_EL3, kAnySnapshot);
    AllowCaptures(0b11);
    Write(PMUV3_PMEVCNTRn(0), 0x1111222233334444);
    Write(PMUV3_PMEVCNTRn(5), 0x5555666677778888);
    Write(PMUV3_PMCCNTR, 0x123456789);
    Write(PMUV3_PMICNTR, 0xABCDEF012);
    EXPECT_EQ(Peek(0xE34), 1u);  // NC
    Poke(PMUV3_NS, 0xE30, 0);    // is ignored
    Poke(PMUV3_NS, 0xE34, kOnes);
    EXPECT_EQ(Peek(0xE34), 1u);
    EXPECT_EQ(Peek(0x600), 0u);
    Poke(PMUV3_NS, 0xE30, 1);
    EXPECT_EQ(Peek(0xE30), 0u);  // complete
    EXPECT_EQ(Peek(0xE34), 0u);
    EXPECT_EQ(Peek(0x600), 0x33334444u);
    EXPECT_EQ(Peek(0x604), 0x11112222u);
    EXPECT_EQ(Peek(0x628), 0x77778888u);
    EXPECT_EQ(Peek(0x62C), 0x55556666u);
    EXPECT_EQ(Peek(0x6F8), 0x23456789u);
    EXPECT_EQ(Peek(0x6FC), 0x1u);
    EXPECT_EQ(Peek(0x700), 0xBCDEF012u);
    EXPECT_EQ(Peek(0x704), 0xAu);
    EXPECT_EQ(Read(PMUV3_PMEVCNTSVRn(5)), 0x5555666677778888u);
    Write(PMUV3_PMCCNTR, 5);
    EXPECT_EQ(Peek(0x6F8), 0x23456789u);
  }
}

// Disabled: ignored. Prohibited, by PMSSE, the OS Lock or in Debug state: not captured (RYWLFL).
TEST_P(ExternalTest, SnapshotNotAllowed) {
  BuildOpen(With("EXT64"));
  Write(PMUV3_MDCR_EL3, kAnySnapshot);
  AllowCaptures(0b11);
  Write(PMUV3_PMCCNTR, 1);
  Poke(0xE30, 1);
  Write(PMUV3_PMCCNTR, 2);
  const auto request = [&](const char *how, uint32_t nc) {
    Poke(0xE30, 1);
    EXPECT_EQ(Peek(0x6F8), 1u) << how;
    EXPECT_EQ(Peek(0xE34), nc) << how;
  };
  AllowCaptures(0b00);
  request("disabled", 0);
  AllowCaptures(0b01);
  request("reserved", 0);
  AllowCaptures(0b11);
  SetPe(Pe().Oslk());
  request("OS Lock", 1);  // which is not against the access (IKGJMV)
  SetPe(Pe().Halted());
  request("Debug state", 1);
  SetPe(Pe());
  AllowCaptures(0b10);
  request("prohibited", 1);
  AllowCaptures(0b11);
  Poke(0xE30, 1);
  EXPECT_EQ(Peek(0x6F8), 2u);
  EXPECT_EQ(Peek(0xE34), 0u);
}

// ---- A write in the clock of a cycle ----

class ExternalClockTest : public ExternalTest {
 protected:
  // Counter 0 counts instructions.
  void BuildCounting(const std::string &settings) {
    BuildOpen(settings);
    for (unsigned t = 0; t < params().threads; t++) {
      Write(t, PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED));
      Enable(t, 1);
    }
  }
};
PMUV3_ON_BOTH_SIDES(ExternalClockTest);

// The cycle counts with the registers as they were; the write wins, and the new flag stands.
TEST_P(ExternalClockTest, WinsOverTheCounter) {
  for (const char *layout : {"EXT32", "EXT64"}) {
    BuildCounting(With(layout));
    Write(PMUV3_PMEVCNTRn(0), kOnes);
    CyclePoking(0x000, 7, {{Retired(3)}, {}});
    EXPECT_EQ(Probe().V[0], 3);
    EXPECT_EQ(Counter(0), (uint64_t{1} << 32) | 7);  // the other half counts
    EXPECT_EQ(Read(PMUV3_PMOVSSET), 1u);
    Write(PMUV3_PMEVCNTRn(0), kOnes);
    CyclePoking(0xC80, 1, {{Retired(3)}, {}});  // PMOVSCLR clears the flag that was there
    EXPECT_EQ(Read(PMUV3_PMOVSSET), 1u);
    EXPECT_EQ(Counter(0), (uint64_t{1} << 32) | 2);
    CyclePoking(0xC80, 1, {{Retired(3)}, {}});
    EXPECT_EQ(Read(PMUV3_PMOVSSET), 0u);
    Write(PMUV3_PMEVCNTRn(0), kOnes);
    CyclePoking(Pmcr(), 0b011, {{Retired(3)}, {}});  // P
    EXPECT_EQ(Counter(0), 0u);
    EXPECT_EQ(Read(PMUV3_PMOVSSET), 1u);
    Write(PMUV3_PMOVSCLR, 1);
    Write(PMUV3_PMEVCNTRn(0), kOnes);
    CyclePoking(0xCA0, 1, {{Retired(3)}, {}});  // PMZR
    EXPECT_EQ(Counter(0), 0u);
    EXPECT_EQ(Read(PMUV3_PMOVSSET), 1u);
  }
  Write(PMUV3_PMEVCNTRn(0), kOnes);
  CyclePoking(0xC90, 0b10, {{Retired(3)}, {}});  // PMOVS
  EXPECT_EQ(Read(PMUV3_PMOVSSET), 0b11u);
}

TEST_P(ExternalClockTest, TakesEffectAfterTheCycle) {
  BuildCounting(With("EXT64"));
  CyclePoking(0xC10, 0, {{Retired(3)}, {}});
  EXPECT_EQ(Counter(0), 3u);
  CyclePoking(0xC10, 1, {{Retired(3)}, {}});
  EXPECT_EQ(Counter(0), 3u);
  Cycle({{PMUV3_EVENT_INST_RETIRED, 3}});
  EXPECT_EQ(Counter(0), 6u);
}

// With a System register write of the same thread it comes in the next clock: after that write, and
// after the flags of the cycle are set.
TEST_P(ExternalClockTest, AfterASystemRegisterWrite) {
  for (const char *layout : {"EXT32", "EXT64"}) {
    BuildCounting(With(layout));
    CyclePoking(0x000, 7, {{Retired(3)}, {{0, PMUV3_PMEVCNTRn(0), 0x500000009}}});
    EXPECT_EQ(Counter(0), 0x500000007u);
    Write(PMUV3_PMEVCNTRn(0), kOnes);
    CyclePoking(0xC80, 1, {{Retired(3)}, {{0, PMUV3_PMCCNTR, 0}}});
    EXPECT_EQ(Read(PMUV3_PMOVSSET), 0u);  // the new flag is one that was there
    EXPECT_EQ(Counter(0), (uint64_t{1} << 32) | 2);
    // Which is judged after it, too.
    CyclePoking(0, PMUV3_NS, 0x0F8, 44, {{}, {{0, PMUV3_MDCR_EL3, kEpmad}}});
    EXPECT_EQ(Read(PMUV3_PMCCNTR), 0u);
    CyclePoking(0, PMUV3_NS, 0x0F8, 44, {{}, {{0, PMUV3_MDCR_EL3, 0}}});
    EXPECT_EQ(Read(PMUV3_PMCCNTR), 44u);
  }
}

TEST_P(ExternalClockTest, BesidesAnotherThreadsWrite) {
  BuildCounting(With("EXT32", "threads=2"));
  for (unsigned t = 0; t < 2; t++) Write(t, PMUV3_PMEVCNTRn(0), kOnes);
  CyclePoking(1, PMUV3_RT, 0xC80, 1,
              {{Retired(3, 0), Retired(5, 1)}, {{0, PMUV3_PMEVCNTRn(0), 11}}});
  EXPECT_EQ(Counter(0, 0), 11u);
  EXPECT_EQ(Counter(1, 0), (uint64_t{1} << 32) | 4);
  EXPECT_EQ(Read(0, PMUV3_PMOVSSET), 1u);
  EXPECT_EQ(Read(1, PMUV3_PMOVSSET), 1u);
}

// One that is not allowed has no effect, and the cycle is as without it.
TEST_P(ExternalClockTest, NotAllowed) {
  BuildCounting(With("EXT64"));
  SetPe(Pe().Oslk());
  CyclePoking(0x000, 7, {{Retired(3)}, {}});
  EXPECT_EQ(Counter(0), 3u);
  CyclePoking(0x000, 7, {{Retired(3)}, {{0, PMUV3_PMCCNTR, 0}}});
  EXPECT_EQ(Counter(0), 6u);
}

// A capture copies what the cycle leaves.
TEST_P(ExternalClockTest, Snapshot) {
  BuildCounting(With("EXT64"));
  Write(PMUV3_MDCR_EL3, kAnySnapshot);
  AllowCaptures(0b11);
  CyclePoking(0xE30, 1, {{Retired(3)}, {}});
  EXPECT_EQ(Peek(0x600), 3u);
  CyclePoking(0xE30, 1, {{Retired(3)}, {{0, PMUV3_PMEVCNTRn(0), 20}}});
  EXPECT_EQ(Peek(0x600), 20u);
  EXPECT_EQ(Counter(0), 20u);
}

// The agent's enable and range hold from the next cycle on.
TEST_P(ExternalClockTest, Pmccr) {
  BuildCounting(With("EXT64,EXTPMN"));
  Poke(0xC10, 1);
  CyclePoking(0xE58, 0x000, {{Retired(3)}, {}});  // EPMN = 0: counter 0 is the agent's
  EXPECT_EQ(Peek(0x000), 3u);
  CyclePoking(0xE58, 0x080, {{Retired(3)}, {}});
  EXPECT_EQ(Peek(0x000), 3u);
  CyclePoking(0xE58, 0x006, {{Retired(3)}, {}});
  EXPECT_EQ(Peek(0x000), 6u);
}

// Every bit of a half, replaced in the clock of a cycle.
TEST_P(ExternalClockTest, ReplacesEnables) {
  BuildOpen(With("EXT64", "counters=31"));
  for (const int offset : {0xC10, 0xC50, 0xC90}) {
    for (int bit = 0; bit < 32; bit++) {
      CyclePoking(offset, uint32_t{1} << bit);
      EXPECT_EQ(Peek(offset), uint32_t{1} << bit) << std::hex << offset;
    }
    CyclePoking(offset + 4, kOnes);
    EXPECT_EQ(Peek(offset), uint32_t{1} << 31);
    EXPECT_EQ(Peek(offset + 4), 1u);
  }
}

}  // namespace
}  // namespace pmuv3
