/* The layout of a .pmt file (docs/reference/pmt.md): what the writer and the reader share. */
#ifndef PMT_LAYOUT_H
#define PMT_LAYOUT_H

#include "testbench/explore/pmt/bytes.h"
#include "testbench/explore/pmt/pmt.h"

#define PMT_VERSION 1u

/* The file begins and ends with eight bytes. The first are damaged by a transfer as text. */
#define PMT_MAGIC "\x89PMT\r\n\x1A\n"
#define PMT_END_MAGIC "PMT-END\n"
#define PMT_MAGIC_SIZE 8u

/* The header, a block's directory and the index are sections: a word, the size and the CRC-32 of
 * the bytes that follow, four bytes each, and the bytes. */
#define PMT_SECTION_SIZE 12u
#define PMT_SECTION_HEADER 0x44414548u /* HEAD */
#define PMT_SECTION_BLOCK 0x434F4C42u  /* BLOC */
#define PMT_SECTION_INDEX 0x58444E49u  /* INDX */

/* The end of the file: where the index begins, and PMT_END_MAGIC. */
#define PMT_END_SIZE (8u + PMT_MAGIC_SIZE)

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the words of planes are stored as they are in memory, the lowest byte first"
#endif

uint32_t pmt_crc(const void *bytes, size_t size);

/* The names of the fields of a state, in the order in which a state has them: pe.def's. */
extern const char pmt_state_fields[];

/* A state, and the number of its bytes. pmt_take_state returns false if a field is out of range. */
#define PMUV3_PE_NUMBER(name, bits, text) +1
#define PMUV3_PE_FLAG(name, text) +1
#define PMUV3_PE_MASK(name, bits, text) +8
enum {
  PMT_STATE_SIZE = 0
#include "pmuv3/pe.def"
};
void pmt_put_state(struct pmt_bytes *bytes, const struct pmuv3_pe *pe);
bool pmt_take_state(struct pmt_taker *taker, struct pmuv3_pe *pe);

/* Whether no field is out of range. */
bool pmt_state_fits(const struct pmuv3_pe *pe);

/* The bytes of a change of state: cycle, thread, state. */
enum { PMT_CHANGE_SIZE = 4 + 1 + PMT_STATE_SIZE };

/* Says in words what is wrong with a header. NULL: nothing. */
const char *pmt_header_wrong(const struct pmt_header *header);

#endif
