// multithreading: counting the processor's other threads (D13.6, D14.4). exhaustive/ tests
// Effective MT, and whose state and controls decide.
#include "testbench/tests/unit/side_test.h"

namespace pmuv3 {
namespace {

class MultithreadingTest : public SideTest {
 protected:
  // Counter 0 of thread 0 counts the event with MT = 1, counter 1 with MT = 0. EL0 is filtered.
  void Count(pmuv3_event_number event) {
    Write(PMUV3_PMEVTYPERn(0), Type(event).Mt().U());
    Write(PMUV3_PMEVTYPERn(1), Type(event).U());
    Enable(0x3);
  }

  // A letter for each thread: r running, i not active, w in WFx, h halted, f filtered.
  void SetStates(const std::string &states) {
    for (unsigned t = 0; t < states.size(); t++) {
      const char state = states[t];
      SetPe(t, Pe().El(state == 'f' ? 0 : 1)
                   .Active(state != 'i')
                   .Wfx(state == 'w')
                   .Halted(state == 'h'));
    }
  }

  struct Each {
    pmuv3_event_number event;
    std::vector<int> counts;  // one for each thread
  };

  void CycleWithEach(const std::vector<Each> &events) {
    std::vector<pmuv3_occurrence> list;
    for (const Each &each : events)
      for (size_t t = 0; t < each.counts.size(); t++)
        list.push_back({static_cast<uint16_t>(each.event), static_cast<uint8_t>(each.counts[t]),
                        static_cast<uint8_t>(t), PMUV3_CURRENT});
    pmuv3_cycle cycle = {};
    cycle.occurrences = list.data();
    cycle.num_occurrences = static_cast<uint16_t>(list.size());
    pmuv3_side_cycle(side(), &cycle);
  }

  std::string Threads(size_t threads) { return "counters=2 threads=" + std::to_string(threads); }
};
PMUV3_ON_BOTH_SIDES(MultithreadingTest);

// ---- Sums ----

// D13.6-1, D13.6-4: with MT = 1 the sum over all threads, with MT = 0 the thread's own.
TEST_P(MultithreadingTest, Sums) {
  for (unsigned threads : {1u, 2u, 3u, 4u}) {
    SCOPED_TRACE(threads);
    Build(Threads(threads));
    for (unsigned t = 0; t < threads; t++) {
      Write(t, PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED).Mt());
      Write(t, PMUV3_PMEVTYPERn(1), Type(PMUV3_EVENT_INST_RETIRED));
      Enable(t, 0x3);
    }
    const std::vector<int> counts = {1, 10, 100, 7};
    CycleWithEach({{PMUV3_EVENT_INST_RETIRED, {counts.begin(), counts.begin() + threads}}});
    int sum = 0;
    for (unsigned t = 0; t < threads; t++) sum += counts[t];
    for (unsigned t = 0; t < threads; t++) {
      EXPECT_EQ(Probe(t).VB[0], sum) << t;
      EXPECT_EQ(Probe(t).VB[1], counts[t]) << t;
    }
  }
}

// The largest sum must fit in VB.
TEST_P(MultithreadingTest, LargestSum) {
  Build(Threads(4));
  Count(PMUV3_EVENT_BUS_ACCESS);
  const auto all = [](unsigned thread) {
    return Occurrence(PMUV3_EVENT_BUS_ACCESS, 255).On(thread);
  };
  const auto other = [all](unsigned thread) { return all(thread).In(2, PMUV3_NS); };
  const auto unattributable = [all](unsigned thread) { return all(thread).Unattributable(); };
  Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_BUS_ACCESS).Mt().Nsh());
  Cycle({all(0), all(1), all(2), all(3), other(0), other(1), other(2), other(3), unattributable(0),
         unattributable(1), unattributable(2), unattributable(3)});
  EXPECT_EQ(Probe().VB[0], 3060);
  EXPECT_EQ(Probe().V[0], 3060);
  EXPECT_EQ(Counter(0), 3060u);
}

