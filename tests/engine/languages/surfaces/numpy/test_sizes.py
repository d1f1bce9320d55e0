"""Walks over numpy's surface: words that are not listed, results that are too large, memory of others."""

from __future__ import annotations

import ast
import inspect
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.languages.interpreter.callables import Native
from engine.languages.surfaces.numpy.arranging import PAD_MODES
from engine.programs import ProgramRequest, run_program
from tests.engine.languages.surfaces.numpy.large_calls import mistake_in, numpy_functions, program

ENGINE = Path(__file__).parents[5] / "engine"
MATRIX = "[[4.0, 1.0], [1.0, 3.0]]"
FITTING = {
    **dict.fromkeys(("subscripts",), "'ij,jk->ik'"),
    **dict.fromkeys(("N", "num", "shape", "reps", "repeats", "pad_width", "newshape"), "4"),
    **dict.fromkeys(("indices_or_sections", "decimals", "seed", "low", "x", "a_min", "axis"), "1"),
}
WORDS_OF_DTYPES = ("dtype",)
NO_WORD = "no such word!"


def _taking_words() -> Iterator[tuple[str, Native, str]]:
    """Each function with each parameter of it that takes words: those that are texts unless given."""
    for name, native in numpy_functions():
        parameters = inspect.signature(native.function).parameters
        for parameter in native.signature.every_name:
            found = parameters.get(parameter)
            is_text = found is not None and (isinstance(found.default, str) or found.annotation == "str")
            if parameter not in WORDS_OF_DTYPES and (is_text or parameter in native.arguments):
                yield name, native, parameter


def _last_message(line: str) -> dict[str, Any]:
    answer = run_program(ProgramRequest(f"import numpy as np\n{line}", dialect="tf1"))
    found: dict[str, Any] = answer["diagnostics"][-1]
    return found


TAKING_WORDS = list(_taking_words())


@pytest.mark.parametrize(("name", "native", "parameter"), TAKING_WORDS, ids=lambda one: str(one)[:30])
def test_every_word_that_numpy_is_passed_is_one_of_a_list(name: str, native: Native, parameter: str) -> None:
    needed = {
        p: FITTING.get(p, MATRIX) for p in native.signature.positional if p in native.signature.required
    }
    given = {**needed, parameter: repr(NO_WORD)}
    more = f", {MATRIX}" if native.signature.many_positional and parameter in needed else ""
    by_position = ", ".join(given.pop(p) for p in list(given) if p in needed)
    by_name = ", ".join(f"{p}={value}" for p, value in given.items())
    last = _last_message(f"{name}({', '.join(filter(None, [by_position + more, by_name]))})")
    assert last["code"] == "unknown_word"
    assert last["message"].startswith(f"`{parameter}` of {name}() takes ")
    assert last["message"].endswith(f"not {NO_WORD!r}.")
    assert "需要" in last["message_zh"]
    assert '"' in last["hint"]
    assert '"' in last["hint_zh"]


def test_the_walk_meets_the_functions_that_take_words() -> None:
    met = {(name, parameter) for name, _, parameter in TAKING_WORDS}
    assert met >= {
        ("np.pad", "mode"),
        ("np.meshgrid", "indexing"),
        ("np.searchsorted", "side"),
        ("np.linalg.norm", "ord"),
        ("np.einsum", "subscripts"),
    }


@pytest.mark.parametrize(("name", "native"), numpy_functions(), ids=lambda one: str(one)[:30])
def test_no_function_takes_any_text_for_numpy_to_read(name: str, native: Native) -> None:
    """Whatever parameter a text is given for: it is refused, or no word at all as for True and False."""
    flags = {*native.signature.flags, "copy"}
    if name in ("np.array", "np.asarray"):
        flags |= {"object", "a"}  # which become arrays of texts
    for parameter in native.signature.every_name:
        if parameter in flags or parameter in native.signature.none_by_default:
            continue
        needed = {
            p: FITTING.get(p, MATRIX) for p in native.signature.positional if p in native.signature.required
        }
        given = {**needed, parameter: "'empty'"}
        positional = [value for p, value in given.items() if p in needed]
        named = [f"{p}={value}" for p, value in given.items() if p not in needed]
        last = _last_message(f"_r = {name}({', '.join([*positional, *named])})")
        assert last["severity"] == "error", (name, parameter)
        assert last["code"] != "internal_error", (name, parameter)


