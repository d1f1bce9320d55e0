"""Every op by its name.

Gradient rules call each other in a circle (that of a sum repeats, that of a repetition sums); their files
must not. So a file that needs an op which is defined further up finds it here, when it calls it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from engine.errors import ProgramError

if TYPE_CHECKING:
    from engine.ops.base.definition import OpDef
    from engine.ops.base.tensors import Tensor


class Registry(Mapping[str, "OpDef"]):
    """Every op by its name."""

    def __init__(self) -> None:
        self._ops: dict[str, OpDef] = {}

    def __getitem__(self, name: str) -> OpDef:
        return self._ops[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._ops)

    def __len__(self) -> int:
        return len(self._ops)

    def add(self, definition: OpDef) -> None:
        """Take in a new op; a name is taken once."""
        if definition.name in self._ops:
            raise ProgramError(
                f"An op named {definition.name} is registered already.",
                message_zh=f"名为 {definition.name} 的运算已经注册过。",
            )
        self._ops[definition.name] = definition

    def remove(self, name: str) -> None:
        """Forget an op, as a test does of one that it defined."""
        del self._ops[name]


REGISTRY = Registry()


def op_called(name: str) -> Callable[..., Tensor]:
    """The op of this name, looked up when it is called."""

    def call(*inputs: Any, **keywords: Any) -> Tensor:
        return REGISTRY[name](*inputs, **keywords)

    return call
