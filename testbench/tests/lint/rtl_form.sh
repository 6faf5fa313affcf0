#!/usr/bin/env bash
# RTL has lowRISC's style: 100 columns, no tabs, no trailing blanks. Exit status: 0; 1 a line has not; 2 there is no
# file, or one cannot be read. Usage: rtl_form.sh FILE...
set -euo pipefail
[ $# -gt 0 ] || { echo "rtl_form.sh: no file is given" >&2 && exit 2; }

wrong=$'\t| $|.{101}'
found=0
grep -nHE -e "$wrong" -- "$@" || found=$?
case $found in
  0) exit 1 ;;
  1) exit 0 ;; # grep has read all files
  *) exit 2 ;;
esac
