"""A turn of PyTorch that goes like those before it only computes; the answer is that of turns that run."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from engine import ops
from engine.execution.eager.passing import PassingGraph, watched
from engine.execution.eager.turns import choosing, replay
from engine.execution.eager.turns.late import LateRun
from engine.execution.eager.turns.recorder import TurnRecorder
from engine.languages.surfaces.torch.autograd import history
from engine.languages.surfaces.torch.looping import body
from engine.programs import ProgramRequest, run_program
from tests.engine.execution.eager.test_replayed_turns import NEVER, sections
from tests.engine.execution.eager.torch_loops import BEGIN, LOOPS
from tests.limits import ROOMY

PROGRAMS = sections(LOOPS)
LIMITS = replace(ROOMY, element_operations=40_000_000)
GO_ON = ("gradients emptied by hand", "a module with Adam", "a graph that is gone through twice")
LOOK_AT_VALUES = ("a factor that is zero in one turn", "the largest of what is computed")


def answer(monkeypatch: pytest.MonkeyPatch, source: str, turns: int) -> tuple[Any, list[Any]]:
    """The answer of a program whose turns are recorded after so many, and the turns that were replayed."""
    found: list[Any] = []
    replayed = choosing.Turns.replayed

    def note(self: choosing.Turns, turn: Any) -> None:
        found.append(turn)
        replayed(self, turn)

    with monkeypatch.context() as patch:
        patch.setattr(choosing, "TURNS_BEFORE_A_RECORDING", turns)
        patch.setattr(body, "MANY_TURNS", turns if turns == NEVER else body.MANY_TURNS)
        patch.setattr(replay, "REPLAYS_BEFORE_A_FUNCTION", 4)
        patch.setattr(history, "MOST_PASSES", 2)
        patch.setattr(choosing.Turns, "replayed", note)
        return run_program(ProgramRequest(source=BEGIN + source), LIMITS), found


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_an_answer_is_the_same_text_with_replayed_turns_and_without(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected, found = (answer(monkeypatch, PROGRAMS[name], turns)[0] for turns in (NEVER, 2))
    assert json.dumps(found) == json.dumps(expected)


@pytest.mark.parametrize("name", GO_ON)
def test_a_turn_that_is_like_those_before_goes_to_its_end(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    turns = answer(monkeypatch, PROGRAMS[name], 2)[1]
    assert len(turns) > 30
    assert all(turn.position == len(turn.recorded.calls) for turn in turns)


def test_a_pass_through_more_nodes_than_a_picture_shows_is_done_again_as_well(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(history, "MOST_NODES", 3)
    expected, (found, turns) = (
        answer(monkeypatch, PROGRAMS[GO_ON[1]], NEVER)[0],
        answer(monkeypatch, PROGRAMS[GO_ON[1]], 2),
    )
    assert len(turns) > 30
    assert all(turn.position == len(turn.recorded.calls) for turn in turns)
    assert json.dumps(found) == json.dumps(expected)


NOT_A_NUMBER = """
x = torch.tensor(0.5, requires_grad=True)
optimizer = torch.optim.SGD([x], lr=0.05)
for turn in range(60):
    optimizer.zero_grad()
    y = torch.log(x) * x
    (y + torch.sqrt(x)).backward()
    optimizer.step()
"""


def test_a_loss_that_is_no_number_in_the_end_is_noted_where_turns_are_replayed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found, turns = answer(monkeypatch, NOT_A_NUMBER, 2)
    assert turns
    assert [one["code"] for one in found["diagnostics"]] == ["not_finite"]


@pytest.mark.parametrize("name", LOOK_AT_VALUES)
def test_a_pass_that_looks_at_values_is_not_done_again_as_one_call(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert answer(monkeypatch, PROGRAMS[name], 2)[1] == []


def test_whoever_looks_at_a_value_in_a_recorded_turn_is_noted() -> None:
    graph = PassingGraph()
    graph.begin()
    with graph.as_default():
        tensor: Any = watched(ops.constant(3.0))
    turn = graph.turn = TurnRecorder(graph, graph._openings[0], [])
    assert (tensor.form, turn.looks) == (3.0, 0)
    assert (tensor.array, turn.looks) == (3.0, 1)


def test_a_loop_after_a_step_that_is_written_out_goes_over_its_nodes():
    step = """
    loss = ((w * torch.tensor([1.0, 2.0])) ** 2).sum()
    loss.backward()
    w.grad.zero_()
