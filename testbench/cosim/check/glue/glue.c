/*
 * pmuv3-check-glue: the C++ around a Verilated device, from its description.
 *
 *   pmuv3-check-glue arguments OPTION...          are the options of `check` good?
 *   pmuv3-check-glue check DESCRIPTION            good? Prints its top module, then its presets
 *   pmuv3-check-glue config DESCRIPTION           a Verilator configuration: internals stay visible
 *   pmuv3-check-glue glue DESCRIPTION TOP DIR     the glue, for the model in DIR (Vdut.h)
 *   pmuv3-check-glue miter DESCRIPTION TOP DIR    the miter of the device and rtl/, likewise
 *   pmuv3-check-glue facts DESCRIPTION            what the script of the proof needs to know
 *   pmuv3-check-glue stimulus DESCRIPTION SEED [carry] <TRACE
 *                                                 the stimulus of a counterexample; with `carry`
 *                                                 also what idle ports carry
 *   pmuv3-check-glue keep DIR NAME <FILE          keeps a file of a divergence (--out)
 *
 * Exit status 2: one line says what is wrong.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "pmuv3/record.h"
#include "testbench/cosim/check/bench/run.h"
#include "testbench/cosim/check/glue/miter.h"
#include "testbench/cosim/cli/cli.h"
#include "testbench/cosim/cli/text.h"
#include "testbench/cosim/stimulus/events_text.h"

/* A signal of the model's headers. */
struct signal {
  char name[200];
  unsigned width;
  bool is_port;
  const char *direction; /* of a port: "input", "output" or "inout" */
  bool is_wide;          /* VlWide: words of 32 bits */
  bool is_array;         /* VlUnpacked */
  int lsb;               /* the index of the lowest bit */
  int first;             /* of an array: the index of the lowest element */
  unsigned size;         /* of an array: elements. 0: the array has several dimensions */
};

struct signals {
  struct signal *of;
  size_t count;
};

static const struct pmuv3_device *device;

__attribute__((format(printf, 2, 3))) _Noreturn static void wrong(const struct pmuv3_pin *pin,
                                                                  const char *format, ...) {
  char text[400], error[PATH_MAX + 500];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  snprintf(error, sizeof error, "%s:%u: %s", device->file, pin ? (unsigned)pin->line : 1u, text);
  pmuv3_cli_failed_at(error);
}

/* ---- The model's headers ---- */

static void add_signal(struct signals *signals, const struct signal *signal) {
  if ((signals->count & (signals->count - 1)) == 0) {
    const size_t capacity = signals->count ? 2 * signals->count : 1;
    signals->of = realloc(signals->of, capacity * sizeof *signals->of);
    if (!signals->of) pmuv3_cli_no_verdict("out of memory");
  }
  signals->of[signals->count++] = *signal;
}

static const char *direction_of(const char *kind) {
  if (strncmp(kind, "INOUT", 5) == 0) return "inout";
  return strncmp(kind, "IN", 2) == 0 ? "input" : "output";
}

/* `double &name;`, and likewise strings, events and queues. The line does not tell inputs from
 * outputs. */
static void expect_vector(const char *line) {
  char name[200];
  const char *reference = strstr(line, " &");
  if (reference && sscanf(reference, " &%199[A-Za-z0-9_];", name) == 1)
    pmuv3_cli_unusable("port '%s' is no vector; wrap the device, and drive it there", name);
}

/* VL_IN8(&name,msb,lsb); VL_OUTW(&name,msb,lsb,words); of an array VL_IN8((&name)[2],msb,lsb); */
static bool parse_port(const char *line, struct signal *signal) {
  char kind[16];
  int msb, lsb;
  *signal = (struct signal){.is_port = true};
  signal->is_array =
      sscanf(line, " VL_%15[A-Z0-9]((&%199[^)])%*[^,],%d,%d", kind, signal->name, &msb, &lsb) == 4;
  if (!signal->is_array &&
      sscanf(line, " VL_%15[A-Z0-9](&%199[^,],%d,%d", kind, signal->name, &msb, &lsb) != 4) {
    expect_vector(line);
    return false;
  }
  signal->direction = direction_of(kind);
  signal->is_wide = kind[strlen(kind) - 1] == 'W';
  signal->width = (unsigned)(msb - lsb + 1);
  signal->lsb = lsb;
  return true;
}