@pytest.mark.parametrize("mode", PAD_MODES)
def test_every_listed_mode_of_padding_gives_numpys_own_numbers(mode: str) -> None:
    source = f"import numpy as np\nprint(np.pad([[1.0, 2.0, 4.0], [8.0, 9.0, 3.0]], 2, '{mode}').tolist())"
    expected = np.pad([[1.0, 2.0, 4.0], [8.0, 9.0, 3.0]], 2, mode).tolist()  # type: ignore[call-overload]
    assert run_program(ProgramRequest(source, dialect="tf1"))["printed"] == [str(expected)]


@pytest.mark.slow
@pytest.mark.timeout(1200)  # of a few hundred processes, on a busy machine
def test_no_call_of_numpy_is_computed_before_it_is_sized() -> None:
    """Thousands of calls in processes of little memory: none fills it, takes long or is our mistake."""
    walk = [sys.executable, "-m", "tests.engine.languages.surfaces.numpy.large_calls"]
    done = subprocess.run(walk, capture_output=True, text=True, check=True, cwd=ENGINE.parent, timeout=600)
    found = json.loads(done.stdout)
    assert found["wrong"] == {}
    assert found["calls"] > 1000


def test_a_call_comes_with_the_arrays_that_it_names() -> None:
    assert program("np.outer(R, b=C[:, 0])").split("\n") == [
        "import numpy as np",
        "C = np.ones((20_000, 1))",
        "R = np.ones((1, 20_000))",
        "np.outer(R, b=C[:, 0])",
    ]
    assert mistake_in("np.outer(Q, Q)") == "unknown_name"  # else nothing would be asked for


# -- memory as it was left ---------------------------------------------------------------------------

# Files that make arrays of memory as it is, and why no program reads any of it before it is written.
OVERWRITTEN = {
    "interchange/reading/tensors.py": "reads the bytes of a file, all of them",
    "execution/backends/numpy_calls/array_loop.py": "a row for each step; only the rows of steps "
    "that were taken are kept",
    "execution/backends/python_numbers/column_by_column.py": "filled whole by one call",
    "execution/backends/python_numbers/number_loop.py": "given back at once",
    "execution/backends/numba_loops/machine_code.py": "an example in a docstring",
    "execution/batching/evaluate.py": "each block of rows is written by its own turn",
    "execution/batching/machine.py": "an example of its type, of no elements",
    "execution/batching/stacks.py": "a row for each step; only the rows of steps that were taken are kept",
    "execution/batching/execution_plan.py": "written whole by the call that it is made for",
    "execution/backends/numba_loops/array_machine.py": "an example of its type",
    "execution/backends/numba_loops/emitter.py": "written by the code that it is made for, and then read",
    "execution/backends/numba_loops/places.py": "asked for its strides only",
    "execution/backends/numpy_calls/looping.py": "written whole by the code that it is made for",
    "execution/backends/python_numbers/number_loops.py": "filled whole by one call",
    "execution/backends/python_numbers/scans.py": "an example of its type, of no elements",
    "execution/backends/numpy_calls/scratch.py": "written whole by the code that it is made for",
    "programs/program/packing/arrays.py": "reads the bytes of an array, all of them",
    "languages/surfaces/torch/random/generator.py": "np.frombuffer of a text of bytes that is full",
}


AS_IT_WAS_LEFT = ("np.empty", "np.empty_like", "np.ndarray", "np.resize", "np.frombuffer")


def _is_of_objects_or_none(call: Any) -> bool:
    """Whether an array holds nothing: no elements, or objects, which are None at first."""
    of_objects = any(
        keyword.arg == "dtype" and ast.unparse(keyword.value) == "object" for keyword in call.keywords
    )
    return of_objects or ast.unparse(call.args[0]).startswith(("(0", "0"))


@pytest.mark.slow
def test_no_memory_as_it_was_left_reaches_a_program() -> None:
    """numpy's empty arrays are made only where they are written before anything reads them."""
    found = set()
    for path in ENGINE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            makes = isinstance(node, ast.Call) and ast.unparse(node.func) in AS_IT_WAS_LEFT
            if makes and not _is_of_objects_or_none(node):
                found.add(str(path.relative_to(ENGINE)))
    assert found <= set(OVERWRITTEN)


def test_what_numpy_calls_empty_is_zeros() -> None:
    source = "import numpy as np\nfor i in range(20):\n    a = np.ones(1000) * 7\nprint(np.empty(1000).sum())"
    assert run_program(ProgramRequest(source, dialect="tf1"))["printed"] == ["0.0"]
