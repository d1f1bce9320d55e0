"""`tf.strings`: what TensorFlow 1 does with texts."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.graph import Tensor
from engine.languages.interpreter.arguments import FLAG, word_of
from engine.languages.surfaces.argument_kinds import COUNT, LIST, WORD
from engine.languages.surfaces.dtypes import dtype_name
from engine.languages.surfaces.tf1.functions.ops import TF
from engine.ops.base.building import convert_to_tensor
from engine.ops.base.spellings import one_of
from engine.ops.control_flow.printing import string_format
from engine.ops.texts import changing, converting, joining

UNIT = word_of(*changing.UNIT)
ENCODING = word_of("", "utf-8")


@TF.function("strings.join", "string_join", inputs=LIST, separator=WORD)
def join(inputs: Any, separator: str = "", name: Any = None) -> Tensor:
    """Texts one after the other."""
    return joining.string_join(list(inputs), separator=separator, name=name)


@TF.function("strings.reduce_join", "reduce_join", keepdims=FLAG, keep_dims=FLAG, separator=WORD)
def reduce_join(
    inputs: Any,
    axis: Any = None,
    keep_dims: Any = None,
    separator: str = "",
    name: Any = None,
    reduction_indices: Any = None,
    keepdims: Any = None,
) -> Tensor:
    """Texts along axes one after the other."""
    over = one_of("axis", axis, "reduction_indices", reduction_indices)
    keep = bool(one_of("keepdims", keepdims, "keep_dims", keep_dims))
    return joining.reduce_join(inputs, over, keep, separator, name)


@TF.function("strings.length", unit=UNIT)
def length(input: Any, name: Any = None, unit: Any = "BYTE") -> Tensor:
    """How long each text is."""
    return changing.string_length(input, unit=unit, name=name)


@TF.function("strings.lower", encoding=ENCODING)
def lower(input: Any, encoding: Any = "", name: Any = None) -> Tensor:
    """Small letters."""
    return changing.string_lower(input, encoding=encoding, name=name)


@TF.function("strings.upper", encoding=ENCODING)
def upper(input: Any, encoding: Any = "", name: Any = None) -> Tensor:
    """Capital letters."""
    return changing.string_upper(input, encoding=encoding, name=name)


@TF.function("strings.strip", "string_strip")
def strip(input: Any, name: Any = None) -> Tensor:
    """Without white space at the ends."""
    return changing.string_strip(input, name=name)


@TF.function("strings.substr", "substr", unit=UNIT)
def substr(input: Any, pos: Any, len: Any, name: Any = None, unit: Any = "BYTE") -> Tensor:
    """A part of each text."""
    return changing.substr(input, pos, len, unit=unit, name=name)


@TF.function("strings.regex_replace", "regex_replace", pattern=WORD, rewrite=WORD, replace_global=FLAG)
def regex_replace(
    input: Any, pattern: Any, rewrite: Any, replace_global: Any = True, name: Any = None
) -> Tensor:
    """What fits a pattern, with another text in its place."""
    return changing.regex_replace(
        input,
        pattern=pattern,
        rewrite=rewrite,
        replace_global=bool(replace_global),
        name=name or "StaticRegexReplace",
    )


@TF.function("strings.regex_full_match", pattern=WORD)
def regex_full_match(input: Any, pattern: Any, name: Any = None) -> Tensor:
    """Whether all of each text fits a pattern."""
    return changing.regex_full_match(input, pattern=pattern, name=name)


@TF.function(
    "strings.as_string",
    "as_string",
    precision=COUNT,
    scientific=FLAG,
    shortest=FLAG,
    width=COUNT,
    fill=WORD,
)
def as_string(
    input: Any,
    precision: Any = -1,
    scientific: Any = False,
    shortest: Any = False,
    width: Any = -1,
    fill: Any = "",
    name: Any = None,
) -> Tensor:
    """Each number written as a text."""
    return converting.as_string(
        input,
        precision=int(precision),
        scientific=bool(scientific),
        shortest=bool(shortest),
        width=int(width),
        fill=fill,
        name=name,
    )


@TF.function("strings.to_number", "string_to_number")
def to_number(
    string_tensor: Any = None, out_type: Any = "float32", name: Any = None, input: Any = None
) -> Tensor:
    """The number that each text writes."""
    texts = one_of("input", input, "string_tensor", string_tensor)
    return converting.string_to_number(texts, out_type=dtype_name(out_type) or "float32", name=name)


@TF.function("strings.format", template=WORD, placeholder=WORD, summarize=COUNT)
def format_(
    template: Any, inputs: Any, placeholder: Any = "{}", summarize: Any = 3, name: Any = None
) -> Tensor:
    """A text in which each placeholder stands for one of the values."""
    values = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
    if template.count(placeholder) != len(values):
        raise _other_count(template.count(placeholder), len(values))
    given = [convert_to_tensor(np.asarray(one) if isinstance(one, np.generic) else one) for one in values]
    return string_format(
        given, template=template, placeholder=placeholder, summarize=int(summarize), name=name
    )


def _other_count(places: int, values: int) -> ProgramError:
    return ProgramError(
        f"The template has {places} placeholders, but {values} values are given.",
        message_zh=f"模板中有 {places} 个占位符，却给出了 {values} 个值。",
        code="wrong_arguments",
        kind="ValueError",
    )
