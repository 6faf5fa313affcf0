/* Ports: accesses that the device accepted, and its answers. */
#include <string.h>

#include "testbench/cosim/check/engine/internal.h"

size_t pmuv3_check_find(const struct pmuv3_check *check, unsigned port, uint64_t address) {
  const struct pmuv3_device *device = check->device;
  size_t place = (address * 5 + port) & check->places_mask;
  for (uint16_t r; (r = check->places[place]); place = (place + 1) & check->places_mask) {
    const struct pmuv3_device_register *reg = &device->registers[r - 1];
    if (reg->address == address && reg->port == port) return r - 1u;
  }
  return device->num_registers;
}

static unsigned log_access(struct pmuv3_check *check, const struct pmuv3_record_port *pins,
                           size_t reg) {
  const unsigned place = (unsigned)(check->num_logged++ % PMUV3_CHECK_ACCESSES);
  check->log[place] = (struct pmuv3_check_access){.clock = check->now,
                                                  .reg = reg,
                                                  .address = pins->address,
                                                  .value = pins->data,
                                                  .is_write = pins->write,
                                                  .is_answered = pins->write};
  return place;
}

static void accept_write(struct pmuv3_check *check, struct slot *slot, unsigned port, size_t r) {
  if (r == check->device->num_registers) return;
  const struct pmuv3_device_register *reg = &check->device->registers[r];
  if (!reg->is_written) { /* the model is not asked */
    check->registers[r].writes++;
    return;
  }
  slot->writes[port] = (struct write){reg, slot->record.port[port].data & reg->write};
  slot->has_write = true;
}

static void accept_read(struct pmuv3_check *check, unsigned port, size_t r, unsigned log) {
  struct queue *queue = &check->queues[port];
  if (queue->count == OUTSTANDING) return; /* the device never answers */
  queue->of[(queue->first + queue->count++) % OUTSTANDING] =
      (struct outstanding){r, check->now + check->device->ports[port].response, log};
}

void pmuv3_check_count_access(struct pmuv3_check_port *counts, uint64_t address, bool is_matched) {
  counts->accesses++;
  if (is_matched) return;
  if (counts->unmatched++ == 0) counts->first_unmatched = address;
}

static void accept(struct pmuv3_check *check, struct slot *slot, unsigned port) {
  const struct pmuv3_record_port *pins = &slot->record.port[port];
  const size_t r = pmuv3_check_find(check, port, pins->address);
  const unsigned log = log_access(check, pins, r);
  pmuv3_check_count_access(&check->ports[port], pins->address, r < check->device->num_registers);
  if (pins->write)
    accept_write(check, slot, port, r);
  else
    accept_read(check, port, r, log);
}

static void answer(struct pmuv3_check *check, const struct pmuv3_record_port *pins,
                   struct queue *queue) {
  const struct outstanding read = queue->of[queue->first];
  queue->first = (queue->first + 1) % OUTSTANDING;
  queue->count--;
  check->log[read.log].value = pins->value;
  check->log[read.log].is_answered = true;
  if (read.reg == check->device->num_registers || check->num_pending == PENDING) return;
  check->pending[(check->first_pending + check->num_pending++) % PENDING] =
      (struct pending){.clock = check->now,
                       .reg = read.reg,
                       .value = pins->value,
                       .error = pins->error,
                       .knows_value = pins->knows_value,
                       .knows_error = pins->knows_error,
                       .steady = UINT64_MAX,
                       .wrapped = UINT64_MAX,
                       .has_carried = true};
}

static bool is_answered(const struct pmuv3_check *check, const struct pmuv3_device_port *port,
                        const struct pmuv3_record_port *pins, const struct queue *queue) {
  if (queue->count == 0) return false;
  return port->has_response ? pins->response : queue->of[queue->first].due == check->now;
}

/* After a clock in which the port answered nothing: does a read wait, or a request? */
static bool waits(const struct pmuv3_device_port *port, const struct pmuv3_record_port *pins,
                  const struct queue *queue) {
  const bool asks = pins->request && (!port->is_apb || pins->enable);
  return (port->has_response && queue->count > 0) || (asks && !pmuv3_record_accepts(port, pins));
}

static void note_wait(struct pmuv3_check *check, unsigned p, bool waits, bool is_cycle) {
  struct queue *queue = &check->queues[p];
  queue->waited = waits ? queue->waited + is_cycle : 0;
  if (queue->waited <= PMUV3_CHECK_PATIENCE || check->diverged) return;
  check->diverged = true;
  check->divergence = (struct pmuv3_check_divergence){.clock = check->now,
                                                      .thread = check->device->ports[p].thread,
                                                      .counter = -1,
                                                      .hangs = true,
                                                      .port = (uint8_t)p};
}

void pmuv3_check_ports(struct pmuv3_check *check, struct slot *slot) {
  const struct pmuv3_device *device = check->device;
  slot->has_write = false;
  for (unsigned p = 0; p < device->num_ports; p++) slot->writes[p].reg = NULL;
  if (slot->record.reset) {
    pmuv3_check_forget_accesses(check);
    return;
  }
  for (unsigned p = 0; p < device->num_ports; p++) {
    const struct pmuv3_device_port *port = &device->ports[p];
    const struct pmuv3_record_port *pins = &slot->record.port[p];
    if (pmuv3_record_accepts(port, pins)) accept(check, slot, p);
    const bool answers = is_answered(check, port, pins, &check->queues[p]);
    if (answers) answer(check, pins, &check->queues[p]);
    note_wait(check, p, !answers && waits(port, pins, &check->queues[p]), slot->record.clock);
  }
}

void pmuv3_check_forget_accesses(struct pmuv3_check *check) {
  for (unsigned p = 0; p < PMUV3_DEVICE_MAX_PORTS; p++)
    check->queues[p].count = check->queues[p].waited = 0;
}
