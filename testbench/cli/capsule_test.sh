#!/usr/bin/env bash
# `pmuv3 capsule` as a user meets it, where nothing diverges; where something does it is tried by
# testbench/capsule/measure.sh. Usage: capsule_test.sh PROGRAM
# shellcheck source=check.sh
. "$(dirname "$0")/check.sh"

counts 4
sed 's/cycle 0x0008:3/cycle 0x0008/' good.stim >bad.stim

unusable '^pmuv3 capsule: '
unusable '^pmuv3 capsule: ' --no-such-option good.stim
unusable '^pmuv3 capsule: ' good.stim good.stim
unusable '^pmuv3 capsule: ' --seconds 0 good.stim
unusable '^pmuv3 capsule: ' --x-seed 0 good.stim
unusable '^missing.stim:1: ' missing.stim
unusable '^bad.stim:6: ' bad.stim
unusable '^\.:1: ' .

# An expectation that fails is no divergence.
unusable 'good.stim does not diverge' good.stim
unusable 'good.stim does not diverge' good.stim --out made --no-shrink

left divergence made
all_held