/* CData|SData|IData|QData|VlWide<N>, slash-star msb:lsb star-slash, name; or VlUnpacked of it. */
static bool parse_internal(const char *line, struct signal *signal) {
  int msb, lsb, end = 0;
  const char *range = strstr(line, "/*");
  *signal = (struct signal){.is_wide = strstr(line, "VlWide<") != NULL,
                            .is_array = strstr(line, "VlUnpacked<") != NULL};
  if (!range || sscanf(range, "/*%d:%d*/%n", &msb, &lsb, &end) != 2 || end == 0) return false;
  const char *name = strrchr(range, ' ');
  if (!name || sscanf(name, " %199[A-Za-z0-9_];", signal->name) != 1) return false;
  signal->width = (unsigned)(msb - lsb + 1);
  return true;
}

static FILE *open_file(const char *folder, const char *file) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, file);
  FILE *in = fopen(path, "r");
  if (!in) pmuv3_cli_unusable("cannot read %s", path);
  return in;
}

static void close_file(FILE *in, const char *file) {
  if (ferror(in)) pmuv3_cli_unusable("cannot read all of %s", file);
  fclose(in);
}

static void read_header(struct signals *signals, const char *folder, const char *file,
                        bool (*parse)(const char *, struct signal *)) {
  char line[1024];
  FILE *in = open_file(folder, file);
  while (fgets(line, sizeof line, in)) {
    struct signal signal;
    if (parse(line, &signal)) add_signal(signals, &signal);
  }
  close_file(in, file);
}

/* As Verilator writes names in C++: `.` of the hierarchy, [N] of generate blocks, pairs of _, and
 * $.
 */
static void mangle(const char *name, char *out, size_t size) {
  size_t length = 0;
  out[0] = '\0';
  for (const char *c = name; *c && length + 12 < size; c++) {
    const char *text = NULL;
    if (*c == '.') text = "__DOT__";
    if (*c == '[') text = "__BRA__";
    if (*c == ']') text = "__KET__";
    if (*c == '$') text = "__024";
    if (*c == '_' && c[1] == '_') {
      text = "___05F";
      c++;
    }
    if (text)
      length += (size_t)snprintf(out + length, size - length, "%s", text);
    else
      out[length++] = *c;
    out[length] = '\0';
  }
}

/* A name that is a word of C++ has a prefix in the model. */
static const char *without_prefix(const char *name) {
  static const char prefix[] = "__SYM__";
  const size_t length = sizeof prefix - 1;
  return strncmp(name, prefix, length) == 0 ? name + length : name;
}

static bool is_called(const struct signal *signal, const char *name) {
  return strcmp(without_prefix(signal->name), name) == 0;
}

/* The name of a port as the RTL has it: the inverse of mangle. */
static const char *port_name(const struct signal *signal) {
  static char name[sizeof signal->name];
  size_t length = 0;
  for (const char *c = without_prefix(signal->name); *c; length++) {
    unsigned code;
    int size = 0;
    const bool is_code = sscanf(c, "__0%2X%n", &code, &size) == 1 && size == 5;
    name[length] = is_code ? (char)code : *c;
    c += is_code ? size : 1;
  }
  name[length] = '\0';
  return name;
}

static struct signal *find(const struct signals *signals, const char *name) {
  for (size_t s = 0; s < signals->count; s++)
    if (is_called(&signals->of[s], name)) return &signals->of[s];
  return NULL;
}

/* varInsert(..., &(TOP.name), ..., flags,dimensions ,msb,lsb ,left,right); of internals, whose
 * ranges in the headers begin at 0. The two ends of an array are as declared. */
static void read_ranges(struct signals *signals, const char *folder) {
  char line[1024], name[200];
  FILE *in = open_file(folder, "Vdut__Syms.cpp");
  while (fgets(line, sizeof line, in)) {
    const char *at = strstr(line, "varInsert("), *flags = at ? strstr(at, "VLVF_") : NULL;
    int dimensions, msb, lsb, left, right;
    if (!flags || !(at = strstr(at, "&(TOP.")) || sscanf(at, "&(TOP.%199[^)])", name) != 1)
      continue;
    struct signal *signal = find(signals, name);
    const int numbers =
        sscanf(flags, "%*[A-Z_],%d ,%d,%d ,%d,%d", &dimensions, &msb, &lsb, &left, &right);
    if (!signal || signal->is_port || numbers < 3) continue;
    signal->lsb = lsb;
    if (numbers < 5 || dimensions != 2) continue;
    signal->first = left < right ? left : right;
    signal->size = (unsigned)abs(left - right) + 1;
  }
  close_file(in, "Vdut__Syms.cpp");
}

