#include "testbench/prove/interference/interference_rules.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Conditions ---- */

term rules_all(const term *conditions, size_t number) {
  term all = TERM_TRUE;
  for (size_t c = 0; c < number; c++) all = term_and(all, conditions[c]);
  return all;
}

term rules_any(const term *conditions, size_t number) {
  term any = TERM_FALSE;
  for (size_t c = 0; c < number; c++) any = term_or(any, conditions[c]);
  return any;
}

term rules_is(term a, uint64_t value) {
  return term_eq(a, term_const(term_width(a), value));
}
#define is rules_is

/* ---- Parameters, registers, threads' states ---- */

term rules_variable(const struct model *model, const char *text, ...) {
  char name[96];
  va_list args;
  va_start(args, text);
  vsnprintf(name, sizeof name, text, args);
  va_end(args);
  return model_variable(model, name);
}

term rules_pe(const struct model *model, unsigned thread, const char *name) {
  return rules_variable(model, "t%u.pe.%s", thread, name);
}

term rules_param(const struct model *model, const char *field) {
  static const char *const names[] = {
#define PMUV3_PARAM(name, dflt, min, max, bits, text) #name,
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) #id,
#include "pmuv3/params.def"
  };
  for (size_t p = 0; p < RULES_LENGTH(names); p++)
    if (strcmp(names[p], field) == 0) return model->params[p];
  abort();
}

term rules_has(const struct model *model, enum pmuv3_feature feature) {
  return term_extract(model->features, feature, 1);
}

static term param(const struct observer *observer, const char *field) {
  return rules_param(observer->model, field);
}
static const struct thread_state *registers_of(const struct observer *observer) {
  return &observer->model->now[observer->thread];
}

