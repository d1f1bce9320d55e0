"""numpy's random numbers: a private generator for each run, bit for bit numpy's own."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature
from math import prod
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.library import on_the_runs_own
from engine.languages.surfaces.numpy.module import (
    NUMPY,
    asarray,
    lengths_of,
    numpy_dtype,
    option,
    to_array,
    unpack,
)
from engine.languages.surfaces.numpy.sizes import together

Numbers = np.random.RandomState | np.random.Generator

RANDOM_STATE = members_of(np.random.RandomState, "RandomState")


def own_generator(interpreter: Interpreter) -> np.random.RandomState:
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
    interpreter: Interpreter,
    generator: np.random.RandomState,
    low: Any,
    high: Any = None,
    size: Any = None,
    dtype: Any = "int64",
) -> Any:
    """Whole numbers from low up to, without, high."""
    low, high = _parameters(interpreter, size, low, high)
    draw: Any = generator.randint
    return unpack(draw(low, high, _size(interpreter, size), numpy_dtype(dtype)))


def _draw(name: str, *parameters: str, **defaults: Any) -> Callable[..., Any]:
    """A draw by numpy's own name and its parameters, from the kind of generator at hand."""
    kinds = [Parameter(one, Parameter.POSITIONAL_OR_KEYWORD) for one in ("interpreter", "generator")]
    kinds += [Parameter(one, Parameter.POSITIONAL_OR_KEYWORD) for one in parameters]
    kinds += [
        Parameter(one, Parameter.POSITIONAL_OR_KEYWORD, default=value)
        for one, value in {**defaults, "size": None}.items()
    ]
    signature = Signature(kinds)

    def call(*args: Any, **keywords: Any) -> Any:
        bound = signature.bind(*args, **keywords)
        bound.apply_defaults()
        interpreter, generator, *values, size = bound.arguments.values()
        given = _parameters(interpreter, size, *values)
        return unpack(getattr(generator, name)(*given, _size(interpreter, size)))

    call.__signature__ = signature  # type: ignore[attr-defined]
    return call


DRAWS: dict[str, Callable[..., Any]] = {
    "beta": _draw("beta", "a", "b"),
    "binomial": _draw("binomial", "n", "p"),
    "chisquare": _draw("chisquare", "df"),
    "exponential": _draw("exponential", scale=1.0),
    "f": _draw("f", "dfnum", "dfden"),
    "gamma": _draw("gamma", "shape", scale=1.0),
    "geometric": _draw("geometric", "p"),
    "gumbel": _draw("gumbel", loc=0.0, scale=1.0),
    "laplace": _draw("laplace", loc=0.0, scale=1.0),
    "logistic": _draw("logistic", loc=0.0, scale=1.0),
    "lognormal": _draw("lognormal", mean=0.0, sigma=1.0),
    "negative_binomial": _draw("negative_binomial", "n", "p"),
    "pareto": _draw("pareto", "a"),
    "poisson": _draw("poisson", lam=1.0),
    "power": _draw("power", "a"),
    "rayleigh": _draw("rayleigh", scale=1.0),
    "standard_cauchy": _draw("standard_cauchy"),
    "standard_exponential": _draw("standard_exponential"),
    "standard_gamma": _draw("standard_gamma", "shape"),
    "standard_normal": _draw("standard_normal"),
    "standard_t": _draw("standard_t", "df"),
    "triangular": _draw("triangular", "left", "mode", "right"),
    "vonmises": _draw("vonmises", "mu", "kappa"),
    "wald": _draw("wald", "mean", "scale"),
    "weibull": _draw("weibull", "a"),
}


def multinomial(interpreter: Interpreter, generator: Numbers, n: Any, pvals: Any, size: Any = None) -> Any:
    """How often each outcome occurs in n trials."""
    shares, shape = to_array(interpreter, pvals), _size(interpreter, size)
    interpreter.budget.check_elements((*(shape or ()), shares.size))
    return generator.multinomial(int(n), shares, shape)


