#!/usr/bin/env bash
# Evidence of a device's checks, and its sign-off page. Usage: page_test.sh ROOT
# shellcheck source=../cli/check.sh
. "$(dirname "$0")/../cli/check.sh"
# shellcheck source=tiny.sh
. "$here/tiny.sh"

# figure WHAT: a figure of page.html
figure() {
  sed -n "s|^.*<div><b>\([0-9,]*\)</b>$1</div>.*|\1|p" page.html
}

# shows TEXT: the page has it
shows() {
  grep -qF "$1" page.html || fail "the page has no '$1'"
}

# runs N: that many recorded runs are on the page
runs() {
  [ "$(figure runs)" = "$1" ] || fail "$(figure runs) runs, expected $1"
}

run=("$tiny.pmu" tiny.v -DVALUE=enables --cycles 2000 --page page.html)

# ---- Arguments are looked at before anything is made ----
find "$root/build/check" -maxdepth 1 -name "$tiny*" | sort >folders
unusable "^pmuv3 check: --page: cannot write 'tiny.v': it is an input, too" "${run[@]:0:5}" --page tiny.v
unusable "^pmuv3 check: --page: cannot write 'absent/x'" "${run[@]:0:5}" --page absent/x
unusable "^pmuv3 check: --calibrate takes no --page" "${run[@]:0:3}" --calibrate --page page.html
unusable "^pmuv3 check: --shard-seeds needs --slurm, --shards or --merge" "${run[@]:0:3}" --seeds 4 --shard-seeds 2
printf 'pmuv3-check 1\nidle 1\n' >idle.check
unusable "^pmuv3 check: --replay takes no --page" "${run[@]:0:3}" --replay idle.check --page page.html
unusable "^pmuv3 check: --replay takes no --db" "${run[@]:0:3}" --replay idle.check --db e.db
unusable "^pmuv3 check: --calibrate takes no --db" "${run[@]:0:3}" --calibrate --db e.db
unusable "^pmuv3 check: --page: cannot write '/dev/stdout'" "${run[@]:0:3}" --page /dev/stdout
echo text >no.db
unusable "^pmuv3 check: no.db: " "${run[@]}" --db no.db
left page.html evidence.db
find "$root/build/check" -maxdepth 1 -name "$tiny*" | sort | cmp - folders || fail "a folder was made"

# ---- Runs add up; a seed that ran is no new run ----
status 0 "${run[@]}"
status 0 "${run[@]}"
runs 1
status 0 "${run[@]}" --seed 2 --mode settled
runs 2
xmllint --noout page.html || fail "the page is no XML"

# adds_up WHAT COLUMN: the figure is the sum of the rows of runs.
adds_up() {
  [ "$(figure "$1" | tr -d ,)" = "$(sqlite3 evidence.db "SELECT sum($2) FROM run")" ] ||
    fail "$(figure "$1") $1, and the runs have $(sqlite3 evidence.db "SELECT $2 FROM run")"
}
adds_up clocks cycles
adds_up 'values compared' comparisons
# The largest seed, too. The database has no larger one.
status 0 "${run[@]:0:3}" --cycles 2000 --page page.html --db last.db --seed 9223372036854775807
runs 1
[ "$(figure clocks | tr -d ,)" = "$(sqlite3 last.db 'SELECT cycles FROM run')" ] ||
  fail "the largest seed: $(figure clocks) clocks"
unusable '^pmuv3 check: --seed takes a number from 0 to 9223372036854775807, not' "${run[@]}" --seed 9223372036854775808
unusable '^pmuv3 check: --seed takes a number from 0 to 9223372036854775807, not' "${run[@]}" --seed 18446744073709551615

# Events and states are of the clocks that coverage observed.
shows '<th class="number">observed clocks in which a counter counted it</th>'

# A longer run of a seed takes the place of the shorter one.
status 0 "${run[@]:0:3}" --cycles 4000 --page page.html
runs 2
adds_up clocks cycles
adds_up 'values compared' comparisons
shows 'Equivalent, in what was compared'
shows "./pmuv3 check $tiny.pmu tiny.v -DVALUE=enables"
grep -q '<tr><td>within</td><td><span class="badge none">not run' page.html || fail "a mode that was not run"

