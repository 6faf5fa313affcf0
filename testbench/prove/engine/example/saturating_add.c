#include <stdint.h>

uint16_t saturating_add(uint16_t a, uint16_t b);
uint16_t wrong_add(uint16_t a, uint16_t b);

uint16_t saturating_add(uint16_t a, uint16_t b) {
  const uint16_t sum = (uint16_t)(a + b);
  return sum < a ? UINT16_MAX : sum;
}

/* Where b is 0, the sum is a and did not wrap. */
uint16_t wrong_add(uint16_t a, uint16_t b) {
  const uint16_t sum = (uint16_t)(a + b);
  return sum <= a ? UINT16_MAX : sum;
}
