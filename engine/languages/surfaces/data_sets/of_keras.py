"""`tf.keras.datasets`: the shapes and kinds of the real data sets, with fewer rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from engine.errors import ProgramError, ValueRefused
from engine.languages.interpreter.attributes import LOOKUPS
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.scope import MISSING
from engine.languages.surfaces.data_sets.notes import stands_in
from engine.languages.surfaces.data_sets.row_numbers import count_on
from engine.languages.surfaces.data_sets.stand_ins import (
    COMMON_WORDS,
    handwritten,
    measured,
    striped,
    texts,
)
from engine.ops.base.shapes import real_number, whole_number

Split = tuple[tuple[Any, Any], tuple[Any, Any]]

TRAIN, TEST = 1_200, 400  # pictures of one channel
COLOUR_TRAIN, COLOUR_TEST = 300, 100
REAL, REAL_COLOUR = (60_000, 10_000), (50_000, 10_000)  # rows of the real sets
REAL_TEXTS = {"IMDB": (25_000, 25_000), "Reuters": (8_982, 2_246)}
TEXTS = 400
PRICES = 506
FASHION_SEED, COLOUR_SEED, TEXT_SEED, PRICE_SEED = 1, 2, 3, 4


class TextRows(list[Any]):
    """Texts of different lengths: in Keras an array of lists, which has a shape."""


_FACTS: Mapping[str, Callable[[TextRows], Any]] = {
    "shape": lambda rows: (len(rows),),
    "ndim": lambda rows: 1,
    "size": len,
    "dtype": lambda rows: np.dtype(object),
}
LOOKUPS[TextRows] = lambda rows, name: _FACTS[name](rows) if name in _FACTS else MISSING


def _split(interpreter: Interpreter, rows: Any, labels: Any, train: int, real: tuple[int, int]) -> Split:
    """The rows to train and those to test with; `real` says how many of each the real set has."""
    kind = type(rows) if isinstance(rows, TextRows) else lambda part: part
    parts = (kind(rows[:train]), labels[:train]), (kind(rows[train:]), labels[train:])
    for (part, _), count in zip(parts, real, strict=True):
        count_on(interpreter, part, count)
    return parts


def mnist(interpreter: Interpreter, path: Any = "mnist.npz") -> Split:
    """Handwritten digits: images (n, 28, 28) and labels (n,), uint8."""
    stands_in(
        interpreter,
        "MNIST",
        f"{TRAIN:,} handwritten digits to train with and {TEST} to test with, of 8 by 8 pixels drawn larger",
        f" {TRAIN} 个训练用和 {TEST} 个测试用的手写数字（由 8×8 像素放大）",
    )
    return _split(interpreter, *handwritten(0, TRAIN + TEST), TRAIN, REAL)


def fashion_mnist(interpreter: Interpreter) -> Split:
    """Pictures of ten kinds: images (n, 28, 28) and labels (n,), uint8."""
    stands_in(
        interpreter,
        "Fashion-MNIST",
        f"{TRAIN:,} pictures of stripes to train with and {TEST} to test with, whose angle is their kind",
        f" {TRAIN} 张训练用和 {TEST} 张测试用的条纹图，条纹的角度就是类别",
    )
    pictures, labels = striped(TRAIN + TEST, 10, 28, 1, FASHION_SEED)
    return _split(interpreter, pictures[..., 0], labels.astype(np.uint8), TRAIN, REAL)


def _colour(interpreter: Interpreter, name: str, kinds: int, kind: type[np.generic]) -> Split:
    stands_in(
        interpreter,
        name,
        f"{COLOUR_TRAIN} coloured pictures of stripes to train with and {COLOUR_TEST} to test with, whose "
        "angle and hue are their kind",
        f" {COLOUR_TRAIN} 张训练用和 {COLOUR_TEST} 张测试用的彩色条纹图，条纹的角度和颜色就是类别",
    )
    pictures, labels = striped(COLOUR_TRAIN + COLOUR_TEST, kinds, 32, 3, COLOUR_SEED)
    return _split(interpreter, pictures, labels.astype(kind)[:, None], COLOUR_TRAIN, REAL_COLOUR)


def cifar10(interpreter: Interpreter) -> Split:
    """Coloured pictures of ten kinds: images (n, 32, 32, 3) and labels (n, 1), uint8."""
    return _colour(interpreter, "CIFAR-10", 10, np.uint8)


def cifar100(interpreter: Interpreter, label_mode: Any = "fine") -> Split:
    """Coloured pictures of 100 kinds, or of 20: images (n, 32, 32, 3) uint8 and labels (n, 1) int64."""
    if label_mode not in ("fine", "coarse"):
        raise ProgramError(
            f"label_mode is fine or coarse, not {label_mode!r}.",
            message_zh=f"label_mode 是 fine 或 coarse，而不是 {label_mode!r}。",
            code="wrong_arguments",
        )
    return _colour(interpreter, "CIFAR-100", 100 if label_mode == "fine" else 20, np.int64)


def _texts(
    interpreter: Interpreter,
    name: str,
    kinds: int,
    train: float,
    num_words: Any = None,
    skip_top: Any = 0,
    maxlen: Any = None,
    start_char: Any = 1,
    oov_char: Any = 2,
    index_from: Any = 3,
) -> Split:
    stands_in(
        interpreter,
        name,
        f"{TEXTS} lists of word numbers to train and to test with, drawn at random; each kind has some words "
        "more often",
        f" {TEXTS} 个训练和测试用的随机词号列表，每一类都有一些更常出现的词",
    )
    limits = {"num_words": num_words, "skip_top": skip_top, "maxlen": maxlen}
    numbers = {"start_char": start_char, "oov_char": oov_char, "index_from": index_from}
    given = {
        name: None if one is None else whole_number(one, name) for name, one in (limits | numbers).items()
    }
    found, labels = texts(TEXTS, kinds, 20, 120, TEXT_SEED)
    first = [] if given["start_char"] is None else [given["start_char"]]
    rows = [first + [word + (given["index_from"] or 0) for word in text] for text in found]
    longest = given["maxlen"]
    long = [row for row in zip(rows, labels, strict=True) if not longest or len(row[0]) < longest]
    known = [_known(row, given["num_words"], given["skip_top"] or 0, given["oov_char"]) for row, _ in long]
    labels = np.array([label for _, label in long], np.int64)
    return _split(interpreter, TextRows(known), labels, int(len(known) * train), REAL_TEXTS[name])


def _known(row: list[int], num_words: int | None, skip_top: int, oov_char: int | None) -> list[int]:
    """A text in which the words that are too frequent or too rare are another number, or left out."""
    is_known = [skip_top <= word and (num_words is None or word < num_words) for word in row]
    if oov_char is None:
        return [word for word, known in zip(row, is_known, strict=True) if known]
    return [word if known else oov_char for word, known in zip(row, is_known, strict=True)]


def imdb(
    interpreter: Interpreter,
    path: Any = "imdb.npz",
    num_words: Any = None,
    skip_top: Any = 0,
    maxlen: Any = None,
    seed: Any = 113,
    start_char: Any = 1,
    oov_char: Any = 2,
    index_from: Any = 3,
) -> Split:
    """Texts of two kinds: lists of lists of word numbers, and labels (n,) int64."""
    return _texts(interpreter, "IMDB", 2, 0.75, num_words, skip_top, maxlen, start_char, oov_char, index_from)


def word_index(interpreter: Interpreter, path: Any = None) -> dict[str, int]:
    """Words by which the numbers can be read again, as the real ones are not there: word1, word2, …"""
    return {f"word{number}": number for number in range(1, COMMON_WORDS + 1)}


def reuters(
    interpreter: Interpreter,
    path: Any = "reuters.npz",
    num_words: Any = None,
    skip_top: Any = 0,
    maxlen: Any = None,
    test_split: Any = 0.2,
    seed: Any = 113,
    start_char: Any = 1,
    oov_char: Any = 2,
    index_from: Any = 3,
) -> Split:
    """Texts of 46 kinds: lists of lists of word numbers, and labels (n,) int64."""
    train = 1.0 - _share(test_split)
    return _texts(
        interpreter, "Reuters", 46, train, num_words, skip_top, maxlen, start_char, oov_char, index_from
    )


def _share(test_split: Any) -> float:
    """Raises: ValueRefused for what is no share of the rows."""
    share = real_number(test_split, "test_split")
    if not 0.0 <= share < 1.0:
        raise ValueRefused(
            f"`test_split` lies between 0 and 1, which {share} does not.",
            message_zh=f"`test_split` 应在 0 和 1 之间，而 {share} 不是。",
        )
    return share


def _prices(interpreter: Interpreter, name: str, columns: int, test_split: Any, real: int) -> Split:
    train = int(PRICES * (1.0 - _share(test_split)))
    stands_in(
        interpreter,
        name,
        f"{train} rows of {columns} random measurements to train with and {PRICES - train} to test with, "
        "and prices that follow a straight line",
        f" {train} 行训练用和 {PRICES - train} 行测试用的随机数据（{columns} 列），价格与它们成线性关系",
    )
    real_train = int(real * (1.0 - _share(test_split)))
    rows, prices = measured(PRICES, columns, PRICE_SEED)
    return _split(interpreter, rows, prices, train, (real_train, real - real_train))


def boston_housing(
    interpreter: Interpreter, path: Any = "boston_housing.npz", test_split: Any = 0.2, seed: Any = 113
) -> Split:
    """Rows of 13 numbers and a price of each, float64."""
    return _prices(interpreter, "Boston housing", 13, test_split, PRICES)


def california_housing(
    interpreter: Interpreter,
    version: Any = "large",
    path: Any = "california_housing.npz",
    test_split: Any = 0.2,
    seed: Any = 113,
) -> Split:
    """Rows of 8 numbers and a price of each, float32."""
    (x, y), (u, v) = _prices(interpreter, "California housing", 8, test_split, 20_640)
    return (x.astype(np.float32), y.astype(np.float32)), (u.astype(np.float32), v.astype(np.float32))


LOADERS = {
    **{one.__name__: one for one in (mnist, fashion_mnist, cifar10, cifar100, imdb, reuters)},
    **{one.__name__: one for one in (boston_housing, california_housing)},
}


def members() -> Mapping[str, Any]:
    """The names below `tf.` that this file offers."""
    names: dict[str, Any] = {f"keras.datasets.{name}.load_data": load for name, load in LOADERS.items()}
    names |= {f"keras.datasets.{one}.get_word_index": word_index for one in ("imdb", "reuters")}
    return {name: Native(f"tf.{name}", load) for name, load in names.items()}
