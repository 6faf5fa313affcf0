/* The map: registers, absent fields, initial values. */
#include <stdlib.h>
#include <string.h>

#include "pmuv3/pmuv3.h"
#include "testbench/cosim/check/description/internal.h"

static const char per_counter[] = "%u";
static const char left_out[] = "-"; /* an address between the others of a line */

enum { MAX_NAMES = 64 }; /* of a `registers` line */

/* ---- Registers ---- */

/* Cuts .low or .high off. */
static uint8_t cut_half(char *name) {
  char *dot = strrchr(name, '.');
  if (!dot) return PMUV3_WHOLE;
  const uint8_t half = strcmp(dot, ".low") == 0    ? PMUV3_LOW
                       : strcmp(dot, ".high") == 0 ? PMUV3_HIGH
                                                   : PMUV3_WHOLE;
  if (half != PMUV3_WHOLE) *dot = '\0';
  return half;
}

static bool find_register(struct description *d, const char *name, uint16_t *reg) {
  const struct pmuv3_params *params = &d->device->params;
  if (!pmuv3_register_find(name, reg))
    return pmuv3_lex_error(&d->lex, "\"%.40s\" is no register", name);
  if (pmuv3_register_readable(params, *reg) == PMUV3_ACCESS_UNKNOWN)
    return pmuv3_lex_error(&d->lex, "%s is not there with these parameters", name);
  return true;
}

static bool read_port_word(struct description *d, const char *value, struct register_words *words) {
  uint64_t number;
  if (!pmuv3_description_word_once(d, "port", &words->has_port) ||
      !pmuv3_description_value(d, "port", value, UINT64_MAX, &number))
    return false;
  if (number >= d->device->num_ports)
    return pmuv3_lex_error(&d->lex, "there is no port %u before this line", (unsigned)number);
  words->port = (uint8_t)number;
  return true;
}

static bool read_number_word(struct description *d, const char *word, const char *value,
                             uint64_t max, bool *given, uint64_t *number) {
  return pmuv3_description_word_once(d, word, given) &&
         pmuv3_description_value(d, word, value, max, number);
}

static bool read_word(struct description *d, char *word, struct register_words *words,
                      bool may_step) {
  char *value;
  if ((value = pmuv3_description_key(word, "write")))
    return read_number_word(d, "write", value, UINT64_MAX, &words->has_write, &words->write);
  if ((value = pmuv3_description_key(word, "read")))
    return read_number_word(d, "read", value, UINT64_MAX, &words->has_read, &words->read);
  if ((value = pmuv3_description_key(word, "port"))) return read_port_word(d, value, words);
  if (may_step && (value = pmuv3_description_key(word, "step")))
    return read_number_word(d, "step", value, UINT32_MAX, &words->has_step, &words->step);
  return pmuv3_lex_error(&d->lex, "\"%.40s\" is nothing of a register", word);
}

bool pmuv3_description_register_words(struct description *d, struct register_words *words,
                                      bool may_step) {
  for (char *word; (word = pmuv3_lex_word(&d->lex));)
    if (!read_word(d, word, words, may_step)) return false;
  return true;
}

bool pmuv3_description_default_port(struct description *d, struct register_words *words) {
  const struct pmuv3_device *device = d->device;
  if (device->num_ports == 0)
    return pmuv3_lex_error(&d->lex, "a register before any port; expected a port line before");
  for (unsigned p = (unsigned)device->num_ports; p-- > 0;)
    if (device->ports[p].thread == d->thread) words->port = (uint8_t)p;
  return true;
}

uint64_t pmuv3_description_port_bits(const struct description *d, unsigned port) {
  return d->device->ports[port].width == 32 ? UINT32_MAX : UINT64_MAX;
}

bool pmuv3_description_check_masks(struct description *d, const struct register_words *words,
                                   uint64_t bits) {
  if (words->write & ~bits)
    return pmuv3_lex_error(&d->lex, "write= has more bits than the register has at this address");
  return (words->read & ~pmuv3_description_port_bits(d, words->port)) == 0 ||
         pmuv3_lex_error(&d->lex, "read= has more bits than port %u", words->port);
}

