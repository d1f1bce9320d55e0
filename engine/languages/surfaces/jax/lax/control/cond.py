"""cond: one of several branches, by an index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.batching import at_axis_0, batch_jaxpr, move_axis
from engine.languages.surfaces.jax.core.jaxpr import (
    Equation,
    Jaxpr,
    Var,
    as_function,
    evaluate,
    evaluate_compiled,
    without_dead,
)
from engine.languages.surfaces.jax.core.linearizing import linearize_jaxpr
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.staging import trace_to_jaxpr
from engine.languages.surfaces.jax.core.tangents import instantiated, is_zero, jvp_jaxpr
from engine.languages.surfaces.jax.core.transposing import backward, is_undefined
from engine.languages.surfaces.jax.core.values import Zero, aval_of, known
from engine.languages.surfaces.jax.lax.arithmetic import eq, select, select_n_p
from engine.languages.surfaces.jax.lax.basics import broadcast_in_dim, like, shape_of
from engine.languages.surfaces.jax.lax.elementwise import stop_gradient

cond_p, empty_p = Primitive("cond", several=True), Primitive("empty2")


class MemorySpace:
    """Where an array lies; written as JAX writes it."""

    def __str__(self) -> str:
        return "MemorySpace.Device"


DEVICE = MemorySpace()


def _zeros(dtype: str, memory_space: Any) -> Any:
    import numpy as np

    return np.zeros((), dtype)


empty_p.compute = _zeros
empty_p.types = lambda dtype, memory_space: Aval((), dtype)


def empty_like(aval: Aval) -> Any:
    """What stands for a value of a branch that was not taken."""
    from engine.languages.surfaces.jax.lax.basics import broadcast

    return broadcast(empty_p(dtype=aval.dtype, memory_space=DEVICE), aval.shape)


def _evaluate(index: Any, *operands: Any, branches: tuple[Jaxpr, ...]) -> list[Any]:
    array = known(index)
    assert array is not None
    return evaluate_compiled(branches[min(max(int(array), 0), len(branches) - 1)], operands)


def _tangent(primals: Any, tangents: Any, branches: tuple[Jaxpr, ...]) -> tuple[Any, Any]:
    moves = [not is_zero(t) for t in tangents[1:]]
    outs = [jvp_jaxpr(branch, moves, False)[1] for branch in branches]
    moved = [any(each) for each in zip(*outs, strict=True)]
    both = tuple(jvp_jaxpr(branch, moves, moved)[0] for branch in branches)
    found = cond_p(*primals, *(t for t in tangents[1:] if not is_zero(t)), branches=both)
    count = len(moved)
    given = iter(found[count:])
    avals = branches[0].out_avals
    out_tangents = [
        next(given) if move else Zero(aval.tangent()) for move, aval in zip(moved, avals, strict=True)
    ]
    return found[:count], out_tangents


def _linear(nonzeros: Sequence[bool], *primals: Any, branches: tuple[Jaxpr, ...]) -> Any:
    moves = list(nonzeros[1:])
    outs = [linearize_jaxpr(branch, moves, allow_forwards=False)[2] for branch in branches]
    moved = [any(each) for each in zip(*outs, strict=True)]
    firsts, seconds, needs = [], [], []
    for branch in branches:
        first, count, _, _, second = linearize_jaxpr(branch, moves, moved, allow_forwards=False)
        firsts.append(first)
        seconds.append(second)
        needs.append(first.out_avals[len(first.out_avals) - count :])
    every, places = _merged(needs)
    count = len(moved)
    firsts = [
        _with_all_needs(first, every, place, count) for first, place in zip(firsts, places, strict=True)
    ]
    seconds = [_taking_all_needs(second, every, place) for second, place in zip(seconds, places, strict=True)]
    found = cond_p(*primals, branches=tuple(firsts))
    values, needed = found[:count], found[count:]
    avals = branches[0].out_avals

    def linear(*tangents: Any) -> list[Any]:
        given = [t for t in tangents if not is_zero(t)]
        results = iter(cond_p(primals[0], *needed, *given, branches=tuple(seconds)))
        return [
            next(results) if move else Zero(aval.tangent()) for move, aval in zip(moved, avals, strict=True)
        ]

    return values, linear


def _merged(needs: Sequence[Sequence[Aval]]) -> tuple[list[Aval], list[list[int]]]:
    """The types of what branches keep, shared among them, and where each keeps its own."""
    tagged = []
    for avals in needs:
        seen: dict[Aval, int] = {}
        one = []
        for aval in avals:
            one.append((aval, seen.setdefault(aval, 0)))
            seen[aval] += 1
        tagged.append(one)
    every = list(dict.fromkeys(tag for one in tagged for tag in one))
    places = [[every.index(tag) for tag in one] for one in tagged]
    return [aval for aval, _ in every], places


def _with_all_needs(jaxpr: Jaxpr, every: Sequence[Aval], places: Sequence[int], count: int) -> Jaxpr:
    """A branch that gives something for what only others keep."""

    def call(*arguments: Any) -> list[Any]:
        outs = as_function(jaxpr)(*arguments)
        kept = [empty_like(aval) for aval in every]
        for place, value in zip(places, outs[count:], strict=True):
            kept[place] = value
        return [*outs[:count], *kept]

    return trace_to_jaxpr(call, jaxpr.in_avals)


def _taking_all_needs(jaxpr: Jaxpr, every: Sequence[Aval], places: Sequence[int]) -> Jaxpr:
    count = len(places)
    arguments = [Var(aval) for aval in every]
    for place, var in zip(places, jaxpr.arguments[:count], strict=True):
        arguments[place] = var
    rest = jaxpr.arguments[count:]
    return Jaxpr(jaxpr.constants, [*arguments, *rest], jaxpr.results, jaxpr.equations, jaxpr.values)


def _transpose(cts: Any, index: Any, *operands: Any, branches: tuple[Jaxpr, ...]) -> list[Any]:
    given = [x for x in operands if not is_undefined(x)]
    coming = [ct for ct in cts if not is_zero(ct)]
    types = [aval_of(x) for x in (*given, *coming)]
    wanted = [False] * len(operands)

    def back_of(branch: Jaxpr, make: Sequence[bool]) -> tuple[Jaxpr, list[bool]]:
        found: list[bool] = []

        def back(*flat: Any) -> list[Any]:
            values, cotangents = iter(flat[: len(given)]), iter(flat[len(given) :])
            arguments = [x if is_undefined(x) else next(values) for x in operands]
            every = [ct if is_zero(ct) else next(cotangents) for ct in cts]
            outs = backward(branch, branch.values, arguments, every)
            outs = [
                instantiated(ct) if ct is not None and force else ct
                for ct, force in zip(outs, make, strict=True)
            ]
            del found[:]
            found.extend(ct is not None and not is_zero(ct) for ct in outs)
            return [ct for ct in outs if ct is not None and not is_zero(ct)]

        return trace_to_jaxpr(back, types), found

    for branch in branches:
        wanted = [a or b for a, b in zip(wanted, back_of(branch, [False] * len(operands))[1], strict=True)]
    backs = tuple(back_of(branch, wanted)[0] for branch in branches)
    results = iter(cond_p(index, *given, *coming, branches=backs))
    outs = [
        next(results) if want else (Zero(x.aval) if is_undefined(x) else None)
        for want, x in zip(wanted, operands, strict=True)
    ]
    return [None, *outs]


def _batch(size: int, values: Any, axes: Any, branches: tuple[Jaxpr, ...]) -> tuple[Any, Any]:
    (index, *operands), (axis, *operand_axes) = values, axes
    if axis is not None:
        return _every_branch(size, values, axes, branches)
    flags = [0 if one is not None else None for one in operand_axes]
    operands = [
        move_axis(x, one, 0) if one is not None else x for x, one in zip(operands, operand_axes, strict=True)
    ]
    outs = [batch_jaxpr(branch, size, flags, False)[1] for branch in branches]
    batched = [any(one is not None for one in each) for each in zip(*outs, strict=True)]
    made = tuple(batch_jaxpr(branch, size, flags, batched)[0] for branch in branches)
    found = cond_p(index, *operands, branches=made)
    return found, [0 if one else None for one in batched]


def _every_branch(size: int, values: Any, axes: Any, branches: tuple[Jaxpr, ...]) -> tuple[Any, Any]:
    """Where the index differs among examples: all branches, and a choice."""
    index, *operands = (at_axis_0(x, axis, size) for x, axis in zip(values, axes, strict=True))
    outs = []
    for number, branch in enumerate(branches):
        made, _ = batch_jaxpr(branch, size, [0] * len(operands), True)
        here = eq(index, like(index, number))
        safe = [_chosen(here, x, stop_gradient(x)) for x in operands]
        outs.append(evaluate(made, safe))
    chosen = [select_n_p(_as_wide(index, each[0]), *each) for each in zip(*outs, strict=True)]
    return chosen, [0] * len(chosen)


def _as_wide(index: Any, x: Any) -> Any:
    if len(shape_of(index)) == len(shape_of(x)):
        return index
    return broadcast_in_dim(index, shape_of(x), range(len(shape_of(index))))


def _chosen(condition: Any, x: Any, y: Any) -> Any:
    return select(_as_wide(condition, x), x, y)


def _dead(used: Sequence[bool], equation: Equation) -> tuple[list[bool], Equation | None]:
    branches: tuple[Jaxpr, ...] = equation.parameters["branches"]
    if not any(used) and not any(branch.has_effect for branch in branches):
        return [False] * len(equation.inputs), None
    uses = [False] * (len(equation.inputs) - 1)
    for branch in branches:
        uses = [a or b for a, b in zip(uses, without_dead(branch, used)[1], strict=True)]
    smaller = tuple(without_dead(branch, used, uses)[0] for branch in branches)
    every = [True, *uses]
    inputs = [atom for atom, use in zip(equation.inputs, every, strict=True) if use]
    outputs = [var for var, use in zip(equation.outputs, used, strict=True) if use]
    return every, Equation(cond_p, inputs, outputs, {"branches": smaller}, equation.is_backward, equation.of)


cond_p.evaluate = _evaluate
cond_p.types = lambda index, *operands, branches: branches[0].out_avals
cond_p.tangent, cond_p.linear, cond_p.transpose = _tangent, _linear, _transpose
cond_p.batch, cond_p.dead = _batch, _dead


def count_step() -> None:
    """Count a turn of a loop."""
    run_now().budget.step()
