#include "test_code.h"

#include <stddef.h>
#include <string.h>

/* A function of its own in the IR, too. */
#define CALLED static __attribute__((noinline))

/* ---- Arithmetic ---- */

uint32_t add_wraps(uint32_t a, uint32_t b) {
  return a + b - 3 * (a ^ 7);
}

uint64_t multiply_wraps(uint64_t a, uint64_t b) {
  return a * b + a;
}

int32_t add_signed(int32_t a, int32_t b) {
  return a + b;
}

int32_t subtract_signed(int32_t a, int32_t b) {
  return a - b;
}

int32_t multiply_signed(int32_t a, int32_t b) {
  return a * b;
}

int64_t add_signed_long(int64_t a, int64_t b) {
  return a + b;
}

int32_t negate_signed(int32_t a) {
  return -a;
}

uint8_t narrow(uint8_t a, int8_t b, uint16_t c) {
  const uint8_t sum = (uint8_t)(a + b);
  const int8_t difference = (int8_t)(a - c);
  return (uint8_t)(sum * difference ^ c >> 3);
}

uint32_t divide(uint32_t a, uint32_t b) {
  return a / b;
}

uint32_t remainder_of(uint32_t a, uint32_t b) {
  return a % b;
}

int32_t divide_signed(int32_t a, int32_t b) {
  return a / b;
}

int32_t remainder_signed(int32_t a, int32_t b) {
  return a % b;
}

int32_t divide_by_constant(int32_t a) {
  return a / 7 + a % 16 + a / 4;
}

uint64_t bitwise(uint64_t a, uint64_t b, uint64_t c) {
  return ((a & b) | (~a & c)) ^ (b | UINT64_C(0xF0F0));
}

uint32_t shift_left(uint32_t a, uint32_t b) {
  return a << b;
}

uint32_t shift_right(uint32_t a, uint32_t b) {
  return a >> b;
}

int32_t shift_right_signed(int32_t a, uint32_t b) {
  return a >> b;
}

uint64_t shift_long(uint64_t a, uint8_t b) {
  return (a << b) ^ (a >> b);
}

uint32_t shift_masked(uint32_t a, uint32_t b) {
  return a << (b & 15) | a >> (b >> 27);
}

uint32_t compare_all(int32_t a, int32_t b, uint32_t c, uint32_t d) {
  uint32_t result = 0;
  if (a == b) result += 1;
  if (a < b) result += 2;
  if (a >= -5) result += 4;
  if (b > 1000) result += 8;
  if (a <= (int64_t)b + (c & 1)) result += 16;
  if (c < d) result += 32;
  if (c <= 77) result += 64;
  if (d > c) result += 128;
  if (d >= 3 && d != 5) result += 256;
  return result;
}

int64_t extend_signed(int8_t a, int16_t b, int32_t c) {
  return (int64_t)a - (int64_t)b + (int64_t)c;
}

uint64_t extend(uint8_t a, uint16_t b, bool c) {
  return (uint64_t)a << 40 | (uint64_t)b << 8 | c;
}

/* ---- Intrinsics ---- */

uint32_t count_ones(uint64_t a) {
  return (uint32_t)__builtin_popcountll(a);
}

uint32_t leading_zeros(uint32_t a) {
  return (uint32_t)__builtin_clz(a);
}

uint32_t trailing_zeros(uint64_t a) {
  return (uint32_t)__builtin_ctzll(a);
}

uint32_t swap_bytes(uint32_t a) {
  return __builtin_bswap32(a);
}

uint32_t rotate(uint32_t a, uint32_t b) {
  return a << (b & 31) | a >> (-b & 31);
}

uint64_t funnel(uint64_t a, uint64_t b, uint32_t c) {
  c &= 63;
  return c == 0 ? b : a << (64 - c) | b >> c;
}

int32_t absolute(int32_t a) {
  return __builtin_abs(a);
}

uint32_t minimum(uint32_t a, uint32_t b) {
  const uint32_t least = a < b ? a : b;
  return least > 1000 ? least : 1000;
}

