# shellcheck shell=bash
# What has to be installed, and how the programs are built. Sourced by the entry point and by scripts that
# build, after common.sh.
root=$(realpath "${BASH_SOURCE[0]%/*}/..")

# ---- Packages ----

build_packages=(g++ cmake ninja-build ccache pkg-config verilator libsystemc-dev libjson-c-dev libsqlite3-dev libxml2-dev libzstd-dev zlib1g-dev libgtest-dev libbenchmark-dev)
# shellcheck disable=SC2034 # of the scripts that source this
trace_packages=(qemu-user)
proof_packages=(yosys llvm-14-dev clang-14 nettle-dev libcadical-dev z3 cvc5 python3)
code_coverage_packages=(gcovr jq python3 sqlite3)
# shellcheck disable=SC2034 # of the entry point
slurm_packages=(slurm-client)
farm_test_packages=(slurmctld slurmd slurm-client munge iproute2 sqlite3)
docs_packages=(mkdocs mkdocs-material doxygen)
# shellcheck disable=SC2034 # of the scripts that source this
plot_packages=(gnuplot-nox)
fast_test_packages=(gnuplot-nox iverilog qemu-user binutils-aarch64-linux-gnu gtkwave jq sqlite3 python3 python3-cffi python3-dev clang-format shellcheck clang libclang-rt-14-dev libxml2-utils valgrind)
# shellcheck disable=SC2034 # of the scripts that source this
test_packages=("${code_coverage_packages[@]}" "${docs_packages[@]}" "${fast_test_packages[@]}" "${farm_test_packages[@]}" chromium)

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# install_missing PACKAGE...
install_missing() {
  local package installed missing=()
  installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null || true)
  for package; do
    [[ $'\n'$installed$'\n' == *$'\n'"installed $package"$'\n'* ]] || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  complain "pmuv3: installing ${missing[*]}"
  as_root apt-get update -qq >&2 || unusable "cannot read the lists of packages"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    "${missing[@]}" >&2 || unusable "cannot install ${missing[*]}"
}

# ---- Tools ----

# tool_files: the real files of the tools. The package that is named after a tool may have a link alone: g++ is a link
# of the package g++ to the compiler, which is in g++-12.
tool_files() {
  local library
  {
    printf '/usr/bin/%s\n' c++ cc g++ gcc as ld ccache cmake ninja pkg-config verilator_bin python3 clang-14 \
      yosys yosys-abc z3 cvc5 gcovr
    for library in libc.so libstdc++.so; do gcc -print-file-name=$library; done
  } | xargs realpath -e | sort -u
}

# tools: lines "NAME VERSION" of the compilers, the provers, and the libraries that programs are built with. NAME is the
# source package: all that Debian makes of it has the same version, so a tool's shared libraries are in it, too.
tools() {
  local files owners
  mapfile -t files < <(tool_files 2>/dev/null)
  owners=$(dpkg-query -S "${files[@]}" 2>/dev/null || true)
  { versions_of "$owners" && unpackaged "$owners" "${files[@]}"; } |
    grep -E '^[A-Za-z0-9_.+-]+ [A-Za-z0-9_.+~:-]+$' | sort -u || [ $? = 1 ]
}

# versions_of OWNERS: the installed packages of the sources of these packages, and of the libraries.
versions_of() {
  local packages
  mapfile -t packages < <(sed -E '/^diversion /d; s|: /.*||; s/:[a-z0-9-]+//g; s/, /\n/g' <<<"$1"
    printf '%s\n' "${build_packages[@]}" "${proof_packages[@]}" | grep -e '-dev$')
  awk 'NR == FNR { sources[$1]; next } $1 == "installed" && $2 in sources { print $2, $3 }' \
    <(dpkg-query -W -f '${source:Package}\n' "${packages[@]}" 2>/dev/null) \
    <(dpkg-query -W -f '${db:Status-Status} ${source:Package} ${Version}\n')
}

# unpackaged OWNERS FILE...: a tool that no package has is known by its content.
unpackaged() {
  local file
  for file in "${@:2}"; do
    [[ $1$'\n' == *": $file"$'\n'* ]] || echo "${file##*/} sha256:$(sha256sum <"$file" | cut -c1-16)"
  done
}

# ---- Builds ----

