#!/usr/bin/env bash
# The example proves one function and refutes the other: it ends well, and prints both answers.
# Usage: example_test.sh PROGRAM BITCODE NETLIST
set -euo pipefail
answers=$'^saturating_add: equal\nwrong_add: differs where a_i=[0-9]+ b_i=0$'

# holds COMMAND...
holds() {
  output=$("$@") && [[ $output =~ $answers ]]
}

# A stand-in that prints this, and ends with a status.
says() {
  echo "$1"
  return "$2"
}
good=$'saturating_add: equal\nwrong_add: differs where a_i=7 b_i=0'
holds says "$good" 0 || { echo "example_test.sh: what is right does not hold" && exit 1; }
! holds says "$good" 1 || { echo "example_test.sh: the exit status is not seen" && exit 1; }
! holds says "${good/equal/no answer}" 0 || { echo "example_test.sh: a wrong answer is not seen" && exit 1; }

holds "$@" || { echo "example_test.sh: the example says: $output" && exit 1; }
