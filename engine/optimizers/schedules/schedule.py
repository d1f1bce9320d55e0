"""What a learning-rate schedule is: a pure function of the step number, and the nodes that compute it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.tensors import Tensor
from engine.ops.common.casting import cast


class Schedule(ABC):
    """A rate for every step.

    name:   what `POST /runs` calls it: TensorFlow's function of that name.
    scope:  the scope of its nodes.
    latex:  the rate; η₀ is the first one, s the step number, T the decay steps.
    doc_zh: the first paragraph of the documentation in Chinese.
    """

    __slots__ = ()

    name: ClassVar[str]
    scope: ClassVar[str]
    latex: ClassVar[tuple[str, ...]]
    doc_zh: ClassVar[str] = ""

    @abstractmethod
    def rate(self, step: int) -> float:
        """The learning rate at this step, the first of which is 0."""

    @abstractmethod
    def build(self, global_step: Any, name: str | None = None) -> Tensor:
        """The rate as a tensor that follows `global_step`."""


class Scaled(Schedule):
    """A schedule whose nodes, in a scope of its own, start from the first learning rate."""

    __slots__ = ()

    learning_rate: Any

    @abstractmethod
    def nodes(self, rate: Tensor, step: Any, scope: str) -> Tensor:
        """Add the nodes; `rate` is the first learning rate as a tensor, `scope` the name of the last one."""

    def build(self, global_step: Any, name: str | None = None) -> Tensor:
        """The first learning rate as a tensor, then the nodes."""
        with name_scope(name, self.scope) as scope:
            rate = convert_to_tensor(self.learning_rate, name="initial_learning_rate")
            return self.nodes(rate, global_step, scope)


def as_type_of(rate: Tensor, *values: Any) -> list[Tensor]:
    """Numbers or tensors in the type of the rate, one after the other."""
    return [cast(value, rate.dtype) for value in values]
