#!/usr/bin/env bash
# The tutorials, as a reader does them: each command that a page shows is run in a copy of the checkout, and
# prints what the page says. Times may differ.
#
#   tutorials_test.sh ROOT
# shellcheck source=../cli/check.sh
. "$(dirname "$0")/../cli/check.sh"
root=$1
unset PMUV3_SOURCE

# What a page shows, but for times: "1.5 s", cycles a second, seconds at the end of a table's row.
without_times() {
  sed -E -e 's/[0-9]+(\.[0-9]+)? s\b/N s/g' -e 's/^(.* [0-9]+ +[0-9]+) +[0-9]+ +(equivalent|seed)/\1 N \2/' \
    -e 's/ [0-9]+ +((NOT PROVED|proved)( [(]sample[)])?)$/ N \1/' -e 's/ +/ /g' -e 's/ $//'
}

# A pattern of the lines of a page: "..." stands for any lines.
pattern_of() {
  without_times | sed -e 's/[][\\*?()|!+@]/\\&/g' | awk '
    $0 == "..." { printf "*"; next }
    { printf "%s\n", $0 }'
}

# try PAGE COMMAND EXPECTED: EXPECTED is what the page shows; where it is empty, anything.
try() {
  local actual pattern status=0
  prepare "$1" "$2"
  tried=$((tried + 1))
  actual=$(set -o pipefail; eval "$2" 2>&1 </dev/null | without_times) || status=$?
  [[ -n $3 || $status = 0 ]] || fail "$1: $ $2: exit status $status: $actual"
  pattern=$(pattern_of <<<"$3")
  # shellcheck disable=SC2053  # a pattern
  [[ -z $3 || $actual == $pattern ]] || fail "$1: $ $2: it prints '$actual', the page '$3'"
}

# The commands of a page, and what each prints: a block of those begins with "$ ".
follow() {
  local line inside=0 first=0 command='' expected=''
  while IFS= read -r line; do
    if [[ $line == '```'* ]]; then
      [ -z "$command" ] || try "$1" "$command" "$expected"
      inside=$((!inside)) first=$inside command='' expected=''
    elif [[ $inside = 1 && $line == '$ '* && (-n $command || $first = 1) ]]; then
      [ -z "$command" ] || try "$1" "$command" "$expected"
      command=${line#'$ '} expected='' first=0
    else
      [ -z "$command" ] || expected+=${expected:+$'\n'}$line
      first=0
    fi
  done <"$root/docs/tutorial/$1.md"
}

# block PAGE FIRST: the block of a page that begins with this line
block() {
  awk -v first="$2" '
    on && /^```/ { exit }
    on || (fence && $0 == first) { on = 1; print }
    { fence = /^```/ }' "$root/docs/tutorial/$1.md"
}

# The line of first_divergence.md that takes the place of another one.
plant() {
  local sound defect
  sound=$(block first_divergence 'const uint64_t carry = value & ~next & config->top[i];')
  defect=$(block first_divergence 'const uint64_t carry = (value ^ next) & config->top[i];')
  SOUND=$sound DEFECT=$defect perl -pi -e 's/\Q$ENV{SOUND}\E/$ENV{DEFECT}/' cmodel/src/counter.c
  ! cmp -s cmodel/src/counter.c "$root/cmodel/src/counter.c" || fail "$1: no defect was planted"
}

# What the page's text asks for before a command.
prepare() {
  case "$1: $2" in
    *': ./pmuv3 replay pair.stim') block first_hour 'pmuv3-stimulus 1' >pair.stim ;;
    *': ./pmuv3 replay wrong.stim') sed 's/^expect PMEVCNTR0_EL0 100/expect PMEVCNTR0_EL0 102/' pair.stim >wrong.stim ;;
    'first_divergence: ./pmuv3 run '*) plant "$1" ;;
    *': ./pmuv3 replay overflow.stim '*) cat divergence/minimal.stim <(block first_divergence 'expect PMOVSCLR_EL0 0') >overflow.stim ;;
    'first_proof: ./pmuv3 prove '*) [ "$proved" = 0 ] || plant "$1"; proved=$((proved + 1)) ;;
  esac
}
proved=0

# A viewer opens a window; the copy has no history.
# shellcheck disable=SC2317 # the pages call them
gtkwave() { :; }
# shellcheck disable=SC2317
git() { [ "$*" = 'checkout cmodel/src/counter.c' ] && cp "$root/cmodel/src/counter.c" cmodel/src; }

mkdir copy
tar -C "$root" --exclude=./build --exclude=./.git --exclude=./refuted --exclude=./divergence -cf - . | tar -C copy -xf - || fail 'no copy was made'
cd copy || exit 1
[ "$(cd "$root/docs/tutorial" && echo *.md)" = 'first_divergence.md first_hour.md first_proof.md' ] || fail 'there are other pages'
for page in first_hour first_divergence first_proof; do
  tried=0
  follow $page
  [ "$tried" -ge 4 ] || fail "$page: only $tried commands"
done
[ "$proved" = 2 ] || fail "expected two proofs, not $proved"

all_held
