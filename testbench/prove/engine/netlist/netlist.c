/* BTOR2: a node a line, of the nodes above it. What write_btor makes of a module without properties
 * and memories is read; that is its combinational operations, inputs, states and outputs. */
#include "engine/netlist/netlist.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_FIELDS = 6 };

struct node {
  uint32_t sort; /* of a sort: its width; 0: it is none */
  term value;    /* of what has a value; TERM_NONE: it has none */
  size_t state;  /* of a state: 1 + where it is among the netlist's */
};

/* A name of bits of a node that are to be cut. */
struct alias {
  uint32_t node, low, width;
  char *name;
};

/* What a node is before it is read. A slice or a concatenation passes on bits of others. */
struct outline {
  uint32_t width;
  uint32_t parts[2]; /* the lower one first; 0: none */
  uint32_t low;      /* in parts[0] */
};

struct reader {
  const char *file, *prefix;
  unsigned line;
  char *fields[MAX_FIELDS]; /* of the line, without its comment */
  size_t num_fields;
  uint32_t id;
  struct node *nodes;
  size_t num_nodes;
  struct outline *outlines;
  size_t num_outlines;
  struct alias *aliases;
  size_t num_aliases;
  struct netlist *netlist;
};

/* ---- Errors ---- */

__attribute__((format(printf, 2, 3))) static bool fail(const struct reader *reader,
                                                       const char *format, ...) {
  va_list arguments;
  fprintf(stderr, "%s:%u: ", reader->file, reader->line);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  return false;
}

static void *checked(void *memory) {
  if (memory) return memory;
  fputs("netlist: out of memory\n", stderr);
  exit(3); /* no verdict */
}

/* Makes room for one more, where the room is always a power of two. */
static void *grown(void *array, size_t num, size_t size) {
  if (num & (num - 1)) return array;
  return checked(realloc(array, (num ? 2 * num : 1) * size));
}

/* ---- Fields ---- */

static bool number(const struct reader *reader, const char *field, uint32_t *value) {
  char *end;
  errno = 0;
  *value = 0; /* gcc does not see that fail() is false */
  const unsigned long read = strtoul(field, &end, 10);
  if (field[0] < '0' || field[0] > '9' || *end || errno || read > UINT32_MAX / 2)
    return fail(reader, "%s: expected a number", field);
  *value = (uint32_t)read;
  return true;
}

/* A node of a line above. */
static bool node(const struct reader *reader, const char *field, const struct node **node) {
  uint32_t id;
  if (!number(reader, field, &id)) return false;
  *node = id < reader->num_nodes ? &reader->nodes[id] : NULL;
  return *node || fail(reader, "%s: unknown node", field);
}

static bool width(const struct reader *reader, const char *field, uint32_t *width) {
  const struct node *sort;
  if (!node(reader, field, &sort)) return false;
  *width = sort->sort;
  return *width || fail(reader, "%s: expected a sort", field);
}

static bool value(const struct reader *reader, const char *field, term *value) {
  const struct node *of;
  if (!node(reader, field, &of)) return false;
  *value = of->value;
  return *value != TERM_NONE || fail(reader, "%s: expected a node with a value", field);
}

/* The optional name that is the last field. */
static const char *name_at(const struct reader *reader, size_t field) {
  return field < reader->num_fields ? reader->fields[field] : NULL;
}

static bool expect_fields(const struct reader *reader, size_t least, size_t most) {
  return (reader->num_fields >= least && reader->num_fields <= most) ||
         fail(reader, "%s: %zu fields, expected %zu to %zu", reader->fields[1], reader->num_fields,
              least, most);
}

/* ---- Operations ---- */

static term redand(term a) {
  return term_not(term_any(term_not(a)));
}

/* The halves together, until there is one bit. */
static term redxor(term a) {
  for (uint32_t width = term_width(a); width > 1; width = term_width(a)) {
    const uint32_t half = (width + 1) / 2;
    a = term_xor(term_extract(a, 0, half), term_zext(term_extract(a, half, width - half), half));
  }
  return a;
}

static term inc(term a) {
  return term_add(a, term_const(term_width(a), 1));
}

static term dec(term a) {
  return term_sub(a, term_const(term_width(a), 1));
}

static term nand(term a, term b) {
  return term_not(term_and(a, b));
}

static term nor(term a, term b) {
  return term_not(term_or(a, b));
}

