#!/usr/bin/env bash
# A proof in shards has the verdicts and the counts of one that is not split; what is missing, damaged or comes
# twice is seen. Usage: shards_test.sh PROGRAM BITCODE NETLISTS
# shellcheck source=../../tests/cli/check.sh
. "$(dirname "$0")/../../tests/cli/check.sh"
# shellcheck source=../../farm/rows.sh
. "$here/../../farm/rows.sh"
all=(--bitcode "$2" --netlists "$3" --set ci --only PMOVS --theorem equivalence --out made --defaults-end)
prove=("${all[@]}" --size 1x2)

unusable '^pmuv3 prove: --shards, --shard and --merge exclude each other' "${prove[@]}" --shards --merge .
unusable '^pmuv3 prove: --stop does not go with shards' "${prove[@]}" --shards --stop
unusable '^pmuv3 prove: --proved does not go with shards' "${prove[@]}" --shard x --proved y
unusable '^pmuv3 prove: --part does not go with shards' "${prove[@]}" --shards --part 1/2
unusable '^pmuv3 prove: --shard takes one theorem and one --size' "${prove[@]}" --size 2x1 --shard x
unusable '^pmuv3 prove: --part takes K/N' "${prove[@]}" --part 1
unusable '^pmuv3 prove: --part takes a number' "${prove[@]}" --part 3/2
unusable "^pmuv3 prove: --merge: cannot read 'absent'" "${prove[@]}" --merge absent
left x y made

status 0 "${prove[@]}" --json one.json
status 0 "${prove[@]}" --shards --shard-cases 1
cp out list
number=$(wc -l <list)
[ "$number" = "$(jq '.sizes[0].cases | length' one.json)" ] || fail "not a shard for each case: $(cat list)"
mkdir files kept
while IFS=$'\t' read -r shard words; do
  eval "status 0 $words --shard files/$shard.shard"
done <list
cp files/* kept
status 0 "${prove[@]}" --merge files --json all.json
same_of one.json all.json "not the same" proof_in
# Again, and twice.
first=$(find files -name '*.shard' | sort | head -n 1)
cp "$first" files/again.shard
status 0 "${prove[@]}" --merge files --json all.json
same_of one.json all.json "what comes twice" proof_in
rm files/again.shard

# Missing, damaged, of other sources, of another size.
rm "$first"
status 3 "${prove[@]}" --merge files --json partial.json
grep -q '^pmuv3 prove: 1 cases and places are missing$' err || fail "missing: $(cat err)"
jq -e '.verdict == "no verdict"' partial.json >/dev/null || fail "missing: $(cat partial.json)"
for damage in 's/cycle/cyclE/; s/\x01/\x02/' 's/^./X/'; do
  sed "$damage" "kept/${first#*/}" >"$first"
  cmp -s "$first" "kept/${first#*/}" && fail "nothing is damaged"
  unusable "^pmuv3 prove: $first: it is damaged" "${prove[@]}" --merge files
done
for byte in 24 28 32 36; do # the theorem, the size, how many
  cp "kept/${first#*/}" "$first"
  printf '\x05' | dd of="$first" bs=1 seek="$byte" conv=notrunc status=none
  unusable "^pmuv3 prove: $first: it is damaged" "${prove[@]}" --merge files
done
head -c 100 "kept/${first#*/}" >"$first"
unusable "^pmuv3 prove: $first: it is damaged" "${prove[@]}" --merge files
rm files/*
cp kept/* files
# Of another proof: its cases stand for none of this one.
other=("${all[@]/PMOVS/PMCR_EL0}" --size 1x2 --shard-cases 1)
status 0 "${other[@]}" --shards
cut -f 2- out | head -n 1 >list
eval "status 0 $(cat list) --shard other.shard"
cp other.shard files
unusable '^pmuv3 prove: files/other.shard: it is a shard of another proof' "${prove[@]}" --merge files
rm "$first" && unusable 'it is a shard of another proof' "${prove[@]}" --merge files
rm files/*
cp kept/* files
mkdir netlists
touch netlists/2_2.btor
unusable 'it is a shard of another size' "${all[@]}" --netlists netlists --size 2x2 --merge files

# A whole set of which one case, or one place, has arrived is no evidence.
signoff=${program%prove}signoff
for asked in 'equivalence --set ci' 'interference --set standard'; do
  read -ra whole <<<"--theorem $asked --size 1x1"
  whole+=(--bitcode "$2" --netlists "$3" --out made)
  rm files/*
  status 0 "${whole[@]}" --shards --shard-cases 1
  [ "$(wc -l <out)" -gt 2 ] || fail "$asked: not several shards: $(cat out)"
  cut -f 2- out | sed -n 2p >list
  eval "status 0 $(cat list) --shard files/one.shard"
  status 3 "${whole[@]}" --merge files --json partial.json
  grep -qE '^pmuv3 prove: [0-9]+ cases and places are missing$' err || fail "$asked: $(cat err)"
  jq -e '.verdict == "no verdict"' partial.json >/dev/null || fail "$asked: $(cat partial.json)"
  program=$signoff unusable 'partial.json: the file does not name its sources' --db partial.db --prove partial.json
done

all_held
