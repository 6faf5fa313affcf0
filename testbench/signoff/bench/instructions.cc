// Accesses whose instructions Callgrind counts, by the names of these functions (instructions.sh).
#include <cstdlib>

#include "testbench/signoff/bench/calls.h"

namespace {

unsigned long times;

}  // namespace

// Without noipa the compiler would make one function of two, or another one of a call.
#define CALLS(name, call)                                          \
  extern "C" __attribute__((noipa)) void name(pmuv3::Core &core) { \
    for (unsigned long i = 0; i < times; i++) core.Call(call);     \
  }
CALLS(does_nothing, PMUV3_BENCH_READ)
CALLS(read_counter, PMUV3_BENCH_READ)
CALLS(write_counter, PMUV3_BENCH_WRITE)
CALLS(checked_read, PMUV3_BENCH_MRS)
CALLS(checked_write, PMUV3_BENCH_MSR)

// The SystemC kernel's own main does not run, but the library needs this symbol.
int sc_main(int, char **) {
  return 0;
}

int main(int, char **argv) {
  times = std::strtoul(argv[1], nullptr, 10);
  pmuv3::Platform platform;
  does_nothing(platform.of_nothing);
  for (const auto call : {read_counter, write_counter, checked_read, checked_write})
    call(platform.of_module);
  return platform.of_module.is_refused;
}
