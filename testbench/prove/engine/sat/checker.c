#include "engine/sat/checker.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "engine/term/checked.h"

/* A clause is where its size is among the numbers; its literals follow. Those at the front are
 * watched: while the clause is not satisfied, neither is false, but where it has been said so. */
typedef size_t clause;

struct watch {
  clause clause;
  int other; /* a literal of it: where that is true, nothing is to do */
};

struct watches {
  struct watch *items;
  size_t count, capacity;
};

struct entry {
  uint64_t hash;
  clause clause; /* 0: none */
};

struct checker {
  int *numbers; /* of all clauses */
  size_t size, capacity;
  signed char *values;     /* by literal: 1 true, -1 false, 0 neither */
  struct watches *watches; /* by literal: the clauses that watch it */
  size_t num_literals;
  int *trail; /* what is true, in order */
  size_t num_true, num_propagated;
  bool is_contradiction; /* the clauses cannot all be true: everything follows */
  struct entry *entries; /* clauses by their literals, for deletion: a hash table */
  size_t num_entries, num_slots;
  int *lemma; /* that is being read */
  size_t lemma_size, lemma_capacity;
  size_t num_lemmas;
};

static const int deleted = 0; /* as a clause's size */

/* ---- Memory ---- */

struct checker *checker_new(void) {
  struct checker *checker = checked(calloc(1, sizeof *checker));
  checker->num_slots = 1 << 10;
  checker->entries = checked(calloc(checker->num_slots, sizeof *checker->entries));
  checker->size = 1; /* clause 0 is none */
  return checker;
}

void checker_free(struct checker *checker) {
  if (!checker) return;
  for (size_t i = 0; i < checker->num_literals; i++) free(checker->watches[i].items);
  free(checker->watches);
  free(checker->values);
  free(checker->numbers);
  free(checker->trail);
  free(checker->entries);
  free(checker->lemma);
  free(checker);
}

static size_t index_of(int literal) {
  return 2 * (size_t)abs(literal) + (literal < 0);
}

static void make_room_for_literal(struct checker *checker, int literal) {
  const size_t old = checker->num_literals, needed = 2 * (size_t)abs(literal) + 2;
  if (needed <= old) return;
  const size_t number = needed + old;
  checker->values = checked(realloc(checker->values, number * sizeof *checker->values));
  checker->watches = checked(realloc(checker->watches, number * sizeof *checker->watches));
  checker->trail = checked(realloc(checker->trail, number * sizeof *checker->trail));
  memset(checker->values + old, 0, (number - old) * sizeof *checker->values);
  memset(checker->watches + old, 0, (number - old) * sizeof *checker->watches);
  checker->num_literals = number;
}

static void make_room_for_literals(struct checker *checker, const int *literals, size_t count) {
  for (size_t i = 0; i < count; i++) make_room_for_literal(checker, literals[i]);
}

static clause new_clause(struct checker *checker, const int *literals, size_t count) {
  if (checker->size + count + 1 > checker->capacity) {
    checker->capacity = 2 * checker->capacity + count + 1024;
    checker->numbers =
        checked(realloc(checker->numbers, checker->capacity * sizeof *checker->numbers));
  }
  const clause new = checker->size;
  checker->numbers[new] = (int)count;
  if (count > 0) memcpy(checker->numbers + new + 1, literals, count * sizeof *literals);
  checker->size += count + 1;
  return new;
}

/* ---- Propagation ---- */

static int value_of(const struct checker *checker, int literal) {
  return checker->values[index_of(literal)];
}

static void set_true(struct checker *checker, int literal) {
  checker->values[index_of(literal)] = 1;
  checker->values[index_of(-literal)] = -1;
  checker->trail[checker->num_true++] = literal;
}

static void take_back(struct checker *checker, size_t num_true) {
  while (checker->num_true > num_true) {
    const int literal = checker->trail[--checker->num_true];
    checker->values[index_of(literal)] = checker->values[index_of(-literal)] = 0;
  }
  checker->num_propagated = num_true;
}

static void watch(struct checker *checker, int literal, clause watched, int other) {
  struct watches *watches = &checker->watches[index_of(literal)];
  if (watches->count == watches->capacity) {
    watches->capacity = 2 * watches->capacity + 4;
    watches->items = checked(realloc(watches->items, watches->capacity * sizeof *watches->items));
  }
  watches->items[watches->count++] = (struct watch){watched, other};
}

