"""Which free names of a text are learnt, and which are data, by the letters that the field uses for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.languages.mathematics.characters import SUBSCRIPTS
from engine.languages.mathematics.tree import Call, Expression, Negative, Operation, parts

WEIGHTS = frozenset({"w", "W", "θ", "Θ", "β", "theta", "beta", "weight", "weights"})
BIASES = frozenset({"b", "B", "bias"})
TARGETS = frozenset({"y", "Y", "t", "T", "label", "labels", "target", "targets"})
INPUTS = frozenset({"x", "X", "input", "inputs", "feature", "features"})
SETTINGS = frozenset({"λ", "lambda"})  # how much a penalty counts: chosen, not learnt
LOGARITHMS = frozenset({"log", "ln"})


def data_names(free: Iterable[str], formulas: Iterable[Expression]) -> frozenset[str]:
    """The names that are data where weights, inputs and targets stand in one loss; else none.

    free: the names of the text that become variables.
    A loss compares: it has a difference or a logarithm in it. Where a name is none of these, the text may be
    any function of several variables, and all of them are alike.
    """
    letters = {name: _letter(name) for name in free}
    used = set(letters.values())
    known = WEIGHTS | BIASES | TARGETS | INPUTS | SETTINGS
    if not (used & WEIGHTS and used & TARGETS and used & INPUTS and used <= known and _compares(formulas)):
        return frozenset()
    return frozenset(name for name, letter in letters.items() if letter not in WEIGHTS | BIASES)


def _letter(name: str) -> str:
    """`w_1`, `w1` and `w₁` as w."""
    return name.translate(SUBSCRIPTS).rstrip("0123456789_")


def _compares(formulas: Iterable[Expression]) -> bool:
    waiting = list(formulas)
    while waiting:
        node = waiting.pop()
        if isinstance(node, Negative) or (isinstance(node, Operation) and node.symbol == "-"):
            return True
        if isinstance(node, Call) and node.function in LOGARITHMS:
            return True
        waiting += parts(node)
    return False


def in_words(names: Sequence[str], joiner: str, last: str) -> str:
    """`w`, `b` as a list of code: "`w` and `b`"."""
    quoted = [f"`{name}`" for name in names]
    return last.join([part for part in (joiner.join(quoted[:-1]), quoted[-1]) if part])
