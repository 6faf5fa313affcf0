#include "testbench/cosim/check/wave/signals.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/cli/cli.h"

enum { MAX_PATH = 4096, MAX_LEAF = 300, MAX_PARTS = 256 };
enum { MAX_INDEXES = 8, MAX_INDEX = 1 << 30, MAX_DEPTH = 16 };

/* ---- What is kept of a header ---- */

struct scope {
  char *name;
  size_t parent, order;
  size_t inner, next; /* the last scope within it, and the one before in its parent */
  bool is_struct;     /* of a pin: what is in it are the pin's bits */
  bool is_union;      /* likewise, but all of its members are the same bits */
  bool has_others;    /* signals that are not kept: in a struct, those that are no vectors */
  bool has_elements;  /* has signals or structs of a pin whose names have an index */
  size_t first_var, num_vars; /* within the scope itself */
};

/* A signal that can be a pin's, by its name. */
struct var {
  char *id, *name; /* without its range */
  unsigned width;
  int lsb;           /* the lowest index */
  bool is_bit;       /* the name had [N], and not [MSB:LSB] */
  bool is_ascending; /* it is on the left */
  size_t scope, order;
};

/* Bits of a pin, and where they are. */
struct piece {
  size_t pin;
  const struct var *var;
  unsigned from, to, count; /* from a bit of the signal to a bit of the pin */
};

struct pieces {
  struct piece *of;
  size_t count;
};

#define NONE SIZE_MAX
#define ROOT 0 /* the scope without a name that all are in */

struct signals {
  const struct pmuv3_device *device;
  const char *file;
  bool keeps_order; /* of the members of structs */
  struct scope *scopes;
  size_t num_scopes, order; /* of the next scope or signal */
  size_t *children;         /* a hash table of scopes by parent and name; NONE: free */
  size_t children_mask;
  struct var *vars;
  size_t num_vars;
  char timescale[40];
  char *path; /* of the instance */
  struct pieces pieces;
  const char **ids;
  size_t num_ids;
  size_t *places; /* a hash table: the first piece of a signal, + 1; pieces are in the ids' order */
  size_t places_mask;
};

static void *grown(void *memory, size_t count, size_t size) {
  if (count & (count - 1)) return memory;
  void *more = realloc(memory, (count ? 2 * count : 1) * size);
  if (!more) pmuv3_cli_no_verdict("out of memory");
  return more;
}

static char *kept(const char *text) {
  char *copy = strdup(text);
  if (!copy) pmuv3_cli_no_verdict("out of memory");
  return copy;
}

/* Names as descriptions have them: \name of Verilog, and name(1) of some simulators. */
static char *plain(const char *name) {
  char *copy = kept(*name == '\\' ? name + 1 : name);
  for (char *c = copy; *c; c++) *c = *c == '(' ? '[' : *c == ')' ? ']' : *c;
  return copy;
}

/* ---- The header ---- */

/* The last part of a pin's path, without indexes. */
static bool is_of_pin(const struct pmuv3_pin *pin, const char *name) {
  const char *dot = strrchr(pin->name, '.');
  const char *leaf = dot ? dot + 1 : pin->name;
  const size_t length = strcspn(leaf, "[");
  return length == strcspn(name, "[") && strncmp(leaf, name, length) == 0;
}

static bool is_of_any_pin(const struct signals *signals, const char *name) {
  for (size_t p = 0; p < signals->device->num_pins; p++)
    if (is_of_pin(&signals->device->pins[p], name)) return true;
  return false;
}

/* ---- Scopes by name ---- */

static size_t hash(const char *text, size_t length, size_t hash) {
  while (length-- > 0) hash = hash * 131 + (unsigned char)*text++;
  return hash ^ hash >> 7;
}

/* Where a scope is in the table, or may come. */
static size_t *place_of(const struct signals *signals, size_t parent, const char *name,
                        size_t length) {
  size_t place = hash(name, length, parent * 31) & signals->children_mask;
  for (; signals->children[place] != NONE; place = (place + 1) & signals->children_mask) {
    const struct scope *scope = &signals->scopes[signals->children[place]];
    if (scope->parent == parent && strncmp(scope->name, name, length) == 0 && !scope->name[length])
      break;
  }
  return &signals->children[place];
}

