#!/usr/bin/env python3
"""Writes a stimulus file that programs each event of a preset in turn, and expects its counts.

Usage: litmus.py NAME. The expectations follow from the rows of the preset: an event that is
presented once, and then as often as its class allows up to twice, counts as often.
"""

import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))
sys.path.insert(0, os.path.join(ROOT, "testbench"))
sys.dont_write_bytecode = True
import script  # pylint: disable=wrong-import-position

OWN = (0x0000, 0x0011, 0x001E)  # SW_INCR, CPU_CYCLES, CHAIN
CONDITIONS = (0x001D, 0x0023, 0x0024, 0x003C, 0x4005)  # formats.md, Items of a cycle
CONDITION_CLASSES = ("STALL", "SECOND", "CONDITION")


def rows(text):
    """The number and the keys of each event of a preset, read without the project's reader."""
    for number, rest in re.findall(r"^param event=(0x[0-9A-F]{4})(\S*)", text, re.MULTILINE):
        yield int(number, 16), dict(re.findall(r"(\w+)=(\w+)", rest))


def most_of(number, keys):
    """How often an event is presented in the second cycle."""
    is_condition = number in CONDITIONS or keys.get("class") in CONDITION_CLASSES
    return 1 if is_condition else min(2, int(keys.get("most", "2")))


def pmceid(numbers, low, is_16_bits):
    """PMCEID0 (low = 0) or PMCEID1 (low = 0x20): bit n of each half is event low + n of its range."""
    value = 0
    for shift, base in ((0, 0), (32, 0x4000)) if is_16_bits else ((0, 0),):
        for bit in range(32):
            if base + low + bit in numbers:
                value |= 1 << (shift + bit)
    return value


def counts(number, most):
    """The lines that count one event: once, then `most` times."""
    yield f"write PMEVTYPER0_EL0 0x{number:04x}"
    yield "write PMCR_EL0 3"
    yield f"cycle 0x{number:04x}:1"
    yield f"cycle 0x{number:04x}:{most}"
    yield f"expect PMEVCNTR0_EL0 {1 + most}"


def own_events(counted):
    """The lines that count what the PMU makes itself. CHAIN follows an event of the core."""
    yield "write PMEVTYPER0_EL0 0x0000"
    yield "write PMCR_EL0 3"
    yield "write PMSWINC_EL0 1"
    yield "idle 1"
    yield "expect PMEVCNTR0_EL0 1"
    yield "write PMEVTYPER0_EL0 0x0011"
    yield "write PMCR_EL0 3"
    yield "idle 3"
    yield "expect PMEVCNTR0_EL0 3"
    yield f"write PMEVTYPER0_EL0 0x{counted:04x}"
    yield "write PMEVTYPER1_EL0 0x001e"
    yield "write PMCR_EL0 3"
    yield "write PMEVCNTR0_EL0 0xffffffff"
    yield f"cycle 0x{counted:04x}:1"
    yield "expect PMEVCNTR1_EL0 1"


def litmus(core, text):
    """The lines of the stimulus file."""
    events = dict(rows(text))
    numbers = set(events) | set(OWN)
    is_16_bits = re.search(r"^param features=\S*PMUv3p", text, re.MULTILINE) is not None
    yield "pmuv3-stimulus 1"
    yield f"param core={core}"
    yield f"expect PMCEID0_EL0 0x{pmceid(numbers, 0, is_16_bits):x}"
    yield f"expect PMCEID1_EL0 0x{pmceid(numbers, 0x20, is_16_bits):x}"
    yield "write PMCNTENSET_EL0 3"
    for number, keys in events.items():
        yield from counts(number, most_of(number, keys))
    yield from own_events(0x0008)


def main(arguments):
    """Prints the file."""
    with open(os.path.join(ROOT, "cmodel/cores", arguments[0] + ".core"), encoding="ascii") as file:
        print("\n".join(litmus(arguments[0], file.read())))
    return 0


if __name__ == "__main__":
    script.run(main)
