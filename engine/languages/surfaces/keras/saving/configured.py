"""What Keras makes of a class and a few settings, and writes out again: a regularizer, a constraint."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from types import MappingProxyType
from typing import Any

from engine.errors import ProgramError
from engine.languages.interpreter.attributes import LOOKUPS, members_of
from engine.languages.interpreter.builtins.text import SHOWN, to_str
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.scope import MISSING
from engine.languages.interpreter.values import TYPE_NAMES


class Configured(Native):
    """A function that a class of Keras makes. home: where the class stands, such as `keras.regularizers`."""

    def __init__(self, home: str, kind: str, call: Callable[..., Any], config: Mapping[str, Any]) -> None:
        super().__init__(f"tf.{home}.{kind}", call)
        self.home = home
        self.kind = kind
        self.config = dict(config)


MEMBERS = members_of(Configured, "Configured")
LOOKUPS[Configured] = lambda one, name: one.config.get(name, MISSING)
MEMBERS.method("get_config")(lambda one: dict(one.config))
TYPE_NAMES[Configured] = lambda one: one.kind
SHOWN[Configured] = (lambda one: f"<{one.home}.{one.kind} object>",) * 2


def serialized(one: Any) -> Any:
    """Class and settings as Keras 3 writes them. Raises: ProgramError for what is none of Keras' own."""
    if not isinstance(one, Configured):
        raise ProgramError(
            "serialize() takes an object of Keras' own here.",
            message_zh="这里的 serialize() 只接受 Keras 自带的对象。",
            code="bad_value",
        )
    return {
        "module": one.home,
        "class_name": one.kind,
        "config": dict(one.config),
        "registered_name": None,
    }


def deserializer(home: str, makers: Mapping[str, Callable[..., Any]]) -> Callable[..., Any]:
    """The function that makes an object of such a dictionary again.

    Raises (when called): ProgramError for a dictionary that names no class of this kind.
    """

    known = MappingProxyType(dict(makers))

    def deserialize(config: Any) -> Any:
        return object_of(home, known, config)

    return deserialize


def object_of(home: str, known: Mapping[str, Callable[..., Any]], config: Any) -> Any:
    """An object of such a dictionary. Raises: ProgramError for one that names no class, or other settings."""
    name = to_str(config.get("class_name") if isinstance(config, Mapping) else config)
    settings = config.get("config") or {} if isinstance(config, Mapping) else {}
    if name not in known or not settings.keys() <= signature(known[name]).parameters.keys():
        raise ProgramError(
            f"Could not interpret this as an object of {home}: {config}",
            message_zh=f"无法识别为 {home} 的对象：{config}",
            code="bad_value",
            kind="ValueError",
        )
    return known[name](**settings)
