"""numpy, with the gradient written out, and JAX, which derives it; their functions share their names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from engine.graph import Node
from engine.interchange.code.language import Rule
from engine.interchange.code.pieces import ATOM, Piece
from engine.interchange.code.python import (
    CALLS,
    SLICES,
    PythonLanguage,
    half_of_squares,
    matrix_product,
    numbers_text,
    shape_text,
    squeezed,
)
from engine.ops.arrays.indexing import MASKS, python_key


def where(condition: str, then: str, otherwise: str) -> Rule:
    """A choice between formulas; `{0}`, `{1}` stand for the inputs in brackets."""

    def rule(language: ArrayLanguage, node: Node, *pieces: Piece) -> Piece:
        typed = [language.typed(p, t.dtype).inside(ATOM) for p, t in zip(pieces, node.inputs, strict=True)]
        parts = (text.format(*typed, module=language.module) for text in (condition, then, otherwise))
        return language.function("where", *map(language.piece, parts))

    return rule


def softmax(language: ArrayLanguage, node: Node, x: Piece) -> Piece:
    """exp(x) by its sum along the last axis; shifted by the largest, so that nothing overflows."""
    return _exponentials(language, x, "softmax")


def log_softmax(language: ArrayLanguage, node: Node, x: Piece) -> Piece:
    return _exponentials(language, x, "log_softmax")


def _exponentials(language: ArrayLanguage, x: Piece, name: str) -> Piece:
    language.helpers.add(name)
    return language.call(name, x)


def cross_entropy(language: ArrayLanguage, node: Node, logits: Piece, labels: Piece) -> list[Piece]:
    """The loss of each row, and its gradient by the logits."""
    language.helpers.update(("softmax", "log_softmax"))
    shifted = language.call("log_softmax", logits)
    loss = language.function("sum", labels * shifted, **{language.axis: -1})
    return [-loss, language.call("softmax", logits) - labels]


def cast(language: ArrayLanguage, node: Node, x: Piece) -> Piece:
    dtype = language.dtype(node.outputs[0].dtype)
    return language.function("asarray", x, dtype=dtype)


def filled(language: ArrayLanguage, node: Node, dims: Piece, value: Piece) -> Piece:
    shape = tuple(int(n) for n in language.static(node, 0))
    if not shape:
        return value
    dtype = language.dtype(node.outputs[0].dtype)
    return language.function("full", language.piece(shape_text(shape)), value, dtype=dtype)


def slice_gradient(language: ArrayLanguage, node: Node, *pieces: Piece) -> Piece:
    """The upstream gradient at the places of the slice, zeros elsewhere."""
    shape, begin, end, strides = (language.static(node, place) for place in range(4))
    key = python_key(begin, end, strides, {mask: node.attrs[mask] for mask in MASKS})
    whole = np.arange(int(np.prod(shape))).reshape(tuple(int(n) for n in shape))
    places = np.asarray(whole[key])
    if places.size > 1000:
        raise language.refuse(node)
    language.helpers.add("scattered")
    rows = language.piece(numbers_text(places.reshape(-1)))
    return language.call("scattered", pieces[4], rows, language.piece(shape_text(tuple(shape))))


def padded(language: ArrayLanguage, node: Node, x: Piece, _: Piece) -> Piece:
    rows = language.piece(str([tuple(int(n) for n in row) for row in language.static(node, 1)]))
    return language.function("pad", x, rows)


def summed_rows(language: ArrayLanguage, node: Node, dy: Piece) -> Piece:
    """All axes but the last are summed."""
    axes = tuple(range(len(node.inputs[0].shape or ()) - 1))
    return language.function("sum", dy, **{language.axis: axes})


RULES: Mapping[str, Rule] = {
    **SLICES,
    "BatchMatMulV2": matrix_product("{0}.swapaxes(-1, -2)"),
    "BiasAddGrad": summed_rows,
    "Cast": cast,
    "EluGrad": where("{1} > 0", "{0}", "{0} * ({1} + 1)"),
    "Fill": filled,
    "L2Loss": half_of_squares,
    "MatMul": matrix_product("{0}.T"),
    "Pad": padded,
    "Relu6Grad": where("({1} > 0) & ({1} < 6)", "{0}", "0"),
    "ReluGrad": where("{1} > 0", "{0}", "0"),
    "Squeeze": squeezed,
}

HELPERS = {
    "softmax": """def softmax(x):
    e = {m}.exp(x - {m}.max(x, axis=-1, keepdims=True))
    return e / {m}.sum(e, axis=-1, keepdims=True)""",
    "log_softmax": """def log_softmax(x):
    shifted = x - {m}.max(x, axis=-1, keepdims=True)
    return shifted - {m}.log({m}.sum({m}.exp(shifted), axis=-1, keepdims=True))""",
    "scattered": """def scattered(values, places, shape):
    zeros = {m}.zeros(shape, dtype={m}.asarray(values).dtype)
    zeros.reshape(-1)[places] = {m}.reshape(values, -1)
    return zeros""",
}


class ArrayLanguage(PythonLanguage):
    """What numpy and JAX share."""

    rules = RULES
    calls = CALLS

    def __init__(self, computation: Any) -> None:
        super().__init__(computation)
        self.helpers: set[str] = set()

    def input_lines(self) -> list[str]:
        """`x = np.array(3.0, dtype=np.float64)`."""
        found = {self.input_names[item.name]: item for item in self.computation.inputs.values()}
        return [
            f"{name} = {self.array}({self.input_text(item)}, dtype={self.dtype(item.dtype)})"
            for name, item in found.items()
        ]

    def dtype(self, name: str) -> str:
        return f"{self.module}.bool_" if name == "bool" else f"{self.module}.{name}"

    def arguments(self, node: Node, pieces: Sequence[Piece]) -> Sequence[Piece]:
        """A plain number takes its type from what it meets."""
        return super().arguments(node, pieces) if all(piece.plain for piece in pieces) else pieces

    def helper_lines(self) -> list[str]:
        """The functions that the rules asked for."""
        lines: list[str] = []
        for name in sorted(self.helpers):
            lines += ["", "", *HELPERS[name].format(m=self.module).split("\n")]
        return [*lines, ""] if lines else []


class Numpy(ArrayLanguage):
    """The forward pass, and the gradient node by node, as reverse mode builds it."""

    title = "numpy"
    module = "np"
    array = "np.array"
    frameworks = ("numpy",)
    differentiates = False
    rules: ClassVar[Mapping[str, Rule]] = {
        **RULES,
        "Elu": where("{0} > 0", "{0}", "{module}.expm1({module}.minimum({0}, 0))"),
        "LogSoftmax": log_softmax,
        "Softmax": softmax,
        "SoftmaxCrossEntropyWithLogits": cross_entropy,
        "Softsign": lambda language, node, x: x / (1.0 + language.function("abs", x)),
        "StopGradient": lambda language, node, x: x,
        "StridedSliceGrad": slice_gradient,
    }

    def program(self) -> str:
        parts = self.parts()
        slopes = ", ".join(parts.slopes.values())
        return (
            f"{parts.text}\nprint({parts.y}, [{slopes}])\n" if slopes else f"{parts.text}\nprint({parts.y})\n"
        )

    def parts(self) -> NumpyParts:
        """The text without its last line, and under which names its results stand."""
        computation = self.computation
        self.write_inputs()
        trained = [item for item in computation.trained if item.name in computation.gradients]
        gradients = [computation.gradients[item.name] for item in trained]
        wanted = {computation.target.name: "y"}
        for item, gradient in zip(trained, gradients, strict=True):
            wanted.setdefault(gradient.name, f"d_{self.input_names[item.name]}")
        y, *slopes = self.write([computation.target, *gradients], wanted)
        body = [f"{name} = {text}" for name, text in self.lines]
        text = "\n".join([*self.head_lines(), *self.helper_lines(), "", *self.input_lines(), "", *body])
        names = [self.input_names[item.name] for item in trained]
        keys = [item.name for item in trained]
        return NumpyParts(text, y, dict(zip(keys, slopes, strict=True)), dict(zip(keys, names, strict=True)))

    def forward_function(self) -> str:
        """The forward pass alone, as a function `f` of the inputs that the gradient is taken by."""
        computation = self.computation
        self.write_inputs()
        (y,) = self.write([computation.target], {computation.target.name: "y"})
        trained = [item for item in computation.trained if item.name in computation.gradients]
        inputs = ", ".join(self.input_names[item.name] for item in trained)
        body = [f"    {name} = {text}" for name, text in self.lines]
        return "\n".join([f"def f({inputs}):", *body, f"    return {y}"])

    def head_lines(self) -> list[str]:
        """The modules that the text uses."""
        uses_math = any("(math." in text for _, text in self.lines)
        return ["import math", "", "import numpy as np"] if uses_math else ["import numpy as np"]


@dataclass(frozen=True, slots=True)
class NumpyParts:
    """A text of numpy. y: its target; slopes and names: each input's gradient and its name in the text."""

    text: str
    y: str
    slopes: Mapping[str, str]
    names: Mapping[str, str]


