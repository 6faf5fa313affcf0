# shellcheck shell=bash
# A campaign of mutants in shards (docs/design/farm.md). Sourced by mutate.sh, whose variables it uses.
# shellcheck disable=SC2154
#
#   --shards             make the mutants, and list the shards in which a mutant has no verdict
#   --shard-mutants N    mutants of a shard (default 20)
#   --shard FILE         try some mutants, and write their rows to FILE
#   --mutants SIDE:FIRST-LAST  ... these
#   --merge DIR          merge the files of shards, and report

# set_mode FUNCTION: what is to be done instead of a campaign.
set_mode() {
  [ "$mode" = campaign ] || unusable "--shards, --shard and --merge exclude each other"
  mode=$1
}

expect_mode() {
  expect_number --shard-mutants "$shard_mutants"
  [ "$shard_mutants" != 0 ] || unusable "--shard-mutants: expected a number of 1 or more"
  [ "$shard_mutants" -le 65535 ] || unusable "--shard-mutants: expected at most 65535"
  [ "$mode" != campaign ] || [[ " $given " != *" --shard-mutants "* ]] || unusable "--shard-mutants needs --shards"
  [ "$mode" != run_shard ] || expect_output --shard "$shard"
  [ "$mode" = run_shard ] || [ -z "$mutants" ] || unusable "--mutants needs --shard"
  [ "$mode" != run_shard ] || [[ $mutants =~ ^(rtl|cmodel):[0-9]+-[0-9]+$ ]] ||
    unusable "--mutants: '$mutants': expected SIDE:FIRST-LAST"
}

# ---- The list ----

list_shards() {
  local side range ranges words
  end_without_verdict
  make_all >&2
  printf -v words ' --%s %q' rtl "$rtl" cmodel "$cmodel" seed "$seed" size "$size" cycles "$cycles" work "$work" build "$build"
  for side in "${sides[@]}"; do
    ranges=$(untried "$side" "$shard_mutants") || end_as $?
    for range in $ranges; do
      printf '%s-%s-cycles-%s\t--mutants %s:%s --jobs 1%s\n' "$side" "$range" "$cycles" "$side" "$range" "$words"
    done
  done
}

# untried SIDE N: the ranges of N mutants of which one has no verdict.
untried() {
  "$build/bin/pmuv3-mutate" "$(folder_of "$1")" --side "$1" --db "$db" --cycles "$cycles" --untried "$2"
}

# Nodes read what is made here, and write nothing to it. So the folder is ours only while something is made.
make_all() {
  local side
  if all_made; then return; fi
  own_folder --work "$work"
  note_sources
  for side in "${sides[@]}"; do make_once "$side" "$(folder_of "$side")"; done
}

all_made() {
  local side
  for side in "${sides[@]}"; do [ -d "$(folder_of "$side")" ] || return 1; done
}

# ---- A shard ----

# A shard has a database and a folder of its own, on a disk of the node.
own_database() {
  own=$(temporary_folder) || exit $?
  trap 'rm -rf "$own"' EXIT
  db=$own/evidence.db
}

run_shard() {
  local side=${mutants%%:*} made file
  end_without_verdict
  note_sources
  made=$(realpath -m "$(folder_of "$side")")
  [ -f "$made/mutants.so" ] || unusable "--shard: '$made' has no mutants; --shards makes them"
  mkdir "$own/made"
  for file in mutants.so mutants.list size apply.ys cut.aig; do
    [ ! -f "$made/$file" ] || ln -s "$made/$file" "$own/made"
  done
  try_mutants "$side" "$own/made" --mutants "${mutants#*:}"
  write_whole "$shard" cat "$db"
}

# ---- Merging ----

merge_shards() {
  local side missing=0 ranges
  end_without_verdict
  "$evidence" --db "$db" --merge "$merge" || end_as $?
  for side in "${sides[@]}"; do
    ranges=$(untried "$side" 1) || end_as $?
    missing=$((missing + $(wc -w <<<"$ranges")))
  done
  report "$missing"
}
