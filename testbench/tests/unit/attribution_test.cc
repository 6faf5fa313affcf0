// attribution: the occurrences that make up VB of each counter (D13.4, C.5, D.6).
// exhaustive/attribution_test.cc has every case of Table D13-3.
#include "testbench/tests/unit/side_test.h"

namespace pmuv3 {
namespace {

class AttributionTest : public SideTest {};
PMUV3_ON_BOTH_SIDES(AttributionTest);

struct Event {
  uint16_t number;
  pmuv3_event event;
  pmuv3_event_class kind;
  pmuv3_event_attribution attribution;
  unsigned traits;
  int limit;  // the most in one cycle
};

#define CLASS(name) PMUV3_EVENT_CLASS_##name
#define OF(name) PMUV3_EVENT_ATTRIBUTION_##name
constexpr unsigned kNone = 0, kExact = PMUV3_EVENT_TRAIT_EXACT, kSync = PMUV3_EVENT_TRAIT_SYNC;

// formats.md section 2, Events; B.3.1 for EXACT, D14.7 for SYNC, D14.4 for the classes.
constexpr Event kEvents[] = {
    {0x0000, PMUV3_EVENT_SW_INCR, CLASS(SELF), OF(CORE), kExact | kSync, 0},
    {0x0004, PMUV3_EVENT_L1D_CACHE, CLASS(COUNT), OF(MEMORY), kNone, 255},
    {0x0008, PMUV3_EVENT_INST_RETIRED, CLASS(COUNT), OF(CORE), kSync, 255},
    {0x0009, PMUV3_EVENT_EXC_TAKEN, CLASS(COUNT), OF(CORE), kExact, 255},
    {0x000A, PMUV3_EVENT_EXC_RETURN, CLASS(COUNT), OF(CORE), kExact, 255},
    {0x000B, PMUV3_EVENT_CID_WRITE_RETIRED, CLASS(COUNT), OF(CORE), kExact, 255},
    {0x0010, PMUV3_EVENT_BR_MIS_PRED, CLASS(COUNT), OF(CORE), kNone, 255},
    {0x0011, PMUV3_EVENT_CPU_CYCLES, CLASS(SELF), OF(CORE), kNone, 0},
    {0x0012, PMUV3_EVENT_BR_PRED, CLASS(COUNT), OF(CORE), kNone, 255},
    {0x0015, PMUV3_EVENT_L1D_CACHE_WB, CLASS(COUNT), OF(MEMORY), kNone, 255},
    {0x0016, PMUV3_EVENT_L2D_CACHE, CLASS(COUNT), OF(SHARED), kNone, 255},
    {0x0019, PMUV3_EVENT_BUS_ACCESS, CLASS(COUNT), OF(MEMORY), kNone, 255},
    {0x001C, PMUV3_EVENT_TTBR_WRITE_RETIRED, CLASS(COUNT), OF(CORE), kExact, 255},
    {0x001D, PMUV3_EVENT_BUS_CYCLES, CLASS(CONDITION), OF(MEMORY), kNone, 1},
    {0x001E, PMUV3_EVENT_CHAIN, CLASS(SELF), OF(CORE), kNone, 0},
    {0x0023, PMUV3_EVENT_STALL_FRONTEND, CLASS(STALL), OF(CORE), kNone, 1},
    {0x0024, PMUV3_EVENT_STALL_BACKEND, CLASS(STALL), OF(CORE), kNone, 1},
    {0x003C, PMUV3_EVENT_STALL, CLASS(STALL), OF(CORE), kNone, 1},
    {0x003D, PMUV3_EVENT_STALL_SLOT_BACKEND, CLASS(SLOTS), OF(CORE), kNone, 255},
    {0x003E, PMUV3_EVENT_STALL_SLOT_FRONTEND, CLASS(SLOTS), OF(CORE), kNone, 255},
    {0x003F, PMUV3_EVENT_STALL_SLOT, CLASS(SLOTS), OF(CORE), kNone, 255},
    {0x0081, PMUV3_EVENT_EXC_UNDEF, CLASS(COUNT), OF(CORE), kExact, 255},
    {0x0082, PMUV3_EVENT_EXC_SVC, CLASS(COUNT), OF(CORE), kExact, 255},
    {0x0083, PMUV3_EVENT_EXC_PABORT, CLASS(COUNT), OF(CORE), kExact, 255},
    {0x0084, PMUV3_EVENT_EXC_DABORT, CLASS(COUNT), OF(CORE), kExact, 255},
    {0x0086, PMUV3_EVENT_EXC_IRQ, CLASS(COUNT), OF(CORE), kExact, 255},
    {0x0087, PMUV3_EVENT_EXC_FIQ, CLASS(COUNT), OF(CORE), kExact, 255},
    {0x0088, PMUV3_EVENT_EXC_SMC, CLASS(COUNT), OF(CORE), kExact, 255},
    {0x008A, PMUV3_EVENT_EXC_HVC, CLASS(COUNT), OF(CORE), kExact, 255},
    {0x008B, PMUV3_EVENT_EXC_TRAP_PABORT, CLASS(COUNT), OF(CORE), kExact, 255},
    {0x008C, PMUV3_EVENT_EXC_TRAP_DABORT, CLASS(COUNT), OF(CORE), kExact, 255},
    {0x008D, PMUV3_EVENT_EXC_TRAP_OTHER, CLASS(COUNT), OF(CORE), kExact, 255},
    {0x008E, PMUV3_EVENT_EXC_TRAP_IRQ, CLASS(COUNT), OF(CORE), kExact, 255},
    {0x008F, PMUV3_EVENT_EXC_TRAP_FIQ, CLASS(COUNT), OF(CORE), kExact, 255},
    {0x4005, PMUV3_EVENT_STALL_BACKEND_MEM, CLASS(SECOND), OF(CORE), kNone, 1},
    {0x4010, PMUV3_EVENT_TRCEXTOUT0, CLASS(COUNT), OF(TRACE), kNone, 255},
    {0x80C1, PMUV3_EVENT_FP_FIXED_OPS_SPEC, CLASS(COUNT), OF(CORE), kNone, 255},
    {0x811F, PMUV3_EVENT_BRB_FILTRATE, CLASS(COUNT), OF(CORE), kExact | kSync, 255},
};

#undef CLASS
#undef OF

// D13.4-3, D13.4-4, D13.4-9: each event has one definition.
TEST(EventsTest, Table) {
  EXPECT_EQ(static_cast<int>(sizeof kEvents / sizeof *kEvents), PMUV3_NUM_EVENTS);
  for (const Event &event : kEvents) {
    SCOPED_TRACE(::testing::Message() << std::hex << event.number);
    const pmuv3_event_index index = pmuv3_event_index_of(event.number);
    EXPECT_EQ(event.event, event.number);
    EXPECT_EQ(index, &event - kEvents);
    EXPECT_EQ(pmuv3_event_number(index), event.number);
    EXPECT_EQ(pmuv3_event_class_of(index), event.kind);
    EXPECT_EQ(pmuv3_event_attribution_of(index), event.attribution);
    EXPECT_EQ(pmuv3_event_traits(index), event.traits);
    EXPECT_EQ(pmuv3_event_limit(index), event.limit);
  }
  EXPECT_STREQ(pmuv3_event_mnemonic(PMUV3_INDEX_STALL_SLOT), "STALL_SLOT");
}

TEST(EventsTest, NotImplemented) {
  for (uint16_t number : {0x0001, 0x0003, 0x0007, 0x0085, 0x0089, 0x0408, 0x4008, 0x8008, 0xFFFF})
    EXPECT_EQ(pmuv3_event_index_of(number), PMUV3_INDEX_NONE) << std::hex << number;
  const pmuv3_params params = Params("features=PMUv3p1");
  EXPECT_FALSE(pmuv3_event_fits(&params, PMUV3_INDEX_NONE));
  for (unsigned origin = 0; origin < PMUV3_NUM_ORIGINS; origin++)
    EXPECT_FALSE(pmuv3_event_has(PMUV3_INDEX_NONE, origin)) << origin;
}

// Without PMUv3p1 evtCount has 10 bits.
TEST(EventsTest, Fits) {
  const pmuv3_params ten_bits = Params("features=TH2"), sixteen_bits = Params("features=PMUv3p1");
  EXPECT_TRUE(pmuv3_event_fits(&ten_bits, PMUV3_INDEX_EXC_TRAP_FIQ));
  EXPECT_FALSE(pmuv3_event_fits(&ten_bits, PMUV3_INDEX_FP_FIXED_OPS_SPEC));
  EXPECT_TRUE(pmuv3_event_fits(&sixteen_bits, PMUV3_INDEX_FP_FIXED_OPS_SPEC));
}

// D13.4-1: each event reaches the counters that select the event, with its whole count, and no
// other counter.
TEST_P(AttributionTest, EachEvent) {
  Build("counters=3");
  for (const Event &event : kEvents) {
    if (event.kind == PMUV3_EVENT_CLASS_SELF) continue;
    SCOPED_TRACE(::testing::Message() << std::hex << event.number);
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
          << std::hex << other.number;
      EXPECT_EQ(probe.VB[2], event.limit);
    }
  }
}

// All events in one cycle, each with a different count.
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

// An event number that is not implemented, and a reserved one, count nothing. Counting is still
// allowed.
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

// pmuv3_write: at most 255 increments of a counter wait. Further increments are lost.
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

// The next cycle consumes the waiting increments, whatever evtCount and the enables are.
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

// CHAIN-1, CHAIN-2, CYC-2: VB of an odd counter counts CHAIN in the cycle of the overflow. Even
// counters never count CHAIN.
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

// ---- Attributable, Unattributable, debugger ----

// D13.4-1, D13.4-2: the counter sums all origins of an event in a cycle.
TEST_P(AttributionTest, OriginsSum) {
  Build("counters=1");
  Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_BUS_ACCESS));
  Enable(0x1);
  Cycle({Occurrence(PMUV3_EVENT_BUS_ACCESS, 255),
         Occurrence(PMUV3_EVENT_BUS_ACCESS, 255).In(0, PMUV3_NS),
         Occurrence(PMUV3_EVENT_BUS_ACCESS, 255).Unattributable()});
  EXPECT_EQ(Probe().VB[0], 765);
  EXPECT_EQ(Counter(0), 765u);
}