/* ---- Variables whose lowest index is on the left ---- */

static char *ascending; /* their paths, a line each: ascending.py */

static void read_ascending(const char *folder) {
  char path[4096];
  snprintf(path, sizeof path, "%s/ascending", folder);
  FILE *in = fopen(path, "r");
  if (!in) return; /* no pin has brackets */
  ascending = pmuv3_text_all(in);
  if (!ascending) pmuv3_cli_no_verdict("out of memory");
  close_file(in, path);
}

/* Whether the signal, or the array of the element, is one of them. */
static bool is_ascending(const char *name) {
  const size_t length = strlen(name);
  const size_t own = name[length - 1] == ']' ? (size_t)(strrchr(name, '[') - name) : length;
  for (const char *line = ascending; line && *line; line = strchr(line, '\n') + 1) {
    const size_t size = strcspn(line, "\n");
    if ((size == length || size == own) && strncmp(line, name, size) == 0) return true;
    if (line[size] == '\0') break;
  }
  return false;
}

/* ---- Pins of the description in the model ---- */

struct place {
  const struct signal *signal;
  unsigned lsb, width; /* bits of the signal */
  int index;           /* of an array; -1: none */
  bool is_element;     /* the pin's brackets name an element, not bits */
};

/* The bits that the brackets of a pin name; without brackets all. */
static void take_bits(struct place *place, const struct pmuv3_pin *pin) {
  const struct signal *signal = place->signal;
  const int msb = signal->lsb + (int)signal->width - 1;
  if (pin->msb < 0) {
    place->width = signal->width;
    return;
  }
  if (is_ascending(pin->name))
    wrong(pin, "the lowest index of \"%s\" is on the left; expected no bits of it", pin->name);
  if (pin->msb > msb || pin->lsb < signal->lsb)
    wrong(pin, "\"%s\" has bits [%d:%d]; [%d:%d] is beyond", pin->name, msb, signal->lsb, pin->msb,
          pin->lsb);
  place->lsb = (unsigned)(pin->lsb - signal->lsb);
  place->width = (unsigned)(pin->msb - pin->lsb + 1);
}

static void take_element(struct place *place, const struct pmuv3_pin *pin, int element) {
  const struct signal *signal = place->signal;
  const int last = signal->first + (int)signal->size - 1;
  if (!signal->is_array || signal->size == 0)
    wrong(pin, "\"%s\" is no array of one dimension", pin->name);
  if (element < signal->first || element > last)
    wrong(pin, "\"%s\" has elements %d to %d; %d is beyond", pin->name, signal->first, last,
          element);
  place->index = element - signal->first;
}

static struct place place_port(const struct signals *signals, const struct pmuv3_pin *pin,
                               const char *top) {
  char name[200];
  mangle(pin->name, name, sizeof name);
  const struct signal *signal = find(signals, name);
  if (!signal || !signal->is_port) wrong(pin, "%s has no port \"%s\"", top, pin->name);
  if (signal->is_array) wrong(pin, "port \"%s\" of %s is an unpacked array", pin->name, top);
  const enum pmuv3_role role = (enum pmuv3_role)pin->role;
  const char *expected = pmuv3_role_is_input(role) ? "input" : "output";
  if (strcmp(signal->direction, expected) != 0)
    wrong(pin, "\"%s\" of %s is an %s; expected an %s for %s", pin->name, top, signal->direction,
          expected, pmuv3_role_name(role));
  struct place place = {.signal = signal, .index = -1};
  take_bits(&place, pin);
  return place;
}

