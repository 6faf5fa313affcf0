/* States of threads, and the other contexts of their events. */
#include "testbench/cosim/stimulus/random_internal.h"

static struct pmuv3_context any_context(struct pmuv3_random *random) {
  return random->contexts[below(random, random->num_contexts)];
}

static bool is_in(const struct pmuv3_pe *pe, const struct pmuv3_context *context) {
  return pe->el == context->el && pe->ss == context->ss;
}

/* What the parameters do not have is left out: AArch32 at an Exception level, EL3, the Debug
 * authentication interface. */
static struct pmuv3_pe made_legal(const struct pmuv3_random *random, struct pmuv3_pe pe) {
  const struct pmuv3_params *params = &random->params;
  pe.a32el3 = pe.a32el3 && params->el3 && pmuv3_can_aa32(params, 3);
  pe.a32el2 = pe.a32el2 && params->el2 && pmuv3_can_aa32(params, 2);
  pe.a32el1 = pe.a32el1 && pmuv3_can_aa32(params, 1);
  pe.fgwte3 = pe.fgwte3 && pmuv3_has(params, PMUV3_FEATURE_FGWTE3);
  pe.snid = pe.snid && !params->debugv8p2;
  if (pe.ss == PMUV3_S && (pe.el == 1 || pe.el == 2)) { /* needs an EL3 in AArch64 (I-12) */
    pe.a32el3 = false;
    if (params->el3 && !params->aa64) pe.el = 3;
  }
  if (pe.ss == PMUV3_S && pe.el != 3 && pmuv3_has(params, PMUV3_FEATURE_SEL2) &&
      pmuv3_el2_enabled(params, &pe))
    pe.a32el2 = false; /* Secure EL2 uses AArch64 */
  pe.aa32 = pe.aa32 && pmuv3_can_aa32(params, pe.el);
  pe.a32el1 = pe.a32el1 || pe.a32el2 || (pe.aa32 && pe.el != 0);
  pe.aa32 = pe.aa32 && (pe.el != 3 || pe.a32el3);
  pe.sm = pe.sm && !pmuv3_pe_is_aa32(params, &pe); /* D.3 */
  return pe;
}

/* Fine-grained traps: a few, or those that hide F0, too, or any. */
static uint64_t any_fgt(struct pmuv3_random *random) {
  uint64_t bits = draw(random);
  switch (bits & 7) {
    case 0:
    case 1:
    case 2:
      return bits >> 3 & ((UINT64_C(1) << PMUV3_NUM_FGT) - 1);
    case 3:
    case 4:
      return bits >> 3 & 15;
    default:
      return UINT64_C(1) << below(random, PMUV3_NUM_FGT) | UINT64_C(1)
                                                               << below(random, PMUV3_NUM_FGT);
  }
}

/* What decides about accesses, exceptions and freezing: anything for a while, else 0. */
static void begin_burst(struct pmuv3_random *random, struct pmuv3_pe *pe) {
  uint64_t bits = draw(random);
  uint64_t more = bits >> 8;
  pe->tge = bits & 1;
  pe->e2h = bits >> 1 & 1;
  pe->pm = bits >> 2 & 1;
  pe->spe = bits >> 3 & 1;
  pe->fgt = bits >> 4 & 1 ? any_fgt(random) : 0;
  pe->hstr = (more & 3) == 0;
  pe->nv = more >> 2 & 1;
  pe->fgwte3 = more >> 8 & 1;
  pe->pme = more >> 9 & 1;
  pe->oslk = (bits >> 5 & 7) == 0;
  pe->dlk = (more >> 4 & 7) == 0;
}

static void end_burst(struct pmuv3_random *random, struct pmuv3_pe *pe) {
  uint64_t bits = draw(random);
  if (bits & 1) pe->tge = pe->e2h = false;
  if (bits & 2) pe->pm = false;
  if (bits & 4) pe->spe = false;
  if (bits & 8) pe->fgt = 0;
  if (bits & 16) pe->oslk = false;
  if (bits & 32) pe->dlk = false;
  if (bits & 64) pe->hstr = false;
  if (bits & 128) pe->nv = false;
  if ((bits & (256 | 2048)) == 0) pe->fgwte3 = !pe->fgwte3; /* traps writes of MDCR_EL3 alone */
  if ((bits & (512 | 1024)) == 0) pe->pme = false;
}

/* A state after another: mostly another Exception level or Security state. Debug state and WFx are
 * left more readily than entered. */