// TH-MT: the sum is compared with TH.
TEST_P(MultithreadingTest, ThresholdOfTheSum) {
  Build(Threads(2));
  Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED).Mt().Tc(0b101).Th(2));
  Enable(0x1);
  CycleWithEach({{PMUV3_EVENT_INST_RETIRED, {1, 0}}});
  EXPECT_EQ(Probe().V[0], 0);
  CycleWithEach({{PMUV3_EVENT_INST_RETIRED, {1, 1}}});
  EXPECT_EQ(Probe().V[0], 1);
}

// D13.6-7: with MTPME = 0 MT keeps its value, and has no effect.
TEST_P(MultithreadingTest, DisabledMtIsIgnored) {
  Build(Threads(2));
  Count(PMUV3_EVENT_INST_RETIRED);
  Write(PMUV3_MDCR_EL2, 0x80 | 2);  // no effect, since EL3 exists
  CycleWithEach({{PMUV3_EVENT_INST_RETIRED, {0, 4}}});
  EXPECT_EQ(Probe().VB[0], 4);
  const uint64_t type = Read(PMUV3_PMEVTYPERn(0));
  CycleWriting(PMUV3_MDCR_EL3, 0, {Occurrence(PMUV3_EVENT_INST_RETIRED, 4).On(1)});
  EXPECT_EQ(Probe().VB[0], 4);  // from the next cycle on
  CycleWithEach({{PMUV3_EVENT_INST_RETIRED, {0, 4}}});
  EXPECT_EQ(Probe().VB[0], 0);
  EXPECT_EQ(Read(PMUV3_PMEVTYPERn(0)), type);
}

// ---- Cycle events (D14.4) ----

// D14.4-a, D14.4-b, D14.4-c: CPU_CYCLES, {states, MT = 1, MT = 0}.
TEST_P(MultithreadingTest, CpuCycles) {
  struct {
    const char *states;
    int mt, own;
  } const cases[] = {
      {"r", 1, 1},  {"i", 0, 0},    {"w", 0, 0},    {"h", 0, 0},    {"f", 0, 0},
      {"rr", 1, 1}, {"ri", 1, 1},   {"ir", 1, 0},   {"ii", 1, 0},   {"rw", 1, 1},
      {"wr", 1, 0}, {"ww", 0, 0},   {"wi", 1, 0},   {"rh", 1, 1},   {"wh", 0, 0},
      {"hr", 0, 0}, {"fr", 1, 0},   {"fw", 0, 0},   {"ff", 0, 0},   {"rf", 1, 1},
      {"wf", 0, 0}, {"rrrr", 1, 1}, {"wwwr", 1, 0}, {"wwww", 0, 0}, {"fhwr", 1, 0},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(c.states);
    Build(Threads(std::string(c.states).size()));
    Count(PMUV3_EVENT_CPU_CYCLES);
    SetStates(c.states);
    Cycle();
    const bool alone = params().threads == 1;
    EXPECT_EQ(Probe().VB[0], alone ? c.own : c.mt);
    EXPECT_EQ(Probe().VB[1], c.own);
  }
}

// D14.4-d: STALL, STALL_FRONTEND, STALL_BACKEND must hold on all eligible threads.
TEST_P(MultithreadingTest, Stall) {
  struct {
    const char *states;
    std::vector<int> stalls;
    int mt, own;
  } const cases[] = {
      {"rr", {0, 0}, 0, 0},         {"rr", {1, 0}, 0, 1},         {"rr", {0, 1}, 0, 0},
      {"rr", {1, 1}, 1, 1},         {"rw", {1, 1}, 1, 1},         {"wr", {1, 1}, 1, 1},
      {"rw", {1, 0}, 0, 1},         {"ww", {1, 1}, 0, 1},         {"rh", {1, 0}, 1, 1},
      {"rh", {1, 1}, 1, 1},         {"hr", {1, 1}, 0, 0},         {"rf", {1, 0}, 1, 1},
      {"rf", {0, 1}, 0, 0},         {"fr", {0, 1}, 1, 0},         {"fr", {1, 0}, 0, 0},
      {"wf", {1, 1}, 0, 1},         {"ff", {1, 1}, 0, 0},         {"ii", {1, 1}, 1, 1},
      {"rrrr", {1, 1, 1, 1}, 1, 1}, {"rrrr", {1, 1, 0, 1}, 0, 1}, {"rfrr", {1, 0, 1, 1}, 1, 1},
      {"wwwr", {1, 1, 1, 1}, 1, 1}, {"wwww", {1, 1, 1, 1}, 0, 1},
  };
  for (auto event : {PMUV3_EVENT_STALL, PMUV3_EVENT_STALL_FRONTEND, PMUV3_EVENT_STALL_BACKEND})
    for (const auto &c : cases) {
      SCOPED_TRACE(::testing::Message() << std::hex << event << " " << c.states << " "
                                        << ::testing::PrintToString(c.stalls));
      Build(Threads(c.stalls.size()));
      Count(event);
      SetStates(c.states);
      CycleWithEach({{event, c.stalls}});
      EXPECT_EQ(Probe().VB[0], c.mt);
      EXPECT_EQ(Probe().VB[1], c.own);
    }
}

