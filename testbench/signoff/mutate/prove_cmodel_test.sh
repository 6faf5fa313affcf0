#!/usr/bin/env bash
# The proof of mutants of the C model is honest: equivalent is only what the cases meet, in a run in which nothing is
# found. With stand-ins for what puts mutants behind a selector, and for the prover.
set -- prove_cmodel.sh
# shellcheck source=../../tests/cli/check.sh
. "$(dirname "$0")/../../tests/cli/check.sh"
program=$here/prove_cmodel.sh
mkdir -p build/bin made tools
export PMUV3_STAND_INS=$scratch/tools

# listed LINE NAME...: their list, with that line of the source.
listed() {
  local line=$1 number=0 name
  shift
  for name; do printf '%d\t%s\tc.c\tc.c:%d\t+ becomes -\n' "$((++number))" "$name" "$line"; done
}

# A module is the names of its mutants; one that is gone cannot be made.
stand_in build/bin/pmuv3-mutants <<END
#!/usr/bin/env bash
$(declare -f listed)
names=()
shift
while [ \$# -gt 0 ]; do
  case \$1 in
    --only) names+=("\$2") ;;
    --list) list=\$2 ;;
    -o) out=\$2 ;;
  esac
  shift 2
done
if [[ "\${names[*]}" == *gone* ]]; then
  echo "pmuv3-mutants: gone: no such mutant" >&2
  exit 2
fi
printf '%s\n' "\${names[@]}" >"\$out"
listed 7 "\${names[@]}" >"\$list"
END

# Which functions the proof's module has.
stand_in tools/llvm-config-14 <<<"echo '$scratch/tools'"
stand_in tools/llvm-nm <<<"printf '%s\n' twin hard unmet stops threads other one same gone"

# A mutant is called by what becomes of it, in the last cases of one thread alone. What two ask alike is told of the
# first. In the second case no mutant is met.
stand_in build/bin/pmuv3-prove <<'END'
#!/usr/bin/env bash
while [ $# -gt 0 ]; do printf -v "${1#--}" %s "$2"; shift 2; done
if [ -e pause ] && [ "$set $size" = 'standard 1x2' ]; then
  rm pause
  until [ -e go ]; do sleep 0.02; done
fi
mapfile -t names <"$bitcode"
[ "$mutants" = ${#names[@]} ] || exit 2
[ "$set $size" != 'ci 1x2' ] || exit 0
met='' found=''
for i in "${!names[@]}"; do
  case $size,${names[i]} in
    *,unmet* | 1x2,threads* | 2x1,one*) ;;
    *) met+=" $((i + 1))" ;;
  esac
  case ${names[i]} in
    stops*) echo "execution stops"; exit 2 ;;
    other*) [ "$size" = 1x2 ] || : "${found:=mutant $((i + 1)): next 5: refuted}" ;;
    twin*) : "${found:=mutant $((i + 1)): next 3: refuted}" ;;
    hard*) : "${found:=mutant $((i + 1)): next 4: unknown: z3: timeout}" ;;
  esac
done
printf '  meets mutants%s\n' "$met" ''
[ -n "$found" ] || exit 0
echo "1x2, write PMCR_EL0: $found"
exit 1
END

# proves CASES NAME...: says something of each, once.
proves() {
  status 0 build made "$@"
  shift
  [ "$(cut -d ' ' -f 1 out | sort)" = "$(printf '%s\n' "$@" | sort)" ] || fail "$name $*: $(cat out err)"
}

# says NAME ANSWER
says() {
  grep -qE "^$1 $2" out || fail "no '$1 $2' in: $(cat out)"
}

same=(same.{2..12}.0)
listed 7 twin.1.0 twin.2.0 hard.1.0 unmet.1.0 stops.1.0 threads.1.0 other.1.0 one.1.0 "${same[@]}" >made/mutants.list

# All is well.
proves standard "${same[@]}"
for mutant in "${same[@]}"; do says "$mutant" 'equivalent: .* 1 thread '; done
# Of a part of the cases nothing is concluded.
proves ci "${same[@]}"
for mutant in "${same[@]}"; do says "$mutant" 'no answer: not told from the model'; done

# What two ask alike is told of the first alone: both differ.
proves standard twin.1.0 same.2.0 twin.2.0
says twin.1.0 differs
says twin.2.0 differs
says same.2.0 'equivalent: .* 1 thread '
# What a solver does not know is no answer.
proves standard hard.1.0 same.2.0
says hard.1.0 'no answer: next 4: unknown'
says same.2.0 'equivalent: .* 1 thread '

# What no case meets is not proved: number 1, though 10 is met.
proves standard unmet.1.0 "${same[@]}"
says unmet.1.0 'no answer: the proof does not meet it'
for mutant in "${same[@]}"; do says "$mutant" 'equivalent: .* 1 thread '; done
# What one thread does not tell from the model is asked of two.
proves standard other.1.0 one.1.0 same.2.0
says other.1.0 differs
says one.1.0 'equivalent: .* with 1 thread and 2 counters$'
says same.2.0 'equivalent: .* 1 thread .*, and with 2 threads '
proves standard threads.1.0 same.2.0 unmet.1.0
says threads.1.0 'equivalent: .* 2 threads '
says same.2.0 'equivalent: .* 1 thread '
says unmet.1.0 'no answer: the proof does not meet it'

# Execution stops at one: the others are answered.
proves standard twin.1.0 stops.1.0 unmet.1.0 same.2.0 same.3.0
says stops.1.0 'no answer: execution stops'
says twin.1.0 differs
says unmet.1.0 'no answer: the proof does not meet it'
says same.2.0 'equivalent: .* 1 thread '
says same.3.0 'equivalent: .* 1 thread '

# What makes a side of the model is not in the proof's module, wherever its line is. The others have their answers.
proves standard side_gone.1.0 same.2.0
says side_gone.1.0 'no answer: the proof has no side'
says same.2.0 'equivalent: .* 1 thread '
proves standard side_gone.1.0

# Two runs on what was made: each answers of its own mutant.
touch pause
"$program" build made standard unmet.1.0 >first &
while [ -e pause ] && kill -0 $!; do sleep 0.02; done
status 0 build made standard same.2.0
says same.2.0 'equivalent: .* 1 thread '
touch go
wait $! || fail "the first of two runs ended with $?"
mv first out
says unmet.1.0 'no answer: the proof does not meet it'

# The mutants are others than those of the library.
listed 8 "${same[@]}" >made/mutants.list
unusable 'has other mutants than made/mutants.list' build made standard "${same[@]}"
unusable 'gone: no such mutant' build made standard gone.1.0 same.2.0
unusable 'expected BUILD DIR' build made every same.2.0

all_held