static term xnor(term a, term b) {
  return term_not(term_xor(a, b));
}

static term neq(term a, term b) {
  return term_not(term_eq(a, b));
}

static term ugt(term a, term b) {
  return term_ult(b, a);
}

static term ugte(term a, term b) {
  return term_ule(b, a);
}

static term sgt(term a, term b) {
  return term_slt(b, a);
}

static term sgte(term a, term b) {
  return term_sle(b, a);
}

/* How a line is read: that of a value, whose sort has so many bits. */
struct operation {
  const char *name;
  bool (*read)(const struct reader *reader, const struct operation *operation, uint32_t bits,
               term *result);
  term (*unary)(term a);
  term (*binary)(term a, term b);
  term (*extend)(term a, uint32_t width);
  unsigned base; /* of digits */
};

/* ID OP SORT A */
static bool read_unary(const struct reader *reader, const struct operation *operation,
                       uint32_t bits, term *result) {
  (void)bits;
  term a;
  if (!expect_fields(reader, 4, 5) || !value(reader, reader->fields[3], &a)) return false;
  *result = operation->unary(a);
  return true;
}

/* ID OP SORT A B */
static bool read_two(const struct reader *reader, term *a, term *b) {
  return expect_fields(reader, 5, 6) && value(reader, reader->fields[3], a) &&
         value(reader, reader->fields[4], b);
}

static bool read_binary(const struct reader *reader, const struct operation *operation,
                        uint32_t bits, term *result) {
  (void)bits;
  term a, b;
  if (!read_two(reader, &a, &b)) return false;
  if (term_width(a) != term_width(b))
    return fail(reader, "%s: of %u and %u bits", operation->name, term_width(a), term_width(b));
  *result = operation->binary(a, b);
  return true;
}

/* Of conditions. */
static bool read_logical(const struct reader *reader, const struct operation *operation,
                         uint32_t bits, term *result) {
  (void)bits;
  term a, b;
  if (!read_two(reader, &a, &b)) return false;
  if (term_width(a) != 1 || term_width(b) != 1)
    return fail(reader, "%s: of several bits", operation->name);
  *result = operation->binary(a, b);
  return true;
}

static bool read_concat(const struct reader *reader, const struct operation *operation,
                        uint32_t bits, term *result) {
  (void)operation, (void)bits;
  term a, b;
  if (!read_two(reader, &a, &b)) return false;
  *result = term_concat(a, b);
  return true;
}

/* ID ite SORT CONDITION A B */
static bool read_ite(const struct reader *reader, const struct operation *operation, uint32_t bits,
                     term *result) {
  (void)operation, (void)bits;
  term condition, a, b;
  if (!expect_fields(reader, 6, 6) || !value(reader, reader->fields[3], &condition) ||
      !value(reader, reader->fields[4], &a) || !value(reader, reader->fields[5], &b))
    return false;
  if (term_width(condition) != 1 || term_width(a) != term_width(b))
    return fail(reader, "ite: of %u, %u and %u bits", term_width(condition), term_width(a),
                term_width(b));
  *result = term_ite(condition, a, b);
  return true;
}

/* ID slice SORT A HIGH LOW */
static bool read_slice(const struct reader *reader, const struct operation *operation,
                       uint32_t bits, term *result) {
  (void)operation, (void)bits;
  term a;
  uint32_t high, low;
  if (!expect_fields(reader, 6, 6) || !value(reader, reader->fields[3], &a) ||
      !number(reader, reader->fields[4], &high) || !number(reader, reader->fields[5], &low))
    return false;
  if (low > high || high >= term_width(a))
    return fail(reader, "slice: [%u:%u] of %u bits", high, low, term_width(a));
  *result = term_extract(a, low, high - low + 1);
  return true;
}

/* ID uext SORT A BY: Yosys gives values further names by BY = 0. */
static bool read_extension(const struct reader *reader, const struct operation *operation,
                           uint32_t bits, term *result) {
  term a;
  uint32_t by;
  if (!expect_fields(reader, 5, 6) || !value(reader, reader->fields[3], &a) ||
      !number(reader, reader->fields[4], &by))
    return false;
  if (term_width(a) + by != bits)
    return fail(reader, "%s: %u and %u bits, its sort has %u", operation->name, term_width(a), by,
                bits);
  *result = operation->extend(a, bits);
  return true;
}

