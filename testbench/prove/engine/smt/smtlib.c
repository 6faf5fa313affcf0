#define _POSIX_C_SOURCE 200809L
#include "engine/smt/smtlib.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/term/checked.h"

/* Terms that are used once stand where they are used, unless that makes an expression of more
 * operations than this: solvers read nested expressions with recursion. */
enum { LARGEST_EXPRESSION = 40 };

/* What is known of a term while the assertion that it belongs to is written. */
struct use {
  uint32_t count;
  uint32_t size;  /* operations in its expression, without those of defined terms */
  uint32_t level; /* above that of all defined terms in its expression */
  bool defined;   /* by a let: it has a name */
};

struct smtlib_writer {
  struct use *uses; /* by term; all 0 between assertions */
  size_t num_uses;
  term *cone; /* the terms of the assertion, arguments first */
  size_t num_cone;
  size_t cone_capacity;
  uint32_t num_levels; /* of defined terms */
  FILE *out;
};

/* ---- Memory ---- */

static size_t words_of(term a) {
  return (term_width(a) + 63) / 64;
}

struct smtlib_writer *smtlib_writer_new(void) {
  return checked(calloc(1, sizeof(struct smtlib_writer)));
}

void smtlib_writer_free(struct smtlib_writer *writer) {
  if (!writer) return;
  free(writer->uses);
  free(writer->cone);
  free(writer);
}

void smtlib_query_free(struct smtlib_query *query) {
  if (!query) return;
  free(query->text);
  free(query->get_value);
  free(query->vars);
  free(query);
}

/* ---- The cone of an assertion ---- */

static void visit(term a, void *with) {
  struct smtlib_writer *writer = with;
  if (writer->num_cone == writer->cone_capacity) {
    writer->cone_capacity = 2 * writer->cone_capacity + 1024;
    writer->cone = checked(realloc(writer->cone, writer->cone_capacity * sizeof *writer->cone));
  }
  writer->cone[writer->num_cone++] = a;
  const struct term_node *node = term_node(a);
  for (size_t i = 0; i < 3 && node->args[i]; i++) writer->uses[node->args[i]].count++;
}

static bool is_leaf(term a) {
  uint8_t op = term_node(a)->op;
  return op == TERM_CONST || op == TERM_VAR;
}

/* What it takes from an argument, which stands in its expression or is defined before. */
static void take(struct use *use, const struct use *arg) {
  const uint32_t level = arg->defined ? arg->level + 1 : arg->level;
  if (!arg->defined) use->size += arg->size;
  if (level > use->level) use->level = level;
}

/* Which terms are used more than once, or are too large to stand where they are used. */
static void choose_defined(struct smtlib_writer *writer) {
  writer->num_levels = 0;
  for (size_t i = 0; i < writer->num_cone; i++) {
    term a = writer->cone[i];
    if (is_leaf(a)) continue;
    const struct term_node *node = term_node(a);
    struct use *use = &writer->uses[a];
    use->size = 1;
    for (size_t arg = 0; arg < 3 && node->args[arg]; arg++)
      take(use, &writer->uses[node->args[arg]]);
    use->defined = use->count > 1 || use->size > LARGEST_EXPRESSION;
    if (use->defined && use->level >= writer->num_levels) writer->num_levels = use->level + 1;
  }
}

static void find_cone(struct smtlib_writer *writer, const struct query_set *set) {
  if (writer->num_uses < term_count() + 1) {
    free(writer->uses);
    writer->num_uses = 2 * term_count() + 1;
    writer->uses = checked(calloc(writer->num_uses, sizeof *writer->uses));
  }
  size_t num_roots = 0;
  term *roots = checked(malloc((set->num_assumptions + set->num_conditions + 1) * sizeof *roots));
  for (size_t i = 0; i < set->num_assumptions; i++) roots[num_roots++] = set->assumptions[i];
  for (size_t i = 0; i < set->num_conditions; i++) roots[num_roots++] = set->conditions[i];
  for (size_t i = 0; i < num_roots; i++) writer->uses[roots[i]].count++;
  term_walk(roots, num_roots, visit, writer);
  free(roots);
  choose_defined(writer);
}

