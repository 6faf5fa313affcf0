/* Checks that the architecture allows a thread's state (formats.md section 2), and a cycle's
 * inputs. */
#include <string.h>

#include "internal.h"

/* ---- States ---- */

const char *pmuv3_context_wrong(const struct pmuv3_params *params, unsigned el, unsigned ss) {
  const bool rme = pmuv3_has(params, PMUV3_FEATURE_RME);
  if (el > 3) return "el must be 0..3";
  if (ss > PMUV3_RT) return "ss must be NS, S, RL or RT";
  if (el == 2 && !params->el2) return "el=2 needs EL2";
  if (el == 3 && !params->el3) return "el=3 needs EL3";
  if (el == 3 && ss != pmuv3_el3_state(params))
    return rme ? "el=3 is in ss=RT, with RME" : "el=3 is in ss=S, without RME";
  if (el != 3 && ss == PMUV3_RT) return "ss=RT is at el=3 alone";
  if (ss == PMUV3_RL && !rme) return "ss=RL needs RME";
  if (el == 2 && ss == PMUV3_S && !pmuv3_has(params, PMUV3_FEATURE_SEL2))
    return "el=2 in ss=S needs SEL2";
  return NULL;
}

/* Whether a thread is in Secure state, and Secure EL2 is enabled. */
static bool is_secure_el2_enabled(const struct pmuv3_params *params, const struct pmuv3_pe *pe) {
  return pe->el != 3 && pe->ss == PMUV3_S && pmuv3_has(params, PMUV3_FEATURE_SEL2) &&
         pmuv3_el2_enabled(params, pe);
}

/* Specification I-2: an Exception level uses AArch32 only if it can. */
static const char *aarch32_missing(const struct pmuv3_params *params, const struct pmuv3_pe *pe) {
  if (pe->a32el3 && !pmuv3_can_aa32(params, 3)) return "a32el3=1 needs AArch32 at EL3 (param aa32)";
  if (pe->a32el2 && !pmuv3_can_aa32(params, 2)) return "a32el2=1 needs AArch32 at EL2 (param aa32)";
  if (pe->a32el1 && !pmuv3_can_aa32(params, 1)) return "a32el1=1 needs AArch32 at EL1 (param aa32)";
  if (pe->aa32 && !pmuv3_can_aa32(params, pe->el))
    return "aa32=1 needs AArch32 at the thread's el (param aa32)";
  return NULL;
}

/* Specification I-12: the current Execution state is that of the current Exception level. All
 * levels below a level in AArch32 use AArch32. Under an EL3 in AArch32 there is no Secure EL1 or
 * EL2. Secure EL2 uses AArch64. */
static const char *aarch32_wrong(const struct pmuv3_params *params, const struct pmuv3_pe *pe) {
  const bool el3_aa32 = params->el3 && (pe->a32el3 || !params->aa64);
  const bool between = pe->el == 1 || pe->el == 2;
  if (pe->a32el2 && !pe->a32el1 && !pe->a32el3) return "a32el2=1 needs a32el1=1";
  if (pe->a32el2 && is_secure_el2_enabled(params, pe)) return "Secure EL2 uses AArch64: a32el2=0";
  if (el3_aa32 && between && pe->ss == PMUV3_S)
    return "el=1 and el=2 in ss=S need an EL3 in AArch64";
  if (!params->aa64 || el3_aa32 || !pe->aa32) return NULL;
  if (pe->el == 3) return "aa32=1 at el=3 needs a32el3=1";
  return between && !pe->a32el1 ? "aa32=1 above el=0 needs a32el1=1" : NULL;
}

/* Specification D.3: in AArch32 state SM is 0. */
static const char *streaming_wrong(const struct pmuv3_params *params, const struct pmuv3_pe *pe) {
  return pe->sm && pmuv3_pe_is_aa32(params, pe) ? "sm=1 needs AArch64 at the thread's el" : NULL;
}

const char *pmuv3_pe_wrong(const struct pmuv3_params *params, const struct pmuv3_pe *pe) {
  if (pe->fgt >> PMUV3_NUM_FGT != 0) return "fgt has a bit of no trap";
  if (pe->a32el3 && !params->el3) return "a32el3=1 needs EL3";
  if (pe->a32el2 && !params->el2) return "a32el2=1 needs EL2";
  if (pe->fgwte3 && !pmuv3_has(params, PMUV3_FEATURE_FGWTE3)) return "fgwte3=1 needs FGWTE3";
  const char *wrong = pmuv3_context_wrong(params, pe->el, pe->ss);
  if (!wrong) wrong = aarch32_missing(params, pe);
  if (!wrong) wrong = aarch32_wrong(params, pe);
  return wrong ? wrong : streaming_wrong(params, pe);
}

/* ---- Cycles ---- */

static const char no_thread[] = "there is no such thread";

bool pmuv3_event_has(const struct pmuv3_event *event, unsigned origin) {
  switch (event->event_class) {
    case PMUV3_EVENT_CLASS_SELF:
      return false;
    case PMUV3_EVENT_CLASS_COUNT:
      return origin < PMUV3_NUM_ORIGINS;
    default:
      return origin == PMUV3_CURRENT || origin == PMUV3_DEBUGGER;
  }
}

