"""A split of rows in which both parts have the same share of every class, drawn as scikit-learn draws it."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.ops.base.tensors import Array


def stratified(generator: Any, classes: Any, train: int, test: int) -> tuple[Array, Array]:
    """The numbers of the rows to train with, and of those to test with.

    classes: the class of each row, (N) -> (train), (test). Raises: ProgramError where a class has one row, or
    a part has fewer rows than there are classes.
    """
    labels = np.asarray(classes)
    if labels.ndim > 1:  # several labels of a row are one class
        labels = np.array([" ".join(map(str, row)) for row in labels])
    _, numbers, counts = np.unique(labels, return_inverse=True, return_counts=True)
    _check(labels, counts, train, test)
    trained = _shares(generator, counts, train)
    tested = _shares(generator, counts - trained, test)
    first, second = [], []
    for number, count in enumerate(counts):
        rows = np.flatnonzero(numbers == number)[generator.permutation(count)]
        first.append(rows[: trained[number]])
        second.append(rows[trained[number] : trained[number] + tested[number]])
    return generator.permutation(np.concatenate(first)), generator.permutation(np.concatenate(second))


def _shares(generator: Any, counts: Array, rows: int) -> Array:
    """How many rows to take of each class: of those whose share is cut off by most, one more, drawn by lot.

    Shapes: (K) -> (K).
    """
    exact = counts / counts.sum() * rows
    whole = np.floor(exact)
    rest, missing = exact - whole, int(rows - whole.sum())
    for value in sorted(set(rest.tolist()), reverse=True):
        if missing <= 0:
            break
        alike = np.flatnonzero(rest == value)
        more = min(len(alike), missing)
        whole[generator.choice(alike, size=more, replace=False)] += 1
        missing -= more
    return np.asarray(whole, dtype=int)


def _check(labels: Array, counts: Array, train: int, test: int) -> None:
    if counts.min() < 2:
        few = np.unique(labels)[counts < 2].tolist()
        raise _refused(
            "A class of `stratify` has only one row, which cannot be in both parts.",
            "`stratify` 中有一类只有一行，无法同时分到两部分。",
            "The least populated classes in y have only 1 member, which is too few. "
            "The minimum number of groups for any class cannot be less than 2. "
            f"Classes with too few members are: {few}",
        )
    for name, rows in (("train_size", train), ("test_size", test)):
        if rows < len(counts):
            raise _refused(
                f"{name} is {rows} rows, fewer than the {len(counts)} classes of `stratify`.",
                f"{name} 为 {rows} 行，少于 `stratify` 的 {len(counts)} 个类别。",
                f"The {name} = {rows} should be greater or equal to the number of classes = {len(counts)}",
            )


def _refused(message: str, message_zh: str, said: str) -> ProgramError:
    return ProgramError(message, message_zh=message_zh, code="wrong_arguments", said=said)