# ---- Modes stay apart: what one compared, another did not ----
# part HEADING: what follows it, up to the next heading
part() { sed -n "/>$1</,/<h[23]/{/>$1</d;p}" page.html; }
# has PART TEXT: this part of the page has it
has() { part "$1" | grep -F "$2" >/dev/null || fail "'$1' has no '$2': $(part "$1")"; }
never='What was never compared' some='Compared in one mode, and not in another'
settled='only what has settled is compared'
modes=("${run[@]}" --db modes.db)
status 0 "${modes[@]}" --mode settled
shows "<td>read</td><td class=\"number\">0</td><td>$settled</td>"
has "$never" "<td>latency read</td><td>$settled</td>"
has "$never" '<td>a reset in the middle of a read</td><td>not in this mode</td>'
kinds='What was compared, and how often'
reads=$(part "$kinds" | sed -n 's|.*<td>read</td><td class="number">\([0-9,]*\)<.*|\1|p')
status 0 "${modes[@]}"
shows "<td>read</td><td class=\"number\">0</td><td>yes</td><td>$settled</td>"
has "$some" "<td>latency read</td><td>mode settled: $settled</td>"
has "$some" '<td>a reset in the middle of a read</td><td>mode settled: not in this mode</td>'
part "$never" >never.part
[ -s never.part ] || fail "no part: $never"
finds_none -E 'latency read|in the middle of a read' never.part || fail "an exact run compared these"
of_mode='<td class="number">'
part "$kinds" | grep -E "<td>read</td>${of_mode}[0-9,]+</td>$of_mode$reads</td>" >/dev/null ||
  fail "the reads of mode settled are not $reads: $(part "$kinds")"

# ---- Coverage does not depend on the number of processes ----
built=$(find "$root/build/check" -path "*/$tiny-*/check")
for jobs in 1 3; do
  "$built" --module tiny --cycles 900000 --jobs $jobs --json jobs.$jobs -- "$tiny.pmu" tiny.v >out ||
    fail "--jobs $jobs: $(cat out)"
  jq 'del(.seconds, .cycles_per_second)' jobs.$jobs >result.$jobs
done
cmp result.1 result.3 || fail "three processes give something else"
jq -e '.coverage.hit > 0 and .coverage.clocks == 225000 and .coverage.impossible == [] and
  (.coverage.hit + (.coverage.holes | length) == .coverage.reachable)' result.1 >/dev/null || fail "$(jq -c .coverage result.1)"

# ---- What was never compared: what the description leaves out, and why ----
shows "<td>the interrupt</td><td>no \`irq\` line</td>"
shows "<td>latency event</td><td>no \`event\` line</td>"
shows '<td>registers that the description does not name</td>'
if grep -q PMINTENCLR page.html; then fail "a register that is in no line"; fi
with hole 's/^register.*/& read=0xFFFFFFFE\nregister 0x04 PMINTENCLR_EL1 write=0 read=0/'
status 0 "$tiny.hole.pmu" "${run[@]:1}"
runs 1
shows '<td>PMINTENCLR_EL1</td><td>neither read nor written, by its masks</td>'
shows "<td>PMINTENSET_EL1, bits 0x1 of what is read</td><td>outside \`read=\`</td>"

