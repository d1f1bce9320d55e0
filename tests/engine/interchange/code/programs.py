"""Every program that there is to be written anew: the gallery's and those that TensorFlow itself has run."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from engine.errors import GradlensError
from engine.interchange.code import Computation
from engine.programs import ProgramRequest
from engine.programs.answers.code import computation_of, written_code
from tests.limits import ROOMY

ROOT = Path(__file__).parents[4]
LIMITS = ROOMY
RECORDED = ROOT / "tests/data/written.json"


@cache
def requests() -> Mapping[str, ProgramRequest]:
    """By name: the examples and the oracle's programs."""
    found = {}
    for entry in json.loads((ROOT / "examples/index.json").read_text(encoding="utf-8")):
        source = (ROOT / "examples" / entry["file"]).read_text(encoding="utf-8")
        found[entry["id"]] = ProgramRequest(source, at=entry.get("at", {}))
    for path in sorted((ROOT / "tests/data/tensorflow").glob("*.json")):
        entry = json.loads(path.read_text(encoding="utf-8"))
        found[entry["id"]] = ProgramRequest(entry["source"], dialect=entry["dialect"])
    return found


@cache
def computed(name: str) -> Computation:
    return computation_of(requests()[name], LIMITS)


def written_in(language: str) -> Iterator[tuple[str, str]]:
    """The name and the text of every program that the language can say and whose values are known."""
    for name, request in requests().items():
        with suppress(GradlensError):
            text = written_code(request, language, LIMITS)
            computation = computed(name)
            if computation.target.name in computation.values:
                yield name, text


def numbers(computation: Computation) -> tuple[Any, dict[str, Any]]:
    """The target's value, and the gradient by each input's name, letters and digits only."""
    values = computation.values
    slopes = {item.name: values[computation.gradients[item.name].name] for item in computation.trained}
    return values[computation.target.name], {plain(name): slope for name, slope in slopes.items()}


def plain(name: str) -> str:
    return "".join(filter(str.isalnum, name))


def assert_same(found: Any, wanted: Any, dtype: str, name: str) -> None:
    """Equal up to the digits of the type, whatever the number of axes of length 1."""
    tolerance = 2e-4 if dtype == "float32" else 1e-9
    ours, known = (np.ravel(np.asarray(value, dtype=np.float64)) for value in (found, wanted))
    np.testing.assert_allclose(ours, known, rtol=tolerance, atol=tolerance, err_msg=name)


def digest(text: str) -> str:
    """A few letters by which a text is known again."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]
