#!/usr/bin/env python3
"""Tests of sources.py, smt2.py and results.py, on sources, a file and results typed here."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
import results
import smt2
import sources

LANE = '''module pmuv3_rules_lane;
  `RULE(D13_1, a, b)
  if (Odd) begin : g_odd
    `RULE(C_1, a, b)
  end else begin : g_even
    `RULE(C_2, a, b)
  end
  if (NumThreads > 1) begin : g_siblings
    `RULE(C_3, a, b)
  end
  if (Other) begin : g_unknown
    `RULE(C_4, a, b)
  end
endmodule
'''
PAGE = '''## A: not here
| R1 | MUST | x |
## B.1: here
| rule | class | x |
| D13.4-1 | MUST | x |
| D13.4- 2 | MAY | x |
## Behind
| R2 | MUST | x |
'''
TABLE = '''# comment
D13.4-1   D13_1 C_1  # why
D13.4-2     none: not in the RTL
-       C_2 C_3 C_4 T_1
'''


class SourcesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.write('pmuv3_rules_lane.sv', LANE)
        self.write('pmuv3_rules_thread.sv', '  `RULE(T_1, a, b)\n')
        self.write('properties.txt', TABLE)
        self.write('rules.md', PAGE)

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def test_expected(self):
        self.assertEqual(
            [*sources.expected(self.folder, 1, 2)],
            ['g_thread[0].u_rules.T_1', 'g_thread[0].u_rules.g_lane[0].u_lane.D13_1',
             'g_thread[0].u_rules.g_lane[1].u_lane.D13_1',
             'g_thread[0].u_rules.g_lane[1].u_lane.C_1', 'g_thread[0].u_rules.g_lane[0].u_lane.C_2'])
        self.assertEqual(len([*sources.expected(self.folder, 2, 1)]), 2 * 4)

    def mistakes(self):
        return [*sources.mistakes(self.folder, self.folder / 'rules.md')]

    def test_no_mistakes(self):
        self.assertEqual(self.mistakes(), [])

    def test_mistakes(self):
        for old, new, mistake in (
                ('D13.4-1 ', 'R9 ', 'properties.txt: R9: no such rule in B, C or D of docs/reference/rules.md'),
                ('D13.4-1 ', '- ', 'docs/reference/rules.md: D13.4-1: has no line in properties.txt'),
                ('C_1 ', 'C_1 C_9 ', 'properties.txt: C_9: no such property'),
                ('C_1 ', ' ', 'pmuv3_rules: C_1: is not in properties.txt'),
                ('C_1 ', 'C_1 C_2 ', 'properties.txt: C_2: is there twice')):
            self.write('properties.txt', TABLE.replace(old, new))
            self.assertIn(mistake, self.mistakes())


SMT2 = '''; yosys-smt2-assert 0 top.INV_a a.sv:1
(define-fun |pmuv3_proof_a 0| ((state |s|)) Bool (x)) ; top.INV_a
; yosys-smt2-assert 1 top.C_1 a.sv:2
(define-fun |pmuv3_proof_a 1| ((state |s|)) Bool (y)) ; top.C_1
; yosys-smt2-cover 0 top.C_1_seen a.sv:3
(define-fun |pmuv3_proof_c 0| ((state |s|)) Bool (z)) ; top.C_1_seen
; yosys-smt2-cover 1 top.INV_a_seen a.sv:4
(define-fun |pmuv3_proof_a| ((state |s|)) Bool (and
  (|pmuv3_proof_a 0| state)
  (|pmuv3_proof_a 1| state)
))
(define-fun |pmuv3_proof_u| ((state |s|)) Bool (and
  (|pmuv3_proof_u 0| state)
))
(define-fun |pmuv3_proof_i| ((state |s|)) Bool (and
  (first state)
))'''.split('\n')


class Smt2Test(unittest.TestCase):
    def test_names(self):
        self.assertEqual(smt2.named(SMT2, 'assert'), ['top.C_1', 'top.INV_a'])
        self.assertEqual(smt2.named(SMT2, 'cover'), ['top.C_1_seen', 'top.INV_a_seen'])

    def test_select(self):
        self.assertEqual([*smt2.selected(SMT2, 'INV_.*', ['top.C_1'])], [
            SMT2[1], SMT2[2], SMT2[3], SMT2[4], SMT2[5], SMT2[7], SMT2[9], '  true', '))',
            SMT2[11], '  (|pmuv3_proof_a 0| state)', SMT2[12], '  true', '))', *SMT2[14:]])

    def test_select_without_lemmas(self):
        self.assertNotIn('  (|pmuv3_proof_a 0| state)', smt2.selected(SMT2, '', ['top.C_1']))

    def test_cover(self):
        lines = [*smt2.for_covers(SMT2)]
        self.assertFalse([line for line in lines if 'yosys-smt2-assert' in line])
        self.assertIn('(define-fun |pmuv3_proof_c 0| ((state |s|)) Bool '
                      '(and (not (|pmuv3_proof_is| state)) (z))) ; top.C_1_seen', lines)
        self.assertEqual(lines[lines.index(SMT2[7]):],
                         [SMT2[7], '  true', '))', *SMT2[11:15], '  true', '))'])


DONE = '''1x2 g_thread[0].u_rules.T_1 proved covered 1.5 3
1x2 g_thread[0].u_rules.g_lane[1].u_lane.C_1 refuted vacuous 2.0 1
2x1 g_thread[1].u_rules.g_lane[0].u_lane.C_2 proved elsewhere 0.1 1
'''.splitlines()


class ResultsTest(unittest.TestCase):
    def test_shown(self):
        self.assertEqual([results.shown(result) for result in results.results(DONE)], [
            '1x2 T_1                      thread 0             proved, covered, 1.5 s with 2 others',
            '1x2 C_1                      thread 0, counter 1  REFUTED, VACUOUS, 2.0 s',
            '2x1 C_2                      thread 1, counter 0  proved, 0.1 s'])

    def test_to_cover(self):
        lane = 'g_thread[0].u_rules.g_lane[{}].u_lane.{}'.format
        names = ['g_thread[0].u_rules.T_1', lane(0, 'C_1'), lane(1, 'C_1'),
                 'g_thread[1].u_rules.g_lane[0].u_lane.C_1']
        self.assertEqual(results.to_cover(results.results(DONE), names), [lane(1, 'C_1')])

    def test_summary(self):
        for lines, status in ((DONE[::2], 0), (DONE, 1), ([], 1),
                              ([DONE[0].replace('covered', 'unknown')], 1),
                              ([DONE[0].replace('proved', 'unknown')], 1)):
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                self.assertEqual(results.summary(results.results(lines), '12.9'), status)
        with contextlib.redirect_stdout(out := io.StringIO()):
            results.summary(results.results(DONE), '12.9')
        self.assertEqual(out.getvalue(), '3 properties: 2 proved, 1 refuted, 0 unknown; of their 2 covers '
                                         '1 covered, 1 vacuous, 0 unknown; 12 s\n')

    def test_json(self):
        made = json.loads(results.as_json(results.results(DONE), '12.9', 'z3', '0123'))
        self.assertEqual([*made], ['source', 'solver', 'seconds', 'properties'])
        self.assertEqual(made['properties'][0], {
            'size': '1x2', 'property': 'g_thread[0].u_rules.T_1', 'verdict': 'proved',
            'cover': 'covered', 'seconds': 1.5, 'of_group': 3})
        self.assertNotIn('source', json.loads(results.as_json([], '1', 'z3')))

    def test_what_dies_is_no_verdict(self):
        with mock.patch('sys.argv', ['results.py', 'summary', '/proc/none', '1']), \
                contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit) as ended:
            results.script.run(results.main)
        self.assertEqual(ended.exception.code, 3)


if __name__ == '__main__':
    unittest.main()
