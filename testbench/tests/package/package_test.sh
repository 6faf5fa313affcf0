#!/usr/bin/env bash
# Installs the package, and uses it in its place and moved: the example platforms and C programs, with CMake and
# pkg-config, gcc and clang, C++17 and C++20; and Python, if the build has it. Usage: package_test.sh BUILD [PYTHON]
set -euo pipefail
build=$1 python=${2-}
unset DESTDIR CPATH LIBRARY_PATH CFLAGS CXXFLAGS LDFLAGS
here=$(dirname "$(realpath "$0")")
# shellcheck source=use.sh
. "$here/use.sh"

flags_of() {
  read -ra flags <<<"$(pkg-config --cflags --libs "$1")"
}

use_package() {
  package=$1
  CMAKE_PREFIX_PATH=$package
  PKG_CONFIG_PATH=$(dirname "$(find "$package" -name pmuv3.pc)")
  export CMAKE_PREFIX_PATH PKG_CONFIG_PATH
  libraries=$(dirname "$PKG_CONFIG_PATH") # shared ones come before static ones
  example=$(dirname "$(find "$package" -name decoupled.cc)")
}

# Every compiler and standard runs the platform that needs most of the module.
use_compilers() {
  local compiler standard made target=decoupled
  for compiler in g++ clang++; do
    for standard in 17 20; do
      made=$scratch/$compiler-$standard-$1
      make_with_cmake "$example" "$made" -DCMAKE_CXX_COMPILER="$compiler" -DCMAKE_CXX_STANDARD="$standard"
      run_decoupled "$made"
      flags_of pmuv3-tlm
      "$compiler" "-std=c++$standard" "$example/decoupled.cc" "${flags[@]}" -o "$made.pc" ||
        fail "pkg-config with $compiler, C++$standard, $1"
      LD_LIBRARY_PATH=$libraries "$made.pc" | cmp - "$made.samples" || fail "other samples with pkg-config"
    done
  done
}

# The module is where pkg-config says, and Python takes that one.
use_python() {
  local place
  place=$(pkg-config --variable=python pmuv3)
  if [ -z "$python" ]; then
    [ -z "$place" ] || fail "pkg-config has a place for a Python module that there is not"
    return
  fi
  place=$(realpath "$place")
  PYTHONPATH=$place "$python" -B -c 'import pmuv3; print(pmuv3.__file__)' | cmp - <(echo "$place/pmuv3/__init__.py") ||
    fail "another Python module than that of the package, $1"
  PYTHONPATH=$place "$python" -B "${here%/*}/python/use_test.py" >"$scratch/log" 2>&1 ||
    { cat "$scratch/log" && fail "the Python module, $1"; }
}

cmake --install "$build" --prefix "$scratch/there" >"$scratch/log" || fail "cmake --install"
use_package "$scratch/there"
use_compilers unmoved
use_python unmoved
mv "$scratch/there" "$scratch/package"
use_package "$scratch/package"
if grep -rE --include='*.cmake' --include='*.pc' "${here%/*/*}|$build|$scratch/there" "$package"; then
  fail "the package says where it was made"
fi
use_compilers moved
use_python moved

make_with_cmake "$example" "$scratch/examples"
for program in bare decoupled debugger; do
  "$scratch/examples/$program" >"$scratch/log" || fail "the example $program"
done

make_with_cmake "$here" "$scratch/count"
for program in count checker; do
  flags_of "$([ "$program" = count ] && echo pmuv3 || echo pmuv3-check)"
  cc -std=c11 "$here/$program.c" "${flags[@]}" -o "$scratch/with_pkg_config"
  # A shared library knows where the package is. A program with the static one is told where the cores are.
  PMUV3_CORES=$(pkg-config --variable=cores pmuv3-check) "$scratch/count/$program" || fail "$program.c"
  "$scratch/count/$program-shared" || fail "$program.c with the shared libraries"
  LD_LIBRARY_PATH=$libraries "$scratch/with_pkg_config" || fail "$program.c with pkg-config"
done

# ---- Finding SystemC ----

# Without it a quiet search is quiet, and one that needs the module says what is missing.
mkdir "$scratch/search" "$scratch/found" "$scratch/another" "$scratch/above"
cat >"$scratch/search/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(search LANGUAGES CXX)
if(REQUIRE)
  find_package(pmuv3 REQUIRED COMPONENTS tlm)
