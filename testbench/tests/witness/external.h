// The external view of a thread's PMU: the words of external.txt, and functions of the manual's
// pseudocode that decide an access, typed from J1.3 and I5.3 of DDI 0487 M.a.a.
#ifndef PMUV3_WITNESS_EXTERNAL_H
#define PMUV3_WITNESS_EXTERNAL_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "testbench/tests/witness/pseudocode.h"

namespace pmuv3::witness {

class External;

// A register that words of the page show. `put` writes those bits of the value that the mask has;
// without it the register ignores writes.
struct Shown {
  uint64_t (*get)(const External &external, unsigned n);
  void (*put)(External *external, unsigned n, uint64_t value, uint64_t mask);
};

// A line of external.txt.
struct Word {
  enum Check { DLK, EPMAD, EPMSSAD, OSLK, R3, MOST, SLK };
  struct Place {
    bool exists = false;
    uint16_t offset = 0, stride = 0;
    std::string condition;
  };
  std::string name;  // with the bits: "PMCR[31:0]"
  Place place[2];    // with EXT32, with EXT64
  bool reads = false, writes = false;
  const Shown *shown = nullptr;  // nullptr: a constant
  uint32_t constant = 0;
  unsigned lsb = 0;
  std::vector<std::pair<Check, std::string>> checks;  // with a name for each
  std::string is_present, is_written;                 // names of these two checks
};

// The words of external.txt. An error in the file throws std::runtime_error.
const std::vector<Word> &Words();

// How an access may end: in an error response, or done. Where the manual leaves a choice, both are
// allowed.
struct Response {
  bool error, done;
  uint32_t value;  // of a read that is done
};

class External : public Machine {
 public:
  const std::vector<Word> *words;
  pmuv3_security_state paspace;  // addrdesc.paddress.paspace

  // Registers that Machine lacks. mdcr_el2 reads HPMN as RMFYQC has it, and `hpmn` is what is held.
  unsigned hpmn;
  bool slk;  // PMLSR.SLK
  uint64_t pmccfiltr, pmccntr, pmicntr, pmccntsvr, pmicntsvr, pmsscr, pmmir, pmceid0, pmceid1;
  uint64_t pmevcntr[PMUV3_MAX_COUNTERS], pmevcntsvr[PMUV3_MAX_COUNTERS];

  // Follows the pseudocode where the project departs from it (witness.md).
  enum Departure { kNone, kEpmad } undone = kNone;

  // Finds what stands at each offset of the page. Call it when `params` or `words` are new.
  void LayOut();
  std::string NameOf(uint16_t offset) const;

  Response Read(uint16_t offset) const;
  Response Write(uint16_t offset, uint32_t value);

  // Names and values of all registers that an external write can change.
  std::vector<std::pair<std::string, uint64_t>> Registers() const;

  // Parts of registers. `n` is the number of an event counter.
  uint64_t AccessMask() const;
  uint64_t FilterMask() const;
  uint64_t PmevtyperMask(unsigned n) const;
  uint64_t PmcrMask() const;
  uint64_t Pmcfgr() const;
  uint64_t Pmcgcr0() const;
  uint64_t Pmdevaff() const;
  uint64_t Pmdevid() const;
  uint64_t Pmlsr() const;
  uint64_t CounterMask() const;
  void WritePmcr(uint64_t value, uint64_t mask);
  void ZeroPMUCounters(uint64_t val);
  void RequestCapture();
  bool HaveSoftwareLock() const;

 private:
  struct Location {
    const Word *word = nullptr;
    unsigned n = 0;
  };
  bool IsPresent(const std::string &condition) const;
  bool IsDebugv8p4() const;
  bool SecureOnlyImplementation() const;
  bool IsMostSecureAccess() const;
  bool AllowExternalPMUAccess() const;
  bool AllowExternalPMSSAccess() const;
  bool DoubleLockStatus() const;
  bool OSLockStatus() const;
  bool SoftwareLockStatus() const;
  bool OsLockApplies() const;
  bool IsRange3Counter(unsigned n) const;
  unsigned VisibleCounters() const;
  bool Bites(Word::Check check, unsigned n) const;
  Response Reserved(uint16_t offset) const;
  // Whether an access reaches the word. If it does not, *response is how the access ends.
  bool Reaches(uint16_t offset, Response *response, bool *locked) const;

  Location page_[1024];
};

}  // namespace pmuv3::witness

#endif
