"""What an eager graph refuses: tensors without a value, and more nodes than it may have."""

from __future__ import annotations

from engine.errors import LimitError, ProgramError, RefusedError
from engine.graph import Tensor


def without_value(tensor: Tensor) -> ProgramError:
    """A tensor of a traced function is used outside."""
    return ProgramError(
        f"{tensor.name} belongs to a function that was traced: it has no value here.",
        hint="Return it from the function, and use what the call gives.",
        message_zh=f"{tensor.name} 属于被跟踪的函数，在这里没有值。",
        hint_zh="请从函数中返回它，再使用调用的结果。",
        code="out_of_scope",
        kind="TypeError",
    )


def too_many_nodes(limit: int) -> LimitError:
    """A loop that goes on with other operations each time."""
    return LimitError(
        f"The program was stopped after {limit:,} operations that differ; a loop may never end.",
        hint="Check the loop's condition: with a = 0, doubling a never passes any bound.",
        message_zh=f"程序在执行 {limit:,} 个不同的运算后被停止；可能有循环不会结束。",
        hint_zh="请检查循环条件：例如 a = 0 时，无论加倍多少次都不会超过任何界限。",
        code="node_limit",
    )


def given_up() -> RefusedError:
    """A variable is written whose node a later turn of its loop has taken."""
    return RefusedError(
        "This variable was made in an earlier turn of a long loop, and later turns have made others in its "
        "place: it can be read, but not changed.",
        hint="Make the variables or models before the loop, or in fewer turns.",
        message_zh="这个变量是在一个长循环较早的一轮中创建的，之后的轮次在同一位置创建了新的变量：它可以读取，"
        "但不能再修改。",
        hint_zh="请在循环之前创建变量或模型，或减少循环的轮数。",
    )
