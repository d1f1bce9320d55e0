"""What a program may ask of tensors, variables, operations and graphs, and how they print."""

from __future__ import annotations

from typing import Any

from engine.errors import GraphError, ProgramError
from engine.graph import Graph, Node, Tensor, Variable
from engine.graph.variables.initial_values import initialized_value
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.functions import HIDDEN_BASES
from engine.languages.interpreter.builtins.text import SHOWN
from engine.languages.interpreter.dispatch import CONTEXTS
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import Block
from engine.languages.surfaces.argument_kinds import WORD
from engine.languages.surfaces.dtypes import DType
from engine.ops.common.passing import identity
from engine.ops.sources import state


class TensorShape(tuple[int | None, ...]):
    """A static shape as TensorFlow 1 shows it; `known` is False where not even the rank is."""

    known = True

    @classmethod
    def of(cls, shape: tuple[int | None, ...] | None) -> TensorShape:
        """The shape of a tensor."""
        made = cls(shape or ())
        made.known = shape is not None
        return made


TENSOR = members_of(Tensor, "Tensor")
VARIABLE = members_of(Variable, "Variable")
OPERATION = members_of(Node, "Operation")
SHAPE = members_of(TensorShape, "TensorShape")
HIDDEN_BASES[TensorShape] = tuple
GRAPH = members_of(Graph, "Graph")

for value_members in (TENSOR, VARIABLE):
    value_members.fact("name")(lambda value: value.name)
    value_members.fact("shape")(lambda value: TensorShape.of(value.shape))
    value_members.fact("op")(lambda value: value.node)
    value_members.fact("graph")(lambda value: value.graph)
    value_members.fact("device")(lambda value: value.node.device)
    value_members.method("get_shape")(lambda value: TensorShape.of(value.shape))


def _shown_dtype(tensor: Tensor) -> str:
    """A variable, and what an assignment gives, are references to its buffer."""
    node = tensor.node
    is_ref = node.op.name == "VariableV2" or (node.op.writes and tensor.index == 0)
    return f"{tensor.dtype}_ref" if is_ref else tensor.dtype


TENSOR.fact("dtype")(lambda tensor: DType(_shown_dtype(tensor)))
VARIABLE.fact("dtype")(lambda variable: DType(f"{variable.dtype}_ref"))
VARIABLE.fact("initializer")(lambda variable: variable.initializer)
VARIABLE.fact("initial_value")(lambda variable: variable.initial_value)
VARIABLE.fact("trainable")(lambda variable: variable.trainable)
VARIABLE.method("value")(lambda variable: variable.read)
VARIABLE.method("initialized_value")(lambda variable: initialized_value(variable.graph, variable))


@VARIABLE.method("read_value")
def read_value(variable: Variable) -> Any:
    """A fresh read of the variable."""
    return identity(variable.ref, name="read")


@VARIABLE.method("assign")
def assign(variable: Variable, value: Any, use_locking: Any = False, name: Any = None) -> Any:
    """An operation that sets the variable when it runs."""
    return state.assign(variable.ref, value, use_locking=bool(use_locking), name=name)


@VARIABLE.method("assign_add")
def assign_add(variable: Variable, delta: Any, use_locking: Any = False, name: Any = None) -> Any:
    """An operation that adds to the variable when it runs."""
    return state.assign_add(variable.ref, delta, use_locking=bool(use_locking), name=name)


@VARIABLE.method("assign_sub")
def assign_sub(variable: Variable, delta: Any, use_locking: Any = False, name: Any = None) -> Any:
    """An operation that subtracts from the variable when it runs."""
    return state.assign_sub(variable.ref, delta, use_locking=bool(use_locking), name=name)


OPERATION.fact("name")(lambda node: node.name)
OPERATION.fact("type")(lambda node: node.op.name)
OPERATION.fact("inputs")(lambda node: list(node.inputs))
OPERATION.fact("outputs")(lambda node: list(node.outputs))
OPERATION.fact("control_inputs")(lambda node: list(node.control_inputs))
OPERATION.fact("graph")(lambda node: node.graph)
OPERATION.fact("device")(lambda node: node.device)

