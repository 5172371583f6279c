"""A lock on a file or a folder, held by one process until it closes it or ends, however it ends."""

import sys

if sys.platform != "win32":
    import fcntl

LOCKS = sys.platform != "win32"
"""Whether there are such locks; where not, two runs into one place are up to the user."""


def taken(descriptor: int) -> bool:
    """Lock what ``descriptor`` has open; False where another process holds the lock."""
    if sys.platform == "win32":
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
