#!/usr/bin/env bash
# pmuv3 cores as a user meets it. Usage: cores_test.sh PROGRAM
here=$(dirname "$(realpath "$0")")
# shellcheck source=../cli/check.sh
. "$here/../cli/check.sh" "$1"

cores=$here/../../../cmodel/cores
status 0
[ "$(wc -l <out)" = $(($(find "$cores" -name '*.core' | wc -l) + 1)) ] || fail "not a line for each: $(cat out)"
grep -qE '^neoverse-v2 +Arm Neoverse V2 +PMUv3p5 +6 +8 +156 +none ' out || fail "neoverse-v2: $(cat out)"
grep -qE '^cortex-a53 +Arm Cortex-A53 +PMUv3 +6 +0 +60 +el3 ' out || fail "cortex-a53: $(cat out)"

# Each parameter has its source beside it. Fields are as D24.2.80 and D24.2.99 print them.
status 0 neoverse-n1
grep -qF '[1] ARM-software/data, pmu/neoverse-n1.json' out || fail "source: $(cat out)"
grep -qE '^  aa32=el0 +\[2\]: ID_AA64PFR0_EL1' out || fail "aa32: $(cat out)"
grep -qE '^  threads=1 +assumed: one thread$' out || fail "assumed: $(cat out)"
grep -q '^events: 111,' out || fail "events: $(cat out)"
grep -q '^ID_AA64DFR0_EL1  0x0000000000000400 PMUVer=4 ' out || fail "ID_AA64DFR0_EL1: $(cat out)"
grep -q '^ID_DFR0_EL1      0x0000000004000000 PerfMon=4$' out || fail "ID_DFR0_EL1: $(cat out)"
grep -q '^PMCR_EL0         IMP=0x41 IDCODE=0x0c$' out || fail "PMCR_EL0: $(cat out)"
status 0 neoverse-v2
finds_none -q '^ID_DFR0_EL1' out || fail "an AArch32 register without AArch32: $(cat out)"

# A preset of one's own, and wrong ones.
printf 'pmuv3-core 1\n# Mine\nparam counters=3\nparam event=0x00C0,IMP_MINE\n' >my.core
status 0 ./my.core
grep -qE '^  counters=3 +no source$' out || fail "no source: $(cat out)"
# What a terminal would obey is shown, not sent.
printf 'pmuv3-core 1\n# Mine\033]0;title\a\nparam counters=3 # \033[2J\n' >my.core
status 0 ./my.core
finds_none -q $'[\033\a]' out || fail "control characters: $(cat -v out)"
mkdir own
cp my.core $'own/a\033[2Jb.core'
PMUV3_CORES=$PWD/own status 0
finds_none -q $'[\033\a]' out || fail "control characters in the list: $(cat -v out)"
unusable '^pmuv3 cores: core "neoverse-v9" is unknown; expected one that ./pmuv3 cores lists, as neoverse-v1, neoverse-v2 or neoverse-v3$' neoverse-v9
unusable '^pmuv3 cores: core "" is unknown; ' ''
unusable "^pmuv3 cores: './absent.core': cannot open it: No such file" ./absent.core
unusable '^pmuv3 cores: --markdown is of all presets' --markdown neoverse-n1
unusable "^pmuv3 cores: unusable argument 'cortex-a72'" cortex-a53 cortex-a72
printf 'pmuv3-core 1\n# Mine\nparam counters=32\n' >my.core
unusable '^./my.core:3: counters must be 0..31, not 32; ' ./my.core
printf 'pmuv3-stimulus 1\n' >my.core
unusable '^./my.core:1: not a preset of a core; expected "pmuv3-core 1" in the first line$' ./my.core

# Whoever sets the folder decides, whatever presets lie above the program.
mkdir presets
printf 'pmuv3-core 1\n# Mine\nparam counters=2\n' >presets/neoverse-v2.core
PMUV3_CORES=$PWD/presets status 0 neoverse-v2
grep -qE '^  counters=2 +no source$' out || fail "the folder that is set: $(cat out)"
all_held
