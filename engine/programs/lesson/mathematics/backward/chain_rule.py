"""The chain rule in the learner's names: which gradient is made of which, by which factor."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from engine.graph import Node, Tensor
from engine.ops.base.derivatives import AVERAGED
from engine.programs.lesson.mathematics.backward.derivatives import OWN_RULE, by_cases, local_formula
from engine.programs.lesson.mathematics.backward.sweep import Contribution
from engine.programs.lesson.mathematics.names import Names
from engine.programs.lesson.mathematics.notation import ATOM, PRODUCT, Piece, as_text
from engine.programs.lesson.mathematics.operations import Operation

BROADCASTING = ("BiasAdd", "Maximum", "Minimum", "Select")  # besides those that Python writes as a sign
PRODUCTS = ("MatMul", "BatchMatMulV2")
CUTTING = ("Split", "SplitV", "Unpack")


@dataclass(frozen=True, slots=True)
class Rule:
    """left = …, with the factor where there is one."""

    left: str
    formula: str
    factor: str | None


class ChainRule:
    """Formulas of contributions; those to a quantity that receives several are numbered."""

    def __init__(self, names: Names, arrivals: Counter[Tensor]) -> None:
        self.names = names
        self.arrivals = arrivals
        self._numbers: Counter[Tensor] = Counter()
        self._parts: dict[int, int] = {}

    def text(self, latex: str) -> str:
        """A formula for a sentence."""
        return as_text(latex)

    def of_itself(self, y: Tensor) -> str:
        r"""`\partial y/\partial y`."""
        return self.names.gradient(y)

    def part(self, to: Tensor, number: int) -> str:
        """One of the contributions to a quantity."""
        return rf"[{self.names.gradient(to)}]_{{{number}}}"

    def next_part(self, to: Tensor) -> None:
        """A number for a contribution that has no formula of its own."""
        self._numbers[to] += 1

    def is_own(self, operation: Operation) -> bool:
        """Whether the program itself says what the gradient is."""
        return any(OWN_RULE in node.attrs for node in operation.nodes)

    def of(self, one: Contribution) -> Rule:
        """The formula of a contribution."""
        left = self._left(one)
        upstream = self.names.gradient(one.operation.output)
        factor = self._factor(one)
        if factor is not None:
            return Rule(left, f"{left} = {self._summed(one, _times(upstream, factor))}", factor.latex)
        cases = by_cases(one.operation, one.place, self.names)
        if cases is not None:
            product = self._summed(one, rf"{upstream} \cdot {cases}")
            return Rule(left, f"{left} = {product}", None)
        array = array_rule(one, upstream, self.names)
        return Rule(left, f"{left} = {array or self._through(one, upstream)}", None)

    def _summed(self, one: Contribution, product: str) -> str:
        """The sum over the elements for which one of a narrower input was used."""
        whole = self.names.words.values.get(one.operation.output)
        if one.value is None or whole is None or one.value.size >= whole.size or not _is_broadcast(one):
            return product
        return rf"-\sum {product[1:]}" if product.startswith("-") else rf"\sum {product}"

    def factor_text(self, one: Contribution) -> str:
        """The local derivative for a sentence, "" where it has no formula."""
        factor = self._factor(one)
        return "" if factor is None else factor.text

    def _left(self, one: Contribution) -> str:
        if self.arrivals[one.to] < 2:
            return self.names.gradient(one.to)
        if id(one) not in self._parts:
            self._numbers[one.to] += 1
            self._parts[id(one)] = self._numbers[one.to]
        return self.part(one.to, self._parts[id(one)])

    def _factor(self, one: Contribution) -> Piece | None:
        known = one.value is None or one.local is not None or _is_broadcast(one)
        return local_formula(one.operation, one.place, self.names) if known else None

    def _through(self, one: Contribution, upstream: str) -> str:
        output, below = self.names.formula(one.operation.output), self.names.below(one.to)
        top = rf"\partial {output.latex}" if output.strength == ATOM else rf"\partial({output.latex})"
        return rf"{upstream} \cdot {top}/{below}"


def _is_broadcast(one: Contribution) -> bool:
    """Whether the elements of a narrower input were used several times, by an elementwise op."""
    node = one.operation.core
    return node is not None and (node.op.operator != "" or node.op.name in BROADCASTING)


def _times(upstream: str, factor: Piece) -> str:
    if factor.latex == "1":
        return upstream
    if factor.latex == "-1":
        return f"-{upstream}"
    return rf"{upstream} \cdot {factor.inside(PRODUCT)}"


# -- arrays --------------------------------------------------------------------------------------------


def array_rule(one: Contribution, upstream: str, names: Names) -> str | None:
    """What the op's rule passes on, with the learner's names in it; None where its letters are no names."""
    node = one.operation.core
    if node is None or OWN_RULE in node.attrs or not node.op.adjoints:
        return None
    if node.op.name in PRODUCTS:
        return _matrix_rule(one, upstream, names)
    if node.op.name in CUTTING:
        parts = [names.gradient(output) for output in node.outputs]
        return f"[{', '.join(parts)}]"
    if node.op.derivative and node.op.derivative[0] == AVERAGED[0] and (count := averaged_over(one, names)):
        return rf"\frac{{1}}{{{count}}} \cdot {upstream}" if count > 1 else upstream
    template = node.op.adjoints[min(one.place, len(node.op.adjoints) - 1)]
    found = re.search(r"\\bar\{(\w+)\}", template)
    if (
        found is None
        or r"\text" in template
        or r"\bar" in template[: found.start()] + template[found.end() :]
    ):
        return _simple_rule(template, upstream)
    letters = {
        name: names.of(t).inside(ATOM) for name, t in zip(node.op.input_names, node.inputs, strict=False)
    }
    letters.setdefault(found[1], names.of(node.outputs[0]).inside(ATOM))
    head, tail = template[: found.start()], template[found.end() :]
    return f"{_with_names(head, letters)}{upstream}{_with_names(tail, letters)}"


def averaged_over(one: Contribution, names: Names) -> int:
    """Of how many numbers each mean is taken; 0 where that is not known."""
    node, values = one.operation.core, names.words.values
    whole, made = (None, None) if node is None else map(values.get, (node.inputs[0], node.outputs[0]))
    return 0 if whole is None or made is None else whole.size // max(made.size, 1)


def _simple_rule(template: str, upstream: str) -> str | None:
    return (
        upstream
        if template.startswith(r"\bar") and r"\text" in template and "where" not in template
        else None
    )


def _with_names(text: str, letters: Mapping[str, str]) -> str:
    """A part of a rule with names in place of the op's letters; commands of LaTeX stay."""
    parts = re.split(r"(\\[A-Za-z]+(?:\{\\?\w+\})?|_\{?\\?\w+\}?)", text)
    return "".join(
        part
        if part.startswith(("\\", "_"))
        else re.sub(r"[A-Za-z]+", lambda m: letters.get(m[0], m[0]), part)
        for part in parts
    )


