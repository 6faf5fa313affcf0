// What a Cold and a Warm reset leave, in random states: both sides against the fields of
// resets.txt.
//
// PMUV3_WITNESS_STATES and PMUV3_WITNESS_SEED in the environment make a campaign of the fast test.
#include "testbench/tests/witness/resets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "testbench/tests/unit/side_test.h"
#include "testbench/tests/witness/external.h"
#include "testbench/tests/witness/trial.h"

namespace pmuv3::witness {
namespace {

// All System registers. One of event counters has the encoding of n = 0.
constexpr uint16_t kRegisters[] = {
#define PMUV3_REGISTER(id, name, op0, op1, crn, crm, op2, access, present, text) PMUV3_##id,
#define PMUV3_VIEW(id, name, of, opc1, crn, crm, opc2, lsb, mask, present, text) PMUV3_##id,
#include "pmuv3/registers.def"
};

// ---- Where the register of a field is read

struct Place {
  std::vector<uint16_t> encodings;  // by n
  const Word *words[2] = {};        // of the external view: [31:0] and [63:32]
};

std::string WithNumber(std::string name, unsigned number) {
  if (const size_t n = name.find("<n>"); n != std::string::npos)
    name.replace(n, 3, std::to_string(number));
  return name;
}

std::vector<uint16_t> EncodingsOf(const std::string &name) {
  std::vector<uint16_t> encodings;
  for (unsigned n = 0; n < PMUV3_MAX_COUNTERS; n++) {
    uint16_t reg = 0;
    EXPECT_TRUE(pmuv3_register_find(WithNumber(name, n).c_str(), &reg)) << name;
    encodings.push_back(reg);
  }
  return encodings;
}

const Word *WordOf(const std::string &name) {
  for (const Word &word : Words())
    if (word.name == name) return &word;
  return nullptr;
}

// external.txt has no suffix _ELx, and no bits of a register of one word.
Place PlaceOf(const Field &field) {
  Place place;
  if (field.view == Field::kExternal) {
    const std::string suffixed = field.reg.substr(field.reg.find('.') + 1),
                      name = suffixed.substr(0, suffixed.find("_EL"));
    place.words[0] = WordOf(name) ? WordOf(name) : WordOf(name + "[31:0]");
    place.words[1] = WordOf(name + "[63:32]");
    EXPECT_NE(place.words[0], nullptr) << field.reg;
  } else {
    place.encodings = EncodingsOf(field.reg);
  }
  return place;
}

const std::vector<Place> &Places() {
  static const std::vector<Place> places = [] {
    std::vector<Place> all;
    for (const Field &field : Fields()) all.push_back(PlaceOf(field));
    return all;
  }();
  return places;
}

class ResetTrial : public Trial {
 public:
  using Trial::Trial;

 private:
  // Often what is rare among random parameters.
  void Adapt(pmuv3_params *params) override {
    AddOneIn(2, PMUV3_FEATURE_EXTPMN, params);
    AddOneIn(3, PMUV3_FEATURE_SS, params);
    AddOneIn(3, PMUV3_FEATURE_RME, params);
    AddOneIn(3, PMUV3_FEATURE_SEBEP, params);
    AddOneIn(4, PMUV3_FEATURE_ICNTR, params);
    AddOneIn(4, PMUV3_FEATURE_MTPMU, params);
    if (random_.OneIn(4)) params->el3 = 0;
    params->features &= ~(Mask(PMUV3_FEATURE_EXT32) | Mask(PMUV3_FEATURE_EXT64));
    if (!random_.OneIn(4))
      params->features |= Mask(random_.OneIn(2) ? PMUV3_FEATURE_EXT32 : PMUV3_FEATURE_EXT64);
    ChooseLegacyMt(params);
    params->k_software_lock = random_.OneIn(4);
    params->th_width = static_cast<uint8_t>(1 + random_.Below(12));
  }

  void CompareState() override {
    cold_ = random_.OneIn(2);
    WriteRegisters();
    NewPe();
    ReadResets();
    const std::vector<std::vector<uint64_t>> before = ReadAll();
    if (!cold_)
      pmuv3_side_reset(side_.get());
    else if (!pmuv3_side_cold_reset(side_.get()))
      ADD_FAILURE() << "no Cold reset";
    ReadResets();
    for (size_t i = 0; i < Fields().size(); i++) Compare(i, before[i]);
  }