endif()
message("begin")
find_package(pmuv3 QUIET OPTIONAL_COMPONENTS tlm)
message("optional ${pmuv3_FOUND} ${pmuv3_tlm_FOUND}")
find_package(pmuv3 QUIET COMPONENTS tlm)
message("end ${pmuv3_FOUND} ${pmuv3_tlm_FOUND}")
END
PKG_CONFIG_LIBDIR=/nowhere PKG_CONFIG_PATH='' cmake -S "$scratch/search" -B "$scratch/quiet" >"$scratch/log" 2>&1 ||
  fail "a quiet search"
sed -n '/^begin/,/^end/p' "$scratch/log" | cmp - <(printf 'begin\noptional 1 FALSE\nend 0 FALSE\n') ||
  fail "a quiet search without SystemC speaks"
if PKG_CONFIG_LIBDIR=/nowhere PKG_CONFIG_PATH='' cmake -S "$scratch/search" -B "$scratch/loud" -DREQUIRE=ON >"$scratch/log" 2>&1; then
  fail "the module is found without SystemC"
fi
grep -q "component tlm needs SystemC" "$scratch/log" || fail "what is missing is not said"

# SystemC's own package, without pkg-config.
version=$(pkg-config --modversion systemc)
cat >"$scratch/found/SystemCLanguageConfig.cmake" <<END
set(SystemCLanguage_VERSION $version.20221128)
set(SystemC_CXX_STANDARD 17)
add_library(SystemC::systemc INTERFACE IMPORTED)
set_target_properties(SystemC::systemc PROPERTIES INTERFACE_LINK_LIBRARIES systemc)
END
PKG_CONFIG_LIBDIR=/nowhere PKG_CONFIG_PATH='' target=bare \
  make_with_cmake "$example" "$scratch/language" -DSystemCLanguage_DIR="$scratch/found"
"$scratch/language/bare" >"$scratch/log" || fail "the example with SystemCLanguage"

# Another SystemC than that of the module: both say so. The linker would name a symbol.
# refuses EDIT WORDS: a search that needs the module says these words of a SystemC that is not the module's
refuses() {
  sed "$1" "$scratch/found/SystemCLanguageConfig.cmake" >"$scratch/another/SystemCLanguageConfig.cmake"
  if PKG_CONFIG_LIBDIR=/nowhere PKG_CONFIG_PATH='' cmake -S "$scratch/search" -B "$scratch/other" -DREQUIRE=ON \
    -DSystemCLanguage_DIR="$scratch/another" >"$scratch/log" 2>&1; then
    fail "the module is found with another SystemC: $1"
  fi
  grep -qF "$2" < <(tr -d "'" <"$scratch/log" | xargs) || { cat "$scratch/log" && fail "not said: $2"; }
}
refuses "s/$version/9.9.9/" "was built with SystemC $version, not with 9.9.9"
refuses "s/17/14/" "needs a SystemC of C++17, not of C++14"
printf 'Name: SystemC\nDescription: another\nVersion: 9.9.9\n' >"$scratch/another/systemc.pc"
if PKG_CONFIG_PATH=$scratch/another:$PKG_CONFIG_PATH pkg-config --cflags pmuv3-tlm >"$scratch/log" 2>&1; then
  fail "pkg-config takes another SystemC"
fi
grep -qF "'systemc = $version'" "$scratch/log" || fail "pkg-config does not name the other SystemC"

# Made without SystemC and Python, the package has the C libraries alone.
PKG_CONFIG_LIBDIR=/nowhere PKG_CONFIG_PATH='' \
  make_with_cmake "${here%/*/*/*}" "$scratch/plain" -DPMUV3_TESTBENCH=OFF -DCMAKE_BUILD_TYPE=Release \
  -DPMUV3_PYTHON=
if grep -E 'Python|cffi' "$scratch/log"; then fail "a build without Python speaks of it"; fi
cmake --install "$scratch/plain" --prefix "$scratch/c_alone" >"$scratch/log" || fail "cmake --install without SystemC"
[ -e "$(find "$scratch/c_alone" -name libpmuv3.a)" ] || fail "no C library without SystemC"
[ -z "$(find "$scratch/c_alone" -name '*tlm*')" ] || fail "a part of the module without SystemC"
[ -z "$(find "$scratch/c_alone" -path '*python*')" ] || fail "a Python module without Python"

# A Python that is named must have the module.
if PKG_CONFIG_LIBDIR=/nowhere PKG_CONFIG_PATH='' cmake -S "${here%/*/*/*}" -B "$scratch/nowhere" -DPMUV3_TESTBENCH=OFF \
  -DPMUV3_PYTHON=/nowhere >"$scratch/log" 2>&1; then
  fail "a Python that is not there is taken"