/* A mask of the one register of a line is of something that can be written, or read. */
static bool check_use(struct description *d, const struct register_words *words, bool can_write,
                      bool can_read) {
  if (words->write != 0 && !can_write)
    return pmuv3_lex_error(&d->lex, "write= of what cannot be written; expected no mask");
  return words->read == 0 || can_read ||
         pmuv3_lex_error(&d->lex, "read= of what cannot be read; expected no mask");
}

/* The bits that a write can change or act by. What PMSELR selects has no more than one of the
 * registers that can be selected. */
static uint64_t writable_bits(const struct pmuv3_params *params, uint16_t reg) {
  const uint64_t mask = pmuv3_register_mask(params, reg);
  switch (pmuv3_device_viewed(reg)) {
    case PMUV3_PMXEVTYPER:
      return mask & (pmuv3_register_mask(params, PMUV3_PMEVTYPERn(0)) |
                     pmuv3_register_mask(params, PMUV3_PMEVTYPERn(1)) |
                     pmuv3_register_mask(params, PMUV3_PMCCFILTR));
    case PMUV3_PMXEVCNTR:
      return mask & pmuv3_register_mask(params, PMUV3_PMEVCNTR);
    default:
      return mask;
  }
}

uint64_t pmuv3_description_unwritten(const struct description *d,
                                     const struct register_words *words, uint16_t reg,
                                     uint8_t half) {
  const uint64_t bits = writable_bits(&d->device->params, reg) >> (half == PMUV3_HIGH ? 32 : 0);
  const uint64_t all = half == PMUV3_WHOLE ? UINT64_MAX : UINT32_MAX;
  return words->has_write ? bits & all & ~words->write : 0;
}

static bool add_register(struct description *d, uint64_t address, uint16_t reg, uint8_t half,
                         const struct register_words *words) {
  const struct pmuv3_device *device = d->device;
  const bool names_half = half != PMUV3_WHOLE;
  const uint64_t port_bits = pmuv3_description_port_bits(d, words->port);
  const uint64_t bits = half == PMUV3_WHOLE ? port_bits : UINT32_MAX;
  if (half == PMUV3_WHOLE && bits == UINT32_MAX && pmuv3_register_bits(reg) == 64) half = PMUV3_LOW;
  const bool can_write = device->ports[words->port].can_write &&
                         pmuv3_register_writable(&device->params, reg) == PMUV3_ACCESS_OK;
  const bool is_checked = device->ports[words->port].is_checked;
  const bool can_read = pmuv3_register_readable(&device->params, reg) == PMUV3_ACCESS_OK;
  const uint64_t mask =
      pmuv3_register_mask(&device->params, reg) >> (half == PMUV3_HIGH ? 32 : 0) & bits;
  if (!pmuv3_description_check_masks(d, words, bits)) return false;
  if (!words->of_several && !check_use(d, words, can_write, can_read)) return false;
  return pmuv3_description_add_register(
      d, (struct pmuv3_device_register){
             .address = address,
             .reg = reg,
             .half = half,
             .names_half = names_half,
             .port = words->port,
             .thread = (uint8_t)d->thread,
             .write = can_write ? (words->has_write ? words->write : mask) : 0,
             .unwritten = can_write ? pmuv3_description_unwritten(d, words, reg, half) : 0,
             .read = can_read ? (words->has_read ? words->read : port_bits) : 0,
             .is_written = (can_write || is_checked) && !(words->has_write && words->write == 0),
             .is_read = can_read || is_checked});
}

bool pmuv3_description_register(struct description *d) {
  struct register_words words = {0};
  uint64_t address;
  uint16_t reg;
  if (!pmuv3_description_number(d, "the address", UINT64_MAX, &address)) return false;
  char *name = pmuv3_description_word(d, "a register's name");
  if (!name) return false;
  if (strncmp(name, "page.", 5) == 0) return pmuv3_description_page_register(d, address, name);
  const uint8_t half = cut_half(name);
  return find_register(d, name, &reg) && pmuv3_description_default_port(d, &words) &&
         pmuv3_description_register_words(d, &words, false) &&
         add_register(d, address, reg, half, &words);
}

/* The name of one place of a `registers` line: n stands for %u. */
static void put_number(const char *name, unsigned n, char *buf, size_t size) {
  const char *place = strstr(name, per_counter);
  if (place)
    snprintf(buf, size, "%.*s%u%s", (int)(place - name), name, n, place + strlen(per_counter));
  else
    snprintf(buf, size, "%s", name);
}

