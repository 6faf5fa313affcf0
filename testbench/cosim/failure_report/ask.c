#include "testbench/cosim/failure_report/ask.h"

#include "pmuv3/registers.h"

enum { MAX_ITEMS = 8 };

/* What is played instead of the step. */
struct trial {
  struct pmuv3_item items[MAX_ITEMS];
  size_t count;
};

static void add(struct trial *trial, struct pmuv3_item item) {
  trial->items[trial->count++] = item;
}

static void add_write(struct trial *trial, unsigned thread, uint16_t reg, uint64_t value) {
  add(trial, (struct pmuv3_item){.kind = PMUV3_ITEM_WRITE,
                                 .thread = (uint8_t)thread,
                                 .access = {.reg = reg, .value = value}});
}

static const struct pmuv3_step *step_of(const struct pmuv3_chain *chain) {
  return &chain->observation->steps[chain->first];
}

/* The step's item; of an idle one a cycle in which nothing happens. */
static struct pmuv3_item item_of(const struct pmuv3_chain *chain) {
  const struct pmuv3_item *item = step_of(chain)->item;
  if (item->kind == PMUV3_ITEM_IDLE) return (struct pmuv3_item){.kind = PMUV3_ITEM_CYCLE};
  return *item;
}

static bool replay(struct pmuv3_seen *seen, const struct pmuv3_chain *chain,
                   const struct trial *trial) {
  return pmuv3_replay_with(seen, chain->observation, step_of(chain), trial->items, trial->count);
}

static void keep(struct pmuv3_chain *chain, const char *question, bool differ) {
  chain->answers[chain->num_answers++] = (struct pmuv3_answer){question, differ};
}

/* Whether the sides agree then; the answer is kept. */
static bool agree(struct pmuv3_chain *chain, const char *question, const struct trial *trial) {
  struct pmuv3_seen seen;
  const bool differ = !replay(&seen, chain, trial) || seen.differ;
  keep(chain, question, differ);
  return !differ;
}

/* ---- The filter ---- */

static const uint64_t filter_bits =
    PMUV3_MASK(PMEVTYPER, P) | PMUV3_MASK(PMEVTYPER, U) | PMUV3_MASK(PMEVTYPER, NSK) |
    PMUV3_MASK(PMEVTYPER, NSU) | PMUV3_MASK(PMEVTYPER, NSH) | PMUV3_MASK(PMEVTYPER, M) |
    PMUV3_MASK(PMEVTYPER, SH) | PMUV3_MASK(PMEVTYPER, RLK) | PMUV3_MASK(PMEVTYPER, RLU) |
    PMUV3_MASK(PMEVTYPER, RLH) | PMUV3_MASK(PMEVTYPER, VS);

/* All of them 0 filter EL2 still. */
static const uint64_t open_bits = PMUV3_MASK(PMEVTYPER, NSH) | PMUV3_MASK(PMEVTYPER, RLH);

static bool has_counter(const struct pmuv3_chain *chain, int counter) {
  return counter >= 0 && counter < chain->observation->stimulus->params.counters;
}

static void add_external(struct trial *trial, const struct pmuv3_chain *chain, unsigned offset,
                         uint32_t value) {
  const struct pmuv3_params *params = &chain->observation->stimulus->params;
  const bool has_root = pmuv3_has(params, PMUV3_FEATURE_RME);
  const uint8_t most_secure = has_root ? PMUV3_RT : PMUV3_S;
  add(trial, (struct pmuv3_item){.kind = PMUV3_ITEM_EXTERNAL_WRITE,
                                 .thread = (uint8_t)chain->thread,
                                 .external = {.thread = (uint8_t)chain->thread,
                                              .ss = most_secure,
                                              .offset = (uint16_t)offset,
                                              .value = value}});
}

/* A counter of the agent's is reached through the page alone. */
static void add_type(struct trial *trial, const struct pmuv3_chain *chain, uint64_t clear,
                     uint64_t set) {
  const struct pmuv3_params *params = &chain->observation->stimulus->params;
  const uint64_t before = pmuv3_chain_before(chain, PMUV3_CMODEL)->evtyper[chain->counter];
  const uint64_t type = (before & ~clear) | set;
  add_write(trial, chain->thread, PMUV3_PMEVTYPERn(chain->counter), type);
  if (!pmuv3_has(params, PMUV3_FEATURE_EXTPMN)) return;
  const bool is_64 = pmuv3_has(params, PMUV3_FEATURE_EXT64);
  const unsigned n = (unsigned)chain->counter;
  add_external(trial, chain, 0x400 + n * (is_64 ? 8 : 4), (uint32_t)type);
  add_external(trial, chain, is_64 ? 0x404 + n * 8 : 0xA00 + n * 4, (uint32_t)(type >> 32));
}

