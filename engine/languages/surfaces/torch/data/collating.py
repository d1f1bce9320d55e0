"""Examples put together into a batch, as `default_collate` does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from engine.languages.interpreter.values import python_name
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.indexing import index_select
from engine.languages.surfaces.torch.functions.shaping import stack
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.tensor import Tensor, of_numbers
from engine.ops.base.tensors import Array


def rows_of(tensor: Tensor, places: Array) -> Tensor:
    """Some rows of a tensor, in this order. Shapes: (N, *S), (n,) -> (n, *S)."""
    if tensor.requires_grad:
        found: Tensor = index_select(tensor, 0, of_numbers(places))
        return found
    return of_numbers(tensor.array[places])


@torch_function("utils.data.default_collate", "utils.data.dataloader.default_collate")
def collate(batch: Any) -> Any:
    """Tensors and numbers become one tensor with an axis more; lists, tuples and dicts keep their form.

    Raises: TypeError's or RuntimeError's message of PyTorch.
    """
    examples: Any = batch if isinstance(batch, tuple) else list(batch)
    first = examples[0]
    if isinstance(first, Tensor):
        return _stacked(examples)
    if isinstance(first, (np.ndarray, np.generic)):
        return of_numbers(np.stack([np.asarray(one) for one in examples]))
    if isinstance(first, bool):
        return of_numbers(np.array(examples, dtype=bool))
    if isinstance(first, float):
        return of_numbers(np.array(examples, dtype=np.float64))
    if isinstance(first, int):
        return of_numbers(np.array(examples, dtype=np.int64))
    if isinstance(first, str):
        return examples
    if isinstance(first, dict):
        return {key: collate([one[key] for one in examples]) for key in first}
    if isinstance(first, (tuple, list)):
        return _of_parts(examples)
    raise torch_error(
        "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found "
        f"{python_name(first)}",
        f"批次只能由张量、数组、数字、字典或列表组成，不能是 {python_name(first)}。",
        kind="TypeError",
    )


def _of_parts(examples: Sequence[Any]) -> list[Any]:
    if any(len(one) != len(examples[0]) for one in examples):
        raise torch_error(
            "each element in list of batch should be of equal size", "批次中每个样本的项数必须相同。"
        )
    return [collate(parts) for parts in zip(*examples, strict=True)]


def _stacked(tensors: Sequence[Tensor]) -> Tensor:
    """Tensors of one shape, one after the other."""
    if any(one.requires_grad for one in tensors):
        found: Tensor = stack(list(tensors), 0)
        return found
    first = list(tensors[0].array.shape)
    for index, one in enumerate(tensors):
        if list(one.array.shape) != first:
            raise torch_error(
                f"stack expects each tensor to be equal size, but got {first} at entry 0 "
                f"and {list(one.array.shape)} at entry {index}",
                f"批次中样本的形状不同：{first} 与 {list(one.array.shape)}。",
                code="shape_mismatch",
            )
    return of_numbers(np.stack([one.array for one in tensors]))


@torch_function("utils.data.default_convert")
def convert(data: Any) -> Any:
    """Arrays and numbers of numpy become tensors, tuples lists; all else stays."""
    if isinstance(data, (np.ndarray, np.generic)):
        return of_numbers(np.asarray(data))
    if isinstance(data, dict):
        return {key: convert(value) for key, value in data.items()}
    return [convert(one) for one in data] if isinstance(data, (tuple, list)) else data
