// The core model: the cycles and counts that docs/reference/core_model.md says.
#include <gtest/gtest.h>

#include <string>
#include <vector>

extern "C" {
#include "testbench/explore/tracer/core.h"
}

namespace {

constexpr uint64_t kPc = 0x400000;

trace_instruction Instruction(trace_class kind, int target = TRACE_NO_TARGET,
                              int source = TRACE_NO_SOURCE) {
  trace_instruction inst = {};
  inst.kind = static_cast<uint8_t>(kind);
  inst.ops = 1;
  for (auto &reg : inst.sources) reg = TRACE_NO_SOURCE;
  for (auto &reg : inst.targets) reg = TRACE_NO_TARGET;
  inst.base = TRACE_NO_TARGET;
  inst.sources[0] = static_cast<uint8_t>(source);
  inst.targets[0] = static_cast<uint8_t>(target);
  return inst;
}

// What no instruction of a block has.
constexpr uint64_t kNoAccess = UINT64_MAX;

// An access of a block's instruction.
constexpr uint64_t AccessOf(uint64_t instruction, uint64_t address) {
  return instruction << TRACE_INDEX_PLACE | address;
}

class CoreTest : public testing::Test {
 protected:
  CoreTest() : params_(core_params_default()) {}

  void Begin() { ASSERT_TRUE(core_init(&core_, &params_, Take, this)); }

  // Everything hits: the caches and TLBs hold the lines, and time begins behind that.
  void BeginWarm(uint64_t data = 0) {
    Begin();
    Execute(Instruction(TRACE_ALU), kPc);
    Execute(Instruction(TRACE_ALU), kPc + 64);
    if (data) Access(TRACE_LOAD, data);
    Serialize();
    for (unsigned i = 0; i < CORE_LEFT_WINDOW; i++) core_.left_window[i] = 0;
    from_ = core_.pipeline.fetched;
  }

  // The next instruction begins a new cycle, and no earlier one matters.
  void Serialize() {
    Execute(Instruction(TRACE_SERIALIZING), kPc + 64);
    core_.pipeline.line = kPc + 64;
  }

  // A block of one instruction.
  void Run(const trace_instruction &inst, uint64_t pc, uint64_t next, uint64_t access = kNoAccess) {
    const uint64_t accesses[] = {access, kNoAccess};
    core_block block = {};
    block.pc = pc;
    block.instructions = &inst;
    block.count = 1;
    block.accesses = accesses;
    block.next = next;
    core_execute(&core_, &block);
  }

  void Execute(const trace_instruction &inst, uint64_t pc = kPc + 64) { Run(inst, pc, pc + 4); }

  void Access(trace_class kind, uint64_t address, unsigned bytes = 8,
              int target = TRACE_NO_TARGET) {
    trace_instruction inst = Instruction(kind, target);
    inst.bytes = static_cast<uint8_t>(bytes);
    Run(inst, kPc + 64, kPc + 68, AccessOf(0, address));
  }

  void Branch(unsigned flags, uint64_t pc, uint64_t next) {
    trace_instruction inst = Instruction(TRACE_BRANCH);
    inst.flags = static_cast<uint8_t>(flags);
    Run(inst, pc, next);
  }

  void End() {
    core_finish(&core_);
    core_free(&core_);
  }

  // A column from the warm beginning on: "2.1" are two counts in the first cycle and one in the
  // third.
  std::string Column(trace_column column) const {
    std::string text;
    for (size_t i = from_; i < counts_[column].size(); i++) {
      const unsigned count = counts_[column][i];
      text += count ? std::to_string(count) : ".";
    }
    return text.substr(0, text.find_last_not_of('.') + 1);
  }

  uint64_t Total(trace_column column) const {
    uint64_t total = 0;
    for (uint8_t count : counts_[column]) total += count;
    return total;
  }

  static void Take(void *context, const uint64_t *const words[NUM_GROUPS], uint32_t cycles) {
    static columns_block block;
    columns_split(&block, words, cycles);
    for (unsigned c = 0; c < NUM_COLUMNS; c++) {
      auto &counts = static_cast<CoreTest *>(context)->counts_[c];
      counts.insert(counts.end(), block.of[c], block.of[c] + cycles);
    }
  }

