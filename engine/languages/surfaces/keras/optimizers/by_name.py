"""`get`, `serialize` and `deserialize` of `keras.optimizers`: optimizers by name, and as dictionaries."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.errors import ProgramError, quoted
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.optimizers import optimizer as makers
from engine.languages.surfaces.keras.optimizers.optimizer import KerasOptimizer
from engine.languages.surfaces.keras.optimizers.schedules import is_schedule
from engine.languages.surfaces.keras.optimizers.state import config_of
from engine.optimizers.rules import keras

KINDS = {kind.lower(): kind for kind in keras.__all__}


def get(interpreter: Interpreter, identifier: Any) -> KerasOptimizer:
    """The optimizer of a name or of a dictionary; an optimizer as it is. Raises: ProgramError."""
    if isinstance(identifier, KerasOptimizer):
        return identifier
    if isinstance(identifier, str) and identifier.lower() in KINDS:
        return _made(interpreter, KINDS[identifier.lower()], {})
    if isinstance(identifier, Mapping):
        return deserialize(interpreter, identifier)
    shown = identifier if isinstance(identifier, str) else quoted(identifier)
    raise ProgramError(
        f"Could not interpret optimizer identifier: {shown}",
        hint=f"There are {', '.join(keras.__all__)}.",
        message_zh=f"无法识别的优化器：{shown}",
        hint_zh=f"可用的有 {'、'.join(keras.__all__)}。",
        code="bad_value",
        kind="ValueError",
    )


def _made(interpreter: Interpreter, kind: str, settings: dict[str, Any]) -> KerasOptimizer:
    made: KerasOptimizer = interpreter.call(makers.members()[f"keras.optimizers.{kind}"], [], settings)
    return made


def deserialize(interpreter: Interpreter, config: Any) -> KerasOptimizer:
    """The optimizer of a dictionary that `serialize` gives. Raises: ProgramError for any other."""
    name = config.get("class_name") if isinstance(config, Mapping) else None
    if not isinstance(name, str) or name.lower() not in KINDS:
        raise ProgramError(
            f"Could not interpret optimizer identifier: {config}",
            message_zh=f"无法识别的优化器：{config}",
            code="bad_value",
            kind="ValueError",
        )
    return _made(interpreter, KINDS[name.lower()], dict(config.get("config") or {}))


def serialize(optimizer: Any) -> dict[str, Any]:
    """Class and settings, as Keras 3 writes them.

    Raises: ProgramError where the rate follows a schedule, or for what is no optimizer.
    """
    settings = config_of(optimizer) if isinstance(optimizer, KerasOptimizer) else {}
    if not settings or is_schedule(settings["learning_rate"]) or callable(settings["learning_rate"]):
        raise ProgramError(
            "serialize() takes an optimizer of Keras whose learning rate is a number here.",
            message_zh="这里的 serialize() 需要学习率为数的 Keras 优化器。",
            code="bad_value",
        )
    return {
        "module": "keras.optimizers",
        "class_name": optimizer.rule.name,
        "config": settings,
        "registered_name": None,
    }


def members() -> dict[str, Native]:
    """The names below `tf.` that this file offers."""
    functions: Mapping[str, Callable[..., Any]] = {
        "get": get,
        "serialize": serialize,
        "deserialize": deserialize,
    }
    return {
        f"keras.optimizers.{name}": Native(f"tf.keras.optimizers.{name}", function)
        for name, function in functions.items()
    }
