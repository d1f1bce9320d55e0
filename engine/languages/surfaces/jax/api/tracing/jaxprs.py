"""A jaxpr as a program sees it: its equations, their primitives, parameters and variables."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from engine.errors import RefusedError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.functions import Kind
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.operators import OWN_COMPARISONS
from engine.languages.interpreter.values import TYPE_NAMES
from engine.languages.surfaces.jax.api.calling import as_value
from engine.languages.surfaces.jax.core.avals import Aval, dtype_of
from engine.languages.surfaces.jax.core.errors import type_error
from engine.languages.surfaces.jax.core.jaxpr import Equation, Jaxpr, Literal, Var, evaluate
from engine.languages.surfaces.jax.core.primitive import PRIMITIVES, Primitive
from engine.languages.surfaces.jax.core.printing import (
    equation_text,
    jaxpr_text,
    literal_text,
    shown_parameters,
)
from engine.languages.surfaces.jax.core.values import undrawn


class ClosedJaxpr:
    """A jaxpr with the values of its constants."""

    def __init__(self, jaxpr: Jaxpr) -> None:
        self.jaxpr = jaxpr
        self._text: str | None = None

    def text(self) -> str:
        """As JAX prints it."""
        if self._text is None:
            self._text = jaxpr_text(self.jaxpr)
        return self._text


class OpenJaxpr(ClosedJaxpr):
    """`closed.jaxpr`, whose constants are variables."""


class Applied:
    """The primitive of an equation. parameters: those of the equation that it was taken from."""

    def __init__(self, primitive: Primitive, equation: Equation | None = None) -> None:
        self.primitive = primitive
        self.equation = equation

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Applied) and other.primitive is self.primitive

    def __hash__(self) -> int:
        return hash(self.primitive.name)

    def text(self) -> str:
        """Its name."""
        return self.primitive.name


def literal_alone(literal: Literal) -> str:
    """`Literal(2.0)`, `Literal(TypedInt(1, dtype=int32))`: as one stands in a list."""
    number = literal_text(literal).partition(":")[0]
    is_whole = np.dtype(literal.aval.dtype).kind in "iu"
    return f"Literal(TypedInt({number}, dtype={literal.aval.dtype}))" if is_whole else f"Literal({number})"


SHOWN[ClosedJaxpr] = SHOWN[OpenJaxpr] = (ClosedJaxpr.text, ClosedJaxpr.text)
SHOWN[Applied] = (Applied.text, Applied.text)
SHOWN[Equation] = (equation_text, equation_text)
SHOWN[Var] = (lambda var: f"Var(id={id(var)}):{var.aval.long()}",) * 2
SHOWN[Literal] = (literal_alone,) * 2
SHOWN[Aval] = (Aval.long, lambda aval: f"ShapedArray({aval.long()}{', weak_type=True' * aval.weak})")
for _kind, _name in (
    (ClosedJaxpr, "ClosedJaxpr"),
    (OpenJaxpr, "Jaxpr"),
    (Applied, "Primitive"),
    (Equation, "JaxprEqn"),
    (Var, "Var"),
    (Literal, "Literal"),
    (Aval, "ShapedArray"),
):
    TYPE_NAMES[_kind] = partial(lambda name, _: name, _name)
OWN_COMPARISONS[Applied] = lambda kind, left, right: (
    (left == right) == (kind.__name__ == "Eq") if kind.__name__ in ("Eq", "NotEq") else False
)

AVAL = members_of(Aval, "ShapedArray")
AVAL.fact("shape")(lambda aval: aval.shape)
AVAL.fact("dtype")(lambda aval: np.dtype(dtype_of(aval)))
AVAL.fact("ndim")(lambda aval: aval.ndim)
AVAL.fact("size")(lambda aval: aval.size)
AVAL.fact("weak_type")(lambda aval: aval.weak)
AVAL.method("str_short")(lambda aval, short_dtypes=False: aval.short() if short_dtypes else aval.long())

for _kind in (ClosedJaxpr, OpenJaxpr):
    CLOSED = members_of(_kind, "ClosedJaxpr" if _kind is ClosedJaxpr else "Jaxpr")
    CLOSED.fact("jaxpr")(lambda closed: OpenJaxpr(closed.jaxpr))
    CLOSED.fact("eqns")(lambda closed: list(closed.jaxpr.equations))
    CLOSED.fact("consts", "literals")(lambda closed: list(closed.jaxpr.values))
    CLOSED.fact("in_avals")(lambda closed: list(closed.jaxpr.in_avals))
    CLOSED.fact("out_avals")(lambda closed: list(closed.jaxpr.out_avals))
    CLOSED.fact("invars")(lambda closed: list(closed.jaxpr.arguments))
    CLOSED.fact("outvars")(lambda closed: list(closed.jaxpr.results))
    CLOSED.fact("constvars")(lambda closed: list(closed.jaxpr.constants))
    CLOSED.fact("effects")(lambda closed: set())

EQUATION = members_of(Equation, "JaxprEqn")
EQUATION.fact("primitive")(lambda equation: Applied(equation.primitive, equation))
EQUATION.fact("invars")(lambda equation: list(equation.inputs))
EQUATION.fact("outvars")(lambda equation: list(equation.outputs))
EQUATION.fact("params")(lambda equation: _parameters(equation))
EQUATION.fact("effects")(lambda equation: set())

members_of(Var, "Var").fact("aval")(lambda var: var.aval)
LITERAL = members_of(Literal, "Literal")
LITERAL.fact("aval")(lambda literal: literal.aval)
LITERAL.fact("val")(lambda literal: undrawn(literal.value))

APPLIED = members_of(Applied, "Primitive")
APPLIED.fact("name")(lambda applied: applied.primitive.name)
APPLIED.fact("multiple_results")(lambda applied: applied.primitive.several)
APPLIED.method("get_bind_params")(lambda applied, params: ([], params))


@APPLIED.method("bind")
def bind(applied: Applied, *values: Any, **params: Any) -> Any:
    """What the primitive gives of these values. Raises: RefusedError for parameters of another equation."""
    equation = applied.equation
    shown = {} if equation is None else _parameters(equation)
    if set(params) != set(shown) or any(not _same(params[name], shown[name]) for name in shown):
        raise RefusedError(
            f"`{applied.primitive.name}.bind` takes the parameters of the equation that it was taken from.",
            message_zh=f"`{applied.primitive.name}.bind` 只接受它所在等式自己的参数。",
            hint="Write eqn.primitive.bind(*values, **eqn.params), or call the function of jax.lax.",
            hint_zh="请写 eqn.primitive.bind(*values, **eqn.params)，或调用 jax.lax 中的函数。",
            code="refused_name",
        )
    parameters = {} if equation is None else equation.parameters
    return applied.primitive(*map(as_value, values), **parameters)


def _same(given: Any, own: Any) -> bool:
    if isinstance(own, ClosedJaxpr):
        return isinstance(given, ClosedJaxpr) and given.jaxpr is own.jaxpr
    return type(given) is type(own) and repr(given) == repr(own)


# Primitives whose equations have a parameter `accuracy`, which is written where it is not None.
WITH_ACCURACY = frozenset(
    ["sin", "cos", "tan", "tanh", "exp", "exp2", "log", "log1p", "expm1", "sqrt", "rsqrt", "cbrt", "logistic"]
)


def _parameters(equation: Equation) -> dict[str, Any]:
    found = {k: _seen(v) for k, v in shown_parameters(equation).items()}
    return {"accuracy": None, **found} if equation.primitive.name in WITH_ACCURACY else found


def _seen(value: Any) -> Any:
    """A parameter as a program sees it."""
    if isinstance(value, Jaxpr):
        return ClosedJaxpr(value)
    if isinstance(value, (tuple, list)):
        return tuple(map(_seen, value))
    plain = isinstance(value, (bool, int, float, str, type(None), np.dtype))
    return value if plain else str(value)


def _jaxpr(value: Any) -> Jaxpr:
    if not isinstance(value, ClosedJaxpr):
        raise type_error(
            f"Expected a jaxpr, got {type(value).__name__}.",
            "这里需要一个 jaxpr。",
            "jax.make_jaxpr(f)(x) makes one.",
            "jax.make_jaxpr(f)(x) 可以得到 jaxpr。",
        )
    return value.jaxpr


def eval_jaxpr(jaxpr: Any, consts: Any, *args: Any) -> list[Any]:
    """What a jaxpr computes of arguments."""
    one = _jaxpr(jaxpr)
    values, given = list(consts), [as_value(arg) for arg in args]
    if len(values) != len(one.constants) or len(given) != len(one.arguments):
        raise type_error(
            f"The jaxpr takes {len(one.constants)} constants and {len(one.arguments)} arguments, "
            f"got {len(values)} and {len(given)}.",
            f"这个 jaxpr 需要 {len(one.constants)} 个常量和 {len(one.arguments)} 个参数，"
            f"但得到 {len(values)} 和 {len(given)} 个。",
        )
    return evaluate(one, given, [as_value(value) for value in values])


def jaxpr_as_fun(closed: Any) -> Native:
    """A jaxpr as a function."""
    jaxpr = _jaxpr(closed)
    return Native("jaxpr_as_fun", lambda *args: eval_jaxpr(closed, jaxpr.values, *args))


def kinds() -> dict[str, Kind]:
    """The classes by which a program asks what an object is."""
    classes = {"Literal": Literal, "Var": Var, "ClosedJaxpr": ClosedJaxpr, "Jaxpr": OpenJaxpr}
    classes |= {"JaxprEqn": Equation, "ShapedArray": Aval, "Primitive": Applied}
    return {name: Kind(f"jax.core.{name}", _not_made(name), (kind,)) for name, kind in classes.items()}


def _not_made(name: str) -> Any:
    def refuse(*args: Any, **keywords: Any) -> Any:
        raise RefusedError(
            f"A program cannot make a {name} of its own here.",
            message_zh=f"这里不支持由程序自己构造 {name}。",
            hint="jax.make_jaxpr(f)(x) makes a jaxpr of a function.",
            hint_zh="jax.make_jaxpr(f)(x) 可以由函数得到 jaxpr。",
            code="refused_name",
        )

    return refuse


def primitives() -> dict[str, Applied]:
    """Primitives under JAX's names, `exp_p`."""
    return {f"{name}_p": Applied(one) for name, one in PRIMITIVES.items() if name.isidentifier()}
