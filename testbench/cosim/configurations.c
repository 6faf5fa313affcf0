#define _GNU_SOURCE
#include "testbench/cosim/configurations.h"

#include <string.h>

const struct pmuv3_configuration pmuv3_configurations[PMUV3_NUM_CONFIGURATIONS] = {
    {"31 counters, everything", "counters=31"},
    {"31 counters, narrow thresholds", "counters=31 th_width=4 K-RESTC=b"},
    {"8 counters, thresholds only", "counters=8 features=TH,PMUv3p5"},
    {"5 counters of 32 bits, edges", "counters=5 features=TH,EDGE"},
    {"6 counters, no EL2", "counters=6 el2=0"},
    {"6 counters, no EL3, one-bit thresholds", "counters=6 el3=0 th_width=1"},
    {"7 linked counters of 32 bits, no PMUv3p1", "counters=7 features=TH2 K-RESTC=b"},
    {"4 counters, no feature at all", "counters=4 features=none"},
    {"1 counter", "counters=1"},
    {"no counters", "counters=0"},
};

const char *pmuv3_configuration_set(struct pmuv3_params *params, const char *pairs) {
  static char copy[512];
  if (strlen(pairs) >= sizeof copy) return "parameters too long";
  strcpy(copy, pairs);
  char *rest = copy;
  for (char *pair = strtok_r(rest, " ", &rest); pair; pair = strtok_r(NULL, " ", &rest)) {
    char *value = strchr(pair, '=');
    if (!value) return "expected NAME=VALUE";
    *value++ = '\0';
    const char *error = pmuv3_params_set(params, pair, value);
    if (error) return error;
  }
  return NULL;
}
