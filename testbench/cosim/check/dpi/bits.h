/* How the pins come to the library. */
#ifndef PMUV3_DPI_BITS_H
#define PMUV3_DPI_BITS_H

/* Bits of a call: every monitor must import one type, whatever the widths of its device are. */
#define PMUV3_DPI_BITS 1024

#endif
