"""Where a race or a sweep is cut, so that its parts can run side by side, on this machine or on several.

Cuts depend on the request alone, never on the machine or the clock, so that whoever computes the parts
puts the same numbers together, bit for bit. A part is estimated to take PART_S at least: handing it over
costs a few milliseconds, and the program is run anew for each.
"""

from __future__ import annotations

from dataclasses import replace

from engine.execution.batching import CALL_S, NUMBER_S, Unbatchable
from engine.execution.budget import Limits
from engine.programs.program.numpy_warnings import without_warnings
from engine.programs.program.packing import outcome_of
from engine.programs.program.request import ProgramRequest
from engine.programs.races.batch import RaceBatch
from engine.programs.races.groups import first_of_each_kind
from engine.programs.races.race import RaceRequest
from engine.programs.runs.optimise import check_ran

PART_S = 0.25
MOST_S = 2.0  # a part takes no longer than this, where it holds more than one run
NODE_S = 10e-6  # one node, where runs are computed one by one

Cut = tuple[int, int]  # the first run and the one after the last


@without_warnings()
def cuts_of(request: ProgramRequest, race: RaceRequest, limits: Limits) -> list[Cut]:
    """The parts of a race; one where it is too small to be cut.

    Raises: GradlensError where the program stops with a mistake, or a run's request does not fit it.
    """
    outcome = outcome_of(request, limits)
    check_ran(outcome)
    few = first_of_each_kind(race.numbered)
    try:
        loop = RaceBatch.start(outcome, few, limits, spare=True).loop
        fixed_s, run_s = CALL_S * loop.calls, NUMBER_S * loop.elements / len(few)
        room = max(1, limits.batch_elements * len(few) // max(1, loop.elements))
    except Unbatchable:
        fixed_s, run_s, room = 0.0, NODE_S * len(outcome.graph.nodes), len(race.runs)
    return cuts_for(len(race.runs), race.steps + 1, fixed_s, run_s, room)


def cuts_for(runs: int, rows: int, fixed_s: float, run_s: float, room: int) -> list[Cut]:
    """Parts of about equal length.

    fixed_s: what a row costs however many runs there are; run_s: what each run adds.
    room:    for how many runs there is memory together.
    """
    worth = max(PART_S / rows - fixed_s, fixed_s)  # at least as much for runs as for the calls
    least = max(1, -(-worth // run_s)) if run_s else runs
    most = max(1, (MOST_S / rows - fixed_s) // run_s) if run_s else runs
    size = max(1, min(least, most)) if most < runs else max(1, least)
    count = max(1, int(runs // size), -(-runs // room))
    return [(runs * part // count, runs * (part + 1) // count) for part in range(count)]


def part_of(race: RaceRequest, cut: Cut) -> RaceRequest:
    """The race of some of the runs."""
    return replace(race, runs=race.runs[slice(*cut)], first=race.first + cut[0])
