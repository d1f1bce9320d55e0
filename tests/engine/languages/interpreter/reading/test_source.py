"""The text of a node is cut out of the program as Python's own `ast` cuts it."""

from __future__ import annotations

import ast

import pytest

from engine.languages.interpreter.reading.source import read_source
from tests.limits import ROOMY

PROGRAMS = {
    "lines": "if a and (b +\n    c):\n    d = '''e\n  f'''\nassert d\n",
    "characters of several bytes": "é = '梯度'; ü = é + 'ß'\nprint(f'{é}≤{ü!r}')\n",
    "indented": "    x = 1\n    y = (x,\n         x)\n",
}


@pytest.mark.parametrize("text", PROGRAMS.values(), ids=PROGRAMS)
def test_a_segment_is_that_of_ast(text: str) -> None:
    source = read_source(text, ROOMY)
    nodes = list(ast.walk(ast.parse(source.text)))
    assert len(nodes) > 10
    for node in nodes:
        assert source.segment(node) == (ast.get_source_segment(source.text, node) or "")
