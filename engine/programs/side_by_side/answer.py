"""Two levels of one program side by side: the answer of `GET /programs/{id}/side-by-side`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.errors import ValueRefused
from engine.execution.budget import Limits
from engine.graph import Node
from engine.interchange.code import Input
from engine.interchange.code.tensorflow import TensorFlow1
from engine.interchange.fingerprints import POINTS, moved, plain_name
from engine.languages.surfaces.jax.picture import Leaf, pictures_at
from engine.programs.answers.code import computation_of, inputs_of
from engine.programs.answers.pictures import for_framework
from engine.programs.lesson import lesson_of
from engine.programs.program.items import Values
from engine.programs.program.numpy_warnings import without_warnings
from engine.programs.program.outcome import Outcome
from engine.programs.program.request import ProgramRequest
from engine.programs.program.running import run_request
from engine.programs.service import differentiate, differentiated
from engine.programs.side_by_side.corners import corners_of
from engine.programs.side_by_side.differences import differences_of, of_written, results_apart
from engine.programs.side_by_side.graphs import GraphView
from engine.programs.side_by_side.jaxprs import jax_sightings
from engine.programs.side_by_side.labels import Labels
from engine.programs.side_by_side.mathematics import mathematics_sightings
from engine.programs.side_by_side.moving import fingerprints_of
from engine.programs.side_by_side.pairing import Quantity, quantities
from engine.programs.side_by_side.pytorch import received_in, torch_sightings
from engine.programs.side_by_side.sightings import TITLES, Sightings

Json = dict[str, Any]


def side_by_side(request: ProgramRequest, limits: Limits, left: str, right: str) -> Json:
    """`{"left", "right", "quantities", "differences", "corners"}`.

    Raises: ValueRefused for a level that there is not, or the same twice; ProgramError where the program
            cannot be written for one of them, or has no target.
    """
    _check(left, right)
    with without_warnings():
        program = Program.of(request, limits)
        basis = program.graph()
        sides = [program.at(level, basis, limits) for level in (left, right)]
        found = quantities([basis, *sides])
        labels = Labels(program.steps, program.inputs)
        return {
            "left": left,
            "right": right,
            "quantities": [_json(one, labels) for one in found if one.is_paired],
            "differences": [
                *results_apart(sides, found, labels),
                *_differences(program, basis, sides, labels, limits),
            ],
            "corners": corners_of(program.outcome, program.values, left, right),
        }


def _differences(
    program: Program, basis: Sightings, sides: Sequence[Sightings], labels: Labels, limits: Limits
) -> list[Json]:
    """What differs. Of a program of PyTorch or JAX, TensorFlow is that of its text for TensorFlow."""
    is_other = program.outcome.dialect in OF_FRAMEWORK
    places = [place for place, side in enumerate(sides) if is_other and side.level == "tensorflow"]
    if not places:
        return differences_of(sides, quantities([basis, *sides]), labels)
    written = program.for_tensorflow(limits)
    there = [written if place in places else side for place, side in enumerate(sides)]
    lines = differences_of(there, quantities([basis, *there]), labels)
    name = ("left", "right")[places[0]]
    return [*({**line, name: []} for line in lines), of_written(TITLES[program.outcome.dialect][0])]


def _json(one: Quantity, labels: Labels) -> Json:
    return {"kind": one.kind, "text": labels.of_quantity(one), "left": one.nodes[1], "right": one.nodes[2]}


@dataclass(frozen=True, slots=True)
class Program:
    """A program that ran, with the inputs of its target by the names of their tensors, and its lesson."""

    request: ProgramRequest
    outcome: Outcome
    nodes: Sequence[Node]
    values: Values
    inputs: Mapping[str, Input]
    steps: Sequence[Json]

    @classmethod
    def of(cls, request: ProgramRequest, limits: Limits) -> Program:
        """Raises: ProgramError where the program has no target."""
        outcome, values = differentiated(request, limits)
        nodes = list(outcome.graph.nodes)  # a lesson adds more
        lesson = lesson_of(outcome, "mathematics", request.source)
        steps = lesson.steps if lesson.level == "mathematics" else []
        return cls(request, outcome, nodes, values, inputs_of(outcome, values), steps)

    def graph(self) -> Sightings:
        """What its own graph shows: as TensorFlow builds it, and where mathematics finds its numbers."""
        prints = fingerprints_of(self.nodes, self.inputs, self.values)
        received = received_in(self.outcome) if self.outcome.dialect == "torch" else ()
        return GraphView(self.outcome, self.nodes, prints, received).sightings("tensorflow")

    def for_tensorflow(self, limits: Limits) -> Sightings:
        """What the graph shows that TensorFlow 1.15 builds of it.

        Raises: ProgramError where it cannot be written for TensorFlow.
        """
        source = TensorFlow1(computation_of(self.request, limits)).building()
        return Program.of(ProgramRequest(source, dialect="tf1"), limits).graph()

    def at(self, level: str, basis: Sightings, limits: Limits) -> Sightings:
        """What its picture at a level shows.

        Raises: ProgramError where it cannot be written for that framework.
        """
        if level == "tensorflow":
            return basis
        if level == "mathematics":
            return mathematics_sightings(basis, self.steps, self.outcome)
        other = for_framework(self.request, level, limits)
        return OF_FRAMEWORK[level](self, other, limits)


def _torch(program: Program, other: ProgramRequest, limits: Limits) -> Sightings:
    written = program if other is program.request else Program.of(other, limits)
    prints = fingerprints_of(written.nodes, written.inputs, written.values)
    return torch_sightings(written.outcome, written.nodes, prints)


def _jax(program: Program, other: ProgramRequest, limits: Limits) -> Sightings:
    """The program is run again, with its functions followed at the points, too."""
    is_own = other is program.request
    with pictures_at(lambda leaves: _points(program, leaves, is_own=is_own)):
        outcome = run_request(replace(other, ran=b""), limits)
        differentiate(other, outcome)
    return jax_sightings(outcome.workspace.jaxprs)


OF_FRAMEWORK: Mapping[str, Callable[[Program, ProgramRequest, Limits], Sightings]] = {
    "torch": _torch,
    "jax": _jax,
}


def _points(program: Program, leaves: Sequence[Leaf], *, is_own: bool) -> list[list[Any]]:
    """What a function of JAX is given at each point: its inputs are moved as those of the program's graph."""
    known = {tensor.partition(":")[0]: item.name for tensor, item in program.inputs.items()}
    trained = {plain_name(item.name) for item in program.inputs.values() if item.trained}
    names = [known.get(leaf.node or "", leaf.parameter) if is_own else leaf.parameter for leaf in leaves]
    pairs = [(plain_name(name), np.asarray(leaf.value)) for name, leaf in zip(names, leaves, strict=True)]
    return [
        [moved(name, value, point if name in trained else 0) for name, value in pairs]
        for point in range(POINTS)
    ]


def _check(left: str, right: str) -> None:
    if left in TITLES and right in TITLES and left != right:
        return
    known = ", ".join(TITLES)
    raise ValueRefused(
        f"{left!r} and {right!r} are no two levels to put side by side.",
        message_zh=f"{left!r} 和 {right!r} 不是可以并排的两个层次。",
        hint=f"`left` and `right` are two of {known}.",
        hint_zh=f"`left` 和 `right` 可以是 {known} 中的两个。",
        code="no_such_format",
    )
