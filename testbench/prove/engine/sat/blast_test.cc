// Terms as gates: with the inputs fixed, propagation alone comes to the value that the term has.
#include "engine/sat/blast.h"

#include <gtest/gtest.h>

#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "engine/sat/checker.h"
#include "engine/sat/cnf.h"

namespace engine {
namespace {

using Words = std::vector<std::uint64_t>;

std::size_t NumWords(std::uint32_t width) {
  return (width + 63) / 64;
}

// A term as gates, whose inputs are fixed one by one.
class Gates {
 public:
  Gates() : cnf_(cnf_new()), blaster_(blaster_new(cnf_)), checker_(checker_new()) {}
  ~Gates() {
    checker_free(checker_);
    blaster_free(blaster_);
    cnf_free(cnf_);
  }
  Gates(const Gates &) = delete;
  Gates &operator=(const Gates &) = delete;

  void Fix(term var, const Words &value) {
    const int *bits = blast(blaster_, var);
    for (std::uint32_t i = 0; i < term_width(var); i++) {
      int literal = value[i / 64] >> i % 64 & 1 ? bits[i] : -bits[i];
      cnf_add(cnf_, &literal, 1);
    }
  }

  // Each bit is this by propagation, and not the other way.
  void ExpectValue(term a, const std::uint64_t *value) {
    const int *bits = blast(blaster_, a);
    GiveNew();
    for (std::uint32_t i = 0; i < term_width(a); i++) {
      int literal = value[i / 64] >> i % 64 & 1 ? bits[i] : -bits[i];
      int opposite = -literal;
      ASSERT_TRUE(checker_lemma(checker_, &literal, 1)) << "bit " << i << " is not known";
      ASSERT_FALSE(checker_lemma(checker_, &opposite, 1)) << "bit " << i << " is both";
    }
  }

 private:
  void GiveNew() {
    std::size_t size;
    const int *clauses = cnf_clauses(cnf_, &size);
    for (std::size_t first = given_; first < size; given_ = ++first) {
      std::size_t end = first;
      while (clauses[end] != 0) end++;
      checker_give(checker_, clauses + first, end - first);
      first = end;
    }
  }

