"""Expressions outside of the recordings: several arguments changed at once, drawn from a seed.

The recorded expressions change one argument at a time; here two or three of them meet, with values of the
same tables, so that combinations nobody thought of are asked of the real library, too.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..answers import answers, verdict
from ..arguments import FOLDER, TOGETHER, Arguments
from ..known import reason
from ..recordings import PREAMBLES, RECORDINGS
from .expressions import (
    PROGRAMS_OF_THEIR_OWN,
    RELEASES,
    VALUES,
    printed,
    recorded_signatures,
    uses,
)

TRIES = 40  # for each expression wanted, at most


def fresh_expressions(dialect: str, count: int, seed: int, known: frozenset[str] = frozenset()) -> list[str]:
    """So many expressions, none twice and none of the known ones."""
    draw = random.Random(f"{dialect} {seed}")
    signatures = recorded_signatures(RELEASES[dialect])
    names = [name for name in signatures if not PROGRAMS_OF_THEIR_OWN.search(name)]
    found: dict[str, None] = {}
    for _ in range(TRIES * count):
        if len(found) == count:
            break
        name = draw.choice(names)
        text = _drawn(draw, name, *signatures[name])
        if text is not None and text not in known:
            found[text] = None
    return list(found)


def fresh_numpy(count: int, seed: int, known: frozenset[str] = frozenset()) -> list[str]:
    """The same of numpy's functions."""
    draw = random.Random(f"numpy {seed}")
    signatures = recorded_signatures("numpy")
    table = Arguments.of("numpy")
    found: dict[str, None] = {}
    for _ in range(TRIES * count):
        if len(found) == count:
            break
        name = draw.choice(list(signatures))
        parameters, needed = signatures[name]
        given = _call(draw, parameters, needed, table.choices(name, parameters, 99))
        text = None if given is None else f"show(np.{name}({given}))"
        if text is not None and text not in known:
            found[text] = None
    return list(found)


def _drawn(draw: random.Random, name: str, parameters: list[str], needed: int) -> str | None:
    """One expression of a function, or None where a needed argument has no values."""
    choices = Arguments.of("tensorflow").choices(name, parameters, max(VALUES.values()))
    given = _call(draw, parameters, needed, choices)
    if given is None:
        return None
    return printed(draw.choice(uses(name)).replace("{}", f"tf.{name}({given})"), name)


def _call(
    draw: random.Random, parameters: list[str], needed: int, choices: Mapping[str, list[str]]
) -> str | None:
    """The arguments of one call: the needed ones with any values, and some of the others by name."""
    needed = max(needed, 1) if parameters and parameters[0] in choices and parameters[0] != "name" else needed
    if not all(parameter in choices for parameter in parameters[:needed]):
        return None
    base = [draw.choice(choices[parameter]) for parameter in parameters[:needed]]
    if TOGETHER in choices and draw.random() < 0.5:
        base = draw.choice(choices[TOGETHER]).split(" & ")
    rest = [name for name in parameters[needed:] if name in choices and name != "name"]
    chosen = draw.sample(rest, min(len(rest), draw.randint(0, 3)))
    return ", ".join([*base, *(f"{name}={draw.choice(choices[name])}" for name in chosen)])


# -- asking ------------------------------------------------------------------------------------------

COUNTS = {"expressions1": 1000, "expressions2": 1000, "numpy": 300}


def report_fresh(seed: int) -> None:
    """Ask the libraries that are there, and print how many agree and what is wrong."""
    for recording in RECORDINGS:
        python = os.environ.get(recording.library)
        if recording.name not in COUNTS or python is None:
            continue
        known = frozenset(program["source"] for program in recording.content()["programs"])
        count = COUNTS[recording.name]
        is_numpy = recording.name == "numpy"
        drawn = (
            fresh_numpy(count, seed, known)
            if is_numpy
            else fresh_expressions(recording.dialect, count, seed, known)
        )
        content = _asked(
            python, {"preamble": PREAMBLES[recording.name], "programs": [{"source": one} for one in drawn]}
        )
        programs = content["programs"]
        said = list(map(verdict, programs, answers(recording.dialect, content["preamble"], programs)))
        wrong = [p["source"] for p, one in zip(programs, said, strict=True) if one == "wrong"]
        unknown = [text for text in wrong if reason(recording.name, text) is None]
        print(
            f"{recording.name}: {len(said)} drawn from {seed}; {dict(Counter(said))}, "
            f"{len(unknown)} of them without a known reason"
        )
        for text in unknown:
            print(f"    {text}")


def _asked(python: str, content: dict[str, Any]) -> dict[str, Any]:
    """The programs with what the library printed for each."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "fresh.json"
        path.write_text(json.dumps(content))
        subprocess.run([python, str(FOLDER / "record.py"), str(path)], check=True)
        answered: dict[str, Any] = json.loads(path.read_text())
    return answered
