/* Cycles: checks that the architecture allows a cycle's inputs. */
#include <string.h>

#include "internal.h"

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
                                     const struct pmuv3_pe pe[PMUV3_MAX_THREADS],
                                     const struct pmuv3_cycle *cycle) {
  uint16_t listed[PMUV3_MAX_EVENTS]; /* by row: a bit for each thread and origin */
  memset(listed, 0, params->events.num * sizeof *listed);
  for (unsigned o = 0; o < cycle->num_occurrences; o++) {
    const struct pmuv3_occurrence *occurrence = &cycle->occurrences[o];
    const struct pmuv3_context *other = &cycle->other[occurrence->thread % PMUV3_MAX_THREADS];
    const struct pmuv3_event *event = pmuv3_events_find(&params->events, occurrence->event);
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

const char *pmuv3_cycle_wrong(const struct pmuv3_params *params,
                              const struct pmuv3_pe pe[PMUV3_MAX_THREADS],
                              const struct pmuv3_cycle *cycle) {
  if (cycle->capture >> params->threads != 0) return no_thread;
  const char *wrong = occurrences_wrong(params, pe, cycle);
  if (!wrong) wrong = writes_wrong(params, cycle);
  if (!wrong && cycle->has_external) wrong = external_wrong(params, &cycle->external);
  return wrong;
}
