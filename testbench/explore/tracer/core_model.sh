#!/usr/bin/env bash
# Prints docs/reference/core_model.md with its tables as the program has them. Usage: core_model.sh PROGRAM PAGE
set -euo pipefail
tables=$(mktemp -d)
trap 'rm -rf "$tables"' EXIT
"$1" --parameters >"$tables/parameter"
"$1" --columns >"$tables/event"
# A table replaces the one whose first cell names its file.
awk -F '[| ]+' -v tables="$tables" '
  /^\| (parameter|event) \|/ { while ((getline row < (tables "/" $2)) > 0) print row; skips = 1 }
  !/^\|/ { skips = 0 }
  !skips' "$2"
