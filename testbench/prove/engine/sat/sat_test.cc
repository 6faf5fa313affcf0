// Conditions with certificates, one after the other.
#include "engine/sat/sat.h"

#include <gtest/gtest.h>

#include <vector>

namespace engine {
namespace {

class SatTest : public testing::Test {
 protected:
  void Assume(const std::vector<term> &assumptions) {
    assumptions_ = assumptions;
    sat_ = sat_new(assumptions_.data(), assumptions_.size());
  }
  ~SatTest() override { sat_free(sat_); }

  // By values that make the assumptions true and it false.
  bool IsRefuted(term condition) {
    if (sat_ask(sat_, condition) != SAT_REFUTED) return false;
    term_values *values = term_values_new(sat_value, sat_);
    bool refutes = term_value(values, condition)[0] == 0;
    for (term assumption : assumptions_)
      refutes = refutes && term_value(values, assumption)[0] == 1;
    term_values_free(values);
    return refutes;
  }
  bool IsProved(term condition) { return sat_ask(sat_, condition) == SAT_PROVED; }

  std::vector<term> assumptions_;
  sat *sat_ = nullptr;
};

TEST_F(SatTest, OneAfterTheOther) {
  const term a = term_var(24, "a24"), b = term_var(24, "b24"), c = term_var(24, "c24");
  const term distributes =
      term_eq(term_mul(term_const(24, 5), term_add(a, b)),
              term_add(term_mul(a, term_const(24, 5)), term_mul(b, term_const(24, 5))));
  Assume({term_ult(a, b)});
  EXPECT_TRUE(IsProved(distributes));
  EXPECT_GT(sat_num_lemmas(sat_), 0u);
  EXPECT_TRUE(IsRefuted(term_ult(a, c)));
  EXPECT_TRUE(IsProved(term_implies(term_ult(b, c), term_ult(a, c))));
  EXPECT_TRUE(IsRefuted(term_implies(term_ult(c, b), term_ult(c, a))));
  EXPECT_TRUE(IsProved(term_not(term_eq(a, b))));
  EXPECT_TRUE(IsProved(distributes));
  EXPECT_TRUE(IsRefuted(term_not(term_eq(term_add(a, c), b))));
}

// What was refuted, or proved, says nothing of what is asked next.
TEST_F(SatTest, NothingIsAssumedOfWhatWasAsked) {
  const term a = term_var(8, "a");
  Assume({});
  EXPECT_TRUE(IsRefuted(term_eq(a, term_const(8, 3))));
  EXPECT_TRUE(IsRefuted(term_not(term_eq(a, term_const(8, 3)))));
  EXPECT_TRUE(IsProved(term_ult(term_lshr(a, term_const(8, 4)), term_const(8, 16))));
  EXPECT_TRUE(IsRefuted(term_eq(a, term_const(8, 3))));
}

// False follows from them alone.
TEST_F(SatTest, AssumptionsThatContradictEachOther) {
  const term a = term_var(8, "a"), b = term_var(8, "b");
  Assume({term_ult(a, b), term_ult(b, a)});
  EXPECT_TRUE(IsProved(TERM_FALSE));
  EXPECT_TRUE(IsProved(term_eq(a, b)));
  EXPECT_TRUE(IsProved(term_not(term_eq(a, b))));
}

TEST_F(SatTest, Constants) {
  Assume({TERM_TRUE});
  EXPECT_TRUE(IsRefuted(TERM_FALSE));
  EXPECT_TRUE(IsProved(TERM_TRUE));
  EXPECT_TRUE(IsRefuted(TERM_FALSE));
}

// A variable that no clause needs has a value all the same, and so has one that was never asked of.
TEST_F(SatTest, ValuesOfWhatDoesNotMatter) {
  const term a = term_var(100, "wide"), b = term_var(8, "not asked");
  Assume({term_not(term_any(term_extract(a, 50, 50)))});
  EXPECT_TRUE(IsRefuted(term_extract(a, 3, 1)));
  std::uint64_t words[2] = {7, 7};
  sat_value(a, words, sat_);
  EXPECT_EQ(words[1], 0u);
  sat_value(b, words, sat_);
  EXPECT_EQ(words[0], 0u);
}

}  // namespace
}  // namespace engine
