"""A program as another framework builds it: its own nodes and how they run, as graph and lesson."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.programs.frameworks.autograd import autograd_picture
from engine.programs.frameworks.jaxprs import jaxpr_picture
from engine.programs.frameworks.picture import Picture
from engine.programs.program.items import Values
from engine.programs.program.outcome import Outcome

PICTURES: Mapping[str, Callable[[Outcome, Values], Picture]] = {
    "torch": autograd_picture,
    "jax": jaxpr_picture,
}


def framework_picture(outcome: Outcome, level: str | None, values: Values) -> Picture | None:
    """The picture of a program at the level of its own framework; None where it has another dialect."""
    of_level = PICTURES.get(level or "")
    return None if of_level is None or outcome.dialect != level else of_level(outcome, values)


__all__ = ["PICTURES", "Picture", "framework_picture"]
