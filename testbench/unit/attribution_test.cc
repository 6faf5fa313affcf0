// attribution: which events make up VB of which counter (D13.4, C.5).
#include "testbench/unit/side_test.h"

namespace pmuv3 {
namespace {

class AttributionTest : public SideTest {};
PMUV3_ON_BOTH_SIDES(AttributionTest);

struct Event {
  uint16_t number;
  pmuv3_event event;
  pmuv3_event_class kind;
  int limit;  // the most in one cycle
};

// formats.md section 2, Events: what every configuration implements.
constexpr Event kEvents[] = {
    {0x0000, PMUV3_EVENT_SW_INCR, PMUV3_EVENT_CLASS_SELF, 0},
    {0x0004, PMUV3_EVENT_L1D_CACHE, PMUV3_EVENT_CLASS_COUNT, 255},
    {0x0008, PMUV3_EVENT_INST_RETIRED, PMUV3_EVENT_CLASS_COUNT, 255},
    {0x0009, PMUV3_EVENT_EXC_TAKEN, PMUV3_EVENT_CLASS_COUNT, 255},
    {0x000A, PMUV3_EVENT_EXC_RETURN, PMUV3_EVENT_CLASS_COUNT, 255},
    {0x000B, PMUV3_EVENT_CID_WRITE_RETIRED, PMUV3_EVENT_CLASS_COUNT, 255},
    {0x0010, PMUV3_EVENT_BR_MIS_PRED, PMUV3_EVENT_CLASS_COUNT, 255},
    {0x0011, PMUV3_EVENT_CPU_CYCLES, PMUV3_EVENT_CLASS_SELF, 0},
    {0x0012, PMUV3_EVENT_BR_PRED, PMUV3_EVENT_CLASS_COUNT, 255},
    {0x001C, PMUV3_EVENT_TTBR_WRITE_RETIRED, PMUV3_EVENT_CLASS_COUNT, 255},
    {0x001E, PMUV3_EVENT_CHAIN, PMUV3_EVENT_CLASS_SELF, 0},
    {0x0023, PMUV3_EVENT_STALL_FRONTEND, PMUV3_EVENT_CLASS_CYCLE, 1},
    {0x0024, PMUV3_EVENT_STALL_BACKEND, PMUV3_EVENT_CLASS_CYCLE, 1},
    {0x003C, PMUV3_EVENT_STALL, PMUV3_EVENT_CLASS_CYCLE, 1},
    {0x003D, PMUV3_EVENT_STALL_SLOT_BACKEND, PMUV3_EVENT_CLASS_SLOTS, 255},
    {0x003E, PMUV3_EVENT_STALL_SLOT_FRONTEND, PMUV3_EVENT_CLASS_SLOTS, 255},
    {0x003F, PMUV3_EVENT_STALL_SLOT, PMUV3_EVENT_CLASS_SLOTS, 255},
    {0x0081, PMUV3_EVENT_EXC_UNDEF, PMUV3_EVENT_CLASS_COUNT, 255},
    {0x0082, PMUV3_EVENT_EXC_SVC, PMUV3_EVENT_CLASS_COUNT, 255},
    {0x0083, PMUV3_EVENT_EXC_PABORT, PMUV3_EVENT_CLASS_COUNT, 255},
    {0x0084, PMUV3_EVENT_EXC_DABORT, PMUV3_EVENT_CLASS_COUNT, 255},
    {0x0086, PMUV3_EVENT_EXC_IRQ, PMUV3_EVENT_CLASS_COUNT, 255},
    {0x0087, PMUV3_EVENT_EXC_FIQ, PMUV3_EVENT_CLASS_COUNT, 255},
    {0x0088, PMUV3_EVENT_EXC_SMC, PMUV3_EVENT_CLASS_COUNT, 255},
    {0x008A, PMUV3_EVENT_EXC_HVC, PMUV3_EVENT_CLASS_COUNT, 255},
    {0x008B, PMUV3_EVENT_EXC_TRAP_PABORT, PMUV3_EVENT_CLASS_COUNT, 255},
    {0x008C, PMUV3_EVENT_EXC_TRAP_DABORT, PMUV3_EVENT_CLASS_COUNT, 255},
    {0x008D, PMUV3_EVENT_EXC_TRAP_OTHER, PMUV3_EVENT_CLASS_COUNT, 255},
    {0x008E, PMUV3_EVENT_EXC_TRAP_IRQ, PMUV3_EVENT_CLASS_COUNT, 255},
    {0x008F, PMUV3_EVENT_EXC_TRAP_FIQ, PMUV3_EVENT_CLASS_COUNT, 255},
    {0x80C1, PMUV3_EVENT_FP_FIXED_OPS_SPEC, PMUV3_EVENT_CLASS_COUNT, 255},
    {0x811F, PMUV3_EVENT_BRB_FILTRATE, PMUV3_EVENT_CLASS_COUNT, 255},
};

TEST(EventsTest, Table) {
  for (const Event &event : kEvents) {
    SCOPED_TRACE(::testing::Message() << std::hex << event.number);
    EXPECT_EQ(pmuv3_event_find(event.number), event.event);
    EXPECT_EQ(pmuv3_event_number(event.event), event.number);
    EXPECT_EQ(pmuv3_event_class_of(event.event), event.kind);
    EXPECT_EQ(pmuv3_event_limit(event.event), event.limit);
  }
  EXPECT_STREQ(pmuv3_event_mnemonic(PMUV3_EVENT_STALL_SLOT), "STALL_SLOT");
}

TEST(EventsTest, NotImplemented) {
  for (uint16_t number : {0x0001, 0x0003, 0x0007, 0x0085, 0x0089, 0x0408, 0x4008, 0x8008, 0xFFFF})
    EXPECT_EQ(pmuv3_event_find(number), PMUV3_EVENT_NONE) << std::hex << number;
}

// Without PMUv3p1 evtCount has 10 bits.
TEST(EventsTest, Fits) {
  const pmuv3_params ten_bits = Params("features=TH2"), sixteen_bits = Params("features=PMUv3p1");
  EXPECT_TRUE(pmuv3_event_fits(&ten_bits, PMUV3_EVENT_EXC_TRAP_FIQ));
  EXPECT_FALSE(pmuv3_event_fits(&ten_bits, PMUV3_EVENT_FP_FIXED_OPS_SPEC));
  EXPECT_TRUE(pmuv3_event_fits(&sixteen_bits, PMUV3_EVENT_FP_FIXED_OPS_SPEC));
}

// Each event reaches the counters that select it, with its whole count, and no other.
TEST_P(AttributionTest, EachEvent) {
  Build("counters=3");
  for (const Event &event : kEvents) {
    if (event.kind == PMUV3_EVENT_CLASS_SELF) continue;
    SCOPED_TRACE(pmuv3_event_mnemonic(event.event));
    for (const Event &other : kEvents) {
      if (&other == &event) continue;
      Write(PMUV3_PMEVTYPERn(0), Type(event.event));
      Write(PMUV3_PMEVTYPERn(1), Type(other.event));
      Write(PMUV3_PMEVTYPERn(2), Type(event.event));
      Enable(0x7);
      Cycle({{event.event, event.limit}});
      const pmuv3_probe probe = Probe();
      EXPECT_EQ(probe.VB[0], event.limit);
      EXPECT_EQ(probe.VB[1], other.event == PMUV3_EVENT_CPU_CYCLES ? 1 : 0)
          << pmuv3_event_mnemonic(other.event);
      EXPECT_EQ(probe.VB[2], event.limit);
    }
  }
}

// All of a cycle's events at once, each with a count of its own.
TEST_P(AttributionTest, AllEventsTogether) {
  Build("counters=31");
  std::initializer_list<Occurrence> occurrences = {
      {PMUV3_EVENT_L1D_CACHE, 2},           {PMUV3_EVENT_INST_RETIRED, 3},
      {PMUV3_EVENT_STALL_FRONTEND, 1},      {PMUV3_EVENT_STALL_BACKEND, 0},
      {PMUV3_EVENT_STALL_SLOT, 8},          {PMUV3_EVENT_EXC_TRAP_FIQ, 254},
      {PMUV3_EVENT_FP_FIXED_OPS_SPEC, 100}, {PMUV3_EVENT_BRB_FILTRATE, 255},
  };
  int n = 0;
  for (const Occurrence &occurrence : occurrences)
    Write(PMUV3_PMEVTYPERn(n++), Type(occurrence.event));
  Enable(0x7FFFFFFF);
  Cycle(occurrences);
  n = 0;
  for (const Occurrence &occurrence : occurrences) EXPECT_EQ(Probe().VB[n++], occurrence.count);
}

// A number that is not implemented, and a reserved one, count nothing; counting is allowed all the
// same.
TEST_P(AttributionTest, UnimplementedEvent) {
  for (uint64_t number : {0x0007, 0x0085, 0x0108, 0x4008, 0xFFFF}) {
    SCOPED_TRACE(::testing::Message() << std::hex << number);
    Write(PMUV3_PMEVTYPERn(0), number);
    Enable(0x1);
    Cycle({{PMUV3_EVENT_INST_RETIRED, 9}, {PMUV3_EVENT_L1D_CACHE, 9}});
    EXPECT_EQ(Probe().VB[0], 0);
    EXPECT_EQ(Bit(Probe().allowed, 0), 1);
    EXPECT_EQ(Read(PMUV3_PMEVTYPERn(0)), number);
  }
}

// C.0: without PMUv3p1 only evtCount[9:0] exist.
TEST_P(AttributionTest, TenBitEventNumbers) {
  Build("counters=1 features=TH2");
  Write(PMUV3_PMEVTYPERn(0), 0xFC08);
  Enable(0x1);
  Cycle({{PMUV3_EVENT_INST_RETIRED, 9}});
  EXPECT_EQ(Probe().VB[0], 9);
}

TEST_P(AttributionTest, CpuCycles) {
  Write(PMUV3_PMEVTYPERn(1), Type(PMUV3_EVENT_CPU_CYCLES));
  Enable(0x2);
  for (int i = 0; i < 3; i++) {
    Cycle();
    EXPECT_EQ(Probe().VB[1], 1);
  }
}

TEST_P(AttributionTest, SoftwareIncrements) {
  Build("counters=2");
  Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_SW_INCR));
  Write(PMUV3_PMEVTYPERn(1), Type(PMUV3_EVENT_SW_INCR));
  Enable(0x3);
  Write(PMUV3_PMSWINC, 0x3);
  Write(PMUV3_PMSWINC, 0x1);
  EXPECT_EQ(Counter(0), 0u);
  Cycle();
  EXPECT_EQ(Probe().VB[0], 2);
  EXPECT_EQ(Probe().VB[1], 1);
  Cycle();  // consumed
  EXPECT_EQ(Probe().VB[0], 0);
  CycleWriting(PMUV3_PMSWINC, 0x2);  // counts in its own cycle
  EXPECT_EQ(Probe().VB[0], 0);
  EXPECT_EQ(Probe().VB[1], 1);
}

