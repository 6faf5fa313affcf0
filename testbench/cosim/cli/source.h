/* The sources that a program was built from. */
#ifndef PMUV3_SOURCE_H
#define PMUV3_SOURCE_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The digest of the sources that the program was built from, as `./pmuv3 source` prints it. The
 * build writes it (testbench/signoff/evidence/digest.sh). */
extern const char pmuv3_source[];

/* The versions of the tools at the build: lines "NAME VERSION". */
extern const char pmuv3_versions[];

/* The preset of the build (CMakePresets.json). Other presets than release have other models. A row
 * of evidence has the digest of the sources, and no preset: it is of release. */
extern const char pmuv3_preset[];
bool pmuv3_preset_is_release(void);

/* ./pmuv3 sets PMUV3_SOURCE to a digest. A program that was built from other sources is
 * unusable. */
void pmuv3_source_check(void);

#ifdef __cplusplus
}
#endif

#endif