class Jax(ArrayLanguage):
    """A function of the inputs, and `jax.value_and_grad`."""

    title = "JAX"
    module = "jnp"
    array = "jnp.array"
    frameworks = ("jax", "numpy")
    rules: ClassVar[Mapping[str, Rule]] = {
        **RULES,
        "SoftmaxCrossEntropyWithLogits": lambda language, node, x, t: [
            -language.function("sum", t * language.function("jax.nn.log_softmax", x), axis=-1)
        ],
    }

    def program(self) -> str:
        computation = self.computation
        self.write_inputs()
        names = list(dict.fromkeys(self.input_names[item.name] for item in computation.inputs.values()))
        (y,) = self.write([computation.target], {computation.target.name: "y"})
        trained = [self.input_names[item.name] for item in computation.trained]
        whole = f"jnp.sum({y})" if computation.target.shape != () else y
        body = [f"    {name} = {text}" for name, text in self.lines]
        head = ["import jax", "import jax.numpy as jnp", "", 'jax.config.update("jax_enable_x64", True)']
        inputs = ", ".join(names)
        places = tuple(names.index(name) for name in trained)
        shown = [f"print(f({inputs}))"]
        if trained:
            shown.append(f"print(jax.grad({self._summed(whole, y)}, argnums={places})({inputs}))")
        return "\n".join(
            [
                *head,
                "",
                "",
                *self.remarks(),
                f"def f({inputs}):",
                *body,
                f"    return {y}",
                "",
                "",
                *self.input_lines(),
                *shown,
                "",
            ]
        )

    def _summed(self, whole: str, y: str) -> str:
        return "f" if whole == y else "lambda *x: jnp.sum(f(*x))"
