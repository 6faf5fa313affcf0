// term: what is made is worth the same as what was asked for, and what is the
// same in two ways of writing becomes the same term.
#include "engine/term/term.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace engine {
namespace {

// --- A value, bit by bit, the lowest first ---------------------------------------------------

using Bits = std::vector<bool>;

Bits FromWord(std::size_t width, std::uint64_t word) {
  Bits bits(width);
  for (std::size_t i = 0; i < width && i < 64; i++) bits[i] = (word >> i & 1) != 0;
  return bits;
}

Bits FromWords(std::size_t width, const std::uint64_t *words) {
  Bits bits(width);
  for (std::size_t i = 0; i < width; i++) bits[i] = (words[i / 64] >> i % 64 & 1) != 0;
  return bits;
}

std::vector<std::uint64_t> ToWords(const Bits &bits) {
  std::vector<std::uint64_t> words((bits.size() + 63) / 64);
  for (std::size_t i = 0; i < bits.size(); i++)
    words[i / 64] |= static_cast<std::uint64_t>(bits[i]) << i % 64;
  return words;
}

Bits Not(Bits a) {
  a.flip();
  return a;
}

Bits Bitwise(const Bits &a, const Bits &b, bool (*of)(bool, bool)) {
  Bits out(a.size());
  for (std::size_t i = 0; i < a.size(); i++) out[i] = of(a[i], b[i]);
  return out;
}

Bits And(const Bits &a, const Bits &b) {
  return Bitwise(a, b, [](bool x, bool y) { return x && y; });
}
Bits Or(const Bits &a, const Bits &b) {
  return Bitwise(a, b, [](bool x, bool y) { return x || y; });
}
Bits Xor(const Bits &a, const Bits &b) {
  return Bitwise(a, b, [](bool x, bool y) { return x != y; });
}

Bits Add(const Bits &a, const Bits &b, bool carry = false) {
  Bits out(a.size());
  for (std::size_t i = 0; i < a.size(); i++) {
    const int sum = a[i] + b[i] + carry;
    out[i] = sum % 2 != 0;
    carry = sum > 1;
  }
  return out;
}

Bits Sub(const Bits &a, const Bits &b) {
  return Add(a, Not(b), true);
}

Bits Extract(const Bits &a, std::size_t low, std::size_t width) {
  return Bits(a.begin() + static_cast<std::ptrdiff_t>(low),
              a.begin() + static_cast<std::ptrdiff_t>(low + width));
}

Bits Concat(const Bits &high, Bits low) {
  low.insert(low.end(), high.begin(), high.end());
  return low;
}

bool Less(const Bits &a, const Bits &b) {
  for (std::size_t i = a.size(); i-- > 0;)
    if (a[i] != b[i]) return b[i];
  return false;
}

bool LessSigned(const Bits &a, const Bits &b) {
  return a.back() != b.back() ? a.back() : Less(a, b);
}

// By how much a shift is, or the width, if it is more.
std::size_t Amount(const Bits &b) {
  std::size_t amount = 0;
  for (std::size_t i = 0; i < b.size(); i++)
    if (b[i]) amount = i < 20 ? amount + (std::size_t{1} << i) : b.size();
  return std::min(amount, b.size());
}

Bits Shl(const Bits &a, const Bits &b) {
  Bits out(a.size());
  for (std::size_t i = Amount(b); i < a.size(); i++) out[i] = a[i - Amount(b)];
  return out;
}

Bits Shr(const Bits &a, const Bits &b, bool fill) {
  Bits out(a.size(), fill);
  for (std::size_t i = Amount(b); i < a.size(); i++) out[i - Amount(b)] = a[i];
  return out;
}

Bits Mul(const Bits &a, const Bits &b) {
  Bits sum(a.size());
  for (std::size_t i = 0; i < a.size(); i++)
    if (b[i]) sum = Add(sum, Shl(a, FromWord(a.size(), i)));
  return sum;
}

// The quotient, and what is left.
std::pair<Bits, Bits> Divide(const Bits &a, const Bits &b) {
  if (std::find(b.begin(), b.end(), true) == b.end()) return {Bits(a.size(), true), a};
  Bits quotient(a.size()), rest(a.size() + 1), by = b;
  by.push_back(false);
  for (std::size_t i = a.size(); i-- > 0;) {
    rest.insert(rest.begin(), a[i]);
    rest.pop_back();
    if (Less(rest, by)) continue;
    rest = Sub(rest, by);
    quotient[i] = true;
  }
  rest.pop_back();
  return {quotient, rest};
}

// --- Random graphs -----------------------------------------------------------------------------

constexpr std::size_t kAssignments = 4;

// A term, and what it has to be worth under each assignment, calculated apart.
struct Sample {
  term made;
  std::vector<Bits> worth;
  std::size_t step = 0; /* of the graph, by which it was made */
};

class Graph {
 public:
  Graph(std::uint64_t seed, std::size_t max_width) : random_(seed), max_width_(max_width) {}

  void Grow(std::size_t steps) {
    for (std::size_t i = 0; i < 4; i++) Put(Var(Width()));
    for (std::size_t i = 0; i < 2; i++) Put(Var(1));
    for (std::size_t i = 0; i < steps; i++) Put(Step());
  }

