#!/usr/bin/env python3
"""Whether a net of a device can be high impedance: Verilator takes 0 where it is, and so would the proof.

  floating.py XML     what Verilator's --xml-only wrote, without --flatten: there each z is left

Exit status: 0 none can be; 2 after one line: the first z that something has for a value.
"""

import pathlib
import sys

sys.dont_write_bytecode = True
sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[up]) for up in (0, 1, 3)]
import script
import verilator_xml
from contention import COMPARISONS, has_z

TAKERS = ('assign', 'assigndly', 'contassign', 'port', 'arg', 'return')  # of the value that they have first


def is_z(node):
    return node.tag not in COMPARISONS and (node.tag == 'const' and has_z(node) or any(map(is_z, node)))


def takes_z(node):
    if node.tag == 'var':
        return node.get('param') is None and node.get('localparam') is None and any(map(is_z, node))
    return node.tag in TAKERS and len(node) > 0 and is_z(node[0])


def main(arguments):
    root = verilator_xml.read(arguments[0])
    files = {file.get('id'): file.get('filename') for file in root.iter('file')}
    found = next(filter(takes_z, root.find('netlist').iter()), None)
    if found is None:
        return 0
    file, line = found.get('loc').split(',')[:2]
    print(f'a net that can be high impedance, at {files[file]}:{line}', file=sys.stderr)
    return 2


if __name__ == '__main__':
    script.run(main)
