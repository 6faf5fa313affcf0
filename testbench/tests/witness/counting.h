// One thread's counting: functions of the manual's pseudocode, typed from J1.1 and J1.3 of DDI 0487
// M.a.a. Names, and the order of the checks, are those there. Variables of the pseudocode that
// decide are functions here.
#ifndef PMUV3_WITNESS_COUNTING_H
#define PMUV3_WITNESS_COUNTING_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "testbench/tests/witness/pseudocode.h"

namespace pmuv3::witness {

// Events of caches: what D14.3 says of their Unattributable occurrences is different.
constexpr uint16_t kL1dCacheWb = 0x0015, kL2dCache = 0x0016, kL2dCacheWb = 0x0018,
                   kL1dCacheAllocate = 0x001F, kL2dCacheAllocate = 0x0020,
                   kL3dCacheAllocate = 0x0029, kL3dCacheWb = 0x002C, kL1dCacheWbVictim = 0x0046,
                   kL1dCacheWbClean = 0x0047, kL2dCacheWbVictim = 0x0056, kL2dCacheWbClean = 0x0057,
                   kL3dCacheWbVictim = 0x00A6, kL3dCacheWbClean = 0x00A7;
constexpr uint16_t kCacheEvents[] = {
    kL1dCacheWb,       kL2dCache,         kL2dCacheWb,       kL1dCacheAllocate, kL2dCacheAllocate,
    kL3dCacheAllocate, kL3dCacheWb,       kL1dCacheWbVictim, kL1dCacheWbClean,  kL2dCacheWbVictim,
    kL2dCacheWbClean,  kL3dCacheWbVictim, kL3dCacheWbClean};

// Where a rule contradicts the pseudocode, Counting follows the rule. These are the departures: the
// discrepancy, and a word for the part if it has several.
const std::vector<std::string> &Departures();

// One Processor cycle is a call of PMUEvent for each event that occurs in it, and then PMUCycle.
// Software increments wait in the accumulators for the next PMUCycle. Counting{} is all 0.
class Counting : public Machine {
 public:
  uint64_t pmccfiltr;
  uint64_t sder;  // SDER32_EL3, and SDER
  uint64_t pmevcntr[PMUV3_MAX_COUNTERS], pmccntr, pmicntr;
  bool PMULastThresholdValue[PMUV3_MAX_COUNTERS];
  unsigned PMUEventAccumulator[PMUV3_MAX_COUNTERS];

  // HasElapsed64Cycles: how many cycles the cycle counter counted with D = 1 in effect, modulo 64.
  // It is 0 after reset and after a write of PMCR.C; this class has no such writes.
  unsigned divider;

  // A departure that is undone, to test the test: that part follows the pseudocode. A discrepancy
  // without a word undoes all of its parts.
  std::string undone;

  // Whether the counter `idx` counts. 31 is the cycle counter, 32 the instruction counter.
  bool CountPMUEvents(unsigned idx) const;

  // An event for all counters, and for one event counter.
  void PMUEvent(uint16_t pmuevent, unsigned increment);
  void PMUEvent(uint16_t pmuevent, unsigned increment, unsigned idx);

  // An event of a cache that a requestor outside the processor causes. The pseudocode has none.
  // Where its text in D14.3 lets it count, it counts as an event of the PE: the choices are the
  // defaults.
  void UnattributableEvent(uint16_t pmuevent, unsigned increment);

  // Without the masks of GetNumEventCountersAccessible and PMUACR_EL1. EPMN is the limit.
  void PMUSwIncrement(uint64_t sw_incr);

  // Without CheckForPMUOverflow and SyncCounterOverflowed.
  void PMUCycle();

 private:
  bool Departs(std::string_view departure) const;
  PMUCounterRange RangeOf(unsigned idx) const;
  uint64_t FilterOf(unsigned idx) const;
  bool IsSecureOrEL3(std::string_view ss, std::string_view el) const;  // names of the checks
  bool IsSupportingPMUSynchronousMode(uint64_t pmuevent) const;
  bool PMUExceptionIsEnabled() const;
  bool EffectiveMT(unsigned idx) const;
  bool CountsUnattributable(uint16_t pmuevent, bool mt) const;

  // Parts of CountPMUEvents.
  bool GlobalEn(PMUCounterRange counter_range) const;
  bool CounterEn(unsigned idx) const;
  bool Prohibited(unsigned idx, PMUCounterRange counter_range) const;
  bool SecureProhibited(unsigned idx) const;
  bool Frozen(unsigned idx, PMUCounterRange counter_range) const;
  bool SPEFreezeOnEvent(unsigned idx) const;
  bool CyclesProhibited() const;
  bool Filtered(unsigned idx) const;
  bool StreamingModeFiltered(unsigned idx) const;

  enum Constraint { Constraint_NONE, Constraint_DISABLED, Constraint_UNKNOWN };
  Constraint ReservedPMUThreshold(unsigned n, unsigned tc, bool *te, unsigned *tlc) const;
  bool ThresholdCondition(unsigned tc, unsigned Vb, unsigned TH) const;
  unsigned EdgeValue(unsigned tc, unsigned tlc, bool Cp, bool Ct, unsigned Vm) const;
  unsigned ThresholdValue(unsigned tc, unsigned tlc, bool Ct, unsigned Vb, unsigned Vm) const;
  unsigned PMUCountValue(unsigned n, unsigned Vb, unsigned Vm);

  uint64_t new_flags = 0;  // of PMOVS, of this cycle
  void Overflow(unsigned idx);
  bool EffectiveLP(unsigned idx) const;
  bool Chains(unsigned idx, bool lp) const;
  unsigned IncrementEventCounter(unsigned idx, unsigned increment_in, unsigned Vm);
  void IncrementInstructionCounter(unsigned increment);
  bool HasElapsed64Cycles();
  void IncrementCycleCounter();
};

}  // namespace pmuv3::witness

#endif
