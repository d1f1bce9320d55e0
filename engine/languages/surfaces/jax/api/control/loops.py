"""`lax.while_loop` and `lax.fori_loop`: a function again and again."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax.api.calling import as_value, trees
from engine.languages.surfaces.jax.api.control.carrying import (
    closed_over,
    first_name,
    fixed_first,
    merged,
    paths,
    promoted,
)
from engine.languages.surfaces.jax.api.control.scans import scan
from engine.languages.surfaces.jax.api.refusing.control import (
    check_bounds,
    check_callables,
    check_carry,
    check_test,
)
from engine.languages.surfaces.jax.api.tracing.once import traced
from engine.languages.surfaces.jax.core.jaxpr import Jaxpr, forwarded_inputs, without_dead
from engine.languages.surfaces.jax.core.run import default_float, default_int
from engine.languages.surfaces.jax.core.trees import Structure
from engine.languages.surfaces.jax.core.values import Constant, Tracer, aval_of, known
from engine.languages.surfaces.jax.lax.arithmetic import lt
from engine.languages.surfaces.jax.lax.basics import convert
from engine.languages.surfaces.jax.lax.control.while_loops import while_p


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
    values, avals, changed = promoted(values, avals, body.out_avals, inner, structure)
    if changed:
        test, body, inner = trace_both()
    check_carry("while_loop body", first_name(body_fun), structure, avals, inner, body.out_avals)
    (test,), of_test = closed_over([test])
    (body,), of_body = closed_over([body])
    stays = [place == len(of_body) + i for i, place in enumerate(forwarded_inputs(body))]
    needed = [*([True] * len(of_test)), *(not stay for stay in stays)]
    test, kept = without_dead(test, [True], needed)
    fixed = [not keep for keep in kept[len(of_test) :]]
    body, fixed_values, moving = fixed_first(body, len(of_body), fixed, values)
    outs = while_p(
        *(*of_test, *fixed_values, *of_body, *moving),
        cond_nconsts=len(of_test),
        cond_jaxpr=test,
        body_nconsts=len(fixed_values) + len(of_body),
        body_jaxpr=body,
    )
    return trees().unflatten(structure, merged(fixed, leaves, values, outs))


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
        place, *rest = paths(body_fun, lower, init_val)
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
        paths=paths(body_fun, lower, init_val),
    )
    return found


def _bound(value: Any) -> int | None:
    if isinstance(value, (int, np.integer)):
        return int(value)
    array = known(value) if isinstance(value, Tracer) or hasattr(value, "aval") else None
    return int(array) if array is not None and array.ndim == 0 and array.dtype.kind in "iu" else None