  // ---- The state before the reset

  void WriteRegisters() {
    const pmuv3_pe open = PMUV3_PE_RESET;
    if (!pmuv3_pe_wrong(&params_, &open)) pmuv3_side_set_pe(side_.get(), 0, &open);
    WritePmccr(31);  // all counters are in reach
    WriteCounters();
    Capture();
    for (const uint16_t reg : kRegisters) Write(reg, random_.Next());
    WriteCounters();
    for (unsigned n = 0; n < params_.counters; n++) Write(PMUV3_PMEVTYPERn(n), random_.Next());
    WritePmccr(static_cast<uint32_t>(random_.Next()));
    constexpr uint16_t kPmlar = 0xFB0;
    constexpr uint32_t kKey = 0xC5ACCE55;
    pmuv3_side_external_write(side_.get(), 0, PMUV3_NS, kPmlar, kKey + random_.Below(2));
  }

  // No lock refuses external reads.
  void NewPe() {
    pe_ = RandomPe(&random_, params_);
    pe_.dlk = pe_.oslk = false;
    if (pe_.el == 2) pe_.aa32 = false;  // what EL2 uses follows a32el2 (formats.md)
    pmuv3_side_set_pe(side_.get(), 0, &pe_);
  }

  // ---- Reading

  void ReadResets() { ReadMachine(pe_, &resets_); }

  // The address space that the external view refuses nothing (IsMostSecureAccess).
  pmuv3_security_state MostSecure() const {
    if (pmuv3_has(&params_, PMUV3_FEATURE_RME)) return PMUV3_RT;
    return params_.el3 || pe_.ss == PMUV3_S ? PMUV3_S : PMUV3_NS;
  }

  uint64_t ReadWord(const Word &word, unsigned n) {
    const Word::Place &place = word.place[pmuv3_has(&params_, PMUV3_FEATURE_EXT64)];
    if (!place.exists) return 0;
    uint32_t value = 0;
    const auto offset = static_cast<uint16_t>(place.offset + n * place.stride);
    if (!pmuv3_side_external_read(side_.get(), 0, MostSecure(), offset, &value))
      Same("error response of " + word.name, 1, 0);
    return value;
  }

  uint64_t ReadRegister(size_t i, unsigned n) {
    const Place &place = Places()[i];
    if (Fields()[i].view != Field::kExternal) {
      uint64_t value = 0;
      if (pmuv3_side_read(side_.get(), 0, place.encodings[n], &value) != PMUV3_ACCESS_OK)
        Same("no " + Fields()[i].reg, 1, 0);
      return value;
    }
    const uint64_t low = ReadWord(*place.words[0], n);
    return place.words[1] ? ReadWord(*place.words[1], n) << 32 | low : low;
  }

  // Whether there is something to compare.
  bool Decides(const Field &field) const {
    return field.needs.Holds(resets_) &&
           resets_.After(field, cold_).kind != Field::Outcome::kUnknown;
  }

  // The registers of the fields that are compared, by n.
  std::vector<std::vector<uint64_t>> ReadAll() {
    std::vector<std::vector<uint64_t>> values(Fields().size());
    for (size_t i = 0; i < Fields().size(); i++) {
      if (!Decides(Fields()[i])) continue;
      for (unsigned n = 0; n < resets_.NumberOf(Fields()[i]); n++)
        values[i].push_back(ReadRegister(i, n));
    }
    return values;
  }

  // ---- Comparing

  void Compare(size_t i, const std::vector<uint64_t> &before) {
    const Field &field = Fields()[i];
    if (!Decides(field)) return;
    const Field::Outcome &outcome = resets_.After(field, cold_);
    for (unsigned n = 0; n < std::min<size_t>(before.size(), resets_.NumberOf(field)); n++) {
      const uint64_t is = field.Of(ReadRegister(i, n));
      const uint64_t expected = resets_.Value(field, outcome, field.Of(before[n]));
      if (is != expected) Same(outcome.name, is, expected);
    }
  }

