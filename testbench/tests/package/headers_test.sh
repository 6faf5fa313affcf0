#!/usr/bin/env bash
# Each public header compiles by itself: a user may include headers in any order. pmuv3_cci.h needs a library that
# Debian lacks; accellera_test.sh compiles that one. Usage: headers_test.sh ROOT
# shellcheck source=../cli/check.sh
. "$(dirname "$0")/../cli/check.sh"
root=$1
include=(-I"$root" -I"$root/cmodel/include" -I"$root/testbench/cosim/check/include")

# alone HEADER COMPILER [OPTION...]
alone() {
  echo "#include \"$1\"" >alone
  "${@:2}" "${include[@]}" -Wall -Wextra -Wpedantic -Werror -fsyntax-only alone 2>err ||
    fail "${*:2}: $1 does not compile by itself: $(grep -m 1 error: err)"
}

of_c=("$root"/cmodel/include/pmuv3/*.h "$root"/testbench/cosim/check/include/pmuv3/*.h "$root/tlm_wrapper/side.h"
  "$root/testbench/explore/pmt/pmt.h")
[ ${#of_c[@]} -ge 14 ] || fail "only ${#of_c[@]} headers of C"
for header in "${of_c[@]}"; do
  alone "$header" gcc -std=c11 -x c
  alone "$header" g++ -std=c++17 -x c++
done

read -ra systemc <<<"$(pkg-config --cflags systemc)"
for header in adapter open_cycle pmuv3_tlm rtl_ports; do
  alone "$root/tlm_wrapper/$header.h" g++ -std=c++17 "${systemc[@]}" -x c++
done
all_held
