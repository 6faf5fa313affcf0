#!/usr/bin/env bash
# Many seeds of a device in shards: the rows, the report and the JSON file are those of one machine; a divergence keeps
# its seed, and shrinks. Usage: devices_test.sh ROOT
# shellcheck source=../tests/cli/check.sh
. "$(dirname "$0")/../tests/cli/check.sh"
# shellcheck source=rows.sh
. "$here/rows.sh"
# shellcheck source=campaign.sh
. "$here/campaign.sh"
root=$(realpath "$1")
evidence=$root/build/release/bin/pmuv3-evidence
PMUV3_SOURCE=$("$evidence" --source)
export PMUV3_SOURCE
scratch=$(realpath "$scratch")
mine=farmed$$ # its folders in build/check are removed
trap 'rm -rf "$scratch" "$root/build/check/$mine"*' EXIT
cp "$root"/testbench/cosim/check/devices/small/small.pmu $mine.pmu
cp "$root"/testbench/cosim/check/devices/small/small_pmu.v .

# ---- One machine: of four seeds, some see the mistake ----
device=("$mine.pmu" small_pmu.v -DBUG_DROP)
options=(--seeds 4 --cycles 1500 --json result.json)
stand_in check <<<"exec '$root/testbench/cosim/check/check.sh' --once --built \"\$@\""
program=$scratch/check
status 1 "${device[@]}" "${options[@]}" --db one.db
tail -n 30 out >one.out
mkdir one
mv divergence-check-exact-seed-* result.json one
verdicts() { sqlite3 "$1" "SELECT group_concat(verdict) FROM (SELECT verdict FROM run ORDER BY seed)"; }
[[ $(verdicts one.db) == *diverged* && $(verdicts one.db) == *equivalent* ]] || fail "one machine: $(verdicts one.db)"
# Seeds are runs: one alone has the same row.
status 1 "${device[@]}" --seed "$(sqlite3 one.db "SELECT min(seed) FROM run WHERE verdict = 'diverged'")" --cycles 1500 --db alone.db
row() { sqlite3 "$1" "SELECT seed, cycles, comparisons, difference FROM run WHERE verdict = 'diverged' ORDER BY seed LIMIT 1"; }
[ "$(row alone.db)" = "$(row one.db)" ] || fail "alone: $(row alone.db)"
# What is recorded is not run again.
status 1 "${device[@]}" "${options[@]}" --db one.db
finds_none -q '^seed [0-9]*:$' out || fail "a seed ran again: $(cat out)"

# ---- In shards ----
same() {
  same_rows one.db all.db "$1"
  same_of one/result.json result.json "$1" jq 'del(.seconds, .cycles_per_second)'
  diff <(grep -v clocks/s one.out | tail -n 20) <(grep -v clocks/s out | tail -n 20) >difference || fail "$1: $(cat difference)"
  diff -r --exclude divergence.txt --exclude result.json --exclude '.*' one . | grep -v '^Only in \.: ' >difference && fail "$1: $(cat difference)"
}
forget() { rm all.db*; }
of_other_sources() { "$evidence" --db "$1" <<<"UPDATE run SET source = replace(source, '$PMUV3_SOURCE', '0123456789abcdef')"; }
status 0 "${device[@]}" "${options[@]}" --db all.db --shards --farm built
grep -q "^cd .* --seed 4 --seeds 1 .* --shard " out || fail "the script lists no shards: $(cat out)"
built=$(echo "$root/build/check/$mine"*/check-*)
splits_as "$built" check --db all.db --defaults-end --source "${built##*-}" --sources "${built%/*}/read-${built##*-}" --module small_pmu \
  "${options[@]}" -- "${device[@]}"
campaign_holds 1 4

