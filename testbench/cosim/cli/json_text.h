/* Texts in JSON and XML. Both are UTF-8, and XML has no control characters, but a file name may
 * have any bytes. */
#ifndef PMUV3_JSON_TEXT_H
#define PMUV3_JSON_TEXT_H

#include <json-c/json.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The text, with U+FFFD for each byte that is not UTF-8. The caller frees it. */
char *pmuv3_utf8(const char *text);

/* Likewise for XML: also U+FFFD for each character that XML does not have. The caller frees it. */
char *pmuv3_xml_text(const char *text);

/* A text for JSON. Programs make all JSON texts with this function. */
json_object *pmuv3_json_text(const char *text);

#ifdef __cplusplus
}
#endif

#endif
