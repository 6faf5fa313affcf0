#!/usr/bin/env bash
# The campaign is honest: plant.sh refuses a table that does not fit the sources, and campaign.sh fails on
# everything except a found and replayed defect. Stand-ins replace the programs.
# shellcheck source=../../tests/cli/check.sh
. "$(dirname "$0")/../../tests/cli/check.sh"

# gives EXPECTED TEXT COMMAND...: expects the exit status, and the text in the output if TEXT is not empty
gives() {
  local expected=$1 text=$2 actual=0
  shift 2
  "$@" >"$scratch/out" 2>&1 || actual=$?
  [ "$actual" -eq "$expected" ] || fail "$*: exit status $actual, expected $expected"
  [ -z "$text" ] || grep -qF -- "$text" "$scratch/out" || fail "$*: no '$text' in: $(cat "$scratch/out")"
}

# plant EXPECTED TEXT LINE...: plants a table with one defect in the filter
plant() {
  local expected=$1 text=$2
  shift 2
  printf '%s\n' 'defect d' 'file rtl/pmuv3_filter.sv' "$@" >"$scratch/table"
  gives "$expected" "$text" "$here/plant.sh" "$scratch/table" "$scratch/copy"
}

plant 0 '' 'at assign running_o =' '- controls.global_enable' "+ '1"
grep -qF "(pmuv3_defect_pkg::selected != 1 ? (controls.global_enable) : ('1))" \
  "$scratch/copy/rtl/pmuv3_filter.sv" || fail "not planted: $(cat "$scratch/copy/rtl/pmuv3_filter.sv")"
plant 1 'in 0 places' 'at assign running_o =' '- enable_that_was_renamed' "+ 1'b1"
plant 1 'in 0 places' 'at assign no_such_signal =' '- controls.global_enable' "+ 1'b1"
plant 1 'in 2 places' 'at assign' '- frozen_r1_o' "+ 1'b1"
plant 1 'no such file' 'file rtl/none.sv' 'at assign running_o =' '- controls.global_enable' "+ 1'b1"
plant 2 'unknown key' 'where assign running_o =' '- controls.global_enable' "+ 1'b1"
plant 2 'no wrong' 'at assign running_o =' '- controls.global_enable'

# Arguments alone: nothing is made of them.
gives 0 '' "$here/campaign.sh" --check-arguments --sample --work "$scratch/work"
gives 2 'no such defect' "$here/campaign.sh" --check-arguments --work "$scratch/work" no-such-defect
gives 2 'is no folder' "$here/campaign.sh" --check-arguments --work "$scratch/table"
[ ! -e "$scratch/work" ] || fail "arguments were checked, and a folder made"

# Invalid names, names that lead to another folder, and a file outside the copy.
for wrong in ../d .d a/b 'a b' -d; do
  printf '%s\n' "defect $wrong" 'file rtl/pmuv3_filter.sv' >"$scratch/table"
  gives 2 "$wrong: no name of a defect" "$here/plant.sh" "$scratch/table" "$scratch/copy"
done
for wrong in ../victim "$scratch/victim" rtl/../../victim rtl/..; do
  echo victim >"$scratch/victim"
  plant 2 "$wrong: no file of the sources" "file $wrong" 'at v' '- ictim' '+ x'
  [ "$(cat "$scratch/victim")" = victim ] || fail "$wrong: a file beside the copy is changed"
done