int32_t clamp_signed(int32_t a, int32_t low, int32_t high) {
  const int32_t raised = a < low ? low : a;
  return raised > high ? high : raised;
}

uint16_t add_saturates(uint16_t a, uint16_t b) {
  const uint16_t sum = (uint16_t)(a + b);
  return sum < a ? UINT16_MAX : sum;
}

uint32_t subtract_saturates(uint32_t a, uint32_t b) {
  return a > b ? a - b : 0;
}

uint64_t unsigned_overflow(uint64_t a, uint64_t b) {
  uint64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? sum ^ 1 : sum + 5;
}

int32_t signed_overflow(int32_t a, int32_t b) {
  int32_t sum, difference;
  const bool over = __builtin_add_overflow(a, b, &sum);
  const bool under = __builtin_sub_overflow(a, b, &difference);
  return over ? 7 : under ? 8 : (sum & difference);
}

uint32_t multiply_overflow(uint32_t a, uint32_t b) {
  uint32_t product;
  return __builtin_mul_overflow(a, b, &product) ? 0 : product | 1;
}

uint32_t assumes(uint32_t a) {
#ifdef __clang__
  __builtin_assume(a < 100);
#endif
  return a + 1;
}

uint32_t expects(uint32_t a) {
  return __builtin_expect(a > 9, 0) ? a * 3 : a;
}

/* ---- Choices ---- */

uint32_t switch_table(uint8_t a) {
  switch (a) {
    case 3:
      return 100;
    case 4:
      return 17;
    case 5:
      return 99999;
    case 6:
      return 0;
    case 8:
      return 42;
    default:
      return 1;
  }
}

CALLED uint64_t mixed(uint64_t a, uint64_t b) {
  return (a ^ b >> 7) * 31 + b;
}

uint64_t switch_code(uint32_t a, uint64_t b) {
  uint64_t result = b;
  switch (a) {
    case 1:
    case 2:
    case 77:
      result = mixed(b, 3);
      break;
    case 5:
      result = mixed(b, b);
      result += 5;
    /* fall through */
    case 6:
      result ^= mixed(a, result);
      break;
    case 0x80000000:
      result = 0;
      break;
    default:
      result = mixed(result, a);
  }
  return result + 1;
}

uint32_t switch_unreachable(uint32_t a) {
  switch (a) {
    case 0:
      return (uint32_t)mixed(a, 9);
    case 1:
      return 70;
    case 2:
      return (uint32_t)mixed(7, a);
    default:
      __builtin_unreachable();
  }
}

uint32_t unreachable_if(uint32_t a, uint32_t b) {
  uint32_t sum = a;
  if (a > 20) {
    sum = (uint32_t)mixed(a, b);
    if (b == a) __builtin_unreachable();
  }
  return sum + b;
}

uint64_t select_of(bool a, uint64_t b, uint64_t c) {
  return a ? b : c;
}

uint32_t branches(uint32_t a, uint32_t b) {
  uint32_t x = 1, y = b;
  if (a > 5) {
    x = (uint32_t)mixed(a, b);
    if (b > a)
      y = x + a;
    else if (a & 1)
      x = (uint32_t)mixed(x, y);
  } else if (a == 2) {
    return b;
  } else {
    y = (uint32_t)mixed(b, a);
  }
  if (a > 5) return x ^ y;
  return x + y;
}

uint32_t short_circuit(uint32_t a, uint32_t b, uint32_t c) {
  if ((a > 3 && 100 / a > b) || (c != 0 && b % c == 1)) return 1;
  return a < b && b < c ? 2 : 3;
}

/* ---- Loops ---- */

uint32_t loop_known(uint32_t a) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 13; i++) sum = (sum ^ a >> i) * 3 + i;
  return sum;
}

uint32_t loop_unknown(uint32_t a, uint32_t b) {
  uint32_t sum = 1;
  for (uint32_t i = 0; i < (a & 15); i++) sum = (sum ^ b) + i;
  return sum;
}

