"""`torch.nn.utils.prune`: a mask of zeros and ones on a parameter, put on it before every call.

The parameter becomes `weight_orig`, the mask the buffer `weight_mask`, and `weight` is their product.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.operands import plain
from engine.languages.surfaces.torch.nn.hooks import Handle, add_hook
from engine.languages.surfaces.torch.nn.module import modules_of
from engine.languages.surfaces.torch.nn.parameter import parameter
from engine.languages.surfaces.torch.nn.reparametrizing.replaced import parameter_of, without_history
from engine.languages.surfaces.torch.random import distributions
from engine.languages.surfaces.torch.random.seeds import generator_of
from engine.languages.surfaces.torch.registry import torch_function, torch_value
from engine.languages.surfaces.torch.tensor import Tensor, of_numbers
from engine.ops.base.tensors import Array

HERE = "nn.utils.prune."
HOOKS = "_pruned"  # the field of a module that holds the hook of each pruned parameter
Scores = Callable[[Array, Array], Array]  # the numbers that are left, and their mask -> their new mask


def _count(amount: Any, size: int) -> int:
    """How many of so many are pruned. Raises: TypeError, ValueError in PyTorch's words."""
    given = plain(amount)
    if isinstance(given, bool) or not isinstance(given, (int, float)):
        raise torch_error(
            f"Invalid type for amount: {given}. Must be int or float.",
            "amount 必须是整数或小数。",
            kind="TypeError",
        )
    if given < 0 or (isinstance(given, float) and given > 1):
        raise torch_error(
            f"amount={given} should either be a float in the range [0, 1] or a non-negative integer",
            f"amount={given} 应是 0 到 1 之间的小数，或非负整数。",
            kind="ValueError",
        )
    if isinstance(given, int) and given > size:
        raise torch_error(
            f"amount={given} should be smaller than the number of parameters to prune={size}",
            f"amount={given} 超过了参数个数 {size}。",
            kind="ValueError",
        )
    return given if isinstance(given, int) else round(given * size)


# -- masks -----------------------------------------------------------------------------------------------


def _without(scores: Array, count: int) -> Array:
    """0 at the smallest scores, 1 elsewhere. Shapes: (n,) -> (n,)."""
    mask = np.ones(scores.shape, scores.dtype)
    if count:
        mask[np.argsort(scores, kind="stable")[:count]] = 0
    return mask


def _uniform(count: int) -> Array:
    return distributions.uniform(generator_of(), (count,), np.dtype("float32"))


def _unstructured(scores_of: Callable[[Array], Array], amount: Any) -> Scores:
    """Prune among the elements that are left."""

    def mask_of(numbers: Array, mask: Array) -> Array:
        new, left = mask.copy(), mask == 1
        count = _count(amount, int(left.sum()))
        if count:
            new[left] = _without(scores_of(numbers[left]), count)
        return new

    return mask_of


def _structured(norms_of: Callable[[Array], Array], amount: Any, dim: int) -> Scores:
    """Prune whole channels among those that are left. dim: the axis of the channels."""

    def mask_of(numbers: Array, mask: Array) -> Array:
        if numbers.ndim <= 1:
            raise torch_error(
                "Structured pruning can only be applied to multidimensional tensors. Found tensor of shape "
                f"torch.Size({list(numbers.shape)}) with {numbers.ndim} dims",
                "结构化剪枝只能用于多维张量。",
                kind="ValueError",
            )
        along = np.moveaxis(numbers, dim, 0)
        new = np.moveaxis(mask.copy(), dim, 0)
        left = new.reshape(len(new), -1).sum(axis=1) != 0
        count = _count(amount, int(left.sum()))
        chosen = _without(norms_of(along[left].reshape(int(left.sum()), -1)), count)
        new[left] = new[left] * chosen.reshape(-1, *(1,) * (new.ndim - 1)).astype(new.dtype)
        return np.ascontiguousarray(np.moveaxis(new, 0, dim))

    return mask_of


def _norms(order: Any) -> Callable[[Array], Array]:
    power = {"fro": 2.0}.get(order, order) if isinstance(order, str) else float(plain(order))
    if isinstance(power, str):
        raise torch_error(f"unsupported norm {power}", f"不支持范数 {power}。", kind="ValueError")
    return lambda rows: np.asarray(np.linalg.norm(rows, power, axis=1))


# -- on a module -----------------------------------------------------------------------------------------


def apply(module: UserObject, name: str, mask_of: Scores, importance: Any = None) -> UserObject:
    """Put a mask on a parameter, or a further one."""
    hooks = module.fields.setdefault(HOOKS, {})
    is_first = name not in hooks
    weight = parameter_of(module, name) if is_first else module.fields[f"{name}_orig"]
    scores = module.fields.get(name, weight) if importance is None else importance
    before = np.ones(weight.array.shape, weight.array.dtype)
    if not is_first:
        before = module.fields[f"{name}_mask"].array
    mask = mask_of(scores.array, before)
    if is_first:
        del module.fields[name]
        module.fields[f"{name}_orig"] = weight
        hooks[name] = add_hook(module, "before", _refreshing(name), False, False)
    module.fields["_buffers"][f"{name}_mask"] = True
    module.fields[f"{name}_mask"] = of_numbers(mask.astype(weight.array.dtype))
    module.fields[name] = _masked(module, name)
    return module


