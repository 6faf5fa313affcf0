/* Ports: the words of a `port` line. */
#include <string.h>

#include "testbench/cosim/check/description/internal.h"

/* Words that name a pin. */
static const struct pin_word {
  const char *csr, *apb; /* NULL: not of such a port */
  uint8_t role;
  bool required;
} pin_words[] = {
    {"request", "select", PMUV3_ROLE_REQUEST, true},
    {NULL, "enable", PMUV3_ROLE_ENABLE, true},
    {"write", "write", PMUV3_ROLE_WRITE, false},
    {"address", "address", PMUV3_ROLE_ADDRESS, true},
    {"data", "data", PMUV3_ROLE_DATA, false},
    {"ready", "ready", PMUV3_ROLE_READY, false},
    {"response", NULL, PMUV3_ROLE_RESPONSE, false},
    {"value", "value", PMUV3_ROLE_VALUE, true},
    {"error", "error", PMUV3_ROLE_ERROR, false},
};

enum { MAX_OUTSTANDING = 16 };
enum {
  WRITE_WORD = 2,
  DATA_WORD = 4,
  RESPONSE_WORD = 6,
  NUM_PIN_WORDS = sizeof pin_words / sizeof pin_words[0]
};

static struct pmuv3_device_port *port_of(struct description *d) {
  return &d->device->ports[d->device->num_ports];
}

static bool add_pin(struct description *d, enum pmuv3_role role, const char *text) {
  struct pmuv3_device_port *port = port_of(d);
  if (!pmuv3_description_add_pin(d, text,
                                 (struct pmuv3_pin){.role = (uint8_t)role,
                                                    .thread = (uint8_t)d->thread,
                                                    .index = (uint8_t)d->device->num_ports}))
    return false;
  const struct pmuv3_pin *pin = &d->device->pins[d->device->num_pins - 1];
  port->has_ready |= role == PMUV3_ROLE_READY;
  port->has_response |= role == PMUV3_ROLE_RESPONSE;
  port->has_error |= role == PMUV3_ROLE_ERROR;
  if (role == PMUV3_ROLE_VALUE && pin->msb >= 0 && port->width == 0)
    port->width = (uint8_t)(pin->msb - pin->lsb + 1);
  return true;
}

/* The words of a port that are no pin's, which were given. */
struct given_words {
  bool checked, width, space, response, outstanding;
};

/* A word that is no pin's. False with an error, or *known is false. */
static bool read_other_word(struct description *d, char *word, struct given_words *given,
                            bool *known) {
  struct pmuv3_device_port *port = port_of(d);
  uint64_t number;
  const char *value;
  *known = true;
  if (strcmp(word, "checked") == 0 && !port->is_apb) {
    port->is_checked = true;
    return pmuv3_description_word_once(d, "checked", &given->checked);
  } else if ((value = pmuv3_description_key(word, "width"))) {
    if (!pmuv3_description_word_once(d, "width", &given->width) ||
        !pmuv3_description_value(d, "width", value, 64, &number))
      return false;
    if (number != 32 && number != 64)
      return pmuv3_lex_error(&d->lex, "width is %u; expected 32 or 64", (unsigned)number);
    port->width = (uint8_t)number;
  } else if (port->is_apb && (value = pmuv3_description_key(word, "space"))) {
    return pmuv3_description_word_once(d, "space", &given->space) &&
           pmuv3_description_security_state(d, value, &port->ss);
  } else if (!port->is_apb && (value = pmuv3_description_key(word, "response")) &&
             value[0] >= '0' && value[0] <= '9') {
    if (!pmuv3_description_word_once(d, "response", &given->response) ||
        !pmuv3_description_value(d, "response", value, PMUV3_DEVICE_MAX_LATENCY, &number))
      return false;
    port->response = (uint8_t)number;
  } else if (!port->is_apb && (value = pmuv3_description_key(word, "outstanding"))) {
    if (!pmuv3_description_word_once(d, "outstanding", &given->outstanding) ||
        !pmuv3_description_value(d, "outstanding", value, MAX_OUTSTANDING, &number))
      return false;
    if (number == 0) return pmuv3_lex_error(&d->lex, "outstanding is 0; expected at least 1");
    port->outstanding = (uint8_t)number;
  } else {
    *known = false;
  }
  return true;
}

