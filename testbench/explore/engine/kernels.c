/* Which kernels this processor has. */
#include "testbench/explore/engine/kernels.h"

extern const struct explore_kernels explore_kernels_none;
#ifdef __x86_64__
extern const struct explore_kernels explore_kernels_avx2, explore_kernels_avx512;
#endif

const struct explore_kernels *const *explore_kernels_all(void) {
  static const struct explore_kernels *all[4];
  unsigned num = 0;
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vpopcntdq"))
    all[num++] = &explore_kernels_avx512;
  if (__builtin_cpu_supports("avx2")) all[num++] = &explore_kernels_avx2;
#endif
  all[num] = &explore_kernels_none;
  return all;
}

const struct explore_kernels *explore_kernels_best(void) {
  return *explore_kernels_all();
}
