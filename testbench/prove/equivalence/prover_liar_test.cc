// prover: a solver that differs once is not forgotten. A stand-in for CaDiCaL lies to the first
// question and then dies, so that z3 and cvc5 prove what is asked again.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "engine/sat/cadical.h"
#include "engine/smt/solver_test.h"

// C, with structs that are called as functions are.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
extern "C" {
#include "testbench/prove/equivalence/prover.h"
#include "testbench/prove/interference/interference_run.h"
}
#pragma GCC diagnostic pop

// --- The stand-in -------------------------------------------------------------------------------

enum class Lie {
  kUnsat,  // without a proof
  kSat,    // and everything is 0
};

static Lie lie;
static bool dies = true;
static unsigned *asked;  // in all processes: each death takes a new one

struct cadical {};

cadical *cadical_new() {
  return new cadical;
}

void cadical_free(cadical *old) {
  delete old;
}

void cadical_add(cadical *, int) {}

bool cadical_can_be_true(cadical *, int) {
  if (++*asked > 1 && dies) std::abort();
  return lie == Lie::kSat;
}

bool cadical_value(cadical *, int) {
  return false;
}

const unsigned char *cadical_proof(cadical *, std::size_t *size) {
  static const unsigned char nothing = 0;
  *size = 0;
  return &nothing;
}

namespace {

using engine::True;

constexpr char kRejected[] = "cadical: unsat, but its certificate does not hold";

std::vector<std::string> troubles;  // of what was not proved

void Answered(const char *, const struct result *) {}

void Failed(const struct shortfall *shortfall, const struct model *) {
  EXPECT_EQ(shortfall->answer, ANSWER_DISAGREE);
  troubles.emplace_back(shortfall->trouble != nullptr ? shortfall->trouble : "");
}

// The clock of a real model, under no assumption: its questions are ours.
const struct model *TheModel() {
  const struct model_case idle = {};
  struct model *model = model_new(PMUV3_MODEL_BITCODE, {1, 2, 0}, &idle, MODEL_CUT_STAGES);
  model->num_assumptions = model->num_particulars = 0;
  return model;
}

class ProverLiarTest : public engine::SolverTest {
 protected:
  ProverLiarTest() {
    void *shared =
        mmap(nullptr, sizeof *asked, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    asked = static_cast<unsigned *>(shared);
  }

  // Proves so many assertions that are true.
  struct tally Prove(Lie what, std::size_t number, bool stop) {
    static const struct model *const model = TheModel();
    static char name_a[] = "a", name_d[] = "d";
    struct assertion assertions[] = {Assertion(name_a), Assertion(name_d)};
    struct theorem theorem = {};
    theorem.assertions = assertions;
    theorem.num_assertions = number;
    struct prover_options options = {};
    options.cache = proof_cache_open(nullptr);
    options.solver = {1, 20, nullptr, nullptr, nullptr, nullptr, false};
    options.patience = 20;
    options.stop = stop;
    options.answered = Answered;
    options.failed = Failed;
    lie = what;
    *asked = 0;
    troubles.clear();
    struct tally tally;
    EXPECT_TRUE(prover_run(&theorem, model, &options, &tally));
    EXPECT_GT(*asked, 1u) << "it was not asked again";
    proof_cache_close(options.cache);
    return tally;
  }

  // The first assertion is not proved, for this reason.
  void ExpectDisagreement(Lie what, std::size_t number, bool stop, const std::string &why) {
    SCOPED_TRACE(why);
    const struct tally tally = Prove(what, number, stop);
    EXPECT_FALSE(tally_is_proved(&tally));
    EXPECT_EQ(tally.disagreed, 1u);
    EXPECT_EQ(tally.refuted + tally.unknown, 0u);
    EXPECT_EQ(tally.by_solvers, stop ? 0 : number - 1);
    EXPECT_EQ(troubles, std::vector<std::string>{why});
  }

 private:
  static struct assertion Assertion(char *name) {
    struct assertion assertion = {};
    assertion.name = name;
    assertion.condition = True(name);
    assertion.sides[0] = assertion.sides[1] = TERM_NONE;
    assertion.counter = -1;
    return assertion;
  }
};

TEST_F(ProverLiarTest, InASession) {
  ExpectDisagreement(Lie::kUnsat, 2, false, kRejected);
  ExpectDisagreement(Lie::kSat, 2, false, "cadical: sat in a session");
}

// In a session that looks for the first shortfall.
TEST_F(ProverLiarTest, BeforeTheFirstShortfall) {
  ExpectDisagreement(Lie::kUnsat, 2, true, kRejected);
  ExpectDisagreement(Lie::kSat, 2, true, "cadical: sat in a session");
}

// A question that is alone is in no session. It is asked again with more patience.
TEST_F(ProverLiarTest, ByItself) {
  ExpectDisagreement(Lie::kUnsat, 1, false, kRejected);
  ExpectDisagreement(Lie::kSat, 1, false, "cadical: sat, with a model that does not hold");
}

// What must fail in a proof of non-interference, does, and is no success if a certificate of the
// contrary did not hold.
unsigned rejected;

void FailedOfPlace(const char *, bool must_fail, const struct result *result) {
  rejected += must_fail && result->answer == ANSWER_REFUTED ? 1 : 0;
}

TEST_F(ProverLiarTest, WhatMustFail) {
  const struct model *model =
      model_new(PMUV3_MODEL_BITCODE, {1, 2, 0}, &interference_case, MODEL_CUT_STAGES);
  struct place_options options = {};
  options.solver = {1, 2, nullptr, nullptr, nullptr, nullptr, false};
  options.patience = 2;
  options.answered = Answered;
  options.failed = FailedOfPlace;
  struct place_report report = {};
  lie = Lie::kUnsat;
  dies = false;
  rejected = 0;
  ASSERT_TRUE(place_prove(model, SECURE, &options, &report));
  dies = true;
  EXPECT_GT(rejected, 0u);
  EXPECT_FALSE(place_is_proved(&report));
  EXPECT_STRNE(report.shortfall, "");
}

}  // namespace