// K-STALL-CYCLES: with MT = 0, stalls and Slots count as they are presented, or only in cycles in
// which the thread is active and not in WFx. With MT = 1 the choice has no effect.
TEST_P(MultithreadingTest, StallCycles) {
  struct {
    const char *state;
    int presented, cpu_cycles;
  } const cases[] = {{"r", 1, 1}, {"i", 1, 0}, {"w", 1, 0}, {"h", 0, 0}, {"f", 0, 0}};
  for (const char *choice : {"presented", "cpu_cycles"})
    for (pmuv3_event_number event :
         {PMUV3_EVENT_STALL, PMUV3_EVENT_STALL_FRONTEND, PMUV3_EVENT_STALL_BACKEND,
          PMUV3_EVENT_STALL_BACKEND_MEM, PMUV3_EVENT_STALL_SLOT})
      for (const auto &c : cases) {
        SCOPED_TRACE(::testing::Message() << choice << " " << std::hex << event << c.state);
        Build(Threads(2) + " K-STALL-CYCLES=" + choice);
        Count(event);
        SetStates(std::string(c.state) + "r");
        CycleWithEach({{event, {1, 1}}});
        const int own = std::string(choice) == "presented" ? c.presented : c.cpu_cycles;
        EXPECT_EQ(Probe().VB[1], own);
        EXPECT_EQ(Probe().allowed >> 1 & 1, static_cast<uint32_t>(c.presented));
      }
  Build(Threads(2) + " K-STALL-CYCLES=cpu_cycles slots=4");
  Count(PMUV3_EVENT_STALL_SLOT);
  SetStates("wr");
  CycleWithEach({{PMUV3_EVENT_STALL_SLOT, {4, 3}}});
  EXPECT_EQ(Probe().VB[0], 3);
  Count(PMUV3_EVENT_STALL);
  CycleWithEach({{PMUV3_EVENT_STALL, {1, 1}}});
  EXPECT_EQ(Probe().VB[0], 1);
}

// D14.4-d: STALL_BACKEND_MEM must hold on some thread while STALL_BACKEND holds on all.
TEST_P(MultithreadingTest, StallAndSecondCondition) {
  struct {
    const char *states;
    std::vector<int> stalls, seconds;
    int mt, own;
  } const cases[] = {
      {"rr", {1, 1}, {0, 0}, 0, 0},
      {"rr", {1, 1}, {0, 1}, 1, 0},
      {"rr", {1, 1}, {1, 0}, 1, 1},
      {"rr", {1, 1}, {1, 1}, 1, 1},
      {"rr", {1, 0}, {1, 0}, 0, 1},
      {"rr", {0, 1}, {1, 1}, 0, 1},
      {"rr", {0, 0}, {1, 0}, 0, 1},
      {"rw", {1, 1}, {0, 1}, 1, 0},
      {"ww", {1, 1}, {1, 1}, 0, 1},
      {"rh", {1, 0}, {1, 0}, 1, 1},
      {"rh", {1, 1}, {0, 1}, 0, 0},
      {"rf", {1, 0}, {1, 0}, 1, 1},
      {"rf", {1, 1}, {0, 1}, 0, 0},
      {"fr", {0, 1}, {0, 1}, 1, 0},
      {"ff", {1, 1}, {1, 1}, 0, 0},
      {"rrrr", {1, 1, 1, 1}, {0, 0, 0, 1}, 1, 0},
      {"rrrr", {1, 1, 1, 0}, {1, 0, 0, 1}, 0, 1},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(::testing::Message() << c.states << " " << ::testing::PrintToString(c.stalls)
                                      << " " << ::testing::PrintToString(c.seconds));
    Build(Threads(c.stalls.size()));
    Count(PMUV3_EVENT_STALL_BACKEND_MEM);
    SetStates(c.states);
    CycleWithEach(
        {{PMUV3_EVENT_STALL_BACKEND, c.stalls}, {PMUV3_EVENT_STALL_BACKEND_MEM, c.seconds}});
    EXPECT_EQ(Probe().VB[0], c.mt);
    EXPECT_EQ(Probe().VB[1], c.own);
  }
}

