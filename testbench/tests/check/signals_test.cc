// The pins of a description among the signals of an FST: structs, arrays, and either in the other.
#include "testbench/cosim/check/wave/signals.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include "gtkwave/fstapi.h"
#include "testbench/cosim/cli/cli.h"
#include "testbench/tests/check/synthetic.h"

namespace {

using Bits = std::vector<uint64_t>;

// An FST of the device `dut`, to which a test adds the signals of the pin `pin`.
class SignalsTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { pmuv3_cli_begin("check"); }

  // Line 4 is `line`, or the first one of several.
  void Describe(const std::string &line) {
    std::string error;
    device_ = ReadDevice(
        "pmuv3-device 1\n"
        "param counters=2 el2=0 el3=0 features=PMUv3p1\n"
        "clock clk\n" +
            line + "\nregister 0 PMCR_EL0\n",
        &error);
    ASSERT_TRUE(device_) << error;
  }
  void DescribeAddress(const std::string &pin) {
    Describe("port csr request=req address=" + pin + " value=val width=32");
  }
  void DescribeInternal(const std::string &pin) {
    Describe("visible counter 0 " + pin + "\nport csr request=req address=addr value=val width=32");
  }

  void SetUp() override {
    DescribeAddress("pin");
    fst_ = fstWriterCreate(path_.c_str(), 1);
    Open(FST_ST_VCD_MODULE, "dut");
    Add(1, "clk");
    Add(1, "req");
    Add(32, "val [31:0]");
    Add(8, "addr [7:0]");
  }

  void TearDown() override {
    if (fst_) fstWriterClose(fst_);
    unlink(path_.c_str());
  }

  void Open(fstScopeType kind, const char *name) { fstWriterSetScope(fst_, kind, name, nullptr); }
  void OpenStruct(const char *name) { Open(FST_ST_VCD_STRUCT, name); }
  void Close() { fstWriterSetUpscope(fst_); }

  fstHandle Add(unsigned width, const char *name, fstVarType kind = FST_VT_SV_LOGIC) {
    return fstWriterCreateVar(fst_, kind, FST_VD_IMPLICIT, width, name, 0);
  }

  // A signal of the pin.
  void Part(unsigned width, const char *name) { parts_.push_back({Add(width, name), width}); }

  // At time N all bits of the Nth part are 1, and those of the others 0.
  void WriteChanges() {
    for (size_t now = 0; now < parts_.size(); now++) {
      fstWriterEmitTimeChange(fst_, now);
      for (size_t p = 0; p < parts_.size(); p++)
        fstWriterEmitValueChange(fst_, parts_[p].first,
                                 std::string(parts_[p].second, p == now ? '1' : '0').c_str());
    }
    fstWriterClose(fst_);
    fst_ = nullptr;
  }

  size_t Pin() const {
    size_t pin = 0;
    while (std::string(device_->pins[pin].name) != "pin") pin++;
    return pin;
  }

  // The bits of the pin that are of each part.
  Bits Read() {
    wave_stream *stream = wave_stream_open(fopen(path_.c_str(), "r"), path_.c_str());
    signals *found = signals_find(stream, path_.c_str(), device_.get(), nullptr);
    Bits values(device_->num_pins), unknown(device_->num_pins), bits;
    size_t count;
    const char *const *ids = signals_ids(found, &count);
    wave_stream_choose(stream, ids, count);
    vcd_item item = {};
    for (vcd_kind kind; (kind = wave_stream_next(stream, &item)) != VCD_END;) {
      if (kind == VCD_TIME && item.time > 0) bits.push_back(values[Pin()]);
      if (kind == VCD_VALUE) signals_take(found, &item, values.data(), unknown.data());
    }
    bits.push_back(values[Pin()]);
    signals_free(found);
    wave_stream_close(stream);
    return bits;
  }

  Bits BitsOfParts() {
    WriteChanges();
    return Read();
  }

  void IsRefused(const std::string &why, const std::string &hint = "record it as a vector") {
    WriteChanges();
    EXPECT_EXIT(Read(), testing::ExitedWithCode(2),
                "^check: test.pmu:4: 'dut' in [^\n]*: \"pin\" " + why + "; " + hint + "\n$");
  }

  void IsNotOrdered(const std::string &part) {
    IsRefused("is recorded in parts whose order is not known \\(\"" + part + "\"\\)");
  }

