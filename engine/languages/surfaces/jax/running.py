"""The state of JAX while a program runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engine.languages.surfaces.jax.core.primitive import EvalTrace
from engine.languages.surfaces.jax.core.run import JaxRun, running


@contextmanager
def jax_program(workspace: Any) -> Iterator[JaxRun]:
    """A program that uses JAX runs inside."""
    with running(JaxRun(workspace.budget, EvalTrace())) as run:
        yield run
