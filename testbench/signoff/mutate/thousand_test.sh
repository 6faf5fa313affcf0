#!/usr/bin/env bash
# The RTL with a thousand mutants, as the whole campaign has them, is the RTL while none is selected. A mutant may
# make a bit of a vector depend on another. With few mutants no vector has two such bits, and Verilator compiles
# each vector well.
#
#   thousand_test.sh PROGRAM   pmuv3-mutate
# shellcheck source=../../tests/cli/check.sh
. "$(dirname "$0")/../../tests/cli/check.sh"

"$here/rtl.sh" 2 4 1000 1 "$PWD/mutants" || fail "no mutants were made"
status 0 mutants --side rtl --db mutants.db --cycles 20000 --mutants 1-1
all_held
