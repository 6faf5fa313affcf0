# shellcheck shell=bash
# What the tests of the package share: they build and run a user's programs. Source it; it makes `scratch`.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
  echo "FAILED: $1"
  exit 1
}

# make_with_cmake SOURCE BUILD [ARGUMENT...]: a project outside the source tree that uses the package.
make_with_cmake() {
  if ! { cmake -S "$1" -B "$2" "${@:3}" && cmake --build "$2" --target "${target:-all}"; } >"$scratch/log" 2>&1; then
    cat "$scratch/log"
    fail "$1 does not build: ${*:3}"
  fi
}

# run_decoupled DIR: the platform that needs most of the module
run_decoupled() {
  "$1/decoupled" >"$1.samples" || fail "the platform in $1"
  grep -q '^slow: sample 10 in cycle 30000$' "$1.samples" || fail "other samples in $1"
}
