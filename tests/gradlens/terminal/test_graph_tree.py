"""A graph as trees: what stands below what, under which names, with which values."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from engine.programs import ProgramRequest, run_program
from engine.programs.answers.graph_files import download_graph
from gradlens.terminal.console import console_for
from gradlens.terminal.graph_tree import MOST_DEPTH, NOTHING, print_graph, short
from tests.limits import ROOMY


def drawn(source: str, **given: Any) -> list[str]:
    request, file = ProgramRequest(source, **given), io.StringIO()
    nodes = json.loads(download_graph(request, "essentials", "json", ROOMY))["nodes"]
    print_graph(console_for(file), nodes, run_program(request))
    return [line.rstrip() for line in file.getvalue().splitlines()]


def test_each_value_stands_above_what_it_is_computed_from_and_gradients_follow() -> None:
    assert drawn("y = x * exp(x)", at={"x": 0}) == [
        "Forward: each value above what it is computed from",
        "y = 0  Mul mul",
        "├── x = 0  VariableV2 x",
        "└── Exp = 1  Exp",
        "    └── x = 0  VariableV2 x",
        "",
        "Gradient: d y / d x",
        "d y / d x = 1  AddN gradients/AddN",  # e^x + x e^x at 0
        "├── gradients/mul_grad/Mul = 1  Mul",
        "│   ├── gradients/grad_ys_0 = 1  Const",
        "│   └── Exp = 1  Exp  (above)",
        "└── gradients/Exp_grad/mul = 0  Mul",
        "    ├── gradients/mul_grad/Mul_1 = 0  Mul",
        "    │   ├── x = 0  VariableV2 x",
        "    │   └── gradients/grad_ys_0 = 1  Const",
        "    └── Exp = 1  Exp  (above)",
    ]


def test_what_is_used_twice_is_drawn_once_and_named_again() -> None:
    lines = drawn("s = sin(x)\ny = s * s + exp(s)", at={"x": 0})
    forward = lines[: lines.index("")]
    assert [line.endswith("(above)") for line in forward if " s = 0 " in line] == [False, True, True]


def test_a_long_chain_is_cut_and_the_rest_is_named() -> None:
    lines = drawn("y = " + "sin(" * 40 + "x" + ")" * 40)
    assert sum("…" in line for line in lines[: MOST_DEPTH + 4]) >= 1
    assert lines[-1] == "… marks what is left out; gradlens export --format dot has all of it."


def test_a_program_without_a_target_has_no_tree() -> None:
    assert drawn("import torch\nprint(1)") == [NOTHING]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "no value"),
        ({"dtype": "float32", "shape": [], "data": 0.1411200016736984}, "0.14112"),
        ({"dtype": "float32", "shape": [], "data": "nan"}, "nan"),
        ({"dtype": "int32", "shape": [2], "data": [1, 2]}, "[1, 2]"),
        ({"dtype": "float32", "shape": [3, 3], "data": [[0.0] * 3] * 3}, "float32 of shape [3, 3]"),
    ],
)
def test_values_are_short(value: Any, text: str) -> None:
    assert short(value) == text


def test_there_are_no_colours_in_a_file() -> None:
    assert not any("\x1b" in line for line in drawn("y = x^2"))
