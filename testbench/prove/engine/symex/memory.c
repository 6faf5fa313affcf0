#include "engine/symex/memory.h"

#include <string.h>

#include "engine/symex/trace.h"
#include "engine/symex/util.h"

/* The bytes of a chunk, which is what memories share. */
enum { CHUNK = 32, BYTE_BITS = 8 };

struct chunk {
  size_t uses;
  struct memory_byte cells[CHUNK];
};

struct object {
  size_t uses;
  size_t size;
  size_t num_chunks;
  struct chunk *chunks[]; /* NULL: undefined */
};

struct entry {
  uint32_t number;
  struct object *object;
};

/* A store at an address that is not known. */
struct recent {
  term address;
  uint64_t low, high;
  term value;
};

enum { MAX_RECENT = 8 };

struct memory {
  size_t uses;
  struct recent recent[MAX_RECENT];
  size_t num_recent;
  size_t num_entries, room;
  struct entry *entries; /* by number */
};

/* ---- Shared ---- */

static void release_chunk(struct chunk *chunk) {
  if (chunk != NULL && --chunk->uses == 0) free(chunk);
}

static void release_object(struct object *object) {
  if (--object->uses > 0) return;
  for (size_t c = 0; c < object->num_chunks; c++) release_chunk(object->chunks[c]);
  free(object);
}

struct memory *memory_new(void) {
  struct memory *memory = symex_allocate(1, sizeof *memory);
  memory->uses = 1;
  return memory;
}

struct memory *memory_copy(struct memory *memory) {
  memory->uses++;
  return memory;
}

void memory_free(struct memory *memory) {
  if (--memory->uses > 0) return;
  for (size_t e = 0; e < memory->num_entries; e++) release_object(memory->entries[e].object);
  free(memory->entries);
  free(memory);
}

/* Makes them the memory's own. */
static struct memory *own_memory(struct memory **memory) {
  struct memory *shared = *memory;
  if (shared->uses == 1) return shared;
  struct memory *own = memory_new();
  own->entries = symex_grow(NULL, &own->room, shared->num_entries, sizeof *own->entries);
  own->num_entries = shared->num_entries;
  for (size_t e = 0; e < own->num_entries; e++) {
    own->entries[e] = shared->entries[e];
    own->entries[e].object->uses++;
  }
  memcpy(own->recent, shared->recent, sizeof own->recent);
  own->num_recent = shared->num_recent;
  shared->uses--;
  return *memory = own;
}

static struct object *new_object(size_t size) {
  const size_t num_chunks = (size + CHUNK - 1) / CHUNK;
  struct object *object = symex_allocate(1, sizeof *object + num_chunks * sizeof(struct chunk *));
  object->uses = 1;
  object->size = size;
  object->num_chunks = num_chunks;
  return object;
}

static struct object *own_object(struct entry *entry) {
  struct object *shared = entry->object;
  if (shared->uses == 1) return shared;
  struct object *own = new_object(shared->size);
  for (size_t c = 0; c < own->num_chunks; c++) {
    own->chunks[c] = shared->chunks[c];
    if (own->chunks[c] != NULL) own->chunks[c]->uses++;
  }
  shared->uses--;
  return entry->object = own;
}

static struct chunk *own_chunk(struct chunk **chunk) {
  struct chunk *shared = *chunk;
  if (shared != NULL && shared->uses == 1) return shared;
  struct chunk *own = symex_allocate(1, sizeof *own);
  if (shared != NULL) {
    *own = *shared;
    shared->uses--;
  }
  own->uses = 1;
  return *chunk = own;
}

/* ---- Objects ---- */

void memory_add(struct memory **memory, uint32_t number, size_t size) {
  struct memory *own = own_memory(memory);
  own->entries = symex_grow(own->entries, &own->room, own->num_entries + 1, sizeof *own->entries);
  own->entries[own->num_entries++] = (struct entry){number, new_object(size)};
}

static struct entry *find(const struct memory *memory, uint32_t number) {
  size_t low = 0, high = memory->num_entries;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (memory->entries[middle].number < number)
      low = middle + 1;
    else
      high = middle;
  }
  const bool found = low < memory->num_entries && memory->entries[low].number == number;
  return found ? &memory->entries[low] : NULL;
}

