"""TensorFlow 1's assertions: operations that stop a run where something does not hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.errors import DtypeError, ProgramError
from engine.graph.composites import assertions
from engine.languages.interpreter.arguments import ANY, Argument
from engine.languages.surfaces.argument_kinds import COUNT, DTYPE, LIST, NUMBER
from engine.languages.surfaces.dtypes import dtype_name
from engine.languages.surfaces.tf1.flow import assert_true
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.languages.surfaces.tf1.functions.registration import taken
from engine.ops.base.building import convert_to_tensor, current_graph, name_scope
from engine.ops.base.spellings import one_of
from engine.ops.common.passing import no_op
from engine.ops.control_flow import asserting

TEXT = Argument("a text", "文字", lambda value: isinstance(value, str))
SHOWN = {"data": LIST, "summarize": COUNT, "message": TEXT}


def _shown(data: Any) -> list[Any] | None:
    return None if data is None else [item if isinstance(item, str) else taken(item) for item in data]


def _between(kind: str) -> Callable[..., Any]:
    def check(
        x: Any, y: Any, data: Any = None, summarize: Any = None, message: Any = None, name: Any = None
    ) -> Any:
        graph: Any = current_graph()
        a = taken(x)
        b = a if x is y else taken(y)
        return assertions.assert_between(graph, kind, a, b, _shown(data), summarize, message, name)

    check.__doc__ = f"An operation that stops the run unless x {assertions.BETWEEN[kind].sign} y everywhere."
    return check


def _with_zero(kind: str) -> Callable[..., Any]:
    def check(x: Any, data: Any = None, summarize: Any = None, message: Any = None, name: Any = None) -> Any:
        graph: Any = current_graph()
        return assertions.assert_with_zero(graph, kind, taken(x), _shown(data), summarize, message, name)

    check.__doc__ = "An operation that stops the run unless every element stands so to 0."
    return check


def _rank(kind: str) -> Callable[..., Any]:
    def check(
        x: Any, rank: Any, data: Any = None, summarize: Any = None, message: Any = None, name: Any = None
    ) -> Any:
        graph: Any = current_graph()
        return assertions.assert_rank(
            graph, kind, taken(x), int(rank), _shown(data), summarize, message, name
        )

    check.__doc__ = "An operation that stops the run unless a tensor has so many axes."
    return check


for kind in assertions.BETWEEN:
    TF.function(kind, f"debugging.{kind}", **SHOWN)(_between(kind))
for kind in assertions.WITH_ZERO:
    TF.function(kind, f"debugging.{kind}", **SHOWN)(_with_zero(kind))
for kind in assertions.RANKS:
    TF.function(kind, f"debugging.{kind}", rank=COUNT, **SHOWN)(_rank(kind))
TF.function("debugging.Assert", data=LIST)(assert_true)


@TF.function("assert_near", "debugging.assert_near", rtol=NUMBER, atol=NUMBER, **SHOWN)
def assert_near(
    x: Any,
    y: Any,
    rtol: Any = None,
    atol: Any = None,
    data: Any = None,
    summarize: Any = None,
    message: Any = None,
    name: Any = None,
) -> Any:
    """An operation that stops the run unless two tensors agree, up to some roundings."""
    graph: Any = current_graph()
    return assertions.assert_near(
        graph, taken(x), taken(y), rtol, atol, _shown(data), summarize, message, name
    )


@TF.function("assert_type", "debugging.assert_type", tf_type=DTYPE)
def assert_type(tensor: Any, tf_type: Any, message: Any = None, name: Any = None) -> Any:
    """Nothing, unless a tensor is of another type, which is refused at once."""
    with name_scope(name, "assert_type"):
        x, wanted = convert_to_tensor(taken(tensor), name="tensor"), dtype_name(tf_type)
        if x.dtype != wanted:
            raise DtypeError(
                f"{x.name} was to be {wanted}, but is {x.dtype}.",
                message_zh=f"{x.name} 应为 {wanted}，但它是 {x.dtype}。",
                hint=f"Write tf.cast(…, tf.{wanted}).",
                hint_zh=f"请写 tf.cast(…, tf.{wanted})。",
            )
        return no_op.node(name="statically_determined_correct_type")


@TF.function("check_numerics", "debugging.check_numerics", message=TEXT)
def check_numerics(tensor: Any, message: Any, name: Any = None) -> Any:
    """The tensor; a run stops where it is not finite."""
    return asserting.check_numerics(taken(tensor), message=message, name=name)


@TF.function("verify_tensor_all_finite", "debugging.assert_all_finite", t=ANY, msg=TEXT)
def verify_tensor_all_finite(
    t: Any = None, msg: Any = None, name: Any = None, x: Any = None, message: Any = None
) -> Any:
    """The tensor, once a run has found nothing infinite in it."""
    graph: Any = current_graph()
    value, words = taken(one_of("x", x, "t", t)), one_of("message", message, "msg", msg)
    if value is None or words is None:
        raise ProgramError(
            "A tensor and a message are needed.",
            message_zh="需要一个张量和一段说明文字。",
            code="wrong_arguments",
        )
    return assertions.all_finite(graph, value, words, name)
