"""How numpy's arrays are written: the options of a run, and the functions that write one array."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from engine.errors import ProgramError
from engine.languages.interpreter.arguments import word_of
from engine.languages.interpreter.builtins.nested_sizes import check_written
from engine.languages.interpreter.builtins.text import MAX_WEIGHT
from engine.languages.interpreter.interpreter import Interpreter
from engine.languages.interpreter.values import Block
from engine.languages.surfaces.numpy.module import NUMPY

MOST_WRITTEN = 500_000  # elements of one array
LONGEST_BETWEEN = 100  # characters of what stands between elements, or around the array
TRIM = word_of("k", ".", "0", "-")
HIDDEN = ("override_repr",)  # of newer numpys than the one that programs see


def _options(interpreter: Interpreter, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options as numpy takes them. Raises: ProgramError in numpy's words where it refuses them."""
    options = {name: value for name, value in given.items() if value is not None}
    formatter = options.get("formatter")
    with _in_numpys_words():
        if formatter is not None:
            if not isinstance(formatter, dict):
                raise TypeError("formatter must be a dict of functions")
            options["formatter"] = {kind: _formatter(interpreter, one) for kind, one in formatter.items()}
        with np.printoptions(**options):
            pass
    if options.get("threshold", 0) > MOST_WRITTEN:
        options["threshold"] = MOST_WRITTEN
    return options


@contextmanager
def _in_numpys_words() -> Iterator[None]:
    """What numpy refuses, refused in its words."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise ProgramError(
            f"numpy refuses these options: {error}.",
            message_zh=f"numpy 不接受这些选项：{error}。",
            code="bad_value",
        ) from error


def _formatter(interpreter: Interpreter, function: Any) -> Any:
    call = interpreter.as_function(function)

    def written(element: Any) -> str:
        interpreter.budget.step()
        text = call(element)
        if not isinstance(text, str):
            raise ProgramError(
                "A formatter gives the text of an element.",
                message_zh="formatter 应返回元素的文字。",
                hint="Write formatter={'float': '{:.2f}'.format}.",
                hint_zh="请写 formatter={'float': '{:.2f}'.format}。",
                code="type_mismatch",
            )
        return text

    return written


@NUMPY.function("set_printoptions")
def set_printoptions(
    interpreter: Interpreter,
    precision: Any = None,
    threshold: Any = None,
    edgeitems: Any = None,
    linewidth: Any = None,
    suppress: Any = None,
    nanstr: Any = None,
    infstr: Any = None,
    formatter: Any = None,
    sign: Any = None,
    floatmode: Any = None,
    *,
    legacy: Any = None,
) -> None:
    """How arrays are written from here on."""
    given = dict(zip(NAMES, (precision, threshold, edgeitems, linewidth, suppress), strict=False))
    given |= {"nanstr": nanstr, "infstr": infstr, "sign": sign, "floatmode": floatmode, "legacy": legacy}
    options = _options(interpreter, {**given, "formatter": formatter})
    interpreter.workspace.opened.enter_context(np.printoptions(**{"formatter": None, **options}))


NAMES = ("precision", "threshold", "edgeitems", "linewidth", "suppress")


@NUMPY.function("printoptions")
def printoptions(interpreter: Interpreter, **kwargs: Any) -> Block:
    """How arrays are written inside the block."""
    options = _options(interpreter, kwargs)

    @contextmanager
    def inside() -> Iterator[dict[str, Any]]:
        with np.printoptions(**options):
            yield get_printoptions()

    return Block(inside)


@NUMPY.function("get_printoptions")
def get_printoptions() -> dict[str, Any]:
    """How arrays are written."""
    return {name: value for name, value in np.get_printoptions().items() if name not in HIDDEN}


def _array(value: Any) -> Any:
    if not isinstance(value, np.ndarray):
        raise TypeError
    check_written(value, MAX_WEIGHT)
    return value


@NUMPY.function("array2string")
def array2string(
    interpreter: Interpreter,
    a: Any,
    max_line_width: Any = None,
    precision: Any = None,
    suppress_small: Any = None,
    separator: Any = None,
    prefix: Any = None,
    *,
    formatter: Any = None,
    threshold: Any = None,
    edgeitems: Any = None,
    sign: Any = None,
    floatmode: Any = None,
    suffix: Any = None,
) -> str:
    """An array as text."""
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "sign": sign}
    options = _options(interpreter, {**given, "floatmode": floatmode, "formatter": formatter})
    written: dict[str, Any] = {"separator": " " if separator is None else separator}
    written |= {"prefix": prefix or "", "suffix": suffix or ""}
    array = _array(a)
    with _in_numpys_words():
        if any(not isinstance(text, str) or len(text) > LONGEST_BETWEEN for text in written.values()):
            raise TypeError(f"separator, prefix and suffix are texts of at most {LONGEST_BETWEEN} characters")
        return np.array2string(array, max_line_width, suppress_small=suppress_small, **written, **options)


@NUMPY.function("array_str")
def array_str(
    a: Any,
    max_line_width: Any = None,
    precision: Any = None,
    suppress_small: Any = None,
) -> str:
    """An array as `str` writes it."""
    array = _array(a)
    with _in_numpys_words():
        return np.array_str(array, max_line_width, precision, suppress_small)


@NUMPY.function("array_repr")
def array_repr(
    arr: Any,
    max_line_width: Any = None,
    precision: Any = None,
    suppress_small: Any = None,
) -> str:
    """An array as `repr` writes it."""
    return np.array_repr(_array(arr), max_line_width, precision, suppress_small)


@NUMPY.function("format_float_positional", trim=TRIM)
def format_float_positional(
    x: Any,
    precision: Any = None,
    unique: Any = True,
    fractional: Any = True,
    trim: Any = "k",
    sign: Any = False,
    pad_left: Any = None,
    pad_right: Any = None,
) -> str:
    """A number with a decimal point."""
    return np.format_float_positional(x, precision, unique, fractional, trim, sign, pad_left, pad_right)


@NUMPY.function("format_float_scientific", trim=TRIM)
def format_float_scientific(
    x: Any,
    precision: Any = None,
    unique: Any = True,
    trim: Any = "k",
    sign: Any = False,
    pad_left: Any = None,
    exp_digits: Any = None,
) -> str:
    """A number with a power of ten."""
    return np.format_float_scientific(x, precision, unique, trim, sign, pad_left, exp_digits)