// D13.10-1, D13.10-2, T4: a thread in Debug state counts nothing by default. With K-DEBUG-LATE =
// count the thread counts late Attributable events, but neither raw cycles nor a debugger's
// operations.
TEST_P(AttributionTest, Halted) {
  struct {
    Occurrence occurrence;
    int late;
  } const cases[] = {
      {Occurrence(PMUV3_EVENT_INST_RETIRED, 5), 5},
      {Occurrence(PMUV3_EVENT_INST_RETIRED, 5).In(0, PMUV3_NS), 5},
      {Occurrence(PMUV3_EVENT_INST_RETIRED, 5).Debugger(), 0},
      {Occurrence(PMUV3_EVENT_INST_RETIRED, 5).Unattributable(), 0},
      {Occurrence(PMUV3_EVENT_STALL, 1), 0},
      {Occurrence(PMUV3_EVENT_STALL, 1).Debugger(), 0},
      {Occurrence(PMUV3_EVENT_STALL_BACKEND_MEM, 1), 0},
      {Occurrence(PMUV3_EVENT_BUS_CYCLES, 1), 0},
      {Occurrence(PMUV3_EVENT_STALL_SLOT, 8), 0},
  };
  for (bool late : {false, true})
    for (const auto &c : cases) {
      SCOPED_TRACE(::testing::Message() << std::hex << c.occurrence.event << " origin "
                                        << c.occurrence.origin << " late=" << late);
      Build(late ? "counters=1 K-DEBUG-LATE=count" : "counters=1");
      Write(PMUV3_PMEVTYPERn(0), Type(c.occurrence.event));
      Enable(0x1);
      SetPe(Pe().Halted());
      Cycle({c.occurrence});
      const int expected = late ? c.late : 0;
      EXPECT_EQ(Probe().VB[0], expected);
      EXPECT_EQ(Bit(Probe().allowed, 0), expected > 0);
      SetPe(Pe());
      Cycle({c.occurrence});
      EXPECT_EQ(Probe().VB[0], c.occurrence.origin == PMUV3_DEBUGGER ? 0 : c.occurrence.count);
    }
}

