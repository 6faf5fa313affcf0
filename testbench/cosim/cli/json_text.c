#include "testbench/cosim/cli/json_text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/cli/cli.h"

static const char replacement[] = "\xEF\xBF\xBD"; /* U+FFFD */

/* The number of bytes of a UTF-8 character with this first byte. 0: no character begins so. */
static size_t length_by(unsigned char first) {
  if (first < 0x80) return 1;
  if (first < 0xC0) return 0;
  if (first < 0xE0) return 2;
  if (first < 0xF0) return 3;
  return first < 0xF8 ? 4 : 0;
}

/* The number of bytes of the first character. 0: the bytes are not UTF-8. */
static size_t length_of(const char *text) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000}; /* smallest code point, by length */
  const size_t length = length_by((unsigned char)*text);
  if (length < 2) return length;
  uint32_t character = (unsigned char)*text & (0x7FU >> length);
  for (size_t i = 1; i < length; i++) {
    const unsigned char byte = (unsigned char)text[i];
    if ((byte & 0xC0) != 0x80) return 0;
    character = character << 6 | (byte & 0x3F);
  }
  const bool is_surrogate = character >= 0xD800 && character <= 0xDFFF;
  return character < least[length] || is_surrogate || character > 0x10FFFF ? 0 : length;
}

/* XML has only these of the characters below U+0020, and neither U+FFFE nor U+FFFF. */
static bool is_of_xml(const char *character, size_t length) {
  if ((unsigned char)*character < ' ') return strchr("\t\n\r", *character) != NULL;
  return length != 3 ||
         (memcmp(character, "\xEF\xBF\xBE", 3) && memcmp(character, "\xEF\xBF\xBF", 3));
}

static char *make_text(const char *text, bool is_xml) {
  char *made = malloc(strlen(text) * strlen(replacement) + 1), *end = made;
  if (!made) pmuv3_cli_no_verdict("out of memory");
  while (*text) {
    const size_t length = length_of(text);
    const bool is_kept = length > 0 && (!is_xml || is_of_xml(text, length));
    const char *from = is_kept ? text : replacement;
    const size_t size = is_kept ? length : strlen(replacement);
    memcpy(end, from, size);
    end += size;
    text += length > 0 ? length : 1;
  }
  *end = '\0';
  return made;
}

char *pmuv3_utf8(const char *text) {
  return make_text(text, false);
}

char *pmuv3_xml_text(const char *text) {
  return make_text(text, true);
}

json_object *pmuv3_json_text(const char *text) {
  char *made = pmuv3_utf8(text);
  json_object *object = json_object_new_string(made);
  free(made);
  return object;
}