/* Fields are RES0 where the feature is not there, so they are the Effective ones. */
#define FIELD(value, reg, name)                   \
  term_extract(value, PMUV3_##reg##_##name##_LSB, \
               PMUV3_##reg##_##name##_MSB - PMUV3_##reg##_##name##_LSB + 1)

struct context rules_current(const struct model *model, unsigned thread) {
  return (struct context){thread, rules_pe(model, thread, "el"), rules_pe(model, thread, "ss")};
}
struct context rules_other(const struct model *model, unsigned thread) {
  return (struct context){thread, rules_variable(model, "t%u.other.el", thread),
                          rules_variable(model, "t%u.other.ss", thread)};
}

/* ELx uses AArch32, as a thread has it. */
static term el3_aa32(const struct model *model, unsigned thread) {
  return term_or(rules_pe(model, thread, "a32el3"), NOT(rules_param(model, "aa64")));
}
static term el1_aa32(const struct model *model, unsigned thread) {
  return term_or(rules_pe(model, thread, "a32el1"), el3_aa32(model, thread));
}

/* ---- Ranges (rules.md G.1) ---- */

static term epmn(const struct observer *observer) {
  const term counters = param(observer, "counters");
  const term field = term_extract(registers_of(observer)->pmccr, 0, 5);
  const term is_used =
      term_and(rules_has(observer->model, PMUV3_FEATURE_EXTPMN), term_ule(field, counters));
  return term_ite(is_used, field, counters);
}

static term hpmn(const struct observer *observer) {
  const term field = FIELD(registers_of(observer)->mdcr_el2, MDCR_EL2, HPMN);
  const term is_reserved =
      term_and(is(field, 0), NOT(rules_has(observer->model, PMUV3_FEATURE_HPMN0)));
  const term is_used =
      ALL(param(observer, "el2"), NOT(is_reserved), term_ule(field, epmn(observer)));
  return term_ite(is_used, field, epmn(observer));
}

term rules_in_r1(const struct observer *observer, unsigned n) {
  return term_ult(term_const(5, n), hpmn(observer));
}
term rules_in_r3(const struct observer *observer, unsigned n) {
  return term_ule(epmn(observer), term_const(5, n));
}
term rules_in_r2(const struct observer *observer, unsigned n) {
  return NOT(term_or(rules_in_r1(observer, n), rules_in_r3(observer, n)));
}

term rules_reached(const struct observer *observer, unsigned n) {
  const struct context of = rules_current(observer->model, observer->thread);
  const term is_secure_el2 =
      ALL(rules_has(observer->model, PMUV3_FEATURE_SEL2),
          rules_pe(observer->model, of.thread, "eel2"), NOT(el3_aa32(observer->model, of.thread)));
  const term is_enabled =
      term_and(param(observer, "el2"), term_or(NOT(is(of.ss, PMUV3_S)), is_secure_el2));
  const term is_guest = term_and(is_enabled, term_ult(of.el, term_const(term_width(of.el), 2)));
  return term_or(rules_in_r1(observer, n), term_and(rules_in_r2(observer, n), NOT(is_guest)));
}

/* ---- The group (rules.md C.0) ---- */

/* D13.6-7, D13.6-8 */
static term is_mtpmu_disabled(const struct model *model, unsigned thread) {
  const struct thread_state *registers = &model->now[thread];
  const term by_el2 =
      term_and(rules_param(model, "el2"), NOT(FIELD(registers->mdcr_el2, MDCR_EL2, MTPME)));
  return term_ite(rules_param(model, "el3"), NOT(FIELD(registers->mdcr_el3, MDCR_EL3, MTPME)),
                  by_el2);
}

static term filter_of(const struct observer *observer) {
  const struct thread_state *registers = registers_of(observer);
  if (observer->kind == CYCLES) return registers->pmccfiltr;
  if (observer->kind == INSTRUCTIONS) return registers->pmicfiltr;
  return registers->evtyper[observer->n];
}

term rules_grouped(const struct observer *observer) {
  const struct model *model = observer->model;
  if (model->size.threads == 1 || observer->kind != COUNTER) return TERM_FALSE;
  term disabled = is_mtpmu_disabled(model, observer->thread);
  for (unsigned t = 0; t < model->size.threads; t++)
    disabled =
        term_or(disabled, term_and(param(observer, "k_mtpme_group"), is_mtpmu_disabled(model, t)));
  return term_and(FIELD(filter_of(observer), PMEVTYPER, MT),
                  NOT(term_and(rules_has(model, PMUV3_FEATURE_MTPMU), disabled)));
}

/* ---- Prohibited (rules.md D.4), by the counting thread's controls ---- */

static term is_secure(const struct observer *observer, const struct context *of) {
  return term_and(param(observer, "el3"), term_or(is(of->ss, PMUV3_S), is(of->el, 3)));
}
static term is_el3_aa64(const struct observer *observer) {
  return NOT(el3_aa32(observer->model, observer->thread));
}
static term spme(const struct observer *observer) {
  return FIELD(registers_of(observer)->mdcr_el3, MDCR_EL3, SPME);
}
static term mpmx(const struct observer *observer) {
  return term_and(FIELD(registers_of(observer)->mdcr_el3, MDCR_EL3, MPMX), is_el3_aa64(observer));
}
static term hpmd(const struct observer *observer) {
  return FIELD(registers_of(observer)->mdcr_el2, MDCR_EL2, HPMD);
}

/* With RME, EL3 is in Root state. Then {SPME, MPMX} = {0, 0} prohibits EL3 as a pair of Security
 * state and Exception level, and not as Secure state (D13.6-14). */
static struct prohibition prohibition_in(const struct observer *observer, const struct context *of,
                                         term r1, term r3) {
  const term sunident = FIELD(registers_of(observer)->sder, SDER32_EL3, SUNIDEN);
  const term relieved = ALL(is(of->el, 0), el1_aa32(observer->model, of->thread), sunident);
  const term lifted = term_and(NOT(param(observer, "debugv8p2")),
                               rules_pe(observer->model, observer->thread, "snid"));
  const term applies = NOT(term_or(r3, lifted));
  const term root = term_and(is(of->el, 3), rules_has(observer->model, PMUV3_FEATURE_RME));
  const term by_none = ALL(is_secure(observer, of), NOT(spme(observer)), NOT(mpmx(observer)));
  const term by_mpmx =
      ALL(param(observer, "el3"), is(of->el, 3), mpmx(observer), term_or(NOT(spme(observer)), r1));
  return (struct prohibition){
      .secure = ALL(applies, by_none, NOT(root), NOT(relieved)),
      .el3 = ALL(applies, term_or(by_mpmx, term_and(by_none, root))),
      .el2 = ALL(applies, param(observer, "el2"), is(of->el, 2), r1, hpmd(observer)),
  };
}

struct prohibition rules_prohibition_r1(const struct observer *observer, const struct context *of) {
  return prohibition_in(observer, of, TERM_TRUE, TERM_FALSE);
}
struct prohibition rules_prohibition(const struct observer *observer, const struct context *of) {
  if (observer->kind != COUNTER) return rules_prohibition_r1(observer, of);
  return prohibition_in(observer, of, rules_in_r1(observer, observer->n),
                        rules_in_r3(observer, observer->n));
}

static term is_any(struct prohibition by) {
  return ANY(by.secure, by.el3, by.el2);
}

/* RCSRMB */
static term instructions_prohibited(const struct observer *observer, const struct context *of) {
  const term aa64 = is_el3_aa64(observer);
  const term at_el3 = ALL(param(observer, "el3"), is(of->el, 3),
                          NOT(ALL(aa64, spme(observer), NOT(mpmx(observer)))));
  const term secure = ALL(is_secure(observer, of), NOT(is(of->el, 3)),
                          NOT(term_and(aa64, term_or(spme(observer), mpmx(observer)))));
  return ANY(at_el3, secure, term_and(is(of->el, 2), hpmd(observer)));
}

/* RGKPZH */
static term cycles_prohibited(const struct observer *observer, const struct context *of) {
  const struct thread_state *registers = registers_of(observer);
  const term by_dp =
      term_and(FIELD(registers->pmcr, PMCR, DP), is_any(rules_prohibition_r1(observer, of)));
  const term sccd = term_and(is_secure(observer, of), FIELD(registers->mdcr_el3, MDCR_EL3, SCCD));
  const term hccd = term_and(is(of->el, 2), FIELD(registers->mdcr_el2, MDCR_EL2, HCCD));
  const term mccd = ALL(param(observer, "el3"), is(of->el, 3), is_el3_aa64(observer),
                        FIELD(registers->mdcr_el3, MDCR_EL3, MCCD));
  return ANY(by_dp, sccd, hccd, mccd);
}

term rules_prohibited(const struct observer *observer, const struct context *of) {
  if (observer->kind == CYCLES) return cycles_prohibited(observer, of);
  if (observer->kind == INSTRUCTIONS) return instructions_prohibited(observer, of);
  return is_any(rules_prohibition(observer, of));
}

/* ---- Filtered (rules.md D.2) ---- */

term rules_filtered(const struct observer *observer, const struct context *of) {
  const term filter = filter_of(observer);
  const term p = FIELD(filter, PMEVTYPER, P), u = FIELD(filter, PMEVTYPER, U);
  const term nsh = FIELD(filter, PMEVTYPER, NSH);
  const term m = term_and(FIELD(filter, PMEVTYPER, M), is_el3_aa64(observer));
  const term ns = is(of->ss, PMUV3_NS), s = is(of->ss, PMUV3_S), rl = is(of->ss, PMUV3_RL);
  const term el0 = ANY(ALL(ns, term_xor(u, FIELD(filter, PMEVTYPER, NSU))), ALL(s, u),
                       ALL(rl, term_xor(u, FIELD(filter, PMEVTYPER, RLU))));
  const term el1 = ANY(ALL(ns, term_xor(p, FIELD(filter, PMEVTYPER, NSK))), ALL(s, p),
                       ALL(rl, term_xor(p, FIELD(filter, PMEVTYPER, RLK))));
  const term el2 = ANY(ALL(ns, NOT(nsh)), ALL(s, term_eq(nsh, FIELD(filter, PMEVTYPER, SH))),
                       ALL(rl, term_eq(nsh, FIELD(filter, PMEVTYPER, RLH))));
  return ANY(ALL(is(of->el, 0), el0), ALL(is(of->el, 1), el1), ALL(is(of->el, 2), el2),
             ALL(is(of->el, 3), term_xor(m, p)));
}