static bool read_pin_word(struct description *d, char *word, bool given[NUM_PIN_WORDS]) {
  const bool is_apb = port_of(d)->is_apb;
  for (unsigned w = 0; w < NUM_PIN_WORDS; w++) {
    const char *key = is_apb ? pin_words[w].apb : pin_words[w].csr;
    const char *text = key ? pmuv3_description_key(word, key) : NULL;
    if (!text) continue;
    return pmuv3_description_word_once(d, key, &given[w]) &&
           add_pin(d, (enum pmuv3_role)pin_words[w].role, text);
  }
  return pmuv3_lex_error(&d->lex, "\"%.40s\" is nothing of %s port", word,
                         is_apb ? "an apb" : "a csr");
}

static bool set_width(struct description *d, bool is_given) {
  struct pmuv3_device_port *port = port_of(d);
  if (port->is_apb && is_given && port->width != 32)
    return pmuv3_lex_error(&d->lex, "width is %u; an apb port has 32 bits", port->width);
  if (port->is_apb) port->width = 32;
  if (port->width == 0) port->width = 64;
  return port->width == 32 || port->width == 64 ||
         pmuv3_lex_error(&d->lex, "value has %u bits; expected 32 or 64", port->width);
}

static bool check_port(struct description *d, const bool given[NUM_PIN_WORDS],
                       const struct given_words *words) {
  struct pmuv3_device_port *port = port_of(d);
  for (unsigned w = 0; w < NUM_PIN_WORDS; w++) {
    const char *key = port->is_apb ? pin_words[w].apb : pin_words[w].csr;
    if (key && pin_words[w].required && !given[w])
      return pmuv3_lex_error(&d->lex, "the port has no %s=PIN", key);
  }
  if (given[WRITE_WORD] != given[DATA_WORD])
    return pmuv3_lex_error(&d->lex, "write=PIN and data=PIN go together");
  if (words->outstanding && !port->has_response)
    return pmuv3_lex_error(&d->lex, "outstanding=N needs response=PIN");
  if (words->response && given[RESPONSE_WORD])
    return pmuv3_lex_error(&d->lex, "response is given twice; expected N or a pin");
  port->can_write = given[WRITE_WORD];
  return set_width(d, words->width);
}

bool pmuv3_description_port(struct description *d) {
  struct pmuv3_device *device = d->device;
  const char *kind = pmuv3_description_word(d, "csr or apb");
  if (!kind) return false;
  if (device->num_ports == PMUV3_DEVICE_MAX_PORTS)
    return pmuv3_lex_error(&d->lex, "too many ports; expected at most %d", PMUV3_DEVICE_MAX_PORTS);
  struct pmuv3_device_port *port = port_of(d);
  *port = (struct pmuv3_device_port){.is_apb = strcmp(kind, "apb") == 0,
                                     .thread = (uint8_t)d->thread,
                                     .line = d->lex.line,
                                     .outstanding = MAX_OUTSTANDING,
                                     .ss = (uint8_t)pmuv3_el3_state(&device->params)};
  if (!port->is_apb && strcmp(kind, "csr") != 0)
    return pmuv3_lex_error(&d->lex, "\"%.40s\" is no kind of port; expected csr or apb", kind);
  bool given[NUM_PIN_WORDS] = {false};
  struct given_words words = {0};
  for (char *word; (word = pmuv3_lex_word(&d->lex));) {
    bool known;
    if (!read_other_word(d, word, &words, &known)) return false;
    if (!known && !read_pin_word(d, word, given)) return false;
  }
  if (!check_port(d, given, &words)) return false;
  device->num_ports++;
  return true;
}
