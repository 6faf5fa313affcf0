// solver: z3 and cvc5. What is true is proved and what is not is refuted with values that show it,
// whatever becomes of their processes; and terms mean the same to them as to term_value().
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "engine/smt/solver_test.h"

namespace engine {
namespace {

TEST_F(SolverTest, TwoWaysOfTheSame) {
  term a = Var(32, "a");
  term b = Var(32, "b");
  Ask("sum", term_eq(RippleSum(a, b), term_add(a, b)));
  Ask("below", term_eq(IsBelowByBits(a, b), term_ult(a, b)));
  Ask("count", term_eq(CountOneByOne(a), CountInParallel(a, 0x33333333)));
  ASSERT_TRUE(Solve());
  for (const auto &[name, result] : results) {
    EXPECT_EQ(result.said, ANSWER_PROVED) << name;
    EXPECT_EQ(result.trouble, "") << name;
  }
}

TEST_F(SolverTest, TwoWaysOfAlmostTheSame) {
  term a = Var(32, "a");
  term b = Var(32, "b");
  term rare = term_eq(term_xor(a, b), term_const(32, 0x12345678));
  Ask("sum", term_eq(RippleSum(a, b), term_ite(rare, a, term_add(a, b))));
  Ask("below", term_eq(IsBelowByBits(a, b), term_xor(term_ult(a, b), rare)));
  Ask("count", term_eq(CountOneByOne(a), CountInParallel(a, 0x33333332)));
  ASSERT_TRUE(Solve());
  for (const auto &[name, result] : results) {
    EXPECT_EQ(result.said, ANSWER_REFUTED) << name;
    EXPECT_TRUE(result.holds) << name;
    EXPECT_EQ(result.trouble, "") << name;
  }
}

TEST_F(SolverTest, Assumptions) {
  term a = Var(32, "a");
  term b = Var(32, "b");
  std::vector<term> small = {term_ult(a, term_const(32, 1000)), term_ult(b, term_const(32, 1000))};
  std::vector<term> none = {term_ult(a, b), term_ult(b, a)};
  term product = term_mul(a, b);
  Ask("follows", term_ult(product, term_const(32, 1000000)), small);
  Ask("does not follow", term_not(term_eq(product, term_const(32, 997 * 991))), small);
  Ask("false follows", TERM_FALSE, none);
  Ask("false does not", TERM_FALSE, {term_eq(product, term_const(32, 997 * 991))});
  ASSERT_TRUE(Solve());
  EXPECT_EQ(results.at("follows").said, ANSWER_PROVED);
  EXPECT_EQ(results.at("does not follow").said, ANSWER_REFUTED);
  EXPECT_TRUE(results.at("does not follow").holds);
  EXPECT_EQ(results.at("false follows").said, ANSWER_PROVED);
  EXPECT_EQ(results.at("false does not").said, ANSWER_REFUTED);
  EXPECT_TRUE(results.at("false does not").holds);
}

TEST_F(SolverTest, WithoutSolvers) {
  setenv("PATH", directory_.c_str(), 1);
  term a = Var(64, "a");
  term b = Var(64, "b");
  Ask("true", TERM_TRUE);
  Ask("false", TERM_FALSE);
  Ask("under false", term_ult(a, b), {term_eq(a, b), TERM_FALSE});
  Ask("mostly false", term_eq(a, b));
  Ask("seldom false", term_or(term_ult(a, b), term_ult(b, a)));
  Ask("false under", term_not(term_any(a)), {term_ult(term_const(64, 1), a)});
  ASSERT_TRUE(Solve());
  EXPECT_EQ(results.at("true").said, ANSWER_PROVED);
  EXPECT_EQ(results.at("under false").said, ANSWER_PROVED);
  for (const char *name : {"false", "mostly false", "seldom false", "false under"}) {
    EXPECT_EQ(results.at(name).said, ANSWER_REFUTED) << name;
    EXPECT_TRUE(results.at(name).holds) << name;
  }
  for (const auto &[name, result] : results) EXPECT_EQ(Seconds(result), 0) << name;
}

TEST_F(SolverTest, Needle) {
  Result result = Only(NeedleIn("a"));
  EXPECT_EQ(result.said, ANSWER_REFUTED);
  EXPECT_TRUE(result.holds);
  EXPECT_GT(Seconds(result), 0);
}

TEST_F(SolverTest, WideVariables) {
  std::vector<std::uint64_t> words(80);
  for (std::size_t i = 0; i < words.size(); i++) words[i] = i * 0x9e3779b97f4a7c15;
  term a = Var(5001, "a");
  term b = Var(5001, "b");
  term c = Var(5120, "c");
  term parts = term_or(term_and(a, b), term_and(a, term_not(b)));
  Ask("needle", term_not(term_eq(term_xor(a, b), term_const_words(5001, words.data()))));
  Ask("needle of hex", term_not(term_eq(term_not(c), term_const_words(5120, words.data()))));
  Ask("parts", term_eq(parts, a));
  ASSERT_TRUE(Solve());
  EXPECT_EQ(results.at("needle").said, ANSWER_REFUTED);
  EXPECT_TRUE(results.at("needle").holds);
  EXPECT_EQ(results.at("needle of hex").said, ANSWER_REFUTED);
  EXPECT_TRUE(results.at("needle of hex").holds);
  EXPECT_EQ(results.at("parts").said, ANSWER_PROVED);
}

TEST_F(SolverTest, NamesOfVariables) {
  std::vector<term> vars;
  term sum = term_const(64, 0);  // without carries
  for (const char *name : {"", "t1", "true", "select", "v.x", "x", "a|b", "a\\b", "a?b", "a b[3].c",
                           "\n", "\xc3\xa4", "|", ")", "\"", "end-1", "bvadd"}) {
    vars.push_back(term_var(64, name));
    sum = term_xor(sum, vars.back());
  }
  std::vector<term> assumptions;
  for (std::size_t i = 1; i < vars.size(); i++)
    assumptions.push_back(term_ult(vars[i - 1], vars[i]));
  Result result = Only(term_not(term_eq(sum, term_const(64, 0x123456789abcdef))), assumptions);
  EXPECT_EQ(result.said, ANSWER_REFUTED);
  EXPECT_TRUE(result.holds);
  EXPECT_EQ(result.trouble, "");
}

// --- Terms mean the same to all -----------------------------------------------------------------

class RandomTerms {
 public:
  explicit RandomTerms(unsigned seed) : random_(seed) {}