static void forget_cone(struct smtlib_writer *writer) {
  for (size_t i = 0; i < writer->num_cone; i++) writer->uses[writer->cone[i]] = (struct use){0};
  writer->num_cone = 0;
}

/* ---- Expressions ---- */

/* Solvers know a lot more about Bool than about bit-vectors of 1 bit. A term of 1 bit is a Bool if
 * it is a comparison or put together from such, else a bit-vector; what needs the other kind
 * converts it. */
enum sort { BIT_VECTOR, BOOL };

static enum sort sort_of(term a) {
  const struct term_node *node = term_node(a);
  if (node->width != 1) return BIT_VECTOR;
  switch (node->op) {
    case TERM_NOT:
    case TERM_AND:
    case TERM_OR:
    case TERM_XOR:
    case TERM_EQ:
    case TERM_ULT:
    case TERM_SLT:
    case TERM_ITE:
      return BOOL;
    default:
      return BIT_VECTOR;
  }
}

/* The name of a variable: no symbol of SMT-LIB and no definition starts like this. What a symbol
 * may not have is replaced, and the number then tells it from others. */
static void put_var(FILE *out, term var) {
  const char *name = term_name(var);
  bool plain = true;
  for (const char *c = name; *c; c++)
    if (*c < ' ' || *c > '~' || *c == '|' || *c == '\\') plain = false;
  fputs("|v", out);
  if (!plain) fprintf(out, "%" PRIu32, var);
  putc('.', out);
  for (const char *c = name; *c; c++)
    putc(*c < ' ' || *c > '~' || *c == '|' || *c == '\\' ? '?' : *c, out);
  putc('|', out);
}

static unsigned digit_of(const uint64_t *words, uint32_t low, unsigned bits) {
  return (unsigned)(words[low / 64] >> low % 64) & ((1u << bits) - 1);
}

static void put_words(FILE *out, const uint64_t *words, uint32_t width) {
  unsigned bits = width % 4 == 0 ? 4 : 1;
  fputs(bits == 4 ? "#x" : "#b", out);
  for (uint32_t left = width; left > 0; left -= bits)
    putc("0123456789abcdef"[digit_of(words, left - bits, bits)], out);
}

static void put_const(FILE *out, term a, enum sort sort) {
  const uint64_t *words = term_words(a);
  if (sort == BOOL)
    fputs(words[0] ? "true" : "false", out);
  else
    put_words(out, words, term_width(a));
}

static void put_operator(FILE *out, term a) {
  static const char *const names[] = {
      [TERM_NOT] = "bvnot",     [TERM_AND] = "bvand",   [TERM_OR] = "bvor",
      [TERM_XOR] = "bvxor",     [TERM_ADD] = "bvadd",   [TERM_MUL] = "bvmul",
      [TERM_UDIV] = "bvudiv",   [TERM_UREM] = "bvurem", [TERM_SHL] = "bvshl",
      [TERM_LSHR] = "bvlshr",   [TERM_ASHR] = "bvashr", [TERM_EQ] = "=",
      [TERM_ULT] = "bvult",     [TERM_SLT] = "bvslt",   [TERM_ITE] = "ite",
      [TERM_CONCAT] = "concat",
  };
  const struct term_node *node = term_node(a);
  if (node->op == TERM_EXTRACT) {
    fprintf(out, "(_ extract %" PRIu32 " %" PRIu32 ")", node->low + node->width - 1, node->low);
    return;
  }
  const char *name = names[node->op]; /* "not" for "bvnot" and so on */
  fputs(sort_of(a) == BOOL && node->op <= TERM_XOR ? name + 2 : name, out);
}

/* The sort in which a takes an argument. */
static enum sort argument_sort(term a, size_t i) {
  const struct term_node *node = term_node(a);
  if (node->op == TERM_ITE && i == 0) return BOOL;
  if (node->op == TERM_EQ) return term_width(node->args[0]) == 1 ? BOOL : BIT_VECTOR;
  return node->op == TERM_ULT || node->op == TERM_SLT ? BIT_VECTOR : sort_of(a);
}

static void put(const struct smtlib_writer *writer, term a, enum sort sort);

static void put_operation(const struct smtlib_writer *writer, term a) {
  const struct term_node *node = term_node(a);
  putc('(', writer->out);
  put_operator(writer->out, a);
  for (size_t i = 0; i < 3 && node->args[i]; i++) {
    putc(' ', writer->out);
    put(writer, node->args[i], argument_sort(a, i));
  }
  putc(')', writer->out);
}

