"""Complex tensors: what PyTorch 2.14.1 prints of them, refuses, and sends back through them."""

from __future__ import annotations

import pytest

from engine.programs import ProgramRequest, run_program
from engine.programs.service import tell_lesson
from gradlens.run import program_limits

GIVEN = """import torch
z = torch.tensor([1+2j, 3-1j])
r = torch.tensor([0.5, 2.0])
A = torch.tensor([[1+1j, 2-1j], [0.5j, 1]])
"""
PRINTED = (
    (
        "torch.tensor([[1.5+2j,-3.25-1j],[0j,1]])",
        "tensor([[ 1.5000+2.j, -3.2500-1.j],\n        [ 0.0000+0.j,  1.0000+0.j]])",
    ),
    ("torch.tensor([1e6+2j,1.5-0.001j])", "tensor([1.0000e+06+2.0000e+00j, 1.5000e+00-1.0000e-03j])"),
    ("torch.tensor(1j, dtype=torch.complex128)", "tensor(0.+1.j, dtype=torch.complex128)"),
    ("z * 2 + r", "tensor([2.5000+4.j, 8.0000-2.j])"),
    ("1j - r", "tensor([-0.5000+1.j, -2.0000+1.j])"),
    ("z / (1+1j)", "tensor([1.5000+0.5000j, 1.0000-2.0000j])"),
    ("2**z", "tensor([0.3669+1.9661j, 6.1539-5.1117j])"),
    ("z**z", "tensor([ -0.2225+0.1007j, -11.8982-19.5929j])"),
    ("z**0.5", "tensor([1.2720+0.7862j, 1.7553-0.2848j])"),
    ("(z.real, z.imag)", "(tensor([1., 3.]), tensor([ 2., -1.]))"),
    ("(z.abs(), z.angle())", "(tensor([2.2361, 3.1623]), tensor([ 1.1071, -0.3218]))"),
    ("z.sgn()", "tensor([0.4472+0.8944j, 0.9487-0.3162j])"),
    ("z.sigmoid()", "tensor([1.0214+0.4034j, 0.9722-0.0397j])"),
    ("z.conj() == z", "tensor([False, False])"),
    ("torch.view_as_real(z)", "tensor([[ 1.,  2.],\n        [ 3., -1.]])"),
    ("torch.view_as_complex(torch.ones(2, 2))", "tensor([1.+1.j, 1.+1.j])"),
    ("torch.polar(r, r)", "tensor([ 0.4388+0.2397j, -0.8323+1.8186j])"),
    ("torch.complex(r, -r)", "tensor([0.5000-0.5000j, 2.0000-2.0000j])"),
    ("(z.sum(), z.mean(), z.prod())", "(tensor(4.+1.j), tensor(2.+0.5000j), tensor(5.+5.j))"),
    ("(z.var(), z.norm())", "(tensor(6.5000), tensor(3.8730))"),
    ("torch.vdot(z, z)", "tensor(15.+0.j)"),
    ("A @ z", "tensor([4.-2.0000j, 2.-0.5000j])"),
    ("A.H", "tensor([[1.-1.0000j, 0.-0.5000j],\n        [2.+1.0000j, 1.-0.0000j]])"),
    ("torch.kron(A, z)[0]", "tensor([-1.+3.j,  4.+2.j,  4.+3.j,  5.-5.j])"),
    (
        "torch.linalg.inv(torch.tensor([[2, 1j], [0, 1]]))",
        "tensor([[0.5000+0.0000j, 0.0000-0.5000j],\n        [0.0000+0.0000j, 1.0000+0.0000j]])",
    ),
    ("torch.linalg.eigvals(torch.tensor([[0.0, 1.0], [-1.0, 0.0]]))", "tensor([0.+1.j, 0.-1.j])"),
    ("torch.linalg.eigh(torch.tensor([[2, 1-1j], [1+1j, 3]])).eigenvalues", "tensor([1., 4.])"),
    ("(z[0].item(), abs(z[0]), z.is_complex(), z.conj().is_conj())", "((1+2j), tensor(2.2361), True, True)"),
    ("torch.ones(2, dtype=torch.float64) * 1j", "tensor([0.+1.j, 0.+1.j], dtype=torch.complex128)"),
    ("torch.arange(3) * 1j", "tensor([0.+0.j, 0.+1.j, 0.+2.j])"),
    ("r * torch.tensor(1j, dtype=torch.complex128)", "tensor([0.+0.5000j, 0.+2.0000j])"),
    ("torch.allclose(A @ torch.linalg.inv(A), torch.eye(2, dtype=torch.cfloat))", "True"),
    (
        "(torch.manual_seed(0), torch.randn(3, dtype=torch.cfloat))[1]",
        "tensor([ 1.0896-0.2075j, -1.5406+0.4019j, -0.7669-0.9890j])",
    ),
    (
        "(torch.manual_seed(0), torch.rand(2, dtype=torch.cdouble))[1]",
        "tensor([0.9701+0.7078j, 0.4594+0.9207j], dtype=torch.complex128)",
    ),
    ("torch.fft.fft(r)", "tensor([ 2.5000+0.j, -1.5000+0.j])"),
    (
        "torch.fft.fft(torch.tensor([1.0, 2.0, 3.0]))",
        "tensor([ 6.0000+0.0000j, -1.5000+0.8660j, -1.5000-0.8660j])",
    ),
    ("torch.fft.ifft(z, n=3)", "tensor([ 1.3333+0.3333j,  0.1220+1.6994j, -0.4553-0.0327j])"),
    (
        "torch.fft.rfft(torch.tensor([1.0, 2.0, 3.0, 5.0]), norm='ortho')",
        "tensor([ 5.5000+0.0000j, -1.0000+1.5000j, -1.5000+0.0000j])",
    ),
    ("torch.fft.irfft(torch.tensor([10, -2+2j, -2]))", "tensor([1., 2., 3., 4.])"),
    ("torch.fft.irfft(torch.tensor([6, 1-1j]), n=3)", "tensor([2.6667, 2.2440, 1.0893])"),
    (
        "torch.fft.fft2(torch.arange(4.0).reshape(2, 2))",
        "tensor([[ 6.+0.j, -2.+0.j],\n        [-4.+0.j,  0.+0.j]])",
    ),
    ("torch.fft.fftfreq(5, d=0.5)", "tensor([ 0.0000,  0.4000,  0.8000, -0.8000, -0.4000])"),
    ("torch.fft.rfftfreq(4)", "tensor([0.0000, 0.2500, 0.5000])"),
    ("torch.fft.fftshift(torch.fft.fftfreq(4))", "tensor([-0.5000, -0.2500,  0.0000,  0.2500])"),
    ("torch.fft.ifftshift(torch.arange(5))", "tensor([2, 3, 4, 0, 1])"),
)
REFUSED = (
    ("z < z", "NotImplementedError \"lt_cpu\" not implemented for 'ComplexFloat'"),
    ("z.max()", "NotImplementedError \"max_all\" not implemented for 'ComplexFloat'"),
    ("z.argmax()", "RuntimeError argmax(): does not support complex input"),
    ("z.sort()", "RuntimeError  Sort does not support complex dtypes on CPU"),
    ("z.floor()", "NotImplementedError floor is not supported for complex inputs"),
    ("z.clamp(0, 1)", "NotImplementedError clamp is not supported for complex types"),
    ("torch.relu(z)", "NotImplementedError clamp is not supported for complex types"),
    ("z // 2", "NotImplementedError \"div_floor_cpu\" not implemented for 'ComplexFloat'"),
    ("torch.atan2(z, z)", "NotImplementedError \"atan2_cpu\" not implemented for 'ComplexFloat'"),
    ("float(z[0])", "RuntimeError value cannot be converted to type double without overflow"),
    ("r.imag", "RuntimeError imag is not implemented for tensors with non-complex dtypes."),
    ("r.add_(z)", "RuntimeError result type ComplexFloat can't be cast to the desired output type Float"),
    ("r.__setitem__(0, 5j)", "RuntimeError value cannot be converted to type float without overflow"),
    (
        "torch.complex(torch.tensor([1]), torch.tensor([2]))",
        "RuntimeError Expected both inputs to be Half, Float or Double tensors but got Long and Long",
    ),
    ("torch.view_as_complex(torch.zeros(2, 3))", "RuntimeError Tensor must have a last dimension of size 2"),
    (
        "(z.requires_grad_() * 2).sum().backward()",
        "RuntimeError grad can be implicitly created only for real scalar outputs but got torch.complex64",
    ),
    (
        "torch.dot(z, r)",
        "RuntimeError dot : expected both vectors to have same dtype, but found ComplexFloat and Float",
    ),
    ("torch.tensor([1j], dtype=torch.float32)", "TypeError must be real number, not complex"),
)
GRADIENT = """x = torch.tensor([0.5+0.4j, 3-1j], requires_grad=True)
y = {}
loss = (y * y.conj()).real.sum() + (y.real if y.is_complex() else y).sum()
loss.backward()
print(x.grad)
print(y.grad_fn.name())
"""
SENT_BACK = (
    ("x.abs()", "tensor([1.7809+1.4247j, 6.9487-2.3162j])\nAbsBackward0"),
    ("x.angle()", "tensor([-2.2922+2.8652j,  0.0356+0.1069j])\nAngleBackward0"),
    ("x.real * 3", "tensor([12.+0.j, 57.+0.j])\nMulBackward0"),
    ("x.imag", "tensor([0.+1.8000j, 0.-1.0000j])\nSelectBackward0"),
    ("x.conj() * x", "tensor([  1.8200+1.4560j, 126.0000-42.0000j])\nMulBackward0"),
    ("x**3", "tensor([7.7430e-01-0.7966j, 1.8240e+03-582.0000j])\nPowBackward0"),
    ("x**x", "tensor([6.8269e-01-0.9643j, 2.2289e+03+376.4491j])\nPowBackward1"),
    ("2**x", "tensor([ 3.7154-0.2683j, 92.9884+3.5432j])\nPowBackward2"),
    ("1 / x", "tensor([-6.4842-7.1386j, -0.1400+0.0800j])\nMulBackward0"),
    ("x * (2-1j)", "tensor([ 7.0000+5.j, 32.0000-9.j])\nMulBackward0"),
    ("x.exp()", "tensor([  6.9551-0.6420j, 817.7098+16.9014j])\nExpBackward0"),
    ("x.log()", "tensor([-1.1844+1.7515j,  0.9264-0.5233j])\nLogBackward0"),
    ("x.sqrt()", "tensor([1.3705+0.8315j, 1.2262-0.3613j])\nSqrtBackward0"),
    ("x.tanh()", "tensor([ 1.4801+1.2187j, -0.0124-0.0272j])\nTanhBackward0"),
    ("x.acosh()", "tensor([-1.7682+2.2892j,  1.3586-0.7398j])\nAcoshBackward0"),
    ("x.sgn()", "tensor([0.6095-0.7618j, 0.0316+0.0949j])\nSgnBackward0"),
    ("x.prod()", "tensor([13.0000+9.0000j,  2.9600-1.2200j])\nProdBackward0"),
    ("x.cumsum(0)", "tensor([10.-0.4000j,  8.-1.2000j])\nCumsumBackward0"),
    ("x.norm()", "tensor([1.1550+0.9240j, 6.9298-2.3099j])\nLinalgVectorNormBackward0"),
    ("x.var()", "tensor([-23.0250+12.8940j,  23.0250-12.8940j])\nVarBackward0"),
    ("torch.outer(x, x.conj())", "tensor([ 27.8200+15.4560j, 131.9200-42.8400j])\nMulBackward0"),
    ("torch.vdot(x, x * x)", "tensor([  48.0143+10.2034j, 1837.5120-604.5240j])\nVdotBackward0"),
    ("torch.view_as_real(x)", "tensor([2.+1.8000j, 7.-1.0000j])\nViewAsRealBackward0"),
    ("torch.polar(x.abs(), x.angle())", "tensor([2.0000+0.8000j, 7.0000-2.0000j])\nPolarBackward0"),
    ("torch.complex(x.real, 2 * x.real)", "tensor([ 6.+0.j, 31.+0.j])\nComplexBackward0"),
    ("torch.where(x.real > 2, x, x * 2j)", "tensor([4.+1.2000j, 7.-2.0000j])\nWhereBackward0"),
    ("torch.fft.fft(x, norm='ortho')", "tensor([2.4142+0.8000j, 6.0000-2.0000j])\nFftC2CBackward0"),
    ("torch.fft.ifft(x, n=3)", "tensor([1.3333+0.2667j, 2.0000-0.6667j])\nFftC2CBackward0"),
    ("torch.fft.irfft(x, n=3)", "tensor([1.3333+0.0000j, 4.0000-1.3333j])\nFftC2RBackward0"),
    ("torch.fft.rfft(x.real)", "tensor([ 4.+0.j, 12.+0.j])\nFftR2CBackward0"),
    ("A @ x", "tensor([ 2.2500-22.7000j, 37.2000-6.7000j])\nMvBackward0"),
    (
        "torch.linalg.solve(torch.tensor([[2, 1j], [0, 1]]), x)",
        "tensor([0.2500-1.3000j, 8.3000-1.7500j])\nLinalgSolveExBackward0",
    ),
    (
        "torch.linalg.eigvals(torch.outer(x, x) + A)",
        "tensor([ 20.4012-32.8627j, 140.3481-20.9121j])\nLinalgEigBackward0",
    ),
    ("x.masked_fill(torch.tensor([True, False]), 0)", "tensor([0.+0.j, 7.-2.j])\nMaskedFillBackward0"),
)


