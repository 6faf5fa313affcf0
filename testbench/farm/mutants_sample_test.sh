#!/usr/bin/env bash
# The sample of mutants in shards, with mutants and proofs as they are: the rows are those of mutate.sample.
#
#   mutants_sample_test.sh BUILD   where mutate.sample left mutate/ and mutate.db
# shellcheck source=../tests/cli/check.sh
. "$(dirname "$0")/../tests/cli/check.sh"
# shellcheck source=rows.sh
. "$here/rows.sh"
# shellcheck source=campaign.sh
. "$here/campaign.sh"
build=$1
PMUV3_SOURCE=$("$build/bin/pmuv3-evidence" --source)
export PMUV3_SOURCE
scratch=$(realpath "$scratch")

same() { same_rows "$build/mutate.db" all.db "$1"; }
forget() { rm all.db*; }
of_other_sources() { "$build/bin/pmuv3-evidence" --db "$1" <<<"UPDATE mutant SET source = '0123456789abcdef'"; }
splits_as "$here/../signoff/mutate/mutate.sh" mutate --sample --build "$build" --work "$build/mutate" --db all.db
campaign_holds 0 3 --shard-mutants 4

all_held
