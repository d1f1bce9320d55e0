"""Mathematics in the notation that Gradlens itself reads: read again, it computes the same values."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from engine.graph import Node, Tensor
from engine.interchange.code.computation import no_number, no_value
from engine.interchange.code.language import Language, Rule
from engine.interchange.code.pieces import ATOM, Piece, infix
from engine.ops import REGISTRY
from engine.ops.arrays.indexing import MASKS, python_key
from engine.ops.base.tensors import Array, Shape

MOST_PICKED = 256  # elements of an array from which some are taken

SIGNS = {"**": "^", "==": "=", "&": "and", "|": "or"}
CONSTANTS = frozenset({"e", "pi", "tau", "π", "τ", "T", "and", "or", "not"})


def size_of(shape: Shape) -> int | None:
    """How many elements a static shape holds."""
    return None if shape is None or None in shape else math.prod(n or 0 for n in shape)


def is_single(tensor: Tensor) -> bool:
    """Whether a tensor holds one number, on however many axes of length 1."""
    return size_of(tensor.shape) == 1


def reduced(name: str) -> Rule:
    """A function of all elements; along single axes mathematics has no word for it."""

    def rule(language: Mathematics, node: Node, x: Piece, *_: Piece) -> Piece:
        if is_single(node.inputs[0]):
            return x
        if not is_single(node.outputs[0]):
            raise language.refuse(node, "it works along an axis", "它沿某个轴计算")
        return language.function(name, x)

    return rule


def reordered(language: Mathematics, node: Node, x: Piece, *_: Piece) -> Piece:
    """A new shape of the same numbers: nothing to be written where there is one, or none of them moves."""
    before, after = node.inputs[0].shape, node.outputs[0].shape
    if before == after or is_single(node.inputs[0]):
        return x
    raise language.refuse(node, "it changes the shape", "它改变了形状")


def expanded(language: Mathematics, node: Node, x: Piece, *_: Piece) -> Piece:
    """A vector as a column is written as the vector: `A @ x`."""
    vector = len(node.inputs[0].shape or ()) == 1
    column = node.op.name == "ExpandDims" and vector and (node.outputs[0].shape or ())[-1:] == (1,)
    if column and all(use.op.name == "MatMul" for use in language.users(node.outputs[0])):
        return x
    return reordered(language, node, x)


def squeezed(language: Mathematics, node: Node, x: Piece) -> Piece:
    source = node.inputs[0].node
    column = source.op.name == "MatMul" and source.inputs[1].node.op.name == "ExpandDims"
    return x if column and not is_single(node.inputs[0]) else reordered(language, node, x)


def product(language: Mathematics, node: Node, a: Piece, b: Piece) -> Piece:
    """`A^T @ B`; of a column that is written as a vector the product is a vector."""
    sides = []
    for piece, tensor, flag in zip((a, b), node.inputs, ("transpose_a", "transpose_b"), strict=True):
        sides.append(language.transpose(piece) if node.attrs[flag] else piece)
        if tensor.node.op.name == "ExpandDims" and (node.attrs[flag] or piece is a):
            raise language.refuse(node)
    column = node.inputs[1].node.op.name == "ExpandDims"
    if column and any(use.op.name != "Squeeze" for use in language.users(node.outputs[0])):
        raise language.refuse(node, "a column is not a vector", "列矩阵不是向量")
    return sides[0] @ sides[1]


def transposed(language: Mathematics, node: Node, x: Piece, _: Piece) -> Piece:
    order = [int(axis) for axis in language.static(node, 1)]
    if order == sorted(order) or is_single(node.inputs[0]):
        return x
    if order != [1, 0]:
        raise language.refuse(node)
    return language.transpose(x)


def elements(language: Mathematics, node: Node, x: Piece, *_: Piece) -> Piece:
    """`x[1]`, `A[2, 1]`, a row `A[2]`; a short run of elements is written out."""
    begin, end, strides = (language.static(node, place) for place in (1, 2, 3))
    return _taken(
        language, node, x, python_key(begin, end, strides, {mask: node.attrs[mask] for mask in MASKS})
    )


def sliced(language: Mathematics, node: Node, x: Piece, *_: Piece) -> Piece:
    begin, size = language.static(node, 1), language.static(node, 2)
    return _taken(
        language, node, x, tuple(slice(b, None if s < 0 else b + s) for b, s in zip(begin, size, strict=True))
    )


def _taken(language: Mathematics, node: Node, x: Piece, key: Any) -> Piece:
    shape = node.inputs[0].shape
    count = size_of(shape)
    if shape is None or count is None or count > MOST_PICKED:
        raise language.refuse(node)
    lengths = tuple(int(n or 0) for n in shape)
    places = np.empty(lengths, dtype=object)
    for index in np.ndindex(*lengths):
        places[index] = index
    return language.picked(node, x, places[key])


def gathered(language: Mathematics, node: Node, x: Piece, *_: Piece) -> Piece:
    indices, axis = language.static(node, 1), int(language.static(node, 2))
    return _taken(language, node, x, (*([slice(None)] * axis), np.asarray(indices)[()]))


def unstacked(language: Mathematics, node: Node, x: Piece) -> list[Piece]:
    if node.attrs["axis"] != 0:
        raise language.refuse(node)
    return [language.element(x, (place,)) for place in range(len(node.outputs))]


def stacked(language: Mathematics, node: Node, *pieces: Piece) -> Piece:
    if node.attrs["axis"] != 0:
        raise language.refuse(node)
    return language.vector(pieces)


def cast(language: Mathematics, node: Node, x: Piece) -> Piece:
    source, made = node.inputs[0].dtype, node.outputs[0].dtype
    if source == "bool":
        return language.choice(x, language.piece("1"), language.piece("0"))
    if made.startswith("float"):
        return x
    raise language.refuse(node)


def filled(language: Mathematics, node: Node, dims: Piece, value: Piece) -> Piece:
    shape = tuple(int(n) for n in language.static(node, 0))
    if size_of(shape) == 1:
        return value
    if len(shape) != 1 or shape[0] > 100:
        raise language.refuse(node)
    return language.vector([value] * shape[0])


def zeros(language: Mathematics, node: Node, x: Piece) -> Piece:
    return x * 0


def cross_entropy(language: Mathematics, node: Node, logits: Piece, labels: Piece) -> list[Piece]:
    raise language.refuse(node, "it works row by row", "它逐行计算")


def broadcast(language: Mathematics, node: Node, x: Piece, _: Piece) -> Piece:
    if all(
        use.op.name in ("Select", "AddV2", "Add", "Mul", "Sub") for use in language.users(node.outputs[0])
    ):
        return x
    return reordered(language, node, x)


RULES: Mapping[str, Rule] = {
    "BroadcastTo": broadcast,
    "Cast": cast,
    "ExpandDims": expanded,
    "Fill": filled,
    "FloorDiv": lambda language, node, a, b: language.function("floor", a / b),
    "GatherV2": gathered,
    "L2Loss": lambda language, node, x: language.function("sum", x**2) / 2,
    "LogicalNot": lambda language, node, x: language.negated(x),
    "MatMul": product,
    "Pack": stacked,
    "Reshape": reordered,
    "Rsqrt": lambda language, node, x: 1 / language.function("sqrt", x),
    "Select": lambda language, node, c, a, b: language.choice(c, a, b),
    "Slice": sliced,
    "SoftmaxCrossEntropyWithLogits": cross_entropy,
    "Squeeze": squeezed,
    "StridedSlice": elements,
    "Transpose": transposed,
    "Unpack": unstacked,
    "ZerosLike": zeros,
}


class Mathematics(Language):
    """Lines of formulas: a line for each input with its value, and the target last."""

    title = "mathematics"
    frameworks = ("math",)
    rules = RULES
    calls: ClassVar[Mapping[str, Callable[[str], Rule]]] = {"axes": reduced}
    reserved = CONSTANTS

    def program(self) -> str:
        equations, y = self.equations()
        last = [] if equations and equations[-1][0] == y else [y]
        return "\n".join([*(f"{name} = {text}" for name, text in equations), *last, ""])

    def equations(self) -> tuple[list[tuple[str, str]], str]:
        """Name and text of each line, and what stands for the target."""
        computation = self.computation
        for item in computation.inputs.values():
            if item.value is None and item.shape != ():
                raise no_value(item, self.title)
        self.write_inputs()
        inputs = {
            self.input_names[item.name]: self.bare(item.value).text if item.value is not None else ""
            for item in computation.inputs.values()
        }
        (y,) = self.write([computation.target], {computation.target.name: "y"})
        return [*((name, text) for name, text in inputs.items() if text), *self.lines], y

    def name(self, wanted: str) -> str:
        """Letters, digits and underscores; what the language itself calls something gets a mark."""
        plain = super().name(wanted)
        return f"{plain}_" if plain in CONSTANTS or plain.lower() in function_names() else plain

    def digits(self, value: Any) -> str:
        text = super().digits(value)
        if text in ("inf", "-inf", "nan"):
            raise no_number(text, self.title)
        return text[:-2] if text.endswith(".0") and re.fullmatch(r"-?\d{1,15}\.0", text) else text

    def join(self, symbol: str, left: Piece, right: Piece) -> Piece:
        return infix(symbol, left, right, SIGNS.get(symbol, symbol))

    def arguments(self, node: Node, pieces: Sequence[Piece]) -> Sequence[Piece]:
        """Numbers have no types here."""
        return pieces

    def choice(self, condition: Piece, then: Piece, otherwise: Piece) -> Piece:
        return self.call("if", condition, then, otherwise)

    def negated(self, condition: Piece) -> Piece:
        return self.piece(f"not ({condition.text})", strength=3)

    def vector(self, pieces: Any) -> Piece:
        return self.piece(f"[{', '.join(piece.text for piece in pieces)}]")

    def transpose(self, x: Piece) -> Piece:
        return self.piece(f"{x.inside(ATOM)}^T")

    def element(self, x: Piece, place: tuple[int, ...]) -> Piece:
        return self.piece(f"{x.inside(ATOM)}[{', '.join(str(n + 1) for n in place)}]")

    def picked(self, node: Node, x: Piece, places: Any) -> Piece:
        """The elements at these places, in rows as they stand."""
        if isinstance(places, tuple):
            return self.element(x, places)
        if places.size > 64:
            raise self.refuse(node)
        return self.vector([self.picked(node, x, part) for part in places])

    def users(self, tensor: Tensor) -> list[Node]:
        """The nodes of the computation that take a tensor."""
        return [node for node in self.nodes if any(t.name == tensor.name for t in node.inputs)]

    def constant(self, value: Array) -> Piece:
        """Axes of length 1 are left out where there is one number."""
        return self.bare(value.reshape(()) if value.size == 1 else value)


OTHER_SPELLINGS = """
    arccos arccosh arcosh arcsin arcsinh arctan arctan2 arctanh arctg arsinh artanh cbrt clip cot coth csc ctg
    dot if inverse lg log log10 log2 log_10 log_2 logsumexp norm pow reciprocal root rsqrt sec sgn square tg
    tr trace transpose
"""


def function_names() -> frozenset[str]:
    """The names of all functions, which no value may have."""
    return frozenset(OTHER_SPELLINGS.split()) | {
        op.names["math"] for op in REGISTRY.values() if "math" in op.names
    }
