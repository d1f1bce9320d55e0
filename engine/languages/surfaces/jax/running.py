"""The state of JAX while a program runs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from engine.languages.surfaces.jax.core.primitive import EvalTrace
from engine.languages.surfaces.jax.core.run import JaxRun, running
from engine.languages.surfaces.jax.drawing import Drawing
from engine.languages.workspace import Workspace


@contextmanager
def jax_program(workspace: Workspace) -> Iterator[JaxRun]:
    """A program that uses JAX runs inside."""
    with running(JaxRun(workspace.budget, EvalTrace(), Drawing(workspace))) as run:
        yield run
