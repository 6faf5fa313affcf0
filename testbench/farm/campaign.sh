# shellcheck shell=bash
# What every command holds that splits into shards (docs/design/farm.md). Sourced by tests, after check.sh. The test
# has the functions below.
# shellcheck disable=SC2154
#
#   same WHAT            fails unless the merged result is that of one machine
#   forget CAMPAIGN      takes the merged result away; CAMPAIGN is a folder of the farm
#   of_other_sources FILE  makes the file of a shard one of other sources

# splits_as PROGRAM COMMAND ARGUMENT...: what is tested: the program's command in shards. Other arguments may follow.
splits_as() {
  stand_in farm <<<"exec '$here/../farm/farm.py' run '$2' '$1'$(printf ' %q' "${@:3}") \"\$@\""
  program=$scratch/farm
}

# campaign_holds STATUS NUMBER ARGUMENT...: so many shards end with the status, as on one machine: shuffled, twice,
# damaged, and of other sources. With PMUV3_TEST_SLURM then also by Slurm.
campaign_holds() {
  local ended=$1 number=$2 campaign files line again
  split=("${@:3}" --farm f)
  status 0 --shards "${split[@]}"
  cp out list
  [ "$(sort -u list | wc -l)" = "$number" ] || fail "not $number shards: $(cat list err)"
  shuf --random-source=list list | xargs -d '\n' -P 2 -n 1 bash -c >ran 2>&1 || fail "a shard ended with $?: $(cat ran)"
  campaign=$(echo f/*-*)
  [ "$(find "$campaign/arrived" -name '*.shard' | wc -l)" = "$number" ] || fail "files: $(ls "$campaign/arrived")"
  cp -r "$campaign/arrived" kept

  status "$ended" --merge "${split[@]}"
  same "shards"
  status 0 --shards "${split[@]}"
  [ ! -s out ] || fail "nothing is missing, and listed: $(cat out)"
  read -r again < <(find kept -name '*.shard' | sort)
  cp "$again" "$campaign/arrived"
  status "$ended" --merge "${split[@]}"
  same "what came twice"

  forget "$campaign"
  cp kept/*.shard "$campaign/arrived"
  mapfile -t files < <(find "$campaign/arrived" -name '*.shard' | sort)
  truncate -s 500 "${files[0]}"
  of_other_sources "${files[1]}"
  "$program" --merge "${split[@]}" >out 2>err
  [ "$(grep -c '^pmuv3 farm: refused: .*shard: ' err)" = 2 ] || fail "refused: $(cat err)"
  [ "$(find "$campaign/merging" -name '*.refused' | wc -l)" = 2 ] || fail "refused files: $(ls "$campaign/merging")"
  status 0 --shards "${split[@]}"
  [ "$(wc -l <out)" = 2 ] || fail "not two shards are left: $(cat out)"
  xargs -d '\n' -n 1 bash -c <out >ran 2>&1 || fail "a shard ended with $?: $(cat ran)"
  status "$ended" --merge "${split[@]}"
  same "after damage"

  # Programs of other sources run no shard, and merge none.
  line=$(head -n 1 list)
  bash -c "${line/PMUV3_SOURCE=+([0-9a-f])/PMUV3_SOURCE=0123456789abcdef}" >ran 2>&1 && fail "a shard of other sources ran"
  grep -q 'built from sources' ran || fail "other sources: $(cat ran)"
  if [ -n "${PMUV3_TEST_SLURM-}" ]; then
    forget "$campaign"
    rm -r f
    status "$ended" --slurm "${split[@]}"
    same "Slurm"
  fi
}
shopt -s extglob
