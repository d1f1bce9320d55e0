"""`jax.custom_vjp`: functions with a rule of their own for gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.text import to_str
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax.api.calling import (
    Flat,
    as_value,
    flat_arguments,
    function_name,
    is_array,
    many,
    parameter_names,
    trees,
)
from engine.languages.surfaces.jax.api.derivatives.wrapped import Wrapped
from engine.languages.surfaces.jax.api.own_rules.called import (
    OfNumbers,
    custom_vjp_p,
    every_argument,
    with_fixed,
)
from engine.languages.surfaces.jax.api.own_rules.rule_results import cotangents
from engine.languages.surfaces.jax.core.avals import Aval
from engine.languages.surfaces.jax.core.batching import Axis, at_axis, batched
from engine.languages.surfaces.jax.core.errors import type_error, undefined
from engine.languages.surfaces.jax.core.jaxpr import evaluate
from engine.languages.surfaces.jax.core.operands import PythonFloat
from engine.languages.surfaces.jax.core.primitive import Primitive
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.staging import StagingTrace, trace_to_jaxpr
from engine.languages.surfaces.jax.core.tangents import instantiated, is_zero
from engine.languages.surfaces.jax.core.transposing import is_undefined
from engine.languages.surfaces.jax.core.trees import Structure
from engine.languages.surfaces.jax.core.values import (
    Constant,
    Zero,
    aval_of,
    constant,
    typed_number,
    undrawn,
)
from engine.languages.surfaces.jax.lax.basics import reduce_sum, shape_of
from engine.languages.surfaces.jax.numpy.ufuncs import as_array
from engine.languages.surfaces.left_out import takes_only

custom_lin_p = Primitive("custom_lin", several=True)


class VjpRule:
    """A flat function with a forward function that keeps what its backward function needs."""

    def __init__(self, function: Any, forward: Any, backward: Any, names: tuple[str, str, str]) -> None:
        self.function = function
        self.forward = forward
        self.backward = backward
        self.names = names

    def linear(self, residuals: Sequence[Any], tangents: Sequence[Any], avals: Sequence[Aval]) -> list[Any]:
        """The linear step that stands for the backward function."""
        zeros = [is_zero(t) for t in tangents]
        moving = [t for t in tangents if not is_zero(t)]
        types = tuple(aval.tangent() for aval in avals)
        found: list[Any] = custom_lin_p(
            *residuals,
            *moving,
            _count=len(residuals),
            _backward=self.backward,
            _types=types,
            _zeros=tuple(zeros),
        )
        return found

    def staged(self, trace: StagingTrace, tracers: Sequence[Any]) -> Any:
        """The call as an equation."""
        name, fwd, bwd = self.names
        jaxpr = trace_to_jaxpr(self.function, [t.aval for t in tracers], name, "custom_vjp")
        consts = [trace.tracer(value) for value in jaxpr.values]
        inner, count = jaxpr.with_constants_first(), len(consts)

        def forward(primals: Sequence[Any]) -> Any:
            return self.forward(primals[count:])

        def backward(residuals: Any, cts: Any) -> list[Any]:
            return [None] * count + list(self.backward(residuals, cts))

        rule = VjpRule(lambda *xs: evaluate(inner, xs), forward, backward, self.names)
        parameters = {
            "bwd": bwd,
            "call_jaxpr": inner,
            "fwd": fwd,
            "name": name,
            "symbolic_zeros": False,
            "_rule": rule,
        }
        return trace.write(custom_vjp_p, [*consts, *tracers], parameters)

    def batched(self, size: int, axes: Sequence[Axis]) -> Any:
        """The same for a batch."""
        found: list[Axis] = []
        kept: list[Axis] = []

        def call(*values: Any) -> list[Any]:
            outs, out_axes = batched(self.function, size, axes)(*values)
            found[:] = out_axes
            return outs

        def forward(primals: Sequence[Any]) -> tuple[list[Any], list[Any]]:
            sizes: list[int] = []

            def flat(*values: Any) -> list[Any]:
                outs, residuals = self.forward(values)
                sizes[:] = [len(outs)]
                return [*outs, *residuals]

            outs, out_axes = batched(flat, size, axes)(*primals)
            found[:], kept[:] = out_axes[: sizes[0]], out_axes[sizes[0] :]
            return outs[: sizes[0]], outs[sizes[0] :]

        def backward(residuals: Sequence[Any], cts: Sequence[Any]) -> list[Any]:
            count = len(residuals)

            def flat(*values: Any) -> list[Any]:
                outs = self.backward(values[:count], values[count:])
                return [_or_zero(x) for x in outs]

            ct_axes = [axis if shape_of(ct) else None for axis, ct in zip(found, cts, strict=True)]
            outs, out_axes = batched(flat, size, [*kept, *ct_axes])(*residuals, *cts)
            return [_fitting(x, axis, want, size) for x, axis, want in zip(outs, out_axes, axes, strict=True)]

        made = VjpRule(call, forward, backward, self.names)
        made.out_axes = lambda: list(found)  # type: ignore[attr-defined]  # of a batch alone
        return made


def _or_zero(value: Any) -> Any:
    return Constant(np.float32(0)) if value is None else value


def _fitting(x: Any, axis: Axis, want: Axis, size: int) -> Any:
    """A cotangent along the axis of its argument; summed where that is the same for all examples."""
    if want is None:
        return x if axis is None else reduce_sum(x, (axis,))
    return at_axis(x, axis, size, want)


def _lin_transpose(
    cts: Any, *values: Any, _count: int, _backward: Any, _types: Any, _zeros: Sequence[bool]
) -> list[Any]:
    residuals = values[:_count]
    coming = [instantiated(ct) for ct in cts]
    outs = _backward(residuals, coming)
    moving = [ct for ct, zero in zip(outs, _zeros, strict=True) if not zero]
    found = []
    for ct, value in zip(moving, values[_count:], strict=True):
        found.append(Zero(value.aval) if ct is None or not is_undefined(value) else constant(ct))
    return [None] * _count + found


def _no_forward(*_values: Any, **_: Any) -> Any:
    raise type_error(
        "can't apply forward-mode autodiff (jvp) to a custom_vjp function.",
        "custom_vjp 函数不支持前向求导（jvp）。",
        "Use jax.grad or jax.vjp, or define the function with jax.custom_jvp.",
        "请使用 jax.grad 或 jax.vjp，或用 jax.custom_jvp 定义函数。",
    )


custom_lin_p.types = lambda *avals, _types, **_: list(_types)
custom_lin_p.transpose = _lin_transpose
custom_lin_p.evaluate = _no_forward
custom_lin_p.tangent = custom_lin_p.batch = _no_forward


class CustomVjp(Wrapped):
    """A function of the program under `@jax.custom_vjp`."""

    def __init__(self, interpreter: Interpreter, function: Any, nondiff: Sequence[int]) -> None:
        super().__init__(function_name(function), self._call, function)
        self.interpreter = interpreter
        self.inner = function
        self.nondiff = set(nondiff)
        self.fwd: Any = None
        self.bwd: Any = None

    def _call(self, *args: Any, **keywords: Any) -> Any:
        if self.fwd is None:
            raise undefined("VJP", "custom_vjp", self.name, "defvjp")
        args = tuple(every_argument(self.inner, args, keywords))
        fixed = [args[i] for i in sorted(self.nondiff)]
        moving = [x for i, x in enumerate(args) if i not in self.nondiff]
        leaves, structure = flat_arguments(moving, {})
        flat = OfNumbers(
            self.interpreter, with_fixed(self.interpreter, self.inner, args, self.nondiff), structure
        )
        forward, backward = self._parts(args, fixed, structure, flat)
        names = self.name, function_name(self.fwd), function_name(self.bwd)
        rule = VjpRule(flat, forward, backward, names)
        outs = run_now().trace.custom_vjp(rule, [as_value(leaf) for leaf in leaves])
        return flat.result(outs)

    def _parts(self, args: Sequence[Any], fixed: Sequence[Any], structure: Structure, flat: Flat) -> Any:
        """The forward and the backward function of flat values."""
        kept: list[Structure] = []
        kinds: list[Aval] = []
        inputs = structure.children[0]

        def forward(primals: Sequence[Any]) -> tuple[list[Any], list[Any]]:
            call = with_fixed(self.interpreter, self.fwd, args, self.nondiff)
            xs = trees().unflatten(inputs, map(typed_number, primals))
            kinds[:] = [aval_of(x) for x in primals]
            result = self.interpreter.call(call, list(xs), {})
            if not isinstance(result, (tuple, list)) or len(result) != 2:
                name = function_name(self.fwd)
                raise type_error(
                    f"Custom VJP fwd rule {name} for function {self.name} must produce a pair (list or tuple "
                    "of length two) where the first element represents the primal output (equal to those of "
                    f"the custom_vjp-decorated function {self.name}) and the second element represents "
                    "residuals (i.e. values stored from the forward pass for use on the backward pass), but "
                    f"instead of a pair the fwd rule {name} produced {to_str(result)}.",
                    "custom_vjp 的前向规则必须返回两个值：结果和反向时需要的值。",
                )
            outs, flat.structure = trees().flatten(result[0])
            residuals, shape = trees().flatten(result[1])
            kept[:] = [shape]
            arrays = [leaf for leaf in residuals if is_array(leaf)]
            others[:] = [None if is_array(leaf) else leaf for leaf in residuals]
            return [as_value(x) for x in outs], [as_value(x) for x in arrays]

        others: list[Any] = []

        def backward(residuals: Sequence[Any], cts: Sequence[Any]) -> list[Any]:
            assert flat.structure is not None
            given = iter(residuals)
            leaves = [typed_number(next(given)) if other is None else other for other in others]
            saved = trees().unflatten(kept[0], leaves)
            coming = trees().unflatten(flat.structure, map(_coming, cts))
            found = self.interpreter.call(self.bwd, [*fixed, saved, coming], {})
            return cotangents(found, inputs, kinds)

        return forward, backward


def _coming(ct: Any) -> Any:
    """A cotangent as the backward function sees it: a number of Python only where the program gave one."""
    if not isinstance(ct, Constant) or not ct.weak:
        return typed_number(ct)
    run = run_now()
    if run.trace is not run.evaluation:
        return as_array(ct)  # a literal of what is traced
    if ct.number is None:
        return undrawn(ct)
    number = PythonFloat(ct.number)
    number.of = ct
    return number


VJP = members_of(CustomVjp, "custom_vjp")


@VJP.method("defvjp")
@takes_only(symbolic_zeros=(False,), optimize_remat=(False,))
def defvjp(
    function: CustomVjp, fwd: Any, bwd: Any, symbolic_zeros: Any = False, optimize_remat: Any = False
) -> None:
    """The forward function, which also keeps values, and the backward function, which uses them."""
    function.fwd, function.bwd = fwd, bwd


def custom_vjp(
    interpreter: Interpreter, fun: Any = None, nondiff_argnums: Any = (), nondiff_argnames: Any = ()
) -> Any:
    """A function whose gradient is computed by a rule of the program."""
    if fun is None:
        return Native(
            "custom_vjp",
            lambda function: custom_vjp(interpreter, function, nondiff_argnums, nondiff_argnames),
        )
    return CustomVjp(interpreter, fun, fixed_places(fun, nondiff_argnums, nondiff_argnames))


def fixed_places(fun: Any, argnums: Any, argnames: Any) -> tuple[int, ...]:
    """The places of the arguments that are not differentiated, given by number or by name."""
    names = (argnames,) if isinstance(argnames, str) else tuple(argnames)
    known = parameter_names(fun)
    missing = [name for name in names if name not in known]
    if missing:
        raise type_error(
            f"{function_name(fun)} has no parameter {missing[0]!r}, which nondiff_argnames names.",
            f"{function_name(fun)} 没有 nondiff_argnames 中的参数 {missing[0]!r}。",
        )
    return (*many(argnums, "nondiff_argnums"), *(known.index(name) for name in names))
