// stimulus: what a good file is read as, and that what is written is read back
// the same (docs/formats.md).
#include "testbench/stimulus/stimulus.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "testbench/stimulus/random.h"

namespace pmuv3 {
namespace {

// A stimulus file read from text, freed at the end of the test.
class Stimulus {
 public:
  explicit Stimulus(const std::string &text) {
    std::string copy = text;
    FILE *in = fmemopen(copy.data(), copy.size(), "r");
    char error[256] = "";
    good_ = pmuv3_stimulus_read(&stimulus_, in, "good.stim", error, sizeof error);
    EXPECT_TRUE(good_) << error;
    std::fclose(in);
  }
  ~Stimulus() {
    if (good_) pmuv3_stimulus_free(&stimulus_);
  }
  Stimulus(const Stimulus &) = delete;
  Stimulus &operator=(const Stimulus &) = delete;

  bool good() const { return good_; }
  const pmuv3_stimulus *operator->() const { return &stimulus_; }

 private:
  pmuv3_stimulus stimulus_ = {};
  bool good_ = false;
};

TEST(StimulusTest, OneOfEach) {
  Stimulus s(
      "pmuv3-stimulus 1\n"
      "\n"
      "# a comment\n"
      "param counters=2 th_width=0x4   # another\n"
      "param K-RESTC=b features=TH,PMUv3p5\n"
      "write PMCR_EL0 1\n"
      "  write\tPMEVTYPER1_EL0   0x0008\n"
      "cycle\n"
      "cycle 0x0008:3 4:255 0x8:4 PMCNTENSET_EL0=0x3 60:1\n"
      "idle 1000000000000\n"
      "expect PMEVCNTR1_EL0 0xFFFFFFFFFFFFFFFF");  // no newline at the end
  ASSERT_TRUE(s.good());
  EXPECT_EQ(s->params.counters, 2);
  EXPECT_EQ(s->params.th_width, 4);
  EXPECT_EQ(s->params.k_restc, 1);
  EXPECT_TRUE(pmuv3_has(&s->params, PMUV3_FEATURE_PMUv3p1));  // complete
  EXPECT_FALSE(pmuv3_has(&s->params, PMUV3_FEATURE_EDGE));
  ASSERT_EQ(s->num_items, 6u);

  EXPECT_EQ(s->items[0].kind, PMUV3_ITEM_WRITE);
  EXPECT_EQ(s->items[0].line, 6u);
  EXPECT_EQ(s->items[0].access.reg, PMUV3_PMCR);
  EXPECT_EQ(s->items[0].access.value, 1u);

  EXPECT_EQ(s->items[1].kind, PMUV3_ITEM_WRITE);
  EXPECT_EQ(s->items[1].access.reg, PMUV3_PMEVTYPERn(1));
  EXPECT_EQ(s->items[1].access.value, 8u);

  EXPECT_EQ(s->items[2].kind, PMUV3_ITEM_CYCLE);
  EXPECT_EQ(s->items[2].cycle.num_occurrences, 0);
  EXPECT_FALSE(s->items[2].cycle.has_write);

  const pmuv3_cycle &cycle = s->items[3].cycle;
  EXPECT_EQ(s->items[3].kind, PMUV3_ITEM_CYCLE);
  EXPECT_EQ(s->items[3].line, 9u);
  int counts[PMUV3_NUM_EVENTS] = {};
  for (int i = 0; i < cycle.num_occurrences; i++) {
    EXPECT_EQ(counts[cycle.occurrences[i].event], 0) << "an event stands once";
    counts[cycle.occurrences[i].event] = cycle.occurrences[i].count;
  }
  EXPECT_EQ(counts[PMUV3_EVENT_INST_RETIRED], 7);  // items for the same event add up
  EXPECT_EQ(counts[PMUV3_EVENT_L1D_CACHE], 255);
  EXPECT_EQ(counts[PMUV3_EVENT_STALL], 1);
  EXPECT_TRUE(cycle.has_write);
  EXPECT_EQ(cycle.write.reg, PMUV3_PMCNTENSET);
  EXPECT_EQ(cycle.write.value, 3u);

  EXPECT_EQ(s->items[4].kind, PMUV3_ITEM_IDLE);
  EXPECT_EQ(s->items[4].idle, 1000000000000u);

  EXPECT_EQ(s->items[5].kind, PMUV3_ITEM_EXPECT);
  EXPECT_EQ(s->items[5].line, 11u);
  EXPECT_EQ(s->items[5].access.reg, PMUV3_PMEVCNTRn(1));
  EXPECT_EQ(s->items[5].access.value, ~UINT64_C(0));
}

TEST(StimulusTest, GoodInputs) {
  const char *const texts[] = {
      "pmuv3-stimulus 1\n",
      "pmuv3-stimulus 1",
      "pmuv3-stimulus 1  # version\n\n\n",
      "pmuv3-stimulus 1\nparam counters=0 features=none\ncycle 0x8:1\n",
      "pmuv3-stimulus 1\nparam counters=31\nwrite PMEVCNTR30_EL0 0\n",
      "pmuv3-stimulus 1\nparam features=none el2=0 el3=0\nwrite MDCR_EL2 0x80\n",
      "pmuv3-stimulus 1\nwrite PMCNTENSET_EL0 0x7FFFFFFF  # unimplemented bits are ignored\n",
      "pmuv3-stimulus 1\nwrite @0 PMCR_EL0 1\nexpect @0 PMCR_EL0 0x3001\n",
      "pmuv3-stimulus 1\ncycle 0x8:0\n",
      "pmuv3-stimulus 1\ncycle 0x8:200 0x8:55\n",
      "pmuv3-stimulus 1\ncycle 0x23:1 0x24:0 0x3F:255\n",
      "pmuv3-stimulus 1\ncycle 0x8:3@0 @0:PMCR_EL0=1\n",
      "pmuv3-stimulus 1\nidle 0\nidle 1\n",
      "pmuv3-stimulus 1\nexpect PMCEID0_EL0 0\n",
      "pmuv3-stimulus 1\nexpect PMMIR_EL1 0\n",
      "pmuv3-stimulus 1\nwrite PMSWINC_EL0 1\nwrite PMSWINC_EL0 2\ncycle\n",
  };
  for (const char *text : texts) {
    SCOPED_TRACE(text);
    Stimulus s(text);
  }
}

// 255 increments of one counter may wait for a cycle; after it, or after a reset, 255 more may.
TEST(StimulusTest, PendingIncrements) {
  std::string text = "pmuv3-stimulus 1\n";
  for (const char *consumer : {"cycle PMSWINC_EL0=1\n", "reset\n", "idle 1\n"}) {
    for (int i = 0; i < 255; i++) text += "write PMSWINC_EL0 0x1\n";
    text += "write PMSWINC_EL0 0x2\n";
    text += consumer;
  }
  Stimulus s(text);
  ASSERT_TRUE(s.good());
  EXPECT_EQ(s->num_items, 3u * 257);
}

// Accesses that must be refused name a register, or any encoding.
TEST(StimulusTest, RefusedAccessesAndReset) {
  Stimulus s(
      "pmuv3-stimulus 1\n"
      "param counters=2 features=TH\n"
      "refused write PMCEID0_EL0 0xFFFFFFFFFFFFFFFF\n"
      "refused write @0 PMEVTYPER2_EL0 0x80000008  # no field of it is looked at\n"
      "refused read PMSWINC_EL0\n"
      "refused read @0 PMMIR_EL1\n"
      "refused read 0\n"
      "refused write 0xFFFF 1\n"
      "refused read 56548  # PMSWINC_EL0\n"
      "reset\n");
  ASSERT_TRUE(s.good());
  ASSERT_EQ(s->num_items, 8u);
  const struct {
    pmuv3_item_kind kind;
    int reg;
    uint64_t value;
  } items[] = {
      {PMUV3_ITEM_REFUSED_WRITE, PMUV3_PMCEID0, ~UINT64_C(0)},
      {PMUV3_ITEM_REFUSED_WRITE, PMUV3_PMEVTYPERn(2), 0x80000008},
      {PMUV3_ITEM_REFUSED_READ, PMUV3_PMSWINC, 0},
      {PMUV3_ITEM_REFUSED_READ, PMUV3_PMMIR, 0},
      {PMUV3_ITEM_REFUSED_READ, 0, 0},
      {PMUV3_ITEM_REFUSED_WRITE, 0xFFFF, 1},
      {PMUV3_ITEM_REFUSED_READ, PMUV3_PMSWINC, 0},
  };
  for (size_t i = 0; i < 7; i++) {
    SCOPED_TRACE(i);
    EXPECT_EQ(s->items[i].kind, items[i].kind);
    EXPECT_EQ(s->items[i].line, i + 3);
    EXPECT_EQ(s->items[i].access.reg, items[i].reg);
    EXPECT_EQ(s->items[i].access.value, items[i].value);
  }
  EXPECT_EQ(s->items[7].kind, PMUV3_ITEM_RESET);
  EXPECT_EQ(s->items[7].line, 10u);
}

// ---- The writer ----

std::string Written(const pmuv3_params &params, const pmuv3_stimulus *stimulus) {
  char *text = nullptr;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  pmuv3_stimulus_write_head(out, &params);
  for (size_t i = 0; stimulus && i < stimulus->num_items; i++)
    pmuv3_stimulus_write_item(out, &stimulus->items[i]);
  std::fclose(out);
  std::string written(text, size);
  std::free(text);
  return written;
}

std::string WrittenItem(const pmuv3_item &item) {
  char *text = nullptr;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  pmuv3_stimulus_write_item(out, &item);
  std::fclose(out);
  std::string written(text, size);
  std::free(text);
  return written;
}

bool SameParams(const pmuv3_params &a, const pmuv3_params &b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

TEST(StimulusWriterTest, EachFeatureAlone) {
  for (int f = -1; f < PMUV3_NUM_FEATURES; f++) {
    pmuv3_params params = pmuv3_params_default();
    params.features = f < 0 ? 0 : UINT32_C(1) << f;
    pmuv3_params_complete(&params);
    const std::string text = Written(params, nullptr);
    SCOPED_TRACE(text);
    Stimulus s(text);
    ASSERT_TRUE(s.good());
    EXPECT_TRUE(SameParams(s->params, params));
    EXPECT_EQ(s->num_items, 0u);
  }
}

TEST(StimulusWriterTest, EachParameter) {
  for (int variant = 0; variant < 8; variant++) {
    pmuv3_params params = pmuv3_params_default();
    if (variant == 1) params.counters = 0;
    if (variant == 2) params.counters = 31;
    if (variant == 3) params.th_width = 1;
    if (variant == 4) params.el2 = 0;
    if (variant == 5) params.el3 = 0;
    if (variant == 6) params.slots = 255;
    if (variant == 7) params.k_restc = 1;
    pmuv3_params_complete(&params);
    const std::string text = Written(params, nullptr);
    SCOPED_TRACE(text);
    Stimulus s(text);
    ASSERT_TRUE(s.good());
    EXPECT_TRUE(SameParams(s->params, params));
  }
}

TEST(StimulusWriterTest, Items) {
  Stimulus first(
      "pmuv3-stimulus 1\n"
      "param counters=3 K-RESTC=b\n"
      "write PMEVTYPER2_EL0 0xE0C00FFF0200FFFF\n"
      "write PMSWINC_EL0 0x7\n"
      "cycle 0x8:3 0x80C1:255 0x3C:1\n"
      "cycle PMOVSCLR_EL0=0x7\n"
      "cycle 0x4:1 PMEVCNTR2_EL0=0xFFFFFFFFFFFFFFFF\n"
      "cycle\n"
      "idle 12345678901\n"
      "expect PMEVCNTR2_EL0 0x123456789\n"
      "refused write PMEVCNTR3_EL0 0xFFFFFFFFFFFFFFFF\n"
      "refused write 0xABCD 0x1\n"
      "reset\n"
      "refused read PMSWINC_EL0\n"
      "refused read 0x0007\n"
      "write MDCR_EL2 0x4000083\n");
  ASSERT_TRUE(first.good());
  const std::string text = Written(first->params, first.operator->());
  SCOPED_TRACE(text);
  Stimulus second(text);
  ASSERT_TRUE(second.good());
  EXPECT_TRUE(SameParams(first->params, second->params));
  ASSERT_EQ(first->num_items, second->num_items);
  for (size_t i = 0; i < first->num_items; i++) {
    SCOPED_TRACE(i);
    const pmuv3_item &a = first->items[i], &b = second->items[i];
    ASSERT_EQ(a.kind, b.kind);
    switch (a.kind) {
      case PMUV3_ITEM_IDLE:
        EXPECT_EQ(a.idle, b.idle);
        break;
      case PMUV3_ITEM_RESET:
        break;
      case PMUV3_ITEM_CYCLE:
        ASSERT_EQ(a.cycle.num_occurrences, b.cycle.num_occurrences);
        for (int o = 0; o < a.cycle.num_occurrences; o++) {
          EXPECT_EQ(a.cycle.occurrences[o].event, b.cycle.occurrences[o].event);
          EXPECT_EQ(a.cycle.occurrences[o].count, b.cycle.occurrences[o].count);
        }
        ASSERT_EQ(a.cycle.has_write, b.cycle.has_write);
        if (!a.cycle.has_write) break;
        EXPECT_EQ(a.cycle.write.reg, b.cycle.write.reg);
        EXPECT_EQ(a.cycle.write.value, b.cycle.write.value);
        break;
      default:
        EXPECT_EQ(a.access.reg, b.access.reg);
        EXPECT_EQ(a.access.value, b.access.value);
    }
  }
  EXPECT_EQ(Written(second->params, second.operator->()), text);  // and it stays so
}

// What the generator makes can be written down and read back, line by line.
TEST(StimulusWriterTest, RandomItems) {
  for (const char *counters : {"0", "1", "6", "30", "31"}) {
    SCOPED_TRACE(counters);
    pmuv3_params params = pmuv3_params_default();
    ASSERT_EQ(pmuv3_params_set(&params, "counters", counters), nullptr);
    if (params.counters == 1) params.features = 0;
    pmuv3_params_complete(&params);
    pmuv3_random *random = pmuv3_random_create(&params, 1);
    int kinds[PMUV3_ITEM_RESET + 1] = {};
    std::string text = Written(params, nullptr);
    for (int i = 0; i < 50000; i++) {
      const pmuv3_item *item = pmuv3_random_next(random);
      kinds[item->kind]++;
      text += WrittenItem(*item);
    }
    pmuv3_random_destroy(random);
    for (pmuv3_item_kind kind :
         {PMUV3_ITEM_WRITE, PMUV3_ITEM_READ, PMUV3_ITEM_CYCLE, PMUV3_ITEM_REFUSED_WRITE,
          PMUV3_ITEM_REFUSED_READ, PMUV3_ITEM_RESET})
      EXPECT_GT(kinds[kind], 0) << kind;
    Stimulus s(text);
    ASSERT_TRUE(s.good());
    EXPECT_TRUE(Written(params, s.operator->()) == text);
  }
}

// A read is for the comparison of two sides; a file has no word for it.
TEST(StimulusWriterTest, ReadsAreNotWritten) {
  pmuv3_item item = {};
  item.kind = PMUV3_ITEM_READ;
  item.access.reg = PMUV3_PMCR;
  EXPECT_EQ(WrittenItem(item), "");
}

}  // namespace
}  // namespace pmuv3
