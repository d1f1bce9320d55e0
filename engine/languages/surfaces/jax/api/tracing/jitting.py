"""jit, make_jaxpr and eval_shape: functions that are traced."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.errors import RefusedError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.text import SHOWN, to_repr, to_str
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.jax.api.calling import (
    as_value,
    checked_callable,
    class_text,
    flat_arguments,
    function_name,
    is_array,
    many,
    parameter_names,
    trees,
)
from engine.languages.surfaces.jax.api.derivatives.wrapped import Wrapped
from engine.languages.surfaces.jax.api.references.given import (
    cells_among,
    leave,
    no_jaxpr,
    taking_arrays,
    used_from_outside,
    without_cells,
)
from engine.languages.surfaces.jax.api.tracing.jaxprs import ClosedJaxpr
from engine.languages.surfaces.jax.api.tracing.once import traced, traces_of
from engine.languages.surfaces.jax.api.tracing.own_jaxprs import note_own_jaxprs
from engine.languages.surfaces.jax.api.tracing.paths import argument_paths, signature_of
from engine.languages.surfaces.jax.core.avals import element_type
from engine.languages.surfaces.jax.core.calls import bind_jit
from engine.languages.surfaces.jax.core.errors import type_error, value_error
from engine.languages.surfaces.jax.core.jaxpr import Jaxpr
from engine.languages.surfaces.jax.core.run import run_now
from engine.languages.surfaces.jax.core.trees import Structure
from engine.languages.surfaces.jax.core.values import Constant, JaxArray, aval_of, undrawn


class Static:
    """An argument that is no array: a function is traced anew for each of its values."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Static) and type(self.value) is type(other.value) and self.value == other.value
        )

    def __hash__(self) -> int:
        try:
            if isinstance(self.value, JaxArray):
                raise TypeError
            return hash(self.value)
        except TypeError:
            kind = python_name(self.value)
            raise value_error(
                "Non-hashable static arguments are not supported. An error occurred while trying to hash an "
                f"object of type <class '{kind}'>, {to_str(self.value)}. The error was:\n"
                f"TypeError: unhashable type: '{kind}'\n",
                f"静态参数必须可以作为键（hashable），但 {kind} 不行。",
                "Use a number, a text or a tuple.",
                "请使用数字、文本或元组。",
            ) from None


def _listed(value: Any) -> tuple[Any, ...]:
    if value is None:
        return ()
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _check_static(function: Any, numbers: Any, names: Any) -> None:
    """Raises: ValueError for static arguments that a function does not take."""
    signature, given = (
        signature_of(function),
        tuple(many(numbers, "static_argnums")) if numbers is not None else (),
    )
    count = len(signature.positional)
    if not (count or signature.keyword_only) or signature.many_positional or signature.many_keywords:
        return
    if any(not -count <= number < count for number in given):
        raise value_error(
            f"Jitted function has static_argnums={given}, but only accepts {count} positional arguments.",
            f"static_argnums={given}，但函数只接受 {count} 个位置参数。",
        )
    unknown = [name for name in _listed(names) if name not in signature.every_name]
    if unknown:
        shown = "{" + ", ".join(map(to_repr, unknown)) + "}"
        raise value_error(
            f"Jitted function has invalid argnames {shown} in static_argnames. Function does not take "
            "these args.",
            f"函数没有 static_argnames 中的参数 {'、'.join(unknown)}。",
        )


class Jitted(Wrapped):
    """A function that is traced once for each kind of its arguments."""

    def __init__(self, interpreter: Interpreter, function: Any, numbers: Any, names: Any) -> None:
        super().__init__(function_name(function), self._call, function)
        self.interpreter = interpreter
        self.inner = function
        known = parameter_names(function)
        self.numbers = {number % max(len(known), 1) if number < 0 else number for number in _listed(numbers)}
        _check_static(function, numbers, names)
        self.names = set(_listed(names))
        self.names |= {known[number] for number in self.numbers if number < len(known)}
        self.numbers |= {known.index(name) for name in self.names if name in known}

    def _call(self, *args: Any, **keywords: Any) -> Any:
        if run_now().is_jit_disabled:
            return self.interpreter.call(self.inner, args, keywords)
        static = [value if i in self.numbers else None for i, value in enumerate(args)]
        moving = [None if i in self.numbers else value for i, value in enumerate(args)]
        named = {key: value for key, value in keywords.items() if key in self.names}
        rest = {key: value for key, value in keywords.items() if key not in self.names}
        leaves, structure = flat_arguments(moving, rest)
        cells = cells_among(leaves)
        values = checked_leaves(self.inner, without_cells(leaves, cells) if cells else leaves, structure)
        avals = tuple(aval_of(value) for value in values)
        fixed = tuple(Static(x) for x in static), tuple((key, Static(x)) for key, x in sorted(named.items()))
        function = _with_static(self.interpreter, self.inner, static, self.numbers, named)
        if cells:
            function = taking_arrays(self.interpreter, function, tuple(cells), {})
        jaxpr, results = traced(
            *(self.interpreter, function, structure, avals, "jit"),
            of=self.inner,
            given=(*fixed, tuple(cells)),
            takes_cells=True,
        )
        outer = used_from_outside(jaxpr, tuple(cells.values())) if jaxpr.cells else []
        outs = [_as_array(out) for out in bind_jit(jaxpr, [*values, *outer], self.name, inline=False)]
        return self._result(outs, jaxpr, results, tuple(cells.values()))

    @staticmethod
    def _result(outs: list[Any], jaxpr: Jaxpr, results: Structure, cells: Sequence[Any]) -> Any:
        """The result in its structure; the references that the function wrote hold what it left."""
        written = [cell for cell, is_written in jaxpr.cells if is_written]
        count = len(outs) - len(written)
        leave(written, outs[count:])
        found = trees().unflatten(results, outs[:count])
        if cells:
            found, left = found
            leave(cells, left)
        return found


