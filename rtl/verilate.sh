#!/usr/bin/env bash
# Makes a Verilated model, as few files as compile side by side: g++ takes a second to read
# Verilator's headers, whatever a file has besides.
#
#   verilate.sh FOLDER PREFIX FILES ARGUMENT...
#
# FOLDER/PREFIX.h is the model's class. FOLDER/PREFIX_fast_1.cpp to _FILES.cpp include what runs in
# each evaluation; PREFIX_slow.cpp includes what runs once. The arguments are Verilator's.
set -euo pipefail
folder=$1 prefix=$2 files=$3
shift 3

# include FILE...: what a source consists of.
include() { printf '#include "%s"\n' "$@"; }

rm -rf "$folder"
verilator_bin --cc --prefix "$prefix" --Mdir "$folder" "$@"

cd "$folder"
# The largest first, so that all parts are about as large.
mapfile -t all < <(find . -name '*.cpp' -printf '%s %f\n' | sort -rn | cut -d' ' -f2)
slow=() fast=()
for file in "${all[@]}"; do
  case $file in
    *__Slow.cpp | *__Syms.cpp | *__ConstPool_*.cpp) slow+=("$file") ;;
    *) fast+=("$file") ;;
  esac
done
for ((i = 0; i < files; i++)); do
  part=()
  for ((k = i; k < ${#fast[@]}; k += files)); do part+=("${fast[k]}"); done
  include "${part[@]}" >"${prefix}_fast_$((i + 1)).cpp"
done
include "${slow[@]}" >"${prefix}_slow.cpp"
