"""Words for level Mathematics: an exponent of 1 and a derived factor of 1 are not there, as on paper.

Nor is there a step for a whole number that only takes the type of the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from engine.graph import Node, Tensor
from engine.languages.workspace import GradientCall
from engine.programs.lesson.mathematics.operations import depends_on_given, stays_as_it_is
from engine.programs.lesson.unrolled.happenings import Path
from engine.programs.lesson.words import Words
from engine.programs.program.items import Values
from engine.programs.program.outcome import Outcome

WHOLE = ("int32", "int64")


class LearnersWords(Words):
    """The same graph; `x¹` is `x`, and in a gradient that is differentiated again `1 · cos x` is `cos x`.

    behind: what stands for such a product, power or whole number.
    """

    def __init__(
        self,
        outcome: Outcome,
        ys: Sequence[Tensor],
        values: Values,
        paths: Mapping[Node, Path] = MappingProxyType({}),
    ) -> None:
        self.behind: dict[Tensor, Tensor] = {}
        super().__init__(outcome, ys, values, paths)
        self.behind = dict(self._ones())
        self.kept = {
            node: tuple(self.resolved(tensor) for tensor in inputs) for node, inputs in self.kept.items()
        }
        self.received = self._received()

    def tellable(self, needed: Iterable[Node]) -> list[Node]:
        """Those of the nodes that have a step of their own: no product with 1, no first power."""
        return [node for node in super().tellable(needed) if node.outputs[0] not in self.behind]

    def resolved(self, tensor: Tensor) -> Tensor:
        """The tensor behind reads, gates, products with 1 and first powers."""
        tensor = super().resolved(tensor)
        while tensor in self.behind:
            tensor = super().resolved(self.behind[tensor])
        return tensor

    def _ones(self) -> Iterator[tuple[Tensor, Tensor]]:
        for node in self.forward:
            if node.op.name == "Transpose" and node.outputs[0] not in self.ys and stays_as_it_is(node):
                yield node.outputs[0], node.inputs[0]
            if node.op.name == "Pow" and node.outputs[0] not in self.ys and self._is_one(node.inputs[1]):
                yield node.outputs[0], node.inputs[0]
            if node.op.name == "Cast" and node.inputs[0].dtype in WHOLE and node.outputs[0] not in self.ys:
                yield node.outputs[0], node.inputs[0]
            if node.phase == "gradient" and node.op.name == "Mul":
                for one, other in (node.inputs, node.inputs[::-1]):
                    is_name = node.outputs[0] in self.ys and not super().resolved(other).node.inputs
                    if self._is_one(one) and not is_name and self._is_whole(node.outputs[0], other):
                        yield node.outputs[0], other
                        break

    def _is_one(self, tensor: Tensor) -> bool:
        value = self.values.get(tensor)
        is_given = tensor.node.op.name in ("Const", "Fill") or (
            tensor.node.phase == "gradient" and not depends_on_given(tensor.node)
        )
        return is_given and value is not None and bool(np.all(value == 1))

    def _is_whole(self, product: Tensor, factor: Tensor) -> bool:
        whole, part = self.values.get(product), self.values.get(factor)
        return whole is not None and part is not None and whole.shape == part.shape


def earlier_calls(words: Words) -> list[GradientCall]:
    """The calls whose gradients are differentiated here, the first derivative first."""
    found: list[GradientCall] = []
    ys = set(words.ys)
    for call in reversed(words.outcome.workspace.gradient_calls):
        slopes = {gradient for gradient in call.gradients if isinstance(gradient, Tensor)}
        if slopes & ys and call.ys[0].graph is words.graph:
            found.insert(0, call)
            ys = set(call.ys)
    return found
