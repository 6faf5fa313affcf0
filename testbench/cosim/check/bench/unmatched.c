#include "testbench/cosim/check/bench/unmatched.h"

#include "testbench/cosim/cli/cli.h"

enum { WORDS = 200 };

void unmatched_expect_verdict(const struct pmuv3_device *device,
                              const struct pmuv3_check_port *ports) {
  char words[WORDS];
  for (unsigned p = 0; p < device->num_ports; p++)
    if (pmuv3_check_matches_none(&ports[p]))
      pmuv3_cli_no_verdict("%s: no verdict",
                           pmuv3_check_port_words(&ports[p], p, words, sizeof words));
}

void unmatched_print(FILE *out, const struct pmuv3_device *device,
                     const struct pmuv3_check_port *ports) {
  char words[WORDS];
  for (unsigned p = 0; p < device->num_ports; p++)
    if (ports[p].unmatched)
      fprintf(out, "%s\n", pmuv3_check_port_words(&ports[p], p, words, sizeof words));
}

json_object *unmatched_json(const struct pmuv3_device *device,
                            const struct pmuv3_check_port *ports) {
  json_object *array = json_object_new_array();
  for (unsigned p = 0; p < device->num_ports; p++) {
    if (!ports[p].unmatched) continue;
    json_object *object = json_object_new_object();
    json_object_object_add(object, "port", json_object_new_int((int)p));
    json_object_object_add(object, "accesses", json_object_new_uint64(ports[p].accesses));
    json_object_object_add(object, "unmatched", json_object_new_uint64(ports[p].unmatched));
    json_object_object_add(object, "first_address",
                           json_object_new_uint64(ports[p].first_unmatched));
    json_object_array_add(array, object);
  }
  return array;
}
