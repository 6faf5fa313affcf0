#!/usr/bin/env bash
# ./pmuv3 check DESCRIPTION RTL... : verilates a device, makes its glue, and runs it against the C model.
# With --recorded FILE instead of RTL: a recording of a simulator. docs/reference/check.md has the options.
#
#   check.sh [--check-arguments] [--evidence FILE] [--once] [--slang FOLDER] [--built] DESCRIPTION [RTL...] [OPTION]...
#
# --once: no second simulator, and no word of it. --built: our own programs are up to date, as they are in a test.
# --evidence: another default of --db. --slang: another folder for slang.
set -euo pipefail
root=$(dirname "$(realpath "${BASH_SOURCE[0]}")")/../../..
root=$(realpath "$root")
# shellcheck source=../../common.sh
. "$root/testbench/common.sh"
# shellcheck source=../../build.sh
. "$root/testbench/build.sh"
# shellcheck source=exact.sh
. "$root/testbench/cosim/check/exact.sh"
# shellcheck source=slang.sh
. "$root/testbench/cosim/check/slang.sh"
# shellcheck source=again.sh
. "$root/testbench/cosim/check/again.sh"
called='pmuv3 check'
end_without_verdict

bin=$root/build/release/bin
watched=() changes=''
description='' top='' wave=0 recorded=0 help=0 proves=0 limit='' out=divergence-check
plays_again=1 one_simulator=0 seed=1 replayed='' # of the second simulator
seeds='' # --seeds
simulates='' # an option that a proof does not take
rtl=() verilator=() options=()
results=() # --json and --junit, with their files
lists=() # files of -f
farm=() splits='' # options of the farm (testbench/farm/farm.py), and which of them splits the work
defaults=(--db "$root/build/check/evidence.db" --defaults-end)
device=() # what names the device, word by word, for the command that replays a divergence
words=()  # those of them that change its RTL, for its digest

# ---- Arguments ----

# Options of the program that is built take a value, or none.
valued=' --recorded --scope --db --page --emit --cycles --seed --seeds --shard-seeds --jobs -j --mode --json --junit --out --replay --wave --seconds '
plain=' --calibrate --no-shrink --help -h '

take() {
  [ $# -ge 2 ] || unusable "unusable option '$1': its value is missing; see ./pmuv3 help"
}

# An RTL argument: a file, or an option of Verilator that names files or macros.
take_rtl() {
  device+=("$1")
  case $1 in
    +incdir+* | -[Iy]?*)
      expect_variables "$1"
      verilator+=("$1")
      ;;
    +* | -[DGU]?*)
      verilator+=("$1")
      words+=("$1")
      ;;
    -*) unusable "unusable option '$1'; see ./pmuv3 help" ;;
    *)
      [ -f "$1" ] || unusable "cannot read '$1'"
      expect_no_variable "$(realpath -- "$1")"
      rtl+=("$(realpath -- "$1")")
      verilator+=("-I$(dirname -- "$(realpath -- "$1")")") # includes beside it
      ;;
  esac
}

# Verilator substitutes $NAME in names, also from the environment, on which no verdict depends. We look at files by
# their own names.
variable='[$][{(]?[A-Za-z_]'
expect_no_variable() {
  [[ ! $1 =~ $variable ]] || unusable "'$1' has a \$ in its name, which Verilator takes for a variable"
}
folders=() # names in which it may substitute those of --variable
expect_variables() { folders+=("$1"); }

