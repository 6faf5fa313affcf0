#include "testbench/cosim/check/bench/recording.h"

#include <stdlib.h>

bool recording_add(struct recording *recording, const struct pmuv3_record *record) {
  if (recording->count == recording->room) {
    const size_t room = recording->room ? 2 * recording->room : 4096;
    struct pmuv3_record *records = realloc(recording->records, room * sizeof *records);
    if (!records) return false;
    recording->records = records;
    recording->room = room;
  }
  recording->records[recording->count++] = *record;
  return true;
}