  // The variables are equal to what they are worth under the assignment.
  std::vector<term> Assignment() {
    std::vector<term> equal;
    for (term var : vars_) equal.push_back(term_eq(var, term_const(term_width(var), Worth(var))));
    return equal;
  }

  term OfWidth(std::uint32_t width, unsigned depth) {
    if (depth == 0) return Below(4) == 0 ? term_const(width, random_()) : Var(width);
    auto same = [&] { return OfWidth(width, depth - 1); };
    switch (Below(width == 1 ? 17 : 14)) {
      case 0:
        return term_not(same());
      case 1:
        return term_and(same(), same());
      case 2:
        return term_or(same(), same());
      case 3:
        return term_xor(same(), same());
      case 4:
        return term_add(same(), same());
      case 5:
        return term_mul(same(), same());
      case 6:
        return term_udiv(same(), same());
      case 7:
        return term_urem(same(), same());
      case 8:
        return term_shl(same(), same());
      case 9:
        return term_lshr(same(), same());
      case 10:
        return term_ashr(same(), same());
      case 11:
        return term_ite(OfWidth(1, depth - 1), same(), same());
      case 12:
        return Parts(width, depth);
      case 13:
        return Part(width, depth);
      case 14:
        return Compared(term_eq, depth);
      case 15:
        return Compared(term_ult, depth);
      default:
        return Compared(term_slt, depth);
    }
  }

  static std::uint64_t Worth(term var) {
    std::uint64_t x = (var + 1) * std::uint64_t{0x9e3779b97f4a7c15};
    x ^= x >> 29;
    return x & ~(~std::uint64_t{0} << (term_width(var) - 1) << 1);
  }

 private:
  std::uint32_t Below(std::uint32_t limit) {
    return std::uniform_int_distribution<std::uint32_t>(0, limit - 1)(random_);
  }
  term Var(std::uint32_t width) {
    term var = engine::Var(width, std::to_string(Below(3)) + ".");
    vars_.push_back(var);
    return var;
  }
  term Parts(std::uint32_t width, unsigned depth) {
    if (width == 1) return Part(width, depth);
    std::uint32_t low = 1 + Below(width - 1);
    return term_concat(OfWidth(width - low, depth - 1), OfWidth(low, depth - 1));
  }
  term Part(std::uint32_t width, unsigned depth) {
    std::uint32_t whole = width + Below(6);
    return term_extract(OfWidth(whole, depth - 1), Below(whole - width + 1), width);
  }
  term Compared(term (*by)(term, term), unsigned depth) {
    std::uint32_t width = 1 + Below(9);
    return by(OfWidth(width, depth - 1), OfWidth(width, depth - 1));
  }