# How Verilator reads RTL is for the user to say. What it makes, and where, is not: reads OPTION says whether an
# option is of the first kind. A word after takes_value OPTION is its value. Options that leave RTL out (--bbox-unsup)
# are not: nobody would see what was left out.
reads() {
  [[ $1 == @(-[DGUIWO]?*|+?*|-sv|-y|-v) ]] || takes_value "$1" ||
    [[ ${1#-} == -@(no-timing|timing|assert|no-assert|autoflush|relative-includes|public|public-flat|public-flat-rw|public-params|x-initial-edge) ]]
}
takes_value() {
  [[ $1 == -[yv] ||
    ${1#-} == -@(x-assign|x-initial|language|default-language|unroll-count|unroll-stmts|inline-mult|converge-limit|timescale|timescale-override|error-limit|if-depth|max-num-width) ]]
}

# expect_reads WORD WHERE: the word after value_of, which the caller has.
expect_reads() {
  if takes_value "$value_of"; then
    value_of=''
  else
    reads "$1" || unusable "$2: '$1' does not say how Verilator reads RTL; see ./pmuv3 help"
    value_of=$1
  fi
}

# The options in a file of -f or -F, and in the files that it names. Quotes, backslashes and comments can hide an
# option. So a word with one of the first two counts as an option, and so does the value of an option, which may stand
# in a comment itself. Only comments with // are left out.
looks_like_option() { [[ $1 == -* || $1 == *[\"\'\\]* ]]; }

# expect_file_reads -f|-F FILE: as Verilator does, it looks for the files that a file of -F names beside that file, and
# for those that a file of -f names in the folder where it works.
declare -A looked_at=()
split_word='[^[:space:]/*]/\*|\*/[^[:space:]/*]'
in_file='' # a parameter in one of them
expect_file_reads() {
  local word text names='' named beside=''
  [ -z "${looked_at[$1 $2]-}" ] || return 0
  looked_at[$1 $2]=1
  if [ "$1" = -F ]; then beside=$(dirname -- "$2")/; fi
  text=$(sed -E '\|\*/|!s#(^|[[:space:]])//.*##' -- "$2" | tr -d '\0')
  [[ ! $text =~ $split_word ]] || unusable "'$2': a comment within a word; expected blanks around it"
  while read -r word; do
    [[ $word == @(-[DGU]*|+define+*) ]] || substitute "$2" "$word"
    if [ -n "$names" ]; then
      named=$word
      [[ $word == /* ]] || named=$beside$word
      if looks_like_option "$word" || [ ! -f "$named" ]; then unusable "'$2': $names: cannot read '$named'"; fi
      expect_file_reads "$names" "$named"
      names=''
    elif [[ $word == -[fF] ]]; then
      names=$word
    elif looks_like_option "$word"; then
      reads "$word" || unusable "'$2': '$word' does not say how Verilator reads RTL; see ./pmuv3 help"
      [[ $word != -G* ]] || in_file=$word
    fi
  done < <(sed -E 's#/\*|\*/# #g' <<<"$text" | tr -s '[:space:]' '\n')
}

# substitute FILE WORD: sets `word` to the word with the values of its variables, $NAME, ${NAME} or $(NAME). No
# variable of the environment is one.
a_name='([A-Za-z_][A-Za-z0-9_]*)'
reference="^(\{$a_name\}|\($a_name\)|$a_name)(.*)\$"
substitute() {
  local rest=$2 name
  word=''
  while [[ $rest == *[$]* ]]; do
    word+=${rest%%[$]*}
    rest=${rest#*[$]}
    if [[ ! $rest =~ $reference ]]; then
      [[ ! \$$rest =~ ^$variable ]] || unusable "'$1': \$${rest:0:1} without its other bracket"
      word+='$' # no name follows
      continue
    fi
    name=${BASH_REMATCH[2]}${BASH_REMATCH[3]}${BASH_REMATCH[4]} rest=${BASH_REMATCH[5]}
    ! is_reserved "$name" || unusable "'$1': \$$name is not substituted; expected a variable of another name"
    [ -n "${variables[$name]+is}" ] ||
      unusable "'$1': \$$name has no value; expected --variable $name=VALUE, or // before a comment"
    word+=${variables[$name]}
  done
  word+=$rest
}

# Tools look at these themselves.
is_reserved() { [[ $1 =~ ^($kept|VERILATOR.*|SYSTEMC.*|LD_.*|PERL.*|LC_.*|LANG|CCACHE.*|MAKE.*|CXX.*|BASH.*)$ ]]; }

# Verilator sees those of --variable, and substitutes them in names of files and folders.
declare -A variables=()
take_variable() {
  local name=${1%%=*}
  [[ $1 =~ ^[A-Za-z_][A-Za-z0-9_]*=. ]] || unusable "--variable: '$1': expected NAME=VALUE"
  ! is_reserved "$name" || unusable "--variable: '$name' is a variable of tools; expected another name"
  [[ $1 != *$'\n'* ]] || unusable "--variable: the value of '$name' has the end of a line"
  [ -z "${variables[$name]+is}" ] || unusable "--variable: '$name' is given twice"
  variables[$name]=${1#*=}
}
verilator() {
  local name set=()
  for name in "${!variables[@]}"; do set+=("$name=${variables[$name]}"); done
  env "${set[@]}" verilator "$@"
}

# A stream has no earlier result, and is for the program alone.
note_result() {
  simulates=$1
  if ! leads_to_proc "$2" && { [ ! -e "$2" ] || [ -f "$2" ]; }; then results+=("$1" "$2"); fi
}

# note OPTION VALUE: what decides which program runs, and what a proof needs to know.
note() {
  case $1 in
    --out) out=$2 ;;
    --seconds) limit=$2 ;;
    --wave) wave=1 simulates=$1 ;;
    --seed) seed=$2 simulates=$1 ;;
    --seeds) seeds=$2 simulates=$1 ;;
    --replay) replayed=$2 simulates=$1 ;;
    --emit | --calibrate) plays_again=0 simulates=$1 ;;
    --recorded) recorded=1 simulates=$1 ;;
    --json | --junit) note_result "$1" "$2" ;;
    *) simulates=$1 ;;
  esac
}

parse() {
  local option value_of=''
  while [ $# -gt 0 ]; do
    option=${1%%=*}
    if takes_value "$value_of" && [ "$option" != --verilator ]; then break; fi
    case $1 in
      --top=* | --verilator=* | --variable=*) set -- "$option" "${1#*=}" "${@:2}" ;;
    esac
    case $1 in
      --top | --verilator)
        take "$@"
        [ "$1" != --top ] || once --top
        [ "$1$2" != --top ] || unusable "--top: '' is no name of a module"
        if [ "$1" = --top ]; then
          top=$2
        else
          expect_reads "$2" --verilator
          [[ $2 == @(-[DGU]*|+define+*) ]] || expect_variables "$2"
          verilator+=("$2")
          words+=("$2")
        fi
        device+=("$1" "$2")
        shift 2
        ;;
      --variable)
        take "$@"
        take_variable "$2"
        device+=("$1" "$2")
        shift 2
        ;;
      -f | -y | -I)
        take "$@"
        if [ "$1" = -f ]; then expect_no_variable "$2"; else expect_variables "$2"; fi
        if [ "$1" = -I ]; then verilator+=("-I$2"); else verilator+=("$1" "$2"); fi
        device+=("$1" "$2")
        if [ "$1" = -f ]; then
          [ -f "$2" ] || unusable "cannot read '$2'"
          lists+=("$2")
          words+=("$1" "${2##*/}")
        fi
        shift 2
        ;;
      --slurm | --slurm=* | --shards | --merge | --limit=* | --farm=*)
        farm+=("$1")
        [[ $1 == @(--limit|--farm)=* ]] || splits=$1 simulates=$1
        shift
        ;;
      --limit | --farm)
        take "$@"
        farm+=("$1" "$2")
        shift 2
        ;;
      --one-simulator)
        once --one-simulator
        one_simulator=1
        shift
        ;;
      --prove)
        once --prove
        proves=1
        shift
        ;;
      *)
        if [[ $valued == *" $1 "* ]]; then
          take "$@"
          note "$1" "$2"
          options+=("$1" "$2")
          shift 2
        elif [[ $plain == *" $1 "* || $valued == *" $option "* ]]; then
          note "$option" "${1#*=}"
          options+=("$1")
          [[ $1 != @(-h|--help) ]] || help=1
          shift
        elif [ -z "$description" ] && [[ $1 != -* ]]; then
          description=$1
          shift
        else
          take_rtl "$1"
          shift
        fi
        ;;
    esac
  done
  ! takes_value "$value_of" || unusable "--verilator: the value of '$value_of' is missing"
  local list word
  for list in "${folders[@]}"; do substitute 'the command' "$list"; done
  for list in "${lists[@]}"; do expect_file_reads -f "$list"; done
}

