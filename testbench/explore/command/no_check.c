/* The program without the RTL, which is large: ./pmuv3 explore builds the other one for --check. */
#include "testbench/cosim/cli/cli.h"
#include "testbench/explore/command/check.h"

void explore_check(const struct explore_options *options, const struct pmt_reader *reader,
                   const struct explore_config *config) {
  (void)options, (void)reader, (void)config;
  pmuv3_cli_unusable("--check needs the program with the RTL: ./pmuv3 explore");
}
