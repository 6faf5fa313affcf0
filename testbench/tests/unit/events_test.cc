// events: the set of implemented events (I-13), and its text form.
#include <cstdio>
#include <cstring>
#include <map>
#include <set>

#include "testbench/cosim/stimulus/stimulus.h"
#include "testbench/tests/unit/side_test.h"
#include "tlm_wrapper/side_rtl.h"

namespace pmuv3 {
namespace {

// Numbers and mnemonics of Table D14-3, of 0x0000-0x00BF, 0x4000-0x40BF, and a few more.
constexpr struct {
  uint16_t number;
  const char *mnemonic;
} kEvents[] = {
    {0x0000, "SW_INCR"},
    {0x0001, "L1I_CACHE_REFILL"},
    {0x0002, "L1I_TLB_REFILL"},
    {0x0003, "L1D_CACHE_REFILL"},
    {0x0004, "L1D_CACHE"},
    {0x0005, "L1D_TLB_REFILL"},
    {0x0006, "LD_RETIRED"},
    {0x0007, "ST_RETIRED"},
    {0x0008, "INST_RETIRED"},
    {0x0009, "EXC_TAKEN"},
    {0x000A, "EXC_RETURN"},
    {0x000B, "CID_WRITE_RETIRED"},
    {0x000C, "PC_WRITE_RETIRED"},
    {0x000D, "BR_IMMED_RETIRED"},
    {0x000E, "BR_RETURN_RETIRED"},
    {0x000F, "UNALIGNED_LDST_RETIRED"},
    {0x0010, "BR_MIS_PRED"},
    {0x0011, "CPU_CYCLES"},
    {0x0012, "BR_PRED"},
    {0x0013, "MEM_ACCESS"},
    {0x0014, "L1I_CACHE"},
    {0x0015, "L1D_CACHE_WB"},
    {0x0016, "L2D_CACHE"},
    {0x0017, "L2D_CACHE_REFILL"},
    {0x0018, "L2D_CACHE_WB"},
    {0x0019, "BUS_ACCESS"},
    {0x001A, "MEMORY_ERROR"},
    {0x001B, "INST_SPEC"},
    {0x001C, "TTBR_WRITE_RETIRED"},
    {0x001D, "BUS_CYCLES"},
    {0x001E, "CHAIN"},
    {0x001F, "L1D_CACHE_ALLOCATE"},
    {0x0020, "L2D_CACHE_ALLOCATE"},
    {0x0021, "BR_RETIRED"},
    {0x0022, "BR_MIS_PRED_RETIRED"},
    {0x0023, "STALL_FRONTEND"},
    {0x0024, "STALL_BACKEND"},
    {0x0025, "L1D_TLB"},
    {0x0026, "L1I_TLB"},
    {0x0027, "L2I_CACHE"},
    {0x0028, "L2I_CACHE_REFILL"},
    {0x0029, "L3D_CACHE_ALLOCATE"},
    {0x002A, "L3D_CACHE_REFILL"},
    {0x002B, "L3D_CACHE"},
    {0x002C, "L3D_CACHE_WB"},
    {0x002D, "L2D_TLB_REFILL"},
    {0x002E, "L2I_TLB_REFILL"},
    {0x002F, "L2D_TLB"},
    {0x0030, "L2I_TLB"},
    {0x0031, "REMOTE_ACCESS"},
    {0x0032, "LL_CACHE"},
    {0x0033, "LL_CACHE_MISS"},
    {0x0034, "DTLB_WALK"},
    {0x0035, "ITLB_WALK"},
    {0x0036, "LL_CACHE_RD"},
    {0x0037, "LL_CACHE_MISS_RD"},
    {0x0038, "REMOTE_ACCESS_RD"},
    {0x0039, "L1D_CACHE_LMISS_RD"},
    {0x003A, "OP_RETIRED"},
    {0x003B, "OP_SPEC"},
    {0x003C, "STALL"},
    {0x003D, "STALL_SLOT_BACKEND"},
    {0x003E, "STALL_SLOT_FRONTEND"},
    {0x003F, "STALL_SLOT"},
    {0x0040, "L1D_CACHE_RD"},
    {0x0041, "L1D_CACHE_WR"},
    {0x0042, "L1D_CACHE_REFILL_RD"},
    {0x0043, "L1D_CACHE_REFILL_WR"},
    {0x0044, "L1D_CACHE_REFILL_INNER"},
    {0x0045, "L1D_CACHE_REFILL_OUTER"},
    {0x0046, "L1D_CACHE_WB_VICTIM"},
    {0x0047, "L1D_CACHE_WB_CLEAN"},
    {0x0048, "L1D_CACHE_INVAL"},
    {0x004C, "L1D_TLB_REFILL_RD"},
    {0x004D, "L1D_TLB_REFILL_WR"},
    {0x004E, "L1D_TLB_RD"},
    {0x004F, "L1D_TLB_WR"},
    {0x0050, "L2D_CACHE_RD"},
    {0x0051, "L2D_CACHE_WR"},
    {0x0052, "L2D_CACHE_REFILL_RD"},
    {0x0053, "L2D_CACHE_REFILL_WR"},
    {0x0056, "L2D_CACHE_WB_VICTIM"},
    {0x0057, "L2D_CACHE_WB_CLEAN"},
    {0x0058, "L2D_CACHE_INVAL"},
    {0x005C, "L2D_TLB_REFILL_RD"},
    {0x005D, "L2D_TLB_REFILL_WR"},
    {0x005E, "L2D_TLB_RD"},
    {0x005F, "L2D_TLB_WR"},
    {0x0060, "BUS_ACCESS_RD"},
    {0x0061, "BUS_ACCESS_WR"},
    {0x0062, "BUS_ACCESS_SHARED"},
    {0x0063, "BUS_ACCESS_NOT_SHARED"},
    {0x0064, "BUS_ACCESS_NORMAL"},
    {0x0065, "BUS_ACCESS_PERIPH"},
    {0x0066, "MEM_ACCESS_RD"},
    {0x0067, "MEM_ACCESS_WR"},
    {0x0068, "UNALIGNED_LD_SPEC"},
    {0x0069, "UNALIGNED_ST_SPEC"},
    {0x006A, "UNALIGNED_LDST_SPEC"},
    {0x006C, "LDREX_SPEC"},
    {0x006D, "STREX_PASS_SPEC"},
    {0x006E, "STREX_FAIL_SPEC"},
    {0x006F, "STREX_SPEC"},
    {0x0070, "LD_SPEC"},
    {0x0071, "ST_SPEC"},
    {0x0072, "LDST_SPEC"},
    {0x0073, "DP_SPEC"},
    {0x0074, "ASE_SPEC"},
    {0x0075, "VFP_SPEC"},
    {0x0076, "PC_WRITE_SPEC"},
    {0x0077, "CRYPTO_SPEC"},
    {0x0078, "BR_IMMED_SPEC"},
    {0x0079, "BR_RETURN_SPEC"},
    {0x007A, "BR_INDIRECT_SPEC"},
    {0x007C, "ISB_SPEC"},
    {0x007D, "DSB_SPEC"},
    {0x007E, "DMB_SPEC"},
    {0x007F, "CSDB_SPEC"},
    {0x0081, "EXC_UNDEF"},
    {0x0082, "EXC_SVC"},
    {0x0083, "EXC_PABORT"},
    {0x0084, "EXC_DABORT"},
    {0x0086, "EXC_IRQ"},
    {0x0087, "EXC_FIQ"},
    {0x0088, "EXC_SMC"},
    {0x008A, "EXC_HVC"},
    {0x008B, "EXC_TRAP_PABORT"},
    {0x008C, "EXC_TRAP_DABORT"},
    {0x008D, "EXC_TRAP_OTHER"},
    {0x008E, "EXC_TRAP_IRQ"},
    {0x008F, "EXC_TRAP_FIQ"},
    {0x0090, "RC_LD_SPEC"},
    {0x0091, "RC_ST_SPEC"},
    {0x0092, "L3D_CACHE_HIT_WR_FEXT_PROP"},
    {0x00A0, "L3D_CACHE_RD"},
    {0x00A1, "L3D_CACHE_WR"},
    {0x00A2, "L3D_CACHE_REFILL_RD"},
    {0x00A3, "L3D_CACHE_REFILL_WR"},
    {0x00A6, "L3D_CACHE_WB_VICTIM"},
    {0x00A7, "L3D_CACHE_WB_CLEAN"},
    {0x00A8, "L3D_CACHE_INVAL"},
    {0x00A9, "L2D_CACHE_HIT_RD_FEXT_PROP"},
    {0x00AA, "L2D_CACHE_HIT_WR_FEXT_PROP"},
    {0x00AB, "L2D_CACHE_HIT_RW_FEXT_PROP"},
    {0x00AC, "L3D_CACHE_EXT_PROP"},
    {0x00AD, "L3D_CACHE_EXT_PROP_PRFM_IR"},
    {0x00AE, "L3D_CACHE_HIT_RW_FEXT_PROP"},
    {0x00AF, "L3D_CACHE_HIT_RD_FEXT_PROP"},
    {0x00B0, "STSHH_SPEC"},
    {0x00B1, "STSHH_KEEP_SPEC"},
    {0x00B2, "STSHH_STRM_SPEC"},
    {0x00B3, "PRFM_IR_SPEC"},
    {0x00B4, "MEM_ACCESS_WR_STSHH"},
    {0x00B5, "MEM_ACCESS_WR_STSHH_KEEP"},
    {0x00B6, "MEM_ACCESS_WR_STSHH_STRM"},
    {0x00B7, "MEM_ACCESS_WR_STSHH_KEEP_NEAR"},
    {0x00B8, "MEM_ACCESS_WR_STSHH_KEEP_FAR"},
    {0x00B9, "L1D_CACHE_EXT_PROP"},
    {0x00BA, "L1D_CACHE_EXT_PROP_PRFM_IR"},
    {0x00BB, "L1D_CACHE_HIT_RD_FEXT_PROP"},
    {0x00BC, "L1D_CACHE_HIT_WR_FEXT_PROP"},
    {0x00BD, "L1D_CACHE_HIT_RW_FEXT_PROP"},
    {0x00BE, "L2D_CACHE_EXT_PROP"},
    {0x00BF, "L2D_CACHE_EXT_PROP_PRFM_IR"},
    {0x4000, "SAMPLE_POP"},
    {0x4001, "SAMPLE_FEED"},
    {0x4002, "SAMPLE_FILTRATE"},
    {0x4003, "SAMPLE_COLLISION"},
    {0x4004, "CNT_CYCLES"},
    {0x4005, "STALL_BACKEND_MEM"},
    {0x4006, "L1I_CACHE_LMISS"},
    {0x4009, "L2D_CACHE_LMISS_RD"},
    {0x400A, "L2I_CACHE_LMISS"},
    {0x400B, "L3D_CACHE_LMISS_RD"},
    {0x400C, "TRB_WRAP"},
    {0x400E, "TRB_TRIG"},
    {0x4010, "TRCEXTOUT0"},
    {0x4011, "TRCEXTOUT1"},
    {0x4012, "TRCEXTOUT2"},
    {0x4013, "TRCEXTOUT3"},
    {0x4018, "CTI_TRIGOUT4"},
    {0x4019, "CTI_TRIGOUT5"},
    {0x401A, "CTI_TRIGOUT6"},
    {0x401B, "CTI_TRIGOUT7"},
    {0x4020, "LDST_ALIGN_LAT"},
    {0x4021, "LD_ALIGN_LAT"},
    {0x4022, "ST_ALIGN_LAT"},
    {0x4024, "MEM_ACCESS_CHECKED"},
    {0x4025, "MEM_ACCESS_CHECKED_RD"},
    {0x4026, "MEM_ACCESS_CHECKED_WR"},
    {0x8000, "SIMD_INST_RETIRED"},
    {0x8001, "ASE_INST_RETIRED"},
    {0x8002, "SVE_INST_RETIRED"},
    {0x8005, "ASE_INST_SPEC"},
    {0x8006, "SVE_INST_SPEC"},
    {0x8014, "FP_HP_SPEC"},
    {0x8018, "FP_SP_SPEC"},
    {0x80C0, "FP_SCALE_OPS_SPEC"},
    {0x80C1, "FP_FIXED_OPS_SPEC"},
    {0x811F, "BRB_FILTRATE"},
    {0x8127, "PMU_SNAPSHOT"},
};

// D14.4: the events that count cycles or Slots; all others count occurrences.
const std::map<uint16_t, pmuv3_event_class> kClasses = {
    {0x0000, PMUV3_EVENT_CLASS_SELF},   {0x0011, PMUV3_EVENT_CLASS_SELF},
    {0x001E, PMUV3_EVENT_CLASS_SELF},   {0x001D, PMUV3_EVENT_CLASS_CONDITION},
    {0x0023, PMUV3_EVENT_CLASS_STALL},  {0x0024, PMUV3_EVENT_CLASS_STALL},
    {0x003C, PMUV3_EVENT_CLASS_STALL},  {0x003D, PMUV3_EVENT_CLASS_SLOTS},
    {0x003E, PMUV3_EVENT_CLASS_SLOTS},  {0x003F, PMUV3_EVENT_CLASS_SLOTS},
    {0x4005, PMUV3_EVENT_CLASS_SECOND}, {0x8127, PMUV3_EVENT_CLASS_SELF},
};

// B.3.1: the exception-related events; software increments.
const std::set<uint16_t> kExact = {0x0000, 0x0009, 0x000A, 0x000B, 0x001C, 0x0081, 0x0082,
                                   0x0083, 0x0084, 0x0086, 0x0087, 0x0088, 0x008A, 0x008B,
                                   0x008C, 0x008D, 0x008E, 0x008F, 0x811F};

// D14.7: what supports synchronous mode in every implementation with SEBEP (K-SYNC-EVENTS).
const std::set<uint16_t> kSync = {0x0000, 0x0008, 0x000C, 0x0021, 0x0022, 0x811F};

// D14.3: an Unattributable occurrence of these does not count. Allocations and victims are those of
// the PE's own accesses. The write-backs are of caches that are shared.
const std::set<std::string> kOwn = {
    "L1D_CACHE_ALLOCATE",  "L2D_CACHE_ALLOCATE",  "L3D_CACHE_ALLOCATE", "L1D_CACHE_WB_VICTIM",
    "L2D_CACHE_WB_VICTIM", "L3D_CACHE_WB_VICTIM", "L2D_CACHE_WB",       "L3D_CACHE_WB",
    "L2D_CACHE_WB_CLEAN",  "L3D_CACHE_WB_CLEAN"};

// D14.1.3: levels beyond the first are shared. D14.3: coherency requests access the Level 1 data
// cache and the bus. Every invalidation of a line counts, whoever caused it. Trace events, and
// triggers of the CTI, belong to no Exception level.
pmuv3_event_attribution AttributionOf(const std::string &mnemonic) {
  if (kOwn.count(mnemonic)) return PMUV3_EVENT_ATTRIBUTION_OWN;
  if (mnemonic.find("_CACHE_INVAL") != std::string::npos) return PMUV3_EVENT_ATTRIBUTION_MEMORY;
  for (const char *shared : {"L2D_", "L2I_", "L3D_", "LL_CACHE"})
    if (mnemonic.rfind(shared, 0) == 0) return PMUV3_EVENT_ATTRIBUTION_SHARED;
  for (const char *memory : {"L1D_CACHE", "BUS_", "MEMORY_ERROR"})
    if (mnemonic.rfind(memory, 0) == 0) return PMUV3_EVENT_ATTRIBUTION_MEMORY;
  for (const char *trace : {"TRCEXTOUT", "CTI_TRIGOUT", "TRB_"})
    if (mnemonic.rfind(trace, 0) == 0) return PMUV3_EVENT_ATTRIBUTION_TRACE;
  return PMUV3_EVENT_ATTRIBUTION_CORE;
}

// D13.4-3, D13.4-4, D13.4-9: each event has one definition.
TEST(EventsTest, Table) {
  const pmuv3_events events = pmuv3_events_default();
  ASSERT_EQ(sizeof kEvents / sizeof *kEvents, events.num);
  for (int e = 0; e < events.num; e++) {
    const uint16_t number = kEvents[e].number;
    SCOPED_TRACE(::testing::Message() << std::hex << number);
    const pmuv3_event &event = events.event[e];
    EXPECT_EQ(event.number, number);
    EXPECT_STREQ(pmuv3_event_mnemonic(number), kEvents[e].mnemonic);
    const bool is_count = !kClasses.count(number);
    const pmuv3_event_class of = is_count ? PMUV3_EVENT_CLASS_COUNT : kClasses.at(number);
    EXPECT_EQ(event.event_class, of);
    EXPECT_EQ(event.attribution, AttributionOf(kEvents[e].mnemonic));
    EXPECT_EQ(event.traits, kExact.count(number) * PMUV3_EVENT_TRAIT_EXACT +
                                kSync.count(number) * PMUV3_EVENT_TRAIT_SYNC);
    EXPECT_EQ(event.most, of == PMUV3_EVENT_CLASS_SELF                ? 0
                          : is_count || of == PMUV3_EVENT_CLASS_SLOTS ? 255
                                                                      : 1);
    EXPECT_EQ(pmuv3_events_find(&events, number), &event);
    EXPECT_EQ(pmuv3_events_index(&events, number), static_cast<unsigned>(e));
    ASSERT_NE(pmuv3_event_of_architecture(number), nullptr);
    EXPECT_EQ(std::memcmp(pmuv3_event_of_architecture(number), &event, sizeof event), 0);
  }
  EXPECT_EQ(pmuv3_events_wrong(&events), nullptr);
}

TEST(EventsTest, NotImplemented) {
  const pmuv3_events events = pmuv3_events_default();
  for (uint16_t number : {0x0080, 0x0085, 0x0089, 0x0408, 0x4008, 0x400D, 0x400F, 0x8008, 0xFFFF}) {
    SCOPED_TRACE(::testing::Message() << std::hex << number);
    EXPECT_EQ(pmuv3_events_find(&events, number), nullptr);
    EXPECT_EQ(pmuv3_events_index(&events, number), unsigned{PMUV3_NO_EVENT});
    EXPECT_EQ(pmuv3_event_of_architecture(number), nullptr);
    EXPECT_EQ(pmuv3_event_mnemonic(number), nullptr);
  }
  EXPECT_EQ(pmuv3_event_class_name(PMUV3_NUM_EVENT_CLASSES), nullptr);
  EXPECT_EQ(pmuv3_event_attribution_name(PMUV3_NUM_EVENT_ATTRIBUTIONS), nullptr);
}

// Of the largest set, the smallest one and none: whoever had another set's rows before.
TEST(EventsTest, RowsByNumber) {
  const auto rows = std::make_unique<pmuv3_event_rows>();
  for (const pmuv3_events &events :
       {pmuv3_events_default(), pmuv3_events_smallest(), pmuv3_events{}}) {
    pmuv3_events_rows(&events, rows.get());
    for (unsigned number = 0; number <= UINT16_MAX; number++)
      ASSERT_EQ(pmuv3_events_at(&events, rows.get(), static_cast<uint16_t>(number)),
                pmuv3_events_find(&events, static_cast<uint16_t>(number)))
          << number;
  }
}

// Without PMUv3p1 evtCount has 10 bits.
TEST(EventsTest, Fits) {
  const pmuv3_params ten_bits = Params("features=TH2 event=0x03FF,IMP_A event=0x0400,IMP_B");
  const pmuv3_params sixteen_bits = Params("features=PMUv3p1 event=0x0400,IMP_B");
  const auto fits = [](const pmuv3_params &params, uint16_t number) {
    return pmuv3_event_fits(&params, pmuv3_events_find(&params.events, number));
  };
  EXPECT_TRUE(fits(ten_bits, 0x008F));
  EXPECT_TRUE(fits(ten_bits, 0x03FF));
  EXPECT_FALSE(fits(ten_bits, 0x0400));
  EXPECT_FALSE(fits(ten_bits, 0x80C1));
  EXPECT_TRUE(fits(sixteen_bits, 0x0400));
  EXPECT_TRUE(fits(sixteen_bits, 0x80C1));
}

// ---- Sets ----

constexpr pmuv3_event kImp = {0x00C5, PMUV3_EVENT_CLASS_COUNT, PMUV3_EVENT_ATTRIBUTION_CORE, 0, 7};

TEST(EventsTest, SmallestHasThePmusOwn) {
  const pmuv3_events events = pmuv3_events_smallest();
  ASSERT_EQ(events.num, 4);
  EXPECT_EQ(events.event[0].number, 0x0000);
  EXPECT_EQ(events.event[1].number, 0x0011);
  EXPECT_EQ(events.event[2].number, 0x001E);
  EXPECT_EQ(events.event[3].number, 0x8127);
  EXPECT_EQ(pmuv3_events_wrong(&events), nullptr);
}

// Rows stay in order, whatever the order in which they are added. The same number replaces.
TEST(EventsTest, Add) {
  pmuv3_events events = pmuv3_events_smallest();
  for (uint16_t number : {0xFFFF, 0x00C5, 0x0001, 0x4000, 0x00C5}) {
    pmuv3_event event = kImp;
    event.number = number;
    EXPECT_EQ(pmuv3_events_add(&events, event), nullptr);
    EXPECT_EQ(pmuv3_events_wrong(&events), nullptr);
  }
  const uint16_t expected[] = {0x0000, 0x0001, 0x0011, 0x001E, 0x00C5, 0x4000, 0x8127, 0xFFFF};
  ASSERT_EQ(events.num, sizeof expected / sizeof *expected);
  for (int e = 0; e < events.num; e++) EXPECT_EQ(events.event[e].number, expected[e]) << e;
  pmuv3_event other = kImp;
  other.most = 3;
  EXPECT_EQ(pmuv3_events_add(&events, other), nullptr);
  EXPECT_EQ(events.num, sizeof expected / sizeof *expected);
  EXPECT_EQ(pmuv3_events_find(&events, 0x00C5)->most, 3);
}

TEST(EventsTest, AtMost256) {
  pmuv3_events events = pmuv3_events_smallest();
  pmuv3_event event = kImp;
  for (; events.num < PMUV3_MAX_EVENTS; event.number++)
    EXPECT_EQ(pmuv3_events_add(&events, event), nullptr);
  EXPECT_EQ(pmuv3_events_wrong(&events), nullptr);
  const pmuv3_events before = events;
  EXPECT_STREQ(pmuv3_events_add(&events, event), "event 0x01C1 is one more than 256");
  EXPECT_EQ(std::memcmp(&before, &events, sizeof events), 0);
  event.number--;  // the last one that is there
  event.most = 2;
  EXPECT_EQ(pmuv3_events_add(&events, event), nullptr);
}

// What no implementation can have, an event at a time.
TEST(EventsTest, WrongEvents) {
  constexpr uint8_t kCore = PMUV3_EVENT_ATTRIBUTION_CORE;
  const struct {
    pmuv3_event event;
    const char *wrong;
  } cases[] = {
      {{0x400D, PMUV3_EVENT_CLASS_COUNT, kCore, 0, 255},
       "event 0x400D is exported, but never counted"},
      {{0x400F, PMUV3_EVENT_CLASS_COUNT, kCore, 0, 255},
       "event 0x400F is exported, but never counted"},
      {{0x00C5, PMUV3_NUM_EVENT_CLASSES, kCore, 0, 1}, "event 0x00C5 has an unknown class, 6"},
      {{0x00C5, PMUV3_EVENT_CLASS_COUNT, PMUV3_NUM_EVENT_ATTRIBUTIONS, 0, 1},
       "event 0x00C5 has an unknown attribution, 5"},
      {{0x00C5, PMUV3_EVENT_CLASS_COUNT, kCore, 4, 1}, "event 0x00C5 has an unknown trait, 4"},
      {{0x00C5, PMUV3_EVENT_CLASS_SELF, kCore, 0, 0},
       "event 0x00C5 cannot be of class SELF: the PMU does not make it"},
      {{0x0011, PMUV3_EVENT_CLASS_COUNT, kCore, 0, 1},
       "event 0x0011 is the PMU's own: it is as in events.def"},
      {{0x001E, PMUV3_EVENT_CLASS_SELF, kCore, PMUV3_EVENT_TRAIT_SYNC, 0},
       "event 0x001E is the PMU's own: it is as in events.def"},
      {{0x00C5, PMUV3_EVENT_CLASS_COUNT, kCore, 0, 0},
       "most of event 0x00C5 must be 1..255, not 0"},
      {{0x00C5, PMUV3_EVENT_CLASS_SLOTS, kCore, 0, 0},
       "most of event 0x00C5 must be 1..255, not 0"},
      {{0x00C5, PMUV3_EVENT_CLASS_STALL, kCore, 0, 2},
       "most of event 0x00C5 must be 1, not 2: it is a condition"},
      {{0x00C5, PMUV3_EVENT_CLASS_SECOND, kCore, 0, 0},
       "most of event 0x00C5 must be 1, not 0: it is a condition"},
      {{0x00C5, PMUV3_EVENT_CLASS_CONDITION, kCore, 0, 255},
       "most of event 0x00C5 must be 1, not 255: it is a condition"},
      {{0x00C5, PMUV3_EVENT_CLASS_SLOTS, PMUV3_EVENT_ATTRIBUTION_TRACE, 0, 1},
       "event 0x00C5 cannot be attributable to TRACE: only class COUNT can"},
      {{0x0024, PMUV3_EVENT_CLASS_COUNT, kCore, 0, 1},
       "event 0x0024 must be of class STALL, not COUNT"},
      {{0x0008, PMUV3_EVENT_CLASS_STALL, kCore, 0, 1},
       "event 0x0008 must be of class COUNT, not STALL"},
      {{0x0008, PMUV3_EVENT_CLASS_COUNT, PMUV3_EVENT_ATTRIBUTION_MEMORY, 0, 1},
       "event 0x0008 must be attributable to CORE, not MEMORY"},
      {{0x0008, PMUV3_EVENT_CLASS_COUNT, PMUV3_EVENT_ATTRIBUTION_OWN, 0, 1},
       "event 0x0008 must be attributable to CORE, not OWN"},
  };
  for (const auto &c : cases) {
    pmuv3_events events = pmuv3_events_default();
    const pmuv3_events before = events;
    EXPECT_STREQ(pmuv3_events_add(&events, c.event), c.wrong);
    EXPECT_EQ(std::memcmp(&before, &events, sizeof events), 0);
  }
}

// D14.7: exceptions that are taken, and events of cycles and Slots, are never synchronous.
TEST(EventsTest, NeverSynchronous) {
  for (const uint16_t number :
       {0x0009, 0x001D, 0x0023, 0x0024, 0x003C, 0x003D, 0x003E, 0x003F, 0x0081, 0x0082, 0x0083,
        0x0084, 0x0086, 0x0087, 0x0088, 0x008A, 0x008B, 0x008C, 0x008D, 0x008E, 0x008F, 0x4005}) {
    SCOPED_TRACE(::testing::Message() << std::hex << number);
    pmuv3_events events = pmuv3_events_default();
    const pmuv3_events before = events;
    pmuv3_event event = *pmuv3_events_find(&events, number);
    event.traits |= PMUV3_EVENT_TRAIT_SYNC;
    char wrong[96];
    std::snprintf(wrong, sizeof wrong,
                  "event 0x%04X cannot have the trait SYNC: it counts no retired instructions",
                  number);
    EXPECT_STREQ(pmuv3_events_add(&events, event), wrong);
    EXPECT_EQ(std::memcmp(&before, &events, sizeof events), 0);
  }
}

// D14.7 recommends the first of these and those of SIMD instructions. An exception return retires.
// The implementer says it of the others, and of IMPLEMENTATION DEFINED events.
TEST(EventsTest, MayBeSynchronous) {
  pmuv3_events events = pmuv3_events_default();
  for (const uint16_t number : {0x000D, 0x000E, 0x0006, 0x0007, 0x000A, 0x000B, 0x8000, 0x8002}) {
    SCOPED_TRACE(::testing::Message() << std::hex << number);
    pmuv3_event event = *pmuv3_events_find(&events, number);
    event.traits |= PMUV3_EVENT_TRAIT_SYNC;
    EXPECT_EQ(pmuv3_events_add(&events, event), nullptr);
  }
  pmuv3_event imp = kImp;
  imp.traits = PMUV3_EVENT_TRAIT_SYNC;
  EXPECT_EQ(pmuv3_events_add(&events, imp), nullptr);
  EXPECT_EQ(pmuv3_events_wrong(&events), nullptr);
}

// D14.7: with SEBEP these are synchronous, those that a set has. No side is made of another set.
TEST(EventsTest, SynchronousWithSebep) {
  for (const uint16_t number : kSync) {
    if (number == PMUV3_EVENT_SW_INCR) continue;  // the PMU's own
    SCOPED_TRACE(::testing::Message() << std::hex << number);
    pmuv3_params params = Params("features=SEBEP,PMUv3p9");
    pmuv3_event event = *pmuv3_events_find(&params.events, number);
    event.traits &= static_cast<uint8_t>(~PMUV3_EVENT_TRAIT_SYNC);
    EXPECT_EQ(pmuv3_events_add(&params.events, event), nullptr);
    EXPECT_EQ(pmuv3_events_wrong(&params.events), nullptr) << "by itself";
    char wrong[96];
    std::snprintf(wrong, sizeof wrong,
                  "event 0x%04X needs the trait SYNC, since features has SEBEP", number);
    EXPECT_STREQ(pmuv3_params_complete(&params), wrong);
    EXPECT_EQ(pmuv3_side_cmodel(&params), nullptr);
    EXPECT_EQ(pmuv3_side_rtl(&params, 1), nullptr);
    params.features &= ~(1u << PMUV3_FEATURE_SEBEP);
    EXPECT_STREQ(pmuv3_params_complete(&params), nullptr);
  }
  pmuv3_params few = Params("features=SEBEP,PMUv3p9");
  few.events = pmuv3_events_smallest();
  EXPECT_STREQ(pmuv3_params_complete(&few), nullptr);
}

// What no implementation can have, as a set. No side is made of it.
TEST(EventsTest, WrongSets) {
  pmuv3_events twice = pmuv3_events_default(), unordered = twice, many = twice, after = twice;
  twice.event[5] = twice.event[4];
  std::swap(unordered.event[4], unordered.event[5]);
  many.num = PMUV3_MAX_EVENTS + 1;
  after.event[PMUV3_MAX_EVENTS - 1].most = 1;
  pmuv3_events none = {}, second = pmuv3_events_smallest(), own = pmuv3_events_default();
  pmuv3_event mem = kImp;
  mem.event_class = PMUV3_EVENT_CLASS_SECOND;
  mem.most = 1;
  EXPECT_EQ(pmuv3_events_add(&second, mem), nullptr);
  own.event[0].most = 1;
  const struct {
    const pmuv3_events &events;
    const char *wrong;
  } cases[] = {
      {twice, "event 0x0004 is not in order, or twice"},
      {unordered, "event 0x0004 is not in order, or twice"},
      {many,
       "there can be "
       "256"
       " events, not 257"},
      {after, "row 255 of the events is beyond the last, and not 0"},
      {none, "event 0x0000 is missing: every implementation has it"},
      {second, "event 0x00C5 needs STALL_BACKEND (0x0024), for its class SECOND"},
      {own, "event 0x0000 is the PMU's own: it is as in events.def"},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(c.wrong);
    EXPECT_STREQ(pmuv3_events_wrong(&c.events), c.wrong);
    pmuv3_params params = Params("features=none");
    params.events = c.events;
    EXPECT_STREQ(pmuv3_params_wrong(&params), c.wrong);
    EXPECT_EQ(pmuv3_side_cmodel(&params), nullptr);
    EXPECT_EQ(pmuv3_side_rtl(&params, 1), nullptr);
  }
  pmuv3_params params = Params("features=none events=none");
  params.features = pmuv3_params_default().features;
  EXPECT_STREQ(pmuv3_params_complete(&params),
               "ICNTR needs INST_RETIRED (0x0008), the event that PMICNTR_EL0 counts");
}

// ---- Text ----

std::string ReadError(const std::string &text, pmuv3_events *events) {
  std::string copy = text;
  char error[512] = "";
  FILE *in = fmemopen(copy.data(), copy.size(), "r");
  const bool good = pmuv3_events_read(events, in, "F", error, sizeof error);
  fclose(in);
  EXPECT_EQ(good, *error == '\0');
  return error;
}

TEST(EventsTextTest, Reads) {
  pmuv3_events events;
  EXPECT_EQ(ReadError("pmuv3-events 1  # comment\n\nevent 0x0024\nevent 8 INST_RETIRED\n"
                      "event 0x0016 attribution=CORE most=3\n"
                      "event 0xC0C0 IMP_A class=SECOND attribution=SHARED traits=EXACT,SYNC\n"
                      "event 0xC0C1 IMP_B attribution=OWN\n"
                      "event 0x00C0 A_1 class=SLOTS most=9 traits=NONE\nevent 0x00C1 B\n",
                      &events),
            "");
  const pmuv3_event expected[] = {
      {0x0000, PMUV3_EVENT_CLASS_SELF, PMUV3_EVENT_ATTRIBUTION_CORE, 3, 0},
      {0x0008, PMUV3_EVENT_CLASS_COUNT, PMUV3_EVENT_ATTRIBUTION_CORE, 2, 255},
      {0x0011, PMUV3_EVENT_CLASS_SELF, PMUV3_EVENT_ATTRIBUTION_CORE, 0, 0},
      {0x0016, PMUV3_EVENT_CLASS_COUNT, PMUV3_EVENT_ATTRIBUTION_CORE, 0, 3},
      {0x001E, PMUV3_EVENT_CLASS_SELF, PMUV3_EVENT_ATTRIBUTION_CORE, 0, 0},
      {0x0024, PMUV3_EVENT_CLASS_STALL, PMUV3_EVENT_ATTRIBUTION_CORE, 0, 1},
      {0x00C0, PMUV3_EVENT_CLASS_SLOTS, PMUV3_EVENT_ATTRIBUTION_CORE, 0, 9},
      {0x00C1, PMUV3_EVENT_CLASS_COUNT, PMUV3_EVENT_ATTRIBUTION_CORE, 0, 255},
      {0x8127, PMUV3_EVENT_CLASS_SELF, PMUV3_EVENT_ATTRIBUTION_CORE, 0, 0},
      {0xC0C0, PMUV3_EVENT_CLASS_SECOND, PMUV3_EVENT_ATTRIBUTION_SHARED, 3, 1},
      {0xC0C1, PMUV3_EVENT_CLASS_COUNT, PMUV3_EVENT_ATTRIBUTION_OWN, 0, 255},
  };
  ASSERT_EQ(events.num, sizeof expected / sizeof *expected);
  EXPECT_EQ(std::memcmp(events.event, expected, sizeof expected), 0);
  char name[PMUV3_EVENT_NAME_SIZE];
  EXPECT_STREQ(pmuv3_event_name(0xC0C0, name), "IMP_A");
  EXPECT_STREQ(pmuv3_event_name(0x0024, name), "STALL_BACKEND");
  EXPECT_STREQ(pmuv3_event_name(0xC0CF, name), "IMP_C0CF");
}

TEST(EventsTextTest, Refuses) {
  const struct {
    const char *text, *error;
  } cases[] = {
      {"\n", "F:1: not a file of events; expected \"pmuv3-events 1\" in the first line"},
      {"pmuv3-events 2\n",
       "F:1: the format's version is \"2\"; expected \"pmuv3-events 1\" in the first line"},
      {"pmuv3-events 1 1\n", "F:1: \"1\" is left over; expected the end of the line"},
      {"pmuv3-events 1\ncycle\n", "F:2: unknown word \"cycle\"; expected event"},
      {"pmuv3-events 1\nevent\n",
       "F:2: the line ends too early; expected event NUMBER [MNEMONIC] [KEY=VALUE]..."},
      {"pmuv3-events 1\nevent L1D_CACHE\n",
       "F:2: the event is \"L1D_CACHE\"; expected a number from 0 to 65535"},
      {"pmuv3-events 1\nevent 0x10000 A\n",
       "F:2: the event is \"0x10000\"; expected a number from 0 to 65535"},
      {"pmuv3-events 1\nevent 0x00c0\n",
       "F:2: event 0x00c0 is not in docs/reference/events.md; expected its mnemonic"},
      {"pmuv3-events 1\nevent 0x00c0 lower\n",
       "F:2: \"lower\" is no mnemonic; expected up to 47 capitals, digits and _"},
      {"pmuv3-events 1\nevent 0x0004 L1D\n", "F:2: event 0x0004 is L1D_CACHE, not L1D"},
      {"pmuv3-events 1\nevent 0x00c0 A class=MANY\n",
       "F:2: class is \"MANY\"; expected COUNT, STALL, SECOND, CONDITION or SLOTS"},
      {"pmuv3-events 1\nevent 0x00c0 A attribution=PE\n",
       "F:2: attribution is \"PE\"; expected CORE, MEMORY, SHARED, OWN or TRACE"},
      {"pmuv3-events 1\nevent 0x00c0 A traits=LATE\n",
       "F:2: traits is \"LATE\"; expected NONE, EXACT, SYNC or EXACT,SYNC"},
      {"pmuv3-events 1\nevent 0x00c0 A most=256\n",
       "F:2: most is \"256\"; expected a number from 0 to 255"},
      {"pmuv3-events 1\nevent 0x00c0 A most=1 most=1\n",
       "F:2: most is given twice; expected it once"},
      {"pmuv3-events 1\nevent 0x00c0 A width=1\n",
       "F:2: \"width=1\" is no key of an event; expected class=, attribution=, traits= or most="},
      {"pmuv3-events 1\nevent 0x00c0 A B\n",
       "F:2: \"B\" is no key of an event; expected class=, attribution=, traits= or most="},
      {"pmuv3-events 1\n\nevent 4\nevent 0x0004\n",
       "F:4: event 0x0004 is given twice; expected it once"},
      {"pmuv3-events 1\nevent 0x400d\n", "F:2: event 0x400D is exported, but never counted"},
      {"pmuv3-events 1\nevent 0x4005\n\n",
       "F:3: event 0x4005 needs STALL_BACKEND (0x0024), for its class SECOND"},
  };
  for (const auto &c : cases) {
    pmuv3_events events = pmuv3_events_default();
    EXPECT_EQ(ReadError(c.text, &events), c.error);
    EXPECT_TRUE(pmuv3_events_are_default(&events));  // unchanged
  }
}

// What is written of a set is read back.
TEST(EventsTextTest, WritesAndReads) {
  pmuv3_params params = Params(
      "counters=2 event=0x00c7,IMP_SEVEN,class=CONDITION,traits=EXACT+SYNC event=0x0016,most=2");
  char *text = nullptr;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  pmuv3_stimulus_write_head(out, &params);
  fclose(out);
  FILE *in = fmemopen(text, size, "r");
  pmuv3_stimulus stimulus;
  char error[512] = "";
  ASSERT_TRUE(pmuv3_stimulus_read(&stimulus, in, "F", error, sizeof error)) << error << text;
  EXPECT_EQ(std::memcmp(&stimulus.params, &params, sizeof params), 0);
  fclose(in);
  free(text);
  pmuv3_stimulus_free(&stimulus);
}

// A leading zero does not make a number octal: 012 is 0x000C, PC_WRITE_RETIRED.
TEST(EventsTextTest, LeadingZeros) {
  char error[512] = "";
  char text[] = "pmuv3-stimulus 1\nparam events=none event=012 event=0010,EXC_RETURN event=08\n";
  FILE *in = fmemopen(text, sizeof text - 1, "r");
  pmuv3_stimulus stimulus;
  ASSERT_TRUE(pmuv3_stimulus_read(&stimulus, in, "F", error, sizeof error)) << error;
  fclose(in);
  EXPECT_NE(pmuv3_events_find(&stimulus.params.events, 0x000C), nullptr);
  EXPECT_NE(pmuv3_events_find(&stimulus.params.events, 0x000A), nullptr);
  EXPECT_NE(pmuv3_events_find(&stimulus.params.events, 0x0008), nullptr);
  pmuv3_stimulus_free(&stimulus);

  pmuv3_events events;
  char file[] = "pmuv3-events 1\nevent 012\nevent 08 INST_RETIRED\n";
  in = fmemopen(file, sizeof file - 1, "r");
  EXPECT_TRUE(pmuv3_events_read(&events, in, "F", error, sizeof error)) << error;
  fclose(in);
  EXPECT_NE(pmuv3_events_find(&events, 0x000C), nullptr);
  EXPECT_NE(pmuv3_events_find(&events, 0x0008), nullptr);
}

}  // namespace
}  // namespace pmuv3
