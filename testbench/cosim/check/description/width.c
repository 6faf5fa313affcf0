/* How many bits a pin may have, and what its lines put on them. */
#include "pmuv3/device.h"

static unsigned most_of(const struct pmuv3_device *device, enum pmuv3_role role) {
  switch (role) {
    case PMUV3_ROLE_EVENT:
    case PMUV3_ROLE_STATE:
    case PMUV3_ROLE_OTHER:
      return 8;
    case PMUV3_ROLE_EXCEPTION:
      return 4;
    case PMUV3_ROLE_ADDRESS:
    case PMUV3_ROLE_TIE:
    case PMUV3_ROLE_SEEN_COUNTER:
      return 64;
    case PMUV3_ROLE_SEEN_OVERFLOW:
      return device->params.counters;
    case PMUV3_ROLE_SEEN_V:
      return 16;
    default:
      return 1;
  }
}

static bool fits(uint64_t value, unsigned width) {
  return width >= 64 || value >> width == 0;
}

static bool is_of_data(const struct pmuv3_pin *pin) {
  return pin->role == PMUV3_ROLE_DATA || pin->role == PMUV3_ROLE_VALUE;
}

/* The largest count that a line gives an event of the pin, or 0. */
static unsigned max_of(const struct pmuv3_device *device, const struct pmuv3_pin *pin) {
  unsigned max = 0;
  for (size_t e = 0; pin->role == PMUV3_ROLE_EVENT && e < device->num_events; e++)
    if (device->events[e].source == pin->index && device->events[e].max > max)
      max = device->events[e].max;
  return max;
}

/* A value that the pin's line names, and that does not fit. False: there is none. */
static bool find_value(const struct pmuv3_device *device, const struct pmuv3_pin *pin,
                       unsigned width, uint64_t *value) {
  *value = max_of(device, pin);
  if (!fits(*value, width)) return true;
  *value = pin->value;
  if (pin->role == PMUV3_ROLE_TIE && !fits(*value, width)) return true;
  for (unsigned v = 0; v < pin->num_values; v++)
    if (!fits(*value = pin->from[v], width)) return true;
  return false;
}

static const struct pmuv3_device_register *find_address(const struct pmuv3_device *device,
                                                        const struct pmuv3_pin *pin,
                                                        unsigned width) {
  for (size_t r = 0; pin->role == PMUV3_ROLE_ADDRESS && r < device->num_registers; r++)
    if (device->registers[r].port == pin->index && !fits(device->registers[r].address, width))
      return &device->registers[r];
  return NULL;
}

bool pmuv3_pin_has_width(const struct pmuv3_device *device, const struct pmuv3_pin *pin,
                         unsigned width, struct pmuv3_complaint *complaint) {
  const enum pmuv3_role role = (enum pmuv3_role)pin->role;
  const struct pmuv3_device_register *reg = find_address(device, pin, width);
  char *text = complaint->text;
  const size_t size = sizeof complaint->text;
  uint64_t value;
  complaint->line = reg ? reg->line : pin->line;
  if (is_of_data(pin) && width != device->ports[pin->index].width)
    snprintf(text, size,
             "\"%.80s\" has %u bits, the port %u; expected width=%u in its line, or other bits",
             pin->name, width, device->ports[pin->index].width, width);
  else if (!is_of_data(pin) && width > most_of(device, role))
    snprintf(text, size, "\"%.80s\" has %u bits; expected at most %u for %s", pin->name, width,
             most_of(device, role), pmuv3_role_name(role));
  else if (find_value(device, pin, width, &value))
    snprintf(text, size, "%llu does not fit into the %u bits of \"%.80s\"",
             (unsigned long long)value, width, pin->name);
  else if (reg)
    snprintf(text, size, "address 0x%llx does not fit into the %u bits of \"%.80s\"",
             (unsigned long long)reg->address, width, pin->name);
  else
    return true;
  return false;
}
