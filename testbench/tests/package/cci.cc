// A platform that a CCI broker configures. Argument: a number of counters.
#include <cci_configuration>
#include <iostream>
#include <systemc>

#include "tlm_wrapper/pmuv3_cci.h"
#include "tlm_wrapper/pmuv3_tlm.h"

struct Platform : sc_core::sc_module {
  explicit Platform(const sc_core::sc_module_name &name) : sc_module(name) {}
  pmuv3_cci of_pmu{"of_pmu"};
  pmuv3_params params = of_pmu.params();
  pmuv3_tlm pmu{"pmu", pmuv3_side_cmodel(&params)};
};

int sc_main(int argc, char **argv) try {
  sc_core::sc_report_handler::set_actions(sc_core::SC_FATAL, sc_core::SC_THROW);
  cci::cci_register_broker(new cci_utils::consuming_broker("global"));
  cci::cci_originator tester("tester");
  cci::cci_broker_handle broker = cci::cci_get_global_broker(tester);
  const auto preset = [&](const char *name, const cci::cci_value &value) {
    broker.set_preset_cci_value(std::string("top.of_pmu.") + name, value);
  };
  preset("counters", cci::cci_value(std::stoull(argv[argc - 1])));
  preset("features", cci::cci_value("PMUv3p5"));
  preset("K-RESTC", cci::cci_value("b"));
  Platform top("top");
  std::cout << +top.params.counters << " counters, PMUv3p5 "
            << pmuv3_has(&top.params, PMUV3_FEATURE_PMUv3p5) << ", TH "
            << pmuv3_has(&top.params, PMUV3_FEATURE_TH) << ", K-RESTC " << +top.params.k_restc
            << ", slots " << +top.params.slots << "\n";
  return 0;
} catch (const sc_core::sc_report &report) {
  std::cout << report.get_msg() << "\n";
  return 1;
}
