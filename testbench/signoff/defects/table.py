#!/usr/bin/env python3
"""Reads a table of planted defects (defects.txt describes the format).

  table.py check FILE            prints the first mistake, if there is one
  table.py list FILE             lines "number name sample what", with tabs between; sample is 0 or 1
  table.py names FILE [sample]   the names of all defects, or of the sample
  table.py outside FILE NAME     why the proof does not see the defect; nothing if it does
  table.py number FILE NAME      the defect's number, which PMUV3_DEFECT selects; nothing if there is none
  table.py blocks FILE NAME...   the lines of these defects, in this order

Exit status: 0 success, 2 unusable arguments or file.
"""

import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import script

NEWLINE = '\n'
STRANGE = re.compile(r'[^\t\n -~]')
NAME = re.compile(r'[A-Za-z0-9_][A-Za-z0-9._-]*')


class Defect:
    """A block of the table: its lines, and its keys."""

    def __init__(self, number, name):
        self.number, self.name = number, name
        self.lines, self.is_sample, self.what, self.outside = [], False, '', ''


def rows(text):
    """(key, value, line) of each line; the key is '' if the line has none."""
    for line in text.removesuffix(NEWLINE).split(NEWLINE):
        words = line.split(None, 1)
        yield (words[0] if words else ''), (words[1].rstrip() if len(words) > 1 else ''), line


def read(text):
    """The defects, in the order of the table."""
    defects = []
    for key, value, line in rows(text):
        if key == 'defect':
            defects.append(Defect(len(defects) + 1, value.split()[0] if value else ''))
        if not defects:
            continue
        defects[-1].lines.append(line)
        if key == 'sample':
            defects[-1].is_sample = True
        elif key == 'what':
            defects[-1].what = value
        elif key == 'outside':
            defects[-1].outside = value
    return defects


def mistake(text):
    """The first name or file that could lead to another folder, in words; or None. What ends a line, or a word, is
    the same to bash, which runs the defects, only in ASCII."""
    strange = STRANGE.search(text)
    if strange:
        return f'line {text.count(NEWLINE, 0, strange.start()) + 1}: a character that is not ASCII, or a control character'
    for key, value, _ in rows(text):
        if key == 'defect' and not NAME.fullmatch(value):
            return f'{value}: no name of a defect'
        if key == 'file' and (value.startswith('/') or '..' in value.split('/')):
            return f'{value}: no file of the sources'
    return None


def listed(text):
    for defect in read(text):
        yield f'{defect.number}\t{defect.name}\t{int(defect.is_sample)}\t{defect.what}'


def names(text, of='all'):
    return [defect.name for defect in read(text) if of == 'all' or defect.is_sample]


def numbers(text, name):
    return [str(defect.number) for defect in read(text) if defect.name == name]


def outside(text, name):
    return [defect.outside for defect in read(text) if defect.name == name and defect.outside]


def blocks(text, *wanted):
    of_name = {defect.name: defect.lines for defect in read(text)}
    return [line for name in wanted for line in of_name.get(name, [])]


COMMANDS = {'check': lambda text: filter(None, [mistake(text)]), 'list': listed, 'names': names,
            'outside': outside, 'number': numbers, 'blocks': blocks}


def main(arguments):
    if len(arguments) < 2 or arguments[0] not in COMMANDS:
        print('table.py: expected check, list, names, outside, number or blocks, and a FILE', file=sys.stderr)
        return 2
    try:
        with open(arguments[1], encoding='utf-8', errors='surrogateescape', newline='\n') as file:
            text = file.read()
    except OSError as error:
        print(f'table.py: {arguments[1]}: {error.strerror}', file=sys.stderr)
        return 2
    for line in COMMANDS[arguments[0]](text, *arguments[2:]):
        print(line)
    return 0


if __name__ == '__main__':
    script.run(main)
