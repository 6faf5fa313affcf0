/* A trace for the tests of `pmuv3 explore`, whose counts follow from the cycle's number:
 * sample FILE CYCLES. */
#include <stdlib.h>

#include "testbench/explore/pmt/pmt.h"

/* In 16 cycles: four retire 1, 2, 3 and 4 instructions, then the front end stalls for 4 cycles,
 * with a refill in the first, then the back end for 8. A branch is mispredicted in each 64th cycle.
 */
enum { INST_RETIRED, STALL_FRONTEND, STALL_BACKEND, L1I_CACHE_REFILL, BR_MIS_PRED, NUM_COLUMNS };

static const struct pmt_column columns[NUM_COLUMNS] = {
    {0x0008, 0, PMUV3_CURRENT, 3, "INST_RETIRED"},
    {0x0023, 0, PMUV3_CURRENT, 1, "STALL_FRONTEND"},
    {0x0024, 0, PMUV3_CURRENT, 1, "STALL_BACKEND"},
    {0x0001, 0, PMUV3_CURRENT, 1, "L1I_CACHE_REFILL"},
    {0x0010, 0, PMUV3_CURRENT, 1, "BR_MIS_PRED"},
};

int main(int argc, char **argv) {
  const char *why = NULL;
  FILE *file = argc == 3 ? fopen(argv[1], "wb") : NULL;
  const struct pmt_header header = {.block_cycles = 4096,
                                    .threads = 1,
                                    .num_columns = NUM_COLUMNS,
                                    .columns = columns,
                                    .generator = "sample",
                                    .command = "./sample",
                                    .core = ""};
  struct pmt_writer *writer = file ? pmt_writer_open(file, &header, &why) : NULL;
  if (!writer) return 2;
  const unsigned long cycles = strtoul(argv[2], NULL, 10);
  for (unsigned long c = 0; c < cycles; c++) {
    const unsigned phase = c % 16;
    const uint8_t counts[NUM_COLUMNS] = {
        [INST_RETIRED] = phase < 4 ? (uint8_t)(phase + 1) : 0,
        [STALL_FRONTEND] = phase >= 4 && phase < 8,
        [STALL_BACKEND] = phase >= 8,
        [L1I_CACHE_REFILL] = phase == 4,
        [BR_MIS_PRED] = c % 64 == 0,
    };
    pmt_writer_cycle(writer, counts);
  }
  why = pmt_writer_close(writer);
  return fclose(file) == 0 && !why ? 0 : 2;
}
