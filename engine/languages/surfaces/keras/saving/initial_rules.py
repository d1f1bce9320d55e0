"""`get`, `serialize`, `deserialize` of `keras.initializers`: rules by name, and as dictionaries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from types import MappingProxyType
from typing import Any

from engine.errors import ProgramError
from engine.graph.variables.initializers import (
    Filling,
    Identity,
    Ones,
    RandomNormal,
    RandomUniform,
    TruncatedNormal,
    VarianceScaling,
    Zeros,
)
from engine.languages.interpreter.attributes import LOOKUPS
from engine.languages.interpreter.callables import Native, UserFunction
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import MISSING
from engine.languages.interpreter.values import TYPE_NAMES
from engine.languages.surfaces.keras.named import (
    SHARED_AXES,
    NamedSpread,
    Orthogonal,
    initializer_named,
    initializer_of_config,
)
from engine.languages.surfaces.keras.seeds import OwnSeed
from engine.ops.sources.draws import SeedGenerator

CLASS_NAMES: Mapping[type, str] = MappingProxyType(
    {
        **{kind: kind.__name__ for kind in (Zeros, Ones, Identity, Orthogonal)},
        **{kind: kind.__name__ for kind in (RandomNormal, RandomUniform, TruncatedNormal, VarianceScaling)},
        Filling: "Constant",
    }
)
SPREADS: Mapping[tuple[float, str, str], str] = MappingProxyType(
    {
        (1.0, "fan_avg", "uniform"): "GlorotUniform",
        (1.0, "fan_avg", "truncated_normal"): "GlorotNormal",
        (2.0, "fan_in", "uniform"): "HeUniform",
        (2.0, "fan_in", "truncated_normal"): "HeNormal",
        (1.0, "fan_in", "uniform"): "LecunUniform",
        (1.0, "fan_in", "truncated_normal"): "LecunNormal",
    }
)
RULES = tuple(CLASS_NAMES)


def _get(interpreter: Interpreter, identifier: Any) -> Any:
    """The rule of a name, of a class or of a dictionary; a rule or a function as it is.

    Raises: ProgramError where it is none of these.
    """
    if identifier is None:
        return None
    if not isinstance(identifier, (str, Mapping, Native, UserFunction, UserObject, UserClass, *RULES)):
        raise _no_rule(identifier)
    if isinstance(identifier, (UserFunction, UserObject)):
        return identifier
    return initializer_named(interpreter, identifier)


def _no_rule(given: Any) -> ProgramError:
    return ProgramError(
        f"Could not interpret initializer identifier: {given}",
        message_zh=f"无法识别的初始化方法：{given}",
        code="bad_value",
        kind="ValueError",
    )


def serialize_initializer(initializer: Any) -> dict[str, Any]:
    """Class and arguments of a rule, as Keras 3 writes them.

    Raises: ProgramError for a function of the program, which has no such dictionary here.
    """
    if not isinstance(initializer, RULES):
        raise ProgramError(
            "initializers.serialize() takes one of Keras' own initializers here.",
            message_zh="这里的 initializers.serialize() 只接受 Keras 自带的初始化方法。",
            hint="Keep the function itself in get_config().",
            hint_zh="请在 get_config() 里直接保存该函数。",
            code="bad_value",
        )
    return {
        "module": "keras.initializers",
        "class_name": _class_name(initializer),
        "config": arguments_of(initializer),
        "registered_name": None,
    }


def _class_name(rule: Any) -> str:
    if isinstance(rule, NamedSpread):
        return SPREADS[rule.scale, rule.mode, rule.distribution]
    return CLASS_NAMES[type(rule)]


def arguments_of(rule: Any) -> dict[str, Any]:
    """What a rule was made with, `get_config()`: the seed first, None where none was given."""
    if isinstance(rule, Identity):
        return {}
    own = {one.name: getattr(rule, one.name) for one in fields(rule) if one.name not in ("seed", "narrowing")}
    if isinstance(rule, NamedSpread):
        own = {}
    seed = {"seed": _given_seed(rule.seed)} if hasattr(rule, "seed") else {}
    return seed | own | (dict(SHARED_AXES) if isinstance(rule, VarianceScaling) else {})


def _given_seed(source: SeedGenerator) -> int | None:
    return None if isinstance(source, OwnSeed) else source.seed


def _attribute(rule: Any, name: str) -> Any:
    """`get_config`, or one of its arguments behind a dot, of a rule of Keras that draws."""
    if not isinstance(rule.seed, SeedGenerator):
        return MISSING
    if name == "get_config":
        return Native("Initializer.get_config", lambda: arguments_of(rule))
    own = {one.name: getattr(rule, one.name) for one in fields(rule) if one.name != "narrowing"}
    return (own | {"seed": rule.seed.seed}).get(name, MISSING)


for _kind in (RandomNormal, RandomUniform, TruncatedNormal, VarianceScaling, NamedSpread, Orthogonal):
    LOOKUPS[_kind] = _attribute
    TYPE_NAMES[_kind] = _class_name


def members() -> dict[str, Native]:
    """The names below `tf.` that this file offers."""
    functions: Mapping[str, Callable[..., Any]] = {
        "get": _get,
        "serialize": serialize_initializer,
        "deserialize": initializer_of_config,
    }
    return {
        f"keras.initializers.{name}": Native(f"tf.keras.initializers.{name}", function)
        for name, function in functions.items()
    }