# A checkout made of links: the copy has only regular files, and the links' targets do not change. Other files
# in the checkout are not copied, so the copy may be inside the checkout.
checkout=$scratch/checkout mine=$scratch/mine.rtl
mkdir -p "$checkout"/{testbench/signoff,docs/reference,cmodel/src,tlm_wrapper,waves,divergences}
cp -rL "$here" "$checkout/testbench/signoff"
cp "$here/../../"{build.sh,common.sh,settings.sh,script.py} "$checkout/testbench"
cp -rL "$here/../../../rtl" "$mine"
cp -L "$here/../../../cmodel/CMakeLists.txt" "$scratch/mine.cmake"
ln -s "$mine" "$checkout/rtl"
ln -s "$scratch/mine.cmake" "$checkout/cmodel/CMakeLists.txt"
touch "$checkout"/{cmodel/src/a.c,CMakeLists.txt,CMakePresets.json,.clang-format,pmuv3,docs/reference/rules.md,waves/a.gtkw,divergences/user}
before=$(cd "$scratch" && find mine* -type f -exec sha256sum {} +)
plant_linked() {
  printf '%s\n' 'defect d' 'file rtl/pmuv3_filter.sv' 'at assign running_o =' '- controls.global_enable' "+ '1" \
    >"$scratch/table"
  gives 0 '' "$checkout/testbench/signoff/defects/plant.sh" "$scratch/table" "$1"
  grep -q 'pmuv3_defect_pkg::selected != 1' "$1/rtl/pmuv3_filter.sv" || fail "not planted in $1"
  [ -z "$(find "$1" -type l)" ] || fail "a link is in the copy: $(find "$1" -type l)"
  [ "$(cd "$scratch" && find mine* -type f -exec sha256sum {} +)" = "$before" ] || fail "the sources are changed"
  if [ ! -f "$1/waves/a.gtkw" ] || [ -e "$1/divergences" ]; then fail "copied: $(ls "$1")"; fi
}
plant_linked "$scratch/linked"
plant_linked "$checkout/w/source"
plant_linked "$checkout/w/source" # again, over the first copy
for among in testbench/w rtl/w; do
  gives 2 'is among the sources' "$checkout/testbench/signoff/defects/plant.sh" "$scratch/table" "$checkout/$among"
  [ ! -e "$checkout/$among" ] || fail "$among was made among the sources"
done

# Nothing is tried of a copy that does not build.
mkdir "$scratch/killed"
stand_in "$scratch/killed/cmake" <<<'exit 0'
stand_in "$scratch/killed/ninja" <<<'kill -KILL $$'
PMUV3_STAND_INS=$scratch/killed gives 3 'no verdict: the scratch copy does not build' \
  "$checkout/testbench/signoff/defects/campaign.sh" --build --work "$scratch/unbuilt" --table "$scratch/table"

# An error of the sources is one.
mkdir "$scratch/refused"
stand_in "$scratch/refused/cmake" <<<"echo \"cmake \$* \$PKG_CONFIG_LIBDIR\" >>'$scratch/calls'"
stand_in "$scratch/refused/ninja" <<<'echo "a.c:1: error: no such thing"; exit 1'
mkdir "$scratch/unbuilt/build"
touch "$scratch/unbuilt/build/versions.list"
PMUV3_STAND_INS=$scratch/refused gives 2 'campaign.sh: the scratch copy does not build; see' \
  "$checkout/testbench/signoff/defects/campaign.sh" --build --work "$scratch/unbuilt" --table "$scratch/table"
# The copy is built as the sources are, and what was built before is gone.
grep -qE '^cmake --preset release .* /usr/lib/[^ ]*/pkgconfig:' "$scratch/calls" || fail "configured by: $(cat "$scratch/calls")"
[ ! -e "$scratch/unbuilt/build/versions.list" ] || fail "an earlier build stays"

# Nor of a copy that was made while a source was another for a moment.
echo "echo moment >'$checkout/cmodel/src/a.c'; : >'$checkout/cmodel/src/a.c'" >>"$checkout/testbench/signoff/defects/plant.sh"
PMUV3_STAND_INS=$scratch/killed gives 2 'the sources were changed while they were copied' \
  "$checkout/testbench/signoff/defects/campaign.sh" --build --work "$scratch/unbuilt" --table "$scratch/table"

bin=$scratch/work/build/bin
mkdir -p "$bin"
echo "pmuv3 made this folder and may empty it" >"$scratch/work/.pmuv3"
# of DIGEST: sets the digest of the copy's sources, and of its table
of() { printf '%s\n' "$1" "$(sha256sum <"$scratch/table" | cut -c1-16)" >"$scratch/work/of"; }

