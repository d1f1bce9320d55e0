"""What a comparison comes to, in a sentence of both languages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

WAYS = {"added": "新增", "removed": "删除", "changed": "改变"}
PARTS = {
    "forward": ("Forward", "前向"),
    "gradient": ("gradient part", "梯度部分"),
    "other": ("the rest", "其余"),
}
FOLLOWING = ("Only types or shapes of nodes differ.", "只有节点的类型或形状不同。")
Parts = Mapping[
    str, Mapping[str, int]
]  # how many nodes were added, removed and changed, by part of the graph


def says(
    parts: Parts, verdict: Mapping[str, bool | None], gradients: Sequence[Mapping[str, Any]]
) -> dict[str, str]:
    """The nodes that differ, then the gradients, then the output where it differs."""
    sentences = [_structure(parts, verdict), *_gradients(gradients), *_rest(verdict)]
    return {"en": " ".join(en for en, _ in sentences), "zh": "".join(zh for _, zh in sentences)}


def _structure(parts: Parts, verdict: Mapping[str, bool | None]) -> tuple[str, str]:
    if verdict["structure"]:
        return "The graphs are the same.", "两个图相同。"
    found = [(PARTS[part], counts) for part, counts in parts.items() if any(counts.values())]
    if not found:
        return FOLLOWING
    en = [
        f"{name}: {', '.join(f'{n} {way}' for way, n in counts.items() if n)}" for (name, _), counts in found
    ]
    zh = [
        f"{name}：{'、'.join(f'{WAYS[way]} {n} 个' for way, n in counts.items() if n)}"
        for (_, name), counts in found
    ]
    text = "; ".join(en)
    return f"{text[0].upper()}{text[1:]}.", f"{'；'.join(zh)}。"


def _gradients(gradients: Sequence[Mapping[str, Any]]) -> list[tuple[str, str]]:
    if not gradients:
        return []
    all_of, same = len(gradients), sum(row["equal"] is True for row in gradients)
    unknown = sum(row["equal"] is None for row in gradients)
    if same == all_of:
        return [("All gradients are numerically equal.", "所有梯度在数值上相等。")]
    if unknown == all_of:
        return [("The numbers of the gradients are not known.", "梯度的数值未知。")]
    en = f"{same} of {all_of} gradients are numerically equal"
    zh = f"{all_of} 个梯度中有 {same} 个在数值上相等"
    if unknown:
        return [(f"{en}; of {unknown} the numbers are not known.", f"{zh}；{unknown} 个的数值未知。")]
    return [(f"{en}.", f"{zh}。")]


def _rest(verdict: Mapping[str, bool | None]) -> list[tuple[str, str]]:
    found = []
    if verdict["target"] is False:
        found.append(("The target has another value.", "目标的值不同。"))
    if verdict["printed"] is False:
        found.append(("The printed output differs.", "输出的内容不同。"))
    return found
