#!/usr/bin/env bash
# An exploration in shards: the page, the CSV file, the JSON file and the plot are those of one machine, byte for
# byte. Usage: traces_test.sh PROGRAM SAMPLE, the programs pmuv3-explore and explore-sample.
# shellcheck source=../tests/cli/check.sh
. "$(dirname "$0")/../tests/cli/check.sh"
# shellcheck source=campaign.sh
. "$here/campaign.sh"
explore=$program
PMUV3_SOURCE=$("${program%explore}evidence" --source)
export PMUV3_SOURCE
scratch=$(realpath "$scratch")

# PMUs that count, sample, freeze, are written meanwhile, and link: what takes the engine and what takes ticks.
"$2" t.pmt 100000 || fail "the sample"
cat >five.cfg <<'CFG'
pmuv3-explore 1
pmu plain
inst_retired,stall_frontend
cpu_cycles r10 instructions:u
pmu sampled
inst_retired/period=1000/
pmu frozen
inst_retired/name=frozen/
write PMCR_EL0 0x201
write PMEVCNTR0_EL0 0xFFFFFF00
pmu stopped
cpu_cycles/name=stopped/
write @1000 PMCNTENCLR_EL0 1
pmu pair
l1i_cache_refill
inst_retired/threshold=1,threshold_compare=3,link=true,name=refills_without_retirement/
CFG
# The last interval is shorter.
counted=(t.pmt --config five.cfg --interval 1700 --param el3=0 --csv t.csv --json t.json --plot t.svg)
status 0 "${counted[@]}"
[ "$(wc -l <t.csv) $(grep -c . out)" = '60 13' ] || fail "one machine: $(cat out)"
mkdir one
mv out t.csv t.json t.svg one

same() {
  local file
  for file in out t.csv t.json t.svg; do cmp "one/$file" $file || fail "$1: $file"; done
}
forget() { rm "$1"/merging/* t.*[!t]; }
of_other_sources() { sed -i "s/$PMUV3_SOURCE/0123456789abcdef/" "$1"; }
splits_as "$explore" explore "${counted[@]}"
campaign_holds 0 3 --shard-pmus 2

# ---- What is missing, or of another exploration ----
forget f/explore-*
cp kept/pmus-1-2-*.shard f/explore-*/arrived
status 3 --merge "${split[@]}"
grep -q '3 of 5 PMUs are missing$' err || fail "not said what is missing: $(cat err)"
left t.csv t.svg
jq -e '.verdict == "no verdict" and .reason == "3 of 5 PMUs are missing"' t.json >/dev/null || fail "JSON: $(cat t.json)"
program=$explore
mkdir files
merged() { unusable "^pmuv3 explore: files/x.shard: $1" "${counted[@]}" --merge files; }
cp kept/pmus-1-2-*.shard files/x.shard
for at in 8 12 -9; do # its PMUs, and its last count
  cp kept/pmus-1-2-*.shard files/x.shard
  printf '\x07' | dd of=files/x.shard bs=1 seek="$((at < 0 ? $(stat -c %s files/x.shard) + at : at))" conv=notrunc status=none
  merged 'it is damaged'
done
echo more | cat kept/pmus-1-2-*.shard - >files/x.shard
merged 'it is damaged'
for other in '--interval 1600' '--param el3=1' '--config other.cfg' 'u.pmt'; do
  sed 's/0xFFFFFF00/0xFFFFFE00/' five.cfg >other.cfg
  "$2" u.pmt 100001
  another=(t.pmt --config five.cfg --interval 1700 --param el3=0)
  case $other in
    u.pmt) another[0]=u.pmt ;;
    *config*) another[2]=other.cfg ;;
    *interval*) another[4]=1600 ;;
    *) another[6]=el3=1 ;;
  esac
  status 0 "${another[@]}" --shard files/x.shard --pmus 1-2
  merged 'it is damaged, or a shard of other sources, or of another exploration'
done
status 0 "${counted[@]::7}" --shard files/x.shard --pmus 2-3
cp kept/pmus-1-2-*.shard files # and 3-4 is missing
unusable '^pmuv3 explore: files/x.shard: some of its PMUs are in another file' "${counted[@]}" --merge files

