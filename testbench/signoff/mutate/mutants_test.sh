#!/usr/bin/env bash
# A local that an assignment was left out of has the pattern, not what a call before has left there.
#
#   mutants_test.sh PROGRAM   pmuv3-mutants
# shellcheck source=../../tests/cli/check.sh
. "$(dirname "$0")/../../tests/cli/check.sh"

cat >pair.c <<'END'
struct pair {
  int a, b;
};
__attribute__((noinline)) static void fill(struct pair *pair, int a) {
  pair->a = a;
  pair->b = 7;
}
int second(int a) {
  struct pair pair;
  fill(&pair, a);
  return pair.b;
}
END
cat >main.c <<'END'
#include <stdio.h>
extern int pmuv3_mutant;
int second(int a);
int main(void) {
  for (pmuv3_mutant = 0; pmuv3_mutant <= 2; pmuv3_mutant++) printf(&" %d"[pmuv3_mutant == 0], second(5));
}
END
clang-14 -O1 -g -emit-llvm -c pair.c -o pair.bc || fail "pair.c: not compiled"
"$program" pair.bc --number 2 --keep second --poison -o mutants.bc --list list || fail "no mutants"
[ "$(grep -c 'an assignment is left out' list)" = 2 ] || fail "expected two assignments: $(cat list)"
clang-14 -O2 mutants.bc main.c -o program || fail "mutants.bc: not compiled"
[ "$(./program)" = "$(awk -F'\t' 'BEGIN { printf "7" } { printf $4 == "pair.c:6" ? " -1431655766" : " 7" }' list)" ] ||
  fail "it is '$(./program)' of $(cat list)"

# ---- A function without mutants ----
name=mutants
status 2 pair.bc --number 1 --keep second --without fill -o mutants.bc
grep -qx 'pmuv3-mutants: there are only 0 mutants' err || fail "mutants of fill: $(cat err)"
status 2 pair.bc --number 1 --keep second --without full -o mutants.bc
grep -qx "pmuv3-mutants: --without: there is no function 'full'" err || fail "no such function: $(cat err)"

# ---- Files that are written ----
cp pair.bc kept.bc
one=(pair.bc --number 1 --keep second)
for option in -o --list; do
  [ "$option" = -o ] || one+=(-o mutants.bc)
  : >out
  for other in pair.bc ./pair.bc absent/file . ''; do
    status 2 "${one[@]}" "$option" "$other"
    grep -q "^pmuv3-mutants: $option: cannot write '$other': " err || fail "$option '$other': $(cat err)"
  done
done
cmp pair.bc kept.bc || fail "the input was replaced"
status 2 "${one[@]}" --list /dev/full
grep -qx "pmuv3-mutants: --list: cannot write '/dev/full': No space left on device" err || fail "a full device: $(cat err)"

all_held
