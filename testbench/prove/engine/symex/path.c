#include "engine/symex/path.h"

#include <string.h>

#include "engine/symex/compare.h"
#include "engine/symex/util.h"

/* Terms with no larger values have their possible values kept. */
enum { MAX_SMALL = 255, SMALL_WORDS = (MAX_SMALL + 1) / 64 };

/* What a term can be: one value, or some small ones. */
struct domain {
  bool exact;
  uint64_t value;
  uint64_t small[SMALL_WORDS];
  const struct domain *older;
};

/* What is known about a term, and what was before. */
struct fact {
  term about;
  bool is_truth;
  int8_t truth, truth_before;
  const struct domain *domain, *domain_before;
};

/* What is known to be true or false, and may say more when more is known: of an OR that is true,
 * which side is. */
struct open {
  term condition;
  bool holds;
};

struct path {
  struct path *parent;
  size_t length;
  term condition; /* the last one */
  term whole;     /* all of them; TERM_NONE: not asked for yet */
  struct fact *facts;
  size_t num_facts;
  struct open *open;
  size_t num_open;
  const struct path *older;
};

/* All of them: they stay. */
static const struct path *newest_path;
static const struct domain *newest_domain;

/* Facts of the path that is current: 1 true, -1 false, 0 neither; by term. */
static int8_t *truths;
static const struct domain **domains;
static size_t room;
static struct path root;
static struct path *current = &root;

/* Those of the path that is being made. */
static struct fact *made;
static size_t num_made, room_made;
static struct open *opened;
static size_t num_opened, room_opened;

struct path *path_root(void) {
  root.whole = TERM_TRUE;
  return &root;
}

size_t path_length(const struct path *path) {
  return path->length;
}

/* ---- The current path ---- */

static void make_room(term a) {
  if (a < room) return;
  const size_t before = room;
  size_t other_room = room;
  truths = symex_grow(truths, &room, (size_t)a + 1, sizeof *truths);
  domains = symex_grow(domains, &other_room, (size_t)a + 1, sizeof(struct domain *));
  memset(truths + before, 0, room - before);
  for (size_t t = before; t < room; t++) domains[t] = NULL;
}

static void apply(const struct fact *fact) {
  if (fact->is_truth)
    truths[fact->about] = fact->truth;
  else
    domains[fact->about] = fact->domain;
}

static void revert(const struct fact *fact) {
  if (fact->is_truth)
    truths[fact->about] = fact->truth_before;
  else
    domains[fact->about] = fact->domain_before;
}

static struct path *meet(struct path *a, struct path *b) {
  while (a != b) {
    if (a->length >= b->length)
      a = a->parent;
    else
      b = b->parent;
  }
  return a;
}

static void enter_below(struct path *path, const struct path *above) {
  if (path == above) return;
  enter_below(path->parent, above);
  for (size_t f = 0; f < path->num_facts; f++) apply(&path->facts[f]);
}

static void enter(struct path *path) {
  if (path == current) return;
  struct path *shared = meet(current, path);
  for (; current != shared; current = current->parent)
    for (size_t f = current->num_facts; f-- > 0;) revert(&current->facts[f]);
  enter_below(path, shared);
  current = path;
}

/* ---- What a term can be ---- */

static bool is_in(const struct domain *domain, uint64_t value) {
  return (domain->small[value / 64] >> value % 64 & 1) != 0;
}

/* 1: true for all that is left; -1: for none of it. */
static int compare_all(const struct comparison *comparison, const struct domain *domain) {
  if (domain->exact) return compare_holds(comparison, domain->value) ? 1 : -1;
  bool any = false, all = true;
  for (uint64_t value = 0; value <= MAX_SMALL; value++) {
    if (!is_in(domain, value)) continue;
    const bool holds = compare_holds(comparison, value);
    any |= holds;
    all &= holds;
  }
  return all ? 1 : any ? 0 : -1;
}

/* ---- Facts made ---- */

static void add_fact(struct fact fact) {
  made = symex_grow(made, &room_made, num_made + 1, sizeof *made);
  made[num_made++] = fact;
  apply(&fact);
}

static void add_domain(term about, struct domain domain) {
  struct domain *kept = symex_allocate(1, sizeof *kept);
  *kept = domain;
  kept->older = newest_domain;
  newest_domain = kept;
  make_room(about);
  add_fact((struct fact){.about = about, .domain = kept, .domain_before = domains[about]});
}

