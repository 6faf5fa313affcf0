#!/usr/bin/env python3
"""Plants every defect of a table (defects.txt describes the format) in the sources.

  plant.py TABLE ROOT          in the files under ROOT, which it changes
  plant.py --fits TABLE ROOT   changes nothing: says only whether all could be planted

An expression becomes (selected != NUMBER ? (right) : (wrong)), so one build has all defects. Exit status: 0 all
planted, 1 a defect's text is not in exactly one place, 2 unusable arguments or table.
"""

import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import script
import table

KEYS = ('file', 'at', '-', '+')
PARTS = {'file': 'file', 'at': 'at', '-': 'right', '+': 'wrong'}
OTHER_KEYS = ('', 'defect', 'what', 'sample', 'outside')


class Misfit(Exception):
    """A defect that cannot be planted, in words, with the exit status."""

    def __init__(self, status, words):
        super().__init__(words)
        self.status = status


def places(text, at, right):
    """Where `right` is in a statement, behind `at`: of each statement the first place."""
    found, start = [], text.find(at)
    while start >= 0:
        behind = start + len(at)
        end = text.find(';', behind)
        place = text.find(right, behind, end if end >= 0 else len(text))
        if place >= 0:
            found.append(place)
        start = text.find(at, behind)
    return found


def parts(defect):
    """The last value of each key of a defect's block."""
    values = {}
    for key, value, _ in table.rows('\n'.join(defect.lines)):
        if key in KEYS:
            values[key] = value
        elif key not in OTHER_KEYS and not key.startswith('#'):
            raise Misfit(2, f'{defect.name}: {key}: unknown key')
    for key in KEYS:
        if not values.get(key):
            raise Misfit(2, f'{defect.name}: no {PARTS[key]}')
    return (values[key] for key in KEYS)


class Sources:
    """Files, as far as defects were planted in them."""

    def __init__(self, root):
        self.root, self.texts = pathlib.Path(root), {}

    def plant(self, defect):
        """Replaces the defect's expression. A later defect finds what an earlier one left of a statement."""
        file, at, right, wrong = parts(defect)
        if not (self.root / file).is_file():
            raise Misfit(1, f'{defect.name}: {file}: no such file')
        if file not in self.texts:
            self.texts[file] = (self.root / file).read_text(encoding='utf-8')
        text = self.texts[file]
        found = places(text, at, right)
        if len(found) != 1:
            raise Misfit(1, f"{defect.name}: '{right}' after '{at}' is in {len(found)} places of {file}, expected one")
        selected = 'pmuv3_defect_pkg::selected' if file.endswith('.sv') else 'pmuv3_defect'
        both = f'({selected} != {defect.number} ? ({right}) : ({wrong}))'
        self.texts[file] = text[:found[0]] + both + text[found[0] + len(right):]

    def write(self):
        for file, text in self.texts.items():
            (self.root / file).write_text(text, encoding='utf-8')


def main(arguments):
    only_fits = arguments[:1] == ['--fits']
    if len(arguments) != 2 + only_fits:
        print('plant.py: expected [--fits] TABLE ROOT', file=sys.stderr)
        return 2
    try:
        text = pathlib.Path(arguments[-2]).read_text(encoding='ascii')
        sources = Sources(arguments[-1])
        for defect in table.read(text):
            sources.plant(defect)
        if not only_fits:
            sources.write()
    except Misfit as misfit:
        print(f'plant.py: {misfit}', file=sys.stderr)
        return misfit.status
    except (OSError, UnicodeDecodeError) as error:
        print(f'plant.py: {arguments[-2]}: {error}', file=sys.stderr)
        return 2
    return 0


if __name__ == '__main__':
    script.run(main)
