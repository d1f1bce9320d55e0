"""`tf.keras.layers.TextVectorization`: texts as rows of word numbers, or as counts of words.

The most frequent words come first; 1 stands for unknown words, and 0 fills rows up.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from engine import ops
from engine.errors import ValueRefused
from engine.languages.interpreter.arguments import ANY
from engine.languages.interpreter.builtins.containers import iterate
from engine.languages.interpreter.callables import Native
from engine.languages.interpreter.classes.kinds import UserClass
from engine.languages.interpreter.classes.objects import UserObject
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.surfaces.keras.arguments import at_least_one, with_common_settings
from engine.languages.surfaces.keras.layer import LAYER, layer_init, methods
from engine.languages.surfaces.keras.layers.plain import layer_class
from engine.languages.surfaces.keras.preparing.normalization import examples_of
from engine.languages.surfaces.tf2.eager import array_of
from engine.languages.surfaces.tf2.modules import AN_OBJECT
from engine.languages.surfaces.unsupported import refuse_given
from engine.ops.base.tensors import Array

PUNCTUATION = re.compile(r'[!"#$%&()\*\+,\-\./:;<=>?@\[\\\]^_`{|}~\']')
UNKNOWN, FILLING = "[UNK]", ""
INT, COUNT, MULTI_HOT, TF_IDF = "int", "count", "multi_hot", "tf_idf"
WORDS: Mapping[str, tuple[Any, ...]] = MappingProxyType(
    {
        "standardize": (None, "lower_and_strip_punctuation", "lower", "strip_punctuation"),
        "split": (None, "whitespace", "character"),
        "output_mode": (INT, COUNT, MULTI_HOT, TF_IDF),
    }
)


def _init(
    interpreter: Interpreter,
    self: UserObject,
    max_tokens: Any = None,
    standardize: Any = "lower_and_strip_punctuation",
    split: Any = "whitespace",
    ngrams: Any = None,
    output_mode: Any = INT,
    output_sequence_length: Any = None,
    pad_to_max_tokens: Any = False,
    vocabulary: Any = None,
    idf_weights: Any = None,
    sparse: Any = False,
    ragged: Any = False,
    encoding: Any = "utf-8",
    name: Any = None,
) -> None:
    """How texts are cut into words, and what is made of these."""
    other = {"idf_weights": idf_weights, "sparse": sparse or None, "ragged": ragged or None}
    refuse_given("TextVectorization", other, "Leave it out.", "请去掉它。")
    given = {"standardize": standardize, "split": split, "output_mode": output_mode}
    for key, value in given.items():
        if isinstance(value, (str, type(None))) and value not in WORDS[key]:
            listed = ", ".join(map(repr, WORDS[key]))
            raise ValueRefused(
                f"`{key}` of TextVectorization is one of {listed}.",
                message_zh=f"TextVectorization 的 `{key}` 可以是 {listed}。",
            )
    layer_init(interpreter, self, name)
    lengths = {"max_tokens": max_tokens, "output_sequence_length": output_sequence_length, "ngrams": ngrams}
    self.fields.update({key: one if one is None else at_least_one(one, key) for key, one in lengths.items()})
    self.fields.update(
        given, pad_to_max_tokens=bool(pad_to_max_tokens), built=True, _words=None, _rarity=None
    )
    if vocabulary is not None:
        set_vocabulary(self, vocabulary)


def set_vocabulary(self: UserObject, vocabulary: Any, idf_weights: Any = None) -> None:
    """The words by their numbers, without the two that stand for none."""
    refuse_given("set_vocabulary()", {"idf_weights": idf_weights}, "Use adapt().", "请使用 adapt()。")
    words = [str(word) for word in iterate(vocabulary)]
    self.fields["_words"] = [word for word in words if word not in (FILLING, UNKNOWN)]


def _texts(interpreter: Interpreter, data: Any) -> list[str]:
    """Each text as a string. Raises: ValueRefused for what is no text."""
    array = np.asarray(examples_of(data))
    found = [one.decode() if isinstance(one, bytes) else one for one in array.reshape(-1).tolist()]
    if not all(isinstance(one, str) for one in found):
        raise ValueRefused(
            "TextVectorization takes texts.",
            message_zh="TextVectorization 需要文本。",
            code="bad_value",
        )
    interpreter.budget.spend(sum(map(len, found)))
    return found


def _tokens(interpreter: Interpreter, self: UserObject, text: str) -> list[str]:
    """The words of a text, and the runs of several words that count as words."""
    how, cut = self.fields["standardize"], self.fields["split"]
    if how is not None and not isinstance(how, str):
        text = _own_text(interpreter.call(how, [ops.constant(text)], {}))
    elif how is not None:
        text = text.lower() if "lower" in how else text
        text = PUNCTUATION.sub("", text) if "punctuation" in how else text
    if cut is not None and not isinstance(cut, str):
        raise ValueRefused(
            "`split` of TextVectorization is a word here, no function.",
            message_zh="这里 TextVectorization 的 `split` 是规定的文字之一，不能是函数。",
        )
    words = [text] if cut is None else list(text) if cut == "character" else text.split()
    longest = self.fields["ngrams"] or 1
    return [
        " ".join(words[first : first + size])
        for size in range(1, longest + 1)
        for first in range(len(words) - size + 1)
    ]


def _own_text(value: Any) -> str:
    found = np.asarray(array_of(value)).item()
    return found.decode() if isinstance(found, bytes) else str(found)


def adapt(
    interpreter: Interpreter, self: UserObject, data: Any, batch_size: Any = None, steps: Any = None
) -> None:
    """Take the words from texts, the most frequent first, and of equally frequent ones the last in order."""
    refuse_given("adapt()", {"steps": steps}, "Write data.take(n) instead.", "请改写成 data.take(n)。")
    texts = [_tokens(interpreter, self, text) for text in _texts(interpreter, data)]
    counts = Counter(word for words in texts for word in words)
    ranked = sorted(sorted(counts, reverse=True), key=lambda word: -counts[word])
    most = self.fields["max_tokens"]
    ranked = ranked if most is None else ranked[: most - _reserved(self)]
    self.fields["_words"] = ranked
    seen = Counter(word for words in texts for word in set(words))
    rarity = [np.log(1 + len(texts) / (1 + seen[word])) for word in ranked]
    self.fields["_rarity"] = [float(np.mean(rarity)) if rarity else 0.0, *rarity]


def _reserved(self: UserObject) -> int:
    """How many numbers stand for no word: that of unknown ones, and in rows of numbers what fills them up."""
    return 2 if self.fields["output_mode"] == INT else 1


def _known(self: UserObject) -> list[str]:
    """Raises: ValueRefused before there are words."""
    found: list[str] | None = self.fields["_words"]
    if found is None:
        raise ValueRefused(
            "TextVectorization has no words yet.",
            hint="Call layer.adapt(texts) first, or give it a vocabulary.",
            message_zh="TextVectorization 还没有词表。",
            hint_zh="请先调用 layer.adapt(texts)，或给出 vocabulary。",
            code="bad_value",
        )
    return found


def get_vocabulary(self: UserObject, include_special_tokens: Any = True) -> list[str]:
    """The words by their numbers."""
    special = [FILLING, UNKNOWN][2 - _reserved(self) :] if include_special_tokens else []
    return [*special, *_known(self)]


def _size(self: UserObject) -> int:
    return len(get_vocabulary(self))


def _call(interpreter: Interpreter, self: UserObject, inputs: Any) -> Any:
    """Shapes: texts (n,) or (n, 1) -> (n, length), or of one text (length,)."""
    is_one = np.ndim(array_of(inputs)) == 0
    first = _reserved(self)
    numbers = {word: number for number, word in enumerate(_known(self), first)}
    texts = [_tokens(interpreter, self, text) for text in _texts(interpreter, inputs)]
    found = [[numbers.get(word, first - 1) for word in words] for words in texts]
    made = _rows(interpreter, self, found) if first == 2 else _counts(interpreter, self, found)
    return ops.constant(made[0] if is_one else made)


def _rows(interpreter: Interpreter, self: UserObject, found: list[list[int]]) -> Array:
    length = self.fields["output_sequence_length"] or max(map(len, found), default=0)
    interpreter.budget.check_elements((len(found), length))
    made = np.zeros((len(found), length), np.int64)
    for row, numbers in zip(made, found, strict=True):
        row[: len(numbers[:length])] = numbers[:length]
    return made


def _counts(interpreter: Interpreter, self: UserObject, found: list[list[int]]) -> Array:
    """How often each word is there, or whether; by tf-idf times how rare it is."""
    padded = self.fields["pad_to_max_tokens"] and self.fields["max_tokens"]
    width = padded or _size(self)
    interpreter.budget.check_elements((len(found), width))
    mode = self.fields["output_mode"]
    made = np.zeros((len(found), width), np.float32 if mode == TF_IDF else np.int64)
    for row, numbers in zip(made, found, strict=True):
        np.add.at(row, numbers, 1)
    if mode == MULTI_HOT:
        return np.minimum(made, 1)
    if mode == TF_IDF:
        made[:, : _size(self)] *= np.asarray(_rarities(self), np.float32)
    return made


def _rarities(self: UserObject) -> list[float]:
    found: list[float] | None = self.fields["_rarity"]
    if found is None:
        raise ValueRefused(
            "tf-idf needs texts to count in.",
            hint="Call layer.adapt(texts).",
            message_zh="tf-idf 需要先统计文本。",
            hint_zh="请调用 layer.adapt(texts)。",
        )
    return found


def _shape(self: UserObject, input_shape: Any) -> Any:
    if self.fields["output_mode"] == INT:
        return (input_shape[0], self.fields["output_sequence_length"])
    return (input_shape[0], _size(self))


_KIND = layer_class("TextVectorization", _init, _call, _shape)
TEXT_VECTORIZATION = UserClass(
    "TextVectorization",
    LAYER,
    {
        **_KIND.members,
        **methods("TextVectorization", get_vocabulary=get_vocabulary, set_vocabulary=set_vocabulary),
        **methods("TextVectorization", vocabulary_size=_size, adapt=adapt),
        "__init__": Native(
            "TextVectorization.__init__",
            with_common_settings(_init),
            arguments={"self": AN_OBJECT, "standardize": ANY, "split": ANY},
        ),
    },
    origin="library",
)