// pmuv3_write: a counter holds at most 255 waiting increments, further ones are lost.
TEST_P(AttributionTest, SoftwareIncrementsSaturate) {
  Build("counters=2");
  Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_SW_INCR));
  Write(PMUV3_PMEVTYPERn(1), Type(PMUV3_EVENT_SW_INCR));
  Enable(0x3);
  Write(PMUV3_PMSWINC, 0x2);
  for (int i = 0; i < 300; i++) Write(PMUV3_PMSWINC, 0x1);
  Cycle();
  EXPECT_EQ(Probe().VB[0], 255);
  EXPECT_EQ(Probe().VB[1], 1);
  Cycle();
  EXPECT_EQ(Probe().VB[0], 0);
}

// The next cycle consumes pending increments, whatever evtCount and the enables are.
TEST_P(AttributionTest, SoftwareIncrementsAreConsumed) {
  Build("counters=2");
  Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_SW_INCR));
  Write(PMUV3_PMEVTYPERn(1), Type(PMUV3_EVENT_INST_RETIRED));
  Write(PMUV3_PMSWINC, 0x3);
  Cycle();  // disabled
  Enable(0x3);
  Write(PMUV3_PMEVTYPERn(1), Type(PMUV3_EVENT_SW_INCR));
  Cycle();
  EXPECT_EQ(Probe().VB[0], 0);
  EXPECT_EQ(Probe().VB[1], 0);
}

