// The reader of recordings: VCDs and FSTs as the same items.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "gtkwave/fstapi.h"
#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/wave/stream.h"

namespace {

const char kHead[] =
    "$date today $end $timescale 1 ns $end\n"
    "$scope module top $end\n"
    "$var wire 1 ! clk $end\n"
    "$var wire 4 \"x count [3:0] $end\n"
    "$var real 64 r level $end\n"
    "$upscope $end $enddefinitions $end\n";

class StreamTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { pmuv3_cli_begin("wave"); }
  void TearDown() override { unlink(path_.c_str()); }

  const std::string &Write(const std::string &text) {
    FILE *out = fopen(path_.c_str(), "wb");
    fwrite(text.data(), 1, text.size(), out);
    fclose(out);
    return path_;
  }

  wave_stream *Open() { return wave_stream_open(fopen(path_.c_str(), "r"), path_.c_str()); }

  // The items as words. `chosen`: ids of the changes that matter.
  std::vector<std::string> Read(const std::vector<const char *> &chosen) {
    std::vector<std::string> items;
    wave_stream *stream = Open();
    vcd_item item = {};
    bool is_header = true;
    for (vcd_kind kind; (kind = wave_stream_next(stream, &item)) != VCD_END;) {
      if (kind == VCD_HEADER_END) {
        wave_stream_choose(stream, chosen.data(), chosen.size());
        is_header = false;
      }
      items.push_back(Words(kind, item));
    }
    EXPECT_FALSE(is_header);
    wave_stream_close(stream);
    return items;
  }

  static std::string Words(vcd_kind kind, const vcd_item &item) {
    switch (kind) {
      case VCD_SCOPE:
        return std::string("scope ") + item.kind + " " + item.name;
      case VCD_UPSCOPE:
        return "up";
      case VCD_VAR:
        return std::string(item.kind) + " " + item.name + " " + std::to_string(item.width);
      case VCD_TIMESCALE:
        return std::string("unit ") + item.name;
      case VCD_HEADER_END:
        return "changes";
      case VCD_TIME:
        return "#" + std::to_string(item.time);
      case VCD_VALUE: {
        std::string bits;
        for (unsigned b = 4; b-- > 0;) bits += vcd_bit(&item, b);
        return bits;
      }
      case VCD_OTHER:
        return std::string("other ") + item.id;
      case VCD_OFF:
        return "off";
      default:
        return "end";
    }
  }

  // Dies with status 2 and one line.
  void IsDamaged(const std::string &text, const std::string &message) {
    Write(text);
    EXPECT_EXIT(Read({}), testing::ExitedWithCode(2), "^wave: [^\n]*" + message + "[^\n]*\n$")
        << text;
  }

  const std::string path_ = testing::TempDir() + "wave." + std::to_string(getpid());
};

TEST_F(StreamTest, AVcdIsItsItems) {
  Write(std::string(kHead) +
        "#0 $dumpvars 0! b10 \"x r1.5 r $end\n#5\n1!\nbx \"x\n#7 $comment any #9 words $end\n"
        "bZ1 \"x\n#9 $dumpoff x! $end\n");
  const std::vector<std::string> expected = {"unit 1ns",
                                             "scope module top",
                                             "wire clk 1",
                                             "wire count[3:0] 4",
                                             "real level 64",
                                             "up",
                                             "changes",
                                             "#0",
                                             "0000",
                                             "0010",
                                             "other r",
                                             "#5",
                                             "0001",
                                             "xxxx",
                                             "#7",
                                             "xxx1",
                                             "#9",
                                             "off",
                                             "xxxx"};
  EXPECT_EQ(Read({}), expected);
}

// IEEE 1364-2005, table 18-1: 0 stands before 0 and 1, X before X, Z before Z. VHDL has weak bits.
TEST_F(StreamTest, ShortValuesAreExtended) {
  Write(std::string(kHead) + "#0 b1 \"x b0 \"x bx1 \"x bz \"x bHL \"x bW-UH \"x\n");
  const std::vector<std::string> items = Read({});
  EXPECT_EQ(std::vector<std::string>(items.end() - 6, items.end()),
            (std::vector<std::string>{"0001", "0000", "xxx1", "xxxx", "0010", "xxx1"}));
}

