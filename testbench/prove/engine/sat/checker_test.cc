// The checker accepts what follows by propagation, and nothing else, whatever order it comes in.
#include "engine/sat/checker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "engine/sat/cadical.h"

namespace engine {
namespace {

using Clause = std::vector<int>;

class CheckerTest : public testing::Test {
 protected:
  CheckerTest() : checker_(checker_new()) {}
  ~CheckerTest() override { checker_free(checker_); }

  void Give(const Clause &clause) { checker_give(checker_, clause.data(), clause.size()); }
  bool Lemma(const Clause &clause) { return checker_lemma(checker_, clause.data(), clause.size()); }
  void Delete(const Clause &clause) { checker_delete(checker_, clause.data(), clause.size()); }
  bool Read(const std::string &proof) {
    return checker_read(checker_, reinterpret_cast<const unsigned char *>(proof.data()),
                        proof.size());
  }

  checker *checker_;
};

// --- Lemmas -----------------------------------------------------------------------------------

TEST_F(CheckerTest, ByPropagation) {
  Give({-1, 2});
  Give({-2, 3});
  EXPECT_TRUE(Lemma({-1, 3}));
  EXPECT_FALSE(Lemma({3}));
  EXPECT_FALSE(Lemma({1, 3}));
  EXPECT_FALSE(Lemma({-3, 1}));
  EXPECT_FALSE(Lemma({}));
  EXPECT_EQ(checker_num_lemmas(checker_), 1u);
}

// It follows, but by cases, not by propagation.
TEST_F(CheckerTest, NotByCases) {
  for (const Clause &clause :
       {Clause{1, 2, 3}, Clause{1, 2, -3}, Clause{1, -2, 3}, Clause{1, -2, -3}})
    Give(clause);
  EXPECT_FALSE(Lemma({1}));
  EXPECT_TRUE(Lemma({1, 2}));
  EXPECT_TRUE(Lemma({1}));
}

// A variable that may be chosen freely makes it RAT: no model is lost, but it does not follow.
TEST_F(CheckerTest, NotIfItOnlyLosesNoModel) {
  Give({1, 2});
  Give({3, 2});
  EXPECT_FALSE(Lemma({1, -3}));
  EXPECT_FALSE(Lemma({1}));
}

TEST_F(CheckerTest, WhatIsRejectedIsNotKept) {
  Give({1, 2});
  EXPECT_FALSE(Lemma({1}));
  EXPECT_FALSE(Lemma({1}));
  EXPECT_FALSE(Lemma({1, 3}));
}

// Everything follows then; not before.
TEST_F(CheckerTest, Contradiction) {
  Give({1, 2});
  Give({1, -2});
  Give({-1, 2});
  EXPECT_FALSE(Lemma({}));
  Give({-1, -2});
  EXPECT_FALSE(Lemma({}));
  EXPECT_TRUE(Lemma({1}));
  EXPECT_TRUE(Lemma({}));
  EXPECT_TRUE(Lemma({-1}));
}

TEST_F(CheckerTest, UnitsAndWhatIsTrueAlready) {
  Give({1});
  Give({-1, -2, 3});
  Give({2});
  EXPECT_TRUE(Lemma({3}));
  EXPECT_TRUE(Lemma({4, 1}));
  EXPECT_TRUE(Lemma({4, -4}));
  EXPECT_FALSE(Lemma({4}));
  EXPECT_FALSE(Lemma({-3}));
  EXPECT_FALSE(Lemma({}));
  Give({-3, 5});
  EXPECT_TRUE(Lemma({5}));
  Give({-5});
  EXPECT_TRUE(Lemma({}));
}

// --- Deletions --------------------------------------------------------------------------------

TEST_F(CheckerTest, WhatIsDeletedIsGone) {
  Give({-1, 2, 4});
  Give({-2, 3, 4});
  Delete({4, 2, -1});  // in any order
  EXPECT_FALSE(Lemma({-1, 3, 4}));
  Give({-1, 2, 4});
  EXPECT_TRUE(Lemma({-1, 3, 4}));
}

TEST_F(CheckerTest, OneOfTwo) {
  Give({1, 2, 3});
  Give({3, 2, 1});
  Delete({1, 2, 3});
  EXPECT_TRUE(Lemma({1, 2, 3, 4}));
  Delete({1, 2, 3, 4});
  Delete({1, 2, 3});
  EXPECT_FALSE(Lemma({1, 2, 3}));
}

TEST_F(CheckerTest, NothingElseIsDeleted) {
  Give({1, 2, 3});
  Delete({1, 2});
  Delete({1, 2, 3, 4});
  Delete({1, 2, -3});
  Delete({});
  EXPECT_TRUE(Lemma({1, 2, 3}));
}

// What a deleted clause has made true follows from what was given.
TEST_F(CheckerTest, UnitsStay) {
  Give({1});
  Give({-1, 2});
  Delete({-1, 2});
  Delete({1});
  EXPECT_TRUE(Lemma({2}));
  EXPECT_FALSE(Lemma({-1, -2}));
}

// --- Binary DRAT ------------------------------------------------------------------------------

// As the format has it: twice the variable, and 1 if it is negated, in groups of 7 bits.
std::string Step(char what, const Clause &clause) {
  std::string step(1, what);
  for (int literal : clause) {
    auto number = static_cast<unsigned>(2 * std::abs(literal) + (literal < 0));
    for (; number > 127; number >>= 7) step += static_cast<char>(number | 128);
    step += static_cast<char>(number);
  }
  return step + '\0';
}

TEST_F(CheckerTest, ReadsProofs) {
  Give({-1, 200, 9000});
  Give({-200, 3, 9000});
  EXPECT_TRUE(Read(Step('a', {-1, 3, 9000}) + Step('d', {200, 9000, -1}) + Step('d', {77, 78})));
  EXPECT_FALSE(Read(Step('a', {-1, 200, 9000})));
  EXPECT_TRUE(Lemma({-1, 3, 9000}));
  EXPECT_TRUE(Read(""));
}

TEST_F(CheckerTest, StopsAtWhatDoesNotFollow) {
  Give({1, 2});
  Give({1, -2});
  EXPECT_FALSE(Read(Step('a', {2}) + Step('a', {1})));
  EXPECT_EQ(checker_num_lemmas(checker_), 0u);
  EXPECT_FALSE(Read(Step('a', {1}) + Step('a', {}) + Step('a', {1})));
  EXPECT_EQ(checker_num_lemmas(checker_), 1u);
}

TEST_F(CheckerTest, WhatIsNoProof) {
  Give({1, 2});
  const std::string good = Step('a', {1, 2});
  EXPECT_TRUE(Read(good));
  for (const std::string &bad :
       {std::string("x"), std::string("\0", 1), std::string("a"), std::string("a\x02"),
        good.substr(0, good.size() - 1), good + "d", std::string("a\x01\0", 3),
        std::string("a\x82\x80\x80\x80\x80\x80\0", 8), Step('a', {1, 2, 100000}),
        std::string("p cnf 1 1\n1 0\n"), std::string("1 2 0\n")})
    EXPECT_FALSE(Read(bad)) << bad;
}

// --- Against what is simpler --------------------------------------------------------------------

// Clauses of a few variables, with everything that was ever given.
struct Simple {
  std::vector<Clause> now, given;

