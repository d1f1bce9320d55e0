"""`lax.scan` as a primitive: how it runs, and its tangents, transpose, batches and types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.batching import at_axis, batch_jaxpr, move_axis
from engine.languages.surfaces.jax.core.jaxpr import (
    Equation,
    Jaxpr,
    as_function,
    evaluate_compiled,
    moved_back,
    without_dead,
)
from engine.languages.surfaces.jax.core.linearizing import linearize_jaxpr
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.staging import StagingTrace, trace_to_jaxpr
from engine.languages.surfaces.jax.core.tangents import instantiated, is_zero, jvp_jaxpr
from engine.languages.surfaces.jax.core.transposing import Undefined, backward, is_undefined
from engine.languages.surfaces.jax.core.values import Zero, aval_of
from engine.languages.surfaces.jax.lax.basics import zeros_like_aval
from engine.languages.surfaces.jax.lax.control.jit import SplitTrace
from engine.languages.surfaces.jax.lax.control.while_loops import first_axis_where, of_types
from engine.languages.surfaces.jax.lax.shapes import slice_of, squeeze, stack_p

scan_p = Primitive("scan", several=True)


def _groups(values: Sequence[Any], num_consts: int, num_carry: int) -> tuple[Any, Any, Any]:
    end = num_consts + num_carry
    return list(values[:num_consts]), list(values[num_consts:end]), list(values[end:])


def _scan(
    *values: Any, jaxpr: Jaxpr, length: int, num_carry: int, num_consts: int, reverse: bool, unroll: int
) -> list[Any]:
    consts, carry, xs = _groups(values, num_consts, num_carry)
    rows: list[list[Any]] = []
    carry_avals = jaxpr.in_avals[num_consts : num_consts + num_carry]
    for turn in range(length)[::-1] if reverse else range(length):
        run_now().budget.step()
        now = [_row(x, turn) for x in xs]
        outs = evaluate_compiled(jaxpr, [*consts, *of_types(carry, carry_avals), *now])
        carry = outs[:num_carry]
        rows.append(outs[num_carry:])
    if reverse:
        rows.reverse()
    avals = jaxpr.out_avals[num_carry:]
    if not rows:
        return [*carry, *(zeros_like_aval(aval.with_shape((0, *aval.shape))) for aval in avals)]
    return [*carry, *(stack_p(*column, axis=0) for column in zip(*rows, strict=True))]


def _row(x: Any, index: int) -> Any:
    shape = aval_of(x).shape
    starts, limits = [index, *([0] * (len(shape) - 1))], [index + 1, *shape[1:]]
    return squeeze(slice_of(x, starts, limits), (0,))


def _scan_types(*avals: Aval, jaxpr: Jaxpr, length: int, num_carry: int, **_: Any) -> list[Aval]:
    outs = jaxpr.out_avals
    return [*outs[:num_carry], *(aval.with_shape((length, *aval.shape)) for aval in outs[num_carry:])]


def _scan_tangent(
    primals: Any, tangents: Any, jaxpr: Jaxpr, num_carry: int, num_consts: int, **rest: Any
) -> tuple[Any, Any]:
    consts_m, carry_m, xs_m = _groups([not is_zero(t) for t in tangents], num_consts, num_carry)
    count_ys = len(jaxpr.results) - num_carry
    while True:
        moves = [*consts_m, *carry_m, *xs_m]
        both, out = jvp_jaxpr(jaxpr, moves, [*carry_m, *([False] * count_ys)])
        if out[:num_carry] == carry_m:
            break
        carry_m = [a or b for a, b in zip(carry_m, out, strict=False)]
    consts, init, xs = _groups(primals, num_consts, num_carry)
    groups = _groups(tangents, num_consts, num_carry)
    dots = [
        [instantiated(t) for t, m in zip(group, flags, strict=True) if m]
        for group, flags in zip(groups, (consts_m, carry_m, xs_m), strict=True)
    ]
    count = len(primals)
    own = _groups(both.arguments[:count], num_consts, num_carry)
    of_dots = iter(both.arguments[count:])
    moved = [[next(of_dots) for _ in group] for group in dots]
    arguments = [*own[0], *moved[0], *own[1], *moved[1], *own[2], *moved[2]]
    outs = both.results
    values, dot_outs = outs[: len(jaxpr.results)], outs[len(jaxpr.results) :]
    extra = len(dots[1])
    results = [*values[:num_carry], *dot_outs[:extra], *values[num_carry:], *dot_outs[extra:]]
    arranged = Jaxpr(both.constants, arguments, results, both.equations, both.values)
    found = scan_p(
        *(*consts, *dots[0], *init, *dots[1], *xs, *dots[2]),
        jaxpr=arranged,
        num_carry=num_carry + extra,
        num_consts=num_consts + len(dots[0]),
        **rest,
    )
    ys_start = num_carry + extra
    primal_outs = [*found[:num_carry], *found[ys_start : ys_start + count_ys]]
    given = iter([*found[num_carry:ys_start], *found[ys_start + count_ys :]])
    out_tangents = [
        next(given) if move else Zero(aval_of(x).tangent()) for move, x in zip(out, primal_outs, strict=True)
    ]
    return primal_outs, out_tangents


def _scan_linear(
    nonzeros: Sequence[bool], *primals: Any, jaxpr: Jaxpr, num_carry: int, num_consts: int, **rest: Any
) -> Any:
    consts_m, carry_m, xs_m = _groups(nonzeros, num_consts, num_carry)
    count_ys = len(jaxpr.results) - num_carry
    allowed = [i < num_consts or i >= num_consts + num_carry for i in range(len(primals))]
    while True:
        moves = [*consts_m, *carry_m, *xs_m]
        first, count, out, forwards, second = linearize_jaxpr(
            jaxpr, moves, [*carry_m, *([False] * count_ys)], allowed
        )
        if out[:num_carry] == carry_m:
            break
        carry_m = [a or b for a, b in zip(carry_m, out, strict=False)]
    count_outs = len(first.results) - count
    consts, others = list(primals[:num_consts]), list(primals[num_consts:])
    first, loop_consts, is_hoisted, hoisted = _hoisted(first, consts, count)
    every = [*jaxpr.values, *primals]
    flags = iter(is_hoisted)
    moving = [
        not next(flags) if place is None else place >= len(jaxpr.values) + num_consts + num_carry
        for place in forwards
    ]
    second = moved_back(second, [*moving, *([False] * (len(second.arguments) - len(forwards)))])
    found = scan_p(
        *loop_consts, *others, jaxpr=first, num_carry=num_carry, num_consts=len(loop_consts), **rest
    )
    values, of_turns, once = found[:count_outs], iter(found[count_outs:]), iter(hoisted)
    given = iter([next(once) if flag else next(of_turns) for flag in is_hoisted])
    needed = [next(given) if place is None else every[place] for place in forwards]
    inside = [x for x, move in zip(needed, moving, strict=True) if not move]
    outside = [x for x, move in zip(needed, moving, strict=True) if move]
    num_linear = len(inside) + sum(consts_m)

    def linear(*tangents: Any) -> list[Any]:
        moved = [instantiated(t) for t, move in zip(tangents, moves, strict=True) if move]
        results = iter(
            scan_p(
                *inside,
                *moved,
                *outside,
                jaxpr=second,
                num_carry=sum(carry_m),
                num_consts=num_linear,
                **rest,
            )
        )
        return [
            next(results) if move else Zero(aval_of(x).tangent()) for move, x in zip(out, values, strict=True)
        ]

    return values, linear


def _hoisted(
    jaxpr: Jaxpr, consts: Sequence[Any], count: int
) -> tuple[Jaxpr, list[Any], list[bool], list[Any]]:
    """A loop's body without what is the same in each turn, which is computed before it.

    Returns: the body, the values that it needs, which of its last results are known before, and these.
    """
    rest, run = StagingTrace(), run_now()
    trace = SplitTrace(run.trace, rest)
    inner = [trace.waiting(rest.argument(aval)) for aval in jaxpr.in_avals[len(consts) :]]
    with run.under(trace):
        outs = as_function(jaxpr)(*consts, *inner)
    split = len(outs) - count
    is_known = [not trace.is_waiting(x) for x in outs[split:]]
    hoisted = [x for x in outs[split:] if not trace.is_waiting(x)]
    loop = rest.jaxpr([*outs[:split], *(x for x in outs[split:] if trace.is_waiting(x))])
    return loop.with_constants_first(), loop.values, is_known, hoisted


def _scan_transpose(
    cts: Any,
    *values: Any,
    jaxpr: Jaxpr,
    length: int,
    num_carry: int,
    num_consts: int,
    reverse: bool,
    unroll: int,
) -> list[Any]:
    consts, carry, xs = _groups(values, num_consts, num_carry)
    inside = [x for x in consts if not is_undefined(x)]
    linear_consts = consts[len(inside) :]
    linear_xs = [x for x in xs if is_undefined(x)]
    outside = xs[len(linear_xs) :]
    ct_carry = [instantiated(ct) for ct in cts[:num_carry]]
    ct_ys = cts[num_carry:]
    sums = [zeros_like_aval(x.aval.tangent()) for x in linear_consts]
    ys = [ct for ct in ct_ys if not is_zero(ct)]
    avals = jaxpr.in_avals
    xs_avals = avals[num_consts + num_carry :]

    def back(*flat: Any) -> list[Any]:
        given = iter(flat)
        known_consts = [next(given) for _ in inside]
        totals = [next(given) for _ in sums]
        coming = [next(given) for _ in ct_carry]
        of_ys = [Zero(_element(ct.aval)) if is_zero(ct) else next(given) for ct in ct_ys]
        now = [next(given) for _ in outside]
        arguments = [
            *known_consts,
            *(Undefined(x.aval) for x in linear_consts),
            *(Undefined(aval_of(x)) for x in carry),
            *(Undefined(aval) for aval in xs_avals[: len(linear_xs)]),
            *now,
        ]
        return _added(jaxpr, arguments, [*coming, *of_ys], len(inside), totals)

    types = [aval_of(x) for x in (*inside, *sums, *ct_carry)]
    types += [_element(aval_of(x)) for x in (*ys, *outside)]
    transposed = trace_to_jaxpr(back, types)
    found = scan_p(
        *(*inside, *sums, *ct_carry, *ys, *outside),
        jaxpr=transposed,
        length=length,
        num_carry=len(sums) + len(ct_carry),
        num_consts=len(inside),
        reverse=not reverse,
        unroll=unroll,
    )
    results = iter(found)
    outs: list[Any] = [None] * len(inside)
    outs += [next(results) for _ in linear_consts]
    outs += [next(results) for _ in carry]
    outs += [next(results) for _ in linear_xs]
    return [*outs, *([None] * len(outside))]


def _added(jaxpr: Jaxpr, arguments: Any, cts: Any, skip: int, totals: Sequence[Any]) -> list[Any]:
    """One turn backwards, where the cotangents of what all turns share begin with what is there already."""
    outs = backward(jaxpr, jaxpr.values, arguments, cts, dict(enumerate(totals, skip)))
    return [
        instantiated(ct)
        for ct, argument in zip(outs, arguments, strict=True)
        if isinstance(argument, Undefined)
    ]


def _element(aval: Aval) -> Aval:
    return aval.with_shape(aval.shape[1:])


def _scan_batch(
    size: int, values: Any, axes: Any, jaxpr: Jaxpr, num_carry: int, num_consts: int, **rest: Any
) -> tuple[Any, Any]:
    consts_a, carry_a, xs_a = _groups(axes, num_consts, num_carry)
    consts, carry, xs = _groups(values, num_consts, num_carry)
    count_ys = len(jaxpr.results) - num_carry
    batched = [axis is not None for axis in carry_a]
    while True:
        flags = [*(a is not None for a in consts_a), *batched, *(a is not None for a in xs_a)]
        body, out = batch_jaxpr(jaxpr, size, first_axis_where(flags), [*batched, *([False] * count_ys)])
        now = [a or b is not None for a, b in zip(batched, out, strict=False)]
        if now == batched:
            break
        batched = now
    consts = [move_axis(x, a, 0) if a is not None else x for x, a in zip(consts, consts_a, strict=True)]
    carry = [at_axis(x, a, size, 0) if b else x for x, a, b in zip(carry, carry_a, batched, strict=True)]
    xs = [move_axis(x, a, 1) if a is not None else x for x, a in zip(xs, xs_a, strict=True)]
    found = scan_p(*consts, *carry, *xs, jaxpr=body, num_carry=num_carry, num_consts=num_consts, **rest)
    ys_axes = [1 if axis is not None else None for axis in out[num_carry:]]
    return found, [*first_axis_where(batched), *ys_axes]


def _scan_dead(used: Sequence[bool], equation: Equation) -> tuple[list[bool], Equation | None]:
    jaxpr: Jaxpr = equation.parameters["jaxpr"]
    num_consts, num_carry = equation.parameters["num_consts"], equation.parameters["num_carry"]
    if not any(used) and not jaxpr.has_effect:
        return [False] * len(equation.inputs), None
    carry_out, ys_out = list(used[:num_carry]), list(used[num_carry:])
    count_xs = len(jaxpr.arguments) - num_consts - num_carry
    while True:
        keep = [*([False] * num_consts), *carry_out, *([False] * count_xs)]
        smaller, uses = without_dead(jaxpr, [*carry_out, *ys_out], keep)
        carry_in = uses[num_consts : num_consts + num_carry]
        if carry_in == carry_out:
            break
        carry_out = [a or b for a, b in zip(carry_out, carry_in, strict=True)]
    parameters = {
        **equation.parameters,
        "jaxpr": smaller,
        "num_consts": sum(uses[:num_consts]),
        "num_carry": sum(carry_in),
    }
    inputs = [atom for atom, use in zip(equation.inputs, uses, strict=True) if use]
    outs = [var for var, use in zip(equation.outputs, [*carry_out, *ys_out], strict=True) if use]
    return uses, Equation(scan_p, inputs, outs, parameters, equation.is_backward, equation.of)


scan_p.evaluate, scan_p.types = _scan, _scan_types
scan_p.tangent, scan_p.linear, scan_p.transpose = _scan_tangent, _scan_linear, _scan_transpose
scan_p.batch, scan_p.dead = _scan_batch, _scan_dead
