/* `pmuv3 check --emit`: SystemVerilog that checks the device in any simulator. */
#ifndef PMUV3_CHECK_EMIT_H
#define PMUV3_CHECK_EMIT_H

#include "pmuv3/device.h"

#ifdef __cplusplus
extern "C" {
#endif

struct recording;

/* The names of the files, for --emit DIR. */
extern const char *const emit_files[];

struct emitted {
  const struct pmuv3_device *device;
  const char *module; /* the device's top module */
  char *const *words; /* of the command: -GNAME=VALUE is a parameter of it. NULL ends them */
  unsigned (*width)(size_t pin);                 /* of each pin of the description */
  void (*range)(size_t pin, int *msb, int *lsb); /* of the whole signal; an element: none */
  const char *description;                       /* its path, for a simulator that runs anywhere */
  const struct recording *recording;
};

/* pmuv3_monitor.sv: a monitor, bound to each instance of the module. */
bool emit_monitor(FILE *out, const void *emitted);

/* pmuv3_player.sv and pmuv3_player.hex: a bench that plays the recording's inputs. */
bool emit_player(FILE *out, const void *emitted);
bool emit_inputs(FILE *out, const void *emitted);

#ifdef __cplusplus
}
#endif

#endif
