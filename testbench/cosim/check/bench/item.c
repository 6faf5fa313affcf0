/* Items as lines. */
#include "testbench/cosim/check/bench/item.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "pmuv3/record.h"
#include "testbench/cosim/stimulus/lex.h"

static const char *const words[] = {"write", "read",  "cycle", "idle",       "stop",
                                    "state", "other", "reset", "reset_warm", "carry"};

bool stimulus_add(struct stimulus *stimulus, const struct item *item) {
  if (stimulus->count == stimulus->capacity) {
    const size_t capacity = stimulus->capacity ? 2 * stimulus->capacity : 256;
    struct item *items = realloc(stimulus->items, capacity * sizeof *items);
    if (!items) return false;
    stimulus->items = items;
    stimulus->capacity = capacity;
  }
  stimulus->items[stimulus->count++] = *item;
  return true;
}

void stimulus_free(struct stimulus *stimulus) {
  free(stimulus->items);
  *stimulus = (struct stimulus){0};
}

size_t stimulus_lines(const struct stimulus *stimulus) {
  return stimulus->count + 2; /* the first line, and seed */
}

/* ---- Writing ---- */

static const struct pmuv3_pin *event_pin(const struct pmuv3_device *device, unsigned event) {
  for (size_t p = 0; p < device->num_pins; p++)
    if (device->pins[p].role == PMUV3_ROLE_EVENT && device->pins[p].index == event)
      return &device->pins[p];
  return NULL;
}

static bool is_same_register(const struct pmuv3_device_register *one,
                             const struct pmuv3_device_register *other) {
  char name[40], other_name[40];
  return one->thread == other->thread && one->port == other->port &&
         strcmp(pmuv3_device_register_name(one, name),
                pmuv3_device_register_name(other, other_name)) == 0;
}

/* Whether an earlier address of the port is the same register's. */
static bool has_earlier_address(const struct pmuv3_device *device,
                                const struct pmuv3_device_register *reg) {
  const struct pmuv3_device_register *earlier = device->registers;
  while (earlier < reg && !is_same_register(earlier, reg)) earlier++;
  return earlier < reg;
}

static uint64_t data_bits(const struct pmuv3_device_port *port) {
  return port->width == 32 ? UINT32_MAX : UINT64_MAX;
}

/* The data of a read are all ones unless the line says more. */
static bool has_value(const struct item *item, const struct pmuv3_device_port *port) {
  return item->kind == ITEM_WRITE || item->value != data_bits(port);
}

static void write_access(FILE *out, const struct item *item, const struct pmuv3_device *device) {
  const struct pmuv3_device_register *reg = &device->registers[item->reg];
  char name[40];
  if (reg->thread) fprintf(out, "@%u", reg->thread);
  fputc(' ', out);
  if (reg->port) fprintf(out, "p%u:", reg->port);
  fprintf(out, "%s", pmuv3_device_register_name(reg, name));
  if (has_earlier_address(device, reg)) fprintf(out, ":0x%" PRIX64, (uint64_t)reg->address);
  if (has_value(item, &device->ports[reg->port])) fprintf(out, " 0x%" PRIX64, item->value);
}

static void write_carried(FILE *out, const struct item *item) {
  fputc(' ', out);
  if (item->carried.port) fprintf(out, "p%u:", item->carried.port);
  fprintf(out, "%s 0x%" PRIX64 " 0x%" PRIX64 "%s", item->carried.is_write ? "write" : "read",
          item->carried.address, item->value, item->carried.enable ? " enable" : "");
}

static void write_counts(FILE *out, const struct item *item, const struct pmuv3_device *device) {
  char text[128];
  if (item->kind == ITEM_STOP) fprintf(out, " %u", (unsigned)item->clocks);
  for (unsigned e = 0; e < device->num_events; e++)
    if (item->count[e])
      fprintf(out, " %s=%u", pmuv3_pin_text(event_pin(device, e), text, sizeof text),
              item->count[e]);
  if (item->kind == ITEM_CYCLE && item->clocks != 1)
    fprintf(out, " times=%u", (unsigned)item->clocks);
}

