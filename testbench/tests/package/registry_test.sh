#!/usr/bin/env bash
# A build takes Debian's packages, whatever packages of CMake a user has registered. Usage: registry_test.sh ROOT
# shellcheck source=../cli/check.sh
. "$(dirname "$0")/../cli/check.sh"
root=$1

mkdir -p "$scratch/home/.cmake/packages/SystemCLanguage" "$scratch/mine"
echo "$scratch/mine" >"$scratch/home/.cmake/packages/SystemCLanguage/mine"
echo 'set(SystemC_VERSION 9.9)
add_library(SystemC::systemc INTERFACE IMPORTED)' >"$scratch/mine/SystemCLanguageConfig.cmake"
(cd "$root" && HOME=$scratch/home cmake --preset release -B "$scratch/build" -DPMUV3_TESTBENCH=OFF) >out 2>&1 ||
  fail "cmake: $(tail -n 3 out)"
finds_none "^SystemCLanguage_DIR:.*$scratch" "$scratch/build/CMakeCache.txt" || fail "a library of the user's own"
all_held
