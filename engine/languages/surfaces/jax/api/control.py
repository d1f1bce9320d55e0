"""`jax.lax.cond`, `switch`, `while_loop`, `fori_loop`, `scan` and `map`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.text import to_repr, to_str
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.jax.api.calling import (
    as_value,
    class_text,
    function_name,
    is_array,
    parameter_names,
    trees,
    whole,
)
from engine.languages.surfaces.jax.api.refusing.control import (
    Words,
    check_bounds,
    check_branches,
    check_callables,
    check_carry,
    check_test,
    shaped,
)
from engine.languages.surfaces.jax.api.tracing.once import traced
from engine.languages.surfaces.jax.api.tracing.paths import argument_paths
from engine.languages.surfaces.jax.core.avals import Aval, same_type
from engine.languages.surfaces.jax.core.errors import concretization, type_error, value_error
from engine.languages.surfaces.jax.core.jaxpr import Jaxpr, Var, forwarded_inputs, without_dead
from engine.languages.surfaces.jax.core.run import default_float, default_int
from engine.languages.surfaces.jax.core.staging import shown_aval
from engine.languages.surfaces.jax.core.trees import LEAF, Structure
from engine.languages.surfaces.jax.core.values import Constant, JaxArray, Tracer, aval_of, known
from engine.languages.surfaces.jax.lax.arithmetic import clamp, lt, ne
from engine.languages.surfaces.jax.lax.basics import convert, like, shape_of
from engine.languages.surfaces.jax.lax.control.cond import cond_p
from engine.languages.surfaces.jax.lax.control.scans import scan_p
from engine.languages.surfaces.jax.lax.control.while_loops import while_p
from engine.languages.surfaces.jax.numpy.promotion import common_type
from engine.languages.surfaces.jax.numpy.ufuncs import as_array

NO_OPERAND = object()


def closed_over(jaxprs: Sequence[Jaxpr]) -> tuple[list[Jaxpr], list[Any]]:
    """Jaxprs that take the constants of all of them as their first arguments, and these constants."""
    every: dict[int, Any] = {}
    for jaxpr in jaxprs:
        every.update((id(value), value) for value in jaxpr.values)
    made = []
    for jaxpr in jaxprs:
        own = {id(value): var for var, value in zip(jaxpr.constants, jaxpr.values, strict=True)}
        first = [own.get(key) or Var(aval_of(value)) for key, value in every.items()]
        arguments = [*first, *jaxpr.arguments]
        made.append(Jaxpr([], arguments, jaxpr.results, jaxpr.equations, notes=jaxpr.notes))
    return made, list(every.values())


# -- cond and switch ---------------------------------------------------------------------------------


def cond(
    interpreter: Interpreter,
    pred: Any,
    true_fun: Any,
    false_fun: Any,
    *operands: Any,
    operand: Any = NO_OPERAND,
) -> Any:
    """One of two functions of the operands."""
    if operand is not NO_OPERAND:
        operands = (operand,)
    check_callables("lax.cond: true_fun and false_fun arguments should be callable.", true_fun, false_fun)
    if pred is None:
        raise type_error("cond predicate is None", "条件不能是 None。")
    if not is_array(pred):
        raise type_error(
            f"Pred must be a scalar, got {to_str(pred)} of type {class_text(pred)}",
            f"条件必须是标量，不能是 {python_name(pred)}。",
        )
    test = as_value(pred)
    if shape_of(test):
        raise type_error(
            f"Pred must be a scalar, got {to_str(pred)} of shape {shape_of(test)}.",
            f"条件必须是标量，但形状是 {shape_of(test)}。",
        )
    if aval_of(test).dtype != "bool":
        test = ne(test, like(test, 0))
    index = convert(test, "int32")
    return _chosen(interpreter, index, [false_fun, true_fun], operands, ("false_fun", "true_fun"))


def _chosen(
    interpreter: Interpreter,
    index: Any,
    functions: Sequence[Any],
    operands: Sequence[Any],
    names: Sequence[str],
) -> Any:
    leaves, structure = trees().flatten((tuple(operands), {}))
    values = [as_value(leaf) for leaf in leaves]
    avals = [aval_of(value) for value in values]
    what = "cond" if names[0] == "false_fun" else "switch"
    order = functions[::-1] if what == "cond" else functions  # the true branch is traced first
    found = [traced(interpreter, one, structure, avals, what) for one in order]
    found = found[::-1] if what == "cond" else found
    jaxprs, consts = closed_over([jaxpr for jaxpr, _ in found])
    check_branches(found, functions, names)
    inputs = [*consts, *values]
    forwards = [forwarded_inputs(jaxpr) for jaxpr in jaxprs]
    same = [each[0] if len(set(each)) == 1 else None for each in zip(*forwards, strict=True)]
    kept = [
        Jaxpr(
            [],
            jaxpr.arguments,
            [atom for atom, place in zip(jaxpr.results, same, strict=True) if place is None],
            jaxpr.equations,
            notes=jaxpr.notes,
        )
        for jaxpr in jaxprs
    ]
    results = iter(cond_p(index, *inputs, branches=tuple(_same_weakness(kept))))
    outs = [next(results) if place is None else as_array(inputs[place]) for place in same]
    return trees().unflatten(found[0][1], outs)


def _same_weakness(jaxprs: Sequence[Jaxpr]) -> Sequence[Jaxpr]:
    return jaxprs


def switch(
    interpreter: Interpreter, index: Any, branches: Any, *operands: Any, operand: Any = NO_OPERAND
) -> Any:
    """One of several functions of the operands, by an index."""
    if operand is not NO_OPERAND:
        operands = (operand,)
    if not isinstance(branches, (list, tuple)):
        raise type_error(f"'{python_name(branches)}' object is not iterable", "switch 的分支必须写成列表。")
    functions = list(branches)
    check_callables("lax.switch: branches argument should be a sequence of callables.", *functions)
    if not functions:
        raise value_error("Empty branch sequence", "switch 至少需要一个分支。")
    if not is_array(index):
        raise type_error(f"Index type must be an integer, got {to_str(index)}.", "下标必须是整数。")
    place = as_value(index)
    if shape_of(place):
        raise type_error(
            f"Branch index must be scalar, got {to_str(index)} of shape {shape_of(place)}.",
            "下标必须是标量。",
        )
    if not aval_of(place).dtype.startswith(("int", "uint")):
        raise type_error(
            f"Index type must be an integer, got {to_repr(index)} as {aval_of(place).dtype}",
            "下标必须是整数。",
        )
    if len(functions) == 1:
        return interpreter.call(functions[0], list(operands), {})
    place = convert(place, "int32")
    last = len(functions) - 1
    place = clamp(Constant(np.int32(0)), place, Constant(np.int32(last)))
    names = ["branch 0", *(f"branch{i}" for i in range(1, len(functions)))]  # as JAX writes them
    return _chosen(interpreter, place, functions, operands, names)


# -- loops -------------------------------------------------------------------------------------------


def while_loop(
    interpreter: Interpreter,
    cond_fun: Any,
    body_fun: Any,
    init_val: Any,
    of: tuple[Any, str] | None = None,
    paths: Any = None,
) -> Any:
    """A function of a value again and again, while a test of it holds.

    of: the program's own function that the body calls, and what for; paths: how its arguments are reached.
    """
    said = "lax.while_loop: body_fun and cond_fun arguments should be callable."
    check_callables(said, cond_fun, body_fun)
    leaves, structure = trees().flatten(init_val)
    values = [as_value(leaf) for leaf in leaves]
    arguments = Structure(tuple, None, (Structure(tuple, None, (structure,)), Structure(dict, (), ())))
    avals = [aval_of(value) for value in values]
    own, what = of or (body_fun, "while_body")

    def trace_both() -> tuple[Jaxpr, Jaxpr, Structure]:
        test, of_test = traced(interpreter, cond_fun, arguments, avals, "while_cond")
        found, inner = traced(interpreter, body_fun, arguments, avals, what, of=own, paths=paths)
        check_test(test, of_test)
        return test, found, inner

    test, body, inner = trace_both()
    values, avals, changed = _promoted(values, avals, body.out_avals, inner, structure)
    if changed:
        test, body, inner = trace_both()
    check_carry("while_loop body", _first_name(body_fun), structure, avals, inner, body.out_avals)
    (test,), of_test = closed_over([test])
    (body,), of_body = closed_over([body])
    stays = [place == len(of_body) + i for i, place in enumerate(forwarded_inputs(body))]
    needed = [*([True] * len(of_test)), *(not stay for stay in stays)]
    test, kept = without_dead(test, [True], needed)
    fixed = [not keep for keep in kept[len(of_test) :]]
    body, fixed_values, moving = _fixed_first(body, len(of_body), fixed, values)
    outs = while_p(
        *(*of_test, *fixed_values, *of_body, *moving),
        cond_nconsts=len(of_test),
        cond_jaxpr=test,
        body_nconsts=len(fixed_values) + len(of_body),
        body_jaxpr=body,
    )
    return trees().unflatten(structure, _merged(fixed, leaves, values, outs))


def _fixed_first(
    body: Jaxpr, num_consts: int, fixed: Sequence[bool], values: Sequence[Any]
) -> tuple[Jaxpr, list[Any], list[Any]]:
    """A body whose carried values that stay as they are have become its first constants.

    Returns: the body, these values, and those that are carried.
    """
    if not any(fixed):
        return body, [], list(values)
    consts, carry = body.arguments[:num_consts], body.arguments[num_consts:][: len(fixed)]
    rest = body.arguments[num_consts + len(fixed) :]
    moved, kept = _split(fixed, carry)
    results = [*_split(fixed, body.results[: len(fixed)])[1], *body.results[len(fixed) :]]
    arranged = Jaxpr([], [*moved, *consts, *kept, *rest], results, body.equations, notes=body.notes)
    return arranged, *_split(fixed, values)


def _split(flags: Sequence[bool], values: Sequence[Any]) -> tuple[list[Any], list[Any]]:
    """The values with a flag, and those without."""
    pairs = list(zip(flags, values, strict=True))
    return [x for flag, x in pairs if flag], [x for flag, x in pairs if not flag]


def _merged(
    fixed: Sequence[bool], leaves: Sequence[Any], values: Sequence[Any], outs: Sequence[Any]
) -> list[Any]:
    """The carried values at the end: those that stay are what was given, a number of Python as it was."""
    given = iter(outs)
    return [
        (leaf if isinstance(leaf, (int, float)) and aval_of(as_value(leaf)) == aval_of(value) else value)
        if stay
        else next(given)
        for stay, leaf, value in zip(fixed, leaves, values, strict=True)
    ]


def _wider(a: Aval, b: Aval) -> str:
    """The element type of two types together."""
    return common_type([JaxArray(np.zeros((), one.dtype), one.weak) for one in (a, b)])[0]


def _promoted(
    values: list[Any], avals: list[Aval], outs: Sequence[Aval], inner: Structure, structure: Structure
) -> tuple[list[Any], list[Aval], bool]:
    """Numbers of the program in the type that a turn gives them."""
    if inner != structure or all(same_type(a, b) for a, b in zip(avals, outs, strict=False)):
        return values, avals, False
    made = [
        convert(x, wider, b.weak) if a.weak and a.dtype != (wider := _wider(a, b)) else x
        for x, a, b in zip(values, avals, outs, strict=False)
    ]
    return made, [aval_of(x) for x in made], True


def _paths(function: Any, *args: Any) -> list[str]:
    """How the arguments are reached that a loop calls the program's own function with."""
    return argument_paths(function, trees().flatten((args, {}))[1])


