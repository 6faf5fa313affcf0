/*
 * Files that programs write: whole or not at all (docs/reference/formats.md, "Files that are
 * written").
 *
 * A file grows in a private folder beside its place and is renamed when it is whole. Nothing but a
 * regular file with one name is replaced; the new file gets its rights, owner and group. A symbolic
 * link stays: the file that it points to is replaced.
 */
#ifndef PMUV3_FILE_H
#define PMUV3_FILE_H

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pmuv3_file;

/* What may be at the path of a file. */
enum pmuv3_file_kind {
  PMUV3_FILE_REGULAR, /* any regular file: the user named it */
  PMUV3_FILE_STREAM,  /* also a character device, a pipe, or an open descriptor (/dev/stdout,
                         /dev/fd/N), which is written into as it is */
  PMUV3_FILE_OWN,     /* only a file that a program made, in a folder that the user named (own.h) */
};

/* Why `path` cannot be written, in words. NULL: the path is usable. */
const char *pmuv3_file_wrong(const char *path, enum pmuv3_file_kind kind);

/* Begins a file. The caller writes to pmuv3_file_stream(). NULL: `why` is the reason in words. */
struct pmuv3_file *pmuv3_file_begin(const char *path, enum pmuv3_file_kind kind, const char **why);
FILE *pmuv3_file_stream(const struct pmuv3_file *file);

/* Begins a file for a writer that opens pmuv3_file_name() itself, and may map the file. Such a
 * writer gets SIGBUS if the disk is full. The program then prints `message` and exits with status
 * 2. */
struct pmuv3_file *pmuv3_file_begin_named(const char *path, const char *message, const char **why);
const char *pmuv3_file_name(const struct pmuv3_file *file);

/* Puts the file in place and frees it. Returns NULL, or in words why nothing was changed. */
const char *pmuv3_file_end(struct pmuv3_file *file);

/* Drops the file and frees it. The old file stays. NULL is allowed. */
void pmuv3_file_drop(struct pmuv3_file *file);

/* Writes a whole file. Returns NULL, or in words why not. */
typedef bool pmuv3_file_writer(FILE *out, const void *context);
const char *pmuv3_file_write(const char *path, enum pmuv3_file_kind kind, pmuv3_file_writer *write,
                             const void *context);

/*
 * Opens a file to read it: a regular file, or a pipe that is an open descriptor (/dev/stdin,
 * /dev/fd/N), as `<(...)` of a shell is. A pipe with a name, a device and a folder may wait or last
 * forever. NULL: `why` is the reason in words.
 */
FILE *pmuv3_file_open(const char *path, const char **why);

/* ---- Which files are in use ---- */

/*
 * Notes that a program reads, or writes, a file. Messages use `name`, which must stay valid.
 * Returns the name of a conflicting use: one of both uses would destroy the file. NULL: no
 * conflict.
 */
const char *pmuv3_file_reads(const char *path, const char *name);
const char *pmuv3_file_writes(const char *path, const char *name);

#ifdef __cplusplus
}
#endif

#endif
