"""Machine code: the same bits as the Python that it comes from, in the background, and never needed."""

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from engine.execution.backends.numba_loops import machine_code
from engine.execution.backends.numba_loops.machine_code import MachineCode, compiled
from engine.execution.backends.numpy_calls.text import NAMES, OF_FLOATS
from engine.execution.backends.templates import function_of

pytestmark = pytest.mark.slow  # compiles machine code

pytest.importorskip("numba")


def halved(steps, column, x):
    for k in range(steps):
        column[k] = x
        x = x - 0.5 * x
    return x


def test_it_does_what_the_function_does() -> None:
    column = np.empty(3)
    code = compiled(halved, 3, column, 8.0)
    assert code(3, column, 8.0) == 1.0
    assert list(column) == [8.0, 4.0, 2.0]


def test_other_types_are_refused_not_compiled_while_somebody_waits() -> None:
    code = compiled(halved, 3, np.empty(3), 8.0)
    with pytest.raises(TypeError):
        code(3, np.empty(3, np.float32), 8.0)


def test_it_compiles_in_the_background() -> None:
    code = MachineCode(halved, 3, np.empty(3), 8.0)
    code.begin().join()
    assert code.ready is not None
    assert code.ready is code.wait()
    assert code.ready(1, np.empty(1), 8.0) == 4.0


def test_what_numba_cannot_compile_stays_python() -> None:
    code = MachineCode(lambda: getattr(math, "sin"), ())  # noqa: B009
    assert code.wait() is None
    assert code.error is not None


@pytest.mark.parametrize("limit", ["RLIMIT_AS", "RLIMIT_CPU"])
def test_nothing_is_compiled_under_limits(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    resource = pytest.importorskip("resource")
    assert machine_code.available()
    monkeypatch.setattr(
        resource, "getrlimit", lambda which: (2**32 if which == getattr(resource, limit) else -1, -1)
    )
    assert not machine_code.available()


def test_without_numba_nothing_is_available(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine_code, "_installed", lambda: False)
    assert not machine_code.available()


def written(texts: Sequence[str]) -> Callable[..., Any]:
    """The function that puts what each text makes of a[k] and b[k] into a row of r."""
    code = "".join(f"  r[{row}, k] = {text.format('a[k]', 'b[k]')}\n" for row, text in enumerate(texts))
    names = {"range": range, **{name: NAMES[name] for name in NAMES if f"{name}(" in code}}
    return function_of(f"def f(n, r, a, b):\n for k in range(n):\n{code}", names)


def test_every_operation_gives_the_same_bits() -> None:
    draw = np.random.default_rng(1)
    a, b = draw.normal(size=(2, 500)) * 10.0 ** draw.integers(-9, 3, (2, 500))
    found = np.empty((len(OF_FLOATS), 500))
    arguments = 500, found, a, b
    compiled(written(list(OF_FLOATS.values())), *arguments)(*arguments)
    for row, (ufunc, text) in zip(found, OF_FLOATS.items(), strict=True):
        function, expected = written([text]), np.empty((1, 1))
        for k in range(500):
            try:
                function(1, expected, a[k:], b[k:])
            except (ArithmeticError, ValueError):
                assert not np.isfinite(row[k]), ufunc  # so what Python raises on can be seen afterwards
            else:
                assert row[k] == expected, ufunc
