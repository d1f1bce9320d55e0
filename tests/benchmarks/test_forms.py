"""What the forms of an example are compared by: all do the same work."""

from __future__ import annotations

import pytest

from benchmarks.forms import FIRST, forms_of_examples
from benchmarks.same_updates import SAME_UPDATES
from engine.programs import run_program


@pytest.mark.parametrize("name", SAME_UPDATES)
def test_the_program_beside_a_form_that_trains_prints_the_same_numbers(name: str) -> None:
    forms = forms_of_examples()[name]
    assert run_program(forms[FIRST])["printed"] == run_program(forms["torch"])["printed"]


def test_a_formula_is_compared_as_the_program_that_the_page_writes_of_it() -> None:
    forms = forms_of_examples()["g19"]
    assert "f1 = a * b * (a + b)" in forms[FIRST].source
    assert forms["math"].source == "f = (a*b) * (a + b)"
