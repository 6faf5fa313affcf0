#include "testbench/prove/equivalence/model_run.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

term run_variable(struct model *model, uint32_t width, const char *text, ...) {
  char name[96];
  va_list args;
  va_start(args, text);
  vsnprintf(name, sizeof name, text, args);
  va_end(args);
  const term made = term_var(width, name);
  model->variables =
      realloc(model->variables, (model->num_variables + 1) * sizeof *model->variables);
  if (model->variables == NULL) abort();
  model->variables[model->num_variables++] = made;
  return made;
}

void run_assume(struct model *model, term condition) {
  model->assumptions =
      realloc(model->assumptions, (model->num_assumptions + 1) * sizeof *model->assumptions);
  model->assumptions[model->num_assumptions++] = condition;
}

void run_assume_particular(struct model *model, term condition) {
  model->particulars =
      realloc(model->particulars, (model->num_particulars + 1) * sizeof *model->particulars);
  if (model->particulars == NULL) abort();
  model->particulars[model->num_particulars++] = condition;
}

void model_claim(struct model *model, char *name, term condition) {
  model->claims = realloc(model->claims, (model->num_claims + 1) * sizeof *model->claims);
  model->claims[model->num_claims++] = (struct claim){name, condition, false};
}
