// The parameters of a PMU as CCI parameters (Accellera's Configuration, Control & Inspection),
// where the platform has that library. The module itself does not need it.
//
//   struct Platform : sc_core::sc_module {
//     explicit Platform(const sc_core::sc_module_name &name) : sc_module(name) {}
//     pmuv3_cci of_pmu{"of_pmu"};
//     pmuv3_params params = of_pmu.params();
//     pmuv3_tlm pmu{"pmu", pmuv3_side_cmodel(&params)};
//   };
//
// A broker presets top.of_pmu.counters, top.of_pmu.features and so on before Platform("top") is
// made. Afterwards they cannot be changed, as a PMU cannot.
#ifndef PMUV3_CCI_H
#define PMUV3_CCI_H

#include <cci_configuration>
#include <string>
#include <systemc>

#include "pmuv3/params.h"

// Each parameter, choice and `features` under its name in a `param` line, with its default. Numbers
// are of type uint64_t. Choices and features are words, as in a `param` line. Source: params.def.
class pmuv3_cci : public sc_core::sc_module {
 public:
  explicit pmuv3_cci(const sc_core::sc_module_name &name) : sc_module(name) {}

  // The parameters as they were preset, completed (pmuv3_params_complete). Reports what an
  // implementation cannot have as SC_FATAL, in the words of pmuv3_params_set or of
  // pmuv3_params_wrong.
  pmuv3_params params() const {
    pmuv3_params params = pmuv3_params_default();
    set(&params, "features", features_);
#define PMUV3_PARAM(name, dflt, min, max, bits, text) \
  set(&params, #name, std::to_string(name##_.get_value()));
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) set(&params, name, id##_);
#include "pmuv3/params.def"
    if (const char *wrong = pmuv3_params_complete(&params)) SC_REPORT_FATAL("/pmuv3/cci", wrong);
    return params;
  }

 private:
  template <class Value>
  using param = cci::cci_param<Value, cci::CCI_IMMUTABLE_PARAM>;

  static void set(pmuv3_params *params, const char *name, const std::string &value) {
    if (const char *wrong = pmuv3_params_set(params, name, value.c_str()))
      SC_REPORT_FATAL("/pmuv3/cci", wrong);
  }

  static std::string default_features() {
    std::string names;
    const uint32_t present = pmuv3_params_default().features;
    for (unsigned f = 0; f < PMUV3_NUM_FEATURES; f++)
      if (present >> f & 1) names += (names.empty() ? "" : ",") + feature_name(f);
    return names.empty() ? "none" : names;
  }
  static std::string feature_name(unsigned feature) {
    return pmuv3_feature_name(static_cast<pmuv3_feature>(feature));
  }

  param<std::string> features_{"features", default_features(), "the features, with commas between"};
#define PMUV3_PARAM(name, dflt, min, max, bits, text) param<uint64_t> name##_{#name, dflt, text};
#define PMUV3_CHOICE(id, name, dflt, values, bits, text) param<std::string> id##_{name, dflt, text};
#include "pmuv3/params.def"
};

#endif
