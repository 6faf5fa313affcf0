#include "testbench/cosim/run/cosim.h"

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <new>
#include <system_error>
#include <systemc>

#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/run/driver.h"
#include "testbench/cosim/stimulus/random.h"
#include "testbench/signoff/coverage/coverage.h"
#include "tlm_wrapper/pmuv3_tlm.h"
#include "tlm_wrapper/side_rtl.h"

// The kernel's own main and its entry are not used; the library wants the symbol.
int sc_main(int, char **) {
  return 0;
}

// Nothing can be said of the sides then. An abort, which an exception would end in, would be a
// crash of the sides to whoever waits for this process.
[[noreturn]] static void EndWithoutMemory() {
  std::fputs("pmuv3: a co-simulation ran out of memory\n", stderr);
  _exit(PMUV3_NO_VERDICT);
}

static void Simulate(const pmuv3_cosim_task *task, pmuv3_cosim_result *result) {
  const sc_core::sc_time period(1, sc_core::SC_NS);
  pmuv3_side *rtl = pmuv3_side_rtl(&task->params, task->x_seed);
  pmuv3_side *lockstep = pmuv3_side_lockstep(pmuv3_side_cmodel(&task->params), rtl);
  std::unique_ptr<pmuv3_random, decltype(&pmuv3_random_destroy)> random(
      pmuv3_random_create(&task->params, task->seed), pmuv3_random_destroy);
  std::unique_ptr<pmuv3_collector, decltype(&pmuv3_collector_destroy)> collector(
      task->hits ? pmuv3_collector_create(&task->params, task->hits) : nullptr,
      pmuv3_collector_destroy);
  if (!lockstep || !random || (task->hits && !collector)) EndWithoutMemory();
  pmuv3_random_bias(random.get(), &task->bias);
  pmuv3_lockstep_observe(lockstep, collector.get());
  if (task->wave && !pmuv3_side_rtl_wave(rtl, task->wave))
    pmuv3_cli_unusable("--wave: cannot write the FST");

  auto next = [&]() -> const pmuv3_item * {
    result->cycles = pmuv3_lockstep_cycles(lockstep);
    bool more = result->cycles < task->cycles && !pmuv3_lockstep_noticed(lockstep) &&
                !pmuv3_lockstep_wrong(lockstep);
    return more ? pmuv3_random_next(random.get()) : nullptr;
  };
  auto *spy = new pmuv3::Spy(lockstep);
  pmuv3_tlm pmu("pmu", spy);
  sc_core::sc_clock clock("clock", period, 0.5, period);
  sc_core::sc_vector<sc_core::sc_signal<bool>> irq("irq", task->params.threads);
  pmuv3::Driver driver("driver", pmu, *spy, lockstep, period, next);
  pmu.clk(clock);
  pmu.irq(irq);
  driver.registers.bind(pmu.registers);
  driver.external.bind(pmu.external);
  driver.events.bind(pmu.events);

  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
  auto start = std::chrono::steady_clock::now();
  sc_core::sc_start();
  result->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (const char *wrong = pmuv3_lockstep_wrong(lockstep)) SC_REPORT_FATAL("/pmuv3/cosim", wrong);
  const pmuv3_divergence *divergence = pmuv3_lockstep_divergence(lockstep);
  result->comparisons = pmuv3_lockstep_comparisons(lockstep);
  if (divergence) result->divergence = *divergence;
  result->diverged = divergence != nullptr;
  result->finished = true;
  // A wave that cannot be written takes no divergence away.
  if (task->wave && !pmuv3_side_rtl_wave_end(rtl))
    pmuv3_cli_unusable("--wave: cannot write the FST");
}

void pmuv3_cosim(const pmuv3_cosim_task *task, pmuv3_cosim_result *result) {
  std::set_new_handler(EndWithoutMemory);
  try {
    Simulate(task, result);
  } catch (const std::system_error &) {  // of a thread of Verilator that cannot be made
    EndWithoutMemory();
  }
}
