"""What the scripts in Python share. A script adds this folder to its path, and ends with script.run(main)."""

import contextlib
import io
import os
import sys
import traceback

UNUSABLE = 2
NO_VERDICT = 3


def write(text):
    """Whether standard output takes it all. If not, one line says why."""
    try:
        if sys.stdout is None:
            raise ValueError("it is closed")
        sys.stdout.reconfigure(errors="surrogateescape")  # names of files
        sys.stdout.write(text)
        sys.stdout.flush()
    except (OSError, ValueError) as error:
        name = os.path.basename(sys.argv[0])
        why = error.strerror if isinstance(error, OSError) else error
        print(f"{name}: cannot write to standard output: {why}", file=sys.stderr)
        return False
    return True


class Lossy(io.TextIOBase):
    """Standard error, which may be closed or full: the exit status says it, too."""

    def __init__(self, stream):
        super().__init__()
        self.stream = stream

    def write(self, text):
        with contextlib.suppress(AttributeError, OSError, ValueError):
            self.stream.write(text)
            self.stream.flush()
        return len(text)

    def fileno(self):
        return self.stream.fileno()


def run(main):
    """Ends with what main(arguments) returns, as exit status. An error that nobody foresaw is no verdict. A divergence
    is one, whether its text can be written or not."""
    sys.stderr = Lossy(sys.stderr)
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            status = main(sys.argv[1:])
    except Exception:  # pylint: disable=broad-except
        traceback.print_exc()
        status = NO_VERDICT
    if out.getvalue() and not write(out.getvalue()):
        os._exit(1 if status == 1 else UNUSABLE)  # Python would try again to write what is left
    sys.exit(status)
