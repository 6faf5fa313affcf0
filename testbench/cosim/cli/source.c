#include "testbench/cosim/cli/source.h"

#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/cli/cli.h"

void pmuv3_source_check(void) {
  const char *expected = getenv("PMUV3_SOURCE");
  if (expected && strcmp(expected, pmuv3_source) != 0)
    pmuv3_cli_unusable("it was built of the sources %s, not of %s as PMUV3_SOURCE says",
                       pmuv3_source, expected);
}
