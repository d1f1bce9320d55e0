"""The cells of `tf.nn.rnn_cell`: one turn along a sequence, with variables that all turns share.

BasicRNNCell:             h' = a([x, h] W + b).
BasicLSTMCell, LSTMCell:  i, j, f, o = [x, h] W + b; c' = c s(f + 1) + s(i) a(j); h' = a(c') s(o).
GRUCell:                  r, u = s([x, h] W + b); n = a([x, r h] V + d); h' = u h + (1 - u) n.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, ClassVar

from engine import ops
from engine.errors import DtypeError, ProgramError, ShapeError
from engine.graph.graph import Graph
from engine.graph.variables.initializers import Constant, Zeros
from engine.graph.variables.variable import Variable
from engine.graph.variables.variable_scopes import (
    VariableScope,
    get_variable,
    inside,
    store_of,
    variable_scope,
)
from engine.languages.interpreter.builtins.records import Record, RecordKind
from engine.ops.base.building import convert_to_tensor, name_scope
from engine.ops.base.shapes import written
from engine.ops.base.tensors import FLOATS, Operators, Tensor

LSTM_STATE = RecordKind("LSTMStateTuple", ("c", "h"), MappingProxyType({}))
Turn = tuple[Any, Any]  # the output, the new state


@dataclass(eq=False)
class Cell:
    """What all cells have: their numbers, and the scope and the variables that the first turn makes.

    initializers: how the kernel and the bias begin; None as the scope says, and as the kind of cell says.
    """

    units: int
    activation: Callable[..., Any] = ops.tanh
    initializers: Sequence[Any] = (None, None)
    reuse: bool | str | None = None
    name: str | None = None
    scope: VariableScope | None = None
    weights: dict[str, Variable] = field(default_factory=dict)

    kind: ClassVar[str] = ""
    default_name: ClassVar[str] = ""

    @property
    def state_size(self) -> Any:
        """How many numbers each part of the state has, in the form of the state."""
        return self.units

    @property
    def output_size(self) -> int:
        """How many numbers come out of a turn."""
        return self.units

    @property
    def variables(self) -> list[Variable]:
        """The cell's own variables, in the order in which they were made."""
        return list(self.weights.values())

    def turn(self, graph: Graph, inputs: Any, state: Any, scope: Any = None) -> Turn:
        """One turn, under the scope of the first one."""
        x = convert_to_tensor(inputs)
        with self._entered(graph, scope):
            if not self.weights:
                self.build(graph, x)
            return self.step(graph, x, state)

    def build(self, graph: Graph, x: Tensor) -> None:
        """Make the variables."""
        raise NotImplementedError

    def step(self, graph: Graph, x: Tensor, state: Any) -> Turn:
        """The nodes of one turn."""
        raise NotImplementedError

    def zero_state(self, graph: Graph, batch_size: Any, dtype: str) -> Any:
        """Zeros in the form of the state."""
        with name_scope(None, f"{self.kind}ZeroState"):
            return self.zeros(graph, batch_size, dtype)

    def zeros(self, graph: Graph, batch_size: Any, dtype: str) -> Any:
        """The zeros themselves, in the scope that is open."""
        size = self.state_size
        if isinstance(size, Record):
            return Record(size.kind, [_zeros(units, batch_size, dtype) for units in size])
        return _zeros(size, batch_size, dtype)

    @contextmanager
    def _entered(self, graph: Graph, scope: Any) -> Iterator[None]:
        """The cell's own scope: found at the first turn, and the same names go on in later ones."""
        if self.scope is None:
            with self._found(graph, scope) as own:
                self.scope = own
        reuse = bool(self.weights) or self.reuse or self.scope.reuse
        with inside(graph, self.scope, reuse), graph.name_scope(self.scope.original_name_scope):
            yield

    def _found(self, graph: Graph, scope: Any) -> Any:
        name = self.name or self.default_name
        if self.reuse:
            return variable_scope(graph, name if scope is None else scope)
        return variable_scope(graph, scope, name)

    def weight(self, graph: Graph, name: str, shape: tuple[int, ...], dtype: str, first: Any) -> None:
        """One of the cell's variables."""
        self.weights[name] = get_variable(graph, name, shape, dtype, first, beside=False)

    def affine(self, values: Sequence[Any], part: str = "") -> Tensor:
        """[x, h] W + b of one of the cell's parts."""
        product = ops.matrix_product(ops.concat(list(values), 1), self.weights[f"{part}kernel"])
        return ops.bias_add(product, self.weights[f"{part}bias"])


