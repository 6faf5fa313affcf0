#include "testbench/prove/equivalence/map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* A register of thread t, and where it has lanes of lane n. */
struct row {
  const char *name; /* after "g_thread[t].u_thread.", with [] for [n] */
  term (*value)(const struct model *model, const struct thread_state *state, unsigned n);
};

/* ---- What registers are made of ---- */

#define BITS(value, reg, name) field(value, PMUV3_##reg##_##name##_MSB, PMUV3_##reg##_##name##_LSB)
#define WITHOUT(value, reg, name) term_and(value, term_const(64, ~(uint64_t)PMUV3_MASK(reg, name)))

unsigned map_lanes(const struct model *model) {
  return model->size.counters > 0 ? model->size.counters : 1;
}

static term counters(const struct model *model) {
  return model->params[0];
}

static term has(const struct model *model, enum pmuv3_feature feature) {
  return term_extract(model->features, feature, 1);
}

/* A vector of what each lane has. */
static term lanes(const struct model *model, term (*of)(const struct model *model, term evtyper),
                  const struct thread_state *state) {
  term vector = of(model, state->evtyper[0]);
  for (unsigned n = 1; n < map_lanes(model); n++)
    vector = term_concat(of(model, state->evtyper[n]), vector);
  return vector;
}

static term low_lanes(const struct model *model, term mask) {
  return term_extract(mask, 0, map_lanes(model));
}

/* ---- PMEVTYPER<n>, and what is decoded of it when it is written ---- */

#define THRESHOLD \
  (PMUV3_MASK(PMEVTYPER, TC) | PMUV3_MASK(PMEVTYPER, TE) | PMUV3_MASK(PMEVTYPER, TH))

static term rest(const struct model *model, const struct thread_state *state, unsigned n) {
  (void)model;
  return term_and(state->evtyper[n], term_const(64, ~(uint64_t)THRESHOLD));
}
static term threshold(const struct model *model, const struct thread_state *state, unsigned n) {
  (void)model;
  return term_and(state->evtyper[n], term_const(64, THRESHOLD));
}

static term event_number(term evtyper) {
  return term_extract(evtyper, 0, 16);
}

static term has_number(term evtyper, unsigned row) {
  return term_eq(event_number(evtyper), term_const(16, model_event_number(row)));
}

/* Whether evtCount selects one of the events with some quality. */
static term selects(const struct model *model, term evtyper,
                    term (*quality)(const struct event_terms *event)) {
  term any = TERM_FALSE;
  for (unsigned e = 0; e < MODEL_EVENTS; e++)
    any = term_or(any, term_and(has_number(evtyper, e), quality(&model->events[e])));
  return any;
}

/* The index in pmuv3_pkg: of its own events, and of those that have an input. */
static unsigned rtl_index(unsigned row) {
  unsigned index = 0;
  for (unsigned e = 0; e < row; e++) index += model_event_is_self(e) == model_event_is_self(row);
  return index;
}

static term event(const struct model *model, const struct thread_state *state, unsigned n) {
  enum { SELF_NONE = 4, INDEX_BITS = 3 };
  (void)model;
  term index = term_const(INDEX_BITS, SELF_NONE);
  for (unsigned e = 0; e < MODEL_EVENTS; e++)
    index = term_ite(has_number(state->evtyper[n], e), term_const(INDEX_BITS, rtl_index(e)), index);
  return index;
}

static term event_class(const struct model *model, const struct thread_state *state, unsigned n) {
  term class = term_const(3, PMUV3_EVENT_CLASS_SELF);
  for (unsigned e = 0; e < MODEL_EVENTS; e++)
    class = term_ite(has_number(state->evtyper[n], e), model->events[e].event_class, class);
  return class;
}