  // Elements of 32 bits, from this bit on, that are recorded bit by bit.
  void ReadsBitsOfAnElement(unsigned lsb) {
    DescribeInternal("pin[1]");
    Bits bits;
    for (unsigned bit = 0; bit < 32; bit++) {
      const std::string index = "[" + std::to_string(lsb + bit) + "]";
      Add(1, ("pin[0]" + index).c_str());
      Part(1, ("pin[1]" + index).c_str());
      bits.push_back(UINT64_C(1) << bit);
    }
    EXPECT_EQ(BitsOfParts(), bits);
  }

  void IsNoBit(const std::string &index) {
    IsRefused("is recorded by its elements, so \\[" + index + "\\] can be an element or a bit");
  }

  const std::string path_ = testing::TempDir() + "signals." + std::to_string(getpid());
  Device device_;
  void *fst_ = nullptr;
  std::vector<std::pair<fstHandle, unsigned>> parts_;
};

// ---- Structs ----

TEST_F(SignalsTest, TheFirstMemberHasTheHighestBits) {
  OpenStruct("pin");
  Part(1, "a");
  Part(2, "b [1:0]");
  OpenStruct("c");
  Part(3, "d [0:2]");
  Part(1, "e");
  Close();
  Part(1, "f");
  EXPECT_EQ(BitsOfParts(), (Bits{0x80, 0x60, 0x1C, 0x2, 0x1}));
}

TEST_F(SignalsTest, TheLowestElementOfAMemberHasTheLowestBits) {
  OpenStruct("pin");
  Part(2, "n[0] [1:0]");
  Part(2, "n[1] [1:0]");
  Part(1, "k");
  EXPECT_EQ(BitsOfParts(), (Bits{0x06, 0x18, 0x01}));
}

TEST_F(SignalsTest, ElementsCanBeInAnyOrder) {
  OpenStruct("pin");
  Part(1, "k");
  for (const char *name : {"n[10] [1:0]", "n[9] [1:0]", "n[8] [1:0]"}) Part(2, name);
  Part(1, "l");
  EXPECT_EQ(BitsOfParts(), (Bits{0x80, 0x60, 0x18, 0x06, 0x01}));
}

TEST_F(SignalsTest, ElementsOfOneBit) {
  OpenStruct("pin");
  Part(1, "n[0]");
  Part(1, "n[1]");
  Part(1, "o[0] [0:0]");
  Part(1, "o[1] [0:0]");
  EXPECT_EQ(BitsOfParts(), (Bits{0x4, 0x8, 0x1, 0x2}));
}

TEST_F(SignalsTest, SeveralIndexes) {
  OpenStruct("pin");
  Part(1, "k");
  for (const char *name : {"n[-1][0] [1:0]", "n[-1][1] [1:0]", "n[0][0] [1:0]", "n[0][1] [1:0]"})
    Part(2, name);
  for (const char *name : {"o[0][0]", "o[0][1]", "o[1][0]", "o[1][1]"}) Part(1, name);
  EXPECT_EQ(BitsOfParts(), (Bits{0x1000, 0x030, 0x0C0, 0x300, 0xC00, 0x1, 0x2, 0x4, 0x8}));
}

TEST_F(SignalsTest, AnArrayOfStructsInAStruct) {
  OpenStruct("pin");
  for (const char *name : {"m[0]", "m[1]"}) {
    OpenStruct(name);
    Part(1, "a");
    Part(1, "n[0]");
    Part(1, "n[1]");
    Close();
  }
  Part(1, "k");
  EXPECT_EQ(BitsOfParts(), (Bits{0x08, 0x02, 0x04, 0x40, 0x10, 0x20, 0x01}));
}

// As Verilator 5.048 writes it: an array is a scope, and begins with the element on the left.
TEST_F(SignalsTest, AScopeOfAnArray) {
  OpenStruct("pin");
  Open(FST_ST_VCD_MODULE, "n");
  Part(2, "n[1] [1:0]");
  Part(2, "n[0] [1:0]");
  Close();
  Open(FST_ST_VCD_MODULE, "m");
  for (const char *name : {"[1]", "[0]"}) {
    OpenStruct(name);
    Part(1, "a");
    Part(1, "b");
    Close();
  }
  Close();
  Open(FST_ST_VCD_MODULE, "o");
  for (const char *name : {"1", "0"}) {
    Open(FST_ST_VCD_MODULE, (std::string("[") + name + "]").c_str());
    for (const char *last : {"1", "0"})
      Part(1, (std::string("o[") + name + "][" + last + "] [0:0]").c_str());
    Close();
  }
  EXPECT_EQ(BitsOfParts(), (Bits{0xC00, 0x300, 0x80, 0x40, 0x20, 0x10, 0x8, 0x4, 0x2, 0x1}));
}