def _first_name(function: Any) -> str:
    return (parameter_names(function) or ("carry",))[0]


def fori_loop(
    interpreter: Interpreter, lower: Any, upper: Any, body_fun: Any, init_val: Any, **_: Any
) -> Any:
    """A function of a counter and a value, from a lower bound up to an upper one."""
    check_callables("lax.fori_loop: body_fun argument should be callable.", body_fun)
    check_bounds(as_value(lower), as_value(upper))
    first, last = _bound(lower), _bound(upper)
    kind = default_int() if aval_of(as_value(lower)).dtype.startswith(("int", "uint")) else default_float()
    one = Constant(np.asarray(1, default_int()), True)
    if first is None or last is None:

        def test(carry: Any) -> Any:
            return lt(carry[0], carry[1])

        def turn(carry: Any) -> Any:
            index, end, value = carry
            return index + one, end, interpreter.call(body_fun, [index, value], {})

        bounds = [convert(as_value(x), kind, aval_of(as_value(x)).weak) for x in (lower, upper)]
        of = body_fun, "fori_loop"
        place, *rest = _paths(body_fun, lower, init_val)
        return while_loop(
            interpreter,
            Native("test", test),
            Native("turn", turn),
            (*bounds, init_val),
            of,
            [place, "upper", *rest],
        )[2]

    def scanned(carry: Any, _x: Any) -> Any:
        index, value = carry
        return (index + one, interpreter.call(body_fun, [index, value], {})), None

    start = Constant(np.asarray(first, default_int()), isinstance(lower, int) or aval_of(lower).weak)
    (_, found), _ = scan(
        interpreter,
        Native("body", scanned),
        (start, init_val),
        length=max(last - first, 0),
        of=(body_fun, "fori_loop"),
        name="loop_carry",
        paths=_paths(body_fun, lower, init_val),
    )
    return found


