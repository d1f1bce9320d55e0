"""The folder of a service's named pipes, and what is left of those whose service was killed.

Each service locks its folder, and the kernel lets go of the lock when the service ends, however it ends. A
folder gets the name by which others look for it when it is locked already.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path

PREFIX = "gradlens-pipes-"


class PipeFolder:
    """A folder of this process alone, until `remove`."""

    def __init__(self) -> None:
        new = tempfile.mkdtemp(prefix="gradlens-new-")
        self._lock = os.open(new, os.O_RDONLY | os.O_DIRECTORY)
        flock(self._lock, LOCK_EX)
        self.path = Path(new).with_name(PREFIX + new.rpartition("-")[2])
        os.rename(new, self.path)

    def remove(self) -> None:
        """Let it go, with all that is in it."""
        remove_pipes(self.path)
        os.close(self._lock)


def remove_left_folders() -> None:
    """Remove the folders of services that are no more; whatever is not theirs stays."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError), locked(folder):  # somebody's still, or no folder, or not ours to touch
            remove_pipes(folder)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a folder of this user's.

    Raises: OSError where another process holds it, or it is no such folder.
    """
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        if os.fstat(handle).st_uid != os.geteuid():
            raise PermissionError(folder)
        flock(handle, LOCK_EX | LOCK_NB)
        yield
    finally:
        os.close(handle)


def remove_pipes(folder: Path) -> None:
    """Remove a folder and its named pipes; one that holds anything else stays."""
    with suppress(OSError):
        for path in folder.iterdir():
            if stat.S_ISFIFO(path.lstat().st_mode):
                path.unlink()
        folder.rmdir()
