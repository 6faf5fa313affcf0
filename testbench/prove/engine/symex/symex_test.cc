// Symbolic execution: functions on terms, against the same ones as gcc compiles them, on
// values at random and at the edges; and what it says must not happen, against when it does.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <ostream>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

extern "C" {
#include <llvm-c/BitReader.h>
}
#include "engine/symex/symex_test.h"

namespace engine {
namespace {

// As the C model is proved, and with traps where something undefined happens.
struct Code {
  const char *name;
  const char *bitcode;
  bool traps;
};
void PrintTo(const Code &code, std::ostream *out) {
  *out << code.name;
}
constexpr Code kCodes[] = {{"Plain", SYMEX_TEST_BITCODE, false},
                           {"Traps", SYMEX_TEST_UB_BITCODE, true}};

constexpr int kRuns = 500;
constexpr int kKnownRuns = 10;

// ---- Values ----

using Assignment = std::map<std::string, uint64_t>;

std::mt19937_64 &Random() {
  static std::mt19937_64 random(20);
  return random;
}

// At random, small, or at an edge of some width.
uint64_t Draw() {
  const uint64_t bits = Random()();
  const uint64_t edge = uint64_t{1} << (bits >> 8 & 63);
  switch (bits & 7) {
    case 0:
      return edge;
    case 1:
      return edge - 1;
    case 2:
      return -edge;
    case 3:
    case 4:
      return bits >> 16 & 15;
    case 5:
      return -(bits >> 16 & 15);
    case 6:
      return bits >> 16 & 255;
    default:
      return Random()();
  }
}

class Values {
 public:
  explicit Values(const Assignment &assignment, uint64_t undefined = 0)
      : assignment_(assignment), undefined_(undefined) {
    const auto value = [](term variable, uint64_t *words, void *with) {
      const auto *values = static_cast<Values *>(with);
      const auto found = values->assignment_.find(term_name(variable));
      *words = found == values->assignment_.end() ? values->undefined_ : found->second;
    };
    values_.reset(term_values_new(value, this));
  }
  Values(const Values &) = delete;
  Values &operator=(const Values &) = delete;

  uint64_t Of(term a) const { return *term_value(values_.get(), a); }

 private:
  const Assignment &assignment_;
  const uint64_t undefined_;
  std::unique_ptr<struct term_values, Free> values_;
};

// ---- Arguments ----

template <typename T>
constexpr uint32_t WidthOf() {
  if constexpr (std::is_pointer_v<T>)
    return 64;
  else
    return std::is_same_v<T, bool> ? 1 : 8 * sizeof(T);
}

template <typename T>
T DrawAs() {
  return static_cast<T>(std::is_same_v<T, bool> ? Draw() & 1 : Draw());
}

// The numbers of T's width alone.
template <typename T>
uint64_t Bits(T value) {
  return static_cast<uint64_t>(value) & (UINT64_MAX >> (64 - WidthOf<T>()));
}

constexpr size_t kCellWords = sizeof(struct cells) / 8;
static_assert(sizeof(struct cells) % 8 == 0);
using Cells = std::array<uint64_t, kCellWords>;

// Flags are mostly such as they may be.
Cells DrawCells() {
  Cells words;
  for (uint64_t &word : words) word = Draw();
  auto *bytes = reinterpret_cast<uint8_t *>(words.data());
  if (Random()() % 8 != 0)
    for (size_t part = 0; part < 4; part++)
      bytes[offsetof(struct cells, parts) + 4 * part + 3] &= 1;
  return words;
}

// ---- A function on terms ----

// Which arguments symbolic execution knows.
enum class Known { kNone, kFirst, kAll };

template <typename... A>
struct Case {
  std::tuple<A...> arguments;  // of a pointer: nothing
  Cells cells;
};

struct Verdict {
  int defined = 0;
  int wrong_values = 0;
  int wrong_obligations = 0;
};

class Runner {
 public:
  Runner(const Code &code, std::string name)
      : name_(std::move(name)), symex_(symex_new(code.bitcode)) {}

  template <typename... A>
  void Call(const Case<A...> &example, Known known) {
    std::vector<term> terms;
    std::apply([&](const A &...a) { (terms.push_back(Argument(a, terms.size(), known)), ...); },
               example.arguments);
    if (cells_ != 0) Fill(example.cells, known == Known::kAll);
    result_ = symex_call(symex_.get(), name_.c_str(), terms.data(), terms.size());
    for (size_t byte = 0; cells_ != 0 && byte < sizeof(struct cells); byte++)
      after_[byte] = symex_load(symex_.get(), cells_ + byte, 8);
  }

  template <typename... A>
  Assignment Assign(const Case<A...> &example) const {
    Assignment assignment;
    size_t number = 0;
    std::apply([&](const A &...a) { (Put(a, number++, assignment), ...); }, example.arguments);
    for (size_t word = 0; word < kCellWords; word++)
      assignment["cells" + std::to_string(word)] = example.cells[word];
    return assignment;
  }

