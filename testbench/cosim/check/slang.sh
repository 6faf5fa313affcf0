# shellcheck shell=bash
# shellcheck disable=SC2034,SC2154 # variables of check.sh
# slang is a parser that aims at all of IEEE 1800. Yosys has it, and writes what it has read as a netlist in plain
# Verilog. Both are a package of npm, slang/package.json. Sourced by check.sh.

# A line of the description that may name an element of an array. In a netlist an array is a vector.
of_element='^[[:space:]]*visible.*\[[0-9]+\]([^.]|$)'

slang=$root/build/slang own_slang=$root/testbench/cosim/check/slang

# read_by_slang FILE [OPTION]...: the device as a netlist. If there is none, `not_by_slang` says why.
read_by_slang() {
  local -A parameters=()
  local word
  for word in "${device[@]}"; do
    if [[ $word =~ ^-G([^=]+)=(0|-?[1-9][0-9]*)$ ]]; then
      parameters[${BASH_REMATCH[1]}]=$word
    elif [[ $word == -G* ]]; then
      not_by_slang="$word is no decimal number for slang"
      return 1
    fi
  done
  install_slang || return 1
  within_limit "$folder/slang.log" "$slang/node_modules/.bin/node" "$slang/read.mjs" "$folder/model/expanded" "$top" \
    "$1" "${parameters[@]}" "${@:2}" && return
  not_by_slang="nor does slang: $(tail -n 1 "$folder/slang.log")"
  return 1
}

# Of several checks one installs it, and the others wait. What is half installed has another name.
install_slang() {
  local lock
  exec {lock}>"$slang.lock"
  flock "$lock"
  is_installed || install
  exec {lock}>&-
  is_installed && return
  not_by_slang="slang cannot be installed: $(tail -n 1 "$folder/npm.log")"
  return 1
}

is_installed() {
  local file
  for file in "$own_slang"/*; do
    cmp -s "$file" "$slang/${file##*/}" || return 1
  done
}

install() {
  type -P npm >/dev/null || (install_missing npm) || return 0
  complain "pmuv3 check: installing Yosys with slang (npm, 265 MB)"
  rm -rf "$slang" "$slang.new"
  cp -R "$own_slang" "$slang.new"
  within_limit "$folder/npm.log" npm ci --prefix "$slang.new" --ignore-scripts --no-audit --no-fund || return 0
  mv "$slang.new" "$slang"
}
