#include "testbench/cosim/cli/id_text.h"

#include <inttypes.h>

#include "pmuv3/id_registers.h"

void pmuv3_print_id_registers(FILE *out, const struct pmuv3_params *params) {
  for (unsigned r = 0; r < PMUV3_NUM_ID_REGISTERS; r++) {
    const struct pmuv3_id id = pmuv3_id_of(params, (enum pmuv3_id_register)r);
    if (id.mask == 0) continue;
    fprintf(out, "%-16s 0x%016" PRIx64, pmuv3_id_register_name((enum pmuv3_id_register)r),
            id.value);
    const struct pmuv3_id_field *field;
    for (unsigned f = 0; (field = pmuv3_id_register_field(f)); f++)
      if (field->reg == r) fprintf(out, " %s=%" PRIu64, field->name, id.value >> field->lsb & 15);
    fputc('\n', out);
  }
}
