#!/usr/bin/env python3
"""Makes a preset of a core from its list of events (docs/howto/core.md).

Usage: from_json.py FILE.json [SOURCE]

FILE is a list of events as ARM-software/data or Arm's telemetry-solution publish them. The preset
goes to standard output. SOURCE names the list in the preset; without it the file's name does.
"""

import json
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "testbench"))
sys.dont_write_bytecode = True
import script  # pylint: disable=wrong-import-position

UNUSABLE = 2
MOST_EVENTS = 256  # PMUV3_MAX_EVENTS
MOST_COUNTERS = 31
MOST_SLOTS = 255
STALL_BACKEND = 0x0024
NEVER_COUNTED = {0x400D: "PMU_OVFS", 0x400F: "PMU_HOVFS"}

KINDS = {int: "a whole number", str: "a string", list: "an array", dict: "an object"}

# The parameters that no list of events tells, with the values that they have without a line.
TO_BE_FILLED_IN = ("threads=1", "el2=1", "el3=1", "features=none", "debugv8p2=1", "aa32=none")

MNEMONIC = re.compile(r"[A-Z_][A-Z0-9_]{0,46}")
A_CYCLE = re.compile(r"\b(each|every) (Processor )?cycle\b|\bcounts cycles\b", re.IGNORECASE)

# What the name of an event says of its attribution, as in events.def.
ATTRIBUTIONS = (
    ("OWN", re.compile(r"\w+_CACHE_(ALLOCATE|WB_VICTIM)|((L2|L3)[DI]?|LL)_CACHE_WB")),
    ("MEMORY", re.compile(r"L1D_(CACHE|LFB)|BUS_|\w+_CACHE_INVAL|MEMORY_ERROR")),
    ("SHARED", re.compile(r"(L2|L3)[DI]?_(\w+_)?(CACHE|TLB)|LL_CACHE")),
    ("TRACE", re.compile(r"TRB_|TRCEXTOUT|CTI_TRIGOUT")),
)


class Unusable(Exception):
    """A list that cannot become a preset; the text says why."""


def architecture():
    """The numbers and mnemonics of events.def, which need no keys, and the numbers of class SELF."""
    row = re.compile(r"^PMUV3_EVENT\((0x[0-9A-F]{4}), (\w+), (\w+),", re.MULTILINE)
    with open(os.path.join(ROOT, "cmodel/include/pmuv3/events.def"), encoding="ascii") as file:
        rows = row.findall(file.read())
    mnemonics = {int(number, 16): mnemonic for number, mnemonic, _ in rows}
    return mnemonics, {int(number, 16) for number, _, kind in rows if kind == "SELF"}


def member(parent, name, kind, default):
    """A member of a JSON object: `default` if it is absent or null, else it must be of a kind."""
    value = parent.get(name)
    if value is None:
        return default
    if not isinstance(value, kind) or isinstance(value, bool):
        raise Unusable(f"{name} is {json.dumps(value)}; expected {KINDS[kind]}")
    return value


def count_of(parent, name, most):
    """A member that counts something: None if it is absent."""
    value = member(parent, name, int, None)
    if value is not None and not 0 <= value <= most:
        raise Unusable(f"{name} is {value}; expected 0 to {most}")
    return value


def one_line(words):
    """Words for a comment: without ends of lines."""
    line = " ".join(words.split())
    if not line.isprintable():
        raise Unusable(f"{json.dumps(words)} has a character that cannot be printed")
    return line


def listed(core):
    """The events of a list: its members are an array, or are named."""
    events = core.get("events") if isinstance(core, dict) else None
    if isinstance(events, dict):
        events = [{"name": name, **event} if isinstance(event, dict) else event
                  for name, event in events.items()]
    if not isinstance(events, list) or not all(isinstance(event, dict) for event in events):
        raise Unusable("no events; expected \"events\" as ARM-software/data has them")
    return [event for event in events if "PMU" in member(event, "accesses", list, ["PMU"])]


def number_of(event):
    """The number of an event. None: the PMU does not have it."""
    code = event.get("code")
    if code is None:
        return None
    try:
        number = code if type(code) is int else int(code, 0)  # a bool is an int, too
    except (TypeError, ValueError):
        number = -1
    if not 0 <= number <= 0xFFFF:
        raise Unusable(f"code is {json.dumps(code)}; expected a number of 16 bits")
    return number


