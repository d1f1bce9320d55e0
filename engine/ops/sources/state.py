"""Variables, the ops that write them, and one that asks. Input 0 of these is the variable itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import ShapeError, UninitialisedError
from engine.ops.base.definition import in_chinese, op
from engine.ops.base.shapes import merge, written
from engine.ops.base.tensors import Array, Shape

WRITES = ("it writes a variable; differentiate the value instead", "它写入变量；请改为对值求导")


def _declared(*, attributes: Any) -> Shape:
    shape: Shape = attributes["shape"]
    return shape


@op(
    "VariableV2",
    inputs="",
    outputs=("dtype",),
    shape=_declared,
    stateful=True,
    fixed={"container": "", "shared_name": ""},
    latex="{name}",
    no_gradient=("it has no inputs; it is what others are differentiated by", "它没有输入；别的量对它求导"),
    ends_path=True,
)
@in_chinese("变量的存放处；它的值在会话中。")
def variable_v2(dtype: str = "float32", shape: Shape = None) -> Any:
    """The buffer of a variable; a session holds its value."""
    raise UninitialisedError(
        "A variable has no value before an initializer ran.",
        message_zh="在初始化运算运行之前，变量没有值。",
    )


def _like_value(ref: Shape, value: Shape) -> Shape:
    """The shape of both.

    Raises: ShapeError where they contradict each other.
    """
    try:
        return merge(ref, value)
    except ShapeError:
        raise ShapeError(
            f"A variable of the shape {written(ref)} cannot take a value of the shape {written(value)}.",
            hint="A variable keeps its shape; reshape the value, or make another variable.",
            message_zh=f"形状为 {written(ref)} 的变量不能接收形状为 {written(value)} 的值。",
            hint_zh="变量的形状不变；请改变值的形状，或另建一个变量。",
        ) from None


@op(
    "Assign",
    inputs="ref value",
    accepts="any",
    shape=_like_value,
    writes=(0,),
    fixed={"validate_shape": True},
    latex=r"{ref} \leftarrow {value}",
    no_gradient=WRITES,
    ends_path=True,
)
@in_chinese("变量取这个值。")
def assign(ref: Array | None, value: Array, use_locking: bool = True) -> Any:
    """The variable takes the value. Shapes: ref and value (*S) -> the new value (*S)."""
    return value


@op(
    "AssignAdd",
    inputs="ref value",
    shape=_like_value,
    writes=(0,),
    latex=r"{ref} \leftarrow {ref} + {value}",
    no_gradient=WRITES,
    ends_path=True,
    accepts="numbers",
)
@in_chinese("变量加上这个值。")
def assign_add(ref: Array, value: Array, use_locking: bool = False) -> Any:
    """The value is added to the variable. Shapes: ref and value (*S) -> the new value (*S)."""
    _like_value(ref.shape, value.shape)
    return ref + value


@op(
    "AssignSub",
    inputs="ref value",
    shape=_like_value,
    writes=(0,),
    latex=r"{ref} \leftarrow {ref} - {value}",
    no_gradient=WRITES,
    ends_path=True,
    accepts="numbers",
)
@in_chinese("变量减去这个值。")
def assign_sub(ref: Array, value: Array, use_locking: bool = False) -> Any:
    """The value is taken off the variable. Shapes: ref and value (*S) -> the new value (*S)."""
    _like_value(ref.shape, value.shape)
    return ref - value


@op(
    "IsVariableInitialized",
    inputs="ref",
    accepts="any",
    outputs=("bool",),
    shape=lambda ref: (),
    stateful=True,
    latex=r"{ref} \text{ has a value}",
    no_gradient=("it is true or false, and does not vary smoothly", "它是真或假，不连续变化"),
    ends_path=True,
)
@in_chinese("会话中是否有这个变量的值。")
def is_variable_initialized(ref: Array | None) -> Any:
    """Whether a session holds a value of the variable. Shapes: ref (*S) -> ()."""
    return np.asarray(ref is not None)
