/* BTOR2: a node a line, of the nodes above it. What write_btor makes of a module without properties
 * and memories is read; that is its combinational operations, inputs, states and outputs. */
#include "engine/netlist/netlist.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/netlist/reader.h"

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
  netlist->cuts = reader_grown(netlist->cuts, netlist->num_cuts, sizeof *netlist->cuts);
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
    return reader_fail(reader, "%s and %s are to be cut, and overlap", before->name, alias->name);
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
      return reader_fail(reader, "%s: more bits than there are", aliases[a].name);
    node->value = cut_bits(reader, &aliases[a], node->value);
  }
  return true;
}

/* ID OP SORT ... */
static bool add_value(struct reader *reader) {
  uint32_t bits;
  term result = TERM_NONE;
  const struct operation *operation = operation_find(reader->fields[1]);
  if (!operation) return reader_fail(reader, "%s: unknown node", reader->fields[1]);
  if (!reader_expect_fields(reader, 3, MAX_FIELDS) ||
      !reader_width(reader, reader->fields[2], &bits) ||
      !operation->read(reader, operation, bits, &result))
    return false;
  if (term_width(result) != bits)
    return reader_fail(reader, "%s: %u bits, its sort has %u", operation->name, term_width(result),
                       bits);
  reader->nodes[reader->id].value = result;
  return cut(reader, &reader->nodes[reader->id]);
}

/* ID sort bitvec WIDTH */
static bool add_sort(struct reader *reader) {
  if (!reader_expect_fields(reader, 4, 5)) return false;
  if (strcmp(reader->fields[2], "bitvec"))
    return reader_fail(reader, "%s: expected bitvec", reader->fields[2]);
  uint32_t *sort = &reader->nodes[reader->id].sort;
  if (!reader_number(reader, reader->fields[3], sort)) return false;
  return *sort || reader_fail(reader, "a sort of no bits");
}

static void add_signal(struct netlist_signal **signals, size_t *num, const char *name, term value) {
  *signals = reader_grown(*signals, *num, sizeof **signals);
  (*signals)[(*num)++] = (struct netlist_signal){checked(strdup(name)), value};
}

/* ID input SORT NAME, ID state SORT NAME */
static bool add_variable(struct reader *reader, bool is_state) {
  uint32_t bits;
  struct netlist *netlist = reader->netlist;
  const char *name = reader_name_at(reader, 3);
  if (!reader_expect_fields(reader, 3, 4) || !reader_width(reader, reader->fields[2], &bits))
    return false;
  if (!name) return reader_fail(reader, "%s: it has no name", reader->fields[1]);
  const term made = variable(reader, bits, name);
  reader->nodes[reader->id].value = made;
  if (!is_state) {
    add_signal(&netlist->inputs, &netlist->num_inputs, name, made);
    return true;
  }
  netlist->states = reader_grown(netlist->states, netlist->num_states, sizeof *netlist->states);
  netlist->states[netlist->num_states++] =
      (struct netlist_state){checked(strdup(name)), made, TERM_NONE};
  reader->nodes[reader->id].state = netlist->num_states;
  return true;
}

/* ID next SORT STATE VALUE */
static bool add_next(struct reader *reader) {
  const struct node *of;
  term next;
  if (!reader_expect_fields(reader, 5, 6) || !reader_node(reader, reader->fields[3], &of) ||
      !reader_value(reader, reader->fields[4], &next))
    return false;
  if (!of->state) return reader_fail(reader, "%s: expected a state", reader->fields[3]);
  struct netlist_state *state = &reader->netlist->states[of->state - 1];
  if (state->next != TERM_NONE) return reader_fail(reader, "%s: another next value", state->name);
  if (term_width(next) != term_width(state->value))
    return reader_fail(reader, "%s: a next value of %u bits for %u", state->name, term_width(next),
                       term_width(state->value));
  state->next = next;
  return true;
}

/* ID output VALUE NAME */
static bool add_output(struct reader *reader) {
  term of;
  struct netlist *netlist = reader->netlist;
  if (!reader_expect_fields(reader, 3, 4) || !reader_value(reader, reader->fields[2], &of))
    return false;
  if (!reader_name_at(reader, 3)) return reader_fail(reader, "output: it has no name");
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
  if (!reader_number(reader, reader->fields[0], &reader->id)) return false;
  if (reader->id == 0 || reader->id < reader->num_nodes)
    return reader_fail(reader, "%u: expected a node number above %zu", reader->id,
                       reader->num_nodes);
  if (reader->id > reader->num_nodes + 1000000)
    return reader_fail(reader, "%u: expected a node number near %zu", reader->id,
                       reader->num_nodes);
  while (reader->num_nodes <= reader->id) {
    reader->nodes = reader_grown(reader->nodes, reader->num_nodes, sizeof *reader->nodes);
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
  if (reader->num_fields == 1) return reader_fail(reader, "%s: expected a node", reader->fields[0]);
  if (reader->num_fields > MAX_FIELDS) {
    if (reader->num_fields > MAX_FIELDS + 1) return reader_fail(reader, "too many fields");
    reader->num_fields = MAX_FIELDS; /* ite and slice with a name */
  }
  return number_node(reader) && add_node(reader);
}

static bool read_lines(struct reader *reader, FILE *in) {
  char *line = NULL;
  size_t size = 0;
  bool is_good = true;
  while (is_good && reader_line(reader, in, &line, &size)) is_good = read_line(reader, line);
  free(line);
  return is_good && reader_is_at_end(reader, in);
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
    reader->outlines =
        reader_grown(reader->outlines, reader->num_outlines, sizeof *reader->outlines);
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
    reader->aliases = reader_grown(reader->aliases, reader->num_aliases, sizeof *reader->aliases);
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
  const char *name = reader_name_at(reader, is_output ? 3 : 5);
  if (name && is_cut(name, with))
    add_alias(reader, field_node(reader, is_output ? 2 : 3, reader->num_outlines), name);
}

static bool find_aliases(struct reader *reader, FILE *in, netlist_is_cut *is_cut, void *with) {
  char *line = NULL;
  size_t size = 0;
  while (reader_line(reader, in, &line, &size)) {
    split(reader, line);
    if (reader->num_fields < 2) continue;
    add_outline(reader);
    find_alias(reader, is_cut, with);
  }
  free(line);
  if (!reader_is_at_end(reader, in)) return false;
  rewind(in);
  reader->line = 0;
  return true;
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
      return reader_fail(reader, "%s: two of this name", *name);
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
    if (state->next == TERM_NONE)
      return reader_fail(reader, "%s: it has no next value", state->name);
    if (netlist_input(netlist, state->name))
      return reader_fail(reader, "%s: an input and a state", state->name);
  }
  return true;
}

struct netlist *netlist_read(const char *file, const char *prefix, netlist_is_cut *is_cut,
                             void *with) {
  struct netlist *netlist = checked(calloc(1, sizeof *netlist));
  struct reader reader = {.file = file, .prefix = prefix, .netlist = netlist};
  FILE *in = fopen(file, "r");
  const bool has_names = in && (!is_cut || find_aliases(&reader, in, is_cut, with));
  const bool is_good = has_names && read_lines(&reader, in) && finish(&reader);
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
