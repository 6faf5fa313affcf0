#!/usr/bin/env bash
# Proves a mutant of the C model equivalent to it: `pmuv3 prove` with the mutant in the model's place.
#
#   prove_cmodel.sh BUILD WORK NAME LIST [SET]
#
# SET is the set of cases (default standard; for the tests ci, which is a sample of it and proves nothing
# equivalent). LIST is the list of mutants that NAME is in: the mutant that is proved must be the same. BUILD is what is
# built of the sources, WORK keeps what is proved already: at first that of the model
# itself, so that of a mutant only what it changes is asked. Bounded: it is of the sizes below, which
# are of one thread.
#
# Prints `equivalent: ...` or why it is not proved. Exit status: 0, or 2 after one line.
set -euo pipefail
export LC_ALL=C

sizes=(--size 1x2)
build=$1 work=$2 name=$3 list=$4 set=${5:-standard}
inputs=$build/prove proved=$work/proved-cmodel-$set

fail() {
  echo "prove_cmodel.sh: $1" >&2
  exit 2
}

# prove BITCODE LOG
prove() {
  "$build/bin/pmuv3-prove" --bitcode "$1" --circuits "$inputs" "${sizes[@]}" --set "$set" --theorem equivalence \
    --stop --proved "$proved" --out "$work/refuted" >"$2" 2>&1
}

[ -f "$inputs/pmuv3.bc" ] || fail "$inputs/pmuv3.bc: no such file"
if [ ! -f "$proved.done" ]; then
  # What the tests have proved need not be proved again: a question is known by its digest.
  if [ ! -f "$proved" ] && [ -f "$inputs/proved.sample" ]; then cp "$inputs/proved.sample" "$proved"; fi
  prove "$inputs/pmuv3.bc" "$proved.log" || fail "without a mutant: not proved; see $proved.log"
  touch "$proved.done"
fi
"$build/bin/pmuv3-mutants" "$inputs/pmuv3.bc" --only "$name" -o "$work/$name.bc" --list "$work/$name.list"
[ "$(cut -f2- "$work/$name.list")" = "$(awk -F'\t' -v name="$name" '$2 == name' "$list" | cut -f2-)" ] ||
  fail "$name: it is another mutant in $inputs/pmuv3.bc"
if ! prove "$work/$name.bc" "$work/$name.log"; then
  echo "not proved: $(grep -m 1 -E 'REFUTED|refuted|unknown' "$work/$name.log" || tail -n 1 "$work/$name.log")"
elif [ "$set" != standard ]; then
  echo "not refuted"
else
  echo "equivalent: proved equal to the RTL, for 1 thread and 2 counters"
fi