# pmuv3-run that finds the defect
finding_run() {
  stand_in "$bin/pmuv3-run" <<'END'
#!/usr/bin/env bash
[ "$PMUV3_DEFECT" = 0 ] && exit 0
while [ "$1" != --out ]; do shift; done
mkdir -p "$2"
echo 'diverged at cycle 7, thread 0, counter 1, V: cmodel 0x0, rtl 0x1' >"$2/divergence.txt"
cat >"$2.json" <<JSON
{"cycles": 8, "first_divergence": {"cycle": 7, "thread": 0, "counter": 1, "signal": "V",
 "configuration": "c", "x_seed": 5, "stimulus": "$2/stimulus.stim"}}
JSON
exit 1
END
}

# replay STATUS CYCLE: pmuv3-replay that exits with STATUS and reports a divergence at CYCLE
replay() {
  stand_in "$bin/pmuv3-replay" <<END
#!/usr/bin/env bash
[ "\$PMUV3_DEFECT" = 0 ] && exit 0
echo "file:9: diverged at cycle $2, thread 0, counter 1, V: cmodel 0x0, rtl 0x1" >&2
exit $1
END
}

# campaign EXPECTED TEXT ARGUMENT...: runs campaign.sh as `gives` does
campaign() {
  local expected=$1 text=$2
  shift 2
  gives "$expected" "$text" "$here/campaign.sh" --no-build --work "$scratch/work" "$@"
}

printf '%s\n' 'defect rtl-one' 'what one' 'sample' 'defect cmodel-two' 'what two' >"$scratch/table"
of 0123456789abcdef
sample=(--table "$scratch/table" --sample)

# in_page ROW: the page's table has only this row
in_page() {
  [ "$(grep '^| [rc]' "$scratch/work/defects.md")" = "$1" ] || fail "no '$1' in: $(cat "$scratch/work/defects.md")"
}

finding_run
replay 1 7
campaign 0 '1 of 1 defects found and replayed' "${sample[@]}"
in_page '| rtl-one | one | 8 | V | 0 | 1 | c | 7 |'
loses_stdout 2 "$here/campaign.sh" --no-build --work "$scratch/work" "${sample[@]}"
# Outside the sample, a wave is required, and what makes it.
campaign 2 '--no-build: the copy has no pmuv3-replay-wave' --table "$scratch/table" rtl-one
stand_in "$bin/pmuv3-replay-wave" <<<'exit 0'
campaign 1 'rtl-one: NO WAVE' --table "$scratch/table" rtl-one
mkdir "$scratch/wave"
# shellcheck disable=SC2016
stand_in "$scratch/wave/fst2vcd" <<<'kill -KILL $$'
PMUV3_STAND_INS=$scratch/wave campaign 3 'rtl-one: NO VERDICT' --table "$scratch/table" rtl-one

# results.py that is killed has no verdict, and hides no defect that was missed.
mkdir "$scratch/dying"
for dies in found page; do
  stand_in "$scratch/dying/python3" <<END
#!/bin/sh
case "\$*" in *"results.py $dies"*) kill -9 \$\$ ;; esac
exec /usr/bin/python3 "\$@"
END
  replay 1 7
  PMUV3_STAND_INS=$scratch/dying campaign 3 'campaign.sh: no verdict: a tool ended with status 137' "${sample[@]}"
  replay 0 7
  PMUV3_STAND_INS=$scratch/dying campaign 1 'not every defect was found' "${sample[@]}"
done

replay 0 7
campaign 1 'rtl-one: DOES NOT REPLAY' "${sample[@]}"
replay 1 6
campaign 1 'rtl-one: DOES NOT REPLAY' "${sample[@]}"
stand_in "$bin/pmuv3-replay" <<<'exit 1'
campaign 1 'a litmus file fails' "${sample[@]}"

replay 1 7
stand_in "$bin/pmuv3-run" <<<'exit 0'
campaign 1 'rtl-one: NOT FOUND' "${sample[@]}"
loses_stdout 1 "$here/campaign.sh" --no-build --work "$scratch/work" "${sample[@]}"
campaign 1 'not every defect was found' "${sample[@]}"
in_page '| rtl-one | one | not found | | | | | |'
stand_in "$bin/pmuv3-run" <<<"[ \"\$PMUV3_DEFECT\" = 0 ]" # it fails, but reports no divergence
campaign 1 'rtl-one: NOT FOUND' "${sample[@]}"
stand_in "$bin/pmuv3-run" <<<'exit 1'
campaign 1 'diverges without a defect' "${sample[@]}"
for ended in 'exit 2' 'exit 3' 'kill -9 $$'; do
  stand_in "$bin/pmuv3-run" <<<"$ended"
  campaign 3 'no verdict without a defect: pmuv3-run ended' "${sample[@]}"