uint32_t loop_until(uint32_t a) {
  uint32_t steps = 0;
  uint8_t rest = (uint8_t)a;
  while (rest != 0) {
    rest = rest >> 1;
    steps += rest & 1 ? 3 : 2;
  }
  return steps;
}

uint32_t loop_nested(uint32_t a, uint32_t b) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < (a & 3); i++)
    for (uint32_t j = i; j < (b & 7); j++) sum = (sum << 1 | (a >> j & 1)) ^ i;
  return sum;
}

uint32_t loop_exits(uint32_t a, uint32_t b) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 10; i++) {
    if ((a >> i & 1) != 0) continue;
    if ((b >> i & 1) != 0) break;
    if ((b >> i & 7) == 4) return sum + 1000;
    sum += (uint32_t)mixed(sum, i);
  }
  return sum;
}

uint32_t loop_irreducible(uint32_t a, uint32_t b) {
  uint32_t i = 0, sum = b;
  if (a & 1) goto middle;
top:
  sum = (uint32_t)mixed(sum, i);
  i++;
middle:
  sum += (uint32_t)mixed(i, a);
  i++;
  if (i < 8) {
    if (sum & 1) goto top;
    goto middle;
  }
  return sum;
}

uint32_t loop_bits(uint16_t a) {
  uint32_t places = 0;
  for (uint32_t rest = a; rest != 0; rest &= rest - 1)
    places = places * 5 + (uint32_t)__builtin_ctz(rest);
  return places;
}

uint32_t loop_endless(uint32_t a) {
  uint32_t steps = 0;
  for (; a != 1; steps++) a = a & 1 ? 3 * a + 1 : a / 2;
  return steps;
}

/* ---- Memory ---- */

uint64_t load_known(struct cells *cells) {
  return cells->longs[2] + cells->words[1] * cells->bytes[7] - cells->halves[3] +
         cells->parts[2].middle;
}

uint64_t load_unknown(struct cells *cells, uint32_t a, uint32_t b) {
  return cells->longs[a & 3] + cells->bytes[b & 7] + cells->parts[a >> 8 & 3].low;
}

void store_known(struct cells *cells, uint64_t a) {
  cells->longs[1] = a;
  cells->halves[2] = (uint16_t)(a >> 20);
  cells->parts[3].flag = (a & 1) != 0;
  cells->parts[3].middle = (uint8_t)cells->halves[2];
}

void store_unknown(struct cells *cells, uint32_t a, uint64_t b) {
  cells->longs[a & 3] = b;
  cells->words[a >> 4 & 3] += (uint32_t)b;
  cells->parts[a >> 8 & 3].low = (uint16_t)a;
}

uint64_t store_and_load(struct cells *cells, uint32_t a, uint32_t b, uint32_t c) {
  cells->words[a & 3] = c;
  const uint32_t before = cells->words[b & 3];
  cells->words[b & 3] = before + 1;
  return (uint64_t)cells->words[a & 3] << 32 | cells->words[2];
}

/* What was stored at an index before is asked for again, with a store between: the index has not
 * the same values in both branches. */
uint64_t store_again(struct cells *cells, uint32_t a, uint32_t b, uint64_t c) {
  const uint32_t i = a & 3;
  if (i < 2) {
    cells->bytes[0]++;
    cells->longs[i] = c;
  } else {
    cells->longs[i] = c;
    cells->bytes[1]++;
  }
  cells->longs[3] = b;
  return cells->longs[i];
}

uint64_t store_again_first(struct cells *cells, uint32_t a, uint32_t b, uint64_t c) {
  const uint32_t i = a & 3;
  if (i < 2) {
    cells->bytes[0]++;
    cells->longs[i] = c;
  } else {
    cells->longs[i] = c;
    cells->bytes[1]++;
  }
  cells->longs[0] = b;
  return cells->longs[i];
}

