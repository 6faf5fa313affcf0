// solver: what has a certificate is proved by it alone, unless it is doubted; z3 and cvc5 are asked
// of the rest, and of what is refuted.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include "engine/smt/solver_test.h"

namespace engine {
namespace {

constexpr unsigned kCertificate = PROOF_CERTIFICATE, kSolvers = PROOF_SOLVERS,
                   kBoth = PROOF_CERTIFICATE | PROOF_SOLVERS;

bool Always(const query *, void *) {
  return true;
}
// Those under the assumption, which is with.
bool IfAssumed(const query *query, void *with) {
  return query->num_assumptions == 1 && query->assumptions[0] == *static_cast<term *>(with);
}

solver_options Certificates(double seconds = 60, solver_doubts *doubts = nullptr,
                            void *with = nullptr) {
  return {2, seconds, nullptr, nullptr, doubts, with, false};
}

class CertificateTest : public SolverTest {
 protected:
  void WithoutOthers() { setenv("PATH", directory_.c_str(), 1); }
};

TEST_F(CertificateTest, IsEnough) {
  WithoutOthers();
  for (const char *name : {"a", "c", "d"}) Ask(name, True(name));
  const term small = term_ult(Var(16, "c"), term_const(16, 200));
  Ask("assuming", term_ult(term_mul(Var(16, "c"), Var(16, "c")), term_const(16, 40000)), {small});
  ASSERT_TRUE(Solve(Certificates()));
  for (const auto &[name, result] : results) {
    EXPECT_EQ(result.said, ANSWER_PROVED) << name;
    EXPECT_EQ(result.proof, kCertificate) << name;
    EXPECT_EQ(result.trouble, "") << name;
    EXPECT_GT(result.seconds[0], 0) << name;
    EXPECT_EQ(result.seconds[1] + result.seconds[2], 0) << name;
  }
}

// As many assumptions, but others.
TEST_F(CertificateTest, OfItsOwnAssumptions) {
  const term a = Var(64, "a"), needle = term_const(64, 0x123456789abcdef0);
  Ask("1", NeedleIn("a"), {term_ult(a, needle)});
  Ask("2", NeedleIn("a"), {term_not(term_ult(a, needle))});
  Ask("3", NeedleIn("a"), {term_ult(needle, a)});
  solver_options options = Certificates();
  options.jobs = 1;
  ASSERT_TRUE(Solve(options));
  EXPECT_EQ(results.at("1").said, ANSWER_PROVED);
  EXPECT_EQ(results.at("2").said, ANSWER_REFUTED);
  EXPECT_EQ(results.at("3").said, ANSWER_PROVED);
}

TEST_F(CertificateTest, Doubted) {
  term small = term_ult(Var(16, "c"), term_const(16, 200));
  Ask("doubted", True("c"), {small});
  Ask("not", True("d"));
  ASSERT_TRUE(Solve(Certificates(60, IfAssumed, &small)));
  for (const auto &[name, result] : results) {
    EXPECT_EQ(result.said, ANSWER_PROVED) << name;
    EXPECT_EQ(result.proof, name == "doubted" ? kBoth : kCertificate) << name;
  }
}

// Whoever differs ends the proof.
TEST_F(CertificateTest, DoubtedByOneThatDiffers) {
  for (const char *solver : {"z3", "cvc5"}) {
    SCOPED_TRACE(solver);
    results.clear();
    Fake(solver, "echo sat", "echo '((v.a16 #x0000) (v.b16 (_ bv1 16)))'");
    const query query = {"true", True(), nullptr, 0, nullptr};
    const solver_options options = Certificates(60, Always);
    ASSERT_TRUE(solve(&query, 1, &options, Done));
    EXPECT_EQ(results.at("true").said, ANSWER_DISAGREE);
    EXPECT_EQ(results.at("true").trouble,
              std::string(solver) + ": sat, with a model that does not hold");
    std::filesystem::remove(directory_ + "/" + solver);
  }
}

// One that has no answer does not differ.
TEST_F(CertificateTest, DoubtedByOneThatSaysNothing) {
  Script("z3", "sleep 1000\n");
  Ask("true", True());
  ASSERT_TRUE(Solve(Certificates(1, Always)));
  EXPECT_EQ(results.at("true").said, ANSWER_PROVED);
  EXPECT_EQ(results.at("true").proof, kCertificate);
}

TEST_F(CertificateTest, Refuted) {
  Ask("needle", NeedleIn("a"));
  Ask("assuming", term_not(term_eq(Var(64, "a"), term_const(64, 0x123456789abcdef1))),
      {term_any(Var(64, "a"))});
  ASSERT_TRUE(Solve(Certificates()));
  for (const auto &[name, result] : results) {
    EXPECT_EQ(result.said, ANSWER_REFUTED) << name;
    EXPECT_TRUE(result.holds) << name;
    EXPECT_EQ(result.trouble, "") << name;
    EXPECT_GT(result.seconds[1] + result.seconds[2], 0) << name;
  }
}

TEST_F(CertificateTest, RefutedThoughOneDiffers) {
  Fake("z3", "echo unsat", ":");
  Fake("cvc5", "echo unknown", ":");
  Ask("needle", NeedleIn("a"));
  ASSERT_TRUE(Solve(Certificates()));
  EXPECT_EQ(results.at("needle").said, ANSWER_REFUTED);
  EXPECT_TRUE(results.at("needle").holds);
  EXPECT_NE(results.at("needle").trouble.find("z3: unsat"), std::string::npos);
  EXPECT_TRUE(results.at("needle").is_wrong);
}

// It stands without the others' opinion.
TEST_F(CertificateTest, RefutedThoughOthersSayNothing) {
  Script("z3", "sleep 1000\n");
  Script("cvc5", "sleep 1000\n");
  Ask("needle", NeedleIn("a"));
  ASSERT_TRUE(Solve(Certificates(1)));
  EXPECT_EQ(results.at("needle").said, ANSWER_REFUTED);
  EXPECT_TRUE(results.at("needle").holds);
}

TEST_F(CertificateTest, LateGoesToTheOthers) {
  Ask("hard", Hard());
  Ask("true", True());
  ASSERT_TRUE(Solve(Certificates(1)));
  const Result &hard = results.at("hard");
  EXPECT_EQ(hard.said, ANSWER_UNKNOWN);
  for (double seconds : hard.seconds) EXPECT_GE(seconds, 1);
  EXPECT_EQ(results.at("true").proof, kCertificate);
}

TEST_F(CertificateTest, WhatTheOthersProveAlone) {
  Fake("z3", "echo unsat", ":");
  Fake("cvc5", "echo unsat", ":");
  Ask("hard", Hard());
  ASSERT_TRUE(Solve(Certificates(0.5)));
  EXPECT_EQ(results.at("hard").said, ANSWER_PROVED);
  EXPECT_EQ(results.at("hard").proof, kSolvers);
}

TEST_F(CertificateTest, Jobs) {
  WithoutOthers();
  for (unsigned jobs : {0u, 1u, 3u, 10000u}) {
    std::vector<query> queries;
    const term conditions[] = {True("c"), True("d"), True("e"), NoSquare("f")};
    const char *const names[] = {"c", "d", "e", "f"};
    for (std::size_t i = 0; i < 4; i++)
      queries.push_back({names[i], conditions[i], nullptr, 0, nullptr});
    solver_options options = Certificates();
    options.jobs = jobs;
    results.clear();
    ASSERT_TRUE(solve(queries.data(), queries.size(), &options, Done));
    for (const auto &[name, result] : results) EXPECT_EQ(result.proof, kCertificate) << name;
    EXPECT_EQ(results.size(), 4u);
  }
}

// --- Together -----------------------------------------------------------------------------------

class CertificatesTogetherTest : public CertificateTest {
 protected:
  // How each is proved.
  std::vector<unsigned> Together(const std::vector<term> &conditions,
                                 const solver_options &options) {
    const query_set set = {nullptr, 0, conditions.data(), conditions.size()};
    std::vector<said_together> said(conditions.size(), {99, nullptr, false});
    std::vector<unsigned> proofs;
    double seconds = -1;
    EXPECT_TRUE(solve_together(&set, &options, said.data(), &seconds));
    EXPECT_GE(seconds, 0);
    for (const said_together &one : said) proofs.push_back(one.proof);
    return proofs;
  }
};

TEST_F(CertificatesTogetherTest, EachByItself) {
  WithoutOthers();
  EXPECT_EQ(Together({True("c"), NeedleIn("c"), True("d"), True("d"), TERM_FALSE, TERM_TRUE},
                     Certificates()),
            (std::vector<unsigned>{kCertificate, 0, kCertificate, kCertificate, 0, kCertificate}));
}

TEST_F(CertificatesTogetherTest, Doubted) {
  EXPECT_EQ(Together({True("c"), NeedleIn("c"), True("d")}, Certificates(60, Always)),
            (std::vector<unsigned>{kBoth, 0, kBoth}));
  Fake("cvc5", "echo sat", ":");
  EXPECT_EQ(Together({True("c"), True("d")}, Certificates(60, Always)),
            (std::vector<unsigned>{0, 0}));
}

TEST_F(CertificatesTogetherTest, LateGoesToTheOthers) {
  Fake("z3", "echo unsat", ":");
  Fake("cvc5", "echo unsat", ":");
  EXPECT_EQ(Together({True("c"), Hard(), True("d")}, Certificates(0.3)),
            (std::vector<unsigned>{kCertificate, kSolvers, kCertificate}));
}

TEST_F(CertificatesTogetherTest, UntilRefuted) {
  WithoutOthers();
  const auto first = [](const std::vector<term> &conditions) {
    const query_set set = {nullptr, 0, conditions.data(), conditions.size()};
    const solver_options options = Certificates(0.3);
    std::vector<said_together> said(conditions.size(), {99, nullptr, false});
    double seconds;
    EXPECT_TRUE(solve_until_refuted(&set, &options, said.data(), &seconds));
    std::size_t refuted = 0;
    while (refuted < said.size() && said[refuted].against == nullptr) refuted++;
    for (std::size_t i = refuted + 1; i < said.size(); i++) EXPECT_EQ(said[i].against, nullptr);
    return refuted;
  };
  EXPECT_EQ(first({True("c"), NeedleIn("c"), NeedleIn("d")}), 1u);
  EXPECT_EQ(first({Hard(), True("c"), NeedleIn("c")}), 2u);
  EXPECT_EQ(first({TERM_FALSE}), 0u);
  EXPECT_EQ(first({True("c"), True("d"), TERM_TRUE}), 3u);
}

}  // namespace
}  // namespace engine
