#!/usr/bin/env bash
# A mutant is killed by a signal only if the mutant itself raised that signal: no other signal is a verdict.
#
#   trial_test.sh PROGRAM CC   pmuv3-mutate, and the compiler
# shellcheck source=../../tests/cli/check.sh
. "$(dirname "$0")/../../tests/cli/check.sh"
unset PMUV3_SOURCE
root=$here/../../..

# The C model as a side, whose mutant N ends by signal N in its first cycles.
mkdir made
cat >ends.c <<'END'
#include <signal.h>

#include "tlm_wrapper/side.h"

struct pmuv3_side *whole_side(const struct pmuv3_params *params);
int pmuv3_mutant;

struct pmuv3_side *pmuv3_side_cmodel(const struct pmuv3_params *params) {
  signal(pmuv3_mutant, SIG_DFL);
  if (pmuv3_mutant) raise(pmuv3_mutant);
  return whole_side(params);
}
END
options=(-O1 -fPIC "-I$root" "-I$root/cmodel/include")
"$2" "${options[@]}" -Dpmuv3_side_cmodel=whole_side -c "$root/tlm_wrapper/side_cmodel.c" -o side.o || fail "no side"
"$2" "${options[@]}" -shared ends.c side.o "$root"/cmodel/src/*.c -o made/mutants.so || fail "no library"

# ends_by SIGNAL STATUS: a mutant that ends by the signal.
ends_by() {
  local number
  number=$(kill -l "$1")
  printf '%d\tf.0.0\tc.c\tc.c:1\tends by %s\n' "$number" "$1" >made/mutants.list
  rm -f m.db
  status "$2" made --side cmodel --db m.db --cycles 5000 --jobs 1
}

for signal in SEGV BUS FPE ILL ABRT TRAP XCPU; do
  ends_by $signal 0
  grep -q '^killed ' out || fail "$signal: $(cat out err)"
done
for signal in TERM KILL HUP INT PIPE ALRM USR1 XFSZ; do
  ends_by $signal 3
  grep -qx 'pmuv3-mutate: f.0.0: its process ended without a verdict' err || fail "$signal: $(cat out err)"
  [ "$(sqlite3 m.db 'SELECT COUNT(*) FROM mutant')" = 0 ] || fail "$signal: a verdict was kept"
done

all_held