// ---- Arrays of the pin ----

TEST_F(SignalsTest, AnArrayOfStructs) {
  for (const char *name : {"pin[0]", "pin[1]"}) {
    OpenStruct(name);
    Part(1, "a");
    Part(2, "n[0] [1:0]");
    Part(2, "n[1] [1:0]");
    Close();
  }
  EXPECT_EQ(BitsOfParts(), (Bits{0x010, 0x003, 0x00C, 0x200, 0x060, 0x180}));
}

TEST_F(SignalsTest, AnArrayOfSeveralIndexes) {
  for (const char *name : {"pin[0][0]", "pin[0][1]", "pin[1][0]", "pin[1][1]"}) Part(1, name);
  EXPECT_EQ(BitsOfParts(), (Bits{0x1, 0x2, 0x4, 0x8}));
}

TEST_F(SignalsTest, AnElementTwice) {
  Part(2, "pin[0] [1:0]");
  Part(2, "pin[1] [1:0]");
  fstWriterCreateVar(fst_, FST_VT_SV_LOGIC, FST_VD_IMPLICIT, 2, "pin[0] [1:0]", parts_[0].first);
  EXPECT_EQ(BitsOfParts(), (Bits{0x3, 0xC}));
}

TEST_F(SignalsTest, AnArrayCountsFrom0) {
  Part(2, "pin[1] [1:0]");
  Part(2, "pin[2] [1:0]");
  IsNotOrdered("pin\\[1\\]");
}

// ---- An element of an internal ----

TEST_F(SignalsTest, AnElementOfAnInternal) {
  DescribeInternal("pin[1]");
  Add(32, "pin[0] [31:0]");
  Part(32, "pin[1] [31:0]");
  EXPECT_EQ(BitsOfParts(), (Bits{0xFFFFFFFF}));
}

TEST_F(SignalsTest, AnElementBitByBit) {
  ReadsBitsOfAnElement(0);
}

TEST_F(SignalsTest, AnElementBitByBitFrom1) {
  ReadsBitsOfAnElement(1);
}

TEST_F(SignalsTest, ABitOfAnElementTwiceIsRefused) {
  DescribeInternal("pin[0]");
  for (unsigned bit = 0; bit < 32; bit++) Add(1, ("pin[0][" + std::to_string(bit) + "]").c_str());
  Add(1, "pin[0][7]");
  WriteChanges();
  EXPECT_EXIT(Read(), testing::ExitedWithCode(2), "there are two signals \"pin\"\n$");
}

// ---- What the file does not tell ----

// As vcd2fst writes it of a VCD.
TEST_F(SignalsTest, AStructOfAVcdIsRefused) {
  fstWriterSetVersion(fst_, "Generated by VerilatedVcd");
  OpenStruct("pin");
  Part(2, "a [1:0]");
  IsRefused("is a struct, whose order a VCD does not keep, nor an FST made of one",
            "use an FST that the simulator itself writes");
}

TEST_F(SignalsTest, AStructOfALaterVerilatorIsRead) {
  fstWriterSetVersion(fst_, "Generated by VerilatedFst");
  OpenStruct("pin");
  Part(2, "a [1:0]");
  Part(1, "b");
  EXPECT_EQ(BitsOfParts(), (Bits{0x6, 0x1}));
}

TEST_F(SignalsTest, AUnionIsRefused) {
  Open(FST_ST_VCD_UNION, "pin");
  Part(2, "a [1:0]");
  Part(2, "b [1:0]");
  IsRefused("is a union, or has one in it");
}

TEST_F(SignalsTest, AUnionInAStructIsRefused) {
  OpenStruct("pin");
  Part(1, "k");
  Open(FST_ST_VCD_UNION, "u");
  Part(2, "a [1:0]");
  Part(2, "b [1:0]");
  IsRefused("is a union, or has one in it");
}

TEST_F(SignalsTest, AMemberThatIsNoVectorIsRefused) {
  OpenStruct("pin");
  Part(2, "a [1:0]");
  Add(64, "r", FST_VT_VCD_REAL);
  IsRefused("has a member that is no vector");
}

