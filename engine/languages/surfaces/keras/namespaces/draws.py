"""`keras.random`: random tensors, and the source of seeds that layers are given."""

from __future__ import annotations

from typing import Any

from engine import ops
from engine.languages.interpreter.arguments import Argument
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.argument_kinds import INTEGRAL
from engine.languages.surfaces.dtypes import dtype_name
from engine.languages.surfaces.keras.seeds import seed_generator, seed_of_one_draw
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.tensors import Operators
from engine.ops.sources.draws import SeedGenerator

GENERATOR = members_of(SeedGenerator, "SeedGenerator")
GENERATOR.fact("seed")(lambda generator: generator.seed)


SEED = Argument(
    "a whole number or a SeedGenerator",
    "整数或 SeedGenerator",
    lambda value: isinstance(value, SeedGenerator) or INTEGRAL.fits(value),
    "Write seed=1, or keras.random.SeedGenerator(1).",
    "请写 seed=1，或 keras.random.SeedGenerator(1)。",
)


def _generator(interpreter: Interpreter, seed: Any = None, name: Any = None) -> SeedGenerator:
    return seed_generator(interpreter, seed)


def _lengths(shape: Any) -> Any:
    """A shape, as a tensor where `keras.ops.shape` has given tensors for lengths that are not known yet."""
    if isinstance(shape, (list, tuple)) and any(isinstance(one, Operators) for one in shape):
        return ops.stack([ops.cast(one, "int32") for one in shape])
    return shape


def normal(
    interpreter: Interpreter,
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = "float32",
    seed: Any = None,
) -> Any:
    """Numbers of a normal distribution."""
    drawn = seed_of_one_draw(interpreter, seed)
    return ops.random_normal(_lengths(shape), mean, stddev, dtype_name(dtype) or "float32", seed=drawn)


def truncated_normal(
    interpreter: Interpreter,
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = "float32",
    seed: Any = None,
) -> Any:
    """Numbers of a normal distribution, none further than two deviations out."""
    drawn = seed_of_one_draw(interpreter, seed)
    return ops.truncated_normal(_lengths(shape), mean, stddev, dtype_name(dtype) or "float32", seed=drawn)


def uniform(
    interpreter: Interpreter,
    shape: Any,
    minval: Any = 0.0,
    maxval: Any = 1.0,
    dtype: Any = "float32",
    seed: Any = None,
) -> Any:
    """Numbers between two bounds, each as likely."""
    drawn = seed_of_one_draw(interpreter, seed)
    return ops.random_uniform(_lengths(shape), minval, maxval, dtype_name(dtype) or "float32", seed=drawn)


def randint(
    interpreter: Interpreter, shape: Any, minval: Any, maxval: Any, dtype: Any = "int32", seed: Any = None
) -> Any:
    """Whole numbers from one bound up to the other."""
    drawn = seed_of_one_draw(interpreter, seed)
    return ops.random_uniform(_lengths(shape), minval, maxval, dtype_name(dtype) or "int32", seed=drawn)


def dropout(
    interpreter: Interpreter, inputs: Any, rate: Any, noise_shape: Any = None, seed: Any = None
) -> Any:
    """Some numbers 0, the others larger by as much."""
    drawn = seed_of_one_draw(interpreter, seed)
    return ops.dropout(convert_to_tensor(inputs), rate=rate, noise_shape=noise_shape, seed=drawn)


def members() -> dict[str, Any]:
    """The names below `tf.` that this file offers."""
    found = {
        f"keras.random.{own.__name__}": Native(
            f"tf.keras.random.{own.__name__}", own, arguments={"seed": SEED}
        )
        for own in (normal, truncated_normal, uniform, randint, dropout)
    }
    return {**found, "keras.random.SeedGenerator": Native("tf.keras.random.SeedGenerator", _generator)}
