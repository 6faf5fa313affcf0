/* External: a page of each thread's registers, for agents outside the core (I3.1). */
#include "internal.h"

/* Registers that only this view has. No System register has these numbers. */
enum {
  LAST_ENCODING = 0xFFFF,
#define PMUV3_EXTERNAL_ONLY(id, ...) PMUV3_##id,
#include "pmuv3/external.def"
};

enum access { ACCESS_RW, ACCESS_RO, ACCESS_WO };

enum domain { DOMAIN_CORE, DOMAIN_SNAPSHOT, DOMAIN_AGENT, DOMAIN_NONE };

/* A register exists if all of these features are implemented. */
enum {
  NEEDS_ALWAYS = 0,
#define PMUV3_FEATURE(id, implies, dflt, text) NEEDS_##id = 1 << PMUV3_FEATURE_##id,
#include "pmuv3/params.def"
  NEEDS_SS_ICNTR = NEEDS_SS | NEEDS_ICNTR,
};

/* With EXT32, a high half exists if any of these features is implemented. */
enum {
  HIGH_ALWAYS = 0,
#define PMUV3_FEATURE(id, implies, dflt, text) HIGH_##id = 1 << PMUV3_FEATURE_##id,
#include "pmuv3/params.def"
  HIGH_TYPES = HIGH_TH | HIGH_PMUv3p8 | HIGH_SME,
};

#define NO_OFFSET 0xFFFF

/* A row of external.def. */
struct row {
  uint32_t id; /* with n = 0: a System register's encoding, or a number from the list above */
  uint16_t lo32, hi32, off64;
  uint8_t stride32, stride64;
  enum access access;
  enum domain domain;
  uint32_t needs, high;
};

static const struct row rows[] = {
#define PMUV3_EXTERNAL(id, name, lo32, hi32, off64, stride32, stride64, access, domain, present,   \
                       high, text)                                                                 \
  {PMUV3_##id,      lo32,       hi32, off64, stride32, stride64, ACCESS_##access, DOMAIN_##domain, \
   NEEDS_##present, HIGH_##high},
#include "pmuv3/external.def"
};

/* A word of the page: the low half or the high half of a register. */
struct word {
  const struct row *row;
  unsigned n;   /* the index of the register; 0 if the row has only one */
  unsigned lsb; /* 0 or 32 */
};

static bool has_page(const struct pmuv3_params *params) {
  return pmuv3_has(params, PMUV3_FEATURE_EXT32) || pmuv3_has(params, PMUV3_FEATURE_EXT64);
}

/* A row has one register, or one for each counter, `stride` apart. Whether the offset is that of
 * register *n. */
static bool is_at(unsigned first, unsigned stride, unsigned offset, unsigned *n) {
  if (first == NO_OFFSET || offset < first) return false;
  *n = stride == 0 ? 0 : (offset - first) / stride;
  return offset == first + *n * stride && *n < PMUV3_MAX_COUNTERS;
}

/* With EXT32, the features behind the fields in the high half make a register 64 bits wide. */
static bool has_high32(const struct pmuv3_params *params, const struct row *row) {
  return row->high == HIGH_ALWAYS || (params->features & row->high) != 0;
}

/* With EXT64, all registers except the management registers have 64 bits. */
static bool has_high64(const struct row *row) {
  return row->hi32 != NO_OFFSET || row->domain != DOMAIN_NONE;
}

static bool is_in_row(const struct pmuv3_params *params, const struct row *row, unsigned offset,
                      struct word *word) {
  const bool ext64 = pmuv3_has(params, PMUV3_FEATURE_EXT64);
  const unsigned stride = ext64 ? row->stride64 : row->stride32;
  word->row = row;
  word->lsb = 0;
  if (is_at(ext64 ? row->off64 : row->lo32, stride, offset, &word->n)) return true;
  word->lsb = 32;
  if (ext64)
    return has_high64(row) && offset >= 4 && is_at(row->off64, stride, offset - 4, &word->n);
  return has_high32(params, row) && is_at(row->hi32, stride, offset, &word->n);
}

/* Finds the word at an offset. Returns false if the offset is reserved. */
static bool find(const struct pmuv3_params *params, unsigned offset, struct word *word) {
  for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
    const struct row *row = &rows[r];
    if ((params->features & row->needs) != row->needs || !is_in_row(params, row, offset, word))
      continue;
    return row->stride64 == 0 || word->n < params->counters;
  }
  return false;
}

uint16_t pmuv3_register_external(const struct pmuv3_params *params, uint16_t offset,
                                 unsigned *lsb) {
  struct word word;
  if (!has_page(params) || !find(params, offset, &word) || word.row->id > LAST_ENCODING) return 0;
  *lsb = word.lsb;
  return (uint16_t)(word.row->id + word.n);
}

