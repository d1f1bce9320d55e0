"""Arguments given by position mean what they mean in TensorFlow (tests/data/signatures)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from engine.languages.interpreter.callables import Native
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.languages.surfaces.tf2.module import TF2
from engine.programs import ProgramRequest, run_program

FOLDER = Path(__file__).parents[3] / "data" / "signatures"


def functions(release: str, members: Mapping[str, Any]) -> list[tuple[str, list[str], list[str]]]:
    """Each function with its parameters here and in TensorFlow."""
    recorded: dict[str, str] = json.loads((FOLDER / f"{release}.json").read_text())
    known = {name: member for name, member in members.items() if isinstance(member, Native)}
    return [
        (name, list(known[name].signature.positional), theirs.split())
        for name, theirs in recorded.items()
        if name in known and not known[name].signature.many_positional
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "ours", "theirs"),
    [*functions("tensorflow1", TF.members), *functions("tensorflow2", TF2.members)],
)
def test_the_parameters_stand_in_tensorflows_order(name: str, ours: list[str], theirs: list[str]) -> None:
    both = min(len(ours), len(theirs))
    assert ours[:both] == theirs[:both], name


def answer(source: str, dialect: str) -> dict[str, Any]:
    return run_program(ProgramRequest(source, dialect=dialect))


def test_the_second_argument_of_dropout_is_what_is_dropped_in_tensorflow_2() -> None:
    source = "import tensorflow as tf\nprint(float(tf.reduce_max(tf.nn.dropout(tf.ones([100]), 0.2))))"
    assert answer(source, "tf2")["printed"] == ["1.25"]
    older = source.replace("tf.nn.dropout", "tf.compat.v1.nn.dropout").replace("0.2", "0.8")
    assert answer(older, "tf2")["printed"][0].startswith("1.25")


def test_an_argument_that_changes_nothing_here_is_taken() -> None:
    source = "import tensorflow as tf\nx = tf.ones([2, 2])\nprint(tf.matmul(x, x, False, False, True).shape)"
    assert answer(source, "tf2")["printed"] == ["(2, 2)"]


def test_an_argument_that_would_change_something_is_refused() -> None:
    source = "import tensorflow as tf\nprint(tf.linalg.diag_part(tf.ones([2, 2]), k=1))"
    (error,) = answer(source, "tf2")["diagnostics"]
    assert error["message"] == "The argument `k` of tf.linalg.diag_part() is not supported."
