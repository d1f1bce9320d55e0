"""`tf.keras.preprocessing.text`: texts as lists of word numbers, as Keras 2 counted them.

A word's number is its rank by how often it stands in the texts, 1 for the most frequent one.
Source: keras_preprocessing/text.py of Keras 2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from engine.errors import ValueRefused
from engine.languages.interpreter.attributes import members_of
from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import TYPE_NAMES
from engine.languages.surfaces.keras.arguments import at_least_one
from engine.ops.base.shapes import whole_number
from engine.ops.base.tensors import Array

FILTERS = '!"#$%&()*+,-./:;<=>?@[\\]^_`{|}~\t\n'
MODES = ("binary", "count", "tfidf", "freq")


def words_of(text: Any, filters: Any = FILTERS, lower: Any = True, split: Any = " ") -> list[str]:
    """The words of a text, without the characters that are filtered out.

    Raises: ValueRefused for what is no text.
    """
    if isinstance(text, (list, tuple)) and all(isinstance(word, str) for word in text):
        return [word.lower() for word in text] if lower else list(text)
    if not isinstance(text, str) or not isinstance(split, str) or not isinstance(filters, str):
        raise ValueRefused(
            "A text is a string here, and so are its filters and what stands between two words.",
            message_zh="这里的文本应是字符串，filters 与 split 也是。",
            code="bad_value",
        )
    text = text.lower() if lower else text
    return [
        word for word in text.translate(str.maketrans(dict.fromkeys(filters, split))).split(split) if word
    ]


@dataclass(slots=True, eq=False)
class Tokenizer:
    """The words of some texts by their numbers.

    num_words: words with this number or a larger one are left out of sequences; None: none are.
    oov_token: what stands for words that are unknown or left out, with the number 1.
    """

    num_words: int | None = None
    filters: str = FILTERS
    lower: bool = True
    split: str = " "
    char_level: bool = False
    oov_token: str | None = None
    word_counts: Counter[str] = field(default_factory=Counter)
    word_docs: Counter[str] = field(default_factory=Counter)
    index_docs: dict[int, int] = field(default_factory=dict)
    document_count: int = 0
    word_index: dict[str, int] = field(default_factory=dict)
    index_word: dict[int, str] = field(default_factory=dict)

    def words(self, text: Any) -> list[str]:
        """Those of a text, or its characters."""
        if self.char_level and isinstance(text, str):
            return list(text.lower() if self.lower else text)
        return words_of(text, self.filters, self.lower, self.split)

    def fit(self, texts: Any) -> None:
        """Count the words of further texts."""
        for text in iterate(texts):
            words = self.words(text)
            self.document_count += 1
            self.word_counts.update(words)
            self.word_docs.update(set(words))
        ranked = sorted(self.word_counts, key=lambda word: -self.word_counts[word])
        listed = ranked if self.oov_token is None else [self.oov_token, *ranked]
        self.word_index = {word: number for number, word in enumerate(listed, 1)}
        self.index_word = {number: word for word, number in self.word_index.items()}
        self.index_docs = {self.word_index[word]: count for word, count in self.word_docs.items()}

    def sequence(self, text: Any) -> list[int]:
        """The numbers of a text's words."""
        unknown = self.word_index.get(self.oov_token) if self.oov_token is not None else None
        found = (self.word_index.get(word) for word in self.words(text))
        kept = (unknown if number is None or self._is_cut(number) else number for number in found)
        return [number for number in kept if number is not None]

    def _is_cut(self, number: int) -> bool:
        return bool(self.num_words) and number >= (self.num_words or 0)

    def text(self, sequence: Any) -> str:
        """The words of some numbers."""
        numbers = [whole_number(one, "sequences") for one in iterate(sequence)]
        unknown = self.oov_token
        found = (
            unknown if number not in self.index_word or self._is_cut(number) else self.index_word[number]
            for number in numbers
        )
        return " ".join(word for word in found if word is not None)


TOKENIZER = members_of(Tokenizer, "Tokenizer")
TYPE_NAMES[Tokenizer] = lambda tokenizer: "Tokenizer"
TOKENIZER.fact("word_index")(lambda tokenizer: tokenizer.word_index)
TOKENIZER.fact("index_word")(lambda tokenizer: tokenizer.index_word)
TOKENIZER.fact("index_docs")(lambda tokenizer: tokenizer.index_docs)
TOKENIZER.fact("word_counts")(lambda tokenizer: dict(tokenizer.word_counts))
TOKENIZER.fact("word_docs")(lambda tokenizer: dict(tokenizer.word_docs))
TOKENIZER.fact("document_count")(lambda tokenizer: tokenizer.document_count)
TOKENIZER.fact("num_words")(lambda tokenizer: tokenizer.num_words)
TOKENIZER.fact("oov_token")(lambda tokenizer: tokenizer.oov_token)


