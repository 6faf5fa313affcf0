/*
 * Writes .pmt: collects a unit of cycles as bytes, and adds them to the planes of the block. When
 * the block is whole, its columns are compressed.
 */
#ifdef __SSE2__
#include <emmintrin.h>
#endif
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "testbench/explore/pmt/layout.h"

/* Higher levels cost more time than they save bytes. */
enum { COMPRESSION_LEVEL = 1 };

/* What a column has in the current block. Planes beyond num_planes are 0. */
struct part {
  uint64_t *planes; /* room for all of a column */
  unsigned num_planes;
  uint64_t sum;           /* of all counts */
  struct pmt_bytes piece; /* the compressed planes */
  bool is_copy;           /* the planes are those of the column before, and so is the piece */
  const char *why;        /* what went wrong */
};

/* The whole writer. `open` comes first, so that a pointer to it is one to the writer. */
struct writer {
  struct pmt_writer open;
  FILE *out;
  uint64_t offset; /* of the next byte in the file */
  struct pmt_column *columns;
  uint16_t threads;
  uint16_t num_columns;
  uint32_t block_cycles;
  uint64_t before; /* cycles of the blocks that were written */
  uint32_t done;   /* cycles of the current block's units that ended */
  struct pmuv3_pe states[PMUV3_MAX_THREADS];
  struct pmt_bytes changes; /* of the current block */
  uint32_t num_changes;
  struct part *parts; /* of each column */
  uint64_t *planes;   /* of all columns */
  struct pmt_bytes directory;
  struct pmt_bytes offsets; /* of all blocks */
  uint64_t *totals;         /* of each column */
  ZSTD_CCtx *zstd;
  ZSTD_CCtx *helper; /* of a second thread; NULL: nobody helps */
  atomic_uint next;  /* the column that is compressed next */
  char why[160];     /* what went wrong first */
};

static struct writer *whole(struct pmt_writer *open) {
  return (struct writer *)open;
}

static void fail(struct writer *writer, const char *why) {
  if (!*writer->why) snprintf(writer->why, sizeof writer->why, "%s", why);
}

/* A count of the current block is larger than its column's width allows. */
static void fail_width(struct writer *writer, unsigned c) {
  char why[sizeof writer->why];
  snprintf(why, sizeof why, "column %s has a count of more than %u bits in the block of cycle %llu",
           writer->columns[c].name, writer->columns[c].width, (unsigned long long)writer->before);
  fail(writer, why);
}

/* ---- The file ---- */

static void put_out(struct writer *writer, const void *bytes, size_t size) {
  if (*writer->why || size == 0) return; /* what is empty may have no address */
  if (fwrite(bytes, 1, size, writer->out) != size) fail(writer, strerror(errno));
  writer->offset += size;
}

static void put_section(struct writer *writer, uint32_t word, const struct pmt_bytes *bytes) {
  struct pmt_bytes head = {0};
  pmt_put(&head, word, 4);
  pmt_put(&head, bytes->size, 4);
  pmt_put(&head, pmt_crc(bytes->data, bytes->size), 4);
  if (head.failed || bytes->failed)
    fail(writer, "out of memory");
  else {
    put_out(writer, head.data, head.size);
    put_out(writer, bytes->data, bytes->size);
  }
  pmt_bytes_free(&head);
}

static void put_header(struct writer *writer, const struct pmt_header *header) {
  struct pmt_bytes bytes = {0};
  pmt_put(&bytes, PMT_VERSION, 4);
  pmt_put(&bytes, header->block_cycles, 4);
  pmt_put(&bytes, header->threads, 2);
  pmt_put(&bytes, header->num_columns, 2);
  pmt_put_text(&bytes, pmt_state_fields);
  pmt_put_text(&bytes, header->generator);
  pmt_put_text(&bytes, header->command);
  pmt_put_text(&bytes, header->core);
  for (unsigned c = 0; c < header->num_columns; c++) {
    const struct pmt_column *column = &header->columns[c];
    pmt_put(&bytes, column->event, 2);
    pmt_put(&bytes, column->thread, 1);
    pmt_put(&bytes, column->origin, 1);
    pmt_put(&bytes, column->width, 1);
    pmt_put_text(&bytes, column->name);
  }
  put_out(writer, PMT_MAGIC, PMT_MAGIC_SIZE);
  put_section(writer, PMT_SECTION_HEADER, &bytes);
  pmt_bytes_free(&bytes);
}

