#!/usr/bin/env python3
"""Every parameter of a preset names its source, or says that it is assumed and why."""

import glob
import os
import re
import sys
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))
CORES = os.path.join(ROOT, "cmodel/cores")

# What every preset states; other parameters may follow.
STATED = ("counters", "threads", "el2", "el3", "aa32", "debugv8p2", "slots", "features", "events")


def presets():
    """Name and text of every preset."""
    for path in sorted(glob.glob(os.path.join(CORES, "*.core"))):
        with open(path, encoding="ascii") as file:
            yield os.path.basename(path)[: -len(".core")], file.read()


def complaints(text):
    """What is wrong with a preset, line by line."""
    lines = text.split("\n")
    sources = set(re.findall(r"^# \[(\d+)\] \S", text, re.MULTILINE))
    used = set()
    if lines[0] != "pmuv3-core 1" or not re.fullmatch(r"# \S.*", lines[1]):
        yield "1: no head, or no name"
    for number, line in enumerate(lines, 1):
        if not line.startswith("param"):
            continue
        comment = line.partition("#")[2].strip()
        cited = re.match(r"(\[\d+\](, )?)+", comment)
        cites = set(re.findall(r"\[(\d+)\]", cited[0])) if cited else set()
        used |= cites
        if not cites and not re.match(r"assumed: \S", comment):
            yield f"{number}: neither a source nor assumed"
        if cites - sources:
            yield f"{number}: cites a source that is not there"
    for name in STATED:
        if not re.search(rf"^param {name}=", text, re.MULTILINE):
            yield f"no {name}"
    if sources - used:
        yield f"sources that nothing cites: {sorted(sources - used)}"


class SourcesTest(unittest.TestCase):
    """The presets, and that the check sees what it is for."""

    def test_every_parameter_has_a_source(self):
        for name, text in presets():
            self.assertEqual(list(complaints(text)), [], name)

    def test_there_are_cores_of_each_kind(self):
        texts = dict(presets())
        highest = [re.search(r"^param aa32=(\w+)", text, re.MULTILINE)[1] for text in texts.values()]
        self.assertGreaterEqual(len(texts), 12)
        for word in ("none", "el0", "el3"):
            self.assertGreaterEqual(highest.count(word), 2, word)

    def test_lines_are_not_too_long(self):
        for name, text in presets():
            self.assertEqual([line for line in text.split("\n") if len(line) > 100], [], name)

    def test_the_check_sees_what_is_wrong(self):
        good = dict(presets())["neoverse-v2"]
        self.assertEqual(list(complaints(good)), [])
        for old, new, what in (
                ("param threads=1 # assumed: one thread", "param threads=1", "neither a source"),
                ("param threads=1 # assumed: one thread", "param threads=1 # assumed:", "neither"),
                ("param slots=8 # [3]", "param slots=8 # [9]", "not there"),
                ("param slots=8 # [3]", "param slots=8 # assumed: a", "nothing cites"),
                ("param aa32=none", "param th_width=2", "no aa32"),
                ("pmuv3-core 1\n", "", "no head")):
            self.assertIn(old, good)
            found = list(complaints(good.replace(old, new)))
            self.assertTrue(any(what in complaint for complaint in found), (new, found))


if __name__ == "__main__":
    sys.exit(unittest.main())
