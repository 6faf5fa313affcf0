"""What the scripts in Python share. A script adds this folder to its path, and ends with script.run(main)."""

import sys
import traceback

NO_VERDICT = 3


def run(main):
    """Ends with what main(arguments) returns, as exit status. An error that nobody foresaw is no verdict."""
    try:
        status = main(sys.argv[1:])
        sys.stdout.flush()
    except Exception:  # pylint: disable=broad-except
        traceback.print_exc()
        status = NO_VERDICT
    sys.exit(status)