  cnf *cnf_;
  blaster *blaster_;
  checker *checker_;
  std::size_t given_ = 0;
};

// --- Values -----------------------------------------------------------------------------------

std::mt19937_64 numbers(1);

std::uint32_t Below(std::uint32_t limit) {
  return static_cast<std::uint32_t>(numbers() % limit);
}

// Random, small, or near an end, as carries and shifts like it.
Words Value(std::uint32_t width) {
  Words words(NumWords(width));
  const std::uint32_t kind = Below(5);
  for (std::uint64_t &word : words)
    word = kind == 0 ? 0 : kind == 1 ? UINT64_MAX : kind == 2 ? numbers() & numbers() : numbers();
  if (kind == 4) {
    for (std::uint64_t &word : words) word = 0;
    words[0] = numbers() % (2 * std::uint64_t{width} + 2);
  }
  if (kind < 2 && Below(2) == 0) words[Below(static_cast<std::uint32_t>(words.size()))] ^= 1;
  if (width % 64 != 0) words.back() &= (std::uint64_t{1} << width % 64) - 1;
  return words;
}

struct Assigned {
  term var;
  Words value;
};

void Assign(term var, std::uint64_t *words, void *with) {
  for (const Assigned &one : *static_cast<std::vector<Assigned> *>(with)) {
    if (one.var != var) continue;
    for (std::size_t i = 0; i < one.value.size(); i++) words[i] = one.value[i];
  }
}

// By gates it is what it is by evaluation.
void ExpectSame(term a, std::vector<Assigned> assigned, const std::string &what) {
  SCOPED_TRACE(what);
  term_values *values = term_values_new(Assign, &assigned);
  Gates gates;
  for (const Assigned &one : assigned) gates.Fix(one.var, one.value);
  gates.ExpectValue(a, term_value(values, a));
  term_values_free(values);
}

// --- Each operation, of each width ------------------------------------------------------------

struct Operation {
  const char *name;
  term (*make)(term a, term b, term c);
  std::uint32_t widest;  // that is tried
};

term Sliced(term a, term b, term) {
  const std::uint32_t width = term_width(a);
  return term_concat(term_extract(term_xor(a, b), width / 3, width - width / 3),
                     term_extract(term_add(a, b), width / 4, width - width / 4));
}

const Operation kOperations[] = {
    {"not", [](term a, term, term) { return term_not(a); }, 1000},
    {"and", [](term a, term b, term) { return term_and(a, b); }, 1000},
    {"or", [](term a, term b, term) { return term_or(a, b); }, 1000},
    {"xor", [](term a, term b, term) { return term_xor(a, b); }, 1000},
    {"add", [](term a, term b, term) { return term_add(a, b); }, 1000},
    {"sub", [](term a, term b, term) { return term_sub(a, b); }, 1000},
    {"mul", [](term a, term b, term) { return term_mul(a, b); }, 70},
    {"udiv", [](term a, term b, term) { return term_udiv(a, b); }, 66},
    {"urem", [](term a, term b, term) { return term_urem(a, b); }, 66},
    {"shl", [](term a, term b, term) { return term_shl(a, b); }, 300},
    {"lshr", [](term a, term b, term) { return term_lshr(a, b); }, 300},
    {"ashr", [](term a, term b, term) { return term_ashr(a, b); }, 300},
    {"eq", [](term a, term b, term) { return term_eq(a, b); }, 1000},
    {"ult", [](term a, term b, term) { return term_ult(a, b); }, 1000},
    {"slt", [](term a, term b, term) { return term_slt(a, b); }, 1000},
    {"ite", [](term a, term b, term c) { return term_ite(term_extract(c, 0, 1), a, b); }, 1000},
    {"concat, extract", Sliced, 1000},
};

class OperationTest : public testing::TestWithParam<Operation> {};

// Where both are equal the interesting cases of comparisons are; where they are constant, those of
// gates that are none.
void TryOf(const Operation &operation, std::uint32_t width) {
  const std::string of = "of " + std::to_string(width);
  const term a = term_var(width, ("a" + of).c_str()), b = term_var(width, ("b" + of).c_str()),
             c = term_var(width, ("c" + of).c_str());
  const Words x = Value(width), y = Below(4) == 0 ? x : Value(width), z = Value(width);
  const term constant = term_const_words(width, y.data());
  const std::vector<Assigned> assigned = {{a, x}, {b, y}, {c, z}};
  ExpectSame(operation.make(a, b, c), assigned, of);
  ExpectSame(operation.make(a, constant, c), assigned, of + ", a constant behind");
  ExpectSame(operation.make(constant, a, c), assigned, of + ", a constant in front");
  ExpectSame(operation.make(a, a, c), assigned, of + ", twice the same");
}

TEST_P(OperationTest, IsWhatItIsByEvaluation) {
  const Operation &operation = GetParam();
  for (std::uint32_t width = 1; width <= 66; width++)
    for (int i = 0; i < 3 && !HasFatalFailure(); i++) TryOf(operation, width);
  for (int i = 0; i < 6 && !HasFatalFailure(); i++) TryOf(operation, 1 + Below(operation.widest));
}

INSTANTIATE_TEST_SUITE_P(Blast, OperationTest, testing::ValuesIn(kOperations),
                         [](const testing::TestParamInfo<Operation> &one) {
                           std::string name;
                           for (const char *c = one.param.name; *c; c++)
                             if (std::isalpha(*c)) name += *c;
                           return name;
                         });

// Of few bits, every value.
TEST_P(OperationTest, OfFewBitsForEveryValue) {
  const Operation &operation = GetParam();
  for (std::uint32_t width = 1; width <= 3; width++) {
    const std::string of = "few of " + std::to_string(width);
    const term a = term_var(width, ("a" + of).c_str()), b = term_var(width, ("b" + of).c_str()),
               c = term_var(width, ("c" + of).c_str());
    const term all = operation.make(a, b, c);
    for (std::uint64_t n = 0; n < std::uint64_t{1} << 3 * width; n++) {
      const std::uint64_t mask = (std::uint64_t{1} << width) - 1;
      ExpectSame(all, {{a, {n & mask}}, {b, {n >> width & mask}}, {c, {n >> 2 * width & mask}}},
                 of + ", " + std::to_string(n));
    }
  }
}

// --- Gates
// ----------------------------------------------------------------------------------------

// Of inputs that are constant, equal or opposite, too: for every value.
TEST(CnfTest, Gates) {
  const auto of = [](int literal, unsigned values) {
    if (literal == LITERAL_TRUE || literal == LITERAL_FALSE) return literal > 0;
    return ((values >> (std::abs(literal) - 2) & 1) != 0) == (literal > 0);
  };
  const int inputs[] = {LITERAL_TRUE, LITERAL_FALSE, 2, -2, 3, -3, 4, -4};
  for (unsigned values = 0; values < 8; values++) {
    cnf *gates = cnf_new();
    for (int i = 0; i < 3; i++) cnf_variable(gates);
    std::vector<std::pair<int, bool>> expected;
    for (int a : inputs) {
      for (int b : inputs) {
        const bool x = of(a, values), y = of(b, values);
        expected.push_back({cnf_and(gates, a, b), x && y});
        expected.push_back({cnf_or(gates, a, b), x || y});
        expected.push_back({cnf_xor(gates, a, b), x != y});
        for (int c : inputs) {
          const bool z = of(c, values);
          const int all[] = {a, b, c};
          expected.push_back({cnf_ite(gates, a, b, c), x ? y : z});
          expected.push_back({cnf_majority(gates, a, b, c), x + y + z >= 2});
          expected.push_back({cnf_and_all(gates, all, 3), x && y && z});
        }
      }
    }
    for (int i = 2; i <= 4; i++) {
      const int literal = of(i, values) ? i : -i;
      cnf_add(gates, &literal, 1);
    }
    checker *checker = checker_new();
    std::size_t size;
    const int *clauses = cnf_clauses(gates, &size);
    for (std::size_t first = 0, i = 0; i < size; i++) {
      if (clauses[i] != 0) continue;
      checker_give(checker, clauses + first, i - first);
      first = i + 1;
    }
    for (const auto &[output, value] : expected) {
      const int literal = value ? output : -output, opposite = -literal;
      EXPECT_TRUE(checker_lemma(checker, &literal, 1));
      EXPECT_FALSE(checker_lemma(checker, &opposite, 1));
    }
    checker_free(checker);
    cnf_free(gates);
  }
}

// --- Terms of several operations ----------------------------------------------------------------

term Random(const std::vector<term> &vars, std::uint32_t width, int depth) {
  const auto any = [&] { return Random(vars, width, depth - 1); };
  if (depth == 0) {
    const term var = vars[Below(static_cast<std::uint32_t>(vars.size()))];
    return Below(5) == 0 ? term_const_words(width, Value(width).data()) : var;
  }
  const std::uint32_t cut = 1 + Below(width);
  switch (Below(8)) {
    case 0:
      if (cut == width) return any();
      return term_concat(term_extract(any(), 0, cut), term_extract(any(), cut, width - cut));
    case 1:
      return term_zext(term_extract(any(), width - cut, cut), width);
    case 2:
      return term_ite(term_ult(any(), any()), any(), any());
    case 3:
      return term_sext(term_slt(any(), any()), width);
    default:
      return kOperations[Below(12)].make(any(), any(), any());
  }
}

TEST(BlastTest, TermsOfSeveralOperations) {
  for (int i = 0; i < 400 && !testing::Test::HasFatalFailure(); i++) {
    const std::uint32_t width = 1 + Below(24);
    std::vector<term> vars;
    std::vector<Assigned> assigned;
    for (const char *name : {"x", "y", "z"}) {
      vars.push_back(term_var(width, (name + std::to_string(width)).c_str()));
      assigned.push_back({vars.back(), Value(width)});
    }
    ExpectSame(Random(vars, width, 3), assigned, std::to_string(i));
  }
}

// A term is made once, and so is an equal gate of another term.
TEST(BlastTest, EachOnce) {
  cnf *gates = cnf_new();
  blaster *all = blaster_new(gates);
  const term a = term_var(16, "once a"), b = term_var(16, "once b");
  EXPECT_EQ(blasted(all, a), nullptr);
  const int *sum = blast(all, term_add(a, b));
  EXPECT_EQ(blast(all, term_add(a, b)), sum);
  EXPECT_EQ(blasted(all, term_add(a, b)), sum);
  std::size_t before, after;
  cnf_clauses(gates, &before);
  const int low = blast(all, term_add(term_extract(a, 0, 8), term_extract(b, 0, 8)))[7];
  cnf_clauses(gates, &after);
  EXPECT_EQ(low, sum[7]);
  EXPECT_EQ(before, after);
  blaster_free(all);
  cnf_free(gates);
}

}  // namespace
}  // namespace engine
