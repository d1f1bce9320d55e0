"""Results with named parts: `torch.return_types.max(values=…, indices=…)`."""

from __future__ import annotations

from typing import Any

from engine.languages.interpreter.builtins.nested_sizes import CONTAINERS
from engine.languages.interpreter.builtins.records import Record, RecordKind
from engine.languages.interpreter.builtins.text import SHOWN, to_repr


class NamedResult(Record):
    """What a function with several results gives."""


def named_result(name: str, *parts: Any, fields: tuple[str, ...] = ("values", "indices")) -> NamedResult:
    """The results under their names."""
    return NamedResult(RecordKind(name, fields), list(parts))


def _shown(result: NamedResult) -> str:
    parts = ",\n".join(
        f"{name}={to_repr(part)}" for name, part in zip(result.kind.fields, result, strict=True)
    )
    return f"torch.return_types.{result.kind.name}(\n{parts})"


CONTAINERS.add(NamedResult)
SHOWN[NamedResult] = (_shown, _shown)
