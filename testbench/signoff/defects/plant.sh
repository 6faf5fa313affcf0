#!/usr/bin/env bash
# Makes a scratch copy of the sources with every defect of a table in it, behind a selector.
#
#   plant.sh TABLE COPY
#
# A defect (defects.txt says how it is written) replaces an expression by
# (selected != NUMBER ? (right) : (wrong)), so one build of the copy serves all of them; which one is
# live is said by PMUV3_DEFECT when a program starts. Exit status: 0 all planted, 1 a defect's text
# is not in exactly one place, 2 unusable arguments or table, 3 a command died
# unforeseen.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
# shellcheck source=../../common.sh
. "$here/../../common.sh"
# shellcheck source=table.sh
. "$here/table.sh"
root=$(realpath "$here/../../..")

main() {
  end_without_verdict
  [ $# -eq 2 ] || fail 2 "usage: plant.sh TABLE COPY"
  copy=$2
  expect_table "$1"
  copy_sources
  plant_table <"$1"
  add_selector
}

fail() {
  echo "plant.sh: $2" >&2
  exit "$1"
}

# Copies the sources, and the wave views that a failure report uses. The copy must not have links: a write to a link
# would change its target.
copy_sources() {
  own_folder COPY "$copy"
  copy=$(realpath "$copy")
  empty_folder "$copy"
  (
    cd "$root"
    { find_sources -print0 && find -L waves -type f -print0; } | xargs -0 cp -L --parents -t "$copy" --
  ) || fail 2 "the sources cannot be copied"
  chmod -R u+w "$copy"
  expect_no_link "$copy"
}

# Reads blocks of "key value" lines. `number` counts the defects.
plant_table() {
  local key value
  number=0 name=''
  while read -r key value; do
    case $key in
      '' | '#'*) ;;
      defect)
        plant
        number=$((number + 1))
        name=$value file='' at='' right='' wrong=''
        ;;
      file) file=$value ;;
      at) at=$value ;;
      -) right=$value ;;
      +) wrong=$value ;;
      what | sample) ;;
      *) fail 2 "$name: $key: unknown key" ;;
    esac
  done
  plant
}

# Plants the last block, if there is one.
plant() {
  [ -n "$name" ] || return 0
  local part
  for part in file at right wrong; do
    [ -n "${!part}" ] || fail 2 "$name: no $part"
  done
  [ -f "$copy/$file" ] || fail 1 "$name: $file: no such file"
  find_place "$(<"$copy/$file")"
  [ "$places" -eq 1 ] ||
    fail 1 "$name: '$right' after '$at' is in $places places of $file, expected one"
  printf '%s(%s != %d ? (%s) : (%s))%s\n' \
    "$before" "$(selected)" "$number" "$right" "$wrong" "$after" >"$copy/$file"
}

# Counts in `places` the statements that have `right` after `at`. `before` and `after` are the text around
# `right`.
find_place() {
  local passed='' rest=$1
  places=0
  while [[ $rest == *"$at"* ]]; do
    passed+=${rest%%"$at"*}$at
    rest=${rest#*"$at"}
    [[ ${rest%%;*} == *"$right"* ]] || continue
    places=$((places + 1))
    before=$passed${rest%%"$right"*}
    after=${rest#*"$right"}
  done
}

selected() {
  case $file in
    *.sv) echo pmuv3_defect_pkg::selected ;;
    *) echo pmuv3_defect ;;
  esac
}

# A defect may look odd, so warnings are off in the copy.
add_selector() {
  cp "$here"/selector.[ch] "$copy/cmodel/src"
  cat >>"$copy/cmodel/CMakeLists.txt" <<'END'
target_sources(pmuv3 PRIVATE src/selector.c)
target_compile_options(pmuv3 PRIVATE -w -include ${CMAKE_CURRENT_SOURCE_DIR}/src/selector.h)
END
  local package=$copy/rtl/pmuv3_pkg.sv
  cat "$here/selector.sv" "$package" >"$package.new"
  mv "$package.new" "$package"
  echo 'lint_off -file "*"' >>"$copy/rtl/pmuv3.vlt"
}

main "$@"
