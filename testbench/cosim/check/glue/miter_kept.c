/* Of the miter: the bits of registers that a device does not write. rtl/ writes whole halves of
 * registers, so it gets what these bits are already. */
#include <inttypes.h>

#include "testbench/cosim/check/bench/profile.h"
#include "testbench/cosim/check/glue/miter_internal.h"

/* The page alone has PMCCR. In both layouts it is at the same offset. */
enum {
#define PMUV3_EXTERNAL_ONLY(id, of, name, lo32, ...) OFFSET_##id = lo32,
#include "pmuv3/external.def"
};

/* Registers that hold what is written, and their probes in rtl/ (probe.def). */
static const struct {
  uint16_t reg; /* 0: PMCCR */
  const char *probe;
} holders[] = {
#define PMUV3_HELD(id, member) {PMUV3_##id, #member},
#include "pmuv3/registers.def"
    {PMUV3_PMCR, "pmcr"},
    {PMUV3_MDCR_EL2, "mdcr_el2"},
    {PMUV3_PMUACR, "pmuacr"},
    {PMUV3_PMICFILTR, "pmicfiltr"},
    {0, "pmccr"},
};

enum { NUM_HOLDERS = sizeof holders / sizeof holders[0] };

/* Words of the page that replace the bits of all counters. */
static const struct {
  uint16_t reg;
  const char *counters, *fixed; /* wires */
} replaced[] = {
    {PMUV3_PMCNTENSET, "cnten", "fixed_cnten"},
    {PMUV3_PMINTENSET, "inten", "fixed_inten"},
    {PMUV3_PMOVSSET, "overflow", "fixed"},
};

enum { NUM_REPLACED = sizeof replaced / sizeof replaced[0] };

/* ---- Which bits ---- */

/* Of a half of a register, rtl/ keeps the other half by itself. */
static uint64_t kept(const struct pmuv3_device *device, const struct pmuv3_device_register *reg) {
  const bool can_write = reg->is_written && device->ports[reg->port].can_write;
  const bool is_there = reg->reg != 0 || reg->offset == OFFSET_PMCCR;
  if (!can_write || !is_there) return 0;
  if (reg->is_page || reg->half == PMUV3_WHOLE) return reg->kept;
  return reg->half == PMUV3_LOW ? reg->kept & UINT32_MAX : reg->kept >> 32 << 32;
}

/* Bits of a counter count on in the clock of the write, so there rtl/ would need a mask. With
 * EXTPMN, the probe has of HPMN what a read shows, which is not what MDCR_EL2 holds (RMFYQC). */
const char *miter_cannot_keep(const struct pmuv3_device *device,
                              const struct pmuv3_device_register *reg) {
  const uint64_t bits = kept(device, reg);
  if (profile_class(reg) == CLASS_COUNTER && bits != 0)
    return "needs all bits of a counter in \"write=\"";
  if (pmuv3_has(&device->params, PMUV3_FEATURE_EXTPMN) &&
      pmuv3_device_viewed(reg->reg) == PMUV3_MDCR_EL2 && bits & PMUV3_MASK(MDCR_EL2, HPMN))
    return "needs all bits of HPMN in \"write=\", with EXTPMN";
  return NULL;
}

/* ---- Their values ---- */

void miter_print_probes(const struct miter *m) {
  const unsigned threads = m->device->params.threads, lanes = miter_lanes(m->device);
  fprintf(m->out,
          "\n  // ---- What registers of rtl/ hold ----\n  wire [%u:0] evtyper;\n"
          "  wire [%u:0] overflow, cnten, inten;\n  wire [%u:0] fixed, fixed_cnten, fixed_inten;\n",
          64 * threads * lanes - 1, threads * lanes - 1, 2 * threads - 1);
  for (unsigned h = 0; h < NUM_HOLDERS; h++)
    fprintf(m->out, "  wire [%u:0] probe_%s;\n", 64 * threads - 1, holders[h].probe);
}

void miter_print_probe_pins(const struct miter *m) {
  fprintf(m->out,
          ",\n    .probe_evtyper_o(evtyper), .probe_overflow_o(overflow), .probe_cnten_o(cnten), "
          ".probe_inten_o(inten), .probe_fixed_overflow_o(fixed), "
          ".probe_fixed_cnten_o(fixed_cnten), .probe_fixed_inten_o(fixed_inten)");
  for (unsigned h = 0; h < NUM_HOLDERS; h++)
    fprintf(m->out, ", .probe_%s_o(probe_%s)", holders[h].probe, holders[h].probe);
}

/* What a register holds, 64 bits. */
static void print_held(const struct miter *m, const struct pmuv3_device_register *reg) {
  const unsigned t = reg->thread, lanes = miter_lanes(m->device);
  const uint16_t viewed = pmuv3_device_viewed(reg->reg);
  unsigned h = 0;
  if (viewed == PMUV3_PMEVTYPER) {
    fprintf(m->out, "evtyper[%u+:64]", 64 * (lanes * t + reg->reg % 32u));
    return;
  }
  if (viewed == PMUV3_PMXEVTYPER) {
    fprintf(m->out,
            "(probe_pmselr[%u+:5] == 31 ? probe_pmccfiltr[%u+:64] : evtyper[%u+:%u] >> "
            "{probe_pmselr[%u+:5], 6'd0})",
            64 * t, 64 * t, 64 * lanes * t, 64 * lanes, 64 * t);
    return;
  }
  for (unsigned r = 0; r < NUM_REPLACED; r++) {
    if (replaced[r].reg != viewed) continue;
    fprintf(m->out, "({62'b0, %s[%u+:2]} << 31 | %s[%u+:%u])", replaced[r].fixed, 2 * t,
            replaced[r].counters, lanes * t, lanes);
    return;
  }
  while (h + 1 < NUM_HOLDERS && holders[h].reg != viewed) h++;
  fprintf(m->out, "probe_%s[%u+:64]", holders[h].probe, 64 * t);
}

/* What rtl/ writes beside what the device does: the other bits of the register at this address, as
 * they are. */
void miter_print_kept(const struct miter *m, unsigned p, const char *address) {
  const struct pmuv3_device *device = m->device;
  const unsigned width = miter_width_of(m, PMUV3_ROLE_ADDRESS, p);
  fprintf(m->out, "  wire [63:0] kept_%u = 0", p);
  for (size_t r = 0; r < device->num_registers; r++) {
    const struct pmuv3_device_register *reg = &device->registers[r];
    const uint64_t bits = reg->port == p ? kept(device, reg) : 0;
    if (bits == 0) continue;
    fprintf(m->out, "\n      | (%s == %u'h%" PRIx64 " ? 64'h%" PRIx64 " & (", address, width,
            reg->address, bits);
    print_held(m, reg);
    fprintf(m->out, " >> %d) : 64'h0)", reg->is_page && reg->half == PMUV3_HIGH ? 32 : 0);
  }
  fprintf(m->out, ";\n");
}