static bool digit_of(char character, unsigned base, unsigned *digit) {
  static const char digits[] = "0123456789abcdef";
  const char lower =
      (char)(character >= 'A' && character <= 'F' ? character - 'A' + 'a' : character);
  const char *at = memchr(digits, lower, base);
  *digit = at ? (unsigned)(at - digits) : 0;
  return at != NULL;
}

/* words = words * base + digit. Whether it fits. */
static bool append_digit(uint64_t *words, size_t num_words, unsigned base, unsigned digit) {
  uint64_t carry = digit;
  for (size_t i = 0; i < num_words; i++) {
    const uint64_t low = (words[i] & UINT32_MAX) * base + carry;
    const uint64_t high = (words[i] >> 32) * base + (low >> 32);
    words[i] = high << 32 | (low & UINT32_MAX);
    carry = high >> 32;
  }
  return carry == 0;
}

/* ID const SORT DIGITS */
static bool read_digits(const struct reader *reader, const struct operation *operation,
                        uint32_t bits, term *result) {
  if (!expect_fields(reader, 4, 5)) return false;
  const char *digits = reader->fields[3];
  const size_t num_words = (bits + 63) / 64;
  uint64_t *words = checked(calloc(num_words, sizeof *words));
  bool is_good = true;
  for (const char *at = digits; is_good && *at; at++) {
    unsigned digit;
    is_good = digit_of(*at, operation->base, &digit) &&
              append_digit(words, num_words, operation->base, digit);
  }
  if (bits % 64) is_good = is_good && words[num_words - 1] >> bits % 64 == 0;
  if (is_good) *result = term_const_words(bits, words);
  free(words);
  return is_good || fail(reader, "%s: expected a constant of %u bits", digits, bits);
}

/* ID zero SORT: the operation on 0. */
static bool read_constant(const struct reader *reader, const struct operation *operation,
                          uint32_t bits, term *result) {
  if (!expect_fields(reader, 3, 4)) return false;
  *result = operation->unary(term_const(bits, 0));
  return true;
}

static term same(term a) {
  return a;
}

#define UNARY(name, make) \
  { name, read_unary, make, NULL, NULL, 0 }
#define BINARY(name, make) \
  { name, read_binary, NULL, make, NULL, 0 }
#define LOGICAL(name, make) \
  { name, read_logical, NULL, make, NULL, 0 }
#define EXTENSION(name, make) \
  { name, read_extension, NULL, NULL, make, 0 }
#define DIGITS(name, base) \
  { name, read_digits, NULL, NULL, NULL, base }
#define CONSTANT(name, make) \
  { name, read_constant, make, NULL, NULL, 0 }
#define OTHER(name, read) \
  { name, read, NULL, NULL, NULL, 0 }
static const struct operation operations[] = {
    OTHER("ite", read_ite),
    OTHER("slice", read_slice),
    OTHER("concat", read_concat),
    EXTENSION("uext", term_zext),
    EXTENSION("sext", term_sext),
    DIGITS("const", 2),
    DIGITS("constd", 10),
    DIGITS("consth", 16),
    CONSTANT("zero", same),
    CONSTANT("one", inc),
    CONSTANT("ones", term_not),
    UNARY("not", term_not),
    UNARY("neg", term_neg),
    UNARY("inc", inc),
    UNARY("dec", dec),
    UNARY("redor", term_any),
    UNARY("redand", redand),
    UNARY("redxor", redxor),
    BINARY("and", term_and),
    BINARY("or", term_or),
    BINARY("xor", term_xor),
    BINARY("nand", nand),
    BINARY("nor", nor),
    BINARY("xnor", xnor),
    BINARY("add", term_add),
    BINARY("sub", term_sub),
    BINARY("mul", term_mul),
    BINARY("udiv", term_udiv),
    BINARY("urem", term_urem),
    BINARY("sll", term_shl),
    BINARY("srl", term_lshr),
    BINARY("sra", term_ashr),
    BINARY("eq", term_eq),
    BINARY("neq", neq),
    BINARY("ult", term_ult),
    BINARY("ulte", term_ule),
    BINARY("ugt", ugt),
    BINARY("ugte", ugte),
    BINARY("slt", term_slt),
    BINARY("slte", term_sle),
    BINARY("sgt", sgt),
    BINARY("sgte", sgte),
    LOGICAL("implies", term_implies),
    LOGICAL("iff", term_eq),
};

