"""Races: one program optimised by many optimizers, rates or starts at once."""

from engine.programs.races.cutting import Cut, cuts_of, part_of
from engine.programs.races.race import MAX_MEMBERS, RaceRequest, Summary, run_race, summarise_race

__all__ = ["MAX_MEMBERS", "Cut", "RaceRequest", "Summary", "cuts_of", "part_of", "run_race", "summarise_race"]
