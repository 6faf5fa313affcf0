#include "testbench/cosim/check/wave/signals.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/cli/cli.h"

enum { MAX_PATH = 4096, MAX_LEAF = 300, MAX_PARTS = 256 };

/* ---- What is kept of a header ---- */

struct scope {
  char *name;
  size_t parent;
  bool is_struct;             /* of a pin: its members are the pin's bits */
  bool has_elements;          /* has signals or structs of a pin whose names have an index */
  size_t first_var, num_vars; /* within the scope itself */
};

/* A signal that can be a pin's, by its name. */
struct var {
  char *id, *name; /* without its range */
  unsigned width;
  int lsb;           /* the lowest index */
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
  bool is_fst;
  struct scope *scopes;
  size_t num_scopes;
  size_t *children; /* a hash table of scopes by parent and name; NONE: free */
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
  signals->scopes[signals->num_scopes++] = (struct scope){.name = name, .parent = parent};
  if (added != ROOT) *place_of(signals, parent, name, strlen(name)) = added;
  return added;
}

static bool is_indexed(const char *name) {
  return *name && name[strlen(name) - 1] == ']';
}

/* A scope can be there twice, each time with some of its signals. */
static size_t enter(struct signals *signals, size_t parent, const struct vcd_item *item) {
  char *name = plain(item->name);
  const bool is_struct = strcmp(item->kind, "struct") == 0 &&
                         (signals->scopes[parent].is_struct || is_of_any_pin(signals, item->name));
  const size_t before = child_of(signals, parent, name, strlen(name));
  if (before != NONE) {
    free(name);
    return before;
  }
  const size_t added = add_scope(signals, parent, name);
  signals->scopes[added].is_struct = is_struct;
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
static int cut_range(char *name, unsigned width, bool *is_ascending) {
  int left = 0, right = 0;
  *is_ascending = false;
  char *bracket = strrchr(name, '[');
  if (!bracket || !vcd_range(bracket, &left, &right)) return 0;
  if (width != 1 && !strchr(bracket, ':')) return 0;
  *bracket = '\0';
  *is_ascending = left < right;
  return *is_ascending ? left : right;
}

static void add_var(struct signals *signals, size_t scope, const struct vcd_item *item) {
  char *name = plain(item->name);
  const bool is_kept = is_vector(item->kind) && item->width > 0 &&
                       (signals->scopes[scope].is_struct || is_of_any_pin(signals, name));
  if (!is_kept) {
    free(name);
    return;
  }
  bool is_ascending;
  const int lsb = cut_range(name, item->width, &is_ascending);
  signals->scopes[scope].has_elements |= is_indexed(name);
  signals->vars = grown(signals->vars, signals->num_vars, sizeof *signals->vars);
  signals->vars[signals->num_vars] = (struct var){.id = kept(item->id),
                                                  .name = name,
                                                  .width = item->width,
                                                  .lsb = lsb,
                                                  .is_ascending = is_ascending,
                                                  .scope = scope,
                                                  .order = signals->num_vars};
  signals->num_vars++;
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

static void read_header(struct signals *signals, struct wave_stream *stream) {
  struct vcd_item item;
  size_t scope = add_scope(signals, ROOT, kept(""));
  for (enum vcd_kind kind; (kind = wave_stream_next(stream, &item)) != VCD_HEADER_END;) {
    if (kind == VCD_SCOPE) scope = enter(signals, scope, &item);
    if (kind == VCD_UPSCOPE) scope = signals->scopes[scope].parent;
    if (kind == VCD_VAR) add_var(signals, scope, &item);
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
  bool is_too_many;
  int least, most; /* indexes */
};

static void add_part(struct parts *parts, const struct var *var, int lsb) {
  const int most = lsb + (int)var->width - 1;
  parts->is_too_many |= parts->count == MAX_PARTS;
  if (parts->is_too_many) return;
  if (parts->count == 0 || lsb < parts->least) parts->least = lsb;
  if (parts->count == 0 || most > parts->most) parts->most = most;
  parts->of[parts->count] = var;
  parts->lsb[parts->count++] = lsb;
}

static void find_called(const struct signals *signals, size_t scope, const char *name,
                        struct parts *parts, bool is_element) {
  const struct scope *within = &signals->scopes[scope];
  for (size_t v = within->first_var; v < within->first_var + within->num_vars; v++)
    if (strcmp(signals->vars[v].name, name) == 0)
      add_part(parts, &signals->vars[v], is_element ? 0 : signals->vars[v].lsb);
}

static bool is_within(const struct signals *signals, size_t scope, size_t outer) {
  while (scope != ROOT && scope != outer) scope = signals->scopes[scope].parent;
  return scope == outer;
}

static int last_first(const void *a, const void *b) {
  const struct var *x = *(const struct var *const *)a, *y = *(const struct var *const *)b;
  return x->order > y->order ? -1 : x->order < y->order;
}

/* The first member of a packed struct has the highest bits. Returns the bit behind them. */
static int find_members(const struct signals *signals, size_t scope, struct parts *parts, int lsb) {
  const struct var *members[MAX_PARTS];
  unsigned count = 0;
  for (size_t s = scope; s < signals->num_scopes && is_within(signals, s, scope); s++)
    for (size_t v = 0; v < signals->scopes[s].num_vars; v++) {
      parts->is_too_many |= count == MAX_PARTS;
      if (count < MAX_PARTS) members[count++] = &signals->vars[signals->scopes[s].first_var + v];
    }
  qsort(members, count, sizeof *members, last_first);
  for (unsigned m = 0; m < count; m++) {
    add_part(parts, members[m], lsb);
    lsb += (int)members[m]->width;
  }
  return lsb;
}

/* The members of a pin that is a packed struct; NONE: it is not. */
static size_t struct_of(const struct signals *signals, size_t scope, const char *name) {
  const size_t child = child_of(signals, scope, name, strlen(name));
  return child != NONE && signals->scopes[child].is_struct ? child : NONE;
}

/* An element of a packed array, from a bit on. Returns the bit behind it; 0: there is none. */
static int find_element(const struct signals *signals, size_t scope, const char *element,
                        struct parts *parts, int lsb) {
  const size_t members = struct_of(signals, scope, element);
  if (members != NONE) return signals->is_fst ? find_members(signals, members, parts, lsb) : 0;
  const struct scope *within = &signals->scopes[scope];
  for (size_t v = within->first_var; v < within->first_var + within->num_vars; v++) {
    if (strcmp(signals->vars[v].name, element) != 0) continue;
    add_part(parts, &signals->vars[v], lsb);
    return lsb + (int)signals->vars[v].width;
  }
  return 0;
}

/* A packed array by its elements: 0 is lowest. */
static void find_elements(const struct signals *signals, size_t scope, const char *name,
                          struct parts *parts) {
  char element[MAX_LEAF];
  for (int index = 0, lsb = 0; (index == 0 || lsb > 0) && !parts->is_too_many; index++) {
    snprintf(element, sizeof element, "%.250s[%d]", name, index);
    lsb = find_element(signals, scope, element, parts, lsb);
  }
}

/* Of an internal, a single index may be an element of an array. */
static bool can_be_element(const struct pmuv3_pin *pin) {
  return pmuv3_role_is_internal((enum pmuv3_role)pin->role) && pin->msb >= 0 &&
         pin->msb == pin->lsb;
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
  if (parts->count == 0 && members != NONE && signals->is_fst)
    find_members(signals, members, parts, 0);
  if (parts->count == 0 && signals->scopes[scope].has_elements)
    find_elements(signals, scope, leaf, parts);
  return parts->count > 0;
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

static bool is_struct(const struct signals *signals, size_t scope, const char *name) {
  char element[MAX_LEAF];
  snprintf(element, sizeof element, "%.250s[0]", name);
  return struct_of(signals, scope, name) != NONE || struct_of(signals, scope, element) != NONE;
}

static void say_missing(const struct signals *signals, size_t scope, const struct pmuv3_pin *pin,
                        struct pmuv3_complaint *complaint) {
  const char *leaf;
  char *text = complaint->text;
  const size_t size = sizeof complaint->text;
  complaint->line = pin->line;
  scope = scope_of(signals, scope, pin->name, &leaf);
  if (scope != NONE && is_struct(signals, scope, leaf))
    snprintf(text, size, "\"%.150s\" is a struct, whose order a VCD does not keep; use an FST",
             pin->name);
  else
    snprintf(text, size, "there is no signal \"%.250s\"", pin->name);
}

static void say_two(const struct pmuv3_pin *pin, struct pmuv3_complaint *complaint) {
  complaint->line = pin->line;
  snprintf(complaint->text, sizeof complaint->text, "there are two signals \"%.250s\"", pin->name);
}

static void say_too_many(const struct pmuv3_pin *pin, struct pmuv3_complaint *complaint) {
  complaint->line = pin->line;
  snprintf(complaint->text, sizeof complaint->text,
           "\"%.150s\" is recorded in more than %d parts; record it as a vector", pin->name,
           MAX_PARTS);
}

static bool any_ascends(const struct parts *parts) {
  for (unsigned p = 0; p < parts->count; p++)
    if (parts->of[p]->is_ascending) return true;
  return false;
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
    if (complaint) say_missing(signals, scope, pin, complaint);
    return false;
  }
  if (parts.is_too_many) {
    if (complaint) say_too_many(pin, complaint);
    return false;
  }
  if (complaint && are_two(&parts)) { /* else they are counted: the instance is this one */
    say_two(pin, complaint);
    return false;
  }
  const bool is_whole = pin->msb < 0 || is_element;
  if (!is_whole && any_ascends(&parts)) {
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
  signals->is_fst = wave_stream_is_fst(stream);
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
