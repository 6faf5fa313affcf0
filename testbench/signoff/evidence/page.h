/* The page of `pmuv3 signoff`. */
#ifndef PMUV3_PAGE_H
#define PMUV3_PAGE_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * Writes what signoff.json says (docs/reference/formats.md) as one HTML page that needs nothing
 * else: no script, no other file. False: `out` could not be written.
 */
bool pmuv3_page_write(FILE *out, const json_object *signoff);

#endif
