"""The command ``roadwire``, without the laboratory: ``python -m roadwire --help``."""

from __future__ import annotations

import signal
import sys

from roadwire import _native


def main() -> None:
    """Runs the command with the arguments of this process, and ends it."""
    # The command works outside the interpreter, where Python would only note an interrupt.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(_native.main(["roadwire", *sys.argv[1:]]))


if __name__ == "__main__":
    main()