fi
grep -q 'PMUV3_PYTHON: /nowhere is no Python' "$scratch/log" || { cat "$scratch/log" && fail "no word on that Python"; }

# ---- As a part of another project ----

cat >"$scratch/above/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.16)
project(above LANGUAGES C CXX)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
add_subdirectory(${here%/*/*/*} pmuv3)
add_executable(count $here/count.c)
target_link_libraries(count PRIVATE pmuv3::pmuv3)
add_executable(bare $example/bare.cc)
target_link_libraries(bare PRIVATE pmuv3::tlm)
foreach(part shared check check_shared side)
  if(NOT TARGET pmuv3::\${part})
    message(FATAL_ERROR "there is no pmuv3::\${part}")
  endif()
endforeach()
END
make_with_cmake "$scratch/above" "$scratch/below"
"$scratch/below/count" || fail "the library as a part of another project"
"$scratch/below/bare" >"$scratch/log" || fail "the module as a part of another project"
if grep -q -- -Werror "$scratch/below/compile_commands.json"; then fail "warnings are errors for others"; fi

# ---- What is in the package ----

# A library has every function that a C header declares.
for header in "$package"/include/pmuv3/*.h "$package"/include/pmuv3-tlm/tlm_wrapper/side.h; do
  printf '#include "%s"\n' "$header"
done >"$scratch/all.c"
gcc -std=c11 -I"$package/include" -I"$package/include/pmuv3-tlm" -aux-info "$scratch/declared" -c "$scratch/all.c" \
  -o "$scratch/all.o"
{
  cat "$scratch/all.c"
  echo '#include <stdio.h>'
  echo 'int main(int argc, char **argv) { (void)argv; const void *all[] = {'
  grep -F "$package/include" "$scratch/declared" | grep -F ' extern ' | grep -oE 'pmuv3_[a-z0-9_]+ \(' |
    sed 's/ (/,/; s/^/(const void *)/'
  echo '0}; return all[argc - 1] == 0; }'
} >"$scratch/every.c"
[ "$(grep -c '^(const void' "$scratch/every.c")" -gt 50 ] || fail "few functions are declared"
libraries_of_all=("$libraries"/libpmuv3_side.a "$libraries"/libpmuv3_check.a "$libraries"/libpmuv3.a)
gcc -w -std=c11 -I"$package/include" -I"$package/include/pmuv3-tlm" "$scratch/every.c" "${libraries_of_all[@]}" \
  -o "$scratch/every" || fail "a header declares what the package lacks"

# Each name that a library gives to a program is of pmuv3, so no name of the program's can stand for it.
for library in "${libraries_of_all[@]}"; do
  foreign=$(nm --defined-only -g -P "$library" | awk '$2 ~ /[A-Z]/ && $1 !~ /^(_Z|pmuv3_)/ { print $1 }' | sort -u | xargs)
  [ -z "$foreign" ] || fail "${library##*/} defines $foreign"
done

# A compiler that begins with an older C++ says what is wrong before all else.
flags_of pmuv3-tlm
echo '#include "tlm_wrapper/pmuv3_tlm.h"' >"$scratch/older.cc"
if clang++ -std=c++14 "${flags[@]}" -c "$scratch/older.cc" -o "$scratch/older.o" 2>"$scratch/log"; then
  fail "the module's header with C++14"
fi
grep -q 'needs C++17' < <(grep -m 1 error "$scratch/log") || fail "C++14: not said first"

# The header of the RTL's ports stands beside the C model's.
printf '%s\n' '#include "pmuv3/pmuv3.h"' '#include "rtl_ports.h"' \
  'int main() { return pmuv3_rtl::Pack(pmuv3_rtl::ResetState()) == 0; }' >"$scratch/ports.cc"
g++ -std=c++17 -Wall -Werror -I"$package/include" -I"$package/include/pmuv3-rtl" -fsyntax-only "$scratch/ports.cc" ||
  fail "rtl_ports.h and pmuv3.h do not stand together"

# The RTL elaborates by its list of files alone.
cd "$(pkg-config --variable=rtl pmuv3)"
verilator --lint-only -Wno-fatal -GNumThreads=1 -GNumCounters=1 -GNumEvents=1 pmuv3.vlt -f pmuv3.f --top-module pmuv3 \
  >"$scratch/log" 2>&1 || { cat "$scratch/log" && fail "the RTL of the package"; }
cmp <(printf '%s\n' ./*.sv) <(sort pmuv3.f | sed 's,^,./,') || fail "the list of files is not whole"
grep -q '<ipxact:component' "$(pkg-config --variable=ipxact pmuv3)" || fail "no IP-XACT"
echo "all held"
