/* Plays items on a device. */
#include "testbench/cosim/check/bench/player.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "pmuv3/calibrate.h"
#include "testbench/cosim/check/bench/watchdog.h"

/* Where a request is. */
enum phase {
  PHASE_FREE,
  PHASE_SETUP,  /* of APB: the first clock, without PENABLE */
  PHASE_REQUEST /* until the device takes it */
};

struct bus {
  enum phase phase;
  bool is_write;
  bool enables;    /* PENABLE without PSEL */
  unsigned open;   /* reads that the device took, and has not answered */
  unsigned waited; /* Processor cycles since it did something */
};

/* How a register that a reset leaves unknown becomes known. */
struct beginning {
  struct pmuv3_pe writer; /* profile_writer */
  uint64_t value;         /* that is written */
};

struct player {
  const struct pmuv3_device *device;
  struct pmuv3_check *check;
  struct recording recording; /* without a checker */
  struct pmuv3_dut *dut;
  struct pmuv3_record record;
  struct bus buses[PMUV3_DEVICE_MAX_PORTS];
  uint64_t clocks;
  unsigned quiet; /* clocks without events around an access; 0 in mode exact */
  bool quiet_reads;
  bool hangs; /* only without a checker: it finds that itself */
  unsigned hanging_port;
  uint8_t debugged[PMUV3_DEVICE_MAX_EVENTS]; /* pmuv3_device_debugged */
  unsigned most_together; /* counts that add up to no more are no excess; UINT_MAX: none adds up */
  bool is_aligned; /* pmuv3_device_debugger_is_aligned; false: its operations have to be apart */
  unsigned state_clocks;        /* pmuv3_device_state_clocks */
  uint64_t since_reset;         /* Processor cycles */
  unsigned least_reset;         /* clocks */
  struct beginning *beginnings; /* of each register */
};

/* ---- Once ---- */

/* A register becomes what the model has after a reset. Where ones clear, they do it. */
static struct beginning begin_with(const struct profile *profile,
                                   const struct pmuv3_device_register *reg) {
  return (struct beginning){
      .writer = profile_writer(profile, reg),
      .value = pmuv3_device_clears(reg->reg) ? UINT64_MAX : profile_reset_value(profile, reg)};
}

/* False: no memory. */
static bool find_beginnings(struct player *player, const struct profile *profile) {
  const struct pmuv3_device *device = profile->device;
  player->beginnings = calloc(device->num_registers + 1, sizeof *player->beginnings);
  if (!player->beginnings) return false;
  for (size_t r = 0; r < device->num_registers; r++)
    if (device->registers[r].is_unknown)
      player->beginnings[r] = begin_with(profile, &device->registers[r]);
  return true;
}

struct player *player_create(const struct profile *profile, struct pmuv3_check *check) {
  const struct pmuv3_device *device = profile->device;
  struct player *player = calloc(1, sizeof *player);
  if (!player) return NULL;
  player->device = device;
  if (!find_beginnings(player, profile)) {
    player_destroy(player);
    return NULL;
  }
  player->check = check;
  player->quiet = check ? pmuv3_device_quiet_clocks(device) : 0;
  player->quiet_reads = check && device->mode == PMUV3_MODE_SETTLED;
  player->is_aligned = pmuv3_device_debugger_is_aligned(device);
  player->state_clocks = pmuv3_device_state_clocks(device);
  player->most_together = UINT_MAX;
  for (size_t e = 0; e < device->num_events; e++) {
    player->debugged[e] = (uint8_t)pmuv3_device_debugged(device, e);
    const unsigned most = pmuv3_device_most_together(device, e);
    if (device->events[e].adds_up && most < player->most_together) player->most_together = most;
  }
  return player;
}

void player_seek_latencies(struct player *player) {
  const struct pmuv3_device *device = player->device;
  struct pmuv3_range ranges[PMUV3_NUM_LATENCIES];
  pmuv3_calibrate_ranges(device, ranges);
  for (size_t e = 0; e < device->num_events; e++)
    player->is_aligned &= device->events[e].origin != PMUV3_DEBUGGER;
  if (pmuv3_device_has(device, PMUV3_ROLE_STATE))
    player->state_clocks = ranges[PMUV3_LATENCY_STATE].max;
  for (unsigned l = 0; l < PMUV3_NUM_LATENCIES; l++)
    if (ranges[l].max >= player->least_reset) player->least_reset = ranges[l].max + 1u;
}

