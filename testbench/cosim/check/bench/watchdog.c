#include "testbench/cosim/check/bench/watchdog.h"

#include <signal.h>
#include <stdint.h>
#include <sys/time.h>
#include <unistd.h>

#include "testbench/cosim/check/bench/dut.h"
#include "testbench/cosim/cli/cli.h"

static volatile uint32_t clock_number; /* odd while a clock is under way */

static void (*teller)(const char *why);

#define ENDLESS "a clock of the device does not end"

static void look(int signal) {
  static const char no_verdict[] = "pmuv3 check: " ENDLESS ": no verdict\n";
  static const char diverged[] = "pmuv3 check: diverged, and then " ENDLESS "\n";
  static uint32_t seen;
  (void)signal;
  if (clock_number % 2 == 1 && clock_number == seen) {
    if (teller) {
      teller(ENDLESS);
      _exit(PMUV3_NO_VERDICT);
    }
    const bool counts = pmuv3_cli_has_diverged();
    const ssize_t written = counts ? write(STDERR_FILENO, diverged, sizeof diverged - 1)
                                   : write(STDERR_FILENO, no_verdict, sizeof no_verdict - 1);
    _exit(counts ? 1 : written < 0 ? PMUV3_UNUSABLE : PMUV3_NO_VERDICT);
  }
  seen = clock_number;
}

void pmuv3_dut_ended(const char *why) {
  if (!teller) pmuv3_cli_no_verdict("%s: no verdict", why);
  teller(why);
  _exit(PMUV3_NO_VERDICT);
}

/* Processor time: a process that was stopped for long goes on. */
void watchdog_start(void) {
  const struct sigaction action = {.sa_handler = look, .sa_flags = SA_RESTART};
  const struct itimerval timer = {{WATCHDOG_SECONDS, 0}, {WATCHDOG_SECONDS, 0}};
  sigaction(SIGVTALRM, &action, NULL);
  setitimer(ITIMER_VIRTUAL, &timer, NULL);
}

void watchdog_tell(void (*tell)(const char *why)) {
  teller = tell;
}

void watchdog_begin(void) {
  clock_number++;
}
void watchdog_end(void) {
  clock_number++;
}
