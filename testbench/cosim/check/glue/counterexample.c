/* A counterexample of a proof, as a stimulus. */
#include <inttypes.h>
#include <string.h>

#include "pmuv3/record.h"
#include "testbench/cosim/check/bench/item.h"
#include "testbench/cosim/check/glue/miter.h"

/* Values of a clock, in the order of miter_traced and miter_traced_port. */
static bool next(FILE *in, uint64_t *value) {
  return fscanf(in, "%" SCNx64, value) == 1;
}

static bool add_states(struct stimulus *stimulus, const struct pmuv3_device *device,
                       struct pmuv3_record *record, const struct pmuv3_record *before) {
  for (unsigned t = 0; t < device->params.threads; t++) {
    const struct pmuv3_pe *pe = &record->thread[t].state;
    if (pmuv3_pe_equal(pe, &before->thread[t].state)) continue;
    if (!stimulus_add(stimulus,
                      &(struct item){.kind = ITEM_STATE, .thread = (uint8_t)t, .pe = *pe}))
      return false;
  }
  return true;
}

/* What a port's pins carry in a clock in which no access begins. */
static bool add_carried(struct stimulus *stimulus, struct pmuv3_record_port *pins, unsigned port,
                        const struct pmuv3_record_port *now) {
  const bool is_same = pins->write == now->write && pins->address == now->address &&
                       pins->data == now->data && pins->enable == now->enable;
  *pins = *now;
  if (is_same) return true;
  struct item item = {.kind = ITEM_CARRY, .value = now->data};
  item.carried.address = now->address;
  item.carried.port = (uint8_t)port;
  item.carried.is_write = now->write;
  item.carried.enable = now->enable;
  return stimulus_add(stimulus, &item);
}

static bool add_access(struct stimulus *stimulus, const struct pmuv3_device *device, unsigned port,
                       const struct pmuv3_record_port *now) {
  const size_t reg = pmuv3_device_find(device, port, now->address);
  if (reg == device->num_registers) return false;
  const uint64_t all = device->ports[port].width == 32 ? UINT32_MAX : UINT64_MAX;
  return stimulus_add(stimulus,
                      &(struct item){.kind = now->write ? ITEM_WRITE : ITEM_READ,
                                     .reg = (uint16_t)reg,
                                     .value = device->ports[port].can_write ? now->data : all});
}

static bool add_cycle(struct stimulus *stimulus, const struct pmuv3_device *device,
                      const struct pmuv3_record *record) {
  struct item item = {.kind = record->clock ? ITEM_CYCLE : ITEM_STOP, .clocks = 1};
  memcpy(item.count, record->count, device->num_events);
  return stimulus_add(stimulus, &item);
}

/* Returns whether there was a clock. `carries`: with what pins carry without an access. */
static bool add_clock(struct stimulus *stimulus, const struct pmuv3_device *device, FILE *in,
                      bool carries, struct pmuv3_record *record, bool *good) {
  const struct pmuv3_record before = *record;
  uint64_t value, begins, is_write, address, data, enable;
  for (size_t p = 0; p < device->num_pins; p++) {
    if (!miter_traces(&device->pins[p])) continue;
    if (!next(in, &value)) return false;
    pmuv3_record_set(record, &device->pins[p], value);
  }
  *good = *good && add_states(stimulus, device, record, &before);
  for (unsigned p = 0; p < device->num_ports; p++) {
    if (!next(in, &begins) || !next(in, &is_write) || !next(in, &address) || !next(in, &data) ||
        !next(in, &enable))
      return false;
    const struct pmuv3_record_port now = {
        .enable = enable != 0, .write = is_write != 0, .address = address, .data = data};
    if (begins)
      *good = *good && add_access(stimulus, device, p, &now);
    else if (carries && device->ports[p].can_write)
      *good = *good && add_carried(stimulus, &record->port[p], p, &now);
  }
  *good = *good && add_cycle(stimulus, device, record);
  return true;
}

bool miter_stimulus(FILE *out, const struct pmuv3_device *device, FILE *in, uint32_t seed,
                    bool carries) {
  struct stimulus stimulus = {.seed = seed};
  struct pmuv3_record record;
  bool good = true;
  pmuv3_record_init(&record, device);
  for (int c; (c = fgetc(in)) != EOF;) {
    ungetc(c, in);
    if (!add_clock(&stimulus, device, in, carries, &record, &good)) break;
    while ((c = fgetc(in)) == '\n') continue;
    if (c != EOF) ungetc(c, in);
  }
  good = good && stimulus.count > 0;
  if (good) stimulus_write(out, &stimulus, device);
  stimulus_free(&stimulus);
  return good;
}