// D14.4-e, D14.4-f: another condition must hold on some eligible thread, and not all may be in WFx.
TEST_P(MultithreadingTest, OtherCondition) {
  struct {
    const char *states;
    std::vector<int> holds;
    int mt, own;
  } const cases[] = {
      {"rr", {0, 0}, 0, 0},         {"rr", {1, 0}, 1, 1},         {"rr", {0, 1}, 1, 0},
      {"rr", {1, 1}, 1, 1},         {"rw", {0, 1}, 1, 0},         {"ww", {1, 1}, 0, 1},
      {"rh", {0, 1}, 0, 0},         {"hr", {0, 1}, 0, 0},         {"rf", {0, 1}, 0, 0},
      {"fr", {1, 0}, 0, 0},         {"fr", {0, 1}, 1, 0},         {"ii", {0, 1}, 1, 0},
      {"rrrr", {0, 0, 0, 1}, 1, 0}, {"wwww", {0, 1, 1, 1}, 0, 0},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(::testing::Message() << c.states << " " << ::testing::PrintToString(c.holds));
    Build(Threads(c.holds.size()));
    Count(PMUV3_EVENT_BUS_CYCLES);
    SetStates(c.states);
    CycleWithEach({{PMUV3_EVENT_BUS_CYCLES, c.holds}});
    EXPECT_EQ(Probe().VB[0], c.mt);
    EXPECT_EQ(Probe().VB[1], c.own);
  }
}

// D14.4-f: Slots that no eligible thread uses.
TEST_P(MultithreadingTest, Slots) {
  struct {
    const char *states;
    int slots;
    std::vector<int> unused;
    int mt, own;
  } const cases[] = {
      {"rr", 8, {5, 6}, 3, 5},  // of 8 Slots A uses 3 and B uses 2
      {"rr", 8, {8, 8}, 8, 8},  //
      {"rr", 8, {8, 0}, 0, 8},  //
      {"rr", 8, {3, 2}, 0, 3},  // not below 0
      {"rr", 8, {4, 5}, 1, 4},  //
      {"rr", 0, {4, 5}, 9, 4},  //
      {"rr", 255, {255, 255}, 255, 255},
      {"rw", 8, {5, 6}, 3, 5},          //
      {"ww", 8, {5, 6}, 3, 5},          //
      {"rh", 8, {5, 6}, 5, 5},          //
      {"hr", 8, {5, 6}, 0, 0},          //
      {"rf", 8, {5, 6}, 5, 5},          //
      {"fr", 8, {5, 6}, 6, 0},          //
      {"ff", 8, {5, 6}, 0, 0},          //
      {"rrrr", 8, {8, 8, 8, 8}, 8, 8},  //
      {"rrrr", 8, {6, 8, 8, 8}, 6, 6},  //
      {"rfrr", 8, {6, 8, 7, 8}, 5, 6},  //
      {"rrrr", 1, {255, 255, 255, 255}, 1017, 255},
      {"rrr", 3, {3, 2, 2}, 1, 3},  //
  };
  for (auto event :
       {PMUV3_EVENT_STALL_SLOT, PMUV3_EVENT_STALL_SLOT_BACKEND, PMUV3_EVENT_STALL_SLOT_FRONTEND})
    for (const auto &c : cases) {
      SCOPED_TRACE(::testing::Message() << std::hex << event << " " << c.states << " "
                                        << ::testing::PrintToString(c.unused));
      Build(Threads(c.unused.size()) + " slots=" + std::to_string(c.slots));
      Count(event);
      SetStates(c.states);
      CycleWithEach({{event, c.unused}});
      EXPECT_EQ(Probe().VB[0], c.mt);
      EXPECT_EQ(Probe().VB[1], c.own);
    }
}

