"""`DataLoader`: examples in batches, in the order that PyTorch draws, made one batch at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import Stream
from engine.languages.surfaces.torch.classes import is_object, library_class
from engine.languages.surfaces.torch.data.collating import collate, convert, rows_of
from engine.languages.surfaces.torch.data.datasets import (
    DATA,
    ITERABLE,
    SUBSET,
    TENSORS,
    example_of,
    length_of,
)
from engine.languages.surfaces.torch.data.sampling import RANDOM, SEQUENTIAL, any_seed, shuffled
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.operands import plain
from engine.languages.surfaces.torch.random.seeds import generator_of
from engine.languages.surfaces.torch.registry import torch_value
from engine.languages.surfaces.torch.tensor import Tensor
from engine.ops.base.tensors import Array

# Data sets that give many examples at once, where their transforms allow it: of the set and their places.
ROWS_OF: dict[UserClass, Callable[[UserObject, Array], list[Tensor] | None]] = {}


def _begin(
    self: UserObject,
    dataset: Any,
    batch_size: Any = 1,
    shuffle: Any = None,
    sampler: Any = None,
    batch_sampler: Any = None,
    num_workers: Any = 0,
    collate_fn: Any = None,
    pin_memory: Any = False,
    drop_last: Any = False,
    timeout: Any = 0,
    worker_init_fn: Any = None,
    multiprocessing_context: Any = None,
    generator: Any = None,
    *,
    prefetch_factor: Any = None,
    persistent_workers: Any = False,
    pin_memory_device: Any = "",
    in_order: Any = True,
) -> None:
    """Workers and pinned memory change nothing but the time, so they are taken and not used."""
    _check_settings(batch_size, shuffle, sampler, batch_sampler, num_workers, drop_last)
    size = None if batch_sampler is not None else batch_size
    self.fields.update(
        dataset=dataset,
        batch_size=size,
        shuffle=bool(shuffle),
        _sampler=sampler,
        batch_sampler=batch_sampler,
        collate_fn=collate_fn,
        drop_last=bool(drop_last),
        generator=generator,
        num_workers=num_workers,
        pin_memory=pin_memory,
    )


def _check_settings(
    batch_size: Any, shuffle: Any, sampler: Any, batch_sampler: Any, num_workers: Any, drop_last: Any
) -> None:
    """Raises: ValueError's messages of PyTorch for settings that exclude each other, or are below zero."""
    if sampler is not None and shuffle:
        raise _exclusive(
            "sampler option is mutually exclusive with shuffle", "sampler 与 shuffle 不能同时给出。"
        )
    if batch_sampler is not None and (batch_size != 1 or shuffle or sampler is not None or drop_last):
        raise _exclusive(
            "batch_sampler option is mutually exclusive with batch_size, shuffle, sampler, and drop_last",
            "batch_sampler 不能与 batch_size、shuffle、sampler、drop_last 同时给出。",
        )
    if num_workers < 0:
        raise torch_error(
            "num_workers option should be non-negative; use num_workers=0 to disable multiprocessing.",
            "num_workers 不能为负。",
            kind="ValueError",
        )
    if batch_sampler is None and batch_size is not None and batch_size <= 0:
        raise _exclusive(
            f"batch_size should be a positive integer value, but got batch_size={batch_size}",
            f"batch_size 必须是正整数，但得到 {batch_size}。",
        )


def _exclusive(message: str, message_zh: str) -> Exception:
    return torch_error(message, message_zh, kind="ValueError")


def _sampler(interpreter: Interpreter, self: UserObject) -> Any:
    """What gives the numbers of the examples: the program's own sampler, or that of their order."""
    facts = self.fields
    if facts["_sampler"] is not None or is_object(facts["dataset"], ITERABLE):
        return facts["_sampler"]
    if facts["shuffle"]:
        return interpreter.call(RANDOM, [facts["dataset"]], {"generator": facts["generator"]})
    return interpreter.call(SEQUENTIAL, [facts["dataset"]], {})


