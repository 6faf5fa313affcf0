#!/usr/bin/env python3
"""Where initial blocks of a device may end the simulation, also by the subroutines that they call.

  initial_ends.py XML  what Verilator's --xml-only wrote, without --flatten. Prints an element of a C array for each
                       $finish, $stop, $fatal or $error: {"file", line},

Exit status: 0 success, 2 unusable arguments.
"""

import json
import pathlib
import sys

sys.dont_write_bytecode = True
here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here.parents[1]), str(here / 'prove')]
import script
import verilator_xml


def reached(root):
    """What initial blocks do. Verilator leaves out the path of a subroutine, so all of one name count."""
    subroutines = {}
    for node in root.iter():
        if node.tag in ('task', 'func'):
            subroutines.setdefault(node.get('name'), []).append(node)
    left = [node for node in root.iter() if node.tag in ('initial', 'initialstatic')]
    while left:
        for node in left.pop().iter():
            yield node
            if node.tag in ('taskref', 'funcref'):
                left += subroutines.pop(node.get('name'), [])


def main(arguments):
    if len(arguments) != 1:
        print('initial_ends.py: expected the file that Verilator wrote', file=sys.stderr)
        return 2
    root = verilator_xml.read(arguments[0])
    files = {file.get('id'): file.get('filename') for file in root.iter('file')}
    places = {tuple(node.get('loc').split(',')[:2]) for node in reached(root) if node.tag in ('finish', 'stop')}
    for file, line in sorted(places):
        print(f'{{{json.dumps(files[file], ensure_ascii=False)}, {line}}},')
    return 0


if __name__ == '__main__':
    script.run(main)