  bool MayHappen(const Values &values) const {
    for (const struct symex_obligation &obligation : Obligations())
      if (values.Of(obligation.condition) == 0) return false;
    return true;
  }

  std::vector<struct symex_obligation> Obligations() const {
    const struct symex_obligation *obligations;
    size_t trivial;
    const size_t count = symex_obligations(symex_.get(), &obligations, &trivial);
    return {obligations, obligations + count};
  }

  term result() const { return result_; }

  Cells After(const Values &values) const {
    Cells words;
    for (size_t byte = 0; byte < sizeof(struct cells); byte++)
      reinterpret_cast<uint8_t *>(words.data())[byte] =
          static_cast<uint8_t>(values.Of(after_[byte]));
    return words;
  }

 private:
  template <typename T>
  term Argument(T value, size_t number, Known known) {
    if constexpr (std::is_pointer_v<T>) {
      cells_ = symex_object(symex_.get(), "cells", sizeof(struct cells));
      return term_const(64, cells_);
    } else {
      const uint32_t width = WidthOf<T>();
      if (known == Known::kAll || (known == Known::kFirst && number == 0))
        return term_const(width, Bits(value));
      return term_var(width, (name_ + "." + std::to_string(number)).c_str());
    }
  }

  template <typename T>
  void Put(T value, size_t number, Assignment &assignment) const {
    if constexpr (!std::is_pointer_v<T>)
      assignment[name_ + "." + std::to_string(number)] = Bits(value);
  }

  void Fill(const Cells &cells, bool known) {
    for (size_t word = 0; word < kCellWords; word++)
      symex_store(symex_.get(), cells_ + 8 * word,
                  known ? term_const(64, cells[word])
                        : term_var(64, ("cells" + std::to_string(word)).c_str()));
  }

  std::string name_;
  Symex symex_;
  uint64_t cells_ = 0;
  term result_ = TERM_NONE;
  std::array<term, sizeof(struct cells)> after_{};
};

// ---- Compared ----

template <typename R, typename... A>
using Native = R (*)(A...);
template <typename... A>
using Defined = std::function<bool(const struct cells *, A...)>;

template <typename... A>
Case<A...> DrawCase() {
  return {std::tuple<A...>(DrawAs<A>()...), DrawCells()};
}

template <>
struct cells *DrawAs<struct cells *>() {
  return nullptr;
}

template <typename R, typename... A>
class Comparison {
 public:
  Comparison(const Code &code, std::string name, Native<R, A...> native, Defined<A...> defined)
      : code_(code), name_(std::move(name)), native_(native), defined_(std::move(defined)) {}

  Verdict Run() {
    Runner unknown(code_, name_);
    unknown.Call(DrawCase<A...>(), Known::kNone);
    for (int run = 0; run < kRuns; run++) Compare(unknown, DrawCase<A...>());
    for (int run = 0; run < kKnownRuns; run++) {
      const Case<A...> example = DrawCase<A...>();
      if (!IsDefined(example)) continue;
      Runner first(code_, name_), all(code_, name_);
      first.Call(example, Known::kFirst);
      Compare(first, example);
      all.Call(example, Known::kAll);
      Compare(all, example);
    }
    return verdict_;
  }

 private:
  static struct cells *CellsOf(Cells &words) {
    return reinterpret_cast<struct cells *>(words.data());
  }

  bool IsDefined(const Case<A...> &example) const {
    Cells words = example.cells;
    return std::apply([&](const A &...a) { return defined_(CellsOf(words), a...); },
                      example.arguments);
  }

  // With its argument that is a pointer put in.
  R RunNative(const Case<A...> &example, Cells &words) const {
    const auto with_cells = [&](auto a) {
      if constexpr (std::is_pointer_v<decltype(a)>)
        return CellsOf(words);
      else
        return a;
    };
    return std::apply([&](const A &...a) { return native_(with_cells(a)...); }, example.arguments);
  }

  void Compare(const Runner &runner, const Case<A...> &example) {
    const Assignment assignment = runner.Assign(example);
    const Values values(assignment);
    const bool defined = IsDefined(example);
    verdict_.wrong_obligations += runner.MayHappen(values) != defined;
    if (!defined) return;
    verdict_.defined++;
    Cells words = example.cells;
    if constexpr (std::is_void_v<R>)
      RunNative(example, words);
    else
      verdict_.wrong_values += values.Of(runner.result()) != Bits(RunNative(example, words));
    if constexpr ((std::is_pointer_v<A> || ...))
      verdict_.wrong_values += runner.After(values) != words;
  }

