/* The command line of pmuv3-prove. */
#ifndef PMUV3_PROVE_OPTIONS_H
#define PMUV3_PROVE_OPTIONS_H

#include "testbench/cosim/cli/shards.h"
#include "testbench/prove/equivalence/cases.h"
#include "testbench/prove/equivalence/second_opinion.h"

enum { MAX_SIZES = 16, MAX_ONLY = 32 };

enum theorems { EQUIVALENCE = 1, INTERFERENCE = 2, BOTH_THEOREMS = 3 };

struct prove_options {
  struct pmuv3_shards shards;
  unsigned shard_cases;       /* cases of a shard */
  unsigned part, parts;       /* 1/1: all cases and places; k/n: the k-th part of n, of each size */
  const char *bitcode;        /* the C model */
  const char *netlists;       /* a directory: THREADS_COUNTERS.btor */
  const char *json;           /* NULL: none */
  const char *out;            /* a directory for counterexamples */
  const char *keep;           /* a directory for the queries; NULL: they are not kept */
  const char *proved;         /* the proof cache; NULL: none */
  const char *only[MAX_ONLY]; /* cases and places whose names contain one of these texts */
  bool must_match[MAX_ONLY];  /* some name must contain the text */
  unsigned num_only;          /* 0: all cases and places */
  bool checks_arguments;      /* checks the arguments, and does nothing else */
  bool execute_all;           /* of the C model, in each case: nothing is kept of calls */
  bool stop;                  /* at the first case, or place, that is not proved */
  enum case_set set;
  enum theorems theorems;
  struct size sizes[MAX_SIZES]; /* of the equivalence */
  unsigned num_sizes;
  struct size interference[MAX_SIZES]; /* of non-interference */
  unsigned num_interference;
  unsigned mutants; /* number of mutants in the bitcode, each proved equivalent; 0: none */
  unsigned jobs;
  double seconds, patience; /* limits for a query, of each solver */
  struct sample sample;     /* the questions of which z3 and cvc5 are a second opinion */
};

/* The cases that are proved for a size. Accesses are proved with the smaller sizes; for a larger
 * size a sample shows that the parts are connected correctly. */
enum case_set prove_set_of(const struct prove_options *options, struct size size);

/* Whether all cases and places of the set are asked for, of the C model and the RTL. */
bool prove_is_whole(const struct prove_options *options);

/* The file that has the netlist of a size. The caller frees it. */
char *prove_netlist_of(const struct prove_options *options, struct size size);

/* Parses the command line. Unusable arguments give one line on stderr and exit status 2. */
struct prove_options prove_options(int argc, char **argv);

#endif
