/* The command line of pmuv3-prove. */
#ifndef PMUV3_PROVE_OPTIONS_H
#define PMUV3_PROVE_OPTIONS_H

#include "testbench/prove/equivalence/cases.h"

enum { MAX_SIZES = 16, MAX_ONLY = 32 };

enum theorems { EQUIVALENCE = 1, INTERFERENCE = 2, BOTH_THEOREMS = 3 };

struct prove_options {
  const char *bitcode;        /* of the C model */
  const char *netlists;       /* a directory: THREADS_COUNTERS.btor */
  const char *json;           /* NULL: none */
  const char *out;            /* a directory for counterexamples */
  const char *keep;           /* a directory for the queries; NULL: they are not kept */
  const char *proved;         /* a file of what is; NULL: none */
  const char *only[MAX_ONLY]; /* one of them is in the names of the cases, places */
  bool must_match[MAX_ONLY];  /* such a name must be there */
  unsigned num_only;          /* 0: all */
  bool checks_arguments;      /* and does nothing else */
  bool stop;                  /* at the first case, or place, that is not proved */
  enum case_set set;
  enum theorems theorems;
  struct size sizes[MAX_SIZES]; /* of the equivalence */
  unsigned num_sizes;
  struct size interference[MAX_SIZES]; /* and of this */
  unsigned num_interference;
  unsigned mutants; /* 0; or so many are in the bitcode, and what is proved is of them */
  unsigned jobs;
  double seconds, patience; /* for a query and solver */
};

/* The cases that are proved of a size. Of larger ones a sample shows that what accesses do to the
 * registers, which is proved of the smaller ones, is put together rightly. */
enum case_set prove_set_of(const struct prove_options *options, struct size size);

/* The file that has the netlist of a size. The caller frees it. */
char *prove_netlist_of(const struct prove_options *options, struct size size);

/* What is unusable is one line on stderr, exit status 2. */
struct prove_options prove_options(int argc, char **argv);

#endif
