"""What a run decided on its way: a turn of a loop begins, a loop ends, a branch is taken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from engine.graph import Node, Tensor
from engine.ops.base.tensors import Array


@dataclass(slots=True, eq=False)
class LoopRun:
    """One time that a loop was gone through.

    goes_on:   its LoopCond; variables: the Merges that its variables come round through, in order.
    path:      the turns of the loops around it.
    turns:     how many it took.
    """

    goes_on: Node
    variables: tuple[Node, ...]
    path: Path
    turns: int = 0


Path = tuple[tuple[LoopRun, int], ...]  # the turns that something stands in, outermost first, from 1


@dataclass(frozen=True, slots=True)
class Happening:
    """at: how many nodes the unrolled graph had by then; path: the turns that it stands in."""

    at: int
    path: Path


@dataclass(frozen=True, slots=True)
class TurnBegan(Happening):
    """The condition held, so that one more turn is taken; path: with this turn.

    seen:      the values of what the condition is computed from, and of the loop variables.
    inside:    what the unrolled graph has for the loop variables.
    """

    run: LoopRun
    number: int
    seen: Mapping[Tensor, Array] = field(default_factory=dict)
    inside: Mapping[Tensor, Tensor] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LoopEnded(Happening):
    """The condition no longer held."""

    run: LoopRun
    seen: Mapping[Tensor, Array] = field(default_factory=dict)
    inside: Mapping[Tensor, Tensor] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class VariableWritten(Happening):
    """A variable was set to numbers that no operation gives, by which node."""

    by: Node
    made: Tensor


@dataclass(frozen=True, slots=True)
class BranchTaken(Happening):
    """A condition chose one of two ways. pred: in the unrolled graph; merged: where the ways meet again."""

    pred: Tensor
    holds: bool
    merged: Node
