"""`lax.while_loop` as a primitive: how it runs, and its tangents, batches and types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.batching import at_axis, batch_jaxpr, move_axis
from engine.languages.surfaces.jax.core.errors import value_error
from engine.languages.surfaces.jax.core.jaxpr import Jaxpr, Var, evaluate_compiled
from engine.languages.surfaces.jax.core.primitive import Primitive, made
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.tangents import instantiated, is_zero, jvp_jaxpr
from engine.languages.surfaces.jax.core.values import JaxArray, Zero, aval_of, known

while_p = Primitive("while", several=True)


def _turns(*values: Any, cond_nconsts: int, cond_jaxpr: Jaxpr, body_nconsts: int, body_jaxpr: Jaxpr) -> Any:
    of_test, of_body = values[:cond_nconsts], values[cond_nconsts : cond_nconsts + body_nconsts]
    carry = of_types(values[cond_nconsts + body_nconsts :], body_jaxpr.out_avals)
    while True:
        run_now().budget.step()
        (test,) = evaluate_compiled(cond_jaxpr, [*of_test, *carry])
        going = known(test)
        if going.ndim:
            if not going.any():
                return carry
            new = evaluate_compiled(body_jaxpr, [*of_body, *carry])
            carry = [_where_going(going, a, b) for a, b in zip(new, carry, strict=True)]
        elif not going:
            return carry
        else:
            carry = evaluate_compiled(body_jaxpr, [*of_body, *carry])


def of_types(values: Sequence[Any], avals: Sequence[Aval]) -> list[Any]:
    """The same values, weak where these types are."""
    return [
        JaxArray(x.array, aval.weak, x.kind, x.tensor)
        if isinstance(x, JaxArray) and x.weak != aval.weak
        else x
        for x, aval in zip(values, avals, strict=True)
    ]


def _where_going(going: Any, new: Any, old: Any) -> Any:
    """Examples whose loop is over keep their values."""
    wide = going.reshape(going.shape + (1,) * (new.array.ndim - going.ndim))
    return made(np.where(wide, new.array, old.array), aval_of(new))


def _while_types(
    *avals: Aval, cond_nconsts: int, cond_jaxpr: Jaxpr, body_nconsts: int, body_jaxpr: Jaxpr
) -> Any:
    return body_jaxpr.out_avals


def _while_tangent(
    primals: Any, tangents: Any, cond_nconsts: int, cond_jaxpr: Jaxpr, body_nconsts: int, body_jaxpr: Jaxpr
) -> tuple[Any, Any]:
    first, second = cond_nconsts, cond_nconsts + body_nconsts
    moves = [not is_zero(t) for t in tangents]
    of_body = moves[first:second]
    both, carry = _moving(body_jaxpr, of_body, moves[second:])
    body_t = [t for t, m in zip(tangents[first:second], of_body, strict=True) if m]
    carry_t = [instantiated(t) for t, m in zip(tangents[second:], carry, strict=True) if m]
    count, extra = len(carry), len(carry_t)
    args = both.arguments
    consts, inits = args[:body_nconsts], args[body_nconsts : body_nconsts + count]
    dots = args[body_nconsts + count :]
    order = [*consts, *dots[: len(body_t)], *inits, *dots[len(body_t) :]]
    body = Jaxpr(both.constants, order, both.results, both.equations, both.values)
    unused = [Var(aval_of(t)) for t in carry_t]
    test = Jaxpr(
        cond_jaxpr.constants,
        [*cond_jaxpr.arguments, *unused],
        cond_jaxpr.results,
        cond_jaxpr.equations,
        cond_jaxpr.values,
    )
    found = while_p(
        *primals[:second],
        *body_t,
        *primals[second:],
        *carry_t,
        cond_nconsts=cond_nconsts,
        cond_jaxpr=test,
        body_nconsts=body_nconsts + len(body_t),
        body_jaxpr=body,
    )
    given = iter(found[count : count + extra])
    avals = body_jaxpr.out_avals
    return found[:count], [next(given) if m else Zero(a.tangent()) for m, a in zip(carry, avals, strict=True)]


def _moving(body: Jaxpr, of_body: Sequence[bool], carry: Sequence[bool]) -> tuple[Jaxpr, list[bool]]:
    """Which values of the carry have a tangent in some turn, and the body with its tangents.

    of_body, carry: which of the body's constants, and of the first carry, have one.
    """
    moves = list(carry)
    while True:
        both, out = jvp_jaxpr(body, [*of_body, *moves], moves)
        if out == moves:
            return both, moves
        moves = [a or b for a, b in zip(moves, out, strict=True)]


def _while_linear(nonzeros: Sequence[bool], *primals: Any, **parameters: Any) -> Any:
    """Nothing, where the carry never has a tangent, as in a bisection. Raises: ValueError otherwise."""
    body, first = parameters["body_jaxpr"], parameters["cond_nconsts"]
    second = first + parameters["body_nconsts"]
    if not any(_moving(body, nonzeros[first:second], nonzeros[second:])[1]):
        return while_p(*primals, **parameters), lambda *_: [Zero(one.tangent()) for one in body.out_avals]
    raise value_error(
        "Reverse-mode differentiation does not work for lax.while_loop or lax.fori_loop with "
        "dynamic start/stop "
        "values. Try using lax.scan, or using fori_loop with static start/stop.",
        "lax.while_loop 以及上下界不固定的 lax.fori_loop 不支持反向求导。",
        "Use jax.lax.scan, or fori_loop with known bounds; jax.jvp works.",
        "请使用 jax.lax.scan，或上下界已知的 fori_loop；jax.jvp 可用。",
    )


def first_axis_where(flags: Any) -> list[int | None]:
    """The axis of the batch, the first, for each value that has one."""
    return [0 if one else None for one in flags]


def _while_batch(
    size: int,
    values: Any,
    axes: Any,
    cond_nconsts: int,
    cond_jaxpr: Jaxpr,
    body_nconsts: int,
    body_jaxpr: Jaxpr,
) -> tuple[Any, Any]:
    first, second = cond_nconsts, cond_nconsts + body_nconsts
    of_test, of_body = list(axes[:first]), list(axes[first:second])
    carry = [axis is not None for axis in axes[second:]]
    moved = [
        move_axis(x, axis, 0) if axis is not None else x
        for x, axis in zip(values[:second], axes[:second], strict=True)
    ]
    body_axes = first_axis_where(axis is not None for axis in of_body)
    test_axes = first_axis_where(axis is not None for axis in of_test)
    while True:
        _, out = batch_jaxpr(body_jaxpr, size, [*body_axes, *first_axis_where(carry)], carry)
        now = [a or b is not None for a, b in zip(carry, out, strict=True)]
        if now == carry:
            break
        carry = now
    _, (test_axis,) = batch_jaxpr(cond_jaxpr, size, [*test_axes, *first_axis_where(carry)], False)
    if test_axis is not None:
        carry = [True] * len(carry)
    body, _ = batch_jaxpr(body_jaxpr, size, [*body_axes, *first_axis_where(carry)], carry)
    test, _ = batch_jaxpr(cond_jaxpr, size, [*test_axes, *first_axis_where(carry)], test_axis is not None)
    inits = [
        at_axis(x, axis, size, 0) if now else x
        for x, axis, now in zip(values[second:], axes[second:], carry, strict=True)
    ]
    found = while_p(
        *moved,
        *inits,
        cond_nconsts=cond_nconsts,
        cond_jaxpr=test,
        body_nconsts=body_nconsts,
        body_jaxpr=body,
    )
    return found, first_axis_where(carry)


while_p.evaluate, while_p.types = _turns, _while_types
while_p.tangent, while_p.linear, while_p.batch = _while_tangent, _while_linear, _while_batch