/* ---- Permissions ---- */

/* A set of physical address spaces. */
enum {
  NS = 1 << PMUV3_NS,
  S = 1 << PMUV3_S,
  RL = 1 << PMUV3_RL,
  RT = 1 << PMUV3_RT,
};

/* The address space of an access. Without RME, only NS and S exist. */
static unsigned space_of(const struct pmuv3_params *params, enum pmuv3_security_state ss) {
  if (pmuv3_has(params, PMUV3_FEATURE_RME)) return 1u << ss;
  return ss == PMUV3_S || ss == PMUV3_RT ? S : NS;
}

/* SecureOnlyImplementation(): without EL3 there is one Security state, the thread's. */
static bool is_secure_only(const struct pmuv3 *pmu, unsigned thread) {
  return !pmu->params.el3 && pmu->pe[thread].ss == PMUV3_S;
}

/* IsMostSecureAccess() */
static bool is_most_secure(const struct pmuv3 *pmu, unsigned thread, unsigned space) {
  if (pmuv3_has(&pmu->params, PMUV3_FEATURE_RME)) return space == RT;
  return space == S || (!pmu->params.el3 && !is_secure_only(pmu, thread));
}

/* DoubleLockStatus(): in Debug state the OS Double Lock has no effect (H6.6.9). */
static bool is_double_locked(const struct pmuv3_pe *pe) {
  return pe->dlk && !pe->halted;
}

/* The OS Lock. PMCCR.OSLO overrides the lock for the most secure access (IYWTNH). */
static bool is_os_locked(const struct pmuv3 *pmu, unsigned thread, unsigned space) {
  const bool overridden = is_most_secure(pmu, thread, space) &&
                          (pmu->thread[thread].registers.pmccr & PMUV3_PMCCR_OSLO) != 0;
  return pmu->pe[thread].oslk && !overridden;
}

/* AllowExternalPMUAccess() */
static bool allows_counters(const struct pmuv3 *pmu, unsigned thread, unsigned space) {
  static const uint8_t allowed[] = {NS | S | RL | RT, S | RT, RL | RT, RT};
  const uint64_t mdcr_el3 = pmu->thread[thread].registers.mdcr_el3;
  if (is_secure_only(pmu, thread)) return space == S;
  const uint64_t epmade = PMUV3_GET(mdcr_el3, MDCR_EL3, EPMADE);
  const uint64_t epmad = PMUV3_GET(mdcr_el3, MDCR_EL3, EPMAD);
  return (allowed[epmade << 1 | epmad] & space) != 0;
}

/* AllowExternalPMSSAccess(). Without RME, 0b01 and 0b10 are reserved and behave as 0b00. */
static bool allows_snapshots(const struct pmuv3 *pmu, unsigned thread, unsigned space) {
  static const uint8_t allowed_rme[] = {RT, RL | RT, S | RT, NS | S | RL | RT};
  static const uint8_t allowed[] = {S, S, S, NS | S};
  const uint64_t mdcr_el3 = pmu->thread[thread].registers.mdcr_el3;
  const uint64_t epmssad = pmu->params.el3 ? PMUV3_GET(mdcr_el3, MDCR_EL3, EPMSSAD) : 3;
  const bool rme = pmuv3_has(&pmu->params, PMUV3_FEATURE_RME);
  return ((rme ? allowed_rme : allowed)[epmssad] & space) != 0;
}

/* Whether an access gets an error response (tables I3-1 and I3-2). */
static bool is_blocked(const struct pmuv3 *pmu, unsigned thread, enum domain domain,
                       unsigned space) {
  const bool double_locked = is_double_locked(&pmu->pe[thread]);
  switch (domain) {
    case DOMAIN_CORE:
      return double_locked || is_os_locked(pmu, thread, space) ||
             !allows_counters(pmu, thread, space);
    case DOMAIN_SNAPSHOT:
      return double_locked || !allows_snapshots(pmu, thread, space);
    case DOMAIN_AGENT:
      return double_locked;
    case DOMAIN_NONE:
      return false;
  }
  return true;
}

/* The number of event counters that an access sees. Only the most secure access sees range R3
 * (RDQYGL). */
static unsigned visible(const struct pmuv3 *pmu, unsigned thread, bool most_secure) {
  return most_secure ? pmu->params.counters : pmu->thread[thread].decoded.epmn;
}

/* n does not matter: this view has PMCFGR.N instead of PMCR_EL0.N. */
static struct pmuv3_reach reach_of(const struct pmuv3 *pmu, unsigned thread, bool most_secure,
                                   const struct word *word) {
  return (struct pmuv3_reach){
      .bits = (uint64_t)UINT32_MAX << word->lsb,
      .counters =
          pmuv3_counters_below(visible(pmu, thread, most_secure)) | PMUV3_BIT_C | PMUV3_BIT_F0,
      .n = 0,
  };
}