/* ---- Planes ---- */

/* All counts of a column in a unit: their sum, and their bits. */
struct all_counts {
  uint64_t sum;
  unsigned bits;
};

/* The counts are a multiple of 64. */
#ifdef __SSE2__
static struct all_counts all_counts(const uint8_t *counts, size_t cycles) {
  __m128i any = _mm_setzero_si128(), sums = any;
  for (size_t i = 0; i < cycles; i += 16) {
    const __m128i sixteen = _mm_loadu_si128((const __m128i *)(const void *)(counts + i));
    any = _mm_or_si128(any, sixteen);
    sums = _mm_add_epi64(sums, _mm_sad_epu8(sixteen, _mm_setzero_si128()));
  }
  uint8_t bits[16];
  uint64_t halves[2];
  _mm_storeu_si128((__m128i *)(void *)bits, any);
  _mm_storeu_si128((__m128i *)(void *)halves, sums);
  struct all_counts all = {.sum = halves[0] + halves[1]};
  for (unsigned i = 0; i < sizeof bits; i++) all.bits |= bits[i];
  return all;
}
#else
static struct all_counts all_counts(const uint8_t *counts, size_t cycles) {
  struct all_counts all = {0};
  for (size_t i = 0; i < cycles; i++) {
    all.sum += counts[i];
    all.bits |= counts[i];
  }
  return all;
}
#endif

/* Bit k of 64 counts. */
#ifdef __SSE2__
/* A shift of 16-bit lanes moves bit k of each byte to its highest bit. */
static uint64_t gather(const uint8_t *counts, unsigned k) {
  uint64_t word = 0;
  for (unsigned i = 0; i < 4; i++) {
    const __m128i sixteen = _mm_loadu_si128((const __m128i *)(const void *)(counts + 16 * i));
    const __m128i shifted = _mm_sll_epi16(sixteen, _mm_cvtsi32_si128((int)(7 - k)));
    word |= (uint64_t)(uint32_t)_mm_movemask_epi8(shifted) << 16 * i;
  }
  return word;
}
#else
/* The factor moves the lowest bit of byte i to bit 56 + i. */
static uint64_t gather(const uint8_t *counts, unsigned k) {
  uint64_t word = 0;
  for (unsigned byte = 0; byte < 8; byte++) {
    uint64_t eight;
    memcpy(&eight, counts + 8 * byte, 8);
    eight = eight >> k & UINT64_C(0x0101010101010101);
    word |= eight * UINT64_C(0x0102040810204080) >> 56 << 8 * byte;
  }
  return word;
}
#endif

static size_t words_of(const struct writer *writer) {
  return writer->block_cycles / 64;
}

/* The counts of a unit become words of planes. */
static void add_unit(struct writer *writer, unsigned c) {
  const uint8_t *counts = writer->open.counts + (size_t)c * PMT_CYCLES_UNIT;
  const struct all_counts all = all_counts(counts, PMT_CYCLES_UNIT);
  struct part *part = &writer->parts[c];
  part->sum += all.sum;
  for (unsigned k = 0; all.bits >> k != 0; k++) {
    uint64_t *words = part->planes + k * words_of(writer) + writer->done / 64;
    for (size_t w = 0; w < PMT_CYCLES_UNIT / 64; w++) words[w] = gather(counts + 64 * w, k);
    if (k >= part->num_planes) part->num_planes = k + 1;
  }
}

static void end_unit(struct writer *writer) {
  struct pmt_writer *open = &writer->open;
  for (unsigned c = 0; c < writer->num_columns; c++) {
    if ((open->touched[c / 64] >> c % 64 & 1) == 0) continue;
    add_unit(writer, c);
    memset(open->counts + (size_t)c * PMT_CYCLES_UNIT, 0, PMT_CYCLES_UNIT);
  }
  memset(open->touched, 0, sizeof open->touched);
  writer->done += open->at;
  open->at = 0;
}

/* ---- Compression ---- */

static size_t planes_size(const struct writer *writer, const struct part *part) {
  return part->num_planes * words_of(writer) * sizeof *part->planes;
}

