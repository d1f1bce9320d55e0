"""Names of optax's types, which programs write as annotations, and its modules' further names."""

from __future__ import annotations

from engine.languages.interpreter.builtins.functions import Kind
from engine.languages.surfaces.jax import optax as ox
from engine.languages.surfaces.jax.optax import OPTAX
from engine.languages.surfaces.jax.optax_parts import (
    directions,
    root_mean_squares,
    single_updates,
    wrappers,
)

TRANSFORMS = (
    *("add_decayed_weights", "adaptive_grad_clip", "apply_if_finite", "chain", "clip", "clip_by_block_rms"),
    *("clip_by_global_norm", "ema", "keep_params_nonnegative", "masked", "named_chain", "partition", "trace"),
    *("zero_nans", "MultiSteps"),
)


def _itself(value: object = None) -> object:
    return value


for _name in ("OptState", "Params", "Updates", "Schedule", "ScalarOrSchedule"):
    OPTAX.value(Kind(f"optax.{_name}", _itself, (object,)), _name)
for _kind in (
    *(ox.ADAM, ox.BY_SCHEDULE, ox.MOMENTUM, ox.RSS, ox.EMPTY.kind),
    *(root_mean_squares.RMS, root_mean_squares.STDDEV),
    *(directions.AMSGRAD, directions.BELIEF, directions.LION, directions.DELTA),
    directions.OPTIMISTIC,
    *(
        single_updates.EMA,
        wrappers.MASKED,
        wrappers.PARTITION,
        wrappers.HYPERPARAMETERS,
        wrappers.MULTI_STEPS,
    ),
    *(wrappers.FINITE, wrappers.APPLY_EVERY, single_updates.ZERO_NANS),
):
    OPTAX.value(_kind, _kind.name)
OPTAX.value(ox.EMPTY.kind, "ScaleByTrustRatioState")
for _name in TRANSFORMS:
    OPTAX.value(OPTAX.members[_name], f"transforms.{_name}")
OPTAX.refuse(
    ("lbfgs", "scale_by_lbfgs", "scale_by_zoom_linesearch", "scale_by_backtracking_linesearch", "contrib"),
    "Gradlens has the first-order optimizers of optax, such as optax.adam, and jax.scipy.optimize.minimize.",
    "Gradlens 包含 optax 的一阶优化器，例如 optax.adam，以及 jax.scipy.optimize.minimize。",
)
