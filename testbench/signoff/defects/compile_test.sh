#!/usr/bin/env bash
# A copy of the sources with all planted defects compiles. Usage: compile_test.sh
set -euo pipefail
here=$(dirname "$(realpath "$0")")
scratch=$(mktemp -d)
trap 'rm -rf -- "$scratch"' EXIT
"$here/plant.sh" "$here/defects.txt" "$scratch/copy"
cd "$scratch/copy"
for source in cmodel/src/*.c; do
  cc -std=gnu11 -w -fsyntax-only -include cmodel/src/selector.h -Icmodel/include "$source"
done
mapfile -t modules < <(find rtl -name '*.sv' ! -name '*_pkg.sv')
verilator --lint-only -Wno-fatal -DPMUV3_PROBE --top-module pmuv3 rtl/pmuv3.vlt rtl/pmuv3_pkg.sv rtl/pmuv3_types_pkg.sv "${modules[@]}"