  std::mt19937 random_;
  std::vector<term> vars_;
};

std::uint64_t ValueOf(term a) {
  term_values *values = term_values_new(
      [](term var, std::uint64_t *words, void *) { words[0] = RandomTerms::Worth(var); }, nullptr);
  std::uint64_t value = term_value(values, a)[0];
  term_values_free(values);
  return value;
}

TEST_F(SolverTest, TermsMeanTheSame) {
  for (unsigned seed = 0; seed < 100; seed++) {
    RandomTerms random(seed);
    std::uint32_t width = 1 + seed % 2 * (seed % 12);
    term a = random.OfWidth(width, 4);
    term is_worth = term_eq(a, term_const(width, ValueOf(a)));
    std::vector<term> assignment = random.Assignment();
    Ask("is " + std::to_string(seed), is_worth, assignment);
    Ask("is not " + std::to_string(seed), term_not(is_worth), assignment);
  }
  ASSERT_TRUE(Solve());
  for (const auto &[name, result] : results) {
    bool is = name.find("not") == std::string::npos;
    EXPECT_EQ(result.said, is ? ANSWER_PROVED : ANSWER_REFUTED) << name << ": " << result.trouble;
    EXPECT_EQ(result.trouble, "") << name;
  }
}

// Conditions under assumptions, whatever they are: a certificate, or values that refute it, and
// both solvers all say the same.
TEST_F(SolverTest, AllSayTheSame) {
  for (unsigned seed = 0; seed < 60; seed++) {
    RandomTerms random(1000 + seed);
    std::vector<term> assumptions = {random.OfWidth(1, 4), random.OfWidth(1, 3)};
    Ask(std::to_string(seed), random.OfWidth(1, 5), assumptions);
  }
  solver_options options = TwoSolvers(2, 60);
  options.no_certificates = false;
  options.doubts = [](const query *, void *) { return true; };
  ASSERT_TRUE(Solve(options));
  unsigned proved = 0;
  for (const auto &[name, result] : results) {
    EXPECT_TRUE(result.said == ANSWER_PROVED || result.said == ANSWER_REFUTED) << name;
    EXPECT_EQ(result.trouble, "") << name;
    proved += result.proof == (PROOF_CERTIFICATE | PROOF_SOLVERS);
  }
  EXPECT_GT(proved, 0u);
}

// --- Processes ----------------------------------------------------------------------------------

TEST_F(SolverTest, TimeLimit) {
  auto start = std::chrono::steady_clock::now();
  Ask("hard", Hard());
  Ask("true", True());
  ASSERT_TRUE(Solve(TwoSolvers(2, 1)));
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(results.at("hard").said, ANSWER_UNKNOWN);
  EXPECT_GE(results.at("hard").seconds[1], 1);
  EXPECT_GE(results.at("hard").seconds[2], 1);
  EXPECT_EQ(results.at("true").said, ANSWER_PROVED);
  EXPECT_LT(seconds.count(), 10);
}

class Jobs : public SolverTest, public testing::WithParamInterface<unsigned> {};

TEST_P(Jobs, AllAreAnswered) {
  for (const char *name : {"c", "d", "e"}) {
    Ask(name, True(name));
    Ask(std::string("not ") + name, NeedleIn(name));
  }
  ASSERT_TRUE(Solve(TwoSolvers(GetParam(), 60)));
  for (const auto &[name, result] : results)
    EXPECT_EQ(result.said, name.size() == 1 ? ANSWER_PROVED : ANSWER_REFUTED) << name;
}

INSTANTIATE_TEST_SUITE_P(Numbers, Jobs, testing::Values(0, 1, 3, 10000));

TEST_F(SolverTest, NoQueries) {
  EXPECT_TRUE(Solve());
}

TEST_F(SolverTest, MissingSolver) {
  setenv("PATH", directory_.c_str(), 1);
  Ask("true", True());
  testing::internal::CaptureStderr();
  EXPECT_FALSE(Solve());
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "smt: cannot run z3: No such file or directory\n");
  EXPECT_TRUE(results.empty());
}

TEST_F(SolverTest, SecondSolverIsMissing) {
  Fake("z3", "echo unsat", ":");
  setenv("PATH", directory_.c_str(), 1);
  Ask("true", True());
  testing::internal::CaptureStderr();
  EXPECT_FALSE(Solve());
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "smt: cannot run cvc5: No such file or directory\n");
}

