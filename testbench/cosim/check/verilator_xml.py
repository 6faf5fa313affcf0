"""What Verilator's --xml-only wrote, as an element tree.

Verilator writes names of files and strings as they are, so they may have what XML does not: `&` that begins no
reference, control characters, also by their number, bytes that are no UTF-8. UNKNOWN stands for the last ones.
"""

import pathlib
import re
import xml.etree.ElementTree as ElementTree

UNKNOWN = '\ufffd'
CONTROL = '[\0-\b\v\f\x0e-\x1f\ufffe\uffff]'
NUMBERED = '&#(?:[0-8]|1[124-9]|2[0-9]|3[01]);'  # but for the tab and the ends of lines


def read(path):
    """The root element. Whatever else is no XML raises ElementTree.ParseError."""
    text = pathlib.Path(path).read_bytes().decode(errors='replace')
    text = re.sub(r'&(?!(?:amp|lt|gt|quot|apos|#\d+);)', '&amp;', text)
    return ElementTree.fromstring(re.sub(f'{CONTROL}|{NUMBERED}', UNKNOWN, text))
