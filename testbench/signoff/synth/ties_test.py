#!/usr/bin/env python3
"""Tests of ties.py, on settings and parameters typed here."""

import sys
import unittest

sys.dont_write_bytecode = True
import ties

PARAMS = '''#define PMUV3_PARAM(name, dflt, min, max, bits, text)
PMUV3_PARAM(counters, 6, 0, MAX, 5, "event counters, all of them")
PMUV3_PARAM(el2, 1, 0, 1, 1,
            "EL2")
PMUV3_CHOICE(k_restc, "K-RESTC", "a", "a|b", 1, "reserved TC")
PMUV3_FEATURE(TH, NONE, 1, "thresholds")
PMUV3_FEATURE(EDGE, TH, 1, "edges")
PMUV3_FEATURE(EXT32, NONE, 0, "the page")
'''
EVENTS = '''PMUV3_EVENT(0x0000, SW_INCR, SELF, CORE, EXACT | SYNC, 0)
PMUV3_EVENT(0x0004, L1D_CACHE, COUNT, MEMORY, NONE, 255)
PMUV3_EVENT(0x0008, INST_RETIRED, COUNT, CORE, SYNC, 255)
'''
STAT = '''   Number of cells:                 12
     $_DFFE_PN0P_                    3
     $_DFF_PN0_                      4
     $_AND_                          5
'''


class TiesTest(unittest.TestCase):
    def test_settings(self):
        self.assertEqual(ties.settings('# c\n\nfull6\na32  aa64=0   features=TH,EDGE # why\n'),
                         {'full6': [], 'a32': ['aa64=0', 'features=TH,EDGE']})

    def tied(self, *words):
        return dict(ties.ties(PARAMS, words))

    def test_defaults(self):
        self.assertEqual(self.tied(), {'counters': '6', 'el2': '1', 'k_restc': 0, 'feat_th': 1,
                                       'feat_edge': 1, 'feat_ext32': 0})

    def test_words(self):
        self.assertEqual(self.tied('counters=2', 'k_restc=b', 'features=EDGE'),
                         {'counters': '2', 'el2': '1', 'k_restc': 1, 'feat_th': 1, 'feat_edge': 1,
                          'feat_ext32': 0})
        self.assertEqual(self.tied('features=none')['feat_th'], 0)
        self.assertEqual(self.tied('features=EXT32')['feat_ext32'], 1)
        with self.assertRaises(ValueError):
            self.tied('k_restc=c')

    def test_events(self):
        self.assertEqual(list(ties.events(EVENTS, [])),
                         ["{1'b0, pmuv3_pkg::EventAttributionMemory, pmuv3_pkg::EventClassCount, 16'h0004}",
                          "{1'b1, pmuv3_pkg::EventAttributionCore, pmuv3_pkg::EventClassCount, 16'h0008}"])
        self.assertEqual(len(ties.inputs(EVENTS, ['counters=2', 'events=2'])), 1)

    def test_row(self):
        self.assertEqual(ties.row('full6', STAT, []), '| full6 | the defaults | 12 | 7 |')
        self.assertEqual(ties.row('a', STAT, ['aa64=0', 'features=TH,EDGE']),
                         '| a | aa64=0 features=TH, EDGE | 12 | 7 |')


if __name__ == '__main__':
    unittest.main()
