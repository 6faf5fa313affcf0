/* An FST as the VCD that it stands for. */
#ifndef PMUV3_WAVE_FST_H
#define PMUV3_WAVE_FST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/types.h>

/* The process that reads an FST, for as long as its stream is open. */
struct fst_reader {
  pid_t process;
  int pipe;       /* with what it writes */
  rlim_t seconds; /* of processor time for its next piece */
};

/* Whether a file that begins with this character is an FST. */
bool fst_is(int first);

/* The header. */
FILE *fst_header(const char *path, struct fst_reader *reader);

/* The changes of the signals that have these ids in the header. */
FILE *fst_changes(const char *path, const char *const *ids, size_t count,
                  struct fst_reader *reader);

/* Closes either. False: the file is damaged. */
bool fst_close(FILE *stream, const struct fst_reader *reader);

#endif