static void put_in_its_sort(const struct smtlib_writer *writer, term a) {
  if (term_node(a)->op == TERM_VAR)
    put_var(writer->out, a);
  else if (writer->uses[a].defined)
    fprintf(writer->out, "t%" PRIu32, a);
  else
    put_operation(writer, a);
}

static void put(const struct smtlib_writer *writer, term a, enum sort sort) {
  bool converted = sort_of(a) != sort;
  if (term_node(a)->op == TERM_CONST) {
    put_const(writer->out, a, sort);
    return;
  }
  if (converted) fputs(sort == BOOL ? "(= #b1 " : "(ite ", writer->out);
  put_in_its_sort(writer, a);
  if (converted) fputs(sort == BOOL ? ")" : " #b1 #b0)", writer->out);
}

static void put_sort(FILE *out, term a) {
  if (sort_of(a) == BOOL)
    fputs("Bool", out);
  else
    fprintf(out, "(_ BitVec %" PRIu32 ")", term_width(a));
}

/* ---- Queries ---- */

static void put_head(FILE *out, const char *name) {
  fputs("; ", out);
  for (const char *c = name; *c; c++) putc(*c < ' ' || *c > '~' ? '?' : *c, out);
  fputs("\n; unsat: proved; sat: refuted, (get-model) after (check-sat) shows by what\n", out);
  fputs("(set-option :produce-models true)\n(set-logic QF_BV)\n", out);
}

static void put_vars(const struct smtlib_writer *writer) {
  for (size_t i = 0; i < writer->num_cone; i++) {
    term a = writer->cone[i];
    if (term_node(a)->op != TERM_VAR) continue;
    fputs("(declare-const ", writer->out);
    put_var(writer->out, a);
    putc(' ', writer->out);
    put_sort(writer->out, a);
    fputs(")\n", writer->out);
  }
}

/* The defined terms of each level. What is defined by define-fun, or each by a let of its own,
 * takes z3 a time that grows with the square of their number, or solvers a stack as deep. */
static void put_definitions(const struct smtlib_writer *writer) {
  for (uint32_t level = 0; level < writer->num_levels; level++) {
    fputs("(let (", writer->out);
    for (size_t i = 0; i < writer->num_cone; i++) {
      term a = writer->cone[i];
      const struct use *use = &writer->uses[a];
      if (!use->defined || use->level != level) continue;
      fprintf(writer->out, "(t%" PRIu32 " ", a);
      put_operation(writer, a);
      fputs(")\n", writer->out);
    }
    fputs(")\n", writer->out);
  }
}

/* That the assumptions are true and the conditions false. Their cone is the writer's. */
static void put_assertion(const struct smtlib_writer *writer, const struct query_set *set) {
  fputs("(assert\n", writer->out);
  put_definitions(writer);
  fputs("(and true", writer->out);
  for (size_t i = 0; i < set->num_assumptions; i++) {
    putc('\n', writer->out);
    put(writer, set->assumptions[i], BOOL);
  }
  for (size_t i = 0; i < set->num_conditions; i++) {
    fputs("\n(not ", writer->out);
    put(writer, set->conditions[i], BOOL);
    putc(')', writer->out);
  }
  putc(')', writer->out);
  for (uint32_t level = 0; level < writer->num_levels; level++) putc(')', writer->out);
  fputs(")\n", writer->out);
}

static void list_vars(const struct smtlib_writer *writer, struct smtlib_query *query) {
  query->vars = checked(malloc((writer->num_cone + 1) * sizeof *query->vars));
  for (size_t i = 0; i < writer->num_cone; i++)
    if (term_node(writer->cone[i])->op == TERM_VAR)
      query->vars[query->num_vars++] = writer->cone[i];
}

static char *make_get_value(const struct smtlib_query *query) {
  char *text = NULL;
  size_t size;
  FILE *out = checked(open_memstream(&text, &size));
  if (query->num_vars > 0) fputs("(get-value (", out);
  for (size_t i = 0; i < query->num_vars; i++) {
    put_var(out, query->vars[i]);
    putc('\n', out);
  }
  if (query->num_vars > 0) fputs("))\n", out);
  fclose(out);
  return checked(text);
}

