#!/usr/bin/env bash
# Shards by hand: they are listed, run by anybody, and merged once, whatever comes twice, late, damaged or from
# elsewhere. The result is that of one machine. Usage: farm_test.sh PROGRAM
# shellcheck source=../tests/cli/check.sh
. "$(dirname "$0")/../tests/cli/check.sh"
regress=$program
evidence=${program%regress}evidence
PMUV3_SOURCE=$("$evidence" --source)
export PMUV3_SOURCE
scratch=$(realpath "$scratch")
cd "$scratch" || exit 1

# Rows of all tables without times and digests of rows.
# shellcheck source=rows.sh
. "$here/rows.sh"

few=(--configurations '1 counter,31 counters, everything,no counters' --seeds 5 --cycles 300)
split=("${few[@]}" --shard-seeds 2)
program=$scratch/farm
stand_in farm <<<"exec '$here/farm.py' run regress '$regress' --db all.db --defaults-end \"\$@\""

# ---- Arguments ----
for mode in --shards --merge; do unusable "^pmuv3 farm: $mode: is given twice" $mode "${split[@]}" $mode; done
unusable '^pmuv3 farm: --shards and --merge exclude each other' --shards --merge
unusable '^pmuv3 farm: --slurm and --shards exclude each other' --slurm --shards
unusable '^pmuv3 farm: --limit takes a number' --shards --limit soon
unusable '^pmuv3 farm: --limit: its value is missing' --shards --limit
unusable '^pmuv3 farm: --farm: its value is missing' --shards --farm=
if "$(dirname "$(realpath "$0")")/farm.py" list --farm nothere 2>err; then fail "a farm that is not there"; fi
grep -q "^pmuv3 farm: --farm: 'nothere' is no folder" err || fail "a farm that is not there: $(cat err)"
for option in --shards --merge --slurm --limit=3; do
  "$here/farm.py" list $option 2>err && fail "list $option"
  grep -q "^pmuv3 farm: ${option%=*} is an option of a campaign" err || fail "list $option: $(cat err)"
done
unusable '^pmuv3 farm: --shards takes no value' --shards=x
unusable '^pmuv3 regress: --seeds takes a number' --shards --seeds 0 --farm f
unusable '^pmuv3 regress: --time: shards have no time in common' --shards --time 5 --farm f
unusable '^pmuv3 farm: --merge: this command has no shards' --merge --seeds 3 --farm f
echo kept >file
unusable "^pmuv3 farm: --farm: cannot write to '.*/file/regress-" --shards --farm file "${split[@]}"
[ "$(cat file)" = kept ] || fail "--farm: a file was changed"
left f
mkdir gone
gone=0
(cd gone && rmdir ../gone && exec /usr/bin/python3 "$here/farm.py" run regress "$regress" --shards --farm "$scratch/f" \
  2>"$scratch/err") || gone=$?
[ "$gone $(cat err)" = '2 pmuv3 farm: the folder in which it was called is gone' ] || fail "a folder that is gone: $gone: $(cat err)"
PMUV3_SLURM=$scratch/absent unusable '^pmuv3 farm: --slurm: there is no program sinfo' --slurm "${split[@]}"
program=$regress
unusable '^pmuv3 regress: --shards, --shard and --merge exclude each other' --db x.db --shards --shard f
unusable '^pmuv3 regress: --junit: a shard has no report' --shard f --junit j
unusable "^pmuv3 regress: --shard: cannot write 'absent/f'" --shard absent/f
unusable "^pmuv3 regress: --merge: cannot read 'absent'" --db x.db --merge absent
left f j
program=$scratch/farm

# ---- The same as on one machine ----
status 0 --shards "${split[@]}" --farm f
cp out list
[ "$(wc -l <list)" = 9 ] || fail "not three shards of each: $(cat list)"
[ "$(wc -l < <(sort -u list))" = 9 ] || fail "a shard comes twice"
shuf --random-source=list list | xargs -d '\n' -P 2 -n 1 bash -c || fail "a shard ended with $?"
campaign=$(echo f/regress-*)
[ "$(find "$campaign/arrived" -name '*.shard' | wc -l)" = 9 ] || fail "files: $(ls "$campaign/arrived")"
[ ! -s all.db ] || [ "$(sqlite3 all.db 'SELECT count(*) FROM run')" = 0 ] || fail "a shard wrote to the database"
cp -r "$campaign/arrived" kept
status 0 --merge "${split[@]}" --farm f
[ "$(tail -n 1 out)" = equivalent ] || fail "last line: $(tail -n 1 out)"
"$regress" "${few[@]}" --db one.db >one.out || fail "one machine"
same_rows one.db all.db "shards"
# The report is that of one machine.
timeless() { sed -E 's/ [0-9]+\.[0-9]  / /' "$1" | grep -v 'cycles/s'; }
diff <(timeless one.out) <(timeless out) >difference || fail "report: $(cat difference)"
status 0 --shards "${split[@]}" --farm f
[ ! -s out ] || fail "nothing is missing, and listed: $(cat out)"

