#!/usr/bin/env bash
# The campaign is honest: the score is computed right, a survivor fails, what has a verdict is not run
# again, and what is killed in the middle goes on. With stand-ins for what makes, runs and proves mutants.
set -u
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
export PMUV3_SOURCE=0123456789abcdef

fail() {
  echo "FAILED: $*"
  failures=$((failures + 1))
}

# A copy of the scripts, whose makers and provers are stand-ins.
mkdir -p "$scratch/testbench" "$scratch/build/bin"
cp -r "$here" "$here/../evidence" "$scratch/testbench"
scripts=$scratch/testbench/mutate
db=$scratch/evidence.db

stand_in() {
  cat >"$1"
  chmod +x "$1"
}

# Four mutants of the RTL and two of the C model.
stand_in "$scripts/rtl.sh" <<'END'
#!/usr/bin/env bash
mkdir -p "$5"
for n in 1 2 3 4; do printf '%d\tm/$c%d.A[0] in'"'"'v\tm\tm.sv:%d\tinverted\n' "$n" "$n" "$n"; done >"$5/mutants.list"
: >"$5/mutants.so"
END
stand_in "$scripts/cmodel.sh" <<'END'
#!/usr/bin/env bash
mkdir -p "$4"
for n in 1 2; do printf '%d\tf.%d.0\tc.c\tc.c:%d\t+ becomes -\n' "$n" "$n" "$n"; done >"$4/mutants.list"
: >"$4/mutants.so"
END

# prover NAME TEXT: what it says of every mutant, behind $2 for the RTL's numbers.
stand_in "$scripts/prove_rtl.sh" <<'END'
#!/usr/bin/env bash
if [ "$2" = 3 ]; then echo "$2 equivalent"; else echo "$2 differs"; fi
END
stand_in "$scripts/prove_cmodel.sh" <<'END'
#!/usr/bin/env bash
echo "equivalent: for the stand-in"
END

# runner SURVIVORS STOP: pmuv3-mutate, of which those mutants survive and that ends before mutant STOP.
runner() {
  stand_in "$scratch/build/bin/pmuv3-mutate" <<END
#!/usr/bin/env bash
while [ \$# -gt 0 ]; do printf -v "\${1#--}" %s "\$2"; shift 2; done
quote="'"
while IFS=\$'\t' read -r number name module place change; do
  name=\${name//\$quote/\$quote\$quote}
  [ "\$side \$number" != "$2" ] || kill -9 \$\$
  key="source = '\$PMUV3_SOURCE' AND side = '\$side' AND name = '\$name'"
  [ -z "\$(sqlite3 "\$db" "SELECT 1 FROM mutant WHERE \$key")" ] || continue
  echo "ran \$side \$number"
  verdict=killed
  [[ " $1 " != *" \$side\$number "* ]] || verdict=survived
  sqlite3 "\$db" "INSERT INTO mutant VALUES ('\$PMUV3_SOURCE', '\$side', '\$name', '\$module', '\$place',
                  '\$change', '\$verdict', CASE '\$verdict' WHEN 'killed' THEN 'V' END, 10, 0.5)"
done <"\$list"
END
}

# mutate EXPECTED TEXT...: its exit status, and texts that it prints; a text behind ! must not be there.
mutate() {
  local expected=$1 actual=0 text
  shift
  "$scripts/mutate.sh" --db "$db" --work "$scratch/work" --build "$scratch/build" >"$scratch/out" 2>&1 ||
    actual=$?
  [ "$actual" -eq "$expected" ] || fail "exit status $actual, expected $expected: $(cat "$scratch/out")"
  for text; do
    if [[ $text == !* ]]; then
      if grep -qE -- "${text#!}" "$scratch/out"; then fail "there is '${text#!}' in: $(cat "$scratch/out")"; fi
    else
      grep -qE -- "$text" "$scratch/out" || fail "no '$text' in: $(cat "$scratch/out")"
    fi
  done
}

# One of four survives, another is proved equivalent: 2 of 3.
runner 'rtl2 rtl3 cmodel1' ''
mutate 1 '^rtl +4 +2 +1 +1 +66.7%' '^cmodel +2 +1 +1 +0 +100.0%' \
  'SURVIVED m.sv:2, .*not killed in 5000000 cycles; differs'
# Nothing is run or proved again, and the survivor still fails.
mutate 1 '!^ran' '^rtl +4 +2 +1 +1 +66.7%'
# Of other sources nothing is known.
PMUV3_SOURCE=fedcba9876543210
runner '' ''
mutate 0 'ran rtl 4' 'ran cmodel 2' '^rtl +4 +4 +0 +0 +100.0%' '!SURVIVED'
mutate 0 '!^ran'

# Killed before the third: what was there stays, and is not run again.
PMUV3_SOURCE=00000000ffffffff
runner '' 'rtl 3'
mutate 137 'ran rtl 2' '!ran rtl 3'
runner '' ''
mutate 0 '!ran rtl 2' 'ran rtl 3' 'ran rtl 4' '^rtl +4 +4'

# What cannot be used.
unusable() {
  local actual=0
  "$scripts/mutate.sh" "$@" >"$scratch/out" 2>&1 || actual=$?
  if [ "$actual" -ne 2 ] || [ "$(wc -l <"$scratch/out")" -ne 1 ]; then fail "$*: $actual, $(cat "$scratch/out")"; fi
}
unusable --every
unusable --rtl
unusable --rtl many
unusable --size 5x2
unusable --rtl 4 --db "$scratch/none/evidence.db" --work "$scratch/work"
unset PMUV3_SOURCE
unusable --rtl 4

[ "$failures" -eq 0 ] && echo "all held"
exit "$((failures > 0))"
