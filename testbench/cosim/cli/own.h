/*
 * Files that programs made in a folder that the user named (--out). A program replaces and removes
 * only these, and only if they are as a program left them: the user may have put files of the same
 * names there, or may have edited one.
 *
 * The folder's list, `.pmuv3.list`, has a line "DIGEST NAME" for each file. The digest shows
 * changes; it does not protect against a person who forges the list.
 */
#ifndef PMUV3_OWN_H
#define PMUV3_OWN_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Why a program must not replace the file, in words. NULL: there is no such file, or it is as a
 * program made it. */
const char *pmuv3_own_wrong(const char *path);

/* The digest of a file's contents. False with errno. */
bool pmuv3_own_digest(uint64_t *digest, const char *path);

/* Lists the contents of the file `made` as those of `path`. It is called before `made` gets that
 * name, so that a kill leaves no file that is not listed. Returns NULL, or in words why not. */
const char *pmuv3_own_add(const char *made, const char *path);

/* Removes a file that a program made. Returns whether no file of that name is left. */
bool pmuv3_own_remove(const char *path);

/* Removes the files of these names that programs made in the folder. NULL ends the names. Returns
 * NULL, or in words why one of them must stay. Then all of them stay. */
const char *pmuv3_own_remove_all(const char *folder, const char *const *names);

/* Keeps other programs out of the folder until this process ends: each result is of one program.
 * Returns NULL, or in words why not. */
const char *pmuv3_own_lock(const char *folder);

#ifdef __cplusplus
}
#endif

#endif
