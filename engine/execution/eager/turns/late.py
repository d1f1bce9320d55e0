"""What a replayed turn gives out: its node, or what a tape recorded, is written down when somebody looks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.differentiation.tape import Tape
from engine.execution.eager.immediate import EagerTensor, Watched
from engine.execution.interpreter.trace import Run
from engine.graph import Tensor
from engine.ops.base.tensors import Array


class AfterMaterializing:
    """A field of a tensor of a replayed turn: whoever reads it has its graph materialized."""

    def __init__(self, name: str) -> None:
        self._field: Any = Tensor.__dict__[name]

    def __get__(self, tensor: Any, _: type) -> Any:
        tensor.graph.materialize()
        tensor.__class__ = EagerTensor
        return self._field.__get__(tensor)

    def __set__(self, tensor: Any, value: Any) -> None:
        self._field.__set__(tensor, value)


class LateTensor(EagerTensor):
    """An output of a node that a replayed turn has run: an ordinary tensor once its node is asked for.

    (`Replay` fills in the fields: a call of `__init__` would take as long as all the rest.)
    """

    __slots__ = ()
    __init__ = object.__init__

    node: Any = AfterMaterializing("node")
    index: Any = AfterMaterializing("index")

    @property
    def name(self) -> str:
        """TensorFlow's name of it, which is known without materializing."""
        return name_of(self)


class NotedTensor(Watched, LateTensor):
    """The same in a turn that is watched: it notes who looks at its value."""

    __slots__ = ()


def make_ordinary(tensors: Iterable[Tensor]) -> None:
    """Let tensors of replayed turns, whose nodes are written down, be ordinary ones."""
    for tensor in tensors:
        if isinstance(tensor, LateTensor):
            tensor.__class__ = EagerTensor


set_node, set_index = Tensor.__dict__["node"].__set__, Tensor.__dict__["index"].__set__
node_of = Tensor.__dict__["node"].__get__  # of a tensor, late or not, without materializing
index_of = Tensor.__dict__["index"].__get__


def name_of(tensor: Tensor) -> str:
    """A tensor's name, without materializing."""
    return f"{node_of(tensor).name}:{index_of(tensor)}"


class LateTape(Tape):
    """A tape of a replayed turn, of which it is which; an ordinary one once somebody looks at its record."""

    turn: Any
    which: int

    def materialize(self) -> Tape:
        """What it would have recorded."""
        self.turn.graph.materialize()
        if type(self) is LateTape:
            self.turn.fill(self)
        return self

    @property
    def tracked(self) -> Any:  # type: ignore[override]
        """The watched tensors and all floats computed from them."""
        return self.materialize().tracked

    @property
    def entries(self) -> Any:  # type: ignore[override]
        """The nodes that took a tracked tensor."""
        return self.materialize().entries

    @property
    def variables(self) -> Any:  # type: ignore[override]
        """The variables that it follows."""
        return self.materialize().variables


class LateRun(Run):
    """The record of a replayed turn, written when somebody looks at it: most are not looked at."""

    __slots__ = ("_first", "_turn")

    def __init__(self, turn: Any, first: int) -> None:
        """first: what ran last on nodes before this one belongs to the next turn."""
        self.fetches, self.feeds, self.dead = (), (), set()
        self._turn = turn
        self._first = first

    def may_have_more_than(self, elements: int) -> bool:
        """Whether an array of it may have more elements, without a look at them."""
        return self._turn is None or bool(self._turn.recorded.most_elements > elements)

    @property
    def count(self) -> int:
        """How many values it has."""
        return super().count if self._turn is None else len(self._turn.shown_by_name(self._first))

    def named(self) -> dict[str, Array]:
        """Its values by the names of their tensors, which need not be there for that."""
        found: dict[str, Array] = (
            super().named() if self._turn is None else self._turn.shown_by_name(self._first)
        )
        return found

    def __getattr__(self, name: str) -> Any:  # a field that is not there yet
        if name not in ("updates", "values"):
            raise AttributeError(name)
        if name == "updates":
            self.updates = self._turn.updates()
            return self.updates
        self.updates, self.values = self._turn.updates(), self._turn.shown(self._first)
        self._turn = None  # it holds what the turn wrote, which may be large
        return self.values
