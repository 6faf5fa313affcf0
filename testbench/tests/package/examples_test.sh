#!/usr/bin/env bash
# Compiles every example of the public headers and of docs/ without changes, and runs it. Usage:
# examples_test.sh BUILD [PYTHON]
set -euo pipefail
build=$1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$root"

fail() {
  echo "FAILED: $1"
  exit 1
}

# commented HEADER MARK FIRST: the lines of a header's comment that begin with MARK and three blanks, from FIRST
# on.
commented() {
  awk -v mark="$2   " -v first="$3" '
    index($0, mark first) == 1 { on = 1 }
    on && index($0, mark) != 1 { exit }
    on { print substr($0, length(mark) + 1) }' "$1"
}

# fenced PAGE LANGUAGE N: the N-th fenced block of a page. LANGUAGE may be empty.
fenced() {
  awk -v fence="\`\`\`$2" -v number="$3" '
    on && /^```/ { exit }
    on { print }
    $0 == fence && !inside && ++seen == number { on = 1 }
    /^```/ { inside = !inside }' "$1"
}

# Makes a program from PROLOGUE, the example and EPILOGUE.
program() {
  [ -n "$2" ] || fail "no example for $1"
  printf '%s\n' "$3" "$2" "$4" >"$scratch/$1"
}

read -ra systemc <<<"$(pkg-config --cflags --libs systemc)"
include=(-I"$root" -Icmodel/include)
libraries=("$build/tlm_wrapper/libpmuv3_side.a" "$build/cmodel/libpmuv3.a")

run_c() {
  cc -std=c11 -Wall -Wextra -Werror "${include[@]}" "$scratch/$1" "${libraries[@]}" -o "$scratch/a" ||
    fail "$1 does not compile"
  "$scratch/a" || fail "$1 does something else"
}
run_systemc() {
  c++ -std=c++17 "${include[@]}" "$scratch/$1" "$build/tlm_wrapper/libpmuv3_tlm.a" \
    "${libraries[@]}" "${systemc[@]}" -o "$scratch/a" || fail "$1 does not compile"
  "$scratch/a" >"$scratch/log" 2>&1 || { cat "$scratch/log" && fail "$1 does something else"; }
}

program pmuv3.h.c "$(commented cmodel/include/pmuv3/pmuv3.h ' *' 'struct pmuv3_params')" \
  '#include "pmuv3/pmuv3.h"
int main(void) {' '  return wrong || count != 4; }'
run_c pmuv3.h.c

program library.md.c "$(fenced docs/howto/library.md c 1)" '' ''
run_c library.md.c

# An emulator that ends each block at an overflow: 1000 instructions from the first to the second.
program platform.md.c "$(fenced docs/howto/platform.md c 1)" '#include <pmuv3/pmuv3.h>' '
int main(void) {
  static struct pmuv3 pmu;
  const struct pmuv3_params params = pmuv3_params_default();
  uint64_t cycles = 0;
  pmuv3_init(&pmu, &params);
  pmuv3_write(&pmu, 0, PMUV3_PMEVTYPERn(0), PMUV3_EVENT_INST_RETIRED);
  pmuv3_write(&pmu, 0, PMUV3_PMEVCNTRn(0), 0xFFFFFFFF - 999);
  pmuv3_write(&pmu, 0, PMUV3_PMINTENSET, 1);
  pmuv3_write(&pmu, 0, PMUV3_PMCNTENSET, 1);
  pmuv3_write(&pmu, 0, PMUV3_PMCR, 1);
  while (!pmuv3_irq(&pmu, 0)) cycles += execute(&pmu, 300);
  return cycles != 1000;
}'
run_c platform.md.c

fenced docs/howto/python.md python 1 >"$scratch/python.md.py"
PYTHONPATH=$build/tlm_wrapper/package/python "${2-python3}" -B "$scratch/python.md.py" >"$scratch/log" ||
  fail "python.md"
cmp "$scratch/log" <(fenced docs/howto/python.md '' 2) || fail "python.md prints something else"

program side.h.c "$(commented tlm_wrapper/side.h ' *' 'struct pmuv3_side ')" \
  '#include "tlm_wrapper/side.h"
int main(void) {
  struct pmuv3_params params = pmuv3_params_default();
  struct pmuv3_cycle cycle = {0};
  struct pmuv3_probe probe;' '  return probe.pmcr & 1 ? 0 : 1; }'
run_c side.h.c

# A simulator that writes a trace: three instructions retire in 21 cycles. The command of docs/howto/trace.md links it.
# BUILD takes the place of the folder that ./pmuv3 builds.
program my_simulator.c "$(commented testbench/explore/pmt/pmt.h ' *' 'struct pmt_column columns')" \
  '#include "testbench/explore/pmt/pmt.h"
int main(void) {
  FILE *file = fopen("simulated.pmt", "w");
  if (!file) return 1;' '
  if (why || fclose(file)) return 1;
  char error[200];
  struct pmt_reader *reader = pmt_reader_open("simulated.pmt", error, sizeof(error));
  return !reader || pmt_reader_cycles(reader) != 21 || pmt_reader_total(reader, 0) != 3;
}'
link=$(fenced docs/howto/trace.md '' 8)
[[ $link == 'gcc '*' my_simulator.c '* ]] || fail "trace.md has no command for my_simulator.c"
(cd "$scratch" && PMUV3=$root bash -ec "${link//\$PMUV3\/build\/release/$build}") || fail "the command of trace.md"
(cd "$scratch" && ./a.out) || fail "my_simulator.c does something else"

