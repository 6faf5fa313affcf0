/* The page of `pmuv3 signoff`. */
#ifndef PMUV3_PAGE_H
#define PMUV3_PAGE_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>

/*
 * Writes the contents of signoff.json (docs/reference/formats.md) as one self-contained HTML page,
 * without a script. False: a write failed.
 */
bool pmuv3_page_write(FILE *out, const json_object *signoff);

#endif
