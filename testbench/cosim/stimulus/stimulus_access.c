/* Accesses in stimulus files: of System registers and of the external view; outputs. */
#include <inttypes.h>
#include <string.h>

#include "testbench/cosim/stimulus/reader.h"

/* ---- Registers and values ---- */

/* A register's name. */
static bool read_register(struct reader *reader, const char *name, uint16_t *reg) {
  if (pmuv3_register_find(name, reg)) return true;
  return pmuv3_lex_error(
      &reader->lex,
      "unknown register \"%.40s\"; expected an architectural name such as PMEVTYPER0_EL0", name);
}

/* A register's name, or any System register encoding. */
static bool read_encoding(struct reader *reader, const char *word, uint16_t *reg) {
  struct pmuv3_lex *lex = &reader->lex;
  uint64_t number;
  if (pmuv3_register_find(word, reg)) return true;
  if (*word < '0' || *word > '9')
    return pmuv3_lex_error(
        lex, "unknown register \"%.40s\"; expected an architectural name or an encoding", word);
  if (!pmuv3_lex_number(lex, "the encoding", word, &number)) return false;
  if (number > UINT16_MAX)
    return pmuv3_lex_error(lex, "encoding %.40s is out of range; expected at most 0xffff", word);
  *reg = (uint16_t)number;
  return true;
}

/* What is written to a register, or read from it; `name` is that of the register. */
static bool read_value(struct reader *reader, const char *name, const char *word,
                       struct pmuv3_write *access) {
  if (!pmuv3_lex_number(&reader->lex, "the value", word, &access->value)) return false;
  if (pmuv3_register_bits(access->reg) == 64 || access->value <= UINT32_MAX) return true;
  return pmuv3_lex_error(&reader->lex,
                         "%.40s has 32 bits; expected at most 0xffffffff, value is 0x%" PRIx64,
                         name, access->value);
}

static bool check_access(struct reader *reader, const char *name, enum pmuv3_access access) {
  struct pmuv3_lex *lex = &reader->lex;
  switch (access) {
    case PMUV3_ACCESS_OK:
      return true;
    case PMUV3_ACCESS_READ_ONLY:
      return pmuv3_lex_error(lex, "%s is read-only; expected a register that can be written", name);
    case PMUV3_ACCESS_WRITE_ONLY:
      return pmuv3_lex_error(lex, "%s is write-only; expected a register that can be read", name);
    case PMUV3_ACCESS_UNKNOWN:
      break;
  }
  return pmuv3_lex_error(lex,
                         "%s does not exist with these parameters (counters=%u); "
                         "expected a register that does",
                         name, (unsigned)reader->stimulus->params.counters);
}

/* A register's name and value, of a write or of an expected read with the highest rights. */
static bool read_access(struct reader *reader, const char *name, const char *value, bool is_write,
                        struct pmuv3_write *access) {
  const struct pmuv3_params *params = &reader->stimulus->params;
  if (!read_register(reader, name, &access->reg)) return false;
  enum pmuv3_access possible = is_write ? pmuv3_register_writable(params, access->reg)
                                        : pmuv3_register_readable(params, access->reg);
  return check_access(reader, name, possible) && read_value(reader, name, value, access);
}

/* ---- Software increments ---- */

/* Counts the software increments that wait for the next cycle; in Debug state there are none. */
static bool count_pending(struct reader *reader, unsigned thread, const struct pmuv3_write *write) {
  uint8_t *pending = reader->pending[thread];
  if (write->reg != PMUV3_PMSWINC && write->reg != PMUV3_PMSWINC_AA32) return true;
  if (reader->pe[thread].halted) return true;
  for (unsigned n = 0; n < reader->stimulus->params.counters; n++) {
    if ((write->value >> n & 1) == 0) continue;
    if (pending[n] == UINT8_MAX)
      return pmuv3_lex_error(&reader->lex,
                             "more than 255 software increments are pending for counter %u; "
                             "expected a cycle before this one",
                             n);
    pending[n]++;
  }
  return true;
}

bool reader_has_pending(const struct reader *reader, unsigned thread) {
  static const uint8_t none[PMUV3_MAX_COUNTERS];
  return memcmp(reader->pending[thread], none, sizeof none) != 0;
}

void reader_consume_pending(struct reader *reader) {
  memset(reader->pending, 0, sizeof reader->pending);
}

/* ---- write, expect and read ---- */

