// What CaDiCaL says is not believed: with a stand-in that lies, dies or never ends, nothing false
// is proved, and what is wrong is said.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "engine/sat/cadical.h"
#include "engine/smt/solver_test.h"

// --- The stand-in -------------------------------------------------------------------------------

enum class Lie {
  kNoProof,      // unsat
  kEmptyClause,  // unsat, and the proof says no more than that
  kBadLemma,     // unsat, by a lemma that does not follow
  kHalf,         // unsat, by a proof that ends in the middle of a step
  kZeros,        // sat, and everything is 0
  kDies,
  kHangs,
};

static Lie lie;

struct cadical {
  std::string proof;
};

cadical *cadical_new() {
  return new cadical;
}

void cadical_free(cadical *old) {
  delete old;
}

void cadical_add(cadical *, int) {}

bool cadical_can_be_true(cadical *of, int) {
  switch (lie) {
    case Lie::kNoProof:
      break;
    case Lie::kEmptyClause:
      of->proof = std::string("a\0", 2);
      break;
    case Lie::kBadLemma:
      of->proof = std::string("a\x03\0", 3);  // not true
      break;
    case Lie::kHalf:
      of->proof = "a\x04";
      break;
    case Lie::kZeros:
      return true;
    case Lie::kDies:
      std::abort();
    case Lie::kHangs:
      pause();
  }
  return false;
}

bool cadical_value(cadical *, int) {
  return false;
}

const unsigned char *cadical_proof(cadical *of, std::size_t *size) {
  *size = of->proof.size();
  return reinterpret_cast<const unsigned char *>(of->proof.data());
}

namespace engine {
namespace {

constexpr Lie kRejected[] = {Lie::kNoProof, Lie::kEmptyClause, Lie::kBadLemma, Lie::kHalf};
constexpr char kTrouble[] = "cadical: unsat, but its certificate does not hold";

class LiarTest : public SolverTest {
 protected:
  Result Tell(Lie what, term condition) {
    lie = what;
    results.clear();
    const query query = {"only", condition, nullptr, 0, nullptr};
    const solver_options options = {2, 2, nullptr, nullptr, nullptr, nullptr, false};
    EXPECT_TRUE(solve(&query, 1, &options, Done));
    return results.at("only");
  }
  said_together Together(Lie what, term condition) {
    lie = what;
    const query_set set = {nullptr, 0, &condition, 1};
    const solver_options options = {1, 0.5, nullptr, nullptr, nullptr, nullptr, false};
    said_together said = {99, nullptr, false};
    double seconds;
    EXPECT_TRUE(solve_together(&set, &options, &said, &seconds));
    return said;
  }
  // The same is said by either way to ask in a session: no proof, and what is against one.
  void ExpectAgainst(Lie what, term condition, const std::string &against, bool is_wrong) {
    said_together said[2] = {Together(what, condition), {99, nullptr, false}};
    const query_set set = {nullptr, 0, &condition, 1};
    const solver_options options = {1, 0.5, nullptr, nullptr, nullptr, nullptr, false};
    double seconds;
    EXPECT_TRUE(solve_until_refuted(&set, &options, &said[1], &seconds));
    for (const said_together &one : said) {
      EXPECT_EQ(one.proof, 0u);
      EXPECT_STREQ(one.against, against.c_str());
      EXPECT_EQ(one.is_wrong, is_wrong);
    }
  }
};

// Even if z3 and cvc5 prove it: something is wrong.
TEST_F(LiarTest, IsRejected) {
  for (Lie what : kRejected) {
    SCOPED_TRACE(static_cast<int>(what));
    const Result result = Tell(what, True());
    EXPECT_EQ(result.said, ANSWER_DISAGREE);
    EXPECT_EQ(result.trouble, kTrouble);
    EXPECT_TRUE(result.is_wrong);
    ExpectAgainst(what, True(), kTrouble, true);
  }
}

TEST_F(LiarTest, WhatIsFalseIsRefutedAllTheSame) {
  for (Lie what : kRejected) {
    SCOPED_TRACE(static_cast<int>(what));
    const Result result = Tell(what, NeedleIn("a"));
    EXPECT_EQ(result.said, ANSWER_REFUTED);
    EXPECT_TRUE(result.holds);
    EXPECT_EQ(result.trouble, kTrouble);
    EXPECT_TRUE(result.is_wrong);
    ExpectAgainst(what, NeedleIn("a"), kTrouble, true);
  }
}

TEST_F(LiarTest, ModelThatDoesNotHold) {
  const Result result = Tell(Lie::kZeros, True());
  EXPECT_EQ(result.said, ANSWER_DISAGREE);
  EXPECT_EQ(result.trouble, "cadical: sat, with a model that does not hold");
  EXPECT_TRUE(result.is_wrong);
  ExpectAgainst(Lie::kZeros, True(), "cadical: sat in a session", false);
}

TEST_F(LiarTest, TwoSolversDoWithoutIt) {
  Result result = Tell(Lie::kDies, True());
  EXPECT_EQ(result.said, ANSWER_PROVED);
  EXPECT_EQ(result.proof, static_cast<unsigned>(PROOF_SOLVERS));
  EXPECT_EQ(result.trouble, "cadical: it ended");
  EXPECT_FALSE(result.is_wrong);
  EXPECT_EQ(Together(Lie::kDies, True()).proof, static_cast<unsigned>(PROOF_SOLVERS));
  result = Tell(Lie::kHangs, True());
  EXPECT_EQ(result.said, ANSWER_PROVED);
  EXPECT_EQ(result.proof, static_cast<unsigned>(PROOF_SOLVERS));
  const said_together said = Together(Lie::kHangs, True());
  EXPECT_EQ(said.proof, static_cast<unsigned>(PROOF_SOLVERS));
  EXPECT_EQ(said.against, nullptr);
}

}  // namespace
}  // namespace engine
