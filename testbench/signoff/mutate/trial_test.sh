#!/usr/bin/env bash
# A mutant is killed by a signal only if the mutant itself raised that signal, and again: no other signal is a
# verdict, nor is memory that ran out.
#
#   trial_test.sh PROGRAM CC   pmuv3-mutate, and the compiler
# shellcheck source=../../tests/cli/check.sh
. "$(dirname "$0")/../../tests/cli/check.sh"
unset PMUV3_SOURCE
root=$here/../../..

# The C model as a side, whose mutant N ends by signal N in its first cycles. Mutant 100 ends by SIGABRT, and
# from then on whatever is simulated; mutant 101 ends by SIGABRT once; with mutant 102 there is no more memory.
# Mutant 103 keeps another state, mutant 104 ends by SIGABRT when it is saved.
mkdir made
cat >ends.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "tlm_wrapper/side.h"

struct pmuv3_side *whole_side(const struct pmuv3_params *params);
int pmuv3_mutant;

static struct pmuv3_side_ops ops;
static size_t (*save_whole)(const struct pmuv3_side *side, void *buffer, size_t size);

static size_t save_wrong(const struct pmuv3_side *side, void *buffer, size_t size) {
  if (pmuv3_mutant == 104) abort();
  const size_t saved = save_whole(side, buffer, size);
  if (saved <= size) ((unsigned char *)buffer)[saved - 1] ^= 1;
  return saved;
}

static struct pmuv3_side *with_wrong_save(struct pmuv3_side *side) {
  ops = *side->ops;
  save_whole = ops.save;
  ops.save = save_wrong;
  side->ops = &ops;
  return side;
}

struct pmuv3_side *pmuv3_side_cmodel(const struct pmuv3_params *params) {
  if (pmuv3_mutant == 103 || pmuv3_mutant == 104) return with_wrong_save(whole_side(params));
  if (pmuv3_mutant == 102) {
    setrlimit(RLIMIT_AS, &(struct rlimit){0, 0});
    return whole_side(params);
  }
  const int is_first = access("aborted", F_OK) != 0;
  if (is_first ? pmuv3_mutant >= 100 : access("always", F_OK) == 0) {
    fclose(fopen("aborted", "w"));
    if (pmuv3_mutant == 100) fclose(fopen("always", "w"));
    abort();
  }
  if (pmuv3_mutant && pmuv3_mutant < 100) {
    signal(pmuv3_mutant, SIG_DFL);
    raise(pmuv3_mutant);
  }
  return whole_side(params);
}
END
options=(-O1 -fPIC "-I$root" "-I$root/cmodel/include")
"$2" "${options[@]}" -Dpmuv3_side_cmodel=whole_side -c "$root/tlm_wrapper/side_cmodel.c" -o side.o || fail "no side"
"$2" "${options[@]}" -shared ends.c side.o "$root"/cmodel/src/*.c -o made/mutants.so || fail "no library"

# try NUMBER STATUS: that mutant.
try() {
  printf '%d\tf.0.0\tc.c\tc.c:1\tends\n' "$1" >made/mutants.list
  rm -f m.db
  status "$2" made --side cmodel --db m.db --cycles 5000 --jobs 1
}

# ends_by SIGNAL STATUS: a mutant that ends by the signal.
ends_by() { try "$(kill -l "$1")" "$2"; }

# no_verdict WHAT: of the mutant that was tried.
no_verdict() {
  grep -qx 'pmuv3-mutate: f.0.0: its process ended without a verdict' err || fail "$1: $(cat out err)"
  [ "$(sqlite3 m.db 'SELECT COUNT(*) FROM mutant')" = 0 ] || fail "$1: a verdict was kept"
}

for signal in SEGV BUS FPE ILL ABRT TRAP XCPU; do
  ends_by $signal 0
  grep -q '^killed ' out || fail "$signal: $(cat out err)"
done
for signal in TERM KILL HUP INT PIPE ALRM USR1 XFSZ; do
  ends_by $signal 3
  no_verdict $signal
done

# What ends without the mutant, too, from now on; and what ends once.
try 100 3
no_verdict 'it crashes without the mutant, too'
rm always aborted
try 101 0
grep -q '^SURVIVED ' out || fail "a crash that does not happen again: $(cat out err)"
try 102 3
no_verdict 'there is no more memory'

# What is kept. A survivor ran as many cycles as were asked for.
try 103 0
[[ $(sqlite3 m.db 'SELECT reason FROM mutant') == 'keeps another state than the model, at the end of '* ]] ||
  fail "another state is kept: $(sqlite3 m.db 'SELECT reason FROM mutant')"
try 104 0
[[ $(sqlite3 m.db 'SELECT reason FROM mutant') == 'crashes (Aborted), in '* ]] ||
  fail "a crash when it is saved: $(sqlite3 m.db 'SELECT reason FROM mutant')"
try 105 0
[ "$(sqlite3 m.db 'SELECT verdict, cycles FROM mutant')" = 'survived|5000' ] ||
  fail "a survivor: $(sqlite3 m.db 'SELECT verdict, cycles FROM mutant')"

# Proved equivalent, it is run again only for more cycles, and stays so.
"${program%/*}/pmuv3-evidence" --db m.db <<<"UPDATE mutant SET verdict = 'equivalent', reason = 'proved'"
for cycles in 5000 6000; do
  status 0 made --side cmodel --db m.db --cycles $cycles --jobs 1
  [ "$(sqlite3 m.db 'SELECT verdict, reason, cycles FROM mutant')" = "equivalent|proved|$cycles" ] ||
    fail "a proof, and $cycles cycles: $(sqlite3 m.db 'SELECT verdict, reason, cycles FROM mutant')"
done

[ "$(sqlite3 m.db "SELECT COUNT(*) FROM version WHERE tool = 'verilator'")" = 1 ] || fail "no tools are named"

all_held