  const Code &code_;
  std::string name_;
  Native<R, A...> native_;
  Defined<A...> defined_;
  Verdict verdict_;
};

// Deduced from the function alone.
template <typename T>
struct Same {
  using Type = T;
};

class SymexCodeTest : public ::testing::TestWithParam<Code> {
 protected:
  template <typename R, typename... A>
  static void ExpectSame(const char *name, Native<R, A...> native,
                         typename Same<Defined<A...>>::Type defined) {
    SCOPED_TRACE(name);
    const Verdict verdict = Comparison<R, A...>(GetParam(), name, native, std::move(defined)).Run();
    EXPECT_EQ(verdict.wrong_values, 0);
    EXPECT_EQ(verdict.wrong_obligations, 0);
    EXPECT_GT(verdict.defined, kRuns / 100);
  }

  template <typename R, typename... A>
  static void ExpectSame(const char *name, Native<R, A...> native) {
    ExpectSame<R, A...>(name, native, [](const struct cells *, A...) { return true; });
  }
};

std::string NameOf(const ::testing::TestParamInfo<Code> &info) {
  return info.param.name;
}
INSTANTIATE_TEST_SUITE_P(Prove, SymexCodeTest, ::testing::ValuesIn(kCodes), NameOf);

#define EXPECT_SAME(function) ExpectSame(#function, function)
#define EXPECT_SAME_IF(function, ...) ExpectSame(#function, function, __VA_ARGS__)

using NoCells = const struct cells *;

template <typename T>
bool Adds(T a, T b) {
  T sum;
  return !__builtin_add_overflow(a, b, &sum);
}

bool Subtracts(int32_t a, int32_t b) {
  int32_t difference;
  return !__builtin_sub_overflow(a, b, &difference);
}

bool Multiplies(int32_t a, int32_t b) {
  int32_t product;
  return !__builtin_mul_overflow(a, b, &product);
}

// ---- Instructions ----

TEST_P(SymexCodeTest, Arithmetic) {
  EXPECT_SAME(add_wraps);
  EXPECT_SAME(multiply_wraps);
  EXPECT_SAME(narrow);
  EXPECT_SAME(bitwise);
  EXPECT_SAME(divide_by_constant);
  EXPECT_SAME(compare_all);
  EXPECT_SAME(extend_signed);
  EXPECT_SAME(extend);
}

TEST_P(SymexCodeTest, SignedOverflow) {
  EXPECT_SAME_IF(add_signed, [](NoCells, int32_t a, int32_t b) { return Adds(a, b); });
  EXPECT_SAME_IF(add_signed_long, [](NoCells, int64_t a, int64_t b) { return Adds(a, b); });
  EXPECT_SAME_IF(subtract_signed, [](NoCells, int32_t a, int32_t b) { return Subtracts(a, b); });
  EXPECT_SAME_IF(multiply_signed, [](NoCells, int32_t a, int32_t b) { return Multiplies(a, b); });
  EXPECT_SAME_IF(negate_signed, [](NoCells, int32_t a) { return a != INT32_MIN; });
  EXPECT_SAME_IF(absolute, [](NoCells, int32_t a) { return a != INT32_MIN; });
}

TEST_P(SymexCodeTest, Division) {
  EXPECT_SAME_IF(divide, [](NoCells, uint32_t, uint32_t b) { return b != 0; });
  EXPECT_SAME_IF(remainder_of, [](NoCells, uint32_t, uint32_t b) { return b != 0; });
  const auto divides = [](NoCells, int32_t a, int32_t b) {
    return b != 0 && !(a == INT32_MIN && b == -1);
  };
  EXPECT_SAME_IF(divide_signed, divides);
  EXPECT_SAME_IF(remainder_signed, divides);
}

TEST_P(SymexCodeTest, Shifts) {
  EXPECT_SAME(shift_masked);
  if (!GetParam().traps) return;
  const auto shifts = [](NoCells, auto, uint32_t b) { return b < 32; };
  EXPECT_SAME_IF(shift_left, shifts);
  EXPECT_SAME_IF(shift_right, shifts);
  EXPECT_SAME_IF(shift_right_signed, shifts);
  EXPECT_SAME_IF(shift_long, [](NoCells, uint64_t, uint8_t b) { return b < 64; });
}

TEST_P(SymexCodeTest, Intrinsics) {
  EXPECT_SAME(count_ones);
  EXPECT_SAME_IF(leading_zeros, [](NoCells, uint32_t a) { return a != 0; });
  EXPECT_SAME_IF(trailing_zeros, [](NoCells, uint64_t a) { return a != 0; });
  EXPECT_SAME(swap_bytes);
  EXPECT_SAME(rotate);
  EXPECT_SAME(funnel);
  EXPECT_SAME(minimum);
  EXPECT_SAME(clamp_signed);
  EXPECT_SAME(add_saturates);
  EXPECT_SAME(subtract_saturates);
  EXPECT_SAME(unsigned_overflow);
  EXPECT_SAME(signed_overflow);
  EXPECT_SAME(multiply_overflow);
  EXPECT_SAME_IF(assumes, [](NoCells, uint32_t a) { return a < 100; });
  EXPECT_SAME(expects);
}

TEST_P(SymexCodeTest, Branches) {
  EXPECT_SAME(switch_table);
  EXPECT_SAME(switch_code);
  EXPECT_SAME_IF(switch_unreachable, [](NoCells, uint32_t a) { return a < 3; });
  EXPECT_SAME_IF(unreachable_if, [](NoCells, uint32_t a, uint32_t b) { return a <= 20 || a != b; });
  EXPECT_SAME(select_of);
  EXPECT_SAME(branches);
  EXPECT_SAME(short_circuit);
}

TEST_P(SymexCodeTest, Loops) {
  EXPECT_SAME(loop_known);
  EXPECT_SAME(loop_unknown);
  EXPECT_SAME(loop_until);
  EXPECT_SAME(loop_nested);
  EXPECT_SAME(loop_exits);
  EXPECT_SAME(loop_irreducible);
}

TEST_P(SymexCodeTest, Memory) {
  EXPECT_SAME(load_known);
  EXPECT_SAME(load_unknown);
  EXPECT_SAME(store_known);
  EXPECT_SAME(store_unknown);
  EXPECT_SAME(store_and_load);
  EXPECT_SAME(store_again);
  EXPECT_SAME(store_again_first);
  EXPECT_SAME(store_in_part);
  EXPECT_SAME(store_in_branches);
  EXPECT_SAME(through_bytes);
  EXPECT_SAME_IF(load_flag, [](NoCells cells, struct cells *, uint32_t) {
    uint8_t flag;
    memcpy(&flag, &cells->parts[1].flag, 1);
    return flag < 2;
  });
}

TEST_P(SymexCodeTest, BlocksOfMemory) {
  EXPECT_SAME(copy_known);
  EXPECT_SAME(copy_unknown);
  EXPECT_SAME(move_overlapping);
  EXPECT_SAME(set_known);
  EXPECT_SAME(set_unknown);
}

TEST_P(SymexCodeTest, Bounds) {
  EXPECT_SAME_IF(load_bounds, [](NoCells, uint64_t a) { return (a & 15) < 9; });
  EXPECT_SAME_IF(store_bounds, [](NoCells, uint64_t a, uint32_t) { return (a & 7) < 5; });
}

TEST_P(SymexCodeTest, GlobalVariables) {
  EXPECT_SAME(constant_table);
  EXPECT_SAME(constant_structs);
  EXPECT_SAME(global_variable);
  EXPECT_SAME_IF(global_constant_stored, [](NoCells, uint32_t a) { return a != 3; });
}

TEST_P(SymexCodeTest, LocalVariables) {
  EXPECT_SAME(local_array);
  EXPECT_SAME(local_histogram);
  EXPECT_SAME(local_struct);
}

TEST_P(SymexCodeTest, Pointers) {
  EXPECT_SAME(pointer_select);
  EXPECT_SAME(pointer_store);
  EXPECT_SAME(pointer_walk);
  EXPECT_SAME(pointer_difference);
  EXPECT_SAME_IF(pointer_rest, [](NoCells, struct cells *, uint32_t a) { return a % 4 == 0; });
  EXPECT_SAME(pointer_table);
  EXPECT_SAME(pointer_compare);
  EXPECT_SAME(pointer_null);
  EXPECT_SAME(pointer_list);
  EXPECT_SAME(pointer_number);
}

TEST_P(SymexCodeTest, Calls) {
  EXPECT_SAME(call_static);
  EXPECT_SAME(call_recursive);
  EXPECT_SAME(call_pair);
  EXPECT_SAME(call_by_value);
  EXPECT_SAME(call_writes);
  EXPECT_SAME_IF(call_pure_twice, [](NoCells, int32_t a, int32_t b) {
    return (a >= 10 && b >= 10) || (Multiplies(a, b) && a * b != INT32_MAX);
  });
}

// ---- What is undefined ----

// The code as the C model is proved.
constexpr const Code &kPlain = kCodes[0];

struct Seen {
  uint64_t with_zeros, with_ones;
  bool may_happen;
};

// What there is of a value for what is undefined, as 0 and as ones.
template <typename... A>
Seen See(const char *name, A... arguments) {
  Runner runner(kPlain, name);
  const Case<A...> example = {{arguments...}, {}};
  runner.Call(example, Known::kNone);
  const Assignment assignment = runner.Assign(example);
  const Values zeros(assignment, 0), ones(assignment, UINT64_MAX);
  return {zeros.Of(runner.result()), ones.Of(runner.result()), runner.MayHappen(zeros)};
}

// Compilers shift by too much where it does not matter.
TEST(SymexTest, AShiftByTooMuchIsAnyValue) {
  for (const char *name : {"shift_left", "shift_right", "shift_right_signed"}) {
    SCOPED_TRACE(name);
    for (const uint32_t amount : {32u, 33u, UINT32_MAX}) {
      const Seen seen = See(name, uint32_t{0x80000001}, amount);
      EXPECT_TRUE(seen.may_happen);
      EXPECT_EQ(seen.with_zeros, 0u);
      EXPECT_EQ(seen.with_ones, UINT32_MAX);
    }
    const Seen seen = See(name, uint32_t{0x80000001}, uint32_t{31});
    EXPECT_EQ(seen.with_zeros, seen.with_ones);
  }
}

TEST(SymexTest, MemoryThatIsNotWrittenIsAnyValue) {
  for (uint32_t a = 0; a < 2; a++) {
    for (uint32_t b = 0; b < 4; b++) {
      const Seen seen = See("local_undefined", a, b);
      const bool written = b == a || b == 2;
      EXPECT_EQ(seen.with_zeros, written ? local_undefined(a, b) : 0);
      EXPECT_EQ(seen.with_ones, written ? local_undefined(a, b) : UINT32_MAX);
    }
  }
}

// Where, and what.
TEST(SymexTest, ObligationsSayWhatTheyAre) {
  const auto said = [](const Code &code, const char *name, auto... arguments) {
    Runner runner(code, name);
    runner.Call(Case<decltype(arguments)...>{{arguments...}, {}}, Known::kNone);
    std::string all;
    for (const struct symex_obligation &obligation : runner.Obligations())
      all += std::string(obligation.what) + "\n";
    return all;
  };
  const struct {
    const char *what;
    std::string said;
  } cases[] = {
      {"add_signed: signed overflow", said(kPlain, "add_signed", 1, 2)},
      {"subtract_signed: signed overflow", said(kPlain, "subtract_signed", 1, 2)},
      {"multiply_signed: signed overflow", said(kPlain, "multiply_signed", 1, 2)},
      {"absolute: signed overflow", said(kPlain, "absolute", 1)},
      {"leading_zeros: zeros of 0", said(kPlain, "leading_zeros", 1u)},
      {"divide: division by 0", said(kPlain, "divide", 1u, 2u)},
      {"divide_signed: division overflow", said(kPlain, "divide_signed", 1, 2)},
      {"load_bounds: load out of bounds", said(kPlain, "load_bounds", uint64_t{1})},
      {"store_bounds: store out of bounds", said(kPlain, "store_bounds", uint64_t{1}, 2u)},
      {"global_constant_stored: store out of bounds", said(kPlain, "global_constant_stored", 1u)},
      {"unreachable_if: assumption", said(kPlain, "unreachable_if", 1u, 2u)},
      {"assumes: assumption", said(kPlain, "assumes", 1u)},
      {"load_flag: range of a load",
       said(kPlain, "load_flag", static_cast<struct cells *>(nullptr), 1u)},
      {"switch_unreachable: unreachable", said(kPlain, "switch_unreachable", 1u)},
      {"add_signed: undefined behaviour", said(kCodes[1], "add_signed", 1, 2)},
      {"shift_left: undefined behaviour", said(kCodes[1], "shift_left", 1u, 2u)},
  };
  for (const auto &[what, said_of_it] : cases) {
    EXPECT_NE(said_of_it.find(what), std::string::npos) << what << ", not:\n" << said_of_it;
    EXPECT_NE(said_of_it.find("symex/test_code.c:"), std::string::npos) << said_of_it;
  }
}

// ---- Where symbolic execution stops ----

#define EXPECT_STOP(statement, text) \
  EXPECT_EXIT(statement, ::testing::ExitedWithCode(2), "symex: .*" text)

template <typename... A>
void CallPlain(const char *name, Known known, A... arguments) {
  Runner(kPlain, name).Call(Case<A...>{{arguments...}, {}}, known);
}

TEST(SymexDeathTest, WhatItCannotRun) {
  struct cells *const none = nullptr;
  EXPECT_STOP(CallPlain("loop_bits", Known::kNone, uint16_t{1}),
              "test_code.c:[0-9]+: loop_bits: a loop that may not end");
  EXPECT_STOP(CallPlain("loop_endless", Known::kAll, 0u), "loop_endless: a loop that does not end");
  EXPECT_STOP(CallPlain("in_bounds", Known::kNone, none, uint64_t{1}),
              "in_bounds: an address that can be anywhere");
  EXPECT_STOP(CallPlain("call_unknown", Known::kNone, 1u),
              "call_unknown: a call of a function without a body");
  EXPECT_STOP(CallPlain("switch_unreachable", Known::kAll, 7u),
              "switch_unreachable: does not return");
}

TEST(SymexDeathTest, WrongCalls) {
  EXPECT_STOP(CallPlain("nothing", Known::kNone, 1u), "there is no function nothing");
  EXPECT_STOP(CallPlain("add_wraps", Known::kNone, 1u), "add_wraps: other arguments than it has");
  EXPECT_STOP(CallPlain("add_wraps", Known::kNone, 1u, uint64_t{2}),
              "add_wraps: other arguments than it has");
  EXPECT_STOP(CallPlain("add_wraps", Known::kNone, 1u, 2u, 3u),
              "add_wraps: other arguments than it has");
}

TEST(SymexTest, BitcodeThatIsNone) {
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(symex_new("/nowhere.bc"), nullptr);
  EXPECT_EQ(symex_new("/dev/null"), nullptr);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "symex: /nowhere.bc: No such file or directory\n"
            "symex: /dev/null: is not bitcode of LLVM 14\n");
}

// ---- Operations, all values of small widths ----

constexpr uint32_t kWidth = 4;
constexpr uint64_t kValues = uint64_t{1} << kWidth;

int64_t Signed(uint64_t value) {
  return static_cast<int64_t>(value << 60) >> 60;
}
bool FitsSigned(int64_t value) {
  return value >= -8 && value <= 7;
}
bool FitsUnsigned(int64_t value) {
  return value >= 0 && value < 16;
}

struct Outcome {
  int64_t exact;         // before it is cut to the width
  int64_t signed_exact;  // of the numbers with signs
  bool defined;          // without further promises
  bool without_rest;
};

Outcome Calculate(LLVMOpcode opcode, uint64_t a, uint64_t b) {
  const auto x = static_cast<int64_t>(a), y = static_cast<int64_t>(b);
  const int64_t sx = Signed(a), sy = Signed(b);
  switch (opcode) {
    case LLVMAdd:
      return {x + y, sx + sy, true, true};
    case LLVMSub:
      return {x - y, sx - sy, true, true};
    case LLVMMul:
      return {x * y, sx * sy, true, true};
    case LLVMUDiv:
      return {b == 0 ? 0 : x / y, 0, b != 0, b != 0 && x % y == 0};
    case LLVMURem:
      return {b == 0 ? 0 : x % y, 0, b != 0, true};
    case LLVMSDiv:
      return {b == 0 ? 0 : sx / sy, 0, b != 0 && (sx != -8 || sy != -1), b != 0 && sx % sy == 0};
    case LLVMSRem:
      return {b == 0 ? 0 : sx % sy, 0, b != 0 && (sx != -8 || sy != -1), true};
    case LLVMShl:
      return {x << y, sx * (int64_t{1} << y), b < kWidth, true};
    case LLVMLShr:
      return {x >> y, 0, b < kWidth, (a & ((1u << y) - 1)) == 0};
    case LLVMAShr:
      return {sx >> y, 0, b < kWidth, (a & ((1u << y) - 1)) == 0};
    case LLVMAnd:
      return {x & y, 0, true, true};
    case LLVMOr:
      return {x | y, 0, true, true};
    default:
      return {x ^ y, 0, true, true};
  }
}

// What a term is of two variables' values.
class Table {
 public:
  Table() : a_(term_var(kWidth, "a")), b_(term_var(kWidth, "b")) {
    for (uint64_t a = 0; a < kValues; a++)
      for (uint64_t b = 0; b < kValues; b++) assignments_.push_back({{"a", a}, {"b", b}});
    for (const Assignment &assignment : assignments_)
      values_.push_back(std::make_unique<Values>(assignment));
  }
  term a() const { return a_; }
  term b() const { return b_; }
  uint64_t Of(term value, uint64_t a, uint64_t b) const {
    return values_[a * kValues + b]->Of(value);
  }