/* The registers of one name: of a name with %u, one for each counter. */
static bool add_registers(struct description *d, const char *name,
                          const struct register_words *words, uint64_t *address) {
  const unsigned places = strstr(name, per_counter) ? d->device->params.counters : 1;
  for (unsigned n = 0; n < places; n++, *address += words->step) {
    char numbered[64];
    uint16_t reg;
    if (strcmp(name, left_out) == 0) continue;
    put_number(name, n, numbered, sizeof numbered);
    const uint8_t half = cut_half(numbered);
    if (!find_register(d, numbered, &reg) || !add_register(d, *address, reg, half, words))
      return false;
  }
  return true;
}

/* All names come before the first KEY=. */
static bool read_names(struct description *d, struct register_words *words, char *names[MAX_NAMES],
                       unsigned *count) {
  for (char *word; (word = pmuv3_lex_word(&d->lex));) {
    if (strchr(word, '='))
      return read_word(d, word, words, true) && pmuv3_description_register_words(d, words, true);
    if (*count == MAX_NAMES)
      return pmuv3_lex_error(&d->lex, "too many registers; expected at most %d names", MAX_NAMES);
    names[(*count)++] = word;
  }
  return true;
}

bool pmuv3_description_registers(struct description *d) {
  struct register_words words = {.of_several = true};
  uint64_t address;
  char *names[MAX_NAMES];
  unsigned count = 1;
  if (!pmuv3_description_number(d, "the address", UINT64_MAX, &address)) return false;
  names[0] = pmuv3_description_word(d, "a register's name");
  if (!names[0] || !pmuv3_description_default_port(d, &words) ||
      !read_names(d, &words, names, &count))
    return false;
  if (!words.has_step) words.step = d->device->ports[words.port].width / 8;
  for (unsigned r = 0; r < count; r++)
    if (!add_registers(d, names[r], &words, &address)) return false;
  return true;
}

/* ---- Absent fields ---- */

struct field {
  const char *reg, *name;
  uint16_t encoding;
  uint64_t mask;
};

