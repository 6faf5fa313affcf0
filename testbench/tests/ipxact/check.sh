#!/usr/bin/env bash
# Checks docs/reference/pmuv3.ipxact.xml: well-formed, of the elements of IEEE 1685-2014 in their order
# (component.rng), with no two of a name, and nothing that overlaps or reaches beyond its block
# (places.awk).
#
#   check.sh [INDEX.XSD]   says what is wrong; also against the standard's schema where that is given
#   check.sh --self-test   breaks copies of the file, a kind of mistake each, and expects to see it
#
# The schema itself is Accellera's, at http://www.accellera.org/XMLSchema/IPXACT/1685-2014/index.xsd:
# not part of this repository, and tests need no network.
#
# Exit status: 0 all well, 1 something wrong.
set -euo pipefail

here=$(dirname "$(realpath "$0")")
# shellcheck source=../../common.sh
. "$here/../../common.sh"
file=$(realpath "$here/../../../docs/reference/pmuv3.ipxact.xml")

check() {
  xmllint --noout --relaxng "$here/component.rng" "$1" 2>&1 && awk -f "$here/places.awk" "$1"
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
