#!/usr/bin/env python3
"""The variables of a device whose lowest index is on the left, as in [0:3].

  ascending.py XML    what Verilator's --xml-only --flatten wrote. Prints the path of each below the top module;
                      of an array its elements' range counts

The model that Verilator makes of a device has lost this. Exit status: 0 success, 2 unusable arguments.
"""

import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import script
import verilator_xml


def is_ascending(types, number):
    kind = types[number]
    if kind.tag == 'unpackarraydtype':
        return is_ascending(types, kind.get('sub_dtype_id'))
    return kind.tag == 'basicdtype' and int(kind.get('left', 0)) < int(kind.get('right', 0))


def main(arguments):
    if len(arguments) != 1:
        print('ascending.py: expected the file that Verilator wrote', file=sys.stderr)
        return 2
    root = verilator_xml.read(arguments[0])
    types = {kind.get('id'): kind for kind in root.find('.//typetable')}
    for variable in root.iter('var'):
        _, _, path = variable.get('name').partition('.')
        if path and is_ascending(types, variable.get('dtype_id')):
            print(path)
    return 0


if __name__ == '__main__':
    script.run(main)
