// The PMUs of threads whose cores run ahead of each other. Each thread has its own local time, in
// Processor cycles. What each tells of its cycles is a log. The side makes a cycle when its time
// has come, with what all logs say of it. So occurrences of the same cycle meet, in whichever order
// they were told.
//
// Until then a copy of the side runs ahead for each thread, with the thread's own log. Its
// registers are exact as long as no counter of the thread counts for other threads (MT = 1). A copy
// for a thread with such counters follows all logs, as far as every thread has told.
#ifndef PMUV3_DECOUPLED_H
#define PMUV3_DECOUPLED_H

#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "tlm_wrapper/open_cycle.h"
#include "tlm_wrapper/side.h"

// Outputs have no padding.
inline bool operator!=(const struct pmuv3_outputs &a, const struct pmuv3_outputs &b) {
  return std::memcmp(&a, &b, sizeof a) != 0;
}

class pmuv3_decoupled {
 public:
  // The side must outlive it. The side's cycles so far do not count: time begins at cycle 0, which
  // has the states and the software increments of `cycle`.
  pmuv3_decoupled(pmuv3_side *side, const pmuv3_open_cycle &cycle);

  // The time is now `cycle`: the side makes the cycles before it. Of a cycle that a thread has told
  // nothing of, the thread has nothing to tell.
  void reach(uint64_t cycle);
  uint64_t made() const { return all_.made; }

  // The cycle under way of a thread: it has told those before.
  uint64_t told(unsigned thread) const { return thread_[thread].told; }

  // What a thread has to tell of its cycle `at`, and on `run` of the cycles from `at` on. Each
  // returns NULL, or says in words what is wrong; then at most the cycles before are told.
  // Contracts: pmuv3_thread_if.
  const char *set_pe(unsigned thread, uint64_t at, const pmuv3_pe &pe);

  // Tells the cycles before `at` alone, and returns why, or that it is late.
  const char *refuse(unsigned thread, uint64_t at, const char *why);
  const char *in_context(unsigned thread, uint64_t at, const pmuv3_context &context);
  const char *occur(uint64_t at, const pmuv3_occurrence &occurrence);
  const char *notify(unsigned thread, uint64_t at, uint16_t event, unsigned count,
                     const pmuv3_context &context);
  const char *capture(unsigned thread, uint64_t at);
  const char *write_with_clock(unsigned thread, uint64_t at, const struct pmuv3_write &write);
  const char *run(unsigned thread, uint64_t at, uint64_t cycles,
                  const std::vector<pmuv3_rate> &rates);
  std::optional<uint64_t> next_overflow(unsigned thread, uint64_t at, uint64_t cycles,
                                        const std::vector<pmuv3_rate> &rates);
  std::optional<pmuv3_result> written(unsigned thread) const { return thread_[thread].written; }

  // The copy in which the thread accesses its registers in its cycle `at`, ahead of the others. The
  // thread has told the cycles before. NULL: it has to synchronize (reach), and access the side
  // itself; or it is late. `wrote` says what was written there, `touched` that anything was written
  // to the side itself.
  pmuv3_side *ahead(unsigned thread, uint64_t at);
  void wrote(unsigned thread, const struct pmuv3_write &write);
  void touched();

  // Whether no thread has told anything of a cycle that has not come; the state of a thread.
  bool is_together() const;
  const pmuv3_pe &pe(unsigned thread) const { return thread_[thread].open.pe()[thread]; }
  pmuv3_open_cycle &open(unsigned thread) { return thread_[thread].open; }

  // Drops what the threads have told of the time that has not come, states and writes too. For a
  // reset of the side.
  void drop();

  // Says how a thread's last write with the clock ended, of those before threads had times of their
  // own.
  void set_written(unsigned thread, std::optional<pmuv3_result> result) {
    thread_[thread].written = thread_[thread].ended = result;
  }

  // The cycle before which outputs change, or have to be looked at, next, up to `last`; and a
  // thread's outputs as they are now, after what was told and reached so far.
  std::optional<uint64_t> next_change(uint64_t last) const;
  struct pmuv3_outputs outputs(unsigned thread);

 private:
  // A part of a thread's time: cycles that are all alike, or something between two cycles.
  struct Step {
    uint64_t cycles = 0;
    std::vector<pmuv3_occurrence> occurrences;
    pmuv3_cycle cycle = {};  // of one cycle: its writes, captures and contexts
    std::optional<pmuv3_pe> pe;
    std::optional<struct pmuv3_write> write;
  };
  struct Place {
    uint64_t step = 0;  // of all steps of the log, also those that are dropped
    uint64_t done = 0;  // cycles of the step
  };
  // A side that has made the cycles before `made`, and its place in the log of each thread.
  struct Strand {
    pmuv3_side *side = nullptr;
    unsigned follows = 0;  // bit t: the log of thread t
    uint64_t made = 0;
    Place place[PMUV3_MAX_THREADS];
  };
  struct Change {
    uint64_t at;
    struct pmuv3_outputs outputs;
  };
  struct Destroy {
    void operator()(pmuv3_side *side) const { pmuv3_side_destroy(side); }
  };
  struct Thread {
    explicit Thread(const pmuv3_params &params) : open(params) {}
    uint64_t told = 0;
    pmuv3_open_cycle open;  // of the cycle `told`
    std::deque<Step> log;
    uint64_t dropped = 0;                       // steps before the log
    std::unique_ptr<pmuv3_side, Destroy> copy;  // ahead.side
    Strand ahead;
    bool depends = false;        // on other threads, in some cycle that the side has not made
    std::deque<Change> changes;  // of the outputs, in the order of time
    std::optional<pmuv3_result> written;  // how the last write with the clock ends, once known
    std::optional<pmuv3_result> ended;    // how the last one ended that the side has made
  };

  bool can_copy() const { return all_.side->ops->clone && all_.side->ops->depends; }
  const char *tell(unsigned thread, uint64_t at);
  void close(unsigned thread);
  void push(unsigned thread, Step step);
  void follow();
  void follow(unsigned thread);
  bool has_told(unsigned thread, const Strand &strand) const;
  uint64_t all_told() const;
  void copy(unsigned thread);
  bool advance(Strand &strand, uint64_t cycle, Thread *ahead, unsigned thread);
  bool between(Strand &strand, Thread *ahead, unsigned thread);
  uint64_t piece(const Strand &strand, uint64_t most, std::vector<pmuv3_occurrence> *occurrences,
                 pmuv3_cycle *cycle) const;
  void pass(Strand &strand, uint64_t cycles);
  void take_results(const Strand &strand, uint8_t has_write, const Thread *ahead, unsigned thread);
  static uint64_t to_change(pmuv3_side *side, unsigned thread, const pmuv3_cycle &cycle,
                            uint64_t cycles);
  void note(Thread &of, unsigned thread, pmuv3_side *side, uint64_t at);
  void prune();
  std::optional<uint64_t> next_change_of(unsigned thread, uint64_t last) const;
  bool waits(const Thread &of) const;

  const unsigned threads_;
  pmuv3_pe pe_[PMUV3_MAX_THREADS];  // of the side
  Strand all_;                      // the side itself
  std::deque<Thread> thread_;
};

#endif
