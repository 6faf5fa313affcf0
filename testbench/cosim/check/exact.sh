# shellcheck shell=bash
# The optimizations of Verilator 5.006 that can make a wrong model, off. Nobody's device may be compiled wrongly.
# DFG: two bits of a vector depend on other bits of it. LifePost: in a loop that is not unrolled, a nonblocking
# assignment becomes a blocking one. MergeCond: statements under one condition move past a `continue`, a `break`,
# a `return` or a `disable` between them. Sourced.
# shellcheck disable=SC2034 # of the scripts that source this
exact=(-fno-dfg -fno-life-post -fno-merge-cond)