def _masked(self: UserObject, name: str) -> Any:
    mask: Any = self.fields[f"{name}_mask"]
    return mask * self.fields[f"{name}_orig"]


def _refreshing(name: str) -> Native:
    def refresh(self: UserObject, _: Any) -> None:
        self.fields[name] = _masked(self, name)

    return Native("prune", refresh)


@torch_function(f"{HERE}l1_unstructured")
def l1_unstructured(module: UserObject, name: Any, amount: Any, importance_scores: Any = None) -> UserObject:
    """Without the smallest elements."""
    return apply(module, name, _unstructured(np.abs, amount), importance_scores)


@torch_function(f"{HERE}random_unstructured")
def random_unstructured(module: UserObject, name: Any, amount: Any) -> UserObject:
    """Without elements drawn by chance."""
    return apply(module, name, _unstructured(lambda left: -_uniform(left.size), amount))


@torch_function(f"{HERE}ln_structured")
def ln_structured(
    module: UserObject, name: Any, amount: Any, n: Any, dim: Any, importance_scores: Any = None
) -> UserObject:
    """Without the channels of the smallest norm."""
    return apply(module, name, _structured(_norms(n), amount, int(dim)), importance_scores)


@torch_function(f"{HERE}random_structured")
def random_structured(module: UserObject, name: Any, amount: Any, dim: Any) -> UserObject:
    """Without channels drawn by chance."""
    return apply(module, name, _structured(lambda rows: _uniform(len(rows)), amount, int(dim)))


@torch_function(f"{HERE}custom_from_mask")
def custom_from_mask(module: UserObject, name: Any, mask: Tensor) -> UserObject:
    """With a mask of the program's own."""
    return apply(module, name, lambda numbers, before: before * mask.array.astype(before.dtype))


@torch_function(f"{HERE}identity")
def identity(module: UserObject, name: Any) -> UserObject:
    """A mask of ones."""
    return apply(module, name, lambda numbers, before: before)


@torch_function(f"{HERE}remove")
def remove(module: UserObject, name: Any) -> UserObject:
    """Let the masked numbers be the parameter. Raises: ValueError where none was pruned."""
    hooks = module.fields.get(HOOKS, {})
    if name not in hooks:
        raise torch_error(
            f"Parameter '{name}' of module {module.kind.name} has to be pruned before pruning can be removed",
            f"模块 {module.kind.name} 的参数 {name} 没有剪枝过。",
            kind="ValueError",
        )
    handle: Handle = hooks.pop(name)
    handle.remove()
    with without_history():
        value = _masked(module, name)
    for end in ("", "_orig", "_mask"):
        module.fields.pop(f"{name}{end}")
    del module.fields["_buffers"][f"{name}_mask"]
    module.fields[name] = parameter(value)
    return module


@torch_function(f"{HERE}is_pruned")
def is_pruned(module: UserObject) -> bool:
    """Whether a mask is on a parameter of the module or of one below it."""
    return any(one.fields.get(HOOKS) for _, one in modules_of(module))


# -- all parameters together -------------------------------------------------------------------------------

L1, RANDOM = (
    Native(f"prune.{one}", lambda amount: amount) for one in ("L1Unstructured", "RandomUnstructured")
)
torch_value(L1, f"{HERE}L1Unstructured")
torch_value(RANDOM, f"{HERE}RandomUnstructured")


@torch_function(f"{HERE}global_unstructured")
def global_unstructured(
    parameters: Any, pruning_method: Any, importance_scores: Any = None, **kwargs: Any
) -> None:
    """Without the smallest elements, or such drawn by chance, of all these parameters together."""
    pairs = [tuple(iterate(one)) for one in iterate(parameters)]
    if pruning_method not in (L1, RANDOM) or importance_scores is not None:
        raise torch_error(
            "global_unstructured takes prune.L1Unstructured or prune.RandomUnstructured here",
            "这里的 global_unstructured 只支持 prune.L1Unstructured 或 prune.RandomUnstructured。",
            kind="TypeError",
        )
    flat, masks = [], []
    for module, name in pairs:
        pruned = name in module.fields.get(HOOKS, {})
        weight = module.fields[f"{name}_orig"] if pruned else parameter_of(module, name)
        flat.append(weight.array.reshape(-1))
        masks.append(module.fields[f"{name}_mask"].array.reshape(-1) if pruned else np.ones_like(flat[-1]))
    score = np.abs if pruning_method is L1 else lambda left: -_uniform(left.size)
    found = _unstructured(score, kwargs.get("amount"))(np.concatenate(flat), np.concatenate(masks))
    start = 0
    for (module, name), one in zip(pairs, flat, strict=True):
        part = found[start : start + one.size]
        apply(module, name, lambda numbers, before, part=part: part.reshape(before.shape))  # type: ignore[misc]
        start += one.size
