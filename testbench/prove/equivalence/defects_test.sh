#!/usr/bin/env bash
# defects.sh fails on whatever is not refuted and replayed: here with stand-ins for the prover and
# replay, on an RTL and a C model of a few lines.
# shellcheck source=../../tests/cli/check.sh
. "$(dirname "$0")/../../tests/cli/check.sh"
source=$scratch/campaign/source

# refute EXPECTED TEXT ARGUMENT...: the exit status, and a text that is printed.
limit=() # a command that limits its time
refute() {
  local expected=$1 text=$2 actual=0
  shift 2
  "${limit[@]}" "$here/defects.sh" --campaign "$scratch/campaign" --program "$scratch/prove" --jobs 1 \
    --table "$scratch/table" --size 1x2 --defaults-end "$@" >"$scratch/out" 2>&1 || actual=$?
  [ "$actual" -eq "$expected" ] || fail "$*: exit status $actual, expected $expected: $(cat "$scratch/out")"
  [ -z "$text" ] || grep -qE -- "$text" "$scratch/out" || fail "$*: no '$text' in: $(cat "$scratch/out")"
}

# prove WITHOUT WITH: a prover with these exit statuses; one that refutes leaves the first counterexample
# with --stop, another without.
prove() {
  cat >"$scratch/prove" <<END
#!/usr/bin/env bash
echo "\$*" >>"$scratch/asked"
found=another
while [ \$# -gt 1 ]; do
  if [ "\$1" = --bitcode ]; then bitcode=\$2; fi
  if [ "\$1" = --out ]; then out=\$2; fi
  if [ "\$1" = --stop ]; then found=first; fi
  if [ "\$1" = --proved ]; then touch "\$2"; fi
  shift
done
if [[ \$bitcode == */none/* ]]; then exit $1; fi
mkdir -p "\$out"
if [ $2 = 1 ]; then touch "\$out/\$found.stim"; fi
exit $2
END
  chmod +x "$scratch/prove"
}

# replay WITHOUT WITH: likewise.
replay() {
  # shellcheck disable=SC2016  # for the stand-in to expand
  printf '#!/usr/bin/env bash\n[ "$PMUV3_DEFECT" = 0 ] && exit %d\nexit %d\n' "$1" "$2" \
    >"$scratch/campaign/build/bin/pmuv3-replay"
  chmod +x "$scratch/campaign/build/bin/pmuv3-replay"
}

mkdir -p "$scratch/campaign/build/bin" "$source/rtl" "$source/cmodel/src" "$source/testbench/prove/equivalence"
cat >"$scratch/table" <<'END'
defect rtl-one
sample
defect cmodel-two
sample
defect rtl-no-reset
defect cmodel-far
outside the proof has one event
END
touch "$source/cmodel/src/selector.h"
echo 'extern const int pmuv3_defect;' >"$source/cmodel/src/selector.h"
echo 'int model(void); int model(void) { return pmuv3_defect; }' >"$source/cmodel/src/model.c"
echo 'int step(void); int step(void) { return 0; }' >"$source/testbench/prove/equivalence/step.c"
cat >"$source/rtl/CMakeLists.txt" <<'END'
set(PMUV3_RTL_SOURCES
    pmuv3_pkg.sv
    pmuv3.sv
)
END
cat >"$source/rtl/pmuv3_pkg.sv" <<'END'
package pmuv3_defect_pkg;
  import "DPI-C" function int pmuv3_defect_number();
  int selected = pmuv3_defect_number();
endpackage
END
cat >"$source/rtl/pmuv3.sv" <<'END'
module pmuv3 #(parameter NumThreads = 1, parameter NumCounters = 1, parameter NumEvents = 1) (
  input clk_i, input rst_ni, input d_i, output reg q
);
  generate
    if (pmuv3_defect_pkg::selected == 3) begin
      always @(posedge clk_i) q <= d_i;
    end else begin
      always @(posedge clk_i or negedge rst_ni)
        if (!rst_ni) q <= 0;
        else q <= d_i;
    end
  endgenerate
endmodule
END


# The copy was made of this table. The copy of another one has other defects of the same numbers.
of_table() { printf '%s\n' 0123456789abcdef "$(sha256sum <"$1" | cut -c1-16)" >"$scratch/campaign/of"; }
prove 0 1
replay 0 1
sed '1,2 d' "$scratch/table" >"$scratch/other"
for of in "$scratch/other" "$here/../../signoff/defects/defects.txt"; do
  of_table "$of"
  refute 2 '^defects.sh: --table: .*/campaign is not of this table' rtl-one
  refute 2 '^defects.sh: --table: .*/campaign is not of this table' --check-arguments rtl-one
done
rm "$scratch/campaign/of"
refute 2 '^defects.sh: --table: .*/campaign is not of this table' rtl-one
of_table "$scratch/table"
refute 0 '' --check-arguments rtl-one

# What is given is looked at before anything is made.
refute 2 '^defects.sh: --campaign: no planted copy' --defaults-end --campaign "$scratch/absent" --check-arguments rtl-one
refute 2 '^defects.sh: --program: expected pmuv3-prove' --defaults-end --program "$scratch" --check-arguments rtl-one
refute 0 '' --defaults-end --check-arguments rtl-one

# All is well.
prove 0 1
replay 0 1
limit=(env SECONDS=7) # of the environment
refute 0 '2 replayed, of 2'
limit=()
refute 0 '^rtl-one +replayed .* first$' rtl-one
refute 0 '^rtl-no-reset +refused .*elaborate.sh' rtl-no-reset
refute 0 '1 outside, 1 refused, 2 replayed, of 4' --all
refute 0 '^cmodel-far +outside .* the_proof_has_one_event$' cmodel-far

told=("$here/defects.sh" --campaign "$scratch/campaign" --program "$scratch/prove" --table "$scratch/table" --size 1x2)
loses_stdout 2 "${told[@]}" --work "$scratch/told"

# A defect that is proved, not answered, or refuted by what does not diverge because of it.
prove 0 0
refute 1 '^rtl-one +proved'
loses_stdout 1 "${told[@]}" rtl-one
prove 0 1
replay 0 0
refute 1 '^rtl-one +refuted'
replay 1 1
refute 1 '^cmodel-two +refuted'
replay 0 2
refute 1 '^cmodel-two +refuted'
# The C model with the defect does not refuse what the file says.
sed -i '$i echo "first.stim:1: a write of HDCR is not refused; expected one that must be" >&2' \
  "$scratch/campaign/build/bin/pmuv3-replay"
refute 0 '2 replayed, of 2'
replay 0 1
for size in 5x1 1x99 1x32 4x2+3 1x01 2x1+0; do refute 2 '^defects.sh: --size: expected' --size "$size" --check-arguments; done
refute 2 '^defects.sh: --size 2x1: is given twice' --size 2x1 --size 2x1 --check-arguments
refute 2 '^defects.sh: --set ci: is given twice' --set ci --set ci --check-arguments
refute 2 "^defects.sh: --work: '' is no folder" --work ''
refute 2 "^defects.sh: --work: '/dev/null' is no folder" --work /dev/null --check-arguments rtl-one

# results.py that is killed has no verdict, and hides no defect that is proved.
mkdir "$scratch/dying"
stand_in "$scratch/dying/python3" <<'END'
#!/bin/sh
case "$*" in *results.py*) kill -9 $$ ;; esac
exec /usr/bin/python3 "$@"
END
PMUV3_STAND_INS=$scratch/dying refute 3 '' rtl-one
grep '^defects.sh' "$scratch/out" | grep -qx 'defects.sh: no verdict: a tool ended with status 137' ||
  fail "results.py is killed: $(cat "$scratch/out")"
[ "$(wc -l <"$scratch/out")" = 2 ] || fail "results.py is killed: $(cat "$scratch/out")"
prove 0 0
PMUV3_STAND_INS=$scratch/dying refute 1 'not every defect' rtl-one
prove 0 1

# What was killed, or had no answer, is no verdict, and is asked for again.
for status in 2 3 124 137; do
  prove 0 "$status"
  refute 3 '^rtl-one +(unusable|unknown|late)' --work "$scratch/untold" rtl-one
  refute 3 '1 no-verdict, of 1' --work "$scratch/untold" rtl-one
done
prove 0 1
replay 0 137
refute 3 '^rtl-one +unusable .*replay_of_first.stim:_status_137' --work "$scratch/untold" rtl-one
replay 3 1
refute 3 '^rtl-one +unusable .*without_the_defect_3' --work "$scratch/untold" rtl-one
replay 0 1
refute 0 '1 replayed, of 1' --work "$scratch/untold" rtl-one
# One that is not refuted says more.
prove 0 0
refute 1 '2 proved, of 2'
# What was kept before of one without a verdict is none.
prove 0 1
echo 'rtl-one unusable killed 7' >"$scratch/untold/results/rtl-one.row"
refute 0 '1 replayed, of 1' --work "$scratch/untold" rtl-one

# Nor is there one where anything else dies.
mkdir "$scratch/broken"
stand_in "$scratch/broken/llvm-link-14" <<<'exit 1'
PMUV3_STAND_INS=$scratch/broken refute 3 'defects.sh: no verdict: a command failed' rtl-one

# Where the first counterexample does not diverge, that of another question may: all are asked then.
prove 0 1
# shellcheck disable=SC2016  # for the stand-in to expand
printf '#!/usr/bin/env bash\n[ "$PMUV3_DEFECT" = 0 ] || [[ $1 == */first.stim ]]\n' \
  >"$scratch/campaign/build/bin/pmuv3-replay"
refute 0 '^rtl-one +replayed .* another$' rtl-one
replay 0 1

# Without a defect it must be proved, and elaborated: then a refusal is the defect's.
prove 1 1
refute 1 'without a defect: not proved'
prove 0 1
sed -i 's/== 3/!= 1/' "$source/rtl/pmuv3.sv"
refute 1 'without a defect: not elaborated' rtl-no-reset
sed -i 's/!= 1/== 3/' "$source/rtl/pmuv3.sv"
stand_in "$scratch/broken/yosys" <<<'kill -9 $$'
rm "$scratch/broken/llvm-link-14"
PMUV3_STAND_INS=$scratch/broken refute 3 '^defects.sh: without a defect: no verdict: .*Yosys was killed$' rtl-one
[ "$(wc -l <"$scratch/out")" = 1 ] || fail "a Yosys that is killed: not one line: $(cat "$scratch/out")"
# Nor has a full /tmp a verdict.
stand_in "$scratch/broken/mktemp" <<<'exit 1'
PMUV3_STAND_INS=$scratch/broken refute 3 "^defects.sh: no verdict: cannot write to '" rtl-one

# What is kept is taken up again, and not when the sources are others.
refute 0 '1 replayed, of 1' --work "$scratch/work" rtl-one
rm "$scratch/asked"
refute 0 '1 replayed, of 1' --work "$scratch/work" rtl-one
left "$scratch/asked"
rm "$scratch"/work/results/*.row
refute 0 '1 replayed, of 1' --work "$scratch/work" rtl-one
[ "$(wc -l <"$scratch/asked")" = 1 ] || fail "asked again: $(wc -l <"$scratch/asked")"
echo '// another' >>"$source/rtl/pmuv3.sv"
prove 0 0
refute 1 '1 proved, of 1' --work "$scratch/work" rtl-one
# It would remove what is there, so no input is, by its name or behind a link.
echo '// and another' >>"$source/rtl/pmuv3.sv"
cp "$scratch/table" "$scratch/work/table"
ln -s work/proved "$scratch/linked"
ln -s ../table "$scratch/work/linked"
for input in --proved:work/proved --proved:linked --proved:work/linked --table:work/table --program:work/proved \
  --campaign:work/none; do
  for check in --check-arguments ''; do
    # shellcheck disable=SC2086 # nothing, or an option
    refute 2 "^defects.sh: ${input%%:*}: '.*/${input#*:}' is in '.*/work', where files are removed$" \
      --work "$scratch/work" ${input%%:*} "$scratch/${input#*:}" $check rtl-one
  done
done
[ -f "$scratch/work/proved" ] || fail "an input is gone"
# What was not found is asked for again: the table may say that it is outside, or a stimulus where it was met.
of_this() {
  of_table "$scratch/table"
  refute "${@:1:2}" --work "$scratch/work" "$3"
}
sed -i '/^outside /d; /^defect rtl-one/a outside the proof has one event' "$scratch/table"
of_this 0 '^rtl-one +outside ' rtl-one
of_this 1 '^cmodel-far +proved ' cmodel-far
sed -i '/^outside /d; $a outside the proof has one event' "$scratch/table"
of_this 1 '^rtl-one +proved ' rtl-one
of_this 0 '^cmodel-far +outside ' cmodel-far
prove 0 1
of_this 0 '^rtl-one +replayed ' rtl-one
# A pipe does not say of what it is, and its writer may never come.
prove 0 1
rm "$scratch/work/tried"
mkfifo "$scratch/work/tried"
limit=(timeout 60)
refute 0 '1 replayed, of 1' --work "$scratch/work" rtl-one
limit=()

# met ASKED LINE...: of a shrunk stimulus of these lines that is asked first; what is not refuted there is
# looked for in the sets.
mkdir -p "$scratch/campaign/results/rtl-one"
met() {
  printf '%s\n' 'pmuv3-stimulus 1' "${@:2}" >"$scratch/campaign/results/rtl-one/minimal.stim"
  prove 0 1
  refute 0 '1 replayed, of 1' --size 2x1 rtl-one
  rm "$scratch/asked"
  prove 0 0
  refute 1 '1 proved, of 1' --size 2x1 rtl-one
  sed -n 3p "$scratch/asked" | grep -qF -- "$1 --stop" || fail "not where it was met, $1: $(<"$scratch/asked")"
  local asked=7 # without a defect, where it was met, in both sets: of two sizes
  [[ $1 == '--size 1x2'* ]] || asked=8 # of one thread, too
  [ "$(wc -l <"$scratch/asked")" = "$asked" ] || fail "not asked in both sets after: $(<"$scratch/asked")"
}
met '--size 2x1 --set all --among=PMEVCNTR0_EL0 --among=PMEVCNTR1_EL0 --among=PMOVSSET_EL0 '\
'--among=changes its state --among=idle --among=offset 0xC8C --among=page waits --among=reset' \
  'param counters=8 threads=2' 'pe 1 el=2' 'extw 0xc8c 0x10' \
  'cycle PMEVCNTR5_EL0=0x1  # diverged at cycle 0, thread 0, PMOVSSET_EL0: cmodel 0x0, rtl 0x1'
met '--size 1x2 --set all --among=PMEVTYPER0_EL0 --among=idle --among=offset 0x400 --among=offset 0x404 '\
'--among=offset 0xE58 --among=page waits --among=reset' \
  'extw @1 RT 0xe58 0x80' 'reset' 'cycle ext.RT:0x498=0x0'
met '--size 1x2 --set all --among=SDCR --among=changes its state --among=idle --among=page waits '\
'--among=reset' 'pe 0 ss=S' 'mrs SDCR'
met '--size 1x2 --set all --among=idle --among=page waits --among=reset' 'param features=MTPMU' 'cycle 0x0008:1'
met '--size 1x2 --set all --among=PMEVCNTR0_EL0 --among=PMEVCNTR1_EL0 --among=PMMIR_EL1 --among=idle '\
'--among=offset 0x004 --among=offset 0x00C --among=page waits --among=reset --among=unknown register' \
  'param features=TH2  # diverged at cycle 0, thread 0, PMMIR_EL1: cmodel 0x1, rtl 0x0' 'refused read 0x075F' \
  'extw 0x0f4 0x1'
met '--size 1x2 --set all --among=PMSELR_EL0 --among=PMXEVCNTR_EL0, SEL 0 --among=PMXEVCNTR_EL0, SEL 1 --among=SEL 31 '\
'--among=idle --among=page waits --among=reset' 'write PMSELR_EL0 0x1f' 'mrs PMXEVCNTR_EL0'
met '--size 1x2 --set all --among=PMEVCNTSVR0 --among=PMEVCNTSVR1 --among=idle --among=offset 0xA00 --among=offset 0xA04 '\
'--among=page waits --among=reset' 'extw 0xa78 0x1' 'cycle  # diverged at cycle 0, thread 0, counter 2, PMEVCNTSVR: rtl 0x0'

refute 2 'no such defect' rtl-none
refute 2 'expected a value' --table
refute 2 '^defects.sh: rtl-one: --all takes no names' --all rtl-one

all_held