bool reader_write(struct reader *reader) {
  struct pmuv3_item item = {.kind = PMUV3_ITEM_WRITE};
  char *name;
  if (!reader_word_of_thread(reader, &item.thread, &name)) return false;
  const char *value = pmuv3_lex_word(&reader->lex);
  if (!name || !value) return reader_ends_too_early(reader, "write [@T] REGISTER VALUE");
  return read_access(reader, name, value, true, &item.access) &&
         count_pending(reader, item.thread, &item.access) && reader_expect_end(reader) &&
         reader_add_item(reader, item);
}

/* The output of that name; PMUV3_NUM_OUTPUTS: there is none. */
static unsigned find_output(const char *name) {
  unsigned output = 0;
  while (output < PMUV3_NUM_OUTPUTS &&
         strcmp(name, pmuv3_output_name((enum pmuv3_output_kind)output)) != 0)
    output++;
  return output;
}

static bool read_level(struct reader *reader, const char *name, const char *word,
                       struct pmuv3_item *item) {
  item->kind = PMUV3_ITEM_EXPECT_OUTPUT;
  item->output = (struct pmuv3_output){.kind = (uint8_t)find_output(name)};
  const uint64_t max = pmuv3_output_max((enum pmuv3_output_kind)item->output.kind);
  if (!pmuv3_lex_number(&reader->lex, name, word, &item->output.level)) return false;
  return item->output.level <= max ||
         pmuv3_lex_error(&reader->lex, "%s is %.40s; expected 0..%" PRIu64, name, word, max);
}

bool reader_expect(struct reader *reader) {
  struct pmuv3_item item = {.kind = PMUV3_ITEM_EXPECT};
  char *name;
  if (!reader_word_of_thread(reader, &item.thread, &name)) return false;
  const char *value = pmuv3_lex_word(&reader->lex);
  if (!name || !value) return reader_ends_too_early(reader, "expect [@T] REGISTER VALUE");
  bool good = find_output(name) < PMUV3_NUM_OUTPUTS
                  ? read_level(reader, name, value, &item)
                  : read_access(reader, name, value, false, &item.access);
  return good && reader_expect_end(reader) && reader_add_item(reader, item);
}

/* What it gives is compared, but not expected. */
bool reader_read(struct reader *reader) {
  struct pmuv3_item item = {.kind = PMUV3_ITEM_READ};
  char *name;
  if (!reader_word_of_thread(reader, &item.thread, &name)) return false;
  if (!name) return reader_ends_too_early(reader, "read [@T] REGISTER");
  return read_access(reader, name, "0", false, &item.access) && reader_expect_end(reader) &&
         reader_add_item(reader, item);
}

/* ---- refused and reset ---- */

static bool check_refused(struct reader *reader, const char *name, bool is_write, uint16_t reg) {
  const struct pmuv3_params *params = &reader->stimulus->params;
  enum pmuv3_access possible =
      is_write ? pmuv3_register_writable(params, reg) : pmuv3_register_readable(params, reg);
  if (possible != PMUV3_ACCESS_OK) return true;
  return pmuv3_lex_error(&reader->lex, "a %s of %.40s is not refused; expected one that must be",
                         is_write ? "write" : "read", name);
}

bool reader_refused(struct reader *reader) {
  static const char form[] = "refused write [@T] REGISTER VALUE or refused read [@T] REGISTER";
  struct pmuv3_lex *lex = &reader->lex;
  struct pmuv3_item item = {.kind = PMUV3_ITEM_REFUSED_READ};
  const char *word = pmuv3_lex_word(lex);
  if (!word) return reader_ends_too_early(reader, form);
  bool is_write = strcmp(word, "write") == 0;
  if (!is_write && strcmp(word, "read") != 0)
    return pmuv3_lex_error(lex, "\"%.40s\" is no access; expected %s", word, form);

  char *name;
  if (!reader_word_of_thread(reader, &item.thread, &name)) return false;
  if (!name) return reader_ends_too_early(reader, form);
  if (!read_encoding(reader, name, &item.access.reg)) return false;
  if (!check_refused(reader, name, is_write, item.access.reg)) return false;
  if (is_write) {
    item.kind = PMUV3_ITEM_REFUSED_WRITE;
    const char *value = pmuv3_lex_word(lex);
    if (!value) return reader_ends_too_early(reader, form);
    if (!pmuv3_lex_number(lex, "the value", value, &item.access.value)) return false;
  }
  return reader_expect_end(reader) && reader_add_item(reader, item);
}

