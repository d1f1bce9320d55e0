"""`jax.checkpoint`: a function whose inner values are computed again for its gradient.

It changes no number. In a jaxpr it is an equation `remat2`, whose linear part begins with the function again;
a policy says which of its values are kept from the first time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax.api.calling import (
    as_value,
    flat_arguments,
    function_name,
    many,
    trees,
)
from engine.languages.surfaces.jax.api.derivatives.wrapped import Wrapped
from engine.languages.surfaces.jax.api.tracing.jitting import Static
from engine.languages.surfaces.jax.api.tracing.once import traced
from engine.languages.surfaces.jax.core.batching import batch_jaxpr, elementwise
from engine.languages.surfaces.jax.core.jaxpr import (
    Equation,
    Jaxpr,
    Literal,
    Var,
    as_function,
    evaluate,
    without_dead,
)
from engine.languages.surfaces.jax.core.linearizing import linearize_jaxpr
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.staging import trace_to_jaxpr
from engine.languages.surfaces.jax.core.tangents import is_zero, jvp_jaxpr, linear
from engine.languages.surfaces.jax.core.transposing import backward, is_undefined
from engine.languages.surfaces.jax.core.values import Zero, aval_of
from engine.languages.surfaces.jax.lax.basics import unary

# -- what is kept ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Policy:
    """Which values of a function are kept for its gradient. saves: whether those of an equation are."""

    text: str
    saves: Callable[[Equation], bool]

    def __str__(self) -> str:
        return self.text


def _is_dot(equation: Equation) -> bool:
    return equation.primitive.name == "dot_general"


def _is_dot_of_one(equation: Equation) -> bool:
    return _is_dot(equation) and not equation.parameters["dimension_numbers"][1][0]


NOTHING = Policy("<function nothing_saveable at 0xXXXXXXXXXXXX>", lambda equation: False)
DOTS = Policy("DotsSaveable(only_if_no_batch_dims=False)", _is_dot)
DOTS_OF_ONE = Policy("DotsSaveable(only_if_no_batch_dims=True)", _is_dot_of_one)
POLICIES = {
    "everything_saveable": Policy("<function everything_saveable at 0xXXXXXXXXXXXX>", lambda equation: True),
    "nothing_saveable": NOTHING,
    "dots_saveable": DOTS,
    "checkpoint_dots": DOTS,
    "dots_with_no_batch_dims_saveable": DOTS_OF_ONE,
    "checkpoint_dots_with_no_batch_dims": DOTS_OF_ONE,
}


def _set_text(names: Sequence[str]) -> str:
    return "frozenset({" + ", ".join(map(repr, sorted(names))) + "})" if names else "frozenset()"


def _name_of(equation: Equation) -> Any:
    return equation.parameters["name"] if equation.primitive is name_p else None


def save_only_these_names(*names: str) -> Policy:
    """Values that the program named so."""
    text = f"SaveOnlyTheseNames(saveable_names={_set_text(names)})"
    return Policy(text, lambda equation: _name_of(equation) in names)


def save_any_names_but_these(*names: str) -> Policy:
    """Values that the program named in another way."""
    text = f"SaveAnyNamesButThese(names={_set_text(names)})"
    return Policy(text, lambda equation: _name_of(equation) not in (None, *names))


def save_anything_except_these_names(*names: str) -> Policy:
    """All values but those that the program named so."""
    return Policy(
        "<function save_anything_except_these_names.<locals>.<lambda> at 0xXXXXXXXXXXXX>",
        lambda equation: _name_of(equation) not in names or _name_of(equation) is None,
    )


def save_from_both_policies(first: Policy, second: Policy) -> Policy:
    """Values that one of two policies keeps."""
    return Policy(
        "<function save_from_both_policies.<locals>.policy at 0xXXXXXXXXXXXX>",
        lambda equation: first.saves(equation) or second.saves(equation),
    )


POLICIES_OF_OTHERS: dict[str, Callable[..., Any]] = {
    "save_only_these_names": save_only_these_names,
    "save_any_names_but_these": save_any_names_but_these,
    "save_anything_except_these_names": save_anything_except_these_names,
    "save_from_both_policies": save_from_both_policies,
}

# -- primitives --------------------------------------------------------------------------------------

remat_p = Primitive("remat2", several=True)
reduce_precision_p = unary("reduce_precision", lambda x, exponent_bits, mantissa_bits: x)
name_p = unary("name", lambda x, name: x)
for _p in (reduce_precision_p, name_p):
    _p.types = lambda x, **_: x
    linear(_p, lambda ct, x, **_: [Zero(x.aval) if is_zero(ct) else ct])
    elementwise(_p)
name_p.tangent = lambda primals, tangents, name: (name_p(primals[0], name=name), tangents[0])


def _tangent(primals: Any, tangents: Any, jaxpr: Jaxpr, **rest: Any) -> tuple[Any, Any]:
    both, nonzeros = jvp_jaxpr(jaxpr, [not is_zero(t) for t in tangents], False)
    moving = [t for t in tangents if not is_zero(t)]
    outs = remat_p(*both.values, *primals, *moving, jaxpr=both.with_constants_first(), **rest)
    count = len(jaxpr.results)
    given = iter(outs[count:])
    pairs = zip(nonzeros, jaxpr.out_avals, strict=True)
    return outs[:count], [next(given) if nonzero else Zero(aval.tangent()) for nonzero, aval in pairs]


def _linear(nonzeros: Sequence[bool], *primals: Any, jaxpr: Jaxpr, policy: Any, **rest: Any) -> Any:
    both, nonzeros_out = _values_and_tangents(jaxpr, nonzeros)
    count = len(jaxpr.results)
    known, saved, staged, used = _in_two(both, len(primals), count, policy or NOTHING)
    outs = _with_full_precision(known, primals, saved)
    needed = [*outs[count:], *(x for x, use in zip(primals, used, strict=True) if use)]

    def of_tangents(*tangents: Any) -> list[Any]:
        moving = [t for t in tangents if not is_zero(t)]
        parameters = {**rest, "policy": policy, "differentiated": True}
        found = iter(remat_p(*needed, *moving, jaxpr=staged, **parameters))
        pairs = zip(nonzeros_out, jaxpr.out_avals, strict=True)
        return [next(found) if nonzero else Zero(aval.tangent()) for nonzero, aval in pairs]

    return outs[:count], of_tangents


def _values_and_tangents(jaxpr: Jaxpr, nonzeros: Sequence[bool]) -> tuple[Jaxpr, list[bool]]:
    """A function of arguments and of tangents, linear in these; which tangents of results are not zero."""
    first, count, nonzeros_out, forwards, second = linearize_jaxpr(jaxpr, nonzeros)
    avals = jaxpr.in_avals

    def both(*flat: Any) -> list[Any]:
        primals, moving = flat[: len(avals)], flat[len(avals) :]
        outs = evaluate(first, primals)
        values, given = outs[: len(outs) - count], iter(outs[len(outs) - count :])
        needed = [next(given) if place is None else primals[place] for place in forwards]
        return [*values, *evaluate(second, [*needed, *moving])]

    tangents = [aval.tangent() for aval, nonzero in zip(avals, nonzeros, strict=True) if nonzero]
    return trace_to_jaxpr(both, [*avals, *tangents]), nonzeros_out


def _in_two(
    both: Jaxpr, num_known: int, count: int, policy: Policy
) -> tuple[Jaxpr, set[Var], Jaxpr, list[bool]]:
    """The values and tangents of a function as what is computed at once and what is computed with tangents.

    Returns: the first jaxpr, which gives the values and what is kept; what is kept; the second, which takes
    that, values of arguments and tangents; which of the arguments' values it takes.
    """
    arguments, tangents = both.arguments[:num_known], both.arguments[num_known:]
    known: set[Any] = set(arguments)
    at_once = []
    for equation in both.equations:
        if all(isinstance(atom, Literal) or atom in known for atom in equation.inputs):
            at_once.append(equation)
            known.update(equation.outputs)
    kept = [var for equation in at_once if policy.saves(equation) for var in equation.outputs]
    made_before = {id(equation) for equation in at_once if policy.saves(equation)}
    rest = [equation for equation in both.equations if id(equation) not in made_before]
    everything = Jaxpr([], [*kept, *arguments, *tangents], both.results[count:], rest)
    stays = [False] * (len(kept) + num_known) + [True] * len(tangents)
    staged, uses = without_dead(everything, [True] * len(everything.results), stays)
    used_kept = [var for var, use in zip(kept, uses, strict=False) if use]
    first = Jaxpr([], arguments, [*both.results[:count], *used_kept], at_once)
    first = without_dead(first, [True] * len(first.results), instantiate=True)[0]
    again = trace_to_jaxpr(as_function(staged), staged.in_avals)  # variables of its own
    return first, set(used_kept), again, uses[len(kept) : len(kept) + num_known]


def _with_full_precision(jaxpr: Jaxpr, arguments: Sequence[Any], kept: set[Var]) -> list[Any]:
    """The results; what is kept and used here, too, is marked to be of no more digits than its type."""
    taken = {atom for equation in jaxpr.equations for atom in equation.inputs}
    held: dict[Any, Any] = dict(zip(jaxpr.arguments, arguments, strict=True))

    def read(atom: Any) -> Any:
        return atom.value if isinstance(atom, Literal) else held[atom]

    for equation in jaxpr.equations:
        found = equation.primitive(*map(read, equation.inputs), **equation.parameters)
        outs = found if equation.primitive.several else [found]
        for var, out in zip(equation.outputs, outs, strict=True):
            is_marked = var in kept and var in taken and var.aval.is_inexact
            held[var] = _marked(out) if is_marked else out
    return [read(atom) for atom in jaxpr.results]


def _marked(x: Any) -> Any:
    info = np.finfo(aval_of(x).dtype)
    return reduce_precision_p(x, exponent_bits=info.bits - info.nmant - 1, mantissa_bits=info.nmant)


def _transpose(cts: Any, *values: Any, jaxpr: Jaxpr, **rest: Any) -> list[Any]:
    known = [x for x in values if not is_undefined(x)]
    coming = [ct for ct in cts if not is_zero(ct)]
    has: list[bool] = []

    def back(*flat: Any) -> list[Any]:
        given, cotangents = iter(flat[: len(known)]), iter(flat[len(known) :])
        arguments = [x if is_undefined(x) else next(given) for x in values]
        outs = backward(
            jaxpr, jaxpr.values, arguments, [ct if is_zero(ct) else next(cotangents) for ct in cts]
        )
        has[:] = [ct is not None and not is_zero(ct) for ct in outs]
        return [ct for ct, one in zip(outs, has, strict=True) if one]

    transposed = trace_to_jaxpr(back, [aval_of(x) for x in (*known, *coming)])
    found = iter(
        remat_p(*transposed.values, *known, *coming, jaxpr=transposed.with_constants_first(), **rest)
    )
    pairs = zip(has, values, strict=True)
    return [next(found) if one else (Zero(x.aval) if is_undefined(x) else None) for one, x in pairs]


def _batch(size: int, values: Any, axes: Any, jaxpr: Jaxpr, **rest: Any) -> tuple[Any, Any]:
    batch, out_axes = batch_jaxpr(jaxpr, size, axes)
    return remat_p(*batch.values, *values, jaxpr=batch.with_constants_first(), **rest), out_axes


def _dead(used: Sequence[bool], equation: Equation) -> tuple[list[bool], Equation | None]:
    jaxpr: Jaxpr = equation.parameters["jaxpr"]
    if not any(used) and not jaxpr.has_effect:
        return [False] * len(equation.inputs), None
    smaller, uses = without_dead(jaxpr, used)
    inputs = [atom for atom, use in zip(equation.inputs, uses, strict=True) if use]
    outputs = [var for var, use in zip(equation.outputs, used, strict=True) if use]
    parameters = {**equation.parameters, "jaxpr": smaller}
    return uses, Equation(remat_p, inputs, outputs, parameters, equation.is_backward, equation.of)


remat_p.evaluate = lambda *values, jaxpr, **_: evaluate(jaxpr, values)
remat_p.types = lambda *avals, jaxpr, **_: jaxpr.out_avals
remat_p.tangent, remat_p.linear, remat_p.transpose = _tangent, _linear, _transpose
remat_p.batch, remat_p.dead = _batch, _dead

# -- as a program calls it ---------------------------------------------------------------------------


def checkpoint(
    interpreter: Interpreter,
    fun: Any = None,
    prevent_cse: Any = True,
    policy: Any = None,
    static_argnums: Any = (),
    **_: Any,
) -> Native:
    """A function whose inner values are computed again for its gradient."""
    settings = {"prevent_cse": bool(prevent_cse), "policy": policy}
    fixed = set(many(static_argnums, "static_argnums"))
    if fun is None:
        rest = {**settings, "static_argnums": static_argnums}
        return Native("checkpoint", lambda function: checkpoint(interpreter, function, **rest))

    def call(*args: Any, **keywords: Any) -> Any:
        static = [value if i in fixed else None for i, value in enumerate(args)]
        moving = [None if i in fixed else value for i, value in enumerate(args)]
        leaves, structure = flat_arguments(moving, keywords)
        values = [as_value(leaf) for leaf in leaves]
        jaxpr, results = traced(
            *(interpreter, _with_static(interpreter, fun, static, fixed), structure),
            *([aval_of(value) for value in values], "checkpoint"),
            of=fun,
            given=tuple(map(Static, static)),
        )
        inner = jaxpr.with_constants_first()
        found = remat_p(*jaxpr.values, *values, jaxpr=inner, differentiated=False, **settings)
        return trees().unflatten(results, found)

    return Wrapped(function_name(fun), call, fun)


def _with_static(interpreter: Interpreter, fun: Any, static: Sequence[Any], fixed: set[int]) -> Any:
    if not fixed:
        return fun

    def call(*args: Any, **keywords: Any) -> Any:
        given = [static[i] if i in fixed else value for i, value in enumerate(args)]
        return interpreter.call(fun, given, keywords)

    return Native(function_name(fun), call)


def checkpoint_name(x: Any, name: str) -> Any:
    """The same values under a name, by which a policy may keep them."""
    leaves, structure = trees().flatten(x)
    return trees().unflatten(structure, [name_p(as_value(leaf), name=name) for leaf in leaves])
