"""`lax.scan` and `lax.map`: a function of row after row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.languages.interpreter.builtins.text import to_str
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax.api.calling import as_value, function_name, trees, whole
from engine.languages.surfaces.jax.api.control.carrying import (
    closed_over,
    first_name,
    fixed_first,
    merged,
    paths,
    promoted,
    split,
)
from engine.languages.surfaces.jax.api.refusing.control import Words, check_callables, check_carry, shaped
from engine.languages.surfaces.jax.api.tracing.once import traced
from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.errors import concretization, type_error, value_error
from engine.languages.surfaces.jax.core.jaxpr import Jaxpr, forwarded_inputs
from engine.languages.surfaces.jax.core.staging import shown_aval
from engine.languages.surfaces.jax.core.trees import LEAF, Structure
from engine.languages.surfaces.jax.core.values import Tracer, aval_of
from engine.languages.surfaces.jax.lax.basics import shape_of
from engine.languages.surfaces.jax.lax.control.scans import scan_p


def scan(
    interpreter: Interpreter,
    f: Any,
    init: Any,
    xs: Any = None,
    length: Any = None,
    reverse: Any = False,
    unroll: Any = 1,
    of: tuple[Any, str] | None = None,
    name: str = "",
    paths: Sequence[str] | None = None,
    **_: Any,
) -> Any:
    """A function of a carried value and a row of xs, row after row: the last value, and the rows it gave.

    of: the program's own function that this one calls, and what for; name: of the carried value in messages.
    """
    check_callables("lax.scan: f argument should be a callable.", f)
    init_leaves, init_structure = trees().flatten(init)
    xs_leaves, xs_structure = trees().flatten(xs)
    values, rows = [as_value(x) for x in init_leaves], [as_value(x) for x in xs_leaves]
    count = _length(rows, length)
    arguments = Structure(
        tuple, None, (Structure(tuple, None, (init_structure, xs_structure)), Structure(dict, (), ()))
    )
    carry = [aval_of(x) for x in values]
    row_avals = [aval_of(x).with_shape(aval_of(x).shape[1:]) for x in rows]
    own = of or (f, "scan")
    jaxpr, pair, given, ys = _scanned(interpreter, f, arguments, [*carry, *row_avals], own, paths)
    num = len(values)
    values, carry, changed = promoted(values, carry, jaxpr.out_avals[:num], given, init_structure)
    if changed:
        jaxpr, pair, given, ys = _scanned(interpreter, f, arguments, [*carry, *row_avals], own, paths)
    name = name or first_name(f)
    check_carry("scan body", name, init_structure, carry, given, jaxpr.out_avals[: given.count])
    (body,), consts = closed_over([jaxpr])
    sources, first_row = forwarded_inputs(body), len(consts) + num
    fixed = [place == len(consts) + i for i, place in enumerate(sources[:num])]
    same = [
        None if place is None or place < first_row else rows[place - first_row] for place in sources[num:]
    ]
    body = body.with_results([*body.results[:num], *split([x is None for x in same], body.results[num:])[0]])
    body, fixed_values, moving = fixed_first(body, len(consts), fixed, values)
    outs = scan_p(
        *(*fixed_values, *consts, *moving, *rows),
        jaxpr=body,
        length=count,
        num_carry=len(moving),
        num_consts=len(fixed_values) + len(consts),
        reverse=bool(reverse),
        unroll=int(unroll) if not isinstance(unroll, bool) else (count if unroll else 1),
    )
    own_rows = iter(outs[len(moving) :])
    every_row = [next(own_rows) if row is None else row for row in same]
    carried = merged(fixed, init_leaves, values, outs[: len(moving)])
    found = trees().unflatten(given, carried), trees().unflatten(ys, every_row)
    return list(found) if pair is list else found


def _scanned(
    interpreter: Interpreter,
    f: Any,
    arguments: Structure,
    avals: Sequence[Aval],
    of: tuple[Any, str],
    paths: Sequence[str] | None = None,
) -> tuple[Jaxpr, Any, Structure, Structure]:
    jaxpr, structure = traced(interpreter, f, arguments, avals, of[1], of=of[0], paths=paths)
    if structure.kind not in (tuple, list) or len(structure.children) != 2:
        inside = [Words(shaped(aval)) for aval in jaxpr.out_avals]
        is_one = structure.kind == LEAF
        shown = shown_aval(jaxpr.out_avals[0]) if is_one else to_str(trees().unflatten(structure, inside))
        raise type_error(
            f"scan body output must be a pair, got {shown}.",
            "scan 的函数必须返回两个值：新的状态和这一步的输出。",
            "Write return carry, y.",
            "请写 return carry, y。",
        )
    return jaxpr, structure.kind, structure.children[0], structure.children[1]


def _length(rows: Sequence[Any], length: Any) -> int:
    lengths: list[int] = []
    without = [x for x in rows if not shape_of(x)]
    if without:
        shown = ", ".join(map(to_str, without))
        raise value_error(
            f"scan got value with no leading axis to scan over: {shown}.", "scan 的 xs 必须至少有一个轴。"
        )
    lengths.extend(shape_of(x)[0] for x in rows)
    if isinstance(length, Tracer):
        raise concretization(
            length,
            "The `length` argument to `scan` expects a concrete `int` value. For scan-like iteration with a "
            "dynamic length, use `while_loop` or `fori_loop`.",
        )
    if length is not None:
        count = whole(length, "length")
        if any(n != count for n in lengths):
            raise value_error(
                f"scan got `length` argument of {count} which disagrees with leading axis sizes {lengths}.",
                f"scan 的 length={count} 与 xs 的长度 {lengths} 不同。",
            )
        return count
    if not lengths:
        raise value_error(
            "scan got no values to scan over and `length` not provided.", "scan 需要 xs 或 length。"
        )
    if len(set(lengths)) > 1:
        listed = ", ".join(map(str, lengths))
        raise value_error(
            f"scan got values with different leading axis sizes: {listed}.",
            f"scan 的各个 xs 长度不同：{listed}。",
        )
    return lengths[0]


def map_(interpreter: Interpreter, f: Any, xs: Any, **_: Any) -> Any:
    """A function of each row, one after the other."""

    def turn(carry: Any, x: Any) -> Any:
        return (), interpreter.call(f, [x], {})

    return scan(interpreter, Native(function_name(f), turn), (), xs, paths=paths(f, xs))[1]