void player_destroy(struct player *player) {
  if (!player) return;
  pmuv3_dut_destroy(player->dut);
  free(player->recording.records);
  free(player->beginnings);
  free(player);
}

/* ---- A clock ---- */

static void drive(struct player *player) {
  for (size_t p = 0; p < player->device->num_ports; p++) {
    const struct bus *bus = &player->buses[p];
    struct pmuv3_record_port *pins = &player->record.port[p];
    pins->request = bus->phase == PHASE_SETUP || bus->phase == PHASE_REQUEST;
    pins->enable = bus->phase == PHASE_REQUEST || (bus->phase == PHASE_FREE && bus->enables);
  }
}

static bool has_room(const struct player *player, unsigned port) {
  const struct bus *bus = &player->buses[port];
  return bus->phase == PHASE_FREE && bus->open < player->device->ports[port].outstanding;
}

static bool is_done(const struct player *player, unsigned port) {
  const struct bus *bus = &player->buses[port];
  return bus->phase == PHASE_FREE && bus->open == 0;
}

/* Without a request, what the pins carry must not matter: they go on with a write of other data. */
static void end_request(struct player *player, unsigned port) {
  struct bus *bus = &player->buses[port];
  struct pmuv3_record_port *pins = &player->record.port[port];
  bus->open += player->device->ports[port].has_response && !bus->is_write;
  if (bus->is_write) pins->data = ~pins->data;
  pins->write = true;
  bus->phase = PHASE_FREE;
}

static void go_on(struct player *player, unsigned port) {
  struct bus *bus = &player->buses[port];
  const struct pmuv3_record_port *pins = &player->record.port[port];
  if (is_done(player, port)) return;
  bus->waited += player->record.clock;
  if (bus->phase == PHASE_SETUP)
    bus->phase = PHASE_REQUEST;
  else if (bus->phase == PHASE_REQUEST && pins->ready)
    end_request(player, port);
  if (bus->open > 0 && pins->response) {
    bus->open--;
    bus->waited = 0;
  }
  if (is_done(player, port) || bus->waited <= PMUV3_CHECK_PATIENCE || player->check) return;
  player->hangs = true;
  player->hanging_port = port;
}

static bool take(struct player *player) {
  return player->check ? pmuv3_check_clock(player->check, &player->record)
                       : recording_add(&player->recording, &player->record);
}

static bool run_clock(struct player *player) {
  drive(player);
  watchdog_begin();
  pmuv3_dut_clock(player->dut, &player->record);
  watchdog_end();
  player->clocks++;
  player->since_reset = player->record.reset ? 0 : player->since_reset + player->record.clock;
  if (!take(player)) return false;
  for (unsigned p = 0; p < player->device->num_ports; p++) go_on(player, p);
  return !player->hangs;
}

static bool idle(struct player *player, uint64_t clocks) {
  memset(player->record.count, 0, sizeof player->record.count);
  for (uint64_t c = 0; c < clocks; c++)
    if (!run_clock(player)) return false;
  return true;
}

/* ---- Items ---- */

static bool wait_until(struct player *player, unsigned port,
                       bool (*holds)(const struct player *player, unsigned port)) {
  while (!holds(player, port))
    if (!idle(player, 1)) return false;
  return true;
}

static void begin(struct player *player, const struct item *item) {
  const struct pmuv3_device_register *reg = &player->device->registers[item->reg];
  const bool is_apb = player->device->ports[reg->port].is_apb;
  struct pmuv3_record_port *pins = &player->record.port[reg->port];
  pins->address = reg->address;
  pins->write = item->kind == ITEM_WRITE;
  pins->data = item->value;
  struct bus *bus = &player->buses[reg->port];
  bus->phase = is_apb ? PHASE_SETUP : PHASE_REQUEST;
  bus->is_write = pins->write;
  bus->enables = false;
  if (bus->open == 0) bus->waited = 0;
}

/* Ignored during a request: it needs its pins. */
static bool play_carry(struct player *player, const struct item *item) {
  struct pmuv3_record_port *pins = &player->record.port[item->carried.port];
  struct bus *bus = &player->buses[item->carried.port];
  if (bus->phase != PHASE_FREE) return true;
  bus->enables = item->carried.enable;
  pins->address = item->carried.address;
  pins->write = item->carried.is_write;
  pins->data = item->value;
  return true;
}

/* Flip-flops of states may have another reset than the PE, or none: nothing is accessed until each
 * has what its pin carried after the reset. */
