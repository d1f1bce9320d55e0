"""`jax.custom_gradient`, a value with the function of its gradient, and `jax.closure_convert`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax.api.calling import (
    Flat,
    as_value,
    checked_callable,
    flat_arguments,
    function_name,
    trees,
)
from engine.languages.surfaces.jax.api.own_rules.custom_vjp import CustomVjp, defvjp
from engine.languages.surfaces.jax.core.errors import type_error
from engine.languages.surfaces.jax.core.jaxpr import Jaxpr, evaluate
from engine.languages.surfaces.jax.core.staging import trace_to_jaxpr
from engine.languages.surfaces.jax.core.trees import LEAF
from engine.languages.surfaces.jax.core.values import Tracer, aval_of


def custom_gradient(interpreter: Interpreter, fun: Any) -> CustomVjp:
    """A function that gives (y, g), g of cotangents of y those of the arguments, as one that gives y."""
    name = function_name(checked_callable(fun))
    rules: list[tuple[Jaxpr, Flat]] = []

    def pair(args: Sequence[Any]) -> tuple[Any, Any]:
        found = interpreter.call(fun, list(args), {})
        if not isinstance(found, (tuple, list)) or len(found) != 2:
            raise type_error(
                f"{name} must give its value and the function of its gradient: return y, grad.",
                f"{name} 必须返回它的值和求梯度的函数：return y, grad。",
            )
        return found[0], found[1]

    def forward(*args: Any) -> tuple[Any, list[Any]]:
        value, rule = pair(args)
        leaves, structure = flat_arguments((value,), {})
        flat = Flat(interpreter, rule, structure)
        types = [aval_of(as_value(leaf)).tangent() for leaf in leaves]
        jaxpr = trace_to_jaxpr(flat, types, function_name(rule), "custom_gradient")
        rules[:] = [(jaxpr, flat)]
        return value, list(jaxpr.values)

    def backward(residuals: Sequence[Any], coming: Any) -> Any:
        ((jaxpr, flat),) = rules
        leaves = [as_value(leaf) for leaf in trees().flatten(coming)[0]]
        outs = evaluate(jaxpr.with_constants_first(), [*map(as_value, residuals), *leaves])
        assert flat.structure is not None
        found = trees().unflatten(flat.structure, outs)
        return (found,) if flat.structure.kind is LEAF else found

    made = CustomVjp(interpreter, fun, ())
    made.inner = Native(name, lambda *args: pair(args)[0])
    defvjp(made, Native(name, forward), Native(name, backward))
    return made


def closure_convert(interpreter: Interpreter, fun: Any, *example_args: Any) -> tuple[Native, list[Any]]:
    """A function with what it closes over as further arguments, and these: what a derivative may vary."""
    leaves, structure = flat_arguments(example_args, {})
    flat = Flat(interpreter, fun, structure)
    types = [aval_of(as_value(leaf)) for leaf in leaves]
    jaxpr = trace_to_jaxpr(flat, types, function_name(checked_callable(fun)), "closure_convert")
    may_vary = [isinstance(one, Tracer) and one.aval.is_inexact for one in jaxpr.values]
    varying = [one for one, varies in zip(jaxpr.values, may_vary, strict=True) if varies]

    def converted(*args: Any) -> Any:
        given, own = trees().flatten(args[: len(args) - len(varying)])
        if own != structure.children[0]:
            raise type_error(
                f"The converted function takes the arguments {structure.children[0].text()} and "
                f"{len(varying)} values that it closed over.",
                f"转换后的函数需要参数 {structure.children[0].text()}，以及闭包中的 {len(varying)} 个值。",
            )
        moved = iter(args[len(args) - len(varying) :])
        constants = [
            as_value(next(moved)) if varies else one
            for one, varies in zip(jaxpr.values, may_vary, strict=True)
        ]
        return flat.result(evaluate(jaxpr.with_constants_first(), [*constants, *map(as_value, given)]))

    return Native(function_name(fun), converted), varying