static const char *origin_wrong(const struct pmuv3_event *event, unsigned origin) {
  if (origin >= PMUV3_NUM_ORIGINS) return "there is no such origin";
  if (event->event_class == PMUV3_EVENT_CLASS_SELF) return "the PMU itself makes it";
  if (pmuv3_event_has(event, origin)) return NULL;
  return origin == PMUV3_OTHER ? "the event has no context" : "the event cannot be Unattributable";
}

const char *pmuv3_occurrence_wrong(const struct pmuv3_params *params,
                                   const struct pmuv3_event *event,
                                   const struct pmuv3_occurrence *occurrence) {
  if (occurrence->thread >= params->threads) return no_thread;
  if (!event) return "there is no such event";
  if (!pmuv3_event_fits(params, event)) return "the event needs PMUv3p1";
  const char *wrong = origin_wrong(event, occurrence->origin);
  if (wrong) return wrong;
  return occurrence->count <= event->most ? NULL : "the event cannot occur so often in a cycle";
}

/* Whether the occurrence uses the thread's other context of the cycle. */
static bool is_in_context(const struct pmuv3_cycle *cycle,
                          const struct pmuv3_occurrence *occurrence) {
  return occurrence->origin == PMUV3_OTHER ||
         (occurrence->origin == PMUV3_UNATTRIBUTABLE && cycle->other[occurrence->thread].related);
}

static const char *occurrences_wrong(const struct pmuv3_params *params,
                                     const struct pmuv3_event_rows *rows,
                                     const struct pmuv3_pe pe[PMUV3_MAX_THREADS],
                                     const struct pmuv3_cycle *cycle) {
  uint16_t listed[PMUV3_MAX_EVENTS]; /* by row: a bit for each thread and origin */
  memset(listed, 0, params->events.num * sizeof *listed);
  for (unsigned o = 0; o < cycle->num_occurrences; o++) {
    const struct pmuv3_occurrence *occurrence = &cycle->occurrences[o];
    const struct pmuv3_context *other = &cycle->other[occurrence->thread % PMUV3_MAX_THREADS];
    const struct pmuv3_event *event =
        rows ? pmuv3_events_at(&params->events, rows, occurrence->event)
             : pmuv3_events_find(&params->events, occurrence->event);
    const char *wrong = pmuv3_occurrence_wrong(params, event, occurrence);
    if (!wrong && is_in_context(cycle, occurrence))
      wrong = pmuv3_context_wrong(params, other->el, other->ss);
    if (wrong) return wrong;
    if (occurrence->origin == PMUV3_DEBUGGER && !pe[occurrence->thread].halted)
      return "a debugger's operation on a thread that is not halted";
    const unsigned place = occurrence->thread * (unsigned)PMUV3_NUM_ORIGINS + occurrence->origin;
    uint16_t *of_event = &listed[event - params->events.event];
    if (pmuv3_bit(*of_event, place)) return "the event is listed twice";
    *of_event |= (uint16_t)(1u << place);
  }
  return NULL;
}

static const char *writes_wrong(const struct pmuv3_params *params,
                                const struct pmuv3_cycle *cycle) {
  if (cycle->has_write >> params->threads != 0) return no_thread;
  for (unsigned t = 0; t < params->threads; t++) {
    const struct pmuv3_write *write = &cycle->write[t];
    if (!pmuv3_bit(cycle->has_write, t) || write->checked) continue;
    const enum pmuv3_access access = pmuv3_register_writable(params, write->reg);
    if (access != PMUV3_ACCESS_OK) return pmuv3_access_text(access);
  }
  return NULL;
}

static const char *external_wrong(const struct pmuv3_params *params,
                                  const struct pmuv3_external *external) {
  if (external->thread >= params->threads) return no_thread;
  if (external->ss > PMUV3_RT) return "ss must be NS, S, RL or RT";
  if (external->offset >= 0x1000 || external->offset % 4 != 0)
    return "an offset in the page must be a multiple of 4 below 0x1000";
  return NULL;
}

const char *pmuv3_cycle_wrong_by_rows(const struct pmuv3_params *params,
                                      const struct pmuv3_event_rows *rows,
                                      const struct pmuv3_pe pe[PMUV3_MAX_THREADS],
                                      const struct pmuv3_cycle *cycle) {
  if (cycle->capture >> params->threads != 0) return no_thread;
  const char *wrong = occurrences_wrong(params, rows, pe, cycle);
  if (!wrong) wrong = writes_wrong(params, cycle);
  if (!wrong && cycle->has_external) wrong = external_wrong(params, &cycle->external);
  return wrong;
}

const char *pmuv3_cycle_wrong(const struct pmuv3_params *params,
                              const struct pmuv3_pe pe[PMUV3_MAX_THREADS],
                              const struct pmuv3_cycle *cycle) {
  return pmuv3_cycle_wrong_by_rows(params, NULL, pe, cycle);
}
