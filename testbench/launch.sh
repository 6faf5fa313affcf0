#!/usr/bin/env bash
# What a build executes, in the environment of ./pmuv3: `ninja` may be called by itself, with another PATH and with
# variables that compilers look at (CPATH, GTEST_FILTER). `ninja install` goes where DESTDIR says.
# Usage: launch.sh COMMAND...
set -euo pipefail
destination=${DESTDIR-}
# shellcheck source=common.sh
. "${BASH_SOURCE[0]%/*}/common.sh"
[ -z "$destination" ] || export DESTDIR=$destination
exec "$@"
