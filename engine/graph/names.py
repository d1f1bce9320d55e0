"""Unique names and name scopes, by TensorFlow's rule.

Names are compared without regard to case (`Mul` and `mul` collide), scopes and nodes share one table,
and the second use of a name gets `_1` in its own capitals.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine.errors import GraphError, quoted

MAX_NAME = 1_000  # characters of one name
MAX_PATH = 2_000  # of a node's name with the scopes around it

_VALID = re.compile(r"^[A-Za-z0-9.][A-Za-z0-9_.\\/>-]*$")
_VALID_INNER = re.compile(r"^[A-Za-z0-9_.\\/>-]*$")


class Names:
    """The names in use in one graph, and the scope that new ones go into."""

    def __init__(self) -> None:
        self.counts: dict[str, int] = {}
        self.scope = ""
        self._fine: tuple[set[str], set[str]] = set(), set()  # names checked: outermost, and inside a scope

    def unique(self, name: str) -> str:
        """`name` inside the current scope, with `_1`, `_2`, … where it is taken."""
        full = f"{self.scope}/{name}" if self.scope else name
        key = full.lower()
        number = self.counts.get(key, 0)
        self.counts[key] = number + 1
        if number == 0:
            return full
        while f"{key}_{number}" in self.counts:
            number += 1
        self.counts[f"{key}_{number}"] = 1
        return f"{full}_{number}"

    def peek(self, name: str) -> str:
        """What `unique` would give, without taking the name."""
        full = f"{self.scope}/{name}" if self.scope else name
        key = full.lower()
        number = self.counts.get(key, 0)
        if number == 0:
            return full
        while f"{key}_{number}" in self.counts:
            number += 1
        return f"{full}_{number}"

    def take(self, scope: str, names: Mapping[str, int]) -> None:
        """Take names, in lower case and each as often as it says, in a scope that nothing was named in."""
        prefix = scope.lower()
        for name, count in names.items():
            self.counts[f"{prefix}/{name}"] = count

    def check(self, name: str) -> None:
        """Refuse a name that TensorFlow would refuse, or one that is too long: answers repeat it often."""
        if len(name) > MAX_NAME or len(self.scope) + len(name) > MAX_PATH:
            raise _too_long(name, self.scope)
        fine = self._fine[bool(self.scope)]
        if name in fine:
            return
        if not (_VALID_INNER if self.scope else _VALID).match(name):
            raise GraphError(
                f"{quoted(name)} cannot be the name of a node or a scope.",
                hint="Use letters, digits, dots, dashes and underscores; begin with a letter or a digit.",
                message_zh=f"{quoted(name)} 不能用作节点或作用域的名称。",
                hint_zh="请使用字母、数字、点、短横线和下划线，并以字母或数字开头。",
                code="bad_name",
            )
        fine.add(name)


def _too_long(name: str, scope: str) -> GraphError:
    alone = len(name) > MAX_NAME
    length, limit = (len(name), MAX_NAME) if alone else (len(scope) + len(name), MAX_PATH)
    what, what_zh = ("", "") if alone else (" with its scopes", "（连同作用域）")
    return GraphError(
        f"The name of a node has {length:,} characters{what}; the limit is {limit:,}.",
        hint=f"Choose a shorter one than {name[:20]!r}….",
        message_zh=f"节点名称{what_zh}有 {length:,} 个字符；上限是 {limit:,}。",
        hint_zh=f"请选用比 {name[:20]!r}… 更短的名称。",
        code="name_too_long",
    )
