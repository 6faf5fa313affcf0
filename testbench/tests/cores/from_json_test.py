#!/usr/bin/env python3
"""from_json.py: what becomes of a list of events, and of one that is not usable."""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__)))))
FROM_JSON = os.path.join(ROOT, "cmodel/cores/from_json.py")
EVENTS_DEF = os.path.join(ROOT, "cmodel/include/pmuv3/events.def")
sys.path.insert(0, os.path.dirname(FROM_JSON))
sys.dont_write_bytecode = True
import from_json  # pylint: disable=wrong-import-position


def made_of(core, *arguments):
    """Status, lines of standard output and standard error for a list."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "list.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(core if isinstance(core, str) else json.dumps(core))
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = from_json.main([path, *arguments])
    return status, out.getvalue().splitlines(), err.getvalue().replace(path, "LIST")


def event(code, name, description=""):
    """An event as ARM-software/data has it."""
    return {"code": code, "name": name, "description": description}


class FromJsonTest(unittest.TestCase):
    """Lists as ARM-software/data and telemetry-solution have them."""

    def rows(self, *events):
        """The events of the preset that is made of these."""
        status, lines, wrong = made_of({"events": list(events)})
        self.assertEqual((status, wrong), (0, ""))
        return [line[len("param "):-len(" # [1]")] for line in lines if "event=" in line]

    def test_the_whole_preset(self):
        status, lines, _ = made_of({"cpu": "Mine", "counters": 4, "events": [
            event(0x08, "INST_RETIRED"), event(0x400D, "PMU_OVFS"), event(0, "SW_INCR"),
            event(0x11, "CPU_CYCLES"), {"description": "for the trace unit alone"}]}, "my list")
        self.assertEqual(status, 0)
        self.assertEqual(lines, [
            "pmuv3-core 1", "# Mine", "# [1] my list", "param counters=4 # [1]",
            "param slots=0 # assumed: the list of events does not say it",
            "param threads=1 # assumed: to be filled in",
            "param el2=1 # assumed: to be filled in",
            "param el3=1 # assumed: to be filled in",
            "param features=none # assumed: to be filled in",
            "param debugv8p2=1 # assumed: to be filled in",
            "param aa32=none # assumed: to be filled in",
            "# left out: 0x400D PMU_OVFS, which is never counted",
            "# left out: 1 events that have no number",
            "# not listed, but the PMU's own: 0x001E, 0x8127",
            "param events=none # [1]", "param event=0x0008,INST_RETIRED # [1]"])

    def test_a_named_list(self):
        status, lines, _ = made_of({
            "product_configuration": {"product_name": "Other", "num_slots": 8},
            "events": {"LD_RETIRED": {"code": "0x0006", "accesses": ["PMU", "ETE"]},
                       "ETE_ALONE": {"code": "0x0007", "accesses": ["ETE"]}}})
        self.assertEqual(status, 0)
        self.assertIn("# Other", lines)
        self.assertIn("param slots=8 # [1]", lines)
        self.assertEqual([line for line in lines if "event=" in line],
                         ["param event=0x0006,LD_RETIRED # [1]"])

    def test_a_name_is_one_line(self):
        _, lines, _ = made_of({"cpu": "My\ncore", "events": []}, "my\nlist")
        self.assertEqual(lines[1:3], ["# My core", "# [1] my list"])

    def test_a_core_without_counters(self):
        _, lines, _ = made_of({"counters": 0, "events": []})
        self.assertIn("param counters=0 # [1]", lines)

    def test_numbers_come_in_order(self):
        self.assertEqual(self.rows(event(9, "EXC_TAKEN"), event(8, "INST_RETIRED")),
                         ["event=0x0008,INST_RETIRED", "event=0x0009,EXC_TAKEN"])

    def test_classes(self):
        stall = event(0x24, "STALL_BACKEND")
        self.assertEqual(
            self.rows(stall, event(0xE0, None, "Counts every cycle that a queue is empty."),
                      event(0xE1, "IMP_WORK", "Counts work."), event(0xEE, "STALL_SLOT_FULL"),
                      event(0xE4, "STALL_BACKEND_ILOCK"), event(0x8165, "STALL_BACKEND_L1D"),
                      event(0x8159, "STALL_FRONTEND_L1I"),
                      event(0x8120, "INST_FETCH_PERCYC", "on each Processor cycle")),
            ["event=0x0024,STALL_BACKEND", "event=0x00E0,IMP_00E0,class=CONDITION",
             "event=0x00E1,IMP_WORK", "event=0x00E4,STALL_BACKEND_ILOCK,class=CONDITION",
             "event=0x00EE,STALL_SLOT_FULL,class=SLOTS", "event=0x8120,INST_FETCH_PERCYC",
             "event=0x8159,STALL_FRONTEND_L1I,class=CONDITION",
             "event=0x8165,STALL_BACKEND_L1D,class=SECOND"])
        self.assertEqual(self.rows(event(0x8165, "STALL_BACKEND_L1D")),
                         ["event=0x8165,STALL_BACKEND_L1D,class=CONDITION"])

    def test_attributions(self):
        for name, attribution in (("L1D_CACHE_MISS", "MEMORY"), ("L1D_TLB_RW", None),
                                  ("L1I_CACHE_RD", None), ("L2D_CACHE_RW", "SHARED"),
                                  ("L2D_S2_TLB", "SHARED"), ("L3D_CACHE_HWPRF", "SHARED"),
                                  ("LL_CACHE_REFILL", "SHARED"), ("BUS_REQ_RD", "MEMORY"),
                                  ("LL_CACHE_WB", "OWN"), ("L1D_CACHE_WB", "MEMORY"),
                                  ("L1GCS_CACHE_INVAL", "MEMORY"), ("TRCEXTOUT4", "TRACE"),
                                  ("DTLB_STEP", None), ("L2D_WS_MODE", None)):
            keys = f",attribution={attribution}" if attribution else ""
            self.assertEqual(self.rows(event(0x8200, name)), [f"event=0x8200,{name}{keys}"])

    def test_attributions_are_as_in_events_def(self):
        with open(EVENTS_DEF, encoding="ascii") as file:
            rows = re.findall(r"^PMUV3_EVENT\(\w+, (\w+), \w+, (\w+),", file.read(), re.MULTILINE)
        self.assertGreater(len(rows), 100)
        for name, attribution in rows:
            self.assertEqual(from_json.attribution_of(name), attribution, name)

    def unusable(self, core, why):
        """One line, status 2, and nothing made."""
        self.assertEqual(made_of(core), (2, [], f"from_json.py: LIST: {why}\n"))

    def test_unusable_lists(self):
        self.unusable({}, 'no events; expected "events" as ARM-software/data has them')
        self.unusable([], 'no events; expected "events" as ARM-software/data has them')
        self.unusable({"events": [event(0x10000, "A")]},
                      "code is 65536; expected a number of 16 bits")
        self.unusable({"events": [event("x", "A")]}, 'code is "x"; expected a number of 16 bits')
        self.unusable({"events": [event(0xC0, "a b")]}, 'name is "a b"; expected a mnemonic')
        self.unusable({"events": [event(8, "ELSE")]}, "event 0x0008 is ELSE; expected INST_RETIRED")
        self.unusable({"events": [event(8, "INST_RETIRED")] * 2},
                      "event 0x0008 is listed twice; expected it once")
        self.unusable({"events": [event(0xC000 + n, f"IMP_{n}") for n in range(253)]},
                      "257 events; expected at most 256")
        self.unusable({"events": {"A": 1}},
                      'no events; expected "events" as ARM-software/data has them')
        self.unusable({"events": [], "counters": "six"},
                      'counters is "six"; expected a whole number')
        self.unusable({"events": [], "counters": 32}, "counters is 32; expected 0 to 31")
        self.unusable({"events": [], "product_configuration": {"num_slots": 256}},
                      "num_slots is 256; expected 0 to 255")
        self.unusable({"events": [], "product_configuration": []},
                      "product_configuration is []; expected an object")
        self.unusable({"events": [], "cpu": 3}, "cpu is 3; expected a string")
        self.unusable({"events": [{"code": 8, "name": 8}]}, "name is 8; expected a string")
        self.unusable({"events": [{"code": 8, "accesses": "PMU"}]},
                      'accesses is "PMU"; expected an array')
        self.unusable({"events": [{"code": 200, "description": 1}]},
                      "description is 1; expected a string")
        self.unusable({"events": [event(True, "A")]}, "code is true; expected a number of 16 bits")
        self.unusable({"events": [], "cpu": "a\x1b[2Jb"},
                      '"a\\u001b[2Jb" has a character that cannot be printed')
        self.unusable({"events": [], "cpu": "\ud800"},
                      '"\\ud800" has a character that cannot be printed')
        status, lines, wrong = made_of("[" * 100000)
        self.assertEqual((status, lines, wrong.count("\n")), (2, [], 1))
        status, lines, wrong = made_of("{")
        self.assertEqual((status, lines, wrong.count("\n")), (2, [], 1))

    def test_standard_output(self):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            file.write(json.dumps({"events": []}))
            file.flush()
            for out, why in ((">&-", "it is closed"), (">/dev/full", "No space left on device")):
                ended = subprocess.run(["sh", "-c", f'"$0" "$1" {out}', FROM_JSON, file.name],
                                       capture_output=True, text=True, check=False)
                self.assertEqual(
                    (ended.returncode, ended.stderr),
                    (2, f"from_json.py: cannot write to standard output: {why}\n"))

    def test_arguments(self):
        for arguments in ([], ["a", "b", "c"], ["--help"]):
            ended = subprocess.run([FROM_JSON, *arguments], capture_output=True, text=True,
                                   check=False)
            self.assertEqual((ended.returncode, ended.stdout, ended.stderr),
                             (2, "", "usage: from_json.py FILE.json [SOURCE]\n"))
        ended = subprocess.run([FROM_JSON, "absent/x"], capture_output=True, text=True, check=False)
        self.assertEqual((ended.returncode, ended.stderr),
                         (2, "from_json.py: absent/x: No such file or directory\n"))


if __name__ == "__main__":
    sys.exit(unittest.main())
