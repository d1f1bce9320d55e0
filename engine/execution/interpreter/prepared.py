"""What of a node's run is the same in every run, worked out once: its inputs, parameters and cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.execution.budget import Meter
from engine.execution.cost import SMALL, cost_of
from engine.execution.interpreter.buffers import buffer_behind, is_merged
from engine.execution.interpreter.sizes import output_shapes
from engine.graph import Node, Tensor
from engine.graph.kernels import parameters_of
from engine.ops.base.shapes import element_count
from engine.ops.base.tensors import TEXT, array_dtype

HANDLES = frozenset({"resource", "variant"})  # of things that are no values: what a loop fills, datasets
NOT_NUMBERS = HANDLES | {TEXT}  # dtypes whose arrays hold objects


SPECIAL = frozenset({"Placeholder", "Switch", "Merge", "RefSwitch", "RefMerge"})  # a session looks at these


class Prepared:
    """One node, ready to run.

    reads:   for each input, the variable whose memory it is, or None.
    merged:  for each input, whether a branch or a turn of a loop decides whose memory it is.
    sees:    the variables whose updates the node has waited for.
    dtypes:  of the outputs, as arrays have them.
    cost:    what follows from the graph alone.
    """

    __slots__ = (
        "cost",
        "dtypes",
        "inputs",
        "is_plain",
        "merged",
        "node",
        "outputs",
        "parameters",
        "reads",
        "sees",
    )

    def __init__(self, node: Node, sees: frozenset[Node]) -> None:
        self.node = node
        self.inputs: tuple[Tensor, ...] = node.inputs
        self.outputs: tuple[Tensor, ...] = node.outputs
        self.reads = tuple([buffer_behind(tensor) for tensor in node.inputs])
        self.merged = tuple([is_merged(tensor) for tensor in node.inputs])
        self.sees = sees
        self.parameters: Mapping[str, Any] = parameters_of(node)
        self.dtypes = tuple([array_dtype(tensor.dtype) for tensor in node.outputs])
        self.cost = cost_of(node)
        has_effect = node.op.draws or node.op.keeps or node.op.writes or node.op.text_rule is not None
        special = has_effect or node.op.name in SPECIAL
        takes_memory = any(self.reads) or any(self.merged)
        self.is_plain = not special and len(node.outputs) == 1 and not takes_memory

    def charge(self, arguments: Sequence[Any], meter: Meter) -> None:
        """Charge the meter for what is about to be made, before it is."""
        if self.cost.operations is not None:
            self.cost.charge(meter)
            return
        shapes: Sequence[Any] = [output.shape for output in self.outputs]
        counts: Sequence[int | None] = self.cost.counts
        if None in counts:
            shapes = output_shapes(self.node, list(arguments))
            counts = [element_count(shape) for shape in shapes]
        for shape, count in zip(shapes, counts, strict=True):
            if (count or 0) > SMALL:
                meter.check_elements(shape)
        meter.spend(self.node.op.work(counts, arguments, self.node.attrs))