uint32_t store_in_part(struct cells *cells, uint32_t a, uint32_t b) {
  uint8_t *bytes = (uint8_t *)cells->words;
  cells->words[a & 3] = b;
  bytes[b & 15] = (uint8_t)a;
  uint16_t half;
  memcpy(&half, bytes + (a >> 8 & 7), sizeof half);
  return cells->words[a & 3] ^ half;
}

uint32_t store_in_branches(struct cells *cells, uint32_t a, uint32_t b) {
  if (a > b) {
    cells->words[0] = a;
    memset(cells->halves, 0, sizeof cells->halves);
    if (a == 100) return cells->words[b & 3];
  } else {
    cells->words[b & 3] = 5;
    cells->halves[1] = (uint16_t)a;
  }
  return cells->words[0] + cells->halves[b >> 4 & 3];
}

bool load_flag(struct cells *cells, uint32_t a) {
  return cells->parts[1].flag && (a & 2) != 0;
}

void copy_known(struct cells *cells) {
  memcpy(cells->words, cells->longs, sizeof cells->words);
  cells->parts[0] = cells->parts[3];
}

void copy_unknown(struct cells *cells, uint32_t a, uint32_t b) {
  cells->parts[a & 3] = cells->parts[b & 1];
  memcpy(cells->bytes + (a >> 4 & 3), cells->longs + (b >> 4 & 1), 5);
}

void move_overlapping(struct cells *cells) {
  memmove(cells->bytes + 1, cells->bytes, 7);
  memmove(cells->longs, (uint8_t *)cells->longs + 3, 24);
}

void set_known(struct cells *cells, uint8_t a) {
  memset(cells->longs, a, sizeof cells->longs);
  memset(cells->words, 0, 12);
}

void set_unknown(struct cells *cells, uint32_t a, uint8_t b) {
  memset(&cells->longs[a & 1], b, 11);
}

uint64_t through_bytes(struct cells *cells, uint32_t a) {
  uint64_t value = 0;
  for (uint32_t i = 0; i < 8; i++) value |= (uint64_t)cells->bytes[i] << 8 * i;
  for (uint32_t i = 0; i < 4; i++) cells->bytes[i] = (uint8_t)(a >> 8 * i);
  uint32_t word;
  memcpy(&word, cells->bytes + 1, sizeof word);
  return value ^ word;
}

uint32_t in_bounds(struct cells *cells, uint64_t a) {
  return a < 4 ? cells->words[a] : 0;
}

static const uint8_t table[] = {3, 1, 4, 1, 5, 9, 2, 6, 5};

uint32_t load_bounds(uint64_t a) {
  return table[a & 15] + 1u;
}

uint32_t store_bounds(uint64_t a, uint32_t b) {
  uint32_t values[5] = {1, 2, 3, 4, b};
  values[a & 7] = b >> 1;
  return values[b & 3] + values[4];
}

uint32_t constant_table(uint32_t a) {
  static const uint32_t words[4][3] = {{1, 2, 3}, {40, 50, 60}, {7, 8, 9}, {0, 0, 1000}};
  return words[a & 3][(a >> 2) % 3];
}

struct entry {
  uint16_t key;
  uint8_t size;
  const char *name;
};
static const struct entry entries[] = {{10, 1, "ten"}, {20, 0, "twenty"}, {31, 5, "thirty-one"}};

uint32_t constant_structs(uint32_t a, uint32_t b) {
  for (size_t e = 0; e < sizeof entries / sizeof entries[0]; e++)
    if (entries[e].key == a) return (uint32_t)entries[e].name[b & 1] + entries[e].size;
  return 0;
}

static uint32_t kept[3] = {5, 6, 7};

uint32_t global_variable(uint32_t a, uint32_t b) {
  kept[0] = 5;
  kept[1] = 6;
  kept[2] = 7;
  kept[a & 1] += b;
  const uint32_t first = kept[b & 1];
  kept[2] ^= first;
  return kept[2] + kept[a >> 1 & 1];
}

CALLED uint32_t count_up(void) {
  return ++kept[0];
}

