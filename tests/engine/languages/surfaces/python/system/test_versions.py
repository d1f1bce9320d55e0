"""`packaging.version`: what it says of the same versions."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("P('2.8.0') < P('2.10'), P('2.8') == P('2.8.0')", "True True"),
        ("P('2.0.0rc1') < P('2.0.0'), P('1.0.post1') > P('1.0')", "True True"),
        ("P('2.1.0+cu118') >= P('2.1'), max(P('1.2'), P('1.10'))", "True 1.10"),
        ("P('3.11.2'), [P('2.8')], isinstance(P('1'), version.Version)", "3.11.2 [<Version('2.8')>] True"),
    ],
)
def test_versions_compare_part_by_part(expression: str, expected: str) -> None:
    source = f"from packaging import version\nP = version.parse\nprint({expression})"
    answer = run_program(ProgramRequest(source))
    assert answer["printed"] == [expected], answer["diagnostics"]


def test_what_is_no_version_is_refused() -> None:
    answer = run_program(ProgramRequest("from packaging import version\nprint(version.parse('two'))"))
    assert answer["diagnostics"][0]["message"] == "Invalid version: 'two'"