static void write_state(FILE *out, const struct item *item, const struct pmuv3_device *device) {
  if (item->thread) fprintf(out, "@%u", item->thread);
  for (unsigned key = 0; key < PMUV3_NUM_STATE_KEYS; key++) {
    const uint64_t value = pmuv3_state_get(&item->pe, (enum pmuv3_state_key)key);
    if (value != pmuv3_state_get(&device->pe[item->thread], (enum pmuv3_state_key)key))
      fprintf(out, " %s=%" PRIu64, pmuv3_state_key_name((enum pmuv3_state_key)key), value);
  }
}

static void write_other(FILE *out, const struct item *item) {
  if (item->thread) fprintf(out, "@%u", item->thread);
  fprintf(out, " el=%u ss=%u", item->other.el, item->other.ss);
}

static void write_item(FILE *out, const struct item *item, const struct pmuv3_device *device) {
  fprintf(out, "%s", words[item->kind]);
  switch ((enum item_kind)item->kind) {
    case ITEM_WRITE:
    case ITEM_READ:
      write_access(out, item, device);
      break;
    case ITEM_CYCLE:
    case ITEM_STOP:
      write_counts(out, item, device);
      break;
    case ITEM_STATE:
      write_state(out, item, device);
      break;
    case ITEM_OTHER:
      write_other(out, item);
      break;
    case ITEM_CARRY:
      write_carried(out, item);
      break;
    default:
      fprintf(out, " %u", (unsigned)item->clocks);
      break;
  }
  fputc('\n', out);
}

void stimulus_write(FILE *out, const struct stimulus *stimulus, const struct pmuv3_device *device) {
  fprintf(out, "pmuv3-check 1\nseed %u\n", (unsigned)stimulus->seed);
  for (size_t i = 0; i < stimulus->count; i++) write_item(out, &stimulus->items[i], device);
}

/* ---- Reading ---- */

struct reader {
  struct pmuv3_lex lex;
  const struct profile *profile;
  const struct pmuv3_device *device;
  struct stimulus *stimulus;
  bool has_seed;
  bool has_count[PMUV3_DEVICE_MAX_EVENTS], has_times; /* of the current line */
  bool has_key[PMUV3_NUM_STATE_KEYS];
};

static bool number(struct reader *reader, const char *what, const char *word, uint64_t max,
                   uint64_t *value) {
  if (!word) word = pmuv3_lex_need(&reader->lex, what);
  if (!word || !pmuv3_lex_number(&reader->lex, what, word, value)) return false;
  return *value <= max ||
         pmuv3_lex_error(&reader->lex, "%s is too large; expected at most %" PRIu64, what, max);
}

static bool read_data(struct reader *reader, struct item *item,
                      const struct pmuv3_device_port *port, char *word) {
  if (!port->can_write) return pmuv3_lex_error(&reader->lex, "the port only reads");
  return number(reader, "the value", word, data_bits(port), &item->value);
}

/* VALUE of a write, [DATA] of a read. */
static bool read_value(struct reader *reader, struct item *item,
                       const struct pmuv3_device_port *port) {
  char *word = item->kind == ITEM_READ ? pmuv3_lex_word(&reader->lex) : NULL;
  item->value = data_bits(port);
  return (item->kind == ITEM_READ && !word) || read_data(reader, item, port, word);
}

/* [pPORT:]NAME[:ADDRESS], as an access has it. */
struct access_name {
  unsigned port;
  char *name;
  bool has_address;
  uint64_t address;
};