static term is_sync_capable(const struct event_terms *event) {
  return term_any(term_and(event->traits, term_const(2, PMUV3_EVENT_TRAIT_SYNC)));
}
static term is_attributed(const struct event_terms *event,
                          enum pmuv3_event_attribution attribution) {
  return term_eq(event->attribution, term_const(3, attribution));
}
static term is_shared(const struct event_terms *event) {
  return is_attributed(event, PMUV3_EVENT_ATTRIBUTION_SHARED);
}
static term is_memory(const struct event_terms *event) {
  return term_or(is_shared(event), is_attributed(event, PMUV3_EVENT_ATTRIBUTION_MEMORY));
}
static term is_own(const struct event_terms *event) {
  return is_attributed(event, PMUV3_EVENT_ATTRIBUTION_OWN);
}
static term is_trace(const struct event_terms *event) {
  return is_attributed(event, PMUV3_EVENT_ATTRIBUTION_TRACE);
}

/* Vectors with a bit of PMEVTYPER<n>, or of its event, for each lane. */
#define VECTOR(name, bit)                                                                     \
  static term name##_of(const struct model *model, term evtyper) {                            \
    (void)model;                                                                              \
    return bit;                                                                               \
  }                                                                                           \
  static term name(const struct model *model, const struct thread_state *state, unsigned n) { \
    (void)n;                                                                                  \
    return lanes(model, name##_of, state);                                                    \
  }
#define EVTYPER_BIT(name) term_extract(evtyper, PMUV3_PMEVTYPER_##name##_LSB, 1)
VECTOR(p, EVTYPER_BIT(P))
VECTOR(u, EVTYPER_BIT(U))
VECTOR(nsk, EVTYPER_BIT(NSK))
VECTOR(nsu, EVTYPER_BIT(NSU))
VECTOR(nsh, EVTYPER_BIT(NSH))
VECTOR(m, EVTYPER_BIT(M))
VECTOR(mt, EVTYPER_BIT(MT))
VECTOR(sh, EVTYPER_BIT(SH))
VECTOR(rlk, EVTYPER_BIT(RLK))
VECTOR(rlu, EVTYPER_BIT(RLU))
VECTOR(rlh, EVTYPER_BIT(RLH))
VECTOR(sync_bit, EVTYPER_BIT(SYNC))
VECTOR(vs1, term_extract(evtyper, PMUV3_PMEVTYPER_VS_LSB + 1, 1))
VECTOR(vs0, term_extract(evtyper, PMUV3_PMEVTYPER_VS_LSB, 1))
VECTOR(chain, has_number(evtyper, MODEL_CHAIN))
VECTOR(sync_capable, selects(model, evtyper, is_sync_capable))
VECTOR(memory, selects(model, evtyper, is_memory))
VECTOR(shared, selects(model, evtyper, is_shared))
VECTOR(own, selects(model, evtyper, is_own))
VECTOR(trace, selects(model, evtyper, is_trace))

/* ---- Other registers ---- */

#define SAME(name, value_)                                                                    \
  static term name(const struct model *model, const struct thread_state *state, unsigned n) { \
    (void)model;                                                                              \
    (void)n;                                                                                  \
    return value_;                                                                            \
  }
#define PMUV3_HELD(id, member) SAME(held_##member, state->member)
#include "pmuv3/registers.def"
SAME(pmcr, state->pmcr)
SAME(pmselr, BITS(state->pmselr, PMSELR, SEL))
SAME(pmicfiltr, state->pmicfiltr)
SAME(pmuacr, term_extract(state->pmuacr, 0, 33))
SAME(pmecr, WITHOUT(state->pmecr, PMECR, SSE))
SAME(sse_el1, BITS(state->pmecr, PMECR, SSE))
SAME(sse_el2, BITS(state->mdcr_el2, MDCR_EL2, PMSSE))
SAME(sse_el3, BITS(state->mdcr_el3, MDCR_EL3, PMSSE))
SAME(mdcr_el3, WITHOUT(WITHOUT(state->mdcr_el3, MDCR_EL3, PMSSE), MDCR_EL3, MTPME))
SAME(mdcr_el2,
     WITHOUT(WITHOUT(WITHOUT(state->mdcr_el2, MDCR_EL2, PMSSE), MDCR_EL2, MTPME), MDCR_EL2, HPMN))
SAME(counter_enable, low_lanes(model, state->cnten))
SAME(cycle_enable, term_extract(state->cnten, 31, 1))
SAME(instruction_enable, term_extract(state->cnten, 32, 1))
SAME(interrupt_enable, low_lanes(model, state->inten))
SAME(cycle_interrupt_enable, term_extract(state->inten, 31, 1))
SAME(instruction_interrupt_enable, term_extract(state->inten, 32, 1))
SAME(overflow, term_extract(state->overflow, n, 1))
SAME(cycle_overflow, term_extract(state->overflow, 31, 1))
SAME(instruction_overflow, term_extract(state->overflow, 32, 1))
SAME(value_low, term_extract(state->value[n], 0, 32))
SAME(value_high, term_extract(state->value[n], 32, 32))
SAME(cycles_low, term_extract(state->cycles, 0, 32))
SAME(cycles_high, term_extract(state->cycles, 32, 32))
SAME(instructions, state->instructions)
SAME(cp, term_extract(state->CP[n], 0, 1))
SAME(pending, term_extract(state->pending[n], 0, 8))
SAME(divider, term_extract(state->divider, 0, 6))
SAME(not_captured,
     term_ite(has(model, PMUV3_FEATURE_SS), BITS(state->pmsscr, PMSSCR, NC), TERM_TRUE))
SAME(captured, state->captured)
SAME(oslo, term_extract(state->pmccr, 8, 1))
SAME(epme, term_extract(state->pmccr, 7, 1))
SAME(locked, term_ite(model_has_software_lock(model), state->locked, TERM_TRUE))

/* HPMN and EPMN are held as the difference from what they reset to. Without EL2 there is no HPMN.
 */
SAME(hpmn,
     term_ite(model_param(model, "el2"),
              term_xor(BITS(state->mdcr_el2, MDCR_EL2, HPMN), counters(model)), term_const(5, 0)))
SAME(epmn, term_ite(has(model, PMUV3_FEATURE_EXTPMN),
                    term_xor(term_extract(state->pmccr, 0, 5), counters(model)), term_const(5, 0)))

/* MTPME is there once, for the highest of EL3 and EL2; where it is not, MTPMU is never disabled. */
static term mtpme(const struct model *model, const struct thread_state *state, unsigned n) {
  (void)n;
  const term el2 =
      term_ite(model_param(model, "el2"), BITS(state->mdcr_el2, MDCR_EL2, MTPME), TERM_TRUE);
  const term highest =
      term_ite(model_param(model, "el3"), BITS(state->mdcr_el3, MDCR_EL3, MTPME), el2);
  return term_ite(has(model, PMUV3_FEATURE_MTPMU), highest, TERM_TRUE);
}

static const struct row rows[] = {
    {"g_lane[].u_attribution.pending_q", pending},
    {"g_lane[].u_counter.high_q", value_high},
    {"g_lane[].u_counter.low_q", value_low},
    {"g_lane[].u_overflow.overflow_q", overflow},
    {"g_lane[].u_threshold.cp_q", cp},
    {"u_cycle_counter.divider_q", divider},
    {"u_cycle_counter.high_q", cycles_high},
    {"u_cycle_counter.low_q", cycles_low},
    {"u_cycle_counter.overflow_q", cycle_overflow},
    {"u_external.epme_q", epme},
    {"u_external.epmn_diff_q", epmn},
    {"u_external.locked_q", locked},
    {"u_external.oslo_q", oslo},
    {"u_instruction_counter.overflow_q", instruction_overflow},
    {"u_instruction_counter.value_q", instructions},
    {"u_registers.hpmn_diff_q", hpmn},
    {"u_registers.mdcr_el2_q", mdcr_el2},
    {"u_registers.mdcr_el3_q", mdcr_el3},
    {"u_registers.mtpme_q", mtpme},
    {"u_registers.pmcr_q", pmcr},
    {"u_registers.pmecr_q", pmecr},
    {"u_registers.pmicfiltr_q", pmicfiltr},
    {"u_registers.pmselr_q", pmselr},
    {"u_registers.pmuacr_q", pmuacr},
    {"u_registers.sse_el1_q", sse_el1},
    {"u_registers.sse_el2_q", sse_el2},
    {"u_registers.sse_el3_q", sse_el3},
    {"u_registers.u_controls.counter_enable_q", counter_enable},
    {"u_registers.u_controls.cycle_enable_q", cycle_enable},
    {"u_registers.u_controls.cycle_interrupt_enable_q", cycle_interrupt_enable},
    {"u_registers.u_controls.instruction_enable_q", instruction_enable},
    {"u_registers.u_controls.instruction_interrupt_enable_q", instruction_interrupt_enable},
    {"u_registers.u_controls.interrupt_enable_q", interrupt_enable},
    {"u_registers.u_evtypers.g_evtyper[].rest_q", rest},
    {"u_registers.u_evtypers.g_evtyper[].threshold_q", threshold},
    {"u_registers.u_evtypers.m_q", m},
    {"u_registers.u_evtypers.mt_q", mt},
    {"u_registers.u_evtypers.nsh_q", nsh},
    {"u_registers.u_evtypers.nsk_q", nsk},
    {"u_registers.u_evtypers.nsu_q", nsu},
    {"u_registers.u_evtypers.p_q", p},
    {"u_registers.u_evtypers.rlh_q", rlh},
    {"u_registers.u_evtypers.rlk_q", rlk},
    {"u_registers.u_evtypers.rlu_q", rlu},
    {"u_registers.u_evtypers.sh_q", sh},
    {"u_registers.u_evtypers.sync_q", sync_bit},
    {"u_registers.u_evtypers.u_event_select.chain_q", chain},
    {"u_registers.u_evtypers.u_event_select.g_event[].class_q", event_class},
    {"u_registers.u_evtypers.u_event_select.g_event[].index_q", event},
    {"u_registers.u_evtypers.u_event_select.memory_q", memory},
    {"u_registers.u_evtypers.u_event_select.own_q", own},
    {"u_registers.u_evtypers.u_event_select.shared_q", shared},
    {"u_registers.u_evtypers.u_event_select.sync_capable_q", sync_capable},
    {"u_registers.u_evtypers.u_event_select.trace_q", trace},
    {"u_registers.u_evtypers.u_q", u},
    {"u_registers.u_evtypers.vs0_q", vs0},
    {"u_registers.u_evtypers.vs1_q", vs1},
    {"u_snapshot.captured_q", captured},
    {"u_snapshot.not_captured_q", not_captured},
/* Registers that hold what is written, unless a row above says what the RTL holds of it. */
#define PMUV3_HELD(id, member) {"u_registers." #member "_q", held_##member},
#include "pmuv3/registers.def"
};

/* ---- Names ---- */

/* "g_thread[t].u_thread.REST", with the index in REST, if there is one, taken out. */
static bool parse(const char *name, unsigned *t, unsigned *n, char *rest_of, size_t size) {
  int used = 0;
  if (sscanf(name, "g_thread[%u].u_thread.%n", t, &used) != 1 || used == 0) return false;
  const char *text = name + used;
  const char *open = strchr(text, '[');
  *n = 0;
  if (open == NULL) return snprintf(rest_of, size, "%s", text) < (int)size;
  int length = 0;
  if (sscanf(open, "[%u]%n", n, &length) != 1) return false;
  return snprintf(rest_of, size, "%.*s[]%s", (int)(open - text), text, open + length) < (int)size;
}

/* Nothing writes to an absent thread's, which all are grouped with: it stays as a Cold reset leaves
 * it. */
static const char mtpme_name[] = "u_registers.mtpme_q";

static bool is_absent(const struct model *model, unsigned t) {
  return t >= model->size.threads && t < model->size.threads + model->size.absent;
}

bool map_is_absent(const struct model *model, const char *name) {
  unsigned t, n;
  char key[96];
  return parse(name, &t, &n, key, sizeof key) && is_absent(model, t) &&
         strcmp(key, mtpme_name) != 0;
}

static const char *const copies_names[] = {"u_snapshot.copying_q", "u_snapshot.svr_q",
                                           "u_snapshot.pmccntsvr_q", "u_snapshot.pmicntsvr_q"};

bool map_is_copy(const char *name) {
  unsigned t, n;
  char key[96];
  if (!parse(name, &t, &n, key, sizeof key)) return false;
  for (size_t c = 0; c < LENGTH(copies_names); c++)
    if (strcmp(key, copies_names[c]) == 0) return true;
  return false;
}

term map_state(const struct model *model, const struct thread_state *states,
               const struct copy_state *copies, const char *name) {
  unsigned t, n;
  char key[96];
  if (!parse(name, &t, &n, key, sizeof key)) return TERM_NONE;
  if (is_absent(model, t) && strcmp(key, mtpme_name) == 0) return TERM_TRUE;
  if (t >= model->size.threads) return TERM_NONE;
  const term of_copies[] = {copies[t].copying, copies[t].values, copies[t].cycles,
                            copies[t].instructions};
  for (size_t c = 0; c < LENGTH(copies_names); c++)
    if (strcmp(key, copies_names[c]) == 0) return of_copies[c];
  for (size_t r = 0; r < LENGTH(rows); r++)
    if (strcmp(key, rows[r].name) == 0) return rows[r].value(model, &states[t], n);
  return TERM_NONE;
}

static term all_values(const struct model *model, const struct thread_state *state) {
  term vector = state->value[0];
  for (unsigned n = 1; n < map_lanes(model); n++) vector = term_concat(state->value[n], vector);
  return vector;
}

struct saved_values map_saved(const struct model *model, const struct thread_state *state,
                              const struct copy_state *copies) {
  return (struct saved_values){
      term_ite(copies->copying, all_values(model, state), copies->values),
      term_ite(copies->copying, state->cycles, copies->cycles),
      term_ite(copies->copying, state->instructions, copies->instructions),
  };
}

/* ---- Inputs ---- */

/* What a port has of the threads that are not implemented, `width` bits each. TERM_NONE: there are
 * none. */
static term absent(const struct model *model, uint32_t width, const char *port) {
  char name[48];
  if (model->size.absent == 0) return TERM_NONE;
  snprintf(name, sizeof name, "absent.%s", port);
  return term_var(width * model->size.absent, name);
}

static term beyond(term vector, term of_absent) {
  return of_absent == TERM_NONE ? vector : term_concat(of_absent, vector);
}

/* {thread T-1, ..., thread 0} */
static term by_implemented(const struct model *model,
                           term (*of)(const struct thread_inputs *thread)) {
  term vector = of(&model->inputs.thread[0]);
  for (unsigned t = 1; t < model->size.threads; t++)
    vector = term_concat(of(&model->inputs.thread[t]), vector);
  return vector;
}

static term by_thread(const struct model *model, const char *port,
                      term (*of)(const struct thread_inputs *thread)) {
  const uint32_t width = term_width(of(&model->inputs.thread[0]));
  return beyond(by_implemented(model, of), absent(model, width, port));
}

/* No access is of a thread that is not implemented. */
static term accesses(const struct model *model, term (*of)(const struct thread_inputs *thread)) {
  const term none = model->size.absent == 0 ? TERM_NONE : term_const(model->size.absent, 0);
  return beyond(by_implemented(model, of), none);
}
#define OF_THREAD(name)                                       \
  static term of_##name(const struct thread_inputs *thread) { \
    return thread->name;                                      \
  }
