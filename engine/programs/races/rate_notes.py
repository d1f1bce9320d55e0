"""What the bound 2/L says of the learning rate of each run of a race, as of a run by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.graph import Node
from engine.programs.diagnosis.curvature import AffineGradient, Quadratic, rate_note
from engine.programs.diagnosis.rate_bound import SlopeAt, plain_rate, quadratic_slope
from engine.programs.races.batch import RaceBatch
from engine.programs.races.groups import RunGroup

Lines = dict[tuple[int, frozenset[Node], int], tuple[SlopeAt, AffineGradient] | None]


def bound_notes(batch: RaceBatch) -> dict[int, list[dict[str, Any]]]:
    """The notes of the runs that have one, by their place in the batch.

    Runs that start alike have the same quadratic, and those that start elsewhere nearly always the same
    Hessian, which is not computed again.
    Raises: LimitError before a budget is overdrawn.
    """
    lines: Lines = {}
    quadratics: dict[tuple[int, int], Quadratic | None] = {}
    notes: dict[int, list[dict[str, Any]]] = {}
    for group, index, at in batch.places():
        rate = plain_rate(replace(group.training, feeds=batch.settings_of(group, index)))
        if rate is None:
            continue
        alike = id(group), id(group.starts[index])
        if alike not in quadratics:
            quadratics[alike] = _quadratic(batch, group, index, lines)
        if (quadratic := quadratics[alike]) is not None:
            notes[at] = [rate_note(quadratic, rate).as_json()]
    return notes


def _quadratic(batch: RaceBatch, group: RunGroup, index: int, lines: Lines) -> Quadratic | None:
    start = group.starts[index]
    besides = frozenset(start) - set(batch.trained)  # the target's coefficients, if it has any of these
    key = id(group), besides, id(start) if besides else 0
    if key not in lines:
        lines[key] = _line(batch, group, index)
    if (known := lines[key]) is None:
        return None
    slope, line = known
    slope.session.variables = batch.start_of(group, index)
    return line.quadratic(slope.start, slope(slope.start))


def _line(batch: RaceBatch, group: RunGroup, index: int) -> tuple[SlopeAt, AffineGradient] | None:
    session, feeds = batch.session_of(group, index), batch.feeds_of(group, index)
    slope = quadratic_slope(group.training, session, feeds)
    line = None if slope is None else AffineGradient.through(slope, slope.start.size)
    return None if slope is None or line is None else (slope, line)
