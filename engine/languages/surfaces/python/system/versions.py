"""`packaging.version`: numbers of releases, which compare part by part."""

from __future__ import annotations

import re
from typing import Any

from engine.errors import ProgramError, quoted
from engine.languages.interpreter.builtins.functions import Kind
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.values import PYTHON_NAMES, TYPE_NAMES
from engine.languages.surfaces.library import Library

PACKAGING = Library("packaging", borrowed=True)
FORM = re.compile(
    r"v?(\d{1,9}(?:\.\d{1,9}){0,5})(?:[.-]?(dev|a|alpha|b|beta|rc|post)[.-]?(\d{0,9}))?(?:\+[\w.]{1,40})?"
)
ORDER = ("dev", "a", "b", "rc", "", "post")  # what comes before a release, the release, and what comes after
PARTS = 6


class Version(tuple[int, ...]):
    """The numbers of a release, filled up with zeros, and what stands behind them; `text` as it was given."""

    text: str


def parse(version: Any) -> Version:
    """`parse("2.8.0") < parse("2.10")`. Raises: ValueError for what is no version."""
    found = FORM.fullmatch(version.strip().lower()) if isinstance(version, str) else None
    if found is None:
        shown = quoted(version) if isinstance(version, str) else type(version).__name__
        raise ProgramError(
            f"Invalid version: {shown:.80}",
            message_zh=f"不是版本号：{shown:.80}",
            code="bad_value",
            kind="ValueError",
        )
    numbers = [int(one) for one in found[1].split(".")]
    behind = {"alpha": "a", "beta": "b"}.get(found[2], found[2] or "")
    made = Version((*numbers, *[0] * (PARTS - len(numbers)), ORDER.index(behind), int(found[3] or 0)))
    made.text = version.strip().lower().removeprefix("v")
    return made


PACKAGING.function("version.parse")(parse)
PACKAGING.value(Kind("packaging.version.Version", parse, (Version,)), "version.Version")
SHOWN[Version] = (lambda version: version.text, lambda version: f"<Version('{version.text}')>")
TYPE_NAMES[Version] = PYTHON_NAMES[Version] = lambda version: "Version"