platform='#include "tlm_wrapper/pmuv3_tlm.h"
#include <algorithm>
#include <tlm_utils/simple_initiator_socket.h>
SC_MODULE(Core) {
  tlm_utils::simple_initiator_socket<Core, 64> registers{"registers"};
  sc_core::sc_port<pmuv3_event_if> pmu_events{"pmu_events"};
  SC_CTOR(Core) {}
};
SC_MODULE(Debugger) {
  tlm_utils::simple_initiator_socket<Debugger, 32> socket{"socket"};
  SC_CTOR(Debugger) {}
};
int sc_main(int, char **) {'
signals='  pmuv3_params params = pmuv3_params_default();
  sc_core::sc_clock clock("clock", 1, sc_core::SC_NS);
  sc_core::sc_vector<sc_core::sc_signal<bool>> cti_signals("cti", 1);
  sc_core::sc_signal<bool> irq_signal;
  Core core("core");
  Debugger debugger("debugger");'
program pmuv3_tlm.h.cc "$(commented tlm_wrapper/pmuv3_tlm.h // 'pmuv3_tlm pmu')" \
  "$platform$signals" '  sc_core::sc_start(10, sc_core::SC_NS); return 0; }'
run_systemc pmuv3_tlm.h.cc

program tlm.md.cc "$(fenced docs/reference/tlm.md cpp 1)
  unsigned executed = 1000;
  const uint8_t el = 1;
  pmuv3_event_if *events = pmu.events.operator->();
  pmuv3_side_write(pmu.side(), 0, PMUV3_PMEVTYPER, 8);
  pmuv3_side_write(pmu.side(), 0, PMUV3_PMCNTENSET, 1);
  pmuv3_side_write(pmu.side(), 0, PMUV3_PMCR, 1);
$(fenced docs/reference/tlm.md cpp 3)
  const uint64_t quantum = 1000;
  const std::vector<pmuv3_rate> rates;
$(fenced docs/reference/tlm.md cpp 4)" "$platform" '  uint64_t count;
  pmuv3_side_read(pmu.side(), 0, PMUV3_PMEVCNTR, &count);
  return count != 1000 || next != 0; }'
run_systemc tlm.md.cc

adapter='#include "tlm_wrapper/adapter.h"
struct CoreExtension : tlm::tlm_extension<CoreExtension> {
  unsigned number = 0;
  tlm_extension_base *clone() const override { return new CoreExtension(*this); }
  void copy_from(const tlm_extension_base &) override {}
};
int sc_main(int, char **) {'
program adapter.md.cc "$(fenced docs/reference/tlm.md cpp 2)" "$adapter" '  return 0; }'
run_systemc adapter.md.cc
program adapter.h.cc "$(commented tlm_wrapper/adapter.h // 'pmuv3_adapter<64>' | sed '/\.bind/d')" \
  "$adapter" '  return 0; }'
run_systemc adapter.h.cc

program decoupled.md.cc "
  const sc_core::sc_time period(1, sc_core::SC_NS);
  pmuv3_params params = pmuv3_params_default();
  params.threads = 2;
  pmuv3_tlm pmu(\"pmu\", pmuv3_side_cmodel(&params));
  if (pmu.decouple(period)) return 1;
  pmuv3_thread_if *events = pmu.threads[1].operator->();
  tlm_utils::tlm_quantumkeeper keeper;
  keeper.reset();
$(fenced docs/reference/tlm.md cpp 5)" "#include <systemc>
#include <tlm_utils/tlm_quantumkeeper.h>
$platform" '  return keeper.get_local_time() != 800 * period; }'
run_systemc decoupled.md.cc

# The RTL with its configuration. The example omits the other ports.
{
  echo 'module example;'
  fenced docs/reference/rtl.md systemverilog 1 | sed 's/, \.\.\.)/)/'
  echo 'endmodule'
} >"$scratch/example.sv"
grep -q 'u_pmuv3' "$scratch/example.sv" || fail "no example of the RTL"
verilator --lint-only -Wno-PINMISSING -Irtl rtl/pmuv3.vlt rtl/pmuv3_pkg.sv rtl/pmuv3_types_pkg.sv "$scratch/example.sv" \
  --top-module example || fail "the example of the RTL"

# A stimulus file. tutorials_test.sh has those of the tutorials.
fenced docs/reference/formats.md '' 1 >"$scratch/formats.stim"
"$build/bin/pmuv3-replay" "$scratch/formats.stim" >"$scratch/log" || fail "formats.stim"

# The package, made with the commands of docs/reference/tlm.md.
{
  fenced docs/reference/tlm.md '' 1
  fenced docs/reference/tlm.md '' 2
} | sed "s|PREFIX/|$scratch/package/|; s|PREFIX\$|$scratch/package|; s|PREFIX=PREFIX|PREFIX=$scratch/package|
  s|build/|$scratch/|g" >"$scratch/package.sh"
grep -q 'cmake --install' "$scratch/package.sh" || fail "no commands for the package"
bash -e "$scratch/package.sh" >"$scratch/log" 2>&1 || { cat "$scratch/log" && fail "the package"; }
echo "all held"
