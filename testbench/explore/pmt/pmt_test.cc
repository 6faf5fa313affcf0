// .pmt: what was written is read, and damage is said.
#include "testbench/explore/pmt/pmt.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <climits>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

const pmt_column kColumns[] = {
    {0x0008, 0, PMUV3_CURRENT, 4, "INST_RETIRED"},
    {0x0024, 1, PMUV3_CURRENT, 1, "STALL_BACKEND"},
    {0x0003, 0, PMUV3_UNATTRIBUTABLE, 8, "L1D_CACHE_REFILL"},
};

pmt_header Header() {
  pmt_header header = {};
  header.block_cycles = 4096;
  header.threads = 2;
  header.num_columns = 3;
  header.columns = kColumns;
  header.generator = "pmt-tests";
  header.command = "./program \"with words\"";
  header.core = "";
  return header;
}

class PmtTest : public testing::Test {
 protected:
  PmtTest() { file_ = fopen(path_.c_str(), "wb"); }
  ~PmtTest() override {
    pmt_reader_close(reader_);
    unlink(path_.c_str());
  }

  pmt_writer *Begin(const pmt_header &header) {
    const char *why = nullptr;
    pmt_writer *writer = pmt_writer_open(file_, &header, &why);
    EXPECT_NE(writer, nullptr) << why;
    return writer;
  }

  std::string End(pmt_writer *writer) {
    const char *why = pmt_writer_close(writer);
    fclose(file_);
    return why ? why : "";
  }

  // The message of a trace that cannot be opened; "": it was opened.
  std::string Open() {
    char error[512] = "";
    pmt_reader_close(reader_);
    reader_ = pmt_reader_open(path_.c_str(), error, sizeof error);
    return reader_ ? "" : error;
  }

  std::string Read(uint64_t index, pmt_block *block, const bool *wanted = nullptr) {
    char error[512] = "";
    return pmt_reader_read(reader_, index, wanted, block, error, sizeof error) ? "" : error;
  }

