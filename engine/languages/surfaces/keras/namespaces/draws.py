"""`keras.random`: random tensors, and the source of seeds that layers are given."""

from __future__ import annotations

from typing import Any

from engine import ops
from engine.languages.interpreter.arguments import Argument
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.callables import Native
from engine.languages.surfaces.argument_kinds import INTEGRAL
from engine.languages.surfaces.dtypes import dtype_name
from engine.ops.base.building import convert_to_tensor


class SeedGenerator:
    """What layers take their seeds from. seed: the first one."""

    def __init__(self, seed: Any = None) -> None:
        self.seed = seed


GENERATOR = members_of(SeedGenerator, "SeedGenerator")
GENERATOR.fact("seed")(lambda generator: generator.seed)


SEED = Argument(
    "a whole number or a SeedGenerator",
    "整数或 SeedGenerator",
    lambda value: isinstance(value, SeedGenerator) or INTEGRAL.fits(value),
    "Write seed=1, or keras.random.SeedGenerator(1).",
    "请写 seed=1，或 keras.random.SeedGenerator(1)。",
)


def _generator(seed: Any = None, name: Any = None) -> SeedGenerator:
    return SeedGenerator(seed)


def _seed(given: Any) -> Any:
    return None if isinstance(given, SeedGenerator) else given


def normal(shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = "float32", seed: Any = None) -> Any:
    """Numbers of a normal distribution."""
    return ops.random_normal(shape, mean, stddev, dtype_name(dtype) or "float32", seed=_seed(seed))


def uniform(
    shape: Any, minval: Any = 0.0, maxval: Any = 1.0, dtype: Any = "float32", seed: Any = None
) -> Any:
    """Numbers between two bounds, each as likely."""
    return ops.random_uniform(shape, minval, maxval, dtype_name(dtype) or "float32", seed=_seed(seed))


def randint(shape: Any, minval: Any, maxval: Any, dtype: Any = "int32", seed: Any = None) -> Any:
    """Whole numbers from one bound up to the other."""
    return ops.random_uniform(shape, minval, maxval, dtype_name(dtype) or "int32", seed=_seed(seed))


def dropout(inputs: Any, rate: Any, noise_shape: Any = None, seed: Any = None) -> Any:
    """Some numbers 0, the others larger by as much."""
    return ops.dropout(convert_to_tensor(inputs), rate=rate, noise_shape=noise_shape, seed=_seed(seed))


def members() -> dict[str, Any]:
    """The names below `tf.` that this file offers."""
    found = {
        f"keras.random.{own.__name__}": Native(
            f"tf.keras.random.{own.__name__}", own, arguments={"seed": SEED}
        )
        for own in (normal, uniform, randint, dropout)
    }
    return {**found, "keras.random.SeedGenerator": Native("tf.keras.random.SeedGenerator", _generator)}
