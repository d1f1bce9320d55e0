"""One planner of memory: pieces that nothing needs any more are used again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
import pytest

from engine.execution.backends.numba_loops import emitter
from engine.execution.backends.numba_loops.array_machine import machine_program
from engine.execution.backends.numpy_calls.writing import write_program
from engine.execution.batching import execution_plan
from engine.execution.batching.nodes import Variables, plan_for, record
from engine.execution.batching.trace import Trace
from engine.execution.tracing import memory
from engine.execution.tracing.memory import Memory, Use, plan_memory
from engine.execution.tracing.walk import lowered_program
from engine.graph import Graph, Tensor
from engine.ops import placeholder, reduce_sum
from engine.ops.elementwise.trigonometry import sin


def chain(length: int, over: bool) -> list[Use]:
    """Results 1, 2, …, each made of the one before."""
    return [Use([n], [(n + 1, "row")], [n] if over else ()) for n in range(length)]


def test_a_chain_needs_two_pieces_or_one_where_a_result_may_overwrite_what_it_is_made_of() -> None:
    given = {0: ("x", "another kind")}
    assert list(plan_memory(chain(9, over=False), given, [9]).made) == ["b0", "b1"]
    assert list(plan_memory(chain(9, over=True), given, [9]).made) == ["b0"]


def test_what_is_needed_at_the_end_keeps_its_piece() -> None:
    found = plan_memory(chain(3, over=True), {0: ("x", "row")}, [0, 1, 3])
    assert found.of[0] == "x"
    assert len({found.of[n] for n in (0, 1, 3)}) == 3


def test_a_result_takes_the_piece_that_is_wanted_for_it_once_that_is_free() -> None:
    new_value = [Use([0], [(1, "row")]), Use([0, 1], [(2, "row")], [0, 1])]
    assert plan_memory(new_value, {0: ("x", "row")}, [2], {2: "x"}).of[2] == "x"
    assert plan_memory(new_value, {0: ("x", "row")}, [0, 2], {2: "x"}).of[2] != "x"


def test_only_pieces_of_one_kind_replace_each_other() -> None:
    uses = [Use([0], [(1, "row")]), Use([1], [(2, "table")]), Use([2], [(3, "row")])]
    found = plan_memory(uses, {}, [3])
    assert found.made == {"b0": "row", "b1": "table"}
    assert found.of[3] == found.of[1]


# -- who asks it ------------------------------------------------------------------------------------------

LENGTH, NUMBERS = 12, 50
Count = Callable[[Tensor, Tensor], int]  # of the arrays that a graph is computed in


def a_piece_each(uses: Sequence[Use], given: Any, last: Any, wanted: Any = None) -> Memory:
    """A planner that never uses memory again."""
    found = Memory({number: name for number, (name, _) in given.items()}, {})
    for use in uses:
        for number, kind in use.makes:
            found.of[number] = f"own{number}"
            found.made[f"own{number}"] = kind
    return found


def in_calls_of_numpy(x: Tensor, y: Tensor) -> int:
    written = write_program(lowered_program([y], [x], [(NUMBERS,)], {}))
    return len(written.constants["scratch"].arrays)


def in_a_batch(x: Tensor, y: Tensor) -> int:
    trace = Trace()
    given = {x: trace.changing(np.zeros((3, NUMBERS)))}
    value = record(trace, plan_for([y], given), [y], given, Variables({})).values[y]
    plan = trace.plan([value])
    return len({id(call.args[-1]) for call in plan.calls if isinstance(call, partial)})


def in_machine_code(x: Tensor, y: Tensor) -> int:
    text, _ = machine_program(lowered_program([y], [x], [(NUMBERS,)], {}))
    return text.block.memory.size // NUMBERS - 1  # x stands there, too


def waves(length: int) -> tuple[Tensor, Tensor]:
    """A vector, and what comes of it by sines and sums; a sum has to wait for all elements."""
    with Graph(default_float="float64").as_default():
        x = placeholder("float64", shape=(NUMBERS,))
        y = x
        for _ in range(length):
            y = sin(y - reduce_sum(y))
    return x, y


PLACES = [memory, execution_plan, emitter]
WAYS: list[Count] = [in_calls_of_numpy, in_a_batch, in_machine_code]


@pytest.mark.parametrize("arrays", WAYS)
def test_each_way_to_run_uses_memory_again(arrays: Count) -> None:
    assert arrays(*waves(LENGTH)) <= 3


@pytest.mark.parametrize("arrays", WAYS)
def test_no_way_to_run_uses_memory_again_by_itself(arrays: Count, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in PLACES:
        monkeypatch.setattr(place, "plan_memory", a_piece_each)
    assert arrays(*waves(LENGTH)) >= LENGTH - 1
