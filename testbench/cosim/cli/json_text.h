/* Texts in JSON. JSON is UTF-8, and the name of a file may have any bytes. */
#ifndef PMUV3_JSON_TEXT_H
#define PMUV3_JSON_TEXT_H

#include <json-c/json.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The text, with U+FFFD for each byte that is not UTF-8. The caller frees it. */
char *pmuv3_utf8(const char *text);

/* Every text that a program writes to JSON is one of these. */
json_object *pmuv3_json_text(const char *text);

#ifdef __cplusplus
}
#endif

#endif
