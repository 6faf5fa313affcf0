#!/usr/bin/env bash
# The entry point, as far as evidence goes: what it says of which sources, where these change while they
# are built or measured, and which database is filled. In a copy of it alone, with tools that do nothing
# but what is asked for. Usage: pmuv3_test.sh PMUV3
# shellcheck source=../cli/check.sh
. "$(dirname "$0")/../cli/check.sh"
unset PMUV3_SOURCE

mkdir -p cmodel rtl tlm_wrapper testbench/{coverage,mutate,defects,prove/properties} docs/reference tools build/{release,sanitize}/bin
cp "$1" pmuv3
program=$scratch/pmuv3
touch docs/reference/rules.md CMakeLists.txt CMakePresets.json cmodel/model.c build/{release,sanitize,coverage}.log
for preset in release sanitize coverage; do mkdir -p build/$preset && touch build/$preset/build.ninja; done
echo 'one' >cmodel/model.c

# tool FILE LINE...: a program
tool() {
  printf '%s\n' '#!/usr/bin/env bash' "${@:2}" >"$1"
  chmod +x "$1"
}
tool tools/dpkg-query "sed -n 's/.*_packages=(//p' '$scratch/pmuv3' | tr -d '()\"' | tr ' ' '\n' | sed 's/^/installed /'"
# shellcheck disable=SC2016
tool tools/ninja 'eval "${WHILE_BUILT-}"'
# shellcheck disable=SC2016
tool tools/ctest 'echo "ctest $*" >>calls' '[[ $* == *show-only* ]] || eval "${WHILE_TESTED-}"' \
  'while [ $# -gt 0 ]; do if [ "$1" = --output-junit ] && [ -z "${NO_RESULT-}" ]; then echo x >"$2"; fi; shift; done'
# shellcheck disable=SC2016
for command in regress signoff prove mutate; do
  tool build/release/bin/pmuv3-$command "echo \"$command \$PMUV3_SOURCE \$*\" >>calls" 'eval "${WHILE_RUN-}"' \
    'while [ $# -gt 0 ]; do if [ "$1" = --json ]; then echo x >"$2"; fi; shift; done'
done
# shellcheck disable=SC2016
tool testbench/mutate/mutate.sh 'echo "mutate $PMUV3_SOURCE $*" >>calls'
# shellcheck disable=SC2016
tool testbench/coverage/code.sh 'echo "code-coverage $PMUV3_SOURCE $*" >>calls'
# shellcheck disable=SC2016
tool testbench/prove/properties/properties.sh 'echo "properties $*" >>calls' '[ "$1" != --json ] || echo x >"$2"'
# shellcheck disable=SC2016
tool testbench/defects/campaign.sh 'mkdir -p build/defects/results; touch "build/defects/results/$1.log"'
export PATH=$scratch/tools:$PATH

source_of() { cat "$1.source" 2>/dev/null; }
digest() { "$program" source; }
[[ $(digest) =~ ^[0-9a-f]{16}$ ]] || fail "no digest: $(digest)"

# ---- What is built ----
status 0 regress
[ "$(cat calls)" = "regress $(digest) --db $scratch/build/evidence.db" ] || fail "regress: $(cat calls)"
rm calls
for command in regress coverage code-coverage mutate 'prove --json x.json'; do
  # shellcheck disable=SC2086
  WHILE_BUILT="echo more >>$scratch/cmodel/model.c" unusable "^pmuv3: the sources were changed while they were built" $command
done
[ ! -e calls ] || fail "it was run all the same: $(cat calls)"

# ---- Which database ----
: >calls
status 0 signoff --run --db "$scratch/x.db" --out there
[ "$(grep -cE "^(regress|code-coverage|mutate|signoff) .*--db $scratch/x.db" calls)" = 4 ] || fail "not into x.db: $(cat calls)"
! grep -e ' --db ' calls | grep -qv -e "--db $scratch/x.db" || fail "into another: $(cat calls)"
[ "$(grep -c -- '--sample' calls)" = 0 ] || fail "samples of properties: $(cat calls)"
for option in prove properties 'tests sanitize=' 'registered sanitize=' 'tests release=' 'registered release='; do
  grep -q "^signoff .*--$option" calls || fail "--$option is not read in: $(cat calls)"
done
: >calls
status 0 signoff --db=y.db
grep -q "^signoff .*--db y.db" calls || fail "--db=y.db: $(cat calls)"
unusable "^pmuv3: --db takes a file" signoff --db

# ---- What a result is of ----
status 0 prove --json x.json
[ "$(source_of x.json)" = "$(digest)" ] || fail "x.json is of '$(source_of x.json)'"
WHILE_RUN="echo more >>$scratch/cmodel/model.c" status 0 prove --json=x.json --json x.json
[ -z "$(source_of x.json)" ] || fail "the sources were changed, and x.json is of '$(source_of x.json)'"
status 0 prove --json x.json
rm build/release/bin/pmuv3-prove
tool build/release/bin/pmuv3-prove 'exit 1'
status 1 prove --json x.json
[ -z "$(source_of x.json)" ] || fail "nothing was written, and x.json is of '$(source_of x.json)'"
status 0 properties --json y.json
[ "$(source_of y.json)" = "$(digest)" ] || fail "y.json is of '$(source_of y.json)'"

status 0 test -R x
for result in build/{release,sanitize}/tests.{json,xml}; do
  [ "$(source_of "$result")" = "$(digest)" ] || fail "$result is of '$(source_of "$result")'"
done
NO_RESULT=1 status 0 test -R x
[ -z "$(source_of build/release/tests.xml)" ] || fail "no test was run, and tests.xml is of '$(source_of build/release/tests.xml)'"
WHILE_TESTED="echo more >>$scratch/cmodel/model.c" status 0 test
[ -z "$(source_of build/release/tests.xml)" ] || fail "changed, and tests.xml is of '$(source_of build/release/tests.xml)'"
tool tools/ctest 'exit 8'
status 8 test

# Results of defects gather, those of other sources go.
status 0 defects a-a
status 0 defects a-b
[ "$(find build/defects/results -type f | wc -l)" = 2 ] || fail "results: $(ls build/defects/results)"
echo more >>cmodel/model.c
status 0 defects a-c
[ "$(ls build/defects/results)" = a-c.log ] || fail "results of other sources: $(ls build/defects/results)"
[ "$(source_of build/defects/results)" = "$(digest)" ] || fail "results are of '$(source_of build/defects/results)'"

all_held
