/*
 * Functions that symex_test.cc runs both symbolically and as they are
 * compiled: between them, all that symbolic execution knows.
 */
#ifndef ENGINE_SYMEX_TEST_CODE_H
#define ENGINE_SYMEX_TEST_CODE_H

#include <stdbool.h>
#include <stdint.h>

/* No padding: all of it is compared. */
struct cells {
  uint8_t bytes[8];
  uint16_t halves[4];
  uint32_t words[4];
  uint64_t longs[4];
  struct {
    uint16_t low;
    uint8_t middle;
    bool flag;
  } parts[4];
};

struct pair {
  uint64_t first;
  uint64_t second;
};

/* ---- Arithmetic ---- */

uint32_t add_wraps(uint32_t a, uint32_t b);
uint64_t multiply_wraps(uint64_t a, uint64_t b);
int32_t add_signed(int32_t a, int32_t b);
int32_t subtract_signed(int32_t a, int32_t b);
int32_t multiply_signed(int32_t a, int32_t b);
int64_t add_signed_long(int64_t a, int64_t b);
int32_t negate_signed(int32_t a);
uint8_t narrow(uint8_t a, int8_t b, uint16_t c);
uint32_t divide(uint32_t a, uint32_t b);
uint32_t remainder_of(uint32_t a, uint32_t b);
int32_t divide_signed(int32_t a, int32_t b);
int32_t remainder_signed(int32_t a, int32_t b);
int32_t divide_by_constant(int32_t a);
uint64_t bitwise(uint64_t a, uint64_t b, uint64_t c);
uint32_t shift_left(uint32_t a, uint32_t b);
uint32_t shift_right(uint32_t a, uint32_t b);
int32_t shift_right_signed(int32_t a, uint32_t b);
uint64_t shift_long(uint64_t a, uint8_t b);
uint32_t shift_masked(uint32_t a, uint32_t b);
uint32_t compare_all(int32_t a, int32_t b, uint32_t c, uint32_t d);
int64_t extend_signed(int8_t a, int16_t b, int32_t c);
uint64_t extend(uint8_t a, uint16_t b, bool c);

/* ---- Intrinsics ---- */

uint32_t count_ones(uint64_t a);
uint32_t leading_zeros(uint32_t a);
uint32_t trailing_zeros(uint64_t a);
uint32_t swap_bytes(uint32_t a);
uint32_t rotate(uint32_t a, uint32_t b);
uint64_t funnel(uint64_t a, uint64_t b, uint32_t c);
int32_t absolute(int32_t a);
uint32_t minimum(uint32_t a, uint32_t b);
int32_t clamp_signed(int32_t a, int32_t low, int32_t high);
uint16_t add_saturates(uint16_t a, uint16_t b);
uint32_t subtract_saturates(uint32_t a, uint32_t b);
uint64_t unsigned_overflow(uint64_t a, uint64_t b);
int32_t signed_overflow(int32_t a, int32_t b);
uint32_t multiply_overflow(uint32_t a, uint32_t b);
uint32_t assumes(uint32_t a);
uint32_t expects(uint32_t a);

/* ---- Choices ---- */

uint32_t switch_table(uint8_t a);
uint64_t switch_code(uint32_t a, uint64_t b);
uint32_t switch_unreachable(uint32_t a);
uint32_t unreachable_if(uint32_t a, uint32_t b);
uint64_t select_of(bool a, uint64_t b, uint64_t c);
uint32_t branches(uint32_t a, uint32_t b);
uint32_t short_circuit(uint32_t a, uint32_t b, uint32_t c);

/* ---- Loops ---- */

uint32_t loop_known(uint32_t a);
uint32_t loop_unknown(uint32_t a, uint32_t b);
uint32_t loop_until(uint32_t a);
uint32_t loop_nested(uint32_t a, uint32_t b);
uint32_t loop_exits(uint32_t a, uint32_t b);
uint32_t loop_irreducible(uint32_t a, uint32_t b);
uint32_t loop_bits(uint16_t a);
uint32_t loop_endless(uint32_t a);

/* ---- Memory ---- */

uint64_t load_known(struct cells *cells);
uint64_t load_unknown(struct cells *cells, uint32_t a, uint32_t b);
void store_known(struct cells *cells, uint64_t a);
void store_unknown(struct cells *cells, uint32_t a, uint64_t b);
uint64_t store_and_load(struct cells *cells, uint32_t a, uint32_t b, uint32_t c);
uint64_t store_again(struct cells *cells, uint32_t a, uint32_t b, uint64_t c);
uint64_t store_again_first(struct cells *cells, uint32_t a, uint32_t b, uint64_t c);
uint32_t store_in_part(struct cells *cells, uint32_t a, uint32_t b);
uint32_t store_in_branches(struct cells *cells, uint32_t a, uint32_t b);
bool load_flag(struct cells *cells, uint32_t a);
void copy_known(struct cells *cells);
void copy_unknown(struct cells *cells, uint32_t a, uint32_t b);
void move_overlapping(struct cells *cells);
void set_known(struct cells *cells, uint8_t a);
void set_unknown(struct cells *cells, uint32_t a, uint8_t b);
uint64_t through_bytes(struct cells *cells, uint32_t a);
uint32_t in_bounds(struct cells *cells, uint64_t a);
uint32_t load_bounds(uint64_t a);
uint32_t store_bounds(uint64_t a, uint32_t b);
uint32_t constant_table(uint32_t a);
uint32_t constant_structs(uint32_t a, uint32_t b);
uint32_t global_variable(uint32_t a, uint32_t b);
uint32_t global_constant_stored(uint32_t a);

/* ---- Local ---- */

uint32_t local_array(uint32_t a, uint32_t b, uint32_t c);
uint32_t local_histogram(uint64_t a, uint32_t b);
uint64_t local_struct(uint64_t a, uint64_t b, bool c);
uint32_t local_undefined(uint32_t a, uint32_t b);

/* ---- Pointers ---- */

uint64_t pointer_select(struct cells *cells, bool a, uint32_t b);
uint64_t pointer_store(struct cells *cells, bool a, uint64_t b);
uint32_t pointer_walk(struct cells *cells, uint32_t a);
int64_t pointer_difference(struct cells *cells, uint32_t a, uint32_t b);
int64_t pointer_rest(struct cells *cells, uint32_t a);
uint32_t pointer_table(uint32_t a, uint32_t b);
bool pointer_compare(struct cells *cells, uint32_t a, uint32_t b);
uint32_t pointer_null(struct cells *cells, bool a);
uint32_t pointer_list(uint32_t a, uint32_t b);
uint64_t pointer_number(struct cells *cells, uint32_t a);

/* ---- Calls ---- */

uint32_t call_static(uint32_t a, uint32_t b);
uint32_t call_recursive(uint8_t a);
uint64_t call_pair(uint64_t a, uint64_t b);
uint64_t call_by_value(struct cells *cells, uint32_t a);
uint32_t call_pure_twice(int32_t a, int32_t b);
uint64_t call_writes(struct cells *cells, uint32_t a, uint64_t b);
uint32_t call_unknown(uint32_t a);

/* ---- Calls that are kept ---- */

/* Both call the same function; the second one nothing else. */
uint64_t keep_first(struct cells *cells, uint32_t a);
uint64_t keep_second(struct cells *cells, uint32_t a);
/* Reads longs. */
uint64_t keep_sum(struct cells *cells, uint32_t a);

#endif
