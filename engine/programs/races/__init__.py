"""Races: one program optimised by many optimizers, rates or starts at once."""

from engine.programs.races.batch import Field
from engine.programs.races.parts import Cut, cuts_of, part_of
from engine.programs.races.race import MAX_MEMBERS, RaceRequest, race_on, run_race
from engine.programs.races.summary import Summary, summarise_race

__all__ = [
    "MAX_MEMBERS",
    "Cut",
    "Field",
    "RaceRequest",
    "Summary",
    "cuts_of",
    "part_of",
    "race_on",
    "run_race",
    "summarise_race",
]
