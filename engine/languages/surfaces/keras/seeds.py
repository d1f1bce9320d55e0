"""Where Keras takes its seeds from: each rule and each layer that draws is given one when it is made."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.python.random import own_of_the_run
from engine.ops.base.shapes import whole_number
from engine.ops.sources.draws import FixedSeed, SeedGenerator

LARGEST = 10**9


class OwnSeed(FixedSeed):
    """A fixed seed of a rule that was given none."""


def default_seed(interpreter: Interpreter) -> int:
    """A seed for what was given none: one of Python's random numbers."""
    return own_of_the_run(interpreter).randint(1, LARGEST)


@contextmanager
def seeds_untouched(interpreter: Interpreter) -> Iterator[None]:
    """What is made inside is only looked at: the seeds that it is given are given again."""
    source = own_of_the_run(interpreter)
    state = source.getstate()
    try:
        yield
    finally:
        source.setstate(state)


def seed_generator(interpreter: Interpreter, seed: Any = None) -> SeedGenerator:
    """A source of seeds that begins with this one; a source stays what it is."""
    if isinstance(seed, SeedGenerator):
        return seed
    return SeedGenerator(default_seed(interpreter) if seed is None else whole_number(seed, "seed"))


def fixed_seed(interpreter: Interpreter, seed: Any = None) -> SeedGenerator:
    """The seed of a rule for first values, which gives the same each time; a source of seeds moves on."""
    if isinstance(seed, SeedGenerator):
        return seed
    if seed is None:
        return OwnSeed(default_seed(interpreter))
    return FixedSeed(whole_number(seed, "seed"))


def seed_of_one_draw(interpreter: Interpreter, seed: Any = None) -> SeedGenerator:
    """What a function of `keras.random` draws from: its seed, or the source that all of them share."""
    if seed is not None:
        return fixed_seed(interpreter, seed)
    workspace = interpreter.workspace
    if workspace.seed_source is None:
        workspace.seed_source = SeedGenerator(default_seed(interpreter), ordered=False)
    shared: SeedGenerator = workspace.seed_source
    return shared
