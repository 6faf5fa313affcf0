/*
 * Sets of events as text: files of `--events` and `param events=FILE`, and `param event=ROW`
 * (docs/reference/formats.md).
 */
#ifndef PMUV3_EVENTS_TEXT_H
#define PMUV3_EVENTS_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "pmuv3/params.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Room for the longest mnemonic, with its '\0'. */
#define PMUV3_EVENT_NAME_SIZE 48

/*
 * The mnemonic of an event: that of events.def, else that of the last text that named the number,
 * else IMP_ and the number. Returns `name`.
 */
const char *pmuv3_event_name(uint16_t number, char name[PMUV3_EVENT_NAME_SIZE]);

/*
 * Reads a file of events: the set that an implementation has. On bad input returns false and writes
 * one line "FILE:LINE: what is wrong and what was expected" (no newline) to error.
 */
bool pmuv3_events_read(struct pmuv3_events *events, FILE *in, const char *name, char *error,
                       size_t error_size);

/* Opens a regular file that a text or an argument names: of events, or the preset of a core. NULL:
 * *why says in words why not. */
FILE *pmuv3_events_open(const char *path, const char **why);

/* Gets the path of each file that was opened so: a program's outputs must not be one of its inputs
 * (pmuv3_cli_parse sets it). NULL: nobody asks. */
extern void (*pmuv3_named_input)(const char *path);

/* Likewise from a regular file. */
bool pmuv3_events_read_file(struct pmuv3_events *events, const char *path, char *error,
                            size_t error_size);

/*
 * Adds the event of a row, NUMBER[,MNEMONIC][,KEY=VALUE]..., or replaces the event of that number.
 * `row` is cut in place, and *number gets the event's number. Returns NULL, or says in words what
 * is wrong; then the set is unchanged. The words last until the thread's next call.
 */
const char *pmuv3_events_add_row(struct pmuv3_events *events, char *row, uint16_t *number);

/* Writes a set as parameters: `events=none`, and `event=ROW` for each event that is not SELF, with
 * `between` before each. */
void pmuv3_events_write(FILE *out, const struct pmuv3_events *events, const char *between);

/* Whether it is the default set, which needs no parameters. */
bool pmuv3_events_are_default(const struct pmuv3_events *events);

/*
 * Sets any parameter of a command line or a configuration: core, which replaces all others, events,
 * event, or one of pmuv3_params_set. Returns NULL, or says in words what is wrong; then the
 * parameters are unchanged. The words last until the thread's next call.
 */
const char *pmuv3_param_set(struct pmuv3_params *params, const char *name, const char *value);

#ifdef __cplusplus
}
#endif

#endif
