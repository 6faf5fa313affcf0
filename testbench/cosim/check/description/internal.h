/*
 * The reader of descriptions, a file a part:
 *
 *   device.c     what others ask of a device: names, lookups, modes
 *   read.c       the file: its head, lines and arrays
 *   read_pins.c  pins, events, states, outputs, internals
 *   read_port.c  ports
 *   read_map.c   registers, absent fields, initial values
 *   read_page.c  the external page
 *
 * Functions that return bool give false after an error, which they have told.
 */
#ifndef PMUV3_CHECK_DESCRIPTION_INTERNAL_H
#define PMUV3_CHECK_DESCRIPTION_INTERNAL_H

#include "pmuv3/device.h"
#include "testbench/cosim/stimulus/lex.h"

struct description {
  struct pmuv3_lex lex;
  struct pmuv3_device *device;
  unsigned thread; /* of the current line: its @T */
  bool any_param;
  uint64_t params_seen; /* of pmuv3_param_is_new */
  bool params_done;
  struct pmuv3_events core_events; /* of param core= */
  bool has_clock;
  uint32_t warm_line; /* of a Warm reset; 0: none */
  uint32_t event_line[PMUV3_DEVICE_MAX_EVENTS];
  uint32_t latency_line[PMUV3_NUM_LATENCIES];
  uint32_t top_line, mode_line, settle_line, unknown_line;
  uint32_t pin_line[PMUV3_MAX_THREADS][PMUV3_NUM_ROLES][64]; /* by index: pins that stand once */
  uint32_t absent_event_line[PMUV3_DEVICE_MAX_ABSENT];
  uint32_t start_line[PMUV3_MAX_THREADS]; /* of a map that lacks the state after a reset */
};

/* ---- Words of a line ---- */

/* The next word; NULL after an error: the line needs `what`. */
char *pmuv3_description_word(struct description *d, const char *what);
bool pmuv3_description_end(struct description *d);
bool pmuv3_description_number(struct description *d, const char *what, uint64_t max,
                              uint64_t *number);
bool pmuv3_description_value(struct description *d, const char *what, const char *text,
                             uint64_t max, uint64_t *number);

/* The value of "KEY=" in a word; NULL: the word has another key. */
char *pmuv3_description_key(char *word, const char *key);

/* Notes the line of an item that can stand once. Of two, only the last would be compared. */
bool pmuv3_description_once(struct description *d, const char *name, uint32_t *line);

/* Likewise, of a word of a line. */
bool pmuv3_description_word_once(struct description *d, const char *word, bool *given);

bool pmuv3_description_is_security_state(const char *name, uint8_t *ss);
bool pmuv3_description_security_state(struct description *d, const char *name, uint8_t *ss);

/* ---- Words of a register ---- */

/* What `write=`, `read=`, `port=` and `step=` say. */
struct register_words {
  uint64_t write, read, step;
  bool has_write, has_read, has_step, has_port;
  bool of_several; /* registers, of which a mask may fit some alone */
  uint8_t port;
};

bool pmuv3_description_register_words(struct description *d, struct register_words *words,
                                      bool may_step);

/* The bits that a port carries. */
uint64_t pmuv3_description_port_bits(const struct description *d, unsigned port);

/* Whether the register, or its half, has the bits of `write=`, and the port those of `read=`. */
bool pmuv3_description_check_masks(struct description *d, const struct register_words *words,
                                   uint64_t bits);

/* Bits that the parameters make writable, and `write=` leaves out. */
uint64_t pmuv3_description_unwritten(const struct description *d,
                                     const struct register_words *words, uint16_t reg,
                                     uint8_t half);

/* The first port that this thread's registers can be at. */
bool pmuv3_description_default_port(struct description *d, struct register_words *words);

/* A register that is a word of the page: page.0x600. */
bool pmuv3_description_page_register(struct description *d, uint64_t address, const char *name);

/* ---- Arrays ---- */

bool pmuv3_description_add_pin(struct description *d, const char *text, struct pmuv3_pin pin);
bool pmuv3_description_add_register(struct description *d, struct pmuv3_device_register reg);
bool pmuv3_description_add_initial(struct description *d, struct pmuv3_device_initial initial);

/* ---- Lines, after their first word ---- */

bool pmuv3_description_clock(struct description *d);
bool pmuv3_description_reset(struct description *d);
bool pmuv3_description_clock_enable(struct description *d);
bool pmuv3_description_tie(struct description *d);
bool pmuv3_description_event(struct description *d);
bool pmuv3_description_other(struct description *d);
bool pmuv3_description_state(struct description *d);
bool pmuv3_description_irq(struct description *d);
bool pmuv3_description_cti(struct description *d);
bool pmuv3_description_exception(struct description *d);
bool pmuv3_description_visible(struct description *d);
bool pmuv3_description_port(struct description *d);
bool pmuv3_description_register(struct description *d);
bool pmuv3_description_registers(struct description *d);
bool pmuv3_description_page(struct description *d);
bool pmuv3_description_absent(struct description *d);
bool pmuv3_description_unknown(struct description *d);
bool pmuv3_description_initial(struct description *d);
bool pmuv3_description_check_unknown(struct description *d);
bool pmuv3_description_check_initials(struct description *d);

/* After the last line, which may be an event's: an absent one is of the set. */
bool pmuv3_description_check_absent_events(struct description *d);

/* Likewise: a thread starts in a state that its pins can say. */
void pmuv3_description_start_states(struct description *d);

/* Likewise: states without a pin are those of a thread, and it can start in its state. */
bool pmuv3_description_check_states(struct description *d);

/* After the last line: what registers do not have is not written. */
void pmuv3_description_leave_out_absent(struct description *d);

/* Then it is known which bits a write leaves as they are. */
void pmuv3_description_find_kept(struct description *d);

#endif
