// What is kept of calls: a call that is not executed again does the same as one that is, whatever
// byte is another one than it was.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <vector>

#include "engine/symex/symex_test.h"

namespace engine {
namespace {

using Mark = std::unique_ptr<struct symex_mark, Free>;

// Everything that a call leaves.
struct Left {
  std::vector<term> bytes;
  term result;
  std::vector<std::tuple<term, std::string, bool>> obligations;
  size_t trivial, steps;

  bool operator==(const Left &other) const {
    return bytes == other.bytes && result == other.result && obligations == other.obligations &&
           trivial == other.trivial && steps == other.steps;
  }
};

// A program with one object, each byte of which is a variable.
class Program {
 public:
  explicit Program(const char *bitcode = SYMEX_TEST_UB_BITCODE)
      : symex_(symex_new(bitcode)),
        cells_(symex_object(symex_.get(), "cells", sizeof(struct cells))) {
    for (size_t byte = 0; byte < sizeof(struct cells); byte++)
      Store(byte, term_var(8, ("memo.byte" + std::to_string(byte)).c_str()));
  }

  struct symex *symex() {
    return symex_.get();
  }
  void Store(size_t byte, term value) { symex_store(symex_.get(), cells_ + byte, value); }

  term Call(const char *function, const char *argument) {
    const term arguments[] = {term_const(64, cells_),
                              term_var(32, (std::string("memo.") + argument).c_str())};
    return symex_call(symex_.get(), function, arguments, 2);
  }

  Left Leave(const char *function, const char *argument) {
    Left left;
    left.result = Call(function, argument);
    for (size_t byte = 0; byte < sizeof(struct cells); byte++)
      left.bytes.push_back(symex_load(symex_.get(), cells_ + byte, 8));
    const struct symex_obligation *obligations;
    const size_t number = symex_obligations(symex_.get(), &obligations, &left.trivial);
    for (size_t o = 0; o < number; o++)
      left.obligations.emplace_back(obligations[o].condition, obligations[o].what,
                                    obligations[o].is_promise);
    left.steps = symex_steps(symex_.get());
    return left;
  }

  // Calls these functions, keeps what they do, and takes them back.
  void Rehearse(const std::vector<const char *> &functions) {
    const Mark mark(symex_mark(symex_.get()));
    symex_remember(symex_.get(), true);
    for (const char *function : functions) {
      Call(function, "a");
      symex_back(symex_.get(), mark.get());
    }
    symex_remember(symex_.get(), false);
    symex_drop(symex_.get(), mark.get());
  }

  size_t recalled() { return symex_recalled(symex_.get()); }

 private:
  Symex symex_;
  uint64_t cells_;
};

using Change = std::function<void(Program *)>;

// Two programs, one of which keeps the calls of some functions.
class Both {
 public:
  explicit Both(const std::vector<const char *> &rehearsed) {
    keeping_.Rehearse(rehearsed);
    plain_mark_.reset(symex_mark(plain_.symex()));
    keeping_mark_.reset(symex_mark(keeping_.symex()));
  }

  // After a change, a call leaves the same in both. Whether some call was not executed again.
  bool IsRecalled(const char *function, const Change &change, const char *argument) {
    const size_t before = keeping_.recalled();
    change(&plain_);
    change(&keeping_);
    const Left left = plain_.Leave(function, argument), again = keeping_.Leave(function, argument);
    EXPECT_TRUE(left == again) << function;
    symex_drop(plain_.symex(), plain_mark_.get());
    symex_drop(keeping_.symex(), keeping_mark_.get());
    return keeping_.recalled() > before;
  }