OF_THREAD(pe)
OF_THREAD(other)
OF_THREAD(write)
OF_THREAD(read)
OF_THREAD(checked)
OF_THREAD(reg)
OF_THREAD(value)
OF_THREAD(capture)

/* config_t: the first parameter on top, then the features, the last on top. */
static term config(const struct model *model) {
  term packed = model->params[0];
  for (unsigned p = 1; p < model->num_params; p++) packed = term_concat(packed, model->params[p]);
  return term_concat(packed, model->features);
}

enum { OCCURRENCE_WIDTH = 8 * PMUV3_NUM_ORIGINS };

/* occurrence_t: what cannot come about so is 0. */
static term occurrence(const struct thread_inputs *thread, unsigned e) {
  term packed = TERM_NONE;
  for (unsigned o = 0; o < PMUV3_NUM_ORIGINS; o++) {
    const term count = thread->count[e][o] != TERM_NONE ? thread->count[e][o] : term_const(8, 0);
    packed = packed == TERM_NONE ? count : term_concat(count, packed);
  }
  return packed;
}

static term absent_occurrences(const struct model *model, unsigned e) {
  return absent(model, OCCURRENCE_WIDTH, model_event_name(e));
}

static term occurrences(const struct model *model) {
  term vector = TERM_NONE;
  for (unsigned e = 0; e < MODEL_EVENTS; e++) {
    if (model_event_is_self(e)) continue;
    for (unsigned t = 0; t < model->size.threads; t++) {
      const term one = occurrence(&model->inputs.thread[t], e);
      vector = vector == TERM_NONE ? one : term_concat(one, vector);
    }
    vector = beyond(vector, absent_occurrences(model, e));
  }
  return vector;
}