static const struct operation *find_operation(const char *name) {
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    if (!strcmp(name, operations[i].name)) return &operations[i];
  return NULL;
}

/* ---- Lines ---- */

static term variable(const struct reader *reader, uint32_t bits, const char *name) {
  const size_t size = strlen(reader->prefix) + strlen(name) + 1;
  char *full = checked(malloc(size));
  snprintf(full, size, "%s%s", reader->prefix, name);
  const term made = term_var(bits, full);
  free(full);
  return made;
}

static void add_cut(struct netlist *netlist, const char *name, term value, term driven) {
  netlist->cuts = grown(netlist->cuts, netlist->num_cuts, sizeof *netlist->cuts);
  netlist->cuts[netlist->num_cuts++] = (struct netlist_cut){checked(strdup(name)), value, driven};
}

/* A value of which the bits that are to be cut are a variable. */
static term cut_bits(struct reader *reader, const struct alias *alias, term value) {
  const uint32_t end = alias->low + alias->width, width = term_width(value);
  const term any = variable(reader, alias->width, alias->name);
  const term driven = term_extract(value, alias->low, alias->width);
  add_cut(reader->netlist, alias->name, any, driven);
  term all = any;
  if (alias->low > 0) all = term_concat(all, term_extract(value, 0, alias->low));
  if (end < width) all = term_concat(term_extract(value, end, width - end), all);
  return all;
}

static bool overlap(const struct alias *a, const struct alias *b) {
  return a->node == b->node && a->low < b->low + b->width && b->low < a->low + a->width;
}

/* The one that was cut before, and overlaps. NULL: there is none. */
static const struct alias *cut_before(const struct reader *reader, const struct alias *alias) {
  for (const struct alias *before = reader->aliases; before < alias; before++)
    if (overlap(alias, before)) return before;
  return NULL;
}

/* Two signals may be one: the variable is called by both names. */
static bool call_it_too(struct reader *reader, const struct alias *before,
                        const struct alias *alias) {
  if (before->low != alias->low || before->width != alias->width)
    return fail(reader, "%s and %s are to be cut, and overlap", before->name, alias->name);
  const struct netlist *netlist = reader->netlist;
  size_t c = 0; /* they are not sorted yet */
  while (strcmp(netlist->cuts[c].name, before->name) != 0) c++;
  add_cut(reader->netlist, alias->name, netlist->cuts[c].value, netlist->cuts[c].driven);
  return true;
}

/* What is made of the node is made of variables, where it is to be cut. */
static bool cut(struct reader *reader, struct node *node) {
  const struct alias *aliases = reader->aliases;
  for (size_t a = 0; a < reader->num_aliases; a++) {
    if (aliases[a].node != reader->id) continue;
    const struct alias *before = cut_before(reader, &aliases[a]);
    if (before != NULL) {
      if (!call_it_too(reader, before, &aliases[a])) return false;
      continue;
    }
    if (aliases[a].low + aliases[a].width > term_width(node->value))
      return fail(reader, "%s: more bits than there are", aliases[a].name);
    node->value = cut_bits(reader, &aliases[a], node->value);
  }
  return true;
}

/* ID OP SORT ... */
static bool add_value(struct reader *reader) {
  uint32_t bits;
  term result = TERM_NONE;
  const struct operation *operation = find_operation(reader->fields[1]);
  if (!operation) return fail(reader, "%s: unknown node", reader->fields[1]);
  if (!expect_fields(reader, 3, MAX_FIELDS) || !width(reader, reader->fields[2], &bits) ||
      !operation->read(reader, operation, bits, &result))
    return false;
  if (term_width(result) != bits)
    return fail(reader, "%s: %u bits, its sort has %u", operation->name, term_width(result), bits);
  reader->nodes[reader->id].value = result;
  return cut(reader, &reader->nodes[reader->id]);
}

/* ID sort bitvec WIDTH */
static bool add_sort(struct reader *reader) {
  if (!expect_fields(reader, 4, 5)) return false;
  if (strcmp(reader->fields[2], "bitvec"))
    return fail(reader, "%s: expected bitvec", reader->fields[2]);
  uint32_t *sort = &reader->nodes[reader->id].sort;
  if (!number(reader, reader->fields[3], sort)) return false;
  return *sort || fail(reader, "a sort of no bits");
}