def _zeros(units: int, batch_size: Any, dtype: str) -> Tensor:
    result = ops.zeros(ops.concat(lengths(units, batch_size), 0), dtype)
    lengths(units, batch_size)  # TensorFlow leaves the question for the static shape in the graph
    result.shape = (None if isinstance(batch_size, Operators) else int(batch_size), units)
    return result


def lengths(units: int, batch_size: Any) -> list[Tensor]:
    """How many examples and how many numbers, as two tensors to join."""
    if isinstance(batch_size, Operators):
        rows = ops.expand_dims(batch_size, 0)
    else:
        rows = convert_to_tensor([int(batch_size)], dtype="int32")
    return [rows, convert_to_tensor([units], dtype="int32")]


def _width(x: Tensor) -> int:
    if x.shape is None or len(x.shape) != 2 or x.shape[1] is None:
        raise ShapeError(
            f"A cell takes (examples, features) with a known number of features, not {written(x.shape)}.",
            message_zh=f"循环单元需要（样本, 特征），而且特征数已知，不能是 {written(x.shape)}。",
            kind="ValueError",
        )
    if x.dtype not in FLOATS:
        raise DtypeError(
            f"A cell takes floats, not {x.dtype}.",
            hint="Write tf.cast(x, tf.float32).",
            message_zh=f"循环单元需要浮点数，不能是 {x.dtype}。",
            hint_zh="请写 tf.cast(x, tf.float32)。",
            kind="ValueError",
        )
    return x.shape[1]


class BasicRNNCell(Cell):
    """The plain one."""

    kind, default_name = "BasicRNNCell", "basic_rnn_cell"

    def build(self, graph: Graph, x: Tensor) -> None:
        """One kernel for inputs and state together, and a bias."""
        self.weight(graph, "kernel", (_width(x) + self.units, self.units), x.dtype, None)
        self.weight(graph, "bias", (self.units,), x.dtype, Zeros())

    def step(self, graph: Graph, x: Tensor, state: Any) -> Turn:
        """The state is what comes out."""
        output = self.activation(self.affine([x, state]))
        return output, output


@dataclass(eq=False)
class LSTMCell(Cell):
    """The one with a memory; what is added to the gate that forgets lets it begin by remembering."""

    forget_bias: float = 1.0

    kind: ClassVar[str] = "LSTMCell"
    default_name: ClassVar[str] = "lstm_cell"

    @property
    def state_size(self) -> Record:
        """The memory's numbers, and the output's."""
        return Record(LSTM_STATE, (self.units, self.units))

    def build(self, graph: Graph, x: Tensor) -> None:
        """One kernel for the four gates together, and a bias."""
        kernel, _ = self.initializers
        self.weight(graph, "kernel", (_width(x) + self.units, 4 * self.units), x.dtype, kernel)
        self.weight(graph, "bias", (4 * self.units,), x.dtype, Zeros())

    def step(self, graph: Graph, x: Tensor, state: Any) -> Turn:
        """The memory partly kept, partly written; then partly shown."""
        c, h = pair(state)
        i, j, f, o = ops.split(self.affine([x, h]), 4, axis=1)
        c = ops.sigmoid(f + self.forget_bias) * c + ops.sigmoid(i) * self.activation(j)
        h = ops.sigmoid(o) * self.activation(c)
        return h, Record(LSTM_STATE, (c, h))


@dataclass(eq=False)
class BasicLSTMCell(LSTMCell):
    """The same numbers; its nodes are older ones."""

    kind: ClassVar[str] = "BasicLSTMCell"
    default_name: ClassVar[str] = "basic_lstm_cell"

    def step(self, graph: Graph, x: Tensor, state: Any) -> Turn:
        """As above, with the axis and the forget bias as constants of their own."""
        c, h = pair(state)
        axis = convert_to_tensor(1, dtype="int32")
        i, j, f, o = ops.split(self.affine([x, h]), 4, axis=axis)
        more = convert_to_tensor(self.forget_bias, dtype=x.dtype)
        kept = ops.mul(c, ops.sigmoid(ops.add(f, more)))
        c = ops.add(kept, ops.mul(ops.sigmoid(i), self.activation(j)))
        h = ops.mul(self.activation(c), ops.sigmoid(o))
        return h, Record(LSTM_STATE, (c, h))