/* Nothing filtered, nothing prohibited. */
static bool agree_unfiltered(struct pmuv3_chain *chain) {
  struct trial trial = {.count = 0};
  const struct pmuv3_probe *before = pmuv3_chain_before(chain, PMUV3_CMODEL);
  if (has_counter(chain, chain->counter)) add_type(&trial, chain, filter_bits, open_bits);
  add_write(&trial, chain->thread, PMUV3_MDCR_EL3,
            (before->mdcr_el3 | PMUV3_MASK(MDCR_EL3, SPME)) & ~PMUV3_MASK(MDCR_EL3, MPMX));
  add_write(&trial, chain->thread, PMUV3_MDCR_EL2, before->mdcr_el2 & ~PMUV3_MASK(MDCR_EL2, HPMD));
  add(&trial, item_of(chain));
  return agree(chain, "with nothing filtered or prohibited", &trial);
}

/* The thread's own events alone. */
static bool agree_without_MT(struct pmuv3_chain *chain) {
  struct trial trial = {.count = 0};
  add_type(&trial, chain, PMUV3_MASK(PMEVTYPER, MT), 0);
  add(&trial, item_of(chain));
  return agree(chain, "with MT = 0", &trial);
}

static bool counts_chain(const struct pmuv3_chain *chain) {
  const uint64_t type = pmuv3_chain_before(chain, PMUV3_CMODEL)->evtyper[chain->counter];
  return (type & 0xFFFF) == PMUV3_EVENT_CHAIN;
}

static bool has_MT(const struct pmuv3_chain *chain) {
  const struct pmuv3_probe *before = pmuv3_chain_before(chain, PMUV3_CMODEL);
  return PMUV3_GET(before->evtyper[chain->counter], PMEVTYPER, MT) != 0;
}

/* Filter and attribution: both show in `allowed` and in VB. */
static void ask_filter(struct pmuv3_chain *chain) {
  const bool is_VB = chain->signal == PMUV3_SIGNAL_VB;
  if (agree_unfiltered(chain))
    chain->stage = PMUV3_STAGE_FILTER;
  else if (has_MT(chain) && agree_without_MT(chain))
    chain->stage = PMUV3_STAGE_ATTRIBUTION;
  else if (is_VB && counts_chain(chain))
    chain->stage = PMUV3_STAGE_OVERFLOW; /* what comes in is CHAIN, of the even counter */
}

/*
 * The cycle and the instruction counter do not show whether they were allowed to
 * count. An event counter with their filter does; if that differs the filter is at fault,
 * which they have in common.
 */
static void ask_event_counter(struct pmuv3_chain *chain, uint64_t filter) {
  const struct pmuv3_probe *before = pmuv3_chain_before(chain, PMUV3_CMODEL);
  struct trial trial = {.count = 0};
  struct pmuv3_seen seen;
  if (!has_counter(chain, 0)) return;
  add_write(&trial, chain->thread, PMUV3_PMEVTYPERn(0), filter & filter_bits);
  add_write(&trial, chain->thread, PMUV3_PMCNTENSET, 1);
  add_write(&trial, chain->thread, PMUV3_PMCR, before->pmcr | PMUV3_MASK(PMCR, E));
  add_write(&trial, chain->thread, PMUV3_MDCR_EL2, before->mdcr_el2 | PMUV3_MASK(MDCR_EL2, HPME));
  add(&trial, item_of(chain));
  if (!replay(&seen, chain, &trial)) return;
  const bool differ = ((seen.probe[PMUV3_CMODEL][chain->thread].allowed ^
                        seen.probe[PMUV3_RTL][chain->thread].allowed) &
                       1) != 0;
  keep(chain, "with event counter 0 filtered likewise: in its `allowed`", differ);
  if (differ) chain->stage = PMUV3_STAGE_FILTER;
}

