/* A recording of a simulator, VCD or FST, as the items of a VCD. */
#ifndef PMUV3_WAVE_STREAM_H
#define PMUV3_WAVE_STREAM_H

#include "testbench/cosim/wave/vcd.h"

#ifdef __cplusplus
extern "C" {
#endif

struct wave_stream;

/* Begins with the header. `in` is the open file `path`, and is taken over. Functions do not return
 * if the file is damaged. */
struct wave_stream *wave_stream_open(FILE *in, const char *path);
void wave_stream_close(struct wave_stream *stream);

bool wave_stream_is_fst(const struct wave_stream *stream);

/* Behind the header: only the changes of the signals that have these ids matter. Of an FST no
 * others are read. */
void wave_stream_choose(struct wave_stream *stream, const char *const *ids, size_t count);

/* The header's items up to VCD_HEADER_END, and then the changes up to VCD_END. */
enum vcd_kind wave_stream_next(struct wave_stream *stream, struct vcd_item *item);

#ifdef __cplusplus
}
#endif

#endif