uint32_t global_constant_stored(uint32_t a) {
  uint8_t *place = a == 3 ? (uint8_t *)(uintptr_t)&table[1] : (uint8_t *)&kept[1];
  *place = 1;
  kept[0] = a;
  return count_up() + count_up();
}

/* ---- Local ---- */

uint32_t local_array(uint32_t a, uint32_t b, uint32_t c) {
  uint32_t values[6];
  for (uint32_t i = 0; i < 6; i++) values[i] = a >> i;
  values[b % 6] = c;
  values[c % 3 + 1]++;
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 6; i++) sum = sum * 3 + values[i];
  return sum + values[a & 3];
}

uint32_t local_histogram(uint64_t a, uint32_t b) {
  uint8_t counts[4] = {0};
  for (uint32_t i = 0; i < 16; i += 2) counts[a >> i & 3]++;
  return counts[b & 3];
}

CALLED void fill(struct pair *pair, uint64_t a, uint64_t b) {
  pair->first += a;
  pair->second = b;
}

uint64_t local_struct(uint64_t a, uint64_t b, bool c) {
  struct pair pairs[2] = {{1, 2}, {a, 4}};
  fill(&pairs[c], a, b);
  struct pair copy = pairs[0];
  fill(&copy, copy.second, a ^ b);
  return copy.first * 3 + pairs[1].first + copy.second;
}

uint32_t local_undefined(uint32_t a, uint32_t b) {
  uint32_t values[4];
  values[a & 1] = a;
  values[2] = 7;
  return values[b & 3];
}

/* ---- Pointers ---- */

uint64_t pointer_select(struct cells *cells, bool a, uint32_t b) {
  const uint64_t *place = a ? &cells->longs[1] : &cells->longs[b & 3];
  return *place;
}

uint64_t pointer_store(struct cells *cells, bool a, uint64_t b) {
  uint64_t local = 3;
  uint64_t *place = a ? &local : &cells->longs[0];
  *place += b;
  fill((struct pair *)&cells->longs[1], local, *place);
  return local;
}

uint32_t pointer_walk(struct cells *cells, uint32_t a) {
  uint32_t sum = 0;
  for (const uint8_t *at = cells->bytes; at != cells->bytes + 8; at++)
    if (*at != (uint8_t)a) sum = sum * 2 + *at;
  return sum;
}

int64_t pointer_difference(struct cells *cells, uint32_t a, uint32_t b) {
  const uint32_t *first = &cells->words[a & 3], *second = &cells->words[b & 3];
  return second - first;
}

int64_t pointer_rest(struct cells *cells, uint32_t a) {
  const uint8_t *bytes = (const uint8_t *)cells->words + (a & 7);
  return (const uint32_t *)(uintptr_t)bytes - cells->words;
}

struct part {
  const uint8_t *values;
  uint32_t count;
};
static const struct part parts[] = {{table, 4}, {table + 4, 2}, {table + 2, 3}};

uint32_t pointer_table(uint32_t a, uint32_t b) {
  const struct part *part = &parts[a % 3];
  return part->values[(b & 15) % part->count];
}

bool pointer_compare(struct cells *cells, uint32_t a, uint32_t b) {
  const uint32_t *first = &cells->words[a & 3], *second = &cells->words[b & 3];
  return first == second || (first < second && (a & 64) != 0);
}

CALLED const uint32_t *find(const struct cells *cells, bool there) {
  return there ? &cells->words[2] : NULL;
}

uint32_t pointer_null(struct cells *cells, bool a) {
  const uint32_t *found = find(cells, a);
  if (found == NULL) return 12;
  return *found;
}

struct node {
  const struct node *next;
  uint32_t value;
};

CALLED uint32_t sum_list(const struct node *list) {
  uint32_t sum = 0;
  for (; list != NULL; list = list->next) sum = sum * 7 + list->value;
  return sum;
}

uint32_t pointer_list(uint32_t a, uint32_t b) {
  struct node nodes[3] = {{NULL, a}, {&nodes[0], b}, {NULL, 9}};
  nodes[2].next = a > b ? &nodes[1] : &nodes[0];
  return sum_list(&nodes[b % 3]);
}