static bool wait_for_states(struct player *player) {
  while (player->since_reset < player->state_clocks)
    if (!idle(player, 1)) return false;
  return true;
}

static bool play_access(struct player *player, const struct item *item) {
  if (!wait_for_states(player)) return false;

  const unsigned port = player->device->registers[item->reg].port;
  const bool is_quiet = player->quiet != 0 && (item->kind == ITEM_WRITE || player->quiet_reads);
  if (!wait_until(player, port, is_quiet ? is_done : has_room)) return false;
  if (is_quiet && !idle(player, player->quiet)) return false;
  begin(player, item);
  return !is_quiet || (wait_until(player, port, is_done) && idle(player, player->quiet));
}

/* A debugger operates on halted threads alone: what an item has of others is left out. */
static bool can_occur(const struct player *player, size_t event) {
  for (unsigned t = 0; t < player->device->params.threads; t++)
    if ((player->debugged[event] >> t & 1) != 0 && !player->record.thread[t].state.halted)
      return false;
  return true;
}

/* Pins of one event do not count more together than can occur in a cycle. */
static void leave_out_excess(const struct pmuv3_device *device,
                             uint8_t count[PMUV3_DEVICE_MAX_EVENTS]) {
  for (size_t e = 0; e < device->num_events; e++) {
    uint8_t *of_pin = &count[device->events[e].source];
    const unsigned excess = pmuv3_device_excess(device, e, count);
    *of_pin = (uint8_t)(*of_pin > excess ? *of_pin - excess : 0);
  }
}

static bool occur(struct player *player, const struct item *item) {
  struct item possible = *item;
  unsigned together = 0;
  for (size_t e = 0; e < player->device->num_events; e++) {
    if (possible.count[e] && !can_occur(player, e)) possible.count[e] = 0;
    together += possible.count[e];
  }
  if (together > player->most_together) leave_out_excess(player->device, possible.count);
  for (uint32_t c = 0; c < item->clocks; c++) {
    memcpy(player->record.count, possible.count, sizeof possible.count);
    if (!run_clock(player)) return false;
  }
  return true;
}

/* Where a debugger's operations are not as late as states, none is on its way while a thread halts
 * or leaves Debug state. */
static bool enter(struct player *player, unsigned thread, const struct pmuv3_pe *state) {
  struct pmuv3_pe *pe = &player->record.thread[thread].state;
  const bool is_apart = !player->is_aligned && pe->halted != state->halted;
  const unsigned apart = is_apart ? PMUV3_DEVICE_MAX_LATENCY : 0;
  const unsigned quiet = apart > player->quiet ? apart : player->quiet;
  if (!idle(player, quiet)) return false;
  *pe = *state;
  return idle(player, quiet);
}

static bool play_other(struct player *player, const struct item *item) {
  if (!idle(player, player->quiet)) return false;
  player->record.thread[item->thread].other = item->other;
  return idle(player, player->quiet);
}

static bool play_stop(struct player *player, const struct item *item) {
  if (!idle(player, player->quiet)) return false;
  player->record.clock = !player->device->has_clock_enable;
  const bool good = occur(player, item);
  player->record.clock = true;
  return good && idle(player, player->quiet);
}

/* Enters a state in which a port that judges the thread's state takes a write of the register. The
 * clocks around it are longer than each latency. */
static bool enter_writer(struct player *player, size_t r) {
  const struct pmuv3_device_register *reg = &player->device->registers[r];
  const unsigned thread = reg->thread;
  const struct pmuv3_pe *writer = &player->beginnings[r].writer;
  if (!player->device->ports[reg->port].is_checked) return true;
  if (pmuv3_pe_equal(writer, &player->record.thread[thread].state)) return true;
  return idle(player, PMUV3_DEVICE_MAX_LATENCY) && enter(player, thread, writer) &&
         idle(player, PMUV3_DEVICE_MAX_LATENCY);
}

static bool leave_writers(struct player *player, const struct pmuv3_pe states[PMUV3_MAX_THREADS]) {
  for (unsigned t = 0; t < player->device->params.threads; t++) {
    if (pmuv3_pe_equal(&states[t], &player->record.thread[t].state)) continue;
    if (!idle(player, PMUV3_DEVICE_MAX_LATENCY) || !enter(player, t, &states[t])) return false;
  }
  return true;
}

