"""Samplers: in which order examples are taken."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.builtins.text import to_str
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import Lazy, Stream
from engine.languages.surfaces.torch.classes import library_class
from engine.languages.surfaces.torch.data.datasets import DATA, length_of
from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.operands import plain
from engine.languages.surfaces.torch.random.choices import multinomial, permutation
from engine.languages.surfaces.torch.random.distributions import any_integers, integers
from engine.languages.surfaces.torch.random.generator import Generator
from engine.languages.surfaces.torch.random.seeds import generator_of
from engine.languages.surfaces.torch.registry import torch_value
from engine.languages.surfaces.torch.tensor import Tensor


def any_seed(generator: Generator) -> int:
    """A whole number of 63 bits, as seeds are drawn."""
    return int(any_integers(generator, (), np.int64))


def shuffled(count: int, generator: Any = None) -> Iterator[int]:
    """A random order: from a generator with a seed of its own, or from the one that is given.

    The one that is given makes a second order at the end, of which nothing is taken.
    """
    own = Generator(any_seed(generator_of())) if generator is None else generator
    yield from permutation(own, count)
    permutation(own, count)


def order_of(interpreter: Interpreter, self: UserObject) -> Stream:
    """What `RandomSampler` gives in one epoch."""
    facts = self.fields
    count = length_of(interpreter, facts["data_source"])
    wanted = facts["num_samples"] or count
    own = facts["generator"] or Generator(any_seed(generator_of()))
    return Stream(
        _drawn_again(own, count, wanted) if facts["replacement"] else _in_orders(own, count, wanted)
    )


def _drawn_again(own: Generator, count: int, wanted: int) -> Iterator[int]:
    for size in (*(32 for _ in range(wanted // 32)), wanted % 32):
        yield from integers(own, (size,), np.int64, 0, count).tolist()


def _in_orders(own: Generator, count: int, wanted: int) -> Iterator[int]:
    for _ in range(wanted // count):
        yield from permutation(own, count)
    yield from permutation(own, count)[: wanted % count]


SAMPLER = library_class("Sampler", __init__=lambda self, data_source=None: None)
SEQUENTIAL = library_class(
    "SequentialSampler",
    SAMPLER,
    __init__=lambda self, data_source: self.fields.update(data_source=data_source),
    __iter__=lambda interpreter, self: Lazy(range(length_of(interpreter, self.fields["data_source"]))),
    __len__=lambda interpreter, self: length_of(interpreter, self.fields["data_source"]),
)
RANDOM = library_class(
    "RandomSampler",
    SAMPLER,
    __init__=lambda self, data_source, replacement=False, num_samples=None, generator=None: (
        self.fields.update(
            data_source=data_source,
            replacement=bool(replacement),
            num_samples=num_samples,
            generator=generator,
        )
    ),
    __iter__=order_of,
    __len__=lambda interpreter, self: (
        self.fields["num_samples"] or length_of(interpreter, self.fields["data_source"])
    ),
)


def _permuted(self: UserObject) -> Lazy:
    indices = self.fields["indices"]
    return Lazy(indices[place] for place in permutation(generator_of(self.fields["generator"]), len(indices)))


SUBSET_RANDOM = library_class(
    "SubsetRandomSampler",
    SAMPLER,
    __init__=lambda self, indices, generator=None: self.fields.update(
        indices=[plain(one) for one in iterate(indices)], generator=generator
    ),
    __iter__=_permuted,
    __len__=lambda self: len(self.fields["indices"]),
)


def _begin_weighted(
    self: UserObject, weights: Any, num_samples: Any, replacement: Any = True, generator: Any = None
) -> None:
    numbers = weights.array if isinstance(weights, Tensor) else list(iterate(weights))
    if not isinstance(num_samples, int) or isinstance(num_samples, bool) or num_samples <= 0:
        raise torch_error(
            f"num_samples should be a positive integer value, but got num_samples={to_str(num_samples)}",
            "num_samples 必须是正整数。",
            kind="ValueError",
        )
    self.fields.update(
        weights=np.asarray(numbers, dtype=np.float64),
        num_samples=int(plain(num_samples)),
        replacement=bool(replacement),
        generator=generator,
    )


def _weighted(self: UserObject) -> Lazy:
    facts = self.fields
    own = generator_of(facts["generator"])
    return Lazy(multinomial(own, facts["weights"], facts["num_samples"], facts["replacement"]).tolist())


WEIGHTED = library_class(
    "WeightedRandomSampler",
    SAMPLER,
    __init__=_begin_weighted,
    __iter__=_weighted,
    __len__=lambda self: self.fields["num_samples"],
)


def _in_batches(self: UserObject) -> Iterator[list[Any]]:
    waiting: list[Any] = []
    for index in iterate(self.fields["sampler"]):
        waiting.append(index)
        if len(waiting) == self.fields["batch_size"]:
            yield waiting
            waiting = []
    if waiting and not self.fields["drop_last"]:
        yield waiting


def _count_batches(interpreter: Interpreter, self: UserObject) -> int:
    size: int = self.fields["batch_size"]
    count = length_of(interpreter, self.fields["sampler"])
    return count // size if self.fields["drop_last"] else -(-count // size)


BATCHES = library_class(
    "BatchSampler",
    SAMPLER,
    __init__=lambda self, sampler, batch_size, drop_last: self.fields.update(
        sampler=sampler, batch_size=int(plain(batch_size)), drop_last=bool(drop_last)
    ),
    __iter__=lambda self: Stream(_in_batches(self)),
    __len__=_count_batches,
)

for _kind in (SAMPLER, SEQUENTIAL, RANDOM, SUBSET_RANDOM, WEIGHTED, BATCHES):
    torch_value(_kind, DATA + _kind.name, f"{DATA}sampler.{_kind.name}")