  // Whether all are worth what they have to be, and are not above what they may be at most.
  void Check() {
    for (std::size_t i = 0; i < kAssignments; i++) {
      With with{this, i};
      term_values *values = term_values_new(Value, &with);
      for (const Sample &sample : samples_) {
        const std::size_t width = term_width(sample.made);
        ASSERT_EQ(width, sample.worth[i].size());
        const std::uint64_t *words = term_value(values, sample.made);
        ASSERT_EQ(FromWords(width, words), sample.worth[i])
            << "width " << width << ", step " << sample.step;
        if (width <= 64) {
          ASSERT_LE(words[0], term_max(sample.made));
        }
      }
      term_values_free(values);
    }
  }

  // The same for variables with other names, and those put back.
  void CheckReplaced() {
    struct term_map *away = term_map_new(), *back = term_map_new();
    for (const auto &var : vars_) {
      const term other = term_fresh(term_width(var.first), "other");
      term_map_put(away, var.first, other);
      term_map_put(back, other, var.first);
    }
    for (Sample &sample : samples_)
      sample.made = term_replace(term_replace(sample.made, away), back);
    term_map_free(away);
    term_map_free(back);
    Check();
  }

  std::size_t Below(std::size_t limit) { return random_() % limit; }
  Sample Var(std::size_t width) {
    const std::string name = "v" + std::to_string(width) + "_" + std::to_string(Below(3));
    const term var = term_var(static_cast<std::uint32_t>(width), name.c_str());
    std::vector<Bits> &worth = vars_[var];
    while (worth.size() < kAssignments) worth.push_back(Random(width));
    return {var, worth};
  }
  Sample Any(std::size_t width) {
    std::vector<const Sample *> fitting;
    for (const Sample &sample : samples_)
      if (sample.worth[0].size() == width) fitting.push_back(&sample);
    if (Below(8) == 0) return Constant(width);
    if (fitting.empty() || Below(10) == 0) return Below(2) ? Var(width) : Resized(width);
    return *fitting[fitting.size() - 1 - Below(std::min<std::size_t>(fitting.size(), 12))];
  }

 private:
  struct With {
    Graph *graph;
    std::size_t assignment;
  };
  static void Value(term var, std::uint64_t *words, void *with) {
    const With *of = static_cast<With *>(with);
    const std::vector<std::uint64_t> worth = ToWords(of->graph->vars_.at(var)[of->assignment]);
    std::copy(worth.begin(), worth.end(), words);
  }

  void Put(const Sample &sample) {
    samples_.push_back(sample);
    samples_.back().step = step_;
  }

  std::size_t Width() {
    static const std::size_t widths[] = {1, 2, 3, 8, 16, 32, 64, 65, 128, 130};
    const std::size_t width = Below(3) == 0 ? 1 + Below(max_width_) : widths[Below(10)];
    return width > max_width_ ? max_width_ : width;
  }

  // All of a kind that matters: few bits, runs of bits, any.
  Bits Random(std::size_t width) {
    Bits bits(width);
    switch (Below(6)) {
      case 0:
        return FromWord(width, Below(4));
      case 1:
        return Not(FromWord(width, Below(4)));
      case 2: {
        const std::size_t low = Below(width), high = low + Below(width - low) + 1;
        for (std::size_t i = low; i < high; i++) bits[i] = true;
        return bits;
      }
      case 3:
        bits[Below(width)] = true;
        return bits;
      default:
        for (std::size_t i = 0; i < width; i++) bits[i] = Below(2) != 0;
        return bits;
    }
  }

  Sample Constant(std::size_t width) {
    const Bits bits = Random(width);
    return {term_const_words(static_cast<std::uint32_t>(width), ToWords(bits).data()),
            std::vector<Bits>(kAssignments, bits)};
  }

  const Sample &Old() {
    return samples_[samples_.size() - 1 - Below(std::min<std::size_t>(samples_.size(), 16))];
  }

  // Another one as a field of this width.
  Sample Resized(std::size_t width) {
    const Sample old = Old();
    const std::size_t from = old.worth[0].size();
    const std::uint32_t to = static_cast<std::uint32_t>(width);
    Sample sample;
    if (from > width) {
      const std::size_t low = Below(3) == 0 ? 0 : Below(from - width + 1);
      sample.made = term_extract(old.made, static_cast<std::uint32_t>(low), to);
      for (const Bits &bits : old.worth) sample.worth.push_back(Extract(bits, low, width));
    } else if (Below(2) != 0) {
      sample.made = term_zext(old.made, to);
      for (const Bits &bits : old.worth) sample.worth.push_back(Concat(Bits(width - from), bits));
    } else {
      sample.made = term_sext(old.made, to);
      for (const Bits &bits : old.worth)
        sample.worth.push_back(Concat(Bits(width - from, bits.back()), bits));
    }
    return sample;
  }

  Sample One(term (*make)(term), Bits (*of)(const Bits &)) {
    const Sample a = Any(Width());
    Sample sample{make(a.made), {}};
    for (const Bits &bits : a.worth) sample.worth.push_back(of(bits));
    return sample;
  }

  Sample Two(std::size_t width, term (*make)(term, term), Bits (*of)(const Bits &, const Bits &)) {
    const Sample a = Any(width), b = Any(width);
    Sample sample{make(a.made, b.made), {}};
    for (std::size_t i = 0; i < kAssignments; i++)
      sample.worth.push_back(of(a.worth[i], b.worth[i]));
    return sample;
  }

