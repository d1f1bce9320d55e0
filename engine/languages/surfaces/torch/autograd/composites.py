"""Functions made of others that leave one node of their own behind, as PyTorch's kernels do.

A composite is written once, in terms of other functions. The pass backward runs it again on what it was
given, and goes backward through that, so that its gradient can be differentiated in turn. Where that pass is
recorded, the gradients of many a composite are one node, too: `DERIVATIVES`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from engine import ops
from engine.languages.surfaces.torch.autograd.engine import Pass
from engine.languages.surfaces.torch.autograd.function import Differentiable, differentiable
from engine.languages.surfaces.torch.autograd.nodes import Edge, Meta, gradient_edge
from engine.languages.surfaces.torch.dtypes import BOOL
from engine.languages.surfaces.torch.errors import not_differentiable
from engine.languages.surfaces.torch.state import recording, state
from engine.languages.surfaces.torch.tensor import Tensor, like, of_value

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


class Kernel(NamedTuple):
    """The gradients of a composite as PyTorch computes them, by one function with a node of its own.

    inputs: its tensors: what came to the composite first, then the composite's own; `-` for one of PyTorch's
            that is worked out anew here.
    shown:  what its node shows as saved.
    zeros:  whether an input that its results do not depend on is sent zeros instead of nothing.
    missing: where PyTorch has no derivative of it, its name in PyTorch.
    """

    node_name: str
    inputs: str = "grad_output input"
    shown: str = ""
    zeros: bool = True
    missing: str = ""


WINDOWS = "ceil_mode count_include_pad divisor_override kernel_size padding stride"
LENGTHS = "grad_output_sym_argsize_minus_1 grad_output_sym_argsize_minus_2"
DERIVATIVES: dict[str, Kernel] = {
    "ConvolutionBackward0": Kernel(
        "ConvolutionBackwardBackward0",
        "grad_output input weight",
        "dilation grad_output groups input output_padding padding stride transposed weight",
        zeros=False,
    ),
    "NativeLayerNormBackward0": Kernel(
        "NativeLayerNormBackwardBackward0",
        "grad_out input - - weight bias",
        "grad_out input mean normalized_shape rstd weight",
    ),
    "NativeBatchNormBackward0": Kernel(
        "NativeBatchNormBackwardBackward0",
        "grad_out input weight - -",
        "eps grad_out input running_mean running_var save_invstd save_mean train weight",
    ),
    "AvgPool2DBackward0": Kernel("AvgPool2DBackwardBackward0", shown=WINDOWS),
    "AvgPool3DBackward0": Kernel("AvgPool3DBackwardBackward0", shown=WINDOWS),
    "AdaptiveAvgPool2DBackward0": Kernel("AdaptiveAvgPool2DBackwardBackward0", shown=LENGTHS),
    "AdaptiveAvgPool3DBackward0": Kernel(
        "AdaptiveAvgPool3DBackwardBackward0", shown=f"{LENGTHS} grad_output_sym_argsize_minus_3"
    ),
    "ConstantPadNdBackward0": Kernel("ConstantPadNdBackward0", "grad_output", "pad"),
    "Im2ColBackward0": Kernel("Col2ImBackward0", "grad_output", SAVED["Col2ImBackward0"]),
    "Col2ImBackward0": Kernel("Im2ColBackward0", "grad_output", SAVED["Im2ColBackward0"]),
    "PixelShuffleBackward0": Kernel("PixelUnshuffleBackward0", "grad_output", "downscale_factor"),
    "PixelUnshuffleBackward0": Kernel("PixelShuffleBackward0", "grad_output", "upscale_factor"),
    "NativeChannelShuffleBackward0": Kernel("ChannelShuffleBackward0", "grad_output", "groups"),
    "GridSampler2DBackward0": Kernel(
        "GridSampler2DBackwardBackward0",
        "grad_output input grid",
        "align_corners grad_output grid input interpolation_mode padding_mode",
        zeros=False,
    ),
    "ScaledDotProductFlashAttentionForCpuBackward0": Kernel(
        "NotImplemented",
        "grad_output query key value",
        missing="aten::_scaled_dot_product_flash_attention_for_cpu_backward",
    ),
    "MultiMarginLossBackward0": Kernel("NotImplemented", missing="aten::multi_margin_loss_backward"),
    "MultilabelMarginLossBackward0": Kernel(
        "NotImplemented", missing="aten::multilabel_margin_loss_backward"
    ),
    "EmbeddingBagBackward0": Kernel(
        "EmbeddingBagBackwardBackward0", "grad_output -", missing="'_embedding_bag_backward'"
    ),
    "UpsampleNearest1DBackward0": Kernel(
        "UpsampleNearest1DBackwardBackward0", "grad_output", "output_size scales"
    ),
    "UpsampleNearest2DBackward0": Kernel(
        "UpsampleNearest2DBackwardBackward0", "grad_output", "output_size scales_h scales_w"
    ),
    "UpsampleNearest3DBackward0": Kernel(
        "UpsampleNearest3DBackwardBackward0", "grad_output", "output_size scales_d scales_h scales_w"
    ),
    "UpsampleLinear1DBackward0": Kernel(
        "UpsampleLinear1DBackwardBackward0", "grad_output", "align_corners output_size scales"
    ),
    "UpsampleBilinear2DBackward0": Kernel(
        "UpsampleBilinear2DBackwardBackward0", "grad_output", "align_corners output_size scales_h scales_w"
    ),
    "UpsampleTrilinear3DBackward0": Kernel(
        "UpsampleTrilinear3DBackwardBackward0",
        "grad_output",
        "align_corners output_size scales_d scales_h scales_w",
    ),
    **{
        f"{way}MaxPool{axes}DBackward0": Kernel(f"{way}MaxPool{axes}DBackwardBackward0", shown="indices")
        for way, axes in (("Adaptive", 2), ("Adaptive", 3))
    },
    **{
        f"MaxPool{axes}DWithIndicesBackward0": Kernel(
            f"MaxPool{axes}DWithIndicesBackwardBackward0", shown="indices"
        )
        for axes in (2, 3)
    },
    **{
        f"{way}Pad{axes}DBackward0": Kernel(f"{way}Pad{axes}DBackwardBackward0", shown="padding")
        for way in ("Reflection", "Replication")
        for axes in (1, 2, 3)
    },
}


class Composite(Differentiable):
    """A composite as one function; its inputs are the tensors that gradients go to, None among them.

    Its result may be several tensors, of which those that nobody asks for are None.
    """

    def __init__(self, function: Callable[..., Any], node_name: str, inputs: str, shown: str | None) -> None:
        super().__init__(function, node_name, inputs, inputs, "result")
        self.rule = self._backward
        self.shown = tuple((SAVED.get(node_name, inputs) if shown is None else shown).split())
        self.derivative: Derivative | None = None
        self.fills_inputs = False

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        if not state().records:
            return owned(self.forward(*arguments, **keywords), arguments)
        count = len(self.inputs)
        tensors = [*arguments, *[None] * (count - len(arguments))][:count]
        settings = {**self.usual, **dict(zip(self.attributes, arguments[count:], strict=False)), **keywords}
        with recording(False):
            made = owned(self.forward(*tensors, **settings), tensors)
        self.keep_node(tensors, made, settings)
        return made

    def keep_node(self, tensors: Sequence[Any], made: Any, settings: Mapping[str, Any]) -> None:
        """Leave a node behind where one is needed, each result with its own place among them all."""
        results = list(made) if isinstance(made, (tuple, list)) else [made]
        node = self.record(tensors, [one for one in results if one is not None], {}, tensors)
        if node is None:
            return
        node.metadata["settings"], node.fills_zeros = settings, False
        node.kept.update({name: settings[name] for name in self.shown if name in settings})
        node.outputs = [NOTHING if one is None else Meta(one.shape, one.dtype) for one in results]
        for place, one in enumerate(results):
            if one is not None and one.node is node:
                one.output = place

    def _backward(self, saved: Any, *grads: Any) -> list[Tensor | None]:
        node = saved._node
        if all(one is None for one in grads):
            return [None] * len(self.inputs)
        tensors = [node.saved(name) for name in self.inputs]
        needed = [edge is not None for edge in node.next_edges]
        settings = node.metadata["settings"]
        if self.derivative is not None and state().records:
            return self.derivative.of(grads[0], tensors, needed, settings)
        found = vjp(lambda *given: self.forward(*given, **settings), tensors, needed, grads)
        return _zeros_for(found, tensors, needed) if self.fills_inputs else found


def owned(made: Any, given: Sequence[Any]) -> Any:
    """Results on memory of their own, where a function ends with a view, or gives one of its inputs back."""
    if isinstance(made, (tuple, list)):
        return tuple(owned(one, given) for one in made)
    if not isinstance(made, Tensor):
        return made
    shares = any(isinstance(one, Tensor) and one.storage is made.storage for one in given)
    return like(made.value, made.dtype) if shares or made.steps or made.base is not None else made


NOTHING = Meta((), BOOL)  # of a gradient that nobody asks for


def _zeros_for(
    found: Sequence[Tensor | None], tensors: Sequence[Tensor | None], needed: Sequence[bool]
) -> list[Tensor | None]:
    """Zeros for the inputs that received nothing."""
    return [
        of_value(ops.zeros_like(one.value)) if asked and gradient is None and one is not None else gradient
        for gradient, one, asked in zip(found, tensors, needed, strict=True)
    ]


class Derivative(Composite):
    """The gradients of a composite, in their turn a composite of what came to it and of its tensors."""

    def __init__(self, composite: Composite, kernel: Kernel) -> None:
        super().__init__(self._gradients, kernel.node_name, kernel.inputs, kernel.shown)
        self.composite, self.fills_inputs, self.missing = composite, kernel.zeros, kernel.missing

    def _backward(self, saved: Any, *grads: Any) -> list[Tensor | None]:
        if self.missing:
            raise not_differentiable(self.missing)
        return super()._backward(saved, *grads)

    def of(
        self, grad: Tensor, tensors: Sequence[Any], needed: Sequence[bool], settings: Mapping[str, Any]
    ) -> list[Tensor | None]:
        """The gradients for the tensors that need one, as the results of one node."""
        named = {self.inputs[0]: grad, **dict(zip(self.composite.inputs, tensors, strict=True))}
        given = [named.get(name) for name in self.inputs]
        rest = {"needed": needed, "settings": settings, "others": tensors}
        with recording(False):
            made: list[Any] = list(owned(self._gradients(*given, **rest), given))
        self.keep_node(given, made, rest)
        return made

    def _gradients(self, *given: Any, **rest: Any) -> list[Tensor | None]:
        """The gradients, with the composite's tensors as given, the others as they were."""
        named = dict(zip(self.inputs, given, strict=True))
        needed, settings = rest["needed"], rest["settings"]
        tensors = [
            named[name] if name in named else None if other is None else _leaf(other, asked)
            for name, other, asked in zip(self.composite.inputs, rest["others"], needed, strict=True)
        ]
        forward = self.composite.forward
        return vjp(lambda *again: forward(*again, **settings), tensors, needed, [given[0]])


