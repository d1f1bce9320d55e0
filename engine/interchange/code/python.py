"""What the Python frameworks share: literals with a type, names, axes, and the subscripts of a slice."""

from __future__ import annotations

import keyword
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

import numpy as np

from engine.graph import Node
from engine.interchange.code.computation import no_value, nodes_before
from engine.interchange.code.language import Language, Rule
from engine.interchange.code.pieces import ATOM, Piece
from engine.ops.arrays.indexing import MASKS, python_key
from engine.ops.base.tensors import Array

BUILT_IN = frozenset(
    {"tf", "np", "jax", "jnp", "torch", "math", "print", "sess", "tape", "gradients", "f", "sum"}
)


class PythonLanguage(Language):
    """A framework called from Python.

    module:    the name that its functions stand under.
    array:     the function that makes a tensor of a literal.
    axis, kept: its words for the axes of a reduction, and for keeping them.
    takes_feeds: whether a placeholder may stay without a value.
    """

    reserved = frozenset(keyword.kwlist) | BUILT_IN
    module: ClassVar[str] = ""
    array: ClassVar[str] = ""
    axis: ClassVar[str] = "axis"
    kept: ClassVar[str] = "keepdims"
    takes_feeds: ClassVar[bool] = False

    def digits(self, value: Any) -> str:
        text = super().digits(value)
        if text in ("nan", "inf", "-inf"):
            return f"float('{text}')"
        return text

    def dtype(self, name: str) -> str:
        """How the framework calls an element type."""
        return f"{self.module}.{name}"

    def constant(self, value: Array) -> Piece:
        """A bare number where it takes its type from what it meets, else a typed array."""
        if value.ndim == 0 and value.dtype.kind == "f" and np.isfinite(value):
            return self.bare(value)
        return self.tensor(value)

    def typed(self, piece: Piece, dtype: str) -> Piece:
        return self.tensor(np.asarray(float(piece.text), dtype)) if piece.plain else piece

    def tensor(self, value: Array) -> Piece:
        """`tf.constant([1.0, 2.0], dtype=tf.float32)`."""
        dtype = self.dtype(value.dtype.name)
        if value.size == 0 or (value.size > 1 and not any(value.strides)) or _is_full(value):
            return self.full(value, dtype)
        return self.piece(f"{self.array}({self.bare(value).text}, dtype={dtype})")

    def full(self, value: Array, dtype: str) -> Piece:
        """An array whose elements are all the same."""
        filler = self.digits(value.reshape(-1)[0]) if value.size else "0"
        return self.piece(f"{self.module}.full({shape_text(value.shape)}, {filler}, dtype={dtype})")

    def function(self, name: str, *pieces: Piece, **options: Any) -> Piece:
        """A function of the module; a whole path stands as it is."""
        path = name if name.startswith("jax.") else f"{self.module}.{name}"
        return self.call(path, *pieces, **options)

    def axes(self, node: Node, place: int = 1) -> dict[str, Any]:
        """The axes of a reduction and whether they stay; nothing where all axes go."""
        if self._are_all(node.inputs[place].node):
            return {self.kept: True} if node.attrs.get("keep_dims") else {}
        tensor = node.inputs[0]
        axes = [int(axis) for axis in np.atleast_1d(self.static(node, place))]
        rank = None if tensor.shape is None else len(tensor.shape)
        options: dict[str, Any] = {self.kept: True} if node.attrs.get("keep_dims") else {}
        if options or rank is None or sorted(axis % max(rank, 1) for axis in axes) != list(range(rank)):
            options[self.axis] = axes[0] if len(axes) == 1 else tuple(axes)
        return options

    def remarks(self) -> list[str]:
        """Where this framework's convention at a kink is another than TensorFlow's."""
        nodes = nodes_before([self.computation.target], self.computation.inputs)
        kinks = {node.op.name: node.op.kink for node in nodes if node.op.kink is not None}
        found = [kinks[op].elsewhere.get(self.frameworks[0]) for op in sorted(kinks)]
        return [f"# {remark}" for remark in found if remark]

    def _are_all(self, axes: Node) -> bool:
        """Whether the axes are all that there are, counted when the graph runs."""
        return bool(axes.op.name == "Range" and axes.inputs[1].node.op.name == "Rank")

    def write_inputs(self) -> None:
        unfed = self.unfed()
        if unfed is not None and not self.takes_feeds:
            raise no_value(unfed, self.title)
        super().write_inputs()


def _is_full(value: Array) -> bool:
    return value.size > 8 and bool((value == value.reshape(-1)[0]).all())


def shape_text(shape: tuple[Any, ...]) -> str:
    """A shape as Python writes a tuple of whole numbers."""
    return f"({', '.join(str(int(n)) for n in shape)}{',' if len(shape) == 1 else ''})"


def numbers_text(value: Array) -> str:
    """Whole numbers as a list."""
    return str([int(n) for n in np.atleast_1d(value)])


def reduction(name: str) -> Rule:
    """`reduce_sum(x, axis=0)`."""
    return lambda language, node, x, axes: language.function(
        name, language.typed(x, node.inputs[0].dtype), **language.axes(node)
    )