static const struct field fields[] = {
#define PMUV3_FIELD(reg, field, msb, lsb, access, present) \
  {#reg, #field, PMUV3_##reg, PMUV3_MASK(reg, field)},
#include "pmuv3/registers.def"
};

static const struct register_name {
  const char *name;
  uint16_t encoding;
} register_names[] = {
#define PMUV3_REGISTER(id, name, op0, op1, crn, crm, op2, access, present, text) {name, PMUV3_##id},
#include "pmuv3/registers.def"
};

static bool find_field(struct description *d, const char *reg, const char *field,
                       struct pmuv3_device_absent *absent) {
  for (size_t r = 0; r < sizeof register_names / sizeof register_names[0]; r++) {
    if (strcmp(reg, register_names[r].name) != 0) continue;
    for (size_t f = 0; f < sizeof fields / sizeof fields[0]; f++) {
      if (fields[f].encoding != register_names[r].encoding || strcmp(field, fields[f].name) != 0)
        continue;
      *absent = (struct pmuv3_device_absent){register_names[r].name, fields[f].name, fields[f].mask,
                                             fields[f].encoding};
      return true;
    }
    return pmuv3_lex_error(&d->lex, "%s has no field \"%.40s\"", reg, field);
  }
  return pmuv3_lex_error(&d->lex, "\"%.40s\" is no register", reg);
}

static bool read_absent_event(struct description *d) {
  struct pmuv3_device *device = d->device;
  uint64_t number;
  if (!pmuv3_description_number(d, "the event's number", UINT16_MAX, &number)) return false;
  if (device->num_absent_events == PMUV3_DEVICE_MAX_ABSENT)
    return pmuv3_lex_error(&d->lex, "too many absent events; expected at most %d",
                           PMUV3_DEVICE_MAX_ABSENT);
  d->absent_event_line[device->num_absent_events] = d->lex.line;
  device->absent_events[device->num_absent_events++] = (uint16_t)number;
  return pmuv3_description_end(d);
}

bool pmuv3_description_check_absent_events(struct description *d) {
  const struct pmuv3_device *device = d->device;
  for (size_t e = 0; e < device->num_absent_events; e++) {
    if (pmuv3_events_find(&device->params.events, device->absent_events[e])) continue;
    d->lex.line = d->absent_event_line[e];
    return pmuv3_lex_error(&d->lex, "event 0x%04X is none of the device's, so it is never selected",
                           device->absent_events[e]);
  }
  return true;
}

static bool read_absent_field(struct description *d, const char *reg, const char *field) {
  struct pmuv3_device *device = d->device;
  if (device->num_absent_fields == PMUV3_DEVICE_MAX_ABSENT_FIELDS)
    return pmuv3_lex_error(&d->lex, "too many absent fields; expected at most %d",
                           PMUV3_DEVICE_MAX_ABSENT_FIELDS);
  if (!find_field(d, reg, field, &device->absent_fields[device->num_absent_fields])) return false;
  device->num_absent_fields++;
  return pmuv3_description_end(d);
}

bool pmuv3_description_absent(struct description *d) {
  char *name = pmuv3_description_word(d, "REGISTER.FIELD, event or cycles");
  if (!name) return false;
  if (strcmp(name, "event") == 0) return read_absent_event(d);
  if (strcmp(name, "cycles") == 0) {
    d->device->has_no_cycles = true;
    return pmuv3_description_end(d);
  }
  char *dot = strchr(name, '.');
  if (!dot)
    return pmuv3_lex_error(&d->lex, "\"%.40s\": expected REGISTER.FIELD, event or cycles", name);
  *dot++ = '\0';
  return read_absent_field(d, name, dot);
}

/* The encoding with n = 0. */
static uint16_t with_n_0(uint16_t reg) {
  static const uint16_t first[] = {PMUV3_PMEVCNTR, PMUV3_PMEVTYPER, PMUV3_PMEVCNTSVR,
                                   PMUV3_PMEVCNTR_AA32, PMUV3_PMEVTYPER_AA32};
  for (unsigned f = 0; f < sizeof first / sizeof first[0]; f++)
    if (reg >= first[f] && reg < first[f] + PMUV3_MAX_COUNTERS) return first[f];
  return reg;
}

/* What an encoding of AArch32, or a second one, shows: the bits of a register from `lsb` on. */
struct view {
  uint16_t of;
  uint8_t lsb;
};

/* The view that an encoding is, of a register with n = 0: mostly of itself. */
static struct view view_of(uint16_t reg) {
  const uint16_t encoding = with_n_0(reg);
  switch (encoding) {
#define PMUV3_VIEW(id, name, of, opc1, crn, crm, opc2, lsb, mask, present, text) \
  case PMUV3_##id:                                                               \
    return (struct view){PMUV3_##of, lsb};
#define PMUV3_ALIAS(id, name, of, op0, op1, crn, crm, op2, present, text) \
  case PMUV3_##id:                                                        \
    return (struct view){PMUV3_##of, 0};
#include "pmuv3/registers.def"
    default:
      return (struct view){encoding, 0};
  }
}

uint16_t pmuv3_device_viewed(uint16_t reg) {
  return view_of(reg).of;
}

int pmuv3_device_counter(uint16_t reg) {
  switch (pmuv3_device_viewed(reg)) {
    case PMUV3_PMEVCNTR:
      return reg - with_n_0(reg);
    case PMUV3_PMCCNTR:
      return 31;
    case PMUV3_PMICNTR:
      return 32;
    default:
      return -1;
  }
}

unsigned pmuv3_device_lsb(const struct pmuv3_device_register *reg) {
  return view_of(reg->reg).lsb + (reg->half == PMUV3_HIGH ? 32u : 0);
}

/* Bits of the cycle counter. */
static uint64_t cycle_bits(uint16_t reg) {
  switch (reg) {
    case PMUV3_PMCR:
      return PMUV3_MASK(PMCR, C) | PMUV3_MASK(PMCR, D) | PMUV3_MASK(PMCR, LC) |
             PMUV3_MASK(PMCR, DP);
    case PMUV3_PMCNTENSET:
    case PMUV3_PMCNTENCLR:
    case PMUV3_PMINTENSET:
    case PMUV3_PMINTENCLR:
    case PMUV3_PMOVSSET:
    case PMUV3_PMOVSCLR:
    case PMUV3_PMZR:
    case PMUV3_PMUACR:
      return PMUV3_MASK(PMCNTENSET, C);
    default:
      return 0;
  }
}

/* What a device without a cycle counter has there is its own. */
static bool is_of_cycles(uint16_t reg) {
  return reg == PMUV3_PMCCNTR || reg == PMUV3_PMCCFILTR;
}

/* PMXEVTYPER_EL0 reaches what PMEVTYPER<n>_EL0 has. */
static bool is_of(uint16_t reg, uint16_t absent) {
  return reg == absent || (reg == PMUV3_PMXEVTYPER && absent == PMUV3_PMEVTYPER);
}

/* The bits of absent events in PMCEID0_EL0 or PMCEID1_EL0: what the device says there is its own.
 */
static uint64_t absent_ids(const struct pmuv3_device *device, uint16_t reg) {
  uint64_t ids = 0;
  for (size_t e = 0; e < device->num_absent_events; e++) {
    const unsigned number = device->absent_events[e], high = number / 0x4000 * 32;
    const bool has_id = number < 0x8000 && number % 0x4000 < 64;
    if (has_id && reg == (number % 0x4000 < 32 ? PMUV3_PMCEID0 : PMUV3_PMCEID1))
      ids |= UINT64_C(1) << (high + number % 32);
  }
  return ids;
}

/* Whether a register holds what is written. Elsewhere ones act, and zeros do nothing. PMCNTEN,
 * PMINTEN and PMOVS of the page replace all bits, and have no encoding. */
static bool holds(const struct pmuv3_params *params, const struct pmuv3_device_register *reg) {
  unsigned lsb;
  return !pmuv3_device_acts_by_ones(
      reg->is_page ? pmuv3_register_external(params, reg->offset, &lsb) : reg->reg);
}

/* Those outside of `write`, and those of the other half. */
static uint64_t kept_bits(const struct pmuv3_params *params,
                          const struct pmuv3_device_register *reg) {
  const unsigned lsb = reg->half == PMUV3_HIGH ? 32 : 0;
  const uint64_t half = reg->half == PMUV3_WHOLE ? UINT64_MAX : (uint64_t)UINT32_MAX << lsb;
  const uint64_t bits = writable_bits(params, reg->reg);
  if (!holds(params, reg)) return 0;
  if (reg->is_page) return (reg->reg ? bits >> lsb & UINT32_MAX : UINT32_MAX) & ~reg->write;
  return ~half | (bits & half & ~(reg->write << lsb));
}

void pmuv3_description_find_kept(struct description *d) {
  for (size_t r = 0; r < d->device->num_registers; r++)
    d->device->registers[r].kept = kept_bits(&d->device->params, &d->device->registers[r]);
}

void pmuv3_description_leave_out_absent(struct description *d) {
  struct pmuv3_device *device = d->device;
  for (size_t r = 0; r < device->num_registers; r++) {
    struct pmuv3_device_register *reg = &device->registers[r];
    const uint16_t viewed = pmuv3_device_viewed(reg->reg);
    const unsigned lsb = pmuv3_device_lsb(reg);
    uint64_t mask = device->has_no_cycles ? cycle_bits(viewed) : 0;
    for (size_t a = 0; a < device->num_absent_fields; a++)
      if (is_of(viewed, device->absent_fields[a].encoding)) mask |= device->absent_fields[a].mask;
    reg->write &= ~(mask >> lsb);
    reg->unwritten &= ~(mask >> lsb);
    const uint64_t ids = absent_ids(device, viewed) >> lsb;
    reg->read &= ~(reg->half == PMUV3_WHOLE ? ids : ids & UINT32_MAX);
    if (device->has_no_cycles && is_of_cycles(viewed)) reg->read = reg->unwritten = 0;
  }
}

/* ---- Initial values ---- */

static bool is_same_register(uint16_t a, uint16_t b) {
  return pmuv3_device_viewed(a) == pmuv3_device_viewed(b) && a - with_n_0(a) == b - with_n_0(b);
}

/* The line that has the register's initial value already, by whatever name. 0: none. */
static uint32_t line_of_initial(const struct pmuv3_device *device, unsigned thread, uint16_t reg) {
  for (size_t i = 0; i < device->num_initials; i++)
    if (device->initials[i].thread == thread && is_same_register(device->initials[i].reg, reg))
      return device->initials[i].line;
  return 0;
}

bool pmuv3_description_initial(struct description *d) {
  struct pmuv3_device_initial initial = {.thread = (uint8_t)d->thread, .line = d->lex.line};
  const char *name = pmuv3_description_word(d, "a register's name");
  if (!name || !find_register(d, name, &initial.reg)) return false;
  if (pmuv3_register_writable(&d->device->params, initial.reg) != PMUV3_ACCESS_OK)
    return pmuv3_lex_error(&d->lex, "%s cannot be written", name);
  const uint32_t line = line_of_initial(d->device, d->thread, initial.reg);
  if (line)
    return pmuv3_lex_error(&d->lex, "the initial value of %s is in line %u, too", name, line);
  return pmuv3_description_number(d, "the value", UINT64_MAX, &initial.value) &&
         pmuv3_description_end(d) && pmuv3_description_add_initial(d, initial);
}

/* Written, as after a reset, a register must have the value: some clear bits, or do something. */
bool pmuv3_description_check_initials(struct description *d) {
  const struct pmuv3_device *device = d->device;
  struct pmuv3 *pmu = malloc(sizeof *pmu);
  if (!pmu) return pmuv3_lex_error(&d->lex, "out of memory");
  pmuv3_init(pmu, &device->params);
  bool has_value = true;
  for (size_t i = 0; has_value && i < device->num_initials; i++) {
    const struct pmuv3_device_initial *initial = &device->initials[i];
    char name[24];
    uint64_t value;
    pmuv3_write(pmu, initial->thread, initial->reg, initial->value);
    pmuv3_read(pmu, initial->thread, initial->reg, &value);
    has_value = (initial->value & ~value) == 0;
    if (has_value) continue;
    d->lex.line = initial->line;
    pmuv3_lex_error(&d->lex, "%s cannot have the value 0x%llx",
                    pmuv3_register_name(initial->reg, name), (unsigned long long)initial->value);
  }
  free(pmu);
  return has_value;
}

/* ---- What a reset leaves unknown ---- */

/* A reset clears PMCR.E (D24.5.8). */
static bool is_known(uint16_t reg) {
  return pmuv3_device_viewed(reg) == PMUV3_PMCR;
}

/* Each word of the register that a line writes. */
static bool mark_unknown(struct description *d, const char *name, uint16_t reg) {
  bool is_written = false, is_marked = false;
  if (is_known(reg)) return pmuv3_lex_error(&d->lex, "a reset leaves PMCR.E 0 (D24.5.8)");
  for (size_t r = 0; r < d->device->num_registers; r++) {
    struct pmuv3_device_register *at = &d->device->registers[r];
    if (at->is_page || at->reg != reg || at->thread != d->thread || !at->write) continue;
    is_marked = is_marked || at->is_unknown;
    at->is_unknown = is_written = true;
  }
  if (!is_written) return pmuv3_lex_error(&d->lex, "no line before this one writes %s", name);
  if (is_marked) return pmuv3_lex_error(&d->lex, "%s is given twice", name);
  if (pmuv3_device_acts_by_ones(reg) && !pmuv3_device_clears(reg))
    return pmuv3_lex_error(&d->lex, "%s does not clear; expected the register that does", name);
  return true;
}

bool pmuv3_description_unknown(struct description *d) {
  const char *name = pmuv3_description_word(d, "a register's name");
  for (; name; name = pmuv3_lex_word(&d->lex)) {
    const unsigned places = strstr(name, per_counter) ? d->device->params.counters : 1;
    for (unsigned n = 0; n < places; n++) {
      char numbered[64];
      uint16_t reg;
      put_number(name, n, numbered, sizeof numbered);
      if (!find_register(d, numbered, &reg) || !mark_unknown(d, numbered, reg)) return false;
    }
    d->unknown_line = d->lex.line;
  }
  return d->unknown_line > 0;
}

/* Internals are compared from the end of a reset on. */
bool pmuv3_description_check_unknown(struct description *d) {
  if (d->unknown_line == 0) return true;
  for (size_t p = 0; p < d->device->num_pins; p++) {
    if (!pmuv3_role_is_internal((enum pmuv3_role)d->device->pins[p].role)) continue;
    d->lex.line = d->unknown_line;
    return pmuv3_lex_error(&d->lex, "unknown and visible do not go together");
  }
  return true;
}