# cmake_cache FOLDER: what CMake wrote down of a build folder. Nothing where this is no file: a pipe has no writer.
cmake_cache() {
  if [ -f "$1/CMakeCache.txt" ]; then cat "$1/CMakeCache.txt" 2>/dev/null; fi
}

# setting PRESET NAME: a setting of the build folder of a preset.
setting() {
  cmake_cache "$root/build/$1" | sed -n "s/^$2:[A-Z]*=//p"
}

# settings PRESET: all that CMake was told or found. It decides what is built, and with what.
settings() {
  cmake_cache "$root/build/$1" | sed -E '/^(#|\/\/|$)/d; /-ADVANCED:INTERNAL=/d' | sort
}

keep_settings() {
  begin_own "build/$1/settings.list"
  settings "$1" >>"build/$1/settings.list"
}

# Whether a build folder is of these sources, was made in this place, by the preset alone and with the tools
# that there are, and a build by times alone makes it up to date.
is_sound() {
  local folder=$root/build/$1 gone unseen
  has_only_files "$folder" || return 1
  [ -f "$folder/build.ninja" ] && [ "$(setting "$1" CMAKE_HOME_DIRECTORY)" = "$root" ] &&
    [ "$(setting "$1" CMAKE_CACHEFILE_DIR)" = "$folder" ] || return 1
  [ ! -f "$folder/building" ] || [ "$(<"$folder/building")" = "$times" ] || return 1
  [ -f "$folder/settings.list" ] && cmp -s "$folder/settings.list" <(settings "$1") || return 1
  [ -f "$folder/versions.list" ] || return 1
  gone=$(comm -23 "$folder/versions.list" <(tools)) || return 1
  [ -z "$gone" ] || return 1
  [ -f "$folder/source.list" ] || return 0
  unseen=$(unseen_changes "$root" "$folder/source.list" "$root/build/source.list" "$folder/.ninja_log") || return 1
  [ -z "$unseen" ]
}

# has_only_files FOLDER: whether only files and folders are in it. A tool would wait for the other end of a pipe, and
# write to the file that a link stands for.
has_only_files() {
  local file
  for file in "$1"/{,.[!.]}*; do
    [[ ! -L $file && (-f $file || -d $file || ! -e $file) ]] || return 1
  done
}

is_configured() { grep -qx 'CMAKE_PROJECT_NAME:STATIC=pmuv3' < <(cmake_cache "$1"); }

# The mark of a folder of builds: it may have evidence, so no script empties it.
build_text='pmuv3 builds here'

# Whether a folder is none, empty, or one that was made here.
is_ours() {
  [ ! -e "$1" ] || is_marked "$1" "$build_text" || is_marked "$1" || is_configured "$1" ||
    { [ -d "$1" ] && is_empty "$1"; }
}

# Compilers ask ccache, which needs a folder.
find_cache() {
  local cache
  command -v ccache >/dev/null || return 0
  cache=$(ccache --get-config cache_dir 2>/dev/null) || cache=''
  if ! mkdir -p "$cache" 2>/dev/null || [ ! -w "$cache" ]; then export CCACHE_DIR=$root/build/ccache; fi
}

# of_debian COMMAND...: with the libraries of Debian's packages, also where pkg-config would look into /usr/local first.
of_debian() {
  local library
  library=/usr/lib/$(gcc -print-multiarch)
  PKG_CONFIG_PATH='' PKG_CONFIG_LIBDIR=$library/pkgconfig:/usr/lib/pkgconfig:/usr/share/pkgconfig "$@"
}

# expect_of_debian FOLDER: compilers look into /usr/local/include first, and what is there has no version.
expect_of_debian() {
  local found
  [ -d /usr/local/include ] || return 0
  if found=$(find -L /usr/local/include -type f -print -quit 2>/dev/null) && [ -z "$found" ]; then return 0; fi
  found=$(ninja -C "$1" -t deps | sed -n 's|^ *\(/usr/local/\)|\1|p' | sort -u)
  [ -z "$found" ] || unusable "'${found%%$'\n'*}' was compiled in, instead of a header of Debian's: move it away"
}

