"""Complex and decimal numbers: what Python prints for the same lines."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program

START = (
    "import cmath, decimal, math\nfrom decimal import Decimal, getcontext\nimport numpy as np\nz = 3 + 4j\n"
)


def printed(source: str) -> list[str]:
    answer = run_program(ProgramRequest(START + source))
    assert answer["status"] == "ok", answer["diagnostics"]
    lines: list[str] = answer["printed"]
    return lines


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("z, abs(z), z.real, z.conjugate(), z ** 2, -z", "((3+4j), 5.0, 3.0, (3-4j), (-7+24j), (-3-4j))"),
        ("(-8) ** (1 / 3)", "(1.0000000000000002+1.7320508075688772j)"),
        ("complex('1+2j'), complex(1, -2), isinstance(z, complex)", "((1+2j), (1-2j), True)"),
        ("f'{z:.2f}'", "3.00+4.00j"),
        ("cmath.sqrt(-1), cmath.phase(1j)", "(1j, 1.5707963267948966)"),
        ("np.abs(z), np.imag(z), np.conj(z), np.sqrt(-1 + 0j)", "(5.0, 4.0, (3-4j), 1j)"),
        ("Decimal('0.1') + Decimal('0.2'), Decimal(7) // 2", "(Decimal('0.3'), Decimal('3'))"),
        ("Decimal(1) / Decimal(7)", "0.1428571428571428571428571429"),
        ("Decimal('2.675').quantize(Decimal('0.01'), rounding=decimal.ROUND_HALF_UP)", "2.68"),
        ("f\"{Decimal('3.14159'):.2f}\", sum([Decimal('0.1')] * 3)", "('3.14', Decimal('0.3'))"),
    ],
)
def test_what_python_prints(expression: str, expected: str) -> None:
    assert printed(f"print({expression})" if expected[0] != "(" else f"print(({expression}))") == [expected]


def test_the_digits_of_a_context_are_those_of_one_run() -> None:
    source = (
        "getcontext().prec = 4\nprint(Decimal(1) / 3)\nwith decimal.localcontext() as ctx:\n"
        "    ctx.prec = 2\n    print(Decimal(1) / 3)\nprint(Decimal(1) / 3, getcontext().prec)"
    )
    assert printed(source) == ["0.3333", "0.33", "0.3333 4"]
    assert printed("print(getcontext().prec)") == ["28"]


@pytest.mark.parametrize(
    ("statement", "kind"),
    [
        ("z < 1", "TypeError"),
        ("int(z)", "TypeError"),
        ("math.sqrt(z)", "TypeError"),
        ("z / 0", "ZeroDivisionError"),
        ("complex('a')", "ValueError"),
        ("Decimal('x')", "InvalidOperation"),
        ("Decimal(1) / 0", "DivisionByZero"),
        ("Decimal('inf') - Decimal('inf')", "InvalidOperation"),
        ("Decimal(1) + 1.5", "TypeError"),
        ("getcontext().prec = 10 ** 9", "ValueError"),
    ],
)
def test_mistakes_have_pythons_classes(statement: str, kind: str) -> None:
    caught = f"try:\n    {statement}\nexcept Exception as e:\n    print(type(e).__name__)"
    assert printed(caught) == [kind]


@pytest.mark.parametrize(
    "expression", ["np.arange(3) * 1j", "np.array([1j, 2])", "np.multiply(np.ones(2), 1j)"]
)
def test_arrays_of_complex_numbers_are_refused(expression: str) -> None:
    answer = run_program(ProgramRequest(f"{START}{expression}"))
    assert "refused_complex" in [one["code"] for one in answer["diagnostics"]]


@pytest.mark.parametrize("expression", ["tf.constant(1j)", "tf.constant(1.0) * 1j"])
def test_tensors_of_complex_numbers_are_refused(expression: str) -> None:
    answer = run_program(ProgramRequest(f"import tensorflow as tf\n{expression}"))
    (error,) = (one for one in answer["diagnostics"] if one["severity"] == "error")
    assert "complex" in error["message"]


def test_a_page_shows_them_as_text() -> None:
    answer = run_program(ProgramRequest("z = 1 + 2j\nd = [z]\nz"))
    assert answer["status"] == "ok"


@pytest.mark.parametrize("expression", ["int(Decimal('1e9999'))", "f\"{Decimal('1e999999'):f}\""])
def test_huge_decimal_numbers_are_not_written_out(expression: str) -> None:
    answer = run_program(ProgramRequest(f"{START}print({expression})"))
    assert answer["status"] != "ok"