term map_absent_rest(const struct model *model) {
  term any = TERM_FALSE;
  if (model->size.absent == 0) return TERM_TRUE;
  for (unsigned e = 0; e < MODEL_EVENTS; e++)
    if (!model_event_is_self(e)) any = term_or(any, term_any(absent_occurrences(model, e)));
  return term_not(any);
}

/* event_t of each row that has an input. */
static term events(const struct model *model) {
  term vector = TERM_NONE;
  for (unsigned e = 0; e < MODEL_EVENTS; e++) {
    const struct event_terms *event = &model->events[e];
    if (model_event_is_self(e)) continue;
    const term row =
        term_concat(term_concat(is_sync_capable(event), event->attribution),
                    term_concat(event->event_class, term_const(16, model_event_number(e))));
    vector = vector == TERM_NONE ? row : term_concat(row, vector);
  }
  return vector;
}

/* {pnse, pprot[1]}: 00 Secure, 01 Non-secure, 10 Root, 11 Realm; NS, S, RL, RT are 0, 1, 2, 3. */
static term pnse(const struct model *model) {
  return term_extract(model->inputs.space, 1, 1);
}
static term pprot(const struct model *model) {
  const term nonsecure = term_not(term_extract(model->inputs.space, 0, 1));
  return term_concat(term_var(1, "apb.pprot2"), term_concat(nonsecure, term_var(1, "apb.pprot0")));
}

