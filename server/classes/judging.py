"""What the answers of a class come to: each is right, or one of the known wrong ways, or something else.

The same rule as on the page: three digits are enough, and of two values the nearer one counts.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

TOLERANCE = 0.005  # of the value that an answer is compared with
COMMON = 0.2  # a wrong value that so many of the class have typed is shown by itself
OTHER = {"en": "something else", "zh": "其他"}
RIGHT = {"en": "right", "zh": "正确"}
SIGNS = {
    "+": {"en": "it rises", "zh": "变大"},
    "-": {"en": "it falls", "zh": "变小"},
    "0": {"en": "it stays", "zh": "不变"},
}
ENDINGS = {
    "converge": {"en": "it converges", "zh": "收敛"},
    "oscillate": {"en": "it oscillates", "zh": "振荡"},
    "diverge": {"en": "it diverges", "zh": "发散"},
}
WAYS = {
    "M1": {"en": "the later path overwrites the earlier", "zh": "后到的梯度覆盖了先到的"},
    "M2": {"en": "passed on unchanged", "zh": "把上游梯度原样传下去"},
    "M3": {"en": "the local derivative alone", "zh": "只取局部导数"},
    "M4": {"en": "local derivatives added along the path", "zh": "沿路径把局部导数相加"},
    "M5": {"en": "paths multiplied instead of added", "zh": "把各条路径相乘而不是相加"},
    "M6": {"en": "derivative taken at the output", "zh": "在输出处求导"},
    "M7": {"en": "the factors of a product swapped", "zh": "乘积的两个偏导数颠倒"},
    "M8": {"en": "a step uphill", "zh": "朝上坡走了一步"},
    "M9": {"en": "the difference step as learning rate", "zh": "把差分步长当作学习率"},
    "M10": {"en": "an earlier gradient added in", "zh": "加上了先前留下的梯度"},
    "M11": {"en": "each component clipped", "zh": "逐分量裁剪"},
    "M12": {"en": "summed instead of averaged", "zh": "求和而不是取平均"},
    "M13": {"en": "None counted as 0", "zh": "把 None 当作 0"},
    "M14": {"en": "sent on before all had arrived", "zh": "未等齐就继续传"},
}
NO_GRADIENT = {"en": "no gradient (None)", "zh": "无梯度（None）"}


def bins_of(key: Mapping[str, Any], said: Sequence[Any]) -> list[dict[str, Any]]:
    """`[{"label", "misconception", "correct", "count"}]`: a bin for each answer that is known, and the rest.

    key: what a question is judged by (`asking.py`); said: an answer for each student who gave one.
    """
    ways = [_way_of(key, each) for each in said]
    counts = Counter(ways)
    bins = [_bin(_label(key, way), way, counts[way]) for way in _known(key)]
    strange = [each for each, way in zip(said, ways, strict=True) if way == "other"]
    common = _common(strange, len(said)) if key["kind"] == "number" else []
    bins += [_bin({"en": text, "zh": text}, None, count) for text, count in common]
    return [*bins, _bin(OTHER, None, len(strange) - sum(count for _, count in common))]


def _known(key: Mapping[str, Any]) -> list[str]:
    """The right answer, then the wrong ones that are recognised; of a choice, the options."""
    if key["kind"] != "number":
        return ["right", *(f"option:{option}" for option in key["options"] if not _is_right(key, option))]
    ways = [choice["id"] for choice in key["choices"] if not choice.get("coincides")]
    return ["right", *dict.fromkeys(ways)]


def _bin(label: Mapping[str, str], way: str | None, count: int) -> dict[str, Any]:
    name = way if way in WAYS else None
    return {"label": dict(label), "misconception": name, "correct": way == "right", "count": count}


def _label(key: Mapping[str, Any], way: str) -> Mapping[str, str]:
    if way in WAYS:
        return WAYS[way]
    option = key["answer"] if way == "right" else way.removeprefix("option:")
    if key["kind"] == "number":
        return NO_GRADIENT if option is None else RIGHT
    named = {**SIGNS, **ENDINGS}.get(option)
    return named or {"en": key["texts"].get(option, option), "zh": key["texts"].get(option, option)}


def _way_of(key: Mapping[str, Any], said: Any) -> str:
    """Which bin an answer falls into."""
    if key["kind"] != "number":
        return "right" if _is_right(key, said) else f"option:{said}" if said in key["options"] else "other"
    near = [
        choice for choice in key["choices"] if not choice.get("coincides") and _is_near(said, choice["value"])
    ]
    right = _is_near(said, key["answer"])
    nearest = min(near, key=lambda choice: distance(said, choice["value"]), default=None)
    if nearest and (not right or distance(said, nearest["value"]) < distance(said, key["answer"])):
        return str(nearest["id"])
    return "right" if right else "other"


def _is_right(key: Mapping[str, Any], said: Any) -> bool:
    return said in (key["answer"], *key["also_right"])


def _is_near(said: Any, right: Any) -> bool:
    """Whether two values are the same as far as three digits say."""
    a, b = list(_flat(said)), list(_flat(right))
    return len(a) == len(b) and all(map(_is_same, a, b))


def _is_same(a: Any, b: Any) -> bool:
    if not _is_number(a) or not _is_number(b):
        return bool(a == b)
    return bool(a == b or abs(a - b) <= TOLERANCE * (abs(b) or 1e-6))


def distance(said: Any, right: Any) -> float:
    """How far two values lie apart; infinite where they are not of one kind."""
    a, b = list(_flat(said)), list(_flat(right))
    if len(a) != len(b) or not all(map(_is_number, [*a, *b])):
        return 0.0 if a == b else math.inf
    return max((abs(x - y) for x, y in zip(a, b, strict=True)), default=0.0)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _flat(value: Any) -> Iterable[Any]:
    """The numbers of a value in order; of a tensor, those of its data."""
    if isinstance(value, Mapping):
        value = value.get("data")
    if isinstance(value, list):
        for item in value:
            yield from _flat(item)
    else:
        yield value


def _common(strange: Sequence[Any], answered: int) -> list[tuple[str, int]]:
    """Values that are none of the known ones, but given by a fifth of the class; to three digits."""
    counts = Counter(
        ", ".join(f"{number:.3g}" for number in _flat(each) if _is_number(number)) for each in strange
    )
    return [
        (text, count) for text, count in counts.most_common() if text and count >= max(2, COMMON * answered)
    ]
