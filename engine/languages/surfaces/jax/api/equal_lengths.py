"""`safe_map`, `safe_zip` and their kin of `jax._src.util`, which interpreters of jaxprs are written with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.jax.core.errors import type_error, value_error


def safe_map(interpreter: Interpreter, *args: Any) -> list[Any]:
    """A function of the first items, of the second, …: a list, where `map` would stop at the shortest.

    Raises: ProgramError where the lists differ in length.
    """
    if len(args) < 2:
        raise type_error(
            "safe_map requires at least 2 arguments",
            "safe_map 需要一个函数和至少一个序列。",
            code="wrong_arguments",
        )
    function, *given = args
    lists = [list(iterate(one)) for one in given]
    for place, one in enumerate(lists[1:], 2):
        if len(one) != len(lists[0]):
            order = "shorter" if len(one) < len(lists[0]) else "longer"
            before = "argument 1" if place == 2 else f"arguments 1-{place - 1}"
            raise value_error(
                f"safe_map() argument {place} is {order} than {before}",
                f"safe_map() 的第 {place} 个序列有 {len(one)} 项，而第一个有 {len(lists[0])} 项。",
            )
    return [interpreter.call(function, list(each), {}) for each in zip(*lists, strict=True)]


def safe_zip(*args: Any) -> list[tuple[Any, ...]]:
    """The first items together, the second, …; raises ProgramError where the lists differ in length."""
    if not args:
        raise type_error(
            "safe_zip requires at least 1 argument", "safe_zip 需要至少一个序列。", code="wrong_arguments"
        )
    lists = [list(iterate(one)) for one in args]
    for place, one in enumerate(lists):
        if len(one) != len(lists[0]):
            lengths = tuple(len(each) for each in lists)
            raise value_error(
                f"safe_zip() argument {place} has length {len(one)} but argument 0 has length "
                f"{len(lists[0])}. All lengths: {lengths}",
                f"safe_zip() 的各个序列长度不同：{lengths}。",
            )
    return list(zip(*lists, strict=True))


def _columns(count: int) -> Callable[..., tuple[Any, ...]]:
    def unzip(xys: Any) -> tuple[Any, ...]:
        rows = [tuple(iterate(row)) for row in iterate(xys)]
        for row in rows:
            if len(row) != count:
                few = len(row) < count
                said = (
                    f"not enough values to unpack (expected {count}, got {len(row)})"
                    if few
                    else f"too many values to unpack (expected {count})"
                )
                raise value_error(said, f"每一项应有 {count} 个值，而这里有 {len(row)} 个。")
        return tuple(tuple(row[place] for row in rows) for place in range(count))

    return unzip


FUNCTIONS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {"safe_map": safe_map, "safe_zip": safe_zip, "unzip2": _columns(2), "unzip3": _columns(3)}
)
