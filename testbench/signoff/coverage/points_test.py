#!/usr/bin/env python3
"""Tests of points.py, on files typed here."""

import sys
import unittest

sys.dont_write_bytecode = True
import points
from points import Point

GCOVR = '''{"files": [{"file": "cmodel/src/a.c", "lines": [
 {"line_number": 3, "count": 2, "gcovr/noncode": false, "branches": [{"count": 0}, {"count": 1}]},
 {"line_number": 4, "count": 0, "gcovr/noncode": true, "branches": []},
 {"line_number": 5, "count": 0, "gcovr/noncode": false, "branches": []}]}]}'''


def merged(count, **keys):
    return "C '" + ''.join(f'\1{key}\2{value}' for key, value in keys.items()) + f"' {count}"


class PointsTest(unittest.TestCase):
    def test_cmodel(self):
        file = 'cmodel/src/a.c'
        self.assertEqual([*points.points_of_cmodel(GCOVR)], [
            (Point(file, 3, 'line', ''), True), (Point(file, 3, 'branch', '1'), False),
            (Point(file, 3, 'branch', '2'), True), (Point(file, 5, 'line', ''), False)])

    def test_rtl(self):
        text = '\n'.join(['# SystemC::Coverage-3',
                          merged(0, f='/r/rtl/a.sv', l=7, page='v_toggle/a', o='q'),
                          merged(1, f='/r/rtl/a.sv', l=7, page='v_toggle/a', o='probe_q_o'),
                          merged(2, f='/r/rtl/a.sv', l=9, n=4, page='v_branch/a', o='if', S='9,11-12')])
        self.assertEqual([*points.points_of_rtl(text, '/r/')], [
            (Point('rtl/a.sv', 7, 'toggle', 'q'), False), (Point('rtl/a.sv', 9, 'branch', 'if@4'), True),
            (Point('rtl/a.sv', 9, 'line', ''), True), (Point('rtl/a.sv', 11, 'line', ''), True),
            (Point('rtl/a.sv', 12, 'line', ''), True)])

    def test_record(self):
        read = points.read(['a.c\t9\tline\t\t0\nb.c\t10\tbranch\t1\t0\n',
                            'a.c\t9\tline\t\t1\na.c\t10\tline\t\t0\na.c\t2\tline\t\t0\n'])
        self.assertEqual([*points.holes(read)], ['a.c:2: line', 'a.c:10: line', 'b.c:10: branch 1'])
        self.assertEqual([*points.statements(read, "it's")], [
            'BEGIN;', "DELETE FROM code WHERE source = 'it''s';",
            "INSERT INTO code VALUES ('it''s', 'a.c', 'line', 1, 3);",
            "INSERT INTO code VALUES ('it''s', 'b.c', 'branch', 0, 1);", 'COMMIT;'])


if __name__ == '__main__':
    unittest.main()
