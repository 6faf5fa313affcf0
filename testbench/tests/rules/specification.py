"""The identifiers that the pages of docs/reference/specification define, and their classes."""

import re

PAGES = 'docs/reference/specification/'
CLASS = r'(?:MUST|NOTE|IMPDEF|SPEC|CU|UNPREDICTABLE|UNKNOWN|gap|discrepancy|choice|free)'
ANCHOR = re.compile(r'<a id="([^"]+)"></a>')


class Entry:
    """A line that defines identifiers: a row, a paragraph, a bullet or a heading."""

    def __init__(self, page, number, identifiers, of_class):
        self.page = page
        self.number = number
        self.identifiers = identifiers
        self.of_class = of_class  # None: a heading

    def place(self):
        return f'{self.page}:{self.number}'


def entries(page, text):
    """Of a page, in its order."""
    column = None  # of the class, in the table that we are in
    for number, line in enumerate(text.split('\n'), 1):
        cells = [cell.strip() for cell in line.split('|')]
        if not line.startswith('|'):
            column = None
        elif 'Class' in cells:
            column = cells.index('Class')
        identifiers = ANCHOR.findall(line)
        if identifiers:
            of_class = None if line.startswith('#') else class_of(line, cells, column)
            yield Entry(page, number, identifiers, of_class)


def class_of(line, cells, column):
    """The table's column has it, or it stands in parentheses; else an identifier is MUST."""
    if column is not None:
        return re.sub(r'\(.*?\)| ', '', cells[column])
    in_parentheses = re.search(rf'\(({CLASS}(?:/{CLASS})*)\)', line)
    return in_parentheses[1] if in_parentheses else 'MUST'
