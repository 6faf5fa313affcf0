// What accesses of the external view do, in random states: both sides against the words of
// external.txt and the manual's pseudocode (external.h).
//
// PMUV3_WITNESS_STATES and PMUV3_WITNESS_SEED in the environment make a campaign of the fast test.
#include "testbench/tests/witness/external.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "testbench/tests/unit/side_test.h"
#include "testbench/tests/witness/trial.h"

namespace pmuv3::witness {
namespace {

constexpr uint16_t kPage = 0x1000, kPmlar = 0xFB0;
constexpr uint32_t kKey = 0xC5ACCE55;

class ExternalTrial : public Trial {
 public:
  using Trial::Trial;

  void Undo(External::Departure departure) { undone_ = departure; }

 private:
  // One page or the other, and often what is rare among random parameters.
  void Adapt(pmuv3_params *params) override {
    AddOneIn(2, PMUV3_FEATURE_EXTPMN, params);
    AddOneIn(3, PMUV3_FEATURE_SS, params);
    AddOneIn(3, PMUV3_FEATURE_RME, params);
    AddOneIn(4, PMUV3_FEATURE_ICNTR, params);
    if (random_.OneIn(8)) {
      params->debugv8p2 = 0;
      params->features &= Mask(PMUV3_FEATURE_PMUv3p1);
    }
    params->features &= ~(Mask(PMUV3_FEATURE_EXT32) | Mask(PMUV3_FEATURE_EXT64));
    params->features |= Mask(random_.OneIn(2) ? PMUV3_FEATURE_EXT32 : PMUV3_FEATURE_EXT64);
    ChooseLegacyMt(params);
    params->k_software_lock = random_.OneIn(4);
    params->th_width = static_cast<uint8_t>(1 + random_.Below(12));
    params->iidr = random_.OneIn(4) ? 0 : random_.Next() & 0xFFFFFFFF;
    // PMPIDR4.SIZE reads as 0, and PMPIDR2.JEDEC as 1.
    params->pidr = (random_.Next() & UINT64_C(0x0FFFFFFFFF)) | 1 << 19;
    params->authstatus = random_.Next() & 0x0C00C0CC;
    params->affinity = random_.Next() & 0xFFFFFF;
  }

  void CompareState() override {
    constexpr unsigned kWrites = 32;
    NewRegisters();
    NewPe();
    expected_ = External{};
    ReadExternal(&expected_);
    expected_.LayOut();
    CompareReads();
    for (unsigned write = 0; write < kWrites; write++) CompareWrite();
  }

  // ---- The state ----

  void NewRegisters() {
    const pmuv3_pe open = PMUV3_PE_RESET;
    if (!pmuv3_pe_wrong(&params_, &open)) pmuv3_side_set_pe(side_.get(), 0, &open);
    WritePmccr(31);  // all counters are in reach
    WriteCounters();
    Capture();
    WriteCounters();
    for (unsigned n = 0; n < params_.counters; n++) Write(PMUV3_PMEVTYPERn(n), random_.Next());
    Write(PMUV3_PMCCFILTR, random_.Next());
    Write(PMUV3_PMICFILTR, random_.Next());
    Write(PMUV3_PMCNTENSET, random_.Next());
    Write(PMUV3_PMINTENSET, random_.Next());
    Write(PMUV3_PMOVSSET, random_.Next());
    constexpr uint64_t kZeroes = PMUV3_MASK(PMCR, C) | PMUV3_MASK(PMCR, P);
    Write(PMUV3_PMCR, random_.Next() & ~kZeroes);
    Write(PMUV3_PMECR, random_.Next());
    constexpr uint64_t kEpmad = PMUV3_MASK(MDCR_EL3, EPMAD) | PMUV3_MASK(MDCR_EL3, EPMADE);
    Write(PMUV3_MDCR_EL3, random_.Next() & ~(random_.OneIn(2) ? kEpmad : 0));
    const uint64_t mdcr_el2 = random_.Next();
    hpmn_ = static_cast<unsigned>(mdcr_el2 & 31);
    Write(PMUV3_MDCR_EL2, mdcr_el2);
    WritePmccr(static_cast<uint32_t>(random_.Next()));
    const uint32_t lock = random_.OneIn(4);
    pmuv3_side_external_write(side_.get(), 0, PMUV3_NS, kPmlar, kKey + lock);
  }

  void NewPe() {
    pe_ = RandomPe(&random_, params_);
    pe_.dlk = random_.OneIn(6);
    pe_.oslk = random_.OneIn(3);
    if (pe_.el == 2) pe_.aa32 = false;  // what EL2 uses follows a32el2 (formats.md)
    pmuv3_side_set_pe(side_.get(), 0, &pe_);
  }

  void ReadExternal(External *external) {
    ReadMachine(pe_, external);
    external->words = &Words();
    external->undone = undone_;
    external->hpmn = hpmn_;
    pmuv3_probe probe;
    pmuv3_side_probe(side_.get(), 0, &probe);
    external->slk = Bit(probe.pmlsr, 1);
    external->pmccfiltr = probe.pmccfiltr;
    external->pmccntr = probe.pmccntr;
    external->pmicntr = probe.pmicntr;
    external->pmccntsvr = probe.pmccntsvr;
    external->pmicntsvr = probe.pmicntsvr;
    external->pmsscr = probe.pmsscr;
    external->pmmir = Read(PMUV3_PMMIR);
    external->pmceid0 = Read(PMUV3_PMCEID0);
    external->pmceid1 = Read(PMUV3_PMCEID1);
    for (unsigned n = 0; n < params_.counters; n++) {
      external->pmevcntr[n] = probe.value[n];
      external->pmevcntsvr[n] = probe.svr[n];
    }
  }

