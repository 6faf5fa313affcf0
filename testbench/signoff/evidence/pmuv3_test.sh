#!/usr/bin/env bash
# The entry point: of which sources a result is, where these change while they are built or measured, when a
# build folder is made anew, from where and in which environment it is started, and which database is filled.
# Usage: pmuv3_test.sh PMUV3
# shellcheck source=../../tests/cli/check.sh
. "$(dirname "$0")/../../tests/cli/check.sh"
# shellcheck source=pmuv3_copy.sh
. "$here/pmuv3_copy.sh"

# ---- Arguments are checked before anything is built ----
for command in mutate code-coverage properties; do unusable 'unusable option' $command --bogus; done
for options in --bogus unit '-r unit' '-V unit' '--repeat until-pass:9' '--all unit'; do
  # shellcheck disable=SC2086
  unusable '^pmuv3 test: unusable option' test $options
done
unusable '^pmuv3 test: -R takes a value' test -R
unusable '^pmuv3 test: -R: is given twice' test -R a -R b
unusable "^pmuv3 test: -R: '[(]' is no regular expression" test -R '('
for regex in '*foo' 'a**' '^*' '(a' 'lint{1}' '[[:alpha:]]' '\blint'; do
  unusable "^pmuv3 test: -E: '.*' is no regular expression" test -E "$regex"
done
unusable "^pmuv3: unusable argument 'foo'" source foo
unusable "^pmuv3: unusable argument '--bar'" help --bar
unusable "^pmuv3: unknown command ''" ''
unusable "^pmuv3 test: -E: '' is no regular expression" test -E ''
unusable "^pmuv3 test: -j: '0' is no number" test -j 0
unusable "^pmuv3 test: -R: '.*' is no regular expression" test -R $'unit\nlint'
left build

