/* Prints the header's command, the cycles and the totals of a trace, for tests. */
#include <inttypes.h>
#include <stdio.h>

#include "testbench/explore/pmt/pmt.h"

static void print_states(const struct pmt_reader *reader) {
  char error[4096];
  struct pmt_block *block = pmt_block_new(reader);
  for (uint64_t b = 0; block && b < pmt_reader_blocks(reader); b++) {
    if (!pmt_reader_read(reader, b, NULL, block, error, sizeof error)) {
      puts(error);
      break;
    }
    for (uint32_t i = 0; i < block->num_changes; i++)
      printf("state %" PRIu64 " thread=%u el=%u ss=%u active=%d\n",
             block->first + block->changes[i].cycle, block->changes[i].thread,
             block->changes[i].pe.el, block->changes[i].pe.ss, block->changes[i].pe.active);
  }
  pmt_block_free(block);
}

int main(int argc, char **argv) {
  char error[4096];
  struct pmt_reader *reader = argc == 2 ? pmt_reader_open(argv[1], error, sizeof error) : NULL;
  if (!reader) {
    fprintf(stderr, "%s\n", argc == 2 ? error : "expected FILE");
    return 2;
  }
  const struct pmt_header *header = pmt_reader_header(reader);
  printf("command %s\n", header->command);
  printf("cycles %" PRIu64 "\n", pmt_reader_cycles(reader));
  for (unsigned c = 0; c < header->num_columns; c++)
    printf("%s@%u/%u %" PRIu64 "\n", header->columns[c].name, header->columns[c].thread,
           header->columns[c].origin, pmt_reader_total(reader, c));
  print_states(reader);
  pmt_reader_close(reader);
  return 0;
}
