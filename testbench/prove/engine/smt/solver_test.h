// What tests of solvers share: queries that are asked and their results, stand-ins for solvers, and
// terms that are the same in two ways.
#ifndef ENGINE_SMT_SOLVER_TEST_H
#define ENGINE_SMT_SOLVER_TEST_H

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/smt/solver.h"

namespace engine {

// --- Asking -----------------------------------------------------------------------------------

struct Result {
  answer said;
  unsigned proof;
  double seconds[3];
  bool holds;  // the values of a refuted one make its assumptions true and it false
  std::string trouble;
  bool is_wrong;
};

// z3 and cvc5 alone.
inline solver_options TwoSolvers(unsigned jobs, double seconds) {
  return {jobs, seconds, nullptr, nullptr, nullptr, nullptr, true};
}

inline double Seconds(const Result &result) {
  return result.seconds[0] + result.seconds[1] + result.seconds[2];
}

inline std::map<std::string, Result> results;

inline bool Refutes(const query &query, const result &result) {
  term_values *values = term_values_new(result.value, result.model);
  bool refutes = term_value(values, query.condition)[0] == 0;
  for (std::size_t i = 0; i < query.num_assumptions; i++)
    if (term_value(values, query.assumptions[i])[0] != 1) refutes = false;
  term_values_free(values);
  return refutes;
}

inline void Done(const query *query, const result *result) {
  bool holds = result->answer == ANSWER_REFUTED && Refutes(*query, *result);
  bool is_new =
      results
          .emplace(query->name, Result{result->answer,
                                       result->proof,
                                       {result->seconds[0], result->seconds[1], result->seconds[2]},
                                       holds,
                                       result->trouble ? result->trouble : "",
                                       result->is_wrong})
          .second;
  EXPECT_TRUE(is_new) << query->name << " is answered again";
}

class SolverTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "solver_test.XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    directory_ = pattern;
    path_ = std::getenv("PATH");
    results.clear();
  }
  void TearDown() override {
    setenv("PATH", path_.c_str(), 1);
    std::filesystem::remove_all(directory_);
    EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a process is left";
    EXPECT_EQ(errno, ECHILD);
  }

  void Ask(const std::string &name, term condition, std::vector<term> assumptions = {}) {
    asked_.push_back({name, condition, std::move(assumptions)});
  }

  // Whether solvers could be run. Each query is answered, once.
  bool Solve(solver_options options = TwoSolvers(2, 60)) {
    std::vector<query> queries;
    for (const Asked &asked : asked_)
      queries.push_back({asked.name.c_str(), asked.condition, asked.assumptions.data(),
                         asked.assumptions.size(), nullptr});
    bool good = solve(queries.data(), queries.size(), &options, Done);
    if (good) {
      EXPECT_EQ(results.size(), asked_.size());
    }
    return good;
  }

  Result Only(term condition, std::vector<term> assumptions = {}, double seconds = 60) {
    Ask("only", condition, std::move(assumptions));
    EXPECT_TRUE(Solve(TwoSolvers(2, seconds)));
    return results.at("only");
  }

  // Puts a shell script in place of a solver. Its commands are for what each line, or the mark that
  // ends an answer, asks.
  void Fake(const std::string &solver, const std::string &check_sat, const std::string &get_value) {
    Script(solver,
           "while read -r line; do\n"
           "case $line in\n"
           "'(check-sat)') " +
               check_sat +
               ";;\n"
               "'(get-value '*) " +
               get_value +
               ";;\n"
               "'(echo '*) mark=${line#'(echo \"'}; echo \"${mark%'\")'}\";;\n"
               "esac\n"
               "done\n");
  }
  void Script(const std::string &solver, const std::string &commands) {
    std::string file = directory_ + "/" + solver;
    std::ofstream(file) << "#!/bin/sh\n" << commands;
    chmod(file.c_str(), 0755);
    setenv("PATH", (directory_ + ":" + path_).c_str(), 1);
  }

  std::string directory_;
  std::string path_;

 private:
  struct Asked {
    std::string name;
    term condition;
    std::vector<term> assumptions;
  };
  std::vector<Asked> asked_;
};

// --- What the same is worth in two ways ---------------------------------------------------------

// A name is of one variable, of one width.
inline term Var(std::uint32_t width, const std::string &name) {
  return term_var(width, (name + std::to_string(width)).c_str());
}

inline term Bit(term a, std::uint32_t n) {
  return term_extract(a, n, 1);
}

inline term RippleSum(term a, term b) {
  term sum = TERM_NONE;
  term carry = TERM_FALSE;
  for (std::uint32_t i = 0; i < term_width(a); i++) {
    term odd = term_xor(Bit(a, i), Bit(b, i));
    term bit = term_xor(odd, carry);
    sum = i == 0 ? bit : term_concat(bit, sum);
    carry = term_or(term_and(Bit(a, i), Bit(b, i)), term_and(carry, odd));
  }
  return sum;
}

inline term IsBelowByBits(term a, term b) {
  term below = TERM_FALSE;
  for (std::uint32_t i = 0; i < term_width(a); i++)
    below = term_ite(term_eq(Bit(a, i), Bit(b, i)), below, Bit(b, i));
  return below;
}

inline term CountOneByOne(term a) {
  term count = term_const(32, 0);
  for (std::uint32_t i = 0; i < 32; i++) count = term_add(count, term_zext(Bit(a, i), 32));
  return count;
}

inline term Masked(term a, std::uint64_t shift, std::uint64_t mask) {
  return term_and(term_lshr(a, term_const(32, shift)), term_const(32, mask));
}

// Of 32 bits, in pairs, nibbles and bytes.
inline term CountInParallel(term a, std::uint64_t nibbles) {
  a = term_sub(a, Masked(a, 1, 0x55555555));
  a = term_add(Masked(a, 0, 0x33333333), Masked(a, 2, nibbles));
  a = Masked(term_add(a, term_lshr(a, term_const(32, 4))), 0, 0x0f0f0f0f);
  return term_lshr(term_mul(a, term_const(32, 0x01010101)), term_const(32, 24));
}

// A condition that is false for one value of the variable alone.
inline term NeedleIn(const std::string &name) {
  term a = Var(64, name);
  return term_not(term_eq(a, term_const(64, 0x123456789abcdef0)));
}

// A condition that is true, which takes a solver to see.
inline term True(const std::string &name = "a") {
  term a = Var(16, name);
  term b = Var(16, "b");
  return term_eq(RippleSum(a, b), term_add(a, b));
}

// No number of 16 bits has the square 3. Small: the variable is named where it is asserted.
inline term NoSquare(const std::string &name) {
  return term_not(term_eq(term_mul(Var(16, name), Var(16, name)), term_const(16, 3)));
}

// A condition that is true, which takes a solver years to see.
inline term Hard() {
  term a = term_zext(Var(64, "a"), 128);
  term b = term_zext(Var(64, "b"), 128);
  term c = term_zext(Var(64, "c"), 128);
  return term_eq(term_mul(a, term_add(b, c)), term_add(term_mul(a, b), term_mul(c, a)));
}

}  // namespace engine

#endif
