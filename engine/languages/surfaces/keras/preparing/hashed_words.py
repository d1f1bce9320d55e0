"""`one_hot` and `hashing_trick` of `tf.keras.preprocessing.text`: a number from 1 to n - 1 for each word.

It comes from the hash of the word: two may share one. Source: keras_preprocessing/text.py of Keras 2.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

from engine.errors import ValueRefused
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.arguments import at_least_one
from engine.languages.surfaces.keras.preparing.tokenizer import FILTERS, words_of


def _hash(word: str) -> int:
    return int(hashlib.md5(word.encode(), usedforsecurity=False).hexdigest(), 16)


def hashing_trick(
    interpreter: Interpreter,
    text: Any,
    n: Any,
    hash_function: Any = None,
    filters: Any = FILTERS,
    lower: Any = True,
    split: Any = " ",
) -> list[int]:
    """hash(word) mod (n - 1) + 1 of each word: by "md5", or by Python's hash, other ones in each run."""
    size = at_least_one(n, "n")
    if size == 1:
        raise ValueRefused(
            "`n` is at least 2: the numbers run from 1 to n - 1.",
            message_zh="`n` 至少是 2：编号从 1 到 n - 1。",
        )
    if hash_function not in (None, "md5"):
        raise ValueRefused(
            '`hash_function` is "md5" or None here.', message_zh='这里的 `hash_function` 是 "md5" 或 None。'
        )
    if hash_function is None:
        interpreter.note(
            "other_hashes",
            "Python's hash of a text is another one in each run; here it is the same in all of them (md5).",
            "Python 的文本哈希值每次运行都不同；这里每次运行都相同（md5）。",
        )
    return [_hash(word) % (size - 1) + 1 for word in words_of(text, filters, lower, split)]


def one_hot(
    interpreter: Interpreter,
    input_text: Any,
    n: Any,
    filters: Any = FILTERS,
    lower: Any = True,
    split: Any = " ",
) -> list[int]:
    """The numbers of the words by Python's hash."""
    return hashing_trick(interpreter, input_text, n, None, filters, lower, split)


def members() -> Mapping[str, Any]:
    """The names below `tf.` that this file offers."""
    room = "keras.preprocessing.text"
    found: dict[str, Callable[..., Any]] = {"one_hot": one_hot, "hashing_trick": hashing_trick}
    return {f"{room}.{name}": Native(f"tf.{room}.{name}", function) for name, function in found.items()}