// A model that holds is a counterexample whatever the other solver says.
TEST_F(SolverTest, WrongUnsat) {
  for (const char *wrong : {"z3", "cvc5"}) {
    SCOPED_TRACE(wrong);
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directory(directory_);
    Fake(wrong, "echo unsat", ":");
    results.clear();
    query query = {"needle", NeedleIn("a"), nullptr, 0, nullptr};
    solver_options options = TwoSolvers(1, 60);
    ASSERT_TRUE(solve(&query, 1, &options, Done));
    const Result &result = results.at("needle");
    EXPECT_EQ(result.said, ANSWER_REFUTED);
    EXPECT_TRUE(result.holds);
    if (std::string(wrong) == "z3") {
      EXPECT_EQ(result.trouble, "z3: unsat");
    }
  }
}

TEST_F(SolverTest, WrongModel) {
  Fake("cvc5", "echo sat", "echo '((v.a16 #x0000) (v.b16 (_ bv1 16)))'");
  Result result = Only(True());
  EXPECT_EQ(result.said, ANSWER_DISAGREE);
  EXPECT_EQ(result.trouble, "cvc5: sat, with a model that does not hold");
}

TEST_F(SolverTest, NoModel) {
  for (const char *model :
       {"echo '((v.a16 #x0000)'", "echo '((v.a16 #x00000) (v.b16 #x10000))'",
        "echo '((v.b16 #x0000) (v.a16 #x0000))'", "echo '((v.a16 1) (v.b16 #b1))'",
        "echo '(error \"no model\")'", ":", "exit"}) {
    SCOPED_TRACE(model);
    results.clear();
    Fake("cvc5", "echo sat", model);
    query query = {"true", True(), nullptr, 0, nullptr};
    solver_options options = TwoSolvers(2, 60);
    ASSERT_TRUE(solve(&query, 1, &options, Done));
    EXPECT_EQ(results.at("true").said, ANSWER_DISAGREE);
    EXPECT_EQ(results.at("true").trouble.substr(0, 6), "cvc5: ");
  }
}

TEST_F(SolverTest, NoAnswer) {
  for (const char *said : {"echo unknown", "echo '(error \"line 1\")'", "echo unsat; echo sat", ":",
                           "exit 1", "kill -9 $$", "echo unsat; exit"}) {
    SCOPED_TRACE(said);
    results.clear();
    Fake("z3", said, ":");
    query query = {"true", True(), nullptr, 0, nullptr};
    solver_options options = TwoSolvers(2, 60);
    ASSERT_TRUE(solve(&query, 1, &options, Done));
    EXPECT_EQ(results.at("true").said, ANSWER_UNKNOWN);
    EXPECT_EQ(results.at("true").trouble.substr(0, 4), "z3: ");
  }
}

// Nor does it read what it is asked.
TEST_F(SolverTest, NothingIsSaid) {
  Script("z3", "sleep 1000\n");
  Result result = Only(True(), {}, 0.5);
  EXPECT_EQ(result.said, ANSWER_UNKNOWN);
  EXPECT_EQ(result.trouble, "");
}

// One that ends between two queries is not missed.
TEST_F(SolverTest, NewProcesses) {
  Script("z3",
         "while read -r line; do\n"
         "case $line in\n"
         "'(check-sat)') echo unsat;;\n"
         "'(echo '*) echo end-1; exit;;\n"
         "esac\n"
         "done\n");
  for (int i = 0; i < 5; i++) Ask(std::to_string(i), True("a" + std::to_string(i)));
  ASSERT_TRUE(Solve());
  for (const auto &[name, result] : results) {
    EXPECT_EQ(result.said, ANSWER_PROVED) << name;
    EXPECT_EQ(result.trouble, "") << name;
  }
}

