/* What the runs of several modes never compared. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/check/bench/never.h"

/* What some mode did not compare, and why. */
struct row {
  const char *kind;
  char *what;
  char *why[NUM_MODES]; /* NULL: the mode compared it, or did not run */
};

struct rows {
  struct row *of;
  size_t count;
  unsigned mode; /* whose rows are added */
};

static struct row *row_of(struct rows *rows, const struct never *never) {
  for (size_t r = 0; r < rows->count; r++)
    if (strcmp(rows->of[r].kind, never->kind) == 0 && strcmp(rows->of[r].what, never->what) == 0)
      return &rows->of[r];
  rows->of = or_no_verdict(realloc(rows->of, (rows->count + 1) * sizeof *rows->of));
  struct row *row = &rows->of[rows->count++];
  *row = (struct row){.kind = never->kind, .what = or_no_verdict(strdup(never->what))};
  return row;
}

static void add(void *context, const struct never *never) {
  struct rows *rows = context;
  struct row *row = row_of(rows, never);
  if (!row->why[rows->mode]) row->why[rows->mode] = or_no_verdict(strdup(never->why));
}

static bool is_in_all(const struct row *row, const struct outcome *const by_mode[NUM_MODES]) {
  for (unsigned m = 0; m < NUM_MODES; m++)
    if (by_mode[m] && !row->why[m]) return false;
  return true;
}

/* The reason that all have, or NULL. */
static const char *common(const struct row *row) {
  const char *why = NULL;
  for (unsigned m = 0; m < NUM_MODES; m++) {
    if (!row->why[m]) continue;
    if (why && strcmp(why, row->why[m]) != 0) return NULL;
    why = row->why[m];
  }
  return why;
}

/* "mode exact: WHY; mode settled: WHY" */
static const char *each(const struct row *row, char *buf, size_t size) {
  size_t length = 0;
  buf[0] = '\0';
  for (unsigned m = 0; m < NUM_MODES && length < size; m++)
    if (row->why[m])
      length += (size_t)snprintf(buf + length, size - length, "%smode %s: %s", length ? "; " : "",
                                 pmuv3_mode_name((enum pmuv3_mode)m), row->why[m]);
  return buf;
}

static void free_rows(struct rows *rows) {
  for (size_t r = 0; r < rows->count; r++) {
    free(rows->of[r].what);
    for (unsigned m = 0; m < NUM_MODES; m++) free(rows->of[r].why[m]);
  }
  free(rows->of);
}

void never_in_modes(const struct outcome *const by_mode[NUM_MODES], bool in_all, never_sayer *say,
                    void *context) {
  struct rows rows = {0};
  for (rows.mode = 0; rows.mode < NUM_MODES; rows.mode++)
    if (by_mode[rows.mode]) never_compared(by_mode[rows.mode], add, &rows);
  for (size_t r = 0; r < rows.count; r++) {
    const struct row *row = &rows.of[r];
    char buf[600];
    if (is_in_all(row, by_mode) != in_all) continue;
    const char *why = in_all ? common(row) : NULL;
    say(context, &(struct never){row->kind, row->what, why ? why : each(row, buf, sizeof buf)});
  }
  free_rows(&rows);
}
