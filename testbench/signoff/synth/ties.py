#!/usr/bin/env python3
"""Reads settings.txt and params.def for synth.sh.

  ties.py names SETTINGS                   the names of the settings
  ties.py words SETTINGS NAME              the words of a setting; status 1 if there is none of this name
  ties.py ties PARAMS_DEF WORD...          assigns every parameter, choice and feature of cfg_i: the value of the
                                           words, or the default; features bring those that they imply
  ties.py events EVENTS_DEF WORD...        assigns events_i: a row for each event that has an input. events=N
                                           of the words implements the first N events
  ties.py inputs EVENTS_DEF WORD...        how many these are
  ties.py row NAME STAT WORD...            a row of docs/reference/synthesis.md, from the output of Yosys' stat

Exit status: 0 success, 1 see words, 2 unusable arguments.
"""

import pathlib
import re
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import script


def settings(text):
    """{name: words}"""
    lines = (line.split('#')[0].split() for line in text.splitlines())
    return {words[0]: words[1:] for words in lines if words}


def rows(text, macro):
    """The arguments of each row, the texts without their quotes."""
    for row in re.findall(rf'^{macro}\((.*)', text, re.M):
        yield [argument.strip().strip('"') for argument in row.split(',')]


def ties(text, words):
    said = dict(word.split('=', 1) for word in words)
    for name, default, *_ in rows(text, 'PMUV3_PARAM'):
        yield name, said.get(name, default)
    for name, default, _, bits, *_ in rows(text, 'PMUV3_IDENTITY'):
        yield name, f"{bits}'h{int(said.get(name, default), 0):X}"
    for name, _, default, values, *_ in rows(text, 'PMUV3_CHOICE'):
        yield name, values.split('|').index(said.get(name, default))
    features = {name: (implied, default) for name, implied, default, *_ in rows(text, 'PMUV3_FEATURE')}
    defaults = [name for name, (_, default) in features.items() if default != '0']
    has = set()
    for feature in said['features'].split(',') if 'features' in said else defaults:
        while feature in features:
            has.add(feature)
            feature = features[feature][0]
    for name in features:
        yield f'feat_{name.lower()}', int(name in has)


def inputs(text, words):
    """(number, class, attribution, traits) of each event that has an input"""
    said = dict(word.split('=', 1) for word in words)
    implemented = [row[:1] + row[2:5] for row in rows(text, 'PMUV3_EVENT')][:int(said.get('events', 256))]
    return [event for event in implemented if event[1] != 'SELF']


def events(text, words):
    for number, event_class, attribution, traits in inputs(text, words):
        yield (f"{{1'b{int('SYNC' in traits)}, pmuv3_pkg::EventAttribution{attribution.capitalize()}, "
               f"pmuv3_pkg::EventClass{event_class.capitalize()}, 16'h{number[2:]}}}")


def row(name, stat, words):
    cells = re.findall(r'Number of cells: +(\d+)', stat)
    flops = sum(map(int, re.findall(r'\$_DFF\S* +(\d+)', stat)))
    what = ' '.join(words).replace(',', ', ') or 'the defaults'
    return f'| {name} | {what} | {cells[-1]} | {flops} |'


def main(arguments):
    command, file, *rest = arguments if len(arguments) > 1 else ['', '']
    if command == 'names' and not rest:
        print(*settings(pathlib.Path(file).read_text()), sep='\n')
    elif command == 'words' and len(rest) == 1:
        words = settings(pathlib.Path(file).read_text()).get(rest[0])
        if words is None:
            return 1
        print(*words)
    elif command == 'ties':
        for name, value in ties(pathlib.Path(file).read_text(), rest):
            print(f'  assign cfg_i.{name} = {value};')
    elif command == 'events':
        for e, tied in enumerate(events(pathlib.Path(file).read_text(), rest)):
            print(f'  assign events_i[pmuv3_pkg::EventWidth*{e}+:pmuv3_pkg::EventWidth] = {tied};')
    elif command == 'inputs':
        print(len(inputs(pathlib.Path(file).read_text(), rest)))
    elif command == 'row' and rest:
        print(row(file, pathlib.Path(rest[0]).read_text(), rest[1:]))
    else:
        print('ties.py: expected the arguments that its first lines say', file=sys.stderr)
        return 2
    return 0


if __name__ == '__main__':
    script.run(main)
