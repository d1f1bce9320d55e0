"""Control flow as TensorFlow 1 draws it: values that go one of two ways, come together, or go round.

A value sent the other way is dead; so is all that is computed from it, until a Merge takes the value
that is alive. A session knows these ops by name and follows them.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import Any

import numpy as np

from engine.ops.base.building import control_dependencies, current_graph
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.shapes import scalar
from engine.ops.base.tensors import Array, Node, Shape, Tensor
from engine.ops.common import constants, measuring
from engine.ops.common import passing as control
from engine.ops.elementwise import comparison


def _both_ways(data: Shape, pred: Shape) -> list[Shape]:
    return [data, data]


@op(
    "Switch",
    stateful=True,
    inputs="data pred",
    types="T bool",
    accepts="any",
    outputs=("T", "T"),
    shape=_both_ways,
    latex=r"{data} \text{ if } {pred}",
    adjoints=[r"\bar{y} \text{ of the branch taken}", "0"],
    derivative=[
        (r"1 \text{ in the branch taken, else } 0", r"\text{在所走的分支为 } 1 \text{，否则为 } 0"),
        "0",
    ],
)
@in_chinese("pred 成立时值从输出 1 出来，否则从输出 0 出来。")
def switch(data: Array, pred: Array) -> Any:
    """The value at output 1 where pred holds, else at output 0. Shapes: data (*S), pred () -> twice (*S)."""
    return [data, data]


@switch.gradient
def switch_gradient(node: Node, *dys: Tensor | None) -> Sequence[Tensor | None]:
    """Both ways come together again; the one not taken is dead, so the Merge takes the other.

    The Switch of a loop is visited twice: from its Exit, and once the gradient has come through a turn.
    """
    if is_loop_switch(node):
        return [backward_loop().came_through(node, *dys), None]
    if node.context is None:  # of the gradient of a branch: either way may bring a value
        dys = tuple(
            switch.node(dy, node.inputs[1]).outputs[way] for way, dy in enumerate(dys) if dy is not None
        )
        return [merge.node(list(dys)).outputs[0], None]
    return [merge.node(list(dys), name="cond_grad").outputs[0], None]


def is_loop_switch(node: Node) -> bool:
    """Whether a loop variable leaves the loop here, or goes into one more turn."""
    return node.op.name == "Switch" and node.context is not None and bool(node.context.is_loop)


def _first_known(*shapes: Shape) -> list[Shape]:
    same = all(shape == shapes[0] for shape in shapes)
    return [shapes[0] if same else _common(shapes), ()]


def _common(shapes: Sequence[Shape]) -> Shape:
    if any(shape is None for shape in shapes) or len({len(shape or ()) for shape in shapes}) > 1:
        return None
    columns = zip(*(shape or () for shape in shapes), strict=True)
    return tuple(lengths[0] if len(set(lengths)) == 1 else None for lengths in columns)


@op(
    "Merge",
    stateful=True,
    inputs="*inputs",
    accepts="any",
    outputs=("T", "int32"),
    shape=_first_known,
    latex=r"\mathrm{merge}({inputs})",
    adjoints=[r"\bar{y} \text{ on the way it came}"],
    derivative=[
        (r"1 \text{ for the input that arrives, else } 0", r"\text{到达的那个输入为 } 1 \text{，其余为 } 0")
    ],
)
@in_chinese("唯一有值的那个输入和它的编号，由会话给出。")
def merge(*inputs: Array) -> Any:
    """The one input that is alive, and its number, set by the session. Shapes: N times (*S) -> (*S), ()."""
    return [inputs[0], 0]


@merge.gradient
def merge_gradient(node: Node, dy: Tensor, _: Any) -> Sequence[Tensor]:
    """The gradient takes the branch that the value came from; in a loop, the turn before or the way out.

    Where the gradient of a branch came together, in no branch itself, it goes back by the number of the way.
    """
    context = node.inputs[0].node.context
    if context is None:
        came = [comparison.equal(node.outputs[1], place) for place in range(len(node.inputs))]
        return [switched(dy, here)[1] for here in came]
    if context.is_loop:
        return switched(dy, backward_loop().more)
    loop = backward_loop()
    return switched(dy, loop.recalled(context.pred) if loop else context.pred, name="cond_grad")


def switched(data: Tensor, pred: Tensor, name: str | None = None) -> list[Tensor]:
    """Both outputs of a Switch that stands beside its data."""
    with current_graph().colocate_with(data.node, alone=True):
        return list(switch.node(data, pred, name=name).outputs)


# -- references: the variable itself goes one way, to be written there ---------------------------------


@op(
    "RefSwitch",
    stateful=True,
    inputs="data pred",
    types="T bool",
    accepts="any",
    outputs=("T", "T"),
    shape=_both_ways,
    latex=r"{data} \text{ if } {pred}",
    adjoints=switch.adjoints,
    derivative=list(zip(switch.derivative, switch.derivative_zh, strict=True)),
)
@in_chinese("pred 成立时变量从输出 1 出来，否则从输出 0 出来。")
def ref_switch(data: Array | None, pred: Array) -> Any:
    """The variable at output 1 where pred holds, else at 0. Shapes: data (*S), pred () -> twice (*S)."""
    return [data, data]


@ref_switch.gradient
def ref_switch_gradient(node: Node, *dys: Tensor | None) -> Sequence[Tensor | None]:
    """As of the value: what came back to the variable where it is read in one of the branches."""
    return switch_gradient(node, *dys)


@op(
    "RefMerge",
    stateful=True,
    inputs="*inputs",
    accepts="any",
    outputs=("T", "int32"),
    shape=_first_known,
    latex=r"\mathrm{merge}({inputs})",
    adjoints=merge.adjoints,
    derivative=list(zip(merge.derivative, merge.derivative_zh, strict=True)),
)
@in_chinese("唯一有值的、被写过的变量和它的编号。")
def ref_merge(*inputs: Array) -> Any:
    """The one written variable that is alive, and its number. Shapes: N times (*S) -> (*S), ()."""
    return [inputs[0], 0]


@ref_merge.gradient
def ref_merge_gradient(node: Node, dy: Tensor, number: Any) -> Sequence[Tensor | None]:
    """As of the value."""
    return merge_gradient(node, dy, number)


def is_reference(tensor: Tensor) -> bool:
    """Whether a tensor is the buffer of a variable, not a copy of its value."""
    op = tensor.node.op
    return tensor.index in op.writes or op.name in ("VariableV2", "RefSwitch", "RefMerge", "RefEnter")


def ref_switched(variable: Tensor, pred: Tensor) -> list[Tensor]:
    """Both outputs of a RefSwitch that stands beside its variable."""
    with current_graph().colocate_with(variable.node, alone=True):
        return list(ref_switch.node(variable, pred, name="Switch").outputs)


def merged(ways: Sequence[Tensor]) -> Tensor:
    """What comes one of these ways: a reference where each of them is one."""
    if not all(is_reference(way) for way in ways):
        return merge(ways)
    with ExitStack() as places:
        for way in ways:
            places.enter_context(current_graph().colocate_with(way.node))
        return ref_merge(ways, name="Merge")


def zeros_for_output(node: Node, index: int) -> Tensor:
    """What an output that nothing used sends back: zeros, for a branch made only when it is not taken."""
    output = node.outputs[index]
    if node.op.name not in ("Switch", "RefSwitch") or node.context is None or node.context.is_loop:
        return constants.zeros_like_op(output, name="zeros_like")
    context = node.context
    untaken = switch.node(node.inputs[0], context.pred).outputs[1 - context.branch]
    pivot = control.identity(untaken)
    shape = measuring.shape_op(untaken)
    with control_dependencies(pivot):
        return constants.zeros(shape, output.dtype)


# -- loops -------------------------------------------------------------------------------------------


def _passed(data: Shape) -> Shape:
    return data


@op(
    "Enter",
    inputs="data",
    accepts="any",
    shape=_passed,
    stateful=True,
    latex="{data}",
    adjoints=[r"\bar{y}"],
    derivative=["1"],
)
@in_chinese("进入循环时的值；常量则每一圈都在。")
def enter(data: Array, frame_name: str = "", is_constant: bool = False, parallel_iterations: int = 10) -> Any:
    """The value as it comes into a loop; a constant one is there in every turn. Shapes: (*S) -> (*S)."""
    return data


@enter.gradient
def enter_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    """What came in has one gradient, at the end of all turns; what is the same in each turn has their sum.

    Within one turn of a loop, a value from outside is what it was.
    """
    if backward_loop() is None:
        return [dy]
    if node.attrs["is_constant"]:
        return [backward_loop().add_up(node.inputs[0], dy)]
    return [backward_loop().leave(dy)]


@op(
    "RefEnter",
    inputs="data",
    accepts="any",
    shape=_passed,
    stateful=True,
    latex="{data}",
    adjoints=enter.adjoints,
    derivative=["1"],
)
@in_chinese("进入循环的变量，每一圈都可以读写。")
def ref_enter(
    data: Array | None, frame_name: str = "", is_constant: bool = True, parallel_iterations: int = 10
) -> Any:
    """The variable as it comes into a loop, to be read and written in every turn. Shapes: (*S) -> (*S)."""
    return data


@ref_enter.gradient
def ref_enter_gradient(node: Node, dy: Tensor) -> Sequence[Tensor | None]:
    """As of the value: what came back to the variable in all turns, added up."""
    return enter_gradient(node, dy)


def ref_entered(variable: Tensor, frame_name: str, parallel: int) -> Tensor:
    """A variable in a loop, placed beside itself."""
    with current_graph().colocate_with(variable.node, alone=True):
        return ref_enter(variable, frame_name=frame_name, parallel_iterations=parallel)


@op(
    "NextIteration",
    inputs="data",
    accepts="any",
    shape=_passed,
    stateful=True,
    latex="{data}",
    adjoints=[r"\bar{y}"],
    derivative=["1"],
)
@in_chinese("进入下一圈的值。")
def next_iteration(data: Array) -> Any:
    """The value as it goes into the next turn. Shapes: (*S) -> (*S)."""
    return data


@next_iteration.gradient
def next_iteration_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    return [dy]


@op(
    "Exit",
    inputs="data",
    accepts="any",
    shape=_passed,
    stateful=True,
    latex="{data}",
    adjoints=[r"\bar{y}"],
    derivative=["1"],
)
@in_chinese("离开循环时的值。")
def exit_op(data: Array) -> Any:
    """The value as it leaves the loop. Shapes: (*S) -> (*S)."""
    return data


@exit_op.gradient
def exit_gradient(node: Node, dy: Tensor) -> Sequence[Tensor]:
    """Where the loop is left, the loop that goes backward begins."""
    return [backward_loop().enter(dy, name="b_exit")]


def backward_loop() -> Any:
    """The loop that goes backward through the turns of another, if nodes of it are being made; else None."""
    context = current_graph().context
    return context if context is not None and context.is_backward else None


def back_edge(merged: Tensor, back: Tensor) -> None:
    """Let a Merge, made with the start of a loop alone, take what a NextIteration hands on."""
    merged.node.inputs = (merged.node.inputs[0], back)


@op(
    "LoopCond",
    stateful=True,
    inputs="input",
    types="bool",
    outputs=("bool",),
    shape=scalar,
    latex="{input}",
    no_gradient=("it decides whether a loop goes on", "它决定循环是否继续"),
    ends_path=True,
)
@in_chinese("循环是否再转一圈。")
def loop_cond(input: Array) -> Any:
    """Whether the loop takes another turn. Shapes: () -> ()."""
    return input


# -- what a loop remembers for its gradient ------------------------------------------------------------

KEPT = ("it keeps values of a loop for the gradient", "它为求梯度保存循环中的值")


def _handle(size: Shape) -> Shape:
    return (2,)


@op(
    "StackV2",
    inputs="max_size",
    types="int32",
    outputs=("resource",),
    shape=_handle,
    stateful=True,
    fixed={"stack_name": ""},
    latex=r"[\,]",
    no_gradient=KEPT,
    ends_path=True,
)
@in_chinese("一个空栈。")
def stack(max_size: Array, elem_type: str = "float32") -> Any:
    """An empty stack. Shapes: () -> (2,)."""
    handle = np.empty((), dtype=object)
    handle[()] = []
    return handle


def _pushed(handle: Shape, elem: Shape) -> Shape:
    return elem


@op(
    "StackPushV2",
    inputs="handle elem",
    types="resource T",
    accepts="any",
    shape=_pushed,
    stateful=True,
    fixed={"swap_memory": False},
    latex=r"{handle} \leftarrow {elem}",
    no_gradient=KEPT,
    ends_path=True,
)
@in_chinese("把一个值放到栈顶。")
def stack_push(handle: Array, elem: Array) -> Any:
    """Puts a value on the stack. Shapes: (2,), (*S) -> (*S)."""
    handle.item().append(elem)
    return elem


@op(
    "StackPopV2",
    inputs="handle",
    types="resource",
    outputs=("elem_type",),
    stateful=True,
    latex=r"\mathrm{pop}\ {handle}",
    no_gradient=KEPT,
    ends_path=True,
)
@in_chinese("取出栈顶的值。")
def stack_pop(handle: Array, elem_type: str = "float32") -> Any:
    """Takes the last value off the stack. Shapes: (2,) -> (*S)."""
    return handle.item().pop()


@op(
    "ControlTrigger",
    inputs="",
    outputs=(),
    shape=list,
    latex=r"\varnothing",
    no_gradient=("it has no output", "它没有输出"),
)
@in_chinese("什么也不算；等它所等的都已算出，或已知不会算。")
def control_trigger() -> Any:
    """Does nothing, once all that it waits for is computed or known not to be."""
    return []