def _matrix_rule(one: Contribution, upstream: str, names: Names) -> str:
    r"""`\partial y/\partial(A x)\; x^{\top}` and its kin, whatever is transposed."""
    node = one.operation.core
    if node is None:
        return upstream
    left, right = (names.of(tensor) for tensor in node.inputs)
    flips = turned_sides(node)
    other = right if one.place == 0 else left
    flipped = flips[1] if one.place == 0 else flips[0]
    factor = other.inside(ATOM) if flipped else transposed(other)
    if one.place == 0:
        return _transposed_if(rf"{upstream}\; {factor}", flips[0])
    return _transposed_if(rf"{factor}\; {upstream}", flips[1])


def turned_sides(node: Node) -> list[bool]:
    """Which of a node's inputs are turned over before they are used: of a product of matrices."""
    if node.op.name not in PRODUCTS:
        return [False] * len(node.inputs)
    return [bool(node.attrs.get(f"transpose_{a}") or node.attrs.get(f"adj_{b}")) for a, b in ("ax", "by")]


def turned_name(piece: Piece, *, turned: bool) -> Piece:
    """A name as it is used there."""
    return Piece(transposed(piece)) if turned else piece


def wrong_products(one: Contribution, names: Names) -> tuple[str, dict[str, str]] | None:
    """What a product of matrices sends back, and wrong ones by misconception; None of anything else."""
    node = one.operation.core
    if node is None or node.op.name not in PRODUCTS:
        return None
    if any(node.attrs.get(flag) for flag in ("transpose_a", "transpose_b", "adj_x", "adj_y")):
        return None
    upstream = names.gradient(one.operation.output)
    left, right = (names.of(tensor) for tensor in node.inputs)
    other, turned = (right, transposed(right)) if one.place == 0 else (left, transposed(left))
    plain = other.inside(PRODUCT)

    def product(factor: str, *, swapped: bool) -> str:
        parts = (upstream, factor) if (one.place == 0) != swapped else (factor, upstream)
        return r"\; ".join(parts)

    right_one = product(turned, swapped=False)
    return right_one, {"M15": product(plain, swapped=False), "M16": product(turned, swapped=True)}


def transposed(piece: Piece) -> str:
    """A matrix turned over; twice is the matrix itself."""
    mark = r"^{\top}"
    return piece.latex.removesuffix(mark) if piece.latex.endswith(mark) else f"{piece.inside(ATOM)}{mark}"


def _transposed_if(product: str, flip: bool) -> str:
    return rf"({product})^{{\top}}" if flip else product
