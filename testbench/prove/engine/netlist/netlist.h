/*
 * A netlist: a module as Yosys elaborates it (write_btor), as terms. One clock.
 */
#ifndef ENGINE_NETLIST_NETLIST_H
#define ENGINE_NETLIST_NETLIST_H

#include "engine/term/term.h"

struct netlist_signal {
  char *name; /* as in the source, with the dots of the hierarchy:
                 "g_lane[0].u_counter.value_q" */
  term value; /* an input or a state: a variable; an output: in terms of them */
};

struct netlist_state {
  char *name;
  term value; /* a variable: the present state */
  term next;  /* after the next rising edge of the clock */
};

/* A signal that is cut: what is made of it is made of a variable. */
struct netlist_cut {
  char *name;
  term value;  /* the variable */
  term driven; /* what it is */
};

struct netlist {
  struct netlist_signal *inputs;
  size_t num_inputs;
  struct netlist_state *states;
  size_t num_states;
  struct netlist_signal *outputs;
  size_t num_outputs;
  struct netlist_cut *cuts;
  size_t num_cuts;
};

/* Whether a signal of this name, or an output, is to be cut. */
typedef bool netlist_is_cut(const char *name, void *with);

/* Reads a BTOR2 file. Variables are called by the prefix and their names. Whatever the file has
 * that the reader does not know, and a state or input without a name, makes it fail: NULL, with
 * "FILE:LINE: what" on stderr. is_cut: NULL if nothing is to be cut. */
struct netlist *netlist_read(const char *file, const char *prefix, netlist_is_cut *is_cut,
                             void *with);
void netlist_free(struct netlist *netlist);

/* NULL: there is none. */
const struct netlist_signal *netlist_input(const struct netlist *netlist, const char *name);
const struct netlist_signal *netlist_output(const struct netlist *netlist, const char *name);
const struct netlist_cut *netlist_cut(const struct netlist *netlist, const char *name);
const struct netlist_state *netlist_state(const struct netlist *netlist, const char *name);

#endif
