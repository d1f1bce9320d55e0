"""What holds for the nodes that are made now: scopes, blocks to wait for, placement, phase, source text.

Each block changes one thing and puts it back at its end; Python's `with` keeps them nested.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from engine.errors import GraphError, Span
from engine.graph.devices import merged_device
from engine.graph.lazy_nodes import LazyNodes
from engine.graph.lazy_tensors import Place
from engine.graph.names import Names
from engine.ops.base.building import named
from engine.ops.base.slices import IndexedSlices
from engine.ops.base.tensors import Node, Tensor


class Waiting:
    """One open `control_dependencies` block: what to wait for, and what was made inside."""

    def __init__(self, on: Sequence[Node], outer: Waiting | None) -> None:
        self.on = on
        self.outer = outer
        self.made: set[Node] = set()

    def blocks(self) -> Iterator[Waiting]:
        """This block and those around it, outermost first."""
        if self.outer is not None:
            yield from self.outer.blocks()
        yield self


class NameScope:
    """A block in a name scope. (One stands around nearly every node, and a generator's would cost more.)"""

    __slots__ = ("_around", "_name", "_outer")

    def __init__(self, around: Surroundings, name: str | None) -> None:
        self._around = around
        self._name = name

    def __enter__(self) -> str:
        self._outer = self._around.enter_scope(self._name)
        return self._around.scope_prefix

    def __exit__(self, *_: object) -> None:
        self._around.leave_scope(self._outer)


class Changed:
    """A block in which some of the surroundings are others. (No generator either, for the same reason.)"""

    __slots__ = ("_around", "_others")

    def __init__(self, around: Surroundings, others: dict[str, Any]) -> None:
        self._around = around
        self._others = others

    def __enter__(self) -> None:
        self._exchange()

    def __exit__(self, *_: object) -> None:
        self._exchange()

    def _exchange(self) -> None:
        here = vars(self._around)
        outer = {name: here[name] for name in self._others}
        here.update(self._others)
        self._others = outer
        self._around.lazy.recipes = {}


class Making(Changed):
    """A block whose nodes belong to a phase; what comes after it comes after the gradient."""

    __slots__ = ()

    def __exit__(self, *_: object) -> None:
        self._exchange()
        self._around.leave_forward()


class At:
    """A block whose nodes come from one place of the source."""

    __slots__ = ("_around", "_outer", "_span")

    def __init__(self, around: Surroundings, span: Span | None) -> None:
        self._around = around
        self._span = span

    def __enter__(self) -> None:
        self._outer = self._around.go_to(self._span)

    def __exit__(self, *_: object) -> None:
        self._around.go_back(self._outer)


class Surroundings(ABC):
    """The part of a graph that says where new nodes go.

    lazy: its lazy nodes, whose recipes hold for one place.
    """

    lazy: LazyNodes

    def __init__(self) -> None:
        self.context: Any = None
        self.out_of_order = False  # whether inputs may have been made after their users
        self._names = Names()
        self._waiting: Waiting | None = None
        self._beside: tuple[Node | str, ...] = ()
        self._device = ""
        self._overrides: Mapping[str, str] = {}
        self._phase = "forward"
        self._of: Node | None = None
        self._span: Span | None = None

    @property
    def has_nothing_around(self) -> bool:
        """Whether a node made now would be placed and made to wait by nothing around it."""
        return self._waiting is None and self.context is None and not self._beside and not self._overrides

    @property
    def has_only_places_around(self) -> bool:
        """Whether that is so but for what it is placed beside."""
        return self._waiting is None and self.context is None and not self._overrides

    @property
    def is_plain_here(self) -> bool:
        """Whether that is so, and the node may be lazy."""
        return self.has_nothing_around

    @property
    def phase(self) -> str:
        """Which part of the graph is made now: `forward`, `gradient`, `update`, or what comes `after`."""
        return self._phase

    @property
    def is_placed_here(self) -> bool:
        """Whether a node made now would be placed beside another one."""
        return bool(self._beside)

    def here(self) -> Place:
        """Where nodes are made now."""
        return Place(self._names.scope, self._phase, self._of, self._span, self._device)

    def leave_forward(self) -> None:
        """A gradient was built: what the program makes from here on comes after it."""
        if self._phase == "forward":
            self._phase, self.lazy.recipes = "after", {}

    def _changed(self, **others: Any) -> Changed:
        """A block inside of which these attributes have other values."""
        return Changed(self, others)

    @contextmanager
    def in_place(self, place: Place) -> Iterator[None]:
        """Nodes made inside belong to a plain place, wherever the program is by now."""
        belonging = {"_phase": place.phase, "_of": place.of, "_span": place.span, "_device": place.device}
        plain: dict[str, Any] = {"_waiting": None, "context": None, "_beside": (), "_overrides": {}}
        with self._changed(**belonging, **plain), self.name_scope_kept(f"{place.scope}/"):
            yield

    @abstractmethod
    def _fresh(self, name: str) -> str:
        """A name that is not taken, in the present scope."""

    def name_scope(self, name: str | None) -> NameScope:
        """Open a name scope, made unique; a name that ends in a slash enters that very scope again.

        Returns: on entering, the scope's name with a slash at its end ("" for the outermost).
        """
        return NameScope(self, name)

    def enter_scope(self, name: str | None) -> str:
        """Go into a scope. Returns: the one around it, for `leave_scope`."""
        names, outer, name = self._names, self._names.scope, named(name, "")
        if not name:
            names.scope = ""
        elif name.endswith("/"):
            names.scope = name[:-1]
        else:
            names.scope = self._fresh(name)
        self.lazy.recipes = {}
        return outer

    def leave_scope(self, outer: str) -> None:
        """Go back to the scope around."""
        self._names.scope, self.lazy.recipes = outer, {}

    @property
    def scope_prefix(self) -> str:
        """What the names made now begin with."""
        return self._names.scope and self._names.scope + "/"

    @contextmanager
    def name_scope_kept(self, name: str | None) -> Iterator[None]:
        """Enter an existing scope by its full name with a slash; None stays where it is."""
        outer = self._names.scope
        self.leave_scope(outer if name is None else name[:-1])
        try:
            yield
        finally:
            self.leave_scope(outer)

    def inside(self, context: Any) -> Changed:
        """Nodes made inside belong to this branch or loop."""
        self.out_of_order = True
        return self._changed(context=context)

    def control_dependencies(self, on: Iterable[Any] | None) -> Changed:
        """Nodes made inside wait for these nodes or tensors; None lifts the blocks around."""
        if on is None:
            return self._changed(_waiting=None, context=None)
        nodes = dict.fromkeys(_node_of(item) for item in on)
        return self._changed(_waiting=Waiting([*nodes], self._waiting))

    def colocate_with(self, node: Node | str | None, *, alone: bool = False) -> Changed:
        """Place what is made inside beside `node` (its `_class` attribute), or beside one to come, by name.

        alone: beside nothing else; else beside what the blocks around name, too. A placement counts for
               more than a device, so the devices around do not hold inside, unless it stands alone.
        """
        beside = (*(() if alone else self._beside), *([node] if node else []))
        return self._changed(_beside=beside, _device=self._device if alone else "")

    def device(self, name: str | None) -> Changed:
        """Record `name` as the device of the nodes made inside; None lifts the devices around."""
        return self._changed(_device="" if name is None else merged_device(self._device, name))

    def gradient_override_map(self, rules: Mapping[str, str]) -> Changed:
        """Nodes made inside whose op type stands in `rules` take the gradient registered under that name."""
        return self._changed(_overrides={**self._overrides, **rules})

    def making(self, phase: str, of: Node | None = None) -> Making:
        """Nodes made inside belong to this phase and to the gradient of this forward node.

        Once a gradient was built, whatever the program makes outside of such a block is `after`.
        """
        return Making(self, {"_phase": phase, "_of": of})

    def at(self, span: Span | None) -> AbstractContextManager[None]:
        """Nodes made inside come from this stretch of source text."""
        return At(self, span)

    def go_to(self, span: Span | None) -> Any:
        """From now on nodes come from this stretch of source text. Returns: what `go_back` takes.

        For who makes many such blocks: every call of a program is one.
        """
        outer, self._span = self._span, span
        self.lazy.recipes = {}
        return outer

    def go_back(self, outer: Any) -> None:
        """Nodes come from where they came from before."""
        self._span = outer
        self.lazy.recipes = {}


def _node_of(item: Any) -> Node:
    """The node of a node, a tensor or a variable."""
    if isinstance(item, Node):
        return item
    if isinstance(item, Tensor):
        return item.node
    if isinstance(item, IndexedSlices):
        return item.values.node
    if hasattr(item, "ref"):
        ref: Tensor = item.ref
        return ref.node
    raise GraphError(
        "Control dependencies are operations and tensors.",
        message_zh="控制依赖只能是运算和张量。",
        code="bad_value",
    )