static bool is_copy(const struct writer *writer, unsigned c) {
  if (c == 0) return false;
  const struct part *part = &writer->parts[c], *before = part - 1;
  return part->num_planes == before->num_planes &&
         memcmp(part->planes, before->planes, planes_size(writer, part)) == 0;
}

static void compress(ZSTD_CCtx *zstd, struct part *part, size_t size) {
  const size_t room = ZSTD_compressBound(size);
  uint8_t *at = pmt_bytes_grow(&part->piece, room);
  if (!at) return;
  const size_t compressed = ZSTD_compress2(zstd, at, room, part->planes, size);
  if (ZSTD_isError(compressed))
    part->why = ZSTD_getErrorName(compressed);
  else
    part->piece.size = compressed;
}

static void pack(struct writer *writer, ZSTD_CCtx *zstd, unsigned c) {
  struct part *part = &writer->parts[c];
  part->piece.size = 0;
  part->is_copy = is_copy(writer, c);
  if (part->num_planes != 0 && !part->is_copy) compress(zstd, part, planes_size(writer, part));
}

static void pack_columns(struct writer *writer, ZSTD_CCtx *zstd) {
  for (unsigned c; (c = writer->next++) < writer->num_columns;) pack(writer, zstd, c);
}

static void *help(void *context) {
  struct writer *writer = context;
  pack_columns(writer, writer->helper);
  return NULL;
}

static void pack_all(struct writer *writer) {
  pthread_t helper;
  writer->next = 0;
  const bool has_helper = writer->helper && pthread_create(&helper, NULL, help, writer) == 0;
  pack_columns(writer, writer->zstd);
  if (has_helper) pthread_join(helper, NULL);
}

/* ---- Blocks ---- */

static const struct pmt_bytes *piece_of(const struct writer *writer, unsigned c) {
  while (writer->parts[c].is_copy) c--;
  return &writer->parts[c].piece;
}

static void put_column(struct writer *writer, unsigned c) {
  const struct part *part = &writer->parts[c];
  if (part->num_planes > writer->columns[c].width) fail_width(writer, c);
  if (part->why) fail(writer, part->why);
  if (part->piece.failed) fail(writer, "out of memory");
  pmt_put(&writer->directory, part->num_planes, 1);
  pmt_put(&writer->directory, piece_of(writer, c)->size, 4);
  pmt_put(&writer->directory, part->sum, 8);
  writer->totals[c] += part->sum;
}

static void put_block(struct writer *writer) {
  pmt_put(&writer->offsets, writer->offset, 8);
  writer->directory.size = 0;
  pmt_put(&writer->directory, writer->done, 4);
  pmt_put(&writer->directory, writer->num_changes, 4);
  pack_all(writer);
  for (unsigned c = 0; c < writer->num_columns; c++) put_column(writer, c);
  uint8_t *at = pmt_bytes_grow(&writer->directory, writer->changes.size);
  if (at) memcpy(at, writer->changes.data, writer->changes.size);
  if (writer->changes.failed) fail(writer, "out of memory");
  put_section(writer, PMT_SECTION_BLOCK, &writer->directory);
  for (unsigned c = 0; c < writer->num_columns; c++) {
    const struct pmt_bytes *piece = piece_of(writer, c);
    put_out(writer, piece->data, piece->size);
  }
}

static void begin_block(struct writer *writer) {
  writer->changes.size = 0;
  writer->num_changes = 0;
  for (unsigned t = 0; t < writer->threads; t++)
    pmt_writer_state(&writer->open, t, &writer->states[t]);
}

static void end_block(struct writer *writer) {
  put_block(writer);
  for (unsigned c = 0; c < writer->num_columns; c++) {
    struct part *part = &writer->parts[c];
    memset(part->planes, 0, planes_size(writer, part));
    part->num_planes = 0;
    part->sum = 0;
  }
  writer->before += writer->done;
  writer->done = 0;
  begin_block(writer);
}

void pmt_writer_flush(struct pmt_writer *open) {
  struct writer *writer = whole(open);
  end_unit(writer);
  if (writer->done == writer->block_cycles) end_block(writer);
}

/* ---- Cycles ---- */

static uint32_t cycle_of_block(const struct writer *writer) {
  return writer->done + writer->open.at;
}

