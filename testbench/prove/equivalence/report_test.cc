// report: what lacks an answer gives no verdict, and is never a result of the whole set. A case
// that says nothing is not proved.
#include <gtest/gtest.h>
#include <json-c/json.h>

#include <cstdlib>
#include <filesystem>
#include <string>

// C, with structs that are called as functions are.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
extern "C" {
#include "testbench/prove/equivalence/report.h"
}
#pragma GCC diagnostic pop

namespace {

// Of the cases of one size and two places, nothing is left out.
class ReportTest : public ::testing::Test {
 protected:
  ReportTest() {
    options_.bitcode = "absent";
    options_.json = json_.c_str();
    options_.set = CASES_STANDARD;
    options_.theorems = BOTH_THEOREMS;
    options_.part = options_.parts = 1;
    options_.sizes[0] = {1, 0, 0};
    options_.interference[0] = {1, 2, 0};
    options_.num_sizes = options_.num_interference = 1;
    report_ = report_new(&options_);
    report_expect(report_, 0, &cases_);
    for (const enum place place : {SECURE, EL2}) report_expect_place(report_, 0, place);
  }
  ~ReportTest() override {
    cases_free(&cases_);
    std::filesystem::remove_all(folder_);
  }

  struct case_report Case(size_t number, bool is_proved = true) const {
    struct case_report of_case = {};
    of_case.which = cases_.cases[number];
    of_case.tally.assertions = 1;
    of_case.tally.by_structure = 1;
    of_case.tally.refuted = is_proved ? 0 : 1;
    of_case.state_bits = of_case.input_bits = 1;
    return of_case;
  }
  void AddCases(size_t number, bool is_proved = true) {
    for (size_t c = 0; c < number; c++) {
      const struct case_report of_case = Case(c, is_proved);
      report_add(report_, &of_case);
    }
  }
  // All cases and places, of which the last case has other bits than the others.
  void AddAllButLastCase(size_t state_bits, size_t input_bits) {
    const size_t last = cases_.num_cases - 1;
    struct case_report of_case = Case(last);
    of_case.state_bits = state_bits;
    of_case.input_bits = input_bits;
    EXPECT_EQ(report_is_case_proved(&of_case), state_bits > 0 && input_bits > 0);
    AddCases(last);
    report_add(report_, &of_case);
    for (const enum place place : {SECURE, EL2}) AddPlace(place);
  }
  void AddPlace(enum place place, bool is_proved = true) {
    struct place_report of_place = {};
    of_place.place = place;
    of_place.questions = of_place.must_fail = of_place.refuted = 1;
    of_place.proved = is_proved ? 1 : 0;
    report_add_place(report_, &of_place);
  }

  // Ends with a verdict: whether all is proved, and whether that is of the whole set.
  void ExpectVerdict(bool is_proved, bool is_whole) {
    EXPECT_TRUE(report_has_verdict(report_));
    EXPECT_EQ(report_end(report_), is_proved);
    json_object *json = json_object_from_file(json_.c_str());
    ASSERT_NE(json, nullptr);
    EXPECT_EQ(Is(json, "proved"), is_proved);
    EXPECT_EQ(Is(json, "whole"), is_whole);
    json_object_put(json);
  }
  // Ends without one. The result is not written, so that the program can say why.
  void ExpectNoVerdict() {
    EXPECT_FALSE(report_has_verdict(report_));
    EXPECT_FALSE(report_end(report_));
    EXPECT_FALSE(std::filesystem::exists(json_));
  }

  struct cases cases_ = cases_of({1, 0, 0}, CASES_STANDARD);

 private:
  static bool Is(json_object *json, const char *key) {
    json_object *value = nullptr;
    EXPECT_TRUE(json_object_object_get_ex(json, key, &value)) << key;
    return json_object_get_boolean(value) != 0;
  }

  std::string name_ = testing::TempDir() + "report_test.XXXXXX";
  const std::string folder_ = mkdtemp(name_.data());
  const std::string json_ = folder_ + "/prove.json";
  struct prove_options options_ = {};
  struct report *report_;
};

TEST_F(ReportTest, Everything) {
  AddCases(cases_.num_cases);
  for (const enum place place : {SECURE, EL2}) AddPlace(place);
  ExpectVerdict(true, true);
}

TEST_F(ReportTest, OneCaseHasNoStateBits) {
  AddAllButLastCase(0, 1);
  ExpectVerdict(false, true);
}

TEST_F(ReportTest, OneCaseHasNoFreeBits) {
  AddAllButLastCase(1, 0);
  ExpectVerdict(false, true);
}

TEST_F(ReportTest, EveryCaseHasBits) {
  AddAllButLastCase(2, 2);
  ExpectVerdict(true, true);
}

TEST_F(ReportTest, WithoutAPlace) {
  AddCases(cases_.num_cases);
  AddPlace(SECURE);
  ExpectNoVerdict();
}

TEST_F(ReportTest, WithoutACase) {
  AddCases(cases_.num_cases - 1);
  for (const enum place place : {SECURE, EL2}) AddPlace(place);
  ExpectNoVerdict();
}

// As --stop leaves it: what is refuted is refuted, whatever else is missing.
TEST_F(ReportTest, WithoutThoseAfterARefutedCase) {
  AddCases(1, false);
  ExpectVerdict(false, false);
}

TEST_F(ReportTest, WithoutThoseAfterARefutedPlace) {
  AddCases(cases_.num_cases);
  AddPlace(EL2, false);
  ExpectVerdict(false, false);
}

TEST_F(ReportTest, RefutedAndNothingMissing) {
  AddCases(cases_.num_cases);
  AddPlace(SECURE);
  AddPlace(EL2, false);
  ExpectVerdict(false, true);
}

}  // namespace