uint64_t pointer_number(struct cells *cells, uint32_t a) {
  const uintptr_t base = (uintptr_t)cells->longs;
  const uint64_t *place = (const uint64_t *)(base + 8 * (a & 3));
  return *place + ((uintptr_t)place - base);
}

/* ---- Calls ---- */

CALLED uint32_t weigh(uint32_t a, uint32_t b) {
  if (a > 100) return b;
  if (b > 100) return a * 2;
  return a * b;
}

uint32_t call_static(uint32_t a, uint32_t b) {
  return weigh(a, b) + weigh(b, weigh(a >> 1, 3));
}

CALLED uint32_t depth_of(uint8_t a) {
  if (a == 0) return 0;
  return 1 + 3 * depth_of((uint8_t)(a >> 1));
}

uint32_t call_recursive(uint8_t a) {
  return depth_of(a);
}

CALLED struct pair ordered(uint64_t a, uint64_t b) {
  return a < b ? (struct pair){a, b} : (struct pair){b, a + 1};
}

uint64_t call_pair(uint64_t a, uint64_t b) {
  struct pair pair = ordered(a, b);
  pair = ordered(pair.second, pair.first ^ 5);
  return pair.first - 3 * pair.second;
}

CALLED uint64_t changed(struct cells cells, uint32_t a) {
  cells.longs[a & 3] += 5;
  cells.bytes[0] = 0;
  return cells.longs[0] + cells.longs[3] + cells.bytes[0];
}

uint64_t call_by_value(struct cells *cells, uint32_t a) {
  return changed(*cells, a) ^ cells->longs[a >> 1 & 3] ^ cells->bytes[0];
}

CALLED int32_t product(int32_t a, int32_t b) {
  return a * b + 1;
}

uint32_t call_pure_twice(int32_t a, int32_t b) {
  uint32_t sum = 0;
  if (a < 10) sum += (uint32_t)product(a, b);
  if (b < 10) sum ^= (uint32_t)product(a, b);
  return sum;
}

CALLED bool write_all(uint64_t *to, uint32_t count, uint64_t value) {
  for (uint32_t i = 0; i < count; i++) to[i] = value + i;
  return count > 1;
}

uint64_t call_writes(struct cells *cells, uint32_t a, uint64_t b) {
  if (write_all(&cells->longs[a & 1], a >> 1 & 3, b)) return cells->longs[1];
  return cells->longs[0];
}

uint32_t outside(uint32_t a);
#ifndef __clang__
uint32_t outside(uint32_t a) {
  return a;
}
#endif

uint32_t call_unknown(uint32_t a) {
  return outside(a);
}

/* ---- Calls that are kept ---- */

CALLED uint64_t sum_of(const uint64_t longs[4], uint32_t a) {
  uint64_t sum = a;
  for (int i = 0; i < 4; i++) sum = sum * 5 + longs[i];
  return sum;
}

/* Writes bytes[0] and parts always, bytes[2] on one path alone; reads bytes[1], words and longs. */
CALLED uint64_t collect(struct cells *cells, uint32_t a) {
  const uint64_t sum = sum_of(cells->longs, a);
  cells->bytes[0] = 0;
  if (cells->bytes[1] != 0) cells->bytes[2] = 7;
  cells->words[1] = (uint32_t)((int32_t)cells->words[0] * 3);
  cells->halves[2] = (uint16_t)((int64_t)cells->longs[0] * 3);
  cells->parts[2].low = (uint16_t)sum;
  cells->parts[3].middle = 0;
  return sum;
}

uint64_t keep_first(struct cells *cells, uint32_t a) {
  cells->words[3] = a;
  return collect(cells, a) + 1;
}

uint64_t keep_second(struct cells *cells, uint32_t a) {
  return collect(cells, a) + 2;
}

uint64_t keep_sum(struct cells *cells, uint32_t a) {
  return sum_of(cells->longs, a);
}
