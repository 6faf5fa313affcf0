// Shrinking: delta debugging on rows of numbers, and on whole files. A stand-in player decides
// which files diverge, as planted defects do (testbench/cosim/shrink/measure.sh).
#include "testbench/cosim/shrink/shrink.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "testbench/cosim/cli/now.h"
#include "testbench/cosim/shrink/ddmin.h"
#include "testbench/cosim/shrink/files.h"
extern "C" {
#include "testbench/cosim/shrink/form.h"
}

namespace {

// ---- Delta debugging ----

using Row = std::vector<int>;

struct Search {
  Row row;
  std::function<bool(const Row &)> fails;
  int tries = 0;
};

bool LeaveOut(void *context, size_t first, size_t length) {
  Search &search = *static_cast<Search *>(context);
  Row without = search.row;
  const auto begin = without.begin() + static_cast<std::ptrdiff_t>(first);
  without.erase(begin, begin + static_cast<std::ptrdiff_t>(length));
  search.tries++;
  if (!search.fails(without)) return false;
  search.row = without;
  return true;
}

const pmuv3_row kRow = {[](void *context) { return static_cast<Search *>(context)->row.size(); },
                        LeaveOut};

// Minimizes 0 to count - 1 under a condition.
Search Minimize(int count, std::function<bool(const Row &)> fails) {
  Search search = {Row(static_cast<size_t>(count)), fails};
  std::iota(search.row.begin(), search.row.end(), 0);
  pmuv3_ddmin(&kRow, &search);
  return search;
}

bool Has(const Row &row, int element) {
  return std::count(row.begin(), row.end(), element) > 0;
}

TEST(DdminTest, KeepsWhatIsNeeded) {
  const auto fails = [](const Row &row) { return Has(row, 3) && Has(row, 640) && Has(row, 999); };
  const Search search = Minimize(1000, fails);
  EXPECT_EQ(search.row, (Row{3, 640, 999}));
  EXPECT_LT(search.tries, 100);
}

TEST(DdminTest, NothingIsNeeded) {
  EXPECT_EQ(Minimize(77, [](const Row &) { return true; }).row, Row{});
  EXPECT_EQ(Minimize(0, [](const Row &) { return true; }).tries, 0);
}

TEST(DdminTest, AllIsNeeded) {
  const Search search = Minimize(9, [](const Row &row) { return row.size() == 9; });
  EXPECT_EQ(search.row.size(), 9u);
}

// Some pairs can be removed only together. In the end no single element can be removed.
TEST(DdminTest, NoneCanBeLeftOutAlone) {
  const auto fails = [](const Row &row) {
    for (int even = 0; even < 64; even += 2)
      if (Has(row, even + 1) && !Has(row, even)) return false;
    return Has(row, 33);
  };
  EXPECT_EQ(Minimize(64, fails).row, (Row{32, 33}));
}

TEST(DdminTest, SaysWhetherAnythingWas) {
  Search search = {{1, 2, 3}, [](const Row &row) { return row.size() >= 2; }};
  EXPECT_TRUE(pmuv3_ddmin(&kRow, &search));
  EXPECT_FALSE(pmuv3_ddmin(&kRow, &search));
}

// ---- Files ----

// A test's player: whether the sides differ in an item.
using Judge = std::function<bool(const pmuv3_stimulus &, const pmuv3_item &)>;
Judge judge;

bool Play(pmuv3_played *play, const pmuv3_stimulus *stimulus, uint32_t) {
  for (size_t i = 0; i < stimulus->num_items; i++) {
    const pmuv3_item &item = stimulus->items[i];
    if (!judge(*stimulus, item)) continue;
    play->diverged = true;
    play->line = item.line;
    play->divergence = {};
    play->divergence.counter = -1;
    std::strcpy(play->divergence.signal, item.kind == PMUV3_ITEM_CYCLE ? "V" : "W");
    return true;
  }
  return true;
}

// The shrunk file without the comment about the divergence. Empty: the file did not diverge.
std::string Shrink(const std::string &text, Judge by, bool same = false, double seconds = 60) {
  judge = by;
  pmuv3_shrink_options options = {};
  options.seconds = seconds;
  options.same = same;
  options.play = Play;
  pmuv3_shrunk shrunk;
  if (pmuv3_shrink(&shrunk, text.c_str(), &options) != PMUV3_SHRUNK) return "";
  std::string made = shrunk.text;
  std::free(shrunk.text);
  EXPECT_NE(made.find("  # diverged at cycle 0"), std::string::npos) << made;
  made.erase(made.find("  # "));
  EXPECT_EQ(shrunk.lines_after,
            1u + static_cast<size_t>(std::count(made.begin(), made.end(), '\n')));
  return made;
}

// Whether the item has an occurrence of the event with this count on the thread.
bool Occurs(const pmuv3_item &item, pmuv3_event_number event, int count, unsigned thread) {
  if (item.kind != PMUV3_ITEM_CYCLE) return false;
  const pmuv3_occurrence *end = item.cycle.occurrences + item.cycle.num_occurrences;
  return std::any_of(item.cycle.occurrences, end, [=](const pmuv3_occurrence &occurrence) {
    return occurrence.event == event && occurrence.count >= count && occurrence.thread == thread;
  });
}

bool Writes(const pmuv3_item &item, uint16_t reg, uint64_t bits) {
  return item.kind == PMUV3_ITEM_WRITE && item.access.reg == reg &&
         (item.access.value & bits) == bits;
}

const char kFile[] =
    "pmuv3-stimulus 1  # a comment\n"
    "\n"
    "param counters=9 threads=3 K-RESTC=b\n"
    "param features=TH,EDGE,TH2,RME,PMUv3p9\n"
    "write @1 PMEVTYPER7_EL0 0xff0008\n"
    "pe 0 el=0 ss=NS sm=0\n"
    "msr @1 PMCR_EL0 0x7 done\n"
    "idle 3\n"
    "cycle\n"
    "cycle 0x0008:3 0x0010:7@2 0x0008:200@2/el2,NS @1:PMCNTENSET_EL0=0xff\n"
    "pe 2 halted=1\n"
    "cycle 0x0010:1@2/dbg\n"
    "expect @2 PMEVCNTR0_EL0 5\n"
    "cycle\n";

TEST(ShrinkTest, WithoutADivergenceThereIsNothing) {
  EXPECT_EQ(Shrink(kFile, [](auto &, auto &) { return false; }), "");
}

// A text that the reader refuses says nothing.
TEST(ShrinkTest, WhatIsNoStimulusHasNoVerdict) {
  pmuv3_shrink_options options = {};
  pmuv3_shrunk shrunk;
  for (const char *text : {"pmuv3-stimulus 2\n", "pmuv3-stimulus 1\nparam counters=99\ncycle\n"})
    EXPECT_EQ(pmuv3_shrink(&shrunk, text, &options), PMUV3_SHRINK_UNREADABLE) << text;
}

// A leading zero does not make a number octal.
TEST(ShrinkTest, LeadingZeros) {
  unsigned cycles = 0;
  const auto count = [&](auto &stimulus, auto &item) {
    if (&item == stimulus.items) cycles = stimulus.num_items;
    return false;
  };
  Shrink("pmuv3-stimulus 1\nrepeat 010 cycle\n", count);
  EXPECT_EQ(cycles, 10u);
}

// Without memory there is no verdict.
TEST(ShrinkTest, WithoutMemoryThereIsNoVerdict) {
  pmuv3_shrink_options options = {};
  options.seconds = 60;
  options.play = [](pmuv3_played *, const pmuv3_stimulus *, uint32_t) { return false; };
  pmuv3_shrunk shrunk;
  EXPECT_EQ(pmuv3_shrink(&shrunk, kFile, &options), PMUV3_SHRINK_NO_MEMORY);
  options.play = [](pmuv3_played *, const pmuv3_stimulus *, uint32_t) { return true; };
  EXPECT_EQ(pmuv3_shrink(&shrunk, kFile, &options), PMUV3_NOTHING_TO_SHRINK);
}

// A wrong cycle gives no verdict, and is reported with its line in the file.
TEST(ShrinkTest, AWrongCycleIsToldWithItsLine) {
  pmuv3_shrink_options options = {};
  options.seconds = 60;
  options.play = [](pmuv3_played *play, const pmuv3_stimulus *stimulus, uint32_t) {
    play->wrong = "a wrong cycle";
    play->line = stimulus->items[stimulus->num_items - 1].line;
    return true;
  };
  pmuv3_shrunk shrunk;
  EXPECT_EQ(pmuv3_shrink(&shrunk, kFile, &options), PMUV3_SHRINK_WRONG);
  EXPECT_STREQ(shrunk.wrong, "a wrong cycle");
  EXPECT_EQ(shrunk.line, 14u);
}

TEST(ShrinkTest, OneLineIsEnough) {
  EXPECT_EQ(Shrink(kFile, [](auto &, auto &item) { return item.kind == PMUV3_ITEM_CYCLE; }),
            "pmuv3-stimulus 1\nparam features=none\ncycle");
}

TEST(ShrinkTest, CountsAndThreads) {
  const auto by = [](auto &, const pmuv3_item &item) {
    for (unsigned t = 0; t < PMUV3_MAX_THREADS; t++)
      if (Occurs(item, PMUV3_EVENT_INST_RETIRED, 5, t)) return true;
    return false;
  };
  EXPECT_EQ(Shrink(kFile, by), "pmuv3-stimulus 1\nparam features=none\ncycle 0x0008:5");
}

// I-13: events of the set are removed one by one, and then the set is the default.
TEST(ShrinkTest, EventsOfTheSet) {
  const auto by = [](auto &, const pmuv3_item &item) {
    return item.kind == PMUV3_ITEM_CYCLE && item.cycle.num_occurrences > 0 &&
           item.cycle.occurrences[0].event == 0x00C5;
  };
  EXPECT_EQ(Shrink("pmuv3-stimulus 1\nparam events=none event=0x0008 event=0x00C5,IMP_A,most=9\n"
                   "param event=0x0010 counters=2\ncycle 0x00C5:7 0x0010:1\n",
                   by),
            "pmuv3-stimulus 1\nparam event=0x00C5,IMP_A,most=9\ncycle 0x00C5:0");
}

// ---- Without other files ----

// The parameters of a text, which is in no file.
pmuv3_params ParamsOf(const std::string &text) {
  pmuv3_params params = {};
  pmuv3_stimulus stimulus;
  FILE *in = fmemopen(const_cast<char *>(text.data()), text.size(), "r");
  EXPECT_TRUE(pmuv3_stimulus_read_legal(&stimulus, in)) << text;
  std::fclose(in);
  params = stimulus.params;
  pmuv3_stimulus_free(&stimulus);
  return params;
}

std::string Alone(const std::string &text, const pmuv3_params &params) {
  char *made = pmuv3_form_alone(text.c_str(), &params);
  const std::string copy = made;
  std::free(made);
  return copy;
}

// All parameters stand in the first line of params. Lines keep their numbers and comments.
TEST(ShrinkTest, AloneItNeedsNoOtherFile) {
  const std::string params =
      "pmuv3-stimulus 1\nparam counters=8 threads=2 events=none event=0x0008 "
      "event=0x0016,most=3 K-RESTC=b features=TH\n";
  const pmuv3_params read = ParamsOf(params);
  for (const std::string name : {"core=neoverse-v2", "core=./my.core", "events=a/b.events"}) {
    const std::string alone =
        Alone("pmuv3-stimulus 1\n # param core=no\n\tparam " + name +
                  " threads=2 # so\nparam event=0x0008\r\nwrite PMEVCNTR7_EL0 1\n",
              read);
    const size_t first = alone.find("\nparam ");
    EXPECT_EQ(alone.substr(0, first + 7), "pmuv3-stimulus 1\n # param core=no\nparam ") << name;
    EXPECT_EQ(alone.substr(alone.find(" # so")), " # so\n\r\nwrite PMEVCNTR7_EL0 1\n") << name;
    const pmuv3_params again = ParamsOf(alone);
    EXPECT_EQ(std::memcmp(&again, &read, sizeof read), 0) << alone;
  }
}

TEST(ShrinkTest, AloneATextWithoutFilesStaysAsItIs) {
  const pmuv3_params read = ParamsOf("pmuv3-stimulus 1\n");
  for (const std::string text :
       {"pmuv3-stimulus 1\nparam events=none event=0x0008\ncycle\n",
        "pmuv3-stimulus 1\ncycle # events=a core=b\n", "pmuv3-stimulus 1\n"})
    EXPECT_EQ(Alone(text, read), text);
}

// A text has no folder, so a file that it names could be that of any folder.
TEST(ShrinkTest, ATextNamesNoFile) {
  pmuv3_shrink_options options = {};
  pmuv3_shrunk shrunk;
  for (const char *name : {"core=./my.core", "core=/my.core", "events=a"}) {
    const std::string text = std::string("pmuv3-stimulus 1\nparam ") + name + "\ncycle\n";
    EXPECT_EQ(pmuv3_shrink(&shrunk, text.c_str(), &options), PMUV3_SHRINK_UNREADABLE) << name;
  }
}

TEST(ShrinkTest, AThreadThatIsNeeded) {
  const auto by = [](const pmuv3_stimulus &stimulus, const pmuv3_item &item) {
    return stimulus.params.threads > 1 &&
           Occurs(item, PMUV3_EVENT_INST_RETIRED, 1, stimulus.params.threads - 1u);
  };
  EXPECT_EQ(Shrink(kFile, by), "pmuv3-stimulus 1\nparam threads=2 features=none\ncycle 0x0008:1@1");
}

TEST(ShrinkTest, BitsAndParameters) {
  const auto by = [](const pmuv3_stimulus &stimulus, const pmuv3_item &item) {
    return stimulus.params.counters >= 8 && stimulus.params.k_restc == 1 &&
           pmuv3_has(&stimulus.params, PMUV3_FEATURE_TH) &&
           Writes(item, PMUV3_PMEVTYPERn(7), 0x880008);
  };
  EXPECT_EQ(Shrink(kFile, by),
            "pmuv3-stimulus 1\nparam counters=8 K-RESTC=b features=TH\n"
            "write PMEVTYPER7_EL0 0x880008");
}

TEST(ShrinkTest, AnAccessThatIsJudgedBecomesOneThatIsNot) {
  const auto by = [](auto &, const pmuv3_item &item) {
    return (item.kind == PMUV3_ITEM_MSR || item.kind == PMUV3_ITEM_WRITE) &&
           item.access.reg == PMUV3_PMCR && item.access.value & 4;
  };
  EXPECT_EQ(Shrink(kFile, by), "pmuv3-stimulus 1\nparam features=none\nwrite PMCR_EL0 0x4");
}

// A line that other lines need is not removed alone. Lines that the reader refuses are removed with
// it.
TEST(ShrinkTest, StaysLegal) {
  const auto by = [](auto &, const pmuv3_item &item) {
    return item.kind == PMUV3_ITEM_CYCLE && item.cycle.num_occurrences > 0 &&
           item.cycle.occurrences[0].origin == PMUV3_DEBUGGER;
  };
  EXPECT_EQ(Shrink(kFile, by),
            "pmuv3-stimulus 1\nparam features=none\npe 0 halted=1\ncycle 0x0010:0/dbg");
}

TEST(ShrinkTest, CyclesAreJoined) {
  const auto by = [](const pmuv3_stimulus &stimulus, const pmuv3_item &item) {
    uint64_t cycles = 0;
    for (const pmuv3_item *i = stimulus.items; i <= &item; i++)
      cycles += i->kind == PMUV3_ITEM_CYCLE ? 1 : i->kind == PMUV3_ITEM_IDLE ? i->idle : 0;
    return cycles >= 5;
  };
  EXPECT_EQ(Shrink(kFile, by), "pmuv3-stimulus 1\nparam features=none\nidle 5");
}

// Equal lines that are needed together become one repeated line. The repeat is unfolded for the
// next shrinking.
TEST(ShrinkTest, SameLinesAreOne) {
  std::string file = kFile;
  file += "repeat 200 write PMSWINC_EL0 1\n";
  for (int i = 0; i < 20; i++) file += "write PMSWINC_EL0 5\n";
  const auto by = [](const pmuv3_stimulus &stimulus, const pmuv3_item &item) {
    const auto writes = [](const pmuv3_item &i) { return Writes(i, PMUV3_PMSWINC, 1); };
    return std::count_if<const pmuv3_item *>(stimulus.items, &item + 1, writes) >= 120;
  };
  const std::string once = "pmuv3-stimulus 1\nparam features=none\nrepeat 120 write PMSWINC_EL0 1";
  EXPECT_EQ(Shrink(file, by), once);
  EXPECT_EQ(Shrink(once, by), once);
}

TEST(ShrinkTest, AReadThatDiffersNeedsNoValue) {
  const auto by = [](auto &, const pmuv3_item &item) {
    return item.kind == PMUV3_ITEM_EXPECT || item.kind == PMUV3_ITEM_MRS;
  };
  EXPECT_EQ(Shrink(kFile, by), "pmuv3-stimulus 1\nparam features=none\nmrs PMEVCNTR0_EL0");
}

// The last line of a file for a person, if the sides differ there in `signal`.
std::string LastLine(const std::string &line, const char *signal, uint64_t cmodel) {
  pmuv3_divergence divergence = {};
  divergence.counter = -1;
  std::strcpy(divergence.signal, signal);
  divergence.cmodel = cmodel;
  char *written = pmuv3_form_write(("pmuv3-stimulus 1\n" + line + "\n").c_str(), &divergence);
  std::string last = std::strchr(written, '\n') + 1;
  std::free(written);
  return last.erase(last.find("  # "));
}

// What is no value of the register is not expected of it.
TEST(ShrinkTest, AReadThatDiffersExpectsTheValueOfTheCModel) {
  const std::string line = "expect @1 PMIAR_EL1 0x40";
  EXPECT_EQ(LastLine(line, "PMIAR_EL1", 0x44), "expect @1 PMIAR_EL1 0x44");
  EXPECT_EQ(LastLine(line, "result of read PMIAR_EL1", 0), "read @1 PMIAR_EL1");
  EXPECT_EQ(LastLine("write PMIAR_EL1 0x40", "result of write PMIAR_EL1", 0),
            "write PMIAR_EL1 0x40");
}

TEST(ShrinkTest, TheSameSignal) {
  const auto by = [](auto &, const pmuv3_item &item) {
    return Occurs(item, PMUV3_EVENT_INST_RETIRED, 2, 0) || Writes(item, PMUV3_PMCR, 0);
  };
  const std::string write = "pmuv3-stimulus 1\nparam features=none\nwrite PMCR_EL0 0";
  const std::string cycle = "pmuv3-stimulus 1\nparam features=none\ncycle 0x0008:2";
  EXPECT_EQ(Shrink(kFile, by, true), cycle);
  EXPECT_EQ(Shrink("pmuv3-stimulus 1\nparam features=none\ncycle 0x0008:2\n", by), cycle);
  EXPECT_EQ(Shrink("pmuv3-stimulus 1\nparam features=none\nwrite PMCR_EL0 7\n", by), write);
}

TEST(ShrinkTest, OutOfTimeItIsCutAlone) {
  const std::string made = Shrink(
      kFile, [](auto &, auto &item) { return Occurs(item, PMUV3_EVENT_INST_RETIRED, 1, 0); }, false,
      0);
  EXPECT_EQ(made.substr(made.rfind('\n') + 1),
            "cycle 0x0008:3 0x0010:7@2 0x0008:200@2/el2,NS @1:PMCNTENSET_EL0=0xff");
  EXPECT_NE(made.find("\nidle 3\n"), std::string::npos);
}

// No pass begins when the time is over, even if the file has many lines and none can be removed.
TEST(ShrinkTest, OutOfTimeItEnds) {
  std::string file = "pmuv3-stimulus 1\nparam features=none\n";
  for (int i = 0; i < 100000; i++) file += "write PMCR_EL0 " + std::to_string(i % 2) + "\n";
  file += "cycle\n";
  const auto by = [](const pmuv3_stimulus &stimulus, const pmuv3_item &item) {
    return stimulus.num_items > 100000 && item.kind == PMUV3_ITEM_CYCLE;
  };
  const double start = pmuv3_now();
  EXPECT_NE(Shrink(file, by, false, 1), "");
  EXPECT_LT(pmuv3_now() - start, 20);
}

// An idle is cut where the sides differ.
TEST(ShrinkTest, LongIdleCycles) {
  static unsigned long_plays;
  long_plays = 0;
  pmuv3_shrink_options options = {};
  options.seconds = 60;
  options.play = [](pmuv3_played *play, const pmuv3_stimulus *stimulus, uint32_t) {
    for (size_t i = 0; i < stimulus->num_items && !play->diverged; i++) {
      const pmuv3_item &item = stimulus->items[i];
      play->line = item.line;
      play->diverged = item.kind == PMUV3_ITEM_IDLE && item.idle >= 5;
      play->idle = play->diverged ? 5 : 0;
      if (item.kind == PMUV3_ITEM_IDLE && item.idle > 5) long_plays++;
    }
    return true;
  };
  pmuv3_shrunk shrunk;
  ASSERT_EQ(pmuv3_shrink(&shrunk, "pmuv3-stimulus 1\nidle 1000000000000\ncycle\n", &options),
            PMUV3_SHRUNK);
  EXPECT_NE(std::string(shrunk.text).find("\nidle 5 "), std::string::npos) << shrunk.text;
  EXPECT_EQ(long_plays, 1u);
  free(shrunk.text);
}

// The items after an idle that was cut say nothing: the candidate has more cycles before them.
TEST(ShrinkTest, TheDeadlineEndsAPlay) {
  const pmuv3_occurrence twice[] = {{0x0008, 1, 0, PMUV3_CURRENT}, {0x0008, 1, 0, PMUV3_CURRENT}};
  pmuv3_item items[2] = {};
  items[0].kind = PMUV3_ITEM_IDLE;
  items[0].idle = 1000000000000;
  items[1].kind = PMUV3_ITEM_CYCLE;
  items[1].cycle.occurrences = twice;
  items[1].cycle.num_occurrences = 2;
  pmuv3_stimulus stimulus = {};
  stimulus.params = pmuv3_params_default();
  ASSERT_STREQ(pmuv3_params_complete(&stimulus.params), nullptr);
  stimulus.items = items;
  stimulus.num_items = 2;
  pmuv3_played play = {};
  play.deadline = pmuv3_now() + 0.1;
  EXPECT_TRUE(pmuv3_play(&play, &stimulus, 1));
  EXPECT_TRUE(play.is_cut);
  EXPECT_FALSE(play.diverged);
  EXPECT_STREQ(play.wrong, nullptr) << "the item after the idle was played";
}

TEST(ShrinkTest, ShrunkAgainItIsTheSame) {
  const auto by = [](auto &, const pmuv3_item &item) {
    return Occurs(item, PMUV3_EVENT_INST_RETIRED, 77, 0);
  };
  const std::string once = Shrink(kFile, by);
  EXPECT_EQ(Shrink(once, by), once);
}

// ---- The written test ----

TEST(ShrinkTest, PlaysWhatATestHolds) {
  char message[1024];
  EXPECT_TRUE(pmuv3_play_text("pmuv3-stimulus 1\ncycle\n", 1, message, sizeof message));
  EXPECT_FALSE(pmuv3_play_text("pmuv3-stimulus 1\ncycles\n", 1, message, sizeof message));
  EXPECT_EQ(std::string(message).substr(0, 11), "stimulus:2:");
}

TEST(ShrinkTest, WritesATest) {
  const std::string folder = testing::TempDir();
  const std::string stim = folder + "/shrink_test.stim", test = folder + "/7_shrink-test.cc";
  std::string text = "pmuv3-stimulus 1\ncycle\n";
  pmuv3_shrunk shrunk = {};
  shrunk.text = text.data();
  ASSERT_EQ(pmuv3_shrink_save(&shrunk, stim.c_str(), PMUV3_FILE_REGULAR), nullptr);
  ASSERT_EQ(pmuv3_shrink_save_test(&shrunk, test.c_str(), PMUV3_FILE_REGULAR, 5), nullptr);
  const auto read = [](const std::string &path) {
    const char *why;
    char *all = pmuv3_shrink_read(path.c_str(), nullptr, &why);
    const std::string copy = all ? all : "";
    std::free(all);
    std::remove(path.c_str());
    return copy;
  };
  const std::string written = read(test);
  EXPECT_EQ(read(stim), text);
  EXPECT_NE(written.find("TEST(Shrunk, T7shrinktest) {"), std::string::npos) << written;
  EXPECT_NE(written.find("R\"(" + text + ")\""), std::string::npos) << written;
  EXPECT_NE(written.find(" 5, message"), std::string::npos) << written;
  const std::string absent = folder + "/shrink_test.absent/file";
  EXPECT_STREQ(pmuv3_shrink_save(&shrunk, absent.c_str(), PMUV3_FILE_REGULAR),
               "No such file or directory");
}

}  // namespace