# ---- Many seeds in a shard: one that ends the simulation hides no other ----
sed "s/^endmodule/always @(posedge clk) if (wr \&\& csr_wdata[4:0] == 5'h15) \$finish;\n&/" small_pmu.v >ends.v
many=("$mine.pmu" ends.v -DBUG_DROP --seeds 6 --cycles 1500)
program=$scratch/check
status 1 "${many[@]}" --db some.db
verdicts=$(sqlite3 some.db "SELECT group_concat(seed || iif(verdict = 'crashed', ' crashed', ''), ', ') FROM (SELECT * FROM run ORDER BY seed)")
[ "$verdicts" = '1, 2, 3, 4 crashed, 5, 6' ] || fail "seeds: $verdicts"
rm -r divergence-check-exact-seed-*
status 0 "${many[@]}" --db parts.db --shards --shard-seeds 6 --farm many
grep '^cd ' out >many.list
[ "$(wc -l <many.list)" = 1 ] || fail "shards: $(cat many.list)"
bash -c "$(cat many.list)" >ran 2>&1 || fail "the shard ended with $?: $(tail -n 3 ran)"
status 1 "${many[@]}" --db parts.db --merge --shard-seeds 6 --farm many
same_rows some.db parts.db "many seeds in a shard"
# The folders of all seeds are looked at first.
mkdir late-exact-seed-6
echo mine >late-exact-seed-6/minimal.check
unusable "^pmuv3 check: --out: cannot write 'late-exact-seed-6/minimal.check': it is not as pmuv3 made it" "${many[@]}" --db late.db --out late
program=$scratch/farm

# ---- What is missing; a device that changed ----
forget
sound=$(sqlite3 one.db "SELECT min(seed) FROM run WHERE verdict = 'equivalent'")
cp kept/exact-seeds-"$sound-$sound"-* f/check-*/arrived
status 3 --merge "${split[@]}"
grep -qx 'pmuv3 check: 3 of 4 seeds have no verdict' err || fail "not said what is missing: $(cat err)"
jq -e '.verdict == "no verdict" and .reason == "3 of 4 seeds have no verdict"' result.json >/dev/null ||
  fail "JSON: $(cat result.json)"
echo '# changed' >>$mine.pmu
bash -c "$(head -n 1 list)" >ran 2>&1 && fail "a shard of another device ran"
grep -q 'the RTL was changed' ran || fail "another device: $(cat ran)"

# ---- A preset that is changed while the shards wait ----
program=$scratch/check
printf 'pmuv3-core 1\nparam counters=6 imp=0x41 features=PMUv3p1 # assumed: for this test\n' >my.core
sed '0,/^param /s/^param /param core=.\/my.core\n&/' "$root/testbench/cosim/check/devices/small/small.pmu" >$mine.preset.pmu
status 0 "$mine.preset.pmu" small_pmu.v --seeds 1 --cycles 1500 --db preset.db --shards --farm preset
grep '^cd ' out >preset.list
sed -i 's/imp=0x41/imp=0/' my.core
bash -c "$(head -n 1 preset.list)" >ran 2>&1 && fail "a shard with another preset ran"
grep -q 'the RTL was changed' ran || fail "another preset: $(cat ran)"

# ---- A file that the device reads, changed and changed back while a shard runs ----
# shellcheck disable=SC2016 # of Verilog
sed 's/^endmodule/reg [7:0] rom [0:0]; initial $readmemh("rom.hex", rom);\n&/' small_pmu.v >rom.v
echo 00 >rom.hex
status 0 "$mine.pmu" rom.v --seeds 1 --cycles 8000000 --db rom.db --shards --farm rom
grep '^cd ' out >rom.list
bash -c "$(head -n 1 rom.list)" >ran 2>&1 &
until grep -q cycles ran; do kill -0 $! || break; sleep 0.1; done
kill -0 $! || fail "the shard was too short"
echo 01 >rom.hex
echo 00 >rom.hex
wait $! && fail "a shard whose file changed ended well"
grep -q 'the RTL was changed' ran || fail "a file that changed: $(cat ran)"

# ---- Arguments ----
program=$scratch/check
mode=(--shards --farm f)
unusable '^pmuv3 check: shards are of many seeds: --seeds is missing' "${device[@]}" "${mode[@]}"
unusable '^pmuv3 check: --seeds takes no --replay' "${device[@]}" --seeds 2 --replay one/divergence-check-exact-seed-*/minimal.check
unusable '^pmuv3 check: --prove takes no --shards' "${device[@]}" --prove "${mode[@]}"
unusable '^pmuv3 check: --farm needs --slurm, --shards or --merge' "${device[@]}" --farm f --seeds 2
unusable '^pmuv3 check: --limit needs ' "${device[@]}" --limit=5 --seeds 2

all_held