def _length(interpreter: Interpreter, self: UserObject) -> int:
    """How many batches there are."""
    facts = self.fields
    if facts["batch_sampler"] is not None:
        return length_of(interpreter, facts["batch_sampler"])
    counted = facts["dataset"] if facts["_sampler"] is None else facts["_sampler"]
    count = length_of(interpreter, counted)
    if facts["batch_size"] is None:
        return count
    size: int = facts["batch_size"]
    return count // size if facts["drop_last"] else -(-count // size)


def _iterate(interpreter: Interpreter, self: UserObject) -> Stream:
    """One epoch. The seed of its workers is drawn first, as in PyTorch, though there are none."""
    any_seed(generator_of(self.fields["generator"]))
    return Stream(_batches(interpreter, self))


def _batches(interpreter: Interpreter, self: UserObject) -> Iterator[Any]:
    facts = self.fields
    if is_object(facts["dataset"], ITERABLE):
        yield from _of_stream(interpreter, self)
        return
    for indices in _index_batches(interpreter, self):
        interpreter.budget.step()
        if facts["batch_size"] is None and facts["batch_sampler"] is None:
            single = convert(example_of(interpreter, facts["dataset"], indices[0]))
            yield (
                single if facts["collate_fn"] is None else interpreter.call(facts["collate_fn"], [single], {})
            )
        else:
            yield _batch(interpreter, self, indices)


def _index_batches(interpreter: Interpreter, self: UserObject) -> Iterator[Sequence[Any]]:
    """The numbers of the examples of each batch."""
    facts = self.fields
    if facts["batch_sampler"] is not None:
        for batch in iterate(facts["batch_sampler"]):
            yield [plain(one) for one in iterate(batch)]
        return
    size = facts["batch_size"] or 1
    waiting: list[Any] = []
    for index in _order(interpreter, self):
        waiting.append(index)
        if len(waiting) == size:
            yield waiting
            waiting = []
    if waiting and not facts["drop_last"]:
        yield waiting


def _order(interpreter: Interpreter, self: UserObject) -> Iterator[Any]:
    facts = self.fields
    if facts["_sampler"] is not None:
        return (plain(one) for one in iterate(facts["_sampler"]))
    count = length_of(interpreter, facts["dataset"])
    interpreter.budget.check_elements((count,))
    return shuffled(count, facts["generator"]) if facts["shuffle"] else iter(range(count))


def _of_stream(interpreter: Interpreter, self: UserObject) -> Iterator[Any]:
    """Batches of a data set that only gives its examples in turn."""
    facts = self.fields
    waiting: list[Any] = []
    for example in iterate(facts["dataset"]):
        if facts["batch_size"] is None:
            yield example
            continue
        waiting.append(example)
        if len(waiting) == facts["batch_size"]:
            yield _collated(interpreter, self, waiting)
            waiting = []
    if waiting and not facts["drop_last"]:
        yield _collated(interpreter, self, waiting)


def _batch(interpreter: Interpreter, self: UserObject, indices: Sequence[Any]) -> Any:
    """The examples of these numbers together; rows of plain tensors are taken at once."""
    dataset = self.fields["dataset"]
    if self.fields["collate_fn"] is None:
        numbers = list(indices)
        while isinstance(dataset, UserObject) and dataset.kind is SUBSET:
            numbers = [dataset.fields["indices"][int(one)] for one in numbers]
            dataset = dataset.fields["dataset"]
        if isinstance(dataset, UserObject) and dataset.kind is TENSORS:
            return [rows_of(one, np.asarray(numbers, dtype=np.int64)) for one in dataset.fields["tensors"]]
        if isinstance(dataset, UserObject) and dataset.kind in ROWS_OF:
            rows = ROWS_OF[dataset.kind](dataset, np.asarray(numbers, dtype=np.int64))
            if rows is not None:
                return rows
    examples = [example_of(interpreter, self.fields["dataset"], one) for one in indices]
    return _collated(interpreter, self, examples)


def _collated(interpreter: Interpreter, self: UserObject, examples: list[Any]) -> Any:
    own = self.fields["collate_fn"]
    return collate(examples) if own is None else interpreter.call(own, [examples], {})


LOADER = library_class(
    "DataLoader",
    properties={"sampler": _sampler},
    __init__=_begin,
    __len__=_length,
    __iter__=_iterate,
)
torch_value(LOADER, f"{DATA}DataLoader", f"{DATA}dataloader.DataLoader")