def dirichlet(interpreter: Interpreter, generator: Numbers, alpha: Any, size: Any = None) -> Any:
    """Shares that add up to 1."""
    weights, shape = to_array(interpreter, alpha), _size(interpreter, size)
    interpreter.budget.check_elements((*(shape or ()), weights.size))
    return generator.dirichlet(weights, shape)


def multivariate_normal(
    interpreter: Interpreter, generator: Numbers, mean: Any, cov: Any, size: Any = None
) -> Any:
    """Normal vectors with a mean and a table of covariances."""
    center, table, shape = to_array(interpreter, mean), to_array(interpreter, cov), _size(interpreter, size)
    interpreter.budget.check_elements((*(shape or ()), center.size))
    interpreter.budget.spend((prod(shape or ()) + center.size) * center.size**2)
    return generator.multivariate_normal(center, table, shape)


DRAWS.update(multinomial=multinomial, dirichlet=dirichlet, multivariate_normal=multivariate_normal)


def choice(
    interpreter: Interpreter,
    generator: Numbers,
    a: Any,
    size: Any = None,
    replace: Any = True,
    p: Any = None,
) -> Any:
    """Elements picked at random, texts among them."""
    if isinstance(a, (int, np.integer)):
        interpreter.budget.check_elements((int(a),))
    pool = int(a) if isinstance(a, (int, np.integer)) else asarray(interpreter, a)
    shares = None if p is None else to_array(interpreter, p)
    shape = _size(interpreter, size)
    interpreter.budget.check_elements((prod(shape or ()), prod(np.shape(pool)[1:])))
    return unpack(generator.choice(pool, shape, bool(replace), shares))


def permutation(interpreter: Interpreter, generator: Numbers, x: Any) -> Any:
    """The elements in a random order, texts among them."""
    if isinstance(x, (int, np.integer)):
        interpreter.budget.check_elements((int(x),))
        return generator.permutation(int(x))
    return generator.permutation(asarray(interpreter, x))


def shuffle(interpreter: Interpreter, generator: Numbers, x: Any) -> None:
    """Put a list or an array into a random order, in place."""
    interpreter.budget.spend(prod(np.shape(x)) if isinstance(x, np.ndarray) else len(x))
    generator.shuffle(x)


def get_state(interpreter: Interpreter, generator: np.random.RandomState, legacy: Any = True) -> Any:
    """The generator's name, its 624 numbers, how many are used, and a normal number that waits."""
    return generator.get_state() if legacy else generator.get_state(legacy=False)


def set_state(interpreter: Interpreter, generator: np.random.RandomState, state: Any) -> None:
    """Go on as from a state that `get_state` gave."""
    try:
        generator.set_state(state)
    except (TypeError, ValueError, KeyError) as error:
        raise ProgramError(
            f"{error}",
            message_zh="set_state 需要由 get_state 得到的状态。",
            hint="Give what np.random.get_state() gave.",
            hint_zh="请传入 np.random.get_state() 的结果。",
            code="wrong_arguments",
            kind=type(error).__name__,
        ) from None


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "get_state": get_state,
    "set_state": set_state,
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
    "ranf": random,
    "sample": random,
    **DRAWS,
}

for name, function in FUNCTIONS.items():
    NUMPY.function(f"random.{name}")(on_the_runs_own(function, own_generator))
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


def _of_type(name: str) -> Callable[..., Any]:
    """A draw in double or in single precision, which takes other bits of the generator."""

    def draw(
        interpreter: Interpreter, generator: np.random.Generator, size: Any = None, dtype: Any = None
    ) -> Any:
        kind = np.dtype(np.float64 if dtype is None else numpy_dtype(dtype))
        return getattr(generator, name)(_size(interpreter, size), kind)

    return draw


SHARED = ("normal", "uniform", "choice", "permutation", "shuffle", *DRAWS)
for name in SHARED:
    GENERATOR.method(name)(FUNCTIONS[name])
GENERATOR.method("integers")(integers)
for name in ("random", "standard_normal", "standard_exponential"):
    GENERATOR.method(name)(_of_type(name))