 private:
  term a_, b_;
  std::vector<Assignment> assignments_;
  std::vector<std::unique_ptr<Values>> values_;
};

// As variables, and with one side constant.
void ForAllValues(
    const std::function<void(uint64_t a, uint64_t b, term x, term y, Table &)> &each) {
  Table table;
  for (uint64_t a = 0; a < kValues; a++) {
    for (uint64_t b = 0; b < kValues; b++) {
      each(a, b, table.a(), table.b(), table);
      each(a, b, term_const(kWidth, a), table.b(), table);
      each(a, b, table.a(), term_const(kWidth, b), table);
      each(a, b, term_const(kWidth, a), term_const(kWidth, b), table);
    }
  }
}

bool Holds(unsigned promises, const Outcome &outcome) {
  bool holds = outcome.defined;
  if ((promises & NO_UNSIGNED_WRAP) != 0) holds &= FitsUnsigned(outcome.exact);
  if ((promises & NO_SIGNED_WRAP) != 0) holds &= FitsSigned(outcome.signed_exact);
  if ((promises & EXACT) != 0) holds &= outcome.without_rest;
  return holds;
}

std::vector<unsigned> PromisesOf(LLVMOpcode opcode) {
  switch (opcode) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
      return {0, NO_UNSIGNED_WRAP, NO_SIGNED_WRAP, NO_UNSIGNED_WRAP | NO_SIGNED_WRAP};
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMLShr:
    case LLVMAShr:
      return {0, EXACT};
    default:
      return {0};
  }
}

