"""What stands behind the options of the command line: numbers, ports, values of variables."""

from __future__ import annotations

import argparse
import json
from typing import Any

MAX_STEPS = 100_000  # the engine's own, written out: to load it takes longer than to say what a command takes


def step_count(text: str) -> int:
    """A number of steps that a run may take."""
    if not text.isdecimal() or int(text) > MAX_STEPS:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of steps; use one from 0 to {MAX_STEPS}")
    return int(text)


def value_of_variable(text: str) -> tuple[str, Any]:
    """`x=3` or `w=[[1, 2], [3, 4]]`: a variable's name and its value."""
    name, _, written = text.partition("=")
    try:
        value = json.loads(written)
        items = [value]
        while items:
            item = items.pop()
            if isinstance(item, list):
                items += item
            elif isinstance(item, bool) or not isinstance(item, (int, float)):
                raise ValueError
    except (ValueError, RecursionError):
        raise argparse.ArgumentTypeError(f"{text!r} gives no value; write x=3 or w=[1,2]") from None
    return name.strip(), value


class AddValue(argparse.Action):
    """Adds the value of one more variable to those of others; two for one variable are a mistake."""

    def __call__(
        self, parser: argparse.ArgumentParser, options: argparse.Namespace, given: Any, flag: Any = None
    ) -> None:
        name, value = given
        known = dict(options.at)
        if name in known:
            raise argparse.ArgumentError(self, f"{name} is given twice, as {known[name]} and as {value}")
        options.at = {**known, name: value}


def port_number(text: str) -> int:
    """A port as the operating system knows it."""
    if not text.isdecimal() or int(text) > 65_535:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port; use a number from 0 to 65535")
    return int(text)


def tolerance(text: str) -> float:
    """How far numbers may be apart that are taken for equal."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is no tolerance; use a number from 0 on, such as 1e-5")
    return value
