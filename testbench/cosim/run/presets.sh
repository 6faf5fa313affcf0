#!/bin/sh
# Prints the presets of cores for C: of NAME.core a macro NAME, a string with its pairs NAME=VALUE.
#
#   presets.sh FILE...
set -eu
for file; do
  name=$(basename "$file" .core | tr a-z- A-Z_)
  printf '#define %s \\\n' "$name"
  sed -n 's/^param \([^#]*[^# ]\).*/  " \1" \\/p' "$file"
  echo '  ""'
done