static bool split_access(struct reader *reader, char *word, struct access_name *access) {
  *access = (struct access_name){.name = word};
  if (word[0] == 'p' && word[1] >= '0' && word[1] <= '9' && word[2] == ':') {
    access->port = (unsigned)(word[1] - '0');
    access->name += 3;
  }
  char *colon = strchr(access->name, ':');
  if (!colon) return true;
  *colon = '\0';
  access->has_address = true;
  return pmuv3_lex_number(&reader->lex, "the address", colon + 1, &access->address);
}

static bool is_accessed(const struct pmuv3_device_register *reg, const struct access_name *access,
                        unsigned thread) {
  char own[40];
  return reg->thread == thread && reg->port == access->port &&
         (!access->has_address || reg->address == access->address) &&
         strcmp(pmuv3_device_register_name(reg, own), access->name) == 0;
}

/* Without an address the register is at its first one. */
static bool read_access(struct reader *reader, struct item *item) {
  const struct pmuv3_device *device = reader->device;
  char *word = pmuv3_lex_need(&reader->lex, "a register's name");
  struct access_name access;
  if (!word || !split_access(reader, word, &access)) return false;
  for (size_t r = 0; r < device->num_registers; r++) {
    if (!is_accessed(&device->registers[r], &access, item->thread)) continue;
    item->reg = (uint16_t)r;
    return read_value(reader, item, &device->ports[access.port]);
  }
  return pmuv3_lex_error(&reader->lex, "\"%.40s\" is no register of the description%s", access.name,
                         access.has_address ? " at this address" : "");
}

/* The last word, if there is one. */
static bool read_enable(struct reader *reader, struct item *item) {
  const char *word = pmuv3_lex_word(&reader->lex);
  item->carried.enable = word != NULL;
  if (!word) return true;
  if (strcmp(word, "enable") != 0)
    return pmuv3_lex_error(&reader->lex, "\"%.40s\": expected enable", word);
  return reader->device->ports[item->carried.port].is_apb ||
         pmuv3_lex_error(&reader->lex, "port %u has no PENABLE", item->carried.port);
}

/* [pPORT:]write|read ADDRESS DATA [enable] */
static bool read_carried(struct reader *reader, struct item *item) {
  char *word = pmuv3_lex_need(&reader->lex, "write or read");
  struct access_name access;
  if (!word || !split_access(reader, word, &access)) return false;
  item->carried.is_write = strcmp(access.name, "write") == 0;
  if (access.has_address || (!item->carried.is_write && strcmp(access.name, "read") != 0))
    return pmuv3_lex_error(&reader->lex, "\"%.40s\": expected write or read", access.name);
  if (access.port >= reader->device->num_ports)
    return pmuv3_lex_error(&reader->lex, "the description has no port %u", access.port);
  const unsigned bits = reader->profile->address_bits[access.port];
  item->carried.port = (uint8_t)access.port;
  return number(reader, "the address", NULL, UINT64_MAX >> (64 - bits), &item->carried.address) &&
         read_data(reader, item, &reader->device->ports[access.port], NULL) &&
         read_enable(reader, item);
}

static bool read_count(struct reader *reader, struct item *item, char *word) {
  const struct pmuv3_device *device = reader->device;
  char *equals = strchr(word, '='), text[128];
  uint64_t count;
  if (!equals) return pmuv3_lex_error(&reader->lex, "\"%.40s\": expected PIN=COUNT", word);
  *equals = '\0';
  if (item->kind == ITEM_CYCLE && strcmp(word, "times") == 0) {
    if (!pmuv3_lex_once(&reader->lex, word, &reader->has_times) ||
        !number(reader, "times", equals + 1, UINT32_MAX, &count))
      return false;
    item->clocks = (uint32_t)count;
    return true;
  }
  for (unsigned e = 0; e < device->num_events; e++) {
    if (device->events[e].source != e) continue;
    if (strcmp(word, pmuv3_pin_text(event_pin(device, e), text, sizeof text)) != 0) continue;
    if (!pmuv3_lex_once(&reader->lex, word, &reader->has_count[e]) ||
        !number(reader, "the count", equals + 1, reader->profile->max[e], &count))
      return false;
    item->count[e] = (uint8_t)count;
    return true;
  }
  return pmuv3_lex_error(&reader->lex, "\"%.40s\" is no event pin of the description", word);
}

