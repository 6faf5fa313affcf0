/*
 * The checker as a VPI module (IEEE 1364-2005, clause 26), for Icarus Verilog:
 *
 *   vvp -M FOLDER -m pmuv3_vpi bench.vvp +pmuv3=my.pmu... [+pmuv3_top=MODULE] [+pmuv3_words=FILE]
 *
 * It finds each instance of the device, samples the pins when their clock rises, and prints the
 * verdict at the end. docs/howto/simulators.md shows how to use it.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/cosim/check/monitor/monitor.h"
#include "vpi_user.h"

/* Where a pin is. */
struct place {
  vpiHandle object;
  unsigned lsb, width; /* bits of the object */
  bool ascends;        /* those of a range like [0:3], which are refused */
};

enum level { LOW, HIGH, UNKNOWN };

/* An instance of the device. */
struct instance {
  struct monitor *monitor;
  struct place *places; /* of each pin */
  size_t clock;         /* pin */
  enum level level;     /* of the clock */
  bool is_over;
  char name[400];
  struct instance *next;
};

static struct instance *instances;
static bool is_bad;
static const char *description, *top; /* of the command line */
static FILE *words;

/* Icarus Verilog has this function: the exit status of vvp. */
extern void vpip_set_return_value(int value) __attribute__((weak));

/* $finish sets the status anew. */
static void set_bad(void) {
  is_bad = true;
  if (vpip_set_return_value) vpip_set_return_value(1);
}

/* Ends the simulation: it cannot be checked. Returns false. */
__attribute__((format(printf, 1, 2))) static bool refuse(const char *format, ...) {
  char text[1000];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  vpi_printf((PLI_BYTE8 *)"pmuv3: %s\n", text);
  set_bad();
  vpi_control(vpiFinish, 0);
  return false;
}

/* ---- A clock ---- */

static void sample(const struct instance *instance, size_t pin) {
  const struct place *place = &instance->places[pin];
  s_vpi_value value = {.format = vpiVectorVal};
  vpi_get_value(place->object, &value);
  monitor_bits(instance->monitor, pin, (const uint32_t *)value.value.vector, place->lsb,
               place->width);
}

/* Also to a file of its own, if the command line names one: the RTL may print beside the line. */
static void end(struct instance *instance) {
  instance->is_over = true;
  vpi_printf((PLI_BYTE8 *)"pmuv3: %s\n", monitor_words(instance->monitor));
  if (words) fprintf(words, "%s\n", monitor_words(instance->monitor));
}

static void end_bad(struct instance *instance) {
  end(instance);
  vpi_printf((PLI_BYTE8 *)"pmuv3: %s is not equivalent\n", instance->name);
  set_bad();
}

static enum level level_of_clock(const struct instance *instance) {
  const struct place *place = &instance->places[instance->clock];
  const unsigned bit = place->lsb % 32;
  s_vpi_value value = {.format = vpiVectorVal};
  vpi_get_value(place->object, &value);
  const s_vpi_vecval *word = &value.value.vector[place->lsb / 32];
  if ((uint32_t)word->bval >> bit & 1) return UNKNOWN;
  return (uint32_t)word->aval >> bit & 1 ? HIGH : LOW;
}

/* Of a change of the clock: what hangs on it has not run yet. X before the first level is nothing;
 * later it might hide an edge. */
static PLI_INT32 on_clock(p_cb_data data) {
  struct instance *instance = (struct instance *)data->user_data;
  const enum level before = instance->level, now = level_of_clock(instance);
  instance->level = now;
  if (instance->is_over || before == UNKNOWN) return 0;
  if (now == UNKNOWN) {
    monitor_lose_clock(instance->monitor);
    end_bad(instance);
  }
  if (before != LOW || now != HIGH) return 0;
  const size_t pins = monitor_device(instance->monitor)->num_pins;
  for (size_t p = 0; p < pins; p++) sample(instance, p);
  if (!monitor_clock(instance->monitor)) end_bad(instance);
  return 0;
}

static PLI_INT32 on_end(p_cb_data data) {
  (void)data;
  for (struct instance *next, *instance = instances; instance; instance = next) {
    next = instance->next;
    if (!instance->is_over && monitor_end(instance->monitor))
      end(instance);
    else if (!instance->is_over)
      end_bad(instance);
    monitor_close(instance->monitor);
    free(instance->places);
    free(instance);
  }
  instances = NULL;
  if (words && fclose(words) != 0) is_bad = true;
  if (is_bad) set_bad();
  return 0;
}