def over_axis(name: str, option: str = "") -> Rule:
    """`argmax(x, axis=0)`, `gather(x, i, axis=0)`: the last input is a whole number."""

    def rule(language: PythonLanguage, node: Node, *pieces: Piece) -> Piece:
        axis = int(language.static(node, len(pieces) - 1))
        return language.function(name, *pieces[:-1], **{option or language.axis: axis})

    return rule


def with_numbers(name: str) -> Rule:
    """`reshape(x, [2, 3])`, `transpose(x, [1, 0])`: the last input is whole numbers."""

    def rule(language: PythonLanguage, node: Node, x: Piece, shape: Piece) -> Piece:
        array = language.typed(x, node.inputs[0].dtype)
        return language.function(name, array, language.piece(numbers_text(language.static(node, 1))))

    return rule


def joined(name: str) -> Rule:
    """`concat([a, b], axis=0)`: the last input is the axis."""

    def rule(language: PythonLanguage, node: Node, *pieces: Piece) -> Piece:
        axis = int(language.static(node, len(pieces) - 1))
        return language.function(name, listed(language, node, pieces[:-1]), **{language.axis: axis})

    return rule


def stacked(name: str) -> Rule:
    """`stack([a, b], axis=0)`: the axis is an attribute."""

    def rule(language: PythonLanguage, node: Node, *pieces: Piece) -> Piece:
        return language.function(name, listed(language, node, pieces), **{language.axis: node.attrs["axis"]})

    return rule


def listed(language: PythonLanguage, node: Node, pieces: Any) -> Piece:
    """Tensors in square brackets; plain numbers get their type."""
    texts = [
        language.typed(piece, tensor.dtype).text for piece, tensor in zip(pieces, node.inputs, strict=False)
    ]
    return language.piece(f"[{', '.join(texts)}]")


def strided_slice(language: PythonLanguage, node: Node, x: Piece, *_: Piece) -> Piece:
    """`x[1:3, 0]`."""
    begin, end, strides = (language.static(node, place) for place in (1, 2, 3))
    key = python_key(begin, end, strides, {mask: node.attrs[mask] for mask in MASKS})
    return language.piece(f"{x.inside(ATOM)}[{', '.join(map(_key_text, key))}]")


def _key_text(part: Any) -> str:
    if isinstance(part, slice):
        low, high = ("" if bound is None else str(bound) for bound in (part.start, part.stop))
        return f"{low}:{high}" + (f":{part.step}" if part.step != 1 else "")
    return "..." if part is Ellipsis else str(part)


def squeezed(language: PythonLanguage, node: Node, x: Piece) -> Piece:
    """`squeeze(x, axis=(0,))`."""
    axes = tuple(node.attrs.get("squeeze_dims") or ())
    return language.function("squeeze", x, **({language.axis: axes} if axes else {}))


def half_of_squares(language: PythonLanguage, node: Node, x: Piece) -> Piece:
    """`sum(x * x) / 2`."""
    return language.function("sum", x * x) / 2


def sliced(language: PythonLanguage, node: Node, x: Piece, *_: Piece) -> Piece:
    """`tf.slice` as a subscript."""
    begin, size = language.static(node, 1), language.static(node, 2)
    parts = [f"{b}:{b + s}" if s >= 0 else f"{b}:" for b, s in zip(begin, size, strict=True)]
    return language.piece(f"{x.inside(ATOM)}[{', '.join(parts)}]") if parts else x


def matrix_product(transpose: str) -> Rule:
    """`a @ b`, with the flags of MatMul written as transposes."""

    def rule(language: PythonLanguage, node: Node, a: Piece, b: Piece) -> Piece:
        flags = [
            node.attrs.get(f"transpose_{one}") or node.attrs.get(f"adj_{two}") for one, two in ("ax", "by")
        ]
        factors = [
            language.piece(transpose.format(piece.inside(ATOM))) if flag else piece
            for piece, flag in zip((a, b), flags, strict=True)
        ]
        return factors[0] @ factors[1]

    return rule


def unstacked(language: PythonLanguage, node: Node, x: Piece) -> list[Piece]:
    """One subscript for each output of Unpack."""
    before = ":, " * int(node.attrs["axis"])
    return [language.piece(f"{x.inside(ATOM)}[{before}{place}]") for place in range(len(node.outputs))]


def parted(language: PythonLanguage, node: Node, axis: Piece, x: Piece) -> list[Piece]:
    """One slice for each output of Split."""
    place = int(language.static(node, 0))
    shape = node.outputs[0].shape
    length = None if shape is None or place < 0 else shape[place]
    if length is None:
        raise language.refuse(node)
    before = ":, " * place
    return [
        language.piece(f"{x.inside(ATOM)}[{before}{k * length}:{(k + 1) * length}]")
        for k in range(len(node.outputs))
    ]


SLICES: Mapping[str, Rule] = {
    "Slice": sliced,
    "Split": parted,
    "StridedSlice": strided_slice,
    "Unpack": unstacked,
}

CALLS: Mapping[str, Callable[[str], Rule]] = {
    "axes": reduction,
    "axis": over_axis,
    "numbers": with_numbers,
    "join": joined,
    "stack": stacked,
}
