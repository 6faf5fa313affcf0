#!/usr/bin/env bash
# Installs the package, moves it, and uses the moved package: the example platform and a C program, with CMake
# and with pkg-config. Usage: package_test.sh BUILD
set -euo pipefail
build=$1
unset DESTDIR CPATH LIBRARY_PATH CFLAGS CXXFLAGS LDFLAGS
here=$(dirname "$(realpath "$0")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
  echo "FAILED: $1"
  exit 1
}

# A project outside the source tree that uses the package.
make_with_cmake() {
  if ! { cmake -S "$1" -B "$2" && cmake --build "$2"; } >"$scratch/log" 2>&1; then
    cat "$scratch/log"
    fail "$1 does not build"
  fi
}

flags_of() {
  read -ra flags <<<"$(pkg-config --cflags --libs "$1")"
}

cmake --install "$build" --prefix "$scratch/there" >"$scratch/log" || fail "cmake --install"
package=$scratch/package
mv "$scratch/there" "$package"
if grep -rE --include='*.cmake' --include='*.pc' "${here%/*/*}|$build|$scratch/there" "$package"; then
  fail "the package says where it was made"
fi
CMAKE_PREFIX_PATH=$package
PKG_CONFIG_PATH=$(dirname "$(find "$package" -name pmuv3.pc)")
export CMAKE_PREFIX_PATH PKG_CONFIG_PATH

# Both builds of the example give the same samples.
example=$(dirname "$(find "$package" -name platform.cc)")
make_with_cmake "$example" "$scratch/example"
flags_of pmuv3-tlm
c++ -std=c++17 "$example/platform.cc" "${flags[@]}" -o "$scratch/platform"
libraries=$(dirname "$PKG_CONFIG_PATH") # shared ones come before static ones
"$scratch/example/platform" >"$scratch/with_cmake" || fail "the example"
LD_LIBRARY_PATH=$libraries "$scratch/platform" >"$scratch/example_with_pkg_config" || fail "the example with pkg-config"
grep -q '^sample 10 ' "$scratch/with_cmake" || fail "no tenth sample"
cmp "$scratch/with_cmake" "$scratch/example_with_pkg_config"

make_with_cmake "$here" "$scratch/count"
for program in count checker; do
  flags_of "$([ "$program" = count ] && echo pmuv3 || echo pmuv3-check)"
  cc -std=c11 "$here/$program.c" "${flags[@]}" -o "$scratch/with_pkg_config"
  # A shared library knows where the package is. A program with the static one is told where the cores are.
  PMUV3_CORES=$(pkg-config --variable=cores pmuv3-check) "$scratch/count/$program" || fail "$program.c"
  "$scratch/count/$program-shared" || fail "$program.c with the shared libraries"
  LD_LIBRARY_PATH=$libraries "$scratch/with_pkg_config" || fail "$program.c with pkg-config"
done
echo "all held"