bool reader_reset(struct reader *reader) {
  reader_consume_pending(reader);
  return reader_expect_end(reader) &&
         reader_add_item(reader, (struct pmuv3_item){.kind = PMUV3_ITEM_RESET});
}

/* ---- msr and mrs ---- */

/* The number that follows `name` in a part of an expected syndrome, at most `most`. */
static bool read_part(struct reader *reader, const char *part, const char *name, uint32_t most,
                      uint32_t *number) {
  uint64_t value;
  if (!pmuv3_lex_number(&reader->lex, name, part + strlen(name), &value)) return false;
  *number = (uint32_t)value;
  return value <= most ||
         pmuv3_lex_error(&reader->lex, "%.40s is out of range; expected at most 0x%" PRIx32, part,
                         most);
}

/* The parts of the syndrome that follow a result, as far as they are given: ec0x18, iss0x... */
static bool read_syndrome(struct reader *reader, char *part,
                          struct pmuv3_expected_syndrome *syndrome) {
  uint32_t number;
  for (char *next; part; part = next) {
    next = strchr(part, '/');
    if (next) *next++ = '\0';
    const bool is_ec = strncmp(part, "ec", 2) == 0 && syndrome->mask == 0;
    const bool is_iss = strncmp(part, "iss", 3) == 0 && syndrome->mask == PMUV3_SYNDROME_EC;
    if (!is_ec && !is_iss)
      return pmuv3_lex_error(
          &reader->lex, "\"%.40s\" is no part of a syndrome; expected /ecN or /ecN/issN", part);
    if (!(is_ec ? read_part(reader, part, "ec", 63, &number)
                : read_part(reader, part, "iss", PMUV3_SYNDROME_ISS, &number)))
      return false;
    syndrome->bits |= is_ec ? number << 26 : number;
    syndrome->mask |= is_ec ? PMUV3_SYNDROME_EC : PMUV3_SYNDROME_ISS;
  }
  return true;
}

/* How a checked access must end: a result, perhaps with its syndrome. */
static bool read_result(struct reader *reader, char *word, struct pmuv3_item *item) {
  char *slash = strchr(word, '/');
  if (slash) *slash++ = '\0';
  item->has_result = true;
  item->syndrome = (struct pmuv3_expected_syndrome){0};
  for (item->result = PMUV3_DONE; item->result <= PMUV3_TRAP_EL3; item->result++)
    if (strcmp(word, pmuv3_result_name((enum pmuv3_result)item->result)) == 0) break;
  if (item->result > PMUV3_TRAP_EL3)
    return pmuv3_lex_error(
        &reader->lex, "\"%.40s\" is no result; expected done, undefined, el1, el2 or el3", word);
  if (slash && item->result == PMUV3_DONE)
    return pmuv3_lex_error(&reader->lex,
                           "a syndrome of an access that is done; expected one of them");
  return read_syndrome(reader, slash, &item->syndrome);
}

/* How an external access must end. */
static bool read_external_result(struct reader *reader, char *word, struct pmuv3_item *item) {
  item->has_result = true;
  for (item->result = 0; item->result <= 1; item->result++)
    if (strcmp(word, pmuv3_external_result_name(item->result)) == 0) return true;
  return pmuv3_lex_error(&reader->lex, "\"%.40s\" is no result; expected done or error", word);
}

typedef bool result_reader(struct reader *reader, char *word, struct pmuv3_item *item);

/* The end of a line: a result, perhaps. */
static bool read_end(struct reader *reader, result_reader *read, struct pmuv3_item *item) {
  char *word = pmuv3_lex_word(&reader->lex);
  return !word || (read(reader, word, item) && reader_expect_end(reader));
}

/* A read that gives a value is done. */
static bool check_read(struct reader *reader, const struct pmuv3_item *item) {
  if (!item->has_value || item->result == PMUV3_DONE) return true;
  return pmuv3_lex_error(&reader->lex, "a value of a read that is not done; expected one of them");
}

static bool is_number(const char *word) {
  return *word >= '0' && *word <= '9';
}

