r"""What stands on the arrow between two gradients where no single factor does: `Aᵀ ·`, `· (p − t)`, `÷ 4`."""

from __future__ import annotations

from engine.ops.base.derivatives import AVERAGED
from engine.programs.lesson.mathematics.backward.chain_rule import (
    PRODUCTS,
    ChainRule,
    array_rule,
    averaged_over,
)
from engine.programs.lesson.mathematics.backward.sweep import Contribution
from engine.programs.lesson.mathematics.notation import as_text
from engine.programs.lesson.mathematics.page import Page

LONGEST = 24  # characters
DOT = "·"
ENTROPIES = ("SoftmaxCrossEntropyWithLogits", "SparseSoftmaxCrossEntropyWithLogits")


def arrow_text(one: Contribution, page: Page, rules: ChainRule) -> str | None:
    """What is done with an array on its way back, the dot standing for the array; None where words say it."""
    node = one.operation.core
    if node is None or one.value is None or rules.is_own(one.operation):
        return None
    if node.op.name in ENTROPIES:
        return f"{DOT} (p − t)" if one.place == 0 else None
    if node.op.derivative and node.op.derivative[0] == AVERAGED[0]:
        count = averaged_over(one, page.names)
        return f"÷ {count}" if count > 1 else None
    if node.op.name not in PRODUCTS:
        return None
    upstream = page.names.gradient(one.operation.output)
    rule = array_rule(one, upstream, page.names) or ""
    text = as_text(rule.replace(upstream, r"\cdot", 1))
    return text if 1 < len(text) <= LONGEST else None
