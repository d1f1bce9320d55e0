"""Changing a tensor in place, and what that does to the autograd graph: versions, CopySlices, views."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from typing import Any

import numpy as np

from engine import ops
from engine.languages.surfaces.torch.autograd.carrying import memory_of
from engine.languages.surfaces.torch.autograd.examples import check_not_written
from engine.languages.surfaces.torch.autograd.function import FunctionNode
from engine.languages.surfaces.torch.autograd.nodes import Edge, Meta, Node, SavedTensor, gradient_edge
from engine.languages.surfaces.torch.dtypes import category
from engine.languages.surfaces.torch.errors import not_here, torch_error
from engine.languages.surfaces.torch.functional.levels import check_change
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.storage import Step, cast_value, places_in
from engine.languages.surfaces.torch.tensor import VIEWS, Tensor, of_value
from engine.ops.base.building import constant_node
from engine.ops.base.tensors import Array


def change(tensor: Tensor, result: Tensor, *, may_overlap: bool = False) -> Tensor:
    """Let a tensor hold what a function has computed from it.

    may_overlap: whether elements may lie at one place of the memory, as those of an expanded tensor do.
    Raises: RuntimeError's messages of PyTorch: for a leaf, another shape, another kind of number.
    """
    check_changeable(tensor, result)
    check_change(tensor, "copy_", [result])
    check_not_written(tensor, result)
    if tensor.steps and not may_overlap:
        _check_apart(tensor)
    old_edge = _base_edge(tensor)
    value = result.value
    if result.dtype is not tensor.dtype:
        value = cast_value(value, tensor.dtype.held_as)
    node = result.node
    if result.shape != tensor.shape:
        value = ops.broadcast_to(value, list(tensor.shape))
    if isinstance(node, FunctionNode):
        _save_copies(node, tensor)
    write(tensor, value)
    if isinstance(node, FunctionNode) and (result.shape, result.dtype) == (tensor.shape, tensor.dtype):
        _save_changed(node, result, tensor)
    if tensor.base is None:
        if node is not None:
            tensor.node, tensor.output = node, result.output
            node.outputs[result.output] = Meta(tensor.shape, tensor.dtype)
        elif state().records and tensor.node is not None and not result.requires_grad:
            tensor.node, tensor.requires = None, False
    elif node is not None:
        _rebase(tensor, node, old_edge)
    return tensor


# Nodes of functions that have a formula of their own where they change their tensor.
OWN_FORMULAS = ("LeakyReluBackward0", "EluBackward0", "CeluBackward0", "ThresholdBackward0")


def _save_copies(node: FunctionNode, tensor: Tensor) -> None:
    """Let a node keep the tensor that it changes as it is now: PyTorch saves a copy of it."""
    if node.name in OWN_FORMULAS:
        node.name = node.name[:-1] + "1"
    for name in node.function.inputs[:1]:
        saved = node.kept.get(name)
        if isinstance(saved, SavedTensor) and saved.tensor is tensor:
            node.kept[name] = saved.copied()


def _save_changed(node: FunctionNode, result: Tensor, tensor: Tensor) -> None:
    """Let a node that keeps its result keep the tensor that holds it from now on, and its later versions."""
    for name, saved in node.kept.items():
        if isinstance(saved, SavedTensor) and saved.tensor is result and saved.packed is None:
            node.kept[name] = replace(saved, tensor=tensor, version=tensor.version.number)


def check_changeable(tensor: Tensor, result: Tensor) -> None:
    """Raises: RuntimeError's messages of PyTorch where the tensor cannot take the result."""
    if tensor.is_inference and not state().inference:
        raise _of_inference()
    through_parts = any(_puts_back(step) for step in tensor.steps)
    if state().records and through_parts and (tensor.requires_grad or result.requires_grad):
        raise _through_parts()
    if state().records:
        check_not_leaf(tensor)
        if tensor.requires_grad or result.requires_grad:
            _check_one_of_one(tensor)
            _check_made_with_gradients(tensor)
        if (
            tensor.base is not None
            and tensor.base.requires
            and tensor.base.node is None
            and tensor.requires_grad
        ):
            raise torch_error(
                "a view of a leaf Variable that requires grad is being used in an in-place operation.",
                "对要求梯度的叶子张量的视图做了就地修改。",
                hint="Write it inside `with torch.no_grad():`.",
                hint_zh="请写在 `with torch.no_grad():` 里。",
            )
    if result.shape != tensor.shape and np.broadcast_shapes(result.shape, tensor.shape) != tensor.shape:
        raise torch_error(
            f"output with shape {list(tensor.shape)} doesn't match the broadcast shape {list(result.shape)}",
            f"形状为 {list(tensor.shape)} 的张量放不下形状为 {list(result.shape)} 的结果。",
        )
    if category(result.dtype) > category(tensor.dtype):
        raise cannot_cast(result, tensor)


