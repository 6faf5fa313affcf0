// attribution: the occurrences that make up VB of each counter (D13.4, C.5, D.6).
// exhaustive/attribution_test.cc has every case of Table D13-3.
#include "testbench/tests/unit/side_test.h"

namespace pmuv3 {
namespace {

class AttributionTest : public SideTest {};
PMUV3_ON_BOTH_SIDES(AttributionTest);

// D13.4-1: each event reaches the counters that select the event, with its whole count, and no
// other counter.
TEST_P(AttributionTest, EachEvent) {
  Build("counters=3");
  const pmuv3_events &events = params().events;
  for (int e = 0; e < events.num; e++) {
    const pmuv3_event &event = events.event[e], &next = events.event[(e + 1) % events.num];
    if (event.event_class == PMUV3_EVENT_CLASS_SELF) continue;
    SCOPED_TRACE(::testing::Message() << std::hex << event.number);
    for (const unsigned other : {unsigned{next.number}, event.number ^ 0x4000u}) {
      Write(PMUV3_PMEVTYPERn(0), Type(event.number));
      Write(PMUV3_PMEVTYPERn(1), Type(other));
      Write(PMUV3_PMEVTYPERn(2), Type(event.number));
      Enable(0x7);
      Cycle({{event.number, event.most}});
      const pmuv3_probe probe = Probe();
      EXPECT_EQ(probe.VB[0], event.most);
      EXPECT_EQ(probe.VB[1], other == PMUV3_EVENT_CPU_CYCLES ? 1 : 0) << std::hex << other;
      EXPECT_EQ(probe.VB[2], event.most);
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
  for (uint64_t number : {0x0080, 0x0085, 0x0108, 0x4008, 0x400D, 0x400F, 0xFFFF}) {
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
    pmuv3_event_number event;
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

// D13.4-9: what these events count is Attributable, whatever the state and the choices are.
// L1D_CACHE beside them counts what is Unattributable.
TEST_P(AttributionTest, AttributableAlone) {
  Build(
      "counters=2 K-UNATTR-FILTER=none K-UNATTR-PROHIB=all K-UNATTR-DEBUG=all K-SHARED-OTHER=all");
  for (const pmuv3_event_number event :
       {PMUV3_EVENT_L1D_CACHE_ALLOCATE, PMUV3_EVENT_L2D_CACHE_ALLOCATE,
        PMUV3_EVENT_L3D_CACHE_ALLOCATE, PMUV3_EVENT_L1D_CACHE_WB_VICTIM,
        PMUV3_EVENT_L2D_CACHE_WB_VICTIM, PMUV3_EVENT_L3D_CACHE_WB_VICTIM, PMUV3_EVENT_L2D_CACHE_WB,
        PMUV3_EVENT_L3D_CACHE_WB, PMUV3_EVENT_L2D_CACHE_WB_CLEAN, PMUV3_EVENT_L3D_CACHE_WB_CLEAN}) {
    SCOPED_TRACE(::testing::Message() << std::hex << event);
    Write(PMUV3_PMEVTYPERn(0), Type(event));
    Write(PMUV3_PMEVTYPERn(1), Type(PMUV3_EVENT_L1D_CACHE));
    Enable(0x3);
    for (const Pe &pe :
         {Pe(1, PMUV3_NS), Pe(2, PMUV3_NS), Pe(1, PMUV3_S), Pe(1, PMUV3_NS).Halted()}) {
      SetPe(pe);
      Cycle({Occurrence(event, 1).Unattributable(),
             Occurrence(PMUV3_EVENT_L1D_CACHE, 1).Unattributable()});
      EXPECT_EQ(Probe().VB[0], 0);
      EXPECT_EQ(Probe().VB[1], 1);
    }
    SetPe(Pe());
    Cycle({Occurrence(event, 2), Occurrence(event, 4).Unattributable(),
           Occurrence(event, 8).In(0, PMUV3_NS)});
    EXPECT_EQ(Probe().VB[0], 10);
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

// CHAIN-5, CHAIN-6, K-CHAIN-FILTER=ignore: CHAIN counts with each carry of the even counter, also
// where the odd counter is filtered, prohibited or in Debug state. It does not count where the odd
// counter is disabled.
TEST_P(AttributionTest, ChainFollowsTheCarry) {
  struct {
    const char *what;
    Pe pe;
    Type type;
    uint64_t enabled;
    int vb;
  } const cases[] = {
      {"allowed", Pe().El(0), Type(PMUV3_EVENT_CHAIN), 3, 1},
      {"filtered", Pe().El(1), Type(PMUV3_EVENT_CHAIN).P(), 3, 1},
      {"prohibited", Pe().El(1).Ss(PMUV3_S), Type(PMUV3_EVENT_CHAIN), 3, 1},
      {"in Debug state", Pe().El(1).Halted(), Type(PMUV3_EVENT_CHAIN), 3, 1},
      {"disabled", Pe().El(0), Type(PMUV3_EVENT_CHAIN), 1, 0},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(c.what);
    Build("counters=2 K-CHAIN-FILTER=ignore K-UNATTR-PROHIB=all K-UNATTR-DEBUG=all");
    Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_BUS_ACCESS));
    Write(PMUV3_PMEVTYPERn(1), c.type);
    Enable(c.enabled);
    SetPe(c.pe);
    Write(PMUV3_PMEVCNTRn(0), 0xFFFFFFFF);
    Cycle({Occurrence(PMUV3_EVENT_BUS_ACCESS, 1).Unattributable()});
    EXPECT_EQ(Probe().VB[0], 1);
    EXPECT_EQ(Probe().VB[1], c.vb);
    EXPECT_EQ(Bit(Probe().allowed, 1), c.vb);
    Cycle();
    EXPECT_EQ(Probe().VB[1], 0);
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
