#!/usr/bin/env bash
# What is kept of calls is trusted: each defect that is planted in it must fail the tests.
#
#   memo_defects_test.sh SYMEX WORK CC CXX INCLUDE FILE...
#
# SYMEX is the folder of the sources, INCLUDE that of LLVM's headers. FILE... is what the tests are linked of, and options: the object of the
# changed source takes the place of that in the library.
set -euo pipefail
symex=$1 work=$2 cc=$3 cxx=$4 include=$5
shift 5
linked=("$@")

fail() {
  echo "memo_defects_test.sh: $1" >&2
  exit 1
}

# run_tests FILE: with this source in the place of that in the library. Sets status.
run_tests() {
  status=0
  "$cc" -std=c11 -D_GNU_SOURCE -I "$symex/../.." -isystem "$include" -c "$1" -o "$work/changed.o"
  "$cxx" "$work/changed.o" "${linked[@]}" -o "$work/tests"
  "$work/tests" --gtest_filter='MemoTest.*' >"$work/log" 2>&1 || status=$?
}

# planted NAME FILE SED: the tests fail with the change. Another end than that of a failed test is none.
planted() {
  sed -E "$3" "$symex/$2" >"$work/$2"
  ! cmp -s "$symex/$2" "$work/$2" || fail "$1: nothing is changed"
  run_tests "$work/$2"
  if [ "$status" != 1 ] || ! grep -q "^\[  FAILED  \]" "$work/log"; then fail "$1: not seen, exit status $status"; fi
  rm "$work/$2"
}

mkdir -p "$work"
run_tests "$symex/memo.c"
[ "$status" = 0 ] || fail "the tests fail without a defect: $(tail -n 3 "$work/log")"
planted 'reads are not compared' memo.c 's/are_same\(&memo->read, memory\)/true/'
planted 'a load is not traced' memory.c '/^term memory_load/,/^}/s/trace_look\(address, size\);//'
planted 'a merge is not traced' memory.c 's/^ *trace_(look|change)\(MEMORY_ADDRESS\(number, from\), size\);//'
planted 'a write is not traced' memory.c '/^static struct object \*writable/,/^}/s/trace_change\(address, size\);//'
planted 'writes are not done again' memo.c 's/^ *write_bytes\(&memo->written, memory\);//'
planted 'one write is not done again' memo.c '/^static void write_bytes/,/^}/s/r < bytes->num_runs/r + 1 < bytes->num_runs/'
planted 'a byte written as it was is not compared' memo.c 's/is_read \|\| is_same/is_read/'
planted 'obligations are lost' memo.c 's/n < memo->num_noted; n\+\+\) obligation_keep/n < 0; n++) obligation_keep/'
planted 'an obligation is lost' memo.c 's/size_t n = 0; (n < memo->num_noted; n\+\+\) obligation_keep)/size_t n = 1; \1/'
planted 'arguments are not compared' memo.c 's/memcmp\(memo->arguments, arguments, .*==$/0 ==/; s/function_arguments\(function\)\)\];/0)];/'
planted 'new variables are kept' memo.c 's/term_num_fresh\(\) == begun->fresh \&\&//'
planted 'watched calls are kept' memo.c 's/symex->watched == begun->watched \&\&/true \&\&/'
planted 'what an inner call reads is lost' memo.c 's/^ *trace_again\(memo\);//'
planted 'what an inner trace has is lost' trace.c 's/looked_at\[b\] \|= inner/looked_at[b] |= 0 \& inner/'
echo "all held"