/* What a reset leaves unknown becomes what the model has. */
static bool write_unknown(struct player *player) {
  struct pmuv3_pe states[PMUV3_MAX_THREADS];
  for (unsigned t = 0; t < PMUV3_MAX_THREADS; t++) states[t] = player->record.thread[t].state;
  for (size_t r = 0; r < player->device->num_registers; r++) {
    const struct pmuv3_device_register *reg = &player->device->registers[r];
    const struct item item = {
        .kind = ITEM_WRITE, .reg = (uint16_t)r, .value = player->beginnings[r].value};
    if (reg->is_unknown && !(enter_writer(player, r) && play_access(player, &item) &&
                             wait_until(player, reg->port, is_done)))
      return false;
  }
  return leave_writers(player, states);
}

static bool finish_accesses(struct player *player) {
  for (unsigned p = 0; p < player->device->num_ports; p++)
    if (!wait_until(player, p, is_done)) return false;
  return true;
}

/* If a device has a Cold reset, its Warm reset may leave the port and its master alone. So it waits
 * for accesses. Every other reset ends them. */
static bool play_reset(struct player *player, enum pmuv3_reset_kind kind, uint64_t clocks) {
  const bool may_go_on = kind == PMUV3_WARM_RESET && pmuv3_device_has_reset(player->device, false);
  if (may_go_on && !finish_accesses(player)) return false;
  memset(player->buses, 0, sizeof player->buses);
  player->record.reset = (uint8_t)kind;
  const bool good = idle(player, clocks > player->least_reset ? clocks : player->least_reset);
  player->record.reset = PMUV3_NO_RESET;
  return good && write_unknown(player);
}

bool player_play(struct player *player, const struct item *item) {
  switch ((enum item_kind)item->kind) {
    case ITEM_WRITE:
    case ITEM_READ:
      return play_access(player, item);
    case ITEM_CYCLE:
      return occur(player, item);
    case ITEM_IDLE:
      return idle(player, item->clocks);
    case ITEM_STOP:
      return play_stop(player, item);
    case ITEM_STATE:
      return enter(player, item->thread, &item->pe);
    case ITEM_OTHER:
      return play_other(player, item);
    case ITEM_RESET:
      return play_reset(player, PMUV3_COLD_RESET, item->clocks);
    case ITEM_RESET_WARM:
      return play_reset(player, PMUV3_WARM_RESET, item->clocks);
    case ITEM_CARRY:
      return play_carry(player, item);
    case NUM_ITEM_KINDS:
      break;
  }
  return true;
}

void player_drop_device(struct player *player) {
  pmuv3_dut_destroy(player->dut);
  player->dut = NULL;
}

bool player_renew(struct player *player, uint32_t seed) {
  watchdog_start();
  player_drop_device(player);
  player->dut = pmuv3_dut_create(player->device, seed);
  if (!player->dut) return false;
  if (player->check) pmuv3_check_restart(player->check);
  player->recording.count = 0;
  pmuv3_record_init(&player->record, player->device);
  memset(player->buses, 0, sizeof player->buses);
  player->clocks = player->since_reset = 0;
  player->hangs = false;
  return true;
}

void player_reset(struct player *player) {
  const struct pmuv3_device *device = player->device;
  if (pmuv3_device_has(device, PMUV3_ROLE_RESET))
    play_reset(player, pmuv3_device_has_reset(device, false) ? PMUV3_COLD_RESET : PMUV3_WARM_RESET,
               pmuv3_device_reset_clocks(device));
}

bool player_start(struct player *player, uint32_t seed) {
  if (!player_renew(player, seed)) return false;
  player_reset(player);
  return true;
}

bool player_finish(struct player *player) {
  return finish_accesses(player) &&
         idle(player, pmuv3_device_reset_clocks(player->device) + player->quiet) &&
         (!player->check || pmuv3_check_end(player->check));
}

bool player_play_all(struct player *player, const struct stimulus *stimulus, size_t *played) {
  *played = 0;
  while (*played < stimulus->count)
    if (!player_play(player, &stimulus->items[(*played)++])) return false;
  return player_finish(player);
}

bool player_hangs(const struct player *player, unsigned *port) {
  *port = player->hanging_port;
  return player->hangs;
}

uint64_t player_clocks(const struct player *player) {
  return player->clocks;
}

const struct recording *player_recording(const struct player *player) {
  return &player->recording;
}

struct pmuv3_dut *player_dut(struct player *player) {
  return player->dut;
}