/* Whether the last change is of the current cycle. */
static bool ends_with_current(const struct writer *writer) {
  const struct pmt_bytes *changes = &writer->changes;
  if (writer->num_changes == 0 || changes->failed) return false;
  struct pmt_taker last = {.at = changes->data + changes->size - PMT_CHANGE_SIZE,
                           .end = changes->data + changes->size};
  return pmt_take(&last, 4) == cycle_of_block(writer);
}

/* Occurrences and states of the current cycle may be in the block, beyond its end. */
static void drop_current(struct writer *writer) {
  struct pmt_writer *open = &writer->open;
  for (size_t c = 0; c < writer->num_columns; c++) open->counts[c * PMT_CYCLES_UNIT + open->at] = 0;
  for (; ends_with_current(writer); writer->num_changes--) writer->changes.size -= PMT_CHANGE_SIZE;
}

void pmt_writer_overrun(struct pmt_writer *open, unsigned column) {
  fail_width(whole(open), column);
  open->counts[(size_t)column * PMT_CYCLES_UNIT + open->at] = UINT8_MAX;
}

void pmt_writer_cycle(struct pmt_writer *writer, const uint8_t *counts) {
  pmt_writer_run(writer, counts, 1);
}

static void fill(struct pmt_writer *open, unsigned column, uint8_t count, uint32_t cycles) {
  memset(open->counts + (size_t)column * PMT_CYCLES_UNIT + open->at, count, cycles);
  open->touched[column / 64] |= UINT64_C(1) << column % 64;
}

void pmt_writer_run(struct pmt_writer *open, const uint8_t *counts, uint64_t cycles) {
  const unsigned num_columns = whole(open)->num_columns;
  while (cycles > 0) {
    const uint32_t left = PMT_CYCLES_UNIT - open->at;
    const uint32_t now = cycles < left ? (uint32_t)cycles : left;
    for (unsigned c = 0; c < num_columns; c++)
      if (counts[c] != 0) fill(open, c, counts[c], now);
    open->at += now;
    cycles -= now;
    if (open->at == PMT_CYCLES_UNIT) pmt_writer_flush(open);
  }
}

void pmt_writer_columns(struct pmt_writer *open, const uint8_t *const *counts, uint32_t cycles) {
  const unsigned num_columns = whole(open)->num_columns;
  for (uint32_t done = 0; done < cycles;) {
    const uint32_t left = PMT_CYCLES_UNIT - open->at;
    const uint32_t now = cycles - done < left ? cycles - done : left;
    for (size_t c = 0; c < num_columns; c++) {
      memcpy(open->counts + c * PMT_CYCLES_UNIT + open->at, counts[c] + done, now);
      open->touched[c / 64] |= UINT64_C(1) << c % 64;
    }
    open->at += now;
    done += now;
    if (open->at == PMT_CYCLES_UNIT) pmt_writer_flush(open);
  }
}

void pmt_writer_idle(struct pmt_writer *open, uint64_t cycles) {
  while (cycles > 0) {
    const uint32_t left = PMT_CYCLES_UNIT - open->at;
    const uint32_t now = cycles < left ? (uint32_t)cycles : left;
    open->at += now;
    cycles -= now;
    if (open->at == PMT_CYCLES_UNIT) pmt_writer_flush(open);
  }
}

void pmt_writer_state(struct pmt_writer *open, unsigned thread, const struct pmuv3_pe *pe) {
  struct writer *writer = whole(open);
  if (thread >= writer->threads) {
    fail(writer, "a state is of a thread that does not exist");
    return;
  }
  if (!pmt_state_fits(pe)) {
    fail(writer, "a state has a value that its field has no room for");
    return;
  }
  writer->states[thread] = *pe;
  writer->num_changes++;
  pmt_put(&writer->changes, cycle_of_block(writer), 4);
  pmt_put(&writer->changes, thread, 1);
  pmt_put_state(&writer->changes, pe);
}

uint64_t pmt_writer_cycles(const struct pmt_writer *open) {
  const struct writer *writer = (const struct writer *)open;
  return writer->before + cycle_of_block(writer);
}

const char *pmt_writer_wrong(const struct pmt_writer *open) {
  const struct writer *writer = (const struct writer *)open;
  return *writer->why ? writer->why : NULL;
}

/* ---- Open and close ---- */

