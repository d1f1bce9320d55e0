"""The objects that statements read, and all that they hold: whether it is what it was."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import is_
from typing import Any

from engine.execution.eager.turns.arguments import NotRecorded
from engine.languages.interpreter.callables import BoundMethod, Native, UserFunction
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.values import Module
from engine.languages.surfaces.tf2.looping.watching import CONSTANT
from engine.languages.surfaces.torch.dtypes import DType
from engine.languages.surfaces.torch.optim.optimizer import OPTIMIZER
from engine.languages.surfaces.torch.sizes import Size
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import Tensor

PLAIN = (Module, Native, BoundMethod, UserFunction, DType)
MOST = 300  # dicts and lists that are looked at in each turn


class Held:
    """What some objects hold, through lists, dicts and fields down to tensors and numbers.

    tensors: all tensors among them. optimizers: the optimizers.
    """

    def __init__(self, values: Iterable[Any]) -> None:
        """Raises: NotRecorded where they hold something of which that is not known."""
        self.tensors: list[Tensor] = []
        self.optimizers: list[UserObject] = []
        self._dicts: list[tuple[Any, tuple[Any, ...], tuple[Any, ...]]] = []
        self._lists: list[tuple[Any, tuple[Any, ...]]] = []
        seen: set[int] = set()
        waiting = list(values)
        while waiting:
            value = waiting.pop()
            if id(value) in seen:
                continue
            seen.add(id(value))
            waiting += self._into(value)
            if len(self._dicts) + len(self._lists) > MOST:
                raise NotRecorded

    def _into(self, value: Any) -> Sequence[Any]:
        """Take up one value. Returns: what it holds."""
        if isinstance(value, Tensor):
            self.tensors.append(value)
            return ()
        if type(value) in (list, tuple) or type(value) is Size:
            self._lists.append((value, tuple(value)))
            return value  # type: ignore[no-any-return]
        if isinstance(value, dict):
            return self._of_dict(value)
        if isinstance(value, UserObject):
            return self._of_object(value)
        if type(value) not in CONSTANT and not isinstance(value, PLAIN):
            raise NotRecorded
        return ()

    def _of_dict(self, value: dict[Any, Any]) -> list[Any]:
        self._dicts.append((value, tuple(value), tuple(value.values())))
        return [*value.values()]

    def _of_object(self, value: UserObject) -> list[Any]:
        """The fields of an object, and the members of its classes that the program may change."""
        own: list[UserClass] = [kind for kind in value.kind.order if kind.origin == "program"]
        self._lists += [(_Members(kind), tuple(kind.members.values())) for kind in own]
        found = self._of_dict(value.fields)
        if OPTIMIZER not in value.kind.order:
            return found
        self.optimizers.append(value)
        facts: dict[Any, Any] = value.fields["state"]
        self._dicts.append((facts, tuple(facts), tuple(facts.values())))
        for applied in state().parts.get("optimizers", {}).get(value.serial, ()):
            for slots in (applied.slots, *applied.slots.values()):
                self._dicts.append((slots, tuple(slots), tuple(slots.values())))
        return [one for one in found if one is not facts]

    def is_same(self) -> bool:
        """Whether all of it is what it was."""
        for items, known in self._lists:
            if len(items) != len(known) or not all(map(is_, items, known)):
                return False
        for items, keys, values in self._dicts:
            if len(items) != len(keys) or not all(map(is_, items, keys)):
                return False
            if not all(map(is_, items.values(), values)) and not all(map(_alike, items.values(), values)):
                return False
        return True


class _Members:
    """The members of a class, whose table is another one when it is changed."""

    def __init__(self, kind: UserClass) -> None:
        self._kind = kind

    def __len__(self) -> int:
        return len(self._kind.members)

    def __iter__(self) -> Any:
        return iter(self._kind.members.values())


def _alike(a: Any, b: Any) -> bool:
    """Whether two values are the same object, or the same number."""
    return a is b or (type(a) is type(b) and type(a) in (float, int, str) and repr(a) == repr(b))
