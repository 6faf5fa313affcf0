#!/usr/bin/env python3
"""A user of the Python module. Expected values are worked out by hand from the rules.

Usage: use_test.py, with the module in PYTHONPATH.
"""

import tempfile
import unittest

import pmuv3
from pmuv3 import MASK, new

INST_RETIRED = pmuv3.EVENT_INST_RETIRED
WRAP = 1 << 32  # PMCR.LP is 0 after a reset: the carry out of bit 31 is an overflow


class UseTest(unittest.TestCase):
    """A PMU with default parameters: a thread at EL1, six counters, all features of thresholds."""

    def setUp(self):
        params = pmuv3.params_default()
        self.assertIsNone(pmuv3.params_complete(params))
        self.pmu = new("struct pmuv3 *")
        self.assertIsNone(pmuv3.init(self.pmu, params))

        # Counter 0 counts the cycles with 3 instructions or more. Counter 1 counts instructions.
        at_least = 0b101 << pmuv3.PMEVTYPER_TC_LSB | 3 << pmuv3.PMEVTYPER_TH_LSB
        self.write(pmuv3.PMEVTYPERn(0), at_least | INST_RETIRED)
        self.write(pmuv3.PMEVTYPERn(1), INST_RETIRED)
        self.write(pmuv3.PMEVCNTRn(1), WRAP - 100)
        self.write(pmuv3.PMINTENSET, 0b10)
        self.write(pmuv3.PMCNTENSET, 0b11)
        self.write(pmuv3.PMCR, MASK("PMCR", "E"))

    def write(self, reg, value):
        self.assertEqual(pmuv3.msr(self.pmu, 0, reg, value), pmuv3.DONE)

    def read(self, reg):
        value = new("uint64_t *")
        self.assertEqual(pmuv3.read(self.pmu, 0, reg, value), pmuv3.ACCESS_OK)
        return value[0]

    def tick(self, instructions):
        occurs = new("struct pmuv3_occurrence *", {"event": INST_RETIRED, "count": instructions})
        cycle = new("struct pmuv3_cycle *", {"occurrences": occurs, "num_occurrences": 1})
        self.assertIsNone(pmuv3.cycle_wrong(self.pmu.params, self.pmu.pe, cycle))
        pmuv3.tick(self.pmu, cycle)

    def test_cycles(self):
        """0, 1, 2, 3, 4 instructions, 20 times: 40 cycles with at least 3, and 200 instructions.

        The first half has 100, so the 50th cycle overflows.
        """
        overflows = []
        for cycle in range(1, 101):
            self.tick((cycle - 1) % 5)
            if pmuv3.pulses(self.pmu, 0):
                overflows.append((cycle, pmuv3.pulses(self.pmu, 0)))
        self.assertEqual(overflows, [(50, 0b10)])
        self.assertEqual(self.read(pmuv3.PMEVCNTRn(0)), 40)
        self.assertEqual(self.read(pmuv3.PMEVCNTRn(1)), WRAP + 100)
        self.assertEqual(self.read(pmuv3.PMOVSSET), 0b10)
        self.assertIs(pmuv3.irq(self.pmu, 0), True)
        self.write(pmuv3.PMOVSCLR, 0b10)
        self.assertIs(pmuv3.irq(self.pmu, 0), False)

    def test_run(self):
        """2500 instructions in 1000 cycles: 3 in the first 500, then 2. 102 are 34 cycles of 3."""
        rates = [{"event": INST_RETIRED, "total": 2500}]
        self.assertEqual(pmuv3.next_overflow(self.pmu, 1000, rates, 1), 34)
        self.assertIsNone(pmuv3.run(self.pmu, 1000, rates, 1))
        self.assertEqual(self.read(pmuv3.PMEVCNTRn(0)), 500)
        self.assertEqual(self.read(pmuv3.PMEVCNTRn(1)), WRAP + 2400)
        self.assertIsInstance(pmuv3.run(self.pmu, 0, rates, 1), str)
        self.assertEqual(self.read(pmuv3.PMEVCNTRn(1)), WRAP + 2400)

    def test_refused_access(self):
        """PMUSERENR.EN = 0 sends an access at EL0 to EL1. PMCR_EL0 is {3, 3, 9, 12, 0}."""
        user = new("struct pmuv3_pe *", self.pmu.pe[0])
        user.el = 0
        pmuv3.set_pe(self.pmu, 0, user)
        value, trap = new("uint64_t *", 1), new("struct pmuv3_trap *")
        result = pmuv3.mrs(self.pmu, 0, pmuv3.PMCR, value)
        self.assertEqual((result, value[0]), (pmuv3.TRAP_EL1, 0))
        self.assertEqual(pmuv3.trap_of(self.pmu, 0, pmuv3.PMCR, False, trap), result)
        self.assertEqual((trap.el, trap.ec), (1, 0x18))
        iss = 3 << 20 | 0 << 17 | 3 << 14 | 9 << 10 | 12 << 1 | 1
        self.assertEqual(pmuv3.syndrome(result, trap[0]), 0x18 << 26 | 1 << 25 | iss)

        pmuv3.write(self.pmu, 0, pmuv3.PMUSERENR, MASK("PMUSERENR", "EN"))
        self.assertEqual(pmuv3.mrs(self.pmu, 0, pmuv3.PMCR, value), pmuv3.DONE)
        self.assertEqual(pmuv3.GET(value[0], "PMCR", "N"), 6)

    def test_save(self):
        size = pmuv3.save(self.pmu, pmuv3.ffi.NULL, 0)
        saved = new("char[]", size)
        self.assertEqual(pmuv3.save(self.pmu, saved, size), size)
        self.tick(4)
        self.assertEqual(self.read(pmuv3.PMEVCNTRn(1)), WRAP - 96)
        self.assertIsNone(pmuv3.restore(self.pmu, saved, size))
        self.assertEqual(self.read(pmuv3.PMEVCNTRn(1)), WRAP - 100)
        self.assertIsInstance(pmuv3.restore(self.pmu, saved, size - 1), str)

    def test_text(self):
        params = pmuv3.params_default()
        self.assertIsNone(pmuv3.params_set(params, "counters", "4"))
        self.assertEqual(params.counters, 4)
        self.assertIn("99", pmuv3.params_set(params, "counters", "99"))
        self.assertRaises(ValueError, pmuv3.params_set, params, "counters", "4\0")
        for words in ("a" + "é" * 60, b"\xff"):
            self.assertRegex(pmuv3.params_set(params, "counters", words), "^counters must be ")
        self.assertEqual(params.counters, 4)
        self.assertEqual(pmuv3.event_mnemonic(0x0008), "INST_RETIRED")
        self.assertIsNone(pmuv3.event_mnemonic(0xFFFF))
        self.assertEqual(pmuv3.register_name(pmuv3.PMCR, new("char[24]")), "PMCR_EL0")

    def test_arguments(self):
        """What C's prototype does not take is refused."""
        value = new("uint64_t *")
        for arguments in ((0, pmuv3.PMCR), (0, pmuv3.PMCR, value, 1), (-1, pmuv3.PMCR, value),
                          (0, 1 << 16, value), (0, pmuv3.PMCR, new("uint32_t *"))):
            with self.assertRaises((TypeError, OverflowError)):
                pmuv3.read(self.pmu, *arguments)
        rate = {"event": 8, "total": 1}
        for rates in ([], [rate], (rate,), new("struct pmuv3_rate[1]", [rate])):
            self.assertRaises(ValueError, pmuv3.run, self.pmu, 10, rates, len(rates) + 1)
        self.assertRaises(ValueError, pmuv3.save, self.pmu, new("char[8]"), 9)
        self.assertIsNone(pmuv3.run(self.pmu, 10, [rate], 1))

    def test_sizes(self):
        """C neither reads nor writes beyond what a prototype and its arguments say."""
        cycle, pe = new("struct pmuv3_cycle *"), self.pmu.pe[0]
        rates = [{"event": event, "total": 20} for event in (0x08, 0x10, 0x12)]
        device = new("struct pmuv3_device *")
        for function, *arguments in (
                (pmuv3.register_name, pmuv3.PMCR, new("char[23]")),
                (pmuv3.register_name, pmuv3.PMCR, new("char *")),
                (pmuv3.calibrate_ranges, device, new("struct pmuv3_range[]", pmuv3.NUM_LATENCIES - 1)),
                (pmuv3.cycle_wrong, self.pmu.params, [pe] * 3, cycle),
                (pmuv3.cycle_wrong, self.pmu.params, pe, cycle),
                (pmuv3.rates_wrong, self.pmu.params, [pe] * 3, 10, rates, 3),
                (pmuv3.rates_cycle, 0, 10, rates, 3, new("struct pmuv3_occurrence[2]")),
                (pmuv3.run, self.pmu, 10, rates, pmuv3.ffi.cast("int", 4)),
                (pmuv3.run, self.pmu, 10, new("struct pmuv3_rate *", rates[0]), 2),
                (pmuv3.save, self.pmu, new("uint64_t[2]"), 17),
                (pmuv3.read, self.pmu, 0, pmuv3.PMCR, new("uint64_t[0]"))):
            with self.subTest(function.__doc__):
                self.assertRaises(ValueError, function, *arguments)
        self.assertIsNone(pmuv3.cycle_wrong(self.pmu.params, [pe] * 4, cycle))
        self.assertIsNone(pmuv3.rates_wrong(self.pmu.params, self.pmu.pe, 10, rates, 3))
        occurrences = new("struct pmuv3_occurrence[3]")
        self.assertEqual(pmuv3.rates_cycle(0, 10, rates, 3, occurrences), 10)
        self.assertEqual([(one.event, one.count) for one in occurrences],
                         [(0x08, 2), (0x10, 2), (0x12, 2)])
        self.assertGreater(pmuv3.save(self.pmu, new("uint64_t[2]"), 16), 16)

    def test_written(self):
        """C writes into memory of new() alone: nobody sees a list that cffi made, and bytes are constant."""
        size = pmuv3.save(self.pmu, pmuv3.ffi.NULL, 0)
        constant = bytes(size)
        for function, *arguments in (
                (pmuv3.register_name, pmuv3.PMCR, b"x" * 24),
                (pmuv3.register_name, pmuv3.PMCR, "x" * 24),
                (pmuv3.register_name, pmuv3.PMCR, [b"x"] * 24),
                (pmuv3.save, self.pmu, constant, size),
                (pmuv3.read, self.pmu, 0, pmuv3.PMCR, [0]),
                (pmuv3.read, self.pmu, 0, pmuv3.PMCR, (0,))):
            with self.subTest(function.__doc__):
                self.assertRaises(TypeError, function, *arguments)
        self.assertEqual(constant, bytes(size))
        saved = new("char[]", size)
        pmuv3.save(self.pmu, saved, size)
        self.assertIsNone(pmuv3.restore(self.pmu, bytes(pmuv3.ffi.buffer(saved)), size))

    def test_checker(self):
        """A device that reads PMSELR_EL0 as 5 after a reset, which is 0 here."""
        error = new("char[200]")
        with tempfile.TemporaryFile() as file:
            file.write(b"pmuv3-device 1\nparam core=neoverse-v2\nclock clk\n"
                       b"port csr request=req address=addr value=data\nregister 0 PMSELR_EL0\n")
            file.seek(0)
            device = pmuv3.device_read(file, "device", error, 200)
        self.assertTrue(device, pmuv3.ffi.string(error))
        self.addCleanup(pmuv3.device_free, device)
        check = pmuv3.check_create(device)
        self.addCleanup(pmuv3.check_destroy, check)
        record = new("struct pmuv3_record *")
        pmuv3.record_init(record, device)
        record.port[0].request = True
        self.assertTrue(pmuv3.check_clock(check, record))
        record.port[0].value = 5
        self.assertFalse(pmuv3.check_clock(check, record))
        self.assertEqual(pmuv3.check_diverged(check).seen, 5)
        self.assertIn("PMSELR_EL0", pmuv3.check_words(check, new("char[400]"), 400))


if __name__ == "__main__":
    unittest.main()
