"""Every argument of every function that is offered is asked of the real library, by position and by name."""

from __future__ import annotations

import pytest

from .arguments import Arguments
from .asked import asked, ways_of
from .drawn.expressions import RELEASES, recorded_signatures
from .recordings import RECORDINGS

# What is compared in another way than by an expression, or has no values of its own.
NOT_ASKED = {
    "tf1": {
        "train.AdagradDAOptimizer": "it takes a global step: tests/data/compared/tensorflow1.json",
        "train.MomentumOptimizer": "its momentum has no default: tests/data/optimizers",
    },
    "tf2": {
        "config.experimental_run_functions_eagerly": "tests/data/compared/tensorflow2_functions.json",
        "config.run_functions_eagerly": "tests/data/compared/tensorflow2_functions.json",
        "nest.flatten": "it takes any structure: tests/engine/languages/surfaces/tf2",
        "strings.split": "it is refused for several texts: tests/data/compared/tensorflow2_texts.json",
    },
}


@pytest.mark.parametrize("dialect", RELEASES)
def test_every_argument_is_given_by_position_and_by_name(dialect: str) -> None:
    missing = {one.name: sorted(one.missing) for one in asked(dialect) if one.missing}
    assert {name: ways for name, ways in missing.items() if name not in NOT_ASKED[dialect]} == {}


@pytest.mark.parametrize("recording", [r for r in RECORDINGS if r.name.startswith("expressions")])
def test_what_is_recorded_asks_as_much_as_what_is_made_now(recording) -> None:
    sources = [program["source"] for program in recording.content()["programs"]]
    recorded = ways_of(sources, recording.dialect)
    for one in asked(recording.dialect):
        assert one.given <= recorded[one.name], one.name


@pytest.mark.parametrize("dialect", RELEASES)
def test_what_is_not_asked_is_there(dialect: str) -> None:
    assert set(NOT_ASKED[dialect]) <= set(recorded_signatures(RELEASES[dialect]))


@pytest.mark.parametrize("values", ["ints, tf.int8", "hollow", "holes", "halves", "doubles"])
def test_small_integers_empty_arrays_and_other_types_are_among_the_values(values: str) -> None:
    tables = Arguments.of("tensorflow")
    for table in (tables.unary, tables.reductions):
        assert all(values in table[name] for name in table if name in ("x", "input_tensor"))
