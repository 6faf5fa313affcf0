/* Of which sources a program is. */
#ifndef PMUV3_SOURCE_H
#define PMUV3_SOURCE_H

#ifdef __cplusplus
extern "C" {
#endif

/* The digest of the sources that the program was built of: what `./pmuv3 source` prints of them.
 * The build makes it (testbench/signoff/evidence/digest.sh). */
extern const char pmuv3_source[];

/* The versions of the tools when the program was built: lines "NAME VERSION". */
extern const char pmuv3_versions[];

/* Where ./pmuv3 says in PMUV3_SOURCE of which sources a program has to be, any other is unusable.
 */
void pmuv3_source_check(void);

#ifdef __cplusplus
}
#endif

#endif
