#include "testbench/cosim/cli/source.h"

#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/cli/cli.h"

const char pmuv3_preset[] = PMUV3_PRESET;

bool pmuv3_preset_is_release(void) {
  return strcmp(pmuv3_preset, "release") == 0;
}

void pmuv3_source_check(void) {
  const char *expected = getenv("PMUV3_SOURCE");
  if (expected && strcmp(expected, pmuv3_source) != 0)
    pmuv3_cli_unusable("the program was built from sources %s, but PMUV3_SOURCE says %s",
                       pmuv3_source, expected);
}