def printed(source: str) -> str:
    """What a program of PyTorch prints."""
    answer = run_program(ProgramRequest(source=GIVEN + source), program_limits())
    return "\n".join(map(str, answer["printed"]))


@pytest.mark.parametrize(("expression", "shown"), PRINTED)
def test_complex_numbers_are_computed_and_printed_as_by_pytorch(expression: str, shown: str) -> None:
    assert printed(f"print({expression})") == shown


@pytest.mark.parametrize(("expression", "message"), REFUSED)
def test_what_pytorch_has_not_for_complex_numbers_is_refused_in_its_words(
    expression: str, message: str
) -> None:
    caught = f"try:\n    {expression}\nexcept Exception as error:\n"
    shown = "    print(type(error).__name__, str(error).split(chr(10))[0])"
    assert printed(caught + shown) == message


@pytest.mark.parametrize(("expression", "shown"), SENT_BACK)
def test_a_gradient_is_that_of_the_real_part_plus_i_times_that_of_the_imaginary_part(
    expression: str, shown: str
) -> None:
    assert printed(GRADIENT.replace("{}", expression)) == shown


def test_a_gradient_of_a_gradient_goes_through_conjugates() -> None:
    source = """x = torch.tensor(0.5+0.4j, dtype=torch.cdouble, requires_grad=True)
g, = torch.autograd.grad((x**3).abs(), x, create_graph=True)
print(torch.autograd.grad(g.real, x)[0])
print(torch.autograd.gradcheck(lambda x: x.exp() / x, x))"""
    assert printed(source) == "tensor(3.0922+0.9370j, dtype=torch.complex128)\nTrue"