TEST_F(StreamTest, AnFstHasOnlyTheChosenSignals) {
  void *fst = fstWriterCreate(path_.c_str(), 1);
  fstWriterSetScope(fst, FST_ST_VCD_MODULE, "top", nullptr);
  const fstHandle clk = fstWriterCreateVar(fst, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, 1, "clk", 0);
  const fstHandle count =
      fstWriterCreateVar(fst, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, 4, "count [3:0]", 0);
  fstWriterSetUpscope(fst);
  fstWriterEmitTimeChange(fst, 0);
  fstWriterEmitValueChange(fst, clk, "0");
  fstWriterEmitValueChange(fst, count, "0010");
  fstWriterEmitTimeChange(fst, 5);
  fstWriterEmitValueChange(fst, clk, "1");
  fstWriterEmitTimeChange(fst, 7);
  fstWriterEmitValueChange(fst, count, "x001");
  fstWriterClose(fst);
  std::string id;
  wave_stream *stream = Open();
  EXPECT_TRUE(wave_stream_is_fst(stream));
  vcd_item item = {};
  for (vcd_kind kind; (kind = wave_stream_next(stream, &item)) != VCD_HEADER_END;)
    if (kind == VCD_VAR && std::string(item.name) == "count[3:0]") id = item.id;
  const char *const ids[] = {id.c_str()};
  wave_stream_choose(stream, ids, 1);
  std::string changes;
  for (vcd_kind kind; (kind = wave_stream_next(stream, &item)) != VCD_END;)
    changes += Words(kind, item) + " ";
  EXPECT_EQ(changes, "#0 0010 #5 #7 x001 ");
  wave_stream_close(stream);
}

TEST_F(StreamTest, ARangeHasTheBitsOfItsSignal) {
  Write(
      "$var wire 4 a a [0:3] $end $var wire 4 b b [-1:2] $end $var wire 8 c c[3] $end\n"
      "$var wire 8 d d[2][7:0] $end $var wire 16 e e[1:0][7:0] $end $var wire 1 f \\f[3:0] $end\n"
      "$enddefinitions $end\n");
  EXPECT_EQ(Read({}), (std::vector<std::string>{"wire a[0:3] 4", "wire b[-1:2] 4", "wire c[3] 8",
                                                "wire d[2][7:0] 8", "wire e[1:0][7:0] 16",
                                                "wire \\f[3:0] 1", "changes"}));
}

TEST_F(StreamTest, RangesAreBoundsOrABit) {
  int high, low;
  ASSERT_TRUE(vcd_range("[7:-1]", &high, &low));
  EXPECT_EQ(high, 7);
  EXPECT_EQ(low, -1);
  ASSERT_TRUE(vcd_range("[5]", &high, &low));
  EXPECT_EQ(high, 5);
  EXPECT_EQ(low, 5);
  for (const char *text : {"", "5", "[", "[]", "[a]", "[1", "[1:", "[1:]", "[:1]", "[1:2", "[1:2]3",
                           "[1073741824]", "[0:-1073741824]", "[99999999999999999999]"})
    EXPECT_FALSE(vcd_range(text, &high, &low)) << text;
}

TEST_F(StreamTest, DamageEndsTheProgram) {
  const std::string head = kHead;
  IsDamaged("", ":1: the header is not whole");
  IsDamaged("cycles,INST_RETIRED\n", ":1: \"cycles,INST_RETIRED\" is nothing of a header");
  IsDamaged(head.substr(0, 60), ":2: the file ends");
  IsDamaged(std::string("$date \0 $end", 12), ":1: a character 0x00");
  IsDamaged("$scope module t $end $var wire four ! a $end", ":1: \"four\" is no width");
  IsDamaged("$scope module t $end $var wire 8 ! a [3:0] $end\n",
            ":1: a\\[3:0\\] has 8 bits, and another range");
  IsDamaged("$scope module t $end $var wire 1 ! a [-2147483648:2147483647] $end\n",
            ":1: .* another range");
  IsDamaged(
      "$scope module t $end $var wire 1 ! a [99999999999999999999:99999999999999999999] $end\n",
      ":1: .* another range");
  IsDamaged(head + "#5 #4\n", ":7: time goes back from 5 to 4");
  IsDamaged(head + "#99999999999999999999\n", ":7: .* is no time");
  IsDamaged(head + "#0\nb12 \"x\n", ":8: .*is no value");
  IsDamaged(head + "#0\n7!\n", ":8: \"7!\" is no change");
  IsDamaged(head + "#0\nb1", ":8: the file ends within a word");
  IsDamaged(std::string(1, '\0') + std::string(400, 'x'), "the header is not whole");
}

// The library reads forever in a file that was cut.
TEST_F(StreamTest, AnFstThatWasCutIsDamaged) {
  void *fst = fstWriterCreate(path_.c_str(), 1);
  const fstHandle clk = fstWriterCreateVar(fst, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, 1, "clk", 0);
  for (unsigned time = 0; time < 5000; time++) {
    fstWriterEmitTimeChange(fst, time);
    fstWriterEmitValueChange(fst, clk, time % 2 == 0 ? "0" : "1");
  }
  fstWriterClose(fst);
  FILE *in = fopen(path_.c_str(), "rb");
  std::string whole(1 << 20, '\0');
  whole.resize(fread(&whole[0], 1, whole.size(), in));
  fclose(in);
  for (const size_t length : {whole.size() - 1, whole.size() / 2, size_t{330}, size_t{3}})
    IsDamaged(whole.substr(0, length), "");
}

}  // namespace