  std::string Text() const override {
    std::ostringstream text;
    text << std::hex << "PMCCR 0x" << resets_.pmccr << " of 0x" << int{params_.counters} << ", el2 "
         << int{params_.el2} << " el3 " << int{params_.el3} << " aa64 " << int{params_.aa64}
         << " aa32 " << int{params_.aa32} << " ss " << int{pe_.ss} << " features";
    for (unsigned f = 0; f < PMUV3_NUM_FEATURES; f++)
      if (pmuv3_has(&params_, static_cast<pmuv3_feature>(f)))
        text << ' ' << pmuv3_feature_name(static_cast<pmuv3_feature>(f));
    return text.str();
  }

  pmuv3_pe pe_{};
  bool cold_ = false;
  Resets resets_{};
};

// The names of all outcomes with something to compare.
std::set<std::string> Outcomes() {
  std::set<std::string> names;
  for (const Field &field : Fields())
    for (const auto *outcomes : {&field.cold, &field.warm})
      for (const Field::Outcome &outcome : *outcomes)
        if (outcome.kind != Field::Outcome::kUnknown) names.insert(outcome.name);
  return names;
}

class ResetsWitnessTest : public ::testing::TestWithParam<Implementation> {};

TEST_P(ResetsWitnessTest, FieldsAreTheSame) {
  const bool rtl = GetParam().name == std::string("Rtl");
  ResetTrial trial(GetParam().create, FromEnvironment("PMUV3_WITNESS_SEED", 1), rtl ? 8 : 31);
  trial.NoteChecks();
  // A state has hundreds of reads.
  trial.Run(FromEnvironment("PMUV3_WITNESS_STATES", rtl ? 10000 : 30000) / 4, false);
  for (const auto &[what, text] : trial.differences()) ADD_FAILURE() << what << ' ' << text;
  for (const std::string &outcome : Outcomes())
    EXPECT_EQ(trial.checks().count(outcome), 1u) << "no state reaches " << outcome;
}
PMUV3_ON_BOTH_SIDES(ResetsWitnessTest);

// A mistake takes a field that a reset keeps for one that it sets, and the reverse.
TEST(ResetsMistakesTest, SeesEveryMistake) {
  // These fields are always 0: SS, as a capture takes no time, and LP where counters have 32 bits.
  ExpectEachMistakeIsSeen<ResetTrial>(
      8, 10000, Outcomes().size(),
      {"PMSSCR_EL1.SS[0] Cold 0", "PMSSCR_EL1.SS[0] Warm 0", "PMU.PMSSCR_EL1.SS[0] Cold 0",
       "PMU.PMSSCR_EL1.SS[0] Warm 0", "PMCR.LP[7] Cold !AA64:0", "PMCR.LP[7] Warm !AA64:0",
       "PMU.PMCR_EL0.LP[7] Cold !AA64:0", "PMU.PMCR_EL0.LP[7] Warm !AA64:0"});
}

// ---- The table

// The name with <n>, as the table writes it.
std::string Indexed(std::string name) {
  if (const size_t n = name.find("%u"); n != std::string::npos) name.replace(n, 2, "<n>");
  return name;
}

// System registers that hold nothing of their own, or that only read.
const std::set<std::string> kStateless = {"PMCEID0_EL0", "PMCEID1_EL0", "PMCEID0",   "PMCEID1",
                                          "PMCEID2",     "PMCEID3",     "PMMIR_EL1", "PMMIR",
                                          "PMZR_EL0",    "PMSWINC_EL0", "PMSWINC",   "PMXEVTYPER"};

TEST(ResetsTableTest, HasEveryRegister) {
  std::set<std::string> names;
  for (const Field &field : Fields()) names.insert(field.reg);
#define PMUV3_REGISTER(id, name, op0, op1, crn, crm, op2, access, present, text) \
  EXPECT_NE(names.count(Indexed(name)), kStateless.count(Indexed(name))) << name;
#define PMUV3_VIEW(id, name, of, opc1, crn, crm, opc2, lsb, mask, present, text) \
  EXPECT_NE(names.count(Indexed(name)), kStateless.count(Indexed(name))) << name;
#include "pmuv3/registers.def"
}

TEST(ResetsTableTest, HasEveryWordThatIsReadAndWritten) {
  std::set<const Word *> words;
  for (const Place &place : Places()) words.insert(std::begin(place.words), std::end(place.words));
  for (const Word &word : Words())
    EXPECT_TRUE(!word.reads || !word.writes || words.count(&word)) << word.name;
}

}  // namespace
}  // namespace pmuv3::witness