void memory_remove(struct memory **memory, uint32_t number) {
  struct memory *own = own_memory(memory);
  struct entry *entry = find(own, number);
  release_object(entry->object);
  const size_t rest = (size_t)(own->entries + own->num_entries - (entry + 1));
  memmove(entry, entry + 1, rest * sizeof *entry);
  own->num_entries--;
}

bool memory_has(const struct memory *memory, uint64_t address, size_t size) {
  trace_find(MEMORY_OBJECT(address));
  const struct entry *entry = find(memory, MEMORY_OBJECT(address));
  if (entry == NULL) return false;
  const size_t offset = MEMORY_OFFSET(address);
  return offset <= entry->object->size && size <= entry->object->size - offset;
}

/* ---- Cells ---- */

static struct memory_byte cell_at(const struct object *object, size_t offset) {
  const struct chunk *chunk = object->chunks[offset / CHUNK];
  return chunk == NULL ? (struct memory_byte){TERM_NONE, 0} : chunk->cells[offset % CHUNK];
}

static void set_cell(struct object *object, size_t offset, struct memory_byte cell) {
  struct chunk **chunk = &object->chunks[offset / CHUNK];
  if (*chunk == NULL && cell.value == TERM_NONE) return;
  own_chunk(chunk)->cells[offset % CHUNK] = cell;
}

static bool same_cell(struct memory_byte a, struct memory_byte b) {
  return a.value == b.value && a.byte == b.byte;
}

/* How many bytes from here on are consecutive ones of a term, or undefined. */
static size_t run_at(const struct object *object, size_t offset, size_t most) {
  const struct memory_byte first = cell_at(object, offset);
  size_t run = 1;
  for (; run < most; run++) {
    const struct memory_byte next = cell_at(object, offset + run);
    if (next.value != first.value) break;
    if (first.value != TERM_NONE && next.byte != first.byte + run) break;
  }
  return run;
}

static bool is_undefined(const struct object *object, size_t offset, size_t size) {
  return cell_at(object, offset).value == TERM_NONE && run_at(object, offset, size) == size;
}

static term load(const struct object *object, size_t offset, size_t size) {
  if (size == 0 || is_undefined(object, offset, size)) return TERM_NONE;
  term loaded = TERM_NONE;
  for (size_t done = 0; done < size;) {
    const struct memory_byte first = cell_at(object, offset + done);
    const size_t run = run_at(object, offset + done, size - done);
    const uint32_t width = (uint32_t)run * BYTE_BITS;
    const term part = first.value == TERM_NONE
                          ? term_fresh(width, "undefined")
                          : term_extract(first.value, first.byte * BYTE_BITS, width);
    loaded = loaded == TERM_NONE ? part : term_concat(part, loaded);
    done += run;
  }
  return loaded;
}

static void store(struct object *object, size_t offset, term value) {
  const uint32_t size = term_width(value) / BYTE_BITS;
  for (uint32_t byte = 0; byte < size; byte++)
    set_cell(object, offset + byte, (struct memory_byte){value, byte});
}

/* ---- Accesses ---- */

term memory_load(const struct memory *memory, uint64_t address, size_t size) {
  trace_look(address, size);
  return load(find(memory, MEMORY_OBJECT(address))->object, MEMORY_OFFSET(address), size);
}

/* Forgets what may have been stored there. */
static void forget(struct memory *memory, uint64_t low, uint64_t high) {
  size_t kept = 0;
  for (size_t r = 0; r < memory->num_recent; r++)
    if (memory->recent[r].high <= low || memory->recent[r].low >= high)
      memory->recent[kept++] = memory->recent[r];
  memory->num_recent = kept;
}

static struct object *writable(struct memory **memory, uint64_t address, size_t size) {
  struct memory *own = own_memory(memory);
  trace_change(address, size);
  forget(own, address, address + size);
  return own_object(find(own, MEMORY_OBJECT(address)));
}