static void add_signal(struct netlist_signal **signals, size_t *num, const char *name, term value) {
  *signals = grown(*signals, *num, sizeof **signals);
  (*signals)[(*num)++] = (struct netlist_signal){checked(strdup(name)), value};
}

/* ID input SORT NAME, ID state SORT NAME */
static bool add_variable(struct reader *reader, bool is_state) {
  uint32_t bits;
  struct netlist *netlist = reader->netlist;
  const char *name = name_at(reader, 3);
  if (!expect_fields(reader, 3, 4) || !width(reader, reader->fields[2], &bits)) return false;
  if (!name) return fail(reader, "%s: it has no name", reader->fields[1]);
  const term made = variable(reader, bits, name);
  reader->nodes[reader->id].value = made;
  if (!is_state) {
    add_signal(&netlist->inputs, &netlist->num_inputs, name, made);
    return true;
  }
  netlist->states = grown(netlist->states, netlist->num_states, sizeof *netlist->states);
  netlist->states[netlist->num_states++] =
      (struct netlist_state){checked(strdup(name)), made, TERM_NONE};
  reader->nodes[reader->id].state = netlist->num_states;
  return true;
}

/* ID next SORT STATE VALUE */
static bool add_next(struct reader *reader) {
  const struct node *of;
  term next;
  if (!expect_fields(reader, 5, 6) || !node(reader, reader->fields[3], &of) ||
      !value(reader, reader->fields[4], &next))
    return false;
  if (!of->state) return fail(reader, "%s: expected a state", reader->fields[3]);
  struct netlist_state *state = &reader->netlist->states[of->state - 1];
  if (state->next != TERM_NONE) return fail(reader, "%s: another next value", state->name);
  if (term_width(next) != term_width(state->value))
    return fail(reader, "%s: a next value of %u bits for %u", state->name, term_width(next),
                term_width(state->value));
  state->next = next;
  return true;
}

/* ID output VALUE NAME */
static bool add_output(struct reader *reader) {
  term of;
  struct netlist *netlist = reader->netlist;
  if (!expect_fields(reader, 3, 4) || !value(reader, reader->fields[2], &of)) return false;
  if (!name_at(reader, 3)) return fail(reader, "output: it has no name");
  add_signal(&netlist->outputs, &netlist->num_outputs, reader->fields[3], of);
  return true;
}

static bool add_node(struct reader *reader) {
  const char *op = reader->fields[1];
  if (!strcmp(op, "sort")) return add_sort(reader);
  if (!strcmp(op, "input")) return add_variable(reader, false);
  if (!strcmp(op, "state")) return add_variable(reader, true);
  if (!strcmp(op, "next")) return add_next(reader);
  if (!strcmp(op, "output")) return add_output(reader);
  return add_value(reader);
}

/* Nodes come in the order of their numbers, which may leave some out. */
static bool number_node(struct reader *reader) {
  if (!number(reader, reader->fields[0], &reader->id)) return false;
  if (reader->id == 0 || reader->id < reader->num_nodes)
    return fail(reader, "%u: expected a node number above %zu", reader->id, reader->num_nodes);
  if (reader->id > reader->num_nodes + 1000000)
    return fail(reader, "%u: expected a node number near %zu", reader->id, reader->num_nodes);
  while (reader->num_nodes <= reader->id) {
    reader->nodes = grown(reader->nodes, reader->num_nodes, sizeof *reader->nodes);
    reader->nodes[reader->num_nodes++] = (struct node){0, TERM_NONE, 0};
  }
  return true;
}

/* Into fields; of more than there may be, the last one more. */
static void split(struct reader *reader, char *line) {
  char *place = NULL;
  reader->num_fields = 0;
  for (char *field = strtok_r(line, " \t\r\n", &place); field && field[0] != ';';
       field = strtok_r(NULL, " \t\r\n", &place)) {
    if (reader->num_fields < MAX_FIELDS) reader->fields[reader->num_fields] = field;
    reader->num_fields++;
  }
}

/* Operations may have a name behind them, which is one of several of the same value: ignored. */
static bool read_line(struct reader *reader, char *line) {
  split(reader, line);
  if (reader->num_fields == 0) return true;
  if (reader->num_fields == 1) return fail(reader, "%s: expected a node", reader->fields[0]);
  if (reader->num_fields > MAX_FIELDS) {
    if (reader->num_fields > MAX_FIELDS + 1) return fail(reader, "too many fields");
    reader->num_fields = MAX_FIELDS; /* ite and slice with a name */
  }
  return number_node(reader) && add_node(reader);
}

