"""The keys, values and entries of a dict, as they are while it changes."""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.containers import ITEMS, ITERATORS, Items
from engine.languages.interpreter.builtins.nested_sizes import check_weight
from engine.languages.interpreter.builtins.text import MAX_WEIGHT, SHOWN, to_repr
from engine.languages.interpreter.operators import HOLDS
from engine.languages.interpreter.values import TYPE_NAMES

EMPTY: dict[Any, Any] = {}
VIEWS: tuple[type, ...] = tuple(map(type, (EMPTY.keys(), EMPTY.values(), EMPTY.items())))
DICT = members_of(dict, "dict")
DICT.method("keys")(lambda entries: entries.keys())
DICT.method("values")(lambda entries: entries.values())
DICT.method("items")(lambda entries: entries.items())


def _text(view: Any) -> str:
    return f"{type(view).__name__}({to_repr(list(view))})"


def _holds(view: Any, item: Any) -> bool:
    check_weight(item, MAX_WEIGHT)
    return item in view


def _name(view: Any) -> str:
    return type(view).__name__


for view in VIEWS:
    ITERATORS[view] = list
    ITEMS[view] = Items(count=len)
    HOLDS[view] = _holds
    SHOWN[view] = (_text, _text)
    TYPE_NAMES[view] = _name
