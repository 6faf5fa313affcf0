#!/usr/bin/env python3
"""Tests of results.py, on rows typed here."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
import results


class ResultsTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def row(self, file, *fields):
        (self.folder / file).write_text('\t'.join(fields) + '\n')

    def says(self, status, command, *arguments):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.assertEqual(results.main([command, str(self.folder), *arguments]), status)
        return out.getvalue().splitlines()

    def test_found(self):
        self.row('rtl-one.row', 'rtl-one', '8', 'V', '0', '1', '7', '1 counter')
        lines = self.says(0, 'found', 'rtl-one', 'rtl-two')
        self.assertEqual(lines[0].split(), ['defect', 'cycles', 'signal', 'thread', 'counter', 'cycle',
                                            'configuration'])
        self.assertEqual(lines[1].split(None, 6), ['rtl-one', '8', 'V', '0', '1', '7', '1 counter'])
        self.assertEqual(lines[2], '1 of 2 defects found and replayed')

    def test_page(self):
        self.row('rtl-one.row', 'rtl-one', '8', 'V', '0', '-', '7', 'c')
        defects = self.folder / 'table'
        defects.write_text('defect rtl-two\nwhat two\ndefect rtl-none\ndefect rtl-one\nwhat one\n')
        self.assertEqual(self.says(0, 'page', str(defects), 'rtl-one', 'rtl-two')[-2:],
                         ['| rtl-two | two | not found | | | | | |',
                          '| rtl-one | one | 8 | V | 0 | - | c | 7 |'])

    def test_shrunk(self):
        for name, after, seconds in (('a', '9', '0.25'), ('b', '5', '10'), ('c', '7', '2')):
            self.row(f'{name}.shrunk', name, '100', after, '40', seconds)
        lines = self.says(0, 'shrunk', '9', 'a', 'b', 'c', 'none')
        self.assertEqual([line.split() for line in lines[1:]],
                         [['a', '100', '9', '40', '0.2'], ['b', '100', '5', '40', '10.0'],
                          ['c', '100', '7', '40', '2.0'], ['median', '100', '7', '40', '2.0'],
                          ['worst', '100', '9', '40', '10.0'], ['3', 'of', '4', 'shrunk']])
        self.says(1, 'shrunk', '8', 'a')
        self.says(0, 'shrunk', '8', 'none')

    def test_reports(self):
        self.row('a.report', 'a', 'filter', 'filter', 'filter')
        self.row('b.report', 'b', 'filter', 'counter', 'filter')
        self.row('c.report', 'c', 'access', 'access', 'counter')
        self.assertEqual(self.says(0, 'reports', '66', 'a', 'b', 'c', 'none'),
                         ['access                 1 of   1', 'filter                 1 of   2',
                          'filter -> counter: b', '2 of 3 mark a signal of the planted stage',
                          '2 of 3 point to the planted stage'])
        self.says(1, 'reports', '67', 'a', 'b', 'c')
        self.says(1, 'reports', '0', 'none')

    def test_refuted(self):
        self.row('a.row', 'a replayed idle_3 12')
        self.row('b.row', 'b refused x 1')
        self.row('c.row', 'c replayed y 2')
        self.assertEqual(self.says(0, 'refuted', 'a', 'b', 'c', 'd'),
                         ['1 no-verdict, 1 refused, 2 replayed, of 4'])

    def test_arguments(self):
        for arguments in ([], ['found'], ['else', 'x']):
            with contextlib.redirect_stderr(io.StringIO()):
                self.assertEqual(results.main(arguments), 2)


if __name__ == '__main__':
    unittest.main()