@TOKENIZER.method("fit_on_texts")
def fit_on_texts(tokenizer: Tokenizer, texts: Any) -> None:
    """Count the words."""
    tokenizer.fit(texts)


@TOKENIZER.method("texts_to_sequences")
def texts_to_sequences(tokenizer: Tokenizer, texts: Any) -> list[list[int]]:
    """A list of numbers for each text."""
    return [tokenizer.sequence(text) for text in iterate(texts)]


@TOKENIZER.method("sequences_to_texts")
def sequences_to_texts(tokenizer: Tokenizer, sequences: Any) -> list[str]:
    """A text for each list of numbers."""
    return [tokenizer.text(one) for one in iterate(sequences)]


@TOKENIZER.method("texts_to_matrix")
def texts_to_matrix(
    interpreter: Interpreter, tokenizer: Tokenizer, texts: Any, mode: Any = "binary"
) -> Array:
    """A row for each text, with a figure for each word."""
    return _matrix(interpreter, tokenizer, texts_to_sequences(tokenizer, texts), mode)


@TOKENIZER.method("sequences_to_matrix")
def sequences_to_matrix(
    interpreter: Interpreter, tokenizer: Tokenizer, sequences: Any, mode: Any = "binary"
) -> Array:
    """The same of lists of numbers."""
    listed = [[whole_number(one, "sequences") for one in iterate(row)] for row in iterate(sequences)]
    return _matrix(interpreter, tokenizer, listed, mode)


def _matrix(
    interpreter: Interpreter, tokenizer: Tokenizer, sequences: Sequence[Sequence[int]], mode: Any
) -> Array:
    """Whether a word is there, how often, which share of the text it is, or tf-idf.

    tf-idf: (1 + log n) log(1 + texts / (1 + texts with the word)).
    """
    if mode not in MODES:
        raise ValueRefused(
            f"`mode` is one of {', '.join(MODES)}.",
            message_zh=f"`mode` 可以是 {'、'.join(MODES)}。",
        )
    if not tokenizer.num_words and not tokenizer.word_index:
        raise ValueRefused(
            "The tokenizer knows no words yet.",
            hint="Call tokenizer.fit_on_texts(texts) first, or give num_words.",
            message_zh="这个 Tokenizer 还不认识任何词。",
            hint_zh="请先调用 tokenizer.fit_on_texts(texts)，或给出 num_words。",
        )
    width = tokenizer.num_words or len(tokenizer.word_index) + 1
    interpreter.budget.check_elements((len(sequences), width))
    made = np.zeros((len(sequences), width))
    for row, sequence in zip(made, sequences, strict=True):
        for number, count in Counter(sequence).items():
            if number < width:
                row[number] = _figure(tokenizer, mode, number, count, len(sequence))
    return made


def _figure(tokenizer: Tokenizer, mode: str, number: int, count: int, length: int) -> float:
    if mode == "tfidf":
        rarity = tokenizer.document_count / (1 + tokenizer.index_docs.get(number, 0))
        return float((1 + np.log(count)) * np.log(1 + rarity))
    return {"binary": 1.0, "count": float(count), "freq": count / length}[mode]


def tokenizer_of(
    num_words: Any = None,
    filters: Any = FILTERS,
    lower: Any = True,
    split: Any = " ",
    char_level: Any = False,
    oov_token: Any = None,
) -> Tokenizer:
    """`Tokenizer(…)`."""
    most = None if num_words is None else at_least_one(num_words, "num_words")
    words_of("", filters, lower, split)
    token = oov_token if oov_token is None or isinstance(oov_token, str) else str(oov_token)
    return Tokenizer(most, filters, bool(lower), split, bool(char_level), token)


def text_to_word_sequence(
    input_text: Any, filters: Any = FILTERS, lower: Any = True, split: Any = " "
) -> Any:
    """The words of a text."""
    return words_of(input_text, filters, lower, split)


def members() -> Mapping[str, Any]:
    """The names below `tf.` that this file offers."""
    found: dict[str, Callable[..., Any]] = {
        "Tokenizer": tokenizer_of,
        "text_to_word_sequence": text_to_word_sequence,
    }
    return {
        f"keras.preprocessing.text.{name}": Native(f"tf.keras.preprocessing.text.{name}", function)
        for name, function in found.items()
    }
