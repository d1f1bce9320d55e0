"""Races: one program optimised by many optimizers, rates or starts at once."""

from engine.programs.races.race import RaceRequest, Summary, run_race, summarise_race

__all__ = ["RaceRequest", "Summary", "run_race", "summarise_race"]
