#!/usr/bin/env python3
"""The variables of a device of which a lowest index is on the left, as in [0:3], [0:1][4:0] or [1:0][0:4].

  ascending.py XML    what Verilator's --xml-only --flatten wrote. Prints the path of each below the top module;
                      of an unpacked array its elements' ranges count

The model that Verilator makes of a device has lost this. Exit status: 0 success, 2 unusable arguments.
"""

import pathlib
import sys

sys.dont_write_bytecode = True
here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here.parents[1]), str(here / 'prove')]
import script
import verilator_xml
from dtypes import Types


def is_ascending(types, type_id):
    """Of a struct, the ranges of its members do not count: its bits are those of the whole."""
    node = types.by_id[type_id]
    if node.tag == 'basicdtype':
        return int(node.get('left', 0)) < int(node.get('right', 0))
    if node.tag == 'packarraydtype':
        left, right = types.ends(node)
        if left < right:
            return True
    inner = node.get('sub_dtype_id')
    return inner is not None and is_ascending(types, inner)


def main(arguments):
    if len(arguments) != 1:
        print('ascending.py: expected the file that Verilator wrote', file=sys.stderr)
        return 2
    root = verilator_xml.read(arguments[0])
    types = Types(root.find('.//typetable'))
    for variable in root.iter('var'):
        _, _, path = variable.get('name').partition('.')
        if path and is_ascending(types, variable.get('dtype_id')):
            print(path)
    return 0


if __name__ == '__main__':
    script.run(main)
