#!/usr/bin/env bash
# Checks the example devices: each must be equivalent, and each of its planted mistakes must be found and shrink to
# a few lines. A mistake is an `ifdef BUG_NAME of the device, with a comment that says what is wrong.
#
#   bugs.sh                    all devices, all mistakes
#   bugs.sh DEVICE[:BUG]...    these devices, or these mistakes alone, as apb or dual:NEXT_LEVEL
#   bugs.sh --list             lists the mistakes: device, name, what is wrong
#
#   --sample       every third mistake
#   --built        our programs are up to date
#   --work DIR     where results go (default build/check/bugs): bugs.md has the tables
#   --cycles N     clocks in which a mistake must be found (default 5000000)
#   --equal N      clocks in which a device must be equivalent (default: those of --cycles)
#   --most N       lines that a reproducer may have (default 15)
#   --only VIEW    seen or blind alone
#
# Each device is checked with all its internals visible (seen), and by its interrupt and its reads alone (blind).
# Exit status: 0 success, 1 a device or a mistake was not as it must be, 2 unusable arguments, 3 no verdict.
# shellcheck disable=SC2016  # back quotes are Markdown's and Verilog's
set -euo pipefail
here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
root=$(realpath "$here/../../../..")
# shellcheck source=../../../common.sh
. "$root/testbench/common.sh"
# shellcheck source=../../../build.sh
. "$root/testbench/build.sh"

work=$root/build/check/bugs cycles=5000000 equal='' most=15 is_built=0 lists=0 sample=0 views='seen blind' failures=0
page=$root/docs/reference/shipped_bugs.md
names=()

# ---- What there is ----

devices() {
  local description
  for description in "$here"/*/*.pmu; do basename -- "$description" .pmu; done
}

rtl_of() {
  local file
  for file in "$here/$1"/*.v "$here/$1"/*.sv; do [ ! -f "$file" ] || echo "$file"; done
}

# bugs_of DEVICE: a line each: name, what is wrong
bugs_of() {
  local file
  file=$(rtl_of "$1")
  sed -nE 's|^ *`ifdef BUG_([A-Z0-9_]+) // (.*)|\1 \2|p' "$file"
}

all_bugs() {
  local device
  for device in $(devices); do bugs_of "$device" | sed "s/^/$device /"; done
}

list() { if [ "$sample" = 1 ]; then all_bugs | sed -n '2~3p'; else all_bugs; fi; }

# ---- One run ----

# described DEVICE VIEW: the description with all internals, or with none
described() {
  if [ "$2" = seen ]; then
    cat "$here/$1/$1.pmu"
    [ ! -f "$here/$1/$1.visible" ] || cat "$here/$1/$1.visible"
  else
    grep -v '^visible' "$here/$1/$1.pmu"
  fi
}

wrong() {
  echo "$called: $*" >&2
  failures=$((failures + 1))
}

# run NAME EXPECTED DEVICE VIEW ARGUMENT...: ./pmuv3 check, whose verdict must be EXPECTED
run() {
  local name=$1 expected=$2 device=$3 view=$4 status=0
  local -a rtl
  shift 4
  mapfile -t rtl < <(rtl_of "$device")
  mkdir -p "$work/$view"
  described "$device" "$view" >"$work/$view/$device.pmu"
  "$here/../check.sh" --evidence "$work/evidence.db" --once --built "$work/$view/$device.pmu" "${rtl[@]}" "$@" --jobs 1 --json "$work/$view/$name.json" \
    --out "$work/$view/$name" >"$work/$view/$name.log" 2>&1 || status=$?
  if [ "$status" -gt 1 ]; then
    tail -n 1 "$work/$view/$name.log" >&2
    no_verdict "$LINENO"
  fi
  [ "$(jq -r .verdict "$work/$view/$name.json")" = "$expected" ] ||
    wrong "$name, $view: is not $expected; see $work/$view/$name.log"
}

check_equal() {
  local view
  for view in $views; do run "$1" equivalent "$1" "$view" --cycles "${equal:-$cycles}"; done
}

# check_bug DEVICE BUG: found, and its reproducer is short
check_bug() {
  local view name=$1.$2 lines
  for view in $views; do
    run "$name" diverged "$1" "$view" --cycles "$cycles" "-DBUG_$2"
    lines=$(jq '.first_divergence.shrunk_lines // 9999' "$work/$view/$name.json")
    [ "$lines" -le "$most" ] || wrong "$name, $view: the reproducer has $lines lines"
  done
}

# ---- Tables ----

# figures DEVICE BUG VIEW: clocks until it was found, and lines of the reproducer
figures() {
  jq -r 'if .first_divergence then "\(.cycles) | \(.first_divergence.shrunk_lines)" else "not found | " end' \
    "$work/$3/$1.$2.json" 2>/dev/null || echo ' | '
}

columns() {
  local view
  for view in $views; do printf ' | clocks, %s | lines' "$view"; done
  echo ' |'
}

# row BEGINNING DEVICE BUG
row() {
  local view
  printf '| %s | %s | `BUG_%s`' "$1" "$2" "$3"
  for view in $views; do printf ' | %s' "$(figures "$2" "$3" "$view")"; done
  echo ' |'
}

rule() {
  local view
  printf '|---|---|---'
  for view in $views; do printf '|--:|--:'; done
  echo '|'
}

# Rows of the page that name a device: what shipped, device, mistake.
shipped() {
  sed -nE 's/^\| (\[.*\]\([^)]*\)) \| .* \| ([a-z]+) \| `BUG_([A-Z0-9_]+)` \|$/\1\t\2\t\3/p' "$page"
}

tables() {
  local source device bug what
  echo '# Planted mistakes of the example devices'
  echo
  printf '| what is wrong | device | mistake'
  columns
  rule
  while read -r device bug what; do is_wanted "$device" "$bug" && row "$what" "$device" "$bug"; done < <(list)
  echo
  echo '# Bugs that shipped'
  echo
  printf '| source | device | mistake'
  columns
  rule
  while IFS=$'\t' read -r source device bug; do
    is_wanted "$device" "$bug" && row "$source" "$device" "$bug"
  done < <(shipped)
  return 0
}

# ---- Main ----

is_wanted() {
  [ ${#names[@]} -eq 0 ] || [[ " ${names[*]} " == *" $1 "* || " ${names[*]} " == *" $1:$2 "* ]]
}

has_device() {
  [ ${#names[@]} -eq 0 ] || [[ " ${names[*]} " == *" $1 "* || " ${names[*]} " == *" $1:"* ]]
}

expect_name() {
  local known
  known=$(all_bugs | sed -E 's/^([^ ]*) ([^ ]*) .*/ \1 \1:\2 /' | tr -d '\n')
  [[ $known == *" $1 "* ]] || unusable "there is no device or mistake '$1'; see bugs.sh --list"
}

