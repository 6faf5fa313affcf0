#define _GNU_SOURCE
#include "testbench/explore/tracer/guest.h"

#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "testbench/cosim/cli/file.h"
#include "testbench/explore/tracer/stream.h"

static const char qemu[] = "/usr/bin/qemu-aarch64";

struct guest {
  struct trace_stream *stream;
  int memory; /* the stream's file */
  pid_t process;
  bool has_ended;
  struct core *core;
  struct guest_end *end;
};

/* ---- The ELF ---- */

static const char *head_wrong(const Elf64_Ehdr *head) {
  if (memcmp(head->e_ident, ELFMAG, SELFMAG) != 0) return "it is no ELF";
  if (head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_ident[EI_DATA] != ELFDATA2LSB ||
      head->e_machine != EM_AARCH64)
    return "it is no aarch64 ELF";
  if (head->e_type != ET_EXEC && head->e_type != ET_DYN) return "it is no executable";
  return NULL;
}

/* The path of the loader that the program asks for. Empty: it asks for none. */
static void read_loader(FILE *in, const Elf64_Ehdr *head, char loader[PATH_MAX]) {
  Elf64_Phdr part;
  *loader = '\0';
  for (unsigned i = 0; i < head->e_phnum; i++) {
    if (fseek(in, (long)(head->e_phoff + i * sizeof part), SEEK_SET) != 0) return;
    if (fread(&part, sizeof part, 1, in) != 1) return;
    if (part.p_type != PT_INTERP || part.p_filesz >= PATH_MAX) continue;
    if (fseek(in, (long)part.p_offset, SEEK_SET) != 0) return;
    loader[fread(loader, 1, part.p_filesz, in)] = '\0';
    return;
  }
}

static const char *loader_wrong(const char *loader, const char *root) {
  static char wrong[2 * PATH_MAX];
  snprintf(wrong, sizeof wrong, "%s%s", root ? root : "", loader);
  if (access(wrong, R_OK) == 0 || access(loader, R_OK) == 0) return NULL;
  snprintf(wrong, sizeof wrong, "its loader '%.256s' is not in '%.256s'", loader,
           root ? root : "/");
  return wrong;
}

const char *guest_wrong(const char *path, const char *root) {
  Elf64_Ehdr head;
  char loader[PATH_MAX];
  const char *unopened;
  FILE *in = pmuv3_file_open(path, &unopened);
  if (!in) return unopened;
  errno = 0;
  const bool is_whole = fread(&head, sizeof head, 1, in) == 1;
  const char *why = errno ? strerror(errno) : is_whole ? head_wrong(&head) : "it is no ELF";
  if (!why) read_loader(in, &head, loader);
  fclose(in);
  return why || !*loader ? why : loader_wrong(loader, root);
}

/* ---- QEMU's process ---- */

/* In QEMU's options a comma in a value is doubled. */
static void quote_commas(const char *path, char *quoted) {
  for (; *path; path++) {
    if (*path == ',') *quoted++ = ',';
    *quoted++ = *path;
  }
  *quoted = '\0';
}

static size_t length_of(const char *const *words) {
  size_t length = 0;
  while (words[length]) length++;
  return length;
}

/* QEMU's words, and those of the program. NULL: no memory. */
static char **words_of(const struct guest_command *command, const char *plugin) {
  const char *const fixed[] = {"-cpu",          "neoverse-n1", "-seed", "1",
                               "-plugin",       plugin,        "-0",    command->arguments[0],
                               command->program};
  const size_t num_fixed = sizeof fixed / sizeof *fixed;
  const size_t arguments = length_of((const char *const *)command->arguments);
  const char **argv =
      calloc(3 + 2 * length_of(command->variables) + num_fixed + arguments, sizeof *argv);
  if (!argv) return NULL;
  size_t count = 0;
  argv[count++] = qemu;
  if (command->root) {
    argv[count++] = "-L";
    argv[count++] = command->root;
  }
  for (const char *const *variable = command->variables; *variable; variable++) {
    argv[count++] = "-E";
    argv[count++] = *variable;
  }
  memcpy(argv + count, fixed, sizeof fixed);
  memcpy(argv + count + num_fixed, command->arguments + 1, arguments * sizeof *argv);
  return (char **)argv;
}