def pair(state: Any) -> Sequence[Any]:
    """The two parts of an LSTM's state. Raises: ProgramError for anything else."""
    if isinstance(state, (list, tuple)) and len(state) == 2:
        return state
    raise ProgramError(
        "The state of an LSTM cell has two parts, c and h.",
        hint="Write cell.zero_state(batch_size, tf.float32), or LSTMStateTuple(c, h).",
        message_zh="LSTM 单元的状态有两部分：c 和 h。",
        hint_zh="请写 cell.zero_state(batch_size, tf.float32) 或 LSTMStateTuple(c, h)。",
        kind="TypeError",
        code="wrong_arguments",
    )


class GRUCell(Cell):
    """The one with gates and no memory apart."""

    kind, default_name = "GRUCell", "gru_cell"

    def build(self, graph: Graph, x: Tensor) -> None:
        """Kernels and biases of the gates, which begin half open, and of the candidate."""
        kernel, bias = self.initializers
        rows = _width(x) + self.units
        begin = Constant(1.0) if bias is None else bias
        self.weight(graph, "gates/kernel", (rows, 2 * self.units), x.dtype, kernel)
        self.weight(graph, "gates/bias", (2 * self.units,), x.dtype, begin)
        self.weight(graph, "candidate/kernel", (rows, self.units), x.dtype, kernel)
        self.weight(graph, "candidate/bias", (self.units,), x.dtype, Zeros() if bias is None else bias)

    def step(self, graph: Graph, x: Tensor, state: Any) -> Turn:
        """Between the old state and the candidate."""
        r, u = ops.split(ops.sigmoid(self.affine([x, state], "gates/")), 2, axis=1)
        c = self.activation(self.affine([x, r * state], "candidate/"))
        h = u * state + (1 - u) * c
        return h, h


@dataclass(eq=False)
class MultiRNNCell(Cell):
    """Cells one above the other: each takes what the one below puts out."""

    cells: Sequence[Any] = ()
    around: VariableScope | None = None

    kind: ClassVar[str] = "MultiRNNCell"
    default_name: ClassVar[str] = "multi_rnn_cell"

    @property
    def state_size(self) -> Any:
        """The states of all."""
        return tuple(cell.state_size for cell in self.cells)

    @property
    def output_size(self) -> int:
        """That of the uppermost."""
        size: int = self.cells[-1].output_size
        return size

    @property
    def variables(self) -> list[Variable]:
        """Those of all."""
        return [variable for cell in self.cells for variable in cell.variables]

    def zeros(self, graph: Graph, batch_size: Any, dtype: str) -> Any:
        """Zeros for all."""
        return tuple(cell.zero_state(graph, batch_size, dtype) for cell in self.cells)

    def turn(self, graph: Graph, inputs: Any, state: Any, scope: Any = None) -> Turn:
        """One turn of all, in a scope of their own within the one that is open."""
        x = convert_to_tensor(inputs)
        if self.around is None and scope is None:
            self.around = store_of(graph).scope
        given: Any = self.around if scope is None else scope
        with (
            variable_scope(graph, given) as opened,
            self._entered(graph, None if scope is None else opened),
        ):
            return self.step(graph, x, state)

    def step(self, graph: Graph, x: Tensor, state: Any) -> Turn:
        """From the lowest to the uppermost."""
        if not isinstance(state, (list, tuple)) or len(state) != len(self.cells):
            raise ProgramError(
                f"The state needs one part for each of the {len(self.cells)} cells.",
                hint="Write cell.zero_state(batch_size, tf.float32).",
                message_zh=f"状态需要 {len(self.cells)} 个部分，每个单元一个。",
                hint_zh="请写 cell.zero_state(batch_size, tf.float32)。",
                kind="ValueError",
                code="wrong_arguments",
            )
        states = []
        for number, (cell, own) in enumerate(zip(self.cells, state, strict=True)):
            with variable_scope(graph, f"cell_{number}"):
                x, new = cell.turn(graph, x, own)
            states.append(new)
        return x, tuple(states)
