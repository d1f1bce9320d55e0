"""grad, vjp, jvp, linearize and the matrices of derivatives."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.text import to_repr
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.jax.api.calling import (
    Flat,
    as_value,
    checked_callable,
    flat_arguments,
    function_name,
    is_array,
    many,
    trees,
    without_traces,
)
from engine.languages.surfaces.jax.api.tracing.cotangents import check_cotangents, splatted
from engine.languages.surfaces.jax.core.avals import FLOAT0, Aval, is_complex
from engine.languages.surfaces.jax.core.errors import type_error, value_error
from engine.languages.surfaces.jax.core.jaxpr import evaluate
from engine.languages.surfaces.jax.core.linearizing import Linearized, linearize, zeros_where
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.staging import shown_aval
from engine.languages.surfaces.jax.core.tangents import instantiated, is_zero, jvp
from engine.languages.surfaces.jax.core.transposing import Undefined, backward
from engine.languages.surfaces.jax.core.trees import Structure
from engine.languages.surfaces.jax.core.values import (
    Constant,
    JaxArray,
    aval_of,
    constant,
    known,
    typed,
    undrawn,
)
from engine.languages.surfaces.jax.lax.basics import like
from engine.languages.surfaces.left_out import takes_only


class Wrapped(Native):
    """A function that a transformation made. wrapped: the one that it was made of."""

    def __init__(self, name: str, function: Callable[..., Any], wrapped: Any) -> None:
        super().__init__(name, function)
        self.wrapped = checked_callable(wrapped)


WRAPPED = members_of(Wrapped, "function")
WRAPPED.fact("__wrapped__")(lambda one: one.wrapped)
WRAPPED.fact("__doc__")(lambda one: getattr(one.wrapped, "doc", "") or None)


def pull_back(found: Linearized, primals: Sequence[Any], cotangents: Sequence[Any]) -> list[Any]:
    """The cotangents of the arguments, of those of the results."""
    coming = [ct for ct, zero in zip(cotangents, found.zeros, strict=True) if not zero]
    run = run_now()
    undefined = [Undefined(aval_of(x).tangent()) for x in primals]
    with run.recorder.backward() if run.recorder is not None else run.going_back():
        outs = backward(found.jaxpr, found.jaxpr.values, undefined, coming)
        return [_made(ct) for ct in outs]


def _made(ct: Any) -> Any:
    if is_zero(ct) and ct.aval.dtype == FLOAT0:
        return JaxArray(np.zeros(ct.aval.shape, bool), kind=FLOAT0)
    found = instantiated(ct)
    return undrawn(found) if isinstance(found, Constant) else found


class _nothing:
    """A block that does nothing."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, *_: object) -> None:
        return None


# -- grad --------------------------------------------------------------------------------------------


def with_gradient(
    interpreter: Interpreter,
    function: Any,
    argnums: Any,
    has_aux: bool,
    args: Sequence[Any],
    keywords: Mapping[str, Any],
    allow_int: bool = False,
    holomorphic: bool = False,
) -> tuple[Any, Any, Any]:
    """The value of a function, what it gave beside, and the gradient with respect to some arguments.

    allow_int:   whether these may be whole numbers, whose gradients have no numbers.
    holomorphic: whether they are complex and so is the value, which varies as a complex function does.
    """
    chosen = many(argnums, "argnums")
    if not chosen:
        raise value_error(
            "argnums names no argument to differentiate with respect to.", "argnums 没有给出要求导的参数。"
        )
    most = max(chosen)
    if most >= len(args):
        raise type_error(
            f"differentiating with respect to argnums={argnums} requires at least {most + 1} positional "
            f"arguments to be passed by the caller, but got only {len(args)} positional arguments.",
            f"argnums={argnums} 需要至少 {most + 1} 个位置参数，但只给了 {len(args)} 个。",
        )
    places = places_of(chosen, len(args))
    if len(set(places)) < len(places):
        raise type_error(
            "Gradient only defined for scalar-output functions. Output was None.",
            f"argnums={argnums} 中同一个参数出现了两次。",
            "Name each argument once.",
            "每个参数只写一次。",
        )
    moving = [args[index] for index in places]
    leaves, structure = trees().flatten(tuple(moving))
    primals = [checked_input("grad", leaf, holomorphic, allow_int) for leaf in leaves]
    call = _of_some(interpreter, function, structure, places, args, keywords, has_aux)
    with gradient_call(interpreter, function, args, keywords, places, has_aux) as record:
        written, primals = primals, record.arguments(primals)
        found = linearize(call, primals)
        as_written = {id(drawn): one for drawn, one in zip(primals, written, strict=True)}
        _check_output(call, found.values, as_written, holomorphic)
        record.values(primals, found.values)
        outs = pull_back(found, primals, [like(found.values[0], 1)])
        record.gradients(outs)
    gradients = trees().unflatten(structure, outs)
    aux = without_traces(call.aux, None) if has_aux else None
    value = found.values[0]
    return value, aux, gradients if isinstance(argnums, (tuple, list)) else gradients[0]