# up_to_date PRESET TARGET...
up_to_date() {
  if ! is_sound "$1"; then
    if [ -d "build/$1" ]; then
      complain "pmuv3: build/$1 is not of these sources, or not whole: building it anew"
    else
      complain "pmuv3: building, for the first time this takes a few minutes"
    fi
    is_ours "$root/build/$1" || unusable "'$root/build/$1' is no build folder, and in the way"
    rm -rf "${root:?}/build/$1"
    { mkdir "build/$1" && mark "build/$1" "$build_text"; } 2>/dev/null || unusable "cannot write to $root/build"
    logged "build/$1.log" of_debian cmake --preset "$1" || not_built "build/$1.log"
    keep_settings "$1"
    begin_own "build/$1/versions.list" # each build adds the tools that are new (digest.sh)
    tools >>"build/$1/versions.list"
  fi
  # Stays there if we are ended, or if the sources change meanwhile.
  begin_own "build/$1/building"
  echo "$times" >>"build/$1/building"
  local status=0 now
  logged "build/$1.log" ninja -C "build/$1" --quiet "${@:2}" || status=$?
  keep_settings "$1" # ninja calls CMake again if one of its files changed
  now=$(source_times . C) || not_read $?
  [ "$now" = "$times" ] || unusable "the sources were changed while they were built"
  rm -f "build/$1/building"
  [ "$status" = 0 ] || not_built "build/$1.log"
  expect_of_debian "build/$1"
  sed '/^ninja: no work to do/d' "build/$1.log" >&2 || true
}

# logged LOG COMMAND...: what the command says. Bash reports a killed process to the standard error of the braces.
logged() {
  begin_own "$1"
  { "${@:2}" >>"$1" 2>&1; } 2>/dev/null
}

# not_built LOG: for an error, which the log has, or because a tool was killed, which says nothing or is said by
# the tool that called it.
not_built() {
  if has_error "$1"; then
    cat "$1" >&2 || true
    exit 2
  fi
  complain "pmuv3: a tool ended without an error while it built, see $root/$1: no verdict"
  exit 3
}

# has_error LOG: an error of the sources. When a tool was killed, CMake says only that it cannot go on, and ninja says
# of CMake no more than that.
has_error() {
  local error='(error|Error|ERROR)(-[A-Z]+| (at|in) [^:]*)?:|^[a-z_]+\.(sh|py): '
  local killed='signal|[Kk]illed|unable to execute|internal compiler error|no verdict'
  local follows="^ninja: error: rebuilding"
  ! grep -qE "$killed" "$1" || follows+='|^CMake Error'
  grep -qvE "$killed|$follows" < <(grep -E "$error" "$1")
}

# build_locked PRESET TARGET...: of the sources as they are when it begins, which it says in build/source.list.
build_locked() {
  local preset=$1 times list
  shift
  end_without_verdict
  cd "$root" || exit 3
  flock 9
  times=$(source_times . C) || not_read $?
  list=$(source_list .) || not_read $?
  begin_own build/source.list
  echo "$list" 2>/dev/null >>build/source.list || unusable "cannot write to $root/build"
  find_cache
  [ "$preset" != sanitize ] || up_to_date release pmuv3_rtl # its RTL is that of release
  up_to_date "$preset" "$@"
}

# own_build: build/ is ours, and gets our mark. `cmake --preset` makes build/release without one, and who installs the
# package as the pages say, build/package.
own_build() {
  local build=$root/build
  is_ours "$build" || is_configured "$build/release" || is_configured "$build/package" ||
    unusable "'$build' has files that were not made here, and is in the way"
  expect_lock "$build/lock"
  { mkdir -p "$build" && mark "$build" "$build_text" && : >>"$build/lock"; } 2>/dev/null || unusable "cannot write to $build"
}

# build PRESET TARGET...: under a lock, since several of us may be called at once. Whatever runs then has to be
# built of these sources.
build() {
  [[ $root != *[[:space:]]* ]] || unusable "'$root' has a blank in it, which Verilator cannot take"
  [[ $root != *[\;\"\'\#\$\\\`\&\|\<\>\(\)\*\?\[\]\{\}\!]* ]] ||
    unusable "'$root' has a character in it that means something to CMake or make"
  own_build
  together build_locked "$@" 9>>"$root/build/lock"
  of_sources
}

# of_sources: what runs from here on is of these sources, and of no others.
of_sources() {
  local digest
  digest=$(source_digest "$root") || not_read $?
  [ "${PMUV3_SOURCE-$digest}" = "$digest" ] ||
    unusable "the sources are now $digest, not $PMUV3_SOURCE as PMUV3_SOURCE says"
  export PMUV3_SOURCE=$digest
}
