// The sample of which a second opinion is asked, and the proofs that are counted.
#include <gtest/gtest.h>

#include <string>
#include <vector>

// C, with structs that are called as functions are.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
extern "C" {
#include "testbench/prove/equivalence/second_opinion.h"
}
#pragma GCC diagnostic pop

namespace pmuv3 {
namespace {

constexpr unsigned kQueries = 20000;

std::vector<bool> Sampled(unsigned one_in, std::uint64_t seed) {
  sample sample = {one_in, seed};
  std::vector<bool> sampled;
  for (unsigned i = 0; i < kQueries; i++) {
    const term number = term_const(32, i), a = term_var(32, "a");
    const query query = {"", term_ult(a, number), &number, 1, nullptr};
    sampled.push_back(sample_has(&query, &sample));
  }
  return sampled;
}

unsigned Count(const std::vector<bool> &sampled) {
  unsigned count = 0;
  for (bool one : sampled) count += one;
  return count;
}

TEST(SecondOpinionTest, OneInSoMany) {
  EXPECT_EQ(Count(Sampled(1, 1)), kQueries);
  for (unsigned one_in : {2u, 10u, 100u}) {
    const unsigned count = Count(Sampled(one_in, 1)), expected = kQueries / one_in;
    EXPECT_GT(count, expected * 3 / 4) << one_in;
    EXPECT_LT(count, expected * 5 / 4) << one_in;
  }
}

TEST(SecondOpinionTest, TheSeedChooses) {
  EXPECT_EQ(Sampled(100, 1), Sampled(100, 1));
  const std::vector<bool> one = Sampled(100, 1), two = Sampled(100, 2);
  unsigned both = 0;
  for (unsigned i = 0; i < kQueries; i++) both += one[i] && two[i];
  EXPECT_LT(both, Count(one) / 4);
}

// Whatever its name and the order of its assumptions.
TEST(SecondOpinionTest, OfWhatIsAsked) {
  sample sample = {2, 7};
  const term a = term_var(8, "x"), b = term_var(8, "y");
  const term assumptions[] = {term_ult(a, b), term_any(a)},
             turned[] = {term_any(a), term_ult(a, b)};
  for (unsigned i = 0; i < 50; i++) {
    const term condition = term_ult(term_add(a, b), term_const(8, i));
    const query one = {"one", condition, assumptions, 2, nullptr};
    const query other = {"other", condition, turned, 2, nullptr};
    EXPECT_EQ(sample_has(&one, &sample), sample_has(&other, &sample));
  }
}

TEST(SecondOpinionTest, Proofs) {
  proofs proofs = {}, sum = {1, 10, 100};
  proofs_count(&proofs, 0);
  for (int i = 0; i < 2; i++) proofs_count(&proofs, PROOF_CERTIFICATE);
  for (int i = 0; i < 3; i++) proofs_count(&proofs, PROOF_SOLVERS);
  for (int i = 0; i < 4; i++) proofs_count(&proofs, PROOF_CERTIFICATE | PROOF_SOLVERS);
  proofs_add(&sum, &proofs);
  EXPECT_EQ(sum.by_certificate, 3u);
  EXPECT_EQ(sum.by_two_solvers, 13u);
  EXPECT_EQ(sum.by_both_ways, 104u);
}

}  // namespace
}  // namespace pmuv3
