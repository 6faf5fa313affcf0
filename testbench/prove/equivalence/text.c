#include "testbench/prove/equivalence/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

char *text_format(const char *text, ...) {
  char *result = NULL;
  va_list args;
  va_start(args, text);
  if (vasprintf(&result, text, args) < 0) abort();
  va_end(args);
  return result;
}
