/* Reads .pmt. What is read is checked before it is used: a file may be damaged. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "testbench/explore/pmt/layout.h"

struct pmt_reader {
  int file;
  uint64_t size; /* of the file */
  char *path;
  struct pmt_header header;
  struct pmt_column *columns; /* header.columns */
  uint64_t cycles;
  uint64_t *totals;
  uint64_t num_blocks;
  uint64_t *offsets; /* of each block, and of the index behind the last */
};

/* The whole block. `shown` comes first, so that a pointer to it is one to the block. */
struct block {
  struct pmt_block shown;
  ZSTD_DCtx *zstd;
  uint8_t *stored; /* the block as it is in the file */
  size_t stored_room;
  uint64_t *words; /* of all planes */
  size_t words_room;
  uint32_t *sizes; /* of each column's piece */
  uint32_t changes_room;
};

/* ---- Errors ---- */

struct place {
  const char *path;
  char *error;
  size_t error_size;
};

__attribute__((format(printf, 2, 3))) static bool fail(const struct place *place,
                                                       const char *format, ...) {
  char what[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  snprintf(place->error, place->error_size, "%s: %s", place->path, what);
  return false;
}

/* ---- The file ---- */

static bool read_at(int file, uint64_t offset, void *to, size_t size) {
  for (size_t done = 0; done < size;) {
    const ssize_t got = pread(file, (char *)to + done, size - done, (off_t)(offset + done));
    if (got < 0 && errno == EINTR) {
      errno = 0;
      continue;
    }
    if (got <= 0) {
      if (got == 0) errno = EIO; /* the file became shorter */
      return false;
    }
    done += (size_t)got;
  }
  return true;
}

/* Reads a section of at most `most` bytes with its head. NULL: it cannot be read, or `errno` is 0
 * and it is damaged. */
static uint8_t *read_section(const struct pmt_reader *reader, uint64_t offset, uint32_t word,
                             uint64_t most, struct pmt_taker *taker) {
  uint8_t head[PMT_SECTION_SIZE];
  errno = 0;
  if (most < sizeof head || !read_at(reader->file, offset, head, sizeof head)) return NULL;
  struct pmt_taker front = {head, head + sizeof head, false};
  const bool is_right = pmt_take(&front, 4) == word;
  const uint64_t size = pmt_take(&front, 4), crc = pmt_take(&front, 4);
  if (!is_right || size > most - sizeof head) return NULL;
  uint8_t *bytes = malloc(size + 1);
  if (bytes && read_at(reader->file, offset + sizeof head, bytes, size) &&
      pmt_crc(bytes, size) == crc) {
    *taker = (struct pmt_taker){bytes, bytes + size, false};
    return bytes;
  }
  free(bytes);
  return NULL;
}

/* A part of which not all could be taken: the system says why, or the file is wrong. */
static bool fail_part(const struct place *place, const char *part) {
  return errno ? fail(place, "its %s cannot be read: %s", part, strerror(errno))
               : fail(place, "its %s is damaged", part);
}

/* ---- The header ---- */

static bool take_columns(struct pmt_taker *taker, struct pmt_reader *reader) {
  const unsigned num = reader->header.num_columns;
  reader->columns = calloc(num + 1u, sizeof *reader->columns);
  reader->header.columns = reader->columns;
  for (unsigned c = 0; reader->columns && c < num; c++) {
    struct pmt_column *column = &reader->columns[c];
    column->event = (uint16_t)pmt_take(taker, 2);
    column->thread = (uint8_t)pmt_take(taker, 1);
    column->origin = (uint8_t)pmt_take(taker, 1);
    column->width = (uint8_t)pmt_take(taker, 1);
    char *name = pmt_take_text(taker);
    if (name) snprintf(column->name, sizeof column->name, "%s", name);
    free(name);
  }
  return reader->columns && !taker->is_short;
}

static bool take_header(struct pmt_taker *taker, struct pmt_reader *reader,
                        const struct place *place) {
  struct pmt_header *header = &reader->header;
  const uint64_t version = pmt_take(taker, 4);
  if (version != PMT_VERSION)
    return fail(place, "is a trace of version %llu; this program reads version %u",
                (unsigned long long)version, PMT_VERSION);
  header->block_cycles = (uint32_t)pmt_take(taker, 4);
  header->threads = (uint16_t)pmt_take(taker, 2);
  header->num_columns = (uint16_t)pmt_take(taker, 2);
  char *fields = pmt_take_text(taker);
  const bool same_fields = fields && strcmp(fields, pmt_state_fields) == 0;
  free(fields);
  if (!same_fields)
    return fail(place, "has states with other fields than this program: trace it again");
  header->generator = pmt_take_text(taker);
  header->command = pmt_take_text(taker);
  header->core = pmt_take_text(taker);
  if (!take_columns(taker, reader)) return fail_part(place, "header");
  const char *wrong = pmt_header_wrong(header);
  return wrong ? fail(place, "its header is wrong: %s", wrong) : true;
}

static bool read_header(struct pmt_reader *reader, const struct place *place) {
  char magic[PMT_MAGIC_SIZE];
  if (reader->size < sizeof magic || !read_at(reader->file, 0, magic, sizeof magic) ||
      memcmp(magic, PMT_MAGIC, sizeof magic) != 0)
    return fail(place, "is not a .pmt trace");
  struct pmt_taker taker;
  uint8_t *bytes =
      read_section(reader, sizeof magic, PMT_SECTION_HEADER, reader->size - sizeof magic, &taker);
  if (!bytes) return fail_part(place, "header");
  const bool is_right = take_header(&taker, reader, place);
  free(bytes);
  return is_right;
}

/* ---- The index ---- */

static bool take_index(struct pmt_taker *taker, struct pmt_reader *reader, uint64_t at) {
  reader->cycles = pmt_take(taker, 8);
  const uint64_t block = reader->header.block_cycles;
  reader->num_blocks = reader->cycles / block + (reader->cycles % block != 0);
  if (reader->num_blocks > reader->size / PMT_SECTION_SIZE) return false;
  reader->totals = calloc(reader->header.num_columns + 1u, sizeof *reader->totals);
  reader->offsets = calloc(reader->num_blocks + 1, sizeof *reader->offsets);
  if (!reader->totals || !reader->offsets) return false;
  for (unsigned c = 0; c < reader->header.num_columns; c++) reader->totals[c] = pmt_take(taker, 8);
  for (uint64_t b = 0; b < reader->num_blocks; b++) reader->offsets[b] = pmt_take(taker, 8);
  reader->offsets[reader->num_blocks] = at;
  for (uint64_t b = 0; b < reader->num_blocks; b++)
    if (reader->offsets[b] >= reader->offsets[b + 1]) return false;
  return !taker->is_short && taker->at == taker->end;
}

static bool read_index(struct pmt_reader *reader, const struct place *place) {
  uint8_t end[PMT_END_SIZE];
  if (reader->size < sizeof end ||
      !read_at(reader->file, reader->size - sizeof end, end, sizeof end) ||
      memcmp(end + 8, PMT_END_MAGIC, PMT_MAGIC_SIZE) != 0)
    return fail(place, "is not whole: its end is missing");
  struct pmt_taker last = {end, end + 8, false};
  const uint64_t at = pmt_take(&last, 8);
  struct pmt_taker taker;
  uint8_t *bytes =
      at > reader->size - sizeof end
          ? NULL
          : read_section(reader, at, PMT_SECTION_INDEX, reader->size - sizeof end - at, &taker);
  const bool is_all = bytes && at + PMT_SECTION_SIZE + (uint64_t)(taker.end - taker.at) ==
                                   reader->size - sizeof end;
  const bool is_right = is_all && take_index(&taker, reader, at);
  free(bytes);
  return is_right || fail_part(place, "index");
}

/* ---- The reader ---- */

static bool open_file(struct pmt_reader *reader, const struct place *place) {
  struct stat status;
  /* A pipe without a writer would wait. */
  reader->file = open(place->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (reader->file < 0 || fstat(reader->file, &status) != 0)
    return fail(place, "cannot open it: %s", strerror(errno));
  if (!S_ISREG(status.st_mode)) return fail(place, "is not a regular file");
  reader->size = (uint64_t)status.st_size;
  return true;
}

struct pmt_reader *pmt_reader_open(const char *path, char *error, size_t error_size) {
  const struct place place = {path, error, error_size};
  struct pmt_reader *reader = calloc(1, sizeof *reader);
  if (reader) {
    reader->file = -1;
    reader->path = strdup(path);
    if (open_file(reader, &place) && read_header(reader, &place) && read_index(reader, &place))
      return reader;
    pmt_reader_close(reader);
  } else {
    fail(&place, "out of memory");
  }
  return NULL;
}

void pmt_reader_close(struct pmt_reader *reader) {
  if (!reader) return;
  if (reader->file >= 0) close(reader->file);
  free((char *)reader->header.generator);
  free((char *)reader->header.command);
  free((char *)reader->header.core);
  free(reader->columns);
  free(reader->totals);
  free(reader->offsets);
  free(reader->path);
  free(reader);
}

const struct pmt_header *pmt_reader_header(const struct pmt_reader *reader) {
  return &reader->header;
}
const char *pmt_reader_path(const struct pmt_reader *reader) {
  return reader->path;
}
uint64_t pmt_reader_cycles(const struct pmt_reader *reader) {
  return reader->cycles;
}
uint64_t pmt_reader_blocks(const struct pmt_reader *reader) {
  return reader->num_blocks;
}
uint64_t pmt_reader_bytes(const struct pmt_reader *reader) {
  return reader->size;
}
uint64_t pmt_reader_total(const struct pmt_reader *reader, unsigned column) {
  return reader->totals[column];
}

/* ---- Blocks ---- */

static struct block *whole(struct pmt_block *shown) {
  return (struct block *)shown;
}

struct pmt_block *pmt_block_new(const struct pmt_reader *reader) {
  const size_t num = reader->header.num_columns + 1u;
  struct block *block = calloc(1, sizeof *block);
  if (!block) return NULL;
  block->shown.words = reader->header.block_cycles / 64;
  block->shown.num_planes = calloc(num, sizeof *block->shown.num_planes);
  block->shown.planes = calloc(num, sizeof *block->shown.planes);
  block->shown.sums = calloc(num, sizeof *block->shown.sums);
  block->sizes = calloc(num, sizeof *block->sizes);
  block->zstd = ZSTD_createDCtx();
  if (block->shown.num_planes && block->shown.planes && block->shown.sums && block->sizes &&
      block->zstd)
    return &block->shown;
  pmt_block_free(&block->shown);
  return NULL;
}

void pmt_block_free(struct pmt_block *shown) {
  if (!shown) return;
  struct block *block = whole(shown);
  free(shown->num_planes);
  free(shown->planes);
  free(shown->sums);
  free(shown->changes);
  free(block->sizes);
  free(block->stored);
  free(block->words);
  ZSTD_freeDCtx(block->zstd);
  free(block);
}

/* Room for `size` bytes, aligned to 64; what was there is lost. */
static bool make_room(void **at, size_t *room, size_t size) {
  if (size <= *room) return true;
  free(*at);
  const size_t rounded = (size + 63) / 64 * 64;
  *at = aligned_alloc(64, rounded);
  *room = *at ? rounded : 0;
  return *at != NULL;
}

static bool take_change(struct pmt_taker *taker, const struct pmt_reader *reader,
                        struct pmt_block *block, uint32_t i) {
  struct pmt_change *change = &block->changes[i];
  change->cycle = (uint32_t)pmt_take(taker, 4);
  change->thread = (uint8_t)pmt_take(taker, 1);
  const bool fits = pmt_take_state(taker, &change->pe);
  const bool in_order = i == 0 || change->cycle >= block->changes[i - 1].cycle;
  const bool begins = i >= reader->header.threads || (change->cycle == 0 && change->thread == i);
  return fits && in_order && begins && change->cycle < block->cycles &&
         change->thread < reader->header.threads;
}

static bool take_changes(struct pmt_taker *taker, const struct pmt_reader *reader,
                         struct pmt_block *block, uint32_t num) {
  if ((size_t)(taker->end - taker->at) != num * (size_t)PMT_CHANGE_SIZE ||
      num < reader->header.threads)
    return false;
  if (num > whole(block)->changes_room) {
    free(block->changes);
    block->changes = calloc(num, sizeof *block->changes);
    whole(block)->changes_room = block->changes ? num : 0;
    if (!block->changes) return false;
  }
  block->num_changes = num;
  for (uint32_t i = 0; i < num; i++)
    if (!take_change(taker, reader, block, i)) return false;
  return true;
}

static bool take_directory(struct pmt_taker *taker, const struct pmt_reader *reader,
                           struct pmt_block *block) {
  const uint64_t left = reader->cycles - block->first;
  const uint32_t most = reader->header.block_cycles;
  block->cycles = (uint32_t)pmt_take(taker, 4);
  const uint32_t num_changes = (uint32_t)pmt_take(taker, 4);
  if (block->cycles != (left < most ? left : most)) return false;
  for (unsigned c = 0; c < reader->header.num_columns; c++) {
    block->num_planes[c] = (uint8_t)pmt_take(taker, 1);
    whole(block)->sizes[c] = (uint32_t)pmt_take(taker, 4);
    block->sums[c] = pmt_take(taker, 8);
    if (block->num_planes[c] > reader->columns[c].width) return false;
    if ((block->num_planes[c] == 0) != (whole(block)->sizes[c] == 0)) return false;
  }
  return !taker->is_short && take_changes(taker, reader, block, num_changes);
}

/* The words that the wanted planes of the block need. */
static size_t count_words(const struct pmt_reader *reader, const bool *wanted,
                          const struct pmt_block *block) {
  size_t words = 0;
  for (unsigned c = 0; c < reader->header.num_columns; c++)
    if (!wanted || wanted[c]) words += (size_t)block->num_planes[c] * block->words;
  return words;
}

static bool take_pieces(struct pmt_taker *taker, const struct pmt_reader *reader,
                        const bool *wanted, struct pmt_block *shown) {
  struct block *block = whole(shown);
  uint64_t *at = block->words;
  for (unsigned c = 0; c < reader->header.num_columns; c++) {
    const size_t size = block->sizes[c], words = (size_t)shown->num_planes[c] * shown->words;
    shown->planes[c] = NULL;
    if ((size_t)(taker->end - taker->at) < size) return false;
    if (!wanted || wanted[c]) {
      if (size != 0 &&
          ZSTD_decompressDCtx(block->zstd, at, words * 8, taker->at, size) != words * 8)
        return false;
      shown->planes[c] = at;
      at += words;
    }
    taker->at += size;
  }
  return taker->at == taker->end;
}

static bool take_block(struct pmt_taker *taker, const struct pmt_reader *reader, const bool *wanted,
                       struct pmt_block *shown) {
  const bool is_block = pmt_take(taker, 4) == PMT_SECTION_BLOCK;
  const uint64_t size = pmt_take(taker, 4), crc = pmt_take(taker, 4);
  if (!is_block || taker->is_short || (size_t)(taker->end - taker->at) < size) return false;
  struct pmt_taker directory = {taker->at, taker->at + size, false};
  if (pmt_crc(directory.at, size) != crc || !take_directory(&directory, reader, shown))
    return false;
  taker->at += size;
  struct block *block = whole(shown);
  return make_room((void **)&block->words, &block->words_room,
                   count_words(reader, wanted, shown) * 8) &&
         take_pieces(taker, reader, wanted, shown);
}

bool pmt_reader_read(const struct pmt_reader *reader, uint64_t index, const bool *wanted,
                     struct pmt_block *shown, char *error, size_t error_size) {
  const struct place place = {reader->path, error, error_size};
  struct block *block = whole(shown);
  if (index >= pmt_reader_blocks(reader))
    return fail(&place, "there is no block %llu", (unsigned long long)index);
  const uint64_t at = reader->offsets[index], size = reader->offsets[index + 1] - at;
  shown->first = index * reader->header.block_cycles;
  if (!make_room((void **)&block->stored, &block->stored_room, size))
    return fail(&place, "out of memory");
  if (!read_at(reader->file, at, block->stored, size))
    return fail(&place, "cannot read block %llu: %s", (unsigned long long)index, strerror(errno));
  struct pmt_taker taker = {block->stored, block->stored + size, false};
  errno = 0;
  if (take_block(&taker, reader, wanted, shown)) return true;
  if (errno == ENOMEM) return fail(&place, "out of memory");
  return fail(&place, "block %llu, from cycle %llu on, is damaged", (unsigned long long)index,
              (unsigned long long)shown->first);
}