/* ---- Values of the registers that only this view has ---- */

static uint64_t pmcfgr(const struct pmuv3_params *params, unsigned event_counters) {
  const uint32_t icntr = pmuv3_has(params, PMUV3_FEATURE_ICNTR);
  const uint32_t ss = pmuv3_has(params, PMUV3_FEATURE_SS);
  const uint32_t fzo = pmuv3_has(params, PMUV3_FEATURE_PMUv3p7);
  const uint32_t ccd = pmuv3_can_aa32(params, 0), cc = 1, size = 0x3F;
  return icntr << 28 | ss << 22 | fzo << 21 | ccd << 15 | cc << 14 | size << 8 |
         (event_counters + icntr);
}

/* Two groups: the event counters with the cycle counter, and the instruction counter. */
static uint64_t pmcgcr0(unsigned event_counters) {
  return 1u << 8 | (event_counters + 1);
}

/* As MPIDR_EL1: Aff0 is the thread's number, MT is 1 if there is more than one thread. */
static uint64_t pmdevaff(const struct pmuv3_params *params, unsigned thread) {
  const uint32_t mt = params->threads > 1;
  const uint64_t aff3 = params->affinity >> 16;
  const uint64_t aff2_aff1 = params->affinity & 0xFFFF;
  return aff3 << 32 | UINT32_C(1) << 31 | mt << 24 | aff2_aff1 << 8 | thread;
}

/* PMPIDR<i>: a byte of the parameter. */
static uint64_t pmpidr(const struct pmuv3_params *params, unsigned i) {
  return params->pidr >> 8 * i & 0xFF;
}

static uint64_t read_register(const struct pmuv3 *pmu, unsigned thread, uint32_t reg,
                              const struct pmuv3_reach *reach) {
  return pmuv3_registers_read(pmu, thread, pmuv3_register_decode((uint16_t)reg), reach);
}

static void write_register(struct pmuv3 *pmu, unsigned thread, uint32_t reg, uint64_t value,
                           const struct pmuv3_reach *reach) {
  pmuv3_registers_write(pmu, thread, pmuv3_register_decode((uint16_t)reg), value, reach);
}

/* PMCR_EL0.{IMP, IDCODE, N} are RAZ/WI in this view. */
static uint64_t pmcr(const struct pmuv3 *pmu, unsigned thread, const struct pmuv3_reach *reach) {
  const uint64_t raz = PMUV3_MASK(PMCR, IMP) | PMUV3_MASK(PMCR, IDCODE) | PMUV3_MASK(PMCR, N);
  return read_register(pmu, thread, PMUV3_PMCR, reach) & ~raz;
}

static uint64_t pmdevid(const struct pmuv3_params *params) {
  const uint32_t extpmn = pmuv3_has(params, PMUV3_FEATURE_EXTPMN);
  const uint32_t pmss = pmuv3_has(params, PMUV3_FEATURE_SS);
  return extpmn << 8 | pmss << 4;
}

/* ---- Reading and writing ---- */

static uint64_t read_word(const struct pmuv3 *pmu, unsigned thread, bool most_secure,
                          const struct word *word) {
  const struct pmuv3_params *params = &pmu->params;
  const struct pmuv3_registers *registers = &pmu->thread[thread].registers;
  const struct pmuv3_reach reach = reach_of(pmu, thread, most_secure, word);
  switch (word->row->id) {
    case PMUV3_PMCNTEN:
      return read_register(pmu, thread, PMUV3_PMCNTENSET, &reach);
    case PMUV3_PMINTEN:
      return read_register(pmu, thread, PMUV3_PMINTENSET, &reach);
    case PMUV3_PMOVS:
      return read_register(pmu, thread, PMUV3_PMOVSSET, &reach);
    case PMUV3_PMCR:
      return pmcr(pmu, thread, &reach);
    case PMUV3_PMCCR:
      return most_secure ? registers->pmccr : 0;
    case PMUV3_PMCFGR:
      return pmcfgr(params, visible(pmu, thread, most_secure));
    case PMUV3_PMCGCR0:
      return pmcgcr0(visible(pmu, thread, most_secure));
    case PMUV3_PMLSR:
      return pmuv3_pmlsr(params, registers->locked);
    case PMUV3_PMDEVAFF:
      return pmdevaff(params, thread);
    case PMUV3_PMDEVARCH:
      return pmuv3_has(params, PMUV3_FEATURE_EXT64) ? 0x47702A26 : 0x47702A16;
    case PMUV3_PMDEVID:
      return pmdevid(params);
    case PMUV3_PMDEVTYPE:
      return 0x16; /* a performance monitor, in a core */
    case PMUV3_PMIIDR:
      return params->iidr;
    case PMUV3_PMAUTHSTATUS:
      return params->authstatus;
    case PMUV3_PMPIDR4:
      return pmpidr(params, 4);
    case PMUV3_PMPIDR0:
      return pmpidr(params, 0);
    case PMUV3_PMPIDR1:
      return pmpidr(params, 1);
    case PMUV3_PMPIDR2:
      return pmpidr(params, 2);
    case PMUV3_PMPIDR3:
      return pmpidr(params, 3);
    case PMUV3_PMCIDR0:
      return 0x0D;
    case PMUV3_PMCIDR1:
      return 0x90;
    case PMUV3_PMCIDR2:
      return 0x05;
    case PMUV3_PMCIDR3:
      return 0xB1;
    default:
      return read_register(pmu, thread, word->row->id + word->n, &reach);
  }
}