// ---- Software increments, CHAIN ----

// MT-SWINCR, D13.7-13: each thread's increments count if the thread's state allows it.
TEST_P(MultithreadingTest, SoftwareIncrements) {
  Build(Threads(3));
  Count(PMUV3_EVENT_SW_INCR);
  for (unsigned t : {1u, 2u}) {
    Write(t, PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_SW_INCR));
    Enable(t, 0x3);
  }
  const auto increment = [&] {
    for (unsigned t : {0u, 1u, 2u, 2u}) Write(t, PMUV3_PMSWINC, 0x3);
    CycleWriting({{1, PMUV3_PMSWINC, 0x1}});
  };
  increment();
  EXPECT_EQ(Probe(0).VB[0], 5);  // 1 + 2 + 2
  EXPECT_EQ(Probe(0).VB[1], 1);
  EXPECT_EQ(Probe(1).VB[0], 2);
  EXPECT_EQ(Probe(2).VB[0], 2);
  Cycle();
  EXPECT_EQ(Probe(0).VB[0], 0);  // each increment counts once
  SetStates("rfr");
  increment();
  EXPECT_EQ(Probe(0).VB[0], 3);
  SetStates("rrh");
  increment();
  EXPECT_EQ(Probe(0).VB[0], 3);
  SetStates("hrr");
  increment();
  EXPECT_EQ(Probe(0).VB[0], 0);
  EXPECT_EQ(Probe(1).VB[0], 2);
  SetStates("frr");
  increment();
  EXPECT_EQ(Probe(0).VB[0], 4);
  EXPECT_EQ(Probe(0).VB[1], 0);
}

// Four threads with 255 waiting increments, and one more increment each in the cycle.
TEST_P(MultithreadingTest, LargestSoftwareIncrement) {
  Build(Threads(4));
  Count(PMUV3_EVENT_SW_INCR);
  for (unsigned t = 0; t < 4; t++)
    for (int i = 0; i < 300; i++) Write(t, PMUV3_PMSWINC, 0x1);
  CycleWriting({{0, PMUV3_PMSWINC, 0x1},
                {1, PMUV3_PMSWINC, 0x1},
                {2, PMUV3_PMSWINC, 0x1},
                {3, PMUV3_PMSWINC, 0x1}});
  EXPECT_EQ(Probe().VB[0], 1024);
}

// MT-CHAIN: only the thread's own counter n-1 causes CHAIN, and only the thread's own state
// matters.
TEST_P(MultithreadingTest, Chain) {
  Build(Threads(2));
  for (unsigned t : {0u, 1u}) {
    Write(t, PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_INST_RETIRED));
    Write(t, PMUV3_PMEVTYPERn(1), Type(PMUV3_EVENT_CHAIN).Mt().U());
    Enable(t, 0x3);
  }
  Write(1, PMUV3_PMEVCNTRn(0), 0xFFFFFFFF);
  CycleWithEach({{PMUV3_EVENT_INST_RETIRED, {1, 1}}});
  EXPECT_EQ(Probe(0).VB[1], 0);
  EXPECT_EQ(Probe(1).VB[1], 1);
  SetStates("fr");  // the sibling could count, if CHAIN came from it
  Cycle();
  EXPECT_EQ(Bit(Probe(0).allowed, 1), 0);
  EXPECT_EQ(Bit(Probe(1).allowed, 1), 1);
}

// ---- Deciding state and controls ----

