"""`tf.cond`, `tf.case`, `tf.while_loop`: branches, or one turn, are built once; the session decides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.errors import DtypeError, ProgramError, ShapeError
from engine.graph.control_flow.contexts import Branch, Context, Loop
from engine.graph.graph import Graph
from engine.ops.arrays.joining import pack
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.shapes import written
from engine.ops.base.tensors import Node, Shape, Tensor
from engine.ops.common.casting import cast
from engine.ops.common.constants import constant
from engine.ops.common.passing import identity, no_op
from engine.ops.common.reducing import reduce_sum
from engine.ops.control_flow import branches_and_loops as flow
from engine.ops.control_flow.asserting import assert_op, text_constant
from engine.ops.control_flow.tensor_arrays import TensorArray
from engine.ops.elementwise.comparison import less_equal
from engine.ops.elementwise.logical import logical_and


def cond(
    graph: Graph, pred: Any, true_fn: Callable[[], Any], false_fn: Callable[[], Any], name: str | None = None
) -> Any:
    """Add both branches; a run takes the one that `pred` chooses.

    Returns: what the branches return, one tensor or a list of them.
    Raises:  ProgramError where the branches return different numbers of tensors.
    """
    with graph.name_scope(name or "cond"):
        pred = convert_to_tensor(pred, name="pred")
        off, on = flow.switch.node(pred, pred).outputs
        pivots = identity(on, name="switch_t"), identity(off, name="switch_f")
        pred = identity(pred, name="pred_id")
        taken, single = _branch(graph, Branch(graph, pred, pivots[0], 1, graph.context), true_fn)
        other, _ = _branch(graph, Branch(graph, pred, pivots[1], 0, graph.context), false_fn)
        if len(taken) != len(other):
            raise ProgramError(
                f"The branches of tf.cond return {len(taken)} and {len(other)} tensors.",
                hint="Both branches must return the same number of tensors.",
                message_zh=f"tf.cond 的两个分支分别返回 {len(taken)} 个和 {len(other)} 个张量。",
                hint_zh="两个分支必须返回同样多的张量。",
                code="branches_differ",
            )
        merged = [flow.merged([f, t]) for t, f in zip(taken, other, strict=True)]
    return merged[0] if single else merged


def _branch(graph: Graph, context: Context, build: Callable[[], Any]) -> tuple[list[Tensor], bool]:
    """What one branch returns, seen from inside, and whether it was a single tensor."""
    with graph.inside(context):
        result = build()
        single = not isinstance(result, (list, tuple))
        tensors = [_seen(graph, context, item) for item in ([result] if single else result)]
        return [context.result(tensor) for tensor in tensors], single


def _seen(graph: Graph, context: Context, item: Any) -> Tensor:
    """A result as a tensor; of an operation without one, the branch's pivot, given out when it is done."""
    if not isinstance(item, Node):
        return convert_to_tensor(item)
    with graph.colocate_with(context.pivot.node), graph.control_dependencies([item]):
        return identity(context.pivot, name="control_dependency")


Case = tuple[Any, Callable[[], Any]]  # a condition, and what it stands for


def case(
    graph: Graph,
    cases: Sequence[Case],
    default: Callable[[], Any] | None = None,
    *,
    exclusive: bool = False,
    name: str | None = None,
) -> Any:
    """`tf.case`: the first of the cases whose condition holds, by one `cond` inside the other.

    default:   what is taken where none holds; without it the last case is, and a run stops where it does
               not hold either.
    exclusive: a run stops where more than one holds.
    """
    with graph.name_scope(name or "case"):
        conditions = [condition for condition, _ in cases]
        rest = cases
        if default is None:
            default, rest = _last_or_stop(graph, cases), cases[:-1]
        if not exclusive:
            return _first_of(graph, rest, default)
        with graph.control_dependencies([_at_most(graph, 1, conditions, "Input error: exclusive=True")]):
            return _first_of(graph, rest, default)


def _first_of(graph: Graph, cases: Sequence[Case], default: Callable[[], Any]) -> Any:
    if not cases:
        return default()
    condition, taken = cases[0]
    return cond(graph, condition, taken, lambda: _first_of(graph, cases[1:], default))


def _last_or_stop(graph: Graph, cases: Sequence[Case]) -> Callable[[], Any]:
    """The last case as the default, once it is certain that it holds and no other does."""
    *others, (condition, taken) = cases
    title = (
        f"Implementation error: selected default action #{len(others)} was called, "
        "but some of other predicates are True: "
    )

    def build() -> Any:
        none = pack([each for each, _ in cases], name="preds_c")
        checks = [
            _at_most(graph, 0, [each for each, _ in others], title),
            assert_true(graph, condition, ["Input error: None of conditions evaluated as True:", none]),
        ]
        with graph.control_dependencies(checks):
            return taken()

    return build


def _at_most(graph: Graph, count: int, conditions: Sequence[Tensor], title: str) -> Node:
    """A check that at most so many of the conditions hold."""
    together = pack(conditions, name="preds_c")
    holding = reduce_sum(cast(together, "int32"), name="num_true_conds")
    few = less_equal(holding, constant(count, name="n_true_conds"))
    names = ", ".join(condition.name for condition in conditions)
    text = f"{title}: more than {count} conditions ({names}) evaluated as True:"
    return assert_true(graph, few, [text, together], summarize=len(conditions))