 private:
  Program plain_, keeping_;
  Mark plain_mark_, keeping_mark_;
};

bool IsRecalled(const std::vector<const char *> &rehearsed, const char *function,
                const Change &change, const char *argument) {
  return Both(rehearsed).IsRecalled(function, change, argument);
}

constexpr const char *kFunctions[] = {"keep_first", "keep_second"};

void DoNothing(Program *) {}

TEST(MemoTest, ACallAsItWas) {
  for (const char *function : kFunctions) {
    EXPECT_TRUE(IsRecalled({function}, function, DoNothing, "a"));
    EXPECT_TRUE(IsRecalled({"keep_first", "keep_second"}, function, DoNothing, "a"));
    EXPECT_FALSE(IsRecalled({}, function, DoNothing, "a"));
  }
}

TEST(MemoTest, OtherArguments) {
  for (const char *function : kFunctions)
    EXPECT_FALSE(IsRecalled({"keep_first", "keep_second"}, function, DoNothing, "b"));
}

// A byte that is read, one that is written, on one path or on each, and one that is neither.
TEST(MemoTest, AnotherByte) {
  const size_t longs = offsetof(struct cells, longs), words = offsetof(struct cells, words);
  Both sum({"keep_sum"}), first({"keep_first"}), second({"keep_second"});
  for (size_t byte = 0; byte < sizeof(struct cells); byte++) {
    SCOPED_TRACE(byte);
    for (const term value : {term_var(8, "memo.other"), term_const(8, 0), term_const(8, 7)}) {
      const Change change = [=](Program *program) { program->Store(byte, value); };
      const bool is_summed = byte >= longs && byte < longs + sizeof(cells::longs);
      EXPECT_EQ(sum.IsRecalled("keep_sum", change, "a"), !is_summed);
      first.IsRecalled("keep_first", change, "a");
      const bool is_recalled = second.IsRecalled("keep_second", change, "a");
      if (byte >= words + 2 * sizeof(uint32_t) && byte < words + sizeof(cells::words)) {
        EXPECT_TRUE(is_recalled);
      }
    }
  }
}

// What has the value already that is written: with another one it is written, too.
TEST(MemoTest, AByteThatIsWrittenAsItWas) {
  for (const size_t byte : {size_t{0}, size_t{2}, offsetof(struct cells, parts[3].middle)}) {
    const term written = term_const(8, byte == 2 ? 7 : 0);
    Program plain, keeping;
    keeping.Store(byte, written);
    keeping.Rehearse({"keep_second"});
    for (Program *program : {&plain, &keeping}) program->Store(byte, term_var(8, "memo.other"));
    EXPECT_TRUE(plain.Leave("keep_second", "a") == keeping.Leave("keep_second", "a")) << byte;
  }
}

// A call of an inner function that is not executed again belongs to the outer one all the same.
TEST(MemoTest, InnerCalls) {
  const size_t read = offsetof(struct cells, longs[2]);
  for (size_t byte = read; byte < read + sizeof(uint64_t); byte++) {
    const Change change = [=](Program *program) {
      program->Store(byte, term_var(8, "memo.other"));
    };
    EXPECT_FALSE(IsRecalled({"keep_sum", "keep_first", "keep_second"}, "keep_second", change, "a"));
  }
}

// Two values that are undefined are two variables.
TEST(MemoTest, UndefinedValues) {
  Program program;
  const uint64_t object = symex_object(program.symex(), "undefined", sizeof(struct cells));
  for (size_t at = 0; at < sizeof(struct cells); at += 2)
    symex_store(program.symex(), object + at, term_const(8, 1));
  const term arguments[] = {term_const(64, object), term_var(32, "memo.a")};
  const auto call = [&] { return symex_call(program.symex(), "keep_sum", arguments, 2); };
  const Mark mark(symex_mark(program.symex()));
  symex_remember(program.symex(), true);
  const term first = call();
  symex_back(program.symex(), mark.get());
  EXPECT_NE(call(), first);
}

void Count(void *with, const term *, bool) {
  ++*static_cast<int *>(with);
}

// Who watches a function is called each time.
TEST(MemoTest, WatchedFunctions) {
  Program program;
  int watched = 0;
  symex_watch(program.symex(), "collect", Count, &watched);
  const Mark mark(symex_mark(program.symex()));
  symex_remember(program.symex(), true);
  for (int calls = 1; calls <= 2; calls++) {
    program.Call("keep_first", "a");
    symex_back(program.symex(), mark.get());
    EXPECT_EQ(watched, 2 * calls);
  }
  EXPECT_GT(program.recalled(), 0u);
}

TEST(MemoTest, BackToAMark) {
  Program program;
  const Mark mark(symex_mark(program.symex()));
  const Left first = program.Leave("keep_first", "a");
  EXPECT_FALSE(first.obligations.empty());
  symex_drop(program.symex(), mark.get());
  EXPECT_TRUE(program.Leave("keep_first", "a") == first);
}

}  // namespace
}  // namespace engine
