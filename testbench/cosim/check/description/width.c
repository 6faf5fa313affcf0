/* How many bits a pin may have. */
#include "pmuv3/device.h"

static unsigned most_of(enum pmuv3_role role) {
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
    case PMUV3_ROLE_SEEN_OVERFLOW:
      return 64;
    case PMUV3_ROLE_SEEN_V:
      return 16;
    default:
      return 1;
  }
}

const char *pmuv3_pin_width_wrong(const struct pmuv3_device *device, const struct pmuv3_pin *pin,
                                  unsigned width, char *buf, size_t size) {
  const enum pmuv3_role role = (enum pmuv3_role)pin->role;
  if (role == PMUV3_ROLE_DATA || role == PMUV3_ROLE_VALUE) {
    const unsigned expected = device->ports[pin->index].width;
    if (width == expected) return NULL;
    snprintf(buf, size,
             "\"%.80s\" has %u bits, the port %u; expected width=%u in its line, or other bits",
             pin->name, width, expected, width);
    return buf;
  }
  if (width <= most_of(role)) return NULL;
  snprintf(buf, size, "\"%.80s\" has %u bits; expected at most %u for %s", pin->name, width,
           most_of(role), pmuv3_role_name(role));
  return buf;
}