// CHAIN-1, CHAIN-2, CYC-2: VB of an odd counter in the very cycle of the overflow; never of an even
// one.
TEST_P(AttributionTest, Chain) {
  Build("counters=4");
  for (int n : {1, 2, 3}) Write(PMUV3_PMEVTYPERn(n), Type(PMUV3_EVENT_CHAIN));
  Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED));
  Enable(0xF);
  Write(PMUV3_PMEVCNTRn(0), 0xFFFFFFFE);
  Write(PMUV3_PMEVCNTRn(1), 0xFFFFFFFF);
  const int vb[] = {0, 1, 0};
  for (int expected : vb) {
    Cycle({{PMUV3_EVENT_INST_RETIRED, 1}});
    EXPECT_EQ(Probe().VB[1], expected);
    EXPECT_EQ(Probe().VB[2], 0);
    EXPECT_EQ(Probe().VB[3], 0);
  }
}

// CHAIN-2, CHAIN-4 by range and width: {HPMN, LP, HLP, the overflowing counter n, VB[n+1]}.
TEST_P(AttributionTest, ChainByRange) {
  struct {
    int hpmn, lp, hlp, n, vb;
  } const cases[] = {
      {6, 0, 0, 0, 1}, {6, 0, 1, 0, 1}, {6, 1, 0, 0, 0}, {6, 0, 0, 4, 1},  // all in the first range
      {2, 0, 0, 0, 1}, {2, 1, 0, 0, 0}, {2, 0, 1, 2, 0}, {2, 1, 0, 2, 1},  // split between pairs
      {1, 0, 0, 0, 0}, {1, 0, 0, 2, 1}, {3, 0, 0, 2, 0}, {3, 0, 0, 0, 1},  // split within a pair
      {0, 0, 0, 0, 1}, {0, 1, 0, 0, 1}, {0, 0, 1, 0, 0},  // all in the second range
      {7, 0, 1, 4, 1}, {7, 1, 0, 4, 0},                   // reserved: acts as 6
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(::testing::Message()
                 << "HPMN=" << c.hpmn << " LP=" << c.lp << " HLP=" << c.hlp << " n=" << c.n);
    Build("counters=6");
    Write(PMUV3_MDCR_EL2, static_cast<uint64_t>(c.hlp) << 26 | 1 << 7 | c.hpmn);
    Write(PMUV3_PMEVTYPERn(c.n), Type(PMUV3_EVENT_INST_RETIRED));
    Write(PMUV3_PMEVTYPERn(c.n + 1), Type(PMUV3_EVENT_CHAIN));
    Write(PMUV3_PMEVCNTRn(c.n), 0xFFFFFFFF);
    Write(PMUV3_PMCNTENSET, 0x3F);
    Write(PMUV3_PMCR, c.lp << 7 | 1);
    Cycle({{PMUV3_EVENT_INST_RETIRED, 1}});
    EXPECT_EQ(Probe().VB[c.n + 1], c.vb);
  }
}

}  // namespace
}  // namespace pmuv3
