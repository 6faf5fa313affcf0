/*
 * Save and restore: the state of the PMUs as bytes. What is derived from registers and states is
 * not saved.
 */
#include <string.h>

#include "internal.h"
#include "pmuv3/pmuv3.h"

/* A change of what is saved, or of its meaning, is a new version. */
#define SAVE_VERSION 1

/* `layout` is another one with another compiler's or host's structs and order of bytes. */
struct head {
  char magic[8];
  uint32_t version;
  uint32_t layout;
  uint64_t params; /* digest */
  uint64_t body;   /* digest */
};

struct saved_thread {
  struct pmuv3_state state;
  struct pmuv3_registers registers;
  struct pmuv3_saved saved;
  struct pmuv3_values values;
  struct pmuv3_pe pe;
};

#define LAYOUT                                                                        \
  ((uint32_t)sizeof(struct saved_thread) << 8 ^ (uint32_t)sizeof(struct pmuv3_ends) ^ \
   (uint32_t)sizeof(struct head) << 20)

/* ---- Digests: FNV-1a of 64 bits ---- */

static uint64_t digest_bytes(uint64_t digest, const void *bytes, size_t size) {
  const unsigned char *byte = bytes;
  for (size_t i = 0; i < size; i++) digest = (digest ^ byte[i]) * UINT64_C(0x100000001B3);
  return digest;
}

static uint64_t digest_number(uint64_t digest, uint64_t number) {
  for (unsigned i = 0; i < 8; i++)
    digest = (digest ^ (number >> 8 * i & 0xFF)) * UINT64_C(0x100000001B3);
  return digest;
}

#define DIGEST_START UINT64_C(0xCBF29CE484222325)

uint64_t pmuv3_digest(const void *bytes, size_t size) {
  return digest_bytes(DIGEST_START, bytes, size);
}

uint64_t pmuv3_params_digest(const struct pmuv3_params *params) {
  uint64_t digest = DIGEST_START;
#define PMUV3_PARAM(name, dflt, min, max, bits, text) digest = digest_number(digest, params->name);
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) digest = digest_number(digest, params->id);
#include "pmuv3/params.def"
  digest = digest_number(digest, params->features);
  digest = digest_number(digest, params->events.num);
  for (unsigned e = 0; e < params->events.num && e < PMUV3_MAX_EVENTS; e++) {
    const struct pmuv3_event *event = &params->events.event[e];
    digest = digest_number(digest, event->number);
    digest = digest_number(digest, event->event_class);
    digest = digest_number(digest, event->attribution);
    digest = digest_number(digest, event->traits);
    digest = digest_number(digest, event->most);
  }
  return digest;
}

/* ---- Saving ---- */

static size_t size_of(const struct pmuv3 *pmu) {
  return sizeof(struct head) + sizeof(struct pmuv3_ends) +
         pmu->params.threads * sizeof(struct saved_thread);
}

static struct head head_of(const struct pmuv3 *pmu, const unsigned char *body, size_t size) {
  return (struct head){.magic = "PMUV3SV",
                       .version = SAVE_VERSION,
                       .layout = LAYOUT,
                       .params = pmuv3_params_digest(&pmu->params),
                       .body = pmuv3_digest(body, size)};
}

/* The struct may stand in the buffer wherever it is not aligned. */
static void save_thread(const struct pmuv3 *pmu, unsigned t, unsigned char *to) {
  struct saved_thread saved;
  memset(&saved, 0, sizeof saved);
  saved.state = pmu->thread[t].state;
  saved.registers = pmu->thread[t].registers;
  saved.saved = pmu->thread[t].saved;
  saved.values = pmu->thread[t].values;
  saved.pe = pmu->pe[t];
  memcpy(to, &saved, sizeof saved);
}

size_t pmuv3_save(const struct pmuv3 *pmu, void *buffer, size_t size) {
  const size_t needed = size_of(pmu);
  if (size < needed) return needed;
  unsigned char *body = (unsigned char *)buffer + sizeof(struct head);
  memcpy(body, &pmu->ends, sizeof pmu->ends);
  for (unsigned t = 0; t < pmu->params.threads; t++)
    save_thread(pmu, t, body + sizeof pmu->ends + t * sizeof(struct saved_thread));
  const struct head head = head_of(pmu, body, needed - sizeof(struct head));
  memcpy(buffer, &head, sizeof head);
  return needed;
}

/* ---- Restoring ---- */

static const char *wrong_with(const struct pmuv3 *pmu, const void *buffer, size_t size) {
  const size_t needed = size_of(pmu);
  struct head head, expected;
  if (size < sizeof head) return "no saved PMU: it is too short";
  memcpy(&head, buffer, sizeof head);
  if (memcmp(head.magic, "PMUV3SV", sizeof head.magic) != 0) return "no saved PMU";
  if (head.version != SAVE_VERSION || head.layout != LAYOUT)
    return "the PMU was saved by another version of libpmuv3, or for another host";
  if (head.params != pmuv3_params_digest(&pmu->params)) return "the saved PMU has other parameters";
  if (size != needed) return "the saved PMU is not whole";
  expected = head_of(pmu, (const unsigned char *)buffer + sizeof head, needed - sizeof head);
  return head.body == expected.body ? NULL : "the saved PMU was changed";
}

/* Its thread states would be taken for places in tables. */
static const char *states_wrong(const struct pmuv3 *pmu, const unsigned char *threads) {
  for (unsigned t = 0; t < pmu->params.threads; t++) {
    struct saved_thread saved;
    memcpy(&saved, threads + t * sizeof saved, sizeof saved);
    const char *wrong = pmuv3_pe_wrong(&pmu->params, &saved.pe);
    if (wrong) return wrong;
  }
  return NULL;
}

static void restore_thread(struct pmuv3 *pmu, unsigned t, const unsigned char *from) {
  struct saved_thread saved;
  memcpy(&saved, from, sizeof saved);
  pmu->thread[t].state = saved.state;
  pmu->thread[t].registers = saved.registers;
  pmu->thread[t].saved = saved.saved;
  pmu->thread[t].values = saved.values;
  pmu->pe[t] = saved.pe;
}

const char *pmuv3_restore(struct pmuv3 *pmu, const void *buffer, size_t size) {
  const char *wrong = wrong_with(pmu, buffer, size);
  if (wrong) return wrong;
  const unsigned char *body = (const unsigned char *)buffer + sizeof(struct head);
  wrong = states_wrong(pmu, body + sizeof pmu->ends);
  if (wrong) return wrong;
  memcpy(&pmu->ends, body, sizeof pmu->ends);
  for (unsigned t = 0; t < pmu->params.threads; t++)
    restore_thread(pmu, t, body + sizeof pmu->ends + t * sizeof(struct saved_thread));
  pmuv3_registers_decode(pmu);
  return NULL;
}
