/* A device that ends its process: it ends the simulation (dut.h), or a clock of it does not end, as
 * its RTL has a loop without an end. */
#ifndef PMUV3_CHECK_WATCHDOG_H
#define PMUV3_CHECK_WATCHDOG_H

/* From now on this process ends with a line on stderr, and no verdict, if a clock takes some
 * WATCHDOG_SECONDS of processor time. */
enum { WATCHDOG_SECONDS = 10 };
void watchdog_start(void);

/* If the device ends this process, `tell` is called instead of writing the line. A signal handler
 * may call it. */
void watchdog_tell(void (*tell)(const char *why));

/* A clock begins; it has ended. */
void watchdog_begin(void);
void watchdog_end(void);

#endif