def places_of(chosen: Sequence[int], count: int) -> list[int]:
    """The places of arguments, counted from the front. Raises: ValueError where there is none."""
    for place in chosen:
        if not -count <= place < count:
            raise value_error(
                "Positional argument indices, e.g. for `static_argnums`, must have value greater "
                "than or equal to "
                f"-len(args) and less than len(args), but got value {place} for len(args) == {count}.",
                f"第 {place} 个参数不存在：只给了 {count} 个位置参数。",
            )
    return [place % count for place in chosen]


class gradient_call:
    """One call that asks for a gradient, which the graph's picture records.

    cotangents: of the results, where those are what is pulled back.
    """

    def __init__(
        self,
        interpreter: Interpreter,
        function: Any,
        args: Any,
        keywords: Any,
        places: Sequence[int],
        has_aux: bool = False,
    ) -> None:
        self.recorder = run_now().recorder
        self.cotangents: Sequence[Any] | None = None
        self.function = function
        self.args = args
        self.places = places
        self.interpreter = interpreter
        self.keywords = keywords
        self.has_aux = has_aux

    def __enter__(self) -> gradient_call:
        if self.recorder is not None:
            self.recorder.begin(self)
        return self

    def __exit__(self, *error: object) -> None:
        if self.recorder is not None:
            self.recorder.end(self, error[0] is not None)

    def arguments(self, leaves: Sequence[Any]) -> list[Any]:
        """What the gradient is asked of; where it is drawn, a plain number becomes an array with a node."""
        if self.recorder is None:
            return list(leaves)
        drawn = [undrawn(one) if isinstance(one, Constant) else one for one in leaves]
        self.recorder.name_arguments(self, drawn)
        return drawn

    def values(self, primals: Sequence[Any], results: Sequence[Any]) -> None:
        """The arguments and the value."""
        self.primals, self.results = list(primals), list(results)

    def gradients(self, found: Sequence[Any]) -> None:
        """The gradients."""
        self.found = list(found)


def _of_some(
    interpreter: Interpreter,
    function: Any,
    structure: Structure,
    places: Sequence[int],
    args: Sequence[Any],
    keywords: Mapping[str, Any],
    has_aux: bool,
) -> Flat:
    """The function of the leaves of some of its arguments."""

    class OfSome(Flat):
        """A flat function whose other arguments are given."""

        def __call__(self, *leaves: Any) -> list[Any]:
            given = list(args)
            for place, value in zip(places, trees().unflatten(structure, leaves), strict=True):
                given[place] = value
            self.arguments = trees().flatten((tuple(given), dict(keywords)))[1]
            return super().__call__(*trees().flatten((tuple(given), dict(keywords)))[0])

    return OfSome(interpreter, function, structure, has_aux, _result)


def _result(leaf: Any) -> Any:
    return leaf if is_array(leaf) else as_value(leaf)


def checked_input(name: str, leaf: Any, holomorphic: bool, allow_int: bool) -> Any:
    """An argument that varies. Raises: TypeError for one of another kind of numbers."""
    value = as_value(leaf, ".") if not allow_int else as_value(leaf)
    aval = aval_of(value)
    if holomorphic and not is_complex(aval.dtype):
        raise not_holomorphic(name, "inputs", aval)
    if not aval.is_inexact and not allow_int:
        raise type_error(
            f"{name} requires real- or complex-valued inputs (input dtype that is a sub-dtype of "
            f"np.inexact), but got {aval.dtype}. If you want to use Boolean- or integer-valued inputs, "
            "use vjp or set allow_int to True.",
            f"{name} 只能对浮点数求导，但得到 {aval.dtype}。",
            "Write 3.0 instead of 3, or convert it: x.astype(float).",
            "请把 3 写成 3.0，或转换类型：x.astype(float)。",
        )
    return value


