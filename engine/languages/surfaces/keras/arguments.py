"""What layers are given: the settings that every layer has, those of Keras 1, and what `add_weight` takes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from inspect import Parameter, signature
from types import MappingProxyType
from typing import Any

import numpy as np

from engine.errors import ProgramError, ShapeError, ValueRefused
from engine.languages.interpreter.arguments import ANY, Argument
from engine.languages.interpreter.callables import missing_arguments
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.surfaces.argument_kinds import DTYPE
from engine.languages.surfaces.keras.fitting.constraints import constraint_named
from engine.languages.surfaces.keras.fitting.regularizers import regularizer_named
from engine.languages.surfaces.keras.older_names import in_todays_words, newer, older_of
from engine.languages.surfaces.keras.saving.configs import dtype_of_policy
from engine.languages.surfaces.keras.saving.layer_settings import keep_settings
from engine.languages.surfaces.tf2.modules import AN_OBJECT
from engine.ops.base.shapes import whole_number, written

# -- add_weight: its shape first, or its name, as before Keras 3 -------------------------------------

IN_ORDER = ("shape", "initializer", "dtype", "trainable")
NAME_FIRST = (
    *("name", "shape", "dtype", "initializer", "regularizer", "trainable", "constraint"),
)  # before Keras 3


def weight_arguments(given: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
    """All arguments by name. Raises: ProgramError where one is given twice, or there are too many."""
    order = NAME_FIRST if given and isinstance(given[0], str) else IN_ORDER
    by_place = dict(zip(order, given, strict=False))
    twice = [name for name in by_place if named.get(name) is not None]
    if twice or len(given) > len(order):
        what = f"the argument `{twice[0]}` twice" if twice else "too many arguments"
        what_zh = f"两次参数 `{twice[0]}`" if twice else "过多的参数"
        raise ProgramError(
            f"add_weight() got {what}.",
            message_zh=f"add_weight() 得到了{what_zh}。",
            hint='Write add_weight(shape=(3, 1), initializer="zeros", name="w").',
            hint_zh='请写 add_weight(shape=(3, 1), initializer="zeros", name="w")。',
            code="wrong_arguments",
            kind="TypeError",
        )
    return {name: value for name, value in named.items() if value is not None} | by_place


# -- what every layer has ----------------------------------------------------------------------------

COMMON: Mapping[str, Any] = MappingProxyType(
    {
        "input_shape": None,
        "input_dim": None,
        "batch_input_shape": None,
        "batch_shape": None,
        "trainable": True,
        "dtype": None,
        "activity_regularizer": None,
    }
)
VARIABLES = ("kernel", "bias", "recurrent", "embeddings", "gamma", "beta", "depthwise", "pointwise", "alpha")


OF_A_LAYER: Mapping[str, Argument] = MappingProxyType(
    {
        "self": AN_OBJECT,
        "inputs": ANY,
        "dtype": replace(DTYPE, fits=lambda given: DTYPE.fits(dtype_of_policy(given))),
    }
)


def _limits_of(own: Collection[str]) -> tuple[str, ...]:
    """`kernel_regularizer`, `kernel_constraint` and so on, of the variables that the layer makes."""
    parts = [part for part in VARIABLES if f"{part}_initializer" in own]
    named = [f"{part}_{kind}" for part in parts for kind in ("regularizer", "constraint")]
    return tuple(name for name in named if name not in own)


def _limit(name: str, given: Any) -> Any:
    return regularizer_named(given) if name.endswith("_regularizer") else constraint_named(given)


def with_common_settings(init: Callable[..., None]) -> Callable[..., None]:
    """A layer's `__init__` with the settings that every layer has (`COMMON`), and those of Keras 1.

    An argument that is needed may be given under its older name, so what is missing is found here.
    """
    own = signature(init)
    missing = tuple(name for name in COMMON if name not in own.parameters)
    limits = _limits_of(own.parameters)
    older = older_of([*own.parameters, *limits])
    renamed = {newer(name) for name in older}
    needed = [name for name, one in own.parameters.items() if one.default is Parameter.empty]
    required = tuple(name for name in needed if name in renamed)

    def begin(*args: Any, **settings: Any) -> None:
        self = next(one for one in args if isinstance(one, UserObject))
        if any(settings.get(name) is not None for name in older):
            settings = in_todays_words(args[0], settings, older)
        settings = {name: one for name, one in settings.items() if name not in older}
        outside = {*missing, *limits}
        given = own.bind_partial(*args, **{key: one for key, one in settings.items() if key not in outside})
        absent = [name for name in required if given.arguments.get(name) is None]
        if absent:
            raise missing_arguments(f"{self.kind.name}.__init__", absent, ())
        self.fields["_config"] = _made_with(given.arguments, settings)
        common = {name: settings.pop(name) for name in missing if name in settings}
        limited = {name: _limit(name, settings.pop(name, None)) for name in limits}
        init(*args, **settings)
        keep_settings(self)
        self.fields["_limits"] = limited
        self.fields["activity_regularizer"] = regularizer_named(common.get("activity_regularizer"))
        if dtype_of_policy(common.get("dtype")) not in (None, "float32"):
            raise _other_dtype(self, common["dtype"])
        if common.get("input_dim") is not None:
            common["input_shape"] = (common["input_dim"],)
        for whole in ("batch_input_shape", "batch_shape"):
            if common.get(whole) is not None:
                common["input_shape"] = tuple(common[whole])[1:]
                self.fields["_batch"] = next(iter(common[whole]))
        if common.get("input_shape") is not None:
            self.fields["_input_shape"] = example_shape(common["input_shape"])
        self.fields["trainable"] = common.get("trainable", True)

    usual = [one.replace(default=None) if name in required else one for name, one in own.parameters.items()]
    extra = [Parameter(name, Parameter.KEYWORD_ONLY, default=COMMON[name]) for name in missing]
    extra += [Parameter(name, Parameter.KEYWORD_ONLY, default=None) for name in (*limits, *older)]
    begin.__signature__ = own.replace(parameters=[*usual, *extra])  # type: ignore[attr-defined]
    return begin


def _made_with(given: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments that a layer was made with, by name, for `get_config`."""
    own = {name: value for name, value in given.items() if name not in ("interpreter", "self")}
    return own | {name: value for name, value in settings.items() if value is not None}


