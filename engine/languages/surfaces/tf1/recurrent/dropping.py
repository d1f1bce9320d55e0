"""`DropoutWrapper`: a cell of which inputs, state and outputs are dropped by chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from engine.errors import ValueRefused
from engine.graph.graph import Graph
from engine.languages.interpreter.builtins.records import Record
from engine.languages.surfaces.tf1.recurrent.cells import LSTM_STATE, Cell, Turn
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.shapes import constant_value
from engine.ops.base.tensors import Tensor
from engine.ops.sources import random


@dataclass(eq=False)
class DropoutWrapper(Cell):
    """Another cell with what goes in and comes out dropped; it has no variables, as in TensorFlow.

    kept: the shares of the inputs, the state and the outputs that stay: numbers, or tensors.
    """

    cell: Any = None
    kept: tuple[Any, Any, Any] = (1.0, 1.0, 1.0)

    kind: ClassVar[str] = "DropoutWrapper"

    @property
    def state_size(self) -> Any:
        """That of the cell."""
        return self.cell.state_size

    @property
    def output_size(self) -> int:
        """That of the cell."""
        size: int = self.cell.output_size
        return size

    def zeros(self, graph: Graph, batch_size: Any, dtype: str) -> Any:
        """Those of the cell."""
        return self.cell.zero_state(graph, batch_size, dtype)

    def turn(self, graph: Graph, inputs: Any, state: Any, scope: Any = None) -> Turn:
        """The cell's turn between what is dropped; of an LSTM's state the memory stays whole."""
        for_inputs, for_state, for_outputs = self.kept
        output, new = self.cell.turn(graph, _dropped(convert_to_tensor(inputs), for_inputs), state, scope)
        new = _dropped_state(new, for_state)
        return _dropped(output, for_outputs), new


def _dropped(value: Any, kept: Any) -> Any:
    return value if isinstance(kept, float) and kept == 1 else random.dropout(value, keep_prob=kept)


def _dropped_state(state: Any, kept: Any) -> Any:
    if isinstance(state, Record) and state.kind is LSTM_STATE:
        c, h = state
        return Record(LSTM_STATE, (c, _dropped(h, kept)))
    if isinstance(state, tuple):
        return tuple(_dropped_state(part, kept) for part in state)
    return _dropped(state, kept)


def shares(**kept: Any) -> tuple[Any, Any, Any]:
    """The shares that stay, as the wrapper keeps them: known ones as numbers.

    Raises: ValueRefused for a number that is no share.
    """
    with name_scope(None, "DropoutWrapperInit"):
        inputs, state, outputs = (_share(name, value) for name, value in kept.items())
        return inputs, state, outputs


def _share(name: str, value: Any) -> float | Tensor:
    tensor = convert_to_tensor(value)
    known = constant_value(tensor)
    if known is None:
        return tensor
    if not 0 <= float(known) <= 1:
        raise ValueRefused(
            f"{name} is a share between 0 and 1, not {float(known):g}.",
            message_zh=f"{name} 是 0 到 1 之间的比例，不能是 {float(known):g}。",
            kind="ValueError",
        )
    return float(known)
