#!/usr/bin/env python3
"""Reads and changes the properties of a file for yosys-smtbmc (write_smt2).

  smt2.py asserts FILE                   the names of its properties
  smt2.py covers FILE                    the names of its covers
  smt2.py select FILE LEMMAS <NAMES      the file with only these properties to be proved; others whose labels match
                                         LEMMAS, a regular expression, are assumed
  smt2.py cover FILE LEMMAS <NAMES       the same for covers: nothing is proved, the first state is any that the
                                         lemmas allow, and a cover is one of the clock after it

Exit status: 0 success, 2 unusable arguments.
"""

import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import script

# "; yosys-smt2-assert NUMBER NAME", likewise covers; and the functions that smtbmc asks.
PROPERTY = re.compile(r'; yosys-smt2-(assert|cover) (\d+) (\S+)')
LIST = re.compile(r'\(define-fun \|pmuv3_proof_([aui])\| ')
ITEM = re.compile(r'  \(\|pmuv3_proof_a (\d+)\| state\)')
COVER = re.compile(r'\(define-fun \|pmuv3_proof_c \d+\| ')


def named(lines, kind):
    return sorted(match[3] for match in map(PROPERTY.match, lines) if match and match[1] == kind)


def label(name):
    return name.rpartition('.')[2]


def selected(lines, lemmas, names):
    """The lines with the chosen properties to be proved, and the lemmas that are not assumed."""
    names, proved, assumed = {*names}, set(), []  # numbers of properties
    inside = ''  # the list of what is proved (a) or assumed (u)
    for line in lines:
        match = PROPERTY.match(line)
        if match and match[1] == 'assert':
            if match[3] in names:
                proved.add(match[2])
            else:
                if re.fullmatch(lemmas, label(match[3])):
                    assumed.append(match[2])
                continue
        if match and match[1] == 'cover' and match[3].removesuffix('_seen') not in names:
            continue
        if (start := LIST.match(line)) and start[1] in 'au':
            inside = start[1]
            yield line
            if inside == 'u':
                yield from (f'  (|pmuv3_proof_a {number}| state)' for number in assumed)
            continue
        item = ITEM.match(line)
        if inside == 'a' and item and item[1] not in proved:
            continue
        if inside and line.startswith('))'):
            yield '  true'
            inside = ''
        yield line


def for_covers(lines):
    """smtbmc marks the first state with _is, and restricts it with _i."""
    inside = False
    for line in lines:
        match = PROPERTY.match(line)
        if match and match[1] == 'assert':
            continue
        if COVER.match(line):
            line = line.replace(' Bool ', ' Bool (and (not (|pmuv3_proof_is| state)) ', 1)
            line = line.replace(') ; ', ')) ; ', 1)
        start = LIST.match(line)
        if start and start[1] in 'ai':
            inside = True
        elif inside and line.startswith('  '):
            continue
        elif inside and line.startswith('))'):
            yield '  true'
            inside = False
        yield line


def main(arguments):
    lines = open(arguments[1], encoding='utf-8').read().splitlines() if len(arguments) > 1 else []
    if arguments[:1] in (['asserts'], ['covers']) and len(arguments) == 2:
        print(*named(lines, arguments[0][:-1]), sep='\n')
    elif arguments[:1] in (['select'], ['cover']) and len(arguments) == 3:
        result = selected(lines, arguments[2], sys.stdin.read().split())
        print(*(for_covers(result) if arguments[0] == 'cover' else result), sep='\n')
    else:
        print('smt2.py: expected the arguments that its first lines say', file=sys.stderr)
        return 2
    return 0


if __name__ == '__main__':
    script.run(main)