// A thread in Debug state counts no CPU_CYCLES, no CHAIN and no software increment, with any
// choices.
TEST_P(AttributionTest, HaltedMakesNothing) {
  Build("counters=4 K-DEBUG-LATE=count K-MT-SELF-DEBUG=count K-UNATTR-DEBUG=all");
  Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED));
  Write(PMUV3_PMEVTYPERn(1), Type(PMUV3_EVENT_CHAIN));
  Write(PMUV3_PMEVTYPERn(2), Type(PMUV3_EVENT_CPU_CYCLES));
  Write(PMUV3_PMEVTYPERn(3), Type(PMUV3_EVENT_SW_INCR));
  Write(PMUV3_PMEVCNTRn(0), 0xFFFFFFFF);
  Enable(0xF);
  SetPe(Pe().Halted());
  Write(PMUV3_PMSWINC, 0x8);
  CycleWriting(PMUV3_PMSWINC, 0x8, {{PMUV3_EVENT_INST_RETIRED, 1}});
  EXPECT_EQ(Probe().VB[0], 1);
  EXPECT_EQ(Probe().overflow, 0x1u);
  for (int n : {1, 2, 3}) EXPECT_EQ(Probe().VB[n], 0) << n;
  EXPECT_EQ(Probe().allowed, 0x1u);
  SetPe(Pe());
  Cycle();
  EXPECT_EQ(Probe().VB[3], 0);  // the increments of Debug state are lost
}

