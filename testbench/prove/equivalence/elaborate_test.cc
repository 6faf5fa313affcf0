// elaborate.sh on the RTL and on RTL that it must refuse.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

#include "engine/netlist/netlist_test.h"

namespace pmuv3::prove {
namespace {

namespace fs = std::filesystem;
using engine::Netlist;
using engine::Read;

const fs::path kSource = PMUV3_SOURCE_DIR;

class ElaborateTest : public engine::CommandTest {
 protected:
  // Exit status.
  int Elaborate(const std::string &arguments) {
    return Run((kSource / "testbench/prove/equivalence/elaborate.sh").string() + " " + arguments +
               " " + (work_ / "a.btor").string());
  }

  // A copy of the RTL, where in one file the first line that a basic regular expression matches is
  // replaced.
  void ExpectRefused(const char *file, const char *line, const char *with, const char *said) {
    const fs::path rtl = work_ / "rtl";
    fs::remove_all(rtl);
    fs::copy(kSource / "rtl", rtl);
    ASSERT_EQ(
        Run("sed -i '0,/" + std::string(line) + "/s//" + with + "/' " + (rtl / file).string() +
            " && ! cmp -s " + (rtl / file).string() + " " + (kSource / "rtl" / file).string()),
        0)
        << "nothing is replaced: " << line;
    EXPECT_EQ(Elaborate("--rtl " + rtl.string() + " 1 2"), 2) << with;
    EXPECT_NE(said_.find(said), std::string::npos) << with << ": " << said_;
    EXPECT_EQ(said_.rfind("elaborate.sh: ", 0), 0u) << said_;
    EXPECT_EQ(std::count(said_.begin(), said_.end(), '\n'), 1) << said_;
    EXPECT_FALSE(fs::exists(work_ / "a.btor"));
  }
};

bool IsOpen(const std::string &name) {
  return name.rfind("x!", 0) == 0;
}

void ExpectTheRtl(const Netlist &netlist, unsigned threads, unsigned counters) {
  ASSERT_TRUE(netlist);
  // Of a thread; of a counter, and of what a thread without counters has in its place.
  const unsigned lanes = counters ? counters : 1;
  EXPECT_EQ(netlist->num_states, threads * (58 + 9 * lanes));
  for (const char *name : {"u_counter.low_q", "u_threshold.cp_q", "u_attribution.pending_q"})
    for (unsigned t = 0; t < threads; t++)
      for (unsigned n = 0; n < lanes; n++)
        EXPECT_TRUE(
            netlist_state(netlist.get(), ("g_thread[" + std::to_string(t) + "].u_thread.g_lane[" +
                                          std::to_string(n) + "]." + name)
                                             .c_str()));
  size_t inputs = 0;
  for (size_t i = 0; i < netlist->num_inputs; i++) inputs += !IsOpen(netlist->inputs[i].name);
  EXPECT_EQ(inputs, 24u);
  EXPECT_EQ(term_width(netlist_input(netlist.get(), "reg_wdata_i")->value), 64 * threads);
  EXPECT_EQ(term_width(netlist_output(netlist.get(), "irq_o")->value), threads);
}

// A Cold reset resets every register, whatever it was and whatever the inputs are.
void ExpectReset(const Netlist &netlist) {
  struct term_map *map = term_map_new();
  for (const char *reset : {"rst_ni", "rst_cold_ni"})
    term_map_put(map, netlist_input(netlist.get(), reset)->value, TERM_FALSE);
  for (size_t i = 0; i < netlist->num_states; i++)
    EXPECT_EQ(term_node(term_replace(netlist->states[i].next, map))->op, TERM_CONST)
        << netlist->states[i].name;
  term_map_free(map);
}

TEST_F(ElaborateTest, Rtl) {
  const unsigned sizes[][2] = {{1, 0}, {1, 2}, {2, 3}, {1, 31}};
  for (const auto &[threads, counters] : sizes) {
    ASSERT_EQ(Elaborate(std::to_string(threads) + " " + std::to_string(counters)), 0) << said_;
    EXPECT_EQ(said_, "");
    // Variables of another size have other widths.
    const auto netlist = Read(work_ / "a.btor", std::to_string(threads * 100 + counters) + ":");
    ExpectTheRtl(netlist, threads, counters);
    ExpectReset(netlist);
    EXPECT_FALSE(netlist_output(netlist.get(), "probe_value_o"));
  }
}

TEST_F(ElaborateTest, Defines) {
  ASSERT_EQ(Elaborate("--define PMUV3_PROBE 1 2"), 0) << said_;
  const auto netlist = Read(work_ / "a.btor", "probed:");
  ExpectTheRtl(netlist, 1, 2);
  ASSERT_TRUE(netlist_output(netlist.get(), "probe_value_o"));
  EXPECT_EQ(term_width(netlist_output(netlist.get(), "probe_value_o")->value), 128u);
}

TEST_F(ElaborateTest, RefusesRtl) {
  ExpectRefused("pmuv3_overflow.sv", "assign overflow_o", "\\/\\/", "overflow_o");
  ExpectRefused("pmuv3_overflow.sv", "assign overflow_o", "assign carry31_i = 1; &", "conflict");
  ExpectRefused("pmuv3_overflow.sv", "always_ff.*",
                "always @(negedge clk_i or negedge rst_ni) begin", "falling_edge");
  ExpectRefused("pmuv3_overflow.sv", "always_ff.*",
                "always @(posedge cycle_i or negedge rst_ni) begin", "Assertion failed");
  ExpectRefused("pmuv3_overflow.sv", "always_ff.*", "always @(posedge clk_i) begin",
                "Assertion failed");
  ExpectRefused("pmuv3_overflow.sv", "assign overflow_o",
                "logic latch; always_latch if (cycle_i) latch = set_i; &", "Assertion failed");
  ExpectRefused("pmuv3_overflow.sv", "carry63_i : carry31_i", "carry63_i : raised", "loop");
  ExpectRefused("pmuv3_overflow.sv", "assign overflow_o", "unknown u_unknown (); &", "unknown");
  ExpectRefused("pmuv3_overflow.sv", "assign overflow_o", "syntax error; &", "syntax error");
}

TEST_F(ElaborateTest, RefusesArguments) {
  for (const char *arguments : {"", "1", "0 1", "5 1", "1 32", "1 x", "1 2 3 4", "--what 1 2",
                                "--rtl /nowhere 1 2", "--define"}) {
    EXPECT_EQ(Elaborate(arguments), 2) << arguments;
    EXPECT_EQ(said_.rfind("elaborate.sh: ", 0), 0u) << said_;
    EXPECT_EQ(std::count(said_.begin(), said_.end(), '\n'), 1) << said_;
  }
}

}  // namespace
}  // namespace pmuv3::prove