# Two traces of one name, of the same size and sums. A list of one has no shard of the other.
at_cycle() {
  { echo STALL_BACKEND; seq 6400 | sed "s/.*/0/; $1s/0/1/"; } >at.csv
  "${explore%explore}trace" "at-$1.pmt" --from at.csv >/dev/null || fail "no trace of an event in cycle $1"
}
printf 'pmuv3-explore 1\npmu a\nstall_backend\n' >at.cfg
at_cycle 3200
at_cycle 4480
[ "$(stat -c %s at-3200.pmt)" = "$(stat -c %s at-4480.pmt)" ] || fail "the traces have different sizes"
rm files/*
cp at-3200.pmt at.pmt
status 0 at.pmt --config at.cfg --shard files/x.shard --pmus 1-1
status 0 at.pmt --config at.cfg --merge files
status 0 at.pmt --config at.cfg --shards
mv out first
cp at-4480.pmt at.pmt
unusable '^pmuv3 explore: files/x.shard: it is damaged, or a shard of' at.pmt --config at.cfg --merge files
status 0 at.pmt --config at.cfg --shards
[ -s out ] || fail "no shards"
cmp -s out first && fail "shards of two traces have one name"
unusable "^pmuv3 explore: --config: '/dev/stdin' is no regular file" at.pmt --config /dev/stdin --shard y.shard --pmus 1-1 < <(cat at.cfg)
# Nor is a pipe that the shell opens for the farm.
"$here/farm.py" run explore "$explore" at.pmt --config <(cat at.cfg) --farm f --shards >out 2>err
[ $? = 2 ] || fail "a pipe of the shell: $(cat out err)"
grep -qx "pmuv3 explore: --config: '/dev/fd/[0-9]*' is no regular file; shards read it again" err || fail "a pipe of the shell: $(cat err)"

# A set of events with another class is another exploration.
sed 's/^pmu a/param events=my.events\n&/' at.cfg >events.cfg
rm files/*
printf '%s\n' 'pmuv3-events 1' 'event 0x0008' 'event 0x0024' 'event 0x00C5 IMP_X class=COUNT' >my.events
status 0 at.pmt --config events.cfg --shard files/x.shard --pmus 1-1
status 0 at.pmt --config events.cfg --merge files
sed -i 's/COUNT/CONDITION/' my.events
unusable '^pmuv3 explore: files/x.shard: it is damaged, or a shard of' at.pmt --config events.cfg --merge files

# So are names that stand for other events.
"$2" own.pmt 12800 own || fail "the sample of others' events"
printf '%s\n' 'pmuv3-explore 1' 'param events=names.events' 'pmu a' foo 'pmu b' foo >names.cfg
printf '%s\n' 'pmuv3-events 1' 'event 0x0008' 'event 0x0101 FOO' 'event 0x0102 BAR' >names.events
rm files/*
status 0 own.pmt --config names.cfg --shard files/x.shard --pmus 1-1
status 3 own.pmt --config names.cfg --merge files
sed -i 's/FOO/BAZ/; s/BAR/FOO/' names.events
unusable '^pmuv3 explore: files/x.shard: it is damaged, or a shard of' own.pmt --config names.cfg --merge files

# ---- Arguments ----
unusable '^pmuv3 explore: shards are PMUs: --config is missing' t.pmt --ask width --shards
unusable '^pmuv3 explore: --shard and --pmus go together' "${counted[@]}" --pmus 1-2
unusable '^pmuv3 explore: --shard takes no --csv' "${counted[@]}" --shard x --pmus 1-2
unusable "^pmuv3 explore: --pmus: 'five.cfg' has 5 PMUs" "${counted[@]::7}" --shard x --pmus 1-6
unusable '^pmuv3 explore: --pmus takes FIRST-LAST' "${counted[@]::7}" --shard x --pmus 1
unusable '^pmuv3 explore: --verify and --check do not go with shards' "${counted[@]}" --shards --verify
left x

all_held
