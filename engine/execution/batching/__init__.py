"""Many runs of one graph as one run: a race, a sweep, a landscape, along leading axes."""

from engine.execution.batching.evaluate import Batch, Grid
from engine.execution.batching.group import Group
from engine.execution.batching.nodes import record
from engine.execution.batching.numpy_calls import Unbatchable
from engine.execution.batching.race_loop import CALL_S, NUMBER_S, RaceLoop
from engine.execution.batching.trace import Trace

__all__ = [
    "CALL_S",
    "NUMBER_S",
    "Batch",
    "Grid",
    "Group",
    "RaceLoop",
    "Trace",
    "Unbatchable",
    "record",
]