# The head counts each row of the list.
listed=$(part "$never" | grep -c '^<tr><td>')
[ "$(sed -n 's|.*<a href="#never">\([0-9]*\) things.*|\1|p' page.html)" = "$listed" ] || fail "the list has $listed rows: $(grep '#never' page.html)"
has "$never" '<td>limit</td><td>X propagation, power, timing</td>'

# ---- A result of other sources counts for nothing ----
mkdir other
cp tiny.v other
status 0 "$tiny.pmu" other/tiny.v "${run[@]:2}" --seed 3
runs 3
echo '// a remark' >>other/tiny.v
status 0 "$tiny.pmu" other/tiny.v "${run[@]:2}" --seed 3
runs 1

# ---- A divergence is on the page of its sources ----
wrong=("$tiny.pmu" tiny.v '-DVALUE=(clocks>1500?0:enables)' --page page.html)
status 1 "${wrong[@]}" --cycles 20000 --no-shrink --out found
runs 1
shows '<strong>Diverged</strong>'
shows "<code>$PWD/found</code>"
# Each mode keeps its reproducer of a seed.
modes=(exact settled)
for mode in "${modes[@]}"; do
  status 1 "${wrong[@]}" --cycles 20000 --no-shrink --seeds 1 --mode "$mode" --db modes.db --out kept --json kept.json
  [ "$(jq -r '.diverged_seeds[0].folder' kept.json)" = "$PWD/kept-$mode-seed-1" ] || fail "$mode: $(cat kept.json)"
done
for mode in "${modes[@]}"; do
  [ -s "kept-$mode-seed-1/stimulus.check" ] || fail "the reproducer of mode $mode is gone"
  shows "<code>$PWD/kept-$mode-seed-1</code>"
done
# The page names no folder that another run has begun since, and none in which nothing could be kept.
for seed in 2 3; do status 1 "${wrong[@]}" --cycles 20000 --no-shrink --seed $seed --db again.db --out again; done
exec 9<again/.pmuv3.list
flock 9
status 1 "${wrong[@]}" --cycles 20000 --no-shrink --seed 4 --db again.db --out again
exec 9<&-
# named: the seeds with the folders that the page names of them
named() {
  sed -nE "s|^<tr><td>exact</td>$of_mode([0-9]*)</td>.*<code>$PWD/(.*)</code></td></tr>|\1 \2|p" page.html | xargs
}
[ "$(named)" = '3 again' ] || fail "folders of reproducers: $(named)"
# A counterexample takes no run's files away, and no folder is that of the same name elsewhere.
again=("${wrong[@]}" --cycles 20000 --no-shrink --db again.db)
echo new | "$root/build/release/bin/pmuv3-check-glue" keep again counterexample.check || fail "no counterexample"
mkdir elsewhere
cd elsewhere || exit 1
status 1 "../$tiny.pmu" ../tiny.v "${again[2]}" --cycles 20000 --no-shrink --db ../again.db --seed 5 --out again
cd ..
status 1 "${again[@]}" --seed 3 --seeds 1 --json again.json
[ "$(named)" = '3 again 5 elsewhere/again' ] || fail "folders in two places: $(named)"
[ "$(jq -r '.diverged_seeds[0].folder' again.json)" = "$PWD/again" ] || fail "the report: $(cat again.json)"
# Nor does it name one that a run of another database has begun, or whose stimulus somebody changed.
status 1 "${again[@]/again.db/other.db}" --seed 6 --out again
echo '# edited' >>elsewhere/again/stimulus.check
status 1 "${again[@]}" --seed 3 --seeds 1 --json again.json
[ "$(named)" = '' ] || fail "folders of other stimuli: $(named)"
[ "$(jq -r '.diverged_seeds[0].folder' again.json)" = '' ] || fail "the report: $(cat again.json)"

# ---- A divergence is recorded before its stimulus shrinks, whatever the device does then ----
sed '/^  reg \[15:0\] clocks;/r /dev/stdin' tiny.v >shrinks.v <<'RTL'
  reg [15:0] requests; // few of them are left when the stimulus shrinks
  reg [2:0] i;
  always @(posedge clk or negedge rst_n)
    if (!rst_n) requests <= 0;
    else if (req) begin
      requests <= requests + 1;
      if (clocks > 1500 && requests < 4) `ENDING;
    end
RTL
# shellcheck disable=SC2016 # of Verilog
shrinks=("$tiny.pmu" shrinks.v '-DVALUE=(clocks>1500?0:enables)' --cycles 20000 --page page.html '-DENDING=$fatal')
verdicts() { sqlite3 "$1" 'SELECT group_concat(verdict) FROM run'; }
status 1 "${shrinks[@]}" --db shrinks.db --out shrinks
[ "$(verdicts shrinks.db)" = diverged ] || fail "it ends in shrinking: $(verdicts shrinks.db)"
grep -qE '^shrunk in [0-9]+ tries; on [0-9]+ of them the device ended: ' out ||
  fail "it did not end in shrinking: $(cat out)"
status 1 "$tiny.pmu" shrinks.v "${shrinks[@]:2:1}" "${shrinks[@]: -1}" --replay shrinks/minimal.check
rm page.html
status 1 "${shrinks[@]}" --db shrinks.db --out shrinks --seed 2 --seeds 2
[ "$(verdicts shrinks.db)" = diverged,diverged,diverged ] || fail "seeds end in shrinking: $(verdicts shrinks.db)"
grep -qx '2 of 2 seeds diverged:' out || fail "seeds that end in shrinking: $(cat out)"
shows '<strong>Diverged</strong>'
# The same holds if it is killed then. Here the clock of a try does not end.
rm page.html
"$program" "${shrinks[@]:0:7}" '-DENDING=for (i = 0; i <= 7; i = i + 1) requests <= requests + 1' \
  --db hung.db --out hung >out 2>err &
until [ -e hung/stimulus.check ] || ! kill -0 $!; do sleep 0.05; done
kill $!
wait $!
[ "$(verdicts hung.db)" = diverged ] || fail "killed while it shrinks: $(verdicts hung.db): $(cat err)"
shows '<strong>Diverged</strong>'

# ---- A seed on which the device ends: no verdict, and a row until a run of it has one ----
# verdict CLASS TITLE: of the page
verdict() { shows "<div class=\"verdict $1\"><strong>$2</strong>"; }
# shellcheck disable=SC2016 # of Verilog
sed 's/^  assign rdata/  always @(posedge clk) if (rst_n \&\& req \&\& we \&\& wdata[31:25] == 7'"'h2D"') $fatal;\n&/' tiny.v >ends.v
ends=("$tiny.pmu" ends.v -DVALUE=enables --cycles 2000 --page page.html --db)
rows() { sqlite3 ends.db "SELECT group_concat(seed, ' ') FROM (SELECT seed FROM run WHERE verdict = '$1' ORDER BY seed)"; }
status 3 "${ends[@]}" ends.db --seeds 8
crashed=$(rows crashed) sound=$(rows equivalent)
[[ $crashed && $sound ]] || fail "seeds: $crashed, and $sound"
grep -qE "seed ${crashed%% *}: the device ended the simulation: .*ends.v:10: " out || fail "not said why: $(cat out)"
verdict amber 'Seeds without a verdict'
runs "$(wc -w <<<"$sound")"
[ "$(grep -cE '<td>exact</td><td class="number">[0-9]+</td><td class="number">2,000</td><td>the device ended the .*ends.v:10' page.html)" = \
  "$(wc -w <<<"$crashed")" ] || fail "rows of the page: $(grep ends.v page.html)"
# Other seeds do not lift it, nor does the same seed alone.
status 0 "${ends[@]}" ends.db --seed "${sound%% *}"
verdict amber 'Seeds without a verdict'
status 3 "${ends[@]}" one.db --seed "${crashed%% *}"
[ "$(sqlite3 one.db 'SELECT seed, cycles, verdict FROM run')" = "${crashed%% *}|2000|crashed" ] || fail "alone: $(sqlite3 one.db 'SELECT * FROM run')"
verdict amber 'Seeds without a verdict'
runs 0

# A process that is killed is like a device that ends. As many clocks of the seed lift the row, and fewer do not.
cat >killed.c <<'C'
#include <signal.h>
int prctl(int option, ...) { return raise(SIGKILL) + option; }
C
cc -shared -fPIC -o killed.so killed.c
# alone STATUS CLOCKS [VARIABLE]: a run of seed 1
alone() {
  local actual=0
  env "${@:3}" "$built" --module tiny --jobs 1 --db killed.db --page page.html --cycles "$2" -- "$tiny.pmu" tiny.v >out 2>err || actual=$?
  [ "$actual" = "$1" ] || fail "$2 clocks: $actual, expected $1: $(cat err)"
}
alone 3 3000 "LD_PRELOAD=$PWD/killed.so"
[ "$(cat err)" = 'pmuv3 check: a process ended before its time: no verdict' ] || fail "killed: $(cat err)"
alone 0 2000
verdict amber 'Seeds without a verdict'
runs 1
# clocks: those of the run with a verdict are on the page
clocks() {
  [ "$(figure clocks | tr -d ,)" = "$(sqlite3 killed.db "SELECT cycles FROM run WHERE verdict = 'equivalent'")" ] ||
    fail "clocks beside a crash: $(figure clocks)"
}
clocks
alone 3 4000 "LD_PRELOAD=$PWD/killed.so"
clocks
alone 0 3000
verdict amber 'Seeds without a verdict'
clocks
alone 0 4000
verdict green 'Equivalent, in what was compared'
[ "$(sqlite3 killed.db "SELECT group_concat(verdict) FROM run")" = equivalent ] || fail "the crash is still there"

# ---- A damaged database: nothing in it counts, and nothing is run ----
rm page.html
printf 'xxxxxxxxxxxxxxxx' | dd of=evidence.db bs=1 seek=$(($(grep -abo equivalent evidence.db | head -1 | cut -d: -f1))) conv=notrunc 2>/dev/null
unusable "^pmuv3 check: .*evidence.db: it is damaged: " "${run[@]}"
left page.html

all_held
