// The failure report of two C models, one of which is bent in one signal: the chain must mark this
// signal, in this step, and point to its stage.
#include "testbench/cosim/failure_report/report.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>
#include <string>

#include "pmuv3/registers.h"
#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/json_text.h"
#include "testbench/cosim/cli/own.h"
#include "testbench/tests/unit/bent_side.h"

namespace {

std::function<void(BentSide *)> bend;

void MakeBent(pmuv3_side *sides[PMUV3_NUM_SIDES], const pmuv3_params *params, uint32_t) {
  BentSide *bent = NewBentSide(*params);
  bend(bent);
  sides[PMUV3_CMODEL] = pmuv3_side_cmodel(params);
  sides[PMUV3_RTL] = bent;
}

// Counter 3 of thread 1 filters EL0 and sums over both threads; cycle 2 is line 10.
const char kFile[] =
    "pmuv3-stimulus 1\n"
    "param counters=4 threads=2\n"
    "write @1 PMEVTYPER3_EL0 0x42000008  # U, MT\n"
    "write @1 PMCNTENSET_EL0 0x8\n"
    "write @1 PMCR_EL0 1\n"
    "cycle 0x0008:1\n"
    "cycle 0x0008:2@1\n"
    "msr @1 PMCNTENSET_EL0 0x8\n"
    "mrs @1 PMCR_EL0\n"
    "cycle 0x0008:3@1 @1:msr:PMSELR_EL0=2\n"
    "expect @1 PMCEID0_EL0 0\n"
    "extr @1 0xfa8\n"
    "cycle\n";

class ChainTest : public ::testing::Test {
 protected:
  ~ChainTest() override {
    pmuv3_observation_free(&observation_);
    if (is_read_) pmuv3_stimulus_free(&stimulus_);
  }

  pmuv3_observe_end Find(std::function<void(BentSide *)> by, const char *text = kFile) {
    char error[512];
    bend = by;
    FILE *in = fmemopen(const_cast<char *>(text), std::strlen(text), "r");
    is_read_ = pmuv3_stimulus_read(&stimulus_, in, "test", error, sizeof error);
    std::fclose(in);
    EXPECT_TRUE(is_read_) << error;
    const pmuv3_observe_end observed = pmuv3_observe(&observation_, &stimulus_, MakeBent, 1);
    observation_.text = text;
    if (observed == PMUV3_OBSERVED) pmuv3_chain_find(&chain_, &observation_);
    return observed;
  }

  // From cycle 2 on a probe of thread 1 is bent.
  void FindInProbe(std::function<void(pmuv3_probe *)> by) {
    const auto from_2 = [by](uint64_t cycle, pmuv3_probe *probe) {
      if (cycle >= 2) by(probe);
    };
    ASSERT_EQ(Find([=](BentSide *bent) {
                bent->thread = 1;
                bent->bend_probe = from_2;
              }),
              PMUV3_OBSERVED);
  }

  void ExpectFirst(const char *signal, int counter, uint32_t line, pmuv3_stage stage,
                   unsigned thread = 1) {
    EXPECT_STREQ(chain_.name, signal);
    EXPECT_EQ(chain_.counter, counter);
    EXPECT_EQ(chain_.thread, thread);
    EXPECT_EQ(observation_.steps[chain_.first].item->line, line);
    EXPECT_STREQ(pmuv3_stage_name(chain_.stage), pmuv3_stage_name(stage));
    EXPECT_NE(chain_.values[PMUV3_CMODEL], chain_.values[PMUV3_RTL]);
  }

  std::string Printed() {
    char *text = nullptr;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    pmuv3_chain_print(out, &chain_);
    std::fclose(out);
    const std::string printed(text, size);
    std::free(text);
    return printed;
  }