/* Watches another literal of the clause, that is not false, in place of its second one. */
static bool watch_another(struct checker *checker, clause watched) {
  int *literals = checker->numbers + watched + 1;
  const int size = checker->numbers[watched];
  for (int i = 2; i < size; i++) {
    if (value_of(checker, literals[i]) < 0) continue;
    const int other = literals[i];
    literals[i] = literals[1];
    literals[1] = other;
    watch(checker, other, watched, literals[0]);
    return true;
  }
  return false;
}

enum visit { KEEPS, MOVES, CONFLICTS };

/* A clause one of whose watched literals has become false. */
static enum visit visit(struct checker *checker, struct watch *from, int is_false) {
  int *literals = checker->numbers + from->clause + 1;
  if (checker->numbers[from->clause] == deleted) return MOVES;
  if (literals[0] == is_false) {
    literals[0] = literals[1];
    literals[1] = is_false;
  }
  from->other = literals[0];
  if (value_of(checker, literals[0]) > 0) return KEEPS;
  if (watch_another(checker, from->clause)) return MOVES;
  if (value_of(checker, literals[0]) < 0) return CONFLICTS;
  set_true(checker, literals[0]);
  return KEEPS;
}

/* False: it comes to a conflict. */
static bool propagate_one(struct checker *checker, int is_false) {
  struct watches *watches = &checker->watches[index_of(is_false)];
  size_t kept = 0, i = 0;
  bool is_good = true;
  for (; is_good && i < watches->count; i++) {
    struct watch one = watches->items[i];
    const bool is_satisfied = value_of(checker, one.other) > 0;
    const enum visit result = is_satisfied ? KEEPS : visit(checker, &one, is_false);
    if (result != MOVES) watches->items[kept++] = one;
    is_good = result != CONFLICTS;
  }
  while (i < watches->count) watches->items[kept++] = watches->items[i++];
  watches->count = kept;
  return is_good;
}

static bool propagate(struct checker *checker) {
  while (checker->num_propagated < checker->num_true)
    if (!propagate_one(checker, -checker->trail[checker->num_propagated++])) return false;
  return true;
}

/* ---- Clauses by their literals ---- */

/* Whatever their order. */
static uint64_t hash_of(const int *literals, size_t count) {
  uint64_t sum = count;
  for (size_t i = 0; i < count; i++) {
    uint64_t one = (uint32_t)literals[i] * 0x9E3779B97F4A7C15u;
    sum += (one ^ one >> 29) * 0xD6E8FEB86659FD93u;
  }
  return sum ^ sum >> 32;
}

static void put_entry(struct checker *checker, struct entry entry) {
  size_t slot = entry.hash & (checker->num_slots - 1);
  while (checker->entries[slot].clause != 0) slot = (slot + 1) & (checker->num_slots - 1);
  checker->entries[slot] = entry;
}

/* Entries of deleted clauses stay until then. */
static void make_room_for_entry(struct checker *checker) {
  if (2 * ++checker->num_entries < checker->num_slots) return;
  struct entry *old = checker->entries;
  const size_t num_old = checker->num_slots;
  checker->num_slots *= 2;
  checker->num_entries = 1;
  checker->entries = checked(calloc(checker->num_slots, sizeof *checker->entries));
  for (size_t i = 0; i < num_old; i++) {
    if (old[i].clause == 0 || checker->numbers[old[i].clause] == deleted) continue;
    put_entry(checker, old[i]);
    checker->num_entries++;
  }
  free(old);
}

static int by_number(const void *a, const void *b) {
  const int left = *(const int *)a, right = *(const int *)b;
  return (left > right) - (left < right);
}

static bool has_literals(const struct checker *checker, clause one, const int *literals,
                         size_t count) {
  if (checker->numbers[one] != (int)count) return false;
  const size_t size = count * sizeof *literals;
  int *both = checked(malloc(2 * size + 1));
  memcpy(both, literals, size);
  memcpy(both + count, checker->numbers + one + 1, size);
  qsort(both, count, sizeof *both, by_number);
  qsort(both + count, count, sizeof *both, by_number);
  const bool is_same = memcmp(both, both + count, size) == 0;
  free(both);
  return is_same;
}

/* ---- What is asked ---- */

