/*
 * The plugin in QEMU's process. It decodes each block that QEMU translates, and records which
 * blocks the program's first thread executes, and where they access memory (stream.h). The core
 * model is in the tracer's process.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "testbench/explore/tracer/qemu_plugin.h"
#include "testbench/explore/tracer/stream.h"

#define EXPORT __attribute__((visibility("default")))

static struct trace_stream *stream;

static pid_t process;

/* The place of the address 0 of the program in the process of QEMU. */
static uint64_t host_of_guest;

/* A child that the program forks has a stream of its own, which nobody reads. */
static bool is_child;

/* ---- Records ---- */

/* Waits until the tracer has read enough. */
static void wait_for_room(uint64_t cursor) {
  const uint64_t most = TRACE_NUM_RECORDS - TRACE_PUBLISHED - TRACE_MAX_BLOCK_RECORDS;
  for (;;) {
    const uint32_t seen = stream->tail_changed;
    if (cursor - stream->tail <= most) return;
    syscall(SYS_futex, &stream->tail_changed, FUTEX_WAIT, seen, NULL, NULL, 0);
  }
}

/* Called between blocks. */
static void publish(uint64_t cursor) {
  stream->head = cursor;
  if (is_child) {
    stream->tail = cursor;
    return;
  }
  stream->head_changed++;
  syscall(SYS_futex, &stream->head_changed, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
  wait_for_room(cursor);
}

static void block_begins(unsigned vcpu, void *data) {
  if (vcpu != 0) return;
  const uint64_t cursor = stream->cursor;
  if (cursor - atomic_load_explicit(&stream->head, memory_order_relaxed) >= TRACE_PUBLISHED)
    publish(cursor);
  stream->records[cursor % TRACE_NUM_RECORDS] = TRACE_RECORD_BLOCK | (uintptr_t)data;
  stream->cursor = cursor + 1;
}

/* An access that makes its instruction whole. */
static void memory_accessed(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address,
                            void *data) {
  (void)info;
  if (vcpu != 0) return;
  stream->records[stream->cursor++ % TRACE_NUM_RECORDS] =
      (uintptr_t)data | trace_access_address(address);
}

/* The userdata of an instruction that accesses memory in parts: its index as in a record, how many
 * bytes it must access, and whether only what it stores counts. */
enum { PART_BYTES = 0xFF, PART_IS_STORE = 0x100 };

/* QEMU makes several accesses of the instruction, and each can fault. Only their bytes say when the
 * instruction is whole: how many accesses there are depends on QEMU's version, and on threads. */
static void part_accessed(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address, void *data) {
  static unsigned missing;
  if (vcpu != 0) return;
  const uint64_t part = (uintptr_t)data, index = trace_access_index(part) << TRACE_INDEX_PLACE;
  const uint64_t before = stream->records[(stream->cursor - 1) % TRACE_NUM_RECORDS];
  const bool goes_on = (before & ~trace_access_address(UINT64_MAX)) == (index | TRACE_NEEDS_MORE);
  if (!goes_on) missing = part & PART_BYTES;
  const bool counts = !(part & PART_IS_STORE) || qemu_plugin_mem_is_store(info);
  const unsigned bytes = counts ? 1u << qemu_plugin_mem_size_shift(info) : 0;
  missing -= bytes < missing ? bytes : missing;
  stream->records[stream->cursor++ % TRACE_NUM_RECORDS] =
      index | (missing ? TRACE_NEEDS_MORE : 0) | trace_access_address(address);
}

static void cleared(unsigned vcpu, void *data) {
  (void)data;
  if (vcpu == 0) stream->clears++;
}

/* ---- Blocks ---- */

/* Room for a descriptor. NULL: there is none. QEMU translates one block at a time. */
static struct trace_block *new_block(uint32_t count) {
  const uint64_t size =
      (sizeof(struct trace_block) + count * sizeof(struct trace_instruction) + 7) / 8 * 8;
  if (TRACE_DESCRIPTOR_BYTES - stream->descriptors_used < size) return NULL;
  struct trace_block *block = (void *)(stream->descriptors + stream->descriptors_used);
  stream->descriptors_used += size;
  block->count = count;
  return block;
}

/* Whether an access of the instruction may not be its last one. An atomic operation loads before it
 * stores, also one of class TRACE_STORE. A pair that is stored exclusively may end with its loads.
 */
static bool has_parts(const struct trace_instruction *inst) {
  switch (inst->kind) {
    case TRACE_LOAD:
      return inst->ops > 1 || inst->bytes > 8;
    case TRACE_STORE:
    case TRACE_ATOMIC:
      return true;
    default:
      return inst->kind == TRACE_STORE_EXCLUSIVE && inst->bytes <= 8;
  }
}

static void register_accesses(struct qemu_plugin_insn *insn, uint32_t index,
                              const struct trace_instruction *inst) {
  const bool is_in_parts = has_parts(inst);
  uintptr_t data = (uintptr_t)index << TRACE_INDEX_PLACE;
  if (is_in_parts) data |= inst->bytes | (inst->kind == TRACE_LOAD ? 0u : PART_IS_STORE);
  qemu_plugin_register_vcpu_mem_cb(insn, is_in_parts ? part_accessed : memory_accessed,
                                   QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, (void *)data);
}

static uint64_t host_of(const struct qemu_plugin_insn *insn) {
  return (uintptr_t)qemu_plugin_insn_haddr(insn) - qemu_plugin_insn_vaddr(insn);
}

/* At an address that is not aligned there is no instruction. QEMU has one without an opcode there,
 * which takes the exception. */
static uint32_t num_instructions(const struct qemu_plugin_tb *tb) {
  const size_t count = qemu_plugin_tb_n_insns(tb);
  const bool is_aligned = qemu_plugin_tb_vaddr(tb) % 4 == 0;
  return is_aligned ? (uint32_t)count : 0;
}

static uint32_t opcode_of(const struct qemu_plugin_insn *insn) {
  uint32_t opcode;
  memcpy(&opcode, qemu_plugin_insn_data(insn), sizeof opcode);
  return opcode;
}

/* Whether QEMU may look only when the instruction executes if it is UNDEFINED: it accesses a System
 * register, such as a PMU's or DAIF, or PSTATE. All programs may access TPIDR_EL0, and often do. */
static bool is_checked(uint32_t opcode) {
  const bool is_register = (opcode & 0xFFD00000) == 0xD5100000; /* MRS, MSR */
  const bool is_pstate = (opcode & 0xFFF8F01F) == 0xD500401F;   /* MSR of an immediate */
  const bool is_tpidr_el0 = (opcode & 0xFFDFFFE0) == 0xD51BD040;
  return (is_register && !is_tpidr_el0) || is_pstate;
}

/* How many instructions of QEMU's block, from the first one on, are a block of ours: one that is
 * checked is the last of them. */
static uint32_t num_together(const struct qemu_plugin_tb *tb, uint32_t first, uint32_t count) {
  uint32_t i = first;
  while (i < count && !is_checked(opcode_of(qemu_plugin_tb_get_insn(tb, i)))) i++;
  return i - first + (i < count);
}

static void describe(struct qemu_plugin_tb *tb, uint32_t first, uint32_t count) {
  struct trace_block *block = new_block(count);
  if (!block) {
    stream->is_full = 1;
    _exit(EXIT_FAILURE);
  }
  block->pc = qemu_plugin_tb_vaddr(tb) + 4 * (uint64_t)first;
  block->must_access = 0;
  for (uint32_t i = 0; i < count; i++) {
    struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, first + i);
    const struct trace_instruction inst = block->instructions[i] = trace_decode(opcode_of(insn));
    if (trace_must_access(&inst)) block->must_access = i + 1;
    block->last_executes = inst.kind == TRACE_BRANCH || inst.kind == TRACE_SERIALIZING;
    register_accesses(insn, i, &inst);
    if (inst.kind == TRACE_CLEAR)
      qemu_plugin_register_vcpu_insn_exec_cb(insn, cleared, QEMU_PLUGIN_CB_NO_REGS, NULL);
  }
  void *place = (void *)(uintptr_t)(((unsigned char *)block - stream->descriptors) / 8);
  if (first == 0)
    qemu_plugin_register_vcpu_tb_exec_cb(tb, block_begins, QEMU_PLUGIN_CB_NO_REGS, place);
  else
    qemu_plugin_register_vcpu_insn_exec_cb(qemu_plugin_tb_get_insn(tb, first), block_begins,
                                           QEMU_PLUGIN_CB_NO_REGS, place);
}