static void free_writer(struct writer *writer) {
  if (!writer) return;
  for (unsigned c = 0; writer->parts && c < writer->num_columns; c++)
    pmt_bytes_free(&writer->parts[c].piece);
  free(writer->open.counts);
  free(writer->columns);
  free(writer->totals);
  free(writer->parts);
  free(writer->planes);
  pmt_bytes_free(&writer->changes);
  pmt_bytes_free(&writer->directory);
  pmt_bytes_free(&writer->offsets);
  ZSTD_freeCCtx(writer->zstd);
  ZSTD_freeCCtx(writer->helper);
  free(writer);
}

static ZSTD_CCtx *new_zstd(void) {
  ZSTD_CCtx *zstd = ZSTD_createCCtx();
  if (!zstd) return NULL;
  ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, COMPRESSION_LEVEL);
  ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 1);
  return zstd;
}

static struct writer *new_writer(FILE *out, const struct pmt_header *header) {
  const size_t num_columns = header->num_columns, cycles = header->block_cycles;
  const size_t some = num_columns == 0 ? 1 : num_columns, plane_words = cycles / 64;
  struct writer *writer = calloc(1, sizeof *writer);
  if (!writer) return NULL;
  *writer = (struct writer){
      .open = {.counts = calloc(some, PMT_CYCLES_UNIT)},
      .out = out,
      .columns = calloc(some, sizeof *writer->columns),
      .threads = header->threads,
      .num_columns = header->num_columns,
      .block_cycles = header->block_cycles,
      .parts = calloc(some, sizeof *writer->parts),
      .planes = calloc(some, PMT_MAX_PLANES * plane_words * sizeof *writer->planes),
      .totals = calloc(some, sizeof *writer->totals),
      .zstd = new_zstd(),
  };
  if (!writer->open.counts || !writer->columns || !writer->parts || !writer->planes ||
      !writer->totals || !writer->zstd) {
    free_writer(writer);
    return NULL;
  }
  for (size_t c = 0; c < num_columns; c++) {
    writer->columns[c] = header->columns[c];
    writer->parts[c].planes = writer->planes + c * PMT_MAX_PLANES * plane_words;
  }
  return writer;
}

void pmt_writer_help(struct pmt_writer *open) {
  struct writer *writer = whole(open);
  if (!writer->helper) writer->helper = new_zstd();
}

struct pmt_writer *pmt_writer_open(FILE *out, const struct pmt_header *given, const char **why) {
  struct pmt_header header = *given;
  if (header.block_cycles == 0) header.block_cycles = PMT_DEFAULT_BLOCK;
  *why = pmt_header_wrong(&header);
  if (*why) return NULL;
  struct writer *writer = new_writer(out, &header);
  if (!writer) {
    *why = "out of memory";
    return NULL;
  }
  for (unsigned t = 0; t < header.threads; t++) writer->states[t] = (struct pmuv3_pe)PMUV3_PE_RESET;
  put_header(writer, &header);
  begin_block(writer);
  return &writer->open;
}

static void put_index(struct writer *writer) {
  const uint64_t at = writer->offset;
  struct pmt_bytes bytes = {0};
  pmt_put(&bytes, writer->before, 8);
  for (unsigned c = 0; c < writer->num_columns; c++) pmt_put(&bytes, writer->totals[c], 8);
  uint8_t *offsets = pmt_bytes_grow(&bytes, writer->offsets.size);
  if (offsets && writer->offsets.size != 0)
    memcpy(offsets, writer->offsets.data, writer->offsets.size);
  bytes.failed |= writer->offsets.failed;
  put_section(writer, PMT_SECTION_INDEX, &bytes);
  bytes.size = 0;
  pmt_put(&bytes, at, 8);
  put_out(writer, bytes.data, bytes.size);
  put_out(writer, PMT_END_MAGIC, PMT_MAGIC_SIZE);
  pmt_bytes_free(&bytes);
}

const char *pmt_writer_close(struct pmt_writer *open) {
  static _Thread_local char why[sizeof((struct writer *)NULL)->why];
  struct writer *writer = whole(open);
  drop_current(writer);
  end_unit(writer);
  if (writer->done != 0) end_block(writer);
  put_index(writer);
  if (fflush(writer->out) != 0) fail(writer, strerror(errno));
  memcpy(why, writer->why, sizeof why);
  free_writer(writer);
  return *why ? why : NULL;
}