"""
    written_out = step.replace("\n    ", "\n")
    begin = "import torch\nw = torch.tensor([1.0, 1.0], requires_grad=True)\n"
    begin += f"{written_out}for i in range(COUNT):{step}"
    few, many = (run_program(ProgramRequest(source=begin.replace("COUNT", count))) for count in ("2", "50"))
    assert many["status"] == "ok"
    assert many["usage"]["nodes"] == few["usage"]["nodes"]


WEIGHTS_SET_FIRST = """
import torch
layer = torch.nn.Linear(2, 1)
with torch.no_grad():
    layer.weight.copy_(torch.tensor([[1.0, 2.0]]))
    layer.bias.zero_()
for turn in range(COUNT):
    layer.zero_grad()
    loss = (layer(torch.tensor([[1.0, -1.0]])) ** 2).sum()
    loss.backward()
print(loss.item())
"""


def test_a_loop_on_weights_that_were_set_before_it_draws_its_model_once() -> None:
    answers = [
        run_program(ProgramRequest(source=WEIGHTS_SET_FIRST.replace("COUNT", count))) for count in ("1", "3")
    ]
    assert [one["printed"] for one in answers] == [["1.0"], ["1.0"]]
    assert answers[0]["usage"]["nodes"] == answers[1]["usage"]["nodes"]


EXAMPLES_AT_RANDOM = """
import torch
torch.manual_seed(0)
x = torch.randn(50, 3)
layer = torch.nn.Linear(3, 1)
for turn in range(COUNT):
    layer.zero_grad()
    rows = torch.randint(0, 50, (8,))
    loss = (layer(x[rows]) ** 2).mean()
    loss.backward()
"""
SLICES_AT_RANDOM = """
import torch
torch.manual_seed(0)
x = torch.randn(50)
w = torch.ones(6, requires_grad=True)
for turn in range(COUNT):
    places = torch.randint(0, 44, (4,))
    rows = torch.stack([x[i : i + 6] for i in places])
    w.grad = None
    loss = ((rows * w) ** 2).mean()
    loss.backward()
"""


def answers(source: str, *counts: int) -> list[Any]:
    """The answers of a program with a loop of so many turns."""
    return [run_program(ProgramRequest(source.replace("COUNT", str(count))), LIMITS) for count in counts]


def test_examples_chosen_at_random_pass_the_nodes_of_the_first_turn() -> None:
    few, many = answers(EXAMPLES_AT_RANDOM, 1, 40)
    assert few["usage"]["nodes"] == many["usage"]["nodes"]


def test_slices_at_random_places_pass_the_same_nodes_after_some_turns() -> None:
    few, many = answers(SLICES_AT_RANDOM, 10, 60)
    assert few["usage"]["nodes"] == many["usage"]["nodes"]


@pytest.mark.parametrize(
    ("source", "asked", "expected"),
    [
        (EXAMPLES_AT_RANDOM, "layer.weight.grad.sum()", [0.5367124080657959, -2.733027458190918]),
        (SLICES_AT_RANDOM, "w.grad.sum()", [0.8234401345252991, 1.6468806266784668]),
    ],
)
def test_what_passes_the_same_nodes_gives_the_gradient_of_its_own_examples(
    source: str, asked: str, expected: list[float]
) -> None:
    """As PyTorch 2.14.1 says."""
    found = answers(f"{source}print([loss.item(), {asked}.item()])", 30)[0]["printed"][0]
    assert json.loads(found) == pytest.approx(expected, rel=1e-4)


def test_a_replayed_turn_names_its_values_without_its_tensors(monkeypatch: pytest.MonkeyPatch) -> None:
    runs: list[LateRun] = []
    begin = LateRun.__init__

    def note(self: LateRun, turn: Any, first: int) -> None:
        runs.append(self)
        begin(self, turn, first)

    monkeypatch.setattr(LateRun, "__init__", note)
    answer(monkeypatch, PROGRAMS["a module with Adam"], 2)
    named = [(run.count, run.named(), len(run.updates)) for run in runs]
    assert len(named) > 30
    for run, (count, values, updates) in zip(runs, named, strict=True):
        assert count == len(run.values) == run.count
        assert {tensor.name: value for tensor, value in run.values.items()} == values == run.named()
        assert updates == len(run.updates)