bool reader_msr(struct reader *reader) {
  struct pmuv3_item item = {.kind = PMUV3_ITEM_MSR, .access = {.checked = true}};
  char *name;
  if (!reader_word_of_thread(reader, &item.thread, &name)) return false;
  const char *value = pmuv3_lex_word(&reader->lex);
  if (!name || !value) return reader_ends_too_early(reader, "msr [@T] REGISTER VALUE [RESULT]");
  if (!read_encoding(reader, name, &item.access.reg) ||
      !read_value(reader, name, value, &item.access) || !read_end(reader, read_result, &item))
    return false;
  bool may_count = item.result == PMUV3_DONE;
  return (!may_count || count_pending(reader, item.thread, &item.access)) &&
         reader_add_item(reader, item);
}

bool reader_mrs(struct reader *reader) {
  struct pmuv3_item item = {.kind = PMUV3_ITEM_MRS, .access = {.checked = true}};
  char *name;
  if (!reader_word_of_thread(reader, &item.thread, &name)) return false;
  if (!name) return reader_ends_too_early(reader, "mrs [@T] REGISTER [VALUE] [RESULT]");
  if (!read_encoding(reader, name, &item.access.reg)) return false;
  char *word = pmuv3_lex_word(&reader->lex);
  if (word && is_number(word)) {
    item.has_value = item.has_result = true;
    if (!read_value(reader, name, word, &item.access)) return false;
    word = pmuv3_lex_word(&reader->lex);
  }
  if (word && !read_result(reader, word, &item)) return false;
  return check_read(reader, &item) && reader_expect_end(reader) && reader_add_item(reader, item);
}

/* ---- extw and extr ---- */

static bool read_offset(struct reader *reader, const char *word, struct pmuv3_external *external) {
  uint64_t offset;
  if (!pmuv3_lex_number(&reader->lex, "the offset", word, &offset)) return false;
  if (offset >= 0x1000)
    return pmuv3_lex_error(&reader->lex, "offset %.40s is not in the page; expected below 0x1000",
                           word);
  external->offset = (uint16_t)offset;
  return true;
}

static bool read_word_value(struct reader *reader, const char *word,
                            struct pmuv3_external *external) {
  uint64_t value;
  if (!pmuv3_lex_number(&reader->lex, "the value", word, &value)) return false;
  if (value > UINT32_MAX)
    return pmuv3_lex_error(&reader->lex,
                           "a word of the page has 32 bits; expected at most "
                           "0xffffffff, value is 0x%" PRIx64,
                           value);
  external->value = (uint32_t)value;
  return true;
}

/* [@T] [SS] OFFSET, from the most secure address space unless it says. *has_offset: false where the
 * line ends before it. */
static bool read_place(struct reader *reader, struct pmuv3_item *item, bool *has_offset) {
  struct pmuv3_external *external = &item->external;
  char *word;
  if (!reader_word_of_thread(reader, &item->thread, &word)) return false;
  external->thread = item->thread;
  external->ss = (uint8_t)pmuv3_el3_state(&reader->stimulus->params);
  if (word && !is_number(word)) {
    if (!reader_security_state(reader, "the address space", word, &external->ss)) return false;
    word = pmuv3_lex_word(&reader->lex);
  }
  *has_offset = word != NULL;
  return !word || read_offset(reader, word, external);
}

bool reader_extw(struct reader *reader) {
  struct pmuv3_item item = {.kind = PMUV3_ITEM_EXTERNAL_WRITE};
  bool has_offset;
  if (!read_place(reader, &item, &has_offset)) return false;
  const char *value = pmuv3_lex_word(&reader->lex);
  if (!has_offset || !value)
    return reader_ends_too_early(reader, "extw [@T] [SS] OFFSET VALUE [RESULT]");
  return read_word_value(reader, value, &item.external) &&
         read_end(reader, read_external_result, &item) && reader_add_item(reader, item);
}

bool reader_extr(struct reader *reader) {
  struct pmuv3_item item = {.kind = PMUV3_ITEM_EXTERNAL_READ};
  bool has_offset;
  if (!read_place(reader, &item, &has_offset)) return false;
  if (!has_offset) return reader_ends_too_early(reader, "extr [@T] [SS] OFFSET [VALUE] [RESULT]");
  char *word = pmuv3_lex_word(&reader->lex);
  if (word && is_number(word)) {
    item.has_value = item.has_result = true;
    if (!read_word_value(reader, word, &item.external)) return false;
    word = pmuv3_lex_word(&reader->lex);
  }
  if (word && !read_external_result(reader, word, &item)) return false;
  return check_read(reader, &item) && reader_expect_end(reader) && reader_add_item(reader, item);
}

