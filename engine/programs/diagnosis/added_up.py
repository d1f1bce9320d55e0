"""A note on a PyTorch loop that never empties `.grad`: gradients of all its turns add up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from engine.languages.interpreter.reading.diagnostics import Diagnostic
from engine.programs.program.outcome import Outcome


def added_up_notes(outcome: Outcome) -> Iterator[Diagnostic]:
    """One note on the first parameter that moved while its gradient from before stayed."""
    workspace = outcome.workspace
    if not workspace.updates:
        return
    for earlier, later in zip(workspace.passes, workspace.passes[1:], strict=False):
        name = next((one["variable"] for one in later if _adds_up(one, earlier)), None)
        if name is not None:
            yield Diagnostic(
                "note",
                "gradients_add_up",
                f"`{name}.grad` still held the gradient from before when `backward` ran again: they add up, "
                "and the update takes the sum. The optimizer panel empties it before each of its updates.",
                f"再次运行 `backward` 时 `{name}.grad` 还留着先前的梯度：它们会相加，更新用的是总和。"
                "优化器面板自己的更新每次都会先清空它。",
                "Call optimizer.zero_grad() in every turn, unless the sum is what you want.",
                "除非想要的就是总和，否则请在每一轮调用 optimizer.zero_grad()。",
            )
            return


def _adds_up(leaf: Mapping[str, Any], earlier: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a leaf has moved since an earlier pass, and its `.grad` has stayed."""
    if not leaf.get("variable") or _is_empty(leaf.get("before")):
        return False
    before = next((one for one in earlier if one.get("variable") == leaf["variable"]), None)
    if before is None or isinstance(leaf["value"], dict):
        return False
    return not np.array_equal(before["value"], leaf["value"])


def _is_empty(grad: Any) -> bool:
    return grad is None or (isinstance(grad, np.ndarray) and not grad.any())
