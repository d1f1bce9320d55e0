"""The figures of a training by their names of today and of before Keras 2.3."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class ByFigure(dict[str, list[Any]]):
    """The figures by name; `acc` finds `accuracy`, which it was called before Keras 2.3."""

    def __missing__(self, name: str) -> Any:
        start = name.removesuffix("acc")
        kinds = ("", "binary_", "categorical_", "sparse_categorical_")
        newer = next((one for one in (f"{start}{kind}accuracy" for kind in kinds) if one in self), None)
        if name not in ("acc", "val_acc") or newer is None:
            raise KeyError(name)
        return self[newer]


def with_older_names(found: Mapping[str, Any]) -> Mapping[str, Any]:
    """The same figures, which `acc` finds, too."""
    return ByFigure(found)