def _bound(value: Any) -> int | None:
    if isinstance(value, (int, np.integer)):
        return int(value)
    array = known(value) if isinstance(value, Tracer) or hasattr(value, "aval") else None
    return int(array) if array is not None and array.ndim == 0 and array.dtype.kind in "iu" else None


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
    values, carry, changed = _promoted(values, carry, jaxpr.out_avals[:num], given, init_structure)
    if changed:
        jaxpr, pair, given, ys = _scanned(interpreter, f, arguments, [*carry, *row_avals], own, paths)
    name = name or _first_name(f)
    check_carry("scan body", name, init_structure, carry, given, jaxpr.out_avals[: given.count])
    (body,), consts = closed_over([jaxpr])
    sources, first_row = forwarded_inputs(body), len(consts) + num
    fixed = [place == len(consts) + i for i, place in enumerate(sources[:num])]
    same = [
        None if place is None or place < first_row else rows[place - first_row] for place in sources[num:]
    ]
    body = body.with_results([*body.results[:num], *_split([x is None for x in same], body.results[num:])[0]])
    body, fixed_values, moving = _fixed_first(body, len(consts), fixed, values)
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
    carried = _merged(fixed, init_leaves, values, outs[: len(moving)])
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

    return scan(interpreter, Native(function_name(f), turn), (), xs, paths=_paths(f, xs))[1]