def name_of(event, number):
    """The mnemonic; some lists leave those of IMPLEMENTATION DEFINED events out."""
    name = member(event, "name", str, "") or f"IMP_{number:04X}"
    if not MNEMONIC.fullmatch(name):
        raise Unusable(f"name is {json.dumps(name)}; expected a mnemonic")
    return name


def class_of(name, number, text, numbers):
    """The class of an event that events.def lacks."""
    if name.startswith("STALL_SLOT"):
        return "SLOTS"
    if name.startswith("STALL_BACKEND_") and number >= 0x8000 and STALL_BACKEND in numbers:
        return "SECOND"
    if name.endswith("_PERCYC"):
        return "COUNT"
    return "CONDITION" if name.startswith("STALL_") or A_CYCLE.search(text) else "COUNT"


def attribution_of(name):
    """To what an event that events.def lacks is attributable."""
    return next((word for word, names in ATTRIBUTIONS if names.match(name)), "CORE")


def row_of(event, number, numbers, mnemonics):
    """The event as a parameter."""
    name = name_of(event, number)
    keys = []
    if number in mnemonics:
        if name != mnemonics[number]:
            raise Unusable(f"event 0x{number:04X} is {name}; expected {mnemonics[number]}")
    else:
        kind = class_of(name, number, member(event, "description", str, ""), numbers)
        attribution = attribution_of(name)
        keys += [f"class={kind}"] if kind != "COUNT" else []
        keys += [f"attribution={attribution}"] if attribution != "CORE" else []
    return ",".join([f"event=0x{number:04X}", name] + keys)


def sort_out(events, own):
    """The events by number without those that no set has, and what is to say of these."""
    numbered, notes = {}, []
    unnumbered = 0
    for event in events:
        number = number_of(event)
        if number is None:
            unnumbered += 1
        elif number in NEVER_COUNTED:
            notes.append(f"left out: 0x{number:04X} {NEVER_COUNTED[number]}, which is never counted")
        elif number in numbered:
            raise Unusable(f"event 0x{number:04X} is listed twice; expected it once")
        else:
            numbered[number] = event
    if unnumbered:
        notes.append(f"left out: {unnumbered} events that have no number")
    missing = [f"0x{number:04X}" for number in sorted(own - set(numbered))]
    if missing:
        notes.append(f"not listed, but the PMU's own: {', '.join(missing)}")
    rows = {number: event for number, event in numbered.items() if number not in own}
    if len(rows) + len(own) > MOST_EVENTS:
        raise Unusable(f"{len(rows) + len(own)} events; expected at most {MOST_EVENTS}")
    return rows, notes


def parameters(core):
    """The parameters that a list tells, and those that it does not, as lines."""
    product = member(core, "product_configuration", dict, {})
    counters = count_of(core, "counters", MOST_COUNTERS)
    slots = count_of(product, "num_slots", MOST_SLOTS)
    yield (f"param counters={counters} # [1]" if counters is not None
           else "param counters=6 # assumed: the list of events does not say it")
    yield (f"param slots={slots} # [1]" if slots is not None
           else "param slots=0 # assumed: the list of events does not say it")
    for parameter in TO_BE_FILLED_IN:
        yield f"param {parameter} # assumed: to be filled in"


def preset(core, source):
    """The lines of the preset."""
    mnemonics, own = architecture()
    rows, notes = sort_out(listed(core), own)
    product = member(core, "product_configuration", dict, {})
    cpu = member(core, "cpu", str, "") or member(product, "product_name", str, "") or "a core"
    yield "pmuv3-core 1"
    yield f"# {one_line(cpu)}"
    yield f"# [1] {one_line(source)}"
    yield from parameters(core)
    yield from (f"# {note}" for note in notes)
    yield "param events=none # [1]"
    for number in sorted(rows):
        yield f"param {row_of(rows[number], number, rows, mnemonics)} # [1]"


def main(arguments):
    """Exit status 2 and one line, if the file is not usable."""
    if len(arguments) not in (1, 2) or arguments[0].startswith("-"):
        print("usage: from_json.py FILE.json [SOURCE]", file=sys.stderr)
        return UNUSABLE
    path = arguments[0]
    source = arguments[1] if len(arguments) == 2 else os.path.basename(path)
    try:
        with open(path, encoding="utf-8") as file:
            core = json.load(file)
        lines = list(preset(core, source))
    except (OSError, ValueError, RecursionError, Unusable) as error:
        why = error.strerror if isinstance(error, OSError) else error
        shown = "".join(letter if letter.isprintable() else "?" for letter in path)
        print(f"from_json.py: {shown}: {why}", file=sys.stderr)
        return UNUSABLE
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    script.run(main)