/* The child becomes QEMU. The same addresses and the same environment in every run make the same
 * trace. */
static _Noreturn void become_qemu(const struct guest_command *command, int memory, pid_t parent) {
  static char *const environment[] = {(char *)"PATH=/usr/sbin:/usr/bin:/sbin:/bin",
                                      (char *)"LC_ALL=C", NULL};
  char path[2 * PATH_MAX], plugin[2 * PATH_MAX + 64];
  quote_commas(command->plugin, path);
  snprintf(plugin, sizeof plugin, "%s,memory=%d", path, memory);
  char **argv = words_of(command, plugin);
  if (!argv) _exit(EXIT_FAILURE);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(EXIT_FAILURE);
  if (command->writes_to_stderr) dup2(STDERR_FILENO, STDOUT_FILENO);
  signal(SIGXFSZ, SIG_DFL);
  personality(ADDR_NO_RANDOMIZE);
  execve(qemu, argv, environment);
  _exit(EXIT_FAILURE);
}

/* The records are mapped twice. */
static bool map_stream(struct guest *guest) {
  enum { ACCESS = PROT_READ | PROT_WRITE };
  struct trace_stream *stream =
      mmap(NULL, TRACE_STREAM_BYTES, ACCESS, MAP_SHARED | MAP_NORESERVE, guest->memory, 0);
  if (stream == MAP_FAILED) return false;
  guest->stream = stream;
  const size_t size = TRACE_NUM_RECORDS * sizeof *stream->records;
  return mmap(stream->records + TRACE_NUM_RECORDS, size, ACCESS, MAP_SHARED | MAP_FIXED,
              guest->memory, offsetof(struct trace_stream, records)) != MAP_FAILED;
}

static const char *start(struct guest *guest, const struct guest_command *command) {
  if (access(qemu, X_OK) != 0) return "there is no /usr/bin/qemu-aarch64: install qemu-user";
  guest->memory = memfd_create("pmuv3-trace", 0);
  if (guest->memory < 0 || ftruncate(guest->memory, TRACE_STREAM_BYTES) != 0 || !map_stream(guest))
    return strerror(errno);
  fflush(NULL);
  const pid_t parent = getpid();
  guest->process = fork();
  if (guest->process == 0) become_qemu(command, guest->memory, parent);
  return guest->process < 0 ? strerror(errno) : NULL;
}

static void look_for_end(struct guest *guest) {
  guest->has_ended = waitpid(guest->process, &guest->end->status, WNOHANG) == guest->process;
}

/* ---- The stream ---- */

/* Returns the number of the first record that is not there yet. Waits until there are some, or the
 * program has ended. */
static uint64_t wait_for_records(struct guest *guest, uint64_t tail) {
  static const struct timespec patience = {.tv_nsec = 10000000};
  struct trace_stream *stream = guest->stream;
  while (!guest->has_ended) {
    const uint32_t seen = stream->head_changed;
    if (stream->head != tail) return stream->head;
    syscall(SYS_futex, &stream->head_changed, FUTEX_WAIT, seen, &patience, NULL, 0);
    if (stream->head == tail) look_for_end(guest);
  }
  return stream->cursor;
}

