#include "testbench/cosim/replay/trace.h"

#include <string.h>

/* A row of 14 numbers of at most 20 digits each, with what separates them. */
enum { ROW_SIZE = 14 * 21, BUFFER_SIZE = 1 << 16 };

/* Writes a number and the separator after it. Returns the place of the next number. */
static char *put_number(char *out, uint64_t number, char separator) {
  char digits[20];
  size_t first = sizeof digits;
  do {
    digits[--first] = (char)('0' + number % 10);
    number /= 10;
  } while (number > 0);
  memcpy(out, digits + first, sizeof digits - first);
  out += sizeof digits - first;
  *out++ = separator;
  return out;
}

static char *put_bit(char *out, uint32_t bits, unsigned n) {
  *out++ = (char)('0' + (bits >> n & 1));
  *out++ = ',';
  return out;
}

static char *put_row(char *out, const struct pmuv3_probe *probe, uint64_t cycle, unsigned thread,
                     unsigned n) {
  out = put_number(out, cycle, ',');
  out = put_number(out, thread, ',');
  out = put_number(out, n, ',');
  out = put_bit(out, probe->allowed, n);
  out = put_number(out, probe->VB[n], ',');
  out = put_bit(out, probe->CT, n);
  out = put_bit(out, probe->CP, n);
  out = put_bit(out, probe->CE, n);
  out = put_number(out, probe->VT[n], ',');
  out = put_number(out, probe->VE[n], ',');
  out = put_number(out, probe->V[n], ',');
  out = put_number(out, probe->value[n], ',');
  out = put_bit(out, probe->overflow, n);
  return put_number(out, probe->pulses >> n & 1, '\n');
}

void pmuv3_trace_head(FILE *out) {
  setvbuf(out, NULL, _IOFBF, BUFFER_SIZE);
  fputs("cycle,thread,counter,allowed,VB,CT,CP,CE,VT,VE,V,value,overflow,pulse\n", out);
}

void pmuv3_trace_rows(FILE *out, uint64_t cycle, unsigned thread, const struct pmuv3_probe *probe,
                      unsigned counters) {
  char row[ROW_SIZE];
  for (unsigned n = 0; n < counters; n++)
    fwrite(row, 1, (size_t)(put_row(row, probe, cycle, thread, n) - row), out);
}