  Sample Two(term (*make)(term, term), Bits (*of)(const Bits &, const Bits &)) {
    return Two(Width(), make, of);
  }

  Sample Ite() {
    const std::size_t width = Width();
    const Sample c = Any(1), a = Any(width), b = Any(width);
    Sample sample{term_ite(c.made, a.made, b.made), {}};
    for (std::size_t i = 0; i < kAssignments; i++)
      sample.worth.push_back(c.worth[i][0] ? a.worth[i] : b.worth[i]);
    return sample;
  }

  Sample Joined() {
    const Sample a = Old(), b = Old();
    if (a.worth[0].size() + b.worth[0].size() > max_width_) return Resized(Width());
    Sample sample{term_concat(a.made, b.made), {}};
    for (std::size_t i = 0; i < kAssignments; i++)
      sample.worth.push_back(Concat(a.worth[i], b.worth[i]));
    return sample;
  }

  // As C takes values apart into bytes and puts them together again.
  Sample Bytes() {
    const Sample old = Old();
    const std::size_t width = old.worth[0].size();
    const std::uint32_t step = static_cast<std::uint32_t>(1 + Below(9));
    Sample sample{TERM_NONE, old.worth};
    for (std::uint32_t low = 0; low < width; low += step) {
      const std::uint32_t size = std::min(step, static_cast<std::uint32_t>(width) - low);
      const term part = term_extract(old.made, low, size);
      sample.made = sample.made == TERM_NONE ? part : term_concat(part, sample.made);
    }
    return sample;
  }

  // As C keeps what some of the bytes of a variable were under a condition.
  Sample ChosenBytes() {
    const std::size_t width = Width();
    const Sample c = Any(1), a = Any(width), b = Any(width);
    Sample sample{TERM_NONE, {}, 0};
    const std::uint32_t step = static_cast<std::uint32_t>(1 + Below(9));
    for (std::uint32_t low = 0; low < width; low += step) {
      const std::uint32_t size = std::min(step, static_cast<std::uint32_t>(width) - low);
      const term part =
          term_ite(c.made, term_extract(a.made, low, size), term_extract(b.made, low, size));
      sample.made = sample.made == TERM_NONE ? part : term_concat(part, sample.made);
    }
    for (std::size_t i = 0; i < kAssignments; i++)
      sample.worth.push_back(c.worth[i][0] ? a.worth[i] : b.worth[i]);
    return sample;
  }

  Sample Step() {
    switch (step_ = Below(30)) {
      case 0:
        return One(term_not, [](const Bits &a) { return Not(a); });
      case 1:
        return One(term_neg, [](const Bits &a) { return Sub(Bits(a.size()), a); });
      case 2:
        return One(term_any,
                   [](const Bits &a) { return Bits(1, std::count(a.begin(), a.end(), true) > 0); });
      case 3:
      case 4:
        return Two(term_and, And);
      case 5:
      case 6:
        return Two(term_or, Or);
      case 7:
        return Two(term_xor, Xor);
      case 8:
        return Two(1, term_and, And);
      case 9:
        return Two(1, term_or, Or);
      case 10:
        return Two(1, term_xor, Xor);
      case 11:
      case 12:
        return Two(term_add, [](const Bits &a, const Bits &b) { return Add(a, b); });
      case 13:
        return Two(term_sub, Sub);
      case 14:
        return Two(term_mul, Mul);
      case 15:
        return Two(term_udiv, [](const Bits &a, const Bits &b) { return Divide(a, b).first; });
      case 16:
        return Two(term_urem, [](const Bits &a, const Bits &b) { return Divide(a, b).second; });
      case 17:
        return Two(term_shl, Shl);
      case 18:
        return Two(term_lshr, [](const Bits &a, const Bits &b) { return Shr(a, b, false); });
      case 19:
        return Two(term_ashr, [](const Bits &a, const Bits &b) { return Shr(a, b, a.back()); });
      case 20:
      case 21:
        return Two(term_eq, [](const Bits &a, const Bits &b) { return Bits(1, a == b); });
      case 22:
        return Below(2)
                   ? Two(term_ult, [](const Bits &a, const Bits &b) { return Bits(1, Less(a, b)); })
                   : Two(term_ule,
                         [](const Bits &a, const Bits &b) { return Bits(1, !Less(b, a)); });
      case 23:
        return Below(2)
                   ? Two(term_slt,
                         [](const Bits &a, const Bits &b) { return Bits(1, LessSigned(a, b)); })
                   : Two(term_sle,
                         [](const Bits &a, const Bits &b) { return Bits(1, !LessSigned(b, a)); });
      case 24:
        return Bytes();
      case 25:
        return ChosenBytes();
      case 26:
      case 27:
        return Ite();
      case 28:
        return Joined();
      default:
        return Resized(Width());
    }
  }

