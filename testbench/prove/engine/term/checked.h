/* Memory, or the end. */
#ifndef ENGINE_TERM_CHECKED_H
#define ENGINE_TERM_CHECKED_H

#include <stdio.h>
#include <stdlib.h>

/* What malloc() and its like return; the process ends if that is nothing. */
static inline void *checked(void *memory) {
  if (memory) return memory;
  fputs("engine: out of memory\n", stderr);
  exit(3); /* no verdict */
}

#endif
