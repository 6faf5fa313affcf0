#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/prove/equivalence/prover_internal.h"

struct digest prover_digest(const struct prover *prover, term condition) {
  const struct model *model = prover->model;
  return digest_question(condition, model->assumptions, model_num_needed(model, condition));
}

bool prover_has_proved(const struct prover *prover, term condition) {
  return proof_cache_has(prover->options->cache, prover_digest(prover, condition));
}

/* Assertions that ask the same condition share a question. A shortfall names only the assertion
 * that asked first. A question about the whole clock is about all of them. */
static bool is_asked(const struct prover *prover, term condition, term whole) {
  for (size_t q = 0; q < prover->num_questions; q++) {
    struct question *question = &prover->questions[q];
    if (question->query.condition != condition) continue;
    question->whole = term_and(question->whole, whole);
    return true;
  }
  return false;
}

static void ask(struct prover *prover, const struct assertion *assertion, const char *suffix,
                term condition, term given) {
  if (term_is_true(condition)) {
    prover->tally->by_structure++;
    return;
  }
  const term whole = term_implies(given, assertion->condition);
  if (prover_has_proved(prover, condition) || is_asked(prover, condition, whole)) {
    prover->tally->by_memory++;
    return;
  }
  prover->questions =
      realloc(prover->questions, (prover->num_questions + 1) * sizeof *prover->questions);
  const size_t size = strlen(assertion->name) + strlen(suffix) + 1;
  char *name = malloc(size);
  if (prover->questions == NULL || name == NULL) abort();
  snprintf(name, size, "%s%s", assertion->name, suffix);
  struct question *question = &prover->questions[prover->num_questions++];
  *question = (struct question){.prover = prover,
                                .name = name,
                                .assertion = assertion,
                                .whole = whole,
                                .answer = ANSWER_UNKNOWN};
  question->query = (struct query){.name = name,
                                   .condition = condition,
                                   .assumptions = prover->model->assumptions,
                                   .num_assumptions = prover->model->num_assumptions};
}

term prover_selected_event(const struct assertion *assertion) {
  char name[48];
  snprintf(name, sizeof name, "t%d.evtCount%d", assertion->thread, assertion->counter);
  return term_var(16, name);
}

static enum events kind_of(const struct selection *selection) {
  if (selection->row == MODEL_CPU_CYCLES || selection->row == MODEL_CHAIN) return EVENTS_OWN;
  return selection->event_class == PMUV3_EVENT_CLASS_COUNT ? EVENTS_COUNT : EVENTS_COMBINED;
}

static bool is_about(const struct assertion *assertion, enum events kind) {
  return assertion->events == EVENTS_ALL || assertion->events == kind;
}

struct claimed prover_replaced(const struct claimed *claimed, struct term_map *map) {
  const term condition = term_replace(claimed->condition, map),
             a = claimed->sides[0] == TERM_NONE ? TERM_NONE : term_replace(claimed->sides[0], map),
             b = claimed->sides[1] == TERM_NONE ? TERM_NONE : term_replace(claimed->sides[1], map);
  term_map_free(map);
  return (struct claimed){a == TERM_NONE ? condition : term_eq(a, b), {a, b}};
}

/* The variable by whose values a question is split. TERM_NONE: it is not cut. */
static term split_by(const struct prover *prover, const struct assertion *assertion,
                     const char *variable) {
  char name[48];
  snprintf(name, sizeof name, "t%d.cut.%s%d", assertion->thread, variable, assertion->counter);
  return model_variable(prover->model, name);
}

/* Asks for each value of the variables that the question depends on. */
static void ask_by_values(struct prover *prover, const struct assertion *assertion,
                          const char *suffix, const struct claimed *claimed, term given,
                          const char *const *variables) {
  if (*variables == NULL || term_is_true(claimed->condition)) {
    ask(prover, assertion, suffix, claimed->condition, given);
    return;
  }
  const term variable = split_by(prover, assertion, *variables);
  if (!term_depends_on(claimed->condition, variable)) {
    ask_by_values(prover, assertion, suffix, claimed, given, variables + 1);
    return;
  }
  for (unsigned v = 0; v < 1u << term_width(variable); v++) {
    const term value = term_const(term_width(variable), v);
    struct term_map *map = term_map_new();
    term_map_put(map, variable, value);
    const struct claimed of_one = prover_replaced(claimed, map);
    char text[128];
    snprintf(text, sizeof text, "%s, %s %u", suffix, *variables, v);
    ask_by_values(prover, assertion, text, &of_one, term_and(given, term_eq(variable, value)),
                  variables + 1);
  }
}

/* Splits by whether the counter is grouped and by which threads are eligible, where these are cut.
 */
static void ask_by_sources(struct prover *prover, const struct assertion *assertion,
                           const char *event, const struct claimed *claimed, term given) {
  static const char *const variables[] = {"grouped", "eligible", NULL};
  char suffix[SELECTION_NAME + 2];
  snprintf(suffix, sizeof suffix, ", %s", event);
  ask_by_values(prover, assertion, suffix, claimed, given, variables);
}

/* The number of no event has no value to put in. Where something other than a comparison for
 * equality looks at the number, such as a binary search, the question says what it is not. */
static struct claimed of_no_event(const struct claimed *claimed, const struct selection *selection,
                                  term selected, term given) {
  if (selection->row != SELECTS_NONE || !term_depends_on(claimed->condition, selected))
    return *claimed;
  return (struct claimed){term_implies(given, claimed->condition), {TERM_NONE, TERM_NONE}};
}

/* Asks for each event, as each of its classes, and for any number that is no event. The assumptions
 * are about the number, too, and keep their names: they become weaker. */
static void ask_by_event(struct prover *prover, const struct assertion *assertion,
                         const struct claimed *claimed) {
  const struct model *model = prover->model;
  const term selected = prover_selected_event(assertion);
  struct selection selections[SELECTIONS_MAX];
  const size_t number = model_selections(selections);
  for (size_t s = 0; s < number; s++) {
    if (!is_about(assertion, kind_of(&selections[s]))) continue;
    const struct claimed selecting = prover_replaced(
                             claimed, selection_values(model, &selections[s], selected)),
                         of_event =
                             prover_replaced(&selecting, selection_names(model, &selections[s]));
    const term given = selection_is(model, &selections[s], selected);
    const struct claimed asked = of_no_event(&of_event, &selections[s], selected, given);
    char name[SELECTION_NAME];
    selection_name(&selections[s], name);
    ask_by_sources(prover, assertion, name, &asked, given);
  }
}

struct claimed prover_claimed(const struct assertion *assertion) {
  return (struct claimed){assertion->condition, {assertion->sides[0], assertion->sides[1]}};
}

static void ask_assertion(struct prover *prover, const struct assertion *assertion) {
  const struct claimed claimed = prover_claimed(assertion);
  const term condition = claimed.condition;
  if (assertion->counter >= 0 && !term_is_true(condition) && !prover_has_proved(prover, condition))
    ask_by_event(prover, assertion, &claimed);
  else
    ask(prover, assertion, "", condition, TERM_TRUE);
}

void prover_ask_all(struct prover *prover) {
  const struct theorem *theorem = prover->theorem;
  for (size_t a = 0; a < theorem->num_assertions; a++)
    ask_assertion(prover, &theorem->assertions[a]);
}
