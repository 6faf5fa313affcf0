"""What the checks of this folder share: their command line, and their self-test.

Each check ends with run(...). Without an argument a check prints what is wrong, a line each. With
--self-test it breaks copies of the files, a kind of mistake each, and expects to see the mistake.
Exit status: 0 all well, 1 something wrong, 2 unusable arguments, 3 no verdict.
"""

import pathlib
import re
import sys

sys.dont_write_bytecode = True  # what is built belongs in build/ alone
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))
import script


def run(read_all, check, summary, mistakes, edit=None):
    """Runs a check.

    read_all()       pairs of a file's name and its text
    check(files)     the lines that say what is wrong, of {name: text}
    summary(files)   the line that is printed if nothing is wrong
    mistakes         (name, what, by, expected): the file that is edited, how, and the end of the line
                     that must come of that; $ stands for some line's number. what is None: the file
                     is removed
    edit(text, what, by)  the edited text; default: what is a regular expression
    """

    def say(files):
        found = list(check(files))
        print(*(found or [summary(files)]), sep='\n')
        return int(bool(found))

    def self_test(files):
        status = say(files)
        for name, what, by, expected in mistakes:
            edited = {**files, name: (edit or substitute)(files[name], what, by)} if what is not None \
                else {other: text for other, text in files.items() if other != name}
            found = list(check(edited))
            line = re.compile(re.escape(expected).replace(r'\$', r'\d+') + r'\Z')
            if edited == files or not any(map(line.search, found)):
                print(f'{name}: {what}: expected "{expected}", got:', *found, sep='\n')
                status = 1
        return status

    def main(arguments):
        if arguments not in ([], ['--self-test']):
            print(f'{pathlib.Path(sys.argv[0]).name}: {" ".join(arguments)}: unknown arguments, '
                  'expected --self-test or nothing', file=sys.stderr)
            return 2
        files = dict(read_all())
        return self_test(files) if arguments else say(files)

    script.run(main)


def substitute(text, what, by):
    return re.sub(what, by, text, flags=re.M)