static bool read_lines(struct reader *reader, FILE *in) {
  char *line = NULL;
  size_t size = 0;
  bool is_good = true;
  while (is_good && getline(&line, &size, in) >= 0) {
    reader->line++;
    is_good = read_line(reader, line);
  }
  if (is_good && ferror(in)) is_good = fail(reader, "%s", strerror(errno));
  free(line);
  return is_good;
}

/* ---- Cuts ---- */

/* A field that is a node's number, below `limit`; 0: it is none. */
static uint32_t field_node(const struct reader *reader, size_t field, size_t limit) {
  if (field >= reader->num_fields) return 0;
  const unsigned long id = strtoul(reader->fields[field], NULL, 10);
  return id < limit ? (uint32_t)id : 0;
}

/* A sort has its own width, another node that of its sort. What is wrong is seen when it is read.
 */
static void add_outline(struct reader *reader) {
  const uint32_t id = field_node(reader, 0, reader->num_outlines + 1000000);
  while (reader->num_outlines <= id) {
    reader->outlines = grown(reader->outlines, reader->num_outlines, sizeof *reader->outlines);
    reader->outlines[reader->num_outlines++] = (struct outline){0};
  }
  struct outline *outline = &reader->outlines[id];
  const char *op = reader->fields[1];
  if (!strcmp(op, "sort"))
    outline->width = field_node(reader, 3, UINT32_MAX);
  else
    outline->width = reader->outlines[field_node(reader, 2, id)].width;
  if (!strcmp(op, "concat")) {
    outline->parts[0] = field_node(reader, 4, id);
    outline->parts[1] = field_node(reader, 3, id);
  } else if (!strcmp(op, "slice")) {
    outline->parts[0] = field_node(reader, 3, id);
    outline->low = field_node(reader, 5, UINT32_MAX);
  }
}

/* Where a bit of a node is made. */
static struct alias made_at(const struct reader *reader, uint32_t node, uint32_t bit) {
  for (;;) {
    const struct outline *outline = &reader->outlines[node];
    if (outline->parts[0] == 0) return (struct alias){node, bit, 1, NULL};
    const uint32_t lower = reader->outlines[outline->parts[0]].width;
    const bool is_upper = outline->parts[1] != 0 && bit >= lower;
    bit = is_upper ? bit - lower : bit + outline->low;
    node = outline->parts[is_upper];
  }
}

/* Bits are cut where they are made: what uses them may have them from there. What is made in pieces
 * are NAME[0], ..., by where they begin. */
static void add_alias(struct reader *reader, uint32_t node, const char *name) {
  const uint32_t width = reader->outlines[node].width;
  for (uint32_t bit = 0, next; bit < width; bit = next) {
    struct alias piece = made_at(reader, node, bit);
    for (next = bit + 1; next < width; next++, piece.width++) {
      const struct alias one = made_at(reader, node, next);
      if (one.node != piece.node || one.low != piece.low + piece.width) break;
    }
    const size_t size = strlen(name) + sizeof "[4294967295]";
    piece.name = checked(malloc(size));
    snprintf(piece.name, size, piece.width == width ? "%s" : "%s[%u]", name, bit);
    reader->aliases = grown(reader->aliases, reader->num_aliases, sizeof *reader->aliases);
    reader->aliases[reader->num_aliases++] = piece;
  }
}

/* Names come after the nodes that they are of: "ID uext SORT NODE 0 NAME", "ID output NODE NAME".
 */
static void find_alias(struct reader *reader, netlist_is_cut *is_cut, void *with) {
  const bool is_output = !strcmp(reader->fields[1], "output");
  const bool is_alias = !strcmp(reader->fields[1], "uext") && reader->num_fields > 5 &&
                        !strcmp(reader->fields[4], "0");
  if (!is_output && !is_alias) return;
  const char *name = name_at(reader, is_output ? 3 : 5);
  if (name && is_cut(name, with))
    add_alias(reader, field_node(reader, is_output ? 2 : 3, reader->num_outlines), name);
}

