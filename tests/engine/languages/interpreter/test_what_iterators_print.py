"""What Python prints for iterators, generators and their types; addresses are left out here."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program

START = "import itertools\nimport torch.nn as nn\nm = nn.Linear(1, 1)\ndef g():\n    yield 1\n"


def printed(source: str) -> str:
    answer = run_program(ProgramRequest(source))
    assert answer["status"] == "ok", answer["diagnostics"]
    return "\n".join(answer["printed"])


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("zip([1], [2])", "<zip object>"),
        ("map(abs, [1]), filter(None, [1])", "<map object> <filter object>"),
        ("enumerate([1]), reversed([1])", "<enumerate object> <list_reverseiterator object>"),
        ("(i for i in range(3)), g()", "<generator object <genexpr>> <generator object g>"),
        ("[zip([1], [2])], iter([1])", "[<zip object>] <list_iterator object>"),
        ("iter('a'), iter({1: 2})", "<str_ascii_iterator object> <dict_keyiterator object>"),
        ("itertools.combinations([1, 2], 2)", "<itertools.combinations object>"),
        (
            "m.parameters(), m.named_children()",
            "<generator object Module.parameters> <generator object Module.named_children>",
        ),
        ("list(zip([1], [2])), dict(zip('ab', [1, 2]))", "[(1, 2)] {'a': 1, 'b': 2}"),
    ],
)
def test_an_iterator_prints_as_what_it_is_and_not_as_its_items(expression: str, expected: str) -> None:
    assert printed(f"{START}print({expression})") == expected


def test_the_type_of_a_random_key_is_jaxs() -> None:
    source = "import jax\nfor key in jax.random.key(0), jax.random.PRNGKey(0):\n    print(type(key))"
    assert printed(source) == "<class 'jax._src.random.prng.PRNGKeyArray'>\n<class 'jaxlib._jax.ArrayImpl'>"
