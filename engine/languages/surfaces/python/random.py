"""Python's `random`: a private generator for each run, number for number Python's own."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.functions import bounded
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import NUMBERS
from engine.languages.surfaces.library import Library, on_the_runs_own

RANDOM = Library("random", borrowed=True)
OWN = members_of(random.Random, "Random")


def own_of_the_run(interpreter: Interpreter) -> random.Random:
    """The run's own generator, seeded by the request until the program seeds it."""
    workspace = interpreter.workspace
    if workspace.python_random is None:
        workspace.python_random = random.Random(workspace.seed)
    generator: random.Random = workspace.python_random
    return generator


@RANDOM.function("Random")
def own_generator(interpreter: Interpreter, x: Any = None) -> random.Random:
    """A generator of its own."""
    return random.Random(interpreter.workspace.seed if x is None else x)


def seed(interpreter: Interpreter, generator: random.Random, a: Any = None) -> None:
    """Start the numbers again from a seed."""
    generator.seed(interpreter.workspace.seed if a is None else a)


def choice(interpreter: Interpreter, generator: random.Random, seq: Any) -> Any:
    """One item."""
    return generator.choice(bounded(interpreter, seq))


def choices(
    interpreter: Interpreter,
    generator: random.Random,
    population: Any,
    weights: Any = None,
    *,
    cum_weights: Any = None,
    k: int = 1,
) -> list[Any]:
    """So many items, one may come more than once."""
    interpreter.budget.check_length(int(k))
    pool = bounded(interpreter, population)
    shares, sums = (None if one is None else _numbers(interpreter, one) for one in (weights, cum_weights))
    return generator.choices(pool, shares, cum_weights=sums, k=k)


def _numbers(interpreter: Interpreter, values: Any) -> Any:
    """Numbers to be added up; of texts the sum would be a longer one each time."""
    found = bounded(interpreter, values)
    if not all(isinstance(value, NUMBERS) for value in found):
        raise TypeError
    return found


def sample(interpreter: Interpreter, generator: random.Random, population: Any, k: int) -> list[Any]:
    """So many different items."""
    interpreter.budget.check_length(int(k))
    return generator.sample(bounded(interpreter, population), k)


def shuffle(interpreter: Interpreter, generator: random.Random, x: list[Any]) -> None:
    """Put a list into a random order, in place."""
    interpreter.budget.spend(len(x))
    generator.shuffle(x)


def randrange(
    interpreter: Interpreter, generator: random.Random, start: int, stop: Any = None, step: int = 1
) -> int:
    """One of the numbers of a range."""
    return generator.randrange(start, stop, step)


def _plain(name: str) -> Callable[..., Any]:
    """A method that takes and gives numbers."""

    def call(interpreter: Interpreter, generator: random.Random, *args: Any, **keywords: Any) -> Any:
        return getattr(generator, name)(*map(float, args), **keywords)

    return call


def randint(interpreter: Interpreter, generator: random.Random, a: int, b: int) -> int:
    """A whole number from a to b, both included."""
    return generator.randint(a, b)


def getrandbits(interpreter: Interpreter, generator: random.Random, k: int, /) -> int:
    """A whole number of so many bits."""
    interpreter.budget.check_bits(int(k))
    return generator.getrandbits(k)


def getstate(interpreter: Interpreter, generator: random.Random) -> Any:
    """Where the numbers stand."""
    return generator.getstate()


def setstate(interpreter: Interpreter, generator: random.Random, state: Any) -> None:
    """Go on from where the numbers stood."""
    generator.setstate(state)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "seed": seed,
    "choice": choice,
    "choices": choices,
    "sample": sample,
    "shuffle": shuffle,
    "randrange": randrange,
    "randint": randint,
    "getrandbits": getrandbits,
    "getstate": getstate,
    "setstate": setstate,
    **{
        name: _plain(name)
        for name in (
            "random",
            "uniform",
            "gauss",
            "normalvariate",
            "expovariate",
            "betavariate",
            "triangular",
            "lognormvariate",
            "gammavariate",
            "vonmisesvariate",
            "paretovariate",
            "weibullvariate",
        )
    },
}


for name, function in FUNCTIONS.items():
    RANDOM.function(name)(on_the_runs_own(function, own_of_the_run))
    OWN.method(name)(function)
