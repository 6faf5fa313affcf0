/*
 * The program that is traced: an aarch64 ELF that runs under qemu-aarch64 in a child process, with
 * the plugin.
 */
#ifndef PMUV3_TRACE_GUEST_H
#define PMUV3_TRACE_GUEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "testbench/explore/tracer/core.h"

struct guest_command {
  const char *program;    /* the path of its ELF */
  char *const *arguments; /* the program's argv; NULL ends them */
  const char *const
      *variables;        /* beside PATH and LC_ALL, NAME=VALUE without a comma; NULL ends them */
  const char *root;      /* where its loader and libraries are; NULL: no such folder */
  const char *plugin;    /* the path of the plugin */
  bool writes_to_stderr; /* its standard output is standard error: the other one has the trace */
};

/* How the program ended. */
struct guest_end {
  int status;       /* of waitpid */
  bool has_threads; /* it made threads, of which only the first is traced */
  bool is_replaced; /* it became another program, which is not traced */
  uint64_t instructions;
  uint64_t clears; /* DC ZVA, whose accesses are not traced */
};

/* Why the file is no program to trace, in words. NULL: it is one. `root` is as above. */
const char *guest_wrong(const char *path, const char *root);

/* Runs the program on the core model. Returns NULL, or in words why not; the words last. */
const char *guest_run(const struct guest_command *command, struct core *core,
                      struct guest_end *end);

#endif
