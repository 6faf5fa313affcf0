// The limits of the process that reads an FST. The library here works as it does in a damaged file.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "gtkwave/fstapi.h"
#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/wave/stream.h"

namespace {

enum { NOTHING, WORKS_FOREVER, WRITES_MUCH, WORKS_LONG } library_does;

void WorkFor(double seconds) {
  const clock_t start = clock();
  while (double(clock() - start) < seconds * CLOCKS_PER_SEC) continue;
}

// A temporary file of a terabyte, nearly all of it a hole.
bool WriteMuch() {
  FILE *file = tmpfile();
  return fseek(file, 1L << 40, SEEK_SET) == 0 && fputc('x', file) != EOF && fflush(file) == 0;
}

}  // namespace

void *fstReaderOpen(const char *) {
  if (library_does == WORKS_FOREVER) WorkFor(1e9);
  if (library_does == WRITES_MUCH && !WriteMuch()) return nullptr;
  return &library_does;
}

void fstReaderClose(void *) {}

int fstReaderProcessHier(void *, FILE *out) {
  fprintf(out, "$var wire 1 ! clk $end\n$enddefinitions $end\n");
  return 1;
}

int fstReaderIterBlocks(void *, void (*)(void *, uint64_t, fstHandle, const unsigned char *),
                        void *, FILE *out) {
  for (unsigned time = 0; time < 4; time++) {
    if (library_does == WORKS_LONG) WorkFor(1.5);
    fprintf(out, "#%u\n", time);
    fflush(out);
  }
  return 1;
}

void fstReaderClrFacProcessMaskAll(void *) {}
void fstReaderSetFacProcessMask(void *, fstHandle) {}

namespace {

class LimitsTest : public testing::Test {
 protected:
  void SetUp() override {
    pmuv3_cli_begin("wave");
    FILE *out = fopen(path_.c_str(), "wb");
    fwrite("\0\0\0\0\0\0\0\0\10", 1, 9, out); /* a section */
    fclose(out);
  }
  void TearDown() override { unlink(path_.c_str()); }

  unsigned Times() {
    wave_stream *stream = wave_stream_open(fopen(path_.c_str(), "r"), path_.c_str());
    vcd_item item = {};
    const char *const ids[] = {"!"};
    unsigned times = 0;
    for (vcd_kind kind; (kind = wave_stream_next(stream, &item)) != VCD_END;) {
      if (kind == VCD_HEADER_END) wave_stream_choose(stream, ids, 1);
      times += kind == VCD_TIME;
    }
    wave_stream_close(stream);
    return times;
  }

  const std::string path_ = testing::TempDir() + "limits." + std::to_string(getpid());
};

TEST_F(LimitsTest, EndlessWorkIsDamage) {
  library_does = WORKS_FOREVER;
  EXPECT_EXIT(Times(), testing::ExitedWithCode(2), "^wave: [^\n]*\n$");
}

TEST_F(LimitsTest, AHugeTemporaryFileIsDamage) {
  library_does = WRITES_MUCH;
  EXPECT_EXIT(Times(), testing::ExitedWithCode(2), "^wave: [^\n]*\n$");
}

// Each piece of output gets the time anew: a sound recording may be long.
TEST_F(LimitsTest, LongWorkWithOutputIsSound) {
  library_does = WORKS_LONG;
  EXPECT_EQ(Times(), 4u);
}

}  // namespace
