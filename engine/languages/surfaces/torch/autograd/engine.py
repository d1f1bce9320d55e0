"""The pass backward: through the nodes in PyTorch's order, adding up what comes to each."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Sequence
from itertools import count
from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.nodes import AccumulateGrad, Edge, Meta, Node
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import Tensor, like

LAST_OF_ALL = -1  # leaves take what comes to them as soon as it is there


class Pass:
    """One pass backward. received: what has come so far to each output of a node.

    keep_graph:   whether what the nodes have saved is kept for another pass.
    create_graph: whether the pass itself leaves nodes behind.
    wanted:       outputs of nodes whose gradients are to be handed out instead of added to leaves.
    """

    def __init__(
        self, *, keep_graph: bool, create_graph: bool, wanted: Sequence[Edge] = (), accumulate: bool = True
    ) -> None:
        self.keep_graph = keep_graph
        self.create_graph = create_graph
        self.wanted = {(edge.node, edge.index): place for place, edge in enumerate(wanted)}
        self.found: dict[int, Tensor | None] = {}
        self.accumulate = accumulate
        self.received: dict[Node, list[Tensor | None]] = {}
        self.reached: dict[Node, Tensor] = {}

    def run(self, roots: Sequence[Edge], seeds: Sequence[Tensor]) -> None:
        """Send the seeds from the roots to the ends."""
        needed = self._needed([edge.node for edge in roots]) if self.wanted else None
        pending = _dependencies(edge.node for edge in roots)
        for edge, seed in zip(roots, seeds, strict=True):
            self._receive(edge, seed)
        order = count()  # of leaves, which all rank alike: as they become ready
        ready = [(_rank(node), next(order), node) for node in dict.fromkeys(edge.node for edge in roots)]
        ready = [entry for entry in ready if pending.get(entry[2], 0) == 0]
        heapq.heapify(ready)
        while ready:
            node = heapq.heappop(ready)[2]
            for edge, gradient in self._visit(node, needed):
                pending[edge.node] -= 1
                if gradient is not None:
                    self._receive(edge, gradient)
                if pending[edge.node] == 0:
                    heapq.heappush(ready, (_rank(edge.node), next(order), edge.node))

    def _needed(self, roots: Iterable[Node]) -> set[Node]:
        """The nodes on a way to what is wanted."""
        ends = {node for node, _ in self.wanted}
        needed: set[Node] = set(ends)
        order: list[Node] = []
        seen: set[Node] = set()
        waiting = [(node, False) for node in roots]
        while waiting:
            node, is_left = waiting.pop()
            if is_left:
                order.append(node)
            elif node not in seen:
                seen.add(node)
                waiting.append((node, True))
                waiting += [(edge.node, False) for edge in node.next_edges if edge is not None]
        for node in order:
            if any(edge is not None and edge.node in needed for edge in node.next_edges):
                needed.add(node)
        return needed

    def _receive(self, edge: Edge, gradient: Tensor) -> None:
        buffer = self.received.setdefault(edge.node, [None] * max(len(edge.node.outputs), edge.index + 1))
        before = buffer[edge.index]
        if before is None:
            buffer[edge.index] = gradient
        else:
            with self._as_gradient(edge.node):
                buffer[edge.index] = before + gradient

    def _visit(self, node: Node, needed: set[Node] | None) -> list[tuple[Edge, Tensor | None]]:
        """Apply one node. Returns: its edges, each with what goes along it."""
        grads = self.received.pop(node, [None] * len(node.outputs))
        with self._as_gradient(node):
            grads = self._hooked(node, grads)
            for index, gradient in enumerate(grads):
                place = self.wanted.get((node, index))
                if place is not None:
                    self.found[place] = gradient
            edges = [edge for edge in node.next_edges if edge is not None]
            if isinstance(node, AccumulateGrad):
                _keep_received(node, grads)
                if self.accumulate and (needed is None or node in needed) and grads[0] is not None:
                    accumulate(node, grads[0], self.create_graph)
                    self.reached[node] = grads[0]
                return []
            if needed is not None and not any(edge.node in needed for edge in edges):
                return [(edge, None) for edge in edges]
            return self._applied(node, grads, needed)

    def _applied(
        self, node: Node, grads: list[Tensor | None], needed: set[Node] | None
    ) -> list[tuple[Edge, Tensor | None]]:
        if node.runs_a_pass and self.wanted:
            raise _wanted_of_a_pass()
        asked = [edge is not None and (needed is None or edge.node in needed) for edge in node.next_edges]
        found = list(node.apply(_with_zeros(node, grads), asked))
        if not self.keep_graph:
            node.release()
        found = [
            fitted(node, edge, place, one)
            for place, (edge, one) in enumerate(zip(node.next_edges, found, strict=True))
        ]
        if state().looks_for_nan:
            _check_numbers(node, found)
        for hook in list(node.post_hooks):
            found = list(hook(found, grads))
        _remember(node, grads, found)
        return [(edge, one) for edge, one in zip(node.next_edges, found, strict=True) if edge is not None]

    def _hooked(self, node: Node, grads: list[Tensor | None]) -> list[Tensor | None]:
        """What hooks make of the gradients that have come together at a node."""
        grads = list(grads)
        for index, hook in list(node.pre_hooks):
            if index is not None and index < len(grads) and grads[index] is not None:
                grads[index] = hook(grads[index])
        for hook in list(node.node_pre_hooks):
            grads = list(hook(grads))
        for index, tensor in node.retaining.items():
            gradient = grads[index]
            if gradient is not None:
                tensor.grad = gradient if tensor.grad is None else tensor.grad + gradient
        return grads

    def _as_gradient(self, node: Node) -> OfGradient:
        return OfGradient(node, self.create_graph)


class OfGradient:
    """A block whose nodes of the graph belong to the gradient of a function's own node.

    (One stands around every node of a pass, and a generator's would cost more.)
    """

    __slots__ = ("_graph", "_making", "_outer", "_records", "_scope")

    def __init__(self, node: Node, records: bool) -> None:
        graph = self._graph = state().graph
        forward = node.forward if node.forward is not None and node.forward.graph is graph else None
        self._scope = None if forward is None else f"{forward.name}_grad"
        self._making = graph.making("gradient", of=forward)
        self._records = records

    def __enter__(self) -> None:
        now = state()
        self._making.__enter__()
        outer = None if self._scope is None else self._graph.enter_scope(self._scope)
        self._outer = outer, now.records
        now.records = self._records

    def __exit__(self, *_: object) -> None:
        scope, state().records = self._outer
        if scope is not None:
            self._graph.leave_scope(scope)
        self._making.__exit__()


def _wanted_of_a_pass() -> Exception:
    return torch_error(
        "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an `inputs` "
        "parameter to .backward(). To resolve this error, you can either set use_reentrant=False, or call "
        ".backward() without passing the `inputs` argument.",
        "use_reentrant=True 的 checkpoint 不能与 grad() 或 backward(inputs=…) 一起使用。请改用 "
        "use_reentrant=False，或不带 inputs 调用 backward()。",
    )


def _check_numbers(node: Node, found: Sequence[Tensor | None]) -> None:
    """Raises: RuntimeError's message of PyTorch for a gradient that is no number."""
    for place, gradient in enumerate(found):
        if gradient is not None and np.isnan(gradient.array).any():
            raise torch_error(
                f"Function '{node.name}' returned nan values in its {place}th output.",
                f"函数 {node.name} 返回的第 {place} 个梯度中有 nan。",
                hint="Look at what this function was given: 0 / 0, log or sqrt of a negative number.",
                hint_zh="请检查它的输入：0 / 0，或负数的 log、sqrt。",
            )


def _rank(node: Node) -> int:
    """Leaves first, then the youngest function."""
    return LAST_OF_ALL - state().sequence if isinstance(node, AccumulateGrad) else -node.sequence


def _dependencies(roots: Iterable[Node]) -> dict[Node, int]:
    """How many edges lead to each node."""
    counts: dict[Node, int] = {}
    seen: set[Node] = set()
    waiting = list(dict.fromkeys(roots))
    seen.update(waiting)
    while waiting:
        for edge in waiting.pop().next_edges:
            if edge is None:
                continue
            counts[edge.node] = counts.get(edge.node, 0) + 1
            if edge.node not in seen:
                seen.add(edge.node)
                waiting.append(edge.node)
    return counts


def _with_zeros(node: Node, grads: list[Tensor | None]) -> list[Tensor | None]:
    """Of a function with several outputs those that received nothing send back zeros."""
    if not node.fills_zeros or len(grads) < 2 or all(one is None for one in grads):
        return grads
    return [
        zeros_of(meta) if one is None and meta.dtype.has_gradients else one
        for one, meta in zip(grads, node.outputs, strict=True)
    ]


def zeros_of(meta: Meta) -> Tensor:
    """Zeros of a shape and type."""
    return like(ops.zeros(list(meta.shape), dtype=meta.dtype.held_as), meta.dtype)


def fitted(node: Node, edge: Edge | None, place: int, gradient: Tensor | None) -> Tensor | None:
    """A gradient with the shape and type of what it belongs to: where that was broadcast, summed up.

    Raises: RuntimeError's message of PyTorch where it cannot have that shape.
    """
    if edge is None or gradient is None:
        return None
    meta = edge.node.outputs[edge.index]
    if gradient.shape != meta.shape:
        if not _expands(meta.shape, gradient.shape):
            raise torch_error(
                f"Function {node.name} returned an invalid gradient at index {place} - got "
                f"{list(gradient.shape)} "
                f"but expected shape compatible with {list(meta.shape)}",
                f"{node.name} 在第 {place} 个输入处返回的梯度形状为 {list(gradient.shape)}，"
                f"与 {list(meta.shape)} 不相容。",
            )
        gradient = FITTING["sum_to_size"](gradient, meta.shape)
    if gradient.dtype.is_complex and not meta.dtype.is_complex:
        gradient = FITTING["real"](gradient)
    if gradient.dtype is not meta.dtype:
        gradient = FITTING["to"](gradient, meta.dtype)
    return gradient


FITTING: dict[str, Any] = {}  # entered by the files of `functions/`


def _expands(small: Sequence[int], large: Sequence[int]) -> bool:
    """Whether a shape can be broadcast to another one."""
    if len(small) > len(large):
        return False
    return all(a in (1, b) for a, b in zip(reversed(small), reversed(large), strict=False))


def accumulate(node: AccumulateGrad, gradient: Tensor, create_graph: bool) -> None:
    """Add a gradient to that of the leaf; the first one becomes it, in memory of its own."""
    leaf = node.variable
    if not leaf.requires:  # no longer asked for
        return
    if leaf.grad is None:
        follows = create_graph and gradient.requires_grad
        leaf.grad = FITTING["kept_copy"](gradient) if follows else like(gradient.value, gradient.dtype)
    elif create_graph:
        leaf.grad = leaf.grad + gradient
    else:
        FITTING["add_"](leaf.grad, gradient)
    for hook in list(leaf.post_hooks):
        hook(leaf)


def _remember(node: Node, grads: Sequence[Tensor | None], found: Sequence[Tensor | None]) -> None:
    """Note what came to a function and what went on, for the lesson and the picture."""
    _keep_received(node, grads)


def _keep_received(node: Node, grads: Sequence[Tensor | None]) -> None:
    """Note the gradients that came to a node, and the tensors of the graph that are these."""
    node.metadata["received"] = [None if one is None else one.form for one in grads]
    node.metadata["received_as"] = [None if one is None else _shown_by(one) for one in grads]


def _shown_by(tensor: Tensor) -> Any:
    """The tensor of the graph that shows a gradient, where there is one already."""
    return tensor.seen if tensor.steps else tensor.storage.value
