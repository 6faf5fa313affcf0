/* States of threads in stimulus files. */
#include <string.h>

#include "testbench/cosim/stimulus/reader.h"

/* The member of a state that a key with the values 0 and 1 is; NULL: there is no such key. */
static bool *flag_of(struct pmuv3_pe *pe, const char *key) {
#define PMUV3_PE_FLAG(name, text) \
  if (strcmp(key, #name) == 0) return &pe->name;
#include "pmuv3/pe.def"
  return NULL;
}

/* All keys, for messages. */
static const char keys[] = ""
#define PMUV3_PE_NUMBER(name, bits, text) ", " #name
#define PMUV3_PE_MASK(name, bits, text) ", " #name
#define PMUV3_PE_FLAG(name, text) ", " #name
#include "pmuv3/pe.def"
    ;

static bool read_fgt(struct reader *reader, const char *text, uint64_t *fgt) {
  if (!pmuv3_lex_number(&reader->lex, "fgt", text, fgt)) return false;
  if (*fgt >> PMUV3_NUM_FGT == 0) return true;
  return pmuv3_lex_error(&reader->lex, "fgt is \"%.40s\"; expected at most %u bits", text,
                         (unsigned)PMUV3_NUM_FGT);
}

/* KEY=VALUE; `given` is a state whose members are not 0 where their keys were given before. */
static bool read_key(struct reader *reader, char *word, struct pmuv3_pe *given,
                     struct pmuv3_pe *pe) {
  char *equals = strchr(word, '=');
  if (!equals)
    return pmuv3_lex_error(&reader->lex, "\"%.40s\" has no value; expected KEY=VALUE", word);
  *equals = '\0';
  const char *value = equals + 1;
  if (strcmp(word, "el") == 0)
    return reader_check_once(reader, word, given->el++) &&
           reader_small(reader, word, value, 3, &pe->el);
  if (strcmp(word, "fgt") == 0)
    return reader_check_once(reader, word, given->fgt++) && read_fgt(reader, value, &pe->fgt);
  if (strcmp(word, "ss") == 0)
    return reader_check_once(reader, word, given->ss++) &&
           reader_security_state(reader, word, value, &pe->ss);

  bool *flag = flag_of(pe, word);
  bool *flag_given = flag_of(given, word);
  uint8_t number = 0;
  if (!flag)
    return pmuv3_lex_error(&reader->lex, "unknown key \"%.40s\"; expected one of %s", word,
                           keys + 2);
  if (!reader_check_once(reader, word, *flag_given) ||
      !reader_small(reader, word, value, 1, &number))
    return false;
  *flag_given = true;
  *flag = number == 1;
  return true;
}

/* Without ss, EL3 is in its own Security state, and what comes from there is Non-secure. */
static void follow_el3(const struct pmuv3_params *params, const struct pmuv3_pe *before,
                       struct pmuv3_pe *pe) {
  if (pe->el == 3)
    pe->ss = (uint8_t)pmuv3_el3_state(params);
  else if (before->el == 3)
    pe->ss = PMUV3_NS;
}

/* The state must be one that there is, and may change only when no software increment waits. */
static bool check_pe(struct reader *reader, unsigned thread, const struct pmuv3_pe *pe) {
  const struct pmuv3_params *params = &reader->stimulus->params;
  struct pmuv3_lex *lex = &reader->lex;
  const char *wrong = pmuv3_pe_wrong(params, pe);
  if (wrong) return pmuv3_lex_error(lex, "%s; expected a state that these parameters have", wrong);
  if (pe->snid && params->debugv8p2)
    return pmuv3_lex_error(lex, "snid=1 with debugv8p2=1; expected snid=0, or param debugv8p2=0");
  if (!pmuv3_pe_equal(pe, &reader->pe[thread]) && reader_has_pending(reader, thread))
    return pmuv3_lex_error(lex,
                           "the state of thread %u changes while its software increments are "
                           "pending; expected a cycle before this line",
                           thread);
  return true;
}

bool reader_pe(struct reader *reader) {
  struct pmuv3_item item = {.kind = PMUV3_ITEM_PE};
  const char *thread = pmuv3_lex_word(&reader->lex);
  if (!thread) return reader_ends_too_early(reader, "pe T [KEY=VALUE]...");
  if (!reader_thread(reader, thread, &item.thread)) return false;

  struct pmuv3_pe *before = &reader->pe[item.thread];
  struct pmuv3_pe given = {0};
  item.pe = *before;
  for (char *word; (word = pmuv3_lex_word(&reader->lex)) != NULL;)
    if (!read_key(reader, word, &given, &item.pe)) return false;
  if (!given.ss) follow_el3(&reader->stimulus->params, before, &item.pe);
  if (!check_pe(reader, item.thread, &item.pe)) return false;
  *before = item.pe;
  return reader_add_item(reader, item);
}