static struct place place_internal(const struct signals *signals, const struct pmuv3_pin *pin,
                                   const char *top) {
  char path[400], name[400], own[200];
  struct place place = {.index = -1};
  bool is_indexed = false;
  snprintf(own, sizeof own, "%s", pin->name);
  char *bracket = strrchr(own, '[');
  snprintf(path, sizeof path, "%s.%s", top, own);
  mangle(path, name, sizeof name);
  place.signal = find(signals, name);
  if (!place.signal && bracket && own[strlen(own) - 1] == ']') {
    is_indexed = true;
    *bracket = '\0';
    snprintf(path, sizeof path, "%s.%s", top, own);
    mangle(path, name, sizeof name);
    place.signal = find(signals, name);
  }
  if (!place.signal) wrong(pin, "%s has no signal \"%s\"", top, pin->name);
  if (is_indexed) {
    take_element(&place, pin, atoi(bracket + 1));
    take_bits(&place, pin);
  } else if (place.signal->is_array) {
    if (pin->msb < 0 || pin->msb != pin->lsb)
      wrong(pin, "\"%s\" is an array; expected one of its elements", pin->name);
    take_element(&place, pin, pin->msb);
    place.width = place.signal->width;
    place.is_element = true;
  } else {
    take_bits(&place, pin);
  }
  return place;
}

/* ---- Widths ---- */

static void check_width(const struct pmuv3_pin *pin, unsigned width) {
  struct pmuv3_complaint complaint;
  if (pmuv3_pin_has_width(device, pin, width, &complaint)) return;
  const struct pmuv3_pin line = {.line = complaint.line};
  wrong(&line, "%s", complaint.text);
}

static bool is_in_a_line(const struct place *places, const struct signal *signal, unsigned bit) {
  for (size_t p = 0; p < device->num_pins; p++)
    if (places[p].signal == signal && bit >= places[p].lsb && bit - places[p].lsb < places[p].width)
      return true;
  return false;
}

static bool is_input_port(const struct signal *signal) {
  return signal->is_port && strcmp(signal->direction, "input") == 0;
}

/* Verilator gives the port a member of that name, too, and then its model does not compile. */
static void expect_own_name(const struct signal *signal, const char *top) {
  static const char *const members[] = {"Vdut",      "contextp",      "eval",     "eval_end_step",
                                        "eval_step", "eventsPending", "hierName", "modelName",
                                        "name",      "nextTimeSlot",  "rootp",    "threads",
                                        "trace",     "traceConfig",   "vlSymsp"};
  for (size_t m = 0; m < sizeof members / sizeof *members; m++)
    if (is_called(signal, members[m]))
      wrong(NULL,
            "port \"%s\" of %s has the name of a member of Verilator's model; wrap the device, "
            "and name the port otherwise there",
            members[m], top);
}

/* What the bench drives of an inout, and what it reads, would follow from no line. No line can name
 * an array. */
static void expect_port(const struct signal *signal, const char *top) {
  expect_own_name(signal, top);
  if (strcmp(signal->direction, "inout") == 0)
    wrong(NULL, "port \"%s\" of %s is an inout; expected inputs and outputs", port_name(signal),
          top);
  if (is_input_port(signal) && signal->is_array)
    wrong(NULL, "input \"%s\" of %s is an unpacked array, which no line can drive; wrap it",
          port_name(signal), top);
}

static void expect_ports(const struct signals *signals, const char *top) {
  for (size_t s = 0; s < signals->count; s++)
    if (signals->of[s].is_port) expect_port(&signals->of[s], top);
}

/* A bit that no line names would be 0, unsaid. */
static void check_driven(const struct place *places, const struct signal *signal, unsigned bit,
                         const char *top) {
  if (is_in_a_line(places, signal, bit)) return;
  char index[16] = "";
  if (signal->width > 1) snprintf(index, sizeof index, "[%d]", signal->lsb + (int)bit);
  wrong(NULL, "input \"%s%s\" of %s is in no line; add \"tie %s%s 0\" if it is constant",
        port_name(signal), index, top, port_name(signal), index);
}

static void check_all_driven(const struct signals *signals, const struct place *places,
                             const char *top) {
  for (size_t s = 0; s < signals->count; s++) {
    const struct signal *signal = &signals->of[s];
    for (unsigned bit = 0; is_input_port(signal) && bit < signal->width; bit++)
      check_driven(places, signal, bit, top);
  }
}

/* ---- Outputs that no line names ---- */

/* An output of the top module may be named as an internal, too. An element is not all of an array.
 */
static bool is_shown(const struct place *places, const struct signal *signal, unsigned bit) {
  const char *name = port_name(signal);
  for (size_t p = 0; p < device->num_pins; p++) {
    const char *own = device->pins[p].name;
    const bool is_internal = pmuv3_role_is_internal((enum pmuv3_role)device->pins[p].role);
    if (is_internal && places[p].index < 0 && strncmp(own, name, strcspn(own, "[")) == 0 &&
        strlen(name) == strcspn(own, "[") && bit - places[p].lsb < places[p].width)
      return true;
  }
  return is_in_a_line(places, signal, bit);
}