def not_holomorphic(name: str, what: str, aval: Aval) -> Exception:
    """The error for real numbers where complex ones are announced."""
    error: Exception = type_error(
        f"{name} with holomorphic=True requires {what} with complex dtype, but got {aval.dtype}.",
        f"{name} 在 holomorphic=True 时要求复数，但得到 {aval.dtype}。",
    )
    return error


def check_real_output(name: str, aval: Aval, holomorphic: bool) -> None:
    """Raises: TypeError for a result that is not of the kind of numbers that a gradient asks for."""
    if holomorphic and not is_complex(aval.dtype):
        raise not_holomorphic(name, "outputs", aval)
    if holomorphic or aval.is_float:
        return
    wanted = (
        f"{name} requires real-valued outputs (output dtype that is a sub-dtype of np.floating), but got "
    )
    if is_complex(aval.dtype):
        raise type_error(
            f"{wanted}{aval.dtype}. For holomorphic differentiation, pass holomorphic=True. For "
            "differentiation of non-holomorphic functions involving complex outputs, use jax.vjp directly.",
            f"{name} 要求输出是实数，但得到 {aval.dtype}。",
        )
    raise type_error(
        f"{wanted}{aval.dtype}. For differentiation of functions with integer outputs, use jax.vjp directly.",
        f"{name} 要求输出是浮点数，但得到 {aval.dtype}。",
    )


def _check_output(call: Flat, values: list[Any], as_written: Mapping[int, Any], holomorphic: bool) -> None:
    """Raises: TypeError for other than one number; an argument that came back is shown as it was written."""
    structure = call.structure
    assert structure is not None
    if structure.children or structure.kind != "leaf":
        shown = to_repr(call.result([as_written.get(id(one), one) for one in values]))
        raise type_error(
            f"Gradient only defined for scalar-output functions. Output was {shown}.",
            "梯度只对输出为标量的函数有定义，但函数返回了多个值。",
            "Return one number, such as jnp.sum(...), or use has_aux=True.",
            "请返回一个数，例如 jnp.sum(...)，或使用 has_aux=True。",
        )
    value = constant(as_value(values[0]))
    values[0] = value
    aval = aval_of(value)
    if aval.shape != ():
        raise type_error(
            f"Gradient only defined for scalar-output functions. Output had shape: {aval.shape}.",
            f"梯度只对输出为标量的函数有定义，但输出的形状是 {aval.shape}。",
            "Sum it up: jnp.sum(...); or use jax.jacobian.",
            "请求和：jnp.sum(...)；或使用 jax.jacobian。",
        )
    check_real_output("grad", aval, holomorphic)


@takes_only(reduce_axes=((),))
def grad(
    interpreter: Interpreter,
    fun: Any,
    argnums: Any = 0,
    has_aux: Any = False,
    holomorphic: Any = False,
    allow_int: Any = False,
    reduce_axes: Any = (),
) -> Native:
    """The function that computes the gradient of a function of numbers."""

    def call(*args: Any, **keywords: Any) -> Any:
        settings = bool(has_aux), args, keywords, bool(allow_int), bool(holomorphic)
        _, aux, gradient = with_gradient(interpreter, fun, argnums, *settings)
        return (gradient, aux) if has_aux else gradient

    return Wrapped(function_name(fun), call, fun)


@takes_only(reduce_axes=((),))
def value_and_grad(
    interpreter: Interpreter,
    fun: Any,
    argnums: Any = 0,
    has_aux: Any = False,
    holomorphic: Any = False,
    allow_int: Any = False,
    reduce_axes: Any = (),
) -> Native:
    """The function that computes the value and the gradient."""

    def call(*args: Any, **keywords: Any) -> Any:
        settings = bool(has_aux), args, keywords, bool(allow_int), bool(holomorphic)
        value, aux, gradient = with_gradient(interpreter, fun, argnums, *settings)
        return ((value, aux), gradient) if has_aux else (value, gradient)

    return Wrapped(function_name(fun), call, fun)


