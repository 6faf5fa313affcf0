/* Reads an FST as a VCD: a process of its own writes the VCD into a pipe. */
#ifndef PMUV3_TRACE_FST_H
#define PMUV3_TRACE_FST_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* Whether a file that begins with this byte is an FST. */
bool fst_begins(int byte);

/* NULL: there is no process. */
FILE *fst_open(const char *path, pid_t *process);

/* After all was read. False: the file is no FST, or damaged. */
bool fst_close(FILE *vcd, pid_t process);

#endif