TEST(OperationTest, Binary) {
  for (const LLVMOpcode opcode : {LLVMAdd, LLVMSub, LLVMMul, LLVMUDiv, LLVMURem, LLVMSDiv, LLVMSRem,
                                  LLVMShl, LLVMLShr, LLVMAShr, LLVMAnd, LLVMOr, LLVMXor}) {
    SCOPED_TRACE(opcode);
    for (const unsigned kind : PromisesOf(opcode)) {
      SCOPED_TRACE(kind);
      ForAllValues([&](uint64_t a, uint64_t b, term x, term y, Table &table) {
        const Outcome outcome = Calculate(opcode, a, b);
        struct promise promises[MAX_PROMISES];
        const size_t count = operation_promises(opcode, kind, x, y, promises);
        bool holds = true;
        for (size_t p = 0; p < count; p++) holds &= table.Of(promises[p].condition, a, b) != 0;
        ASSERT_EQ(holds, Holds(kind, outcome)) << a << " " << b;
        if (!outcome.defined) return;
        ASSERT_EQ(table.Of(operation_binary(opcode, x, y), a, b),
                  static_cast<uint64_t>(outcome.exact) % kValues)
            << a << " " << b;
      });
    }
  }
}

TEST(OperationTest, Comparisons) {
  ForAllValues([](uint64_t a, uint64_t b, term x, term y, Table &table) {
    const int64_t sa = Signed(a), sb = Signed(b);
    const struct {
      LLVMIntPredicate predicate;
      bool holds;
    } cases[] = {{LLVMIntEQ, a == b},   {LLVMIntNE, a != b},    {LLVMIntULT, a < b},
                 {LLVMIntULE, a <= b},  {LLVMIntUGT, a > b},    {LLVMIntUGE, a >= b},
                 {LLVMIntSLT, sa < sb}, {LLVMIntSLE, sa <= sb}, {LLVMIntSGT, sa > sb},
                 {LLVMIntSGE, sa >= sb}};
    for (const auto &[predicate, holds] : cases)
      ASSERT_EQ(table.Of(operation_compare(predicate, x, y), a, b), holds)
          << predicate << ": " << a << " " << b;
  });
}