  std::string Bytes() const {
    std::ifstream in(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void SetBytes(const std::string &bytes) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
  }

  // 10,000 cycles whose counts follow from the cycle's number, in three blocks.
  void WriteCounts() {
    const pmt_header header = Header();
    pmt_writer *writer = Begin(header);
    for (unsigned cycle = 0; cycle < 10000; cycle++) {
      const uint8_t counts[] = {Count(0, cycle), Count(1, cycle), Count(2, cycle)};
      pmt_writer_cycle(writer, counts);
    }
    ASSERT_EQ(End(writer), "");
  }

  static uint8_t Count(unsigned column, unsigned cycle) {
    if (column == 0) return static_cast<uint8_t>(cycle * 7 % 11);
    if (column == 1) return cycle % 3 == 0;
    return cycle == 5000 ? 255 : 0;
  }

  const std::string path_ = testing::TempDir() + "pmt_test." + std::to_string(getpid()) + ".pmt";
  FILE *file_;
  pmt_reader *reader_ = nullptr;
};

TEST_F(PmtTest, ReadsWhatWasWritten) {
  WriteCounts();
  ASSERT_EQ(Open(), "");
  const pmt_header *header = pmt_reader_header(reader_);
  EXPECT_STREQ(header->command, "./program \"with words\"");
  EXPECT_EQ(header->num_columns, 3);
  EXPECT_STREQ(header->columns[1].name, "STALL_BACKEND");
  EXPECT_EQ(header->columns[1].thread, 1);
  ASSERT_EQ(pmt_reader_cycles(reader_), 10000u);
  ASSERT_EQ(pmt_reader_blocks(reader_), 3u);
  EXPECT_EQ(pmt_reader_total(reader_, 1), 3334u);
  EXPECT_EQ(pmt_reader_total(reader_, 2), 255u);
  pmt_block *block = pmt_block_new(reader_);
  for (uint64_t b = 0; b < 3; b++) {
    ASSERT_EQ(Read(b, block), "");
    ASSERT_EQ(block->first, b * 4096);
    ASSERT_EQ(block->cycles, b < 2 ? 4096u : 10000u - 8192u);
    for (unsigned c = 0; c < 3; c++) {
      uint64_t sum = 0;
      for (uint32_t i = 0; i < block->cycles; i++) {
        const unsigned cycle = static_cast<unsigned>(block->first) + i;
        ASSERT_EQ(pmt_block_count(block, c, i), Count(c, cycle)) << c << " in cycle " << cycle;
        sum += Count(c, cycle);
      }
      EXPECT_EQ(block->sums[c], sum);
    }
  }
  pmt_block_free(block);
}

// Counts of many cycles at once, and one by one, make the same file.
TEST_F(PmtTest, TakesColumns) {
  WriteCounts();
  const std::string bytes = Bytes();
  std::vector<uint8_t> columns[3];
  for (unsigned c = 0; c < 3; c++)
    for (unsigned cycle = 0; cycle < 10000; cycle++) columns[c].push_back(Count(c, cycle));
  file_ = fopen(path_.c_str(), "wb");
  pmt_writer *writer = Begin(Header());
  for (unsigned from : {0u, 100u, 9000u}) {
    const uint8_t *const counts[] = {&columns[0][from], &columns[1][from], &columns[2][from]};
    pmt_writer_columns(writer, counts, from == 0 ? 100 : from == 100 ? 8900 : 1000);
  }
  EXPECT_EQ(pmt_writer_wrong(writer), nullptr);
  EXPECT_EQ(End(writer), "");
  EXPECT_EQ(Bytes(), bytes);
}

// Three units of a block need one plane, eight, and two. The second and the third column count
// alike.
TEST_F(PmtTest, AHelperMakesTheSameFile) {
  pmt_column columns[] = {kColumns[0], kColumns[2], kColumns[2]};
  columns[2].thread = 1;
  pmt_header header = Header();
  header.block_cycles = 3 * 4096;
  header.columns = columns;
  const auto count = [](unsigned column, uint64_t cycle) -> unsigned {
    if (column == 0) return cycle / 3 % 2;
    return cycle < 4096 ? cycle % 2 : cycle < 8192 ? cycle % 256 : cycle % 3;
  };
  std::string bytes;
  for (const bool is_helped : {false, true}) {
    file_ = freopen(path_.c_str(), "wb", file_);
    pmt_writer *writer = Begin(header);
    if (is_helped) pmt_writer_help(writer);
    for (uint64_t cycle = 0; cycle < 20000; cycle++) {
      for (unsigned c = 0; c < 3; c++) pmt_writer_add(writer, c, count(c, cycle % 12288));
      pmt_writer_next(writer);
    }
    ASSERT_STREQ(pmt_writer_close(writer), nullptr);
    fflush(file_);
    if (!is_helped) bytes = Bytes();
    EXPECT_EQ(Bytes(), bytes);
  }
  fclose(file_);
  ASSERT_EQ(Open(), "");
  pmt_block *block = pmt_block_new(reader_);
  for (uint64_t b = 0; b < 2; b++) {
    ASSERT_EQ(Read(b, block), "");
    for (unsigned c = 0; c < 3; c++)
      for (uint32_t i = 0; i < block->cycles; i++)
        ASSERT_EQ(pmt_block_count(block, c, i), count(c, i)) << c << " in cycle " << i;
  }
  EXPECT_EQ(block->num_planes[2], 8);
  EXPECT_EQ(block->sums[1], block->sums[2]);
  pmt_block_free(block);
}

TEST_F(PmtTest, KeepsOnlyThePlanesThatABlockNeeds) {
  WriteCounts();
  ASSERT_EQ(Open(), "");
  pmt_block *block = pmt_block_new(reader_);
  ASSERT_EQ(Read(0, block), "");
  EXPECT_EQ(block->num_planes[0], 4);
  EXPECT_EQ(block->num_planes[2], 0);
  ASSERT_EQ(Read(1, block), "");
  EXPECT_EQ(block->num_planes[2], 8);
  pmt_block_free(block);
}

TEST_F(PmtTest, ReadsOnlyTheColumnsThatAreWanted) {
  WriteCounts();
  ASSERT_EQ(Open(), "");
  pmt_block *block = pmt_block_new(reader_);
  const bool wanted[] = {false, true, false};
  ASSERT_EQ(Read(1, block, wanted), "");
  EXPECT_EQ(block->planes[0], nullptr);
  EXPECT_EQ(block->planes[2], nullptr);
  EXPECT_EQ(pmt_block_count(block, 1, 2), 1u);  // cycle 4098
  EXPECT_EQ(block->sums[2], 255u);
  pmt_block_free(block);
}

TEST_F(PmtTest, IdleRunAndAddMakeTheSameCyclesAsCycle) {
  const pmt_header header = Header();
  pmt_writer *writer = Begin(header);
  const uint8_t two[] = {2, 1, 0};
  pmt_writer_add(writer, 0, 1);
  pmt_writer_add(writer, 0, 2);
  pmt_writer_next(writer);
  pmt_writer_idle(writer, 5000);
  pmt_writer_run(writer, two, 5000);
  EXPECT_EQ(pmt_writer_cycles(writer), 10001u);
  ASSERT_EQ(End(writer), "");
  ASSERT_EQ(Open(), "");
  EXPECT_EQ(pmt_reader_cycles(reader_), 10001u);
  EXPECT_EQ(pmt_reader_total(reader_, 0), 10003u);
  EXPECT_EQ(pmt_reader_total(reader_, 1), 5000u);
  pmt_block *block = pmt_block_new(reader_);
  ASSERT_EQ(Read(1, block), "");
  EXPECT_EQ(pmt_block_count(block, 0, 5000 - 4096), 0u);
  EXPECT_EQ(pmt_block_count(block, 0, 5001 - 4096), 2u);
  pmt_block_free(block);
}

TEST_F(PmtTest, DropsACycleThatDidNotEnd) {
  const pmt_header header = Header();
  pmt_writer *writer = Begin(header);
  pmt_writer_idle(writer, 3);
  pmt_writer_add(writer, 0, 1);
  ASSERT_EQ(End(writer), "");
  ASSERT_EQ(Open(), "");
  EXPECT_EQ(pmt_reader_cycles(reader_), 3u);
  EXPECT_EQ(pmt_reader_total(reader_, 0), 0u);
}

// With and without a whole block before, and where the cycle is the first of a block.
TEST_F(PmtTest, DropsTheStatesOfACycleThatDidNotEnd) {
  for (const uint64_t cycles : {3, 4096, 5000}) {
    file_ = freopen(path_.c_str(), "wb", file_);
    const pmt_header header = Header();
    pmt_writer *writer = Begin(header);
    pmuv3_pe pe = PMUV3_PE_RESET;
    pmt_writer_idle(writer, cycles - 1);
    pe.el = 0;
    pmt_writer_state(writer, 1, &pe);
    pmt_writer_idle(writer, 1);
    for (const uint8_t el : {1, 2}) {
      pe.el = el;
      pmt_writer_state(writer, 0, &pe);
    }
    pmt_writer_add(writer, 0, 1);
    ASSERT_STREQ(pmt_writer_close(writer), nullptr);
    fflush(file_);
    ASSERT_EQ(Open(), "");
    EXPECT_EQ(pmt_reader_cycles(reader_), cycles);
    pmt_block *block = pmt_block_new(reader_);
    for (uint64_t b = 0; b < pmt_reader_blocks(reader_); b++) ASSERT_EQ(Read(b, block), "");
    const pmt_change &last = block->changes[block->num_changes - 1];
    EXPECT_EQ(last.cycle, (cycles - 1) % 4096);
    EXPECT_EQ(last.thread, 1);
    pmt_block_free(block);
  }
  fclose(file_);
}

TEST_F(PmtTest, SaysThatAStateIsOutOfRange) {
  const pmt_header header = Header();
  pmt_writer *writer = Begin(header);
  pmuv3_pe pe = PMUV3_PE_RESET;
  pe.el = 4;
  pmt_writer_state(writer, 0, &pe);
  pmt_writer_idle(writer, 5);
  EXPECT_STREQ(pmt_writer_wrong(writer), "a state has a value that its field has no room for");
  EXPECT_EQ(End(writer), "a state has a value that its field has no room for");
}

TEST_F(PmtTest, AnEmptyTraceIsWhole) {
  const pmt_header header = Header();
  ASSERT_EQ(End(Begin(header)), "");
  ASSERT_EQ(Open(), "");
  EXPECT_EQ(pmt_reader_blocks(reader_), 0u);
}

// What has no bytes has no address: UndefinedBehaviorSanitizer sees whether one is used.
TEST_F(PmtTest, ATraceWithoutColumnsIsWhole) {
  pmt_header header = Header();
  header.num_columns = 0;
  pmt_writer *writer = Begin(header);
  pmt_writer_idle(writer, 5000);
  ASSERT_EQ(End(writer), "");
  ASSERT_EQ(Open(), "");
  EXPECT_EQ(pmt_reader_cycles(reader_), 5000u);
}

TEST_F(PmtTest, ABlockBeginsWithTheStatesOfAllThreads) {
  const pmt_header header = Header();
  pmt_writer *writer = Begin(header);
  pmuv3_pe pe = PMUV3_PE_RESET;
  pmt_writer_idle(writer, 100);
  pe.el = 0;
  pe.fgt = UINT64_C(0x800000001);
  pmt_writer_state(writer, 1, &pe);
  pmt_writer_idle(writer, 5000);
  ASSERT_EQ(End(writer), "");
  ASSERT_EQ(Open(), "");
  pmt_block *block = pmt_block_new(reader_);
  const pmuv3_pe reset = PMUV3_PE_RESET;
  ASSERT_EQ(Read(0, block), "");
  ASSERT_EQ(block->num_changes, 3u);
  EXPECT_TRUE(pmuv3_pe_equal(&block->changes[1].pe, &reset));
  EXPECT_EQ(block->changes[2].cycle, 100u);
  EXPECT_EQ(block->changes[2].thread, 1);
  EXPECT_TRUE(pmuv3_pe_equal(&block->changes[2].pe, &pe));
  ASSERT_EQ(Read(1, block), "");
  ASSERT_EQ(block->num_changes, 2u);
  EXPECT_TRUE(pmuv3_pe_equal(&block->changes[0].pe, &reset));
  EXPECT_TRUE(pmuv3_pe_equal(&block->changes[1].pe, &pe));
  pmt_block_free(block);
}

TEST_F(PmtTest, RefusesAWrongHeader) {
  const char *why;
  pmt_header header = Header();
  header.block_cycles = 4097;
  EXPECT_EQ(pmt_writer_open(file_, &header, &why), nullptr);
  EXPECT_STREQ(why, "the cycles of a block must be a multiple of 4096, and at most 16777216");
  header = Header();
  header.threads = 1;
  EXPECT_EQ(pmt_writer_open(file_, &header, &why), nullptr);
  EXPECT_STREQ(why, "a column's thread does not exist");
  const pmt_column twice[] = {kColumns[0], kColumns[1], kColumns[0]};
  header = Header();
  header.columns = twice;
  EXPECT_EQ(pmt_writer_open(file_, &header, &why), nullptr);
  EXPECT_STREQ(why, "two columns have the same event, thread and origin");
  fclose(file_);
}

// A name is of one event, and reads as nothing else. The architecture's events have their
// mnemonics.
TEST_F(PmtTest, RefusesANameOfAnotherEvent) {
  struct {
    pmt_column first, second;
    const char *why;
  } const cases[] = {
      {{0x00C5, 0, 0, 1, "INST_RETIRED"},
       {},
       "event 0x00C5 cannot be named INST_RETIRED: INST_RETIRED is event 0x0008"},
      {{0x0008, 0, 0, 1, "MINE"},
       {},
       "event 0x0008 cannot be named MINE: INST_RETIRED is event 0x0008"},
      {{0x00C5, 0, 0, 1, "8"},
       {},
       "a column's name must be a mnemonic: capital letters, digits and _, no digit first"},
      {{0x00C5, 0, 0, 1, "R8F"},
       {},
       "R8F is no name for an event: pmuv3 explore reads it as something else"},
      {{0x00C5, 0, 0, 1, "PMCCNTR"},
       {},
       "PMCCNTR is no name for an event: pmuv3 explore reads it as something else"},
      {{0x00C5, 0, 0, 1, "WRITE"},
       {},
       "WRITE is no name for an event: pmuv3 explore reads it as something else"},
      {{0x00C5, 0, 0, 1, "A"},
       {0x00C6, 0, 0, 1, "A"},
       "event 0x00C6 cannot be named A: another column has event 0x00C5, named A"},
      {{0x00C5, 0, 0, 1, "A"},
       {0x00C5, 1, 0, 1, "B"},
       "event 0x00C5 cannot be named B: another column has event 0x00C5, named A"},
      {{0x0011, 0, 0, 1, "CPU_CYCLES"}, {}, "CPU_CYCLES: the PMU makes this event itself"},
      {{0x003C, 0, PMUV3_UNATTRIBUTABLE, 1, "STALL"}, {}, "STALL cannot be unattributable"},
      {{0x003C, 0, 0, 2, "STALL"},
       {},
       "STALL has a width of 2, and occurs 1 times in a cycle at most"},
      {{0x00C5, 0, 0, 9, "A"}, {}, "a column's width must be 1..8"},
      {{0x00C5, 0, 0, 1, "A"}, {0x00C5, 1, 0, 1, "A"}, nullptr},
      {{0x00C5, 0, 0, 1, "R"}, {0x00C6, 0, 0, 1, "RXF"}, nullptr},
  };
  for (const auto &one : cases) {
    const pmt_column columns[] = {one.first, one.second};
    pmt_header header = Header();
    const char *why = nullptr;
    header.columns = columns;
    header.num_columns = one.second.width == 0 ? 1 : 2;
    FILE *out = tmpfile();
    pmt_writer *writer = pmt_writer_open(out, &header, &why);
    EXPECT_STREQ(why, one.why);
    if (writer) pmt_writer_close(writer);
    fclose(out);
  }
  fclose(file_);
}

TEST_F(PmtTest, SaysThatACountIsTooLarge) {
  const pmt_header header = Header();
  pmt_writer *writer = Begin(header);
  pmt_writer_idle(writer, 4096);
  pmt_writer_add(writer, 1, 2);
  pmt_writer_next(writer);
  EXPECT_EQ(End(writer),
            "column STALL_BACKEND has a count of more than 1 bits in the block of cycle 4096");
}

TEST_F(PmtTest, SaysThatAnAddedCountIsTooLarge) {
  const pmt_header header = Header();
  pmt_writer *writer = Begin(header);
  pmt_writer_add(writer, 2, 255);
  pmt_writer_add(writer, 2, 1);
  pmt_writer_next(writer);
  EXPECT_EQ(End(writer),
            "column L1D_CACHE_REFILL has a count of more than 8 bits in the block of cycle 0");
}

TEST_F(PmtTest, SaysThatAnAddedCountIsHuge) {
  const pmt_header header = Header();
  pmt_writer *writer = Begin(header);
  pmt_writer_add(writer, 2, 3);
  pmt_writer_add(writer, 2, UINT_MAX);
  pmt_writer_next(writer);
  EXPECT_EQ(End(writer),
            "column L1D_CACHE_REFILL has a count of more than 8 bits in the block of cycle 0");
}

TEST_F(PmtTest, ThereIsNoSuchBlock) {
  WriteCounts();
  ASSERT_EQ(Open(), "");
  pmt_block *block = pmt_block_new(reader_);
  EXPECT_EQ(Read(3, block), path_ + ": there is no block 3");
  EXPECT_EQ(Read(UINT64_MAX, block), path_ + ": there is no block 18446744073709551615");
  pmt_block_free(block);
}

// Every byte of a file counts: whichever is damaged, the reader says so in one line.
TEST_F(PmtTest, FindsEveryDamagedByte) {
  WriteCounts();
  const std::string bytes = Bytes();
  for (size_t i = 0; i < bytes.size(); i++) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x40);
    SetBytes(damaged);
    std::string said = Open();
    if (reader_) {
      pmt_block *block = pmt_block_new(reader_);
      for (uint64_t b = 0; said.empty() && b < pmt_reader_blocks(reader_); b++)
        said = Read(b, block);
      pmt_block_free(block);
    }
    ASSERT_EQ(said.rfind(path_ + ": ", 0), 0u) << "byte " << i << " of " << bytes.size();
    ASSERT_EQ(said.find('\n'), std::string::npos);
  }
}

