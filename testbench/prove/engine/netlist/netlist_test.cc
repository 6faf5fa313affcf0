// The reader of netlists on files by hand and on Verilog that Yosys elaborates.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "engine/netlist/netlist_test.h"

namespace engine {
namespace {

namespace fs = std::filesystem;

class NetlistTest : public CommandTest {
 protected:
  fs::path Write(const std::string &name, const std::string &text) const {
    std::ofstream(work_ / name) << text;
    return work_ / name;
  }
};

struct FreeValues {
  void operator()(struct term_values *values) const { term_values_free(values); }
};

// ---- Values ----

using Assignment = std::map<std::string, uint64_t>;

uint64_t Evaluate(term of, const Assignment &assignment) {
  const auto value = [](term variable, uint64_t *words, void *with) {
    words[0] = static_cast<const Assignment *>(with)->at(term_name(variable));
  };
  const std::unique_ptr<term_values, FreeValues> values(
      term_values_new(value, const_cast<Assignment *>(&assignment)));
  return term_value(values.get(), of)[0];
}

uint64_t Output(const Netlist &netlist, const char *name, const Assignment &assignment) {
  const struct netlist_signal *output = netlist_output(netlist.get(), name);
  if (!output) {
    ADD_FAILURE() << name << ": no such output";
    return 0;
  }
  return Evaluate(output->value, assignment);
}

// ---- BTOR2 by hand ----

// The line that makes a value of a and b, 8 bits each, and c, 1 bit; sorts are 1: 8 bits, 2: 1 bit,
// 3: 16 bits, 7: 3 bits.
struct Operation {
  const char *line;
  std::function<uint64_t(uint8_t a, uint8_t b, bool c)> expected;
};

int8_t Signed(uint8_t a) {
  return static_cast<int8_t>(a);
}

const Operation kOperations[] = {
    {"not 1 4", [](uint8_t a, uint8_t, bool) { return ~a & 0xFF; }},
    {"neg 1 4", [](uint8_t a, uint8_t, bool) { return -a & 0xFF; }},
    {"inc 1 4", [](uint8_t a, uint8_t, bool) { return (a + 1) & 0xFF; }},
    {"dec 1 4", [](uint8_t a, uint8_t, bool) { return (a - 1) & 0xFF; }},
    {"redor 2 4", [](uint8_t a, uint8_t, bool) { return a != 0; }},
    {"redand 2 4", [](uint8_t a, uint8_t, bool) { return a == 0xFF; }},
    {"redxor 2 4", [](uint8_t a, uint8_t, bool) { return __builtin_parity(a); }},
    {"and 1 4 5", [](uint8_t a, uint8_t b, bool) { return a & b; }},
    {"or 1 4 5", [](uint8_t a, uint8_t b, bool) { return a | b; }},
    {"xor 1 4 5", [](uint8_t a, uint8_t b, bool) { return a ^ b; }},
    {"nand 1 4 5", [](uint8_t a, uint8_t b, bool) { return ~(a & b) & 0xFF; }},
    {"nor 1 4 5", [](uint8_t a, uint8_t b, bool) { return ~(a | b) & 0xFF; }},
    {"xnor 1 4 5", [](uint8_t a, uint8_t b, bool) { return ~(a ^ b) & 0xFF; }},
    {"add 1 4 5", [](uint8_t a, uint8_t b, bool) { return (a + b) & 0xFF; }},
    {"sub 1 4 5", [](uint8_t a, uint8_t b, bool) { return (a - b) & 0xFF; }},
    {"mul 1 4 5", [](uint8_t a, uint8_t b, bool) { return (a * b) & 0xFF; }},
    {"udiv 1 4 5", [](uint8_t a, uint8_t b, bool) { return b ? a / b : 0xFF; }},
    {"urem 1 4 5", [](uint8_t a, uint8_t b, bool) { return b ? a % b : a; }},
    {"sll 1 4 5", [](uint8_t a, uint8_t b, bool) { return b < 8 ? (a << b) & 0xFF : 0; }},
    {"srl 1 4 5", [](uint8_t a, uint8_t b, bool) { return b < 8 ? a >> b : 0; }},
    {"sra 1 4 5", [](uint8_t a, uint8_t b, bool) { return (Signed(a) >> (b < 8 ? b : 7)) & 0xFF; }},
    {"eq 2 4 5", [](uint8_t a, uint8_t b, bool) { return a == b; }},
    {"neq 2 4 5", [](uint8_t a, uint8_t b, bool) { return a != b; }},
    {"ult 2 4 5", [](uint8_t a, uint8_t b, bool) { return a < b; }},
    {"ulte 2 4 5", [](uint8_t a, uint8_t b, bool) { return a <= b; }},
    {"ugt 2 4 5", [](uint8_t a, uint8_t b, bool) { return a > b; }},
    {"ugte 2 4 5", [](uint8_t a, uint8_t b, bool) { return a >= b; }},
    {"slt 2 4 5", [](uint8_t a, uint8_t b, bool) { return Signed(a) < Signed(b); }},
    {"slte 2 4 5", [](uint8_t a, uint8_t b, bool) { return Signed(a) <= Signed(b); }},
    {"sgt 2 4 5", [](uint8_t a, uint8_t b, bool) { return Signed(a) > Signed(b); }},
    {"sgte 2 4 5", [](uint8_t a, uint8_t b, bool) { return Signed(a) >= Signed(b); }},
    {"ite 1 6 4 5", [](uint8_t a, uint8_t b, bool c) { return c ? a : b; }},
    {"implies 2 6 8", [](uint8_t a, uint8_t, bool c) { return !c || (a & 1); }},
    {"iff 2 6 8", [](uint8_t a, uint8_t, bool c) { return c == (a & 1); }},
    {"concat 3 4 5", [](uint8_t a, uint8_t b, bool) { return a << 8 | b; }},
    {"slice 7 4 6 4", [](uint8_t a, uint8_t, bool) { return a >> 4 & 7; }},
    {"uext 3 4 8", [](uint8_t a, uint8_t, bool) { return a; }},
    {"uext 1 4 0 again", [](uint8_t a, uint8_t, bool) { return a; }},
    {"sext 3 4 8", [](uint8_t a, uint8_t, bool) { return Signed(a) & 0xFFFF; }},
    {"const 1 10100101", [](uint8_t, uint8_t, bool) { return 0xA5; }},
    {"constd 1 165", [](uint8_t, uint8_t, bool) { return 165; }},
    {"consth 1 a5", [](uint8_t, uint8_t, bool) { return 0xA5; }},
    {"zero 1", [](uint8_t, uint8_t, bool) { return 0; }},
    {"one 1", [](uint8_t, uint8_t, bool) { return 1; }},
    {"ones 1", [](uint8_t, uint8_t, bool) { return 0xFF; }},
};

const char kHeader[] =
    "; a comment\n"
    "1 sort bitvec 8\n"
    "2 sort bitvec 1\n"
    "3 sort bitvec 16\n"
    "4 input 1 a ; a.v:1\n"
    "5 input 1 b\n"
    "6 input 2 c\n"
    "7 sort bitvec 3\n"
    "8 slice 2 4 0 0\n";

constexpr uint8_t kBytes[] = {0, 1, 2, 3, 7, 8, 9, 0x55, 0x7F, 0x80, 0x81, 0xAA, 0xFE, 0xFF};

TEST_F(NetlistTest, EveryOperation) {
  for (const Operation &operation : kOperations) {
    const auto netlist =
        Read(Write("a.btor", std::string(kHeader) + "9 " + operation.line + "\n10 output 9 y\n"));
    ASSERT_TRUE(netlist) << operation.line;
    for (uint8_t a : kBytes)
      for (uint8_t b : kBytes)
        for (bool c : {false, true})
          EXPECT_EQ(Output(netlist, "y", {{"a", a}, {"b", b}, {"c", c}}),
                    operation.expected(a, b, c))
              << operation.line << " a=" << +a << " b=" << +b << " c=" << c;
  }
}

TEST_F(NetlistTest, WideConstants) {
  const auto netlist = Read(Write("a.btor",
                                  "1 sort bitvec 72\n"
                                  "2 sort bitvec 8\n"
                                  "3 constd 1 4722366482869645213695\n"
                                  "4 consth 1 A50000000000000001\n"
                                  "5 slice 2 3 71 64\n"
                                  "6 slice 2 4 71 64\n"
                                  "7 slice 2 4 7 0\n"
                                  "8 output 5 ones\n9 output 6 high\n10 output 7 low\n"));
  ASSERT_TRUE(netlist);
  EXPECT_EQ(Output(netlist, "ones", {}), 0xFFu);
  EXPECT_EQ(Output(netlist, "high", {}), 0xA5u);
  EXPECT_EQ(Output(netlist, "low", {}), 1u);
}

TEST_F(NetlistTest, StatesAndNames) {
  const fs::path file = Write("a.btor",
                              "1 sort bitvec 4\n"
                              "2 input 1 g[0].in\n"
                              "3 state 1 g[1].u.z_q\n"
                              "4 state 1 a_q\n"
                              "7 add 1 2 3\n"
                              "8 next 1 3 7\n"
                              "9 next 1 4 3\n"
                              "10 output 4 out\n");
  const Netlist netlist = Read(file, "rtl.");
  ASSERT_TRUE(netlist);
  ASSERT_EQ(netlist->num_states, 2u);
  const struct netlist_state *z = netlist_state(netlist.get(), "g[1].u.z_q");
  const struct netlist_state *a = netlist_state(netlist.get(), "a_q");
  const struct netlist_signal *in = netlist_input(netlist.get(), "g[0].in");
  ASSERT_TRUE(z && a && in);
  EXPECT_EQ(z->value, term_var(4, "rtl.g[1].u.z_q"));
  EXPECT_EQ(z->next, term_add(z->value, in->value));
  EXPECT_EQ(a->next, z->value);
  EXPECT_EQ(netlist_output(netlist.get(), "out")->value, a->value);
  EXPECT_FALSE(netlist_state(netlist.get(), "rtl.a_q"));
  EXPECT_FALSE(netlist_output(netlist.get(), "a_q"));
  EXPECT_FALSE(netlist_input(netlist.get(), "out"));
}

// Bits are cut where they are made, those of a concatenation in pieces.
TEST_F(NetlistTest, CutsBits) {
  const fs::path file = Write("a.btor",
                              "1 sort bitvec 4\n"
                              "2 sort bitvec 1\n"
                              "3 input 1 a\n"
                              "4 input 1 b\n"
                              "5 add 1 3 4\n"
                              "6 and 1 3 4\n"
                              "7 slice 2 5 1 1\n"
                              "8 slice 2 6 3 3\n"
                              "9 sort bitvec 2\n"
                              "10 concat 9 8 7\n"
                              "11 uext 9 10 0 cut\n"
                              "12 output 5 sum\n"
                              "13 output 8 high\n");
  const auto is_cut = [](const char *name, void *) { return std::string(name) == "cut"; };
  const Netlist netlist(netlist_read(file.c_str(), "rtl.", is_cut, nullptr));
  ASSERT_TRUE(netlist);
  const term a = netlist_input(netlist.get(), "a")->value;
  const term b = netlist_input(netlist.get(), "b")->value;
  const term sum = term_add(a, b), any0 = term_var(1, "rtl.cut[0]"),
             any1 = term_var(1, "rtl.cut[1]");
  ASSERT_EQ(netlist->num_cuts, 2u);
  EXPECT_EQ(netlist_cut(netlist.get(), "cut[0]")->value, any0);
  EXPECT_EQ(netlist_cut(netlist.get(), "cut[0]")->driven, term_extract(sum, 1, 1));
  EXPECT_EQ(netlist_cut(netlist.get(), "cut[1]")->driven, term_extract(term_and(a, b), 3, 1));
  EXPECT_EQ(netlist_output(netlist.get(), "high")->value, any1);
  EXPECT_EQ(netlist_output(netlist.get(), "sum")->value,
            term_concat(term_extract(sum, 2, 2), term_concat(any0, term_extract(sum, 0, 1))));
}

// A signal of two names is one variable: a defect may make two signals the same.
TEST_F(NetlistTest, CutsOneOfTwoNames) {
  const std::string lines =
      "1 sort bitvec 4\n"
      "2 sort bitvec 1\n"
      "3 input 1 a\n"
      "4 input 1 b\n"
      "5 add 1 3 4\n"
      "6 uext 1 5 0 one\n"
      "7 uext 1 5 0 two\n"
      "8 and 1 3 4\n"
      "9 uext 1 8 0 more\n"
      "10 or 1 3 4\n"
      "11 uext 1 10 0 kin\n"
      "12 uext 1 10 0 alike\n"
      "13 output 5 sum\n";
  const auto is_cut = [](const char *name, void *) { return std::string(name) != "sum"; };
  const Netlist netlist(netlist_read(Write("a.btor", lines).c_str(), "rtl.", is_cut, nullptr));
  ASSERT_TRUE(netlist);
  ASSERT_EQ(netlist->num_cuts, 5u);
  EXPECT_EQ(netlist_cut(netlist.get(), "kin")->value, netlist_cut(netlist.get(), "alike")->value);
  const auto *one = netlist_cut(netlist.get(), "one"), *two = netlist_cut(netlist.get(), "two");
  EXPECT_EQ(one->value, term_var(4, "rtl.one"));
  EXPECT_EQ(one->value, two->value);
  EXPECT_EQ(one->driven, two->driven);
  EXPECT_EQ(one->driven, term_add(netlist_input(netlist.get(), "a")->value,
                                  netlist_input(netlist.get(), "b")->value));
  EXPECT_EQ(netlist_output(netlist.get(), "sum")->value, one->value);

  const fs::path overlap = Write("b.btor", lines + "14 slice 2 5 1 1\n15 uext 2 14 0 bit\n");
  testing::internal::CaptureStderr();
  EXPECT_FALSE(netlist_read(overlap.c_str(), "rtl.", is_cut, nullptr));
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("to be cut, and overlap"), std::string::npos) << said;
}

struct Refusal {
  const char *lines;  // after the header
  const char *said;   // after FILE:
};

const Refusal kRefusals[] = {
    {"9 sdiv 1 4 5\n", "10: sdiv: unknown node"},
    {"9 bad 6\n", "10: bad: unknown node"},
    {"9 constraint 6\n", "10: constraint: unknown node"},
    {"9 init 1 4 5\n", "10: init: unknown node"},
    {"9 sort array 1 1\n", "10: "},
    {"9 sort bitvec 0\n", "10: a sort of no bits"},
    {"9 read 1 4 5\n", "10: read: unknown node"},
    {"9 input 1\n", "10: input: it has no name"},
    {"9 input 1 ; a.v:3\n", "10: input: it has no name"},
    {"9 state 1\n", "10: state: it has no name"},
    {"9 output 4\n", "10: output: it has no name"},
    {"9 input 1 a\n", "10: a: two of this name"},
    {"9 state 1 a\n10 next 1 9 4\n", "11: a: an input and a state"},
    {"9 state 1 q\n", "10: q: it has no next value"},
    {"9 state 1 q\n10 next 1 9 4\n11 next 1 9 5\n", "12: q: another next value"},
    {"9 next 1 4 5\n", "10: 4: expected a state"},
    {"9 state 1 q\n10 next 1 9 6\n", "11: q: a next value of 1 bits for 8"},
    {"9 and 1 4 6\n", "10: and: of 8 and 1 bits"},
    {"9 and 3 4 5\n", "10: and: 8 bits, its sort has 16"},
    {"9 and 1 4 10\n", "10: 10: unknown node"},
    {"9 and 1 4 -5\n", "10: -5: expected a number"},
    {"9 and 1 4 1\n", "10: 1: expected a node with a value"},
    {"9 and 4 4 5\n", "10: 4: expected a sort"},
    {"9 ite 1 4 4 5\n", "10: ite: of 8, 8 and 8 bits"},
    {"9 implies 2 4 5\n", "10: implies: of several bits"},
    {"9 slice 7 4 8 6\n", "10: slice: [8:6] of 8 bits"},
    {"9 slice 7 4 0 2\n", "10: slice: [0:2] of 8 bits"},
    {"9 const 1 102\n", "10: 102: expected a constant of 8 bits"},
    {"9 const 1 100000000\n", "10: 100000000: expected a constant of 8 bits"},
    {"9 and 1 4\n", "10: and: 4 fields, expected 5 to 6"},
    {"9 and\n", "10: and: 2 fields"},
    {"9\n", "10: 9: expected a node"},
    {"8 not 1 4\n", "10: 8: expected a node number"},
    {"99999999 not 1 4\n", "10: 99999999: expected a node number"},
    {"what 1 4\n", "10: what: expected a number"},
};

TEST_F(NetlistTest, RefusesWhatItDoesNotKnow) {
  for (const Refusal &refusal : kRefusals) {
    const fs::path file = Write("a.btor", kHeader + std::string(refusal.lines));
    ::testing::internal::CaptureStderr();
    const auto netlist = Read(file);
    const std::string said = ::testing::internal::GetCapturedStderr();
    EXPECT_FALSE(netlist) << refusal.lines;
    EXPECT_EQ(said.rfind(file.string() + ":" + refusal.said, 0), 0u) << refusal.lines << said;
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  }
  ::testing::internal::CaptureStderr();
  EXPECT_FALSE(Read(work_ / "none.btor"));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            (work_ / "none.btor").string() + ": No such file or directory\n");
}