static struct pmuv3_pe next_state(struct pmuv3_random *random, struct pmuv3_pe pe) {
  uint64_t bits = draw(random);
  uint64_t more = bits >> 4;
  if (pe.halted) pe.halted = (bits >> 32 & 3) != 0;
  if (pe.wfx) pe.wfx = (bits >> 34 & 3) != 0;
  end_burst(random, &pe);
  switch (bits & 15) {
    case 0:
    case 1:
      pe.sm = !pe.sm;
      break;
    case 2:
      pe.wfx = true;
      break;
    case 3:
      if ((more & 1) == 0) pe.halted = true;
      pe.sdd = more >> 1 & 1;
      break;
    case 4:
      pe.active = (more & 3) != 0;
      break;
    case 6:
      begin_burst(random, &pe);
      break;
    case 5:
      pe.aa32 = (more & 7) == 0;
      pe.a32el1 = (more >> 3 & 7) < 3;
      pe.a32el2 = pe.a32el1 && (more >> 12 & 3) == 0;
      pe.snid = (more >> 6 & 3) == 0;
      if ((more >> 8 & 3) == 0) pe.a32el3 = !pe.a32el3 && (more >> 10 & 3) == 0;
      break;
    default: {
      struct pmuv3_context context = any_context(random);
      pe.el = context.el;
      pe.ss = context.ss;
      pe.eel2 = (more >> 3 & 3) == 0;
      if ((more & 7) == 0) pe.sm = !pe.sm;
    }
  }
  return made_legal(random, pe);
}

static void push_state(struct pmuv3_random *random, struct thread *thread, struct pmuv3_pe pe) {
  if (thread->pending > 0) return; /* software increments wait to be judged in the old state */
  struct pmuv3_context before = {.el = thread->pe.el, .ss = thread->pe.ss};
  thread->pe = pe;
  queue_up(random, thread, PMUV3_ITEM_PE)->pe = thread->pe;
  if (is_in(&thread->pe, &before)) return;
  thread->left = before;
  thread->moved = true;
}

void random_sequence_moves(struct pmuv3_random *random) {
  uint64_t bits = draw(random);
  for (unsigned t = 0; t < random->params.threads; t++, bits >>= 12) {
    struct thread *thread = &random->threads[t];
    unsigned share = random->phase->moves;
    if (thread->pe.halted || thread->pe.wfx) share = 2 * share + 16;
    if ((bits & 0xFF) >= share) continue;
    push_state(random, thread, next_state(random, thread->pe));
    /* several in a row, of which only the last is seen by a cycle */
    if ((bits >> 8 & 15) == 0)
      for (unsigned i = below(random, 4); i > 0; i--)
        push_state(random, thread, next_state(random, thread->pe));
  }
}

void random_sequence_anywhere(struct pmuv3_random *random, struct thread *thread) {
  struct pmuv3_context context = any_context(random);
  struct pmuv3_pe pe = thread->pe;
  uint64_t bits = draw(random);
  pe.el = context.el;
  pe.ss = context.ss;
  pe.halted = pe.wfx = false;
  pe.a32el1 = bits & 1;
  pe.a32el2 = pe.a32el1 && (bits >> 4 & 3) == 0;
  pe.a32el3 = (bits >> 1 & 3) == 0;
  pe.eel2 = bits >> 3 & 1;
  push_state(random, thread, made_legal(random, pe));
}

void random_sequence_rest(struct pmuv3_random *random) {
  uint64_t bits = draw(random);
  const bool same = bits & 1;
  for (unsigned t = 0; t < random->params.threads; t++) {
    struct pmuv3_pe pe = random->threads[t].pe;
    const unsigned kind = (unsigned)(same ? bits >> 62 : bits >> (2 * t + 1)) & 3;
    pe.halted = kind == 1;
    pe.wfx = kind == 2;
    pe.active = kind != 3;
    push_state(random, &random->threads[t], pe);
  }
}

void random_sequence_locks(struct pmuv3_random *random, struct thread *thread) {
  uint64_t bits = draw(random);
  struct pmuv3_pe pe = thread->pe;
  pe.oslk = bits & 1;
  pe.dlk = (bits & 6) == 0;
  push_state(random, thread, made_legal(random, pe));
}

void random_sequence_user(struct pmuv3_random *random, struct thread *thread) {
  struct pmuv3_pe pe = thread->pe;
  if (pe.el == 3) pe.ss = PMUV3_NS;
  pe.el = 0;
  push_state(random, thread, made_legal(random, pe));
}

void random_sequence_guest(struct pmuv3_random *random, struct thread *thread, bool traps) {
  uint64_t bits = draw(random);
  struct pmuv3_pe pe = thread->pe;
  pe.el = (bits & 3) != 0;
  pe.ss = bits >> 5 & 3 ? PMUV3_NS : PMUV3_S;
  if (pe.ss == PMUV3_S) pe.eel2 = true;
  pe.halted = pe.wfx = pe.tge = pe.a32el1 = pe.a32el2 = pe.a32el3 = false;
  pe.aa32 = pe.el == 0 && (bits >> 2 & 1);
  pe.fgt = traps ? any_fgt(random) : 0;
  pe.hstr = traps && (bits >> 3 & 3) == 0;
  pe.nv = traps && (bits >> 7 & 3) == 0;
  push_state(random, thread, made_legal(random, pe));
}

struct pmuv3_context random_other_context(struct pmuv3_random *random,
                                          const struct thread *thread) {
  bool after_move = thread->moved && !is_in(&thread->pe, &thread->left);
  if (after_move && chance(random, 224)) return thread->left;
  struct pmuv3_context context = any_context(random);
  while (is_in(&thread->pe, &context)) context = any_context(random);
  return context;
}