/* ---- Pins ---- */

static bool is_array(vpiHandle object) {
  switch (vpi_get(vpiType, object)) {
    case vpiMemory:
    case vpiRegArray:
    case vpiNetArray:
      return true;
    default:
      return false;
  }
}

/* In a netlist without a hierarchy the whole path is a name of the scope. */
static vpiHandle find_in_netlist(const char *path, vpiHandle scope) {
  static const PLI_INT32 kinds[] = {vpiNet, vpiReg, vpiMemory};
  for (unsigned k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    vpiHandle object, iterator = vpi_iterate(kinds[k], scope);
    while (iterator && (object = vpi_scan(iterator))) {
      if (strcmp(vpi_get_str(vpiName, object), path) != 0) continue;
      vpi_free_object(iterator);
      return object;
    }
  }
  return NULL;
}

/* vpi_handle_by_name of Icarus Verilog 11 crashes where a netlist has such a name. */
static vpiHandle find_path(char *path, vpiHandle scope) {
  vpiHandle object = find_in_netlist(path, scope);
  return object ? object : vpi_handle_by_name(path, scope);
}

/* An object of a scope; the last index of the name may be of an array. */
static vpiHandle find(const char *name, vpiHandle scope) {
  char text[300];
  snprintf(text, sizeof text, "%s", name);
  vpiHandle object = find_path(text, scope);
  char *bracket = strrchr(text, '[');
  if (object || !bracket) return object;
  *bracket = '\0';
  object = find_path(text, scope);
  return object && is_array(object) ? vpi_handle_by_index(object, atoi(bracket + 1)) : NULL;
}

static int bound(PLI_INT32 which, vpiHandle object) {
  s_vpi_value value = {.format = vpiIntVal};
  vpiHandle expression = vpi_handle(which, object);
  if (!expression) return 0;
  vpi_get_value(expression, &value);
  return value.value.integer;
}

static bool take_bits(struct place *place, const struct pmuv3_pin *pin) {
  const int left = bound(vpiLeftRange, place->object), lsb = bound(vpiRightRange, place->object);
  place->ascends = left < lsb;
  const unsigned size = (unsigned)vpi_get(vpiSize, place->object);
  if (pin->lsb < lsb || pin->msb - lsb >= (int)size) return false;
  place->lsb = (unsigned)(pin->lsb - lsb);
  place->width = (unsigned)(pin->msb - pin->lsb + 1);
  return true;
}

static bool find_place(struct place *place, const struct pmuv3_pin *pin, vpiHandle scope) {
  bool is_whole = pin->msb < 0;
  place->object = find(pin->name, scope);
  if (place->object && is_array(place->object)) {
    if (is_whole || pin->msb != pin->lsb) return false;
    place->object = vpi_handle_by_index(place->object, pin->msb);
    is_whole = true;
  }
  if (!place->object) return false;
  if (!is_whole) return take_bits(place, pin);
  place->width = (unsigned)vpi_get(vpiSize, place->object);
  return true;
}

static bool find_pin(struct instance *instance, size_t p, vpiHandle scope) {
  const struct pmuv3_device *device = monitor_device(instance->monitor);
  const struct pmuv3_pin *pin = &device->pins[p];
  struct pmuv3_complaint complaint;
  char text[300];
  const bool is_there = find_place(&instance->places[p], pin, scope);
  if (instance->places[p].ascends)
    return refuse("%s:%u: the lowest index of \"%s\" is on the left; expected no bits of it",
                  device->file, (unsigned)pin->line, pin->name);
  if (!is_there)
    return refuse("%s:%u: %s has no \"%s\"", device->file, (unsigned)pin->line, instance->name,
                  pmuv3_pin_text(pin, text, sizeof text));
  if (!pmuv3_pin_has_width(device, pin, instance->places[p].width, &complaint))
    return refuse("%s:%u: %s", device->file, complaint.line, complaint.text);
  return true;
}

static bool find_pins(struct instance *instance, vpiHandle scope) {
  const struct pmuv3_device *device = monitor_device(instance->monitor);
  for (size_t p = 0; p < device->num_pins; p++) {
    if (!find_pin(instance, p, scope)) return false;
    if (device->pins[p].role == PMUV3_ROLE_CLOCK) instance->clock = p;
  }
  return true;
}

/* ---- Instances ---- */