# -- jvp, vjp, linearize -----------------------------------------------------------------------------


def jvp_(interpreter: Interpreter, fun: Any, primals: Any, tangents: Any, has_aux: Any = False) -> Any:
    """The value of a function, and how it changes along tangents of the arguments."""
    checked_callable(fun)
    if not isinstance(primals, (tuple, list)) or not isinstance(tangents, (tuple, list)):
        raise type_error(
            "primal and tangent arguments to jax.jvp must be tuples or lists; found "
            f"{python_name(primals)} and {python_name(tangents)}.",
            "jax.jvp 的 primals 和 tangents 必须是元组或列表。",
            "Write jax.jvp(f, (x,), (v,)).",
            "请写 jax.jvp(f, (x,), (v,))。",
        )
    leaves, structure = flat_arguments(primals, {})
    moved, own = trees().flatten(tuple(tangents))
    _check_same_structure(trees().flatten(tuple(primals))[1], own)
    values = [as_value(leaf) for leaf in leaves]
    directions = [_direction(x, as_value(t)) for x, t in zip(values, moved, strict=True)]
    flat = Flat(interpreter, fun, structure, bool(has_aux))
    outs, out_tangents = jvp(flat, values, directions)
    result = flat.result(outs), flat.result(out_tangents)
    return (*result, without_traces(flat.aux, None)) if has_aux else result


def _check_same_structure(primals: Structure, tangents: Structure) -> None:
    if primals != tangents:
        raise type_error(
            "primal and tangent arguments to jax.jvp must have the same tree structure; primals have tree "
            f"structure {primals.text()} whereas tangents have tree structure {tangents.text()}.",
            "jax.jvp 的 primals 和 tangents 的结构必须相同。",
        )


def _direction(primal: Any, tangent: Any) -> Any:
    want, have = aval_of(primal).tangent(), aval_of(tangent)
    if want.dtype == FLOAT0:
        return tangent if have.dtype == FLOAT0 else _wrong_tangent(primal, "float0", have.dtype)
    if have.dtype != want.dtype:
        _wrong_tangent(primal, want.dtype, have.dtype)
    if have.shape != want.shape:
        raise value_error(
            "jvp called with different primal and tangent shapes;Got primal shape "
            f"{want.shape} and tangent shape as {have.shape}",
            f"jvp 的 primal 与 tangent 形状不同：{want.shape} 和 {have.shape}。",
        )
    return tangent


def _wrong_tangent(primal: Any, want: str, have: str) -> Any:
    raise type_error(
        "primal and tangent arguments to jax.jvp do not match; dtypes must be equal, or in case of int/bool "
        f"primal dtype the tangent dtype must be float0.Got primal dtype {aval_of(primal).dtype} and so "
        f"expected tangent dtype {want}, but got tangent dtype {have} instead.",
        f"jvp 的 tangent 类型应为 {want}，但得到 {have}。",
    )


def vjp_(interpreter: Interpreter, fun: Any, *primals: Any, has_aux: Any = False, **_: Any) -> Any:
    """The value of a function, and the function that pulls cotangents of it back to the arguments."""
    checked_callable(fun)
    leaves, structure = flat_arguments(primals, {})
    values = [as_value(leaf) for leaf in leaves]
    flat = Flat(interpreter, fun, structure, bool(has_aux))
    record = gradient_call(interpreter, fun, primals, {}, range(len(primals)), bool(has_aux))
    values = record.arguments(values)
    found = linearize(flat, values)
    record.values(values, found.values)
    inside = structure.children[0]

    def pull(*cotangents: Any) -> Any:
        assert flat.structure is not None
        if len(cotangents) != 1:
            raise splatted(function_name(fun), len(cotangents))
        check_cotangents(function_name(fun), flat.structure, trees().flatten(cotangents[0])[1])
        coming = [as_value(ct) for ct in trees().up_to(flat.structure, cotangents[0])]
        for ct, out in zip(coming, found.values, strict=True):
            _check_cotangent(ct, out)
        record.cotangents = None if any(known(ct) is None for ct in coming) else coming
        with record:
            outs = pull_back(found, values, coming)
            record.gradients(outs)
        return trees().unflatten(inside, outs)

    result = flat.result(found.values), Native(function_name(fun), pull)
    return (*result, without_traces(flat.aux, None)) if has_aux else result


