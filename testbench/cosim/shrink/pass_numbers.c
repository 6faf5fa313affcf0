/* Numbers: clears bits of values, and makes counts and parameters smaller. */
#define _GNU_SOURCE
#include <ctype.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/shrink/ddmin.h"
#include "testbench/cosim/shrink/passes.h"

/* ---- Places of numbers ---- */

/* The index of the word that is an access's value: after the register, or after the offset. */
static size_t value_word(const struct pmuv3_words *words) {
  const char *keyword = words->word[0];
  const bool is_refused = strcmp(keyword, "refused") == 0;
  const bool is_external = strcmp(keyword, "extw") == 0;
  if (!is_refused && !is_external && strcmp(keyword, "write") != 0 && strcmp(keyword, "msr") != 0)
    return SIZE_MAX;
  size_t i = 1u + is_refused;
  if (i < words->count && *words->word[i] == '@') i++;
  if (is_external && i < words->count && isalpha((unsigned char)*words->word[i])) i++;
  return i + 1;
}

/* The part of a word that can be a smaller number. NULL: the word has none. */
static char *number_in(const struct pmuv3_words *words, size_t i) {
  const char *keyword = words->word[0];
  char *word = words->word[i];
  char *equals = strchr(word, '=');
  if (strncmp(word, "event", 5) == 0) return NULL; /* of the set of events */
  if (strcmp(keyword, "idle") == 0 || i == value_word(words)) return word;
  if (strcmp(keyword, "pe") == 0 || (strcmp(keyword, "param") == 0 && strncmp(word, "K-", 2) != 0))
    return equals ? equals + 1 : NULL;
  if (strcmp(keyword, "cycle") != 0) return NULL;
  if (equals) return equals + 1;
  char *colon = strchr(word, ':');
  return colon ? colon + 1 : NULL;
}

/* Number k of line n. */
struct number {
  struct pmuv3_shrinking *shrinking;
  size_t n;
  size_t k;
};

/* The number's place in the words of its line; NULL: there is none. `i` gets the word's index. */
static char *find(const struct number *number, const struct pmuv3_words *words, size_t *i) {
  size_t k = number->k;
  for (*i = 1; *i < words->count; ++*i) {
    char *digits = number_in(words, *i);
    if (digits && isdigit((unsigned char)*digits) && k-- == 0) return digits;
  }
  return NULL;
}

static struct pmuv3_words words_of(const struct number *number) {
  return pmuv3_words_of(pmuv3_lines_at(number->shrinking->text, number->n));
}

static bool get(const struct number *number, uint64_t *value, bool *is_amount) {
  struct pmuv3_words words = words_of(number);
  size_t i;
  const char *digits = find(number, &words, &i);
  if (digits) {
    *value = pmuv3_lines_number(digits, NULL);
    *is_amount = strcmp(words.word[0], "idle") == 0 || strcmp(words.word[0], "param") == 0 ||
                 (strcmp(words.word[0], "cycle") == 0 && !strchr(words.word[i], '='));
  }
  pmuv3_words_free(&words);
  return digits != NULL;
}

/* The word with `value` instead of the number at `digits`. */
static char *with_number(const char *word, const char *digits, uint64_t value) {
  struct pmuv3_builder builder;
  pmuv3_builder_open(&builder);
  const bool is_hex = strncmp(digits, "0x", 2) == 0;
  fprintf(builder.out, "%.*s", (int)(digits - word), word);
  fprintf(builder.out, is_hex ? "0x%" PRIx64 : "%" PRIu64, value);
  fputs(digits + (is_hex ? 2 : 0) + strspn(digits + (is_hex ? 2 : 0), "0123456789abcdefABCDEF"),
        builder.out);
  return pmuv3_builder_take(&builder);
}

static bool try_value(const struct number *number, uint64_t value) {
  struct pmuv3_words words = words_of(number);
  size_t i;
  const char *digits = find(number, &words, &i);
  char *line = NULL;
  if (digits) {
    char *word = with_number(words.word[i], digits, value);
    words.word[i] = word;
    line = pmuv3_words_join(&words);
    free(word);
  }
  pmuv3_words_free(&words);
  return line && pmuv3_shrinking_try_line(number->shrinking, number->n, line);
}

/* ---- Amounts: a binary search, as if every larger amount diverged too ---- */

static bool shrink_amount(const struct number *number, uint64_t value) {
  if (value == 0) return false;
  if (try_value(number, 0)) return true;
  uint64_t too_small = 0;
  bool any = false;
  for (uint64_t next = 1; value - too_small > 1; next = too_small + (value - too_small) / 2) {
    if (try_value(number, next)) {
      any = true;
      value = next;
    } else {
      too_small = next;
    }
  }
  return any;
}

/* ---- Bits, from the highest ---- */

static size_t count_bits(void *row) {
  const struct number *number = row;
  uint64_t value;
  bool is_amount;
  if (pmuv3_shrinking_is_late(number->shrinking)) return 0;
  return get(row, &value, &is_amount) ? (size_t)__builtin_popcountll(value) : 0;
}

static bool leave_out_bits(void *row, size_t first, size_t length) {
  uint64_t value;
  bool is_amount;
  if (!get(row, &value, &is_amount)) return false;
  uint64_t left = value;
  for (size_t set = 0, bit = 64; bit-- > 0;) {
    if (!(value >> bit & 1)) continue;
    if (set >= first && set < first + length) left &= ~(UINT64_C(1) << bit);
    set++;
  }
  return try_value(row, left);
}

static bool shrink_bits(struct number *number, uint64_t value) {
  if (value == 0) return false;
  return try_value(number, 0) ||
         pmuv3_ddmin(&(struct pmuv3_row){count_bits, leave_out_bits}, number);
}

static bool shrink_line(struct pmuv3_shrinking *shrinking, size_t n) {
  struct number number = {shrinking, n, 0};
  bool any = false, is_amount;
  for (uint64_t value; !pmuv3_shrinking_is_late(shrinking) && get(&number, &value, &is_amount);
       number.k++)
    any |= is_amount ? shrink_amount(&number, value) : shrink_bits(&number, value);
  return any;
}

bool pmuv3_pass_numbers(struct pmuv3_shrinking *shrinking) {
  bool any = false;
  for (size_t n = 1; pmuv3_shrinking_has_line(shrinking, n); n++) any |= shrink_line(shrinking, n);
  return any;
}