  bool IsTrue(const Clause &clause, unsigned assignment) const {
    return std::any_of(clause.begin(), clause.end(), [&](int literal) {
      return ((assignment >> std::abs(literal) & 1) != 0) == (literal > 0);
    });
  }

  // In every model of what was given.
  bool Implies(const Clause &clause, unsigned variables) const {
    for (unsigned assignment = 0; assignment < 2u << variables; assignment += 2) {
      const bool is_model = std::all_of(given.begin(), given.end(),
                                        [&](const Clause &one) { return IsTrue(one, assignment); });
      if (is_model && !IsTrue(clause, assignment)) return false;
    }
    return true;
  }

  // Clause after clause, until nothing changes.
  bool Propagates(const Clause &clause) const {
    std::vector<int> known;
    for (int literal : clause) known.push_back(-literal);
    const auto is_known = [&](int literal) {
      return std::find(known.begin(), known.end(), literal) != known.end();
    };
    for (int literal : clause)
      if (is_known(literal)) return true;
    for (bool changes = true; changes;) {
      changes = false;
      for (const Clause &one : now) {
        Clause open;
        for (int literal : one)
          if (!is_known(-literal)) open.push_back(literal);
        if (open.empty()) return true;
        if (std::all_of(open.begin(), open.end(), [&](int l) { return l == open[0]; }) &&
            !is_known(open[0])) {
          known.push_back(open[0]);
          changes = true;
        }
      }
    }
    return false;
  }
};

// Whatever is accepted is implied; and what propagation comes to is accepted.
TEST(CheckerRandomTest, AcceptsWhatPropagates) {
  enum { kVariables = 8, kRuns = 1000, kSteps = 120 };
  std::mt19937 random(1);
  const auto below = [&](unsigned limit) { return static_cast<int>(random() % limit); };
  unsigned accepted = 0, rejected = 0;
  for (int run = 0; run < kRuns; run++) {
    checker *checker = checker_new();
    Simple simple;
    for (int step = 0; step < kSteps && !simple.Propagates({}); step++) {
      Clause clause;
      const int size = 1 + below(4);
      while (static_cast<int>(clause.size()) < size) {
        const int variable = 1 + below(kVariables);
        const auto is_there = [&](int literal) { return std::abs(literal) == variable; };
        if (std::any_of(clause.begin(), clause.end(), is_there)) continue;
        clause.push_back(below(2) == 0 ? variable : -variable);
      }
      const int kind = below(8);
      if (kind < 2 && !simple.now.empty()) {
        const auto one = simple.now.begin() + below(static_cast<unsigned>(simple.now.size()));
        clause = *one;
        std::shuffle(clause.begin(), clause.end(), random);
        checker_delete(checker, clause.data(), clause.size());
        simple.now.erase(one);
      } else if (kind < 4 && clause.size() > 1) {
        checker_give(checker, clause.data(), clause.size());
        simple.now.push_back(clause);
        simple.given.push_back(clause);
      } else {
        const bool follows = simple.Propagates(clause);
        const bool is_accepted = checker_lemma(checker, clause.data(), clause.size());
        ASSERT_TRUE(is_accepted || !follows) << "run " << run << ", step " << step;
        ASSERT_TRUE(!is_accepted || simple.Implies(clause, kVariables))
            << "run " << run << ", step " << step;
        if (is_accepted) simple.now.push_back(clause);
        (is_accepted ? accepted : rejected)++;
      }
    }
    checker_free(checker);
  }
  EXPECT_GT(accepted, 1000u);
  EXPECT_GT(rejected, 1000u);
}

// --- What CaDiCaL proves ------------------------------------------------------------------------

// So many pigeons do not fit into one hole fewer, each alone.
std::vector<Clause> Pigeons(int pigeons) {
  const int holes = pigeons - 1;
  const auto sits = [&](int pigeon, int hole) { return 1 + pigeon * holes + hole; };
  std::vector<Clause> clauses;
  for (int p = 0; p < pigeons; p++) {
    clauses.emplace_back();
    for (int h = 0; h < holes; h++) clauses.back().push_back(sits(p, h));
    for (int q = 0; q < p; q++)
      for (int h = 0; h < holes; h++) clauses.push_back({-sits(p, h), -sits(q, h)});
  }
  return clauses;
}

std::string ProofOf(const std::vector<Clause> &clauses, bool *can_be_true) {
  cadical *solver = cadical_new();
  for (const Clause &clause : clauses) {
    for (int literal : clause) cadical_add(solver, literal);
    cadical_add(solver, 0);
  }
  *can_be_true = cadical_can_be_true(solver, 1);
  std::size_t size;
  const unsigned char *bytes = cadical_proof(solver, &size);
  std::string proof(reinterpret_cast<const char *>(bytes), size);
  cadical_free(solver);
  return proof;
}

TEST_F(CheckerTest, ProofsOfPigeons) {
  const std::vector<Clause> clauses = Pigeons(7);
  bool can_be_true;
  const std::string proof = ProofOf(clauses, &can_be_true);
  ASSERT_FALSE(can_be_true);
  for (const Clause &clause : clauses) Give(clause);
  EXPECT_FALSE(Lemma({-1}));
  EXPECT_TRUE(Read(proof));
  EXPECT_TRUE(Lemma({-1}));
  EXPECT_GT(checker_num_lemmas(checker_), 100u);
}

// Of clauses one of which is not given.
TEST_F(CheckerTest, ProofsOfOtherClauses) {
  const std::vector<Clause> clauses = Pigeons(6);
  bool can_be_true;
  const std::string proof = ProofOf(clauses, &can_be_true);
  for (std::size_t i = 0; i < clauses.size(); i++) {
    checker *other = checker_new();
    for (std::size_t j = 0; j < clauses.size(); j++)
      if (j != i) checker_give(other, clauses[j].data(), clauses[j].size());
    const int literal = -1;
    EXPECT_FALSE(
        checker_read(other, reinterpret_cast<const unsigned char *>(proof.data()), proof.size()) &&
        checker_lemma(other, &literal, 1) && checker_lemma(other, nullptr, 0))
        << i;
    checker_free(other);
  }
}

}  // namespace
}  // namespace engine
