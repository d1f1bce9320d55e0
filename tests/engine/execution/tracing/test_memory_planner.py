"""One planner of memory: pieces that nothing needs any more are used again."""

from __future__ import annotations

from engine.execution.tracing.memory import Use, plan_memory


def chain(length: int, over: bool) -> list[Use]:
    """Results 1, 2, …, each made of the one before."""
    return [Use([n], [(n + 1, "row")], [n] if over else ()) for n in range(length)]


def test_a_chain_needs_two_pieces_or_one_where_a_result_may_overwrite_what_it_is_made_of() -> None:
    given = {0: ("x", "another kind")}
    assert list(plan_memory(chain(9, over=False), given, [9]).made) == ["b0", "b1"]
    assert list(plan_memory(chain(9, over=True), given, [9]).made) == ["b0"]


def test_what_is_needed_at_the_end_keeps_its_piece() -> None:
    memory = plan_memory(chain(3, over=True), {0: ("x", "row")}, [0, 1, 3])
    assert memory.of[0] == "x"
    assert len({memory.of[n] for n in (0, 1, 3)}) == 3


def test_a_result_takes_the_piece_that_is_wanted_for_it_once_that_is_free() -> None:
    new_value = [Use([0], [(1, "row")]), Use([0, 1], [(2, "row")], [0, 1])]
    assert plan_memory(new_value, {0: ("x", "row")}, [2], {2: "x"}).of[2] == "x"
    assert plan_memory(new_value, {0: ("x", "row")}, [0, 2], {2: "x"}).of[2] != "x"


def test_only_pieces_of_one_kind_replace_each_other() -> None:
    uses = [Use([0], [(1, "row")]), Use([1], [(2, "table")]), Use([2], [(3, "row")])]
    memory = plan_memory(uses, {}, [3])
    assert memory.made == {"b0": "row", "b1": "table"}
    assert memory.of[3] == memory.of[1]
