#include "testbench/explore/pmt/bytes.h"

#include <stdlib.h>
#include <string.h>

uint8_t *pmt_bytes_grow(struct pmt_bytes *bytes, size_t size) {
  if (bytes->size + size > bytes->room) {
    const size_t room = (bytes->size + size) * 2;
    uint8_t *data = realloc(bytes->data, room);
    if (!data) {
      bytes->failed = true;
      return NULL;
    }
    bytes->data = data;
    bytes->room = room;
  }
  uint8_t *at = bytes->data + bytes->size;
  bytes->size += size;
  return at;
}

void pmt_bytes_free(struct pmt_bytes *bytes) {
  free(bytes->data);
  *bytes = (struct pmt_bytes){0};
}

void pmt_put(struct pmt_bytes *bytes, uint64_t number, unsigned size) {
  uint8_t *at = pmt_bytes_grow(bytes, size);
  for (unsigned i = 0; at && i < size; i++) at[i] = (uint8_t)(number >> 8 * i);
}

void pmt_put_text(struct pmt_bytes *bytes, const char *text) {
  const size_t length = strlen(text);
  pmt_put(bytes, length, 4);
  uint8_t *at = pmt_bytes_grow(bytes, length);
  if (at) memcpy(at, text, length);
}

uint64_t pmt_take(struct pmt_taker *taker, unsigned size) {
  if ((size_t)(taker->end - taker->at) < size) {
    taker->is_short = true;
    taker->at = taker->end;
    return 0;
  }
  uint64_t number = 0;
  for (unsigned i = 0; i < size; i++) number |= (uint64_t)taker->at[i] << 8 * i;
  taker->at += size;
  return number;
}

char *pmt_take_text(struct pmt_taker *taker) {
  const size_t length = (size_t)pmt_take(taker, 4);
  if (taker->is_short || (size_t)(taker->end - taker->at) < length ||
      memchr(taker->at, '\0', length)) {
    taker->is_short = true;
    return NULL;
  }
  char *text = strndup((const char *)taker->at, length);
  taker->at += length;
  if (!text) taker->is_short = true;
  return text;
}