TEST(OperationTest, Casts) {
  ForAllValues([](uint64_t a, uint64_t b, term x, term, Table &table) {
    ASSERT_EQ(table.Of(operation_cast(LLVMTrunc, x, 3), a, b), a & 7);
    ASSERT_EQ(table.Of(operation_cast(LLVMZExt, x, 9), a, b), a);
    ASSERT_EQ(table.Of(operation_cast(LLVMSExt, x, 9), a, b),
              static_cast<uint64_t>(Signed(a)) & 511);
    ASSERT_EQ(table.Of(operation_cast(LLVMIntToPtr, x, 64), a, b), a);
    ASSERT_EQ(table.Of(operation_cast(LLVMPtrToInt, x, 2), a, b), a & 3);
    ASSERT_EQ(operation_cast(LLVMBitCast, x, kWidth), x);
    ASSERT_EQ(operation_cast(LLVMFPToUI, x, kWidth), TERM_NONE);
  });
}

uint64_t Zeros(uint64_t a, bool from_top) {
  for (uint64_t zeros = 0; zeros < kWidth; zeros++)
    if ((a >> (from_top ? kWidth - 1 - zeros : zeros) & 1) != 0) return zeros;
  return kWidth;
}

uint64_t Reversed(uint64_t a) {
  return (a & 1) << 3 | (a & 2) << 1 | (a & 4) >> 1 | a >> 3;
}

