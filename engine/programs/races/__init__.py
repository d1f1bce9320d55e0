"""Races: one program optimised by many optimizers, rates or starts at once."""

from engine.programs.races.batch import RaceBatch
from engine.programs.races.parts import Cut, cuts_of, part_of
from engine.programs.races.race import MAX_RUNS, RaceRequest, race_on, run_race
from engine.programs.races.summary import Summary, summarise_race

__all__ = [
    "MAX_RUNS",
    "Cut",
    "RaceBatch",
    "RaceRequest",
    "Summary",
    "cuts_of",
    "part_of",
    "race_on",
    "run_race",
    "summarise_race",
]
