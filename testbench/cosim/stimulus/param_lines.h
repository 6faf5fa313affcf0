/*
 * The `param` lines of a stimulus file and of a core's preset (docs/reference/formats.md).
 */
#ifndef PMUV3_PARAM_LINES_H
#define PMUV3_PARAM_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "pmuv3/params.h"
#include "testbench/cosim/stimulus/lex.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the param lines of a file so far say. It begins with `params` alone. */
struct pmuv3_param_lines {
  struct pmuv3_params *params;
  uint64_t seen;              /* a bit for each parameter that may be given once */
  bool any;                   /* a parameter was given */
  bool is_core;               /* the file is a preset: it has no `core=` */
  bool events_given;          /* events= or event= was given */
  struct pmuv3_events listed; /* the events of event= */
  uint32_t line;              /* the last param line; 0: none */
};

/* Reads a line behind its word `param`. False after an error, which lex has. */
bool pmuv3_param_line(struct pmuv3_param_lines *lines, struct pmuv3_lex *lex);

/* Whether a parameter is given for the first time, which `seen` notes; event= may be given again.
 */
bool pmuv3_param_is_new(uint64_t *seen, const char *name);

/* The parameters of a command line so far. It begins as {0}. */
struct pmuv3_params_given {
  uint64_t seen;              /* of pmuv3_param_is_new */
  struct pmuv3_events listed; /* the events of event=, not those of a preset */
};

/* Notes a parameter; its value matters only to event=ROW. Returns NULL, or words if the parameter
 * or the row's event has a value already: nobody knows which of two is meant. The words stay valid
 * until the next call. */
const char *pmuv3_param_note(struct pmuv3_params_given *given, const char *name, const char *value);

/* Completes the parameters after the last line, which is to blame when they cannot be together. */
bool pmuv3_param_lines_end(struct pmuv3_param_lines *lines, struct pmuv3_lex *lex);

/* The path of a file that another file names: a relative one is beside that file. False: it is too
 * long. */
bool pmuv3_path_beside(char *path, size_t size, const char *file, const char *value);

#ifdef __cplusplus
}
#endif

#endif