static void block_translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb) {
  const uint32_t count = num_instructions(tb);
  uint32_t first = 0;
  (void)id;
  host_of_guest = host_of(qemu_plugin_tb_get_insn(tb, 0));
  do {
    const uint32_t together = num_together(tb, first, count);
    describe(tb, first, together);
    first += together;
  } while (first < count);
}

/* ---- What the program does with its process ---- */

static void thread_begins(qemu_plugin_id_t id, unsigned vcpu) {
  (void)id;
  if (vcpu != 0) stream->has_threads = 1;
}

/* AArch64's numbers of execve and execveat. */
static bool is_exec(int64_t number) {
  return number == 221 || number == 281;
}

/* Whom a SIGILL calls from now on. What is not there is the system call's to refuse. */
static void note_handler(uint64_t action) {
  uint64_t handler;
  struct iovec to = {.iov_base = &handler, .iov_len = sizeof handler};
  struct iovec from = {.iov_base = (void *)(uintptr_t)(action + host_of_guest),
                       .iov_len = sizeof handler};
  if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != sizeof handler) return;
  const uint32_t count = stream->num_handlers;
  for (uint32_t i = 0; i < count && i < TRACE_MAX_HANDLERS; i++)
    if (stream->handlers[i] == handler) return;
  if (count < TRACE_MAX_HANDLERS) stream->handlers[count] = handler;
  stream->num_handlers = count + 1;
}