static void print_string(const char *text) {
  putchar('"');
  for (; *text; text++)
    printf(isalnum((unsigned char)*text) ? "%c" : "\\%03o", (unsigned char)*text);
  putchar('"');
}

/* `size` bits from `bit` on. */
static void print_bits(const struct signal *signal, unsigned bit, unsigned size) {
  const int lsb = signal->lsb + (int)bit;
  printf("{");
  print_string(port_name(signal));
  printf(", %d, %d, %s}, ", lsb + (int)size - 1, lsb, size == signal->width ? "true" : "false");
}

static void print_unnamed_of(const struct place *places, const struct signal *signal) {
  for (unsigned bit = 0, size; bit < signal->width; bit += size + 1) {
    for (size = 0; bit + size < signal->width && !is_shown(places, signal, bit + size);) size++;
    if (size > 0) print_bits(signal, bit, size);
  }
}

static void print_unnamed(const struct signals *signals, const struct place *places) {
  printf("static const pmuv3_dut_bits unnamed[] = {");
  for (size_t s = 0; s < signals->count; s++)
    if (signals->of[s].is_port && strcmp(signals->of[s].direction, "output") == 0)
      print_unnamed_of(places, &signals->of[s]);
  printf("{nullptr, 0, 0, false}};\n");
}

/* ---- Code ---- */

/* The record's member that a role is, where no map or level is between. */
static const char *member_of(const struct pmuv3_pin *pin, char *buf, size_t size) {
  static const char *const port[] = {"request", "enable",   "ready", "write", "address",
                                     "data",    "response", "value", "error"};
  const unsigned role = pin->role;
  if (role == PMUV3_ROLE_EVENT)
    snprintf(buf, size, "record->count[%u]", pin->index);
  else if (role >= PMUV3_ROLE_REQUEST && role <= PMUV3_ROLE_ERROR)
    snprintf(buf, size, "record->port[%u].%s", pin->index, port[role - PMUV3_ROLE_REQUEST]);
  else if (role == PMUV3_ROLE_SEEN_COUNTER)
    snprintf(buf, size, "record->thread[%u].counter[%u]", pin->thread, pin->index);
  else if ((role == PMUV3_ROLE_IRQ || role == PMUV3_ROLE_CTI) && pin->value == 1)
    snprintf(buf, size, "record->thread[%u].%s", pin->thread,
             role == PMUV3_ROLE_IRQ ? "irq" : "cti");
  else
    return NULL;
  return buf;
}

static void signal_text(const struct place *place, char *buf, size_t size) {
  const char *object = place->signal->is_port ? "top." : "top.rootp->";
  if (place->index >= 0)
    snprintf(buf, size, "%s%s[%d]", object, place->signal->name, place->index);
  else
    snprintf(buf, size, "%s%s", object, place->signal->name);
}

static void print_drive(size_t p, const struct place *place) {
  char member[80], signal[300], value[120];
  const struct pmuv3_pin *pin = &device->pins[p];
  signal_text(place, signal, sizeof signal);
  if (member_of(pin, member, sizeof member))
    snprintf(value, sizeof value, "%s", member);
  else
    snprintf(value, sizeof value, "pmuv3_record_get(record, &pins[%zu])", p);
  printf("  put(%s, %u, %u, %u, %s);\n", signal, place->signal->width, place->lsb, place->width,
         value);
}

static void print_sample(size_t p, const struct place *place) {
  char member[80], signal[300], value[400];
  const struct pmuv3_pin *pin = &device->pins[p];
  signal_text(place, signal, sizeof signal);
  snprintf(value, sizeof value, "get(%s, %u, %u)", signal, place->lsb, place->width);
  if (member_of(pin, member, sizeof member))
    printf("  %s = %s;\n", member, value);
  else
    printf("  pmuv3_record_set(record, &pins[%zu], %s);\n", p, value);
}

/* States, levels and constants change seldom. */
static bool is_seldom(const struct pmuv3_pin *pin) {
  switch ((enum pmuv3_role)pin->role) {
    case PMUV3_ROLE_RESET:
    case PMUV3_ROLE_CLOCK_ENABLE:
    case PMUV3_ROLE_TIE:
    case PMUV3_ROLE_STATE:
    case PMUV3_ROLE_OTHER:
      return true;
    default:
      return false;
  }
}