done

campaign 2 'no such defect' --table "$scratch/table" rtl-three
campaign 2 'rtl-one: is given twice' --table "$scratch/table" rtl-one cmodel-two rtl-one
campaign 2 'no such file' --table "$scratch/none"
campaign 2 'unknown argument' --every
cat "$scratch/table" "$scratch/table" >"$scratch/twice"
campaign 2 'a name is there twice' --table "$scratch/twice"

# A run that ended without an answer gives no verdict: neither found nor missed.
for death in 'exit 2' 'exit 3' "kill -9 \$\$"; do
  stand_in "$bin/pmuv3-run" <<<"[ \"\$PMUV3_DEFECT\" != 0 ] || exit 0; $death"
  campaign 3 'rtl-one: NO VERDICT' "${sample[@]}"
  [ ! -e "$scratch/work/results/rtl-one.log" ] || fail "it counts as tried"
done
finding_run
for death in 'exit 2' 'exit 3' "kill -9 \$\$"; do
  stand_in "$bin/pmuv3-replay" <<<"[ \"\$PMUV3_DEFECT\" != 0 ] || exit 0; $death"
  campaign 3 'rtl-one: NO VERDICT' "${sample[@]}"
  [ ! -e "$scratch/work/results/rtl-one.log" ] || fail "it counts as tried, and its replay was killed"
done
replay 1 7

# A campaign that is interrupted, in the run or in the replay: the defect was not tried, wherever it was found before.
finding_run
campaign 0 '1 of 1 defects found' "${sample[@]}"
[ -f "$scratch/work/results/rtl-one.log" ] || fail "it does not count as tried"
interrupts="[ \"\$PMUV3_DEFECT\" = 0 ] || kill -TERM \$(cat '$scratch/campaign')"
interrupted() {
  # shellcheck disable=SC2016
  gives 143 '' bash -c 'echo $$ >"$0"; exec "$@"' "$scratch/campaign" "$here/campaign.sh" --no-build --work "$scratch/work" "${sample[@]}"
  [ ! -e "$scratch/work/results/rtl-one.log" ] || fail "interrupted in the $1: it counts as tried"
}
cp "$bin/pmuv3-run" "$scratch/finds"
stand_in "$bin/pmuv3-run" <<<"$interrupts; [ \"\$PMUV3_DEFECT\" = 0 ] || sleep 9"
interrupted run
cp "$scratch/finds" "$bin/pmuv3-run"
stand_in "$bin/pmuv3-replay" <<<"$interrupts; [ \"\$PMUV3_DEFECT\" = 0 ] || sleep 9"
interrupted replay
replay 1 7

# A defect has its number in the table of the beginning, whatever becomes of the file.
stand_in "$bin/pmuv3-run" <<END
#!/usr/bin/env bash
if [ "\$PMUV3_DEFECT" = 0 ]; then
  printf '%s\n' 'defect cmodel-two' 'what two' 'defect rtl-one' 'what one' 'sample' >"$scratch/table"
else
  echo "\$PMUV3_DEFECT" >>"$scratch/tried"
fi
exec "$scratch/finds" "\$@"
END
cp "$scratch/table" "$scratch/first"
campaign 0 '1 of 1 defects found' "${sample[@]}"
[ "$(cat "$scratch/tried")" = 1 ] || fail "defect 1 was tried as $(cat "$scratch/tried")"
cp "$scratch/first" "$scratch/table"