  core_params params_;
  core core_;
  size_t from_ = 0;
  std::vector<uint8_t> counts_[NUM_COLUMNS];
};

// ---- Dispatch and retirement ----

TEST_F(CoreTest, DispatchesItsWidthInACycle) {
  params_.width = 4;
  BeginWarm();
  for (int i = 0; i < 10; i++) Execute(Instruction(TRACE_ALU));
  End();
  EXPECT_EQ(Column(COLUMN_INST_SPEC), "442");
  EXPECT_EQ(Column(COLUMN_DP_SPEC), "442");
  // An operation begins in the cycle after dispatch, and retires when it is complete.
  EXPECT_EQ(Column(COLUMN_INST_RETIRED), "..442");
  EXPECT_EQ(Column(COLUMN_STALL_SLOT_FRONTEND).substr(0, 5), "..244");
}

TEST_F(CoreTest, ABlockFetchesEachOfItsLines) {
  BeginWarm();
  const std::vector<trace_instruction> instructions(20, Instruction(TRACE_ALU));
  const uint64_t accesses[] = {kNoAccess};
  core_block block = {};
  block.pc = kPc + 128 - 8;  // two in the line that was fetched last, sixteen, two
  block.instructions = instructions.data();
  block.count = 20;
  block.accesses = accesses;
  core_execute(&core_, &block);
  End();
  EXPECT_EQ(Total(COLUMN_INST_RETIRED), 23u);
  EXPECT_EQ(Total(COLUMN_L1I_CACHE), 4u);
  EXPECT_EQ(Column(COLUMN_INST_SPEC).substr(0, 2), "2.");
}

// Fetch begins anew where the next instruction is not the one that fetch has run to.
TEST_F(CoreTest, FetchBeginsAnewBehindWhatSerializes) {
  BeginWarm();
  Execute(Instruction(TRACE_SERIALIZING));
  Execute(Instruction(TRACE_ALU));
  End();
  EXPECT_EQ(Column(COLUMN_L1I_CACHE), "......1");
}

TEST_F(CoreTest, FetchBeginsAnewBehindAMispredictedBranch) {
  params_.history_bits = 0;
  BeginWarm();
  Branch(TRACE_INDIRECT, kPc + 64, kPc + 64);
  Branch(TRACE_INDIRECT, kPc + 64, kPc + 68);  // goes on in its line
  Execute(Instruction(TRACE_ALU), kPc + 68);
  End();
  EXPECT_EQ(Total(COLUMN_BR_MIS_PRED), 2u);
  EXPECT_EQ(Total(COLUMN_L1I_CACHE), 4u);  // two of BeginWarm
}

TEST_F(CoreTest, ABlockSaysWhichInstructionsAccessMemory) {
  BeginWarm(0x10000);
  trace_instruction load = Instruction(TRACE_LOAD);
  load.bytes = 8;
  const trace_instruction instructions[] = {load, Instruction(TRACE_ALU), load, load};
  // Only the first access of an instruction counts.
  const uint64_t accesses[] = {AccessOf(0, 0x10000), AccessOf(0, 0x20000), AccessOf(3, 0x10008),
                               kNoAccess};
  core_block block = {};
  block.pc = kPc + 64;
  block.instructions = instructions;
  block.count = 4;
  block.accesses = accesses;
  core_execute(&core_, &block);
  End();
  EXPECT_EQ(Column(COLUMN_INST_SPEC), "4");
  EXPECT_EQ(Column(COLUMN_LD_SPEC), "3");
  EXPECT_EQ(Column(COLUMN_L1D_CACHE), ".2");
}

TEST(ColumnsTest, AGroupWithoutWordsIsLeftOut) {
  static columns_block block;
  const std::vector<uint64_t> cycles(COLUMNS_GROUP, columns_counts(COLUMN_STALL_BACKEND, 1));
  const uint64_t *words[NUM_GROUPS] = {};
  block.of[COLUMN_INST_SPEC][0] = 7;
  words[COLUMN_STALL_BACKEND / COLUMNS_GROUP] = cycles.data();
  columns_split(&block, words, COLUMNS_GROUP);
  EXPECT_EQ(block.of[COLUMN_STALL_BACKEND][0], 1);
  EXPECT_EQ(block.of[COLUMN_STALL][0], 1);
  EXPECT_EQ(block.of[COLUMN_INST_SPEC][0], 7);
}

TEST_F(CoreTest, AChainOfDependencesTakesItsLatencies) {
  BeginWarm();
  for (int i = 0; i < 4; i++) Execute(Instruction(TRACE_MULTIPLY, 0, 0));
  End();
  EXPECT_EQ(Column(COLUMN_INST_SPEC), "4");
  EXPECT_EQ(Column(COLUMN_INST_RETIRED), "....1..1..1..1");
}

TEST_F(CoreTest, AnInstructionWaitsForItsLastSource) {
  BeginWarm();
  Execute(Instruction(TRACE_MULTIPLY, 0));
  trace_instruction store = Instruction(TRACE_ALU);  // as ST4: only its last source is late
  store.ops = 5;
  for (auto &reg : store.sources) reg = 1;
  store.sources[TRACE_NUM_SOURCES - 1] = 0;
  Execute(store);
  End();
  // The multiplication is complete in cycle 4, and the fifth operation behind it retires alone.
  EXPECT_EQ(Column(COLUMN_OP_RETIRED), "....141");
  EXPECT_EQ(Column(COLUMN_INST_RETIRED), "....1.1");
}

// As TBL with a table of three registers: four sources, of which the last one is late.
TEST_F(CoreTest, AnInstructionOfOneOperationWaitsForItsFourthSource) {
  BeginWarm();
  Execute(Instruction(TRACE_MULTIPLY, 0));
  trace_instruction lookup = Instruction(TRACE_VECTOR, 1);
  for (int i = 0; i < 3; i++) lookup.sources[i] = 1;
  lookup.sources[3] = 0;
  Execute(lookup);
  End();
  EXPECT_EQ(Column(COLUMN_INST_RETIRED), "....1..1");  // vector_cycles is 3
}

TEST_F(CoreTest, AnOperationLooksForItsEntryOfTheWindow) {
  params_.window = 2;
  BeginWarm();
  for (int i = 0; i < 4; i++) Execute(Instruction(TRACE_ALU, 0, 0));
  End();
  EXPECT_EQ(Column(COLUMN_INST_RETIRED), "..11.11");
  EXPECT_EQ(Column(COLUMN_INST_SPEC), "2..11");
  EXPECT_EQ(Column(COLUMN_STALL_BACKEND), ".11");
  EXPECT_EQ(Column(COLUMN_STALL_SLOT_BACKEND), "2443");
}

TEST_F(CoreTest, InOrderAnOperationWaitsForItsSources) {
  params_.in_order = 1;
  BeginWarm();
  Execute(Instruction(TRACE_MULTIPLY, 0));
  Execute(Instruction(TRACE_ALU, 1, 0));
  Execute(Instruction(TRACE_ALU, 2));
  End();
  EXPECT_EQ(Column(COLUMN_INST_SPEC), "1..2");
  EXPECT_EQ(Column(COLUMN_STALL_BACKEND), ".11");
}

TEST_F(CoreTest, AnInstructionRetiresWithItsLastOperation) {
  params_.width = 2;
  BeginWarm();
  trace_instruction three = Instruction(TRACE_ALU);
  three.ops = 3;
  Execute(three);
  End();
  EXPECT_EQ(Column(COLUMN_OP_SPEC), "21");
  EXPECT_EQ(Column(COLUMN_INST_SPEC), "1");
  EXPECT_EQ(Column(COLUMN_OP_RETIRED), "..21");
  EXPECT_EQ(Column(COLUMN_INST_RETIRED), "...1");
}

TEST_F(CoreTest, AnExceptionSerializes) {
  BeginWarm();
  trace_instruction call = Instruction(TRACE_SERIALIZING);
  call.flags = TRACE_EXCEPTION;
  Execute(call);
  Execute(Instruction(TRACE_ALU));
  End();
  EXPECT_EQ(Column(COLUMN_INST_RETIRED), ".....1..1");  // system_cycles is 4
  EXPECT_EQ(Column(COLUMN_EXC_TAKEN), ".....1");
  EXPECT_EQ(Column(COLUMN_INST_SPEC), "1.....1");
  EXPECT_EQ(Column(COLUMN_STALL_FRONTEND).substr(0, 6), ".11111");
}

// D14.3, DP_SPEC: all that is no load, store, software change of the PC, or data processing of
// another kind. With PMUv3p9 SVC, BRK and ISB are no such change (PC_WRITE_RETIRED).
TEST_F(CoreTest, SystemInstructionsAreIntegerDataProcessing) {
  BeginWarm();
  for (trace_class kind : {TRACE_SYSTEM, TRACE_ALU, TRACE_CLEAR, TRACE_SERIALIZING})
    Execute(Instruction(kind));
  End();
  EXPECT_EQ(Column(COLUMN_INST_SPEC), "4");
  EXPECT_EQ(Column(COLUMN_DP_SPEC), "3");
}

// D14.3: each instruction of INST_SPEC is in one class. Only an atomic operation is in two.
TEST_F(CoreTest, EachInstructionIsInAClass) {
  BeginWarm(0x10000);
  for (int k = 0; k < TRACE_NUM_CLASSES; k++) {
    const auto kind = static_cast<trace_class>(k);
    if (kind == TRACE_BRANCH)
      Branch(TRACE_CONDITIONAL, kPc + 64, kPc + 68);
    else if (kind >= TRACE_LOAD)
      Access(kind, 0x10000);
    else
      Execute(Instruction(kind));
  }
  End();
  uint64_t classes = 0;
  for (trace_column column : {COLUMN_LD_SPEC, COLUMN_ST_SPEC, COLUMN_DP_SPEC, COLUMN_ASE_SPEC,
                              COLUMN_VFP_SPEC, COLUMN_CRYPTO_SPEC, COLUMN_PC_WRITE_SPEC})
    classes += Total(column);
  EXPECT_EQ(Total(COLUMN_BR_MIS_PRED), 0u);
  EXPECT_EQ(classes, Total(COLUMN_INST_SPEC) + 1);
}

// ---- Memory ----

TEST_F(CoreTest, ALoadThatHitsTakesTheLatencyOfL1D) {
  BeginWarm(0x10000);
  Access(TRACE_LOAD, 0x10000, 8, 0);
  Execute(Instruction(TRACE_ALU, 1, 0));
  End();
  EXPECT_EQ(Column(COLUMN_L1D_CACHE), ".1");
  EXPECT_EQ(Column(COLUMN_LD_RETIRED), ".....1");
  EXPECT_EQ(Column(COLUMN_INST_RETIRED), ".....11");
  EXPECT_EQ(Column(COLUMN_L1D_CACHE_REFILL), "");
}

TEST_F(CoreTest, AMissReadsL2AndMemory) {
  params_.l1d_cycles = 2;
  params_.l2_cycles = 3;
  params_.memory_cycles = 4;
  BeginWarm(0x10000);
  Access(TRACE_LOAD, 0x10040);
  End();
  EXPECT_EQ(Column(COLUMN_L1D_CACHE_REFILL), ".1");
  EXPECT_EQ(Column(COLUMN_L2D_CACHE), "...1");
  EXPECT_EQ(Column(COLUMN_L2D_CACHE_REFILL), "...1");
  EXPECT_EQ(Column(COLUMN_BUS_ACCESS), "...1");
  EXPECT_EQ(Column(COLUMN_LD_RETIRED), "..........1");  // 1 + 2 + 3 + 4
}

TEST_F(CoreTest, AHitWaitsForALineThatIsOnItsWay) {
  params_.l1d_cycles = 2;
  params_.l2_cycles = 3;
  params_.memory_cycles = 4;
  BeginWarm(0x10000);
  Access(TRACE_LOAD, 0x10040);
  Access(TRACE_LOAD, 0x10048);
  End();
  EXPECT_EQ(Column(COLUMN_L1D_CACHE), ".2");
  EXPECT_EQ(Column(COLUMN_L1D_CACHE_REFILL), ".1");
  EXPECT_EQ(Column(COLUMN_LD_RETIRED), "..........2");
}

TEST_F(CoreTest, AStoreDoesNotWait) {
  BeginWarm(0x10000);
  Access(TRACE_STORE, 0x10040);
  End();
  EXPECT_EQ(Column(COLUMN_ST_RETIRED), "..1");
  EXPECT_EQ(Column(COLUMN_L1D_CACHE_REFILL), ".1");
}

// D14.1: DC ZVA is a Memory-writing instruction. Nobody knows the address.
TEST_F(CoreTest, AClearIsAStoreWithoutAccess) {
  BeginWarm();
  Execute(Instruction(TRACE_CLEAR));
  End();
  EXPECT_EQ(Column(COLUMN_ST_SPEC), "1");
  EXPECT_EQ(Column(COLUMN_ST_RETIRED), "..1");
  EXPECT_EQ(Column(COLUMN_MEM_ACCESS), "");
}

TEST_F(CoreTest, OnlyAStoreExclusiveThatWroteIsAStore) {
  BeginWarm(0x10000);
  Access(TRACE_STORE_EXCLUSIVE, 0x10000);
  Execute(Instruction(TRACE_STORE_EXCLUSIVE));
  Access(TRACE_ATOMIC, 0x10000);
  End();
  EXPECT_EQ(Total(COLUMN_ST_RETIRED), 2u);
  EXPECT_EQ(Total(COLUMN_ST_SPEC), 3u);
  EXPECT_EQ(Total(COLUMN_LD_RETIRED), 2u);  // the atomic operation, and that of BeginWarm
}

TEST_F(CoreTest, AnAccessAcrossLinesAccessesBoth) {
  BeginWarm(0x10000);
  Access(TRACE_LOAD, 0x1003C, 8);
  End();
  EXPECT_EQ(Column(COLUMN_L1D_CACHE), ".2");
  EXPECT_EQ(Column(COLUMN_MEM_ACCESS), ".2");
  EXPECT_EQ(Column(COLUMN_L1D_CACHE_REFILL), ".1");
}

TEST_F(CoreTest, AccessesWaitForAPort) {
  params_.memory_ports = 1;
  BeginWarm(0x10000);
  for (int i = 0; i < 3; i++) Access(TRACE_LOAD, 0x10000);
  End();
  EXPECT_EQ(Column(COLUMN_L1D_CACHE), ".111");
}

TEST_F(CoreTest, TheLeastRecentlyUsedLineIsWrittenBack) {
  params_.l1d_kib = 1;  // 16 lines, so 8 sets of 2 ways: 0x200 bytes apart
  params_.l1d_ways = 2;
  BeginWarm(0x10000);
  Access(TRACE_STORE, 0x10200);
  Access(TRACE_LOAD, 0x10000);
  Access(TRACE_LOAD, 0x10400);  // replaces 0x10200, which is dirty
  Access(TRACE_LOAD, 0x10000);
  Access(TRACE_LOAD, 0x10600);  // replaces 0x10400, which is clean
  Access(TRACE_LOAD, 0x10000);
  End();
  EXPECT_EQ(Total(COLUMN_L1D_CACHE_WB), 1u);
  EXPECT_EQ(Total(COLUMN_L1D_CACHE_REFILL), 4u);
  // Four refills of data, two of instructions, one write-back that hits.
  EXPECT_EQ(Total(COLUMN_L2D_CACHE), 7u);
  EXPECT_EQ(Total(COLUMN_L2D_CACHE_REFILL), 6u);
}

TEST_F(CoreTest, AMissOfTheTlbWalks) {
  BeginWarm(0x10000);
  Access(TRACE_LOAD, 0x11000);
  Access(TRACE_LOAD, 0x11000);
  End();
  EXPECT_EQ(Column(COLUMN_L1D_TLB_REFILL), ".1");
  EXPECT_EQ(Column(COLUMN_L1D_CACHE_REFILL).length(), 2 + params_.walk_cycles);
}

// ---- Branches ----

TEST_F(CoreTest, ATakenBranchEndsTheCycle) {
  BeginWarm();
  Branch(0, kPc + 64, kPc + 64);
  Execute(Instruction(TRACE_ALU));
  End();
  EXPECT_EQ(Column(COLUMN_INST_SPEC), "11");
  EXPECT_EQ(Column(COLUMN_STALL_SLOT_FRONTEND)[0], '3');
  EXPECT_EQ(Column(COLUMN_L1I_CACHE), ".1");
  EXPECT_EQ(Column(COLUMN_BR_PRED), "1");
  EXPECT_EQ(Total(COLUMN_BR_RETIRED), 1u);
  EXPECT_EQ(Total(COLUMN_BR_MIS_PRED), 0u);
}

TEST_F(CoreTest, AMispredictedBranchFollowsTheWrongPath) {
  params_.refill_cycles = 3;
  BeginWarm();
  Branch(TRACE_CONDITIONAL, kPc + 64, kPc);  // counters begin as not taken
  Execute(Instruction(TRACE_ALU), kPc);
  End();
  // Dispatched in cycle 0, complete in cycle 2. Then come three cycles without operations.
  EXPECT_EQ(Column(COLUMN_BR_MIS_PRED), "..1");
  EXPECT_EQ(Column(COLUMN_BR_MIS_PRED_RETIRED), "..1");
  EXPECT_EQ(Column(COLUMN_OP_SPEC), "44...1");
  EXPECT_EQ(Column(COLUMN_STALL_FRONTEND).substr(0, 5), "..111");
  EXPECT_EQ(Column(COLUMN_INST_RETIRED), "..1....1");
}

TEST_F(CoreTest, TheWrongPathFillsTheWindow) {
  params_.window = 4;
  params_.branch_cycles = 5;
  BeginWarm();
  Branch(TRACE_CONDITIONAL, kPc + 64, kPc);
  End();
  EXPECT_EQ(Column(COLUMN_OP_SPEC), "4");
  EXPECT_EQ(Column(COLUMN_STALL_BACKEND), ".11111");
}

// An entry is free in the cycle after its operation retires, on the wrong path, too.
TEST_F(CoreTest, TheWrongPathTakesTheEntriesOfOlderOperations) {
  params_.width = 4;
  params_.window = 13;
  BeginWarm();
  for (int i = 0; i < 7; i++) Execute(Instruction(TRACE_ALU));
  Execute(Instruction(TRACE_DIVIDE, 1));
  trace_instruction branch = Instruction(TRACE_BRANCH, TRACE_NO_TARGET, 1);
  branch.flags = TRACE_CONDITIONAL;
  Run(branch, kPc + 64, kPc);  // counters begin as not taken
  End();
  // Four operations retire in cycle 2 and three in cycle 3. The division is complete in cycle 14,
  // the branch in cycle 15. From cycle 5 on, both and 11 operations of the wrong path fill the
  // window.
  EXPECT_EQ(Column(COLUMN_INST_RETIRED), "..43..........11");
  EXPECT_EQ(Column(COLUMN_OP_SPEC), "44444");
  EXPECT_EQ(Column(COLUMN_STALL_BACKEND), ".....1111111111");
}

// The window is full in between: an operation leaves later than the wrong path begins.
TEST_F(CoreTest, TheWrongPathWaitsForEntriesOfOlderOperations) {
  params_.width = 4;
  params_.window = 4;
  BeginWarm();
  Execute(Instruction(TRACE_MULTIPLY));
  trace_instruction branch = Instruction(TRACE_BRANCH, TRACE_NO_TARGET, 1);
  branch.flags = TRACE_CONDITIONAL;
  Execute(Instruction(TRACE_DIVIDE, 1));
  Run(branch, kPc + 64, kPc);
  End();
  EXPECT_EQ(Column(COLUMN_INST_RETIRED), "....1........11");
  EXPECT_EQ(Column(COLUMN_OP_SPEC), "4....1");
  EXPECT_EQ(Column(COLUMN_STALL_SLOT_BACKEND), ".4444344444444");
}

TEST_F(CoreTest, HistoryPredictsAPattern) {
  BeginWarm();
  for (int i = 0; i < 200; i++)
    Branch(TRACE_CONDITIONAL, kPc + 64, i % 3 == 0 ? kPc + 64 : kPc + 68);
  const uint64_t learned = core_.pipeline.cycle;
  for (int i = 200; i < 260; i++)
    Branch(TRACE_CONDITIONAL, kPc + 64, i % 3 == 0 ? kPc + 64 : kPc + 68);
  End();
  uint64_t late = 0;
  for (size_t i = learned; i < counts_[COLUMN_BR_MIS_PRED].size(); i++)
    late += counts_[COLUMN_BR_MIS_PRED][i];
  EXPECT_GT(Total(COLUMN_BR_MIS_PRED), 0u);
  EXPECT_EQ(late, 0u);
  EXPECT_EQ(Total(COLUMN_PC_WRITE_SPEC), 260u);  // two thirds of them are not taken
}

TEST_F(CoreTest, ReturnsAreStacked) {
  BeginWarm();
  for (uint64_t i = 0; i < 3; i++) Branch(TRACE_CALL, 0x1000 + 0x100 * i, 0x1100 + 0x100 * i);
  for (uint64_t i = 3; i-- > 0;) Branch(TRACE_INDIRECT | TRACE_RETURN, 0x2000, 0x1004 + 0x100 * i);
  End();
  EXPECT_EQ(Total(COLUMN_BR_RETURN_RETIRED), 3u);
  EXPECT_EQ(Total(COLUMN_BR_MIS_PRED), 0u);
}

TEST_F(CoreTest, AnIndirectBranchGoesWhereItWentLast) {
  params_.history_bits = 0;
  BeginWarm();
  for (uint64_t next : {0x2000, 0x2000, 0x3000, 0x3000}) Branch(TRACE_INDIRECT, 0x1000, next);
  End();
  EXPECT_EQ(Total(COLUMN_BR_MIS_PRED), 2u);
}

// ---- What holds of every trace ----

class RandomTest : public CoreTest, public testing::WithParamInterface<int> {};

// Every slot of every cycle has an operation, or is lost for one reason.
TEST_P(RandomTest, SlotsAreComplete) {
  srand(static_cast<unsigned>(GetParam()));
  params_.width = 1 + static_cast<unsigned>(rand()) % 8;
  params_.window = 1 + static_cast<unsigned>(rand()) % 60;
  params_.in_order = GetParam() % 2;
  params_.memory_ports = 1 + static_cast<unsigned>(rand()) % 3;
  Begin();
  constexpr int kInstructions = 4000;
  uint64_t operations = 0;
  for (int i = 0; i < kInstructions; i++) {
    const uint64_t pc = kPc + 4 * (static_cast<uint64_t>(rand()) % 4096);
    const auto kind = static_cast<trace_class>(rand() % TRACE_NUM_CLASSES);
    trace_instruction inst = Instruction(kind, rand() % 32, rand() % 32);
    inst.ops = static_cast<uint8_t>(1 + rand() % 5);
    inst.bytes = 8;
    if (kind == TRACE_BRANCH) inst.flags = TRACE_CONDITIONAL;
    operations += inst.ops;
    const uint64_t access = AccessOf(0, 4 * (static_cast<uint64_t>(rand()) % 0x40000));
    Run(inst, pc, rand() % 2 ? pc + 4 : kPc, kind >= TRACE_LOAD ? access : kNoAccess);
  }
  End();
  EXPECT_EQ(Total(COLUMN_INST_RETIRED), static_cast<uint64_t>(kInstructions));
  EXPECT_EQ(Total(COLUMN_OP_RETIRED), operations);
  const size_t cycles = counts_[COLUMN_OP_SPEC].size();
  for (size_t i = 0; i < cycles; i++) {
    const unsigned ops = counts_[COLUMN_OP_SPEC][i];
    ASSERT_EQ(ops + counts_[COLUMN_STALL_SLOT][i], params_.width) << i;
    ASSERT_EQ(counts_[COLUMN_STALL_SLOT][i],
              counts_[COLUMN_STALL_SLOT_FRONTEND][i] + counts_[COLUMN_STALL_SLOT_BACKEND][i]);
    ASSERT_EQ(counts_[COLUMN_STALL][i], ops == 0) << i;
    ASSERT_EQ(counts_[COLUMN_STALL][i],
              counts_[COLUMN_STALL_FRONTEND][i] + counts_[COLUMN_STALL_BACKEND][i]);
    ASSERT_LE(counts_[COLUMN_OP_RETIRED][i], params_.width);
    ASSERT_LE(counts_[COLUMN_L1D_CACHE][i], params_.memory_ports);
    ASSERT_LE(counts_[COLUMN_INST_RETIRED][i], counts_[COLUMN_OP_RETIRED][i]);
  }
}

// An operation takes an entry of the window from its dispatch to its retirement, which is later. An
// instruction can have more operations than the window has entries.
TEST_P(RandomTest, AnOperationRetiresAfterItsDispatch) {
  srand(static_cast<unsigned>(GetParam()));
  params_.width = static_cast<unsigned>(GetParam());
  params_.memory_cycles = 10;
  for (unsigned window = 1; window <= 2 * params_.width; window++) {
    for (const unsigned in_order : {0u, 1u}) {
      params_.window = window;
      params_.in_order = in_order;
      for (auto &counts : counts_) counts.clear();
      Begin();
      uint64_t operations = 0;
      for (int i = 0; i < 2000; i++) {
        auto kind = static_cast<trace_class>(rand() % TRACE_NUM_CLASSES);
        if (kind == TRACE_BRANCH) kind = TRACE_ALU;  // no operation of a wrong path
        trace_instruction inst = Instruction(kind, rand() % 32, rand() % 32);
        inst.ops = static_cast<uint8_t>(1 + rand() % 5);
        inst.bytes = 8;
        operations += inst.ops;
        const uint64_t access = AccessOf(0, 4 * (static_cast<uint64_t>(rand()) % 0x40000));
        Run(inst, kPc + 64, kPc + 68, kind >= TRACE_LOAD ? access : kNoAccess);
      }
      End();
      ASSERT_EQ(Total(COLUMN_OP_SPEC), operations) << window << " " << in_order;
      uint64_t in_flight = 0;
      for (size_t i = 0; i < counts_[COLUMN_OP_SPEC].size(); i++) {
        ASSERT_LE(counts_[COLUMN_OP_RETIRED][i], in_flight) << window << " " << in_order;
        in_flight += counts_[COLUMN_OP_SPEC][i];
        ASSERT_LE(in_flight, window) << in_order;
        in_flight -= counts_[COLUMN_OP_RETIRED][i];
        ASSERT_EQ(counts_[COLUMN_OP_SPEC][i] + counts_[COLUMN_STALL_SLOT][i], params_.width);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomTest, testing::Range(1, 9));

// ---- Words of programs ----

// QEMU translates UNDEFINED words, too. A word for which there is no room ends the test.
TEST(DecodeTest, EveryWordHasRoomForItsRegisters) {
  constexpr uint64_t kStep = 251;  // a prime: all fields take all values
  for (uint64_t word = 0; word <= UINT32_MAX; word += kStep)
    ASSERT_LE(trace_decode(static_cast<uint32_t>(word)).ops, 5u) << std::hex << word;
}

// ---- Parameters ----

TEST(CoreParamsTest, SaysWhatIsWrong) {
  core_params params = core_params_default();
  EXPECT_EQ(core_params_wrong(&params), nullptr);
  uint64_t seen = 0;
  char once[] = "width=2", again[] = "width=2";
  char unknown[] = "cores=2", many[] = "width=17", none[] = "width";
  EXPECT_STREQ(core_params_set(&params, &seen, unknown), "there is no parameter 'cores'");
  EXPECT_STREQ(core_params_set(&params, &seen, many),
               "width takes a number from 1 to 16, not '17'");
  EXPECT_STREQ(core_params_set(&params, &seen, none), "expected NAME=VALUE, not 'width'");
  seen = 0;
  EXPECT_EQ(core_params_set(&params, &seen, once), nullptr);
  EXPECT_STREQ(core_params_set(&params, &seen, again), "width is given twice");
  params.l2_ways = 3;
  EXPECT_STREQ(core_params_wrong(&params), "L2: lines / ways is no power of 2");
}

}  // namespace