take() {
  once "$1"
  [ $# -ge 2 ] || unusable "$1: its value is missing"
  [ "$1" = --work ] || [ "$1" = --only ] || [[ $2 =~ ^[1-9][0-9]*$ ]] || unusable "$1 takes a number, not '$2'"
}

parse() {
  while [ $# -gt 0 ]; do
    case $1 in
      --built) is_built=1 ;;
      --list) lists=1 ;;
      --sample) sample=1 ;;
      --work | --cycles | --equal | --most | --only)
        take "$@"
        case $1 in
          --work) work=$2 ;;
          --cycles) cycles=$2 ;;
          --equal) equal=$2 ;;
          --most) most=$2 ;;
          --only) views=$2 ;;
        esac
        shift
        ;;
      -*) unusable "unusable option '$1'" ;;
      *)
        expect_name "$1"
        names+=("$1")
        ;;
    esac
    shift
  done
  expect_own_folder --work "$work"
  [[ $views == @(seen|blind|seen blind) ]] || unusable "--only takes seen or blind, not '$views'"
}

main() {
  local device bug
  end_without_verdict
  parse "$@"
  if [ "$lists" = 1 ]; then
    list
    return
  fi
  [ "$is_built" = 1 ] || build release pmuv3-check
  own_folder --work "$work"
  work=$(realpath "$work")
  empty_folder "$work"
  for device in $(devices); do
    if has_device "$device"; then check_equal "$device"; fi
  done
  while read -r device bug _ <&3; do
    if is_wanted "$device" "$bug"; then check_bug "$device" "$bug"; fi
  done 3< <(list)
  tables >"$work/bugs.md"
  say "$(<"$work/bugs.md")"
  [ "$failures" = 0 ] || exit 1
}

main "$@"
