"""`dataset.shuffle`: the elements in another order, which seeds decide."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from engine.execution.eager.graph import EagerGraph
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.tf2.datasets.data import DATASET, Dataset, Element, spec_behind
from engine.languages.surfaces.tf2.datasets.kinds import of_kind
from engine.ops.base.building import current_graph
from engine.ops.sources.draws import draws_of
from engine.ops.sources.random import seeds_of


class Shuffled(Dataset):
    """A data set in another order; an iterator takes the seeds of its order as soon as it is made."""

    take_seeds: Callable[[], tuple[int, int]]

    def open(self) -> None:
        """What happens where an iterator is made, and nothing is taken from it."""
        self.take_seeds()
        super().open()


@DATASET.method("shuffle")
@of_kind("Shuffle")
def shuffle(
    interpreter: Interpreter,
    dataset: Dataset,
    buffer_size: Any,
    seed: Any = None,
    reshuffle_each_iteration: Any = True,
) -> Dataset:
    """In another order: each element is drawn from a buffer of the next ones.

    reshuffle_each_iteration: whether the order is another one each time that the data are gone through.
    """
    graph: Any = current_graph()
    if seed is None and graph.seed is None:
        return shuffled(dataset, buffer_size, own_seeds(interpreter), reshuffle_each_iteration)
    seeds = seeds_of(graph.drawn_op_seed() if seed is None and isinstance(graph, EagerGraph) else seed)
    return shuffled(dataset, buffer_size, (seeds["seed"], seeds["seed2"]), reshuffle_each_iteration)


def own_seeds(interpreter: Interpreter) -> tuple[int, int]:
    """Seeds for an order that TensorFlow draws anew in each run of a program."""
    first, second = np.random.default_rng(abs(interpreter.workspace.seed)).integers(2**31 - 1, size=2)
    return int(first), int(second)


def shuffled(dataset: Dataset, buffer_size: Any, seeds: tuple[int, int], anew: Any) -> Dataset:
    """The elements in the order that TensorFlow makes of two seeds.

    anew: whether each time that the data are gone through has two seeds of its own, which these ones decide.
    """
    lasting, size = draws_of(*seeds).words(), int(buffer_size)

    def own_seeds_of_an_iterator() -> tuple[int, int]:
        return (next(lasting), next(lasting)) if anew else seeds

    def elements() -> Iterator[Element]:
        words = draws_of(*own_seeds_of_an_iterator()).words()
        buffer: list[Element] = []
        for element in dataset.elements():
            buffer.append(element)
            if len(buffer) >= size:
                yield _taken(buffer, next(words))
        while buffer:
            yield _taken(buffer, next(words))

    found = Shuffled(
        elements, dataset.length, spec_behind(dataset), is_endless=dataset.is_endless, behind=[dataset]
    )
    found.take_seeds = own_seeds_of_an_iterator
    return found


def _taken(buffer: list[Element], word: int) -> Element:
    """One of the elements that wait; the first of them moves to its place."""
    place = word % len(buffer)
    found, buffer[place] = buffer[place], buffer[0]
    del buffer[0]
    return found