# The program's own check of its options, before anything is done. RTL that it is not told of here it is told
# of when Verilator has read it.
check_options() {
  "$bin/pmuv3-check-glue" arguments "${defaults[@]}" "${rtl[@]/#/--input=}" "${options[@]}" ${farm:+--shards} -- "$description" "${device[@]}" || exit $?
}

# glue ARGUMENT...: until the device runs, there is no verdict, and the files of the result say so.
glue() { "$bin/pmuv3-check-glue" "${results[@]}" "$@"; }

# The files say why, too. What a program said of its own, it has written to them.
leave_no_verdict() {
  if [ ${#results[@]} -gt 0 ] && [ -n "$complained" ]; then
    glue no-verdict "$description" "${complained#"$called: "}" 2>/dev/null || true
  fi
}

expect_all() {
  [ "$proves" = 0 ] || [ -z "$simulates" ] || unusable "--prove takes no $simulates"
  [ ${#farm[@]} = 0 ] || [ -n "$splits" ] || unusable "${farm[0]%%=*} needs --slurm, --shards or --merge"
  [ -n "$description" ] || unusable "a description and the RTL are missing; see ./pmuv3 help"
  [ -f "$description" ] || unusable "cannot read '$description'"
  [[ -z $in_file || " ${options[*]-} " != *" --emit"[\ =]* ]] ||
    unusable "--emit: '$in_file' is in a file of -f; expected it in the command"
  local file
  for file in "${rtl[@]}"; do
    [[ $proves = 0 || $file != *[[:space:]]* ]] || unusable "--prove takes no path with a blank: '$file'"
  done
  [ "$recorded" = 1 ] || [ ${#rtl[@]} -gt 0 ] || [[ " ${verilator[*]-} " == *" -f "* ]] || unusable "the RTL is missing; see ./pmuv3 help"
}

# ---- The device ----

# Verilator ended: with an error of the RTL, or because something ended it.
rejected() {
  local error
  error=$(grep -m1 -E '^%Error' "$folder/verilator.log" | grep -v 'threw signal' |
    sed 's/^%Error[^:]*: //; s/ Use --bbox-.*//' || true)
  [ -z "$error" ] || unusable "the RTL: $error"
  complain "$called: Verilator ended without an answer; see $folder/verilator.log: no verdict"
  exit 3
}

# All is made anew: what changed is seen by its contents, which ccache looks at, and never by its time. An error
# is Verilator's first, in its words.
verilate() {
  local -a flags=(-O3 --x-assign unique --x-initial unique --assert --flatten)
  flags+=(-Wno-fatal -Wno-lint -Wno-style)
  # Said last, so that it counts, whatever -O comes before. Of two modules of one name Verilator would take the first,
  # skip what is encrypted, take x in a label of `case inside` for no wildcard, lose an assignment beside one by <=, and
  # so on.
  local name
  local -a made=("${exact[@]}" --cc --prefix Vdut --Mdir "$folder/model")
  for name in "${errors[@]}" PROTECTED; do made+=("-Wwarn-$name" "-Werror-$name"); done
  rm -rf "$folder/model"
  [ -z "$top" ] || made+=(--top-module "$top")
  if [ "$wave" = 1 ]; then flags+=(--trace-fst --trace-structs); fi
  glue config "$description" >"$folder/device.vlt" || exit $?
  # Bash reports a killed process in a line of its own, to the standard error of the braces.
  { verilator "${flags[@]}" "$folder/device.vlt" "${verilator[@]}" "${rtl[@]}" "${made[@]}" >"$folder/verilator.log" 2>&1; } 2>/dev/null ||
    rejected
  # What waits for a time becomes a coroutine, which the checker does not run.
  ! grep -qE '^VM_TIMING = 1' "$folder/model/Vdut_classes.mk" || unusable "the RTL: delays need --verilator --no-timing, which leaves them out"
}

# What Verilator reads is known when it has read it. So whoever reads other files than the last time is verilated
# again: the digests are older than what is built.
verilate_known() {
  for _ in 1 2; do
    mapfile -t inputs < <(cat "$folder/inputs" 2>/dev/null || true)
    rm -f "$folder/sources" # another `check` may have it open
    watched=("$description" "${presets[@]}" "${rtl[@]}" "${inputs[@]}")
    changes=$(last_changes)
    digests "${watched[@]}" >"$folder/sources"
    verilate
    files_read "$folder/model" >"$folder/inputs.new"
    expect_shown "$folder/inputs.new"
    if cmp -s "$folder/inputs.new" "$folder/inputs"; then return; fi
    mv -f "$folder/inputs.new" "$folder/inputs"
  done
  unusable "the RTL was changed while it was built"
}

# digests FILE...: in lines that sha256sum can check. What cannot be read has none.
digests() { sha256sum -- "$@" 2>/dev/null || true; }

# When the files, and the links that lead to them, were last changed, which no user can set. A change that was taken
# back counts as one.
last_changes() {
  local -a links
  mapfile -t links < <(links_to "${watched[@]}")
  stat -L --format='%n: %.9Z' -- "${watched[@]}" 2>/dev/null || true
  [ ${#links[@]} = 0 ] || stat --format='%n: %.9Z' -- "${links[@]}" 2>/dev/null || true
}

# links_to FILE...: a file that is a link, and each folder of its name that is one.
links_to() {
  local path
  for path in "$@"; do
    while [ -n "$path" ]; do
      [ ! -L "$path" ] || printf '%s\n' "$path"
      [[ $path == */* ]] || break
      path=${path%/*}
    done
  done
}

# expect_unchanged DONE: the description, the presets that it names, and what Verilator read are as they were before
# they were first read.
expect_unchanged() {
  local other
  if other=$(sha256sum --check --quiet "$folder/sources" 2>/dev/null); then
    if [ "$(last_changes)" = "$changes" ] && [ "$(describe)" = "$declared" ]; then return 0; fi
    other=$(diff <(echo "$changes") <(last_changes) | sed -n 's/^[<>] \(.*\): .*/\1/p') || true
    other=${other:-$description}
  fi
  other=${other%%$'\n'*}
  unusable "the RTL was changed while it was $1: ${other%: FAILED*}"
}

# The top module that the description names, or an empty line, and the presets that it reads, a line each.
describe() { glue check "$description"; }

# The name of the top module that Verilator took. In Verilator's headers `__0XX` is the character of that code.
top_of() {
  local mangled
  [ -z "$top" ] || return 0
  mangled=$(sed -nE 's|^ *[A-Za-z]+(<[^>]*>)?/\*.*\*/ ([A-Za-z0-9_]+)__DOT__.*|\2|p' \
    "$folder/model/Vdut___024root.h" | grep -v '^__' | sed -E 's/__DOT__.*//; s/__0([0-9A-F]{2})/\\x\1/g') || [ $? = 1 ]
  mangled=${mangled%%$'\n'*}
  top=$(printf '%b' "${mangled:-top}")
}

# files_read MDIR: the files that Verilator read, one a line. The one that is made here is of the description.
files_read() {
  sed -nE 's/^S .* "(.*)"$/\1/p' "$1/Vdut__verFiles.dat" | grep -vxF "$folder/device.vlt"
}

# Where Verilator goes on after one of these, its model is another device.
errors=(ASSIGNIN BLKANDNBLK BLKLOOPINIT CASEWITHX MODDUP PINNOTFOUND ZERODLY)

# expect_shown INPUTS: no lint pragma hides such an error, in a file or by a macro, and no configuration of Verilator's
# hides what it skips.
expect_shown() {
  local file expanded=$folder/model/expanded hidden
  while read -r file; do
    [ "$file" != "$(type -P verilator_bin)" ] || continue
    ! is_encrypted "$file" || unusable "the RTL: $file has an encrypted part, which Verilator skips"
    ! hides "$file" || unusable "the RTL: $file: lint_off $hidden would hide an error"
    ! asks_for_verilator "$file" || variant=${file##*/}
  done <"$1"
  expand_all "$1" "$expanded"
  ! is_encrypted "$expanded" || unusable "the RTL: a macro makes an encrypted part, which Verilator skips"
  ! hides "$expanded" || unusable "the RTL: a macro makes lint_off $hidden, which would hide an error"
}

# expand_all INPUTS TEXT: what Verilator's preprocessor makes of the files of the command, and of those that Verilator
# has found by the names of modules.
expand_all() {
  local file seen
  local -a found=()
  expand "$2"
  seen=$'\n'$(sed -nE 's/^`line [0-9]+ "(.*)" [0-9]$/\1/p' "$2" | sort -u | xargs -rd '\n' realpath -m --)$'\n'
  while read -r file; do
    [[ $file != *.@(v|sv) || $seen == *$'\n'"$(realpath -m -- "$file")"$'\n'* ]] || found+=("$file")
  done <"$1"
  [ ${#found[@]} = 0 ] || expand "$2" "${found[@]}"
}
expand() {
  verilator -E -Wno-fatal -Wno-lint -Wno-style "${verilator[@]}" "${rtl[@]}" "${@:2}" >"$1" 2>"$folder/expanded.log" ||
    no_verdict "$LINENO"
}

is_encrypted() { [ -f "$1" ] && grep -qaE '`pragma[[:space:]]+protect\>.*\<data_block\>' -- "$1"; }

# asks_for_verilator FILE: it has text for Verilator alone, or for all others alone.
asks_for_verilator() {
  [ -f "$1" ] && grep -qaE '`(ifn?def|elsif)[[:space:]]+(verilator3?|VERILATOR|VERILATOR_TIMING)\>' -- "$1"
}
variant='' # such a file

# hides FILE: nothing but a pragma has such a name, in any case, and an option as -Wno-MODDUP, which hides nothing.
# Verilator cuts a path with a blank: such a file is seen in the expanded text alone.
hides() {
  [ -f "$1" ] || return 1
  for hidden in "${errors[@]}"; do
    if grep -qaiE "(^|[^-])\\<$hidden\\>" -- "$1"; then return; fi
  done
  return 1
}

# expect_inputs MDIR: Verilator reads the RTL more than once, and must read the same files each time. A new file in
# the way may have taken an include's place.
expect_inputs() {
  local first again
  first=$(sort "$folder/inputs") again=$(files_read "$1" | sort)
  [ "$first" = "$again" ] ||
    unusable "the RTL was changed while it was built: $(diff <(echo "$first") <(echo "$again") | sed -n '2s/^[<>] //p')"
}

# xml_of FILE MDIR [OPTION]...: the device as Verilator elaborates it, in XML. With --MMD it leaves what it read there.
asserts=--noassert
xml_of() {
  verilator --xml-only --MMD "$asserts" --prefix Vdut -Wno-fatal -Wno-lint -Wno-style --top-module "$top" \
    --Mdir "$2" --xml-output "$1" "${verilator[@]}" "${rtl[@]}" "${@:3}" "${exact[@]}"
}

# read_again NAME [OPTION]...: model/NAME.xml, of this model.
read_again() {
  install_missing python3
  xml_of "$folder/xml/$1.xml" "$folder/xml" "${@:2}" >"$folder/xml.log" 2>&1 || no_verdict "$LINENO"
  expect_inputs "$folder/xml"
  mv -f "$folder/xml/$1.xml" "$folder/model/$1.xml"
}

# The XML of this model, made once.
make_xml() { [ -f "$folder/model/device.xml" ] || read_again device --flatten; }

# Of two drivers Verilator takes one, and says nothing. Only its XML of modules that are not flattened has both.
expect_one_driver() {
  local net
  read_again modules
  "$root/testbench/cosim/check/contention.py" "$folder/model/modules.xml" >"$folder/model/contention" ||
    no_verdict "$LINENO"
  read -r net <"$folder/model/contention" || return 0
  unusable "the RTL: $net"
}

# Some RTL is another device to Verilator than to the standard.
expect_no_misreading() {
  local misread
  "$root/testbench/cosim/check/misread.py" "$folder/model/modules.xml" "$folder/model/expanded" \
    >"$folder/model/misread" || no_verdict "$LINENO"
  read -r misread <"$folder/model/misread" || return 0
  unusable "the RTL: $misread"
}

# Of two clocked processes Verilator takes one first, another simulator the other.
expect_no_race() {
  local race
  make_xml
  "$root/testbench/cosim/check/races.py" "$folder/model/device.xml" "$top" >"$folder/model/races" ||
    no_verdict "$LINENO"
  read -r race <"$folder/model/races" || return 0
  unusable "the RTL: $race"
}

# What an initial block ends, it ends before the first reset. It may do so by an assertion.
find_initial_ends() {
  asserts=--assert read_again asserted
  "$root/testbench/cosim/check/initial_ends.py" "$folder/model/asserted.xml" >"$folder/model/initial_ends.inc" ||
    no_verdict "$LINENO"
}

# Verilator's model does not tell [0:3] from [3:0]. Only a description with brackets needs to know.
find_ascending() {
  grep -qE '^ *([^ #].*)?\[' "$description" || return 0
  make_xml
  "$root/testbench/cosim/check/ascending.py" "$folder/model/device.xml" >"$folder/model/ascending" || no_verdict "$LINENO"
}

# Verilator's model writes another wave where the RTL has one written.
expect_no_dump() {
  ! grep -q '_traceDumpOpen' "$folder"/model/*.cpp || unusable "--wave: the RTL writes a wave of its own: it has \$dumpvars"
}

# The files that the device reads while it runs are inputs, too. A name that is only known then cannot be part of
# the digest, so `unnamed` says where the RTL has it.
find_loaded() {
  local kind text
  loaded=()
  if grep -qE 'VL_SYSTEM' "$folder"/model/*.cpp || grep -qs '^ *extern .*(' "$folder/model/Vdut__Dpi.h"; then
    unnamed='the RTL calls C or a command, which may read any file'
    return
  fi
  make_xml
  "$root/testbench/cosim/check/loaded.py" "$folder/model/device.xml" >"$folder/model/loaded" || no_verdict "$LINENO"
  while read -r kind text; do
    if [ "$kind" = calls ]; then
      unnamed="$text has C, which may do anything"
    elif [ "$kind" = unnamed ]; then
      unnamed="$text reads a file whose name is only known while the device runs"
    elif [ -f "$text" ]; then
      loaded+=("$text")
    else # it may be there while the device runs
      unnamed="the RTL reads '$text', which is no file"
    fi
  done <"$folder/model/loaded"
}

# Without all that the device consists of, no run is evidence of it.
leave_unrecorded() {
  if [[ " ${options[*]} " == *" --page"[\ =]* ]]; then unusable "--page: $unnamed: there is no evidence of the device"; fi
  complain "$called: $unnamed: the run is not recorded as evidence"
  digest=none
}

# The digest of the device: its description, the words that change its RTL, each file that the device and Verilator
# read, which is Verilator, too, and the device as Verilator elaborated it. A file's name matters, its folder does not:
# a copy elsewhere is the same device. So only the elaborated device shows that two files of one name changed places.
device_digest() {
  local word
  {
    printf 'top %s\n' "$top"
    for word in "${words[@]}"; do is_place "$word" || printf '%s\n' "$word"; done
    sed -E '1s/ .*//; s|^(\\?[0-9a-f]{64} ).(.*/)?|\1|' "$folder/sources"
    sed -E 's|( filename=")([^"]*/)?|\1|' "$folder/model/device.xml"
  } | sha256sum | cut -c1-16
}

# is_place WORD: where files are looked for, or a file that Verilator read.
is_place() {
  local IFS=$'\n'
  [[ $1 == @(-I*|+incdir+*) || $'\n'${inputs[*]}$'\n' == *$'\n'"$1"$'\n'* ]]
}

compile() {
  local libraries=$root/build/release verilated defines=() link=()
  verilated=$(verilator --getenv VERILATOR_ROOT)/include
  if [ "$wave" = 1 ]; then
    defines=(-DPMUV3_WAVES)
    link=('-Wl,--wrap=fclose')
  fi
  glue glue "$description" "$top" "$folder/model" >"$folder/glue.cc" || exit $?
  if ! {
    make -s -j "$(nproc)" -C "$folder/model" -f Vdut.mk Vdut__ALL.a verilated.o verilated_threads.o \
      ${defines[0]+verilated_fst_c.o} OBJCACHE=ccache OPT_FAST=-O3 OPT_SLOW=-O0 \
      OPT_GLOBAL='-O2 -DVL_USER_FINISH -DVL_USER_STOP -DVL_USER_FATAL' &&
      ccache g++ -std=c++17 -O2 "${defines[@]}" -isystem "$verilated" -isystem "$verilated/vltstd" -I"$folder/model" \
        -I"$root" -I"$root/cmodel/include" -I"$root/testbench/cosim/check/include" -c "$folder/glue.cc" \
        -o "$folder/glue.o" &&
      g++ -o "$folder/check.new" "${link[@]}" "$folder/glue.o" -Wl,--start-group "$folder/model/Vdut__ALL.a" "$folder/model"/verilated*.o \
        "$libraries"/testbench/cosim/check/lib*.a "$libraries"/testbench/cosim/cli/lib*.a \
        "$libraries"/testbench/signoff/coverage/libpmuv3_coverage.a \
        "$libraries"/testbench/signoff/evidence/libpmuv3_evidence.a \
        "$libraries"/testbench/cosim/check/engine/libpmuv3_check.a "$libraries"/cmodel/libpmuv3.a -Wl,--end-group \
        -ljson-c -lsqlite3 -lz -lpthread &&
      mv -f "$folder/check.new" "$folder/check"
  } >"$folder/compile.log" 2>&1; then
    grep -m1 -i 'no space left' "$folder/compile.log" >&2 || grep -m1 -i error "$folder/compile.log" >&2 || true
    no_verdict "$LINENO"
  fi
}

# A folder for each device, and for each way to build it; a proof keeps its own. The lock is kept until the program is open: another
# `check` of the same device may then make another program in its place, and this one runs all the same.
choose_folder() {
  local name digest
  name=$(basename -- "$description" .pmu)
  digest=$(printf '%s\n' "$(realpath -- "$description")" "$top" "$wave" "$proves" "${rtl[@]}" "${verilator[@]}" \
    "${!variables[@]}" "${variables[@]}" | sha256sum | cut -c1-8)
  folder=$root/build/check/${name//[^A-Za-z0-9_]/_}-$digest
  mkdir -p "$folder"
  open_lock 8 "$folder/lock"
  if [ "$proves" = 0 ]; then
    flock 8
    return
  fi
  local status=0
  flock -w "$limit" 8 || status=$?
  case $status in
    0) ;;
    1)
      echo "no verdict: out of time after $limit s, behind another proof of the device"
      exit 3
      ;;
    *) end_with 3 "no verdict: flock ended with status $status" ;;
  esac
}

# A node needs neither the RTL nor Verilator. It runs a copy of what was built here, and looks at what that reads. Its
# name says of what device it is, so the next `check` leaves it alone.
in_shards() {
  [ "$digest" != none ] || unusable "--seeds: these runs cannot be recorded"
  local preset own=()
  for preset in "${presets[@]}"; do # those of pmuv3 come with the campaign
    [[ $preset == "$root"/cmodel/cores/* ]] || own+=("$preset")
  done
  digests "$description" "${own[@]}" "${loaded[@]}" >"$folder/read-$digest"
  cp -f "$folder/check" "$folder/check-$digest"
  exec 8>&-
  exec "$root/testbench/farm/farm.py" run check "$folder/check-$digest" "${defaults[@]}" "${farm[@]}" --source "$digest" \
    --sources "$folder/read-$digest" --module "$top" "${loaded[@]/#/--reads=}" "${second[@]}" "${options[@]}" -- "$description" "${device[@]}"
}

# ---- Main ----

is_built=0 checks=0
if [ "${1-}" = --check-arguments ]; then
  checks=1
  shift
fi
if [ "${1-}" = --evidence ]; then
  take "$@"
  defaults[1]=$2
  shift 2
fi
if [ "${1-}" = --once ]; then
  plays_again=0
  shift
fi
if [ "${1-}" = --slang ]; then
  slang=$2
  shift 2
fi
if [ "${1-}" = --built ]; then
  is_built=1
  shift
fi
parse "$@"
[ "$help" = 1 ] || expect_all
if [ "$checks" = 1 ]; then exit 0; fi
if [ "$is_built" = 0 ]; then build release pmuv3-check; fi
if [ "$help" = 0 ]; then
  mkdir -p "$root/build/check"
  check_options
  [ "$proves" = 0 ] || install_missing yosys python3
  if [ "$recorded" = 1 ]; then exec -a pmuv3-check "$bin/pmuv3-check-recorded" "${options[@]}" -- "$description"; fi
  [ "$splits" != --shards ] || results=() # a list of shards has none
  trap leave_no_verdict EXIT
  declared=$(describe) || exit $?
  mapfile -t presets <<<"$declared"
  top=${top:-${presets[0]}}
  presets=("${presets[@]:1}")
  [[ $limit == 0x* ]] || limit=10#${limit:-300} # as the program reads a number
  start=$(date +%s) limit=$((limit))
  choose_folder
  verilate_known
  top_of
  expect_one_driver
  expect_no_misreading
  [ "$proves" = 1 ] || expect_no_race # a proof has its own words
  find_initial_ends
  find_ascending
  if [ "$wave" = 1 ]; then expect_no_dump; fi
  compile
  if [ "$proves" = 1 ]; then
    # shellcheck source=prove/prove.sh
    . "$root/testbench/cosim/check/prove/prove.sh"
    together prove
    exit
  fi
  unnamed=''
  find_loaded
  expect_unchanged built
  if [ ${#loaded[@]} -gt 0 ]; then digests "${loaded[@]}" >>"$folder/sources"; fi
  if [ -n "$unnamed" ]; then leave_unrecorded; else digest=$(device_digest); fi
  simulate_again
  second+=(${variant:+"--variant=$variant"})
  if [ -n "$differs" ] && [ -n "$seeds" ]; then
    end_with 3 "not equivalent in Icarus Verilog: $differs; check one seed without --seeds: no verdict"
  fi
  if [ ${#farm[@]} -gt 0 ]; then in_shards; fi
  # The device finds nothing on the standard input, which is no part of it. A replay may be read from there.
  [[ " ${options[*]} " == *" --replay"* ]] || exec </dev/null
  exec 6<"$folder/sources" 7<"$folder/check" 8>&-
  exec -a pmuv3-check /proc/self/fd/7 "${defaults[@]}" --source "$digest" --sources /dev/fd/6 --module "$top" \
    "${rtl[@]/#/--input=}" "${inputs[@]/#/--input=}" "${loaded[@]/#/--reads=}" "${second[@]}" "${options[@]}" -- "$description" "${device[@]}"
fi
about=$(awk '/^  \.\/pmuv3 / { on = $2 == "check" } on' "$root/testbench/help.txt")
say "$about"