/* False: nothing is left. */
static bool narrow(const struct comparison *comparison, bool holds) {
  make_room(comparison->what);
  const struct domain *before = domains[comparison->what];
  if (before != NULL && before->exact) return compare_holds(comparison, before->value) == holds;
  if (comparison->op == TERM_EQ && holds) {
    if (before != NULL && (comparison->with > MAX_SMALL || !is_in(before, comparison->with)))
      return false;
    add_domain(comparison->what, (struct domain){.exact = true, .value = comparison->with});
    return true;
  }
  const uint64_t max = term_max(comparison->what);
  if (max > MAX_SMALL) return true;
  struct domain after = {0};
  uint64_t left = 0, last = 0;
  for (uint64_t value = 0; value <= max; value++) {
    if ((before != NULL && !is_in(before, value)) || compare_holds(comparison, value) != holds)
      continue;
    after.small[value / 64] |= UINT64_C(1) << value % 64;
    left++;
    last = value;
  }
  if (left == 0) return false;
  if (left == 1) after = (struct domain){.exact = true, .value = last};
  add_domain(comparison->what, after);
  return true;
}

/* ---- What is known ---- */

/* How many terms are looked at for an answer. */
enum { MAX_VISITS = 500, SIMPLIFIED_DEPTH = 64 };
static unsigned visits;

static int truth_of(term condition) {
  if (term_is_true(condition)) return 1;
  if (term_is_false(condition)) return -1;
  make_room(condition);
  return truths[condition];
}

static int known_comparison(term condition) {
  struct comparison comparison;
  if (!compare_of(condition, &comparison)) return 0;
  make_room(comparison.what);
  const struct domain *domain = domains[comparison.what];
  return domain == NULL ? 0 : compare_all(&comparison, domain);
}

/* 1: true, -1: false, 0: it is not known. */
static int known(term condition) {
  int truth = truth_of(condition);
  if (truth != 0 || ++visits > MAX_VISITS) return truth;
  truth = known_comparison(condition);
  if (truth != 0) return truth;
  const struct term_node node = *term_node(condition);
  if (node.op == TERM_NOT) return -known(node.args[0]);
  if (node.op == TERM_AND || node.op == TERM_OR) {
    const int decisive = node.op == TERM_AND ? -1 : 1;
    const int a = known(node.args[0]);
    if (a == decisive) return a;
    const int b = known(node.args[1]);
    if (b == decisive) return b;
    return a == b ? a : 0;
  }
  if (node.op == TERM_ITE) {
    const int of = known(node.args[0]);
    const int a = of < 0 ? 0 : known(node.args[1]), b = of > 0 ? 0 : known(node.args[2]);
    return of > 0 ? a : of < 0 ? b : a == b ? a : 0;
  }
  return 0;
}

/* ---- What follows ---- */

/* False: it contradicts what is known. */
static bool assume(term condition, bool holds);

/* An AND that is false, or an OR that is true. */
static bool follow_either(const struct term_node *node, bool holds) {
  const int needed = holds ? 1 : -1;
  for (int side = 0; side < 2; side++) {
    const int truth = known(node->args[side]);
    if (truth == needed) return true;
    if (truth == -needed) return assume(node->args[1 - side], holds);
  }
  return true;
}

static bool follow_ite(const struct term_node *node, bool holds) {
  const int truth = known(node->args[0]);
  if (truth != 0) return assume(node->args[truth > 0 ? 1 : 2], holds);
  for (int side = 1; side <= 2; side++)
    if (known(node->args[side]) == (holds ? -1 : 1))
      return assume(node->args[0], side == 2) && assume(node->args[3 - side], holds);
  return true;
}

static bool follow(term condition, bool holds) {
  const struct term_node node = *term_node(condition);
  visits = 0;
  return node.op == TERM_ITE ? follow_ite(&node, holds) : follow_either(&node, holds);
}

static bool open_condition(term condition, bool holds) {
  opened = symex_grow(opened, &room_opened, num_opened + 1, sizeof *opened);
  opened[num_opened++] = (struct open){condition, holds};
  return follow(condition, holds);
}

static bool assume(term condition, bool holds) {
  const int truth = truth_of(condition);
  if (truth != 0) return (truth > 0) == holds;
  add_fact((struct fact){
      .about = condition, .is_truth = true, .truth = holds ? 1 : -1, .truth_before = 0});
  const struct term_node node = *term_node(condition);
  struct comparison comparison;
  if (compare_of(condition, &comparison) && !narrow(&comparison, holds)) return false;
  switch (node.op) {
    case TERM_NOT:
      return assume(node.args[0], !holds);
    case TERM_AND:
    case TERM_OR:
      if ((node.op == TERM_AND) == holds)
        return assume(node.args[0], holds) && assume(node.args[1], holds);
      return open_condition(condition, holds);
    case TERM_ITE:
      return open_condition(condition, holds);
    default:
      return true;
  }
}

