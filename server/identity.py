"""Ids that follow from content: the same request has the same id, on every host and after every restart."""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import asdict
from typing import Any

from engine.programs import ProgramRequest, RunRequest
from engine.programs.landscapes import LandscapeRequest
from engine.programs.races import RaceRequest
from engine.version import ANSWERS_VERSION

ID_LENGTH = 20  # base32 characters: 100 bits


def program_id(request: ProgramRequest, dialect: str) -> str:
    """The id of the answer to `request`, whose text was read as `dialect`."""
    return f"p_{digest({**program_fields(request), 'dialect': dialect})}"


def run_id(program: str, run: RunRequest) -> str:
    """The id of a run of the program called `program`."""
    return f"r_{digest({'program': program, **run_fields(run)})}"


def race_id(program: str, race: RaceRequest) -> str:
    """The id of a race of the program called `program`."""
    runs = [run_fields(run) for run in race.runs]
    return f"race_{digest({'program': program, 'runs': runs, 'steps': race.steps, 'record': race.record})}"


def landscape_id(program: str, asked: LandscapeRequest) -> str:
    """The id of a landscape of the program called `program`."""
    fields = {
        "program": program,
        "axes": [asdict(axis) for axis in asked.axes],
        "gradient": asked.gradient,
        "points": asked.points,
        "run": asked.run and run_fields(asked.run),
        "encoding": asked.encoding,
    }
    return f"land_{digest(fields)}"


def run_fields(run: RunRequest) -> dict[str, Any]:
    """Every field of a run's request, as JSON holds it."""
    return {
        "steps": run.steps,
        "optimizer": run.optimizer,
        "process": list(run.process),
        "schedule": run.schedule,
        "start": run.start,
        "slots": run.slots,
        "record": run.record,
    }


def run_request(fields: dict[str, Any]) -> RunRequest:
    """The request that `run_fields` took apart."""
    return RunRequest(**{**fields, "process": tuple(fields["process"])})


def program_fields(request: ProgramRequest) -> dict[str, Any]:
    """Every field of a request, as JSON holds it."""
    return {
        "source": request.source,
        "dialect": request.dialect,
        "at": dict(request.at),
        "feeds": dict(request.feeds),
        "data": dict(request.data),
        "seed": request.seed,
        "gradients": request.gradients,
        "wrt": None if request.wrt is None else list(request.wrt),
    }


def program_request(fields: dict[str, Any]) -> ProgramRequest:
    """The request that `program_fields` took apart."""
    wrt = fields["wrt"]
    return ProgramRequest(**{**fields, "wrt": None if wrt is None else tuple(wrt)})


def canonical(fields: Any) -> str:
    """One text for equal fields: sorted keys, plain ASCII."""
    return json.dumps(fields, sort_keys=True, separators=(",", ":"))


def digest(fields: Any) -> str:
    """A short hash of `fields` and of the engine that answers them."""
    text = f"{ANSWERS_VERSION}\n{canonical(fields)}"
    return base64.b32encode(hashlib.sha256(text.encode()).digest()).decode().lower()[:ID_LENGTH]
