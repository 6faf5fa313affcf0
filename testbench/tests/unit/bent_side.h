// A side with wanted errors, for tests of checkers.
#ifndef PMUV3_BENT_SIDE_H
#define PMUV3_BENT_SIDE_H

#include <functional>

#include "tlm_wrapper/side.h"

// A C model that falsifies values.
struct BentSide : pmuv3_side {
  pmuv3_side *honest;
  unsigned thread = 0;  // the thread with falsified probes and reads
  pmuv3_pe pe[PMUV3_MAX_THREADS] = {};
  uint64_t cycle = 0;
  std::function<void(uint64_t, pmuv3_probe *)> bend_probe;
  std::function<void(uint16_t, uint64_t *)> bend_read;
  bool refuses = false;                               // unchecked accesses
  bool bends_results = false;                         // of checked accesses
  bool bends_syndromes = false;                       // likewise
  bool bends_values = false;                          // of checked reads
  std::function<unsigned(const char *)> bend_output;  // by the output's name in probe.def
  pmuv3_probe *before = nullptr;                      // pmuv3_side_keep
};

inline BentSide &Of(pmuv3_side *side) {
  return *static_cast<BentSide *>(side);
}

inline bool IsBent(pmuv3_side *side, unsigned thread, bool how) {
  return how && thread == Of(side).thread;
}

inline pmuv3_access Refused(pmuv3_side *side, unsigned thread, pmuv3_access access) {
  return IsBent(side, thread, Of(side).refuses) ? PMUV3_ACCESS_UNKNOWN : access;
}

inline pmuv3_result Bent(pmuv3_side *side, unsigned thread, pmuv3_result result) {
  return IsBent(side, thread, Of(side).bends_results) ? PMUV3_TRAP_EL3 : result;
}

inline uint64_t BentOutput(pmuv3_side *side, unsigned thread, const char *name, uint64_t level) {
  return IsBent(side, thread, Of(side).bend_output != nullptr) ? level ^ Of(side).bend_output(name)
                                                               : level;
}

inline const pmuv3_side_ops kBentOps = {
    "bent",
    [](pmuv3_side *side) { pmuv3_side_reset(Of(side).honest); },
    [](pmuv3_side *side, unsigned thread, const pmuv3_pe *pe) {
      Of(side).pe[thread] = *pe;
      pmuv3_side_set_pe(Of(side).honest, thread, pe);
    },
    [](pmuv3_side *side, unsigned thread, uint16_t reg, uint64_t value) {
      return Refused(side, thread, pmuv3_side_write(Of(side).honest, thread, reg, value));
    },
    [](pmuv3_side *side, unsigned thread, uint16_t reg, uint64_t *value) {
      pmuv3_access access = pmuv3_side_read(Of(side).honest, thread, reg, value);
      if (Of(side).bend_read && thread == Of(side).thread) Of(side).bend_read(reg, value);
      if (IsBent(side, thread, Of(side).refuses)) *value = 0;
      return Refused(side, thread, access);
    },
    [](pmuv3_side *side, unsigned thread, uint16_t reg, uint64_t value) {
      return Bent(side, thread, pmuv3_side_msr(Of(side).honest, thread, reg, value));
    },
    [](pmuv3_side *side, unsigned thread, uint16_t reg, uint64_t *value) {
      pmuv3_result result = pmuv3_side_mrs(Of(side).honest, thread, reg, value);
      *value ^= IsBent(side, thread, Of(side).bends_values);
      return Bent(side, thread, result);
    },
    [](pmuv3_side *side, unsigned thread) {
      return pmuv3_side_syndrome(Of(side).honest, thread) ^
             static_cast<uint32_t>(IsBent(side, thread, Of(side).bends_syndromes));
    },
    [](pmuv3_side *side, unsigned thread, pmuv3_security_state ss, uint16_t offset,
       uint32_t value) {
      bool done = pmuv3_side_external_write(Of(side).honest, thread, ss, offset, value);
      return done != IsBent(side, thread, Of(side).bends_results);
    },
    [](pmuv3_side *side, unsigned thread, pmuv3_security_state ss, uint16_t offset,
       uint32_t *value) {
      bool done = pmuv3_side_external_read(Of(side).honest, thread, ss, offset, value);
      *value ^= IsBent(side, thread, Of(side).bends_values);
      return done != IsBent(side, thread, Of(side).bends_results);
    },
    [](pmuv3_side *side, const pmuv3_cycle *cycle) {
      Of(side).cycle++;
      pmuv3_side_cycle(Of(side).honest, cycle);
    },
    [](pmuv3_side *side) {
      pmuv3_ends ends = pmuv3_side_written(Of(side).honest);
      ends.syndrome[Of(side).thread] ^= static_cast<uint32_t>(Of(side).bends_syndromes);
      if (!Of(side).bends_results) return ends;
      ends.result[Of(side).thread] = PMUV3_TRAP_EL3;
      ends.external_error = !ends.external_error;
      return ends;
    },
    [](pmuv3_side *side, unsigned thread, pmuv3_probe *probe) {
      pmuv3_side_probe(Of(side).honest, thread, probe);
      if (Of(side).bend_probe && thread == Of(side).thread && Of(side).cycle > 0)
        Of(side).bend_probe(Of(side).cycle - 1, probe);
    },
    [](pmuv3_side *side, unsigned thread) {
      struct pmuv3_outputs outputs = pmuv3_side_outputs(Of(side).honest, thread);
#define PMUV3_PROBE_OUTPUT(field, name, owner) \
  outputs.field = BentOutput(side, thread, name, outputs.field);
#include "pmuv3/probe.def"
      return outputs;
    },
    [](pmuv3_side *side) {
      pmuv3_side_destroy(Of(side).honest);
      delete &Of(side);
    },
    nullptr,  // repeat
    nullptr,  // next_overflow
    nullptr,  // clone
    nullptr,  // depends
    nullptr,  // repeat_to_overflow
    nullptr,  // save
    nullptr,  // restore
    [](pmuv3_side *side) { pmuv3_side_cold_reset(Of(side).honest); },
    nullptr,  // keep
};

// Writes what was before an access or a cycle, and then makes it.
template <auto Op, class... Arguments>
auto Postponing(pmuv3_side *side, Arguments... arguments) {
  for (unsigned t = 0; Of(side).before && t < side->params.threads; t++)
    pmuv3_side_probe(side, t, &Of(side).before[t]);
  return (kBentOps.*Op)(side, arguments...);
}

// The operations of a side that postpones.
inline pmuv3_side_ops MakePostponingOps() {
  pmuv3_side_ops ops = kBentOps;
  ops.write = Postponing<&pmuv3_side_ops::write>;
  ops.read = Postponing<&pmuv3_side_ops::read>;
  ops.msr = Postponing<&pmuv3_side_ops::msr>;
  ops.mrs = Postponing<&pmuv3_side_ops::mrs>;
  ops.external_write = Postponing<&pmuv3_side_ops::external_write>;
  ops.external_read = Postponing<&pmuv3_side_ops::external_read>;
  ops.cycle = Postponing<&pmuv3_side_ops::cycle>;
  ops.keep = [](pmuv3_side *side, pmuv3_probe *before) { Of(side).before = before; };
  return ops;
}
inline const pmuv3_side_ops kPostponingOps = MakePostponingOps();

// A side that falsifies nothing yet.
inline BentSide *NewBentSide(const pmuv3_params &params) {
  BentSide *bent = new BentSide;
  bent->ops = &kBentOps;
  bent->params = params;
  bent->honest = pmuv3_side_cmodel(&params);
  return bent;
}

#endif