static bool follow_all(const struct path *path) {
  size_t before;
  do {
    before = num_made;
    for (size_t o = 0; o < num_opened; o++)
      if (!follow(opened[o].condition, opened[o].holds)) return false;
    for (const struct path *p = path; p != NULL; p = p->parent)
      for (size_t o = 0; o < p->num_open; o++)
        if (!follow(p->open[o].condition, p->open[o].holds)) return false;
  } while (num_made > before);
  return true;
}

/* With the facts that are made. */
static struct path *new_path(struct path *parent, term condition) {
  struct path *path = symex_allocate(1, sizeof *path);
  path->parent = parent;
  path->length = parent->length + 1;
  path->condition = condition;
  path->facts = symex_allocate(num_made, sizeof *path->facts);
  if (num_made > 0) memcpy(path->facts, made, num_made * sizeof *made);
  path->num_facts = num_made;
  path->open = symex_allocate(num_opened, sizeof *path->open);
  if (num_opened > 0) memcpy(path->open, opened, num_opened * sizeof *opened);
  path->num_open = num_opened;
  path->older = newest_path;
  newest_path = path;
  current = path;
  return path;
}

/* False: a contradiction, and nothing is made. */
static bool make_facts(struct path *path, term condition) {
  enter(path);
  num_made = num_opened = 0;
  if (assume(condition, true) && follow_all(path)) return true;
  while (num_made > 0) revert(&made[--num_made]);
  num_opened = 0;
  return false;
}

struct path *path_push(struct path *path, term condition) {
  condition = path_known(path, condition);
  if (term_is_true(condition)) return path;
  return make_facts(path, condition) ? new_path(path, condition) : NULL;
}

term path_condition(struct path *path) {
  if (path->whole == TERM_NONE)
    path->whole = term_and(path_condition(path->parent), path->condition);
  return path->whole;
}

term path_known(struct path *path, term condition) {
  enter(path);
  visits = 0;
  const int truth = known(condition);
  return truth == 0 ? condition : truth > 0 ? TERM_TRUE : TERM_FALSE;
}

static term simplified(term a, int depth) {
  const struct term_node node = *term_node(a);
  if (node.op != TERM_ITE || depth == 0) return a;
  visits = 0;
  const int truth = known(node.args[0]);
  if (truth > 0) return simplified(node.args[1], depth - 1);
  if (truth < 0) return simplified(node.args[2], depth - 1);
  const term if_false = simplified(node.args[2], depth - 1);
  return if_false == node.args[2] ? a : term_ite(node.args[0], node.args[1], if_false);
}

term path_simplified(struct path *path, term a) {
  enter(path);
  if (term_width(a) == 1) return path_known(path, a);
  return simplified(a, SIMPLIFIED_DEPTH);
}

/* ---- Merged ---- */

size_t path_shared(const struct path *a, const struct path *b) {
  while (a != b) {
    if (a->length >= b->length)
      a = a->parent;
    else
      b = b->parent;
  }
  return a->length;
}

bool path_continues(const struct path *path, const struct path *before) {
  while (path->length > before->length) path = path->parent;
  return path == before;
}

/* The first condition after those shared, and the rest. */
static term first_below(const struct path *path, const struct path *above, term *rest) {
  *rest = TERM_TRUE;
  for (; path->parent != above; path = path->parent) *rest = term_and(path->condition, *rest);
  return path->condition;
}

/* Two branches that are whole are what was before them. Other paths get a path of their own, even
 * if their conditions say nothing new or cannot be: there may be a third one beside them. */
struct path *path_merged(struct path *a, struct path *b, term *is_first) {
  struct path *shared = meet(a, b);
  term rest_a, rest_b;
  const term first_a = first_below(a, shared, &rest_a);
  const term first_b = first_below(b, shared, &rest_b);
  term either;
  if (first_a == term_not(first_b)) {
    *is_first = first_a;
    if (a->length == shared->length + 1 && b->length == shared->length + 1) return shared;
    either = term_ite(first_a, rest_a, rest_b);
  } else {
    const term all_a = term_and(first_a, rest_a), all_b = term_and(first_b, rest_b);
    *is_first = b->length == shared->length + 1 ? term_not(first_b) : all_a;
    either = term_or(all_a, all_b);
  }
  make_facts(shared, either);
  return new_path(shared, either);
}
