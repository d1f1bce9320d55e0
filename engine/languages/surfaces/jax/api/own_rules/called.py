"""What functions with rules of their own share: their arguments, and the primitives that stand for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax.api.calling import (
    Flat,
    function_name,
    parameter_names,
    trees,
    visible,
)
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.values import (
    constant,
    typed_number,
)


class OfNumbers(Flat):
    """A flat function that is given numbers of Python where the program gave them, and may give some."""

    def __call__(self, *leaves: Any) -> list[Any]:
        self.given = {id(leaf): typed_number(leaf) for leaf in leaves}
        return super().__call__(*(self.given[id(leaf)] for leaf in leaves))

    def result(self, leaves: Sequence[Any]) -> Any:
        """The results in their structure, an argument that came back as it was given."""
        assert self.structure is not None
        given = getattr(self, "given", {})
        return trees().unflatten(self.structure, [given.get(id(one), visible(one)) for one in leaves])


class Called(Primitive):
    """A primitive that stands in a jaxpr for a function with a derivative of its own."""

    def __call__(self, *args: Any, **parameters: Any) -> Any:
        """Give the function to the current trace, as if it were called there."""
        trace, rule = run_now().trace, parameters["_rule"]
        values = [constant(arg) for arg in args]
        return (trace.custom_jvp if self.name == "custom_jvp_call" else trace.custom_vjp)(rule, values)


custom_jvp_p = Called("custom_jvp_call", several=True)
custom_vjp_p = Called("custom_vjp_call", several=True)
for primitive in (custom_jvp_p, custom_vjp_p):
    primitive.types = lambda *avals, call_jaxpr, **_: call_jaxpr.out_avals


def every_argument(function: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> list[Any]:
    """All arguments by position, those by name and by default among them."""
    names, defaults = parameter_names(function), getattr(function, "defaults", {})
    given = list(args)
    for name in names[len(args) :]:
        if name in keywords:
            given.append(keywords[name])
        elif name in defaults:
            given.append(defaults[name])
    return given


def with_fixed(interpreter: Interpreter, function: Any, args: Sequence[Any], fixed: set[int]) -> Any:
    if not fixed:
        return function

    def call(*moving: Any) -> Any:
        rest = iter(moving)
        every = [x if i in fixed else next(rest) for i, x in enumerate(args)]
        return interpreter.call(function, every, {})

    return Native(function_name(function), call)
