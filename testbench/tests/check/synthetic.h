// A device made of the C model behind delays, for tests of the checker. It delays in its own way:
// it keeps its own flags and interrupt, and shift registers for everything else.
#ifndef PMUV3_TESTS_CHECK_SYNTHETIC_H
#define PMUV3_TESTS_CHECK_SYNTHETIC_H

#include <memory>
#include <string>

#include "pmuv3/check.h"

// What the synthetic devices are like, from the next pmuv3_dut_create on.
struct Synthetic {
  unsigned event = 0, state = 0, clock = 0, swinc = 0, write = 0, flag = 0, interrupt = 0, read = 0;
  unsigned event_held = 0, state_held = 0;  // flip-flops of the core's clock, behind the others
  bool flag_held = false;                   // flags wait in such flip-flops
  bool loses_held = false;                  // an event behind them is lost if the clock stops
  unsigned width = 2;                       // of each pin
  unsigned response = 0;                    // answers so many clocks after the request
  bool has_response_pin = false;
  unsigned ready_every = 1;  // takes a request in every so-manieth clock
  bool port_stops = false;   // the port, with its response pin, is of the core's clock
  unsigned late_from = 0;    // from this clock on a read shows a clock later; 0: none
  unsigned drop_every = 0;   // loses one occurrence of each so-manieth event; 0: none
  unsigned double_every = 0;
  bool adds_up = false;  // occurrences on several pins, where one alone is to count
  bool swallows_irq = false;
  bool has_junk_above = false;  // a half of a register has something beside it on the port
  unsigned odd_flags =
      0;  // flags of odd counters rise so many clocks later than those of even ones
  uint64_t lost_flags = 0;         // flags of these counters never rise
  bool loses_cycle_flags = false;  // likewise of event counters of CPU_CYCLES
  bool loses_carry = false;        // the cycle counter has no carry into bit 32
  bool is_plain = false;  // no delay at all: threads, APB, the page, checked accesses, internals
  bool skips_thread_1 = false;  // a plain device whose thread 1 loses events now and then
  unsigned wrong_word = 1;      // reads of this word of a plain device's page are wrong
  bool counts_debugger =
      false;  // a plain device that counts a debugger's operations on running threads
  bool never_fails = false;              // a plain device without errors
  bool ends_increments_wrongly = false;  // likewise, whose writes of PMSWINC fail if they must not
  unsigned silent_from = 0;              // answers no read from this clock on; 0: never silent
  bool unreset_states = false;           // a plain device whose flip-flop of states has no reset
  bool reserves_hpmn_0 = false;          // a plain device that takes HPMN 0 for all counters
  unsigned operations = 0;               // of a debugger, that a plain device saw
  bool forgets_reset = false;            // counters survive a reset
  bool keeps_reads = false;              // a Warm reset leaves reads without an answer alone
  bool keeps_reads_cold = false;         // a Cold one does
};
extern Synthetic synthetic;

struct Free {
  void operator()(pmuv3_device *device) const { pmuv3_device_free(device); }
  void operator()(pmuv3_check *check) const { pmuv3_check_destroy(check); }
};
using Device = std::unique_ptr<pmuv3_device, Free>;
using Check = std::unique_ptr<pmuv3_check, Free>;

// The description of the synthetic device: 32-bit registers, and `lines` of latencies and the like.
std::string DeviceText(const std::string &lines = "", const std::string &port = "response=2");

// Reads a description. `error` gets what is wrong; then the device is null.
Device ReadDevice(const std::string &text, std::string *error);

#endif