def _through_parts() -> Exception:
    return not_here(
        "Changing complex numbers in place through their parts or conjugates, where gradients are recorded,",
        "在记录梯度时通过实部、虚部或共轭就地修改复数张量",
        "Make a new tensor: torch.complex(real, imag).",
        "请用 torch.complex(real, imag) 构成新的张量。",
    )


def check_not_leaf(tensor: Tensor) -> None:
    """Raises: RuntimeError's message of PyTorch where a leaf is changed whose gradient is asked for."""
    if state().records and tensor.base is None and tensor.requires and tensor.node is None:
        raise torch_error(
            "a leaf Variable that requires grad is being used in an in-place operation.",
            "对要求梯度的叶子张量做了就地修改。",
            hint="Write it inside `with torch.no_grad():`.",
            hint_zh="请写在 `with torch.no_grad():` 里。",
        )


OF_SEVERAL = ("UnbindBackward0", "SplitBackward0", "SplitWithSizesBackward0")  # nodes of several views


def _check_one_of_one(tensor: Tensor) -> None:
    """Raises: RuntimeError's message of PyTorch for one of several views that one function gave."""
    if tensor.base is not None and tensor.node is not None and tensor.node.name in OF_SEVERAL:
        raise torch_error(
            f"Output {tensor.output} of {tensor.node.name[: -len('Backward0')]} is a view and is being "
            "modified inplace. This view is the output of a function that returns multiple views. Such "
            "functions do not allow the output views to be modified inplace. You should replace the inplace "
            "operation by an out-of-place one.",
            "这个视图是同时返回几个视图的函数的结果，不能就地修改。",
            hint="Write y = y * 2 instead of y.mul_(2).",
            hint_zh="请把 y.mul_(2) 写成 y = y * 2。",
        )


def _check_made_with_gradients(tensor: Tensor) -> None:
    """Raises: RuntimeError's message of PyTorch for a view that was made while nothing was recorded."""
    if tensor.base is not None and tensor.view_error:
        raise torch_error(
            "A view was created in no_grad mode and is being modified inplace with grad mode enabled. Given "
            "that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by "
            "moving both the view and the inplace either both inside the no_grad block (if you don't want "
            "the inplace to be tracked) or both outside (if you want the inplace to be tracked).",
            "这个视图是在 no_grad 中得到的，在 no_grad 之外不能就地修改。",
            hint="Make the view and change it both inside, or both outside, of torch.no_grad().",
            hint_zh="请把取视图和修改都写在 torch.no_grad() 里面，或都写在外面。",
        )


def _check_apart(tensor: Tensor) -> None:
    """Raises: RuntimeError's message of PyTorch where elements lie at one place of the memory."""
    if any(map(_puts_back, tensor.steps)):
        return  # parts of complex numbers, in places of their own
    shape = tensor.storage.form().shape
    places = places_in(shape, tensor.steps)
    if np.count_nonzero(_mask(shape, places)) < places.size:
        raise torch_error(
            "unsupported operation: more than one element of the written-to tensor refers to a single memory "
            "location. Please clone() the tensor before performing the operation.",
            "张量的几个元素共用同一处内存（例如 expand 之后），不能就地修改。",
            hint="Write x = x.clone() first.",
            hint_zh="请先写 x = x.clone()。",
        )


def _of_inference() -> Exception:
    return torch_error(
        "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get "
        "a normal tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more "
        "details.",
        "在 inference_mode 中得到的张量，之后不能就地修改。请先调用 .clone()。",
    )


def cannot_cast(result: Tensor, tensor: Tensor) -> Exception:
    """A result whose kind of number the tensor does not hold."""
    new, old = result.dtype.scalar_name, tensor.dtype.scalar_name
    return torch_error(
        f"result type {new} can't be cast to the desired output type {old}",
        f"{new} 类型的结果不能存入 {old} 类型的张量。",
    )


def write(tensor: Tensor, value: Any) -> None:
    """Put a value of the graph into the memory that a tensor shows; its version is one more."""
    if tensor.steps:
        value = put(memory_of(tensor), tensor.steps, value)
    tensor.storage.write(value)
    tensor.version.number += 1


def put(base: Any, steps: Sequence[Step], part: Any) -> Any:
    """A value of the graph with the part that these steps lead to exchanged.

    Shapes: base (*S), part (*P) -> (*S).
    """
    for place, step in enumerate(steps):
        if _puts_back(step):
            return _put_through(base, steps, place, part)
    places = places_in(base.form.shape, steps).ravel()
    if places.size == base.form.size and np.array_equal(places, np.arange(places.size)):
        return ops.reshape(part, list(base.form.shape))
    mask = _mask(base.form.shape, places)
    part = ops.reshape(part, [-1])
    if np.count_nonzero(mask) < places.size:  # one value for each place
        places, first = np.unique(places, return_index=True)
        part = ops.gather(part, constant_node(first.astype(np.int32), "first"))
    rows = constant_node(places.reshape(-1, 1), "places")
    spread = ops.scatter_nd(rows, part, [base.form.size])
    whole = ops.reshape(spread, list(base.form.shape))
    return ops.select(constant_node(mask, "mask"), whole, base)