static void print_pins(const struct place *places, const char *signature, bool inputs,
                       bool seldom) {
  printf("static void %s {\n  (void)pins;\n", signature);
  for (size_t p = 0; p < device->num_pins; p++) {
    const struct pmuv3_pin *pin = &device->pins[p];
    const bool is_input = pmuv3_role_is_input((enum pmuv3_role)pin->role);
    if (pin->role == PMUV3_ROLE_CLOCK || is_input != inputs) continue;
    if (inputs && is_seldom(pin) != seldom) continue;
    if (inputs)
      print_drive(p, &places[p]);
    else
      print_sample(p, &places[p]);
  }
  printf("}\n\n");
}

static void print_clock(const struct place *places) {
  size_t p = 0;
  while (device->pins[p].role != PMUV3_ROLE_CLOCK) p++;
  printf("static void set_clock(Vdut &top, bool level) { put(top.%s, %u, %u, %u, level); }\n\n",
         places[p].signal->name, places[p].signal->width, places[p].lsb, places[p].width);
}

/* An element that the brackets name has no range. */
static void print_range(const struct place *place) {
  const struct signal *signal = place->signal;
  const int msb = place->is_element ? signal->lsb - 1 : signal->lsb + (int)signal->width - 1;
  printf("{%d, %d}, ", msb, signal->lsb);
}

static void print_glue(const struct signals *signals, const struct place *places) {
  printf("// Written by pmuv3-check-glue.\n");
  printf(
      "#include \"Vdut.h\"\n#include \"Vdut___024root.h\"\n"
      "#include \"testbench/cosim/check/glue/dut.h\"\n\n");
  print_pins(places, "drive_seldom(Vdut &top, const pmuv3_record *record, const pmuv3_pin *pins)",
             true, true);
  print_pins(places, "drive(Vdut &top, const pmuv3_record *record, const pmuv3_pin *pins)", true,
             false);
  print_pins(places, "sample(Vdut &top, pmuv3_record *record, const pmuv3_pin *pins)", false,
             false);
  print_clock(places);
  printf("static const unsigned widths[] = {");
  for (size_t p = 0; p < device->num_pins; p++) printf("%u, ", places[p].width);
  printf("0};\nstatic const int ranges[][2] = {");
  for (size_t p = 0; p < device->num_pins; p++) print_range(&places[p]);
  printf("{0, 0}};\n");
  print_unnamed(signals, places);
  printf("\n#include \"testbench/cosim/check/glue/dut.inc\"\n");
}

/* Finds all pins in the model, and checks them. */
static struct place *find_places(struct signals *signals, const char *top, const char *folder) {
  struct place *places = calloc(device->num_pins, sizeof *places);
  if (!places) pmuv3_cli_no_verdict("out of memory");
  read_header(signals, folder, "Vdut.h", parse_port);
  read_header(signals, folder, "Vdut___024root.h", parse_internal);
  read_ranges(signals, folder);
  read_ascending(folder);
  for (size_t p = 0; p < device->num_pins; p++) {
    const struct pmuv3_pin *pin = &device->pins[p];
    places[p] = pmuv3_role_is_internal((enum pmuv3_role)pin->role)
                    ? place_internal(signals, pin, top)
                    : place_port(signals, pin, top);
    check_width(pin, places[p].width);
  }
  expect_ports(signals, top);
  check_all_driven(signals, places, top);
  return places;
}

static void glue(const char *top, const char *folder) {
  struct signals signals = {0};
  struct place *places = find_places(&signals, top, folder);
  print_glue(&signals, places);
  free(places);
  free(signals.of);
}

static void miter(const char *top, const char *folder) {
  struct signals signals = {0};
  struct place *places = find_places(&signals, top, folder);
  struct miter_pin *pins = calloc(device->num_pins, sizeof *pins);
  if (!pins) pmuv3_cli_no_verdict("out of memory");
  for (size_t p = 0; p < device->num_pins; p++)
    pins[p] = (struct miter_pin){.lsb = places[p].lsb,
                                 .width = places[p].width,
                                 .port_width = places[p].signal->width,
                                 .is_element = places[p].signal->is_array};
  if (!miter_print(stdout, device, top, pins))
    pmuv3_cli_no_verdict("--prove knows no more states of a thread than 4096");
  free(pins);
  free(places);
  free(signals.of);
}