void smtlib_put_values(FILE *out, const struct smtlib_query *query,
                       void (*value)(term var, uint64_t *words, void *with), void *with) {
  if (query->num_vars == 0) return;
  putc('(', out);
  for (size_t i = 0; i < query->num_vars; i++) {
    const term var = query->vars[i];
    uint64_t *words = checked(calloc(words_of(var), sizeof *words));
    value(var, words, with);
    putc('(', out);
    put_var(out, var);
    putc(' ', out);
    put_words(out, words, term_width(var));
    fputs(")\n", out);
    free(words);
  }
  fputs(")\n", out);
}

struct smtlib_query *smtlib_write(struct smtlib_writer *writer, const struct query *query) {
  struct smtlib_query *written = checked(calloc(1, sizeof *written));
  const struct query_set alone = {query->assumptions, query->num_assumptions, &query->condition, 1};
  find_cone(writer, &alone);
  writer->out = checked(open_memstream(&written->text, &written->size));
  put_head(writer->out, query->name);
  put_vars(writer);
  put_assertion(writer, &alone);
  fputs("(check-sat)\n", writer->out);
  fclose(writer->out);
  checked(written->text);
  list_vars(writer, written);
  written->get_value = make_get_value(written);
  forget_cone(writer);
  return written;
}

/* ---- Questions of one session ---- */

static void put_alone(struct smtlib_writer *writer, const struct query_set *set) {
  find_cone(writer, set);
  put_assertion(writer, set);
  forget_cone(writer);
}

/* The variables of all, and the assumptions. */
static char *write_head(struct smtlib_writer *writer, const struct query_set *set) {
  char *text = NULL;
  size_t size;
  writer->out = checked(open_memstream(&text, &size));
  fputs("(set-logic QF_BV)\n", writer->out);
  find_cone(writer, set);
  put_vars(writer);
  forget_cone(writer);
  put_alone(writer, &(struct query_set){set->assumptions, set->num_assumptions, NULL, 0});
  fclose(writer->out);
  return checked(text);
}

static char *write_question(struct smtlib_writer *writer, const term *condition) {
  char *text = NULL;
  size_t size;
  writer->out = checked(open_memstream(&text, &size));
  fputs("(push 1)\n", writer->out);
  put_alone(writer, &(struct query_set){NULL, 0, condition, 1});
  fputs("(check-sat)\n(pop 1)\n", writer->out);
  fclose(writer->out);
  return checked(text);
}

struct smtlib_set *smtlib_write_set(struct smtlib_writer *writer, const struct query_set *set) {
  struct smtlib_set *written = checked(calloc(1, sizeof *written));
  written->questions = checked(calloc(set->num_conditions + 1, sizeof *written->questions));
  written->num_questions = set->num_conditions;
  written->head = write_head(writer, set);
  for (size_t i = 0; i < set->num_conditions; i++)
    written->questions[i] = write_question(writer, &set->conditions[i]);
  return written;
}

void smtlib_set_free(struct smtlib_set *set) {
  for (size_t i = 0; i < set->num_questions; i++) free(set->questions[i]);
  free(set->questions);
  free(set->head);
  free(set);
}

/* ---- Models ---- */

struct value {
  term var;
  uint64_t *words;
};

struct smtlib_model {
  struct value *values; /* by variables, ascending */
  size_t num_values;
};

void smtlib_model_free(struct smtlib_model *model) {
  if (!model) return;
  for (size_t i = 0; i < model->num_values; i++) free(model->values[i].words);
  free(model->values);
  free(model);
}

static void skip_blanks(const char **next) {
  *next += strspn(*next, " \t\r\n");
}

static bool skip_char(const char **next, char c) {
  skip_blanks(next);
  if (**next != c) return false;
  ++*next;
  return true;
}

/* The variable's name, in which solvers leave out the bars where they can. */
static bool skip_var(const char **next, term var) {
  char *name = NULL;
  size_t size;
  FILE *out = checked(open_memstream(&name, &size));
  put_var(out, var);
  fclose(out);
  checked(name);
  skip_blanks(next);
  bool barred = **next == '|';
  const char *expected = barred ? name : name + 1;
  size_t length = barred ? size : size - 2;
  bool matches = strncmp(*next, expected, length) == 0;
  if (matches) *next += length;
  free(name);
  return matches;
}