void memory_store(struct memory **memory, uint64_t address, term value) {
  const size_t size = term_width(value) / BYTE_BITS;
  store(writable(memory, address, size), MEMORY_OFFSET(address), value);
}

void memory_fill(struct memory **memory, uint64_t address, term byte, size_t size) {
  struct object *object = writable(memory, address, size);
  for (size_t done = 0; done < size; done++)
    set_cell(object, MEMORY_OFFSET(address) + done, (struct memory_byte){byte, 0});
}

void memory_remember(struct memory **memory, term address, uint64_t low, uint64_t high,
                     term value) {
  struct memory *own = own_memory(memory);
  forget(own, low, high);
  if (own->num_recent == MAX_RECENT)
    memmove(own->recent, own->recent + 1, --own->num_recent * sizeof *own->recent);
  own->recent[own->num_recent++] = (struct recent){address, low, high, value};
}

static const struct recent *recall(const struct memory *memory, term address, size_t size) {
  for (size_t r = 0; r < memory->num_recent; r++)
    if (memory->recent[r].address == address &&
        term_width(memory->recent[r].value) == size * BYTE_BITS)
      return &memory->recent[r];
  return NULL;
}

term memory_recall(const struct memory *memory, term address, size_t size) {
  const struct recent *recent = recall(memory, address, size);
  return recent == NULL ? TERM_NONE : recent->value;
}

void memory_undefine(struct memory **memory, uint64_t address, size_t size) {
  struct object *object = writable(memory, address, size);
  for (size_t byte = 0; byte < size; byte++)
    set_cell(object, MEMORY_OFFSET(address) + byte, (struct memory_byte){TERM_NONE, 0});
}

void memory_move(struct memory **to, uint64_t to_address, const struct memory *from,
                 uint64_t from_address, size_t size) {
  struct memory_byte *cells = symex_allocate(size, sizeof *cells);
  const struct object *source = find(from, MEMORY_OBJECT(from_address))->object;
  trace_look(from_address, size);
  for (size_t byte = 0; byte < size; byte++)
    cells[byte] = cell_at(source, MEMORY_OFFSET(from_address) + byte);
  struct object *target = writable(to, to_address, size);
  for (size_t byte = 0; byte < size; byte++)
    set_cell(target, MEMORY_OFFSET(to_address) + byte, cells[byte]);
  free(cells);
}

/* ---- Merged ---- */

/* So that a whole term stays one where the other memory has single bytes; a term wider than a
 * register is in parts. */
enum { WIDEST = 8 };

static size_t part_at(const struct object *a, const struct object *b, size_t offset) {
  const size_t rest = a->size - offset;
  const size_t most = rest < WIDEST ? rest : WIDEST;
  const struct memory_byte cell_a = cell_at(a, offset), cell_b = cell_at(b, offset);
  const size_t run_a = run_at(a, offset, most), run_b = run_at(b, offset, most);
  if (cell_a.value == TERM_NONE) return run_b;
  if (cell_b.value == TERM_NONE) return run_a;
  return run_a > run_b ? run_a : run_b;
}

/* Into a copy of a; bytes that are done. */
static size_t merge_part(term condition, struct object *merged, const struct object *a,
                         const struct object *b, size_t offset) {
  const size_t size = part_at(a, b, offset);
  term value_a = load(a, offset, size), value_b = load(b, offset, size);
  if (value_a == value_b) return size;
  const uint32_t width = (uint32_t)size * BYTE_BITS;
  if (value_a == TERM_NONE) value_a = term_fresh(width, "undefined");
  if (value_b == TERM_NONE) value_b = term_fresh(width, "undefined");
  store(merged, offset, term_ite(condition, value_a, value_b));
  return size;
}

static void merge_chunk(term condition, struct object *merged, const struct object *a,
                        const struct object *b, size_t chunk) {
  const size_t end = (chunk + 1) * CHUNK < a->size ? (chunk + 1) * CHUNK : a->size;
  size_t offset = chunk * CHUNK;
  while (offset < end) {
    if (same_cell(cell_at(a, offset), cell_at(b, offset)))
      offset++;
    else
      offset += merge_part(condition, merged, a, b, offset);
  }
}

