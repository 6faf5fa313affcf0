#!/usr/bin/env bash
# Headers of /usr/local come before Debian's: the entry point refuses what was compiled with one. A folder is mounted
# there. Usage: pmuv3_mount_test.sh PMUV3. Exit status: 77 if nothing can be mounted.
# shellcheck source=../../tests/cli/check.sh
. "$(dirname "$0")/../../tests/cli/check.sh"
expect_mounts
# shellcheck source=pmuv3_copy.sh
. "$here/pmuv3_copy.sh"

mkdir local
touch local/sqlite3.h
# shellcheck disable=SC2016
tool mounted "exec unshare -rm sh -c 'mount --bind $scratch/local /usr/local/include && exec \"\$@\"' sh '$program' \"\$@\""
program=$scratch/mounted
status 0 run
printf '%s\n' 'model.o: #deps 2, deps mtime 1 (VALID)' '    ../../cmodel/model.c' '    /usr/local/include/sqlite3.h' >deps
unusable "^pmuv3: '/usr/local/include/sqlite3.h' was compiled in, instead of a header" run

all_held