# ---- What is built ----
status 0 regress
[ "$(cat calls)" = "cmake release
regress $(digest) --db $scratch/build/evidence.db --defaults-end" ] || fail "regress: $(cat calls)"
for command in run regress coverage code-coverage mutate 'prove --json x.json'; do
  # shellcheck disable=SC2086
  STAND_IN_WHILE_BUILT="echo more >>$scratch/cmodel/model.c" status 2 $command
  grep -q '^pmuv3: the sources were changed while they were built' err || fail "$command: $(cat err)"
done
# What was changed and changed back meanwhile was changed.
STAND_IN_WHILE_BUILT="cd $scratch/cmodel; cp -p model.c k; echo x >model.c; cp -p k model.c; rm k; cd $scratch" \
  status 2 run
grep -q '^pmuv3: the sources were changed while they were built' err || fail "changed and changed back: $(cat err)"
# So was a folder or a link that led elsewhere for a while.
mkdir cmodel.theirs
cp cmodel/model.c cmodel.theirs
STAND_IN_WHILE_BUILT="cd $scratch; mv cmodel k; mv cmodel.theirs cmodel; mv cmodel cmodel.theirs; mv k cmodel" status 2 run
grep -q '^pmuv3: the sources were changed while they were built' err || fail "another folder for a while: $(cat err)"
ln -s ../CMakeLists.txt cmodel/link.c
STAND_IN_WHILE_BUILT="cd $scratch/cmodel; ln -sfn ../pmuv3 link.c; ln -sfn ../CMakeLists.txt link.c; cd $scratch" status 2 run
grep -q '^pmuv3: the sources were changed while they were built' err || fail "another link for a while: $(cat err)"
rm -r cmodel.theirs cmodel/link.c
# Nothing that was built of it is used later.
: >calls
status 0 coverage
grep -q '^cmake release' calls || fail "changed and changed back: the folder was not made anew: $(cat calls)"
sed -i '/^coverage/d' calls
finds_none -q '^[^c]' calls || [ "$(grep -vc ^cmake calls)" = 0 ] || fail "it was run all the same: $(cat calls)"
# Where a link or a pipe stands for one of our files, or the file has another name, as in a copy by links, nothing else
# is written.
tool limited "exec timeout 30 '$program' \"\$@\""
echo mine >mine
for file in build/source.list build/release.log build/release/{settings.list,versions.list,building,CMakeCache.txt}; do
  for make in "ln -s $scratch/mine" "ln $scratch/mine" mkfifo; do
    rm -f "$file"
    $make "$file"
    program=$scratch/limited status 0 run
    [ "$(cat mine)" = mine ] || fail "$make $file: it was written to"
  done
done
# Nor do tools open a link or a pipe in place of their own files.
for make in "ln -s $scratch/mine" mkfifo; do
  rm -f build/release/.ninja_log
  $make build/release/.ninja_log
  program=$scratch/limited status 0 run
  [ "$(cat mine)" = mine ] || fail "$make .ninja_log: it was written to"
done
# A call within another one is of the same sources.
PMUV3_SOURCE=0123456789abcdef unusable "^pmuv3: the sources are now $(digest), not 0123456789abcdef" run

# The former name of a command.
: >calls
status 0 capsule a.stim
grep -q '^report .* a\.stim$' calls || fail "capsule: $(cat calls)"

# ---- Which database ----
: >calls
status 0 signoff --run --db "$scratch/x.db" --out there
[ "$(grep -cE "^(regress|code|mutate|signoff) .*--db $scratch/x.db" calls)" = 4 ] || fail "not into x.db: $(cat calls)"
! grep -e ' --db ' calls | grep -qv -e "--db $scratch/x.db" || fail "into another: $(cat calls)"
[ "$(grep -c -- '--sample' calls)" = 0 ] || fail "samples of properties: $(cat calls)"
for option in 'tests sanitize=' 'registered sanitize=' 'tests release=' 'registered release='; do
  grep -q "^signoff .*--$option" calls || fail "--$option is not read in: $(cat calls)"
done

# ---- What is there, and what is missing ----
of_these="{\"source\": \"$(digest)\"}"
reads() { grep '^signoff ' calls | grep -q -- "--$1"; }
for option in prove properties; do
  echo x >build/signoff/$option.json
  status 0 signoff
  ! reads "found-$option" || fail "$option of unknown sources was read in"
  : >calls
  echo "$of_these" >build/signoff/$option.json
  status 0 signoff
  reads "found-$option $scratch/build/signoff" || fail "$option was not found: $(cat calls)"
  : >calls
done
status 0 test -R x
: >calls
status 0 signoff
! reads tests || fail "a part of the tests was read in: $(cat calls)"
status 0 test --all
: >calls
status 0 signoff
reads "tests release" || fail "all tests were not found: $(cat calls)"
mv build/sanitize/tests.xml kept
mkfifo build/sanitize/tests.xml
: >calls
program=$scratch/limited status 0 signoff
! reads "tests sanitize" || fail "a pipe was read in: $(cat calls)"
rm build/sanitize/tests.xml
mv kept build/sanitize/tests.xml

# Planted defects count once one was tried: its log is there.
mkdir -p build/defects/results
digest >build/defects/results/source
touch build/defects/results/sound.log
: >calls
status 0 signoff
! reads defects || fail "a campaign that tried no defect was read in: $(cat calls)"
touch build/defects/results/01-one.log
: >calls
status 0 signoff
reads "defects $scratch/build/defects/results" || fail "planted defects were not found: $(cat calls)"
rm -r build/defects

# --run does only what is missing, after what is there was read in.
echo mutate >missing
: >calls
status 0 signoff --run
grep -q '^missing .*--found-prove' calls || fail "it was not asked with what is there: $(cat calls)"
[ "$(grep -cE '^(ctest|regress|code|prove|properties|mutate) ' calls)" = 1 ] || fail "not mutate alone: $(cat calls)"
: >missing
: >calls
status 0 signoff --run
[ "$(grep -cE '^(ctest|regress|code|prove|properties|mutate) ' calls)" = 0 ] || fail "nothing was missing: $(cat calls)"
# What the user names comes after what was found, and takes its place.
: >calls
status 0 signoff --prove mine.json
reads 'found-prove .*--tests .*--defaults-end --prove mine.json$' || fail "not after what was found: $(cat calls)"
# What was just measured is read in.
cat >>programs/pmuv3-prove <<'STAND_IN'
while [ $# -gt 1 ]; do
  [ "$1" != --json ] || echo "{\"source\": \"$PMUV3_SOURCE\"}" >"$2"
  shift
done
STAND_IN
echo 'prove --set ci --json build/signoff/prove.json' >missing
: >calls
status 0 signoff --run
reads "found-prove $scratch/build/signoff/prove.json --found-properties" || fail "not what was measured: $(cat calls)"
# A command that is killed leaves nothing. The others are run all the same.
# shellcheck disable=SC2016
sed -i '2i if [[ $* == *--junit* && ${STAND_IN_KILLED-} ]]; then kill -"$STAND_IN_KILLED" $$; fi' programs/pmuv3-regress
printf '%s\n' regress mutate >missing
for signal in KILL SEGV; do
  : >calls
  STAND_IN_KILLED=$signal status 0 signoff --run
  { grep -q '^mutate ' calls && grep -q '^signoff ' calls; } || fail "a regression died of $signal: $(cat calls)"
done
# If it is interrupted, nothing else is.
: >calls
STAND_IN_KILLED=TERM status 143 signoff --run
finds_none -qE '^(mutate|signoff) ' calls || fail "an interrupted regression: $(cat calls)"
everything
status 0 signoff --db=y.db
grep -q "^signoff .*--db y.db" calls || fail "--db=y.db: $(cat calls)"
unusable "^pmuv3 signoff: --db takes a file" signoff --db
unusable "^pmuv3 signoff: --db: is given twice" signoff --db=y.db --db z.db
unusable "^pmuv3 test: -V: is given twice" test -V -V

# Help is said once, and nothing of it is done.
for options in --help '--run --help'; do
  : >calls
  # shellcheck disable=SC2086
  status 0 signoff $options
  [ "$(cat out)" = help ] || fail "signoff $options: $(cat out)"
  [ ! -s calls ] || fail "signoff $options: $(cat calls)"
done
# Nobody is told that all is well who uses an option of the entry point's own.
for command in signoff 'signoff --run' test properties prove 'prove --set ci' mutate code-coverage; do
  # shellcheck disable=SC2086
  unusable "^pmuv3: unusable option '--check-arguments'" $command --check-arguments
done
# A link to somebody's folder is not the folder of results.
mv build/signoff aside
mkdir theirs
echo mine >theirs/prove.json
ln -s ../theirs build/signoff
unusable "^pmuv3 signoff: '.*/build/signoff' is a link, and in the way" signoff --run
[ "$(cat theirs/prove.json)" = mine ] || fail "a file behind a link is gone"
rm -r build/signoff theirs
mv aside build/signoff
# Nor is a pipe a result, whose writer nobody waits for.
mv build/signoff/prove.json kept
mkfifo build/signoff/prove.json
program=$scratch/limited status 0 signoff
rm build/signoff/prove.json
mv kept build/signoff/prove.json

# ---- Arguments are checked before anything is proved or measured ----
: >calls
unusable 'unusable option' prove --bogus
unusable 'unusable option' signoff --run --bogus
[ ! -s calls ] || fail "something was done for arguments that cannot be used: $(cat calls)"

# Nor is anything installed for them. Those who ask for a plot, for pages or for a program's trace get what that takes.
mkdir -p fresh testbench/explore/tracer
cp "${1%/*}/testbench/explore/tracer/trace.sh" testbench/explore/tracer
tool fresh/dpkg-query "'$scratch/tools/dpkg-query' \"\$@\" | grep -vE 'gnuplot|mkdocs|doxygen|qemu'"
tool fresh/apt-get "echo \"apt-get \$*\" >>'$scratch/calls'; [ \"\$1\" = update ]"
tool fresh/sudo 'exec "$@"'
# shellcheck disable=SC2016
tool programs/pmuv3-trace '[[ $* != *--bogus* ]] || { echo "unusable option" >&2; exit 2; }' \
  'echo "plan root=1 from=0 package="'
export PMUV3_STAND_INS=$scratch/fresh:$scratch/tools
status 0 run # builds with these tools
: >calls
unusable "^pmuv3: unusable argument 'foo'; see ./pmuv3 help" docs foo
unusable 'unusable option' explore t.pmt --bogus
unusable 'unusable option' trace t.pmt --bogus -- ./x
finds_none apt-get calls || fail "something was installed for arguments that cannot be used: $(cat calls)"
for command in 'gnuplot explore t.pmt --plot x.svg' 'mkdocs docs' 'qemu trace t.pmt -- ./x'; do
  : >calls
  # shellcheck disable=SC2086 # several words
  status 2 ${command#* }
  grep -q "^apt-get install .* ${command%% *}" calls || fail "${command#* }: nothing was installed: $(cat calls err)"
done
export PMUV3_STAND_INS=$scratch/tools

# A value is a value, also where it is the name of an option.
for value in -h 'my -h dir'; do
  : >calls
  status 0 prove --json "$value"
  grep -q "^prove .*--json $value" calls || fail "prove --json '$value': nothing was proved"
done
status 0 prove --help
[ "$(cat out)" = help ] || fail "prove --help: $(cat out)"

# ---- What is split goes to the farm, with what Slurm asks of the environment ----
tool testbench/farm/farm.py '[[ $* != *--bogus* ]] || { echo "unusable option" >&2; exit 2; }' \
  "echo \"farm \$PMUV3_SOURCE \$* \${SLURM_CONF-} \${SBATCH_ACCOUNT-} \${SBATCH_WAIT-}\" >>'$scratch/calls'"
export SLURM_CONF=conf SBATCH_ACCOUNT=account SBATCH_WAIT=1
for mode in --slurm '--slurm main' '--slurm=main' --shards '--merge'; do
  : >calls
  # shellcheck disable=SC2086
  status 0 regress $mode --seeds 3
  [ "$(tail -n 1 calls)" = "farm $(digest) run regress $scratch/build/release/bin/pmuv3-regress --db $scratch/build/evidence.db \
--defaults-end $mode --seeds 3 conf account " ] || fail "regress $mode: $(cat calls)"
done
: >calls
status 0 prove --set ci --slurm
[ "$(grep -cE "^farm $(digest) (check|run) prove $scratch/build/release/bin/pmuv3-prove --bitcode .* --defaults-end --set ci --slurm " calls)" = 2 ] ||
  fail "prove --slurm: $(cat calls)"
: >calls
status 0 mutate --rtl 4 --slurm
[ "$(grep -cE "^farm [0-9a-f]* (check|run) mutate $scratch/testbench/signoff/mutate/mutate.sh --rtl 4 --slurm " calls)" = 2 ] ||
  fail "mutate --slurm: $(cat calls)"
unusable 'unusable option' mutate --shards --bogus
: >calls
status 0 explore t.pmt --config c --shards
[ "$(grep -c "^farm $(digest) run explore $scratch/build/release/bin/pmuv3-explore t.pmt --config c --shards " calls)" = 1 ] ||
  fail "explore --shards: $(cat calls)"
unusable 'unusable option' prove --shards --bogus
grep -q ' run prove .*--bogus' calls && fail "proved, though the arguments are unusable"
status 0 farm
status 0 farm cancel --all
[ "$(tail -n 2 calls | cut -d ' ' -f 3-)" = $'list conf account \ncancel --all conf account ' ] || fail "farm: $(cat calls)"
status 0 regress --shards --help
[ "$(cat out)" = help ] || fail "regress --shards --help: $(cat out)"
unset SLURM_CONF SBATCH_ACCOUNT SBATCH_WAIT

# ---- A build folder that is not of these sources ----

# made WHAT: the next run configures it, and the one after that does not
made() {
  : >calls
  status 0 run
  grep -q '^cmake release' calls || fail "$1: the folder was not made anew: $(cat calls)"
  : >calls
  status 0 run
  finds_none -q '^cmake' calls || fail "$1: made anew twice"
}
# kept WHAT: the next run builds where it was built
kept() {
  : >calls
  status 0 run
  finds_none -q '^cmake' calls || fail "$1: the folder was made anew"
}
sed -i 's|HOME_DIRECTORY:INTERNAL=.*|HOME_DIRECTORY:INTERNAL=/elsewhere|' build/release/CMakeCache.txt
made 'sources that are elsewhere'
sed -i 's|CACHEFILE_DIR:INTERNAL=.*|CACHEFILE_DIR:INTERNAL=/elsewhere|' build/release/CMakeCache.txt
made 'a folder that was copied'
echo 'PMUV3_RTL_OF:PATH=/elsewhere/build/release' >>build/release/CMakeCache.txt
made 'the RTL of another folder'
for setting in CMAKE_C_FLAGS:STRING=-DX GTest_DIR:PATH=/elsewhere PKG_CONFIG_EXECUTABLE:FILEPATH=/elsewhere PMUV3_CODE_COVERAGE:BOOL=ON \
  CCACHE:FILEPATH=/elsewhere pkgcfg_lib_Sqlite_sqlite3:FILEPATH=/elsewhere VERILATOR_BIN:FILEPATH=/elsewhere BUILD_SHARED_LIBS:BOOL=ON \
  JsonC_LDFLAGS:INTERNAL=-L/elsewhere; do
  echo "$setting" >>build/release/CMakeCache.txt
  made "somebody's $setting"
done
rm build/release/settings.list
made 'a folder that somebody configured'
# What CMake says of a setting, and what it finds when a build calls it again, once a part's packages are there.
printf '\n//%s\n' 'a comment' '-ADVANCED property' >>build/release/CMakeCache.txt
echo 'CCACHE-ADVANCED:INTERNAL=1' >>build/release/CMakeCache.txt
kept 'a folder with comments'
STAND_IN_WHILE_BUILT='echo engine_BINARY_DIR:STATIC=x >>build/release/CMakeCache.txt' kept 'a folder that gets one part more'
kept 'a folder that has one part more'
STAND_IN_WHILE_BUILT='echo GTest_DIR:PATH=/usr/lib >>build/release/CMakeCache.txt; exit 1' status 3 run
kept 'a folder that got a part before a tool ended'
mkdir "$scratch.copy"
cp -a . "$scratch.copy"
(cd "$scratch.copy" && sed -i 's/one/two/' cmodel/model.c && ./pmuv3 run) >out 2>&1 || fail "the copy: $(cat out)"
grep -q "HOME_DIRECTORY.*=$scratch.copy$" "$scratch.copy/build/release/CMakeCache.txt" || fail "the copy is built elsewhere"
rm -rf "$scratch.copy"
# A source that is newer than what was built is seen by its time, any other is not.
sleep 0.02
echo three >cmodel/model.c
kept 'a source that was edited'
echo four >cmodel/model.c && touch -d '2020-01-01' cmodel/model.c
made 'an older source'
touch -r cmodel/model.c kept && echo five >cmodel/model.c && touch -r kept cmodel/model.c
made 'a source of the same time'
touch -d '2019-01-01' cmodel/model.c
made 'a time that went back'
touch -d '2019-01-01' cmodel/new.h
made 'a new file that is old'
sleep 0.02
touch cmodel/model.c
kept 'a source that was touched'
# A new header may stand before one of the same name, a removed one may have done so.
sleep 0.02
touch cmodel/another.h
made 'a new header'
rm cmodel/another.h
made 'a header that is gone'
# A build that was ended leaves the times of its sources.
echo other >build/release/building
made 'an ended build, of sources that have changed since'
echo 'installed gcc-12 99' >installed
made 'another compiler'
rm build/release/versions.list
made 'a folder that somebody configured, with whatever tools'
for filter in comm uniq; do
  tool tools/$filter 'exit 7'
  : >calls
  status 0 run
  grep -q '^cmake release' calls || fail "$filter, which compares, fails, and the folder is taken for what it was"
  rm tools/$filter
  kept "$filter that compares"
done
# Of a build that failed something may be left.
cp -p cmodel/model.c kept
sleep 0.02
echo six >cmodel/model.c
cp tools/ninja ninja
echo 'echo "digest.sh: a header changed"; exit 1' >>tools/ninja
status 2 run
grep -q '^digest.sh: a header changed' err || fail "what a script says: $(cat err)"
cp ninja tools/ninja
echo 'seq -f "model.c:%.0f:1: error: no such thing" 9999; exit 1' >>tools/ninja
status 2 run
[ "$(grep -c '^model.c:[0-9]*:1: error: no such thing' err)" = 9999 ] || fail "errors of the sources: $(head -n 3 err)"
cp ninja tools/ninja
cp -p kept cmodel/model.c
made 'what was there before a build that failed'

# ---- Where it is started from, and in which environment ----
ln -s "$scratch" "$scratch.link"
mkdir -p other/testbench
ln -s "$scratch/pmuv3" other/linked
[ "$("$scratch.link/pmuv3" source) $(other/linked source)" = "$(digest) $(digest)" ] || fail "through a link: another digest"
(cd other && ./linked run >../out 2>&1) || fail "through a link: $(cat out)"
"$scratch.link/pmuv3" run >out 2>&1 || fail "through a link: $(cat out)"
left other/build
kept 'a run through a link'
rm "$scratch.link"
[ "$(CDPATH=$scratch/other bash pmuv3 source)" = "$(digest)" ] || fail "CDPATH leads elsewhere"
[ "$(POSIXLY_CORRECT=1 LC_ALL=de_DE.UTF-8 bash pmuv3 source)" = "$(digest)" ] || fail "another environment, another digest"
for variable in root here kept variable inherited called given BASHPID LINENO SECONDS BASH_SOURCE; do
  [ "$(env "$variable=/x" zz=1 "$program" source)" = "$(digest)" ] || fail "$variable of the environment"
done
[ "$(env 'BASH_FUNC_sort%%=() { command sort -r
}' "$program" source)" = "$(digest)" ] || fail "a function of the environment"
[ "$(env SHELLOPTS=noexec "$program" source)" = "$(digest)" ] || fail "SHELLOPTS=noexec"
ln -s . rtl/loop
status 2 source
grep -q '^pmuv3: the sources cannot be read' err || fail "sources that cannot be read: $(cat err)"
rm rtl/loop
# A list of the sources that is not whole is refused. It is not of other sources, for which a build would be deleted.
# shellcheck disable=SC2016
bash -c '. "$1" && { source_list . >/dev/full; } 2>/dev/null' bash testbench/common.sh && fail "a cut list of the sources is taken"
env SHELLOPTS=noclobber bash pmuv3 run >out 2>&1 || fail "SHELLOPTS=noclobber: $(cat out)"
for said in source help; do
  actual=0
  bash pmuv3 "$said" >/dev/full 2>err || actual=$?
  [ "$actual $(cat err)" = '2 pmuv3: cannot write to standard output' ] || fail "$said, full: $actual $(cat err)"
  actual=0
  bash pmuv3 "$said" 2>err >&- || actual=$?
  [ "$actual $(cat err)" = '2 pmuv3: cannot write to standard output' ] || fail "$said, closed: $actual $(cat err)"
done
# shellcheck disable=SC2016
tool tools/ninja 'env >seen' 'cat /proc/self/status >signals' "$builds"
# Nobody can wait for a child while SIGCHLD is ignored, bit 16. With SIGPIPE ignored, bit 12, a tool whose reader has
# read enough fails.
(trap '' CHLD PIPE && exec "$program" run) >out 2>&1 || fail "SIGCHLD and SIGPIPE are ignored: $(cat out)"
ignored=0x$(sed -n 's/^SigIgn:[[:space:]]*//p' signals)
((ignored >> 16 & 1)) && fail "tools are called with SIGCHLD ignored"
((ignored >> 12 & 1)) && fail "tools are called with SIGPIPE ignored"
for home in '' /proc/none "$scratch/home"; do
  env HOME="$home" CC=false CXX=false CCACHE_IGNOREHEADERS=/x CCACHE_PREFIX=false CMAKE_GENERATOR=Nothing DESTDIR=/x CFLAGS=-O0 MAKEFLAGS=-n CCACHE_SLOPPINESS=file_stat_matches NINJA_STATUS=%z TMPDIR=/none \
    BENCHMARK_OUT=x TESTBRIDGE_TEST_ONLY=x XML_OUTPUT_FILE=x TEST_PREMATURE_EXIT_FILE=x PKG_CONFIG=/x GTest_ROOT=/x SC_COPYRIGHT_MESSAGE=x TMOUT=1 FUNCNEST=3 GTEST_FILTER=x GTEST_TOTAL_SHARDS=9 CTEST_OUTPUT_ON_FAILURE=1 ASAN_OPTIONS=exitcode=0 UBSAN_OPTIONS=exitcode=0 PYTHONPATH=/x \
    "$program" run >out 2>&1 || fail "HOME=$home: $(cat out)"
  finds_none -E '^(CC|CXX|CMAKE_GENERATOR|DESTDIR|CFLAGS|MAKEFLAGS|NINJA_STATUS|TMPDIR|GTEST_.*|BENCHMARK_.*|CTEST_.*|.SAN_OPTIONS|UBSAN_OPTIONS|PYTHONPATH|TEST.*|XML_.*|PKG_.*|GTest.*|SC_.*|TMOUT|FUNCNEST)=|^CCACHE_(SLOPPINESS|IGNOREHEADERS|PREFIX)=.' seen || fail "the environment"
  cache=$(sed -n 's/^CCACHE_DIR=//p' seen)
  [ "$cache" = "$([ "$home" = "$scratch/home" ] || echo "$scratch/build/ccache")" ] || fail "HOME=$home: ccache is in '$cache'"
done
cp ninja tools/ninja

# ---- What is in the way of a build stays ----
mv build/release aside
mkdir build/release
echo mine >build/release/mine
actual=0
"$program" run >out 2>err || actual=$?
[ "$actual" = 2 ] || fail "somebody's folder: exit status $actual"
grep -q 'is no build folder, and in the way' err || fail "$(cat err)"
[ "$(cat build/release/mine)" = mine ] || fail "somebody's folder is gone"
echo CMAKE_PROJECT_NAME:STATIC=theirs >build/release/CMakeCache.txt
status 2 run
grep -q 'is no build folder, and in the way' err || fail "$(cat err)"
[ "$(cat build/release/mine)" = mine ] || fail "another project's folder is gone"
rm -r build/release
mv aside build/release
mv build aside
mkdir build
echo mine | tee build/source.list >build/lock
for command in run docs 'signoff --run' 'test'; do
  # shellcheck disable=SC2086
  unusable "/build' has files that were not made here" $command
done
[ "$(cat build/* && ls -A build)" = $'mine\nmine\nlock\nsource.list' ] || fail "somebody's build folder was written to"
for folder in build build/release build/package; do
  mkdir -p $folder
  mkfifo $folder/CMakeCache.txt
  program=$scratch/limited status 2 run
  grep -q "/build' has files that were not made here" err || fail "a pipe in $folder: $(cat err)"
  rm $folder/CMakeCache.txt
done
rm -r build
mv aside build
for file in signoff-2025.json mine.xml; do echo mine >build/signoff/$file; done
status 0 signoff --run
[ "$(cat build/signoff/{signoff-2025.json,mine.xml})" = $'mine\nmine' ] || fail "signoff removed what it did not make"

# ---- What CMake or make would take for something else is refused before anything is made ----
# shellcheck disable=SC1003 # a backslash
for character in ';' '"' '#' '$' "'" '\\' '&' '(' '{' '*' '!' ' '; do
  mkdir "a${character}b"
  cp -a pmuv3 cmodel rtl tlm_wrapper testbench docs CMakeLists.txt CMakePresets.json .clang-format "a${character}b"
  program=$scratch/a${character}b/pmuv3 unusable "^pmuv3: '.*' has a (blank|character) in it" run
  left "a${character}b/build"
  rm -r "a${character}b"
done

# ---- The pages ----
mkdir -p docs/{tutorial,howto,reference,design} proj/api "proj#1/src"
touch docs/{index.md,a.svg,a.css,mkdocs.yml} CONTRIBUTING.md
# shellcheck disable=SC2016
tool tools/doxygen 'folder=$(sed -n "s/^OUTPUT_DIRECTORY = \([^#]*\).*/\1/p")' 'mkdir -p "$folder/api" && echo made >"$folder/api/index.html"'
# shellcheck disable=SC2016
tool tools/mkdocs 'for config; do :; done' 'source=${config%/*}; sleep 0.5; cp -r "$source/docs" "$source/../site"'
mkdir build/site
echo mine >build/site/notes
unusable "^pmuv3 docs: docs: '.*/build/site' has files that were not made here" docs
[ "$(cat build/site/notes)" = mine ] || fail "docs removed somebody's build/site"
rm -r build/site
"$program" docs >second 2>&1 &
status 0 docs
wait $! || fail "two docs at once: $(cat second)"
[ -f build/site/docs/api/index.html ] || fail "two docs at once: no site"
status 0 docs
echo mine >proj/api/index.html
cp -a pmuv3 cmodel rtl tlm_wrapper testbench docs CMakeLists.txt CMakePresets.json CONTRIBUTING.md .clang-format 'proj#1/src'
mkdir -p 'proj#1/src/build/'{release,site}
echo mine >'proj#1/src/build/site/notes'
program=$scratch/proj#1/src/pmuv3 unusable "/build' has files that were not made here" docs
[ "$(cat 'proj#1/src/build/site/notes')" = mine ] || fail "docs removed somebody's build/site"
rm -r 'proj#1/src/build'
program=$scratch/proj#1/src/pmuv3 status 0 docs
[ "$(cat proj/api/index.html)" = mine ] || fail "docs wrote to another folder"
rm -r proj 'proj#1'
# mkdocs names a broken link among much else, in colors.
mkdir -p linked
# shellcheck disable=SC2016
tool linked/mkdocs 'for config; do :; done' 'mkdir "${config%/*}/../site/half"' \
  "printf 'INFO - Cleaning\n\e[33mWARNING  -  \e[0mFile a.md contains a link to nope.md\nWARNING  -  File b.md\n\nAborted\n' >&2" 'exit 1'
PMUV3_STAND_INS=$scratch/linked:$PMUV3_STAND_INS unusable '^pmuv3 docs: File a.md contains a link to nope.md$' docs
left build/site/half
tool linked/mkdocs "kill -KILL \$\$"
PMUV3_STAND_INS=$scratch/linked:$PMUV3_STAND_INS status 3 docs
ended=0
"$program" docs >&- 2>err || ended=$?
[ "$ended:$(cat err)" = '2:pmuv3: cannot write to standard output' ] || fail "docs >&-: $ended: $(cat err)"
ended=0
"$program" docs >/dev/full 2>err || ended=$?
[ "$ended:$(cat err)" = '2:pmuv3 docs: cannot write to standard output' ] || fail "docs >/dev/full: $ended: $(cat err)"

# ---- What is locked is a file ----
# A pipe would never be opened, and a link leads to a file of somebody's.
mkdir -p testbench/cosim/check
cp "${1%/*}"/testbench/cosim/check/{again,check,exact}.sh testbench/cosim/check
tool programs/pmuv3-check-glue ''
cp programs/pmuv3-check-glue build/release/bin
touch small.pmu small.v
tool tools/verilator 'exit 1'
status 3 check small.pmu small.v
echo mine >mine
for place in "build/lock run" "build/docs.lock docs" "build/tests.lock test" \
  "$(echo build/check/small-*/lock) check small.pmu small.v"; do
  read -ra words <<<"$place"
  for make in 'mkfifo' 'mkdir' "ln -s $PWD/mine" "ln -s $PWD/absent"; do
    rm -rf "${words[0]}"
    $make "${words[0]}"
    program=$scratch/limited \
      unusable "^pmuv3[a-z ]*: '.*/${words[0]}' is no regular file, and in the way$" "${words[@]:1}"
  done
  rm -rf "${words[0]}"
done
[ "$(cat mine)" = mine ] || fail "a link was followed"

# ---- Which tests ----
# asked_of_ctest OPTION...: what ctest runs, for the release.
asked_of_ctest() {
  : >calls
  PMUV3_TERM_ROUNDS=0 status 0 test "$@"
  finds_none "^PMUV3_TERM" calls || fail "a variable of the environment reaches the tests"
  grep 'output-junit.*release/' calls | sed 's/.*xml\.[0-9]*\.new//'
}
slow=$(sed -n 's/^release \+\([^ ]*\) .*/\1/p' testbench/tests/slow.txt | paste -sd '|')
[ "$(asked_of_ctest)" = " -E $slow" ] || fail "the fast tests are: $(asked_of_ctest)"
[ "$(asked_of_ctest -E 'a|b' -V)" = " -V -E $slow|a|b" ] || fail "-E: $(asked_of_ctest -E 'a|b' -V)"
[ "$(asked_of_ctest --all -j 3)" = ' -j 3' ] || fail "--all: $(asked_of_ctest --all -j 3)"
[ "$(asked_of_ctest -R slow -E b)" = ' -R slow -E b' ] || fail "-R: $(asked_of_ctest -R slow -E b)"

# ---- What a result is of ----
status 0 test -R x
for result in build/{release,sanitize}/tests.{json,xml}; do
  grep -q "source.*$(digest).*preset[^a-z]*$(basename "$(dirname "$result")")" "$result" ||
    fail "$result: $(cat "$result")"
done
jq -e .tests build/release/tests.json >/dev/null || fail "tests.json: $(cat build/release/tests.json)"
STAND_IN_NO_RESULT=1 status 0 test -R x
left build/{release,sanitize}/tests.xml
STAND_IN_WHILE_TESTED="echo more >>$scratch/cmodel/model.c" status 0 test
grep -q 'the results are no evidence' err || fail "changed while it was tested: $(cat err)"
left build/{release,sanitize}/tests.{xml,json}
STAND_IN_WHILE_TESTED="echo x >>$scratch/build/release/source.list" status 0 test
grep -q 'the results are no evidence' err || fail "built of others while it was tested: $(cat err)"
left build/{release,sanitize}/tests.{xml,json}
for file in source.list CMakeCache.txt; do # a pipe, whose writer nobody waits for
  STAND_IN_WHILE_TESTED="cd '$scratch/build/release' && rm -f $file && mkfifo $file" \
    program=$scratch/limited status 0 test
  grep -q 'the results are no evidence' err || fail "a pipe for $file while it was tested: $(cat err)"
done
STAND_IN_WHILE_TESTED="cp -p $scratch/cmodel/model.c kept; echo more >>$scratch/cmodel/model.c; cp -p kept $scratch/cmodel/model.c" \
  status 0 test
grep -q 'the results are no evidence' err || fail "changed and taken back while it was tested: $(cat err)"
left build/{release,sanitize}/tests.{xml,json}
# ctest that is stopped has written what it knows so far.
STAND_IN_CTEST_ENDS=1 status 3 test -R x
left build/{release,sanitize}/tests.xml
STAND_IN_CTEST_ENDS=8 status 1 test -R x
for preset in release sanitize; do [ -s build/$preset/tests.xml ] || fail "tests failed, and nothing is known of it"; done
# Where the script is killed, ctest is, too: else it would go on beside the next call's.
STAND_IN_WHILE_TESTED="echo \$\$ >'$scratch/tested'; exec sleep 7654" "$program" test -R x >out 2>&1 &
entry=$!
for _ in {1..100}; do if [ -s tested ]; then break; else sleep 0.1; fi; done
kill -9 "$entry"
wait "$entry"
runs() { grep -qsE '^State:[[:space:]]*[^ZX]' "/proc/$(cat tested)/status"; }
for _ in {1..50}; do if runs; then sleep 0.1; else break; fi; done
! runs || fail "ctest outlives the script"
kill -9 "$(cat tested)" 2>/dev/null
# Where no test is run, the results of --all stay.
status 0 test --all
unusable '^pmuv3 test: no test has such a name' test -R nothing
for result in build/{release,sanitize}/tests.{json,xml}; do
  [ -s "$result" ] || fail "$result is gone, and nothing was run"
done
# Changed behind the build, just when its digest was taken.
# shellcheck disable=SC2016
tool tools/sha256sum '/usr/bin/sha256sum "$@"' \
  "if [ \$# = 0 ] && [ -e armed ]; then rm armed && echo more >>'$scratch/cmodel/model.c'; fi"
STAND_IN_WHILE_BUILT="[[ \$* != *release*pmuv3-fast* ]] || touch '$scratch/armed'" unusable '^pmuv3 test: the sources are now ' test
rm tools/sha256sum
left armed

# ---- What did not pass is run again ----
for options in '--again --all' '--all --again' '--again -R a' '-E a --again'; do
  # shellcheck disable=SC2086
  unusable '^pmuv3 test: --again chooses the tests' test $options
done
again() { unusable "^pmuv3 test: --again: build/sanitize has no results of './pmuv3 test --all' of these sources" test --again; }
echo '{"tests": [{"name": "a"}, {"name": "b"}, {"name": "c"}, {"name": "d"}]}' >tests.json
skipped='<testcase name="c" status="notrun"><skipped/></testcase>'
echo '<testsuite tests="3" failures="1" disabled="0" skipped="1">
<testcase name="a" status="run"/><testcase name="b" status="fail"><failure/></testcase>'"$skipped</testsuite>" >result.xml
status 0 test -R x
again
echo more >>cmodel/model.c
status 0 test --all
cp cmodel/model.c kept
echo more >>cmodel/model.c
again
cp kept cmodel/model.c
echo '<testsuite tests="3" failures="1" disabled="0" skipped="0">
<testcase name="b" status="run"/><testcase name="c" status="run"/><testcase name="d" status="fail"><failure/></testcase></testsuite>' >result.xml
[ "$(asked_of_ctest --again -V)" = ' -I 0,0,0,2,3,4 -V' ] || fail "--again: $(asked_of_ctest --again -V)"
xpath() { xmllint --xpath "$1" build/release/tests.xml; }
[ "$(xpath 'count(//testsuite[@tests=4 and @failures=1 and @skipped=0 and @suite="all"]/testcase)')" = 4 ] ||
  fail "--again: $(cat build/release/tests.xml)"
[ "$(xpath 'string(//testcase[@name="b" and @status="run"]/@before)')" = fail ] || fail "a test that failed before: $(cat build/release/tests.xml)"
[ "$(xpath 'count(//testcase[@before])')" = 1 ] || fail "tests that did not fail before: $(cat build/release/tests.xml)"
echo test --all >missing
sed -i 's/"d" status="fail"><failure\/>/"d" status="run">/' result.xml
: >calls
status 0 signoff --run
grep -q 'output-junit.*release/.* -I 0,0,0,4$' calls || fail "not what is missing alone: $(cat calls)"
[ "$(xpath 'count(//testcase[@before and @status="run"])')" = 2 ] || fail "twice again: $(cat build/release/tests.xml)"
: >calls
status 0 test --again
if grep -q output-junit calls || ! grep -qx 'every test passed' out; then fail "nothing is left: $(cat calls out)"; fi
sed -i 's/{"name": "d"}/&, {"name": "e"}/' tests.json
[ "$(asked_of_ctest --again)" = ' -I 0,0,0,5' ] || fail "a test that is there since: $(asked_of_ctest --again)"
cp build/release/tests.xml kept
for damage in 's/<testsuite.*>/&<one>/' 's/name="a"/name="\xff"/'; do
  LC_ALL=C sed -i "$damage" build/release/tests.xml
  unusable '^pmuv3 test: --again: .*build/release/tests.xml: .*; ./pmuv3 test --all makes it anew$' test --again
  cp kept build/release/tests.xml
done
jq -e '.tests | length == 5' build/release/tests.json >/dev/null || fail "tests.json: $(cat build/release/tests.json)"
# What the tests of planted defects left may be gone, though they passed. Then all are run.
for evidence in 'Tests, release' 'Planted defects, Tests, release'; do
  printf 'test --all\t%s\n' "$evidence" >missing
  : >calls
  status 0 signoff --run
  [ "$(grep -c 'output-junit.*release/.* -I 0,0,0,5$' calls)" = 1 ] || fail "$evidence: not again: $(cat calls)"
  [[ $(grep -c 'output-junit.*release/.*new$' calls) = 1 && $evidence == Planted* ]] ||
    [[ $(grep -c 'output-junit.*release/.*new$' calls) = 0 && $evidence == Tests* ]] || fail "$evidence: $(cat calls)"
done
# shellcheck disable=SC2016
tool tools/ctest '[[ $* != *show-only* ]] || exit 0' 'exit 8'
status 1 test
# shellcheck disable=SC2016
tool tools/ctest '[[ $* != *show-only* ]] || exit 0' "mkdir -p '$scratch/build/sanitize/tests.json'" 'exit 8'
status 1 test -R x
rmdir build/sanitize/tests.json
# shellcheck disable=SC2016
tool tools/ctest '[[ $* != *show-only* ]] || exit 0' 'kill -9 $$'
status 3 test

# ---- What fails unforeseen gives no verdict ----
mv build/source.list aside
mkdir build/source.list
unusable '' run
rmdir build/source.list
mv aside build/source.list
tool tools/sort 'exit 7'
status 2 run
rm tools/sort
tool tools/ccache 'exit 0'
mkdir elsewhere
tool elsewhere/cmake "touch '$scratch/elsewhere/used'"
cp elsewhere/cmake elsewhere/ninja
rm -rf build/release
PATH=$scratch/elsewhere:$PATH status 0 run
left elsewhere/used

# no_verdict_of TOOL LINE...: the tool ends so, and nobody is blamed.
no_verdict_of() {
  cp "tools/$1" killed
  tool "tools/$1" "${@:2}"
  status 3 run
  [ "$(grep -vc '^pmuv3: build' err)" = 1 ] || fail "$1: ${*:2}: not one line: $(cat err)"
  grep -q '^pmuv3: a tool ended without an error .*: no verdict' err || fail "$1: ${*:2}: $(cat err)"
  mv killed "tools/$1"
}
# shellcheck disable=SC2016
no_verdict_of ninja 'kill -9 $$'
no_verdict_of ninja 'echo "ninja: fatal: posix_spawn: Resource temporarily unavailable"; exit 1'
for words in 'c++: fatal error: Killed signal terminated program cc1plus' \
  'collect2: fatal error: ld terminated with signal 9 [Killed]' 'clang: error: unable to execute command: Killed' \
  '%Error: Verilator threw signal 9' ''; do
  no_verdict_of ninja "printf '%s\n' 'FAILED: model.o' 'c++ -Werror -c model.c' '$words' 'ninja: build stopped: subcommand failed.'" 'exit 1'
done
# CMake says that it cannot go on, and ninja says it of CMake, whatever the reason is.
no_verdict_of ninja 'printf "%s\n" "FAILED: build.ninja" "ninja: error: rebuilding '"'build.ninja'"': subcommand failed"' 'exit 1'
no_verdict_of ninja 'printf "%s\n" "CMake Error at GoogleTestAddTests.cmake:112 (message):" "Result: Subprocess killed"' 'exit 1'
# What reads the sources, the first time or a later one. Where /usr/local/include is there, the seventh looks into it.
for killed in 1 3 5 $([ -d /usr/local/include ] && echo 8 || echo 7); do
  echo 0 >finds
  # shellcheck disable=SC2016
  tool tools/find 'number=$(($(cat '"$scratch"'/finds) + 1)); echo $number >'"$scratch"'/finds' \
    "[ \$number != $killed ] || kill -9 \$\$" 'exec /usr/bin/find "$@"'
  status 3 run
  grep -qx 'pmuv3: no verdict: a tool was killed while it read the sources' err || fail "find $killed: $(cat err)"
done
rm tools/find
rm -rf build/release
# shellcheck disable=SC2016
no_verdict_of cmake 'kill -9 $$'
no_verdict_of cmake 'printf "%s\n" "CMake Error at CMakeTestCCompiler.cmake:67 (message):" "c++: fatal error: Killed signal terminated program cc1plus"' 'exit 1'
cp tools/cmake cmake
echo 'echo "CMake Error at CMakeLists.txt:3 (find_package):"; exit 1' >>tools/cmake
status 2 run
grep -q '^CMake Error at CMakeLists.txt:3' err || fail "an error of CMake: $(cat err)"
mv cmake tools/cmake

for files in 4 5 6 7; do
  actual=0
  (ulimit -n $files && exec "$program" run) >out 2>&1 || actual=$?
  [ "$actual" -ge 2 ] || fail "$files open files: exit status $actual: $(cat out)"
done

# No file may grow.
actual=$( (ulimit -f 0; "$program" run 2>&1 >/dev/null; echo "status $?") | cat)
[ "$actual" = "pmuv3: cannot write to $scratch/build"$'\nstatus 2' ] || fail "no file may grow: $actual"

# Standard error may be closed or full: the exit status says it all the same.
for lost in '2>/dev/full' '2>&-'; do
  actual=0
  eval "\"$program\" nonsense >out $lost" || actual=$?
  [ "$actual" = 2 ] || fail "$lost: exit status $actual"
done

# A name is no option of the farm, whatever is in it.
: >calls
status 0 regress --junit 'a --merge b.xml'
grep -q '^regress .* --junit a --merge b.xml$' calls || fail "a name with an option in it: $(cat calls err)"

# ---- Ended while it builds: what it started ends, too ----
tool tools/ninja 'sleep 7654 & echo $! >started; wait'
"$program" run >out 2>&1 &
entry=$!
for _ in {1..100}; do if [ -s started ] || [ -s build/started ]; then break; else sleep 0.1; fi; done
kill "$entry"
wait "$entry"
[ ! -d "/proc/$(cat started)" ] || fail "a process was left"

all_held