static void enlarge_table(struct signals *signals) {
  const size_t size = signals->children ? 2 * (signals->children_mask + 1) : 64;
  free(signals->children);
  signals->children = malloc(size * sizeof *signals->children);
  if (!signals->children) pmuv3_cli_no_verdict("out of memory");
  memset(signals->children, 0xFF, size * sizeof *signals->children);
  signals->children_mask = size - 1;
  for (size_t s = ROOT + 1; s < signals->num_scopes; s++) {
    const struct scope *scope = &signals->scopes[s];
    *place_of(signals, scope->parent, scope->name, strlen(scope->name)) = s;
  }
}

static size_t child_of(const struct signals *signals, size_t scope, const char *name,
                       size_t length) {
  return *place_of(signals, scope, name, length);
}

static size_t add_scope(struct signals *signals, size_t parent, char *name) {
  const size_t added = signals->num_scopes;
  if (2 * added >= signals->children_mask) enlarge_table(signals);
  signals->scopes = grown(signals->scopes, added, sizeof *signals->scopes);
  signals->scopes[signals->num_scopes++] = (struct scope){
      .name = name, .parent = parent, .order = signals->order++, .inner = NONE, .next = NONE};
  if (added == ROOT) return added;
  signals->scopes[added].next = signals->scopes[parent].inner;
  signals->scopes[parent].inner = added;
  *place_of(signals, parent, name, strlen(name)) = added;
  return added;
}

static bool is_indexed(const char *name) {
  return *name && name[strlen(name) - 1] == ']';
}

/* A scope can be there twice, each time with some of its signals. Whatever is in a struct is of it:
 * Verilator from 5.048 on has a scope for each array, which the library takes for a module. */
static size_t enter(struct signals *signals, size_t parent, const struct vcd_item *item) {
  char *name = plain(item->name);
  const bool is_union = strcmp(item->kind, "union") == 0;
  const bool is_struct =
      signals->scopes[parent].is_struct ||
      ((is_union || strcmp(item->kind, "struct") == 0) && is_of_any_pin(signals, name));
  const size_t before = child_of(signals, parent, name, strlen(name));
  if (before != NONE) {
    free(name);
    return before;
  }
  const size_t added = add_scope(signals, parent, name);
  signals->scopes[added].is_struct = is_struct;
  signals->scopes[added].is_union = is_struct && is_union;
  signals->scopes[parent].has_elements |= is_struct && is_indexed(name);
  return added;
}

static bool is_vector(const char *kind) {
  static const char *const others[] = {"real",           "realtime", "shortreal",
                                       "real_parameter", "string",   "event"};
  for (size_t o = 0; o < sizeof others / sizeof others[0]; o++)
    if (strcmp(kind, others[o]) == 0) return false;
  return true;
}

/* [MSB:LSB] at the end is the range. [N] is a bit, or if there are more bits an element. */
static void cut_range(struct var *var) {
  int left = 0, right = 0;
  char *bracket = strrchr(var->name, '[');
  if (!bracket || !vcd_range(bracket, &left, &right)) return;
  const bool is_bit = !strchr(bracket, ':');
  if (var->width != 1 && is_bit) return;
  *bracket = '\0';
  var->is_bit = is_bit;
  var->is_ascending = left < right;
  var->lsb = var->is_ascending ? left : right;
}

static void add_var(struct signals *signals, size_t scope, const struct vcd_item *item) {
  struct var var = {.name = plain(item->name), .width = item->width, .scope = scope};
  const bool is_kept = is_vector(item->kind) && item->width > 0 &&
                       (signals->scopes[scope].is_struct || is_of_any_pin(signals, var.name));
  if (!is_kept) {
    signals->scopes[scope].has_others = true;
    free(var.name);
    return;
  }
  cut_range(&var);
  var.id = kept(item->id);
  var.order = signals->order++;
  signals->scopes[scope].has_elements |= is_indexed(var.name);
  signals->vars = grown(signals->vars, signals->num_vars, sizeof *signals->vars);
  signals->vars[signals->num_vars++] = var;
}