def assert_true(
    graph: Graph, condition: Any, data: Sequence[Any], *, summarize: int = 3, name: str | None = None
) -> Node:
    """`tf.Assert`: a run stops where the condition does not hold, and shows the data, texts or tensors.

    Where there are floats to show, these go into a branch of their own that is taken when it stops.
    """
    with graph.name_scope(name or "Assert"):
        known = [_datum(item, "Const") for item in data]  # TensorFlow leaves their constants in the graph

        def stop() -> Node:
            with graph.name_scope("Assert") as scope:
                held = convert_to_tensor(condition, name="condition")
                shown = [_datum(item, f"data_{i}") for i, item in enumerate(data)]
                return assert_op.node(held, shown, summarize=summarize, name=scope)

        if all(tensor.dtype in ("int32", "string") for tensor in known):
            return stop()
        condition = convert_to_tensor(condition, name="Condition")
        guarded: Tensor = cond(graph, condition, lambda: no_op.node(), stop, name="AssertGuard")
        return guarded.node


def _datum(item: Any, name: str) -> Tensor:
    """What an assertion shows, a text as well, as a tensor."""
    return text_constant(item, name) if isinstance(item, str) else convert_to_tensor(item, name=name)


def while_loop(
    graph: Graph,
    going_on: Callable[..., Tensor],
    body: Callable[..., Sequence[Any]],
    variables: Sequence[Any],
    name: str | None = None,
    *,
    shapes: Sequence[Shape] | None = None,
    most: Any = None,
    parallel: int = 10,
) -> list[Any]:
    """Add one turn of a loop; a run repeats it as long as `going_on` of the loop variables holds.

    variables: tensors, and arrays of tensors, of which the flow goes round.
    shapes:    what is known of the variables in every turn, where a turn may change them.
    most:      how many turns there are at most.
    parallel:  how many of them TensorFlow may have under way at once.
    Returns:   the loop variables as they are at the end.
    """
    graph.out_of_order = True
    with graph.name_scope(name or "while"):
        if most is None:
            return _loop(graph, going_on, body, variables, shapes, parallel)
        last = convert_to_tensor(most, name="maximum_iterations")
        count = convert_to_tensor(0, dtype=last.dtype, name="iteration_counter")
        return _loop(
            graph,
            lambda i, *values: logical_and(i < last, going_on(*values)),
            lambda i, *values: [i + 1, *body(*values)],
            [count, *variables],
            None if shapes is None else [(), *shapes],
            parallel,
        )[1:]


def _loop(
    graph: Graph,
    going_on: Callable[..., Tensor],
    body: Callable[..., Sequence[Any]],
    variables: Sequence[Any],
    shapes: Sequence[Shape] | None,
    parallel: int,
) -> list[Any]:
    first = [_flowing(value) for value in variables]
    outer: Context | None = graph.context
    loop = Loop(graph, graph.names.unique("while_context"), outer, parallel)
    if outer is not None:
        first = [outer.value(value) for value in first]
    entered = [loop.enter(value) for value in first]
    for value, shape in zip(entered, shapes or [value.shape for value in entered], strict=True):
        value.shape = shape
    with graph.control_dependencies(None):
        merges = [flow.merge([value, value]) for value in entered]
    for merged in merges:
        loop.keep(merged.node)
    loop.pivot = merges[0]
    with graph.inside(loop):
        loop.more = flow.loop_cond(going_on(*_like(variables, merges)))
        ways = [flow.switched(merged, loop.more) for merged in merges]
        inside = [identity(way[1]) for way in ways]
        loop.pivot = inside[0]
        changed = body(*_like(variables, inside))
        values = [
            _of_same_type(merged, _flowing(value)) for merged, value in zip(merges, changed, strict=True)
        ]
        again = [flow.next_iteration(loop.value(value)) for value in values]
    for merged, back in zip(merges, again, strict=True):
        flow.back_edge(merged, back)
    return _like(changed, [loop.leave(way[0]) for way in ways])


def _flowing(value: Any) -> Tensor:
    """What goes round for a loop variable: of an array of tensors, its flow."""
    return value.flow if isinstance(value, TensorArray) else convert_to_tensor(value)


def _of_same_type(before: Tensor, after: Tensor) -> Tensor:
    """A loop variable after a turn, of the type and shape that it had before.

    Raises: DtypeError, ShapeError where it has not.
    """
    if after.dtype != before.dtype:
        raise DtypeError(
            f"A loop variable comes into a turn as {before.dtype}, but leaves it as {after.dtype}.",
            hint=f"Start with the type that it ends with, or write tf.cast(…, tf.{before.dtype}).",
            message_zh=f"循环变量进入一轮时是 {before.dtype}，离开时却是 {after.dtype}。",
            hint_zh=f"请让初值与结果的类型相同，或写 tf.cast(…, tf.{before.dtype})。",
        )
    if not _is_known_as(before.shape, after.shape):
        raise ShapeError(
            f"A loop variable comes into a turn with the shape {written(before.shape)}, but leaves it with "
            f"{written(after.shape)}.",
            hint="Say what may change: shape_invariants=[tf.TensorShape([None]), …], one for each variable.",
            message_zh=f"循环变量进入一轮时形状为 {written(before.shape)}，离开时为 {written(after.shape)}。",
            hint_zh="请说明哪些长度会变：shape_invariants=[tf.TensorShape([None]), …]，每个变量一个。",
        )
    return after


def _is_known_as(wanted: Shape, shape: Shape) -> bool:
    """Whether all that is wanted of a shape is known of it."""
    if wanted is None or shape is None:
        return wanted is None
    pairs = zip(wanted, shape, strict=False)
    return len(wanted) == len(shape) and all(n in (None, m) for n, m in pairs)


def _like(like: Sequence[Any], tensors: Sequence[Tensor]) -> list[Any]:
    """The tensors, those for arrays as arrays again."""
    return [
        one.with_flow(tensor) if isinstance(one, TensorArray) else tensor
        for one, tensor in zip(like, tensors, strict=True)
    ]
