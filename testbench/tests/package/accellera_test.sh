#!/usr/bin/env bash
# The module with SystemC 3.0, and its parameters as CCI parameters. Debian has neither, so both are built from their
# sources. Usage: accellera_test.sh [SOURCES]   SOURCES has them as systemc/ and cci/; without it GitHub has them.
#
# Exit status: 77 if the sources cannot be had: nothing was tested.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
# shellcheck source=use.sh
. "$here/use.sh"
sources=${1-$scratch/sources}
there=$scratch/there

# clone NAME TAG
clone() {
  git clone -q --depth 1 --branch "$2" "https://github.com/accellera-official/$1" "$sources/$1" 2>"$scratch/log" ||
    { echo "not tested: no sources of $1: $(tail -n 1 "$scratch/log")" && exit 77; }
}
if [ $# = 0 ]; then
  clone systemc 3.0.2
  clone cci v1.0.2
fi

# make_and_install SOURCE BUILD [ARGUMENT...]: into the one place where all of it is
make_and_install() {
  make_with_cmake "$1" "$2" -GNinja -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH="$there" "${@:3}"
  cmake --install "$2" --prefix "$there" >"$scratch/log"
}
make_and_install "$sources/systemc" "$scratch/systemc" -DCMAKE_CXX_STANDARD=17 -DENABLE_EXAMPLES=OFF
make_and_install "$sources/cci" "$scratch/cci" -DCMAKE_CXX_STANDARD=17 -DSYSTEMC_HOME="$there" \
  -DSYSTEMCCCI_BUILD_TESTS=OFF -DCCI_ENABLE_INSPECTION=OFF
make_and_install "${here%/*/*/*}" "$scratch/package" -DPMUV3_TESTBENCH=OFF

# ---- SystemC 3.0 ----

export LD_LIBRARY_PATH=$there/lib
example=$(dirname "$(find "$there" -name decoupled.cc)")
for compiler in g++ clang++; do
  for standard in 17 20; do
    made=$scratch/$compiler-$standard
    make_with_cmake "$example" "$made" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_STANDARD="$standard" \
      -DCMAKE_PREFIX_PATH="$there"
    grep -q "$there/lib/libsystemc.so.3.0" < <(ldd "$made/decoupled") || fail "$made: another SystemC"
    run_decoupled "$made"
  done
done

# ---- CCI ----

mkdir "$scratch/platform"
cp "$here/cci.cc" "$scratch/platform"
cat >"$scratch/platform/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(platform LANGUAGES C CXX)
find_package(pmuv3 REQUIRED COMPONENTS tlm)
find_package(SystemCCCI CONFIG REQUIRED)
add_executable(platform cci.cc)
target_link_libraries(platform PRIVATE pmuv3::tlm SystemC::cci)
END
make_with_cmake "$scratch/platform" "$scratch/made" -DCMAKE_PREFIX_PATH="$there"
expect() {
  local said
  said=$("$scratch/made/platform" "$1" | tail -n 1) || true
  [ "$said" = "$2" ] || fail "with $1 counters: $said"
}
# Given are the features and K-RESTC; PMUv3p5 brings what it implies, slots keep their default.
expect 4 '4 counters, PMUv3p5 1, TH 0, K-RESTC 1, slots 8'
expect 40 'counters must be 0..31, not 40'
echo "all held"
