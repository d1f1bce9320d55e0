"""Functions made of others that leave one node of their own behind, as PyTorch's kernels do.

A composite is written once, in terms of other functions. The pass backward runs it again on what it was
given, and goes backward through that, so that its gradient can be differentiated in turn.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from engine.languages.surfaces.torch.autograd.engine import Pass
from engine.languages.surfaces.torch.autograd.function import Differentiable
from engine.languages.surfaces.torch.autograd.nodes import Edge, gradient_edge
from engine.languages.surfaces.torch.state import recording, state
from engine.languages.surfaces.torch.tensor import Tensor, of_value

SAVED: Mapping[str, str] = MappingProxyType(
    {
        "ConvolutionBackward0": "bias_sym_sizes_opt dilation groups input output_padding padding stride "
        "transposed weight",
        "NativeLayerNormBackward0": "bias input normalized_shape result1 result2 weight",
        "NativeGroupNormBackward0": "C HxW N eps group input result1 result2 weight",
        "NativeBatchNormBackward0": "eps input result1 result2 running_mean running_var training weight",
        "AvgPool2DBackward0": "ceil_mode count_include_pad divisor_override kernel_size padding self stride",
        "AdaptiveAvgPool2DBackward0": "self",
        "PixelShuffleBackward0": "upscale_factor",
        "Im2ColBackward0": "dilation kernel_size padding self_sym_argsize_minus_1 self_sym_argsize_minus_2 "
        "stride",
        "Col2ImBackward0": "dilation kernel_size padding stride",
        "ScaledDotProductFlashAttentionForCpuBackward0": "attn_mask dropout_p is_causal key logsumexp output "
        "query scale value",
    }
)  # what PyTorch's nodes of these names show as saved


class Composite(Differentiable):
    """A composite as one function; its inputs are the tensors that gradients go to, None among them."""

    def __init__(self, function: Callable[..., Any], node_name: str, inputs: str) -> None:
        super().__init__(function, node_name, inputs, inputs, "result")
        self.rule = self._backward
        self.shown = tuple(SAVED.get(node_name, inputs).split())

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        count = len(self.inputs)
        tensors = [*arguments, *[None] * (count - len(arguments))][:count]
        attributes = {**dict(zip(self.attributes, arguments[count:], strict=False)), **keywords}
        with recording(False):
            made = self.forward(*tensors, **attributes)
        attributes = {name: attributes.get(name, _default(self.forward, name)) for name in self.attributes}
        node = self.record(tensors, [made], attributes, tensors)
        if node is not None:
            node.metadata["settings"] = attributes
        return made

    def _backward(self, saved: Any, grad: Any) -> list[Tensor | None]:
        node = saved._node
        tensors = [getattr(saved, name) for name in self.inputs]
        needed = [edge is not None for edge in node.next_edges]
        return vjp(lambda *given: self.forward(*given, **node.metadata["settings"]), tensors, needed, grad)


def _default(function: Callable[..., Any], name: str) -> Any:
    return inspect.signature(function).parameters[name].default


def composite(node_name: str, inputs: str) -> Callable[[Callable[..., Any]], Composite]:
    """Decorator: a composite that leaves a node of this name behind."""
    return lambda function: Composite(function, node_name, inputs)


def vjp(
    function: Callable[..., Tensor], tensors: Sequence[Tensor | None], needed: Sequence[bool], grad: Any
) -> list[Tensor | None]:
    """The gradient for each tensor that needs one, of a function that is run again."""
    differentiable = state().records
    given = [
        one if one is None or differentiable else _leaf(one, asked)
        for one, asked in zip(tensors, needed, strict=True)
    ]
    with recording(True):
        result = function(*given)
    edges = [gradient_edge(one) if asked else None for one, asked in zip(given, needed, strict=True)]
    wanted: list[Edge] = [edge for edge in edges if edge is not None]
    sweep = Pass(keep_graph=differentiable, create_graph=differentiable, wanted=wanted, accumulate=False)
    root = gradient_edge(result)
    if root is None:
        return [None] * len(given)
    sweep.run([root], [grad])
    return [None if edge is None else sweep.found.get(sweep.wanted[edge.node, edge.index]) for edge in edges]


def _leaf(tensor: Any, asked: bool) -> Any:
    """The same value without its history."""
    made = of_value(tensor.value)
    made.requires = asked
    return made
