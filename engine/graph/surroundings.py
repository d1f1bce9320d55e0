"""What holds for the nodes that are made now: scopes, blocks to wait for, placement, phase, source text.

Each block changes one thing and puts it back at its end; Python's `with` keeps them nested.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from engine.errors import GraphError, Span
from engine.graph.devices import merged_device
from engine.graph.lazy_nodes import Place, Recipe
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


class Surroundings(ABC):
    """The part of a graph that says where new nodes go; `_recipes_here` are those of the present place."""

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
        self._recipes_here: dict[Any, Recipe] = {}

    @property
    def is_plain_here(self) -> bool:
        """Whether a node made now would be placed and made to wait by nothing around it."""
        return self._waiting is None and self.context is None and not self._beside and not self._overrides

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
            self._phase, self._recipes_here = "after", {}

    @contextmanager
    def in_place(self, place: Place) -> Iterator[None]:
        """Nodes made inside belong to a plain place, wherever the program is by now."""
        outer = self.here()
        around = self._waiting, self.context, self._beside, self._overrides
        self._waiting, self.context, self._beside, self._overrides = None, None, (), {}
        self._go_to(place)
        try:
            yield
        finally:
            self._waiting, self.context, self._beside, self._overrides = around
            self._go_to(outer)

    def _go_to(self, place: Place) -> None:
        self._names.scope, self._phase, self._of = place.scope, place.phase, place.of
        self._span, self._device, self._recipes_here = place.span, place.device, {}

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
        self._recipes_here = {}
        return outer

    def leave_scope(self, outer: str) -> None:
        """Go back to the scope around."""
        self._names.scope, self._recipes_here = outer, {}

    @property
    def scope_prefix(self) -> str:
        """What the names made now begin with."""
        return self._names.scope and self._names.scope + "/"

    @contextmanager
    def name_scope_kept(self, name: str | None) -> Iterator[None]:
        """Enter an existing scope by its full name with a slash; None stays where it is."""
        names, outer = self._names, self._names.scope
        names.scope, self._recipes_here = outer if name is None else name[:-1], {}
        try:
            yield
        finally:
            names.scope, self._recipes_here = outer, {}

    @contextmanager
    def inside(self, context: Any) -> Iterator[None]:
        """Nodes made inside belong to this branch or loop."""
        outer, self.context = self.context, context
        self.out_of_order, self._recipes_here = True, {}
        try:
            yield
        finally:
            self.context, self._recipes_here = outer, {}

    @contextmanager
    def control_dependencies(self, on: Iterable[Any] | None) -> Iterator[None]:
        """Nodes made inside wait for these nodes or tensors; None lifts the blocks around."""
        outer, outer_context = self._waiting, self.context
        if on is None:
            self._waiting = self.context = None
        else:
            nodes = [_node_of(item) for item in on]
            self._waiting = Waiting(list(dict.fromkeys(nodes)), outer)
        self._recipes_here = {}
        try:
            yield
        finally:
            self._waiting, self.context, self._recipes_here = outer, outer_context, {}

    @contextmanager
    def colocate_with(self, node: Node | str | None, *, alone: bool = False) -> Iterator[None]:
        """Place what is made inside beside `node` (its `_class` attribute), or beside one to come, by name.

        alone: beside nothing else; else beside what the blocks around name, too. A placement counts for
               more than a device, so the devices around do not hold inside, unless it stands alone.
        """
        outer_beside, outer_device = self._beside, self._device
        self._beside = (*(() if alone else outer_beside), *([node] if node else []))
        if not alone:
            self._device = ""
        self._recipes_here = {}
        try:
            yield
        finally:
            self._beside, self._device, self._recipes_here = outer_beside, outer_device, {}

    @contextmanager
    def device(self, name: str | None) -> Iterator[None]:
        """Record `name` as the device of the nodes made inside; None lifts the devices around."""
        outer = self._device
        self._device, self._recipes_here = "" if name is None else merged_device(outer, name), {}
        try:
            yield
        finally:
            self._device, self._recipes_here = outer, {}

    @contextmanager
    def gradient_override_map(self, rules: Mapping[str, str]) -> Iterator[None]:
        """Nodes made inside whose op type stands in `rules` take the gradient registered under that name."""
        outer = self._overrides
        self._overrides, self._recipes_here = {**outer, **rules}, {}
        try:
            yield
        finally:
            self._overrides, self._recipes_here = outer, {}

    @contextmanager
    def making(self, phase: str, of: Node | None = None) -> Iterator[None]:
        """Nodes made inside belong to this phase and to the gradient of this forward node.

        Once a gradient was built, whatever the program makes outside of such a block is `after`.
        """
        outer_phase, outer_of = self._phase, self._of
        self._phase, self._of, self._recipes_here = phase, of, {}
        try:
            yield
        finally:
            self._phase = "after" if outer_phase == "forward" else outer_phase
            self._of, self._recipes_here = outer_of, {}

    @contextmanager
    def at(self, span: Span | None) -> Iterator[None]:
        """Nodes made inside come from this stretch of source text."""
        outer = self._span
        self._span, self._recipes_here = span, {}
        try:
            yield
        finally:
            self._span, self._recipes_here = outer, {}


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