// A description counts bits of the whole array, SystemVerilog its elements.
TEST_F(SignalsTest, AnIndexOfAnArrayOfVectorsIsRefused) {
  DescribeAddress("pin[1]");
  for (const char *name : {"pin[0] [2:0]", "pin[1] [2:0]", "pin[2] [2:0]"}) Part(3, name);
  IsNoBit("1");
}

TEST_F(SignalsTest, AnIndexOfAnArrayOfVectorsBitByBitIsRefused) {
  DescribeAddress("pin[2]");
  for (const char *name : {"pin[0][0]", "pin[0][1]", "pin[1][0]", "pin[1][1]"}) Part(1, name);
  IsNoBit("2");
}

// A port has no elements that are structs.
TEST_F(SignalsTest, AnIndexOfAnArrayOfStructsIsABit) {
  DescribeAddress("pin[2]");
  for (const char *name : {"pin[0]", "pin[1]"}) {
    OpenStruct(name);
    Part(1, "a");
    Part(1, "b");
    Close();
  }
  EXPECT_EQ(BitsOfParts(), (Bits{0x0, 0x0, 0x0, 0x1}));
}

// The RTL has elements there.
TEST_F(SignalsTest, AnElementOfAnInternalThatIsAStructIsRefused) {
  DescribeInternal("pin[1]");
  for (const char *name : {"pin[0]", "pin[1]"}) {
    OpenStruct(name);
    Part(32, "value [31:0]");
    Close();
  }
  IsNoBit("1");
}

TEST_F(SignalsTest, BitsOfAnArrayOfVectorsAreRead) {
  DescribeAddress("pin[4:2]");
  for (const char *name : {"pin[0] [2:0]", "pin[1] [2:0]"}) Part(3, name);
  EXPECT_EQ(BitsOfParts(), (Bits{0x1, 0x6}));
}

TEST_F(SignalsTest, AnIndexOfAnArrayOfBitsIsRead) {
  DescribeAddress("pin[1]");
  for (const char *name : {"pin[0] [0:0]", "pin[1] [0:0]"}) Part(1, name);
  EXPECT_EQ(BitsOfParts(), (Bits{0x0, 0x1}));
}

TEST_F(SignalsTest, AMissingElementIsRefused) {
  OpenStruct("pin");
  Part(2, "n[0] [1:0]");
  Part(2, "n[2] [1:0]");
  IsNotOrdered("n\\[0\\]");
}

TEST_F(SignalsTest, OtherElementsThanThoseBetweenTheFirstAndTheLastAreRefused) {
  OpenStruct("pin");
  for (const char *name : {"n[0][0]", "n[0][7]", "n[1][0]", "n[1][1]"}) Part(1, name);
  IsNotOrdered("n\\[0\\]");
}

TEST_F(SignalsTest, ElementsOfSeveralWidthsAreRefused) {
  OpenStruct("pin");
  Part(2, "n[0] [1:0]");
  Part(3, "n[1] [2:0]");
  IsNotOrdered("n\\[1\\]");
}

TEST_F(SignalsTest, TwoMembersOfOneNameAreRefused) {
  OpenStruct("pin");
  Part(2, "n [1:0]");
  Part(2, "n [1:0]");
  IsNotOrdered("n");
}

TEST_F(SignalsTest, AnElementBesideAMemberOfItsNameIsRefused) {
  OpenStruct("pin");
  Part(2, "n [1:0]");
  Part(2, "n[0] [1:0]");
  IsNotOrdered("n");
}

TEST_F(SignalsTest, WhatIsNoIndexIsRefused) {
  OpenStruct("pin");
  Part(2, "n[0]x [1:0]");
  IsNotOrdered("n\\[0\\]x");
}

TEST_F(SignalsTest, AStructWithoutMembersIsRefused) {
  OpenStruct("pin");
  Part(2, "a [1:0]");
  OpenStruct("empty");
  IsNotOrdered("empty");
}

TEST_F(SignalsTest, StructsThatAreDeepAreRefused) {
  OpenStruct("pin");
  for (unsigned s = 0; s < 100; s++) OpenStruct("s");
  Part(2, "a [1:0]");
  IsRefused("has structs in it, more than 16 deep");
}

TEST_F(SignalsTest, ManyMembersAreRefused) {
  OpenStruct("pin");
  for (unsigned m = 0; m < 257; m++) Part(1, ("m" + std::to_string(m)).c_str());
  IsRefused("is recorded in more than 256 parts");
}

}  // namespace
