// A case of the registers that are none denies each register. What does not depend on the register
// needs none of that, so it is proved once for this case and for others.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

// C, with structs that are called as functions are.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
extern "C" {
#include "testbench/prove/equivalence/model.h"
}
#pragma GCC diagnostic pop

namespace {

struct Free {
  void operator()(struct model *model) const { model_free(model); }
};
using Model = std::unique_ptr<struct model, Free>;

Model ReadOf(bool is_unknown) {
  struct model_case which = {};
  which.access = MODEL_READ;
  which.is_unknown = is_unknown;
  const struct size size = {1, 1, 0};
  return Model(model_new(PMUV3_MODEL_UB_BITCODE, size, &which, MODEL_CUT_SUMS));
}

TEST(DenialsTest, OnlyWhatDependsOnTheRegisterNeedsThem) {
  const Model model = ReadOf(true);
  const term reg = model->inputs.thread[0].reg;
  const size_t all = model->num_assumptions;
  ASSERT_GT(model->num_denials, 0u);
  EXPECT_EQ(model_num_needed(model.get(), term_eq(reg, term_const(16, 0x1234))), all);
  EXPECT_EQ(model_num_needed(model.get(), term_any(model->inputs.thread[0].pe)),
            all - model->num_denials);
}

TEST(DenialsTest, AreTheOnlyAssumptionsOfTheRegisterAndTheLast) {
  const Model model = ReadOf(true);
  const term reg = model->inputs.thread[0].reg;
  const size_t others = model->num_assumptions - model->num_denials;
  for (size_t a = 0; a < model->num_assumptions; a++)
    EXPECT_EQ(term_depends_on(model->assumptions[a], reg), a >= others) << a;
}

// The registers that are cases each have encodings of 16 bits. Some encoding is none of theirs.
TEST(DenialsTest, LeaveARegister) {
  const Model model = ReadOf(true);
  EXPECT_LT(model->num_denials, size_t{1} << 16);
}

TEST(DenialsTest, OthersHaveNone) {
  const Model model = ReadOf(false);
  EXPECT_EQ(model->num_denials, 0u);
  EXPECT_EQ(model_num_needed(model.get(), TERM_FALSE), model->num_assumptions);
}

}  // namespace
