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
  [ $# -eq 2 ] || end_with 2 "usage: plant.sh TABLE COPY"
  copy=$2
  expect_table "$1"
  expect_own_folder COPY "$copy"
  expect_outside "$copy" TABLE "$1"
  copy_sources
  "$here/plant.py" "$1" "$copy" || end_as $?
  add_selector
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
  ) || end_with 2 "the sources cannot be copied"
  chmod -R u+w "$copy"
  expect_no_link "$copy"
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
