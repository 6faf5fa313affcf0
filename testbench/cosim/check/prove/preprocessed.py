"""Words of the RTL that Verilator's XML does not tell, read in the text that Verilator's parser read.

A place in the XML is a file, a line and columns. Columns count in the text behind the preprocessor: comments are
gone, macros are expanded, a byte is a column. `verilator --debugi 1` writes this text as *.vpp. Its lines `line
say where the next line comes from. Several pieces may come from one line of a file: a macro of several lines, a
file that is included twice. So a word counts if all pieces that have a word at these columns have the same.
"""

import pathlib
import re

OPAQUE = r'"(?:\\.|[^"\\])*"|\\\S+|/\*.*?\*/|//[^\n]*'  # strings, escaped names, comments of Verilator's own
LINES = re.compile(r'`line[ \t]+(\d+)[ \t]+"([^"\n]*)"[^\n]*\n|' + OPAQUE + r'|\n', re.DOTALL)
TOKENS = re.compile(r'(`line[^\n]*\n|//[^\n]*|/\*.*?\*/|\s+)|' + OPAQUE + r'|\w+|.', re.DOTALL)
# What may stand right before a statement: a word that says how it is meant, an attribute, a comment, or a line's mark.
BEFORE = re.compile(r'(?:\b(unique0?|priority|else)|\(\*(?:[^*]|\*(?!\)))*\*\)|/\*.*?\*/|'
                    r'(?:(?<=\n)|^)`line[^\n]*\n)\s*\Z', re.DOTALL)


class Preprocessed:
    def __init__(self, folder):
        self.texts = [file.read_bytes().decode('latin-1') for file in sorted(pathlib.Path(folder).glob('*.vpp'))]
        self.pieces = {}  # (file, line): of each piece its text, and where it starts in it
        for text in self.texts:
            self.find_pieces(text)

    def find_pieces(self, text):
        file, line = None, 0
        for found in LINES.finditer(text):
            if found[1]:
                file, line = found[2], int(found[1])
                self.pieces.setdefault((file, line), []).append((text, found.end()))
                continue
            for end in re.finditer('\n', found[0]):
                line += 1
                self.pieces.setdefault((file, line), []).append((text, found.start() + end.end()))

    def word(self, file, loc):
        """(word, whether `inside` follows what is in its parentheses) at a place, or None if that is not certain"""
        found = self.found(file, loc)
        return found[:2] if found else None

    def checks(self, file, loc):
        """The words of unique, unique0, priority, else, and of attributes, before a statement. None: not certain"""
        found = self.found(file, loc)
        return (found[2] if found[0] in ('if', 'case', 'casez', 'casex') else frozenset()) if found else None

    def has(self, pattern):
        return any(re.search(pattern, text) for text in self.texts)

    def found(self, file, loc):
        _, line, first, last_line, end = loc.split(',')
        if line != last_line:
            return None
        found = set()
        for text, start in self.pieces.get((file.encode().decode('latin-1'), int(line)), []):
            at, behind = start + int(first) - 1, start + int(end) - 1
            if re.fullmatch(r'[^\n]*(?<![\w$`\\])', text[start:at]) and re.fullmatch(r'\w+', text[at:behind]) and \
                    not re.match(r'[\w$]', text[behind:behind + 1]):
                found.add((text[at:behind], is_inside(text, behind), checks_before(text, at)))
        return found.pop() if len(found) == 1 else None


def is_inside(text, at):
    """Whether `inside` follows the parentheses that begin here"""
    depth, is_closed = 0, False
    for token in TOKENS.finditer(text, at):
        if token[1]:
            continue
        if is_closed:
            return token[0] == 'inside'
        depth += {'(': 1, ')': -1}.get(token[0], 0)
        if depth == 0:
            is_closed = token[0] == ')'
            if not is_closed:
                return False
    return False


def checks_before(text, at):
    """What unique, priority and attributes before a statement say of it"""
    words = set()
    while True:
        found = BEFORE.search(text, max(0, at - 1000), at)
        if not found:
            return frozenset(words)
        if found[1]:
            words.add(found[1])
        words.update(re.findall(r'\b(?:parallel|full)_case\b', found[0]))
        at = found.start()
