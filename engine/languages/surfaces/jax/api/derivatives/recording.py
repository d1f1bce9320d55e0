"""A call that asks for a gradient, as the graph's picture records it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.values import Constant, in_python, undrawn


class gradient_call:
    """One call that asks for a gradient, which the graph's picture records.

    cotangents: of the results, where those are what is pulled back.
    """

    def __init__(
        self,
        interpreter: Interpreter,
        function: Any,
        args: Any,
        keywords: Any,
        places: Sequence[int],
        has_aux: bool = False,
    ) -> None:
        self.recorder = run_now().recorder
        self.cotangents: Sequence[Any] | None = None
        self.function = function
        self.args = args
        self.places = places
        self.interpreter = interpreter
        self.keywords = keywords
        self.has_aux = has_aux

    def __enter__(self) -> gradient_call:
        if self.recorder is not None:
            self.recorder.begin(self)
        return self

    def __exit__(self, *error: object) -> None:
        if self.recorder is not None:
            self.recorder.end(self, error[0] is not None)

    def arguments(self, leaves: Sequence[Any]) -> list[Any]:
        """What the gradient is asked of; where it is drawn, a plain number becomes an array with a node."""
        if self.recorder is None:
            return list(leaves)
        drawn = [_as_array(one) if isinstance(one, Constant) else one for one in leaves]
        self.recorder.name_arguments(self, drawn)
        return drawn

    def values(self, primals: Sequence[Any], results: Sequence[Any]) -> None:
        """The arguments and the value."""
        self.primals, self.results = list(primals), list(results)

    def gradients(self, found: Sequence[Any]) -> None:
        """The gradients."""
        self.found = list(found)


def _as_array(one: Constant) -> Any:
    """A plain number as an array, which remembers it."""
    made, number = undrawn(one), in_python(one)
    if number is not one:
        made.number = number
    return made
