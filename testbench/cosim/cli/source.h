/* Of which sources a program is. */
#ifndef PMUV3_SOURCE_H
#define PMUV3_SOURCE_H

#ifdef __cplusplus
extern "C" {
#endif

/* The digest of the sources that the program was built of: what `./pmuv3 source` prints of them.
 * The build makes it (testbench/signoff/evidence/digest.sh). */
extern const char pmuv3_source[];

/* Where ./pmuv3 says in PMUV3_SOURCE of which sources a program has to be, any other is unusable.
 */
void pmuv3_source_check(void);

#ifdef __cplusplus
}
#endif

#endif