// K-MT-ALLOWED: counting is allowed if some thread's state allows it, or if an occurrence counts.
TEST_P(MultithreadingTest, Allowed) {
  struct {
    const char *states;
    int mt, own;
  } const cases[] = {
      {"rr", 1, 1}, {"rf", 1, 1}, {"fr", 1, 0}, {"ff", 0, 0},   {"rh", 1, 1},
      {"hr", 0, 0}, {"fh", 0, 0}, {"ww", 1, 1}, {"fffr", 1, 0}, {"fhff", 0, 0},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(c.states);
    Build(Threads(std::string(c.states).size()));
    Count(PMUV3_EVENT_INST_RETIRED);
    SetStates(c.states);
    Cycle();
    EXPECT_EQ(Bit(Probe().allowed, 0), c.mt);
    EXPECT_EQ(Bit(Probe().allowed, 1), c.own);
  }
  Build(Threads(2));
  Count(PMUV3_EVENT_INST_RETIRED);
  SetStates("ff");
  Cycle({Occurrence(PMUV3_EVENT_INST_RETIRED, 2).On(1).In(1, PMUV3_NS)});
  EXPECT_EQ(Probe().allowed, 0x1u);
  EXPECT_EQ(Probe().VB[0], 2);
}

// D13.10-3, K-MT-SELF-DEBUG: while the counting thread is halted, siblings' events may count. The
// thread's own do not.
TEST_P(MultithreadingTest, SelfDebug) {
  for (bool counts : {false, true}) {
    SCOPED_TRACE(counts);
    Build(Threads(2) + (counts ? " K-MT-SELF-DEBUG=count" : " K-MT-SELF-DEBUG=drop"));
    Count(PMUV3_EVENT_INST_RETIRED);
    SetStates("hr");
    CycleWithEach({{PMUV3_EVENT_INST_RETIRED, {2, 3}}});
    EXPECT_EQ(Probe().VB[0], counts ? 3 : 0);
    EXPECT_EQ(Probe().VB[1], 0);
    EXPECT_EQ(Bit(Probe().allowed, 0), counts);
    Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_STALL).Mt());
    CycleWithEach({{PMUV3_EVENT_STALL, {0, 1}}});
    EXPECT_EQ(Probe().VB[0], counts);
    Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_CPU_CYCLES).Mt());
    Cycle();
    EXPECT_EQ(Probe().VB[0], counts);
    Write(PMUV3_PMEVTYPERn(0), Type(PMUV3_EVENT_SW_INCR).Mt());
    for (unsigned t : {0u, 1u}) Write(t, PMUV3_PMSWINC, 0x1);
    Cycle();
    EXPECT_EQ(Probe().VB[0], counts);
  }
}

// EX-D13-1: the counting thread's SPME prohibits counting of Secure events, whatever that thread's
// state and the sibling's SPME are. MPMX = 1 lifts this for Secure EL0 to EL2 (H-9).
TEST_P(MultithreadingTest, SecureEventsOfASibling) {
  for (auto ss : {PMUV3_NS, PMUV3_S})
    for (uint64_t siblings_spme : {0, 1})
      for (uint64_t spme : {0, 1})
        for (uint64_t mpmx : {0, 1}) {
          SCOPED_TRACE(::testing::Message() << "SS=" << ss << " sibling's SPME=" << siblings_spme
                                            << " SPME=" << spme << " MPMX=" << mpmx);
          Build(Threads(2));
          Count(PMUV3_EVENT_INST_RETIRED);
          Write(0, PMUV3_MDCR_EL3, mpmx << 35 | 1 << 28 | spme << 17);
          Write(1, PMUV3_MDCR_EL3, 1 << 28 | siblings_spme << 17);
          SetPe(0, Pe(1, ss));
          SetPe(1, Pe(1, PMUV3_S));
          Cycle({Occurrence(PMUV3_EVENT_INST_RETIRED, 2).On(1)});
          EXPECT_EQ(Probe().VB[0], spme || mpmx ? 2 : 0);
        }
}

// EX-D13-2: the counting thread's HPMD prohibits counting of EL2 events in the first range.
TEST_P(MultithreadingTest, El2EventsOfASibling) {
  for (unsigned el : {0u, 1u, 2u, 3u})
    for (uint64_t siblings_hpmd : {0, 1})
      for (uint64_t hpmd : {0, 1}) {
        SCOPED_TRACE(::testing::Message()
                     << "EL" << el << " sibling's HPMD=" << siblings_hpmd << " HPMD=" << hpmd);
        Build(Threads(2) + " features=MTPMU,PMUv3p9");
        for (int n : {0, 1}) Write(PMUV3_PMEVTYPERn(n), Type(PMUV3_EVENT_INST_RETIRED).Mt().Nsh());
        Enable(0x3);
        Write(0, PMUV3_MDCR_EL2, hpmd << 17 | 1 << 7 | 1);
        Write(1, PMUV3_MDCR_EL2, siblings_hpmd << 17 | 2);
        SetPe(0, Pe(el, el == 3 ? PMUV3_S : PMUV3_NS));
        SetPe(1, Pe(2, PMUV3_NS));
        Cycle({Occurrence(PMUV3_EVENT_INST_RETIRED, 2).On(1)});
        EXPECT_EQ(Probe().VB[0], hpmd ? 0 : 2);
        EXPECT_EQ(Probe().VB[1], 2);
      }
}

