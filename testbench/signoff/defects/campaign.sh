#!/usr/bin/env bash
# Checks that `pmuv3 run` finds every planted defect with its default budget and its default seed, and that the
# kept stimulus shows the same divergence again.
#
#   campaign.sh            every defect of defects.txt
#   campaign.sh --sample   the defects that are marked as the sample
#   campaign.sh NAME...    these defects
#
#   --work DIR             folder of the scratch copy and its build (default build/defects); the table of the
#                          tried defects is written to DIR/defects.md
#   --table FILE           takes the defects from FILE; the results are no evidence
#   --build                only makes, builds and checks the copy
#   --no-build             uses the existing copy
#   --check-arguments      sees whether these can be used, and does nothing
#
# First the script checks the copy: without a defect, it must run and replay every litmus file without a
# divergence. Exit status: 0 success; 1 a defect was not found or did not replay, its text is not where the
# table says, or the copy diverges without a defect; 2 unusable arguments or table, or an error of the sources of
# the copy; 3 no verdict, since a run or a tool ended without an answer.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
# shellcheck source=../../common.sh
. "$here/../../common.sh"
# shellcheck source=../../build.sh
. "$here/../../build.sh"
# shellcheck source=table.sh
. "$here/table.sh"

main() {
  end_without_verdict
  parse_arguments "$@"
  choose_defects
  if [ "$check" = 1 ]; then
    expect_own_folder --work "$work"
    return
  fi
  own_folder --work "$work"
  work=$(realpath "$work")
  copy=$work/source bin=$work/build/bin results=$work/results
  waves=$(( ! (sample || only_build) )) # the sample must be quick
  programs=(pmuv3-run pmuv3-replay)
  if [ "$waves" = 1 ]; then programs+=(pmuv3-replay-wave); fi
  unset PMUV3_SOURCE # the copy has other sources
  told campaign
}

campaign() {
  end_without_verdict
  keep_table
  [ "$no_build" = 1 ] || build_copy
  begin_results
  expect_programs
  check_sound
  [ "$only_build" = 0 ] || return 0
  try_all
  local lost=0
  results_of found "$results" "${names[@]}" || lost=$?
  (write_whole "$work/defects.md" results_of page "$results" "$table" "${names[@]}") || lost=$?
  if [ "$missed" = 1 ]; then report_missed; fi
  end_as "$lost"
}

