"""`einsum`, as PyTorch takes it apart."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from string import ascii_letters
from typing import Any

from engine.languages.surfaces.torch.errors import torch_error
from engine.languages.surfaces.torch.functions.matrices.products import bmm
from engine.languages.surfaces.torch.functions.shaping import (
    permute,
    reshape,
    unsqueeze,
)
from engine.languages.surfaces.torch.registry import torch_function
from engine.languages.surfaces.torch.sizes import whole
from engine.languages.surfaces.torch.tensor import OPERATORS, Tensor


@torch_function("einsum")
def einsum(equation: Any, *operands: Any) -> Any:
    """A sum of products over the letters that the result leaves out."""
    if isinstance(equation, Tensor):
        return _Einsum(*_spelled_out([equation, *operands])).result()
    given = (
        list(operands[0]) if len(operands) == 1 and isinstance(operands[0], (list, tuple)) else list(operands)
    )
    return _Einsum(equation, given).result()


def _spelled_out(parts: list[Any]) -> tuple[str, list[Any]]:
    """`einsum(a, [0, 1], b, [1, 2], [0, 2])` as letters: the equation, and the tensors."""
    operands, places = parts[0 : len(parts) // 2 * 2 : 2], parts[1::2]
    terms = ",".join(_letters(one) for one in places)
    return f"{terms}->{_letters(parts[-1])}" if len(parts) % 2 else terms, operands


def _letters(places: Any) -> str:
    return "".join("..." if one is Ellipsis else ascii_letters[whole(one)] for one in places)


def _check_output(output: Sequence[str], letters: Sequence[str]) -> None:
    """Raises: RuntimeError's messages of PyTorch for a letter of the result twice, or in no operand."""
    for letter in output:
        if output.count(letter) > 1:
            raise torch_error(
                f"einsum(): output subscript {letter} appears more than once in the output",
                f"einsum 的结果下标 {letter} 出现了多次。",
            )
        if letter not in letters:
            raise torch_error(
                f"einsum(): output subscript {letter} does not appear in the equation for any input operand",
                f"einsum 的结果下标 {letter} 没有出现在任何一项中。",
            )


def _check_count(terms: Any, operands: Any) -> None:
    """Raises: RuntimeError's message of PyTorch where there are not as many operands as terms."""
    if len(terms) != len(operands):
        raise torch_error(
            "einsum(): "
            + ("fewer" if len(operands) < len(terms) else "more")
            + " operands were provided than specified in the equation",
            f"einsum 的式子有 {len(terms)} 项，却给了 {len(operands)} 个张量。",
        )


def _axes_of_dots(terms: Any, operands: Any) -> int:
    """For how many axes `...` stands, at the most, in one of the terms."""
    pairs = zip(terms, operands, strict=True)
    return max(
        (one.form.ndim - len(term.replace("...", "")) for term, one in pairs if "..." in term), default=0
    )


def _check_ranks(terms: Any, operands: Any) -> None:
    """Raises: RuntimeError's message of PyTorch where a term has not as many letters as its operand axes."""
    for term, one in zip(terms, operands, strict=True):
        if len(term) != one.form.ndim:
            raise torch_error(
                f"einsum(): the number of subscripts in the equation ({len(term)}) does not match the "
                f"number of dimensions ({one.form.ndim}) for operand {terms.index(term)} and no ellipsis "
                "was given",
                "einsum 的下标个数与张量的维数不同。",
                code="shape_mismatch",
            )


def _in_once(letters: Any) -> Any:
    """The result of an equation without one: the axes of `...`, then letters that stand once, in order."""
    once = [one for one in sorted(set(letters)) if letters.count(one) == 1 or one.startswith(".")]
    return sorted(once, key=lambda one: (not one.startswith("."), one))


