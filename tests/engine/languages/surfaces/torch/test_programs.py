"""PyTorch programs beside what the real library printed, computed and built."""

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

from engine.languages.surfaces.torch.result import TensorItem
from engine.programs.program.request import ProgramRequest
from engine.programs.program.running import run_request
from tests.limits import ROOMY

DATA = Path(__file__).parents[4] / "data"
NUMBER = re.compile(r"(?<![\w.])[-+]?(?:\d+\.?\d*(?:e[-+]?\d+)?|inf|nan)(?!\w)")
RELATIVE = 1e-4


def _programs() -> list[dict[str, Any]]:
    recorded = json.loads((DATA / "torch" / "programs.json").read_text(encoding="utf-8"))["programs"]
    files = sorted((DATA / "frameworks").glob("torch-*.json"))
    given = [json.loads(file.read_text(encoding="utf-8")) for file in files]
    return [*recorded, *given]


PROGRAMS = _programs()
TUTORIALS = json.loads((DATA / "torch" / "tutorials.json").read_text(encoding="utf-8"))["programs"]


def _same_number(a: float, b: float) -> bool:
    return a == b or (math.isnan(a) and math.isnan(b)) or abs(a - b) <= RELATIVE * max(abs(b), 1e-3)


ADDRESS = re.compile(r"at 0x[0-9a-f]+")  # of an object, by chance


def _same_text(ours: str, theirs: str) -> bool:
    """Whether the text between the numbers is the same, and the numbers are as good as equal."""
    ours, theirs = (ADDRESS.sub("at 0x…", text) for text in (ours, theirs))
    if ours == theirs:
        return True
    shapes = [re.sub(r"\s+", " ", NUMBER.sub("#", text)) for text in (ours, theirs)]
    pairs = zip(NUMBER.findall(ours), NUMBER.findall(theirs), strict=False)
    return shapes[0] == shapes[1] and all(_same_number(float(a), float(b)) for a, b in pairs)


def _same_data(ours: Any, theirs: Any) -> bool:
    if isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(_same_data, ours, theirs))
    return _same_number(float(ours), float(theirs))


@pytest.mark.slow
@pytest.mark.parametrize("program", TUTORIALS, ids=lambda program: program["id"])
def test_a_program_of_a_tutorials_kind_prints_what_pytorch_prints(program: dict[str, Any]) -> None:
    outcome = run_request(ProgramRequest(source=program["source"]), ROOMY)
    assert outcome.status == "ok", [one.message for one in outcome.diagnostics]
    assert _same_text("\n".join(outcome.printed), "\n".join(program["printed"])), outcome.printed


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program["id"])
def test_a_program_prints_computes_and_builds_what_pytorch_does(program: dict[str, Any]) -> None:
    outcome = run_request(ProgramRequest(source=program["source"]), ROOMY)

    assert outcome.status == "ok", [one.message for one in outcome.diagnostics]
    assert _same_text("\n".join(outcome.printed), "\n".join(program["printed"])), outcome.printed
    for name, value in program["values"].items():
        item = outcome.names[name]
        assert isinstance(item, TensorItem)
        assert (str(item.array.dtype), list(item.array.shape)) == (value["dtype"], value["shape"])
        assert _same_data(item.array.tolist(), value["data"]), name
        assert (item.requires_grad, item.is_leaf) == (value["requires_grad"], value["is_leaf"]), name
        assert item.grad_fn == value.get("grad_fn"), name
        if value.get("grad") is not None:
            assert item.grad is not None
            assert _same_data(item.grad.tolist(), value["grad"]), name
    for name, nodes in program["grad_graphs"].items():
        assert _as_recorded(outcome.workspace.autograd[name]) == nodes, name


def _as_recorded(nodes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Our nodes without what only we say: the node of the graph, and the gradients there."""
    return [
        {key: value for key, value in node.items() if key not in ("of", "received", "received_as", "grad")}
        for node in nodes
    ]