static int by_scope(const void *a, const void *b) {
  const struct var *x = a, *y = b;
  if (x->scope != y->scope) return x->scope < y->scope ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

static void sort_vars(struct signals *signals) {
  if (signals->num_vars) qsort(signals->vars, signals->num_vars, sizeof(struct var), by_scope);
  for (size_t v = 0; v < signals->num_vars; v++) {
    struct scope *scope = &signals->scopes[signals->vars[v].scope];
    if (scope->num_vars++ == 0) scope->first_var = v;
  }
}

/* Whether an FST is of a simulator that is known to write members in their order. Only Verilator
 * is, which leaves the library's own name there, or since 5.048 writes another. A converter writes
 * what the VCD has there, and Verilator sorts its VCDs by name. */
static bool is_ordered(const char *version) {
  return strcmp(version, "fstWriter") == 0 || strcmp(version, "GeneratedbyVerilatedFst") == 0;
}

static void read_header(struct signals *signals, struct wave_stream *stream) {
  struct vcd_item item;
  size_t scope = add_scope(signals, ROOT, kept(""));
  for (enum vcd_kind kind; (kind = wave_stream_next(stream, &item)) != VCD_HEADER_END;) {
    if (kind == VCD_SCOPE) scope = enter(signals, scope, &item);
    if (kind == VCD_UPSCOPE) scope = signals->scopes[scope].parent;
    if (kind == VCD_VAR) add_var(signals, scope, &item);
    if (kind == VCD_VERSION)
      signals->keeps_order = wave_stream_is_fst(stream) && is_ordered(item.name);
    if (kind == VCD_TIMESCALE)
      snprintf(signals->timescale, sizeof signals->timescale, "%.39s", item.name);
  }
  sort_vars(signals);
}

/* ---- Scopes ---- */

static void path_of(const struct signals *signals, size_t scope, char path[MAX_PATH]) {
  size_t at = MAX_PATH - 1;
  path[at] = '\0';
  for (; scope != ROOT; scope = signals->scopes[scope].parent) {
    const char *name = signals->scopes[scope].name;
    const size_t length = strlen(name);
    if (length + 1 > at) break;
    if (path[at]) path[--at] = '.';
    memcpy(path + (at -= length), name, length);
  }
  memmove(path, path + at, MAX_PATH - at);
}

/* The scope that a path leads to, and the last name of the path. */
static size_t scope_of(const struct signals *signals, size_t scope, const char *path,
                       const char **leaf) {
  for (const char *dot; scope != NONE && (dot = strchr(path, '.')); path = dot + 1)
    scope = child_of(signals, scope, path, (size_t)(dot - path));
  *leaf = path;
  return scope;
}

/* ---- Bits of pins ---- */

/* The signals that a pin's bits are of. */
struct parts {
  const struct var *of[MAX_PARTS];
  int lsb[MAX_PARTS]; /* as the pin counts */
  unsigned count;
  char wrong[200]; /* why they are not known, behind the pin's name; "": they are */
  int least, most; /* indexes */
  bool ascends;    /* a range of the pin does, and not one of a struct's member */
};

__attribute__((format(printf, 2, 3))) static void refuse(struct parts *parts, const char *format,
                                                         ...) {
  va_list args;
  if (*parts->wrong) return;
  va_start(args, format);
  vsnprintf(parts->wrong, sizeof parts->wrong, format, args);
  va_end(args);
}

static void refuse_many(struct parts *parts) {
  refuse(parts, "is recorded in more than %d parts; record it as a vector", MAX_PARTS);
}

static void add_part(struct parts *parts, const struct var *var, int lsb) {
  const int most = lsb + (int)var->width - 1;
  if (parts->count == MAX_PARTS) refuse_many(parts);
  if (*parts->wrong) return;
  if (parts->count == 0 || lsb < parts->least) parts->least = lsb;
  if (parts->count == 0 || most > parts->most) parts->most = most;
  parts->of[parts->count] = var;
  parts->lsb[parts->count++] = lsb;
}

static void find_called(const struct signals *signals, size_t scope, const char *name,
                        struct parts *parts, bool is_element) {
  const struct scope *within = &signals->scopes[scope];
  for (size_t v = within->first_var; v < within->first_var + within->num_vars; v++) {
    if (strcmp(signals->vars[v].name, name) != 0) continue;
    parts->ascends |= signals->vars[v].is_ascending;
    const bool is_whole_element = is_element && !signals->vars[v].is_bit;
    add_part(parts, &signals->vars[v], is_whole_element ? 0 : signals->vars[v].lsb);
  }
}

static bool is_within(const struct signals *signals, size_t scope, size_t outer) {
  while (scope != ROOT && scope != outer) scope = signals->scopes[scope].parent;
  return scope == outer;
}

/* ---- Structs and packed arrays ---- */

/* A member of a struct, or an element of an array: a signal, or a scope. */
struct member {
  const struct var *var; /* NULL: it is a scope */
  size_t scope;
  const char *name;
  size_t length; /* of the name before its indexes */
  size_t order;  /* in the file; of an element, of the first one of its array */
  unsigned num_indexes;
  int index[MAX_INDEXES];
};

struct members {
  struct member of[MAX_PARTS];
  unsigned count;
};

/* ---- Their list ---- */

static void refuse_place(struct parts *parts, const struct member *member) {
  refuse(parts, "is recorded in parts whose order is not known (\"%.60s\"); record it as a vector",
         member->name);
}

static bool add_index(struct member *member, long index) {
  if (member->num_indexes == MAX_INDEXES || index < -MAX_INDEX || index > MAX_INDEX) return false;
  member->index[member->num_indexes++] = (int)index;
  return true;
}

/* The indexes behind the name: "[1][0]". False: it is something else. */
static bool read_indexes(struct member *member) {
  char *end;
  for (const char *at = member->name + member->length; *at; at = end + 1) {
    if (*at != '[') return false;
    const long index = strtol(at + 1, &end, 10);
    if (end == at + 1 || *end != ']' || !add_index(member, index)) return false;
  }
  return !member->var || !member->var->is_bit || add_index(member, member->var->lsb);
}

/* A recording may have a signal more than once. */
static bool is_listed(const struct members *members, const struct var *var) {
  for (unsigned m = 0; m < members->count; m++) {
    const struct var *other = members->of[m].var;
    if (var && other && strcmp(var->name, other->name) == 0 && var->lsb == other->lsb &&
        var->width == other->width && strcmp(var->id, other->id) == 0)
      return true;
  }
  return false;
}

static void add_member(struct members *members, struct member member, struct parts *parts) {
  if (is_listed(members, member.var)) return;
  if (!read_indexes(&member)) refuse_place(parts, &member);
  if (members->count == MAX_PARTS) refuse_many(parts);
  if (!*parts->wrong) members->of[members->count++] = member;
}

/* Whether a name is of a member of a struct, or of an element of `array` if that is not NULL.
 * `length` gets the name's length before its indexes. */
static bool is_member(const char *name, const char *array, size_t *length) {
  *length = array ? strlen(array) : strcspn(name, "[");
  return !array || (strncmp(name, array, *length) == 0 && name[*length] == '[');
}

/* The members of a struct, or of any scope the elements of `array`. */
static void list_members(const struct signals *signals, size_t scope, const char *array,
                         struct members *members, struct parts *parts) {
  const struct scope *within = &signals->scopes[scope];
  members->count = 0;
  for (size_t v = within->first_var; v < within->first_var + within->num_vars; v++) {
    const struct var *var = &signals->vars[v];
    struct member member = {.var = var, .name = var->name, .order = var->order};
    if (is_member(var->name, array, &member.length)) add_member(members, member, parts);
  }
  for (size_t s = within->inner; s != NONE; s = signals->scopes[s].next) {
    const struct scope *inner = &signals->scopes[s];
    struct member member = {.scope = s, .name = inner->name, .order = inner->order};
    if (inner->is_struct && is_member(inner->name, array, &member.length))
      add_member(members, member, parts);
  }
}

/* ---- Their order ---- */

static int by_index(const struct member *a, const struct member *b) {
  if (a->num_indexes != b->num_indexes) return a->num_indexes < b->num_indexes ? -1 : 1;
  for (unsigned i = 0; i < a->num_indexes; i++)
    if (a->index[i] != b->index[i]) return a->index[i] < b->index[i] ? -1 : 1;
  return 0;
}

/* The last member of a packed struct has the lowest bits. So has the lowest element of an array,
 * wherever it is in the file. */
static int by_bits(const void *a, const void *b) {
  const struct member *x = a, *y = b;
  if (x->order != y->order) return x->order > y->order ? -1 : 1;
  return by_index(x, y);
}

static bool is_same_name(const struct member *a, const struct member *b) {
  return a->length == b->length && strncmp(a->name, b->name, a->length) == 0;
}

static void sort_members(struct members *members) {
  for (unsigned m = 0; m < members->count; m++)
    for (unsigned e = 0; e < members->count; e++)
      if (is_same_name(&members->of[m], &members->of[e]) &&
          members->of[e].order < members->of[m].order)
        members->of[m].order = members->of[e].order;
  qsort(members->of, members->count, sizeof *members->of, by_bits);
}

static bool is_between(const struct member *element, const struct member *first,
                       const struct member *last) {
  for (unsigned i = 0; i < element->num_indexes; i++)
    if (element->index[i] < first->index[i] || element->index[i] > last->index[i]) return false;
  return true;
}

/* Whether sorted elements of one name are there once each, for all indexes between the first one's
 * and the last one's. A member without an index is alone. */
static bool are_complete(const struct member *elements, unsigned count) {
  const struct member *first = &elements[0], *last = &elements[count - 1];
  uint64_t size = 1;
  for (unsigned e = 0; e < count; e++)
    if (elements[e].num_indexes != first->num_indexes || !is_between(&elements[e], first, last) ||
        (e > 0 && by_index(&elements[e - 1], &elements[e]) == 0))
      return false;
  for (unsigned i = 0; i < first->num_indexes && size <= count; i++)
    size *= (uint64_t)((int64_t)last->index[i] - first->index[i] + 1);
  return size == count;
}

/* ---- Their bits ---- */

static int find_members(const struct signals *signals, size_t scope, unsigned depth, int lsb,
                        struct parts *parts);

/* A member, or sorted elements of one name, from a bit on. Returns the bit behind them. */
static int find_array(const struct signals *signals, const struct member *elements, unsigned count,
                      unsigned depth, int lsb, struct parts *parts) {
  int width = 0;
  if (!are_complete(elements, count)) refuse_place(parts, &elements[0]);
  for (unsigned e = 0; e < count && !*parts->wrong; e++) {
    const int from = lsb;
    if (elements[e].var) {
      add_part(parts, elements[e].var, lsb);
      lsb += (int)elements[e].var->width;
    } else {
      lsb = find_members(signals, elements[e].scope, depth + 1, lsb, parts);
    }
    if (lsb == from || (e > 0 && lsb - from != width)) refuse_place(parts, &elements[e]);
    width = lsb - from;
  }
  return lsb;
}

static void expect_order(const struct signals *signals, size_t scope, unsigned depth,
                         struct parts *parts) {
  if (signals->scopes[scope].is_union)
    refuse(parts, "is a union, or has one in it; record it as a vector");
  if (!signals->keeps_order)
    refuse(parts,
           "is a struct, whose order a VCD does not keep, nor an FST made of one; use an FST that "
           "the simulator itself writes");
  if (signals->scopes[scope].has_others)
    refuse(parts, "has a member that is no vector; record it as a vector");
  if (depth == MAX_DEPTH)
    refuse(parts, "has structs in it, more than %d deep; record it as a vector", MAX_DEPTH);
}

/* A packed struct, from a bit on. Returns the bit behind it. */
static int find_members(const struct signals *signals, size_t scope, unsigned depth, int lsb,
                        struct parts *parts) {
  struct members members;
  expect_order(signals, scope, depth, parts);
  list_members(signals, scope, NULL, &members, parts);
  sort_members(&members);
  for (unsigned m = 0, count = 1; m < members.count && !*parts->wrong; m += count, count = 1) {
    while (m + count < members.count && is_same_name(&members.of[m], &members.of[m + count]))
      count++;
    lsb = find_array(signals, &members.of[m], count, depth, lsb, parts);
  }
  return lsb;
}

/* The members of a pin that is a packed struct; NONE: it is not. */
static size_t struct_of(const struct signals *signals, size_t scope, const char *name) {
  const size_t child = child_of(signals, scope, name, strlen(name));
  return child != NONE && signals->scopes[child].is_struct ? child : NONE;
}

static bool has_one_index(const struct pmuv3_pin *pin) {
  return pin->msb >= 0 && pin->msb == pin->lsb;
}

/* An index of a packed array counts all its bits, and that of any other array its elements. A file
 * shows both arrays alike. If the elements are single bits, both are the same. A port has no
 * elements that are structs, so a bit is meant. */
static bool can_be_either(const struct pmuv3_pin *pin, const struct members *elements, int width) {
  const bool are_bits = elements->of[0].num_indexes == 1 && width == (int)elements->count;
  const bool can_be_structs =
      elements->of[0].var || pmuv3_role_is_internal((enum pmuv3_role)pin->role);
  return can_be_structs && !are_bits;
}

/* A packed array by its elements: 0 is lowest. */
static void find_elements(const struct signals *signals, size_t scope, const char *name,
                          const struct pmuv3_pin *pin, struct parts *parts) {
  struct members elements;
  list_members(signals, scope, name, &elements, parts);
  if (elements.count == 0) return;
  sort_members(&elements);
  for (unsigned i = 0; i < elements.of[0].num_indexes; i++)
    if (elements.of[0].index[i] != 0) refuse_place(parts, &elements.of[0]);
  for (unsigned e = 0; e < elements.count; e++)
    parts->ascends |= elements.of[e].var && elements.of[e].var->is_ascending;
  const int width = find_array(signals, elements.of, elements.count, 0, 0, parts);
  if (has_one_index(pin) && can_be_either(pin, &elements, width))
    refuse(parts,
           "is recorded by its elements, so [%d] can be an element or a bit; record it as a vector",
           pin->msb);
}

/* Of an internal, a single index may be an element of an array. */
static bool can_be_element(const struct pmuv3_pin *pin) {
  return pmuv3_role_is_internal((enum pmuv3_role)pin->role) && has_one_index(pin);
}

static bool find_parts(const struct signals *signals, size_t scope, const struct pmuv3_pin *pin,
                       struct parts *parts, bool *is_element) {
  const char *leaf;
  char element[MAX_LEAF];
  *parts = (struct parts){.count = 0};
  *is_element = false;
  scope = scope_of(signals, scope, pin->name, &leaf);
  if (scope == NONE) return false;
  find_called(signals, scope, leaf, parts, false);
  if (parts->count == 0 && can_be_element(pin)) {
    snprintf(element, sizeof element, "%.250s[%d]", leaf, pin->msb);
    find_called(signals, scope, element, parts, true);
    *is_element = parts->count > 0;
  }
  const size_t members = struct_of(signals, scope, leaf);
  if (parts->count == 0 && members != NONE) find_members(signals, members, 0, 0, parts);
  if (parts->count == 0 && signals->scopes[scope].has_elements)
    find_elements(signals, scope, leaf, pin, parts);
  return parts->count > 0 || *parts->wrong;
}

static void add_piece(struct pieces *pieces, struct piece piece) {
  pieces->of = grown(pieces->of, pieces->count, sizeof *pieces->of);
  pieces->of[pieces->count++] = piece;
}

/* Takes bits least..most of a pin from its parts. False: not all are there. */
static bool take_parts(const struct parts *parts, size_t pin, int least, int most,
                       struct pieces *pieces) {
  int next = least; /* bit that is still missing */
  for (unsigned p = 0; next <= most && p < parts->count; p++) {
    const int lsb = parts->lsb[p], msb = lsb + (int)parts->of[p]->width - 1;
    if (lsb > next || msb < next) continue;
    const int last = msb < most ? msb : most;
    if (pieces)
      add_piece(pieces, (struct piece){pin, parts->of[p], (unsigned)(next - lsb),
                                       (unsigned)(next - least), (unsigned)(last - next + 1)});
    next = last + 1;
    p = UINT_MAX; /* parts can be in any order */
  }
  return next > most;
}

/* Whether two signals are the same bits. A recording may have a signal more than once. */
static bool are_two(const struct parts *parts) {
  for (unsigned a = 0; a < parts->count; a++)
    for (unsigned b = 0; b < a; b++)
      if (parts->lsb[a] < parts->lsb[b] + (int)parts->of[b]->width &&
          parts->lsb[b] < parts->lsb[a] + (int)parts->of[a]->width &&
          strcmp(parts->of[a]->id, parts->of[b]->id) != 0)
        return true;
  return false;
}

static void say_missing(const struct pmuv3_pin *pin, struct pmuv3_complaint *complaint) {
  complaint->line = pin->line;
  snprintf(complaint->text, sizeof complaint->text, "there is no signal \"%.250s\"", pin->name);
}

static void say_two(const struct pmuv3_pin *pin, struct pmuv3_complaint *complaint) {
  complaint->line = pin->line;
  snprintf(complaint->text, sizeof complaint->text, "there are two signals \"%.250s\"", pin->name);
}

static void say_wrong(const struct pmuv3_pin *pin, const struct parts *parts,
                      struct pmuv3_complaint *complaint) {
  complaint->line = pin->line;
  snprintf(complaint->text, sizeof complaint->text, "\"%.90s\" %s", pin->name, parts->wrong);
}

/* The words are the same where the device is compiled (glue.c). */
static void say_ascending(const struct pmuv3_pin *pin, struct pmuv3_complaint *complaint) {
  complaint->line = pin->line;
  snprintf(complaint->text, sizeof complaint->text,
           "the lowest index of \"%.150s\" is on the left; expected no bits of it", pin->name);
}

/* False: `complaint` says why, if it is not NULL. */
static bool find_pin(const struct signals *signals, size_t scope, size_t p, struct pieces *pieces,
                     struct pmuv3_complaint *complaint) {
  const struct pmuv3_pin *pin = &signals->device->pins[p];
  struct parts parts;
  struct pmuv3_complaint unsaid;
  bool is_element;
  if (!find_parts(signals, scope, pin, &parts, &is_element)) {
    if (complaint) say_missing(pin, complaint);
    return false;
  }
  if (*parts.wrong) {
    if (complaint) say_wrong(pin, &parts, complaint);
    return false;
  }
  if (complaint && are_two(&parts)) { /* else they are counted: the instance is this one */
    say_two(pin, complaint);
    return false;
  }
  const bool is_whole = pin->msb < 0 || is_element;
  if (!is_whole && parts.ascends) {
    if (complaint) say_ascending(pin, complaint);
    return false;
  }
  const int least = is_whole ? parts.least : pin->lsb, most = is_whole ? parts.most : pin->msb;
  if (!complaint) complaint = &unsaid;
  if (!pmuv3_pin_has_width(signals->device, pin, (unsigned)(most - least + 1), complaint))
    return false;
  if (take_parts(&parts, p, least, most, pieces)) return true;
  complaint->line = pin->line;
  snprintf(complaint->text, sizeof complaint->text,
           "\"%.150s\" has bits [%d:%d]; [%d:%d] are not all there", pin->name, parts.most,
           parts.least, most, least);
  return false;
}

/* ---- The instance ---- */

static size_t count_found(const struct signals *signals, size_t scope) {
  size_t found = 0;
  for (size_t p = 0; p < signals->device->num_pins; p++)
    found += find_pin(signals, scope, p, NULL, NULL);
  return found;
}

/* Says which pin the scope lacks, or has twice. */
static void expect_pins(const struct signals *signals, size_t scope) {
  char path[MAX_PATH] = "";
  struct pmuv3_complaint complaint;
  size_t p = 0;
  while (p < signals->device->num_pins && find_pin(signals, scope, p, NULL, &complaint)) p++;
  if (p == signals->device->num_pins) return;
  path_of(signals, scope, path);
  pmuv3_cli_unusable("%s:%u: '%s' in %s: %s", signals->device->file, complaint.line, path,
                     signals->file, complaint.text);
}

static void take_scope(const struct signals *signals, size_t scope, struct pieces *pieces) {
  *pieces = (struct pieces){NULL, 0};
  for (size_t p = 0; p < signals->device->num_pins; p++) find_pin(signals, scope, p, pieces, NULL);
}

static bool is_same(const struct pieces *a, const struct pieces *b) {
  if (a->count != b->count) return false;
  for (size_t i = 0; i < a->count; i++)
    if (strcmp(a->of[i].var->id, b->of[i].var->id) != 0 || a->of[i].from != b->of[i].from ||
        a->of[i].to != b->of[i].to || a->of[i].count != b->of[i].count)
      return false;
  return true;
}

_Noreturn static void ambiguous(const struct signals *signals, size_t a, size_t b) {
  char first[MAX_PATH], second[MAX_PATH];
  path_of(signals, a, first);
  path_of(signals, b, second);
  pmuv3_cli_unusable("%s: '%s' has all pins, and so has '%s'; name one of them by --scope",
                     signals->file, first, second);
}

static size_t named(const struct signals *signals, const char *scope) {
  char path[MAX_PATH];
  for (size_t s = 0; s < signals->num_scopes; s++) {
    path_of(signals, s, path);
    if (strcmp(path, scope) == 0) return s;
  }
  pmuv3_cli_unusable("--scope: %s has no instance '%s'", signals->file, scope);
}

/* Whether two scopes show the same signals. */
static bool are_same(const struct signals *signals, size_t a, size_t b) {
  struct pieces of_a, of_b;
  take_scope(signals, a, &of_a);
  take_scope(signals, b, &of_b);
  const bool same = is_same(&of_a, &of_b);
  free(of_a.of);
  free(of_b.of);
  return same;
}

/* The scope that has all pins, or if there is none most. A bench often has signals of the ports'
 * names around the device, so the innermost counts. */
static size_t only(const struct signals *signals) {
  size_t best = NONE, most = 0;
  for (size_t s = 0; s < signals->num_scopes; s++) {
    const size_t found = signals->scopes[s].num_vars ? count_found(signals, s) : 0;
    const bool is_other = most == signals->device->num_pins && found == most;
    if (is_other && !is_within(signals, s, best) && !are_same(signals, best, s))
      ambiguous(signals, best, s);
    if (found <= most && !(is_other && is_within(signals, s, best))) continue;
    most = found;
    best = s;
  }
  if (best == NONE)
    pmuv3_cli_unusable("%s: no instance has a signal of the name of a pin", signals->file);
  return best;
}

/* ---- By id ---- */

static const struct piece *first_piece(const struct signals *signals, const char *id) {
  size_t place = hash(id, strlen(id), 0) & signals->places_mask;
  for (; signals->places[place]; place = (place + 1) & signals->places_mask) {
    const struct piece *piece = &signals->pieces.of[signals->places[place] - 1];
    if (strcmp(piece->var->id, id) == 0) return piece;
  }
  return NULL;
}

static int by_id(const void *a, const void *b) {
  const struct piece *x = a, *y = b;
  return strcmp(x->var->id, y->var->id);
}

static void make_places(struct signals *signals) {
  const struct pieces *pieces = &signals->pieces;
  size_t size = 16;
  while (size < 4 * pieces->count) size *= 2;
  signals->places = calloc(size, sizeof *signals->places);
  signals->ids = calloc(pieces->count, sizeof *signals->ids);
  if (!signals->places || !signals->ids) pmuv3_cli_no_verdict("out of memory");
  signals->places_mask = size - 1;
  qsort(pieces->of, pieces->count, sizeof *pieces->of, by_id);
  for (size_t i = 0; i < pieces->count; i++) {
    const char *id = pieces->of[i].var->id;
    if (i > 0 && strcmp(pieces->of[i - 1].var->id, id) == 0) continue;
    size_t place = hash(id, strlen(id), 0) & signals->places_mask;
    while (signals->places[place]) place = (place + 1) & signals->places_mask;
    signals->places[place] = i + 1;
    signals->ids[signals->num_ids++] = id;
  }
}

struct signals *signals_find(struct wave_stream *stream, const char *file,
                             const struct pmuv3_device *device, const char *scope) {
  char path[MAX_PATH];
  struct signals *signals = calloc(1, sizeof *signals);
  if (!signals) pmuv3_cli_no_verdict("out of memory");
  signals->device = device;
  signals->file = file;
  read_header(signals, stream);
  const size_t found = scope ? named(signals, scope) : only(signals);
  expect_pins(signals, found);
  path_of(signals, found, path);
  signals->path = kept(path);
  take_scope(signals, found, &signals->pieces);
  make_places(signals);
  return signals;
}

void signals_free(struct signals *signals) {
  if (!signals) return;
  for (size_t s = 0; s < signals->num_scopes; s++) free(signals->scopes[s].name);
  for (size_t v = 0; v < signals->num_vars; v++) {
    free(signals->vars[v].id);
    free(signals->vars[v].name);
  }
  free(signals->scopes);
  free(signals->children);
  free(signals->vars);
  free(signals->path);
  free(signals->pieces.of);
  free(signals->ids);
  free(signals->places);
  free(signals);
}

const char *signals_scope(const struct signals *signals) {
  return signals->path;
}

const char *signals_timescale(const struct signals *signals) {
  return *signals->timescale ? signals->timescale : "unknown";
}

unsigned signals_width(const struct signals *signals, size_t pin) {
  unsigned width = 0;
  for (size_t i = 0; i < signals->pieces.count; i++)
    if (signals->pieces.of[i].pin == pin) width += signals->pieces.of[i].count;
  return width;
}

const char *const *signals_ids(const struct signals *signals, size_t *count) {
  *count = signals->num_ids;
  return signals->ids;
}

bool signals_have(const struct signals *signals, const char *id) {
  return first_piece(signals, id) != NULL;
}

/* ---- Values ---- */

void signals_start(const struct signals *signals, uint64_t *unknown) {
  memset(unknown, 0, signals->device->num_pins * sizeof *unknown);
  for (size_t i = 0; i < signals->pieces.count; i++) {
    const struct piece *piece = &signals->pieces.of[i];
    unknown[piece->pin] |= UINT64_MAX >> (64 - piece->count) << piece->to;
  }
}

static void take_piece(const struct piece *piece, const struct vcd_item *item, uint64_t *value,
                       uint64_t *unknown) {
  for (unsigned b = 0; b < piece->count; b++) {
    const uint64_t bit = UINT64_C(1) << (piece->to + b);
    const char level = vcd_bit(item, piece->from + b);
    *value = level == '1' ? *value | bit : *value & ~bit;
    *unknown = level == 'x' ? *unknown | bit : *unknown & ~bit;
  }
}

bool signals_take(const struct signals *signals, const struct vcd_item *item, uint64_t *values,
                  uint64_t *unknown) {
  const struct piece *piece = first_piece(signals, item->id);
  const struct piece *last = signals->pieces.of + signals->pieces.count;
  if (!piece) return false;
  for (const char *id = piece->var->id; piece < last && strcmp(piece->var->id, id) == 0; piece++) {
    if (item->num_bits > piece->var->width)
      pmuv3_cli_unusable("%s: a value of \"%s\" has more bits than the signal", signals->file,
                         piece->var->name);
    take_piece(piece, item, &values[piece->pin], &unknown[piece->pin]);
  }
  return true;
}
