/*
 * Derives from the single sources what is written in other languages. The
 * results are checked in; a test compares them with what this prints.
 */
#include "derive.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
  void (*derive)(void);
} derivations[] = {
    {"rtl", derive_rtl},               /* rtl/pmuv3_pkg.sv */
    {"parameters", derive_parameters}, /* docs/reference/parameters.md */
    {"events", derive_events},         /* docs/reference/events.md */
    {"registers", derive_registers},   /* docs/reference/registers.md */
    {"external", derive_external_map}, /* docs/reference/external-map.md */
    {"ipxact", derive_ipxact},         /* docs/reference/pmuv3.ipxact.xml */
};

int main(int argc, char **argv) {
  for (size_t i = 0; i < sizeof derivations / sizeof *derivations; i++) {
    if (argc != 2 || strcmp(argv[1], derivations[i].name) != 0) continue;
    derivations[i].derive();
    if (fflush(stdout) == 0 && !ferror(stdout)) return 0;
    fprintf(stderr, "pmuv3-derive: cannot write to standard output\n");
    return 2;
  }
  fprintf(stderr, "usage: pmuv3-derive rtl|parameters|events|registers|external|ipxact\n");
  return 2;
}
