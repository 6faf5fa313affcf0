#include "testbench/cosim/cli/source.h"

#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/cli/cli.h"

void pmuv3_source_check(void) {
  const char *expected = getenv("PMUV3_SOURCE");
  if (expected && strcmp(expected, pmuv3_source) != 0)
    pmuv3_cli_unusable("the program was built from sources %s, but PMUV3_SOURCE says %s",
                       pmuv3_source, expected);
}
