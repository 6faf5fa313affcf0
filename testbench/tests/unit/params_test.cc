// params: the names of `param` lines, their ranges, and what features imply.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "pmuv3/params.h"
#include "tlm_wrapper/side_rtl.h"

namespace pmuv3 {
namespace {

uint32_t Features(std::initializer_list<pmuv3_feature> list) {
  uint32_t features = 0;
  for (pmuv3_feature feature : list) features |= UINT32_C(1) << feature;
  return features;
}

#define F(name) PMUV3_FEATURE_##name

constexpr uint32_t kAll = (UINT32_C(1) << PMUV3_NUM_FEATURES) - 1;

// Features that exist only if they are named.
const uint32_t kOwn = Features({F(SS), F(FGWTE3), F(SPE), F(DPFZS), F(EXT32), F(EXT64), F(EXTPMN)});

// formats.md section 2, Parameters.
TEST(ParamsTest, Defaults) {
  const pmuv3_params params = pmuv3_params_default();
  EXPECT_EQ(params.counters, 6);
  EXPECT_EQ(params.threads, 1);
  EXPECT_EQ(params.th_width, 12);
  EXPECT_EQ(params.el2, 1);
  EXPECT_EQ(params.el3, 1);
  EXPECT_EQ(params.slots, 8);
  EXPECT_EQ(params.aa64, 1);
  EXPECT_EQ(params.debugv8p2, 1);
  EXPECT_EQ(params.imp, 0u);
  EXPECT_EQ(params.idcode, 0u);
  EXPECT_EQ(params.iidr, 0u);
  EXPECT_EQ(params.pidr, 0x80000u) << "PMPIDR2.JEDEC";
  EXPECT_EQ(params.authstatus, 0u);
  EXPECT_EQ(params.affinity, 0u);
  EXPECT_EQ(params.features, kAll & ~kOwn);
}

TEST(ParamsTest, DefaultsAreComplete) {
  pmuv3_params params = pmuv3_params_default();
  const pmuv3_params before = params;
  EXPECT_EQ(pmuv3_params_complete(&params), nullptr);
  EXPECT_EQ(std::memcmp(&params, &before, sizeof params), 0);
}

TEST(ParamsTest, Ranges) {
  struct {
    const char *name;
    uint8_t pmuv3_params::*member;
    int min, max;
  } const ranges[] = {
      {"counters", &pmuv3_params::counters, 0, 31},
      {"threads", &pmuv3_params::threads, 1, 4},
      {"th_width", &pmuv3_params::th_width, 1, 12},
      {"el2", &pmuv3_params::el2, 0, 1},
      {"el3", &pmuv3_params::el3, 0, 1},
      {"slots", &pmuv3_params::slots, 0, 255},
      {"bus_slots", &pmuv3_params::bus_slots, 0, 255},
      {"bus_width", &pmuv3_params::bus_width, 0, 12},
      {"aa64", &pmuv3_params::aa64, 0, 1},
      {"debugv8p2", &pmuv3_params::debugv8p2, 0, 1},
  };
  for (const auto &range : ranges) {
    for (int value = -1; value <= 257; value++) {
      SCOPED_TRACE(::testing::Message() << range.name << "=" << value);
      pmuv3_params params = pmuv3_params_default();
      const pmuv3_params before = params;
      const char *wrong = pmuv3_params_set(&params, range.name, std::to_string(value).c_str());
      if (value >= range.min && value <= range.max) {
        EXPECT_EQ(wrong, nullptr);
        EXPECT_EQ(params.*range.member, value);
      } else {
        EXPECT_NE(wrong, nullptr);
        EXPECT_EQ(std::memcmp(&params, &before, sizeof params), 0);
      }
    }
  }
}

// Each value of an identification register takes the bits of its fields, and no others.
TEST(ParamsTest, Identities) {
  struct {
    const char *name;
    uint64_t pmuv3_params::*member;
    uint64_t fields;
  } const identities[] = {
      {"imp", &pmuv3_params::imp, 0xFF},
      {"idcode", &pmuv3_params::idcode, 0xFF},
      {"iidr", &pmuv3_params::iidr, 0xFFFFFFFF},
      {"pidr", &pmuv3_params::pidr, 0xFFFFFFFFFF},
      {"authstatus", &pmuv3_params::authstatus, 0x0C00C0CC},
      {"affinity", &pmuv3_params::affinity, 0xFFFFFF},
  };
  for (const auto &identity : identities)
    for (int bit = 0; bit < 64; bit++) {
      SCOPED_TRACE(::testing::Message() << identity.name << " bit " << bit);
      pmuv3_params params = pmuv3_params_default();
      pmuv3_params given = params;
      const uint64_t value = UINT64_C(1) << bit;
      const bool is_field = (identity.fields & value) != 0;
      given.*identity.member = value;
      EXPECT_EQ(pmuv3_params_wrong(&given) == nullptr, is_field);
      const char *wrong = pmuv3_params_set(&params, identity.name, std::to_string(value).c_str());
      EXPECT_EQ(wrong == nullptr, is_field);
      EXPECT_EQ(params.*identity.member == value,
                is_field || pmuv3_params_default().*identity.member == value);
    }
  pmuv3_params params = pmuv3_params_default();
  EXPECT_STREQ(pmuv3_params_set(&params, "authstatus", "0x100"),
               "authstatus must have only bits of 0xC00C0CC, not 0x100");
}

// Debugv8p9 came after Debugv8p2.
TEST(ParamsTest, Debugv8p9) {
  for (const char *debugv8p2 : {"0", "1"}) {
    pmuv3_params params = pmuv3_params_default();
    EXPECT_EQ(pmuv3_params_set(&params, "features", "Debugv8p9"), nullptr);
    EXPECT_EQ(pmuv3_params_set(&params, "debugv8p2", debugv8p2), nullptr);
    EXPECT_EQ(pmuv3_params_complete(&params), nullptr);
    EXPECT_EQ(pmuv3_has(&params, F(Debugv8p9)), params.debugv8p2 == 1);
  }
}

TEST(ParamsTest, Hexadecimal) {
  struct {
    const char *text;
    int value;
  } const cases[] = {{"0x0", 0},      {"0x9", 9},    {"0xa", 10},   {"0xf", 15},   {"0xA", 10},
                     {"0xF", 15},     {"0x10", 16},  {"0x90", 144}, {"0xaF", 175}, {"0xFf", 255},
                     {"0x00ff", 255}, {"0xG", -1},   {"0xg", -1},   {"0x@", -1},   {"0x`", -1},
                     {"0x/", -1},     {"0x:", -1},   {"1:", -1},    {"1/", -1},    {"1a", -1},
                     {"x1", -1},      {"0x100", -1}, {"0x1 ", -1}};
  for (const auto &c : cases) {
    SCOPED_TRACE(c.text);
    pmuv3_params params = pmuv3_params_default();
    const char *wrong = pmuv3_params_set(&params, "slots", c.text);
    EXPECT_EQ(wrong == nullptr, c.value >= 0);
    EXPECT_EQ(params.slots, c.value >= 0 ? c.value : 8);
  }
}

// rules.md F.1: the words of each choice in their order, and which is the default.
struct Choice {
  const char *name;
  uint8_t pmuv3_params::*member;
  std::vector<const char *> words;
  int by_default;
};

const Choice kChoices[] = {
    {"aa32", &pmuv3_params::aa32, {"none", "el0", "el1", "el2", "el3"}, 4},
    {"K-RESTC", &pmuv3_params::k_restc, {"a", "b"}, 0},
    {"K-VS-RES", &pmuv3_params::k_vs_res, {"00", "01", "10", "both"}, 0},
    {"K-UNATTR-FILTER", &pmuv3_params::k_unattr_filter, {"none", "core", "memory", "all"}, 3},
    {"K-UNATTR-PROHIB", &pmuv3_params::k_unattr_prohib, {"none", "core", "memory", "all"}, 0},
    {"K-UNATTR-DEBUG", &pmuv3_params::k_unattr_debug, {"none", "core", "memory", "all"}, 0},
    {"K-ATTR-NONEL-FILTER", &pmuv3_params::k_attr_nonel_filter, {"drop", "count"}, 0},
    {"K-ATTR-NONSS-PROHIB", &pmuv3_params::k_attr_nonss_prohib, {"drop", "count"}, 0},
    {"K-DEBUG-LATE", &pmuv3_params::k_debug_late, {"drop", "count"}, 0},
    {"K-MT-LEGACY", &pmuv3_params::k_mt_legacy, {"res0", "rw"}, 0},
    {"K-MTPME-GROUP", &pmuv3_params::k_mtpme_group, {"self", "group"}, 0},
    {"K-NS-COUNT-S-ATTR", &pmuv3_params::k_ns_count_s_attr, {"refuse", "permit"}, 0},
    {"K-NS-COUNT-S-UNATTR", &pmuv3_params::k_ns_count_s_unattr, {"refuse", "permit"}, 0},
    {"K-LO-COUNT-EL2-ATTR", &pmuv3_params::k_lo_count_el2_attr, {"refuse", "permit"}, 0},
    {"K-LO-COUNT-EL2-UNATTR", &pmuv3_params::k_lo_count_el2_unattr, {"refuse", "permit"}, 0},
    {"K-LO-COUNT-SSEL-ATTR", &pmuv3_params::k_lo_count_ssel_attr, {"refuse", "permit"}, 0},
    {"K-LO-COUNT-SSEL-UNATTR", &pmuv3_params::k_lo_count_ssel_unattr, {"refuse", "permit"}, 0},
    {"K-SHARED-OTHER", &pmuv3_params::k_shared_other, {"attributable", "all"}, 0},
    {"K-SDD-PRIORITY", &pmuv3_params::k_sdd_priority, {"late", "first"}, 0},
    {"K-A32-RES0", &pmuv3_params::k_a32_res0, {"zero", "keep"}, 0},
    {"K-STALL-CYCLES", &pmuv3_params::k_stall_cycles, {"presented", "cpu_cycles"}, 0},
    {"K-CHAIN-FILTER", &pmuv3_params::k_chain_filter, {"obey", "ignore"}, 0},
    {"K-SOFTWARE-LOCK", &pmuv3_params::k_software_lock, {"present", "absent"}, 0},
    {"K-MT-SELF-DEBUG", &pmuv3_params::k_mt_self_debug, {"drop", "count"}, 0},
};

// A choice without a row here does not compile.
static_assert(sizeof kChoices / sizeof *kChoices == 0
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) +1
#include "pmuv3/params.def"
);

TEST(ParamsTest, Choices) {
  for (const Choice &choice : kChoices) {
    pmuv3_params params = pmuv3_params_default();
    EXPECT_EQ(params.*choice.member, choice.by_default) << choice.name;
    for (size_t i = 0; i < choice.words.size(); i++) {
      SCOPED_TRACE(::testing::Message() << choice.name << "=" << choice.words[i]);
      params = pmuv3_params_default();
      const pmuv3_params before = params;
      EXPECT_EQ(pmuv3_params_set(&params, choice.name, choice.words[i]), nullptr);
      EXPECT_EQ(params.*choice.member, i);
      params.*choice.member = before.*choice.member;  // nothing else changes
      EXPECT_EQ(std::memcmp(&params, &before, sizeof params), 0);
    }
  }
}

// A choice takes its own whole words, and no others.
TEST(ParamsTest, WrongChoices) {
  for (const Choice &choice : kChoices) {
    const std::string first = choice.words[0];
    for (const std::string &word : {std::string(), std::string("2"), std::string("|"), first + "|",
                                    first + "x", first.substr(0, first.size() - 1), " " + first,
                                    first + "|" + choice.words[1], std::string("nothing")}) {
      SCOPED_TRACE(::testing::Message() << choice.name << "=" << word);
      pmuv3_params params = pmuv3_params_default();
      const pmuv3_params before = params;
      const char *wrong = pmuv3_params_set(&params, choice.name, word.c_str());
      EXPECT_STRNE(wrong ? wrong : "", "");
      EXPECT_EQ(std::memcmp(&params, &before, sizeof params), 0);
    }
  }
}

// An error gives a message, and changes nothing.
TEST(ParamsTest, Wrong) {
  struct {
    const char *name, *value;
  } const cases[] = {
      {"counter", "6"},           {"", "6"},
      {"COUNTERS", "6"},          {"counters", ""},
      {"counters", "six"},        {"counters", "6x"},
      {"counters", " 6"},         {"counters", "6 "},
      {"counters", "0x"},         {"counters", "+6"},
      {"counters", "-0"},         {"counters", "6.0"},
      {"counters", "0x20"},       {"counters", "262"},
      {"counters", "4294967302"}, {"counters", "18446744073709551622"},
      {"K-RESTC", "c"},           {"K-RESTC", ""},
      {"K-RESTC", "ab"},          {"K-RESTC", "0"},
      {"k-restc", "a"},           {"K-VERSION", "a"},
      {"features", ""},           {"features", "TH3"},
      {"features", "th"},         {"features", "TH,"},
      {"features", ",TH"},        {"features", "TH,,EDGE"},
      {"features", "TH EDGE"},    {"features", "TH,nope"},
      {"features", "TH2x"},       {"features", "PMUv3p"},
      {"features", "PMUv3p6"},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(::testing::Message() << c.name << "=" << c.value);
    pmuv3_params params = pmuv3_params_default();
    params.features = 0;
    const pmuv3_params before = params;
    const char *wrong = pmuv3_params_set(&params, c.name, c.value);
    EXPECT_STRNE(wrong ? wrong : "", "");
    EXPECT_EQ(std::memcmp(&params, &before, sizeof params), 0);
  }
}

TEST(ParamsTest, FeatureNames) {
  const char *const names[] = {
      "TH",     "EDGE",  "TH2",     "SME",     "ICNTR",   "RME",     "SEL2",     "MTPMU",   "EBEP",
      "SEBEP",  "HPMN0", "PMUv3p1", "PMUv3p4", "PMUv3p5", "PMUv3p7", "PMUv3p8",  "PMUv3p9", "SS",
      "FGWTE3", "SPE",   "DPFZS",   "EXT32",   "EXT64",   "EXTPMN",  "Debugv8p9"};
  uint32_t all = 0;
  for (const char *name : names) {
    pmuv3_params params = pmuv3_params_default();
    EXPECT_EQ(pmuv3_params_set(&params, "features", name), nullptr) << name;
    all |= params.features;
  }
  EXPECT_EQ(all, kAll);
  EXPECT_EQ(static_cast<int>(sizeof names / sizeof *names), PMUV3_NUM_FEATURES);
  for (int f = 0; f < PMUV3_NUM_FEATURES; f++) {
    pmuv3_params params = pmuv3_params_default();
    const pmuv3_feature feature = static_cast<pmuv3_feature>(f);
    EXPECT_EQ(pmuv3_params_set(&params, "features", pmuv3_feature_name(feature)), nullptr);
    EXPECT_TRUE(pmuv3_has(&params, feature)) << pmuv3_feature_name(feature);
  }
  EXPECT_STREQ(pmuv3_feature_name(PMUV3_FEATURE_PMUv3p5), "PMUv3p5");
  EXPECT_EQ(pmuv3_feature_name(PMUV3_NUM_FEATURES), nullptr);
}

// Completing gives these features. Completing again changes nothing.
void ExpectComplete(pmuv3_params params, uint32_t features) {
  EXPECT_EQ(pmuv3_params_complete(&params), nullptr);
  EXPECT_EQ(params.features, features);
  const pmuv3_params once = params;
  EXPECT_EQ(pmuv3_params_complete(&params), nullptr);
  EXPECT_EQ(std::memcmp(&params, &once, sizeof params), 0);
}

// The features that each feature implies (formats.md section 2; the architecture's rules of
// features).
TEST(ParamsTest, Implications) {
  struct {
    const char *features;
    uint32_t complete;
  } const cases[] = {
      {"none", 0},
      {"TH", Features({F(TH)})},
      {"EDGE", Features({F(TH), F(EDGE)})},
      {"TH2", Features({F(TH), F(EDGE), F(TH2)})},
      {"SME", Features({F(SME)})},
      {"ICNTR", Features({F(ICNTR), F(PMUv3p1), F(PMUv3p4), F(PMUv3p5), F(PMUv3p7), F(PMUv3p8),
                          F(PMUv3p9)})},
      {"RME", Features({F(RME)})},
      {"SEL2", Features({F(SEL2)})},
      {"MTPMU", Features({F(MTPMU)})},
      {"EBEP", Features({F(EBEP)})},
      {"SEBEP", Features({F(EBEP), F(SEBEP)})},
      {"SS",
       Features({F(SS), F(PMUv3p1), F(PMUv3p4), F(PMUv3p5), F(PMUv3p7), F(PMUv3p8), F(PMUv3p9)})},
      {"SPE", Features({F(SPE), F(PMUv3p1), F(PMUv3p4), F(PMUv3p5), F(PMUv3p7)})},
      {"DPFZS", Features({F(DPFZS), F(SPE), F(PMUv3p1), F(PMUv3p4), F(PMUv3p5), F(PMUv3p7)})},
      {"EXT32", Features({F(EXT32)})},
      {"EXT64", Features({F(EXT64)})},
      {"EXTPMN", Features({F(EXTPMN), F(EXT64), F(HPMN0)})},
      {"EXTPMN,EXT32", Features({F(EXTPMN), F(EXT32), F(HPMN0)})},
      {"HPMN0", Features({F(HPMN0)})},
      {"PMUv3p1", Features({F(PMUv3p1)})},
      {"PMUv3p4", Features({F(PMUv3p1), F(PMUv3p4)})},
      {"PMUv3p5", Features({F(PMUv3p1), F(PMUv3p4), F(PMUv3p5)})},
      {"PMUv3p7", Features({F(PMUv3p1), F(PMUv3p4), F(PMUv3p5), F(PMUv3p7)})},
      {"PMUv3p8", Features({F(PMUv3p1), F(PMUv3p4), F(PMUv3p5), F(PMUv3p7), F(PMUv3p8)})},
      {"PMUv3p9",
       Features({F(PMUv3p1), F(PMUv3p4), F(PMUv3p5), F(PMUv3p7), F(PMUv3p8), F(PMUv3p9)})},
      {"TH2,PMUv3p1", Features({F(TH), F(EDGE), F(TH2), F(PMUv3p1)})},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(c.features);
    pmuv3_params params = pmuv3_params_default();
    EXPECT_EQ(pmuv3_params_set(&params, "features", c.features), nullptr);
    ExpectComplete(params, c.complete);
  }
}

// Features that need an Exception level, and the needs of counters=0.
TEST(ParamsTest, ExceptionLevels) {
  struct {
    int el2, el3, counters;
    const char *features;
    uint32_t complete;
  } const cases[] = {
      {1, 1, 6, "SEL2,HPMN0,RME", Features({F(SEL2), F(HPMN0), F(RME)})},
      {0, 1, 6, "SEL2,HPMN0,RME", Features({F(RME)})},
      {1, 0, 6, "SEL2,HPMN0,RME", Features({F(SEL2), F(HPMN0)})},
      {0, 0, 6, "SEL2,HPMN0,RME,MTPMU", Features({F(MTPMU)})},
      {1, 1, 0, "none", Features({F(HPMN0)})},
      {1, 0, 0, "none", Features({F(HPMN0)})},
      {0, 1, 0, "none", 0},
      {0, 1, 0, "HPMN0", 0},
      {0, 1, 6, "EXTPMN", Features({F(EXTPMN), F(EXT64)})},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(::testing::Message() << "el2=" << c.el2 << " el3=" << c.el3
                                      << " counters=" << c.counters << " " << c.features);
    pmuv3_params params = pmuv3_params_default();
    EXPECT_EQ(pmuv3_params_set(&params, "features", c.features), nullptr);
    EXPECT_EQ(pmuv3_params_set(&params, "el2", c.el2 ? "1" : "0"), nullptr);
    EXPECT_EQ(pmuv3_params_set(&params, "el3", c.el3 ? "1" : "0"), nullptr);
    EXPECT_EQ(pmuv3_params_set(&params, "counters", c.counters ? "6" : "0"), nullptr);
    ExpectComplete(params, c.complete);
  }
}

// Without AArch64, features of AArch64 and the features that they imply do not exist.
TEST(ParamsTest, WithoutAArch64) {
  struct {
    const char *features;
    uint32_t complete;
  } const cases[] = {
      {"none", 0},
      {"TH2,SME", 0},
      {"RME,SEL2,SEBEP", 0},
      {"MTPMU,HPMN0,TH", Features({F(MTPMU), F(HPMN0)})},
      {"PMUv3p9",
       Features({F(PMUv3p1), F(PMUv3p4), F(PMUv3p5), F(PMUv3p7), F(PMUv3p8), F(PMUv3p9)})},
      {"EDGE,PMUv3p5", Features({F(PMUv3p1), F(PMUv3p4), F(PMUv3p5)})},
      {"EBEP,SS,DPFZS",
       Features({F(PMUv3p1), F(PMUv3p4), F(PMUv3p5), F(PMUv3p7), F(PMUv3p8), F(PMUv3p9)})},
      {"EXTPMN", 0},
      {"EXT32", Features({F(EXT32)})},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(c.features);
    pmuv3_params params = pmuv3_params_default();
    EXPECT_EQ(pmuv3_params_set(&params, "features", c.features), nullptr);
    EXPECT_EQ(pmuv3_params_set(&params, "aa64", "0"), nullptr);
    ExpectComplete(params, c.complete);
  }
  pmuv3_params params = pmuv3_params_default();
  params.aa64 = 0;
  EXPECT_EQ(pmuv3_params_complete(&params), nullptr);
  for (auto feature : {F(TH), F(EDGE), F(TH2), F(SME), F(ICNTR), F(RME), F(SEL2), F(SEBEP)})
    EXPECT_FALSE(pmuv3_has(&params, feature)) << pmuv3_feature_name(feature);
}

// I-2: the highest Exception level that can use AArch32 is one that is there. SS excludes AArch32
// at EL1. Without AArch64 there is AArch32 at every Exception level.
TEST(ParamsTest, ExecutionStates) {
  const char *const words[] = {"none", "el0", "el1", "el2", "el3"};
  struct {
    const char *el2, *el3, *features;
    int most;
  } const cases[] = {
      {"1", "1", "none", 4}, {"0", "1", "none", 4}, {"1", "0", "none", 3}, {"0", "0", "none", 2},
      {"1", "1", "SS", 1},   {"0", "0", "SS", 1},   {"1", "1", "RME", 4},
  };
  for (const auto &c : cases)
    for (int word = 0; word < 5; word++) {
      SCOPED_TRACE(::testing::Message() << "el2=" << c.el2 << " el3=" << c.el3
                                        << " features=" << c.features << " aa32=" << words[word]);
      pmuv3_params params = pmuv3_params_default();
      EXPECT_EQ(pmuv3_params_set(&params, "el2", c.el2), nullptr);
      EXPECT_EQ(pmuv3_params_set(&params, "el3", c.el3), nullptr);
      EXPECT_EQ(pmuv3_params_set(&params, "features", c.features), nullptr);
      EXPECT_EQ(pmuv3_params_set(&params, "aa32", words[word]), nullptr);
      EXPECT_EQ(pmuv3_params_complete(&params), nullptr);
      EXPECT_EQ(params.aa32, std::min(word, c.most));
      for (unsigned el = 0; el < 4; el++)
        EXPECT_EQ(pmuv3_can_aa32(&params, el), static_cast<int>(el) < params.aa32) << el;
      params.aa32 = static_cast<uint8_t>(c.most + 1);
      EXPECT_NE(pmuv3_params_wrong(&params), nullptr);
      params.aa64 = 0;
      params.aa32 = static_cast<uint8_t>(word);
      EXPECT_EQ(pmuv3_params_complete(&params), nullptr);
      EXPECT_EQ(params.aa32, 4);
      params.aa32 = 3;
      EXPECT_STREQ(pmuv3_params_wrong(&params),
                   "aa32 must be what pmuv3_params_complete makes of it");
    }
}

// Features that are newer than the removal of something else.
TEST(ParamsTest, Impossible) {
  struct {
    const char *features, *name, *value;
    bool possible;
  } const cases[] = {
      {"none", "K-MT-LEGACY", "rw", true},     {"PMUv3p5", "K-MT-LEGACY", "rw", true},
      {"PMUv3p7", "K-MT-LEGACY", "rw", false}, {"PMUv3p9", "K-MT-LEGACY", "rw", false},
      {"ICNTR", "K-MT-LEGACY", "rw", false},   {"MTPMU", "K-MT-LEGACY", "rw", false},
      {"MTPMU", "K-MT-LEGACY", "res0", true},  {"none", "debugv8p2", "0", true},
      {"PMUv3p1", "debugv8p2", "0", true},     {"HPMN0", "debugv8p2", "0", false},
      {"PMUv3p4", "debugv8p2", "0", false},    {"PMUv3p9", "debugv8p2", "0", false},
      {"TH", "debugv8p2", "0", false},         {"SEL2", "debugv8p2", "0", false},
      {"RME", "debugv8p2", "0", false},        {"MTPMU", "debugv8p2", "0", false},
      {"SEBEP", "debugv8p2", "0", false},      {"SME", "debugv8p2", "0", false},
      {"ICNTR", "debugv8p2", "0", false},      {"EBEP", "debugv8p2", "0", false},
      {"EXT32", "debugv8p2", "0", true},       {"EXT64", "debugv8p2", "0", false},
      {"EXT32,EXT64", "el2", "1", false},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(::testing::Message()
                 << "features=" << c.features << " " << c.name << "=" << c.value);
    pmuv3_params params = pmuv3_params_default();
    EXPECT_EQ(pmuv3_params_set(&params, "features", c.features), nullptr);
    EXPECT_EQ(pmuv3_params_set(&params, c.name, c.value), nullptr);
    const char *impossible = pmuv3_params_complete(&params);
    EXPECT_EQ(impossible == nullptr, c.possible);
    EXPECT_STRNE(impossible ? impossible : "why", "");
  }
}

// Parameters that a struct can hold, but no `param` line: a message, and no PMU.
TEST(ParamsTest, WrongByHand) {
  struct {
    const char *what;
    void (*spoil)(pmuv3_params *params);
  } const cases[] = {
      {"counters", [](pmuv3_params *params) { params->counters = 32; }},
      {"counters", [](pmuv3_params *params) { params->counters = 40; }},
      {"threads", [](pmuv3_params *params) { params->threads = 0; }},
      {"threads", [](pmuv3_params *params) { params->threads = 5; }},
      {"th_width", [](pmuv3_params *params) { params->th_width = 0; }},
      {"th_width", [](pmuv3_params *params) { params->th_width = 13; }},
      {"bus_width", [](pmuv3_params *params) { params->bus_width = 1; }},
      {"bus_width", [](pmuv3_params *params) { params->bus_width = 2; }},
      {"bus_width", [](pmuv3_params *params) { params->bus_width = 13; }},
      {"el2", [](pmuv3_params *params) { params->el2 = 2; }},
      {"debugv8p2", [](pmuv3_params *params) { params->debugv8p2 = 2; }},
      {"K-VS-RES", [](pmuv3_params *params) { params->k_vs_res = 4; }},
      {"K-MT-SELF-DEBUG", [](pmuv3_params *params) { params->k_mt_self_debug = 2; }},
      {"aa32", [](pmuv3_params *params) { params->aa32 = 5; }},
      {"feature", [](pmuv3_params *params) { params->features |= 1u << PMUV3_NUM_FEATURES; }},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(c.what);
    pmuv3_params params = pmuv3_params_default();
    c.spoil(&params);
    const char *wrong = pmuv3_params_complete(&params);
    ASSERT_NE(wrong, nullptr);
    EXPECT_NE(std::string(wrong).find(c.what), std::string::npos) << wrong;
    EXPECT_NE(pmuv3_params_wrong(&params), nullptr);
    EXPECT_EQ(pmuv3_side_cmodel(&params), nullptr);
    EXPECT_EQ(pmuv3_side_rtl(&params, 1), nullptr);
  }
}

// Incomplete parameters: ICNTR implies PMUv3p9.
TEST(ParamsTest, WrongWhileIncomplete) {
  pmuv3_params params = pmuv3_params_default();
  params.features = Features({F(ICNTR)});
  EXPECT_NE(pmuv3_params_wrong(&params), nullptr);
  EXPECT_EQ(pmuv3_side_cmodel(&params), nullptr);
  EXPECT_EQ(pmuv3_params_complete(&params), nullptr);
  EXPECT_EQ(pmuv3_params_wrong(&params), nullptr);
}

#undef F

}  // namespace
}  // namespace pmuv3
