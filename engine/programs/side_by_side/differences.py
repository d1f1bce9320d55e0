"""What differs between two pictures of one program, read off the pictures themselves.

Where each local derivative is computed, what is kept for the way back, how sums are made, in which order
gradients come, and how many nodes it takes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from engine.programs.lesson.sentence import Sentence, both
from engine.programs.side_by_side.labels import Labels
from engine.programs.side_by_side.pairing import GRADIENT, VALUE, Quantity, parted
from engine.programs.side_by_side.sightings import TITLES, Sightings, Work

Json = dict[str, Any]
MOST_LINES = 30
MOST_NAMES = 6  # in one sentence

UNITS = {
    "mathematics": ("steps", "步"),
    "tensorflow": ("nodes", "个节点"),
    "torch": ("nodes of autograd", "个 autograd 节点"),
    "jax": ("equations", "个方程"),
}


def differences_of(sides: Sequence[Sightings], found: Sequence[Quantity], labels: Labels) -> list[Json]:
    """The differences, each a sentence with the nodes of both sides that it is about."""
    frameworks = "mathematics" not in {side.level for side in sides}
    lines = [_counts(sides)]
    if frameworks:
        lines = [*_local(sides, found, labels), *_memory(sides, found, labels), *_sums(sides), *lines]
    return [*lines, *_order(sides, found, labels)][:MOST_LINES]


def _line(kind: str, sentence: Sentence, left: Sequence[str] = (), right: Sequence[str] = ()) -> Json:
    return {"kind": kind, "sentence": sentence, "left": list(left), "right": list(right)}


def of_written(title: str) -> Json:
    """Whose TensorFlow it is that is spoken of."""
    return _line(
        "written",
        both(
            f"What is said of TensorFlow is about this program written for TensorFlow 1.15; the picture "
            f"shows the ops that the {title} program ran.",
            "关于 TensorFlow 的说明针对用 TensorFlow 1.15 改写的同一程序；"
            f"图中显示的是 {title} 程序实际运行的运算。",
        ),
    )


def results_apart(sides: Sequence[Sightings], found: Sequence[Quantity], labels: Labels) -> list[Json]:
    """Gradients that are the same all around, and differ just where the program computes: at a corner."""
    lines = []
    for left, right in parted(found):
        name = labels.formula_of(left) or labels.formula_of(right)
        if name:
            sentence = both(
                f"{name} differs here: {sides[0].title} and {sides[1].title} take different slopes "
                "at a corner.",
                f"{name} 在这里不同：{sides[0].title} 和 {sides[1].title} 在拐点处取的斜率不同。",
            )
            lines.append(_line("result", sentence, left.nodes[1], right.nodes[2]))
    return lines


# -- local derivatives -------------------------------------------------------------------------------------


def _local(sides: Sequence[Sightings], found: Sequence[Quantity], labels: Labels) -> Iterator[Json]:
    """Where the local derivative of an op is computed, of ops where that differs."""
    known: set[tuple[str, ...]] = set()
    for one in found:
        works = [_work(one, side, number) for number, side in enumerate(sides, start=1)]
        if one.kind != VALUE or None in works:
            continue
        left, right = (work for work in works if work is not None)
        if left.place == right.place:
            continue
        said = [_doing(side, work) for side, work in zip(sides, (left, right), strict=True)]
        about = left.op if sides[0].level != "torch" else right.op
        key = (about, *(sentence["en"] for sentence in said))
        if key not in known:  # a network has many ops of a kind
            known.add(key)
            name = labels.of_quantity(one)
            sentence = both(
                f"{name}: {said[0]['en']}; {said[1]['en']}.", f"{name}：{said[0]['zh']}；{said[1]['zh']}。"
            )
            yield _line("local", sentence, left.nodes or one.nodes[1][:1], right.nodes or one.nodes[2][:1])


def _work(one: Quantity, side: Sightings, number: int) -> Work | None:
    return next((side.works[node] for node in one.nodes[number] if node in side.works), None)


def _doing(side: Sightings, work: Work) -> Sentence:
    title = side.title
    names = ", ".join(f"`{name}`" for name in (work.forward or work.backward)[:MOST_NAMES])
    names_zh = names.replace(", ", "、")
    if work.place == "forward":
        return both(
            f"{title} computes {names} in the forward pass and keeps it",
            f"{title} 在前向传播中计算 {names_zh} 并保留",
        )
    if names:
        return both(f"{title} computes {names} in the backward pass", f"{title} 在反向传播中计算 {names_zh}")
    if work.inside:
        return both(
            f"{title} computes its local derivative in the backward pass, inside `{work.inside}`",
            f"{title} 在反向传播中计算局部导数（在 `{work.inside}` 里）",
        )
    return both(
        f"{title} needs only what the forward pass has computed anyway",
        f"{title} 只用前向传播中已经算出的值",
    )


# -- what is kept ------------------------------------------------------------------------------------------


def _memory(sides: Sequence[Sightings], found: Sequence[Quantity], labels: Labels) -> Iterator[Json]:
    """What each keeps from the forward pass for the way back, where that differs."""
    names = [_names_in_memory(side, number, found, labels) for number, side in enumerate(sides)]
    if set(names[0]) == set(names[1]):
        return
    parts = [
        both(f"{side.title} keeps {_listed(one)}", f"{side.title} 保留 {_listed_zh(one)}")
        for side, one in zip(sides, names, strict=True)
    ]
    yield _line(
        "kept",
        both(
            f"For the way back {parts[0]['en']}; {parts[1]['en']}.",
            f"为了反向传播，{parts[0]['zh']}；{parts[1]['zh']}。",
        ),
        sides[0].kept,
        sides[1].kept,
    )


def _names_in_memory(side: Sightings, number: int, found: Sequence[Quantity], labels: Labels) -> list[str]:
    """What is kept, as the learner calls it; a local derivative by its formula."""
    named = [one for one in found if one.kind != GRADIENT and labels.formula_of(one)]
    called = {node: labels.formula_of(one) for one in named for node in one.nodes[number + 1]}
    return list(dict.fromkeys(called.get(node, f"`{node}`") for node in side.kept))


def _listed(names: Sequence[str]) -> str:
    if not names:
        return "nothing"
    more = f" and {len(names) - MOST_NAMES} more" if len(names) > MOST_NAMES else ""
    return ", ".join(names[:MOST_NAMES]) + more


def _listed_zh(names: Sequence[str]) -> str:
    if not names:
        return "任何值都不需要"
    more = f" 等共 {len(names)} 个" if len(names) > MOST_NAMES else ""
    return "、".join(names[:MOST_NAMES]) + more


# -- sums, counts and the order ----------------------------------------------------------------------------


def _sums(sides: Sequence[Sightings]) -> Iterator[Json]:
    """How what comes back to one quantity on several ways is added up."""
    if len(sides[0].sums) == len(sides[1].sums):
        return
    parts = [_adding(side) for side in sides]
    yield _line(
        "sum",
        both(
            f"What comes back on several ways is added up: {parts[0]['en']}; {parts[1]['en']}.",
            f"从几条路径传回的梯度要相加：{parts[0]['zh']}；{parts[1]['zh']}。",
        ),
        list(sides[0].sums),
        list(sides[1].sums),
    )


def _adding(side: Sightings) -> Sentence:
    ops = ", ".join(dict.fromkeys(f"`{op}`" for op in side.sums.values()))
    if ops:
        count = len(side.sums)
        return both(f"{side.title} has {ops} for it ({count})", f"{side.title} 用 {ops}（{count} 个）")
    return both(f"{side.title} has no node for it", f"{side.title} 没有专门的节点")


def _counts(sides: Sequence[Sightings]) -> Json:
    """How many nodes the way back takes."""
    parts = [f"{side.backward} {UNITS[side.level][0]} of {side.title}" for side in sides]
    parts_zh = [f"{TITLES[side.level][1]} {side.backward} {UNITS[side.level][1]}" for side in sides]
    return _line(
        "count",
        both(f"The way back takes {parts[0]} and {parts[1]}.", f"反向传播：{parts_zh[0]}，{parts_zh[1]}。"),
    )


def _order(sides: Sequence[Sightings], found: Sequence[Quantity], labels: Labels) -> Iterator[Json]:
    """The first two gradients that come in another order."""
    places = [{node: at for at, node in enumerate(side.order)} for side in sides]
    pairs = []
    for one in found:
        at = [[places[side][node] for node in one.nodes[side + 1] if node in places[side]] for side in (0, 1)]
        if one.kind == GRADIENT and all(at) and labels.formula_of(one):
            pairs.append((min(at[0]), min(at[1]), one))
    pairs.sort(key=lambda pair: pair[0])
    for (_, early, first), (_, late, second) in pairwise(pairs):
        if late < early:
            a, b = labels.of_quantity(first), labels.of_quantity(second)
            titles = [TITLES[side.level] for side in sides]
            yield _line(
                "order",
                both(
                    f"{titles[0][0]} has {a} before {b}; {titles[1][0]} has {b} first.",
                    f"{titles[0][1]} 先得到 {a}，再得到 {b}；{titles[1][1]} 先得到 {b}。",
                ),
                [*first.nodes[1], *second.nodes[1]],
                [*first.nodes[2], *second.nodes[2]],
            )
            return
