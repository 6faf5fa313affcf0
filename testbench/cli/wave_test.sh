#!/usr/bin/env bash
# The FST of a replay has every signal of the view in waves/. Usage: wave_test.sh REPLAY-WAVE VIEW STIMULUS
set -u
program=$1 view=$2 stimulus=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Full names of the variables of a VCD, ranges stuck to them.
names() {
  awk '$1 == "$scope" { path = path $3 "." }
       $1 == "$upscope" { sub(/[^.]*\.$/, "", path) }
       $1 == "$var" { name = $5; if ($6 != "$end") name = name $6; print path name }
       $1 == "$enddefinitions" { exit }'
}

"$program" --wave "$scratch/wave.fst" --wave-last 3 "$stimulus" || exit 1
fst2vcd "$scratch/wave.fst" >"$scratch/wave.vcd" || exit 1
names <"$scratch/wave.vcd" | sort -u >"$scratch/have"
sed 's/@t@/0/g; s/@n@/1/g; s/@even@/0/g' "$view" | grep '^TOP' | sort -u >"$scratch/want"
[ "$(wc -l <"$scratch/want")" -gt 10 ] || { echo "FAILED: the view has hardly a signal"; exit 1; }
missing=$(comm -13 "$scratch/have" "$scratch/want")
[ -z "$missing" ] || { echo "FAILED: not in the FST: $missing"; exit 1; }

# Three Processor cycles: three clocks of two evaluations, and only those.
[ "$(grep -c '^#' "$scratch/wave.vcd")" -eq 6 ] || { echo "FAILED: not 3 clocks"; exit 1; }
echo "all held"