// A netlist with names to cut is read twice. AddressSanitizer reserves more memory than the limit.
#ifndef __SANITIZE_ADDRESS__
[[noreturn]] void ReadInLittleMemory(const fs::path &file, netlist_is_cut *is_cut) {
  const rlimit limit = {500000000, 500000000};
  setrlimit(RLIMIT_AS, &limit);
  exit(netlist_read(file.c_str(), "", is_cut, nullptr) ? 0 : 1);
}

TEST_F(NetlistTest, LittleMemoryIsNoEnd) {
  const fs::path file = Write("a.btor", std::string(kHeader) + "9 output 4 y\n");
  fs::resize_file(file, 1000000000);
  const auto is_cut = [](const char *, void *) { return false; };
  const char *const said = "a.btor:11: cannot be read: Cannot allocate memory\n$";
  EXPECT_EXIT(ReadInLittleMemory(file, nullptr), testing::ExitedWithCode(1), said);
  EXPECT_EXIT(ReadInLittleMemory(file, is_cut), testing::ExitedWithCode(1), said);
}
#endif

// No recursion: as deep as a file is long.
TEST_F(NetlistTest, DeepFiles) {
  constexpr int kDepth = 200000;
  std::string text = kHeader;
  for (int i = 0; i < kDepth; i++)
    text += std::to_string(9 + i) + (i % 2 ? " add 1 5 " : " xor 1 4 ") +
            std::to_string(i ? 8 + i : 4) + "\n";
  text += std::to_string(9 + kDepth) + " output " + std::to_string(8 + kDepth) + " y\n";
  const auto netlist = Read(Write("a.btor", text));
  ASSERT_TRUE(netlist);
  uint8_t expected = 0x35;
  for (int i = 0; i < kDepth; i++)
    expected = static_cast<uint8_t>(i % 2 ? expected + 0x77 : expected ^ 0x35);
  EXPECT_EQ(Output(netlist, "y", {{"a", 0x35}, {"b", 0x77}}), expected);
}

