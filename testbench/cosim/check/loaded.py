#!/usr/bin/env python3
"""What a device may do while it runs that its RTL does not tell: the files that it reads, and C.

  loaded.py XML     what Verilator's --xml-only wrote. Prints `name NAME` of each file that $readmem or
                    $fopen reads, `unnamed FILE:LINE` of each call whose name is only known while the
                    device runs, and `calls FILE:LINE` where there is C ($c, `systemc_...)

Verilator has folded parameters and joined names. Exit status: 0 success, 2 unusable arguments.
"""

import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import script
import verilator_xml


def text_of(node):
    """The string of a constant: "NAME", or its characters as a number. None: it is no constant, or not known."""
    if node.tag != 'const' or verilator_xml.UNKNOWN in node.get('name'):
        return None
    quoted = re.fullmatch(r'"(.*)"', node.get('name'), re.DOTALL)
    if quoted:
        return quoted[1]
    digits = re.fullmatch(r"\d+'h([0-9a-f]+)", node.get('name'))[1]
    return bytes.fromhex(digits.zfill(len(digits) + len(digits) % 2)).strip(b'\0').decode(errors='surrogateescape')


def writes(node):
    """Whether a $fopen only writes: its mode is "w" or "a", without "+"."""
    mode = text_of(node[2])
    return mode is not None and re.fullmatch('[wa]b?', mode)


def calls(root):
    """(node, what names its file) of each call that reads"""
    for node in root.iter('readmem'):
        yield node, node[0]
    for node in root.iter('fopen'):
        if not writes(node):
            yield node, node[1]


FOREIGN = ('ucfunc', 'ucstmt', 'scctor', 'scdtor', 'schdr', 'scimp', 'scimphdr', 'scint')


def main(arguments):
    if len(arguments) != 1:
        print('loaded.py: expected the file that Verilator wrote', file=sys.stderr)
        return 2
    root = verilator_xml.read(arguments[0])
    files = {file.get('id'): file.get('filename') for file in root.iter('file')}

    def place(node):
        file, line = node.get('loc').split(',')[:2]
        return f'{files[file]}:{line}'

    for node in root.iter():
        if node.tag in FOREIGN:
            print(f'calls {place(node)}')
    for node, name in calls(root):
        text = text_of(name)
        print(f'unnamed {place(node)}' if text is None else f'name {text}')
    return 0


if __name__ == '__main__':
    script.run(main)
