"""Inside of `vmap`: which tensors belong to one example, and what PyTorch lets nobody ask of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from engine.graph.reachability import ancestors
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.state import state
from engine.languages.surfaces.torch.tensor import Tensor
from engine.ops.base.tensors import Node

STARTS = "examples"  # under this key of a run: the nodes of the graph that hold the examples of now
PLEASE = "Please file an issue at https://github.com/pytorch/pytorch/issues if you need this feature."
OF_ITEM = (
    "you're calling .item() on a Tensor. We don't support vmap over calling .item() on a Tensor, please try "
    "to rewrite what you're doing with other operations. If error is occurring somewhere inside PyTorch "
    "internals, please file a bug report."
)
OF_CONTROL_FLOW = (
    "you're attempting to use a Tensor in some data-dependent control flow. We don't support that yet, "
    "please file an issue at https://github.com/pytorch/pytorch/issues ."
)


MORE_COME = "more examples come"  # under this key of a run: whether they do after the example of now


@contextmanager
def example(tensors: Iterable[Tensor], *, is_last: bool = True) -> Iterator[None]:
    """A call of a function for one example, which these tensors hold."""
    parts = state().parts
    outer, more_come = parts.get(STARTS, frozenset()), parts.get(MORE_COME, False)
    parts[STARTS] = outer | {one.value.node for one in tensors}
    parts[MORE_COME] = more_come or not is_last
    try:
        yield
    finally:
        parts[STARTS], parts[MORE_COME] = outer, more_come


def more_examples_come() -> bool:
    """Whether a pass backward is one of several that PyTorch does at once, and not the last of them."""
    return bool(state().parts.get(MORE_COME, False))


def is_of_example(tensor: Tensor) -> bool:
    """Whether a tensor was computed from an example of `vmap` that is going on."""
    starts: frozenset[Node] = state().parts.get(STARTS, frozenset())
    return bool(starts) and not starts.isdisjoint(ancestors([tensor.value]))


def check_number_wanted(tensor: Tensor) -> None:
    """Raises: RuntimeError's message of PyTorch where a number is taken out of an example."""
    if is_of_example(tensor):
        raise _not_in_vmap(f"vmap: It looks like {OF_ITEM}")


def check_truth_wanted(tensor: Tensor) -> None:
    """Raises: RuntimeError's message of PyTorch where an example decides which way a program goes."""
    if is_of_example(tensor):
        raise _not_in_vmap(
            f"vmap: It looks like {OF_CONTROL_FLOW}",
            "Write torch.where(condition, a, b).",
            "请写 torch.where(condition, a, b)。",
        )


def check_memory_wanted(tensor: Tensor) -> None:
    """Raises: RuntimeError's message of PyTorch where an example goes to numpy or to a list."""
    if is_of_example(tensor):
        raise _not_in_vmap("Cannot access data pointer of Tensor that doesn't have storage")


def check_fixed_shape(tensor: Tensor, name: str) -> None:
    """Raises: RuntimeError's message of PyTorch for a function whose result is as long as an example says."""
    if is_of_example(tensor):
        raise _not_in_vmap(
            "vmap: We do not support batching operators that can output dynamic shape. Attempted to vmap "
            f"over aten::{name}. {PLEASE}"
        )


def check_no_mask(mask: Tensor) -> None:
    """Raises: RuntimeError's message of PyTorch where an example chooses elements."""
    if is_of_example(mask):
        raise _not_in_vmap(
            "vmap: We do not support batching operators that can support dynamic shape. Attempting to batch "
            "over indexing with a boolean mask."
        )


def check_not_written(tensor: Tensor, new: Tensor) -> None:
    """Raises: RuntimeError's message of PyTorch where an example goes into a tensor that all share."""
    if is_of_example(new) and not is_of_example(tensor):
        raise _not_in_vmap(
            "vmap: inplace arithmetic(self, *extra_args) is not possible because there exists a Tensor "
            "`other` in extra_args that has more elements than `self`. This happened due to `other` being "
            "vmapped over but `self` not being vmapped over in a vmap. Please try to use out-of-place "
            "operators instead of inplace arithmetic. If said operator is being called inside the PyTorch "
            "framework, please file a bug report instead."
        )


def _not_in_vmap(message: str, hint: str = "", hint_zh: str = "") -> Exception:
    return torch_error(
        message,
        "vmap 里不能由样本的数值决定程序的走向或结果的形状，也不能取出它们的数。",
        hint=hint,
        hint_zh=hint_zh,
    )