/* ---- Internals ---- */

/* The last part of a path, without indexes. */
static void print_visible(const struct pmuv3_pin *pin) {
  const char *dot = strrchr(pin->name, '.');
  const char *name = dot ? dot + 1 : pin->name;
  printf("public_flat_rd -module \"*\" -var \"%.*s\"\n", (int)strcspn(name, "["), name);
}

static void config(void) {
  printf("`verilator_config\n");
  for (size_t p = 0; p < device->num_pins; p++)
    if (pmuv3_role_is_internal((enum pmuv3_role)device->pins[p].role))
      print_visible(&device->pins[p]);
}

static void facts(void) {
  const char *why = miter_refused(device);
  if (why) wrong(NULL, "--prove %s", why);
  miter_print_facts(stdout, device);
}

static void stimulus(const char *seed, bool carries) {
  if (!miter_stimulus(stdout, device, stdin, (uint32_t)strtoul(seed, NULL, 10), carries))
    pmuv3_cli_no_verdict("the counterexample is no stimulus of the device");
}

static bool copy_input(FILE *out, const void *context) {
  (void)context;
  for (int c; (c = getchar()) != EOF;) putc(c, out);
  return fflush(out) == 0 && !ferror(out) && !ferror(stdin);
}

/* Files of a run stay: a row of the evidence may name them. */
static void keep(const char *folder, const char *name) {
  char path[4096];
  pmuv3_cli_begin_folder("--out", folder, (const char *const[]){name, NULL});
  snprintf(path, sizeof path, "%s/%s", folder, name);
  pmuv3_cli_write_own("--out", path, copy_input, NULL);
}

/* ---- The description's files ---- */

static char *presets;
static FILE *list_of_presets;

static void add_preset(const char *path) {
  fprintf(list_of_presets, "%s\n", path);
}

static void list_presets(void) {
  size_t size;
  list_of_presets = open_memstream(&presets, &size);
  if (!list_of_presets) pmuv3_cli_no_verdict("out of memory");
  pmuv3_named_input = add_preset;
}

static void say_files(void) {
  if (fclose(list_of_presets) != 0) pmuv3_cli_no_verdict("out of memory");
  printf("%s\n%s", device->top ? device->top : "", presets);
  free(presets);
}

/* ---- The files of the result ---- */

/* check.sh gives them before the command and the description: until the device runs, there is no
 * verdict. Returns how many words they are. */
static int name_results(int argc, char **argv) {
  static struct options options;
  int words = 0;
  for (; words + 4 < argc && strncmp(argv[words + 1], "--", 2) == 0; words += 2)
    *(strcmp(argv[words + 1], "--json") == 0 ? &options.json : &options.junit) = argv[words + 2];
  if (words == 0) return 0;
  options.description = argv[words + 2];
  results_name(&options);
  return words;
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "arguments") == 0) return options_parse(argc - 1, argv + 1), 0;
  pmuv3_cli_begin("pmuv3 check");
  const int words = name_results(argc, argv);
  argc -= words;
  argv += words;
  if (argc == 4 && strcmp(argv[1], "no-verdict") == 0) pmuv3_cli_no_verdict("%s", argv[3]);
  if (argc == 4 && strcmp(argv[1], "keep") == 0) return keep(argv[2], argv[3]), 0;
  if (argc < 3) pmuv3_cli_unusable("expected check, config or glue, and a description");
  list_presets();
  device = read_device(&(struct options){.description = argv[2]});
  if (strcmp(argv[1], "check") == 0)
    say_files();
  else if (strcmp(argv[1], "config") == 0)
    config();
  else if (strcmp(argv[1], "glue") == 0 && argc == 5)
    glue(argv[3], argv[4]);
  else if (strcmp(argv[1], "facts") == 0)
    facts();
  else if (strcmp(argv[1], "stimulus") == 0 && (argc == 4 || argc == 5))
    stimulus(argv[3], argc == 5);
  else if (strcmp(argv[1], "miter") == 0 && argc == 5)
    miter(argv[3], argv[4]);
  else
    pmuv3_cli_unusable("expected arguments, check, config, or glue or miter TOP FOLDER");
  return 0;
}
