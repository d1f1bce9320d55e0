"""The gradients of two programs side by side: which belong together, and whether their numbers are equal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from engine.graph import Node
from engine.interchange.values import number_json, tensor_json
from engine.ops.base.tensors import Array
from engine.programs.differences.numbers import OTHER, UNKNOWN, Gap, Tolerance, gap_between
from engine.programs.differences.sides import GradientRow

SMALL = 64  # elements of a value that is written in full; of a larger one there is a summary
BINS = 8
Text = dict[str, str]
Rows = tuple[GradientRow | None, GradientRow | None]
ONLY = {
    "before": {"en": "Only the program before takes this gradient.", "zh": "只有改动前的程序求这个梯度。"},
    "after": {"en": "Only the program after takes this gradient.", "zh": "只有改动后的程序求这个梯度。"},
}
NOT_KNOWN = {
    "en": "Its numbers are not known: a placeholder is not fed, or the node did not run.",
    "zh": "数值未知：有占位符没有喂入数据，或该节点没有运行。",
}


def paired(
    before: Sequence[GradientRow], after: Sequence[GradientRow], partner: Mapping[Node, Node]
) -> list[Rows]:
    """Gradients that belong together: by the variable's name, else by the node that it is matched with.

    A variable may be differentiated by several times: then in their order. In the order of `after`, what is
    left of `before` at the end.
    """
    known = dict(zip(_keys(row.name for row in before), before, strict=True))
    rows: list[tuple[GradientRow, GradientRow | None]] = [
        (row, known.pop(key, None)) for key, row in zip(_keys(row.name for row in after), after, strict=True)
    ]
    nodes = {partner[row.x]: key for key, row in reversed(known.items()) if row.x in partner}
    found: list[Rows] = []
    for row, other in rows:
        key = nodes.pop(row.x, None) if other is None else None
        found.append((known.pop(key) if key is not None else other, row))
    return found + [(row, None) for row in known.values()]


def _keys(names: Iterator[str] | Any) -> list[Hashable]:
    """Each name with how often it came before."""
    seen: Counter[str] = Counter()
    keys: list[Hashable] = []
    for name in names:
        keys.append((name, seen[name]))
        seen[name] += 1
    return keys


def row_json(rows: Rows, tolerance: Tolerance) -> dict[str, Any]:
    """One row of the table of gradients."""
    before, after = rows
    gap, reason = gap_of(before, after, tolerance)
    facts = {
        field: {"before": getattr(before, field, None), "after": getattr(after, field, None)}
        for field in ("name", "y", "tensor")
    }
    values = {"before": before.value if before else None, "after": after.value if after else None}
    x = {"before": before.x.name if before else None, "after": after.x.name if after else None}
    shown = {part: value_of(value) for part, value in values.items()}
    return {**facts, "x": x, "value": shown, **gap_json(gap), "reason": reason}


def gap_of(
    before: GradientRow | None, after: GradientRow | None, tolerance: Tolerance
) -> tuple[Gap, Text | None]:
    """How far two gradients are apart, and why where no number says it."""
    if before is None or after is None:
        return OTHER, ONLY["after" if before is None else "before"]
    if before.tensor is None or after.tensor is None:
        if before.tensor is None and after.tensor is None:
            return Gap(equal=True), {"en": "Neither has a gradient.", "zh": "两者都没有梯度。"}
        part, row = ("before", before) if before.tensor is None else ("after", after)
        part_zh = {"before": "改动前", "after": "改动后"}[part]
        why, why_zh = row.reason or "", row.reason_zh or ""
        return OTHER, {"en": f"No gradient {part}: {why}", "zh": f"{part_zh}没有梯度：{why_zh}"}
    gap = gap_between(before.value, after.value, tolerance)
    return gap, reason_for(gap, before.value, after.value)


def reason_for(gap: Gap, before: Array | None, after: Array | None) -> Text | None:
    """Why there is no number that says how far two values are apart."""
    if gap == UNKNOWN or before is None or after is None:
        return NOT_KNOWN
    one, other = (list(np.shape(value)) for value in (before, after))
    if one != other:
        return {"en": f"The shapes differ: {one} and {other}.", "zh": f"形状不同：{one} 与 {other}。"}
    return None


def gap_json(gap: Gap) -> dict[str, Any]:
    """`{equal, absolute, relative}`; null where it is not known."""
    sizes = {"absolute": gap.absolute, "relative": gap.relative}
    return {"equal": gap.equal, **{name: None if x is None else number_json(x) for name, x in sizes.items()}}


def value_of(value: Array | None) -> Any:
    """A value, small ones in full."""
    return None if value is None else tensor_json(np.asarray(value), SMALL, BINS)
