#!/usr/bin/env python3
"""Checks the places in an IP-XACT component.

  places.py FILE.xml   prints which elements of one kind side by side have the same name, and which registers of a
                       map or fields of a register overlap or reach beyond the element that encloses them

Exit status: 0 nothing wrong, 1 something wrong, 2 unusable arguments.
"""

import pathlib
import sys
import xml.etree.ElementTree

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import script

# Kind: the offset in the enclosing element, the size in units of it, and the enclosing element's units.
PLACED = {
    'field': lambda of: (of('bitOffset'), of('bitWidth')),
    'register': lambda of: (of('addressOffset'), of('dim', 1) * of('size') // 8),
    'registerFile': lambda of: (of('addressOffset'), of('dim', 1) * of('range')),
}
ROOM = {'field': 'size', 'register': 'range', 'registerFile': 'range'}


def kind(element):
    return element.tag.partition('}')[2]


def child(element, name):
    return next((each for each in element if kind(each) == name), None)


def number(element, name, otherwise=0):
    """'h1F or 31."""
    found = child(element, name)
    if found is None:
        return otherwise
    text = found.text.strip()
    return int(text[2:], 16) if text.startswith("'h") else int(text)


def mistakes(element, path=()):
    """`path` has the names of the elements, from those in the component down to this one."""
    names, taken = set(), {}
    for each in element:
        of, inside = child(each, 'name'), path
        if of is not None:
            inside = (*path, of.text)
            here = '.'.join(inside)
            if (kind(each), of.text) in names:
                yield f'{here}: a second one of this name'
            names.add((kind(each), of.text))
            yield from misplaced(element, each, here, taken)
        yield from mistakes(each, inside)


def misplaced(element, each, here, taken):
    """`taken` has the units of the enclosing element, bits or bytes, that the elements before have."""
    if kind(each) not in PLACED:
        return
    start, size = PLACED[kind(each)](lambda name, otherwise=0: number(each, name, otherwise))
    if start + size > number(element, ROOM[kind(each)]):
        yield f'{here}: reaches beyond what encloses it'
    unit = 'bit' if kind(each) == 'field' else 'byte'
    for at in range(start, start + size):
        if (unit, at) in taken:
            yield f'{here}: overlaps {taken[unit, at]}'
            return
        taken[unit, at] = here


def main(arguments):
    if len(arguments) != 1:
        print('places.py: expected a FILE', file=sys.stderr)
        return 2
    found = [*mistakes(xml.etree.ElementTree.parse(arguments[0]).getroot())]
    print(*found, sep='\n', end='\n' if found else '')
    return int(bool(found))


if __name__ == '__main__':
    script.run(main)
