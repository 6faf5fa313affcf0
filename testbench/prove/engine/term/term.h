/*
 * Terms: bit-vectors as a shared graph, in which both C and hardware are
 * written down. Equal terms are the same term: they are made once, and
 * simplified where they are made.
 *
 * A condition is a bit-vector of 1 bit. A term is a number; it and all that it
 * is made of stay for as long as the process. Terms are made in the order of
 * their numbers, arguments first.
 */
#ifndef ENGINE_TERM_TERM_H
#define ENGINE_TERM_TERM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
/* term_node() and struct term_node, which C tells apart. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
#endif

typedef uint32_t term;
#define TERM_NONE 0u

/* As in SMT-LIB's theory of bit-vectors. */
enum term_op {
  TERM_CONST,
  TERM_VAR,
  TERM_NOT,
  TERM_AND,
  TERM_OR,
  TERM_XOR,
  TERM_ADD,
  TERM_MUL,
  TERM_UDIV,
  TERM_UREM,
  TERM_SHL, /* by args[1], of the same width; 0 from width on */
  TERM_LSHR,
  TERM_ASHR,
  TERM_EQ,      /* 1 bit */
  TERM_ULT,     /* 1 bit */
  TERM_SLT,     /* 1 bit */
  TERM_ITE,     /* args[0], of 1 bit ? args[1] : args[2] */
  TERM_CONCAT,  /* {args[0], args[1]}: args[0] on top */
  TERM_EXTRACT, /* args[0][low + width - 1 : low] */
};

struct term_node {
  uint8_t op;     /* enum term_op */
  uint8_t flags;  /* the terms' own */
  uint32_t width; /* 1 or more: up to some ten thousand */
  uint32_t low;   /* EXTRACT */
  term args[3];
};

/* ---- Made. Arguments have the widths that the operation asks for. ---- */

term term_const(uint32_t width, uint64_t value);              /* zero-extended or truncated */
term term_const_words(uint32_t width, const uint64_t *words); /* the lowest first */
term term_var(uint32_t width, const char *name);              /* the one of this name */
term term_fresh(uint32_t width, const char *stem);            /* a new one: "stem!<number>" */
term term_not(term a);
term term_neg(term a);
term term_and(term a, term b);
term term_or(term a, term b);
term term_xor(term a, term b);
term term_add(term a, term b);
term term_sub(term a, term b);
term term_mul(term a, term b);
term term_udiv(term a, term b);
term term_urem(term a, term b);
term term_shl(term a, term b);
term term_lshr(term a, term b);
term term_ashr(term a, term b);
term term_eq(term a, term b);
term term_ult(term a, term b);
term term_ule(term a, term b);
term term_slt(term a, term b);
term term_sle(term a, term b);
term term_ite(term condition, term a, term b);
term term_concat(term high, term low);
term term_extract(term a, uint32_t low, uint32_t width);
term term_zext(term a, uint32_t width); /* a itself where it is as wide */
term term_sext(term a, uint32_t width);
term term_implies(term a, term b);
term term_any(term a); /* 1 bit: not 0 */

#define TERM_FALSE term_const(1, 0)
#define TERM_TRUE term_const(1, 1)

/* ---- Looked at ---- */

const struct term_node *term_node(term a); /* valid until the next term is made */
uint32_t term_width(term a);
const char *term_name(term a);               /* of a VAR */
bool term_is_const(term a, uint64_t *value); /* of at most 64 bits */
bool term_is_true(term a);
bool term_is_false(term a);
uint64_t term_max(term a);   /* no value of it, of at most 64 bits, is larger: from its structure */
size_t term_num_fresh(void); /* that were made */
const uint64_t *term_words(term constant); /* of a CONST, the lowest first */
size_t term_count(void);                   /* that there are */

/* ---- Walked ---- */

/* Calls visit once with each term that the roots are made of, themselves too, arguments first. */
void term_walk(const term *roots, size_t num_roots, void (*visit)(term a, void *with), void *with);

/* Whether a variable is among what a term is made of. TERM_NONE is in none. */
bool term_depends_on(term a, term variable);

/* ---- Put in place of others ---- */

/* A map from terms, mostly variables, to what takes their place. */
struct term_map;
struct term_map *term_map_new(void);
void term_map_free(struct term_map *map);
void term_map_put(struct term_map *map, term from, term to);

/* The term with everything replaced, simplified again. What was done for one term is kept in the
 * map for the next ones; put again after that only in a new map. */
term term_replace(term a, struct term_map *map);

/* ---- Values ---- */

/* Values of all terms under an assignment of the variables, which are asked for once each: `value`
 * fills the words, of which there are enough for the width, the lowest first. */
struct term_values;
struct term_values *term_values_new(void (*value)(term var, uint64_t *words, void *with),
                                    void *with);
void term_values_free(struct term_values *values);
const uint64_t *term_value(struct term_values *values, term a);

#ifdef __cplusplus
#pragma GCC diagnostic pop
}
#endif

#endif
