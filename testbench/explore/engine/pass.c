/* A pass: rounds of a few blocks. In a round, the engines count the blocks that the last round
 * read, and other threads read the next ones. */
#include "testbench/explore/engine/pass.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 4, ERROR_SIZE = 4096 + 512 }; /* a path, and words about it */

/* The blocks of a round. */
struct batch {
  uint64_t first;
  unsigned num;
  struct pmt_block *blocks[BLOCKS];
};

struct round {
  const struct explore_pass *pass;
  struct batch *counting, *reading;
  atomic_uint next; /* the next task: an engine, or behind these a block to read */
  pthread_mutex_t lock;
  char *error;       /* "": none */
  uint64_t error_at; /* the first cycle of its block */
};

/* Keeps the error of the earliest block, whichever thread comes first. */
static void fail(struct round *round, uint64_t cycle, const char *error) {
  pthread_mutex_lock(&round->lock);
  if (!*round->error || cycle < round->error_at) {
    snprintf(round->error, ERROR_SIZE, "%s", error);
    round->error_at = cycle;
  }
  pthread_mutex_unlock(&round->lock);
}

/* ---- Tasks ---- */

/* The cycles of a block up to the next end of an interval, at most to the end of the block. */
static uint32_t next_end(const struct explore_pass *pass, const struct pmt_block *block,
                         uint32_t from) {
  if (pass->interval == 0) return block->cycles;
  const uint64_t left = pass->interval - (block->first + from) % pass->interval;
  return left < block->cycles - from ? from + (uint32_t)left : block->cycles;
}

static bool ends_interval(const struct explore_pass *pass, uint64_t cycle) {
  return cycle == pmt_reader_cycles(pass->reader) ||
         (pass->interval != 0 && cycle % pass->interval == 0);
}

static void count_block(struct round *round, unsigned e, const struct pmt_block *block) {
  const struct explore_pass *pass = round->pass;
  for (uint32_t from = 0, to; from < block->cycles; from = to) {
    to = next_end(pass, block, from);
    if (!explore_engine_run(pass->engines[e], block, from, to)) {
      fail(round, block->first, "out of memory");
      return;
    }
    if (pass->counted)
      pass->counted(pass->context, e, block, to, ends_interval(pass, block->first + to));
  }
}

/* The threads of the PMUs must be able to have a trace's states. */
static const char *misfit(const struct explore_pass *pass, const struct pmt_change *change) {
  if (change->thread >= pass->params->threads) return "there is no such thread";
  return pmuv3_pe_wrong(pass->params, &change->pe);
}

/* Writes what is wrong with the state from a change on. False: nothing is. */
static bool is_state_wrong(const struct explore_pass *pass, const struct pmt_block *block,
                           uint32_t c, char error[ERROR_SIZE]) {
  const struct pmt_change *change = &block->changes[c];
  const char *path = pmt_reader_path(pass->reader), *wrong = misfit(pass, change);
  if (wrong) {
    snprintf(error, ERROR_SIZE, "%s: the state of thread %u in cycle %llu does not fit: %s", path,
             change->thread, (unsigned long long)(block->first + change->cycle), wrong);
    return true;
  }
  wrong = pass->refused ? pass->refused(pass->context, block, c) : NULL;
  if (wrong) snprintf(error, ERROR_SIZE, "%s: %s", path, wrong);
  return wrong != NULL;
}

static void check_states(struct round *round, const struct pmt_block *block) {
  char error[ERROR_SIZE];
  for (uint32_t c = 0; c < block->num_changes; c++) {
    if (!is_state_wrong(round->pass, block, c, error)) continue;
    fail(round, block->first, error);
    return;
  }
}

static void read_block(struct round *round, unsigned b) {
  char error[ERROR_SIZE];
  struct pmt_block *block = round->reading->blocks[b];
  if (!pmt_reader_read(round->pass->reader, round->reading->first + b, round->pass->wanted, block,
                       error, sizeof error))
    fail(round, block->first, error);
  else
    check_states(round, block);
}

static void *work(void *context) {
  struct round *round = context;
  const unsigned engines = round->counting->num == 0 ? 0 : round->pass->num_engines;
  const unsigned tasks = engines + round->reading->num;
  for (unsigned task; (task = atomic_fetch_add(&round->next, 1)) < tasks;) {
    if (task >= engines) {
      read_block(round, task - engines);
      continue;
    }
    for (unsigned b = 0; b < round->counting->num; b++)
      count_block(round, task, round->counting->blocks[b]);
  }
  return NULL;
}

/* ---- Rounds ---- */

/* This thread works, too. A thread that cannot be made leaves its share to the others. */
static void work_together(struct round *round) {
  pthread_t threads[64];
  unsigned num = 0;
  atomic_store(&round->next, 0);
  for (; num < 64 && num + 1 < round->pass->jobs; num++)
    if (pthread_create(&threads[num], NULL, work, round) != 0) break;
  work(round);
  for (unsigned i = 0; i < num; i++) pthread_join(threads[i], NULL);
}

static void run_rounds(struct round *round) {
  const struct explore_pass *pass = round->pass;
  const uint64_t blocks = pmt_reader_blocks(pass->reader);
  uint64_t next = 0;
  do {
    const uint64_t left = blocks - next;
    round->reading->first = next;
    round->reading->num = left < BLOCKS ? (unsigned)left : BLOCKS;
    next += round->reading->num;
    work_together(round);
    const struct batch *counted = round->counting;
    if (counted->num != 0) {
      const struct pmt_block *last = counted->blocks[counted->num - 1];
      if (pass->progress && !pass->progress(pass->context, last->first + last->cycles)) return;
    }
    struct batch *read = round->reading;
    round->reading = round->counting;
    round->counting = read;
  } while (!*round->error && round->counting->num != 0);
}

bool explore_pass_run(const struct explore_pass *pass, char *error, size_t error_size) {
  struct batch batches[2] = {0};
  char said[ERROR_SIZE] = "";
  struct round round = {.pass = pass, .counting = &batches[0], .reading = &batches[1]};
  round.error = said;
  pthread_mutex_init(&round.lock, NULL);
  for (unsigned i = 0; i < 2 * BLOCKS; i++) {
    batches[i / BLOCKS].blocks[i % BLOCKS] = pmt_block_new(pass->reader);
    if (!batches[i / BLOCKS].blocks[i % BLOCKS]) fail(&round, 0, "out of memory");
  }
  if (!*said) run_rounds(&round);
  for (unsigned i = 0; i < 2 * BLOCKS; i++) pmt_block_free(batches[i / BLOCKS].blocks[i % BLOCKS]);
  pthread_mutex_destroy(&round.lock);
  if (*said) snprintf(error, error_size, "%s", said);
  return !*said;
}
