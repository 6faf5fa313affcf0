/* The items of a VCD (IEEE 1364-2005, clause 18), one after the other, in bounded memory. */
#ifndef PMUV3_WAVE_VCD_H
#define PMUV3_WAVE_VCD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

struct vcd;

enum vcd_kind {
  VCD_SCOPE,      /* kind, name */
  VCD_UPSCOPE,    /* the scope ends */
  VCD_VAR,        /* kind, name with its range, id, width */
  VCD_TIMESCALE,  /* name */
  VCD_VERSION,    /* name: who wrote the file, without blanks */
  VCD_HEADER_END, /* from here on there are changes */
  VCD_TIME,       /* time */
  VCD_VALUE,      /* id, bits: the most significant first, others than 0 and 1 are X */
  VCD_OTHER,      /* id: a real, or a string */
  VCD_OFF,        /* $dumpoff */
  VCD_END
};

/* Texts live until the next item. */
struct vcd_item {
  const char *kind, *name, *id, *bits;
  size_t num_bits;
  unsigned width;
  uint64_t time;
};

/* `name` is for messages, which have lines if the file is a VCD itself. */
struct vcd *vcd_open(FILE *in, const char *name, bool has_lines);

/* Another stream, which goes on where the header of this one ended. */
void vcd_go_on(struct vcd *vcd, FILE *in);
void vcd_close(struct vcd *vcd);

/* Does not return if the file is damaged. */
enum vcd_kind vcd_next(struct vcd *vcd, struct vcd_item *item);

/* "[HIGH:LOW]" or "[BIT]", which is all of the text. HIGH may be the smaller one. False: it is
 * none, or has a number of 2^30 or more. */
bool vcd_range(const char *text, int *high, int *low);

/* A bit of a VCD_VALUE: '0', '1', or 'x' if it is neither. A weak bit (L, H of VHDL) has its value.
 * In a value that is shorter than its signal, 0 stands before a known bit, X before X. */
char vcd_bit(const struct vcd_item *item, unsigned bit);

#ifdef __cplusplus
}
#endif

#endif