SHAPE.fact("ndims", "rank")(lambda shape: len(shape) if shape.known else None)
SHAPE.method("num_elements")(lambda shape: _count(shape))
SHAPE.method("is_fully_defined")(lambda shape: shape.known and None not in shape)


@SHAPE.method("as_list")
def as_list(shape: TensorShape) -> list[int | None]:
    """The lengths as a list, None where one is unknown."""
    if not shape.known:
        raise ProgramError(
            "The shape is not known, so it has no list of lengths.",
            message_zh="形状未知，没有各轴长度的列表。",
            code="unknown_shape",
        )
    return list(shape)


def _count(shape: TensorShape) -> int | None:
    count = 1
    for length in shape:
        if length is None:
            return None
        count *= length
    return count if shape.known else None


GRAPH.fact("seed")(lambda graph: graph.seed)


@GRAPH.method("as_default")
def as_default(graph: Graph) -> Block:
    """Nodes made inside the block go to this graph."""
    return Block(graph.as_default)


@GRAPH.method("get_operations")
def get_operations(graph: Graph) -> list[Node]:
    """All nodes in order of creation."""
    return list(graph.nodes)


@GRAPH.method("get_tensor_by_name", name=WORD)
def get_tensor_by_name(graph: Graph, name: str) -> Tensor:
    """The tensor called so. Raises: ProgramError for the name of an operation."""
    node, colon, _ = name.partition(":")
    if not colon:
        raise ProgramError(
            f"{name} names an operation; its first output is {name}:0.",
            message_zh=f"{name} 是运算的名称；它的第一个输出是 {name}:0。",
            code="bad_name",
            kind="ValueError",
            said=f"The name {name!r} refers to an Operation, not a Tensor. Tensor names must be of the form "
            '"<op_name>:<output_index>".',
        )
    try:
        return graph.tensor(name)
    except GraphError as error:
        error.said = (
            f"The name {name!r} refers to a Tensor which does not exist. The operation, {node!r}, does not "
            "exist in the graph."
        )
        raise


@GRAPH.method("get_operation_by_name", name=WORD)
def get_operation_by_name(graph: Graph, name: str) -> Node:
    """The node called so."""
    return graph.node(name)


@GRAPH.method("name_scope")
def name_scope(graph: Graph, name: str) -> Block:
    """Names made inside the block begin with this one."""
    return Block(lambda: graph.name_scope(name))


def _open_block(interpreter: Interpreter, block: Block) -> Any:
    return block.open()


CONTEXTS[Block] = _open_block


def written_shape(shape: tuple[int | None, ...] | None) -> str:
    """`(2, 3)`, `(?, 2)` or `<unknown>`, as TensorFlow 1 prints a static shape."""
    if shape is None:
        return "<unknown>"
    lengths = ["?" if length is None else str(length) for length in shape]
    return f"({lengths[0]},)" if len(lengths) == 1 else f"({', '.join(lengths)})"


def _tensor_str(tensor: Tensor) -> str:
    shape = "" if tensor.shape is None else f", shape={written_shape(tensor.shape)}"
    return f'Tensor("{tensor.name}"{shape}, dtype={_shown_dtype(tensor)})'


def _tensor_repr(tensor: Tensor) -> str:
    return f"<tf.Tensor '{tensor.name}' shape={written_shape(tensor.shape)} dtype={_shown_dtype(tensor)}>"


def _variable_repr(variable: Variable) -> str:
    shape = written_shape(variable.shape)
    return f"<tf.Variable '{variable.name}' shape={shape} dtype={variable.dtype}_ref>"


def _shape_repr(shape: TensorShape) -> str:
    if not shape.known:
        return "TensorShape(None)"
    return f"TensorShape([{', '.join(f'Dimension({length})' for length in shape)}])"


SHOWN[Tensor] = (_tensor_str, _tensor_repr)
SHOWN[Variable] = (_variable_repr, _variable_repr)
SHOWN[TensorShape] = (lambda shape: written_shape(shape if shape.known else None), _shape_repr)
SHOWN[Graph] = (lambda graph: "<tf.Graph>", lambda graph: "<tf.Graph>")