class _Einsum:
    """One einsum, as PyTorch does it.

    Every operand gets all letters as axes; then they are multiplied one after the other, summed over what no
    later one and not the result needs.
    """

    def __init__(self, equation: Any, operands: Any) -> None:
        left, arrow, right = equation.replace(" ", "").partition("->")
        self.operands = operands
        terms = left.split(",")
        _check_count(terms, operands)
        dots = _axes_of_dots(terms, operands)
        _check_letters(equation.partition("->")[0])
        self.terms = [self._spelled(term, one, dots) for term, one in zip(terms, operands, strict=True)]
        _check_ranks(self.terms, operands)
        letters = [letter for term in self.terms for letter in term]
        self.output = self._dotted(right, dots) if arrow else _in_once(letters)
        if arrow:
            _check_output(self.output, letters)
        rest = sorted(set(letters) - set(self.output))
        self.order = [*self.output, *rest]

    def _dotted(self, term: Any, dots: Any) -> Any:
        head, found, tail = term.partition("...")
        return [*head, *([f".{place}" for place in range(dots)] if found else []), *tail]

    def _spelled(self, term: Any, operand: Any, dots: Any) -> Any:
        head, found, tail = term.partition("...")
        own = operand.form.ndim - len(head) - len(tail) if found else 0
        return [*head, *(f".{place}" for place in range(dots - own, dots) if found), *tail]

    def _spread(self, tensor: Any, term: Any) -> Any:
        """An operand with all letters as axes, those that it lacks of length 1."""
        while len(set(term)) < len(term):
            letter = next(one for one in term if term.count(one) > 1)
            a = term.index(letter)
            b = term.index(letter, a + 1)
            tensor = OPERATORS["movedim"](OPERATORS["diagonal"](tensor, 0, a, b), -1, a)
            term = [one for place, one in enumerate(term) if place != b]
        axes = [term.index(one) for one in self.order if one in term]
        rank = len(term)
        missing = len(self.order) - rank
        for _ in range(missing):
            tensor = unsqueeze(tensor, tensor.form.ndim)
        extra = iter(range(rank, rank + missing))
        places = iter(axes)
        return permute(tensor, [next(places) if one in term else next(extra) for one in self.order])

    def result(self) -> Any:
        self._check_sizes()
        spread = [self._spread(one, term) for one, term in zip(self.operands, self.terms, strict=True)]
        kept = len(self.output)
        made = spread[0]
        if len(spread) == 1:
            axes = tuple(range(kept, len(self.order)))
            return OPERATORS["sum"](made, axes) if axes else made
        for place, other in enumerate(spread[1:], 1):
            later = {letter for term in self.terms[place + 1 :] for letter in term}
            summed = [axis for axis in range(kept, len(self.order)) if self.order[axis] not in later]
            summed = [axis for axis in summed if made.shape[axis] != 0]
            made = _sumproduct(made, other, [a for a in summed if a not in self._done(place)])
        return reshape(made, made.shape[:kept]) if len(self.order) > kept else made

    def _done(self, place: Any) -> Any:
        """Axes that were summed before."""
        done = set()
        for before in range(1, place):
            later = {letter for term in self.terms[before + 1 :] for letter in term}
            done |= {a for a in range(len(self.output), len(self.order)) if self.order[a] not in later}
        return done

    def _check_sizes(self) -> None:
        """Raises: RuntimeError's messages of PyTorch where one letter stands for unlike lengths."""
        seen: dict[str, int] = {}
        for place, (term, one) in enumerate(zip(self.terms, self.operands, strict=True)):
            own: dict[str, int] = {}
            for letter, length in zip(term, one.shape, strict=True):
                if own.setdefault(letter, length) != length:
                    raise _unlike(
                        f"subscript {letter} is repeated for operand {place} but the sizes don't match, "
                        f"{length} != {own[letter]}",
                        letter,
                    )
                if length != 1 and seen.get(letter, 1) not in (1, length):
                    raise _unlike(
                        f"subscript {letter} has size {length} for operand {place} which does not broadcast "
                        f"with previously seen size {seen[letter]}",
                        letter,
                    )
                seen[letter] = max(seen.get(letter, 1), length)


def _unlike(said: str, letter: str) -> Exception:
    return torch_error(f"einsum(): {said}", f"einsum 的下标 {letter} 的长度前后不同。", code="shape_mismatch")


def _check_letters(left: str) -> None:
    """Raises: RuntimeError's message of PyTorch where something else than letters names an axis."""
    for place, one in enumerate(left):
        if one not in " .," and not (one.isascii() and one.isalpha()):
            raise torch_error(
                f"einsum(): invalid subscript given at index {place} in the equation string, subscripts must "
                "be in [a-zA-Z]",
                f"einsum 的下标只能是字母，不能是 {one}。",
            )


def _sumproduct(left: Any, right: Any, summed: Any) -> Any:
    """Two spread operands multiplied and summed over some axes, as a product of matrices; the axes stay, of
    length 1."""
    if not summed:
        return left * right
    rank = left.form.ndim
    for axis in list(summed):
        if left.shape[axis] == 1 or right.shape[axis] == 1:
            if left.shape[axis] != 1:
                left = OPERATORS["sum"](left, (axis,), True)
            elif right.shape[axis] != 1:
                right = OPERATORS["sum"](right, (axis,), True)
    batch = [a for a in range(rank) if a not in summed and left.shape[a] != 1 and right.shape[a] != 1]
    only_left = [a for a in range(rank) if a not in summed and left.shape[a] != 1 and right.shape[a] == 1]
    only_right = [a for a in range(rank) if a not in summed and left.shape[a] == 1]
    sizes = {a: max(left.shape[a], right.shape[a]) for a in range(rank)}

    def size(axes: list[int]) -> int:
        return prod(sizes[a] for a in axes)

    inner = prod(left.shape[a] for a in summed)
    a = reshape(permute(left, batch + only_left + summed + only_right), (size(batch), size(only_left), inner))
    b = reshape(
        permute(right, batch + summed + only_right + only_left), (size(batch), inner, size(only_right))
    )
    made = bmm(a, b)
    full = [*batch, *only_left, *summed, *only_right]
    made = reshape(made, [1 if axis in summed else sizes[axis] for axis in full])
    return permute(made, [full.index(axis) for axis in range(rank)])
