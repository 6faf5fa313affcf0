#!/usr/bin/env bash
# `pmuv3 check` looks at each option that Verilator takes from a file of -f, and from the files that it names.
# Verilator itself says what it takes. Usage: lists_test.sh ROOT
# shellcheck source=../cli/check.sh
. "$(dirname "$0")/../cli/check.sh"
stand_in check <<SCRIPT
#!/bin/sh
exec "$1/testbench/cosim/check/check.sh" --check-arguments "\$@"
SCRIPT
program=$scratch/check name=check
: >tiny.pmu
echo 'module tiny(input clk); endmodule' >tiny.v
mkdir lists

# refused MESSAGE TEXT: Verilator takes the option --hidden from a file of -f with the text; `check` does not.
refused() {
  printf %b "$2" >all.f
  verilator --xml-only --Mdir made -f all.f >verilator.log 2>&1
  grep -q 'Invalid option: --hidden' verilator.log || fail "Verilator has no --hidden from '$2': $(cat verilator.log)"
  unusable "^pmuv3 check: $1" tiny.pmu -f all.f
}
no_option="'.*': '\"?--hidden\"?' does not say how Verilator reads RTL"

# ---- The last word of a file whose last line has no end ----
refused "$no_option" 'tiny.v\n--hidden'
printf -- --hidden >last.f
refused "$no_option" 'tiny.v -f last.f'
printf 'tiny.v -GN=2' >last.f
unusable "^pmuv3 check: --emit: '-GN=2' is in a file of -f" tiny.pmu -f last.f --emit emitted
# shellcheck disable=SC2016 # of Verilator
printf '$HOME/tiny.v' >last.f
unusable "^pmuv3 check: 'last.f': .HOME is not substituted" tiny.pmu -f last.f
printf 'tiny.v -f lists/last.f' >last.f
printf -- '-Wno-fatal' >lists/last.f
status 0 tiny.pmu -f last.f

# ---- Where Verilator looks for a file that a file names ----
# takes FILE OPTION INNER: of one.f and lists/one.f, Verilator takes FILE when a file of OPTION in lists names it.
takes() {
  echo "$3 one.f" >lists/names.f
  echo '-Wno-fatal' | tee one.f >lists/one.f
  echo "tiny.v $2 lists/names.f" >all.f
  status 0 tiny.pmu -f all.f
  echo --hidden >"$1"
  refused "'$1': '--hidden' does not" "tiny.v $2 lists/names.f"
}
takes lists/one.f -F -f
takes lists/one.f -F -F
takes one.f -f -f
takes one.f -f -F
# A file that is named in both ways names two files.
echo '-Wno-fatal' >one.f
echo --hidden >lists/one.f
refused "'lists/one.f': '--hidden' does not" 'tiny.v -f lists/names.f -F lists/names.f'

# ---- A file that cannot be looked at ----
mkfifo pipe
for file in absent lists pipe /dev/fd/0 /dev/null -Wno-fatal; do
  echo "tiny.v -f $file" >all.f
  unusable "^pmuv3 check: 'all.f': -f: cannot read '$file'" tiny.pmu -f all.f
done
echo --hidden >hidden.f
refused "'all.f': -f: cannot read '\"hidden.f\"'" 'tiny.v -f "hidden.f"'
refused "'all.f': -f: cannot read 'hid.den.f'" 'tiny.v -f hid\\den.f'

# ---- What takes a value stands in a comment or in another word ----
for before in '# -y\n' '/* -y */' '/*\n-y */' '-DX\\ -y'; do
  for option in --hidden '"--hidden"'; do refused "$no_option" "tiny.v\n$before $option"; done
done
refused "'all.f': -f: cannot read '--hidden'" 'tiny.v\n# -f\n--hidden'
refused "'all.f': -f: cannot read '--hidden'" 'tiny.v --error-limit -f --hidden'
status 0 tiny.pmu tiny.v --verilator --error-limit --verilator 9
echo 'tiny.v --timescale 1ns/1ps -y lists' >all.f
status 0 tiny.pmu -f all.f

# ---- A bracket that nothing opens; a comment within a word; a value that does not follow ----
mkdir 'val)'
echo --hidden >'val)/c.f'
# shellcheck disable=SC2016 # of Verilator
echo 'tiny.v -f $A)/c.f' >all.f
unusable "^pmuv3 check: 'val\)/c.f': '--hidden' does not" --variable A=val tiny.pmu -f all.f
# shellcheck disable=SC2016
echo 'tiny.v -f $(A/c.f' >all.f
unusable "^pmuv3 check: 'all.f': .\( without its other bracket" --variable A=val tiny.pmu -f all.f
for text in 'tiny.v -v/**/pi' 'tiny.v /* a */--x' 'tiny.v --hid/* */den'; do
  echo "$text" >all.f
  unusable "^pmuv3 check: 'all.f': a comment within a word" tiny.pmu -f all.f
done
printf '%s\n' '//* A banner *//' '/***' ' * more' ' ***/' 'tiny.v // of the design' >all.f
status 0 tiny.pmu -f all.f
unusable "^pmuv3 check: --verilator: the value of '-y' is missing" tiny.pmu tiny.v --verilator -y -DFOO --verilator --exe

# ---- What Verilator would take from the environment ----
# shellcheck disable=SC2016 # of Verilator
for name in 'dev$TERM.v' 'dev${TERM}.v' 'dev$(TERM).v'; do
  : >"$name"
  unusable "^pmuv3 check: '.*dev.*' has a . in its name, which Verilator takes for a variable" tiny.pmu "$name"
  unusable "^pmuv3 check: '.*dev.*' has a . in its name, which Verilator takes for a variable" tiny.pmu -f "$name"
done
# shellcheck disable=SC2016
for word in '+incdir+inc$TERM' '-Iinc$TERM' '-yinc$TERM' '-y inc$TERM' '-I inc$TERM' '--verilator -y --verilator inc$TERM'; do
  # shellcheck disable=SC2086 # words
  unusable "^pmuv3 check: 'the command': .TERM (is not substituted|has no value)" tiny.pmu tiny.v $word
done
# shellcheck disable=SC2016
status 0 tiny.pmu tiny.v '-Iinc$A' --variable A=b
# shellcheck disable=SC2016
mkdir 'pj$USER'
cp tiny.* pj*/
(cd pj* && unusable "^pmuv3 check: '.*tiny.v' has a . in its name" tiny.pmu tiny.v; exit $failures) || failures=1

all_held
