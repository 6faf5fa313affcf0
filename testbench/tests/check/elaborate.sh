# shellcheck shell=bash
# What --prove hands to Yosys of a module, for tests: elaborate.sh ROOT
# shellcheck disable=SC2034  # `actual` and `lint` are the tests'
program=$1/testbench/cosim/check/prove/elaborated.py
lint=(-Wno-fatal -Wno-lint -Wno-style -Wno-CASEWITHX)

# elaborate MODULE: MODULE.v of MODULE.sv. `actual` is the exit status, and err has what is refused.
elaborate() {
  rm -rf xml
  verilator --xml-only --noassert --flatten -fno-dfg --prefix Vdut "${lint[@]}" --top-module "$1" --Mdir xml \
    --debugi 1 --dumpi-tree 0 --xml-output "$1.xml" "$1.sv" >xml.log 2>&1 || fail "$1: $(cat xml.log)"
  actual=0
  python3 "$program" "$1.xml" xml "$1" clk_i rst_ni low >"$1.v" 2>err || actual=$?
}
