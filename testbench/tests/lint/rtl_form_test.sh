#!/usr/bin/env bash
# rtl_form.sh passes only if it has read files, and all of their lines are well-formed. Usage: rtl_form_test.sh PROGRAM
# shellcheck source=../cli/check.sh
. "$(dirname "$0")/../cli/check.sh"

printf 'module m;\n%100s\nendmodule\n' x >good.sv
status 0 good.sv
status 0 good.sv good.sv
status 2
for line in $'\tx' 'x ' "$(printf '%101s' x)"; do
  printf 'module m;\n%s\nendmodule\n' "$line" >wrong.sv
  status 1 good.sv wrong.sv
  [ "$(cat out)" = "wrong.sv:2:$line" ] || fail "'$line': $(cat out)"
done
status 2 good.sv absent/file.sv

all_held
