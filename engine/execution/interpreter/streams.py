"""The random numbers of a session: one stream for each random node, the same in every repetition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

import numpy as np

from engine.graph import Node
from engine.ops.sources.draws import OwnDraws, PhiloxDraws, draws_of
from engine.ops.sources.random import AS_TENSORFLOW, SEEDS, SHARED_SEED

EXACT_KINDS = ("float32", "float64", "int32", "int64")


def draws_as_tensorflow(node: Node) -> bool:
    """Whether a seeded random node draws the very numbers that TensorFlow draws."""
    return node.op.draws == AS_TENSORFLOW and (
        node.op.name == "RandomShuffle" or node.outputs[0].dtype in EXACT_KINDS
    )


class Streams:
    """Hands each draw of each node what it draws from.

    With a seed: TensorFlow's Philox generator, of the node's two seeds; it moves on with every draw.
    Else: NumPy's PCG64, of the session seed, the node's place in the graph, and the draw number.
    """

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self.drawn: Counter[Node] = Counter()  # how often each node has drawn so far
        self._reserved: dict[Hashable, tuple[int, int]] = {}  # after so many draws: how far the counter is

    def generator(self, node: Node) -> Any:
        """What the next draw of this node draws from."""
        number = self.drawn[node]
        self.drawn[node] += 1
        first, second = node.attrs["seed"], node.attrs["seed2"]
        if (first, second) != (0, 0) and draws_as_tensorflow(node):
            return self._philox(first, second, node, number)
        own = (0, node.index) if (first, second) == (0, 0) else (1, abs(int(first)), abs(int(second)))
        return self._pcg(node, (*own, number))

    def _pcg(self, node: Node, own: tuple[int, ...]) -> Any:
        made = np.random.default_rng([abs(self._seed), int(self._seed < 0), *own])
        return OwnDraws(made) if node.op.draws == AS_TENSORFLOW else made

    def _philox(self, first: int, second: int, stream: Hashable, number: int) -> PhiloxDraws:
        """The draws of a stream, so many of which were made before.

        Where their sizes are not known, they are taken to be this one's.
        """

        def reserve(size: int) -> int:
            before, moved = self._reserved.get(stream, (0, 0))
            begin = moved if before == number else number * size
            self._reserved[stream] = (number + 1, begin + size)
            return begin

        return draws_of(first, second, reserve)


class EagerStreams(Streams):
    """The streams of eager execution: operations of one kind and seed share one, call after call.

    So two calls with `seed=3` draw different numbers, and `tf.random.set_seed` starts all of them anew. An
    operation without a seed of its own is given one at each call.
    """

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._calls: Counter[Hashable] = Counter()  # by the kind of op and its seeds, since these were set
        self._seed_of_seeds = seed
        self._op_seeds: Random | None = None  # until an operation is given a seed
        self._from_the_start = False

    def restart(self, seed: int) -> None:
        """Begin every seeded stream anew."""
        self._calls.clear()
        self._reserved.clear()
        self._seed_of_seeds, self._op_seeds = seed, None

    def op_seed(self) -> int:
        """The seed of an operation that was given none."""
        if self._op_seeds is None:
            self._op_seeds = Random(self._seed_of_seeds)
        return self._op_seeds.randint(0, SEEDS)

    @contextmanager
    def at_their_beginning(self) -> Iterator[None]:
        """Calls in this block draw what their stream begins with, and leave it where it stands."""
        before, self._from_the_start = self._from_the_start, True
        try:
            yield
        finally:
            self._from_the_start = before

    def generator(self, node: Node) -> Any:
        """What this call draws from."""
        first, second = node.attrs["seed"], node.attrs["seed2"]
        if (first, second) == (0, 0):
            return super().generator(node)
        source = getattr(second, "source", None)
        owner = getattr(second, "owner", None) or getattr(node.graph, "in_function", None)
        if source is not None:
            return PhiloxDraws(*source.next())
        if second == SHARED_SEED:
            return self._drawing(node, first, self.op_seed(), None, 0)
        stream = (node.op.name, node.outputs[0].dtype, first, second, owner)
        call = 0 if self._from_the_start else self._calls[stream]
        self._calls[stream] += not self._from_the_start
        return self._drawing(node, first, second, stream, call)

    def _drawing(self, node: Node, first: int, second: int, stream: Hashable, call: int) -> Any:
        if draws_as_tensorflow(node):
            return self._philox(first, second, stream, call)
        return self._pcg(node, (1, abs(int(first)), abs(int(second)), call))
