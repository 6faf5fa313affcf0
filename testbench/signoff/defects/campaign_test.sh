#!/usr/bin/env bash
# The campaign is honest: plant.sh refuses a table that does not fit the sources, and campaign.sh
# fails on whatever is not a found and replayed defect, here with stand-ins for the programs.
# shellcheck source=../../tests/cli/check.sh
. "$(dirname "$0")/../../tests/cli/check.sh"

# gives EXPECTED TEXT COMMAND...: its exit status, and a text that it prints if not empty.
gives() {
  local expected=$1 text=$2 actual=0
  shift 2
  "$@" >"$scratch/out" 2>&1 || actual=$?
  [ "$actual" -eq "$expected" ] || fail "$*: exit status $actual, expected $expected"
  [ -z "$text" ] || grep -qF -- "$text" "$scratch/out" || fail "$*: no '$text' in: $(cat "$scratch/out")"
}

# plant EXPECTED TEXT LINE...: a table of one defect in the filter.
plant() {
  local expected=$1 text=$2
  shift 2
  printf '%s\n' 'defect d' 'file rtl/pmuv3_filter.sv' "$@" >"$scratch/table"
  gives "$expected" "$text" "$here/plant.sh" "$scratch/table" "$scratch/copy"
}

plant 0 '' 'at assign running_o =' '- controls.global_enable' "+ '1"
grep -qF "counter_enable_i & (pmuv3_defect_pkg::selected != 1 ? (controls.global_enable) : ('1)) &" \
  "$scratch/copy/rtl/pmuv3_filter.sv" || fail "not planted: $(cat "$scratch/copy/rtl/pmuv3_filter.sv")"
plant 1 'in 0 places' 'at assign running_o =' '- enable_that_was_renamed' "+ 1'b1"
plant 1 'in 0 places' 'at assign no_such_signal =' '- controls.global_enable' "+ 1'b1"
plant 1 'in 2 places' 'at assign' '- frozen_r1_o' "+ 1'b1"
plant 1 'no such file' 'file rtl/none.sv' 'at assign running_o =' '- controls.global_enable' "+ 1'b1"
plant 2 'unknown key' 'where assign running_o =' '- controls.global_enable' "+ 1'b1"
plant 2 'no wrong' 'at assign running_o =' '- controls.global_enable'

bin=$scratch/work/build/bin
mkdir -p "$bin"
echo "pmuv3 made this folder and may empty it" >"$scratch/work/.pmuv3"
echo 0123456789abcdef >"$scratch/work/of"

# pmuv3-run as it is when it finds the defect.
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

# pmuv3-replay that, with the defect, exits with STATUS and says that it diverged at CYCLE.
replay() {
  stand_in "$bin/pmuv3-replay" <<END
#!/usr/bin/env bash
[ "\$PMUV3_DEFECT" = 0 ] && exit 0
echo "file:9: diverged at cycle $2, thread 0, counter 1, V: cmodel 0x0, rtl 0x1" >&2
exit $1
END
}

# campaign EXPECTED TEXT ARGUMENT...
campaign() {
  local expected=$1 text=$2
  shift 2
  gives "$expected" "$text" "$here/campaign.sh" --no-build --work "$scratch/work" "$@"
}

printf '%s\n' 'defect rtl-one' 'what one' 'sample' 'defect cmodel-two' 'what two' >"$scratch/table"
sample=(--table "$scratch/table" --sample)

# in_page ROW: the table of those that were tried is this row.
in_page() {
  [ "$(grep '^| [rc]' "$scratch/work/defects.md")" = "$1" ] || fail "no '$1' in: $(cat "$scratch/work/defects.md")"
}

finding_run
replay 1 7
campaign 0 '1 of 1 defects found and replayed' "${sample[@]}"
in_page '| rtl-one | one | 8 | V | 0 | 1 | c | 7 |'
# Out of the sample there must be a wave.
campaign 1 'rtl-one: NO WAVE' --table "$scratch/table" rtl-one

replay 0 7
campaign 1 'rtl-one: DOES NOT REPLAY' "${sample[@]}"
replay 1 6
campaign 1 'rtl-one: DOES NOT REPLAY' "${sample[@]}"
stand_in "$bin/pmuv3-replay" <<<'exit 1'
campaign 1 'a litmus file fails' "${sample[@]}"

replay 1 7
stand_in "$bin/pmuv3-run" <<<'exit 0'
campaign 1 'rtl-one: NOT FOUND' "${sample[@]}"
campaign 1 'not every defect was found' "${sample[@]}"
in_page '| rtl-one | one | not found | | | | | |'
stand_in "$bin/pmuv3-run" <<<"[ \"\$PMUV3_DEFECT\" = 0 ]" # it fails, but says nothing of a divergence
campaign 1 'rtl-one: NOT FOUND' "${sample[@]}"
stand_in "$bin/pmuv3-run" <<<'exit 1'
campaign 1 'diverges without a defect' "${sample[@]}"
for ended in 'exit 2' 'exit 3' 'kill -9 $$'; do
  stand_in "$bin/pmuv3-run" <<<"$ended"
  campaign 3 'no verdict without a defect: pmuv3-run ended' "${sample[@]}"
done

campaign 2 'no such defect' --table "$scratch/table" rtl-three
campaign 2 'no such file' --table "$scratch/none"
campaign 2 'unknown argument' --every
cat "$scratch/table" "$scratch/table" >"$scratch/twice"
campaign 2 'a name is there twice' --table "$scratch/twice"

# A run that ended without an answer is no verdict: neither found nor missed.
for death in 'exit 2' 'exit 3' "kill -9 \$\$"; do
  stand_in "$bin/pmuv3-run" <<<"[ \"\$PMUV3_DEFECT\" != 0 ] || exit 0; $death"
  campaign 3 'rtl-one: NO VERDICT' "${sample[@]}"
  [ ! -e "$scratch/work/results/rtl-one.log" ] || fail "it counts as tried"
done

# Results say of which sources the copy is; those of other ones go.
finding_run
campaign 0 '1 of 1 defects found' "${sample[@]}"
campaign 1 'cmodel-two: NO WAVE' --table "$scratch/table" cmodel-two
[ -f "$scratch/work/results/rtl-one.row" ] || fail "results of the same sources are gone"
[ "$(cat "$scratch/work/results/source")" = 0123456789abcdef ] || fail "results do not say of what they are"
echo fedcba9876543210 >"$scratch/work/of"
campaign 1 'cmodel-two: NO WAVE' --table "$scratch/table" cmodel-two
[ ! -e "$scratch/work/results/rtl-one.row" ] || fail "results of other sources stay"
rm "$scratch/work/of"
campaign 2 'there is no copy that was built' "${sample[@]}"

# Folders that were not made here.
mkdir -p "$scratch/mine/source"
echo mine >"$scratch/mine/source/notes"
gives 2 "'$scratch/mine' has files that were not made here" "$here/campaign.sh" --work "$scratch/mine" --sample
gives 2 'has files that were not made here' "$here/plant.sh" "$scratch/table" "$scratch/mine/source"
gives 2 "'/dev/null' is no folder" "$here/campaign.sh" --work /dev/null --sample
[ "$(cat "$scratch/mine/source/notes")" = mine ] || fail "somebody's file is gone"

[ "$failures" -eq 0 ] && echo "all held"
exit "$((failures > 0))"