/* Makes words = words * base + digit, modulo 2^width. False: what goes beyond that is not 0. */
static bool shift_in(uint64_t *words, uint32_t width, unsigned base, unsigned digit) {
  uint64_t carry = digit;
  size_t num_words = (width + 63) / 64;
  for (size_t i = 0; i < num_words; i++) {
    uint64_t low = (words[i] & UINT32_MAX) * base + carry;
    uint64_t high = (words[i] >> 32) * base + (low >> 32);
    words[i] = high << 32 | (low & UINT32_MAX);
    carry = high >> 32;
  }
  return carry == 0 && (width % 64 == 0 || words[num_words - 1] >> width % 64 == 0);
}

static unsigned digit_value(char c) {
  if (c >= '0' && c <= '9') return (unsigned)(c - '0');
  if (c >= 'a' && c <= 'f') return (unsigned)(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return (unsigned)(c - 'A') + 10;
  return UINT32_MAX;
}

static bool read_digits(const char **next, unsigned base, uint64_t *words, uint32_t width) {
  const char *first = *next;
  for (; digit_value(**next) < base; ++*next)
    if (!shift_in(words, width, base, digit_value(**next))) return false;
  return *next > first;
}

static bool skip_word(const char **next, const char *word) {
  skip_blanks(next);
  if (strncmp(*next, word, strlen(word)) != 0) return false;
  *next += strlen(word);
  return true;
}

/* #b0101, #x5, (_ bv5 4), true, false. */
static bool read_value(const char **next, uint64_t *words, uint32_t width) {
  if (skip_word(next, "#b")) return read_digits(next, 2, words, width);
  if (skip_word(next, "#x")) return read_digits(next, 16, words, width);
  if (skip_word(next, "false")) return width == 1;
  if (skip_word(next, "true")) {
    words[0] = 1;
    return width == 1;
  }
  if (!skip_char(next, '(') || !skip_word(next, "_") || !skip_word(next, "bv")) return false;
  if (!read_digits(next, 10, words, width)) return false;
  uint64_t stated[1] = {0};
  skip_blanks(next);
  return read_digits(next, 10, stated, 64) && stated[0] == width && skip_char(next, ')');
}

static bool read_pair(const char **next, struct value *value) {
  return skip_char(next, '(') && skip_var(next, value->var) &&
         read_value(next, value->words, term_width(value->var)) && skip_char(next, ')');
}

/* The answer has the values in the order in which they were asked for. */
static bool read_pairs(const char *answer, struct smtlib_model *model) {
  if (!skip_char(&answer, '(')) return false;
  for (size_t i = 0; i < model->num_values; i++)
    if (!read_pair(&answer, &model->values[i])) return false;
  if (!skip_char(&answer, ')')) return false;
  skip_blanks(&answer);
  return *answer == '\0';
}

static int by_var(const void *a, const void *b) {
  const struct value *left = a;
  const struct value *right = b;
  return (left->var > right->var) - (left->var < right->var);
}

struct smtlib_model *smtlib_read_model(const struct smtlib_query *query, const char *answer) {
  struct smtlib_model *model = checked(calloc(1, sizeof *model));
  model->values = checked(calloc(query->num_vars + 1, sizeof *model->values));
  for (size_t i = 0; i < query->num_vars; i++) {
    struct value *value = &model->values[model->num_values++];
    value->var = query->vars[i];
    value->words = checked(calloc(words_of(value->var), sizeof *value->words));
  }
  if (query->num_vars > 0 && !read_pairs(answer, model)) {
    smtlib_model_free(model);
    return NULL;
  }
  qsort(model->values, model->num_values, sizeof *model->values, by_var);
  return model;
}

void smtlib_model_value(term var, uint64_t *words, void *with) {
  const struct smtlib_model *model = with;
  struct value key = {.var = var};
  const struct value *value =
      bsearch(&key, model->values, model->num_values, sizeof *model->values, by_var);
  size_t size = words_of(var) * sizeof *words;
  if (value)
    memcpy(words, value->words, size);
  else
    memset(words, 0, size);
}
