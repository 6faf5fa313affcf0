// What a rehearsal keeps of the C model's calls changes nothing: a case is made of the same terms
// with it and without.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>

// C, with structs that are called as functions are.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
extern "C" {
#include "engine/cache/digest.h"
#include "testbench/prove/equivalence/cases.h"
#include "testbench/prove/equivalence/model.h"
#include "testbench/prove/equivalence/report.h"
}
#pragma GCC diagnostic pop

namespace {

struct Free {
  void operator()(struct model *model) const { model_free(model); }
};
using Model = std::unique_ptr<struct model, Free>;

// A case, of a size.
struct Rehearsed {
  struct size size;
  const char *name;
};
void PrintTo(const Rehearsed &rehearsed, std::ostream *out) {
  char size[SIZE_NAME];
  *out << size_name(rehearsed.size, size) << ", " << rehearsed.name;
}

struct model_case CaseOf(const Rehearsed &rehearsed) {
  struct cases cases = cases_of(rehearsed.size, CASES_STANDARD);
  struct model_case found = {};
  bool is_found = false;
  for (size_t c = 0; c < cases.num_cases && !is_found; c++) {
    char name[CASE_NAME_SIZE];
    case_name(&cases.cases[c], name, sizeof name);
    is_found = std::strcmp(name, rehearsed.name) == 0;
    found = cases.cases[c];
  }
  cases_free(&cases);
  EXPECT_TRUE(is_found) << rehearsed.name;
  return found;
}

Model Make(const Rehearsed &rehearsed, bool is_rehearsed) {
  const struct model_case which = CaseOf(rehearsed);
  Model model(model_begin(PMUV3_MODEL_UB_BITCODE, rehearsed.size, &which, MODEL_CUT_SUMS));
  struct model_case example = {};
  example.access = which.access == MODEL_TRANSFER ? MODEL_TRANSFER : MODEL_NO_ACCESS;
  example.layout = which.layout;
  for (const bool cycle : {true, false}) {
    example.cycle = cycle;
    if (is_rehearsed) model_rehearse(model.get(), &example);
  }
  model_finish(model.get(), &which);
  return model;
}

// All that is made of a case, with a digest of each term.
std::string Described(const Rehearsed &rehearsed, bool is_rehearsed) {
  const Model model = Make(rehearsed, is_rehearsed);
  std::ostringstream text;
  const auto add = [&](const std::string &name, const term *terms, size_t number) {
    text << name << ":";
    for (size_t n = 0; n < number; n++) {
      struct digest digest = {};
      if (terms[n] != TERM_NONE) digest = digest_term(terms[n]);
      text << " " << std::hex << digest.words[0] << digest.words[1] << std::dec;
    }
    text << "\n";
  };
  const auto add_all = [&](const std::string &name, const auto &of) {
    const size_t size = sizeof of;
    add(name, reinterpret_cast<const term *>(&of), size / sizeof(term));
  };
  for (size_t c = 0; c < model->num_claims; c++) {
    const struct claim &claim = model->claims[c];
    add(std::string(claim.name) + (claim.is_promise ? " (promise)" : ""), &claim.condition, 1);
  }
  add("assumptions", model->assumptions, model->num_assumptions);
  add("particulars", model->particulars, model->num_particulars);
  add("denials", model->denials, model->num_denials);
  add("variables", model->variables, model->num_variables);
  add_all("inputs", model->inputs);
  add_all("now", model->now);
  add_all("next", model->next);
  add_all("copies", model->copies);
  add_all("values", model->values);
  add_all("cuts", model->cuts);
  add_all("maps", model->maps);
  add_all("groups", model->groups);
  add_all("eligible", model->eligible);
  add_all("sums", model->sums);
  add_all("contexts", model->contexts);
  add_all("answers", model->answers);
  text << "steps " << model->steps << ", trivial " << model->trivial << "\n";
  return text.str();
}

// In a process of its own, as cases are: terms are in the order in which they were made.
std::string DescribedAlone(const Rehearsed &rehearsed, bool is_rehearsed) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t pid = fork();
  if (pid == 0) {
    const std::string text = Described(rehearsed, is_rehearsed);
    FILE *to = fdopen(ends[1], "w");
    fwrite(text.data(), 1, text.size(), to);
    _exit(fclose(to) == 0 ? 0 : 1);
  }
  close(ends[1]);
  std::string text;
  char part[4096];
  for (ssize_t size; (size = read(ends[0], part, sizeof part)) > 0;)
    text.append(part, static_cast<size_t>(size));
  close(ends[0]);
  int status = -1;
  EXPECT_EQ(waitpid(pid, &status, 0), pid);
  EXPECT_EQ(status, 0);
  return text;
}

class RehearsalTest : public ::testing::TestWithParam<Rehearsed> {};

TEST_P(RehearsalTest, ChangesNothing) {
  std::istringstream rehearsed(DescribedAlone(GetParam(), true)),
      executed(DescribedAlone(GetParam(), false));
  std::string one, other;
  size_t lines = 0;
  for (; std::getline(executed, other); lines++) {
    ASSERT_TRUE(std::getline(rehearsed, one)) << other.substr(0, 100);
    ASSERT_EQ(one, other);
  }
  EXPECT_FALSE(std::getline(rehearsed, one)) << one;
  EXPECT_GT(lines, 1000u);
}

constexpr Rehearsed kRehearsed[] = {
    {{1, 2, 0}, "idle, cycle"},
    {{1, 2, 0}, "t0 writes PMSWINC_EL0, cycle"},
    {{1, 2, 0}, "t0 writes PMEVTYPER1_EL0, cycle"},
    {{1, 2, 0}, "t0 writes PMCR_EL0"},
    {{1, 2, 0}, "t0 reads PMXEVCNTR_EL0, SEL 1, cycle"},
    {{1, 2, 0}, "t0 changes its state"},
    {{1, 2, 0}, "t0 writes PMCNTENCLR_EL0 while its page waits"},
    {{1, 2, 0}, "cold reset"},
    {{1, 2, 0}, "EXT64, page 0 offset 0x400, cycle"},
    {{2, 1, 0}, "t1 writes PMEVTYPER0_EL0, cycle"},
};
INSTANTIATE_TEST_SUITE_P(Cases, RehearsalTest, ::testing::ValuesIn(kRehearsed));

}  // namespace
