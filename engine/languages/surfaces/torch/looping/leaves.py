"""Tensors from outside of a part: what it depends on of them, and what it leaves of them."""

from __future__ import annotations

from enum import Enum
from typing import Any

from engine.execution.eager.turns.arguments import NotRecorded
from engine.execution.eager.turns.replay import Replay
from engine.languages.surfaces.torch.looping.chain import LateTensor
from engine.languages.surfaces.torch.looping.examples import place_of
from engine.languages.surfaces.torch.tensor import Tensor, of_value


class Grad(Enum):
    """What becomes of the gradient of a tensor."""

    NONE = "there is none"
    KEPT = "it stays what it was"
    NEW = "it is another one"


class Leaf:
    """A tensor as it is when a trial begins."""

    def __init__(self, tensor: Tensor) -> None:
        """Raises: NotRecorded for one that is more than a leaf or an array."""
        self.tensor = tensor
        if type(tensor) is LateTensor or _is_more(tensor):
            raise NotRecorded
        self.facts = facts_of(tensor)
        self.grad = tensor.grad
        self.grad_value = None if tensor.grad is None else tensor.grad.storage.value
        self.writes, self.version = tensor.storage.writes, tensor.version.number

    def left(self, turn: Replay) -> Left:
        """What is left of it now. Raises: NotRecorded where that cannot be left again."""
        tensor, grad = self.tensor, self.tensor.grad
        if _is_more(tensor):
            raise NotRecorded
        facts = facts_of(tensor)
        same = all(a is b for a, b in zip(facts[:-1], self.facts[:-1], strict=True))
        if not same or (tensor.accumulator is not self.facts[-1]):
            raise NotRecorded
        changes = tensor.storage.writes - self.writes, tensor.version.number - self.version
        place = None
        if grad is None:
            kind = Grad.NONE
        elif grad is self.grad:
            kind = Grad.KEPT
            if grad.storage.value is not self.grad_value or grad.steps:
                raise NotRecorded
            place = _place_or_none(grad.storage.value, turn)
        else:
            kind, place = Grad.NEW, place_of(grad.storage.value, turn)
            if type(grad) is not Tensor or grad.steps or grad.node is not None or grad.requires:
                raise NotRecorded
        return Left(tensor, facts, self.grad is None, kind, place, changes)


class Left:
    """What a part leaves of a tensor, and what it depends on."""

    def __init__(
        self,
        tensor: Tensor,
        facts: tuple[Any, ...],
        had_none: bool,
        kind: Grad,
        place: int | None,
        changes: tuple[int, int],
    ) -> None:
        self._tensor = tensor
        self._facts = facts
        self._had_none = had_none
        self._kind = kind
        self._place = place
        self._changes = changes

    @property
    def described(self) -> Any:
        """What is the same in every turn."""
        return id(self._tensor), self._had_none, self._kind, self._place, self._changes

    def begins_alike(self, turn: Replay | None) -> bool:
        """Whether the tensor is as it was when the part began. turn: the one that is under way, if it is."""
        tensor = self._tensor
        if _is_more(tensor):
            return False
        for now, known in zip(facts_of(tensor), self._facts, strict=True):
            if now is not known:
                return False
        grad = tensor.grad
        if (grad is None) != self._had_none:
            return False
        if self._kind is Grad.KEPT and self._place is not None:
            return turn is not None and grad is not None and grad.storage.value is turn.tensors[self._place]
        return True

    def leaves_once(self, others: set[int]) -> None:
        """Count the changes of memory, and of a version, that several tensors share, once."""
        tensor, (writes, changes) = self._tensor, self._changes
        writes = 0 if id(tensor.storage) in others else writes
        self._changes = writes, 0 if id(tensor.version) in others else changes
        others |= {id(tensor.storage), id(tensor.version)}

    def leave(self, turn: Replay) -> None:
        """Leave the tensor as the part does."""
        tensor = self._tensor
        self.count(1)
        if self._kind is Grad.NONE:
            tensor.grad = None
        elif self._kind is Grad.NEW and self._place is not None:
            tensor.grad = of_value(turn.tensor(self._place))

    def count(self, turns: int) -> None:
        """Count how often so many turns change it."""
        writes, changes = self._changes
        self._tensor.storage.writes += turns * writes
        self._tensor.version.number += turns * changes


def _is_more(tensor: Tensor) -> bool:
    """Whether somebody follows what becomes of it, or it is no leaf."""
    storage, end = tensor.storage, tensor.accumulator
    if end is not None and (end.pre_hooks or end.node_pre_hooks or end.post_hooks or end.retaining):
        return True
    return bool(
        tensor.hooks
        or tensor.post_hooks
        or tensor.retains
        or tensor.node is not None
        or storage.shared is not None
        or storage.later
    )


def facts_of(tensor: Tensor) -> tuple[Any, ...]:
    """What of a tensor has to be the same: objects, of which another one is another case."""
    storage = tensor.storage
    held = (None, None) if storage.variable is not None else (storage.value, storage.array)
    seen = (tensor.seen, tensor.shown == storage.writes) if tensor.steps else (None, True)
    return (storage, tensor.steps, tensor.requires, storage.variable, *held, *seen, tensor.accumulator)


def _place_or_none(value: Any, turn: Replay) -> int | None:
    return next((place for place, one in enumerate(turn.tensors) if one is value and one is not None), None)


def is_fresh(tensor: Any) -> bool:
    """Whether a tensor is an array that no function has used yet."""
    if type(tensor) is not Tensor or tensor.steps or tensor.requires or tensor.wrapped:
        return False
    storage = tensor.storage
    has_none = storage.value is None and storage.variable is None and storage.shared is None
    return bool(has_none and not storage.later and not tensor.hooks and tensor.base is None)
