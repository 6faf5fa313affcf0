#include "testbench/prove/interference/interference_access.h"

#include "internal.h"
#include "testbench/prove/equivalence/text.h"

bool interference_is_claimed(const struct model_case *which, struct size size) {
  const bool is_idle = which->access == MODEL_NO_ACCESS && which->place == MODEL_NO_PSEL;
  return size.threads == 1 && size.counters == 2 && size.absent == 0 && which->cycle &&
         (is_idle || which->access == MODEL_READ || which->access == MODEL_WRITE);
}

/* ---- Two copies ---- */

/* What software does elsewhere is another clock: the one that accesses is counted where it is. */
static struct view view_of(const struct observer *observer) {
  struct view view = view_new(observer, ANYWHERE, 1u << observer->thread);
  view.is_access = true;
  view_make(&view, NULL);
  view_assume(&view, NOT(view_hides_current(&view, observer->thread)));
  return view;
}

/* How its access ends, and what it reads: the privileged port that checks nothing is not its. */
static term software_same(const struct view *view) {
  const struct model *model = view->observer.model;
  const unsigned t = view->observer.thread;
  const struct model_answers *answers = &model->answers;
  return term_implies(model->inputs.thread[t].checked, ALL(view_same(view, answers->result[t]),
                                                           view_same(view, answers->syndrome[t]),
                                                           view_same(view, answers->value[t])));
}

/* ---- The claims ---- */

static void claim(struct model *model, enum kind kind, unsigned n, char *name) {
  const struct observer observer = {model, model->which.thread, kind, n};
  struct view view = view_of(&observer);
  model_claim(model, name,
              term_implies(rules_all(view.assumptions, view.num_assumptions),
                           kind == SOFTWARE ? software_same(&view) : view_next_same(&view)));
  view_free(&view);
}

void interference_claim_access(struct model *model) {
  const unsigned t = model->which.thread;
  for (unsigned n = 0; n < model->size.counters; n++)
    claim(model, COUNTER, n, text_format("t%u counter %u: no interference", t, n));
  claim(model, CYCLES, 0, text_format("t%u cycle counter: no interference", t));
  claim(model, INSTRUCTIONS, 0, text_format("t%u instruction counter: no interference", t));
  claim(model, SOFTWARE, 0, text_format("t%u software: no interference", t));
}