def test_a_function_that_takes_no_complex_numbers_here_is_refused() -> None:
    answer = run_program(ProgramRequest(source=GIVEN + "torch.logsumexp(z, 0)"), program_limits())
    (found,) = answer["diagnostics"]
    assert found["message"] == "logsumexp() of complex numbers is not supported."
    assert found["message_zh"] == "不支持复数的 logsumexp()。"


def test_complex_numbers_can_be_changed_through_their_parts() -> None:
    source = """z.real.mul_(2)
z.imag[0] = 7
print(z)
z.conj().mul_(1j)
print(z)
z.real = torch.tensor([1., 0.])
torch.view_as_real(z)[1, 1] = 5
print(z)
x = torch.arange(4.)
torch.view_as_complex(x.view(2, 2)).mul_(1j)
print(x)"""
    shown = ["tensor([2.+7.j, 6.-1.j])", "tensor([ 7.-2.j, -1.-6.j])", "tensor([1.-2.j, 0.+5.j])"]
    assert printed(source) == "\n".join([*shown, "tensor([-1.,  0., -3.,  2.])"])


def test_changing_complex_numbers_through_a_part_is_refused_where_gradients_are_recorded() -> None:
    source = GIVEN + "w = z.clone().requires_grad_() * 1\nw.real.mul_(2)"
    answer = run_program(ProgramRequest(source=source), program_limits())
    assert "through their parts" in answer["diagnostics"][0]["message"]