  pmuv3_stimulus stimulus_ = {};
  bool is_read_ = false;
  pmuv3_observation observation_ = {};
  pmuv3_chain chain_ = {};
};

#define STAGE_TEST(field, name, counter, stage, expression)                  \
  TEST_F(ChainTest, Marks_##field) {                                         \
    FindInProbe([](pmuv3_probe *probe) { expression; });                     \
    ExpectFirst(name, counter, 10, PMUV3_STAGE_##stage);                     \
    EXPECT_NE(Printed().find("<- the first difference"), std::string::npos); \
  }

STAGE_TEST(allowed, "allowed", 3, FILTER, probe->allowed ^= 8)
STAGE_TEST(VB, "VB", 3, ATTRIBUTION, probe->VB[3] ^= 1)
STAGE_TEST(CT, "CT", 3, THRESHOLD, probe->CT ^= 8)
STAGE_TEST(CP, "CP", 3, THRESHOLD, probe->CP ^= 8)
STAGE_TEST(CE, "CE", 3, EDGE, probe->CE ^= 8)
STAGE_TEST(VT, "VT", 3, LINK, probe->VT[3] ^= 1)
STAGE_TEST(VE, "VE", 3, LINK, probe->VE[3] ^= 1)
STAGE_TEST(V, "V", 3, LINK, probe->V[3] ^= 1)
STAGE_TEST(value, "value", 3, INCREMENT, probe->value[3] ^= 1)
STAGE_TEST(overflow, "overflow", 3, OVERFLOW, probe->overflow ^= 8)
STAGE_TEST(evtyper, "PMEVTYPER", 3, REGISTERS, probe->evtyper[3] ^= 1)
STAGE_TEST(pmccntr, "PMCCNTR_EL0", -1, CYCLE_COUNTER, probe->pmccntr ^= 1)
STAGE_TEST(pmicntr, "PMICNTR_EL0", -1, INSTRUCTION_COUNTER, probe->pmicntr ^= 1)
STAGE_TEST(flag_C, "PMOVS.{F0,C}", -1, CYCLE_COUNTER, probe->fixed_overflow ^= 1)
STAGE_TEST(flag_F0, "PMOVS.{F0,C}", -1, INSTRUCTION_COUNTER, probe->fixed_overflow ^= 2)
STAGE_TEST(pmsscr, "PMSSCR_EL1", -1, SNAPSHOT, probe->pmsscr ^= 1)
STAGE_TEST(irq, "PMUIRQ", -1, EXCEPTION, probe->irq ^= 1)

// All that comes after it differs, too; what comes first is marked, and only that.
TEST_F(ChainTest, MarksWhatIsFirstInDataFlow) {
  FindInProbe([](pmuv3_probe *probe) {
    probe->irq ^= 1;
    probe->value[3] ^= 1;
    probe->CT ^= 8;
    probe->VT[3] ^= 1;
  });
  ExpectFirst("CT", 3, 10, PMUV3_STAGE_THRESHOLD);
  const std::string printed = Printed();
  const size_t mark = printed.find("<- the first difference");
  ASSERT_NE(mark, std::string::npos);
  EXPECT_EQ(printed.find("<- the first difference", mark + 1), std::string::npos);
}

// Outputs depend on registers, whatever the order of probes.
TEST_F(ChainTest, MarksARegisterBeforeAnOutput) {
  FindInProbe([](pmuv3_probe *probe) {
    probe->irq ^= 1;
    probe->pmuacr ^= 1;
  });
  ExpectFirst("PMUACR_EL1", -1, 10, PMUV3_STAGE_REGISTERS);
}

// A register that is wrong between cycles is seen there, before the cycle that suffers from it.
TEST_F(ChainTest, MarksARegisterBeforeTheCycle) {
  ASSERT_EQ(Find([](BentSide *bent) {
              bent->thread = 1;
              bent->bend_probe = [bent](uint64_t cycle, pmuv3_probe *probe) {
                uint64_t selected = 0;
                pmuv3_side_read(bent->honest, 1, PMUV3_PMSELR, &selected);
                if (selected == 2) probe->pmselr ^= 1;
                if (cycle == 3) probe->VB[3] ^= 1;
              };
            }),
            PMUV3_OBSERVED);
  // It was written by `msr` in the clock of the cycle, and is wrong with any rights.
  ExpectFirst("PMSELR_EL0", -1, 10, PMUV3_STAGE_REGISTERS);
  ASSERT_EQ(chain_.num_answers, 1u);
  EXPECT_TRUE(chain_.answers[0].differ);
}

// ---- What both sides answer tells stages apart ----

TEST_F(ChainTest, PointsToTheFilter) {
  FindInProbe(
      [](pmuv3_probe *probe) { probe->VB[3] ^= PMUV3_GET(probe->evtyper[3], PMEVTYPER, U); });
  ExpectFirst("VB", 3, 10, PMUV3_STAGE_FILTER);
}

// Counter 0 of the thread is enabled when it is asked, and only then.
TEST_F(ChainTest, PointsToTheFilterOfTheCycleCounter) {
  FindInProbe([](pmuv3_probe *probe) {
    probe->pmccntr ^= 1;
    probe->allowed ^= probe->cnten & 1;
  });
  ExpectFirst("PMCCNTR_EL0", -1, 10, PMUV3_STAGE_FILTER);
}

TEST_F(ChainTest, PointsToAttributionByMT) {
  FindInProbe([](pmuv3_probe *probe) {
    probe->allowed ^= PMUV3_GET(probe->evtyper[3], PMEVTYPER, MT) ? 8u : 0u;
  });
  ExpectFirst("allowed", 3, 10, PMUV3_STAGE_ATTRIBUTION);
}

TEST_F(ChainTest, PointsToAccess) {
  ASSERT_EQ(Find([](BentSide *bent) {
              bent->thread = 1;
              bent->bends_results = true;
            }),
            PMUV3_OBSERVED);
  ExpectFirst("result of msr PMCNTENSET_EL0", -1, 8, PMUV3_STAGE_ACCESS);
  ASSERT_EQ(chain_.num_answers, 1u);
  EXPECT_FALSE(chain_.answers[0].differ);
}

TEST_F(ChainTest, PointsToAccessOfARefusedWrite) {
  ASSERT_EQ(Find([](BentSide *bent) {
              bent->thread = 1;
              bent->refuses = true;
            }),
            PMUV3_OBSERVED);
  ExpectFirst("result of write PMEVTYPER3_EL0", -1, 3, PMUV3_STAGE_ACCESS);
}

TEST_F(ChainTest, PointsToAccessOfARead) {
  ASSERT_EQ(Find([](BentSide *bent) {
              bent->thread = 1;
              bent->bends_values = true;
            }),
            PMUV3_OBSERVED);
  ExpectFirst("mrs PMCR_EL0", -1, 9, PMUV3_STAGE_ACCESS);
}

TEST_F(ChainTest, PointsToRegistersOfARead) {
  ASSERT_EQ(Find([](BentSide *bent) {
              bent->thread = 1;
              bent->bend_read = [](uint16_t, uint64_t *value) { *value ^= 1; };
            }),
            PMUV3_OBSERVED);
  ExpectFirst("PMCEID0_EL0", -1, 11, PMUV3_STAGE_REGISTERS);
}

// Sides that lose some writes: difference is seen after the line, before the next cycle.
constexpr char kWrites[] =
    "pmuv3-stimulus 1\nparam features=EXT64\nmsr PMCNTENSET_EL0 2\nextw 0xc00 4\ncycle\n";

pmuv3_side_ops lossy;

bool LoseExternalWrite(pmuv3_side *, unsigned, pmuv3_security_state, uint16_t, uint32_t) {
  return true;
}
pmuv3_result LoseMsr(pmuv3_side *, unsigned, uint16_t, uint64_t) {
  return PMUV3_DONE;
}
pmuv3_access LoseWrite(pmuv3_side *, unsigned, uint16_t, uint64_t) {
  return PMUV3_ACCESS_OK;
}

void BeLossy(BentSide *bent) {
  bent->ops = &lossy;
}

TEST_F(ChainTest, PointsToExternal) {
  lossy = kBentOps;
  lossy.external_write = LoseExternalWrite;
  ASSERT_EQ(Find(BeLossy, kWrites), PMUV3_OBSERVED);
  ExpectFirst("PMCNTEN", 2, 4, PMUV3_STAGE_EXTERNAL, 0);
}

TEST_F(ChainTest, PointsToAccessOfAWrite) {
  lossy = kBentOps;
  lossy.msr = LoseMsr;
  ASSERT_EQ(Find(BeLossy, kWrites), PMUV3_OBSERVED);
  ExpectFirst("PMCNTEN", 1, 3, PMUV3_STAGE_ACCESS, 0);
}

TEST_F(ChainTest, PointsToRegistersOfAWrite) {
  lossy = kBentOps;
  lossy.msr = LoseMsr;
  lossy.write = LoseWrite;
  ASSERT_EQ(Find(BeLossy, kWrites), PMUV3_OBSERVED);
  ExpectFirst("PMCNTEN", 1, 3, PMUV3_STAGE_REGISTERS, 0);
}

TEST_F(ChainTest, NothingToFindOnEqualSides) {
  EXPECT_EQ(Find([](BentSide *) {}), PMUV3_SAME);
}

// ---- The folder ----

class FailureReportTest : public ::testing::Test {
 protected:
  FailureReportTest() {
    std::ofstream(folder_ / "stimulus.stim") << kFile;
    report_.folder = name_.c_str();
    report_.x_seed = 7;
    report_.command = "./pmuv3 run --seed 3";
    report_.make = MakeBent;
  }
  ~FailureReportTest() override { std::filesystem::remove_all(folder_); }

  void AddMinimal(const char *text) {
    std::ofstream(minimal_) << text;
    ASSERT_EQ(pmuv3_own_add(minimal_.c_str(), minimal_.c_str()), nullptr);
    report_.is_shrunk = true;
  }

  // What is said on standard error when the report is made.
  std::string Said(pmuv3_reported expected) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(pmuv3_failure_report_make(&report_), expected);
    return testing::internal::GetCapturedStderr();
  }

  std::string Read(const char *file) {
    std::stringstream text;
    text << std::ifstream(folder_ / file).rdbuf();
    return text.str();
  }

  std::string name_ = testing::TempDir() + "pmuv3-report-XXXXXX";
  const std::filesystem::path folder_ = mkdtemp(name_.data());
  const std::string minimal_ = (folder_ / "minimal.stim").string();
  pmuv3_failure_report report_ = {};
};

TEST_F(FailureReportTest, HasItAll) {
  unsetenv("PMUV3");
  bend = [](BentSide *bent) {
    bent->thread = 1;
    bent->bend_probe = [](uint64_t cycle, pmuv3_probe *probe) {
      if (cycle == 2) probe->V[3] ^= 0xF;
    };
  };
  ASSERT_EQ(pmuv3_failure_report_make(&report_), PMUV3_REPORTED);
  EXPECT_EQ(report_.points_to, PMUV3_STAGE_LINK);
  EXPECT_FALSE(report_.has_wave);
  EXPECT_NE(Read("chain.txt").find("it points to: link"), std::string::npos);
  EXPECT_NE(Read("window.gtkw").find("g_thread[1].u_thread.g_lane[3]"), std::string::npos);
  const std::string json = Read("report.json");
  for (const char *part : {"\"points_to\":\"link\"", "\"x_seed\":7", "./pmuv3 run --seed 3",
                           "\"verilator\":", "\"K-RESTC\":", "\"first_difference\":true"})
    EXPECT_NE(json.find(part), std::string::npos) << part;

  const std::string svg = Read("window.svg");
  EXPECT_NE(svg.find("id=\"first-difference\""), std::string::npos);
  EXPECT_NE(svg.find("the first difference: V<"), std::string::npos);
  const std::string check = "xmllint --noout '" + (folder_ / "window.svg").string() + "'";
  EXPECT_EQ(std::system(check.c_str()), 0);
}

TEST(JsonTest, TextsAreUtf8) {
  const auto utf8 = [](const char *text) {
    char *made = pmuv3_utf8(text);
    const std::string copy = made;
    std::free(made);
    return copy;
  };
  const std::string bad = "\xEF\xBF\xBD";
  for (const char *good :
       {"", "a/b", "\xC3\xA9", "\xE2\x82\xAC.", "\xF0\x9F\x98\x80", "\xEF\xBF\xBD"})
    EXPECT_EQ(utf8(good), good);
  EXPECT_EQ(utf8("d\xFF"), "d" + bad);
  EXPECT_EQ(utf8("\xC3"), bad);
  EXPECT_EQ(utf8("\xC3(\xA9"), bad + "(" + bad);
  EXPECT_EQ(utf8("\xC0\x80"), bad + bad);
  EXPECT_EQ(utf8("\xE0\x80\xAF"), bad + bad + bad);
  EXPECT_EQ(utf8("\xED\xA0\x80"), bad + bad + bad);
  EXPECT_EQ(utf8("\xF4\x90\x80\x80"), bad + bad + bad + bad);
  EXPECT_EQ(utf8("\xF8\x88\x80\x80\x80").size(), 5 * bad.size());
  EXPECT_EQ(utf8("\xE2\x82"), bad + bad);
}

TEST(XmlTest, TextsAreOfItsCharacters) {
  const auto xml = [](const char *text) {
    char *made = pmuv3_xml_text(text);
    const std::string copy = made;
    std::free(made);
    return copy;
  };
  const std::string bad = "\xEF\xBF\xBD";
  for (const char *good :
       {"", "a\tb\nc\r", "\x7F", "\xE2\x82\xAC.", "\xEF\xBF\xBD", "\xEF\xBF\xBC"})
    EXPECT_EQ(xml(good), good);
  for (char control = 1; control < ' '; control++) {
    const char text[] = {'a', control, 'b', '\0'};
    EXPECT_EQ(xml(text), strchr("\t\n\r", control) ? text : "a" + bad + "b") << int{control};
  }
  EXPECT_EQ(xml("\xEF\xBF\xBE\xEF\xBF\xBF"), bad + bad);
  EXPECT_EQ(xml("d\xFF"), "d" + bad);
}

// A word for a shell, on one line.
TEST(QuotedTest, IsAWordOfBash) {
  for (const char *word : {"", "plain/a-b_c.stim", "a b", "don't", "back\\slash", "two\nlines",
                           "\x01\x1F\x7F", "d\xFF", "$(date)", "*", "~", "#x", "!!"}) {
    char *quoted = pmuv3_cli_quoted(word);
    EXPECT_EQ(std::string(quoted).find('\n'), std::string::npos);
    const std::string command = std::string("bash -c '") + "printf %s \"$0\"' ";
    FILE *echo = popen(("exec bash <<'END'\n" + command + quoted + "\nEND\n").c_str(), "r");
    std::string said;
    for (int c; (c = fgetc(echo)) != EOF;) said += static_cast<char>(c);
    pclose(echo);
    EXPECT_EQ(said, word);
    std::free(quoted);
  }
  char *plain = pmuv3_cli_quoted("a/b-c.stim");
  EXPECT_STREQ(plain, "a/b-c.stim");
  std::free(plain);
}

// An entry point that says how it was called, and does `more`.
std::string StandIn(const std::filesystem::path &folder, const char *more) {
  const std::string entry = (folder / "entry").string();
  std::ofstream(entry) << "#!/bin/sh\necho \"$@\" >\"$0.args\"\n" << more << "\nexit 1\n";
  std::filesystem::permissions(entry, std::filesystem::perms::owner_all);
  return entry;
}

void BendAll(BentSide *bent) {
  bent->bend_probe = [](uint64_t, pmuv3_probe *probe) { probe->irq ^= 1; };
}

TEST_F(FailureReportTest, HasTheWaveOfTheEntryPoint) {
  setenv("PMUV3", StandIn(folder_, ": >\"$6\"").c_str(), 1);
  bend = BendAll;
  EXPECT_EQ(pmuv3_failure_report_make(&report_), PMUV3_REPORTED);
  unsetenv("PMUV3");
  EXPECT_TRUE(report_.has_wave);
  EXPECT_EQ(Read("entry.args"), "replay " + std::string(name_) +
                                    "/stimulus.stim --x-seed 7 --wave " + name_ +
                                    "/window.fst --wave-last 64\n");
}

TEST_F(FailureReportTest, SaysThatThereIsNoWave) {
  const std::string wave = (folder_ / "window.fst").string();
  std::ofstream(wave) << "of another one";
  setenv("PMUV3", StandIn(folder_, "").c_str(), 1);
  bend = BendAll;
  EXPECT_EQ(pmuv3_failure_report_make(&report_), PMUV3_REPORTED);
  EXPECT_FALSE(report_.has_wave);
  EXPECT_TRUE(std::filesystem::exists(wave)) << "somebody's";
  ASSERT_EQ(pmuv3_own_add(wave.c_str(), wave.c_str()), nullptr);
  EXPECT_EQ(pmuv3_failure_report_make(&report_), PMUV3_REPORTED);
  unsetenv("PMUV3");
  EXPECT_FALSE(report_.has_wave);
  EXPECT_FALSE(std::filesystem::exists(wave));
}

// The command of a process. Empty: it is gone, or only its end is not asked for, or it calls exec.
std::string CommandOf(const std::string &process) {
  std::string command;
  std::getline(std::ifstream("/proc/" + process + "/cmdline"), command);
  return command;
}

template <typename Condition>
bool Becomes(Condition condition) {
  for (int i = 0; i < 1000; i++) {
    if (condition()) return true;
    usleep(10000);
  }
  return false;
}

TEST_F(FailureReportTest, TheReplayEndsWithWhoAsksForIt) {
  setenv("PMUV3", StandIn(folder_, "echo $$ >\"$0.process\"\nexec sleep 1000").c_str(), 1);
  bend = BendAll;
  const pid_t asking = fork();
  if (asking == 0) _exit(pmuv3_failure_report_make(&report_));
  unsetenv("PMUV3");
  ASSERT_TRUE(Becomes([&] { return Read("entry.process").find('\n') != std::string::npos; }));
  const std::string replay = Read("entry.process");
  const std::string process = replay.substr(0, replay.size() - 1);
  ASSERT_TRUE(Becomes([&] { return CommandOf(process).rfind("sleep", 0) == 0; }));
  kill(asking, SIGKILL);
  waitpid(asking, nullptr, 0);
  const bool has_ended = Becomes([&] { return CommandOf(process).empty(); });
  EXPECT_TRUE(has_ended);
  if (!has_ended) kill(std::stoi(process), SIGKILL);
}

TEST_F(FailureReportTest, NothingIsWrittenOfEqualSides) {
  bend = [](BentSide *) {};
  EXPECT_EQ(pmuv3_failure_report_make(&report_), PMUV3_NOT_DIVERGED);
  for (const auto &entry : std::filesystem::directory_iterator(folder_))
    EXPECT_EQ(entry.path().filename(), "stimulus.stim");
}

TEST_F(FailureReportTest, SaysThatTheSidesAreEqual) {
  bend = [](BentSide *) {};
  EXPECT_EQ(pmuv3_failure_report_make(&report_), PMUV3_NOT_DIVERGED);
  EXPECT_STREQ(report_.why, "it does not happen again");
}

// A file without PMCR.E, and sides that differ if PMCR.E is set.
const char kEqual[] = "pmuv3-stimulus 1\nwrite PMCR_EL0 0\n";

void BendEnabled(BentSide *bent) {
  bent->thread = 1;
  bent->bend_probe = [](uint64_t, pmuv3_probe *probe) { probe->irq ^= probe->pmcr & 1; };
}

TEST_F(FailureReportTest, FallsBackToTheWholeStimulus) {
  unsetenv("PMUV3");
  bend = BendEnabled;
  AddMinimal(kEqual);
  EXPECT_NE(Said(PMUV3_REPORTED)
                .find(minimal_ + " does not diverge again: the report is of stimulus.stim\n"),
            std::string::npos);
  EXPECT_STREQ(report_.stimulus, "stimulus.stim");
  EXPECT_FALSE(report_.is_shrunk);
  EXPECT_FALSE(std::filesystem::exists(minimal_));
  EXPECT_NE(Read("report.json").find("replay stimulus.stim"), std::string::npos);
}

// Nothing is said of a report that is not made.
TEST_F(FailureReportTest, NothingDivergesAgain) {
  bend = BendEnabled;
  AddMinimal(kEqual);
  std::ofstream(folder_ / "stimulus.stim") << kEqual;
  EXPECT_EQ(Said(PMUV3_NOT_DIVERGED), "");
  EXPECT_STREQ(report_.why, "it does not happen again");
  EXPECT_FALSE(report_.is_shrunk);
  EXPECT_FALSE(std::filesystem::exists(minimal_));
}

TEST_F(FailureReportTest, MakesTheReportOfTheSmallestStimulus) {
  unsetenv("PMUV3");
  bend = BendEnabled;
  AddMinimal(kFile);
  EXPECT_EQ(Said(PMUV3_REPORTED), "");
  EXPECT_STREQ(report_.stimulus, "minimal.stim");
  EXPECT_TRUE(report_.is_shrunk);
}

TEST_F(FailureReportTest, SaysThatItCannotWrite) {
  bend = BendAll;
  std::filesystem::remove(folder_ / "stimulus.stim");
  EXPECT_EQ(pmuv3_failure_report_make(&report_), PMUV3_NOT_WRITTEN);
}

// report.json is the last file.
TEST_F(FailureReportTest, NothingIsLeftOfAReportThatIsNotWhole) {
  unsetenv("PMUV3");
  bend = BendAll;
  std::filesystem::create_directory(folder_ / "report.json");
  EXPECT_EQ(pmuv3_failure_report_make(&report_), PMUV3_NOT_WRITTEN);
  std::set<std::string> left;
  for (const auto &entry : std::filesystem::directory_iterator(folder_))
    left.insert(entry.path().filename());
  EXPECT_EQ(left, (std::set<std::string>{".pmuv3.list", "report.json", "stimulus.stim"}));
}

}  // namespace