def checked_leaves(function: Any, leaves: Sequence[Any], structure: Structure) -> list[Any]:
    """The arguments of a traced function as values. Raises: TypeError where one is no array."""
    for place, leaf in enumerate(leaves):
        if not is_array(leaf):
            path = argument_paths(function, structure)[place]
            raise type_error(
                f"Error interpreting argument to {to_repr(function)} as an abstract array. The problematic "
                f"value is of type {class_text(leaf)} and was passed to the function at path {path}.\nThis "
                "typically means that a jit-wrapped function was called with a non-array argument, and this "
                "argument was not marked as static using the static_argnums or static_argnames parameters of "
                "jax.jit.",
                f"jit 函数的参数必须是数组，但得到 {python_name(leaf)}。",
                "Mark it static: jax.jit(f, static_argnums=…).",
                "请标为静态参数：jax.jit(f, static_argnums=…)。",
            )
    return [as_value(leaf) for leaf in leaves]


def _as_array(value: Any) -> Any:
    """A result, which is an array also where the function gave a number."""
    return undrawn(value) if isinstance(value, Constant) else value


def _with_static(
    interpreter: Interpreter,
    function: Any,
    static: Sequence[Any],
    numbers: set[int],
    named: Mapping[str, Any],
) -> Any:
    """The function with its static arguments given."""
    if not numbers and not named:
        return function

    def call(*args: Any, **keywords: Any) -> Any:
        given = [static[i] if i in numbers else value for i, value in enumerate(args)]
        return interpreter.call(function, given, {**keywords, **named})

    return Native(function_name(function), call)


def jit(
    interpreter: Interpreter,
    fun: Any = None,
    static_argnums: Any = None,
    static_argnames: Any = None,
    donate_argnums: Any = None,
    donate_argnames: Any = None,
    inline: Any = False,
    **_: Any,
) -> Native:
    """A function that is traced once, and then runs without its Python."""
    settings = (static_argnums, static_argnames, donate_argnums, donate_argnames, *_.values())
    if fun is None and not inline and all(one is None for one in settings):
        checked_callable(fun)
    if fun is None:
        return Native("jit", lambda function: Jitted(interpreter, function, static_argnums, static_argnames))
    return Jitted(interpreter, fun, static_argnums, static_argnames)


class Lowered:
    """`jax.jit(f).lower(x)`: a function that is compiled for arguments of these types."""

    def __init__(self, jitted: Jitted) -> None:
        self.jitted = jitted


JITTED = members_of(Jitted, "PjitFunction")
JITTED.method("lower")(lambda jitted, *args, **keywords: Lowered(jitted))
JITTED.method("trace")(
    lambda interpreter, jitted, *args, **keywords: ClosedJaxpr(
        jaxpr_of(interpreter, jitted.inner, args, keywords)
    )
)
JITTED.method("_cache_size")(lambda jitted: len(traces_of(jitted.inner)))
JITTED.method("clear_cache")(lambda jitted: traces_of(jitted.inner).clear())
LOWERED = members_of(Lowered, "Lowered")
LOWERED.method("compile")(lambda lowered: lowered.jitted)


@LOWERED.method("as_text", "compiler_ir")
def _no_text(lowered: Lowered, *args: Any, **keywords: Any) -> Any:
    raise RefusedError(
        "The text of a lowered function is XLA's, which is not part of Gradlens.",
        message_zh="lower() 之后的文本属于 XLA，Gradlens 不包含它。",
        hint="print(jax.make_jaxpr(f)(x)) shows what is computed.",
        hint_zh="print(jax.make_jaxpr(f)(x)) 可以显示计算的内容。",
        code="refused_name",
    )


