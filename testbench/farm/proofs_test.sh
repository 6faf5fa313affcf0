#!/usr/bin/env bash
# A proof in shards: the verdicts and the numbers of assertions are those of one machine.
# Usage: proofs_test.sh PROGRAM BITCODE NETLISTS, the program pmuv3-prove.
# shellcheck source=../tests/cli/check.sh
. "$(dirname "$0")/../tests/cli/check.sh"
# shellcheck source=rows.sh
. "$here/rows.sh"
# shellcheck source=campaign.sh
. "$here/campaign.sh"
PMUV3_SOURCE=$("${program%prove}evidence" --source)
export PMUV3_SOURCE
scratch=$(realpath "$scratch")

# Names of cases with blanks and commas, of two sizes.
prove=(--bitcode "$(realpath "$2")" --netlists "$(realpath "$3")" --set ci --only 'PMOVSCLR_EL0, cycle'
  --theorem equivalence --size 1x2 --size 1x1+1 --out made)
status 0 "${prove[@]}" --json one.json

same() { same_of one.json all.json "$1" proof_in; }
forget() { rm -f all.json "$1"/merging/*; }
of_other_sources() { sed -i '1 s/^./X/' "$1"; }
splits_as "$program" prove "${prove[@]}" --json all.json
read -r number < <(jq '[.sizes[].cases | length] | add' one.json)
campaign_holds 0 "$number" --shard-cases 1

# What is missing is said.
forget f/prove-*
status 3 --merge "${split[@]}"
grep -q ' cases and places are missing$' err || fail "not said what is missing: $(cat err)"

all_held
