/* A user of the checker: a device that answers one read rightly, and one wrongly. */
#define _POSIX_C_SOURCE 200809L
#include <pmuv3/check.h>
#include <string.h>

static const char text[] =
    "pmuv3-device 1\n"
    "param core=neoverse-v2\n"
    "clock clk\n"
    "port csr request=req address=addr value=data\n"
    "register 0 PMSELR_EL0\n";

int main(void) {
  char error[200];
  FILE *in = fmemopen((void *)text, strlen(text), "r");
  struct pmuv3_device *device = pmuv3_device_read(in, "device", error, sizeof error);
  struct pmuv3_check *check = device ? pmuv3_check_create(device) : NULL;
  struct pmuv3_record record;
  fclose(in);
  if (!check) return 1;
  pmuv3_record_init(&record, device);
  record.port[0].request = true;
  if (!pmuv3_check_clock(check, &record)) return 2;
  record.port[0].value = 5;
  if (pmuv3_check_clock(check, &record) || !pmuv3_check_diverged(check)) return 3;
  pmuv3_check_destroy(check);
  pmuv3_device_free(device);
  return 0;
}
