"""What the bound 2/L says of the rate of each member, as of a run of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.graph import Node
from engine.programs.diagnosis.curvature import Bowl, Line, rate_note
from engine.programs.diagnosis.rate_bound import SlopeAt, plain_rate, quadratic_slope
from engine.programs.races.batch import Field
from engine.programs.races.groups import Team

Lines = dict[tuple[int, frozenset[Node], int], tuple[SlopeAt, Line] | None]


def bound_notes(field: Field) -> dict[int, list[dict[str, Any]]]:
    """The notes of the members that have one, by their place in the batch.

    Members that start alike stand in the same bowl, and those that start elsewhere nearly always on the
    same line: its slopes are not computed again.
    Raises: LimitError before a budget is overdrawn.
    """
    lines: Lines = {}
    bowls: dict[tuple[int, int], Bowl | None] = {}
    told: dict[int, list[dict[str, Any]]] = {}
    for team, member, at in field.members():
        rate = plain_rate(replace(team.training, feeds=field.settings_of(team, member)))
        if rate is None:
            continue
        alike = id(team), id(team.starts[member])
        if alike not in bowls:
            bowls[alike] = _bowl(field, team, member, lines)
        if (bowl := bowls[alike]) is not None:
            told[at] = [rate_note(bowl, rate).as_json()]
    return told


def _bowl(field: Field, team: Team, member: int, lines: Lines) -> Bowl | None:
    start = team.starts[member]
    besides = frozenset(start) - set(field.trained)  # the target's coefficients, if it has any of these
    key = id(team), besides, id(start) if besides else 0
    if key not in lines:
        lines[key] = _line(field, team, member)
    if (known := lines[key]) is None:
        return None
    slope, line = known
    slope.session.variables = field.start_of(team, member)
    return line.bowl(slope.start, slope(slope.start))


def _line(field: Field, team: Team, member: int) -> tuple[SlopeAt, Line] | None:
    session, feeds = field.session_of(team, member), field.feeds_of(team, member)
    slope = quadratic_slope(team.training, session, feeds)
    line = None if slope is None else Line.through(slope, slope.start.size)
    return None if slope is None or line is None else (slope, line)
