# shellcheck shell=bash
# A copy of the entry point alone, in a scratch folder, with tools that do nothing but what is asked for. NAME_test.sh
# PMUV3 sources this file after check.sh.
# shellcheck disable=SC2154 # scratch
unset PMUV3_SOURCE
scratch=$(realpath "$scratch")
cd "$scratch" || exit 1

mkdir -p cmodel rtl tlm_wrapper testbench/{signoff/{coverage,mutate,defects,evidence},prove/properties,tests,farm} docs/reference tools programs
cp "$1" pmuv3
cp "${1%/*}/docs/site.sh" docs
for file in build.sh common.sh settings.sh help.txt script.py signoff/evidence/signoff.sh tests/test.sh tests/again.py tests/slow.txt; do
  cp "${1%/*}/testbench/$file" "testbench/$file"
done
program=$scratch/pmuv3
touch docs/reference/rules.md CMakeLists.txt CMakePresets.json .clang-format rtl/a.sv tlm_wrapper/a.h calls
echo 'one' >cmodel/model.c

# tool FILE LINE...: a program
tool() {
  printf '%s\n' '#!/usr/bin/env bash' "${@:2}" >"$1"
  chmod +x "$1"
}
# Everything is installed, and every tool is of GCC 12 or, once that was upgraded, of another version.
# shellcheck disable=SC2016
tool tools/dpkg-query '[ "$1" != -S ] || { printf "g++-12: %s\n" "${@:2}"; exit; }' \
  'case $3 in' '*source:Package*Version*) cat '"'$scratch/installed'"' ;;' '*source:Package*) echo gcc-12 ;;' \
  "*) sed -n 's/.*_packages=(//p' '$scratch/testbench/build.sh' | tr -d '()\"' | tr ' ' '\n' | sed 's/^/installed /'" \
  'echo "installed sqlite3" ;;' 'esac'
echo 'installed gcc-12 12' >installed
# cmake configures a folder; ninja takes the list of sources, and makes the programs.
tool tools/cmake "echo \"cmake \$2\" >>'$scratch/calls'" "home=\$PWD" \
  "mkdir -p \"build/\$2\" && cd \"build/\$2\" || exit" \
  "printf '%s\\n' \"CMAKE_HOME_DIRECTORY:INTERNAL=\$home\" \"CMAKE_CACHEFILE_DIR:INTERNAL=\$PWD\" >CMakeCache.txt" \
  "touch build.ninja"
# shellcheck disable=SC2016
builds='echo ninja >>"$2/.ninja_log"; cp build/source.list "$2/source.list"; mkdir -p "$2/bin"; cp -r programs/* "$2/bin"'
# shellcheck disable=SC2016
tool tools/ninja '[[ $* != *"-t deps"* ]] || exec cat deps' 'eval "${STAND_IN_WHILE_BUILT-}"' "$builds"
touch deps
# shellcheck disable=SC2016
tool tools/ccache '[ -z "${CCACHE_DIR-}" ] || { echo "$CCACHE_DIR"; exit; }' \
  '[ -n "${HOME-}" ] && echo "$HOME/.cache/ccache"'
# shellcheck disable=SC2016
tool tools/ctest '[[ $* == *--test-dir* ]] || exec /usr/bin/ctest "$@"' '[[ $* != *" -N"* ]] || { if [[ $* == *"-R nothing"* ]]; then echo "Total Tests: 0"; else echo "Total Tests: 3"; fi; exit; }' \
  "echo \"ctest \$*\" >>'$scratch/calls'" "env | grep ^PMUV3_ >>'$scratch/calls' || true" '[[ $* == *show-only* ]] || eval "${STAND_IN_WHILE_TESTED-}"' \
  'ends=${STAND_IN_CTEST_ENDS-0}' '[[ $* != *show-only* ]] || { cat '"$scratch"'/tests.json; ends=0; }' \
  'while [ $# -gt 0 ]; do if [ "$1" = --output-junit ] && [ -z "${STAND_IN_NO_RESULT-}" ]; then cp '"$scratch"'/result.xml "$2"; fi; shift; done' 'exit $ends'
echo '{"tests": []}' >tests.json
echo '<testsuite name="x"/>' >result.xml
for command in run regress coverage signoff prove report explore trace; do
  # shellcheck disable=SC2016
  tool programs/pmuv3-$command '[[ $* != *--bogus* ]] || { echo "unusable option" >&2; exit 2; }' \
    '[[ " $* " != *" --help "* ]] || { echo help; exit 0; }' \
    '[[ $* != *--check-arguments* ]] || exit 0' "echo \"$command \$PMUV3_SOURCE \$*\" >>'$scratch/calls'"
done
for script in signoff/mutate/mutate signoff/coverage/code prove/properties/properties; do
  # shellcheck disable=SC2016
  tool testbench/$script.sh '[[ $* != *--bogus* ]] || { echo "unusable option" >&2; exit 2; }' \
    '[[ $* != *--check-arguments* ]] || exit 0' "echo \"${script##*/} \$PMUV3_SOURCE \$*\" >>'$scratch/calls'"
done
# What signoff says is missing.
# shellcheck disable=SC2016
sed -i '2i [[ $* != *--missing* ]] || { echo "missing $*" >>'"'$scratch/calls'"'; cat '"'$scratch/missing'"'; exit; }' \
  programs/pmuv3-signoff
everything() { printf '%s\n' 'test --all' regress code-coverage 'prove --set ci --json build/signoff/prove.json' \
  'properties --json build/signoff/properties.json' 'mutate --db some.db' >missing; }
everything
export PMUV3_STAND_INS=$scratch/tools

digest() { "$program" source; }
[[ $(digest) =~ ^[0-9a-f]{16}$ ]] || fail "no digest: $(digest)"
