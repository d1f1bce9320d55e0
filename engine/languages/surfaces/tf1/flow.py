"""TensorFlow 1's branches, second derivatives and gradients of one's own."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from typing import Any

from engine.differentiation import hessians
from engine.differentiation.reverse import custom
from engine.errors import ProgramError
from engine.graph.control_flow import building as control_flow
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.text import SHOWN, to_repr
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import Block
from engine.languages.surfaces.argument_kinds import LIST
from engine.languages.surfaces.tensors import GRAPH
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.ops.arrays.ranking import TopKV2
from engine.ops.base.building import current_graph
from engine.ops.base.slices import IndexedSlicesValue
from engine.ops.reductions.counting import ListDiff, Unique, UniqueWithCounts

LISTED = (list, tuple, dict)


@TF.function("cond")
def cond(
    interpreter: Interpreter,
    pred: Any,
    true_fn: Any = None,
    false_fn: Any = None,
    strict: Any = False,
    name: Any = None,
    fn1: Any = None,
    fn2: Any = None,
) -> Any:
    """One of two branches, chosen when the graph runs."""
    _check_predicate(pred, "tf.cond")
    graph: Any = current_graph()
    taken, other = interpreter.as_function(true_fn or fn1), interpreter.as_function(false_fn or fn2)
    return control_flow.cond(graph, pred, taken, other, name)


def _check_predicate(pred: Any, function: str) -> None:
    """Raises: ProgramError for Python's own True or False, which chooses while the graph is built."""
    if isinstance(pred, bool):
        raise ProgramError(
            f"The condition of {function} is Python's {pred}, not a tensor.",
            message_zh=f"{function} 的条件是 Python 的 {pred}，而不是张量。",
            hint="Compare tensors, as in tf.less(x, y), or write Python's own `if`.",
            hint_zh="请比较张量，如 tf.less(x, y)，或使用 Python 的 if。",
            code="wrong_arguments",
        )


def cases_of(given: Any) -> list[Any]:
    """The pairs of a condition and a function that `tf.case` is given, in a list or as a dict."""
    pairs = list(given.items() if isinstance(given, dict) else given) if isinstance(given, LISTED) else []
    if not pairs or not all(isinstance(pair, (list, tuple)) and len(pair) == 2 for pair in pairs):
        raise ProgramError(
            "tf.case takes a list of pairs: a condition and a function.",
            message_zh="tf.case 需要由（条件，函数）组成的列表。",
            hint="Write tf.case([(x < 0, lambda: -x)], default=lambda: x).",
            hint_zh="请写 tf.case([(x < 0, lambda: -x)], default=lambda: x)。",
            code="wrong_arguments",
        )
    return pairs


@TF.function("case")
def case(
    interpreter: Interpreter,
    pred_fn_pairs: Any,
    default: Any = None,
    exclusive: Any = False,
    strict: Any = False,
    name: Any = None,
) -> Any:
    """The first of several branches whose condition holds, chosen when the graph runs."""
    graph: Any = current_graph()
    cases = [(pred, interpreter.as_function(taken)) for pred, taken in cases_of(pred_fn_pairs)]
    for pred, _ in cases:
        _check_predicate(pred, "tf.case")
    other = None if default is None else interpreter.as_function(default)
    return control_flow.case(graph, cases, other, exclusive=bool(exclusive), name=name)


@TF.function("Assert", data=LIST)
def assert_true(condition: Any, data: Any, summarize: Any = 3, name: Any = None) -> Any:
    """A run stops where the condition does not hold."""
    graph: Any = current_graph()
    return control_flow.assert_true(graph, condition, list(data), summarize=summarize, name=name)


@TF.function("hessians")
def hessians_(
    ys: Any,
    xs: Any,
    name: Any = "hessians",
    colocate_gradients_with_ops: Any = False,
    gate_gradients: Any = False,
    aggregation_method: Any = None,
) -> Any:
    """The matrices of second derivatives."""
    return hessians(ys, xs, gate=bool(gate_gradients), colocate=bool(colocate_gradients_with_ops))


@TF.function("RegisterGradient")
def register_gradient(interpreter: Interpreter, op_type: Any) -> Native:
    """A decorator: a gradient rule of the program's own, under a name for `gradient_override_map`."""

    def enter(function: Any) -> Any:
        rules = interpreter.workspace.gradient_rules
        rules[op_type] = custom.as_rule(interpreter.as_function(function))
        return function

    return Native("tf.RegisterGradient", enter)


@TF.function("custom_gradient")
def custom_gradient(interpreter: Interpreter, f: Any) -> Native:
    """A decorator: a function that brings its own gradient."""

    def call(*arguments: Any) -> Any:
        graph: Any = current_graph()

        def build(*values: Any) -> tuple[Any, Callable[..., Any]]:
            result, gradient = interpreter.call(f, list(values), {})
            return result, interpreter.as_function(gradient)

        return custom.custom_gradient(graph, build, arguments)

    return Native("tf.custom_gradient", call)


@GRAPH.method("gradient_override_map")
def gradient_override_map(graph: Any, op_type_map: Any) -> Block:
    """Operations made inside the block take registered gradients in place of their own."""
    return Block(lambda: graph.gradient_override_map(dict(op_type_map)))


def _rows_str(rows: IndexedSlicesValue) -> str:
    parts = (f"{name}={to_repr(getattr(rows, name))}" for name in ("values", "indices", "dense_shape"))
    return f"IndexedSlicesValue({', '.join(parts)})"


SHOWN[IndexedSlicesValue] = (_rows_str, _rows_str)


def _parts_str(found: Any) -> str:
    parts = (f"{name}={to_repr(part)}" for name, part in zip(found._fields, found, strict=True))
    return f"{type(found).__name__}({', '.join(parts)})"


def _enter_parts(kind: type[Any]) -> None:
    """Several results with a name each: how they print, and what a program may ask of them."""
    SHOWN[kind] = (_parts_str, _parts_str)
    members = members_of(kind, kind.__name__)
    for place, name in enumerate(kind._fields):
        members.fact(name)(itemgetter(place))


for kind in (TopKV2, Unique, UniqueWithCounts, ListDiff):
    _enter_parts(kind)
ROWS = members_of(IndexedSlicesValue, "IndexedSlicesValue")
ROWS.fact("values")(lambda rows: rows.values)
ROWS.fact("indices")(lambda rows: rows.indices)
ROWS.fact("dense_shape")(lambda rows: rows.dense_shape)