// D13.7-6: the counting thread's state filters an Unattributable event, also with MT = 1. The
// thread at whose PMU the event arrives may be halted.
TEST_P(MultithreadingTest, UnattributableOfASibling) {
  struct {
    const char *states;
    int count;
  } const cases[] = {{"rr", 6}, {"rf", 6}, {"fr", 0}, {"ff", 0}, {"rh", 6}, {"hr", 0}};
  for (const auto &c : cases) {
    SCOPED_TRACE(c.states);
    Build(Threads(2));
    Count(PMUV3_EVENT_BUS_ACCESS);
    SetStates(c.states);
    Cycle({Occurrence(PMUV3_EVENT_BUS_ACCESS, 6).On(1).Unattributable()});
    EXPECT_EQ(Probe().VB[0], c.count);
    EXPECT_EQ(Probe().VB[1], 0);
  }
}

// MT-SHARED-1, K-SHARED-OTHER: Unattributable events in a structure that the threads share.
TEST_P(MultithreadingTest, SharedStructure) {
  for (bool all : {false, true}) {
    SCOPED_TRACE(all);
    Build(Threads(2) + (all ? " K-SHARED-OTHER=all" : " K-SHARED-OTHER=attributable"));
    Count(PMUV3_EVENT_L2D_CACHE);
    Cycle({Occurrence(PMUV3_EVENT_L2D_CACHE, 1), Occurrence(PMUV3_EVENT_L2D_CACHE, 2).On(1),
           Occurrence(PMUV3_EVENT_L2D_CACHE, 4).Unattributable(),
           Occurrence(PMUV3_EVENT_L2D_CACHE, 8).On(1).Unattributable()});
    EXPECT_EQ(Probe().VB[0], all ? 15 : 3);
    EXPECT_EQ(Probe().VB[1], 1);
  }
}

// D13.4-9: write-backs of a shared cache, and allocations: those of the group alone count.
TEST_P(MultithreadingTest, AttributableToTheGroup) {
  Build(Threads(2) + " K-SHARED-OTHER=all");
  for (const pmuv3_event_number event : {PMUV3_EVENT_L2D_CACHE_WB, PMUV3_EVENT_L1D_CACHE_ALLOCATE,
                                         PMUV3_EVENT_L2D_CACHE_WB_VICTIM}) {
    SCOPED_TRACE(::testing::Message() << std::hex << event);
    Count(event);
    Cycle({Occurrence(event, 1), Occurrence(event, 2).On(1), Occurrence(event, 4).Unattributable(),
           Occurrence(event, 8).On(1).Unattributable()});
    EXPECT_EQ(Probe().VB[0], 3);
    EXPECT_EQ(Probe().VB[1], 1);
  }
}

// Each thread judges all occurrences by its own filters, controls and state.
TEST_P(MultithreadingTest, EachThreadForItself) {
  Build("counters=1 threads=4");
  SetStates("rfrf");
  for (unsigned t = 0; t < 4; t++) {
    Write(t, PMUV3_PMEVTYPERn(0),
          Type(PMUV3_EVENT_INST_RETIRED).Mt(t < 3).U(t == 0 || t == 2).P(t == 1));
    Enable(t, t == 2 ? 0x0 : 0x1);
  }
  CycleWithEach({{PMUV3_EVENT_INST_RETIRED, {1, 10, 100, 5}}});
  const int vb[] = {101, 15, 0, 5};
  for (unsigned t = 0; t < 4; t++) EXPECT_EQ(Probe(t).VB[0], vb[t]) << t;
}

}  // namespace
}  // namespace pmuv3
