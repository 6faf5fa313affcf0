#!/usr/bin/env bash
# Traces a program: finds it, and installs its arm64 packages into a folder of their own.
#
#   trace.sh [OPTION]... OUT.pmt -- PROGRAM ARGUMENT...
#
# A PROGRAM without a slash is a program of Debian: of the package --package, else of the package of its name, else
# of the package that has the program on this machine. The packages are unpacked, and nothing of them is run here
# but under QEMU. Options that are not named here are those of pmuv3-trace.
set -euo pipefail
here=$(dirname "$(realpath "$0")")
# shellcheck source=../../common.sh
. "$here/../../common.sh"
# shellcheck source=../../build.sh
. "$here/../../build.sh"
called='pmuv3 trace'
end_without_verdict
tracer=${PMUV3_TRACER-$root/build/release/bin/pmuv3-trace}
folder=$root/build/trace

# ---- Arguments ----

# Sets options, and words: of the program.
take_arguments() {
  options=() words=()
  while [ $# -gt 0 ] && [ "$1" != -- ]; do
    options+=("$1")
    shift
  done
  [ $# = 0 ] || words=("${@:2}")
}

# Sets package, has_root and has_source as the program reads the options, which may be abbreviated. What the
# program prints instead of a plan is printed; then there is nothing more to do.
take_plan() {
  local plan
  plan=$("$tracer" --plan "${options[@]}" ${words[@]+-- "${words[@]}"}) || end_as $?
  if ! [[ $plan =~ ^plan\ root=([01])\ from=([01])\ package=([^$'\n']*)$ ]]; then
    say "$plan"
    exit 0
  fi
  has_root=${BASH_REMATCH[1]} has_source=${BASH_REMATCH[2]} package=${BASH_REMATCH[3]}
}

# ---- Packages ----

# apt_arm64 get|cache ARGUMENT...: of arm64, which knows no installed package.
apt_arm64() {
  "apt-$1" -qq -o Dir::State="$folder/apt/state" -o Dir::State::status="$folder/apt/status" \
    -o Dir::Cache="$folder/apt/cache" -o APT::Architecture=arm64 -o APT::Architectures=arm64 \
    -o APT::Sandbox::User=root -o Acquire::Languages=none "${@:2}" 2>>"$folder/apt/log"
}

update_lists() {
  echo "pmuv3: reading the lists of arm64's packages" >&2
  apt_arm64 get update >>"$folder/apt/log" || unusable "cannot read the lists of arm64's packages: $(last_error)"
  touch "$folder/apt/updated"
}

last_error() {
  grep -a '^E: ' "$folder/apt/log" | tail -n 1 | cut -c4-
}

download() {
  apt_arm64 get install -y --no-install-recommends --download-only "$1" >>"$folder/apt/log"
}

# has_package NAME: of exactly that name. apt-get takes others for patterns of names, or for orders to remove.
has_package() {
  if apt_arm64 cache pkgnames "$1" | grep -Fx -- "$1" >/dev/null; then
    apt_arm64 get install -y --no-install-recommends --print-uris "$1" >>"$folder/apt/log"
  else
    echo "E: arm64 has no package of this name" >>"$folder/apt/log"
    return 1
  fi
}

# Lists of before today may name files that are gone.
prepare_lists() {
  [ -n "$(find "$folder/apt/updated" -mtime -1 2>/dev/null)" ] || update_lists
}

# Whoever is interrupted here leaves the file `unpacking`: a program may be there without its libraries, or not be
# whole.
unpack() {
  local file mark
  { : >"$folder/unpacking"; } 2>/dev/null || unusable "cannot write to '$folder'"
  for file in "$folder"/apt/cache/archives/*.deb; do
    mark=$folder/unpacked/${file##*/}
    if [ ! -f "$file" ] || [ -f "$mark" ]; then continue; fi # without files, the pattern is the word
    { dpkg-deb -x "$file" "$folder/root" && touch "$mark"; } 2>>"$folder/apt/log" || unusable "cannot unpack '$file'"
  done
  rm "$folder/unpacking"
}

# install_arm64 PACKAGE: with what it depends on. False: there is no such package.
install_arm64() {
  [ ! -f "$folder/installed/$1" ] || return 0
  prepare_lists
  has_package "$1" || return 1
  echo "pmuv3: installing arm64's $1 in ${folder#"$root/"}/root" >&2
  download "$1" || unusable "cannot download arm64's $1: $(last_error)"
  unpack
  touch "$folder/installed/$1"
}

# Another's files are neither used nor changed.
own_packages() {
  [ ! -e "$folder" ] || is_marked "$folder" || { [ -d "$folder" ] && [ ! -L "$folder" ] && is_empty "$folder"; } ||
    unusable "'$folder' was not made here, and is in the way"
  { mkdir -p "$folder" && mark "$folder"; } 2>/dev/null || unusable "cannot write to '$folder'"
}

# One script at a time installs. It finishes what an interrupted one began.
prepare_folder() {
  own_build
  open_lock 8 "$root/build/trace.lock"
  flock 8
  own_packages
  { mkdir -p "$folder"/{root,installed,unpacked} "$folder"/apt/{state/lists/partial,cache/archives/partial} &&
    : >>"$folder/apt/status" && rm -f "$folder/apt/log"; } 2>/dev/null || unusable "cannot write to '$folder'"
  [ ! -e "$folder/unpacking" ] || unpack
}

# ---- Programs ----

# find_program NAME: its file in the folder of packages, in `found`. False: it is not there.
find_program() {
  local place
  for place in usr/bin bin usr/sbin sbin usr/games; do
    [ ! -L "$folder/root/$place/$1" ] && [ ! -f "$folder/root/$place/$1" ] && continue
    found=$(realpath -m -- "$folder/root/$place/$1")
    [[ $found == "$folder/root/"* ]] || found=$folder/root$found # an absolute link
    [ ! -f "$found" ] || return 0
  done
  return 1
}

# package_here NAME: the package that has the program on this machine. dpkg-query takes patterns.
package_here() {
  [[ $1 =~ ^[A-Za-z0-9_.+@:-]+$ ]] || return 0
  sed -n '/^[a-z0-9+.-]*[:,]/{s/[:,].*//p;q}' < <(dpkg-query -S "*/bin/$1" "*/sbin/$1" 2>/dev/null)
}

install_program() {
  local name=$1 owner
  if [ -n "$package" ]; then
    install_arm64 "$package" || unusable "--package: cannot install '$package': $(last_error)"
    find_program "$name" || unusable "package '$package' has no program '$name'"
    return
  fi
  if [[ $name =~ ^[a-z0-9][a-z0-9+.-]+$ ]] && install_arm64 "$name" && find_program "$name"; then return; fi
  owner=$(package_here "$name")
  if [ -n "$owner" ] && install_arm64 "$owner" && find_program "$name"; then return; fi
  unusable "no package is known for program '$name': give --package NAME, or the path of an arm64 program"
}

# Its loader and the C library, if it needs a loader.
install_loader() {
  local header
  header=$(readelf -lW -- "$1" 2>/dev/null) || return 0
  [[ $header == *'Requesting program interpreter'* ]] || return 0
  prepare_folder
  install_arm64 libc6 || unusable "cannot install 'libc6': $(last_error)"
  exec 8>&-
}

main() {
  local found defaults
  take_arguments "$@"
  take_plan
  [ "$has_source" = 0 ] || exec "$tracer" "${options[@]}"
  install_missing "${trace_packages[@]}"
  if [[ ${words[0]} == */* ]]; then
    [ -z "$package" ] || unusable "--package: '${words[0]}' is a path"
    found=${words[0]}
    [ "$has_root" = 1 ] || install_loader "$found"
  else
    prepare_folder
    { [ -z "$package" ] && find_program "${words[0]}"; } || install_program "${words[0]}"
    exec 8>&-
  fi
  defaults=(--program "$found")
  [ "$has_root" = 1 ] || [ ! -d "$folder/root" ] || ! is_marked "$folder" || defaults+=(--root "$folder/root")
  exec "$tracer" "${defaults[@]}" --defaults-end "${options[@]}" -- "${words[@]}"
}

main "$@"