# Results carry the digest of the copy's sources. Results of other sources are removed.
finding_run
campaign 0 '1 of 1 defects found' "${sample[@]}"
campaign 1 'cmodel-two: NO WAVE' --table "$scratch/table" cmodel-two
[ -f "$scratch/work/results/rtl-one.row" ] || fail "results of the same sources are gone"
[ ! -e "$scratch/work/results/source" ] || fail "results of a table of one's own are evidence"
of fedcba9876543210
campaign 1 'cmodel-two: NO WAVE' --table "$scratch/table" cmodel-two
[ ! -e "$scratch/work/results/rtl-one.row" ] || fail "results of other sources stay"
campaign 2 'the copy has the defects of another table' --sample
for measure in shrink failure_report; do
  gives 2 "--work: $scratch/work has no copy with the defects of the table" "$here/../../cosim/$measure/measure.sh" --work "$scratch/work"
done
cp "$scratch/table" "$scratch/own"
cp "$here/defects.txt" "$scratch/table"
of fedcba9876543210
campaign 0 'defects found and replayed' --sample
[ ! -e "$scratch/work/results/source" ] || fail "the table is not known to be that of the copy's sources"
sources=$("$here/../../../pmuv3" source)
of "$sources"
campaign 0 'defects found and replayed' --sample
[ "$(cat "$scratch/work/results/source")" = "$sources" ] || fail "results do not say of what they are"
cp "$scratch/own" "$scratch/table"
of "$sources"
campaign 1 'cmodel-two: NO WAVE' --table "$scratch/table" cmodel-two
[ ! -e "$scratch/work/results/source" ] || fail "results of a table of one's own are evidence"
# A pipe is no file, and its writer may never come.
finding_run
rm "$scratch/work/results/of"
mkfifo "$scratch/work/results/of"
gives 0 '1 of 1 defects found' timeout 60 "$here/campaign.sh" --no-build --work "$scratch/work" "${sample[@]}"
cmp -s "$scratch/work/of" "$scratch/work/results/of" || fail "results do not say of what copy they are"
rm "$scratch/work/of"
mkfifo "$scratch/work/of"
gives 2 'has no copy with the defects of the table' \
  timeout 30 "$here/../../cosim/shrink/measure.sh" --work "$scratch/work"
rm "$scratch/work/of"
campaign 2 'there is no copy that was built' "${sample[@]}"

# A program that dies unexpectedly gives no verdict.
of fedcba9876543210
mkdir "$scratch/broken"
stand_in "$scratch/broken/cp" <<<'exit 1'
PMUV3_STAND_INS=$scratch/broken campaign 3 'campaign.sh: no verdict: a command failed' "${sample[@]}"

# A table that the script would remove.
mkdir -p "$scratch/work/source" "$scratch/own_copy"
cp "$scratch/table" "$scratch/work/source/table"
campaign 2 "campaign.sh: --table: '$scratch/work/source/table' is in '$scratch/work/source', where" \
  --table "$scratch/work/source/table"
gives 0 '' "$here/campaign.sh" --check-arguments --work "$scratch/work" --table "$scratch/work/table"
cp "$scratch/table" "$scratch/work/.pmuv3" "$scratch/own_copy"
gives 2 "plant.sh: TABLE: '$scratch/own_copy/table' is in" "$here/plant.sh" "$scratch/own_copy/table" "$scratch/own_copy"
for copy in work/source own_copy; do [ -f "$scratch/$copy/table" ] || fail "a table is gone: $copy"; done

# Folders that the script did not make.
mkdir -p "$scratch/mine/source"
echo mine >"$scratch/mine/source/notes"
gives 2 "'$scratch/mine' has files that were not made here" "$here/campaign.sh" --work "$scratch/mine" --sample
gives 2 'has files that were not made here' "$here/plant.sh" "$scratch/table" "$scratch/mine/source"
gives 2 "'/dev/null' is no folder" "$here/campaign.sh" --work /dev/null --sample
gives 2 "campaign.sh: --work: 'my work' has a blank in it" "$here/campaign.sh" --work 'my work' --sample
gives 2 "campaign.sh: --work: '' is no folder" "$here/campaign.sh" --work '' --sample
gives 2 'campaign.sh: rtl-none: --sample takes no names' "$here/campaign.sh" --sample rtl-none
[ "$(cat "$scratch/mine/source/notes")" = mine ] || fail "somebody's file is gone"

[ "$failures" -eq 0 ] && echo "all held"
exit "$((failures > 0))"