/* ---- In the clock of a cycle ---- */

/* OFFSET and VALUE of ext[.SS]:OFFSET=VALUE; `space` is what stands between ext and the colon. */
static bool read_inline_external(struct reader *reader, unsigned thread, const char *space,
                                 const char *offset, const char *value, struct pmuv3_cycle *cycle) {
  struct pmuv3_external *external = &cycle->external;
  if (cycle->has_external)
    return pmuv3_lex_error(&reader->lex, "a second external write in a cycle; expected one");
  cycle->has_external = true;
  *external = (struct pmuv3_external){.thread = (uint8_t)thread,
                                      .ss = (uint8_t)pmuv3_el3_state(&reader->stimulus->params)};
  if (*space && !reader_security_state(reader, "the address space", space + 1, &external->ss))
    return false;
  if (!read_offset(reader, offset, external)) return false;
  if (external->offset % 4 != 0)
    return pmuv3_lex_error(&reader->lex,
                           "offset %.40s is not that of a word; expected a multiple of 4", offset);
  return read_word_value(reader, value, external);
}

/* msr:REGISTER=VALUE or REGISTER=VALUE. */
static bool read_inline_register(struct reader *reader, unsigned thread, bool checked,
                                 const char *name, const char *value, struct pmuv3_cycle *cycle) {
  struct pmuv3_write *write = &cycle->write[thread];
  if (cycle->has_write >> thread & 1)
    return pmuv3_lex_error(&reader->lex,
                           "a second register write of thread %u in a cycle; expected one a thread",
                           thread);
  cycle->has_write |= (uint8_t)(1u << thread);
  write->checked = checked;
  if (!checked) return read_access(reader, name, value, true, write);
  return read_encoding(reader, name, &write->reg) && read_value(reader, name, value, write);
}

/* Cuts @T: off the word; *word is what follows then. */
static bool read_inline_thread(struct reader *reader, char **word, uint8_t *thread) {
  if (**word != '@') return true;
  char *colon = strchr(*word, ':');
  if (!colon)
    return pmuv3_lex_error(&reader->lex, "\"%.40s\" has no colon; expected @T:REGISTER=VALUE",
                           *word);
  *colon = '\0';
  if (!reader_thread(reader, *word + 1, thread)) return false;
  *word = colon + 1;
  return true;
}

_Static_assert(PMUV3_MAX_THREADS < 8, "expected_ends.known: a bit for each thread and one more");

/* /RESULT behind the value of a write that is judged. */
static bool read_inline_end(struct reader *reader, unsigned thread, char *result, bool external,
                            struct pmuv3_expected_ends *expected) {
  struct pmuv3_item item;
  if (!(external ? read_external_result : read_result)(reader, result, &item)) return false;
  expected->known |= (uint8_t)(1u << (external ? PMUV3_MAX_THREADS : thread));
  if (external) {
    expected->ends.external_error = item.result != PMUV3_DONE;
    return true;
  }
  expected->ends.result[thread] = item.result;
  expected->ends.syndrome[thread] = item.syndrome.bits;
  expected->syndrome_mask[thread] = item.syndrome.mask;
  return true;
}

bool reader_inline_write(struct reader *reader, char *word, char *equals, struct pmuv3_cycle *cycle,
                         struct pmuv3_expected_ends *expected) {
  uint8_t thread = 0;
  *equals = '\0';
  const char *value = equals + 1;
  if (!read_inline_thread(reader, &word, &thread)) return false;
  char *colon = strchr(word, ':');
  if (!colon) return read_inline_register(reader, thread, false, word, value, cycle);

  *colon = '\0';
  const bool external = strcmp(word, "ext") == 0 || strncmp(word, "ext.", 4) == 0;
  char *slash = strchr(equals + 1, '/');
  if (slash) *slash = '\0';
  if (strcmp(word, "msr") != 0 && !external)
    return pmuv3_lex_error(&reader->lex,
                           "\"%.40s:\" is no write; expected REGISTER=VALUE, "
                           "msr:REGISTER=VALUE[/RESULT] or ext[.SS]:OFFSET=VALUE[/RESULT]",
                           word);
  const bool good = external
                        ? read_inline_external(reader, thread, word + 3, colon + 1, value, cycle)
                        : read_inline_register(reader, thread, true, colon + 1, value, cycle);
  return good && (!slash || read_inline_end(reader, thread, slash + 1, external, expected));
}
