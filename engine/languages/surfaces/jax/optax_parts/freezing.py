"""Which parameters an optimizer of optax moves, and all of them as one vector."""

from __future__ import annotations

from itertools import accumulate
from typing import Any

from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax.api.calling import as_value, trees
from engine.languages.surfaces.jax.lax.basics import shape_of
from engine.languages.surfaces.jax.numpy.ufuncs import FUNCTIONS as JNP
from engine.languages.surfaces.jax.optax import OPTAX, Transformation
from engine.languages.surfaces.jax.optax_parts.single_updates import set_to_zero
from engine.languages.surfaces.jax.optax_parts.wrappers import masked, multi_transform

FREEZE, TRAIN = "freeze", "train"


@OPTAX.function("freeze", "transforms.freeze")
def freeze(interpreter: Interpreter, mask: Any) -> Any:
    """No updates of the leaves that a tree of True and False marks with True."""
    return masked(interpreter, set_to_zero(), mask)


@OPTAX.function("selective_transform", "transforms.selective_transform")
def selective_transform(interpreter: Interpreter, optimizer: Any, *, freeze_mask: Any) -> Any:
    """An optimizer of the leaves marked with False, which alone it knows of; the others stay as they are."""
    leaves, structure = trees().flatten(freeze_mask)
    labels = trees().unflatten(structure, [FREEZE if is_frozen else TRAIN for is_frozen in leaves])
    return multi_transform(interpreter, {TRAIN: optimizer, FREEZE: set_to_zero()}, labels)


@OPTAX.function("flatten", "transforms.flatten")
def flatten(inner: Transformation) -> Transformation:
    """A transformation of all leaves in a row, one vector; updates come out in their own shapes."""

    def update(g: Any, state: Any, params: Any, **more: Any) -> Any:
        row, after = inner.updated(_in_a_row(g), state, None if params is None else _in_a_row(params), more)
        return _as_before(g, row), after

    return Transformation(lambda params: inner.init(_in_a_row(params)), update, takes_more=True)


def _in_a_row(tree: Any) -> Any:
    leaves = [as_value(leaf) for leaf in trees().flatten(tree)[0]]
    return JNP["concatenate"]([JNP["reshape"](leaf, (-1,)) for leaf in leaves])


def _as_before(tree: Any, row: Any) -> Any:
    leaves, structure = trees().flatten(tree)
    leaves = [as_value(leaf) for leaf in leaves]
    ends = list(accumulate(JNP["size"](leaf) for leaf in leaves))
    parts = JNP["split"](row, ends[:-1])
    shaped = [JNP["reshape"](part, shape_of(leaf)) for part, leaf in zip(parts, leaves, strict=True)]
    return trees().unflatten(structure, shaped)
