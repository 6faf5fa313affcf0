/*
 * Two copies of a clock: they differ in what happens in a protected place, and in
 * what the observer may not see anyway. What leaks by the architecture's own
 * permission is the table here.
 */
#ifndef PMUV3_PROVE_INTERFERENCE_COPIES_H
#define PMUV3_PROVE_INTERFERENCE_COPIES_H

#include "testbench/prove/interference/interference_rules.h"

/* Contexts, or threads, that are to be protected. */
enum place { SECURE, EL3, ROOT, EL2, REALM, ANYWHERE, SIBLINGS, PLACES };
#define PLACE_BIT(place) (1u << (place))

const char *place_name(enum place place);
/* By a counter's own filter, whether it is prohibited or not. */
bool place_is_filtered(enum place place);
/* Somebody's observer can be protected from it: siblings are with more than one thread. */
bool place_is_there(enum place place, struct size size);

/* What is compared, and with whom. The second copy's variables are "b.<name>". */
struct view {
  struct observer observer;
  enum place place;
  unsigned sources; /* threads, a bit each: the copies differ in what happens in them */
  bool is_access;   /* prohibited or filtered, wherever it happens */
  bool lies_open;   /* neither prohibited nor filtered, whatever the registers say */
  bool is_whole;    /* the cuts are what they are made of in both copies; not: any value */
  bool is_traced;   /* the event is attributable to no Security state or Exception level */
  bool of_memory;   /* its choices are those of MEMORY */
  struct term_map *to_b;
  term *assumptions; /* of both copies */
  size_t num_assumptions;
};

/* What it is of; then the event of its counter, with one attribution; then it is made. The
 * selection may be NULL if the view is not whole. */
struct view view_new(const struct observer *observer, enum place place, unsigned sources);
void view_set_attribution(struct view *view, unsigned attribution);
void view_make(struct view *view, const struct selection *selection);
void view_free(struct view *view);

void view_assume(struct view *view, term condition);
term view_in_b(const struct view *view, term a);
term view_same(const struct view *view, term a);

/* What the clock leaves in the observer's counter, and tells of its overflow. */
term view_next_same(const struct view *view);

/* Of a counter that selects this. */
term view_of_event(const struct view *view, const struct selection *selection, term a);

term view_is_in_place(const struct view *view, const struct context *of);
/* What happens in a thread's state, or what arrives from its other context, must not be seen. */
term view_hides_current(const struct view *view, unsigned thread);
term view_hides_other(const struct view *view, unsigned thread);
/* Unattributable occurrences that are related to a thread's other context must not be seen. */
term view_hides_related(const struct view *view, unsigned thread);
/* Counters of the thread that the observer may not see: they see more than it. */
term view_sees_more(const struct view *view, unsigned thread, unsigned n);

/* ---- Permitted leaks ---- */

struct leak {
  const char *choice, *param;
  uint64_t quiet; /* the value of the choice that lets nothing pass */
  unsigned how;   /* of what is prohibited, filtered */
  unsigned shown; /* in these places: PLACE_BIT */
  bool traced;    /* by an event of a trace unit; otherwise by one of the memory system */
  bool counters_alone;
  term (*when)(const struct view *view);
};
extern const struct leak leaks[];
extern const size_t num_leaks;

/* Whether a leak concerns what the view is of; with the cycle counter nothing leaks. */
bool leak_concerns(const struct leak *leak, const struct view *view);

/* None of them does, in either copy. */
term view_nothing_leaks(const struct view *view);

#endif