// What was asked before does not matter: neither its assertions nor its variables of another width.
TEST_F(SolverTest, QueriesShareNothing) {
  for (int i = 0; i < 20; i++) {
    std::string name = std::to_string(i);
    Ask(name, i % 2 == 0 ? True() : NeedleIn("a"));
  }
  ASSERT_TRUE(Solve());
  for (const auto &[name, result] : results) {
    bool is_true = std::stoi(name) % 2 == 0;
    EXPECT_EQ(result.said, is_true ? ANSWER_PROVED : ANSWER_REFUTED) << name;
  }
}

bool WaitUntil(const std::function<bool()> &condition) {
  for (int i = 0; i < 500; i++) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

// The processes that the scripts have written down.
std::vector<pid_t> PidsIn(const std::string &directory) {
  std::vector<pid_t> pids;
  for (const char *solver : {"z3", "cvc5"}) {
    std::ifstream in(directory + "/" + solver + ".pid");
    pid_t pid;
    if (in >> pid) pids.push_back(pid);
  }
  return pids;
}

// Gone, or not yet reaped by the process that takes in orphans.
bool IsDead(pid_t pid) {
  std::ifstream in("/proc/" + std::to_string(pid) + "/stat");
  std::string number, name, state;
  return !(in >> number >> name >> state) || state == "Z";
}

TEST_F(SolverTest, Interrupted) {
  for (int number : {SIGHUP, SIGINT, SIGTERM}) {
    SCOPED_TRACE(number);
    for (const char *solver : {"z3", "cvc5"})
      Script(solver, "echo $$ >$0.pid.new; mv $0.pid.new $0.pid; sleep 1000; :\n");
    term condition = True();
    pid_t child = fork();
    if (child == 0) {
      query query = {"true", condition, nullptr, 0, nullptr};
      solver_options options = TwoSolvers(2, 0);
      signal(number, SIG_DFL);
      solve(&query, 1, &options, Done);
      _exit(0);
    }
    EXPECT_TRUE(WaitUntil([&] { return PidsIn(directory_).size() == 2; }));
    kill(child, number);
    int status;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == number);
    for (pid_t pid : PidsIn(directory_)) EXPECT_TRUE(WaitUntil([&] { return IsDead(pid); })) << pid;
    std::filesystem::remove_all(directory_);
    std::filesystem::create_directory(directory_);
  }
}

// --- Together -----------------------------------------------------------------------------------

class TogetherTest : public SolverTest {
 protected:
  // Which are proved: one character each.
  std::string Together(const std::vector<term> &conditions, std::vector<term> assumptions = {},
                       double each = 20) {
    query_set set = {assumptions.data(), assumptions.size(), conditions.data(), conditions.size()};
    std::string proved;
    said_together said[16];
    double seconds = -1;
    const solver_options options = TwoSolvers(1, each);
    EXPECT_TRUE(solve_together(&set, &options, said, &seconds));
    EXPECT_GE(seconds, 0);
    for (std::size_t i = 0; i < conditions.size(); i++)
      proved += said[i].proof == PROOF_SOLVERS ? 'p' : '-';
    return proved;
  }
};

TEST_F(TogetherTest, EachByItself) {
  EXPECT_EQ(Together({True("c"), NeedleIn("c"), True("d"), True("d"), TERM_FALSE, TERM_TRUE}),
            "p-pp-p");
}

TEST_F(TogetherTest, Assumptions) {
  term a = Var(32, "a");
  term b = Var(32, "b");
  std::vector<term> small = {term_ult(a, term_const(32, 1000)), term_ult(b, term_const(32, 1000))};
  std::vector<term> products = {
      term_ult(term_mul(a, b), term_const(32, 1000000)),
      term_not(term_eq(term_mul(a, b), term_const(32, 997 * 991))),
      term_ult(term_add(a, b), term_const(32, 1999)),
      term_ult(term_add(a, b), term_const(32, 1998)),
  };
  EXPECT_EQ(Together(products, small), "p-p-");
}

// A product that takes a solver more than a second to take apart into bits, before it looks for
// anything.
term Large() {
  term a = Var(512, "a");
  term b = term_or(Var(512, "b"), term_const(512, 1));
  return term_eq(term_add(term_mul(term_udiv(a, b), b), term_urem(a, b)), a);
}