TEST(OperationTest, Intrinsics) {
  ForAllValues([](uint64_t a, uint64_t b, term x, term y, Table &table) {
    const int64_t sa = Signed(a), sb = Signed(b);
    const uint64_t both = a << kWidth | b, amount = b % kWidth;
    const struct {
      const char *name;
      uint64_t value;
    } cases[] = {
        {"ctpop.i4", static_cast<uint64_t>(__builtin_popcountll(a))},
        {"ctlz.i4", Zeros(a, true)},
        {"cttz.i4", Zeros(a, false)},
        {"bitreverse.i4", Reversed(a)},
        {"abs.i4", static_cast<uint64_t>(sa < 0 ? -sa : sa)},
        {"umin.i4", a < b ? a : b},
        {"umax.i4", a > b ? a : b},
        {"smin.i4", sa < sb ? a : b},
        {"smax.i4", sa > sb ? a : b},
        {"uadd.sat.i4", a + b > 15 ? 15 : a + b},
        {"usub.sat.i4", a > b ? a - b : 0},
        {"fshl.i4", both << amount >> kWidth & 15},
        {"fshr.i4", both >> amount & 15},
    };
    for (const auto &[name, value] : cases) {
      const bool is_funnel = std::string(name).rfind("fsh", 0) == 0;
      const term arguments[] = {x, y, y};
      const term result = operation_intrinsic(name, arguments, is_funnel ? 3 : 2);
      ASSERT_EQ(table.Of(result, a, b), value) << name << ": " << a << " " << b;
    }
    const term arguments[] = {x, y};
    ASSERT_EQ(operation_intrinsic("sadd.sat.i4", arguments, 2), TERM_NONE);
  });
}

