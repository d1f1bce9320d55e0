"""`gradlens run --watch`: the same again whenever a file changes, until Ctrl-C."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from pathlib import Path

CLEAR = "\x1b[2J\x1b[H"  # the screen, and back to its upper left corner


def run_on_change(act: Callable[[], int], changes: Iterable[object]) -> int:
    """`act` now and after each change; returns its last exit code."""
    code = act()
    for _ in changes:
        _begin_anew()
        code = act()
    return code


def _begin_anew() -> None:
    """An empty screen; in a file, a line between what was printed and what comes."""
    if sys.stdout.isatty():
        print(CLEAR, end="")
    print(f"-- changed at {datetime.now():%H:%M:%S} --", flush=True)


def changes_of(file: str) -> Iterator[object]:
    """One item for each time that the file is written, until Ctrl-C.

    Its folder is watched: many editors write another file and give it the name.
    Raises: KeyboardInterrupt at Ctrl-C.
    """
    from watchfiles import watch

    path = Path(file).resolve()
    return iter(watch(path.parent, watch_filter=lambda _, changed: Path(changed) == path, recursive=False))
