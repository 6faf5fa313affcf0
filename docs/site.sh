#!/usr/bin/env bash
# Builds the documentation site, with the C API, in build/site. A broken link is an error.
set -euo pipefail
root=$(realpath "$(dirname "$(realpath "$0")")/..")
# shellcheck source=../testbench/common.sh
. "$root/testbench/common.sh"
# shellcheck source=../testbench/build.sh
. "$root/testbench/build.sh"
called='pmuv3 docs'
end_without_verdict
[ $# = 0 ] || unusable "unusable argument '$1'; see ./pmuv3 help"
build=$root/build
pages=$build/site.src/docs
own_build
# Side by side they would remove each other's pages.
open_lock 8 "$build/docs.lock"
flock 8
own_folder docs "$build/site"
own_folder docs "$build/site.src"
{ empty_folder "$build/site" && empty_folder "$build/site.src" && mkdir -p "$pages"; } 2>/dev/null || unusable "cannot write to $build"
cp -rL "$root"/docs/{*.md,*.svg,*.css,tutorial,howto,reference,design} "$root/CONTRIBUTING.md" "$pages"
cp "$root/docs/mkdocs.yml" "$build/site.src"

# The pages are the whole site: CONTRIBUTING.md is one of them, and files of the code have no page.
sed -i 's|](docs/|](|g' "$pages/CONTRIBUTING.md"
sed -i 's|](\.\./CONTRIBUTING|](CONTRIBUTING|' "$pages/index.md"
find "$pages" -name '*.md' -exec sed -i -E \
  's#\]\(\.\./\.\./CONTRIBUTING#](../CONTRIBUTING#g; s#\[([^]]*)\]\((\.\./)+(testbench|cmodel|rtl)/[^)]*\)#\1#g' {} +
echo "# C API

[The C library and the SystemC module](../api/index.html), by Doxygen." >"$pages/reference/api.md"

# Comments are plain C: those before a declaration and behind one are what Doxygen is to take.
(
  cd "$root"
  doxygen - <<END
PROJECT_NAME = pmuv3
INPUT = cmodel/include/pmuv3 tlm_wrapper
FILE_PATTERNS = *.h
OUTPUT_DIRECTORY = build/site.src/docs
HTML_OUTPUT = api
GENERATE_LATEX = NO
EXTRACT_ALL = YES
JAVADOC_AUTOBRIEF = YES
HAVE_DOT = NO
OPTIMIZE_OUTPUT_FOR_C = YES
MACRO_EXPANSION = YES
INCLUDE_PATH = cmodel/include
INPUT_FILTER = "sed -E '1s,^/\*,/** @file\n,; s,^( *)/\* ,\1/** ,; s,^( *)/\*$,\1/**,; s,([;{\,]) +/\* ,\1 /**< ,; s,<n>,\&lt;n\&gt;,g'"
QUIET = YES
WARNINGS = NO
END
)

# not_made STATUS LOG: a warning of mkdocs names a page and its broken link.
not_made() {
  local text warning
  empty_folder "$build/site"
  [ "$1" -lt 124 ] || end_with 3 "no verdict: mkdocs was killed"
  text=$(sed -E 's/\x1b\[[0-9;]*m//g' <<<"$2")
  warning=$(sed -nE '/^WARNING/{s/^WARNING +- +//p;q}' <<<"$text")
  unusable "${warning:-$(tail -n 1 <<<"$text")}"
}
log=$(mkdocs build --strict --config-file "$build/site.src/mkdocs.yml" 2>&1) || not_made $? "$log"
say "$build/site/index.html"