parse_arguments() {
  work=$root/build/defects table=$here/defects.txt sample=0 only_build=0 no_build=0 check=0 names=()
  while [ $# -gt 0 ]; do
    once "$1"
    case $1 in
      --sample) sample=1 ;;
      --build) only_build=1 ;;
      --no-build) no_build=1 ;;
      --check-arguments) check=1 ;;
      --work | --table)
        [ $# -gt 1 ] || end_with 2 "$1: expected a value"
        printf -v "${1#--}" %s "$2"
        shift
        ;;
      -*) end_with 2 "$1: unknown argument" ;;
      *) names+=("$1") ;;
    esac
    shift
  done
  [ "$sample" = 0 ] || [ ${#names[@]} = 0 ] || end_with 2 "${names[0]}: --sample takes no names"
  [ -n "$work" ] || unusable "--work: '' is no folder"
  expect_no_blank --work "$work"
  expect_table "$table"
  local folder
  for folder in source build results; do expect_outside "$work/$folder" --table "$table"; done
}

# The numbers and names of the defects to try.
tried() { table_of list "$table" | cut -f1,2 | grep -Ef <(printf '\t%s$\n' "${names[@]//./\\.}"); }

# Sets `names`: the defects to try.
choose_defects() {
  local known name
  known=$(table_of names "$table")
  for name in "${names[@]}"; do
    grep -qFx -- "$name" <<<"$known" || end_with 2 "$name: no such defect"
  done
  if [ -n "$(sort <<<"$known" | uniq -d)" ]; then end_with 2 "$table: a name is there twice"; fi
  name=$(printf '%s\n' "${names[@]}" | sort | uniq -d)
  [ -z "$name" ] || end_with 2 "${name%%$'\n'*}: is given twice"
  if [ ${#names[@]} -gt 0 ]; then return; fi
  if [ "$sample" = 1 ]; then
    mapfile -t names < <(table_of names "$table" sample)
  else
    mapfile -t names <<<"$known"
  fi
}

# The copy, the numbers of the defects and the results are of the table as it is now, whatever becomes of the file.
keep_table() {
  write_whole "$work/table" cat "$table"
  table=$work/table
  expect_table "$table"
  choose_defects
}

# The file `of` names the sources and the table of the copy. All its files are new, so CMake makes its build anew, too:
# a build that goes on would refuse another header, or another version of a tool.
build_copy() {
  local of times
  times=$(source_times "$root" C)
  of=$(source_digest "$root")
  rm -f "$work/of"
  "$here/plant.sh" "$table" "$copy" || end_as $?
  [ "$(source_times "$root" C)" = "$times" ] || end_with 2 "the sources were changed while they were copied"
  rm -rf "${work:?}/build"
  find_cache
  logged "$work/build.log" compile_copy || not_compiled
  expect_of_debian "$work/build"
  stand_in >"$work/pmuv3"
  chmod +x "$work/pmuv3"
  { echo "$of" && digest_of_table "$table"; } >"$work/of"
}

# As build/release is made.
compile_copy() {
  of_debian cmake --preset release -S "$copy" -B "$work/build" &&
    ninja -C "$work/build" "${programs[@]}" pmuv3-shrink pmuv3-report pmuv3-regress
}

not_compiled() {
  tail -n 20 "$work/build.log" >&2
  if has_error "$work/build.log"; then end_with 2 "the scratch copy does not build; see $work/build.log"; fi
  end_with 3 "no verdict: the scratch copy does not build; see $work/build.log"
}

# Results of several calls accumulate. Results of other sources, or of another table, are removed. The file
# `source` is written only if the sources are still those of the copy, and the table is theirs. So other results are no
# evidence.
begin_results() {
  [ -f "$work/of" ] || end_with 2 "$work: there is no copy that was built"
  is_of_table "$work" "$table" || end_with 2 "$work: the copy has the defects of another table"
  { [ -f "$results/of" ] && cmp -s "$work/of" "$results/of"; } || rm -rf "$results"
  mkdir -p "$results"
  cp "$work/of" "$results/of"
  if [ "$(source_digest "$root")" = "$(head -n 1 "$work/of")" ] && cmp -s "$table" "$here/defects.txt"; then
    head -n 1 "$work/of" >"$results/source"
  fi
}

# The copy may have been built without waves.
expect_programs() {
  local name
  for name in "${programs[@]}"; do
    [ -x "$bin/$name" ] || end_with 2 "--no-build: the copy has no $name"
  done
}

# A stand-in for ./pmuv3. A run that diverges calls it to make the wave.
stand_in() {
  printf '#!/bin/sh\nshift\nexec "%s" "$@"\n' "$bin/pmuv3-replay-wave"
}

# Without a defect there must be no divergence.
check_sound() {
  : >"$results/sound.log"
  expect_sound "the scratch copy diverges without a defect" pmuv3-run --out "$results/sound"
  expect_sound "a litmus file fails in the scratch copy without a defect" \
    pmuv3-replay "$root"/testbench/tests/litmus/*.stim
  echo "no defect: equivalent"
}

# expect_sound FAILURE PROGRAM ARGUMENT...
expect_sound() {
  local status=0
  PMUV3_DEFECT=0 "$bin/$2" "${@:3}" >>"$results/sound.log" 2>&1 || status=$?
  case $status in
    0) ;;
    1) end_with 1 "$1; see $results/sound.log" ;;
    *) end_with 3 "no verdict without a defect: $2 ended with status $status; see $results/sound.log" ;;
  esac
}

# Tries the defects in parallel. Each run uses one process, so that the cycles until a divergence do not depend
# on the number of processors.
try_all() {
  export -f try run_finds untried replay_finds wave_opens row
  export bin results waves
  if [ "$waves" = 1 ]; then export PMUV3=$work/pmuv3; fi
  missed=0
  tried >"$work/tried"
  xargs -P "$(nproc)" -L1 bash -euo pipefail -c 'try "$@"' try <"$work/tried" || missed=1
}

# try NUMBER NAME: NAME.log is there once the verdict is. So a defect whose trial is interrupted was not tried.
try() {
  local found=0
  rm -rf "${results:?}/$2" "${results:?}/$2".*
  if run_finds "$@" && replay_finds "$@" && wave_opens "$@"; then
    row "$2" >"$results/$2.found" || exit 1
    mv "$results/$2.found" "$results/$2.row"
    found=1
  fi
  mv "$results/$2.trying" "$results/$2.log"
  [ "$found" = 1 ]
}

run_finds() {
  local out=$results/$2 status=0
  PMUV3_DEFECT=$1 "$bin/pmuv3-run" --jobs 1 --no-shrink --out "$out" --json "$out.json" \
    >"$out.trying" 2>&1 ||
    status=$?
  [ "$status" = 1 ] && jq -e .first_divergence "$out.json" >/dev/null && return
  [ "$status" -le 1 ] || untried "$@" "$status"
  echo "$2: NOT FOUND, exit status $status; see $out.log"
  return 1
}

# untried NUMBER NAME STATUS: a program gave no verdict, so the defect counts as not tried.
untried() {
  mv "$results/$2.trying" "$results/$2.no_verdict"
  echo "$2: NO VERDICT, exit status $3; see $results/$2.no_verdict"
  exit 1
}

# The kept stimulus must show the same divergence: the same cycle, counter, signal and values.
replay_finds() {
  local out=$results/$2 status=0 x_seed stimulus
  x_seed=$(jq .first_divergence.x_seed "$out.json")
  stimulus=$(jq -r .first_divergence.stimulus "$out.json")
  PMUV3_DEFECT=$1 "$bin/pmuv3-replay" --x-seed "$x_seed" "$stimulus" >"$out.replay" 2>&1 || status=$?
  [ "$status" = 1 ] && grep -qF ": $(head -n 1 "$out/divergence.txt")" "$out.replay" && return
  [ "$status" -le 1 ] || untried "$@" "$status"
  echo "$2: DOES NOT REPLAY, exit status $status; see $out.replay"
  return 1
}

# The wave of the last cycles and its view must exist.
wave_opens() {
  local out=$results/$2 status=0 signals
  [ "$waves" = 0 ] && return
  signals=$(fst2vcd "$out/window.fst" 2>/dev/null | grep -c '^[$]var'; exit "${PIPESTATUS[0]}") || status=$?
  if ((status > 128 && status < 192)); then untried "$@" "$status"; fi # a signal ended it
  if ((signals > 0)) && [ -s "$out/window.gtkw" ]; then return; fi
  echo "$2: NO WAVE; see $out.log"
  return 1
}

# A row of a defect that was found: name, all cycles, signal, thread, counter, cycle of the stream,
# configuration.
row() {
  jq -r --arg name "$1" '.first_divergence as $first | [
    $name, .cycles, $first.signal, $first.thread, ($first.counter // "-"), $first.cycle,
    $first.configuration
  ] | @tsv' "$results/$1.json"
}

# A missed defect takes precedence over one without a verdict.
report_missed() {
  local name
  for name in "${names[@]}"; do
    [ -f "$results/$name.row" ] || [ -f "$results/$name.no_verdict" ] || end_with 1 "not every defect was found"
  done
  end_with 3 "no verdict on every defect"
}

main "$@"
