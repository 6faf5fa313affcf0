/* The sources that a program was built from. */
#ifndef PMUV3_SOURCE_H
#define PMUV3_SOURCE_H

#ifdef __cplusplus
extern "C" {
#endif

/* The digest of the sources that the program was built from, as `./pmuv3 source` prints it. The
 * build writes it (testbench/signoff/evidence/digest.sh). */
extern const char pmuv3_source[];

/* The versions of the tools at the build: lines "NAME VERSION". */
extern const char pmuv3_versions[];

/* ./pmuv3 sets PMUV3_SOURCE to a digest. A program that was built from other sources is
 * unusable. */
void pmuv3_source_check(void);

#ifdef __cplusplus
}
#endif

#endif