def _puts_back(step: Step) -> bool:
    """Whether a step shows no elements as they are, but parts or conjugates of complex numbers."""
    return step.function is not None and step.function.put_back is not None


def _put_through(base: Any, steps: Sequence[Step], place: int, part: Any) -> Any:
    """The same where one of the steps shows parts of complex numbers: first in these, then in their whole."""
    whole = base
    for step in steps[:place]:
        whole = step.of_value(whole)
    parts = put(steps[place].of_value(whole), steps[place + 1 :], part)
    return put(base, steps[:place], steps[place].function.put_back(whole, parts))


def _mask(shape: tuple[int, ...], places: Array) -> Array:
    """Where the elements are that stand at these places, counted row by row. Shapes: any -> (*shape,)."""
    mask = np.zeros(math.prod(shape), dtype=bool)
    mask[places] = True
    return mask.reshape(shape)


def _base_edge(tensor: Tensor) -> Edge | None:
    return None if tensor.base is None else gradient_edge(tensor.base)


class CopySlices(Node):
    """A view was changed: its base came out of this node since."""

    def __init__(self, base: Edge | None, function: Node, view: Tensor, root: Tensor) -> None:
        super().__init__("CopySlices", [base, *function.next_edges[1:]])
        self.function = function
        self.steps = view.steps[len(root.steps) :]
        self.outputs = [Meta(root.shape, root.dtype)]
        self.forward = function.forward

    def apply(self, grads: list[Tensor | None], needed: Sequence[bool]) -> Sequence[Tensor | None]:
        """What comes to the view goes through its function; the rest of the base passes on."""
        (grad,) = grads
        if grad is None:
            return [None] * len(self.next_edges)
        part = take(grad, self.steps)
        asked = [self.function.next_edges[0] is not None or True, *needed[1:]]
        found = list(self.function.apply([part], asked))
        first = found[0] if found else None
        whole = exchanged(grad, self.steps, first)
        return [whole, *found[1:]]

    def release(self) -> None:
        """Let go of what its function keeps."""
        super().release()
        self.function.release()


def take(tensor: Tensor, steps: Sequence[Step]) -> Tensor:
    """The part of a gradient that belongs to a view."""
    return VIEWS["take"](tensor, steps)  # type: ignore[no-any-return]


def exchanged(tensor: Tensor, steps: Sequence[Step], part: Tensor | None) -> Tensor:
    """A gradient with that part exchanged: zeros where nothing comes back."""
    return VIEWS["exchanged"](tensor, steps, part)  # type: ignore[no-any-return]


def _rebase(tensor: Tensor, node: Node, old_edge: Edge | None) -> None:
    """A view was changed by a function: the base's history goes through it."""
    base = tensor.base
    assert base is not None
    if isinstance(node, FunctionNode):
        node.outputs[0] = Meta(tensor.shape, tensor.dtype)
    slices = CopySlices(old_edge, node, tensor, base)
    base.node, base.output, base.node_version = slices, 0, base.version.number
    renew(tensor)


def renew(tensor: Tensor) -> None:
    """A view whose base was changed since gets its function anew."""
    base = tensor.base
    assert base is not None
    tensor.node_version = tensor.version.number
    steps = tensor.steps[len(base.steps) :]
    node = StridedView(gradient_edge(base), steps, Meta(base.shape, base.dtype))
    node.outputs = [Meta(tensor.shape, tensor.dtype)]
    tensor.node, tensor.output = node, 0


class StridedView(Node):
    """A view as PyTorch sees it once its base was changed: by the places of its elements."""

    def __init__(self, base: Edge | None, steps: Sequence[Step], meta: Meta) -> None:
        super().__init__("AsStridedBackward0", [base])
        self.steps = tuple(steps)
        self.meta = meta
        self.saved_names = ("size", "storage_offset", "stride")

    def apply(self, grads: list[Tensor | None], needed: Sequence[bool]) -> Sequence[Tensor | None]:
        """The gradient at the places of the view, zeros elsewhere."""
        (grad,) = grads
        if grad is None:
            return [None]
        return [VIEWS["spread"](grad, self.steps, self.meta)]


VIEWS["renew"] = renew


def in_place(function: Callable[..., Tensor], *, may_overlap: bool = False) -> Callable[..., Tensor]:
    """A method that changes its tensor to what a function gives."""

    @wraps(function)
    def method(self: Tensor, *args: Any, **keywords: Any) -> Tensor:
        return change(self, function(self, *args, **keywords), may_overlap=may_overlap)

    method.__doc__ = f"The tensor itself, changed: {function.__doc__}"
    return method


__all__ = ["change", "in_place", "of_value", "put", "write"]
