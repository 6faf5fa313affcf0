/* Names of what is claimed and asked. */
#ifndef PMUV3_PROVE_TEXT_H
#define PMUV3_PROVE_TEXT_H

/* As printf has it; the caller frees it. */
__attribute__((format(printf, 1, 2))) char *text_format(const char *text, ...);

#endif