TEST_F(PmtTest, FindsEveryCutFile) {
  WriteCounts();
  const std::string bytes = Bytes();
  for (size_t size = 0; size < bytes.size(); size++) {
    SetBytes(bytes.substr(0, size));
    ASSERT_NE(Open(), "") << size << " bytes of " << bytes.size();
  }
}

// A header of 4 GiB, in a sparse file, and less memory than that.
// AddressSanitizer needs more memory than the limit.
#ifndef __SANITIZE_ADDRESS__
TEST_F(PmtTest, ShortMemoryIsNoDamage) {
  SetBytes(std::string("\x89PMT\r\n\x1A\n") +
           "HEAD\xF0\xFF\xFF\xFF"
           "crc!");
  ASSERT_EQ(truncate(path_.c_str(), 5LL << 30), 0);
  struct rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  const struct rlimit less = {1 << 30, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_AS, &less), 0);
  const std::string said = Open();
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_EQ(said, path_ + ": its header cannot be read: Cannot allocate memory");
}
#endif

TEST_F(PmtTest, SaysWhatIsNoTrace) {
  SetBytes("cycle,INST_RETIRED\n0,1\n");
  EXPECT_EQ(Open(), path_ + ": is not a .pmt trace");
  unlink(path_.c_str());
  EXPECT_EQ(Open(), path_ + ": cannot open it: No such file or directory");
}

}  // namespace
