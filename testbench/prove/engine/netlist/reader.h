/*
 * Reading BTOR2: the line that is read, the nodes so far, and the operations that have a value.
 */
#ifndef ENGINE_NETLIST_READER_H
#define ENGINE_NETLIST_READER_H

#include <stdio.h>

#include "engine/netlist/netlist.h"
#include "engine/term/checked.h"

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

/* ---- Lines (reader.c) ---- */

/* False, with "FILE:LINE: what" on stderr. */
__attribute__((format(printf, 2, 3))) bool reader_fail(const struct reader *reader,
                                                       const char *format, ...);

/* Steps to the next line, which getline holds in *line. At the end, or where it cannot be read,
 * returns false; reader_is_at_end tells which. */
bool reader_line(struct reader *reader, FILE *in, char **line, size_t *size);

/* False: the file could not be read to its end, and reader_fail() was called. */
bool reader_is_at_end(struct reader *reader, FILE *in);

/* Makes room for one more, where the room is always a power of two. */
void *reader_grown(void *array, size_t num, size_t size);

/* What a field says. False: it does not, and reader_fail() was called. */
bool reader_number(const struct reader *reader, const char *field, uint32_t *value);
bool reader_node(const struct reader *reader, const char *field, const struct node **node);
bool reader_width(const struct reader *reader, const char *field, uint32_t *width);
bool reader_value(const struct reader *reader, const char *field, term *value);

/* The optional name that is the last field. */
const char *reader_name_at(const struct reader *reader, size_t field);
bool reader_expect_fields(const struct reader *reader, size_t least, size_t most);

/* ---- Operations (operation.c) ---- */

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

/* NULL: it is none. */
const struct operation *operation_find(const char *name);

#endif
