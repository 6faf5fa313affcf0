#include "selector.h"

#include <stdlib.h>

int pmuv3_defect;

__attribute__((constructor)) static void select_defect(void) {
  const char *number = getenv("PMUV3_DEFECT");
  pmuv3_defect = number ? atoi(number) : 0;
}

/* The RTL calls this function by DPI. */
int pmuv3_defect_number(void);
int pmuv3_defect_number(void) {
  return pmuv3_defect;
}