# -- jaxprs ------------------------------------------------------------------------------------------


def jaxpr_of(
    interpreter: Interpreter, function: Any, args: Sequence[Any], keywords: Mapping[str, Any]
) -> Jaxpr:
    """The jaxpr of a function at some arguments."""
    return _traced(interpreter, function, args, keywords)[0]


def _traced(
    interpreter: Interpreter,
    function: Any,
    args: Sequence[Any],
    keywords: Mapping[str, Any],
    only_types: bool = False,
) -> tuple[Jaxpr, Structure]:
    """The jaxpr that a jitted function has for these arguments, and the structure of its results."""
    leaves, structure = flat_arguments(args, keywords)
    if cells_among(leaves):
        raise no_jaxpr()
    types = [leaf.aval if isinstance(leaf, ShapeStruct) else None for leaf in leaves]
    known = checked_leaves(
        function, [0 if one else leaf for one, leaf in zip(types, leaves, strict=True)], structure
    )
    avals = [one or aval_of(value) for one, value in zip(types, known, strict=True)]
    fixed: Any = tuple(Static(None) for _ in args), (), ()
    jaxpr, results = traced(
        *(interpreter, function, structure, avals, "jit"),
        given=fixed,
        only_types=only_types,
        takes_cells=True,
    )
    if jaxpr.cells:
        raise no_jaxpr()
    return jaxpr, results


def make_jaxpr(
    interpreter: Interpreter, fun: Any, static_argnums: Any = (), return_shape: Any = False, **_: Any
) -> Native:
    """The function that gives the jaxpr of a function at its arguments.

    return_shape: whether it also gives the shapes of the results.
    """
    fixed = set(_listed(static_argnums))

    def call(*args: Any, **keywords: Any) -> Any:
        moving = [value for i, value in enumerate(args) if i not in fixed]
        static = [value if i in fixed else None for i, value in enumerate(args)]
        function = fun
        if fixed:
            rest = iter

            def function_of(*given: Any, **named: Any) -> Any:
                values = rest(given)
                every = [static[i] if i in fixed else next(values) for i in range(len(args))]
                return interpreter.call(fun, every, named)

            function = Native(function_name(fun), function_of)
        jaxpr, results = _traced(interpreter, function, moving, keywords)
        closed = ClosedJaxpr(jaxpr)
        note_own_jaxprs(interpreter)
        if not return_shape:
            return closed
        return closed, trees().unflatten(results, [ShapeStruct(aval) for aval in jaxpr.out_avals])

    return Wrapped("make_jaxpr", call, fun)


# -- shapes ------------------------------------------------------------------------------------------


class ShapeStruct:
    """A shape and an element type, without elements."""

    def __init__(self, aval: Any) -> None:
        self.aval = aval

    def text(self) -> str:
        """As JAX prints it."""
        return f"ShapeDtypeStruct(shape={self.aval.shape}, dtype={self.aval.dtype})"


SHOWN[ShapeStruct] = (ShapeStruct.text, ShapeStruct.text)
STRUCT = members_of(ShapeStruct, "ShapeDtypeStruct")
STRUCT.fact("shape")(lambda struct: struct.aval.shape)
STRUCT.fact("dtype")(lambda struct: element_type(struct.aval.dtype))
STRUCT.fact("ndim")(lambda struct: struct.aval.ndim)
STRUCT.fact("size")(lambda struct: struct.aval.size)


def shape_struct(aval: Any) -> ShapeStruct:
    """A type as a program sees it."""
    return ShapeStruct(aval)


def eval_shape(interpreter: Interpreter, fun: Any, *args: Any, **keywords: Any) -> Any:
    """The shapes of a function's results, without computing them."""
    checked_callable(fun)
    jaxpr, structure = _traced(interpreter, fun, args, keywords, only_types=True)
    return trees().unflatten(structure, [ShapeStruct(aval) for aval in jaxpr.out_avals])


def is_number(value: Any) -> bool:
    """Whether a value is a number of the program."""
    return isinstance(value, Constant)


Call = Callable[..., Any]


def shape_dtype_struct(shape: Any, dtype: Any, **_: Any) -> ShapeStruct:
    """A shape and an element type, in place of an array."""
    from engine.languages.surfaces.jax.core.avals import Aval
    from engine.languages.surfaces.jax.numpy.making.element_types import dtype_of
    from engine.languages.surfaces.jax.numpy.making.lengths import lengths

    whole = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    if not all(isinstance(length, int) and not isinstance(length, bool) for length in whole):
        whole = lengths(shape)  # says what is wrong
    return ShapeStruct(Aval(whole, dtype_of(dtype) or "float32"))
