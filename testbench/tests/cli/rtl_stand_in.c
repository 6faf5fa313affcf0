/*
 * A stand-in for the RTL: a C model whose PMUIRQ is wrong while PMCR.E = 1. It is right while the
 * file $RIGHT_WITH exists; with $STAYS_RIGHT also later, when the file is gone. So a divergence
 * that was found need not happen again.
 */
#include <stdlib.h>
#include <unistd.h>

#include "tlm_wrapper/side_rtl.h"

static void (*honest_probe)(struct pmuv3_side *side, unsigned thread, struct pmuv3_probe *probe);

static void wrong_probe(struct pmuv3_side *side, unsigned thread, struct pmuv3_probe *probe) {
  honest_probe(side, thread, probe);
  probe->irq ^= PMUV3_GET(probe->pmcr, PMCR, E) != 0;
}

static bool is_right(void) {
  static bool was_right;
  const char *file = getenv("RIGHT_WITH");
  const bool is_there = file && access(file, F_OK) == 0;
  was_right = is_there || (was_right && getenv("STAYS_RIGHT"));
  return was_right;
}

struct pmuv3_side *pmuv3_side_rtl(const struct pmuv3_params *params, uint32_t x_seed) {
  static struct pmuv3_side_ops wrong;
  struct pmuv3_side *side = pmuv3_side_cmodel(params);
  (void)x_seed;
  if (!side || is_right()) return side;
  honest_probe = side->ops->probe;
  wrong = *side->ops;
  wrong.probe = wrong_probe;
  side->ops = &wrong;
  return side;
}

bool pmuv3_side_rtl_wave(struct pmuv3_side *side, const char *file) {
  (void)side, (void)file;
  return false;
}

bool pmuv3_side_rtl_wave_end(struct pmuv3_side *side) {
  (void)side;
  return false;
}