/* Whether pins carry this value of a state. Without a pin a state is constant. */
static bool is_carried(const struct reader *reader, unsigned thread, unsigned key, uint64_t value) {
  for (unsigned s = 0; s < reader->profile->num_states; s++) {
    const struct state_pin *pin = &reader->profile->states[s];
    if (pin->thread != thread || pin->key != key) continue;
    return memchr(pin->values, (int)value, pin->num_values) != NULL;
  }
  return value == pmuv3_state_get(&reader->device->pe[thread], (enum pmuv3_state_key)key);
}

static bool read_key(struct reader *reader, struct item *item, char *word) {
  char *equals = strchr(word, '=');
  uint64_t value;
  if (!equals) return pmuv3_lex_error(&reader->lex, "\"%.40s\": expected KEY=VALUE", word);
  *equals = '\0';
  for (unsigned key = 0; key < PMUV3_NUM_STATE_KEYS; key++) {
    if (strcmp(word, pmuv3_state_key_name((enum pmuv3_state_key)key)) != 0) continue;
    if (!pmuv3_lex_once(&reader->lex, word, &reader->has_key[key]) ||
        !number(reader, "the state", equals + 1, 3, &value))
      return false;
    if (!is_carried(reader, item->thread, key, value))
      return pmuv3_lex_error(&reader->lex, "no pin of the description carries %s=%u", word,
                             (unsigned)value);
    pmuv3_state_set(&item->pe, (enum pmuv3_state_key)key, value);
    return true;
  }
  return pmuv3_lex_error(&reader->lex, "\"%.40s\" is no key of a state", word);
}

/* el=N ss=N, as pins carry them. Without a pin a context is EL0 or Non-secure. */
static bool read_other(struct reader *reader, struct item *item) {
  static const char *const keys[] = {"el=", "ss="};
  uint64_t values[2];
  for (unsigned key = 0; key < 2; key++) {
    char *word = pmuv3_lex_need(&reader->lex, keys[key]);
    if (!word) return false;
    if (strncmp(word, keys[key], 3) != 0)
      return pmuv3_lex_error(&reader->lex, "\"%.40s\": expected %sN", word, keys[key]);
    if (!number(reader, "the context", word + 3, 3, &values[key])) return false;
    const struct state_pin *pin = &reader->profile->others[item->thread][key];
    if (pin->num_values ? !memchr(pin->values, (int)values[key], pin->num_values) : values[key])
      return pmuv3_lex_error(&reader->lex, "no pin of the description carries %s", word);
  }
  item->other = (struct pmuv3_context){.el = (uint8_t)values[0], .ss = (uint8_t)values[1]};
  const char *wrong = pmuv3_context_wrong(&reader->device->params, item->other.el, item->other.ss);
  return !wrong || pmuv3_lex_error(&reader->lex, "%s", wrong);
}

/* Whether there is a pin for what takes clocks. */
static bool has_pin(const struct reader *reader, enum item_kind kind) {
  switch (kind) {
    case ITEM_STOP:
      return reader->device->has_clock_enable;
    case ITEM_RESET:
      return reader->profile->has_cold_reset;
    case ITEM_RESET_WARM:
      return reader->profile->has_warm_reset;
    default:
      return true;
  }
}

static bool read_counts(struct reader *reader, struct item *item) {
  memset(reader->has_count, 0, sizeof reader->has_count);
  reader->has_times = false;
  for (char *word; (word = pmuv3_lex_word(&reader->lex));)
    if (!read_count(reader, item, word)) return false;
  return true;
}

