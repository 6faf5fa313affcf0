#!/usr/bin/env bash
# `pmuv3 report` for a user, on files that do not diverge. testbench/cosim/failure_report/measure.sh tests
# divergences. Usage: report_test.sh PROGRAM
# shellcheck source=check.sh
. "$(dirname "$0")/check.sh"

counts 4

# A pipe is read like a file. A NUL byte is refused.
unusable '^pmuv3 report: /dev/fd/[0-9]+ does not diverge' <(cat good.stim)
unusable '^/dev/fd/[0-9]+:[0-9]+: ' <(cat good.stim; printf 'cycle\0\n')
sed 's/cycle 0x0008:3/cycle 0x0008/' good.stim >bad.stim

unusable '^pmuv3 report: '
unusable '^pmuv3 report: ' --no-such-option good.stim
unusable '^pmuv3 report: ' good.stim good.stim
unusable '^pmuv3 report: ' --seconds 0 good.stim
unusable '^pmuv3 report: ' --x-seed 0 good.stim
unusable '^pmuv3 report: --seconds: with --no-shrink nothing is shrunk$' --no-shrink --seconds 5 good.stim
unusable '^missing.stim:1: ' missing.stim
unusable '^bad.stim:6: ' bad.stim
unusable '^\.:1: ' .

# A failed expectation is no divergence.
unusable 'good.stim does not diverge' good.stim
unusable 'good.stim does not diverge' good.stim --out made --no-shrink

left divergence made

# ---- Outputs: they are checked before anything runs, so a file that does not diverge is enough ----
mkdir -p strange/window.svg own
mkfifo own/window.fst
cp good.stim own/stimulus.stim
for other in good.stim good.stim/folder absent/folder strange own "$(printf '%5000s' x)" ''; do
  unusable "^pmuv3 report: --out: cannot (write|make) '.*': " good.stim --out "$other"
done
rm own/window.fst
unusable 'own/stimulus.stim does not diverge' own/stimulus.stim --out own
ln own/stimulus.stim own/minimal.stim
unusable "^pmuv3 report: --out: cannot write 'own/minimal.stim': it has another name" own/minimal.stim --out own
"$program" good.stim >&- 2>err && fail "closed standard output"
[ "$(cat err)" = "pmuv3 report: standard output is closed" ] || fail "closed standard output: $(cat err)"

left divergence
all_held
