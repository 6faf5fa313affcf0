#!/usr/bin/env python3
"""Tests of table.py, on a table typed here."""

import sys
import unittest

sys.dont_write_bytecode = True
import table

TEXT = '''# a comment
defect rtl-one
what  one thing
sample
file rtl/a.sv
- right   
+ wrong

defect cmodel-two
what another thing
outside it is  not there
'''


class TableTest(unittest.TestCase):
    def test_list(self):
        self.assertEqual(list(table.listed(TEXT)),
                         ['1\trtl-one\t1\tone thing', '2\tcmodel-two\t0\tanother thing'])

    def test_names(self):
        self.assertEqual(table.names(TEXT), ['rtl-one', 'cmodel-two'])
        self.assertEqual(table.names(TEXT, 'sample'), ['rtl-one'])

    def test_number(self):
        self.assertEqual(table.numbers(TEXT, 'cmodel-two'), ['2'])
        self.assertEqual(table.numbers(TEXT, 'two'), [])

    def test_outside(self):
        self.assertEqual(table.outside(TEXT, 'cmodel-two'), ['it is  not there'])
        self.assertEqual(table.outside(TEXT, 'rtl-one'), [])

    def test_blocks(self):
        self.assertEqual(table.blocks(TEXT, 'cmodel-two', 'rtl-one')[:3],
                         ['defect cmodel-two', 'what another thing', 'outside it is  not there'])

    def test_mistakes(self):
        self.assertIsNone(table.mistake(TEXT))
        for name in ('../d', '.d', 'a/b', 'a b', '-d', ''):
            self.assertEqual(table.mistake(f'defect {name}\n'), f'{name}: no name of a defect')
        for file in ('../x', '/x', 'rtl/../../x', 'rtl/..'):
            self.assertEqual(table.mistake(f'file {file}\n'), f'{file}: no file of the sources')
        self.assertIsNone(table.mistake('file rtl/a..b.sv\n'))

    def test_characters(self):
        """Python ends lines, and words, where bash does not: then the two number the defects differently."""
        for strange in '\v\f\r\x00\x1c\x1e\x85\xa0\u2028\u2029\xe9':
            text = f'defect a\nwhat one{strange}defect none\ndefect b\n'
            self.assertEqual(table.mistake(text),
                             'line 2: a character that is not ASCII, or a control character')

    def test_a_table_without_defects(self):
        self.assertEqual(table.read('what nothing\n'), [])


if __name__ == '__main__':
    unittest.main()
