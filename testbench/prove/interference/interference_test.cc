// Non-interference: its own conditions against the tables of the rules; and that there is something
// to prove, and something that must fail, in each place.
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>

// C, with structs that are called as functions are.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
extern "C" {
#include "testbench/prove/interference/interference_run.h"
}
#pragma GCC diagnostic pop

namespace {

// One for all tests: a process has variables of one size.
const struct model *TheModel() {
  static const struct model *const model =
      model_new(PMUV3_MODEL_BITCODE, {1, 2, 0}, &interference_case, MODEL_CUT_STAGES);
  return model;
}

// ---- Values ----

using Assignment = std::map<std::string, uint64_t>;

void GiveValue(term var, uint64_t *words, void *with) {
  const auto *values = static_cast<const Assignment *>(with);
  const auto found = values->find(term_name(var));
  words[0] = found == values->end() ? 0 : found->second;
}

bool Holds(term condition, Assignment values) {
  struct term_values *all = term_values_new(GiveValue, &values);
  const bool holds = *term_value(all, condition) != 0;
  term_values_free(all);
  return holds;
}

// An implementation with everything, its thread in some context.
Assignment Everything(unsigned el, unsigned ss) {
  Assignment values = {{"counters", 2},  {"el2", 1},       {"el3", 1},      {"aa64", 1},
                       {"debugv8p2", 1}, {"t0.pe.el", el}, {"t0.pe.ss", ss}};
  for (unsigned f = 0; f < PMUV3_NUM_FEATURES; f++)
    values[std::string("FEAT_") + pmuv3_feature_name(static_cast<enum pmuv3_feature>(f))] = 1;
  return values;
}

// Counter 0 is of R1, R2 or R3.
void PutInRange(Assignment *values, int range) {
  (*values)["t0.registers.mdcr_el2"] |= range == 1 ? 1 : 0;
  (*values)["t0.registers.pmccr"] = range == 3 ? 0 : 2;
}

// ---- Rules ----

// rules.md D.4: the table for an EL3 in AArch64, with FEAT_PMUv3p7.
TEST(InterferenceTest, ProhibitedAsInTheTable) {
  const struct model *model = TheModel();
  ASSERT_NE(model, nullptr);
  const struct observer observer = {model, 0, COUNTER, 0};
  const struct context of = rules_current(model, 0);
  const term prohibited = rules_prohibited(&observer, &of);
  // By SPME and MPMX: Secure EL1 of R1, R2; EL3 of R1, R2; Secure EL1, EL3 of R3; Non-secure EL1.
  const struct {
    uint64_t spme, mpmx;
    bool expected[7];
  } rows[] = {
      {0, 0, {true, true, true, true, false, false, false}},
      {1, 0, {false, false, false, false, false, false, false}},
      {0, 1, {false, false, true, true, false, false, false}},
      {1, 1, {false, false, true, false, false, false, false}},
  };
  const struct {
    unsigned el, ss;
    int range;
  } columns[] = {{1, PMUV3_S, 1}, {1, PMUV3_S, 2},  {3, PMUV3_RT, 1}, {3, PMUV3_RT, 2},
                 {1, PMUV3_S, 3}, {3, PMUV3_RT, 3}, {1, PMUV3_NS, 1}};
  for (const auto &row : rows) {
    for (size_t c = 0; c < 7; c++) {
      Assignment values = Everything(columns[c].el, columns[c].ss);
      values["t0.registers.mdcr_el3"] =
          row.spme << PMUV3_MDCR_EL3_SPME_LSB | row.mpmx << PMUV3_MDCR_EL3_MPMX_LSB;
      PutInRange(&values, columns[c].range);
      EXPECT_EQ(Holds(prohibited, values), row.expected[c])
          << "SPME " << row.spme << " MPMX " << row.mpmx << " column " << c;
    }
  }
}

// HPMD prohibits R1 alone at EL2, in every Security state.
TEST(InterferenceTest, ProhibitedAtEl2) {
  const struct model *model = TheModel();
  const struct observer observer = {model, 0, COUNTER, 0};
  const struct context of = rules_current(model, 0);
  const term prohibited = rules_prohibited(&observer, &of);
  for (const unsigned ss : {PMUV3_NS, PMUV3_S, PMUV3_RL}) {
    for (const int range : {1, 2, 3}) {
      Assignment values = Everything(2, ss);
      values["t0.registers.mdcr_el3"] = UINT64_C(1) << PMUV3_MDCR_EL3_SPME_LSB;
      values["t0.registers.mdcr_el2"] = UINT64_C(1) << PMUV3_MDCR_EL2_HPMD_LSB;
      PutInRange(&values, range);
      EXPECT_EQ(Holds(prohibited, values), range == 1) << "ss " << ss << " R" << range;
    }
  }
}

// rules.md D.2: the examples of its second table.
TEST(InterferenceTest, FilteredAsInTheTable) {
  const struct model *model = TheModel();
  const struct observer observer = {model, 0, COUNTER, 0};
  const struct context of = rules_current(model, 0);
  const term filtered = rules_filtered(&observer, &of);
  const uint64_t p = PMUV3_MASK(PMEVTYPER, P), u = PMUV3_MASK(PMEVTYPER, U);
  const uint64_t nsk = PMUV3_MASK(PMEVTYPER, NSK), nsu = PMUV3_MASK(PMEVTYPER, NSU);
  const uint64_t rlk = PMUV3_MASK(PMEVTYPER, RLK), rlu = PMUV3_MASK(PMEVTYPER, RLU);
  const uint64_t nsh = PMUV3_MASK(PMEVTYPER, NSH), rlh = PMUV3_MASK(PMEVTYPER, RLH);
  const uint64_t sh = PMUV3_MASK(PMEVTYPER, SH), m = PMUV3_MASK(PMEVTYPER, M);
  const struct {
    unsigned el, ss;
    uint64_t never, always;
  } rows[] = {
      {0, PMUV3_NS, u, u | nsu},     {0, PMUV3_S, u, 0},         {0, PMUV3_RL, rlu, u | rlu},
      {1, PMUV3_NS, nsk, p | nsk},   {1, PMUV3_S, p, 0},         {1, PMUV3_RL, p, rlk & 0},
      {2, PMUV3_NS, 0, nsh},         {2, PMUV3_S, nsh | sh, sh}, {2, PMUV3_RL, 0, nsh},
      {2, PMUV3_RL, nsh | rlh, rlh}, {3, PMUV3_RT, p, p | m},
  };
  for (const auto &row : rows) {
    Assignment values = Everything(row.el, row.ss);
    values["t0.PMEVTYPER0"] = row.never >> 16;
    EXPECT_TRUE(Holds(filtered, values)) << "el " << row.el << " ss " << row.ss;
    values["t0.PMEVTYPER0"] = row.always >> 16;
    EXPECT_FALSE(Holds(filtered, values)) << "el " << row.el << " ss " << row.ss;
  }
}

// ---- Questions ----

TEST(InterferenceTest, EachPlaceHasWhatMustFail) {
  const struct model *model = TheModel();
  for (int p = 0; p < PLACES; p++) {
    const auto place = static_cast<enum place>(p);
    if (!place_is_there(place, model->size)) continue;
    struct interference *all;
    const size_t number = interference_make(model, place, &all);
    std::set<std::string> names;
    size_t must_fail = 0;
    for (size_t i = 0; i < number; i++) {
      EXPECT_TRUE(names.insert(all[i].name).second) << place_name(place) << ": " << all[i].name;
      must_fail += all[i].must_fail ? 1 : 0;
    }
    EXPECT_GE(must_fail, 5u) << place_name(place);
    EXPECT_GE(number - must_fail, 10u) << place_name(place);
    interference_free(all, number);
  }
}

TEST(InterferenceTest, NothingIsNoProof) {
  struct place_report report = {};
  EXPECT_FALSE(place_is_proved(&report));
  report.questions = report.proved = 1;
  EXPECT_FALSE(place_is_proved(&report));
  report.must_fail = 2;
  report.refuted = 1;
  EXPECT_FALSE(place_is_proved(&report));
  report.refuted = 2;
  EXPECT_TRUE(place_is_proved(&report));
  report.proved = 0;
  EXPECT_FALSE(place_is_proved(&report));
}

}  // namespace