/* What takes clocks, if there is a pin for it. */
static bool read_clocks(struct reader *reader, struct item *item) {
  uint64_t value;
  if (!has_pin(reader, (enum item_kind)item->kind))
    return pmuv3_lex_error(&reader->lex, "the description has no pin for \"%s\"",
                           words[item->kind]);
  if (!number(reader, "the number of clocks", NULL, UINT32_MAX, &value)) return false;
  item->clocks = (uint32_t)value;
  return true;
}

static bool read_state(struct reader *reader, struct item *item) {
  item->pe = reader->device->pe[item->thread];
  memset(reader->has_key, 0, sizeof reader->has_key);
  for (char *word; (word = pmuv3_lex_word(&reader->lex));)
    if (!read_key(reader, item, word)) return false;
  const char *wrong = pmuv3_pe_wrong(&reader->device->params, &item->pe);
  return !wrong || pmuv3_lex_error(&reader->lex, "%s", wrong);
}

static bool read_rest(struct reader *reader, struct item *item) {
  switch ((enum item_kind)item->kind) {
    case ITEM_WRITE:
    case ITEM_READ:
      return read_access(reader, item);
    case ITEM_CYCLE:
      item->clocks = 1;
      return read_counts(reader, item);
    case ITEM_STOP:
      return read_clocks(reader, item) && read_counts(reader, item);
    case ITEM_STATE:
      return read_state(reader, item);
    case ITEM_OTHER:
      return read_other(reader, item);
    case ITEM_CARRY:
      return read_carried(reader, item);
    default:
      return read_clocks(reader, item);
  }
}

static bool is_of_thread(enum item_kind kind) {
  return kind == ITEM_WRITE || kind == ITEM_READ || kind == ITEM_STATE || kind == ITEM_OTHER;
}

static bool read_line(struct reader *reader, char *word) {
  struct item item = {0};
  uint64_t value;
  if (strcmp(word, "seed") == 0) {
    if (!pmuv3_lex_once(&reader->lex, word, &reader->has_seed) ||
        !number(reader, "the seed", NULL, UINT32_MAX, &value))
      return false;
    reader->stimulus->seed = (uint32_t)value;
    return pmuv3_lex_end(&reader->lex);
  }
  char *at = strchr(word, '@');
  if (at) {
    *at++ = '\0';
    if (!number(reader, "the thread", at, reader->device->params.threads - 1u, &value))
      return false;
    item.thread = (uint8_t)value;
  }
  while (item.kind < NUM_ITEM_KINDS && strcmp(word, words[item.kind]) != 0) item.kind++;
  if (item.kind == NUM_ITEM_KINDS)
    return pmuv3_lex_error(&reader->lex, "\"%.40s\" is no item of a stimulus", word);
  if (at && !is_of_thread((enum item_kind)item.kind))
    return pmuv3_lex_error(&reader->lex, "%s is of all threads; expected no @%.10s", word, at);
  if (!read_rest(reader, &item)) return false;
  if (!pmuv3_lex_end(&reader->lex)) return false;
  return stimulus_add(reader->stimulus, &item) || pmuv3_lex_error(&reader->lex, "out of memory");
}

static bool read_all(struct reader *reader) {
  if (!pmuv3_lex_head(&reader->lex, "pmuv3-check", "a stimulus file of check")) return false;
  while (pmuv3_lex_line(&reader->lex)) {
    char *word = pmuv3_lex_word(&reader->lex);
    if (word && !read_line(reader, word)) return false;
  }
  return true;
}

bool stimulus_read(struct stimulus *stimulus, FILE *in, const char *name,
                   const struct profile *profile, char *error, size_t error_size) {
  struct reader reader = {.profile = profile, .device = profile->device, .stimulus = stimulus};
  *stimulus = (struct stimulus){0};
  const bool good = pmuv3_lex_open(&reader.lex, in, name, error, error_size) && read_all(&reader);
  pmuv3_lex_close(&reader.lex);
  if (!good) stimulus_free(stimulus);
  return good;
}