// Where an argument says that some value makes the result undefined.
TEST(OperationTest, PromisesOfIntrinsics) {
  ForAllValues([](uint64_t a, uint64_t b, term x, term, Table &table) {
    for (const char *name : {"abs.i4", "ctlz.i4", "cttz.i4"}) {
      const term is_undefined[] = {x, TERM_TRUE}, is_defined[] = {x, TERM_FALSE};
      struct promise made[MAX_PROMISES];
      ASSERT_EQ(operation_intrinsic_promises(name, is_defined, 2, made), 0u);
      ASSERT_EQ(operation_intrinsic_promises(name, is_undefined, 2, made), 1u);
      ASSERT_EQ(table.Of(made[0].condition, a, b), a != (name[0] == 'a' ? 8 : 0)) << name;
    }
  });
}

// ---- The tests themselves ----

// All instructions and intrinsics that symbolic execution knows are in the functions run here.
TEST(SymexTest, EveryInstructionIsRun) {
  std::set<LLVMOpcode> opcodes;
  std::set<std::string> intrinsics;
  for (const Code &code : kCodes) {
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef module;
    ASSERT_FALSE(LLVMCreateMemoryBufferWithContentsOfFile(code.bitcode, &buffer, nullptr));
    ASSERT_FALSE(LLVMParseBitcode2(buffer, &module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f != nullptr; f = LLVMGetNextFunction(f)) {
      size_t length;
      const std::string name = LLVMGetValueName2(f, &length);
      if (name.rfind("llvm.", 0) == 0) intrinsics.insert(name.substr(5, name.find('.', 5) - 5));
      for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
          opcodes.insert(LLVMGetInstructionOpcode(i));
    }
    LLVMDisposeModule(module);
    LLVMDisposeMemoryBuffer(buffer);
  }
  for (const LLVMOpcode opcode :
       {LLVMAdd,    LLVMSub,          LLVMMul,     LLVMUDiv, LLVMSDiv,        LLVMURem,
        LLVMSRem,   LLVMShl,          LLVMLShr,    LLVMAShr, LLVMAnd,         LLVMOr,
        LLVMXor,    LLVMICmp,         LLVMTrunc,   LLVMZExt, LLVMSExt,        LLVMPtrToInt,
        LLVMSelect, LLVMIntToPtr,     LLVMBitCast, LLVMLoad, LLVMStore,       LLVMGetElementPtr,
        LLVMCall,   LLVMExtractValue, LLVMAlloca,  LLVMBr,   LLVMInsertValue, LLVMSwitch,
        LLVMRet,    LLVMUnreachable,  LLVMPHI})
    EXPECT_EQ(opcodes.count(opcode), 1u) << opcode;
  for (const char *name :
       {"memcpy", "memmove", "memset", "lifetime", "assume", "uadd", "sadd", "umul", "usub",
        "ctpop", "ctlz", "cttz", "bswap", "fshl", "fshr", "abs", "ubsantrap"})
    EXPECT_EQ(intrinsics.count(name), 1u) << name;
}

// A function is told from another one, and its obligations from none.
TEST(SymexTest, WrongValuesAreSeen) {
  const Defined<uint32_t, uint32_t> always = [](NoCells, uint32_t, uint32_t) { return true; };
  const Verdict same =
      Comparison<uint32_t, uint32_t, uint32_t>(kPlain, "minimum", minimum, always).Run();
  EXPECT_EQ(same.wrong_values, 0);
  const Verdict other =
      Comparison<uint32_t, uint32_t, uint32_t>(kPlain, "minimum", subtract_saturates, always).Run();
  EXPECT_GT(other.wrong_values, 0);
}

TEST(SymexTest, WrongMemoryIsSeen) {
  using Same = Comparison<void, struct cells *, uint32_t, uint64_t>;
  const auto always = [](NoCells, struct cells *, uint32_t, uint64_t) { return true; };
  const auto other = [](struct cells *cells, uint32_t a, uint64_t b) {
    store_unknown(cells, a, b);
    if ((a & 63) == 5) cells->parts[3].middle ^= 1;
  };
  EXPECT_EQ(Same(kPlain, "store_unknown", store_unknown, always).Run().wrong_values, 0);
  EXPECT_GT(Same(kPlain, "store_unknown", other, always).Run().wrong_values, 0);
}

TEST(SymexTest, WrongObligationsAreSeen) {
  using Same = Comparison<uint32_t, uint32_t, uint32_t>;
  const auto always = [](NoCells, uint32_t, uint32_t) { return true; };
  const auto other = [](NoCells, uint32_t, uint32_t b) { return b != 0; };
  const Native<uint32_t, uint32_t, uint32_t> nothing = [](uint32_t, uint32_t) { return 0u; };
  EXPECT_EQ(Same(kPlain, "divide", nothing, other).Run().wrong_obligations, 0);
  EXPECT_GT(Same(kPlain, "divide", nothing, always).Run().wrong_obligations, 0);
  EXPECT_GT(Same(kPlain, "add_wraps", nothing, other).Run().wrong_obligations, 0);
}

}  // namespace
}  // namespace engine