static void watch(struct instance *instance) {
  s_vpi_value value = {.format = vpiSuppressVal};
  s_vpi_time time = {.type = vpiSuppressTime};
  s_cb_data data = {.reason = cbValueChange,
                    .cb_rtn = on_clock,
                    .obj = instance->places[instance->clock].object,
                    .time = &time,
                    .value = &value,
                    .user_data = (PLI_BYTE8 *)instance};
  instance->level = level_of_clock(instance);
  vpi_register_cb(&data);
}

/* False: the simulation ends. */
static bool attach(vpiHandle scope) {
  char why[600];
  struct instance *instance = calloc(1, sizeof *instance);
  if (!instance) return refuse("out of memory");
  instance->next = instances;
  instances = instance;
  instance->is_over = true;
  snprintf(instance->name, sizeof instance->name, "%s", vpi_get_str(vpiFullName, scope));
  instance->monitor = monitor_open(description, why, sizeof why);
  if (!instance->monitor) return refuse("%s", why);
  instance->places = calloc(monitor_device(instance->monitor)->num_pins, sizeof(struct place));
  if (!instance->places) return refuse("out of memory");
  if (!find_pins(instance, scope)) return false;
  instance->is_over = false;
  watch(instance);
  return true;
}

static bool attach_all(vpiHandle scope);

static bool visit(vpiHandle scope) {
  const bool is_device =
      vpi_get(vpiType, scope) == vpiModule && strcmp(vpi_get_str(vpiDefName, scope), top) == 0;
  return is_device ? attach(scope) : attach_all(scope);
}

/* Modules, and blocks that were generated. Icarus Verilog has modules among both. */
static bool attach_all(vpiHandle scope) {
  static const PLI_INT32 kinds[] = {vpiModule, vpiInternalScope};
  for (unsigned k = 0; k < 2; k++) {
    vpiHandle within, iterator = scope || k == 0 ? vpi_iterate(kinds[k], scope) : NULL;
    while (iterator && (within = vpi_scan(iterator))) {
      if (k == 1 && vpi_get(vpiType, within) != vpiGenScope) continue;
      if (visit(within)) continue;
      vpi_free_object(iterator);
      return false;
    }
  }
  return true;
}

/* ---- The start ---- */

/* The value of argument number n of this name. NULL: there are not so many. */
static const char *argument(const char *name, unsigned n) {
  s_vpi_vlog_info info;
  const size_t length = strlen(name);
  if (!vpi_get_vlog_info(&info)) return NULL;
  for (PLI_INT32 a = 0; a < info.argc; a++)
    if (strncmp(info.argv[a], name, length) == 0 && n-- == 0) return info.argv[a] + length;
  return NULL;
}

/* The top module of the command line, or of the description. */
static bool find_top(void) {
  static char name[200];
  char why[600];
  if ((top = argument("+pmuv3_top=", 0))) {
    return !argument("+pmuv3=", 1) ||
           refuse("+pmuv3_top is of one description; expected a line \"top\" in each");
  }
  struct monitor *monitor = monitor_open(description, why, sizeof why);
  if (!monitor) return refuse("%s", why);
  const char *declared = monitor_device(monitor)->top;
  if (declared) snprintf(name, sizeof name, "%s", declared);
  monitor_close(monitor);
  top = name;
  if (!declared)
    return refuse("'%s' has no line \"top\"; name the device's module by +pmuv3_top=MODULE",
                  description);
  return true;
}

/* All instances of one description's module. */
static bool begin(void) {
  const struct instance *before = instances;
  if (!find_top() || !attach_all(NULL)) return false;
  return instances != before || refuse("the simulation has no instance of the module '%s'", top);
}

static PLI_INT32 on_start(p_cb_data data) {
  (void)data;
  unsigned n = 0;
  const char *file = argument("+pmuv3_words=", 0);
  if (file && !(words = fopen(file, "wx"))) return refuse("cannot write '%s'", file), 0;
  while ((description = argument("+pmuv3=", n)) && begin()) n++;
  if (n == 0 && !description) refuse("the description is missing; expected +pmuv3=FILE");
  return 0;
}

static void start(void) {
  s_cb_data data = {.reason = cbStartOfSimulation, .cb_rtn = on_start};
  vpi_register_cb(&data);
  data = (s_cb_data){.reason = cbEndOfSimulation, .cb_rtn = on_end};
  vpi_register_cb(&data);
}

void (*vlog_startup_routines[])(void) = {start, NULL};