/* Nothing is assumed. The watched literals are to be those that are false last. */
static void add(struct checker *checker, const int *literals, size_t count) {
  const clause new = new_clause(checker, literals, count);
  int *own = checker->numbers + new + 1;
  size_t possible = 0; /* literals that are not false, at the front */
  for (size_t i = 0; i < count && possible < 2; i++) {
    if (value_of(checker, own[i]) < 0) continue;
    const int literal = own[i];
    own[i] = own[possible];
    own[possible++] = literal;
  }
  if (count > 0) {
    make_room_for_entry(checker);
    put_entry(checker, (struct entry){hash_of(literals, count), new});
  }
  if (possible == 2) {
    watch(checker, own[0], new, own[1]);
    watch(checker, own[1], new, own[0]);
    return;
  }
  if (possible == 1 && value_of(checker, own[0]) == 0) set_true(checker, own[0]);
  if (possible == 0 || !propagate(checker)) checker->is_contradiction = true;
}

void checker_give(struct checker *checker, const int *literals, size_t count) {
  make_room_for_literals(checker, literals, count);
  add(checker, literals, count);
}

/* Whether it comes to a conflict that all these literals are false. */
static bool follows(struct checker *checker, const int *literals, size_t count) {
  const size_t num_true = checker->num_true;
  bool is_conflict = checker->is_contradiction;
  for (size_t i = 0; i < count && !is_conflict; i++) {
    const int value = value_of(checker, literals[i]);
    is_conflict = value > 0;
    if (value == 0) set_true(checker, -literals[i]);
  }
  is_conflict = is_conflict || !propagate(checker);
  take_back(checker, num_true);
  return is_conflict;
}

bool checker_lemma(struct checker *checker, const int *literals, size_t count) {
  make_room_for_literals(checker, literals, count);
  if (!follows(checker, literals, count)) return false;
  add(checker, literals, count);
  checker->num_lemmas++;
  return true;
}

/* What the clause has made true stays so: it follows all the same. */
void checker_delete(struct checker *checker, const int *literals, size_t count) {
  const uint64_t hash = hash_of(literals, count);
  for (size_t slot = hash & (checker->num_slots - 1); checker->entries[slot].clause != 0;
       slot = (slot + 1) & (checker->num_slots - 1)) {
    const struct entry *entry = &checker->entries[slot];
    if (entry->hash != hash || !has_literals(checker, entry->clause, literals, count)) continue;
    checker->numbers[entry->clause] = deleted;
    return;
  }
}

/* ---- Binary DRAT ---- */

/* The next literal; 0: the end of a lemma. False: it is none. */
static bool read_literal(const unsigned char **next, const unsigned char *end, int *literal) {
  uint32_t number = 0;
  for (unsigned shift = 0; *next < end && shift < 32; shift += 7) {
    const unsigned char byte = *(*next)++;
    number |= (uint32_t)(byte & 127) << shift;
    if (byte & 128) continue;
    *literal = number & 1 ? -(int)(number / 2) : (int)(number / 2);
    return number != 1;
  }
  return false;
}

static void keep_literal(struct checker *checker, int literal) {
  if (checker->lemma_size == checker->lemma_capacity) {
    checker->lemma_capacity = 2 * checker->lemma_capacity + 64;
    checker->lemma =
        checked(realloc(checker->lemma, checker->lemma_capacity * sizeof *checker->lemma));
  }
  checker->lemma[checker->lemma_size++] = literal;
}

static bool read_literals(struct checker *checker, const unsigned char **next,
                          const unsigned char *end) {
  int literal;
  checker->lemma_size = 0;
  while (read_literal(next, end, &literal)) {
    if (literal == 0) return true;
    if (index_of(literal) >= checker->num_literals) return false; /* of no clause */
    keep_literal(checker, literal);
  }
  return false;
}

bool checker_read(struct checker *checker, const unsigned char *proof, size_t size) {
  const unsigned char *next = proof, *end = proof + size;
  while (next < end) {
    const unsigned char what = *next++;
    if ((what != 'a' && what != 'd') || !read_literals(checker, &next, end)) return false;
    if (what == 'd')
      checker_delete(checker, checker->lemma, checker->lemma_size);
    else if (!checker_lemma(checker, checker->lemma, checker->lemma_size))
      return false;
  }
  return true;
}

size_t checker_num_lemmas(const struct checker *checker) {
  return checker->num_lemmas;
}