static void find_aliases(struct reader *reader, FILE *in, netlist_is_cut *is_cut, void *with) {
  char *line = NULL;
  size_t size = 0;
  while (getline(&line, &size, in) >= 0) {
    split(reader, line);
    if (reader->num_fields < 2) continue;
    add_outline(reader);
    find_alias(reader, is_cut, with);
  }
  free(line);
  rewind(in);
}

static void free_aliases(struct reader *reader) {
  for (size_t a = 0; a < reader->num_aliases; a++) free(reader->aliases[a].name);
  free(reader->aliases);
  free(reader->outlines);
}

/* ---- The netlist ---- */

/* Signals and states both begin with their names. */
static int by_name(const void *a, const void *b) {
  const char *const *left = a, *const *right = b;
  return strcmp(*left, *right);
}

/* Sorts them. A name of two would be one variable. */
static bool sort_names(const struct reader *reader, void *array, size_t num, size_t size) {
  if (num) qsort(array, num, size, by_name);
  for (size_t i = 1; i < num; i++) {
    const char *const *name = (const char *const *)(const void *)((const char *)array + i * size);
    if (!by_name((const char *)array + (i - 1) * size, name))
      return fail(reader, "%s: two of this name", *name);
  }
  return true;
}

static bool finish(const struct reader *reader) {
  struct netlist *netlist = reader->netlist;
  if (!sort_names(reader, netlist->inputs, netlist->num_inputs, sizeof *netlist->inputs) ||
      !sort_names(reader, netlist->states, netlist->num_states, sizeof *netlist->states) ||
      !sort_names(reader, netlist->outputs, netlist->num_outputs, sizeof *netlist->outputs) ||
      !sort_names(reader, netlist->cuts, netlist->num_cuts, sizeof *netlist->cuts))
    return false;
  for (size_t i = 0; i < netlist->num_states; i++) {
    const struct netlist_state *state = &netlist->states[i];
    if (state->next == TERM_NONE) return fail(reader, "%s: it has no next value", state->name);
    if (netlist_input(netlist, state->name))
      return fail(reader, "%s: an input and a state", state->name);
  }
  return true;
}

struct netlist *netlist_read(const char *file, const char *prefix, netlist_is_cut *is_cut,
                             void *with) {
  struct netlist *netlist = checked(calloc(1, sizeof *netlist));
  struct reader reader = {.file = file, .prefix = prefix, .netlist = netlist};
  FILE *in = fopen(file, "r");
  if (in && is_cut) find_aliases(&reader, in, is_cut, with);
  bool is_good = in ? read_lines(&reader, in) && finish(&reader) : false;
  if (in)
    fclose(in);
  else
    fprintf(stderr, "%s: %s\n", file, strerror(errno));
  free(reader.nodes);
  free_aliases(&reader);
  if (is_good) return netlist;
  netlist_free(netlist);
  return NULL;
}

static void free_signals(struct netlist_signal *signals, size_t num) {
  for (size_t i = 0; i < num; i++) free(signals[i].name);
  free(signals);
}

void netlist_free(struct netlist *netlist) {
  if (!netlist) return;
  free_signals(netlist->inputs, netlist->num_inputs);
  free_signals(netlist->outputs, netlist->num_outputs);
  for (size_t i = 0; i < netlist->num_states; i++) free(netlist->states[i].name);
  for (size_t i = 0; i < netlist->num_cuts; i++) free(netlist->cuts[i].name);
  free(netlist->states);
  free(netlist->cuts);
  free(netlist);
}

static const void *find(const char *name, const void *array, size_t num, size_t size) {
  return num ? bsearch(&name, array, num, size, by_name) : NULL;
}

const struct netlist_signal *netlist_input(const struct netlist *netlist, const char *name) {
  return find(name, netlist->inputs, netlist->num_inputs, sizeof *netlist->inputs);
}

const struct netlist_signal *netlist_output(const struct netlist *netlist, const char *name) {
  return find(name, netlist->outputs, netlist->num_outputs, sizeof *netlist->outputs);
}

const struct netlist_state *netlist_state(const struct netlist *netlist, const char *name) {
  return find(name, netlist->states, netlist->num_states, sizeof *netlist->states);
}

const struct netlist_cut *netlist_cut(const struct netlist *netlist, const char *name) {
  return find(name, netlist->cuts, netlist->num_cuts, sizeof *netlist->cuts);
}
