#include "testbench/cosim/cli/id_text.h"

#include <inttypes.h>

#include "pmuv3/id_registers.h"
#include "pmuv3/pmuv3.h"

/* What identifies the implementation: PMCR_EL0 as it reads, and the registers of the page. */
static void print_identity(FILE *out, const struct pmuv3_params *params) {
  static struct pmuv3 pmu;
  uint64_t pmcr;
  pmuv3_init(&pmu, params);
  pmuv3_read(&pmu, 0, PMUV3_PMCR, &pmcr);
  fprintf(out, "%-16s IMP=0x%02x IDCODE=0x%02x\n", "PMCR_EL0", (unsigned)PMUV3_GET(pmcr, PMCR, IMP),
          (unsigned)PMUV3_GET(pmcr, PMCR, IDCODE));
  if (!pmuv3_has(params, PMUV3_FEATURE_EXT32) && !pmuv3_has(params, PMUV3_FEATURE_EXT64)) return;
  fprintf(out,
          "%-16s 0x%08" PRIx64 "\n%-16s 0x%010" PRIx64 "\n%-16s 0x%08" PRIx64 "\n%-16s 0x%06" PRIx64
          " Aff3, Aff2, Aff1\n",
          "PMIIDR", params->iidr, "PMPIDR4..0", params->pidr, "PMAUTHSTATUS", params->authstatus,
          "PMDEVAFF", params->affinity);
}

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
  print_identity(out, params);
}