term map_input(const struct model *model, const char *name) {
  const struct model_inputs *inputs = &model->inputs;
  const struct {
    const char *name;
    term value;
  } ports[] = {
      {"clk_i", TERM_FALSE}, /* its edges are the steps */
      {"rst_ni", term_const(1, !model_is_reset(&model->which))},
      {"rst_cold_ni", term_const(1, model->which.access != MODEL_COLD_RESET)},
      {"cfg_i", config(model)},
      {"events_i", events(model)},
      {"cycle_i", term_const(1, model->which.cycle)},
      {"pe_i", by_thread(model, "pe", of_pe)},
      {"other_i", by_thread(model, "other", of_other)},
      {"occurrence_i", occurrences(model)},
      {"reg_write_i", accesses(model, of_write)},
      {"reg_read_i", accesses(model, of_read)},
      {"reg_checked_i", by_thread(model, "checked", of_checked)},
      {"reg_addr_i", by_thread(model, "reg", of_reg)},
      {"reg_wdata_i", by_thread(model, "value", of_value)},
      {"capture_i", by_thread(model, "capture", of_capture)},
      {"pclken_i", inputs->pclken},
      {"psel_i", inputs->psel},
      {"penable_i", inputs->penable},
      {"pwrite_i", inputs->transfer_write},
      {"paddr_i", term_concat(inputs->page, inputs->offset)},
      {"pnse_i", pnse(model)},
      {"pprot_i", pprot(model)},
      {"pwdata_i", inputs->word},
      {"pstrb_i", inputs->strobes},
  };
  for (size_t p = 0; p < LENGTH(ports); p++)
    if (strcmp(ports[p].name, name) == 0) return ports[p].value;
  return TERM_NONE;
}

term map_lane(const struct model *model, term vector, uint32_t width, unsigned thread, unsigned n) {
  return term_extract(vector, width * (map_lanes(model) * thread + n), width);
}
