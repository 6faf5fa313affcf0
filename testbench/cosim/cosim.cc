#include "testbench/cosim/cosim.h"

#include <tlm_utils/simple_initiator_socket.h>

#include <chrono>
#include <systemc>

#include "testbench/stimulus/random.h"
#include "tlm_wrapper/pmuv3_tlm.h"

using sc_core::sc_time;

namespace {

// Plays random stimulus into the TLM module until the task is done or the sides diverge.
class Driver : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Driver, 64> registers{"registers"};
  sc_core::sc_port<pmuv3_event_if> events{"events"};

  Driver(const sc_core::sc_module_name &name, const pmuv3_cosim_task &task,
         const pmuv3_side *lockstep, sc_time period, pmuv3_cosim_result &result)
      : sc_module(name),
        task_(task),
        lockstep_(lockstep),
        period_(period),
        result_(result),
        random_(pmuv3_random_create(&task.params, task.seed)) {
    if (!random_) SC_REPORT_FATAL("/pmuv3/cosim", "out of memory");
    SC_HAS_PROCESS(Driver);
    SC_THREAD(drive);
    with_clock_.with_clock = true;
  }
  ~Driver() override { pmuv3_random_destroy(random_); }

 private:
  // Half a period away from the rising edges, so that what is presented is settled when one comes.
  void drive() {
    wait(period_ / 2);
    for (uint64_t cycle = 0; cycle < task_.cycles && !pmuv3_lockstep_divergence(lockstep_);) {
      const pmuv3_item *item = pmuv3_random_next(random_);
      switch (item->kind) {
        case PMUV3_ITEM_WRITE:
          access(tlm::TLM_WRITE_COMMAND, item->access, nullptr);
          break;
        case PMUV3_ITEM_READ:
          access(tlm::TLM_READ_COMMAND, item->access, nullptr);
          break;
        default:
          present(item->cycle);
          wait(period_);
          cycle++;
          report();
      }
    }
    report();
    sc_core::sc_stop();
  }

  void present(const pmuv3_cycle &cycle) {
    for (int i = 0; i < cycle.num_occurrences; i++)
      events->occur(static_cast<pmuv3_event>(cycle.occurrences[i].event),
                    cycle.occurrences[i].count);
    if (cycle.has_write) access(tlm::TLM_WRITE_COMMAND, cycle.write, &with_clock_);
  }

  // The stimulus makes legal accesses only.
  void access(tlm::tlm_command command, pmuv3_write write, pmuv3_access_extension *extension) {
    sc_time delay = sc_core::SC_ZERO_TIME;
    payload_.set_command(command);
    payload_.set_address(pmuv3_tlm::address_of(write.reg));
    payload_.set_data_ptr(reinterpret_cast<unsigned char *>(&write.value));
    payload_.set_data_length(sizeof write.value);
    payload_.set_streaming_width(sizeof write.value);
    payload_.set_byte_enable_ptr(nullptr);
    payload_.set_dmi_allowed(false);
    payload_.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    payload_.set_extension(extension);
    registers->b_transport(payload_, delay);
    payload_.clear_extension(extension);
    if (payload_.is_response_error())
      SC_REPORT_FATAL("/pmuv3/cosim", payload_.get_response_string().c_str());
  }

  void report() {
    result_.cycles = pmuv3_lockstep_cycles(lockstep_);
    result_.comparisons = pmuv3_lockstep_comparisons(lockstep_);
  }

  const pmuv3_cosim_task &task_;
  const pmuv3_side *lockstep_;
  const sc_time period_;
  pmuv3_cosim_result &result_;
  pmuv3_random *random_;
  tlm::tlm_generic_payload payload_;
  pmuv3_access_extension with_clock_;
};

}  // namespace

// The kernel's own main and its entry are not used; the library wants the symbol.
int sc_main(int, char **) {
  return 0;
}

void pmuv3_cosim(const pmuv3_cosim_task *task, pmuv3_cosim_result *result) {
  const sc_time period(1, sc_core::SC_NS);
  pmuv3_side *rtl = pmuv3_side_rtl(&task->params, task->x_seed);
  pmuv3_side *lockstep = pmuv3_side_lockstep(pmuv3_side_cmodel(&task->params), rtl);
  if (task->wave && !pmuv3_side_rtl_wave(rtl, task->wave))
    SC_REPORT_FATAL("/pmuv3/cosim", "the wave cannot be written");
  pmuv3_tlm pmu("pmu", lockstep);
  sc_core::sc_clock clock("clock", period, 0.5, period);
  sc_core::sc_signal<bool> irq("irq");
  Driver driver("driver", *task, lockstep, period, *result);
  pmu.clk(clock);
  pmu.irq(irq);
  driver.registers.bind(pmu.registers);
  driver.events.bind(pmu.events);

  sc_core::sc_report_handler::set_actions("/OSCI/SystemC", sc_core::SC_DO_NOTHING);
  auto start = std::chrono::steady_clock::now();
  sc_core::sc_start();
  result->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const pmuv3_divergence *divergence = pmuv3_lockstep_divergence(lockstep);
  result->diverged = divergence != nullptr;
  if (divergence) result->divergence = *divergence;
  result->finished = true;
}
