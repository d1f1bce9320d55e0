"""Functions that PyTorch rounds once, with its last digits in both precisions (PyTorch 2.14.1)."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program
from tests.limits import ROOMY

PROGRAM = """
import torch
torch.manual_seed(0)
a, b, c = (torch.randn(3, dtype=torch.{1}) for _ in range(3))
print(({0}).tolist())
"""
DIGITS = {
    ("torch.add(a, b, alpha=0.7)", "float32"): [1.938897967338562, -1.052594542503357, -3.157806158065796],
    ("torch.add(a, b, alpha=0.7)", "float64"): [1.9388980023405107, -1.052594545457761, -3.157806158834171],
    ("a.sub(b, alpha=1.3)", "float32"): [0.8020354509353638, 1.1164500713348389, -0.3606153428554535],
    ("a.sub(b, alpha=1.3)", "float64"): [0.8020354477791751, 1.1164501393902808, -0.36061536809241757],
    ("torch.lerp(a, b, 0.3)", "float32"): [1.2492265701293945, -0.530756950378418, -1.9447312355041504],
    ("torch.lerp(a, b, 0.3)", "float64"): [1.2492266589550307, -0.5307569367598687, -1.9447311860634533],
    ("torch.lerp(a, b, 0.8)", "float32"): [0.762944221496582, -0.9263036847114563, -1.5546342134475708],
    ("torch.lerp(a, b, 0.8)", "float64"): [0.7629442434733429, -0.926303655091406, -1.5546341927116127],
    ("torch.lerp(a, b, c)", "float32"): [1.1487151384353638, -0.9563860893249512, -2.7399497032165527],
    ("torch.lerp(a, b, c)", "float64"): [1.1487151495598436, -0.9563860375462192, -2.739949819687402],
    ("torch.addcmul(a, b, c, value=0.9)", "float32"): [
        *(1.7473435401916504, -1.1114013195037842, -1.273434042930603),
    ],
    ("torch.addcmul(a, b, c, value=0.9)", "float64"): [
        *(1.7473435756505915, -1.1114013592690175, -1.2734340784749898),
    ],
    ("a.addcdiv(b, c, value=0.9)", "float32"): [
        *(2.809353828430176, -1.4581537246704102, -0.42874062061309814),
    ],
    ("a.addcdiv(b, c, value=0.9)", "float64"): [
        *(2.8093539807785577, -1.4581537714941866, -0.42874059077438775),
    ],
    ("a.clone().add_(b, alpha=-0.3)", "float32"): [
        *(1.370466709136963, 0.03192782402038574, -1.7592107057571411),
    ],
    ("a.clone().add_(b, alpha=-0.3)", "float64"): [
        *(1.370466725059843, 0.03192779696625988, -1.7592107634632943),
    ],
}


@pytest.mark.parametrize(("call", "kind"), DIGITS)
def test_the_last_digits_are_pytorchs(call: str, kind: str) -> None:
    printed = run_program(ProgramRequest(PROGRAM.format(call, kind)), ROOMY)["printed"]
    assert [float(one) for one in printed[-1].strip("[]").split(",")] == DIGITS[call, kind]


def test_the_gradient_of_tanh_is_rounded_once_in_double_precision_too() -> None:
    source = """
import torch
x = torch.tensor([0.25, 2.0, -1.75], dtype=torch.float64, requires_grad=True)
torch.tanh(x).backward(torch.ones(3, dtype=torch.float64))
print(x.grad.tolist())
"""
    printed = run_program(ProgramRequest(source), ROOMY)["printed"]
    assert printed == ["[0.940014848806378, 0.07065082485316443, 0.11381209551894218]"]
