"""The Python subset: what ordinary programs print, checked against Python by hand."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program


def printed(source: str) -> str:
    answer = run_program(ProgramRequest(source, dialect="tf1"))
    assert answer["status"] == "ok", answer["diagnostics"]
    return "\n".join(answer["printed"])


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("a = b = 2\na += 1\nprint(a, b)", "3 2"),
        ("a, (b, *c) = 1, (2, 3, 4)\nprint(a, b, c)", "1 2 [3, 4]"),
        ("x = [1, 2, 3]\nx[0] *= 5\nx[1:2] = [7, 8]\nprint(x)", "[5, 7, 8, 3]"),
        ("d = {'k': 1}\nd['k'] += 2\nd['z'] = None\nprint(d)", "{'k': 3, 'z': None}"),
        ("n: int = 3\nprint(n)", "3"),
        ("x = 3\ndel x\nx = 4\nprint(x)", "4"),
    ],
)
def test_assignments_of_all_kinds(source: str, shown: str) -> None:
    assert printed(source) == shown


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        (
            "for i in range(5):\n    if i == 1:\n        continue\n    if i == 3:\n        break\n"
            "    print(i)",
            "0\n2",
        ),
        ("for i in []:\n    pass\nelse:\n    print('none')", "none"),
        ("k = 0\nwhile k < 3:\n    k += 1\nelse:\n    print(k)", "3"),
        ("for a, b in zip([1, 2], 'xy'):\n    print(a, b)", "1 x\n2 y"),
        ("for i, v in enumerate([5, 6], 1):\n    print(i, v)", "1 5\n2 6"),
        ("for k in {'a': 1}:\n    print(k)", "a"),
        ("if 0 < 2 <= 2 and not None:\n    print('yes')\nelif 1:\n    print('no')", "yes"),
        ("print(1 if [] else 2, 3 or 4, 0 and 5)", "2 3 0"),
        ("print('b' in 'abc', 4 not in [1], None is None)", "True True True"),
    ],
)
def test_control_flow(source: str, shown: str) -> None:
    assert printed(source) == shown


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        (
            "def f(a, b=2, *c, d=4, **e):\n    return a, b, c, d, e\nprint(f(1, 3, 5, d=6, z=7))",
            "(1, 3, (5,), 6, {'z': 7})",
        ),
        ("def fact(n):\n    return 1 if n < 2 else n * fact(n - 1)\nprint(fact(20))", "2432902008176640000"),
        (
            "def counter():\n    n = 0\n    def up():\n        nonlocal n\n        n += 1\n        return n\n"
            "    return up\nc = counter()\nc()\nprint(c())",
            "2",
        ),
        ("n = 1\ndef f():\n    global n\n    n = 5\nf()\nprint(n)", "5"),
        ("print((lambda x, y=2: x ** y)(3))", "9"),
        ("def f():\n    '''doc'''\nprint(f())", "None"),
        (
            "def f(x):\n    for i in range(10):\n        while True:\n            return i + x\nprint(f(4))",
            "4",
        ),
    ],
)
def test_functions(source: str, shown: str) -> None:
    assert printed(source) == shown


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        (
            "def f(n):\n    for i in range(n):\n        yield i * i\nprint(list(f(3)), sum(f(4)))",
            "[0, 1, 4] 14",
        ),
        (
            "def f():\n    yield 1\n    yield from [2, 3]\n    return\n    yield 4\nprint([v for v in f()])",
            "[1, 2, 3]",
        ),
        ("def f():\n    yield 'a'\ng = f()\nprint(next(g), next(g, 'none'))", "a none"),
    ],
)
def test_generator_functions(source: str, shown: str) -> None:
    assert printed(source) == shown


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("print([x * y for x in range(3) for y in range(3) if x != y])", "[0, 0, 0, 2, 0, 2]"),
        ("print({k: v for k, v in zip('ab', [1, 2])}, {1 % 2})", "{'a': 1, 'b': 2} {1}"),
        ("print(sum(i * i for i in range(4)), any(v > 2 for v in [1, 3]))", "14 True"),
        ("x = 9\ny = [x for x in range(3)]\nprint(x)", "9"),
        (
            "print(sorted([3, 1, 2], key=lambda v: -v), max('abc'), min([2, 1]), abs(-3), round(2.567, 2))",
            "[3, 2, 1] c 1 3 2.57",
        ),
        (
            "print(list(map(lambda v: v + 1, [1, 2])), list(reversed([1, 2])), tuple(filter(None, [0, 1])))",
            "[2, 3] [2, 1] (1,)",
        ),
        (
            "print(type(3).__name__, isinstance(2.0, (int, float)), int('7'), float('1e3'), str(5) + '!')",
            "int True 7 1000.0 5!",
        ),
        ("print('abc'[::-1], [1, 2, 3][-1], (1, 2, 3)[1:])", "cba 3 (2, 3)"),
    ],
)
def test_comprehensions_and_built_ins(source: str, shown: str) -> None:
    assert printed(source) == shown


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("print('%d: %5.2f %s %r %%' % (3, 2.5, 'a', 'b'))", "3:  2.50 a 'b' %"),
        ("print('%(k)d' % {'k': 3}, '%s' % [1.0], '%e' % 1234.5)", "3 [1.0] 1.234500e+03"),
        ("print(f'{1/3:.3f} {\"a\"!r:>5} {3:{5}}|')", "0.333   'a'     3|"),
        ("print('{} {1}'.format(1, 2) if False else '{0} {k:.1e}'.format(1, k=2.0))", "1 2.0e+00"),
        ("print('a', 'b', sep='-', end='!\\n')", "a-b!"),
        (
            "print('a,b'.split(','), '-'.join(['x', 'y']), ' p '.strip().upper(), 'abc'.replace('b', 'd'))",
            "['a', 'b'] x-y P adc",
        ),
        (
            "import numpy as np\nprint(np.float32(0.1), [np.float32(3)], np.array([1., 2.]), 1e20, 2**0.5)",
            "0.1 [3.0] [1. 2.] 1e+20 1.4142135623730951",
        ),
    ],
)
def test_text(source: str, shown: str) -> None:
    assert printed(source) == shown


def test_a_trailing_expression_is_the_result() -> None:
    answer = run_program(ProgramRequest("import math\nmath.sqrt(16)"))
    assert answer["result"] == {"kind": "number", "value": 4.0}


def test_indentation_that_all_lines_share_is_cut_and_columns_stay() -> None:
    answer = run_program(ProgramRequest("    x = 1\n    print(y)", dialect="tf1"))
    (reported,) = answer["diagnostics"]
    assert (reported["line"], reported["column"], reported["end_column"]) == (2, 11, 12)


def test_spaces_from_web_pages_are_mended() -> None:
    assert printed("x\u00a0=\u00a03\nprint(x)") == "3"


def test_columns_count_characters_not_bytes() -> None:
    answer = run_program(ProgramRequest("名 = '梯度'; print(q)", dialect="tf1"))
    (reported,) = answer["diagnostics"]
    assert (reported["column"], reported["end_column"]) == (17, 18)


ONE_BY_ONE = """
def made(i):
    print("make", i)
    return i

%s
"""


@pytest.mark.parametrize(
    ("use", "shown"),
    [
        ("print(any(made(i) for i in range(3)))", ["make 0", "make 1", "True"]),
        ("print(all(made(i) for i in [1, 0, 2]))", ["make 1", "make 0", "False"]),
        ("g = (made(i) for i in range(2))\nprint('begun')\nprint(next(g))", ["begun", "make 0", "0"]),
        ("for i in (made(i) for i in range(2)):\n    print(i)", ["make 0", "0", "make 1", "1"]),
        ("print(next(i for i in range(9) if i > 1 and not print('at', i)))", ["at 2", "2"]),
    ],
)
def test_an_expression_that_calls_the_program_gives_its_items_one_by_one(use: str, shown: list[str]) -> None:
    """Python 3.11 prints these lines in this order."""
    assert run_program(ProgramRequest(ONE_BY_ONE % use))["printed"] == shown