static void ask_fixed(struct pmuv3_chain *chain) {
  const struct pmuv3_probe *before = pmuv3_chain_before(chain, PMUV3_CMODEL);
  if (!pmuv3_step_is_cycle(step_of(chain))) return;
  if (chain->stage == PMUV3_STAGE_CYCLE_COUNTER) ask_event_counter(chain, before->pmccfiltr);
  if (chain->stage == PMUV3_STAGE_INSTRUCTION_COUNTER) ask_event_counter(chain, before->pmicfiltr);
}

/* ---- Accesses ---- */

/* The item with the highest rights; false: it is so anyway. */
static bool with_all_rights(struct pmuv3_item *item) {
  switch (item->kind) {
    case PMUV3_ITEM_MSR:
      item->kind = PMUV3_ITEM_WRITE;
      return true;
    case PMUV3_ITEM_MRS:
      item->kind = PMUV3_ITEM_EXPECT;
      return true;
    case PMUV3_ITEM_CYCLE: {
      bool any = false;
      for (unsigned t = 0; t < PMUV3_MAX_THREADS; t++) {
        if (!(item->cycle.has_write >> t & 1)) continue;
        any |= item->cycle.write[t].checked;
        item->cycle.write[t].checked = false;
      }
      return any;
    }
    default:
      return false;
  }
}

/* What a checked access does wrong alone is done wrong by what checks it. */
static bool ask_rights(struct pmuv3_chain *chain) {
  struct trial trial = {.count = 0};
  struct pmuv3_item item = item_of(chain);
  if (!with_all_rights(&item)) return false;
  add(&trial, item);
  if (!agree(chain, "with the rights of the highest Exception level", &trial)) return false;
  chain->stage = PMUV3_STAGE_ACCESS;
  return true;
}

/* ---- The external view ---- */

/* The same write through System registers, in the clock of the cycle or between cycles. */
static bool through_registers(const struct pmuv3_chain *chain, struct pmuv3_item *item) {
  const bool is_cycle = item->kind == PMUV3_ITEM_CYCLE;
  const struct pmuv3_external external = is_cycle ? item->cycle.external : item->external;
  struct pmuv3_write write = {0};
  unsigned lsb;
  write.reg = pmuv3_register_external(&chain->observation->stimulus->params, external.offset, &lsb);
  if (write.reg == 0) return false;
  write.value = (uint64_t)external.value << lsb;
  if (!is_cycle) {
    *item =
        (struct pmuv3_item){.kind = PMUV3_ITEM_WRITE, .thread = external.thread, .access = write};
    return true;
  }
  if (item->cycle.has_write >> external.thread & 1) return false;
  item->cycle.has_external = false;
  item->cycle.has_write |= (uint8_t)(1u << external.thread);
  item->cycle.write[external.thread] = write;
  return true;
}

/* What an external write alone does wrong is done wrong by the external view. */
static void ask_external(struct pmuv3_chain *chain) {
  struct trial trial = {.count = 0};
  struct pmuv3_item item = item_of(chain);
  const bool is_external = item.kind == PMUV3_ITEM_EXTERNAL_WRITE ||
                           (item.kind == PMUV3_ITEM_CYCLE && item.cycle.has_external);
  if (!is_external) return;
  if (through_registers(chain, &item)) {
    add(&trial, item);
    if (!agree(chain, "with the external write made through the System register", &trial)) return;
  } else if (item.kind == PMUV3_ITEM_CYCLE) {
    item.cycle.has_external = false;
    add(&trial, item);
    if (!agree(chain, "without the external write", &trial)) return;
  }
  chain->stage = PMUV3_STAGE_EXTERNAL;
}

/* ---- All of it ---- */

static bool is_of_lane(const struct pmuv3_chain *chain) {
  return chain->signal >= PMUV3_SIGNAL_allowed && chain->signal <= PMUV3_SIGNAL_V;
}

void pmuv3_chain_ask(struct pmuv3_chain *chain) {
  if (!step_of(chain)->item) return;
  if (chain->signal == PMUV3_SIGNAL_allowed || chain->signal == PMUV3_SIGNAL_VB) ask_filter(chain);
  if (is_of_lane(chain) || chain->stage == PMUV3_STAGE_EXTERNAL) return;
  if (!ask_rights(chain)) ask_external(chain);
  ask_fixed(chain);
}