static void syscall_begins(qemu_plugin_id_t id, unsigned vcpu, int64_t number, uint64_t a1,
                           uint64_t a2, uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6,
                           uint64_t a7, uint64_t a8) {
  enum { RT_SIGACTION = 134 };
  (void)id, (void)vcpu, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
  if (is_exec(number)) stream->is_replaced = 1;
  if (number == RT_SIGACTION && a1 == SIGILL && a2 != 0) note_handler(a2);
}

/* It returns only if it failed. */
static void syscall_ended(qemu_plugin_id_t id, unsigned vcpu, int64_t number, int64_t result) {
  (void)id, (void)vcpu, (void)result;
  if (is_exec(number)) stream->is_replaced = 0;
}

/* The child ends with its parent. It gets zeroed pages for those of the stream, at the same place.
 */
static void forked(void) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != process) _exit(EXIT_FAILURE); /* the parent has ended before that */
  process = getpid();
  is_child = true;
  const uint64_t cursor = stream->cursor, used = stream->descriptors_used;
  void *place = mmap(stream, TRACE_STREAM_BYTES, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  if (place == MAP_FAILED) _exit(EXIT_FAILURE);
  stream->head = stream->tail = stream->cursor = cursor;
  stream->descriptors_used = used;
}

/* ---- Installation ---- */

EXPORT int qemu_plugin_version = QEMU_PLUGIN_API;

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info *info, int argc,
                               char **argv);

/* The argument is "memory=DESCRIPTOR", of the stream's file. */
int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info *info, int argc, char **argv) {
  static const char name[] = "memory=";
  if (strcmp(info->target_name, "aarch64") != 0 || info->system_emulation) return -1;
  if (argc != 1 || strncmp(argv[0], name, sizeof name - 1) != 0) return -1;
  const int descriptor = atoi(argv[0] + sizeof name - 1);
  stream = mmap(NULL, TRACE_STREAM_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                descriptor, 0);
  if (stream == MAP_FAILED || close(descriptor) != 0 || pthread_atfork(NULL, NULL, forked) != 0)
    return -1;
  qemu_plugin_register_vcpu_init_cb(id, thread_begins);
  qemu_plugin_register_vcpu_tb_trans_cb(id, block_translated);
  qemu_plugin_register_vcpu_syscall_cb(id, syscall_begins);
  qemu_plugin_register_vcpu_syscall_ret_cb(id, syscall_ended);
  process = getpid();
  stream->is_ready = 1;
  return 0;
}
