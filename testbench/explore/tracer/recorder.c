#include "testbench/explore/tracer/recorder.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "pmuv3/events.h"

/* Blocks that wait for the thread. While it compresses a block of the trace, which has 16 of them,
 * the core model makes about as many. */
enum { NUM_BLOCKS = 32 };

/* Who has to wait waits for so many, since to be woken takes as long as a block. */
enum { FEW_BLOCKS = 4 };

/* Of fewer columns, one thread keeps up with the core model. */
enum { MANY_COLUMNS = 8 };

struct block {
  uint32_t cycles;
  uint64_t words[NUM_GROUPS][COLUMNS_BLOCK];
};

struct recorder {
  struct pmt_writer *writer;
  recorder_failed *failed;
  uint8_t chosen[NUM_COLUMNS];
  unsigned num_chosen;
  bool is_group_chosen[NUM_GROUPS]; /* one of its columns is */
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  uint64_t taken, written; /* blocks */
  bool is_ending;
  const char *why; /* what went wrong */
  struct block blocks[NUM_BLOCKS];
  struct columns_block split; /* the thread's */
};

/* ---- The thread ---- */

static void write_block(struct recorder *recorder, const struct block *block) {
  const uint64_t *words[NUM_GROUPS];
  const uint8_t *counts[NUM_COLUMNS];
  for (unsigned group = 0; group < NUM_GROUPS; group++)
    words[group] = recorder->is_group_chosen[group] ? block->words[group] : NULL;
  columns_split(&recorder->split, words, block->cycles);
  for (unsigned i = 0; i < recorder->num_chosen; i++)
    counts[i] = recorder->split.of[recorder->chosen[i]];
  pmt_writer_columns(recorder->writer, counts, block->cycles);
}

/* Blocks that wait. */
static uint64_t waiting(const struct recorder *recorder) {
  return recorder->taken - recorder->written;
}

/* Waits for a block. NULL: there is none any more. */
static const struct block *next_block(struct recorder *recorder) {
  pthread_mutex_lock(&recorder->lock);
  if (waiting(recorder) == 0)
    while (waiting(recorder) < FEW_BLOCKS && !recorder->is_ending)
      pthread_cond_wait(&recorder->changed, &recorder->lock);
  const bool is_last = waiting(recorder) == 0;
  pthread_mutex_unlock(&recorder->lock);
  return is_last ? NULL : &recorder->blocks[recorder->written % NUM_BLOCKS];
}

static void *work(void *context) {
  struct recorder *recorder = context;
  for (const struct block *block; (block = next_block(recorder)) != NULL;) {
    write_block(recorder, block);
    pthread_mutex_lock(&recorder->lock);
    recorder->why = pmt_writer_wrong(recorder->writer);
    recorder->written++;
    if (waiting(recorder) == NUM_BLOCKS - FEW_BLOCKS) pthread_cond_signal(&recorder->changed);
    pthread_mutex_unlock(&recorder->lock);
  }
  return NULL;
}

/* ---- The core model's side ---- */

static struct block *wait_for_room(struct recorder *recorder) {
  pthread_mutex_lock(&recorder->lock);
  if (waiting(recorder) == NUM_BLOCKS)
    while (waiting(recorder) > NUM_BLOCKS - FEW_BLOCKS)
      pthread_cond_wait(&recorder->changed, &recorder->lock);
  const char *why = recorder->why;
  pthread_mutex_unlock(&recorder->lock);
  if (why) recorder->failed(why);
  return &recorder->blocks[recorder->taken % NUM_BLOCKS];
}

void recorder_take(void *context, const uint64_t *const words[NUM_GROUPS], uint32_t cycles) {
  struct recorder *recorder = context;
  struct block *block = wait_for_room(recorder);
  block->cycles = cycles;
  for (unsigned group = 0; group < NUM_GROUPS; group++)
    if (recorder->is_group_chosen[group])
      memcpy(block->words[group], words[group], cycles * sizeof **words);
  pthread_mutex_lock(&recorder->lock);
  recorder->taken++;
  if (waiting(recorder) == FEW_BLOCKS) pthread_cond_signal(&recorder->changed);
  pthread_mutex_unlock(&recorder->lock);
}

struct recorder *recorder_begin(struct pmt_writer *writer, const uint8_t *chosen, unsigned count,
                                recorder_failed *failed) {
  struct pmuv3_pe user = PMUV3_PE_RESET;
  struct recorder *recorder = calloc(1, sizeof *recorder);
  if (!recorder) return NULL;
  recorder->writer = writer;
  recorder->failed = failed;
  recorder->num_chosen = count;
  memcpy(recorder->chosen, chosen, count);
  for (unsigned i = 0; i < count; i++) recorder->is_group_chosen[chosen[i] / COLUMNS_GROUP] = true;
  pthread_mutex_init(&recorder->lock, NULL);
  pthread_cond_init(&recorder->changed, NULL);
  if (count >= MANY_COLUMNS) pmt_writer_help(writer);
  user.el = 0;
  pmt_writer_state(writer, 0, &user);
  if (pthread_create(&recorder->thread, NULL, work, recorder) == 0) return recorder;
  free(recorder);
  return NULL;
}

void recorder_end(struct recorder *recorder) {
  pthread_mutex_lock(&recorder->lock);
  recorder->is_ending = true;
  pthread_cond_signal(&recorder->changed);
  pthread_mutex_unlock(&recorder->lock);
  pthread_join(recorder->thread, NULL);
  pthread_mutex_destroy(&recorder->lock);
  pthread_cond_destroy(&recorder->changed);
  free(recorder);
}

/* ---- Columns of a trace ---- */

static const struct {
  uint16_t event;
  const char *name;
} columns[] = {
#define COLUMN(mnemonic, text) {PMUV3_EVENT_##mnemonic, #mnemonic},
#include "testbench/explore/tracer/columns.def"
#undef COLUMN
};

/* The bits of a number. */
static uint8_t width_of(unsigned most) {
  uint8_t width = 0;
  for (; most > 0; most >>= 1) width++;
  return width;
}

struct pmt_column recorder_column(enum trace_column column) {
  struct pmt_column made = {.event = columns[column].event, .origin = PMUV3_CURRENT};
  made.width = width_of(pmuv3_event_of_architecture(made.event)->most);
  snprintf(made.name, sizeof made.name, "%s", columns[column].name);
  return made;
}