// What takes too long does not keep the others from being asked, nor is it forgotten there what is
// assumed.
TEST_F(TogetherTest, TimeLimit) {
  auto start = std::chrono::steady_clock::now();
  term c = Var(64, "c");
  std::vector<term> assumed = {term_ult(c, term_const(64, 256))};
  term follows = term_ult(c, term_const(64, 257));
  term follows_too = term_ult(c, term_const(64, 300));
  EXPECT_EQ(Together({follows, Hard(), follows_too, Large(), True("d"), follows}, assumed, 1),
            "p-p-pp");
  std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  EXPECT_LT(seconds.count(), 10);
}

// Both must say so, of the question that they are asked.
TEST_F(TogetherTest, BothMustSay) {
  for (const char *solver : {"z3", "cvc5"}) {
    for (const auto &[said, proved] : std::map<std::string, std::string>{
             {"echo unsat", "ppp"},
             {"echo sat", "---"},
             {"echo unknown", "---"},
             {":", "---"},
             {"echo unsat; echo unsat", "---"},
             {"echo; echo unsat; echo unsat", "---"},
             {"echo '(error \"no\")'; echo unsat", "---"},
             {"echo unsatisfiable", "---"},
             {"exit", "---"},
             {"case $last in *c16*) ;; *) echo unsat;; esac", "-pp"},
             {"case $last in *d16*) echo timeout;; *) echo unsat;; esac", "p-p"},
         }) {
      Script(solver,
             "while read -r line; do\n"
             "case $line in\n"
             "'(check-sat)') " +
                 said +
                 ";;\n"
                 "'(not '*) last=$line;;\n"
                 "'(echo '*) mark=${line#'(echo \"'}; echo \"${mark%'\")'}\";;\n"
                 "esac\n"
                 "done\n");
      EXPECT_EQ(Together({NoSquare("c"), NoSquare("d"), NoSquare("e")}), proved)
          << solver << ": " << said;
      std::filesystem::remove(directory_ + "/" + solver);
    }
  }
}

TEST_F(TogetherTest, NothingIsSaid) {
  for (const char *commands : {"sleep 1000\n", "exit 1\n", "kill -9 $$\n", "yes unsat\n"}) {
    Script("cvc5", commands);
    EXPECT_EQ(Together({True("c"), True("d")}, {}, 0.1), "--") << commands;
  }
}

TEST_F(TogetherTest, MissingSolver) {
  setenv("PATH", directory_.c_str(), 1);
  term condition = True();
  query_set set = {nullptr, 0, &condition, 1};
  said_together said;
  double seconds;
  const solver_options options = TwoSolvers(1, 20);
  testing::internal::CaptureStderr();
  EXPECT_FALSE(solve_together(&set, &options, &said, &seconds));
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "smt: cannot run z3: No such file or directory\n");
}

// --- Texts --------------------------------------------------------------------------------------

std::string OutputOf(const std::string &command) {
  FILE *in = popen(command.c_str(), "r");
  std::string output;
  for (int c; (c = std::fgetc(in)) != EOF;) output += static_cast<char>(c);
  pclose(in);
  return output;
}

// The folder is `with`.
bool KeepInFolder(const char *name, const char *text, std::size_t size, void *with) {
  std::ofstream(*static_cast<std::string *>(with) + "/" + name)
      .write(text, static_cast<std::streamsize>(size));
  return true;
}

TEST_F(SolverTest, QueriesAreKept) {
  Ask("proved", True());
  Ask("needle", NeedleIn("a"));
  Ask("false", TERM_FALSE);
  ASSERT_TRUE(Solve({2, 60, KeepInFolder, &directory_, nullptr, nullptr, true}));
  std::string proved = directory_ + "/proved";
  std::ifstream in(proved);
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "; proved");
  for (const char *solver : {"z3 ", "cvc5 --lang=smt2.6 --bitblast=eager "}) {
    EXPECT_EQ(OutputOf(solver + proved), "unsat\n");
    EXPECT_EQ(OutputOf(solver + directory_ + "/needle"), "sat\n");
    EXPECT_EQ(OutputOf(solver + directory_ + "/false"), "sat\n");
  }
}

TEST_F(SolverTest, NothingIsAskedWithoutKeeping) {
  const auto refuse = [](const char *, const char *, std::size_t, void *) { return false; };
  Ask("true", True());
  EXPECT_FALSE(Solve({2, 60, refuse, nullptr, nullptr, nullptr, true}));
  EXPECT_TRUE(results.empty());
}

}  // namespace
}  // namespace engine