  std::mt19937_64 random_;
  std::size_t max_width_;
  std::size_t step_ = 0;
  std::vector<Sample> samples_;
  std::map<term, std::vector<Bits>> vars_;
};

std::uint64_t Rounds(std::uint64_t rounds) {
  const char *more = std::getenv("TERM_TEST_ROUNDS");
  return more ? std::strtoull(more, nullptr, 10) : rounds;
}

TEST(TermRandomTest, Narrow) {
  for (std::uint64_t seed = 0; seed < Rounds(1500); seed++) {
    Graph graph(seed, 8);
    graph.Grow(60);
    graph.Check();
    if (HasFatalFailure()) FAIL() << "seed " << seed;
  }
}

TEST(TermRandomTest, Wide) {
  for (std::uint64_t seed = 0; seed < Rounds(1500); seed++) {
    Graph graph(seed, 130);
    graph.Grow(60);
    graph.Check();
    if (HasFatalFailure()) FAIL() << "seed " << seed;
  }
}

TEST(TermRandomTest, Large) {
  for (std::uint64_t seed = 0; seed < Rounds(60); seed++) {
    Graph graph(seed, 200);
    graph.Grow(600);
    graph.Check();
    if (HasFatalFailure()) FAIL() << "seed " << seed;
  }
}

// Variables put in place of others are worth what those were.
TEST(TermRandomTest, Replaced) {
  for (std::uint64_t seed = 0; seed < Rounds(400); seed++) {
    Graph graph(seed, 80);
    graph.Grow(60);
    graph.CheckReplaced();
    if (HasFatalFailure()) FAIL() << "seed " << seed;
  }
}

// --- The same term -----------------------------------------------------------------------------

class TermTest : public ::testing::Test {
 protected:
  static term V(std::uint32_t width, const char *name) {
    return term_var(width, (std::string(name) + std::to_string(width)).c_str());
  }
  static term K(std::uint32_t width, std::uint64_t value) { return term_const(width, value); }
  static term Ones(std::uint32_t width) { return term_not(K(width, 0)); }
  static term Bit(term a, std::uint32_t n) { return term_extract(a, n, 1); }
  static enum term_op Op(term a) { return static_cast<enum term_op>(term_node(a)->op); }