/* Writes a register with a bit for each counter. Counters out of reach keep their bits. */
static void replace(struct pmuv3 *pmu, unsigned thread, uint16_t set, uint16_t clear,
                    uint64_t value, const struct pmuv3_reach *reach) {
  write_register(pmu, thread, clear, ~value, reach);
  write_register(pmu, thread, set, value, reach);
}

static void write_word(struct pmuv3 *pmu, unsigned thread, bool most_secure,
                       const struct word *word, uint64_t value) {
  const struct pmuv3_reach reach = reach_of(pmu, thread, most_secure, word);
  switch (word->row->id) {
    case PMUV3_PMCNTEN:
      replace(pmu, thread, PMUV3_PMCNTENSET, PMUV3_PMCNTENCLR, value, &reach);
      return;
    case PMUV3_PMINTEN:
      replace(pmu, thread, PMUV3_PMINTENSET, PMUV3_PMINTENCLR, value, &reach);
      return;
    case PMUV3_PMOVS:
      replace(pmu, thread, PMUV3_PMOVSSET, PMUV3_PMOVSCLR, value, &reach);
      return;
    case PMUV3_PMCCR:
      if (most_secure && word->lsb == 0) pmuv3_registers_write_pmccr(pmu, thread, value);
      return;
    case PMUV3_PMLAR:
      pmu->thread[thread].registers.locked =
          pmuv3_has_software_lock(&pmu->params) && value != 0xC5ACCE55;
      return;
    default:
      write_register(pmu, thread, word->row->id + word->n, value, &reach);
      return;
  }
}

/* Whether the Software Lock blocks a write (Table I3-2, SLK). A lock that does not exist never
 * closes. */
static bool is_software_locked(const struct pmuv3 *pmu, unsigned thread, const struct word *word) {
  const bool exempt = word->row->id == PMUV3_PMLAR || word->row->id == PMUV3_PMCCR;
  return pmu->thread[thread].registers.locked && !exempt;
}

/* Whether the thread, the address space and the offset exist. */
static bool is_word(const struct pmuv3 *pmu, unsigned thread, unsigned ss, uint16_t offset) {
  return has_page(&pmu->params) && thread < pmu->params.threads && ss <= PMUV3_RT &&
         offset < 0x1000 && offset % 4 == 0;
}

bool pmuv3_external_read(const struct pmuv3 *pmu, unsigned thread, enum pmuv3_security_state ss,
                         uint16_t offset, uint32_t *value) {
  struct word word;
  *value = 0;
  if (!is_word(pmu, thread, ss, offset)) return false;
  const unsigned space = space_of(&pmu->params, ss);
  if (!find(&pmu->params, offset, &word)) return true;
  if (is_blocked(pmu, thread, word.row->domain, space)) return false;
  if (word.row->access == ACCESS_WO) return true;
  *value =
      (uint32_t)(read_word(pmu, thread, is_most_secure(pmu, thread, space), &word) >> word.lsb);
  return true;
}

bool pmuv3_external_locked(const struct pmuv3 *pmu, unsigned thread, uint16_t offset) {
  struct word word;
  return is_word(pmu, thread, PMUV3_NS, offset) && find(&pmu->params, offset, &word) &&
         is_software_locked(pmu, thread, &word);
}

bool pmuv3_external_write(struct pmuv3 *pmu, unsigned thread, enum pmuv3_security_state ss,
                          uint16_t offset, uint32_t value) {
  struct word word;
  if (!is_word(pmu, thread, ss, offset)) return false;
  const unsigned space = space_of(&pmu->params, ss);
  if (!find(&pmu->params, offset, &word)) return true;
  if (is_blocked(pmu, thread, word.row->domain, space)) return false;
  if (word.row->access == ACCESS_RO || is_software_locked(pmu, thread, &word)) return true;
  write_word(pmu, thread, is_most_secure(pmu, thread, space), &word, (uint64_t)value << word.lsb);
  return true;
}
