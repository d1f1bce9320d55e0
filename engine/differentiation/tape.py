"""The gradient tape: what was computed from what, as far as it was watched.

A tape does not compute: it keeps which nodes ran while it recorded, with the tensors that went in and
came out, and asks `gradients` for the nodes of the derivative along exactly those.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import Any

from engine.differentiation.gradients import gradients
from engine.errors import ProgramError
from engine.graph import Node, Tensor, Variable
from engine.graph.reachability import closure
from engine.ops.base.tensors import FLOATS
from engine.ops.common.constants import zeros_like


class Missing(Enum):
    """Why a tape has no gradient of y with respect to x."""

    NOT_WATCHED = "not_watched"
    NOT_CONNECTED = "not_connected"
    NOT_RECORDED = "not_recorded"
    INTEGER = "integer"


@dataclass(frozen=True, slots=True)
class Entry:
    """One node that ran while a tape recorded, with the tensors of that time."""

    inputs: tuple[Tensor, ...]
    outputs: tuple[Tensor, ...]


class Tape:
    """What `with tf.GradientTape() as tape:` records.

    tracked: the watched tensors and all floats computed from them; a variable stands as its buffer.
    entries: the nodes that took a tracked tensor, in order of execution.
    """

    def __init__(self, *, persistent: bool = False, watch_accessed_variables: bool = True) -> None:
        self.persistent = persistent
        self.watch_accessed_variables = watch_accessed_variables
        self.tracked: set[Tensor] = set()
        self.entries: dict[Node, Entry] = {}
        self.variables: dict[Variable, None] = {}
        self.used = False

    # -- recording -------------------------------------------------------------------------------

    def watch(self, x: Any) -> None:
        """Follow what is computed from x: a tensor, a variable, or a structure of them."""
        for item in flat(x):
            tensor = _tensor_of(item)
            if tensor.dtype in FLOATS:
                self.tracked.add(tensor)
            if isinstance(item, Variable):
                self.variables[item] = None

    def see_read(self, variable: Variable) -> None:
        """A variable is about to be read: a trainable one is watched by itself."""
        if self.watch_accessed_variables and variable.trainable:
            self.watch(variable)

    def record(self, node: Node) -> None:
        """Keep a node that ran, where something tracked went in; updates of variables are no functions."""
        self.record_run(node, node.inputs, node.outputs)

    def record_run(self, node: Node, inputs: tuple[Tensor, ...], outputs: tuple[Tensor, ...]) -> None:
        """The same of a run of the node on other tensors than its last ones."""
        if not node.op.writes and not self.tracked.isdisjoint(inputs):
            self.entries[node] = Entry(inputs, outputs)
            self.tracked.update(output for output in outputs if output.dtype in FLOATS)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was watched or recorded yet."""
        return not self.tracked and not self.variables and not self.entries

    def reset(self) -> None:
        """Forget everything."""
        self.tracked.clear()
        self.entries.clear()
        self.variables.clear()
        self.used = False

    # -- asking ----------------------------------------------------------------------------------

    def gradient(
        self,
        targets: Sequence[Any],
        sources: Sequence[Any],
        output_gradients: Sequence[Any] | None = None,
        *,
        zeros: bool = False,
        name: str = "gradients",
    ) -> list[Any]:
        """Add the nodes that compute d(sum of targets)/dx for each x, along what was recorded.

        Returns: one tensor per x, or None (zeros where asked for) where nothing recorded joins the two;
                 a target that is an x itself needs no record.
        """
        with self._as_recorded():
            ys = [_tensor_of(target) for target in targets]
            xs = [_tensor_of(x) for x in sources if _tensor_of(x).dtype in FLOATS]
            kept = [i for i, y in enumerate(ys) if y in self.tracked or y in xs]
            asked = [ys[i] for i in kept]
            behind = self._behind(asked)
            joined = [x for x in sources if _tensor_of(x) in behind]
            found: dict[int, Any] = {}
            if joined:
                given = None if output_gradients is None else [output_gradients[i] for i in kept]
                stops = self._outside(behind)
                made = gradients(asked, joined, given, name=name, stop_gradients=stops)
                found = dict(zip(map(id, joined), made, strict=True))
            results = [found.get(id(x)) for x in sources]
        if zeros:
            return [zeros_like(x) if g is None else g for g, x in zip(results, sources, strict=True)]
        return results

    def why_missing(self, targets: Iterable[Any], x: Any) -> Missing:
        """The reason for a gradient that is None."""
        tensor, ys = _tensor_of(x), [_tensor_of(target) for target in targets]
        if tensor.dtype not in FLOATS or all(y.dtype not in FLOATS for y in ys):
            return Missing.INTEGER
        if tensor not in self.tracked:
            return Missing.NOT_WATCHED
        if self.tracked.isdisjoint(ys):
            return Missing.NOT_RECORDED
        return Missing.NOT_CONNECTED

    def use(self) -> None:
        """Count one question. Raises: ProgramError for a second one to a tape that is not persistent."""
        if self.used and not self.persistent:
            raise ProgramError(
                "This tape was asked for a gradient already: without persistent=True it answers once.",
                hint="Write tf.GradientTape(persistent=True) to ask it several times.",
                message_zh="这个 GradientTape 已经求过一次梯度：它不是持久的，记录已经释放。",
                hint_zh="要多次求梯度，请写 tf.GradientTape(persistent=True)。",
                code="tape_used_twice",
                said="A non-persistent GradientTape can only be used to compute one set of gradients "
                "(or jacobians)",
            )
        self.used = True

    @property
    def is_current(self) -> bool:
        """Whether no node that the tape recorded has run again since."""
        return all(node.outputs is entry.outputs for node, entry in self.entries.items())

    def _behind(self, ys: Iterable[Tensor]) -> set[Tensor]:
        """Every tracked tensor that a y was computed from, and the ys."""
        return closure(ys, self._tracked_sources)

    def _tracked_sources(self, tensor: Tensor) -> list[Tensor]:
        entry = self.entries.get(tensor.node)
        return [] if entry is None else [source for source in entry.inputs if source in self.tracked]

    def _outside(self, behind: Iterable[Tensor]) -> list[Tensor]:
        """The tensors that recorded nodes took from elsewhere: there the gradient stops."""
        taken = [*behind]
        for tensor in behind:
            entry = self.entries.get(tensor.node)
            taken.extend(entry.inputs if entry is not None else ())
        return [t for t in dict.fromkeys(taken) if t.node not in self.entries and t.dtype in FLOATS]

    @contextmanager
    def _as_recorded(self) -> Iterator[None]:
        """The recorded nodes with their tensors of that time, should a later turn have gone over them."""
        later = {
            node: Entry(node.inputs, node.outputs)
            for node, entry in self.entries.items()
            if node.outputs is not entry.outputs
        }
        for node in later:
            node.inputs, node.outputs = self.entries[node].inputs, self.entries[node].outputs
        try:
            yield
        finally:
            for node, entry in later.items():
                node.inputs, node.outputs = entry.inputs, entry.outputs


def flat(value: Any) -> list[Any]:
    """The leaves of nested lists, tuples and dicts, in order."""
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in flat(item)]
    if isinstance(value, dict):
        return [leaf for item in value.values() for leaf in flat(item)]
    return [value]


def shaped_like(structure: Any, leaves: Iterator[Any]) -> Any:
    """The leaves in the form of the structure."""
    if isinstance(structure, (list, tuple)):
        return type(structure)(shaped_like(item, leaves) for item in structure)
    if isinstance(structure, dict):
        return {key: shaped_like(item, leaves) for key, item in structure.items()}
    return next(leaves)


def _tensor_of(value: Any) -> Tensor:
    """A tensor as it is, a variable as its buffer."""
    if isinstance(value, Variable):
        return value.ref
    if isinstance(value, Tensor):
        return value
    raise ProgramError(
        "A tape works on tensors and variables.",
        hint="Make a tensor of the number first, with tf.constant(…), and watch it.",
        message_zh="GradientTape 只能处理张量和变量。",
        hint_zh="请先用 tf.constant(…) 把数字变成张量，并用 watch 监视它。",
        code="not_a_tensor",
    )
