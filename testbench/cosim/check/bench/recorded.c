#include "testbench/cosim/check/bench/recorded.h"

#include "testbench/cosim/check/bench/random.h"
#include "testbench/cosim/cli/cli.h"

struct stimulus read_stimulus(const struct options *options, const struct profile *profile) {
  struct stimulus stimulus;
  char error[600];
  FILE *in = pmuv3_cli_open_input("--replay", options->replay);
  const bool good = stimulus_read(&stimulus, in, options->replay, profile, error, sizeof error);
  fclose(in);
  if (!good) pmuv3_cli_failed_at(error);
  return stimulus;
}

static bool play_file(struct player *player, const struct options *options,
                      const struct profile *profile) {
  struct stimulus stimulus = read_stimulus(options, profile);
  size_t played;
  const bool good =
      player_start(player, stimulus.seed) && player_play_all(player, &stimulus, &played);
  stimulus_free(&stimulus);
  return good;
}

static bool play_random(struct player *player, const struct options *options,
                        const struct profile *profile) {
  struct random *random = random_create(profile, options->seed);
  bool good = random && player_start(player, (uint32_t)options->seed | 1);
  while (good && player_clocks(player) < options->cycles)
    good = player_play(player, random_next(random));
  random_destroy(random);
  return good;
}

const struct recording *recorded(struct player *player, const struct options *options,
                                 const struct profile *profile) {
  unsigned port;
  const bool good =
      options->replay ? play_file(player, options, profile) : play_random(player, options, profile);
  if (player_hangs(player, &port))
    pmuv3_cli_unusable("the device: port %u has not answered for %d Processor cycles", port,
                       PMUV3_CHECK_PATIENCE);
  if (!good) pmuv3_cli_no_verdict("out of memory");
  return player_recording(player);
}
