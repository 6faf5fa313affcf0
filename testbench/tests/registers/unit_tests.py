#!/usr/bin/env python3
"""Prints "unit SUITE.NAME" of every test in C++ whose text matches a regular expression.

  unit_tests.py PATTERN FILE...

Exit status: 0 success, 2 unusable arguments.
"""

import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import script

# A test, whose name may be on two lines, ends with a brace in column 1.
TEST = re.compile(r'^TEST(?:_P|_F)?\(\s*(\w+),\s*(\w+)\s*\)(.*?)^\}', re.M | re.S)


def main(arguments):
    if len(arguments) < 2:
        print('unit_tests.py: expected PATTERN FILE...', file=sys.stderr)
        return 2
    pattern = re.compile(arguments[0], re.M)
    for file in arguments[1:]:
        for suite, name, body in TEST.findall(pathlib.Path(file).read_text()):
            if pattern.search(body):
                print(f'unit {suite}.{name}')
    return 0


if __name__ == '__main__':
    script.run(main)