/* The plugin is woken once half of the ring is free: then it has something to do. */
static void release_records(struct trace_stream *stream, uint64_t tail) {
  stream->tail = tail;
  if (stream->head - tail > TRACE_NUM_RECORDS / 2) return;
  stream->tail_changed++;
  syscall(SYS_futex, &stream->tail_changed, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

/* Record n, and the records behind it. */
static const uint64_t *records_from(const struct trace_stream *stream, uint64_t n) {
  return &stream->records[n % TRACE_NUM_RECORDS];
}

static struct trace_block *block_of(struct trace_stream *stream, uint64_t record) {
  return (void *)(stream->descriptors + 8 * (record & ~TRACE_RECORD_BLOCK));
}

static uint64_t pc_behind(const struct trace_block *block) {
  return block->pc + 4 * (uint64_t)block->count;
}

/* Instead of the next block's address: the program has ended. */
enum { NO_NEXT = 0 };

/* Whether the next block can be what an UNDEFINED instruction led to. */
static bool can_handle_undefined(const struct trace_stream *stream, uint64_t next) {
  const uint32_t count = stream->num_handlers;
  if (next == NO_NEXT || count > TRACE_MAX_HANDLERS) return true;
  for (uint32_t i = 0; i < count; i++)
    if (stream->handlers[i] == next) return true;
  return false;
}

/* An UNDEFINED instruction ends its block, and never is the block behind it the next one. Another
 * signal can come between any two blocks. */
static bool last_executes(const struct trace_stream *stream, struct trace_block *block,
                          uint64_t next) {
  if (!block->last_executes) block->last_executes = next == pc_behind(block);
  return block->last_executes || !can_handle_undefined(stream, next);
}

/* The instructions of a block that have been executed. The last access says how far the block came.
 * If an instruction that must access memory has not done so, or not all of it, then its access has
 * faulted and has ended the block. */
static uint32_t executed(const struct trace_stream *stream, struct trace_block *block,
                         const uint64_t *accesses, const uint64_t *end, uint64_t next) {
  uint32_t accessed = 0;
  if (accesses != end) {
    accessed = (uint32_t)trace_access_index(end[-1]);
    if (end[-1] & TRACE_NEEDS_MORE) return accessed;
    accessed++;
  }
  if (accessed < block->must_access) {
    while (!trace_must_access(&block->instructions[accessed])) accessed++;
    return accessed;
  }
  const bool is_whole = accessed == block->count || last_executes(stream, block, next);
  return block->count - !is_whole;
}

static void run_block(struct guest *guest, struct trace_block *block, const uint64_t *accesses,
                      const uint64_t *end, uint64_t next) {
  const struct core_block run = {.pc = block->pc,
                                 .instructions = block->instructions,
                                 .count = executed(guest->stream, block, accesses, end, next),
                                 .accesses = accesses,
                                 .next = next};
  core_execute(guest->core, &run);
  guest->end->instructions += run.count;
}

/* Executes the blocks before `head` but the last one, which waits for its successor. Returns the
 * record of the last one. */
static uint64_t run_blocks(struct guest *guest, uint64_t tail, uint64_t head) {
  if (tail == head) return tail;
  struct trace_stream *stream = guest->stream;
  const uint64_t *record = records_from(stream, tail), *behind = record + (head - tail);
  struct trace_block *block = block_of(stream, *record);
  for (const uint64_t *end = record + 1; end < behind; end++) {
    if (!(*end & TRACE_RECORD_BLOCK)) continue;
    struct trace_block *next = block_of(stream, *end);
    run_block(guest, block, record + 1, end, next->pc);
    block = next;
    record = end;
  }
  return head - (uint64_t)(behind - record);
}

/* The program has ended in the block of `tail`. Nothing tells whether its last instruction has
 * executed, unless that is known. */
static void run_last_block(struct guest *guest, uint64_t tail, uint64_t head) {
  if (tail == head) return;
  const uint64_t *record = records_from(guest->stream, tail);
  struct trace_block *block = block_of(guest->stream, *record);
  const uint64_t next = block->last_executes ? pc_behind(block) : NO_NEXT;
  guest->stream->records[head % TRACE_NUM_RECORDS] = TRACE_RECORD_BLOCK;
  run_block(guest, block, record + 1, record + (head - tail), next);
}

/* ---- All ---- */

static const char *why_ended(struct guest *guest) {
  if (!guest->stream->is_ready) return "QEMU does not take the plugin";
  if (guest->stream->is_full) return "it has more code than the tracer has room for";
  guest->end->has_threads = guest->stream->has_threads;
  guest->end->is_replaced = guest->stream->is_replaced;
  guest->end->clears = guest->stream->clears;
  return NULL;
}

const char *guest_run(const struct guest_command *command, struct core *core,
                      struct guest_end *end) {
  struct guest guest = {.core = core, .end = end};
  *end = (struct guest_end){0};
  const char *why = start(&guest, command);
  if (why) return why;
  uint64_t tail = 0, head = 0;
  while (!guest.has_ended) {
    head = wait_for_records(&guest, head);
    const uint64_t read = run_blocks(&guest, tail, head);
    if (read != tail) release_records(guest.stream, tail = read);
  }
  run_last_block(&guest, tail, head);
  return why_ended(&guest);
}