/* Whatever the bytes of a chunk are decides what is merged, and how far. */
static void trace_chunk(uint32_t number, const struct object *object, size_t chunk) {
  const size_t from = chunk * CHUNK, rest = object->size - from;
  const size_t size = rest < CHUNK + WIDEST ? rest : CHUNK + WIDEST;
  trace_look(MEMORY_ADDRESS(number, from), size);
  trace_change(MEMORY_ADDRESS(number, from), size);
}

/* A part may reach into the next chunk, where the merged object is no longer a then. */
static void merge_object(term condition, struct entry *entry, struct object *a,
                         const struct object *b) {
  struct object *merged = own_object(entry);
  for (size_t c = 0; c < a->num_chunks; c++) {
    if (a->chunks[c] == b->chunks[c]) continue;
    trace_chunk(entry->number, a, c);
    merge_chunk(condition, merged, a, b, c);
  }
}

/* What both remember, which may be at other places in one than in the other. */
static void merge_recent(struct memory *merged, const struct memory *other) {
  size_t kept = 0;
  for (size_t r = 0; r < merged->num_recent; r++) {
    struct recent both = merged->recent[r];
    const struct recent *too = recall(other, both.address, term_width(both.value) / BYTE_BITS);
    if (too == NULL || too->value != both.value) continue;
    if (too->low < both.low) both.low = too->low;
    if (too->high > both.high) both.high = too->high;
    merged->recent[kept++] = both;
  }
  merged->num_recent = kept;
}

struct memory *memory_merged(term condition, const struct memory *a, const struct memory *b) {
  struct memory *merged = memory_copy((struct memory *)a);
  if (a == b) return merged;
  if (a->num_entries != b->num_entries) symex_stop("an object that only one of two paths has");
  merge_recent(own_memory(&merged), b);
  for (size_t e = 0; e < a->num_entries; e++) {
    struct object *of_a = a->entries[e].object, *of_b = b->entries[e].object;
    if (of_a == of_b) continue;
    of_a->uses++;
    merge_object(condition, &own_memory(&merged)->entries[e], of_a, of_b);
    release_object(of_a);
  }
  return merged;
}

/* ---- Kept ---- */

bool memory_is_same(const struct memory *memory, uint64_t address, const struct memory_byte *bytes,
                    size_t size) {
  const struct object *object = find(memory, MEMORY_OBJECT(address))->object;
  for (size_t byte = 0; byte < size; byte++)
    if (!same_cell(cell_at(object, MEMORY_OFFSET(address) + byte), bytes[byte])) return false;
  return true;
}

void memory_read(const struct memory *memory, uint64_t address, struct memory_byte *bytes,
                 size_t size) {
  const struct object *object = find(memory, MEMORY_OBJECT(address))->object;
  for (size_t byte = 0; byte < size; byte++)
    bytes[byte] = cell_at(object, MEMORY_OFFSET(address) + byte);
}

void memory_write(struct memory **memory, uint64_t address, const struct memory_byte *bytes,
                  size_t size) {
  struct object *object = writable(memory, address, size);
  for (size_t byte = 0; byte < size; byte++)
    set_cell(object, MEMORY_OFFSET(address) + byte, bytes[byte]);
}

size_t memory_size(const struct memory *memory, uint32_t number) {
  const struct entry *entry = find(memory, number);
  return entry == NULL ? MEMORY_NO_OBJECT : entry->object->size;
}

bool memory_recalls_same(const struct memory *a, const struct memory *b) {
  if (a->num_recent != b->num_recent) return false;
  for (size_t r = 0; r < a->num_recent; r++) {
    const struct recent *one = &a->recent[r], *other = &b->recent[r];
    if (one->address != other->address || one->value != other->value || one->low != other->low ||
        one->high != other->high)
      return false;
  }
  return true;
}

void memory_recall_as(struct memory **memory, const struct memory *as) {
  struct memory *own = own_memory(memory);
  memcpy(own->recent, as->recent, sizeof own->recent);
  own->num_recent = as->num_recent;
}