def _other_dtype(self: UserObject, dtype: Any) -> ProgramError:
    return ProgramError(
        f"Layer {self.fields['name']} computes in float32 here.",
        hint="Leave `dtype` out.",
        message_zh=f"层 {self.fields['name']} 在这里使用 float32 计算。",
        hint_zh="请去掉 `dtype`。",
        code="bad_value",
    )


def check_rank(layer: UserObject, shape: Any, *ranks: int) -> None:
    """Raises: ShapeError for an input of another number of axes than the layer takes."""
    if shape is None or len(shape) not in ranks:
        name, given = layer.fields["name"], "?" if shape is None else written(tuple(shape))
        listed = " or ".join(map(str, ranks))
        raise ShapeError(
            f"Layer {name} takes an input of {listed} axes, but its shape is {given}.",
            message_zh=f"层 {name} 需要 {listed.replace('or', '或')} 个轴的输入，但其形状为 {given}。",
        )


def number_of(value: Any, name: str) -> float:
    """One number. Raises: ValueRefused for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
        raise ValueRefused(f"`{name}` is a number.", message_zh=f"`{name}` 应是一个数。", code="bad_value")
    return float(value)


def at_least_one(value: Any, name: str) -> int:
    """A whole number of 1 or more. Raises: ValueRefused."""
    count = whole_number(value, name)
    if count < 1:
        raise ValueRefused(
            f"`{name}` is at least 1, not {count}.",
            message_zh=f"`{name}` 至少是 1，不能是 {count}。",
            code="bad_value",
        )
    return count


def example_shape(shape: Any) -> tuple[int | None, ...] | None:
    """The shape of one example, where the program gives it."""
    if shape is None:
        return None
    lengths = shape if isinstance(shape, (list, tuple)) else [shape]
    return tuple(None if length is None else whole_number(length, "input_shape") for length in lengths)