// ---- Verilog ----

class VerilogTest : public NetlistTest {
 protected:
  Netlist Elaborate(const std::string &module) {
    const fs::path source = Write("a.sv", module), btor = work_ / "a.btor";
    EXPECT_EQ(Run("yosys -q -p 'read_verilog -sv " + source.string() +
                  "; hierarchy -check -auto-top; proc; flatten; opt_clean; pmuxtree; write_btor " +
                  btor.string() + "'"),
              0)
        << said_;
    return Read(btor);
  }
};

TEST_F(VerilogTest, Operators) {
  const auto netlist = Elaborate(R"(
    module m (input [7:0] a, b, input signed [7:0] s, t, input [2:0] n,
              output [7:0] shl, shr, bits, output signed [7:0] sar, output lt, slt, sge, ne, all, any,
              odd, land, lnot, output [8:0] sum, output [15:0] product, wide, signedwide,
              output [7:0] muxed, output one, output [3:0] part, output [7:0] ternary);
      assign shl = a << n;
      assign shr = a >> n;
      assign sar = s >>> n;
      assign bits = (a & ~b) | (a ^ 8'h0F);
      assign lt = a < b;
      assign slt = s < t;
      assign sge = s >= t;
      assign ne = a != b;
      assign all = &a;
      assign any = |a;
      assign odd = ^a;
      assign land = a && b;
      assign lnot = !a;
      assign sum = a + b;
      assign product = a * b;
      assign wide = {b, a};
      assign signedwide = s;
      assign one = a[n];
      assign part = a[n[0] * 4 +: 4];
      assign ternary = n[2] ? a : -b;
      reg [7:0] chosen;
      always @* case (n)
        3'd0: chosen = a;
        3'd1, 3'd2: chosen = b;
        3'd5: chosen = a - b;
        default: chosen = 8'h42;
      endcase
      assign muxed = chosen;
    endmodule)");
  ASSERT_TRUE(netlist);
  for (uint8_t a : kBytes)
    for (uint8_t b : kBytes)
      for (unsigned n = 0; n < 8; n++) {
        const Assignment with = {{"a", a}, {"b", b}, {"s", a}, {"t", b}, {"n", n}};
        const auto expect = [&](const char *name, uint64_t value) {
          EXPECT_EQ(Output(netlist, name, with), value)
              << name << " a=" << +a << " b=" << +b << " n=" << n;
        };
        expect("shl", (a << n) & 0xFF);
        expect("shr", a >> n);
        expect("sar", (Signed(a) >> n) & 0xFF);
        expect("bits", (a & ~b) | (a ^ 0x0F));
        expect("lt", a < b);
        expect("slt", Signed(a) < Signed(b));
        expect("sge", Signed(a) >= Signed(b));
        expect("ne", a != b);
        expect("all", a == 0xFF);
        expect("any", a != 0);
        expect("odd", static_cast<uint64_t>(__builtin_parity(a)));
        expect("land", a && b);
        expect("lnot", !a);
        expect("sum", static_cast<uint64_t>(a + b));
        expect("product", static_cast<uint64_t>(a * b));
        expect("wide", static_cast<uint64_t>(b << 8 | a));
        expect("signedwide", Signed(a) & 0xFFFF);
        expect("one", a >> n & 1);
        expect("part", a >> 4 * (n & 1) & 0xF);
        expect("ternary", n & 4 ? a : -b & 0xFF);
        expect("muxed", n == 0 ? a : n == 1 || n == 2 ? b : n == 5 ? (a - b) & 0xFF : 0x42);
      }
}

TEST_F(VerilogTest, Registers) {
  const auto netlist = Elaborate(R"(
    module counter (input clk, input enable, output [3:0] value);
      reg [3:0] value_q;
      always @(posedge clk) if (enable) value_q <= value_q + 4'd3;
      assign value = ~value_q;
    endmodule
    module m (input clk, input [1:0] enable, output [7:0] values);
      for (genvar i = 0; i < 2; i++) begin : g
        counter u_counter (.clk, .enable(enable[i]), .value(values[4*i+:4]));
      end
    endmodule)");
  ASSERT_TRUE(netlist);
  ASSERT_EQ(netlist->num_states, 2u);
  const struct netlist_state *high = netlist_state(netlist.get(), "g[1].u_counter.value_q");
  ASSERT_TRUE(high);
  const std::string low = "g[0].u_counter.value_q";
  for (uint64_t value = 0; value < 16; value++) {
    const Assignment with = {{high->name, value}, {low, 5}, {"enable", 2}};
    EXPECT_EQ(Evaluate(high->next, with), (value + 3) % 16);
    EXPECT_EQ(Evaluate(netlist_state(netlist.get(), low.c_str())->next, with), 5u);
    EXPECT_EQ(Output(netlist, "values", with), (~value & 15) << 4 | (~5 & 15));
  }
}

}  // namespace
}  // namespace engine