def test_gradient_descent_of_a_complex_leaf_is_a_loop_like_others() -> None:
    source = """w = torch.tensor(0.5 + 0.5j, requires_grad=True)
for step in range(40):
    loss = (w**3 - 1).abs() ** 2
    loss.backward()
    with torch.no_grad():
        w -= 0.02 * w.grad
    w.grad.zero_()
print(w, loss.item())"""
    assert printed(source) == "tensor(1.0000+1.0193e-06j, requires_grad=True) 1.1649841091809776e-09"


def test_no_lesson_derives_complex_numbers() -> None:
    source = GIVEN + "w = z.clone().requires_grad_()\n(w * w).abs().sum().backward()"
    lesson = tell_lesson(ProgramRequest(source=source), program_limits(), "mathematics")
    assert lesson["steps"] == []
    assert "complex numbers" in lesson["reason"]["en"]


def test_optimizers_update_both_parts_of_a_complex_parameter() -> None:
    source = """w = torch.tensor([1+2j, -0.5-1j], requires_grad=True)
opt = torch.optim.Adam([w], lr=0.1)
for i in range(5):
    opt.zero_grad()
    (w**2 - 1j).abs().sum().backward()
    opt.step()
print(w.detach(), opt.state[w]["step"], opt.state[w]["exp_avg"].dtype)"""
    shown = "tensor([ 0.5343+1.5027j, -0.7337-0.5808j]) tensor(5.) torch.complex64"
    assert printed(source) == shown


def test_an_optimizer_that_mixes_elements_takes_no_complex_parameter() -> None:
    source = GIVEN + "w = z.clone().requires_grad_()\nw.abs().sum().backward()\n"
    answer = run_program(
        ProgramRequest(source=source + "torch.optim.Adafactor([w]).step()"), program_limits()
    )
    assert (
        answer["diagnostics"][0]["message"] == "torch.optim.Adafactor of complex parameters is not supported."
    )


def test_the_exponential_of_a_complex_matrix_turns_a_qubit() -> None:
    source = """t = torch.tensor(0.7, requires_grad=True)
U = torch.linalg.matrix_exp(-0.5j * t * torch.tensor([[0, 1], [1, 0]], dtype=torch.cfloat))
print(U)
U[0, 0].real.backward()
print(t.grad)"""
    first = "tensor([[0.9394+0.0000j, 0.0000-0.3429j],\n        [0.0000-0.3429j, 0.9394+0.0000j]], "
    assert printed(source) == f"{first}grad_fn=<LinalgMatrixExpBackward0>)\ntensor(-0.1714)"
