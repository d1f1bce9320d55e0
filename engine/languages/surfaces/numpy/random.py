"""numpy's random numbers: a private generator for each run, bit for bit numpy's own."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.library import on_the_runs_own
from engine.languages.surfaces.numpy.module import NUMPY, lengths_of, option, to_array, unpack
from engine.languages.surfaces.numpy.sizes import together

Numbers = np.random.RandomState | np.random.Generator

RANDOM_STATE = members_of(np.random.RandomState, "RandomState")


def _generator(interpreter: Interpreter) -> np.random.RandomState:
    """The run's own generator, seeded by the request until the program seeds it."""
    workspace = interpreter.workspace
    if workspace.numpy_random is None:
        workspace.numpy_random = np.random.RandomState(workspace.seed % 2**32)
    generator: np.random.RandomState = workspace.numpy_random
    return generator


@NUMPY.function("random.RandomState")
def random_state(interpreter: Interpreter, seed: Any = None) -> np.random.RandomState:
    """A generator of its own."""
    return np.random.RandomState(interpreter.workspace.seed % 2**32 if seed is None else int(seed))


def _size(interpreter: Interpreter, size: Any) -> tuple[int, ...] | None:
    return None if size is None else lengths_of(interpreter, size)


def _parameters(interpreter: Interpreter, size: Any, *values: Any) -> list[Any]:
    """The parameters of a draw; where no size is given, there is one number for each of them together."""
    given = [option(interpreter, value) for value in values]
    if size is None:
        interpreter.budget.check_elements(together(*given))
    return given


def seed(interpreter: Interpreter, generator: np.random.RandomState, seed: Any = None) -> None:
    """Start the numbers again from a seed."""
    generator.seed(interpreter.workspace.seed % 2**32 if seed is None else int(seed))


def rand(interpreter: Interpreter, generator: np.random.RandomState, *lengths: Any) -> Any:
    """Uniform between 0 and 1."""
    return generator.random_sample(lengths_of(interpreter, lengths) if lengths else None)


def randn(interpreter: Interpreter, generator: np.random.RandomState, *lengths: Any) -> Any:
    """Standard normal."""
    return generator.standard_normal(lengths_of(interpreter, lengths) if lengths else None)


def random(interpreter: Interpreter, generator: np.random.RandomState, size: Any = None) -> Any:
    """Uniform between 0 and 1."""
    return generator.random_sample(_size(interpreter, size))


def normal(
    interpreter: Interpreter,
    generator: Numbers,
    loc: Any = 0.0,
    scale: Any = 1.0,
    size: Any = None,
) -> Any:
    """Normal with a mean and a spread."""
    loc, scale = _parameters(interpreter, size, loc, scale)
    return unpack(generator.normal(loc, scale, _size(interpreter, size)))


def uniform(
    interpreter: Interpreter,
    generator: Numbers,
    low: Any = 0.0,
    high: Any = 1.0,
    size: Any = None,
) -> Any:
    """Uniform between two bounds."""
    low, high = _parameters(interpreter, size, low, high)
    return unpack(generator.uniform(low, high, _size(interpreter, size)))


def randint(
    interpreter: Interpreter, generator: np.random.RandomState, low: Any, high: Any = None, size: Any = None
) -> Any:
    """Whole numbers from low up to, without, high."""
    low, high = _parameters(interpreter, size, low, high)
    return unpack(generator.randint(low, high, _size(interpreter, size)))


def choice(
    interpreter: Interpreter,
    generator: Numbers,
    a: Any,
    size: Any = None,
    replace: Any = True,
    p: Any = None,
) -> Any:
    """Elements picked at random."""
    if isinstance(a, (int, np.integer)):
        interpreter.budget.check_elements((int(a),))
    pool = int(a) if isinstance(a, (int, np.integer)) else to_array(interpreter, a)
    shares = None if p is None else to_array(interpreter, p)
    shape = _size(interpreter, size)
    interpreter.budget.check_elements((prod(shape or ()), prod(np.shape(pool)[1:])))
    return unpack(generator.choice(pool, shape, bool(replace), shares))


def permutation(interpreter: Interpreter, generator: Numbers, x: Any) -> Any:
    """The elements in a random order."""
    if isinstance(x, (int, np.integer)):
        interpreter.budget.check_elements((int(x),))
        return generator.permutation(int(x))
    return generator.permutation(to_array(interpreter, x))


def shuffle(interpreter: Interpreter, generator: Numbers, x: Any) -> None:
    """Put a list or an array into a random order, in place."""
    interpreter.budget.spend(prod(np.shape(x)) if isinstance(x, np.ndarray) else len(x))
    generator.shuffle(x)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "seed": seed,
    "rand": rand,
    "randn": randn,
    "random": random,
    "random_sample": random,
    "normal": normal,
    "uniform": uniform,
    "randint": randint,
    "choice": choice,
    "permutation": permutation,
    "shuffle": shuffle,
}
FUNCTIONS["standard_normal"] = lambda interpreter, generator, size=None: normal(
    interpreter, generator, 0.0, 1.0, size
)

for name, function in FUNCTIONS.items():
    NUMPY.function(f"random.{name}")(on_the_runs_own(function, _generator))
    RANDOM_STATE.method(name)(function)


# -- the newer generators ----------------------------------------------------------------------------

GENERATOR = members_of(np.random.Generator, "Generator")


@NUMPY.function("random.default_rng")
def default_rng(interpreter: Interpreter, seed: Any = None) -> np.random.Generator:
    """A generator of its own: PCG64, bit for bit numpy's."""
    return np.random.default_rng(abs(interpreter.workspace.seed) if seed is None else int(seed))


def integers(
    interpreter: Interpreter,
    generator: np.random.Generator,
    low: Any,
    high: Any = None,
    size: Any = None,
    endpoint: Any = False,
) -> Any:
    """Whole numbers from low up to, without, high."""
    low, high = _parameters(interpreter, size, low, high)
    return unpack(generator.integers(low, high, _size(interpreter, size), endpoint=bool(endpoint)))


def uniform_unit(interpreter: Interpreter, generator: np.random.Generator, size: Any = None) -> Any:
    """Uniform between 0 and 1."""
    return generator.random(_size(interpreter, size))


SHARED = ("normal", "uniform", "choice", "permutation", "shuffle", "standard_normal")
for name in SHARED:
    GENERATOR.method(name)(FUNCTIONS[name])
GENERATOR.method("integers")(integers)
GENERATOR.method("random")(uniform_unit)
