"""Ops without a definition here: they are drawn and handed on, and never computed or differentiated."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from engine.errors import ValueRefused
from engine.ops.base.definition import OpDef

UNKNOWN = ("Gradlens has no definition of this op", "Gradlens 没有这个运算的定义")
UNFIT = ("what the file says of it does not fit its op", "文件中对它的描述与这个运算不符")


class ForeignOp(OpDef):
    """An op of another program's, without a definition here."""

    is_known = False


@lru_cache(maxsize=1024)
def foreign_op(name: str, why: tuple[str, str] = UNKNOWN) -> ForeignOp:
    """An op of this name without kernel, shape rule and gradient; `why`: in both languages."""

    def kernel(*inputs: Any) -> Any:
        raise ValueRefused(f"{name} is not computed: {why[0]}.", message_zh=f"{name} 无法计算：{why[1]}。")

    return ForeignOp(name, kernel, {"inputs": "*inputs", "no_gradient": why, "stateful": True})
