"""The end of a JAX program's run, while its state is still there."""

from __future__ import annotations

from engine.languages.surfaces.jax.drawing import notes_on_the_rest
from engine.languages.surfaces.jax.picture import pictures
from engine.languages.surfaces.jax.result import plain_values
from engine.programs.program.outcome import Outcome


def finish_jax(outcome: Outcome) -> None:
    """Keep its arrays as plain values, and the jaxprs of what it differentiated."""
    outcome.names = {name: plain_values(value) for name, value in outcome.names.items()}
    outcome.result = plain_values(outcome.result)
    outcome.diagnostics += notes_on_the_rest()
    outcome.workspace.jaxprs = pictures()