# ---- Twice, late, and in part ----
cp kept/*.shard "$campaign/arrived"
mv "$campaign/merging" aside
touch "$campaign/merging"
unusable "^pmuv3 farm: '.*/arrived/.*': Not a directory" --merge "${split[@]}" --farm f
rm "$campaign/merging"
mv aside "$campaign/merging"
status 0 --merge "${split[@]}" --farm f
same_rows one.db all.db "what came twice"
[ -z "$(find "$campaign" -name '*.shard')" ] || fail "merged files were left"
rm all.db*
cp "$(find kept -name '*.shard' | sort | head -n 1)" "$campaign/arrived"
status 3 --merge "${split[@]}" --farm f
grep -q 'not run' out || fail "not said what is missing: $(cat out)"
status 0 --shards "${split[@]}" --farm f
[ "$(wc -l <out)" = 8 ] || fail "not eight shards are left: $(cat out)"
# A task that one machine ran meanwhile is not counted twice.
"$regress" --configurations 'no counters' --seeds 5 --cycles 300 --db all.db >/dev/null || fail "one machine"
cp kept/*.shard "$campaign/arrived"
status 0 --merge "${split[@]}" --farm f
same_rows one.db all.db "shards and one machine"

# ---- Crashes: they are told, in whatever order they come, and replace nothing ----
good=$(find kept -name '1-counter-seeds-1-2-*')
cp "$good" crash
"$evidence" --db crash <<<"UPDATE run SET verdict = 'crashed', cycles = 100; DELETE FROM hit"
# merged DATABASE FILE...: one after the other
merged() {
  local file
  mkdir -p one
  for file in "${@:2}"; do
    cp "$file" one/x.shard
    "$regress" "${few[@]}" --db "$1" --merge one >out
  done
}
merged crashed.db crash crash
[ "$(rows_of crashed.db | grep -cE '^run.*crashed|^replaced')" = 2 ] ||
  fail "crashes: $(rows_of crashed.db)"
grep -q '^1 counter .* 2 crashed' out || fail "a crash is not told: $(cat out)"
merged before.db crash "$good" crash
merged after.db "$good" crash "$good"
same_rows before.db after.db "a crash before and after"
[ "$(sqlite3 after.db 'SELECT count(*) FROM replaced')" = 2 ] || fail "crashes are forgotten: $(rows_of after.db)"
runs() { sqlite3 "$1" "SELECT seed, cycles, verdict FROM run WHERE configuration = '1 counter' AND seed <= 2"; }
[ "$(runs after.db)" = "$(runs one.db)" ] || fail "a crash replaced a verdict: $(runs after.db)"
[ "$(sqlite3 after.db 'SELECT sum(hits) FROM hit')" = "$(sqlite3 "$good" 'SELECT sum(hits) FROM hit')" ] ||
  fail "hits are counted twice"

# A shorter campaign hides no crash of a longer one, and takes no part in its hits, in whatever order they come.
cp "$good" far
"$evidence" --db far <<<"UPDATE run SET verdict = 'crashed', cycles = 1000; DELETE FROM hit"
"$regress" --configurations '1 counter' --seeds 2 --cycles 100 --shard short >/dev/null || fail "a shorter shard"
merged far_first.db far short "$good"
merged far_last.db "$good" short far
same_rows far_first.db far_last.db "the crash of a longer run, first and last"
[ "$(sqlite3 far_last.db "SELECT group_concat(verdict || ' ' || cycles, ', ') FROM run WHERE seed = 1")" = \
  'crashed 1000, equivalent 300' ] || fail "the crash of a longer run: $(rows_of far_last.db)"
[ "$(sqlite3 far_last.db 'SELECT sum(hits) FROM hit')" = "$(sqlite3 "$good" 'SELECT sum(hits) FROM hit')" ] ||
  fail "hits of a replaced run are counted"
grep -q '^1 counter, seed 1: crashed after 1000 cycles' out || fail "the crash is not told: $(cat out)"

# ---- Damaged, and of other sources ----
rm all.db*
# What is no file has not arrived.
ln -s absent "$campaign/arrived/$(basename "$good")"
mkdir "$campaign/merging/$(basename "$good")"
status 0 --shards "${split[@]}" --farm f
[ "$(wc -l <out)" = 9 ] || fail "a link and a folder have arrived: $(cat out)"
rm "$campaign/arrived/$(basename "$good")"
rmdir "$campaign/merging/$(basename "$good")"
cp kept/*.shard "$campaign/arrived"
mapfile -t files < <(find "$campaign/arrived" -name '*.shard' | sort)
sed -i 's/equivalent/equivalenT/' "${files[0]}"
truncate -s 5000 "${files[1]}"
echo 'no database' >"${files[2]}"
"$evidence" --db "${files[3]}" <<<"UPDATE run SET source = '0123456789abcdef'"
status 3 --merge "${split[@]}" --farm f
[ "$(grep -c '^pmuv3 farm: refused: pmuv3 regress: .*shard: ' err)" = 4 ] || fail "refused: $(cat err)"
[ "$(find "$campaign/merging" -name '*.refused' | wc -l)" = 4 ] || fail "refused files: $(ls "$campaign/merging")"
status 0 --shards "${split[@]}" --farm f
[ "$(wc -l <out)" = 4 ] || fail "not four shards are left: $(cat out)"
xargs -d '\n' -P 2 -n 1 bash -c <out || fail "a shard ended with $?"
status 0 --merge "${split[@]}" --farm f
same_rows one.db all.db "after damage"

# A program of other sources runs no shard.
sed "s/PMUV3_SOURCE=[0-9a-f]*/PMUV3_SOURCE=0123456789abcdef/" list | head -n 1 >other
bash other 2>err && fail "a shard of other sources ran"
grep -q 'built from sources' err || fail "other sources: $(cat err)"
# Nor does a merger of other sources merge.
cp kept/*.shard "$campaign/arrived"
PMUV3_SOURCE=0123456789abcdef status 2 --merge "${split[@]}" --farm f

# ---- Lists and cancelling ----
stand_in campaigns <<<"exec timeout 30 '$here/farm.py' \"\$@\""
program=$scratch/campaigns
mkdir slurm
stand_in slurm/squeue <<<"#!/bin/sh
echo pmuv3-${campaign#f/}-1 3 RUNNING None; echo other 3 RUNNING None"
stand_in slurm/scancel <<<'#!/bin/sh
echo "$*" >>cancelled'
export PMUV3_SLURM=$scratch/slurm
status 0 list --farm f
grep -q "^${campaign#f/}: 1 run, 0 wait, 9 to merge: regress --db all.db " out || fail "list: $(cat out)"
is_damaged() {
  status 2 list --farm f
  grep -q "^${campaign#f/}: 1 run, " out || fail "a damaged campaign hides others: $(cat out)"
  [ "$(cat err)" = "pmuv3 farm: the campaign.json is damaged of damaged; the same command mends it" ] ||
    fail "a damaged campaign: $(cat err)"
}
mkdir f/damaged
for damage in '' '{"command": "reg' '[]'; do
  printf '%s' "$damage" >f/damaged/campaign.json
  is_damaged
done
rm f/damaged/campaign.json
mkfifo f/damaged/campaign.json
is_damaged
rm -r f/damaged
unusable "^pmuv3 farm: cancel: there is no campaign 'absent'" cancel absent --farm f
unusable "^pmuv3 farm: expected " cancel --farm f
status 0 cancel "${campaign#f/}" --farm f
[ "$(cat cancelled)" = "--name=pmuv3-${campaign#f/}-1 --user=$(id -u)" ] || fail "cancelled: $(cat cancelled)"

# ---- A divergence counts, whether its text can be written or not ----
stand_in diverges <<<'#!/bin/sh
case "$*" in *--shards*) ;; *) echo diverged && exit 1 ;; esac'
stand_in lost <<<"exec '$here/farm.py' run regress '$scratch/diverges' --farm h \"\$@\""
program=$scratch/lost
status 0 --shards
for closed in '>/dev/full' '>&-'; do
  ended=0
  eval "./lost --merge 2>err $closed" || ended=$?
  [ "$ended" = 1 ] || fail "a divergence is lost, $closed: $ended: $(cat err)"
  [ "$(grep -c '^farm.py: cannot write to standard output: ' err)" = 1 ] || fail "nothing said, $closed: $(cat err)"
done

# ---- A program that is killed has no verdict ----
# shellcheck disable=SC2016
stand_in dies <<<'#!/bin/sh
case "$*" in *"$DIES"*) kill -9 $$ ;; esac'
# killed WHEN COMMAND ARGUMENT...
killed() {
  local ended=0
  DIES=$1 "$here/farm.py" "$2" regress "$scratch/dies" --farm d "${@:3}" >out 2>err || ended=$?
  [ "$ended $(cat err)" = '3 pmuv3 farm: no verdict: dies ended with status -9' ] || fail "killed, $*: $ended, $(<err)"
}
killed --check-arguments check --shards
killed --shards run --shards
DIES=nothing "$here/farm.py" run regress "$scratch/dies" --farm d --shards || fail "a stand-in"
killed --merge run --merge

# ---- Two farms ----
# The jobs of a campaign are found by its name: the same command in another folder is another campaign.
program=$scratch/farm
status 0 --shards "${split[@]}" --farm g
other=$(echo g/regress-*)
[ "${other#g/}" != "${campaign#f/}" ] || fail "two farms have a campaign of one name: $other"
ln -s g linked
status 0 --shards "${split[@]}" --farm "$scratch/linked/../g"
status 0 --shards "${split[@]}" --farm linked
[ "$(echo g/regress-*)" = "$other" ] || fail "one farm has two campaigns of one command: $(ls g)"

all_held
