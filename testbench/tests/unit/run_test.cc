// pmuv3_repeat, pmuv3_next_overflow and pmuv3_run against pmuv3_tick, cycle by cycle.
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"  // functions and structs of the same name, legal in C
#include "pmuv3/pmuv3.h"
#pragma GCC diagnostic pop
extern "C" {
#include "testbench/cosim/run/configurations.h"
}
#include "testbench/cosim/stimulus/random.h"

namespace {

using Pmu = std::unique_ptr<struct pmuv3>;

Pmu Copy(const Pmu &pmu) {
  return std::make_unique<struct pmuv3>(*pmu);
}

// Everything that a later cycle or a reader can see.
std::string Difference(const struct pmuv3 &a, const struct pmuv3 &b) {
  for (unsigned t = 0; t < a.params.threads; t++) {
    const pmuv3_thread &x = a.thread[t], &y = b.thread[t];
    if (std::memcmp(x.state.value, y.state.value, sizeof x.state.value) != 0) return "value";
    if (std::memcmp(x.state.CP, y.state.CP, sizeof x.state.CP) != 0) return "CP";
    if (std::memcmp(x.state.pending, y.state.pending, sizeof x.state.pending) != 0)
      return "pending";
    if (x.state.captured != y.state.captured || x.state.waiting != y.state.waiting)
      return "waiting";
    if (x.state.divider != y.state.divider) return "divider";
    if (std::memcmp(&x.values, &y.values, sizeof x.values) != 0) return "values";
    struct pmuv3_probe p, q;
    pmuv3_probe(&a, t, &p);
    pmuv3_probe(&b, t, &q);
    if (std::memcmp(&p, &q, sizeof p) != 0) return "probe";
  }
  const pmuv3_ends x = pmuv3_written(&a), y = pmuv3_written(&b);
  if (std::memcmp(x.result, y.result, sizeof x.result) != 0) return "result";
  if (std::memcmp(x.syndrome, y.syndrome, sizeof x.syndrome) != 0) return "syndrome";
  return x.external_error == y.external_error ? "" : "external_error";
}

bool Overflows(const struct pmuv3 *pmu) {
  for (unsigned t = 0; t < pmu->params.threads; t++)
    if (pmuv3_pulses(pmu, t) != 0) return true;
  return false;
}

// The ticks that pmuv3_repeat promises.
void Tick(struct pmuv3 *pmu, const pmuv3_cycle &cycle, uint64_t cycles) {
  pmuv3_cycle now = cycle;
  for (uint64_t c = 0; c < cycles; c++) {
    pmuv3_tick(pmu, &now);
    now.has_write = 0;
    now.has_external = false;
    now.capture = 0;
  }
}

// Brings the counters near an overflow, or away from one.
void MoveCounters(struct pmuv3 *pmu, uint64_t bits) {
  for (unsigned t = 0; t < pmu->params.threads; t++) {
    for (unsigned n = 0; n < pmu->params.counters; n++)
      if (bits >> n & 1)
        pmuv3_write(pmu, t, static_cast<uint16_t>(PMUV3_PMEVCNTRn(n)), -(bits >> (8 + n) & 0xFFF));
    if (bits >> 40 & 1) pmuv3_write(pmu, t, PMUV3_PMCCNTR, -(bits >> 42 & 0xFF));
    if (bits >> 41 & 1) pmuv3_write(pmu, t, PMUV3_PMICNTR, -(bits >> 50 & 0xFFF));
  }
}

// Items as a PMU meets them in a run; what only compares is nothing here.
void Apply(struct pmuv3 *pmu, const pmuv3_item &item) {
  uint32_t word;
  switch (item.kind) {
    case PMUV3_ITEM_WRITE:
      pmuv3_write(pmu, item.thread, item.access.reg, item.access.value);
      break;
    case PMUV3_ITEM_MSR:
      pmuv3_msr(pmu, item.thread, item.access.reg, item.access.value);
      break;
    case PMUV3_ITEM_PE:
      pmuv3_set_pe(pmu, item.thread, &item.pe);
      break;
    case PMUV3_ITEM_RESET:
      pmuv3_reset(pmu);
      break;
    case PMUV3_ITEM_EXTERNAL_WRITE:
      word = item.external.value;
      pmuv3_external_write(pmu, item.external.thread,
                           static_cast<pmuv3_security_state>(item.external.ss),
                           item.external.offset, word);
      break;
    case PMUV3_ITEM_CYCLE:
      pmuv3_tick(pmu, &item.cycle);
      break;
    default:
      break;
  }
}

struct Random {
  explicit Random(const pmuv3_params &params, uint64_t seed)
      : items(pmuv3_random_create(&params, seed)), state(seed * 2 + 1) {}
  ~Random() { pmuv3_random_destroy(items); }
  uint64_t Next() { return state = state * 6364136223846793005u + 1442695040888963407u; }
  uint64_t Below(uint64_t bound) { return (Next() >> 33) % bound; }
  pmuv3_random *items;
  uint64_t state;
};

// Calls `test` at every fourth cycle of a random stimulus.
template <class Test>
void AtCycles(const pmuv3_params &params, uint64_t seed, unsigned cases, Test test) {
  Random random(params, seed);
  auto pmu = std::make_unique<struct pmuv3>();
  ASSERT_EQ(pmuv3_init(pmu.get(), &params), nullptr);
  while (cases > 0) {
    const pmuv3_item &item = *pmuv3_random_next(random.items);
    if (item.kind == PMUV3_ITEM_CYCLE && random.Below(4) == 0) {
      Pmu here = Copy(pmu);
      if (random.Below(2) == 0) MoveCounters(here.get(), random.Next() ^ random.Next() << 32);
      ASSERT_NO_FATAL_FAILURE(test(here, item.cycle, random));
      cases--;
    }
    Apply(pmu.get(), item);
  }
}

template <class Test>
void ForConfigurations(unsigned cases, Test test) {
  for (size_t c = 0; c < PMUV3_NUM_CONFIGURATIONS; c++) {
    SCOPED_TRACE(pmuv3_configurations[c].name);
    ASSERT_NO_FATAL_FAILURE(AtCycles(pmuv3_configuration_params(c), c + 1, cases, test));
  }
}

TEST(RunTest, RepeatsAsTicks) {
  ForConfigurations(500, [](const Pmu &pmu, const pmuv3_cycle &cycle, Random &random) {
    const uint64_t cycles = random.Below(random.Below(8) == 0 ? 3000 : 100);
    Pmu ticked = Copy(pmu), repeated = Copy(pmu);
    Tick(ticked.get(), cycle, cycles);
    pmuv3_repeat(repeated.get(), &cycle, cycles);
    ASSERT_EQ(Difference(*repeated, *ticked), "");
  });
}

TEST(RunTest, RepeatsToTheFirstOverflow) {
  uint64_t overflows = 0;
  ForConfigurations(150, [&](const Pmu &pmu, const pmuv3_cycle &cycle, Random &random) {
    const uint64_t most = random.Below(300);
    uint64_t cycles = 0;
    Pmu ticked = Copy(pmu), repeated = Copy(pmu);
    bool overflowed = false;
    for (; cycles < most && !overflowed; cycles++) {
      Tick(ticked.get(), cycles == 0 ? cycle : pmuv3_cycle_again(&cycle), 1);
      overflowed = Overflows(ticked.get());
    }
    overflows += cycles > 2 && overflowed;
    ASSERT_EQ(pmuv3_repeat_to_overflow(repeated.get(), &cycle, most), cycles);
    ASSERT_EQ(Difference(*repeated, *ticked), "");
  });
  EXPECT_GT(overflows, 100u);
}

// The spread, as the header defines it.
TEST(RunTest, RunsAsTicks) {
  unsigned origins[PMUV3_NUM_ORIGINS] = {};
  ForConfigurations(320, [&](const Pmu &pmu, const pmuv3_cycle &, Random &random) {
    const uint64_t cycles = 1 + random.Below(600);
    constexpr uint8_t kOrigins[] = {PMUV3_CURRENT, PMUV3_UNATTRIBUTABLE, PMUV3_DEBUGGER};
    std::vector<pmuv3_rate> rates;
    for (unsigned e = 0; e < pmu->params.events.num && rates.size() < 8; e++) {
      const pmuv3_event &event = pmu->params.events.event[e];
      const auto thread = static_cast<uint8_t>(random.Below(pmu->params.threads));
      const pmuv3_rate rate = {event.number, thread, kOrigins[random.Below(3)],
                               random.Below(cycles * event.most + 1)};
      if (random.Below(2) != 0 || pmuv3_rates_wrong(&pmu->params, pmu->pe, cycles, &rate, 1))
        continue;
      rates.push_back(rate);
      origins[rate.origin]++;
    }
    Pmu ticked = Copy(pmu), ran = Copy(pmu);
    uint64_t overflow = 0;
    for (uint64_t c = 0; c < cycles; c++) {
      std::vector<pmuv3_occurrence> now;
      for (const pmuv3_rate &rate : rates)
        now.push_back({rate.event,
                       static_cast<uint8_t>(rate.total / cycles + (c < rate.total % cycles)),
                       rate.thread, rate.origin});
      pmuv3_cycle cycle = {};
      cycle.occurrences = now.data();
      cycle.num_occurrences = static_cast<uint16_t>(now.size());
      pmuv3_tick(ticked.get(), &cycle);
      if (overflow == 0 && Overflows(ticked.get())) overflow = c + 1;
    }
    const auto number = static_cast<unsigned>(rates.size());
    ASSERT_EQ(pmuv3_next_overflow(pmu.get(), cycles, rates.data(), number), overflow);
    ASSERT_STREQ(pmuv3_run(ran.get(), cycles, rates.data(), number), nullptr);
    ASSERT_EQ(Difference(*ran, *ticked), "");
  });
  for (const unsigned origin : {PMUV3_CURRENT, PMUV3_UNATTRIBUTABLE, PMUV3_DEBUGGER})
    EXPECT_GT(origins[origin], 100u) << origin;
}

Pmu Counting() {
  pmuv3_params params = pmuv3_params_default();
  EXPECT_STREQ(pmuv3_params_complete(&params), nullptr);
  auto pmu = std::make_unique<struct pmuv3>();
  EXPECT_STREQ(pmuv3_init(pmu.get(), &params), nullptr);
  pmuv3_write(pmu.get(), 0, PMUV3_PMEVTYPERn(0), PMUV3_EVENT_INST_RETIRED);
  pmuv3_write(pmu.get(), 0, PMUV3_PMCNTENSET, PMUV3_MASK(PMCNTENSET, C) | 1);
  pmuv3_write(pmu.get(), 0, PMUV3_PMCR,
              PMUV3_MASK(PMCR, E) | PMUV3_MASK(PMCR, LC) | PMUV3_MASK(PMCR, LP));
  return pmu;
}

uint64_t Read(const Pmu &pmu, uint16_t reg) {
  uint64_t value = 0;
  EXPECT_EQ(pmuv3_read(pmu.get(), 0, reg, &value), PMUV3_ACCESS_OK);
  return value;
}

// What ticks could not do in a lifetime.
TEST(RunTest, RunsForEver) {
  Pmu pmu = Counting();
  const uint64_t cycles = uint64_t{1} << 50;
  const pmuv3_rate rate = {PMUV3_EVENT_INST_RETIRED, 0, PMUV3_CURRENT, 3 * cycles + 7};
  EXPECT_STREQ(pmuv3_run(pmu.get(), cycles, &rate, 1), nullptr);
  EXPECT_EQ(Read(pmu, PMUV3_PMCCNTR), cycles);
  EXPECT_EQ(Read(pmu, PMUV3_PMEVCNTRn(0)), 3 * cycles + 7);
  EXPECT_EQ(Read(pmu, PMUV3_PMOVSSET), 0u);
  // 2^63 cycles later, in halves: the cycle counter is at 2^63 + 2^50, and 2^64 is not reached.
  EXPECT_STREQ(pmuv3_run(pmu.get(), uint64_t{1} << 63, nullptr, 0), nullptr);
  EXPECT_EQ(Read(pmu, PMUV3_PMCCNTR), (uint64_t{1} << 63) + cycles);
  EXPECT_EQ(Read(pmu, PMUV3_PMOVSSET), 0u);
  EXPECT_STREQ(pmuv3_run(pmu.get(), (uint64_t{1} << 63) - cycles, nullptr, 0), nullptr);
  EXPECT_EQ(Read(pmu, PMUV3_PMCCNTR), 0u);
  EXPECT_EQ(Read(pmu, PMUV3_PMOVSSET), PMUV3_MASK(PMCNTENSET, C));
}

TEST(RunTest, NextOverflow) {
  Pmu pmu = Counting();
  pmuv3_write(pmu.get(), 0, PMUV3_PMEVCNTRn(0), -uint64_t{10});
  const auto next = [&](uint64_t cycles, uint64_t total) {
    const pmuv3_rate rate = {PMUV3_EVENT_INST_RETIRED, 0, PMUV3_CURRENT, total};
    return pmuv3_next_overflow(pmu.get(), cycles, &rate, 1);
  };
  EXPECT_EQ(next(1000, 0), 0u);
  EXPECT_EQ(next(4, 12), 4u);
  EXPECT_EQ(next(3, 9), 0u);
  EXPECT_EQ(next(0, 0), 0u);
  EXPECT_EQ(next(0, 1), 0u) << "wrong";
  EXPECT_EQ(Read(pmu, PMUV3_PMEVCNTRn(0)), -uint64_t{10});
}

TEST(RunTest, WhatItRefuses) {
  Pmu pmu = Counting();
  const auto words = [&](uint64_t cycles, const std::vector<pmuv3_rate> &rates) {
    const Pmu before = Copy(pmu);
    const char *wrong =
        pmuv3_run(pmu.get(), cycles, rates.data(), static_cast<unsigned>(rates.size()));
    if (wrong) {
      EXPECT_EQ(std::memcmp(pmu.get(), before.get(), sizeof *pmu), 0);
    }
    return std::string(wrong ? wrong : "");
  };
  const auto rate = [](uint16_t event, uint64_t total, uint8_t origin = PMUV3_CURRENT) {
    return pmuv3_rate{event, 0, origin, total};
  };
  EXPECT_EQ(words(0, {}), "");
  EXPECT_EQ(words(0, {rate(PMUV3_EVENT_INST_RETIRED, 0)}), "");
  EXPECT_EQ(words(0, {rate(PMUV3_EVENT_INST_RETIRED, 1)}),
            "event 0x0008: it cannot occur in 0 cycles");
  EXPECT_EQ(words(2, {rate(PMUV3_EVENT_INST_RETIRED, 510)}), "");
  EXPECT_EQ(words(2, {rate(PMUV3_EVENT_INST_RETIRED, 511)}),
            "event 0x0008: it cannot occur so often in a cycle");
  EXPECT_EQ(words(1, {rate(PMUV3_EVENT_INST_RETIRED, UINT64_MAX)}),
            "event 0x0008: it cannot occur so often in a cycle");
  EXPECT_EQ(words(2, {rate(PMUV3_EVENT_INST_RETIRED, 1, PMUV3_OTHER)}),
            "event 0x0008: a run has no other context");
  EXPECT_NE(words(2, {rate(PMUV3_EVENT_CPU_CYCLES, 1)}), "");
  EXPECT_NE(words(2, {rate(PMUV3_EVENT_INST_RETIRED, 1), rate(PMUV3_EVENT_INST_RETIRED, 1)}), "");
  // In 0 cycles, too, where nothing occurs.
  EXPECT_EQ(words(0, {rate(0x0080, 0)}), "there is no such event");
  EXPECT_EQ(words(0, {rate(PMUV3_EVENT_INST_RETIRED, 0), rate(PMUV3_EVENT_INST_RETIRED, 0)}),
            "the event is listed twice");
}

}  // namespace
