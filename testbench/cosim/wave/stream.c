#include "testbench/cosim/wave/stream.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/wave/fst.h"

struct wave_stream {
  const char *path;
  FILE *in; /* NULL: all was read */
  bool is_fst;
  struct fst_reader reader; /* of an FST */
  struct vcd *vcd;
};

_Noreturn static void damaged(const struct wave_stream *stream) {
  pmuv3_cli_unusable("%s: no FST, or a damaged one", stream->path);
}

static void close_input(struct wave_stream *stream) {
  if (stream->in && !stream->is_fst) fclose(stream->in);
  if (stream->in && stream->is_fst && !fst_close(stream->in, &stream->reader)) damaged(stream);
  stream->in = NULL;
}

/* An FST is read by its path. */
static void find_kind(struct wave_stream *stream) {
  const int first = getc(stream->in);
  if (first == EOF && ferror(stream->in))
    pmuv3_cli_unusable("cannot read '%s': %s", stream->path, strerror(errno));
  stream->is_fst = fst_is(first);
  if (!stream->is_fst) {
    if (first != EOF) ungetc(first, stream->in);
    return;
  }
  struct stat status;
  if (fstat(fileno(stream->in), &status) != 0 || !S_ISREG(status.st_mode))
    pmuv3_cli_unusable("'%s' is an FST: it is read twice, so it must be a regular file",
                       stream->path);
  fclose(stream->in);
  stream->in = fst_header(stream->path, &stream->reader);
}

struct wave_stream *wave_stream_open(FILE *in, const char *path) {
  struct wave_stream *stream = calloc(1, sizeof *stream);
  if (!stream) pmuv3_cli_no_verdict("out of memory");
  stream->path = path;
  stream->in = in;
  find_kind(stream);
  stream->vcd = vcd_open(stream->in, path, !stream->is_fst);
  return stream;
}

/* A reader of an FST that is not at its end dies of the closed pipe. */
void wave_stream_close(struct wave_stream *stream) {
  if (stream->in && stream->is_fst)
    fst_close(stream->in, &stream->reader);
  else
    close_input(stream);
  vcd_close(stream->vcd);
  free(stream);
}

bool wave_stream_is_fst(const struct wave_stream *stream) {
  return stream->is_fst;
}

void wave_stream_choose(struct wave_stream *stream, const char *const *ids, size_t count) {
  if (!stream->is_fst) return;
  close_input(stream);
  stream->in = fst_changes(stream->path, ids, count, &stream->reader);
  vcd_go_on(stream->vcd, stream->in);
}

enum vcd_kind wave_stream_next(struct wave_stream *stream, struct vcd_item *item) {
  const enum vcd_kind kind = vcd_next(stream->vcd, item);
  if (kind == VCD_END) close_input(stream);
  return kind;
}