def linear_transpose(interpreter: Interpreter, fun: Any, *primals: Any) -> Native:
    """The transpose of a function that is linear: what pulls cotangents back, wherever it is taken."""
    leaves, structure = flat_arguments(primals, {})
    types = [aval_of(as_value(x)) for x in leaves]
    zeros = [typed(np.zeros(one.shape), one.dtype, one.weak) for one in types]
    pull: Native = vjp_(interpreter, fun, *trees().unflatten(structure, zeros)[0])[1]
    return Wrapped("linear_transpose", pull.function, fun)


def pulled_back(
    interpreter: Interpreter, function: Any, has_aux: bool, primals: Sequence[Any], cotangents: Sequence[Any]
) -> Any:
    """The cotangents of a function's arguments, of those of its results."""
    leaves, structure = flat_arguments(primals, {})
    values = [as_value(leaf) for leaf in leaves]
    found = linearize(Flat(interpreter, function, structure, has_aux), values)
    return trees().unflatten(structure.children[0], pull_back(found, values, cotangents))


def _check_cotangent(ct: Any, out: Any) -> None:
    want, have = aval_of(out).tangent(), aval_of(ct)
    if want.dtype == FLOAT0 or (want.shape, want.dtype) == (have.shape, have.dtype):
        return
    raise value_error(
        f"unexpected JAX type (e.g. shape/dtype) for argument to VJP function: got "
        f"{have.long()}, but expected "
        f"{want.long()} because the corresponding output of the differentiated function had JAX type "
        f"{want.long()}",
        f"vjp 函数的参数类型应为 {want.long()}，但得到 {have.long()}。",
    )


def _check_tangent(given: Any, primal: Any) -> None:
    """Raises: ValueError where a tangent has another type than the argument that it moves."""
    want = primal.tangent()
    if (given.shape, given.dtype) != (want.shape, want.dtype):
        got, of, expected = (shown_aval(one) for one in (given, primal, want))
        raise value_error(
            "linearized function called on tangent values inconsistent with the original primal values:\n"
            f"Got tangent aval {got} for primal aval {of} but expected {expected}.",
            f"切向量的类型 {got} 与参数的类型 {of} 不符。",
        )


def linearize_(interpreter: Interpreter, fun: Any, *primals: Any, has_aux: Any = False) -> Any:
    """The value of a function, and its linear part at this point as a function."""
    checked_callable(fun)
    leaves, structure = flat_arguments(primals, {})
    values = [as_value(leaf) for leaf in leaves]
    flat = Flat(interpreter, fun, structure, bool(has_aux))
    found = linearize(flat, values)

    def linear(*tangents: Any) -> Any:
        coming, own = trees().flatten(tuple(tangents))
        if own != structure.children[0]:
            raise type_error(
                f"expected {structure.children[0].text()}, got {own.text()}",
                "切向量的结构必须与 linearize 的参数相同。",
            )
        moved = [as_value(t) for t in coming]
        for t, x in zip(moved, values, strict=True):
            _check_tangent(aval_of(t), aval_of(x))
        outs = evaluate(found.jaxpr, moved)
        every = zeros_where(found.zeros, outs, found.values)
        return flat.result([instantiated(t) for t in every])

    result = flat.result(found.values), Native(function_name(fun), linear)
    return (*result, without_traces(flat.aux, None)) if has_aux else result


def stop_gradient(interpreter: Interpreter, x: Any) -> Any:
    """The same values, which count as constants where gradients are taken."""
    from engine.languages.surfaces.jax.lax.elementwise import stop_gradient as of_one

    leaves, structure = trees().flatten(x)
    stopped = [
        of_one(constant(leaf)) if aval_of(as_value(leaf)).is_inexact else constant(leaf) for leaf in leaves
    ]
    return trees().unflatten(structure, stopped)


def is_constant(value: Any) -> bool:
    """Whether a value is a number of the program."""
    return isinstance(value, Constant)
