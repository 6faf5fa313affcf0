/* An FST as the VCD that it stands for. */
#ifndef PMUV3_WAVE_FST_H
#define PMUV3_WAVE_FST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

/* Whether a file that begins with this character is an FST. */
bool fst_is(int first);

/* The header. `reader` gets the process that writes it. */
FILE *fst_header(const char *path, pid_t *reader);

/* The changes of the signals that have these ids in the header. */
FILE *fst_changes(const char *path, const char *const *ids, size_t count, pid_t *reader);

/* Closes either. False: the file is damaged. */
bool fst_close(FILE *stream, pid_t reader);

#endif