  // ---- Accesses ----

  // There are four spaces with FEAT_RME, two without it, and one without Secure state.
  pmuv3_security_state RandomSpace() {
    if (pmuv3_has(&params_, PMUV3_FEATURE_RME))
      return static_cast<pmuv3_security_state>(random_.Below(4));
    const bool has_secure = params_.el3 || pe_.ss == PMUV3_S;
    return has_secure && random_.OneIn(2) ? PMUV3_S : PMUV3_NS;
  }

  // A name is made only for a difference.
  void Compare(const char *what, uint64_t is, uint64_t expected, const char *which = "") {
    if (is != expected) Same(what + expected_.NameOf(offset_) + which, is, expected);
  }

  void CompareEnd(const char *what, bool done, const Response &response) {
    Compare(what, done, response.error != response.done ? response.done : done);
  }

  void CompareReads() {
    expected_.paspace = RandomSpace();
    for (offset_ = 0; offset_ < kPage; offset_ = static_cast<uint16_t>(offset_ + 4)) {
      uint32_t value = ~0u;
      const Response response = expected_.Read(offset_);
      const bool done =
          pmuv3_side_external_read(side_.get(), 0, expected_.paspace, offset_, &value);
      CompareEnd("read of ", done, response);
      Compare("value of ", value, done ? response.value : 0);
    }
  }

  // Most writes are of words that are there.
  uint16_t RandomOffset() {
    if (random_.OneIn(32)) return static_cast<uint16_t>(random_.Below(kPage));
    if (random_.OneIn(4)) return static_cast<uint16_t>(4 * random_.Below(kPage / 4));
    const Word &word = Words()[random_.Below(static_cast<unsigned>(Words().size()))];
    const Word::Place &place = word.place[pmuv3_has(&params_, PMUV3_FEATURE_EXT64)];
    return static_cast<uint16_t>(place.offset + place.stride * random_.Below(params_.counters));
  }

  void CompareWrite() {
    offset_ = RandomOffset();
    const bool is_key = offset_ == kPmlar && random_.OneIn(2);
    const uint32_t value = is_key ? kKey : static_cast<uint32_t>(random_.Next());
    expected_.paspace = RandomSpace();
    const Response response = expected_.Write(offset_, value);
    const bool done = pmuv3_side_external_write(side_.get(), 0, expected_.paspace, offset_, value);
    CompareEnd("write of ", done, response);
    External now{};
    ReadExternal(&now);
    const auto is = now.Registers(), expected = expected_.Registers();
    for (size_t i = 0; i < is.size(); i++)
      Compare("write of ", is[i].second, expected[i].second, (": " + is[i].first).c_str());
  }

  std::string Text() const override {
    std::ostringstream text;
    text << std::hex << (pmuv3_has(&params_, PMUV3_FEATURE_EXT64) ? "EXT64 0x" : "EXT32 0x")
         << offset_ << " in space " << int{expected_.paspace} << ", PMCCR 0x" << expected_.pmccr
         << " MDCR_EL3 0x" << expected_.mdcr_el3 << " HPMN 0x" << hpmn_ << " of 0x"
         << int{params_.counters} << ", oslk " << pe_.oslk << " dlk " << pe_.dlk << " halted "
         << pe_.halted << " slk " << expected_.slk << " ss " << int{pe_.ss} << " el3 "
         << int{params_.el3} << " aa64 " << int{params_.aa64} << " debugv8p2 "
         << int{params_.debugv8p2} << " features";
    for (unsigned f = 0; f < PMUV3_NUM_FEATURES; f++)
      if (pmuv3_has(&params_, static_cast<pmuv3_feature>(f)))
        text << ' ' << pmuv3_feature_name(static_cast<pmuv3_feature>(f));
    return text.str();
  }

  External::Departure undone_ = External::kNone;
  pmuv3_pe pe_{};
  unsigned hpmn_ = 0;
  uint16_t offset_ = 0;
  External expected_{};
};

class ExternalWitnessTest : public ::testing::TestWithParam<Implementation> {};

TEST_P(ExternalWitnessTest, PageIsTheSame) {
  const bool rtl = GetParam().name == std::string("Rtl");
  ExternalTrial trial(GetParam().create, FromEnvironment("PMUV3_WITNESS_SEED", 1), rtl ? 8 : 31);
  // Each state has a thousand reads.
  trial.Run(FromEnvironment("PMUV3_WITNESS_STATES", rtl ? 10000 : 30000) / 10, false);
  for (const auto &[what, text] : trial.differences()) ADD_FAILURE() << what << ' ' << text;
}
PMUV3_ON_BOTH_SIDES(ExternalWitnessTest);

TEST(ExternalMistakesTest, SeesEveryMistake) {
  // The top half of PMCCR is RES0, and that of PMSSCR ignores writes. The top halves of PMCFGR and
  // PMIIDR read as 0, as a reserved word does.
  ExpectEachMistakeIsSeen<ExternalTrial>(
      8, 1200, 360,
      {"PMCCR[63:32]: MOST", "PMCCR[63:32]: written", "PMSSCR[63:32]: written",
       "PMCFGR[63:32]: present", "PMIIDR[63:32]: present"});
}

// Where the sides depart from the pseudocode, it matters.
TEST(ExternalMistakesTest, SeesTheDeparture) {
  ExternalTrial manual(pmuv3_side_cmodel, 3, 8);
  manual.Undo(External::kEpmad);
  manual.Run(2000, true);
  EXPECT_FALSE(manual.differences().empty());
}

}  // namespace
}  // namespace pmuv3::witness
