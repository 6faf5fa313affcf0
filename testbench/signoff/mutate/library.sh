# shellcheck shell=bash
# The C library, for what mutants ask of it that is not mutated. Sourced by the scripts that make mutants.

# make_library ROOT: library.a in the current folder.
make_library() {
  local source
  mkdir -p library
  for source in "$1"/cmodel/src/*.c; do
    gcc -O2 -fPIC -I"$1/cmodel/include" -c "$source" -o "library/$(basename "$source" .c).o"
  done
  ar rcs library.a library/*.o
}