  const term c = term_var(1, "c"), d = term_var(1, "d"), e = term_var(1, "e");
  const term x = V(16, "x"), y = V(16, "y"), z = V(16, "z");
  const term zero = K(16, 0), ones = Ones(16);
};

TEST_F(TermTest, MadeOnce) {
  EXPECT_NE(x, TERM_NONE);
  EXPECT_EQ(term_var(16, "x16"), x);
  EXPECT_EQ(term_add(x, y), term_add(y, x));
  EXPECT_NE(term_fresh(16, "x"), term_fresh(16, "x"));
  EXPECT_STREQ(term_name(x), "x16");
  EXPECT_EQ(term_width(x), 16u);
  const std::uint64_t words[2] = {5, 0xFFFF};
  const term wide = term_const_words(65, words);
  EXPECT_EQ(term_words(wide)[0], 5u);
  EXPECT_EQ(term_words(wide)[1], 1u);
  EXPECT_EQ(wide, term_concat(K(1, 1), K(64, 5)));
}

TEST_F(TermTest, Constants) {
  std::uint64_t value = 0;
  ASSERT_TRUE(term_is_const(term_add(K(16, 0xFFFF), K(16, 2)), &value));
  EXPECT_EQ(value, 1u);
  EXPECT_TRUE(term_is_true(term_ult(K(16, 1), K(16, 2))));
  EXPECT_TRUE(term_is_false(term_slt(K(16, 1), K(16, 0xFFFF))));
  EXPECT_EQ(term_udiv(K(16, 7), K(16, 0)), ones);
  EXPECT_EQ(term_urem(K(16, 7), K(16, 0)), K(16, 7));
  EXPECT_EQ(term_neg(K(16, 1)), ones);
}

TEST_F(TermTest, Identities) {
  EXPECT_EQ(term_and(x, zero), zero);
  EXPECT_EQ(term_and(x, ones), x);
  EXPECT_EQ(term_and(x, x), x);
  EXPECT_EQ(term_and(x, term_not(x)), zero);
  EXPECT_EQ(term_or(x, zero), x);
  EXPECT_EQ(term_or(x, ones), ones);
  EXPECT_EQ(term_or(x, term_not(x)), ones);
  EXPECT_EQ(term_xor(x, x), zero);
  EXPECT_EQ(term_xor(x, zero), x);
  EXPECT_EQ(term_xor(x, ones), term_not(x));
  EXPECT_EQ(term_not(term_not(x)), x);
  EXPECT_EQ(term_add(x, zero), x);
  EXPECT_EQ(term_sub(x, x), zero);
  EXPECT_EQ(term_mul(x, K(16, 1)), x);
  EXPECT_EQ(term_mul(x, zero), zero);
  EXPECT_EQ(term_ite(c, x, x), x);
  EXPECT_EQ(term_ite(TERM_TRUE, x, y), x);
  EXPECT_EQ(term_ite(term_not(c), x, y), term_ite(c, y, x));
  EXPECT_TRUE(term_is_true(term_eq(x, x)));
  EXPECT_TRUE(term_is_false(term_eq(x, term_not(x))));
  EXPECT_TRUE(term_is_false(term_ult(x, zero)));
}

TEST_F(TermTest, AnyOrder) {
  EXPECT_EQ(term_and(term_and(x, y), z), term_and(y, term_and(z, x)));
  EXPECT_EQ(term_or(term_or(x, y), z), term_or(y, term_or(z, x)));
  EXPECT_EQ(term_xor(term_xor(x, y), z), term_xor(y, term_xor(z, x)));
  EXPECT_EQ(term_add(term_add(x, y), z), term_add(y, term_add(z, x)));
  EXPECT_EQ(term_or(x, y), term_not(term_and(term_not(x), term_not(y))));
  EXPECT_EQ(term_xor(term_not(x), y), term_not(term_xor(x, y)));
}

TEST_F(TermTest, Sums) {
  EXPECT_EQ(term_add(term_add(x, K(16, 3)), K(16, 4)), term_add(x, K(16, 7)));
  EXPECT_EQ(term_sub(term_add(x, y), y), x);
  EXPECT_EQ(term_add(term_sub(x, y), y), x);
  EXPECT_EQ(term_sub(x, K(16, 1)), term_add(x, ones));
  EXPECT_EQ(term_not(term_sub(x, K(16, 1))), term_neg(x));
  EXPECT_EQ(term_add(x, x), term_shl(x, K(16, 1)));
  EXPECT_EQ(term_mul(x, K(16, 8)), term_shl(x, K(16, 3)));
  EXPECT_EQ(term_eq(term_add(x, K(16, 3)), K(16, 5)), term_eq(x, K(16, 2)));
  EXPECT_EQ(term_eq(term_sub(x, y), zero), term_eq(x, y));
  EXPECT_EQ(term_eq(term_add(x, y), term_add(x, z)), term_eq(y, z));
}

// However wide C calculates.
TEST_F(TermTest, NarrowSums) {
  const term a = V(8, "a"), b = V(8, "b"), g = V(8, "g");
  const term wide = term_add(term_zext(a, 32), term_zext(b, 32));
  EXPECT_EQ(wide, term_zext(term_add(term_zext(a, 9), term_zext(b, 9)), 32));
  EXPECT_EQ(term_extract(wide, 0, 8), term_add(a, b));
  EXPECT_EQ(
      term_add(wide, term_zext(g, 32)),
      term_add(term_zext(a, 32), term_zext(term_add(term_zext(b, 10), term_zext(g, 10)), 32)));
  EXPECT_EQ(term_sub(wide, term_zext(b, 32)), term_zext(a, 32));
  EXPECT_EQ(term_extract(term_sub(term_zext(a, 32), term_zext(b, 32)), 0, 8), term_sub(a, b));
  EXPECT_EQ(term_max(wide), 510u);
  EXPECT_TRUE(term_is_true(term_ult(wide, K(32, 511))));
  EXPECT_EQ(term_mul(term_zext(a, 64), K(64, 3)),
            term_zext(term_mul(term_zext(a, 10), K(10, 3)), 64));
  EXPECT_EQ(term_add(term_shl(x, K(16, 3)), K(16, 5)), term_or(term_shl(x, K(16, 3)), K(16, 5)));
  EXPECT_EQ(term_urem(x, K(16, 8)), term_and(x, K(16, 7)));
  EXPECT_EQ(term_udiv(x, K(16, 8)), term_lshr(x, K(16, 3)));
}

TEST_F(TermTest, Masks) {
  EXPECT_EQ(term_and(term_lshr(x, K(16, 3)), K(16, 1)), term_zext(Bit(x, 3), 16));
  EXPECT_EQ(term_and(x, K(16, 0xFF0)),
            term_concat(K(4, 0), term_concat(term_extract(x, 4, 8), K(4, 0))));
  EXPECT_EQ(term_or(x, K(16, 0xFF00)), term_concat(K(8, 0xFF), term_extract(x, 0, 8)));
  EXPECT_EQ(term_xor(x, K(16, 0xFF)),
            term_concat(term_extract(x, 8, 8), term_not(term_extract(x, 0, 8))));
  EXPECT_EQ(term_and(term_and(x, K(16, 0xF0F)), K(16, 0xF)), term_and(x, K(16, 0xF)));
  EXPECT_EQ(term_or(term_and(x, K(16, 0xFF00)), term_and(x, K(16, 0xFF))), x);
  EXPECT_EQ(term_or(term_shl(term_zext(V(8, "a"), 16), K(16, 8)), term_zext(V(8, "b"), 16)),
            term_concat(V(8, "a"), V(8, "b")));
  // A field is put in place of another.
  const term packed =
      term_or(term_and(x, K(16, 0xFF8F)), term_shl(term_and(y, K(16, 7)), K(16, 4)));
  EXPECT_EQ(packed, term_concat(term_extract(x, 7, 9),
                                term_concat(term_extract(y, 0, 3), term_extract(x, 0, 4))));
  EXPECT_EQ(term_and(term_lshr(packed, K(16, 4)), K(16, 7)), term_and(y, K(16, 7)));
}

TEST_F(TermTest, Parts) {
  EXPECT_EQ(term_concat(term_extract(x, 8, 8), term_extract(x, 0, 8)), x);
  EXPECT_EQ(term_extract(term_concat(x, y), 4, 8), term_extract(y, 4, 8));
  EXPECT_EQ(term_extract(term_concat(x, y), 16, 16), x);
  EXPECT_EQ(term_extract(term_extract(x, 4, 8), 2, 3), term_extract(x, 6, 3));
  EXPECT_EQ(term_concat(term_concat(x, y), z), term_concat(x, term_concat(y, z)));
  EXPECT_EQ(term_extract(term_and(x, y), 0, 8),
            term_and(term_extract(x, 0, 8), term_extract(y, 0, 8)));
  EXPECT_EQ(term_extract(term_ite(c, x, y), 3, 1), term_ite(c, Bit(x, 3), Bit(y, 3)));
  EXPECT_EQ(term_extract(term_ite(c, x, y), 8, 8),
            term_ite(c, term_extract(x, 8, 8), term_extract(y, 8, 8)));
  EXPECT_EQ(term_extract(term_add(x, y), 0, 8),
            term_add(term_extract(x, 0, 8), term_extract(y, 0, 8)));
  EXPECT_EQ(term_not(term_concat(x, y)), term_concat(term_not(x), term_not(y)));
  EXPECT_EQ(term_ite(c, term_concat(x, z), term_concat(y, z)), term_concat(term_ite(c, x, y), z));
}

// Taken apart and put together again, as bytes and as bits, from both ends.
TEST_F(TermTest, PutTogether) {
  const term terms[] = {x,
                        term_not(x),
                        term_and(x, y),
                        term_or(x, term_not(y)),
                        term_xor(term_xor(x, y), z),
                        term_ite(c, x, y),
                        term_ite(c, x, zero),
                        term_ite(c, term_not(x), y),
                        term_ite(c, term_ite(d, x, y), term_ite(e, term_and(x, z), zero)),
                        term_add(x, y),
                        term_sub(x, y),
                        term_mul(x, y),
                        term_add(x, K(16, 1)),
                        term_lshr(x, y),
                        term_ite(c, term_add(x, y), x),
                        term_ite(c, term_sub(x, y), term_ite(d, K(16, 0x1234), z)),
                        term_ite(c, K(16, 0x8421), K(16, 0x7FFE))};
  for (const term whole : terms) {
    for (const std::uint32_t size : {1u, 3u, 4u, 8u}) {
      term up = TERM_NONE, down = TERM_NONE;
      for (std::uint32_t low = 0; low < 16; low += size) {
        const term part = term_extract(whole, low, std::min(size, 16 - low));
        up = up == TERM_NONE ? part : term_concat(part, up);
      }
      for (std::uint32_t high = 16; high > 0; high -= std::min(size, high)) {
        const std::uint32_t width = std::min(size, high);
        const term part = term_extract(whole, high - width, width);
        down = down == TERM_NONE ? part : term_concat(down, part);
      }
      EXPECT_EQ(up, whole) << term_node(whole)->op + 0 << " by " << size;
      EXPECT_EQ(down, whole) << term_node(whole)->op + 0 << " by " << size << " from the top";
    }
  }
}

TEST_F(TermTest, Conditions) {
  EXPECT_EQ(term_any(term_zext(c, 32)), c);
  EXPECT_EQ(term_any(c), c);
  EXPECT_EQ(term_eq(term_zext(c, 32), K(32, 1)), c);
  EXPECT_EQ(term_eq(c, TERM_FALSE), term_not(c));
  EXPECT_EQ(term_ite(c, TERM_TRUE, TERM_FALSE), c);
  EXPECT_EQ(term_ite(c, d, TERM_FALSE), term_and(c, d));
  EXPECT_EQ(term_ite(c, TERM_TRUE, d), term_or(c, d));
  EXPECT_EQ(term_ite(c, d, TERM_TRUE), term_implies(c, d));
  EXPECT_EQ(term_ite(c, term_not(d), d), term_xor(c, d));
  EXPECT_EQ(term_or(term_and(c, d), term_and(term_not(c), e)), term_ite(c, d, e));
  EXPECT_EQ(term_or(term_and(c, term_not(d)), term_and(term_not(c), d)), term_xor(c, d));
  EXPECT_EQ(term_or(c, term_and(term_not(c), d)), term_or(c, d));
  EXPECT_EQ(term_and(c, term_or(c, d)), c);
  EXPECT_TRUE(term_is_false(term_and(term_and(c, d), term_not(c))));
  EXPECT_TRUE(term_is_false(term_and(term_eq(x, K(16, 1)), term_eq(x, K(16, 2)))));
  EXPECT_EQ(term_and(term_eq(x, K(16, 1)), term_not(term_eq(x, K(16, 2)))), term_eq(x, K(16, 1)));
  // As C has them: an int that is 0 or 1.
  const term both = term_and(term_zext(c, 32), term_zext(d, 32));
  EXPECT_EQ(term_any(both), term_and(c, d));
  EXPECT_EQ(term_extract(both, 0, 8), term_zext(term_and(c, d), 8));
}

TEST_F(TermTest, Choices) {
  EXPECT_EQ(term_ite(c, term_ite(c, x, y), z), term_ite(c, x, z));
  EXPECT_EQ(term_ite(c, x, term_ite(c, y, z)), term_ite(c, x, z));
  EXPECT_EQ(term_ite(c, term_ite(term_and(c, d), x, y), z), term_ite(c, term_ite(d, x, y), z));
  EXPECT_EQ(term_ite(c, x, term_ite(term_and(c, d), y, z)), term_ite(c, x, z));
  EXPECT_EQ(term_ite(c, term_ite(d, x, y), y), term_ite(term_and(c, d), x, y));
  EXPECT_EQ(term_ite(c, x, term_ite(d, x, y)), term_ite(term_or(c, d), x, y));
  EXPECT_EQ(term_not(term_ite(c, term_not(x), y)), term_ite(c, x, term_not(y)));
  EXPECT_EQ(term_eq(term_ite(c, x, y), x), term_or(c, term_eq(x, y)));
  EXPECT_EQ(term_ite(c, K(16, 0x11), K(16, 0x10)), term_concat(K(15, 8), c));
}

// The C model's conditions are masks.
TEST_F(TermTest, WideMasks) {
  const term mask = term_sext(c, 16);
  EXPECT_EQ(mask, term_ite(c, ones, zero));
  EXPECT_EQ(mask, term_neg(term_zext(c, 16)));
  EXPECT_EQ(term_not(mask), term_ite(c, zero, ones));
  EXPECT_EQ(term_and(x, mask), term_ite(c, x, zero));
  EXPECT_EQ(term_and(x, term_not(mask)), term_ite(c, zero, x));
  EXPECT_EQ(term_or(term_and(x, mask), term_and(y, term_not(mask))), term_ite(c, x, y));
  EXPECT_EQ(term_and(mask, term_sext(d, 16)), term_sext(term_and(c, d), 16));
  EXPECT_EQ(term_or(mask, term_sext(d, 16)), term_sext(term_or(c, d), 16));
  EXPECT_EQ(term_xor(mask, term_sext(d, 16)), term_sext(term_xor(c, d), 16));
  EXPECT_EQ(term_any(mask), c);
  EXPECT_EQ(term_and(mask, K(16, 1)), term_zext(c, 16));
  EXPECT_EQ(Bit(mask, 7), c);
  const term all = term_and(term_sext(c, 16), term_and(x, term_sext(d, 16)));
  EXPECT_EQ(all, term_ite(term_and(c, d), x, zero));
}

TEST_F(TermTest, Tables) {
  term table = K(16, 0);
  for (std::uint64_t n = 200; n-- > 0;)
    table = term_ite(term_eq(x, K(16, n * 7)), K(16, n + 100), table);
  EXPECT_EQ(term_eq(table, K(16, 105)), term_eq(x, K(16, 35)));
  EXPECT_EQ(term_eq(x, K(16, 35)), term_any(term_zext(term_eq(table, K(16, 105)), 64)));
  EXPECT_TRUE(term_is_false(term_eq(table, K(16, 99))));
  EXPECT_TRUE(term_is_false(term_eq(table, K(16, 1 << 10))));
  EXPECT_LE(term_max(table), 299u);
  EXPECT_EQ(term_eq(term_ite(c, K(16, 3), K(16, 5)), K(16, 5)), term_not(c));
  EXPECT_EQ(term_ult(term_ite(c, K(16, 3), K(16, 5)), K(16, 4)), c);
  // Too large, whichever is chosen; or not.
  const term far = term_ite(c, K(14, 3), K(14, 0x60)), small = term_zext(V(2, "s"), 16);
  EXPECT_TRUE(term_is_false(term_ult(term_concat(far, K(2, 0)), small)));
  const term parts = term_concat(term_ite(c, K(8, 3), K(8, 5)), V(8, "a"));
  EXPECT_TRUE(term_is_false(term_ult(parts, small)));
  const term near = term_ite(c, K(14, 0), K(14, 0x60));
  EXPECT_FALSE(term_is_false(term_ult(term_concat(near, K(2, 0)), small)));
}

TEST_F(TermTest, Comparisons) {
  EXPECT_EQ(term_eq(term_zext(V(8, "a"), 16), K(16, 7)), term_eq(V(8, "a"), K(8, 7)));
  EXPECT_TRUE(term_is_false(term_eq(term_zext(V(8, "a"), 16), K(16, 0x107))));
  EXPECT_EQ(term_eq(term_concat(x, y), term_concat(z, y)), term_eq(x, z));
  EXPECT_EQ(term_eq(term_not(x), term_not(y)), term_eq(x, y));
  EXPECT_EQ(term_eq(term_xor(x, y), zero), term_eq(x, y));
  EXPECT_EQ(term_eq(V(2, "f"), K(2, 3)), term_and(Bit(V(2, "f"), 0), Bit(V(2, "f"), 1)));
  EXPECT_EQ(term_ult(x, K(16, 1)), term_eq(x, zero));
  EXPECT_EQ(term_ult(x, K(16, 256)), term_eq(term_extract(x, 8, 8), K(8, 0)));
  EXPECT_EQ(term_ult(K(16, 255), x), term_any(term_extract(x, 8, 8)));
  EXPECT_EQ(term_ule(K(16, 5), x), term_not(term_ult(x, K(16, 5))));
  EXPECT_TRUE(term_is_true(term_ult(term_zext(V(8, "a"), 16), K(16, 256))));
  EXPECT_EQ(term_ult(term_zext(V(8, "a"), 16), term_zext(V(8, "b"), 16)),
            term_ult(V(8, "a"), V(8, "b")));
  EXPECT_EQ(term_slt(term_zext(V(8, "a"), 16), term_zext(V(8, "b"), 16)),
            term_ult(V(8, "a"), V(8, "b")));
  EXPECT_EQ(term_slt(x, zero), Bit(x, 15));
}

TEST_F(TermTest, Shifts) {
  EXPECT_EQ(term_shl(x, K(16, 4)), term_concat(term_extract(x, 0, 12), K(4, 0)));
  EXPECT_EQ(term_lshr(x, K(16, 16)), zero);
  EXPECT_EQ(term_ashr(x, K(16, 99)), term_sext(Bit(x, 15), 16));
  EXPECT_EQ(term_lshr(x, term_zext(c, 16)), term_ite(c, term_lshr(x, K(16, 1)), x));
  EXPECT_EQ(term_lshr(term_zext(x, 64), term_zext(V(4, "n"), 64)),
            term_zext(term_lshr(x, term_zext(V(4, "n"), 16)), 64));
}

// A vector that is indexed, in the RTL by a shift.
TEST_F(TermTest, Vectors) {
  const term vector = V(32 * 16, "vector"), n = V(5, "n");
  const term by = term_zext(term_concat(n, K(4, 0)), 32 * 16);
  const term read = term_extract(term_lshr(vector, by), 0, 16);
  term chosen = TERM_NONE;
  struct term_map *map = term_map_new();
  term elements = TERM_NONE;
  for (std::uint32_t i = 0; i < 32; i++) {
    const term element = term_var(16, ("element" + std::to_string(i)).c_str());
    elements = i == 0 ? element : term_concat(element, elements);
  }
  term_map_put(map, vector, elements);
  for (std::uint32_t i = 0; i < 32; i++) {
    struct term_map *fixed = term_map_new();
    term_map_put(fixed, n, K(5, i));
    chosen = term_replace(term_replace(read, map), fixed);
    EXPECT_EQ(chosen, term_var(16, ("element" + std::to_string(i)).c_str()));
    term_map_free(fixed);
  }
  term_map_free(map);
  // Written: the same under the condition that it is the element's number.
  const term mask = term_shl(term_zext(ones, 32 * 16), by);
  const term written =
      term_or(term_and(vector, term_not(mask)), term_shl(term_zext(x, 32 * 16), by));
  for (std::uint32_t i = 0; i < 32; i++)
    EXPECT_EQ(term_extract(written, i * 16, 16),
              term_ite(term_eq(n, K(5, i)), x, term_extract(vector, i * 16, 16)));
}

TEST_F(TermTest, Walked) {
  const term roots[] = {term_add(x, y), term_and(term_add(x, y), z)};
  std::vector<term> seen;
  term_walk(
      roots, 2, [](term a, void *with) { static_cast<std::vector<term> *>(with)->push_back(a); },
      &seen);
  EXPECT_EQ(seen.size(), 5u);
  EXPECT_EQ(seen.back(), roots[1]);
  EXPECT_EQ(std::count(seen.begin(), seen.end(), x), 1);
}

TEST_F(TermTest, Replaced) {
  struct term_map *map = term_map_new();
  term_map_put(map, x, zero);
  term_map_put(map, c, TERM_TRUE);
  EXPECT_EQ(term_replace(term_ite(c, term_add(x, y), z), map), y);
  EXPECT_EQ(term_replace(z, map), z);
  term_map_free(map);
}

// What is added if something is so is added: 0 if not.
TEST_F(TermTest, AddedIf) {
  const term sum = term_add(x, term_ite(c, y, zero));
  EXPECT_EQ(term_ite(c, term_add(x, y), x), sum);
  EXPECT_EQ(term_ite(term_not(c), x, term_add(y, x)), sum);
  EXPECT_EQ(term_ite(c, term_add(term_add(z, x), y), term_add(x, z)), term_add(sum, z));
}

// Neither takes a stack as deep as the term.
TEST_F(TermTest, Deep) {
  term deep = V(64, "deep"), sum = V(64, "deep");
  for (unsigned i = 0; i < 100000; i++) {
    const term condition = term_fresh(1, "deep_c"), other = term_fresh(64, "deep_x");
    deep = term_ite(condition, term_xor(deep, other), other);
    sum = term_mul(sum, other);
  }
  const term part = term_extract(deep, 8, 8);
  EXPECT_EQ(term_width(part), 8u);
  EXPECT_EQ(term_extract(term_concat(term_extract(deep, 16, 48), term_extract(deep, 0, 16)), 8, 8),
            part);
  EXPECT_EQ(term_width(term_extract(sum, 0, 8)), 8u);
  struct term_map *map = term_map_new();
  term_map_put(map, V(64, "deep"), K(64, 0));
  EXPECT_NE(term_replace(deep, map), deep);
  term_map_free(map);
  struct term_values *values = term_values_new([](term, std::uint64_t *, void *) {}, nullptr);
  EXPECT_EQ(*term_value(values, deep), 0u);
  term_values_free(values);
}

TEST(TermDeathTest, Widths) {
  EXPECT_EXIT(term_add(term_const(8, 1), term_const(9, 1)), ::testing::ExitedWithCode(2),
              "term: add of 8 and 9 bits");
  EXPECT_EXIT(term_extract(term_const(8, 1), 4, 5), ::testing::ExitedWithCode(2), "term: extract");
}

}  // namespace
}  // namespace engine
