"""Data sets: examples by their number.

A program may write one of its own with `__len__` and `__getitem__`.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.builtins.functions import BUILTINS
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import Lazy
from engine.languages.surfaces.torch.classes import call_method, library_class, new_object
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.operands import plain
from engine.languages.surfaces.torch.random.choices import permutation
from engine.languages.surfaces.torch.random.seeds import generator_of
from engine.languages.surfaces.torch.registry import torch_function, torch_value
from engine.languages.surfaces.torch.tensor import Tensor

DATA = "utils.data."


def length_of(interpreter: Interpreter, dataset: Any) -> int:
    """How many examples there are."""
    return int(interpreter.call(BUILTINS["len"], [dataset], {}))


def example_of(interpreter: Interpreter, dataset: Any, index: int) -> Any:
    """The example of a number."""
    if isinstance(dataset, UserObject):
        return call_method(interpreter, dataset, "__getitem__", index)
    return dataset[index]


def _no_item(self: UserObject, index: Any) -> Any:
    raise torch_error(
        "Subclasses of Dataset should implement __getitem__.",
        "Dataset 的子类应写出 __getitem__ 方法。",
        kind="NotImplementedError",
    )


def _concatenated(interpreter: Interpreter, self: UserObject, other: Any) -> UserObject:
    return new_object(interpreter, CONCATENATED, [self, other])


DATASET = library_class("Dataset", __getitem__=_no_item, __add__=_concatenated)
ITERABLE = library_class("IterableDataset", DATASET)


def _begin_tensors(self: UserObject, *tensors: Tensor) -> None:
    if len({one.array.shape[0] for one in tensors}) > 1:
        listed = ", ".join(str(one.array.shape[0]) for one in tensors)
        raise torch_error(
            "Size mismatch between tensors",
            f"各张量的第一个轴长度不同：{listed}。",
            kind="AssertionError",
            code="shape_mismatch",
            hint="The first axis of all tensors counts the examples.",
            hint_zh="所有张量的第一个轴都是样本数。",
        )
    self.fields["tensors"] = tensors


TENSORS = library_class(
    "TensorDataset",
    DATASET,
    __init__=_begin_tensors,
    __getitem__=lambda self, index: tuple(one[index] for one in self.fields["tensors"]),
    __len__=lambda self: int(self.fields["tensors"][0].array.shape[0]),
)


def _begin_subset(self: UserObject, dataset: Any, indices: Any) -> None:
    self.fields.update(dataset=dataset, indices=[plain(one) for one in iterate(indices)])


def _of_subset(interpreter: Interpreter, self: UserObject, idx: Any) -> Any:
    indices, place = self.fields["indices"], int(plain(idx))
    if not -len(indices) <= place < len(indices):
        raise torch_error(
            "list index out of range", f"序号 {place} 超出了 {len(indices)} 个样本。", kind="IndexError"
        )
    return example_of(interpreter, self.fields["dataset"], indices[place])


SUBSET = library_class(
    "Subset",
    DATASET,
    __init__=_begin_subset,
    __getitem__=_of_subset,
    __len__=lambda self: len(self.fields["indices"]),
)


def _begin_concatenated(interpreter: Interpreter, self: UserObject, datasets: Any) -> None:
    parts = list(iterate(datasets))
    if not parts:
        raise torch_error(
            "datasets should not be an empty iterable", "datasets 不能为空。", kind="AssertionError"
        )
    lengths = [length_of(interpreter, one) for one in parts]
    self.fields.update(datasets=parts, cumulative_sizes=list(itertools.accumulate(lengths)))


def _of_concatenated(interpreter: Interpreter, self: UserObject, idx: Any) -> Any:
    ends = self.fields["cumulative_sizes"]
    index = int(plain(idx))
    if index < -ends[-1]:
        raise torch_error(
            "absolute value of index should not exceed dataset length",
            f"序号 {index} 超出了 {ends[-1]} 个样本。",
            kind="ValueError",
        )
    if index >= ends[-1]:
        raise torch_error(
            "list index out of range", f"序号 {index} 超出了 {ends[-1]} 个样本。", kind="IndexError"
        )
    index += ends[-1] if index < 0 else 0
    place = next(i for i, end in enumerate(ends) if index < end)
    start = ends[place - 1] if place else 0
    return example_of(interpreter, self.fields["datasets"][place], index - start)


CONCATENATED = library_class(
    "ConcatDataset",
    DATASET,
    __init__=_begin_concatenated,
    __getitem__=_of_concatenated,
    __len__=lambda self: self.fields["cumulative_sizes"][-1],
)


def _begin_stack(interpreter: Interpreter, self: UserObject, *args: Any, **kwargs: Any) -> None:
    if args and kwargs:
        raise _unfit_stack(
            "Supported either ``tuple``- (via ``args``) or``dict``- (via ``kwargs``) like input/output, but "
            "both types are given.",
            "StackDataset 的数据集要么都按位置给出，要么都按名字给出。",
        )
    held = kwargs or args
    parts = list(held.values()) if isinstance(held, dict) else list(held)
    if not parts:
        raise _unfit_stack("At least one dataset should be passed", "StackDataset 至少需要一个数据集。")
    if len({length_of(interpreter, one) for one in parts}) > 1:
        raise _unfit_stack("Size mismatch between datasets", "各数据集的样本数不同。")
    self.fields.update(datasets=held, _length=length_of(interpreter, parts[0]))


def _unfit_stack(message: str, message_zh: str) -> Exception:
    return torch_error(message, message_zh, kind="ValueError")


def _of_stack(interpreter: Interpreter, self: UserObject, index: Any) -> Any:
    held, place = self.fields["datasets"], int(plain(index))
    if isinstance(held, dict):
        return {name: example_of(interpreter, one, place) for name, one in held.items()}
    return tuple(example_of(interpreter, one, place) for one in held)


STACK = library_class(
    "StackDataset",
    DATASET,
    __init__=_begin_stack,
    __getitem__=_of_stack,
    __len__=lambda self: self.fields["_length"],
)
CHAIN = library_class(
    "ChainDataset",
    ITERABLE,
    __init__=lambda self, datasets: self.fields.update(datasets=datasets),
    __iter__=lambda self: Lazy(one for part in iterate(self.fields["datasets"]) for one in iterate(part)),
)
torch_function(f"{DATA}get_worker_info")(lambda: None)  # the loader's own process reads the examples

for _kind in (DATASET, ITERABLE, TENSORS, SUBSET, CONCATENATED, STACK, CHAIN):
    torch_value(_kind, DATA + _kind.name, f"{DATA}dataset.{_kind.name}")


@torch_function(f"{DATA}random_split")
def random_split(
    interpreter: Interpreter, dataset: Any, lengths: Any, generator: Any = None
) -> list[UserObject]:
    """The examples in a random order, cut into subsets of these lengths or shares."""
    count = length_of(interpreter, dataset)
    sizes = [plain(one) for one in iterate(lengths)]
    if math.isclose(sum(sizes), 1) and sum(sizes) <= 1:
        sizes = _of_shares(sizes, count)
    if sum(sizes) != count:
        raise torch_error(
            "Sum of input lengths does not equal the length of the input dataset!",
            f"各部分长度之和是 {sum(sizes)}，而数据集有 {count} 个样本。",
            kind="ValueError",
        )
    order = permutation(generator_of(generator), count)
    ends = list(itertools.accumulate(sizes))
    return [
        new_object(interpreter, SUBSET, dataset, order[end - size : end])
        for end, size in zip(ends, sizes, strict=True)
    ]


def _of_shares(shares: list[Any], count: int) -> list[int]:
    """Whole lengths; what is left over goes to the first ones, one each."""
    sizes = [math.floor(count * share) for share in shares]
    for i in range(count - sum(sizes)):
        sizes[i % len(sizes)] += 1
    return sizes
