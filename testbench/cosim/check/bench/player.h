/* Plays items on a device, clock by clock, with the checker at its side. */
#ifndef PMUV3_CHECK_PLAYER_H
#define PMUV3_CHECK_PLAYER_H

#include "pmuv3/check.h"
#include "testbench/cosim/check/bench/dut.h"
#include "testbench/cosim/check/bench/item.h"
#include "testbench/cosim/check/bench/profile.h"
#include "testbench/cosim/check/bench/recording.h"

#ifdef __cplusplus
extern "C" {
#endif

struct player;

/* The profile outlives the player. The checker outlives its players: it counts on. Without a
 * checker (NULL), the player records, and keeps no clocks quiet. */
struct player *player_create(const struct profile *profile, struct pmuv3_check *check);
void player_destroy(struct player *player);

/* What is played is to tell the device's latencies: those of the description do not count. */
void player_seek_latencies(struct player *player);

/* The player has no device until it starts again. A process with a device does not fork: a
 * Verilated device has threads, which the child lacks, and to end such a device waits for them. */
void player_drop_device(struct player *player);

/* A new device. False: no memory. */
bool player_renew(struct player *player, uint32_t seed);

/* A Cold reset, or a Warm one, if the device has one. */
void player_reset(struct player *player);

/* A new device, after its reset. False: no memory. */
bool player_start(struct player *player, uint32_t seed);

/* Plays an item. False: the device diverged or hangs. The checker, if there is one, says which. */
bool player_play(struct player *player, const struct item *item);

/* Clocks without events, until all is compared. */
bool player_finish(struct player *player);

/* Plays a whole stimulus, and finishes. False: the device diverged or hangs. *played is the number
 * of items until then. */
bool player_play_all(struct player *player, const struct stimulus *stimulus, size_t *played);

/* Without a checker: whether the device did not answer, and its port. */
bool player_hangs(const struct player *player, unsigned *port);

/* Clocks of this device. */
uint64_t player_clocks(const struct player *player);

/* Since player_start, of a player without a checker. It lives as long as the player. */
const struct recording *player_recording(const struct player *player);

struct pmuv3_dut *player_dut(struct player *player);

#ifdef __cplusplus
}
#endif

#endif
