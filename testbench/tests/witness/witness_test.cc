// Every access, in random states: both sides against the third witness.
//
// PMUV3_WITNESS_STATES and PMUV3_WITNESS_SEED in the environment make a campaign of the fast test.
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "testbench/tests/unit/side_test.h"
#include "testbench/tests/witness/comparison.h"
#include "testbench/tests/witness/mutants.h"

namespace pmuv3::witness {
namespace {

const std::vector<Accessor> &Typed() {
  static const std::vector<Accessor> table = ReadTable(PMUV3_ACCESSORS);
  return table;
}

const std::vector<Accessor> &Table() {
  static const std::vector<Accessor> table = WithMissingDirections(Typed());
  return table;
}

uint64_t FromEnvironment(const char *name, uint64_t otherwise) {
  const char *value = getenv(name);
  return value ? strtoull(value, nullptr, 0) : otherwise;
}

std::string Join(const std::set<std::string> &words) {
  std::string text;
  for (const std::string &word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// ---- Both sides

class WitnessTest : public ::testing::TestWithParam<Implementation> {};

// Differences that are known to be open. One that is gone fails the test, too.
const std::map<std::string, std::set<std::string>> kOpen = {};

TEST_P(WitnessTest, DecidesEveryAccess) {
  const bool rtl = GetParam().name == std::string("Rtl");
  const uint64_t states = FromEnvironment("PMUV3_WITNESS_STATES", rtl ? 20000 : 100000);
  Comparison comparison(Table(), GetParam().create, FromEnvironment("PMUV3_WITNESS_SEED", 1),
                        rtl ? 8 : 31);
  comparison.Run(states, rtl ? 50 : 250);
  RecordProperty("accesses", std::to_string(comparison.accesses()));
  for (const auto &[kind, difference] : comparison.differences())
    if (!kOpen.count(kind) || kOpen.at(kind) != difference.accesses)
      ADD_FAILURE() << kind << ", " << difference.count << " times, in "
                    << Join(difference.accesses) << ". First: " << difference.example;
  constexpr uint64_t kEnough = 10000;  // states in which each open difference shows
  if (states < kEnough) return;
  for (const auto &[kind, accesses] : kOpen)
    EXPECT_EQ(comparison.differences().count(kind), 1u) << kind << " is gone: " << Join(accesses);
}
PMUV3_ON_BOTH_SIDES(WitnessTest);

// ---- The table

// The name with <n>, as the table writes it.
std::string Indexed(std::string name) {
  if (const size_t n = name.find("%u"); n != std::string::npos) name.replace(n, 2, "<n>");
  return name;
}

TEST(WitnessTableTest, HasEveryRegister) {
  std::set<std::string> names;
  for (const Accessor &accessor : Typed()) names.insert(accessor.name);
#define PMUV3_REGISTER(id, name, op0, op1, crn, crm, op2, access, present, text) \
  EXPECT_EQ(names.count(Indexed(name)), 1u) << name;
#define PMUV3_VIEW(id, name, of, opc1, crn, crm, opc2, lsb, mask, present, text) \
  EXPECT_EQ(names.count(Indexed(name)), 1u) << name;
#include "pmuv3/registers.def"
}

// A check that is missing, or that stands elsewhere, decides some state otherwise.
TEST(WitnessTableTest, EveryCheckAndItsPlaceMatters) {
  const Pool pool(1, 200000);
  for (const Mutant &mutant : Mutants(Typed()))
    EXPECT_EQ(pool.TellsApart(mutant), !mutant.equivalent) << mutant.text;
}

// The comparison with a side sees three of these mutants.
void ExpectSeen(const std::vector<Mutant> &mutants) {
  Random random(mutants.size());
  for (int i = 0; i < 3; i++) {
    const Mutant &mutant = mutants[random.Below(static_cast<unsigned>(mutants.size()))];
    const std::vector<Accessor> table = {mutant.accessor};
    Comparison comparison(table, pmuv3_side_cmodel, 1, 31);
    EXPECT_TRUE(comparison.FindsDifference(100000, 50)) << mutant.text;
  }
}

TEST(WitnessTableTest, ComparisonSeesMutantsOfEachCheck) {
  for (const auto &[op, mutants] : OnSides(Mutants(Typed()))) ExpectSeen(mutants);
}

TEST(WitnessTableTest, ComparisonSeesMutantsOfEachReach) {
  for (const auto &[reach, mutants] : ReachMutants(Typed())) ExpectSeen(mutants);
}

// ---- Syndromes

// The highest Exception level that uses AArch32 here.
enum Highest { kNone, kEl0, kEl1, kEl2 };

// The trap of an access at EL0 that PMUSERENR = 0 refuses.
Decision Refused(const std::string &name, bool writes, Highest highest, bool tge) {
  const pmuv3_params params = Params("el3=0");
  State state = StateOf(params, Pe().El(0).Tge(tge), Controls{}, params.counters);
  state.now_aa32 = highest >= kEl0;
  state.aa32[1] = highest >= kEl1;
  state.aa32[2] = highest >= kEl2;
  uint16_t reg = 0;
  EXPECT_TRUE(pmuv3_register_find(name.c_str(), &reg)) << name;
  for (const Accessor &accessor : Typed())
    if (accessor.name == name && accessor.Writes() == writes)
      return Decide(accessor, state, reg, 0);
  ADD_FAILURE() << name;
  return {};
}
constexpr bool kRead = false, kWrite = true;

void ExpectTrap(const Decision &is, unsigned el, unsigned ec, uint32_t iss) {
  EXPECT_EQ(is.el, el);
  EXPECT_EQ(is.ec, ec);
  EXPECT_EQ(is.iss, iss);
}

// MSR and MRS. The ISS has Op0, Op2, Op1, CRn, Rt, CRm, direction.
TEST(WitnessSyndromeTest, Aarch64) {
  const uint32_t iss = 3u << 20 | 3u << 17 | 3u << 14 | 9u << 10 | 14u << 1;  // 3, 3, 9, 14, 3
  ExpectTrap(Refused("PMOVSSET_EL0", kRead, kNone, false), 1, 0x18, iss | 1);
  ExpectTrap(Refused("PMOVSSET_EL0", kWrite, kNone, true), 2, 0x18, iss);
}

// MCR and MRC, MCRR and MRRC. CV is 1, COND is 0xE.
TEST(WitnessSyndromeTest, Aarch32) {
  const uint32_t iss = 0x1E00000 | 3u << 17 | 9u << 10 | 14u << 1;  // opc1 0, 9, 14, opc2 3
  ExpectTrap(Refused("PMOVSSET", kRead, kEl0, false), 1, 0x03, iss | 1);
  ExpectTrap(Refused("PMOVSSET", kWrite, kEl1, true), 2, 0x03, iss);
  const uint32_t iss_of_64 = 0x1E00000 | 9u << 1;  // opc1 0, CRm 9
  ExpectTrap(Refused("PMCCNTR64", kRead, kEl0, false), 1, 0x04, iss_of_64 | 1);
  ExpectTrap(Refused("PMCCNTR64", kWrite, kEl1, true), 2, 0x04, iss_of_64);
}

// I-4: EL1 in AArch32 refuses EL0 by UNDEFINED. HCR.TGE makes that a Hyp trap without a syndrome.
TEST(WitnessSyndromeTest, None) {
  EXPECT_EQ(Refused("PMCCNTR64", kWrite, kEl1, false).result, PMUV3_UNDEFINED);
  ExpectTrap(Refused("PMCCNTR64", kWrite, kEl1, false), 0, 0, 0);
  EXPECT_EQ(Refused("PMCCNTR64", kWrite, kEl2, true).result, PMUV3_TRAP_EL2);
  ExpectTrap(Refused("PMCCNTR64", kWrite, kEl2, true), 2, 0, 0);
}

}  // namespace
}  // namespace pmuv3::witness
