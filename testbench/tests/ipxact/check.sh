#!/usr/bin/env bash
# Checks docs/reference/pmuv3.ipxact.xml. The file must be well-formed and have the elements of IEEE 1685-2014
# in their order (component.rng). Names must be unique. Nothing may overlap or reach beyond its block
# (places.py).
#
#   check.sh [INDEX.XSD]   prints errors; also checks against the standard's schema if given
#   check.sh --self-test   makes one kind of mistake in each of several copies, and expects its error
#
# Accellera publishes the schema at http://www.accellera.org/XMLSchema/IPXACT/1685-2014/index.xsd. The schema is
# not part of this repository, and tests need no network.
#
# Exit status: 0 success, 1 an error.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
# shellcheck source=../../common.sh
. "$here/../../common.sh"
file=$(realpath "$here/../../../docs/reference/pmuv3.ipxact.xml")

check() {
  xmllint --noout --relaxng "$here/component.rng" "$1" 2>&1 && "$here/places.py" "$1"
}

self_test() {
  scratch=$(mktemp -d)
  trap 'rm -rf "$scratch"' EXIT
  failed=0

  # sed expression, and the expected message
  broken '/<.ipxact:component>/d' 'Premature end of data'
  broken '0,/<ipxact:size>/{/<ipxact:size>/d}' 'Did not expect element access there'
  broken '0,/<ipxact:version>/s/version>/versions>/g' 'Did not expect element versions there'
  broken 's/read-only/read/' 'Error validating value'
  broken "s/'h0F8/'h0F0/" 'overlaps EXT32.PMU.PMEVCNTR_EL0'
  broken "s/'hFFC/'h1000/" 'PMCIDR3: reaches beyond'
  broken 's/PMCIDR3/PMCIDR2/' 'PMCIDR2: a second one of this name'
  broken 's/>OSLO</>EPME</' 'PMCCR.EPME: a second one of this name'
  broken '/>OSLO</,/bitOffset/s/>8</>7</' 'PMCCR.EPME: overlaps EXT64.PMU.PMCCR.OSLO'
  broken '/>OSLO</,/bitOffset/s/>8</>64</' 'PMCCR.OSLO: reaches beyond'
  return $failed
}

# broken EXPRESSION MESSAGE: a copy of the file, edited with EXPRESSION, must fail with MESSAGE.
broken() {
  local edit=$1 expected=$2
  sed "$edit" "$file" >"$scratch/broken.xml"
  if ! check "$scratch/broken.xml" >"$scratch/said" && grep -qF "$expected" "$scratch/said"; then return; fi
  echo "$edit: expected \"$expected\", got:"
  cat "$scratch/said"
  failed=1
}

case ${1-} in
  --self-test) self_test ;;
  '') check "$file" ;;
  *) check "$file" && xmllint --noout --schema "$1" "$file" ;;
esac
