"""PyTorch: tensors that require a gradient, and `torch.autograd.grad`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
    shape_text,
    squeezed,
)


def product_of_all(language: Torch, node: Node, x: Piece, axes: Piece) -> Piece:
    options = language.axes(node)
    if isinstance(options.get("dim"), tuple) or (options.get("keepdim") and "dim" not in options):
        raise language.refuse(node)
    return language.function("prod", x, **options)


def along_last(name: str) -> Rule:
    return lambda language, node, x: language.function(name, x, dim=-1)


def cross_entropy(language: Torch, node: Node, logits: Piece, labels: Piece) -> list[Piece]:
    shifted = language.function("log_softmax", logits, dim=-1)
    return [-language.function("sum", labels * shifted, dim=-1)]


def cast(language: Torch, node: Node, x: Piece) -> Piece:
    return language.method("to", node, x, language.dtype(node.outputs[0].dtype))


def filled(language: Torch, node: Node, dims: Piece, value: Piece) -> Piece:
    shape = language.piece(shape_text(tuple(int(n) for n in language.static(node, 0))))
    return language.function("full", shape, value, dtype=language.dtype(node.outputs[0].dtype))


def gathered(language: Torch, node: Node, x: Piece, indices: Piece, axis: Piece) -> Piece:
    before = ":, " * int(language.static(node, 2))
    return language.piece(f"{x.inside(ATOM)}[{before}{indices.text}]")


def padded(language: Torch, node: Node, x: Piece, _: Piece) -> Piece:
    """PyTorch counts from the last axis, and takes the amounts flat."""
    amounts = [int(n) for row in np.asarray(language.static(node, 1))[::-1] for n in row]
    return language.function("nn.functional.pad", x, language.piece(str(amounts)))


RULES: Mapping[str, Rule] = {
    **SLICES,
    "BatchMatMulV2": matrix_product("{0}.mT"),
    "Cast": cast,
    "Fill": filled,
    "GatherV2": gathered,
    "L2Loss": half_of_squares,
    "LogSoftmax": along_last("log_softmax"),
    "MatMul": matrix_product("{0}.T"),
    "Pad": padded,
    "Prod": product_of_all,
    "Softmax": along_last("softmax"),
    "SoftmaxCrossEntropyWithLogits": cross_entropy,
    "Squeeze": squeezed,
    "StopGradient": lambda language, node, x: language.method("detach", node, x),
}


class Torch(PythonLanguage):
    """Leaves that require a gradient, the formula, and its gradient."""

    title = "PyTorch"
    module = "torch"
    array = "torch.tensor"
    axis = "dim"
    kept = "keepdim"
    frameworks = ("torch", "numpy")
    rules = RULES
    calls = CALLS

    def program(self) -> str:
        computation = self.computation
        self.write_inputs()
        (y,) = self.write([computation.target], {computation.target.name: "y"})
        trained = [self.input_names[item.name] for item in computation.trained]
        body = [f"{name} = {text}" for name, text in self.lines]
        if trained:
            whole = y if computation.target.shape == () else f"{y}.sum()"
            body += self.differentiated(whole, trained)
        shown = f"print({y}, {self.gradients(trained)})" if trained else f"print({y})"
        return "\n".join(["import torch", "", *self.remarks(), *self._inputs(), "", *body, shown, ""])

    def method(self, name: str, node: Node, x: Piece, *arguments: str) -> Piece:
        """A method of a tensor; a plain number, which has none, is made one."""
        tensor = self.typed(x, node.inputs[0].dtype)
        return self.piece(f"{tensor.inside(ATOM)}.{name}({', '.join(arguments)})")

    def differentiated(self, whole: str, trained: Sequence[str]) -> list[str]:
        """The lines that differentiate."""
        return [f"gradients = torch.autograd.grad({whole}, [{', '.join(trained)}])"]

    def gradients(self, trained: Sequence[str]) -> str:
        """What holds the gradients."""
        return "gradients"

    def _inputs(self) -> list[str]:
        lines: dict[str, str] = {}
        for item in self.computation.inputs.values():
            name = self.input_names[item.name]
            value = self.input_text(item)
            needed = ", requires_grad=True" if item.trained else ""
            lines[name] = f"{name} = torch.tensor({value}, dtype={self.dtype(item.dtype)}{needed})"
        return list(lines.values())


class TorchBackward(Torch):
    """The same with `backward`, which leaves each gradient in the `.grad` of its leaf."""

    def differentiated(self, whole: str, trained: Sequence[str]) -> list[str]:
        """The line that differentiates."""
        return [f"{whole}.backward()"]

    def gradients(self, trained: Sequence[str]) -> str:
        """The `.grad` of each leaf."""
        return ", ".join(f"{name}.grad" for name in trained)