def composite(
    node_name: str, inputs: str, shown: str | None = None
) -> Callable[[Callable[..., Any]], Composite]:
    """Decorator: a composite that leaves a node of this name behind. shown: what that shows as saved."""

    def make(function: Callable[..., Any]) -> Composite:
        made = Composite(function, node_name, inputs, shown)
        if node_name in DERIVATIVES:
            made.derivative = Derivative(made, DERIVATIVES[node_name])
        return made

    return make


def kernel(node_name: str, inputs: str, shown: str) -> Callable[[Callable[..., Any]], Composite]:
    """Decorator: a derivative as a composite; an input that it does not depend on is sent zeros."""

    def make(function: Callable[..., Any]) -> Composite:
        made = Composite(function, node_name, inputs, shown)
        made.fills_inputs = True
        return made

    return make


def vjp(
    function: Callable[..., Any],
    tensors: Sequence[Tensor | None],
    needed: Sequence[bool],
    grads: Sequence[Tensor | None],
) -> list[Tensor | None]:
    """The gradient for each tensor that needs one, of a function that is run again."""
    differentiable = state().records
    with recording(True):
        if differentiable:
            given = _apart(tensors)
        else:
            given = [
                one if one is None else _leaf(one, asked) for one, asked in zip(tensors, needed, strict=True)
            ]
        made = function(*given)
    edges = [gradient_edge(one) if asked else None for one, asked in zip(given, needed, strict=True)]
    wanted: list[Edge] = [edge for edge in edges if edge is not None]
    sweep = Pass(keep_graph=differentiable, create_graph=differentiable, wanted=wanted, accumulate=False)
    results = made if isinstance(made, (tuple, list)) else [made]
    roots = [
        (root, grad)
        for root, grad in zip(map(gradient_edge, results), grads, strict=True)
        if root is not None and grad is not None
    ]
    if not roots:
        return [None] * len(given)
    sweep.run([root for root, _ in roots], [grad for _, grad in roots])
    return [None if edge is None else sweep.found.get(sweep.wanted[edge.node, edge.index]) for edge in edges]


def _apart(tensors: Sequence[Tensor | None]) -> list[Any]:
    """The same tensors where one may have been made from another, so that each receives what is its own."""
    if sum(one is not None and one.requires_grad for one in tensors) < 2:
        return list(tensors)
    return [_alias(one) if one is not None and one.requires_grad else one for one in tensors]


@differentiable("AliasBackward0")
def _alias(self: Any) -> Any:
    """The same."""
    return self


@_alias.backward
def _alias_backward(saved: Any, grad: Any) -> Any:
    return grad


def _leaf(tensor: Any, asked: bool) -> Any:
    """The same value without its history."""
    made = of_value(tensor.value)
    made.requires = asked
    return made