// T2, T3, K-UNATTR-*: the choices differ by the event's attribution: {event, core, memory}.
TEST_P(AttributionTest, UnattributableByClass) {
  struct {
    pmuv3_event event;
    bool core, memory;
  } const cases[] = {
      {PMUV3_EVENT_INST_RETIRED, true, false}, {PMUV3_EVENT_TRCEXTOUT0, true, false},
      {PMUV3_EVENT_L1D_CACHE, false, true},    {PMUV3_EVENT_BUS_ACCESS, false, true},
      {PMUV3_EVENT_L1D_CACHE_WB, false, true},
  };
  for (const char *word : {"none", "core", "memory", "all"})
    for (const auto &c : cases) {
      SCOPED_TRACE(::testing::Message() << word << " " << std::hex << c.event);
      Build(std::string("counters=1 K-UNATTR-FILTER=") + word + " K-UNATTR-PROHIB=" + word +
            " K-UNATTR-DEBUG=" + word);
      const std::string choice = word;
      const int is =
          choice == "all" || (choice == "core" && c.core) || (choice == "memory" && c.memory);
      Write(PMUV3_PMEVTYPERn(0), Type(c.event).P());
      Enable(0x1);
      const auto count = [&] {
        Cycle({Occurrence(c.event, 1).Unattributable()});
        EXPECT_EQ(Bit(Probe().allowed, 0),
                  Probe().VB[0]);  // allowed only because of the occurrence
        return static_cast<int>(Probe().VB[0]);
      };
      EXPECT_EQ(count(), !is) << "filtered";
      SetPe(Pe(0, PMUV3_S));
      EXPECT_EQ(count(), is) << "prohibited";
      SetPe(Pe(1, PMUV3_S));
      EXPECT_EQ(count(), is) << "prohibited and filtered";
      SetPe(Pe(0, PMUV3_NS).Halted());
      EXPECT_EQ(count(), is) << "halted";
      SetPe(Pe(1, PMUV3_NS).Halted());
      EXPECT_EQ(count(), 0) << "halted and filtered: D13.10-4";
    }
}

// D13.4-11: a disabled counter counts no origin, with any choices.
TEST_P(AttributionTest, DisabledWhateverTheChoices) {
  Build(
      "counters=1 K-UNATTR-FILTER=none K-UNATTR-PROHIB=all K-UNATTR-DEBUG=all "
      "K-ATTR-NONEL-FILTER=count K-ATTR-NONSS-PROHIB=count K-DEBUG-LATE=count");
  Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_TRCEXTOUT0));
  const auto count = [&] {
    Cycle({Occurrence(PMUV3_EVENT_TRCEXTOUT0, 1),
           Occurrence(PMUV3_EVENT_TRCEXTOUT0, 2).In(0, PMUV3_S),
           Occurrence(PMUV3_EVENT_TRCEXTOUT0, 4).Unattributable()});
    return static_cast<int>(Probe().VB[0]);
  };
  Write(PMUV3_PMCR, 1);
  EXPECT_EQ(count(), 0) << "not enabled";
  Enable(0x1);
  EXPECT_EQ(count(), 7);
  Write(PMUV3_PMCR, 0);
  EXPECT_EQ(count(), 0) << "not enabled globally";
  Write(PMUV3_PMOVSSET, 0x1);
  Write(PMUV3_PMCR, 1 << 9 | 1);
  EXPECT_EQ(count(), 0) << "frozen";
}

// D13.7-10, D13.7-11: an event in the state before a change of state in this cycle.
TEST_P(AttributionTest, OtherContext) {
  Build("counters=2");
  Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_EXC_SVC).P());  // not in EL1
  Write(PMUV3_PMEVTYPERn(1), Type(PMUV3_EVENT_EXC_SVC).U());  // not in EL0
  Enable(0x3);
  Cycle({Occurrence(PMUV3_EVENT_EXC_SVC, 1).In(0, PMUV3_NS)});
  EXPECT_EQ(Probe().VB[0], 1);
  EXPECT_EQ(Probe().VB[1], 0);
  EXPECT_EQ(Probe().allowed, 0x3u);  // counter 0: by the occurrence; counter 1: by the state
  Cycle();
  EXPECT_EQ(Probe().allowed, 0x2u);
  Cycle({Occurrence(PMUV3_EVENT_EXC_SVC, 0).In(0, PMUV3_NS)});
  EXPECT_EQ(Probe().allowed, 0x2u);  // an occurrence with count 0 allows nothing
}

// CHAIN-6, K-CHAIN-FILTER: the odd counter's filter applies to CHAIN, in the counting thread's
// state.
TEST_P(AttributionTest, ChainIsFiltered) {
  Build("counters=2");
  Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED));
  Write(PMUV3_PMEVTYPERn(1), Type(PMUV3_EVENT_CHAIN).P());
  Enable(0x3);
  for (unsigned el : {0u, 1u}) {
    SetPe(Pe().El(el));
    Write(PMUV3_PMEVCNTRn(0), 0xFFFFFFFF);
    Cycle({{PMUV3_EVENT_INST_RETIRED, 1}});
    EXPECT_EQ(Probe().VB[1], el == 0) << el;
    EXPECT_EQ(Bit(Probe().allowed, 1), el == 0) << el;
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
