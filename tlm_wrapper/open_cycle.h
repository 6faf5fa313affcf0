// The Processor cycle under way, as it is told bit by bit: its occurrences, contexts, writes and
// captures, and the states of threads. It refuses what a cycle cannot hold.
#ifndef PMUV3_OPEN_CYCLE_H
#define PMUV3_OPEN_CYCLE_H

#include <cstddef>
#include <memory>
#include <vector>

#include "pmuv3/cycle.h"
#include "pmuv3/params.h"

struct pmuv3_side;

class pmuv3_open_cycle {
 public:
  // The parameters must outlive it.
  explicit pmuv3_open_cycle(const pmuv3_params &params);
  pmuv3_open_cycle(const pmuv3_open_cycle &) = delete;
  pmuv3_open_cycle &operator=(const pmuv3_open_cycle &) = delete;

  // Each returns NULL, or says in words what is wrong; then nothing has changed. Contracts:
  // pmuv3_event_if.
  const char *set_pe(unsigned thread, const pmuv3_pe &pe);
  const char *in_context(unsigned thread, const pmuv3_context &context);
  const char *occur(const pmuv3_occurrence &occurrence);
  const char *notify(uint16_t event, unsigned count, unsigned thread, const pmuv3_context &context);
  const char *capture(unsigned thread);

  // Whether software increments of a thread wait for the cycle, which counts them in its own state.
  // note_write: the side has made a write at once. After one of PMSWINC_EL0 they do, if the write
  // reaches a counter that it selects, but not in Debug state.
  void note_write(pmuv3_side *side, unsigned thread, const struct pmuv3_write &write);
  void set_increments(unsigned thread, bool wait);
  bool has_increments(unsigned thread) const { return increments_ >> thread & 1; }

  // Writes with the clock. False: the cycle has one of the thread, or of the external view,
  // already.
  bool write(unsigned thread, const struct pmuv3_write &write);
  bool external(const pmuv3_external &write);

  // Whether nothing was told of the cycle.
  bool is_empty() const;
  const pmuv3_cycle &cycle() const { return cycle_; }
  const pmuv3_pe *pe() const { return pe_; }

  // What was told of the cycle and the states, as bytes; and the reverse. False: they are not of
  // such a cycle.
  void save(std::vector<unsigned char> *bytes) const;
  bool restore(const unsigned char *bytes, size_t size);

  // Begins the next cycle. States stay.
  void start();

 private:
  // Occurrences of a context, which is the thread's own one or its other one. It is saved, so it
  // has no padding.
  struct Notified {
    uint16_t event, count;
    uint8_t thread;
    pmuv3_context context;
  };
  static_assert(sizeof(Notified) == 5 + sizeof(pmuv3_context));

  const char *wrong_with(const pmuv3_event *event, const pmuv3_occurrence &occurrence) const;
  const char *take_context(unsigned thread, const pmuv3_context &context);
  const char *add(const pmuv3_occurrence &occurrence);
  const char *wrong_notified(const Notified &told, pmuv3_origin origin) const;
  const char *add_notified(const Notified &told, pmuv3_origin origin);
  bool is_own(const Notified &told) const;
  pmuv3_origin origin_of(const Notified &told) const;
  uint16_t place(const Notified &told) const;  // as place_
  bool has_notified(unsigned thread) const;
  const char *notify_again(unsigned thread, const pmuv3_pe &pe);
  void withdraw(unsigned thread);
  bool has_debugger(unsigned thread) const;
  bool has_thread(unsigned thread) const { return thread < params_.threads; }

  const pmuv3_params &params_;
  const std::unique_ptr<pmuv3_event_rows> rows_;
  pmuv3_pe pe_[PMUV3_MAX_THREADS];
  pmuv3_cycle cycle_ = {};
  uint8_t has_context_ = 0;  // bit t: thread t has its other context of cycle_
  uint8_t has_given_ = 0;    // bit t: it stays though what was notified is withdrawn
  uint8_t increments_ = 0;   // bit t: software increments of thread t wait
  std::vector<Notified> notified_;
  pmuv3_occurrence occurrences_[PMUV3_MAX_OCCURRENCES] = {};
  // Index + 1 in occurrences_ of an event, thread and origin; 0: there is none. The event is the
  // index of its row.
  uint16_t place_[PMUV3_MAX_EVENTS][PMUV3_MAX_THREADS][PMUV3_NUM_ORIGINS] = {};
  uint16_t *places_[PMUV3_MAX_OCCURRENCES] = {};  // of each of occurrences_
};

#endif
