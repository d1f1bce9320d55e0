"""Programs: a text goes in, an answer comes out. The text is interpreted, never run by Python itself."""

from engine.programs.program.request import ProgramRequest, RunRequest
from engine.programs.service import (
    optimise,
    optimise_events,
    replay,
    run_and_pack,
    run_program,
    tell_lesson,
    trace,
)
from engine.programs.training.checkpoints import Checkpoints

__all__ = [
    "Checkpoints",
    "ProgramRequest",
    "RunRequest",
    "optimise",
    "optimise_events",
    "replay",
    "run_and_pack",
    "run_program",
    "tell_lesson",
    "trace",
]
