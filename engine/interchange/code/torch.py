"""PyTorch: tensors that require a gradient, and `torch.autograd.grad`."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.graph import Node
from engine.interchange.code.arrays import SAME_NAMES
from engine.interchange.code.formulas import FORMULAS
from engine.interchange.code.language import Rule
from engine.interchange.code.pieces import ATOM, Piece
from engine.interchange.code.python import (
    SHARED_TIES,
    SLICES,
    PythonLanguage,
    joined,
    listed,
    matrix_product,
    numbers_text,
    reduction,
    reshaped,
    shape_text,
)

NAMES = {
    **SAME_NAMES,
    "Rint": "round",
    "FloorDiv": "floor_divide",
    "FloorMod": "remainder",
    "Rsqrt": "rsqrt",
    "Erf": "erf",
    "Erfc": "erfc",
    "Lgamma": "lgamma",
    "Digamma": "digamma",
    "Sigmoid": "sigmoid",
    "Relu": "relu",
    "Softplus": "nn.functional.softplus",
    "Softsign": "nn.functional.softsign",
    "Elu": "nn.functional.elu",
    "Selu": "selu",
    "Relu6": "nn.functional.relu6",
    "MatrixInverse": "linalg.inv",
    "MatrixDeterminant": "linalg.det",
}


def all_typed(name: str) -> Rule:
    """A function that takes tensors only: plain numbers get their type."""
    return lambda language, node, *pieces: language.call(
        language.function(name),
        *(language.typed(p, t.dtype) for p, t in zip(pieces, node.inputs, strict=True)),
    )


def extreme(name: str) -> Rule:
    """`amax` shares the gradient among equal elements, as TensorFlow does."""
    return reduction(name)


def product_of_all(language: Torch, node: Node, x: Piece, axes: Piece) -> Piece:
    options = language.axes(node)
    if isinstance(options.get("dim"), tuple) or (options.get("keepdim") and "dim" not in options):
        raise language.refuse(node)
    return language.call("torch.prod", x, **options)


def along(name: str, option: str = "dim") -> Rule:
    """`argmax(x, dim=0)`, `unsqueeze(x, dim=0)`."""

    def rule(language: Torch, node: Node, x: Piece, _: Piece) -> Piece:
        return language.call(language.function(name), x, **{option: int(language.static(node, 1))})

    return rule


def along_last(name: str) -> Rule:
    return lambda language, node, x: language.call(language.function(name), x, dim=-1)


def cross_entropy(language: Torch, node: Node, logits: Piece, labels: Piece) -> list[Piece]:
    shifted = language.call("torch.log_softmax", logits, dim=-1)
    return [-language.call("torch.sum", labels * shifted, dim=-1)]


def permuted(language: Torch, node: Node, x: Piece, _: Piece) -> Piece:
    return language.call("torch.permute", x, language.piece(numbers_text(language.static(node, 1))))


def squeezed(language: Torch, node: Node, x: Piece) -> Piece:
    axes = tuple(node.attrs.get("squeeze_dims") or ())
    return language.call("torch.squeeze", x, **({"dim": axes} if axes else {}))


def cast(language: Torch, node: Node, x: Piece) -> Piece:
    return language.piece(f"{x.inside(ATOM)}.to({language.dtype(node.outputs[0].dtype)})")


def filled(language: Torch, node: Node, dims: Piece, value: Piece) -> Piece:
    shape = language.piece(shape_text(tuple(int(n) for n in language.static(node, 0))))
    return language.call("torch.full", shape, value, dtype=language.dtype(node.outputs[0].dtype))


def gathered(language: Torch, node: Node, x: Piece, indices: Piece, axis: Piece) -> Piece:
    before = ":, " * int(language.static(node, 2))
    return language.piece(f"{x.inside(ATOM)}[{before}{indices.text}]")


def stacked(language: Torch, node: Node, *pieces: Piece) -> Piece:
    return language.call("torch.stack", listed(language, node, pieces), dim=node.attrs["axis"])


def padded(language: Torch, node: Node, x: Piece, _: Piece) -> Piece:
    """PyTorch counts from the last axis, and takes the amounts flat."""
    amounts = [int(n) for row in np.asarray(language.static(node, 1))[::-1] for n in row]
    return language.call("torch.nn.functional.pad", x, language.piece(str(amounts)))


RULES: Mapping[str, Rule | str] = {
    **{op: all_typed(name) for op, name in NAMES.items()},
    **SLICES,
    "All": reduction("all"),
    "Any": reduction("any"),
    "ArgMax": along("argmax"),
    "ArgMin": along("argmin"),
    "BatchMatMulV2": matrix_product("{0}.mT"),
    "BroadcastTo": reshaped("broadcast_to"),
    "Cast": cast,
    "ConcatV2": joined("cat"),
    "ExpandDims": along("unsqueeze"),
    "Fill": filled,
    "GatherV2": gathered,
    "L2Loss": lambda language, node, x: language.call("torch.sum", x * x) / 2,
    "LogSoftmax": along_last("log_softmax"),
    "MatMul": matrix_product("{0}.T"),
    "Max": extreme("amax"),
    "Mean": reduction("mean"),
    "Min": extreme("amin"),
    "Pack": stacked,
    "Pad": padded,
    "Prod": product_of_all,
    "Reshape": reshaped("reshape"),
    "Softmax": along_last("softmax"),
    "SoftmaxCrossEntropyWithLogits": cross_entropy,
    "Squeeze": squeezed,
    "StopGradient": lambda language, node, x: language.piece(f"{x.inside(ATOM)}.detach()"),
    "Sum": reduction("sum"),
    "Tile": reshaped("tile"),
    "Transpose": permuted,
}


class Torch(PythonLanguage):
    """Leaves that require a gradient, the formula, and its gradient."""

    title = "PyTorch"
    module = "torch"
    array = "torch.tensor"
    axis = "dim"
    kept = "keepdim"
    rules = RULES
    kinks = SHARED_TIES
    shared = FORMULAS

    def program(self) -> str:
        computation = self.computation
        self.write_inputs()
        (y,) = self.write([computation.target], {computation.target.name: "y"})
        trained = [self.input_names[item.name] for item in computation.trained]
        body = [f"{name} = {text}" for name, text in self.lines]
        if trained:
            whole = y if computation.target.shape == () else f"{y}.sum()"
            body.append(f"gradients = torch.autograd.grad({whole}, [{', '.join(trained)}])")
        shown = f"print({y}, gradients)" if trained else f"print({y})"
        return "\n".join(["import torch", "", *self.remarks(), *self._inputs(), "", *body, shown, ""])

    def _inputs(self) -> list[str]:
        lines: dict[str, str] = {}
        for item in self.computation.inputs.values():
            name = self.input_names[item.name]
            value = self.input_text(item)
            needed = ", requires_grad=True" if item.trained else ""
            lines[name] = f"{name} = torch.tensor({value}, dtype={self.dtype(item.dtype)}{needed})"
        return list(lines.values())
