/* Numbers and texts of a .pmt file as bytes, the lowest byte first. */
#ifndef PMT_BYTES_H
#define PMT_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that grow. Out of memory: `failed` is set, and further bytes are dropped. */
struct pmt_bytes {
  uint8_t *data;
  size_t size;
  size_t room;
  bool failed;
};

/* Appends `size` bytes, which the caller fills. NULL: out of memory. */
uint8_t *pmt_bytes_grow(struct pmt_bytes *bytes, size_t size);
void pmt_bytes_free(struct pmt_bytes *bytes);

/* A number of `size` bytes. */
void pmt_put(struct pmt_bytes *bytes, uint64_t number, unsigned size);

/* A text, after its length in four bytes. */
void pmt_put_text(struct pmt_bytes *bytes, const char *text);

/* Takes bytes from the front. Beyond the end: 0, and `is_short` is set. */
struct pmt_taker {
  const uint8_t *at;
  const uint8_t *end;
  bool is_short;
};
uint64_t pmt_take(struct pmt_taker *taker, unsigned size);

/* A text as a string of its own. NULL: too short, out of memory, or it has a '\0' in it. */
char *pmt_take_text(struct pmt_taker *taker);

#endif
