# shellcheck shell=bash
# The optimizations of Verilator 5.006 that rewrite expressions and statements, off: nobody's device may be compiled
# wrongly. Four are known to make wrong models. DFG: two bits of a vector depend on other bits of it. ConstBitOpTree:
# NOT of a tree of bits, or a bit that is there twice. LifePost: in a loop that is not unrolled, a nonblocking
# assignment becomes a blocking one. MergeCond: statements under one condition move past a `continue`, a `break`, a
# `return` or a `disable` between them. The others cost nothing that can be measured. Sourced.
# shellcheck disable=SC2034 # of the scripts that source this
exact=(-fno-dfg -fno-const-bit-op-tree -fno-life-post -fno-merge-cond
  -fno-assemble -fno-case -fno-combine -fno-dedup -fno-expand -fno-life -fno-localize -fno-merge-cond-motion
  -fno-merge-const-pool -fno-reloop -fno-subst -fno-subst-const -fno-table)
