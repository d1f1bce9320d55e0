"""Many runs of one graph as one run: a race, a sweep, a landscape, with the members along leading axes."""

from engine.execution.batching import functions as functions  # enters numpy's functions into the table
from engine.execution.batching.evaluate import Batch, Grid, over_grid
from engine.execution.batching.group import Group
from engine.execution.batching.many import Many, Unbatchable
from engine.execution.batching.nodes import record
from engine.execution.batching.race_loop import CALL_S, NUMBER_S, RaceLoop
from engine.execution.batching.tape import Tape

__all__ = [
    "CALL_S",
    "NUMBER_S",
    "Batch",
    "Grid",
    "Group",
    "Many",
    "RaceLoop",
    "Tape",
    "Unbatchable",
    "over_grid",
    "record",
]
