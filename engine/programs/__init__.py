"""Programs: a text goes in, an answer comes out. The text is interpreted, never run by Python itself."""

from engine.programs.program.request import ProgramRequest, RunRequest
from engine.programs.service import (
    follow_paths,
    optimise,
    optimise_events,
    other_numbers,
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
    "follow_paths",
    "optimise",
    "optimise_events",
    "other_numbers",
    "replay",
    "run_and_pack",
    "run_program",
    "tell_lesson",
    "trace",
]
