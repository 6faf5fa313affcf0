# shellcheck shell=bash
# Common functions of the measurements of planted defects (measure.sh of shrink and of failure_report). Each
# measurement starts from an earlier result in the campaign's folder, and leaves a row for each defect. A script
# that sources this file sets the defaults of its options, and defines `measured_defect`.
set -euo pipefail

# shellcheck disable=SC2154  # here: the folder of the script
root=$(realpath "$here/../../..")
# shellcheck source=table.sh
. "$root/testbench/signoff/defects/table.sh"
table=$root/testbench/signoff/defects/defects.txt work=$root/build/defects names=()

# parse_arguments OPTIONS ARGUMENT...: sets the variables of these options, and `names`
parse_arguments() {
  local options=" --work $1 "
  shift
  while [ $# -gt 0 ]; do
    once "$1"
    if [[ $options == *" $1 "* ]]; then
      [ $# -gt 1 ] || end_with 2 "$1: expected a value"
      printf -v "${1#--}" %s "$2"
      shift
    elif [[ $1 == -* ]]; then
      end_with 2 "$1: unknown argument"
    else
      names+=("$1")
    fi
    shift
  done
  is_of_table "$work" "$table" ||
    end_with 2 "--work: $work has no copy with the defects of the table; run testbench/signoff/defects/campaign.sh first"
  [ ! -f "$work/.pmuv3" ] || hold_folder --exclusive --work "$work"
  results=$work/results
  unset PMUV3_SOURCE # the campaign's copy has other sources
}

# default_names SUFFIX BEFORE: if no name is given, takes all defects with RESULT$SUFFIX. Program BEFORE makes
# these files.
default_names() {
  local name
  if [ ${#names[@]} -eq 0 ]; then
    mapfile -t names < <(table_of names "$table" | while read -r name; do
      if [ -s "$results/$name$1" ]; then echo "$name"; fi
    done)
  fi
  [ ${#names[@]} -gt 0 ] || end_with 2 "$results: no *$1; run $2 first"
}

# measure PROGRAM: runs `measured_defect NUMBER NAME` of each defect in parallel, and sets `failed` if one fails.
# No verdict on a defect is none on all.
measure() {
  program=$work/build/bin/$1
  [ -x "$program" ] || end_with 2 "$program: no such program; run testbench/signoff/defects/campaign.sh first"
  local status=0
  export -f measured_defect untold
  export results program
  rm -f "$results/untold"
  table_of list "$table" | cut -f1,2 | grep -Ef <(printf '\t%s$\n' "${names[@]//./\\.}") |
    xargs -P "$(nproc)" -L1 bash -Eeuo pipefail -c 'trap untold ERR; measured_defect "$@"' measured_defect || status=$?
  # shellcheck disable=SC2034 # of the scripts that source this
  case $status in
    0) ;;
    123) failed=1 ;; # xargs: one of them
    *) no_verdict "$LINENO" ;;
  esac
  [ ! -e "$results/untold" ] || end_with 3 "no verdict on every defect"
}

# untold: something died unforeseen.
untold() { touch "$results/untold"; }
