"""What a function that `torch.func` transforms may not do, in the words of PyTorch 2."""

from __future__ import annotations

import pytest

from tests.engine.languages.surfaces.torch.nn.test_module import printed

HEAD = """
from torch.func import grad, hessian, jacfwd, jacrev, jvp, vjp, vmap
x, c, m = torch.tensor([1.0, 2.0, 3.0]), torch.zeros(3), torch.tensor([True, False, True])
w = torch.ones(3, requires_grad=True)
def say(f, *args):
    try:
        print(f(*args))
    except Exception as e:
        print(type(e).__name__, e)
"""
TRANSFORMED = [
    "grad(f)(x)",
    "vjp(f, x)",
    "jacrev(f)(x)",
    "jacfwd(f)(x)",
    "jvp(f, (x,), (x,))",
    "hessian(f)(x)",
]
CHANGES = {
    "c.add_(x)": "add_.Tensor",
    "c.mul_(2)": "mul_.Tensor",
    "c.div_(2, rounding_mode='floor')": "div_.Tensor_mode",
    "c.pow_(2)": "pow_.Scalar",
    "c.fill_(2.0)": "fill_.Scalar",
    "c[:2].zero_()": "zero_",
    "c.__setitem__(0, 1.0)": "copy_",
    "c.__setitem__(slice(0, 2), 1.0)": "fill_.Tensor",
    "c.__setitem__(m, 1.0)": "index_put_",
    "c.masked_fill_(m, 1.0)": "masked_fill_.Scalar",
    "F.relu(c, inplace=True)": "relu_",
    "nn.init.ones_(c)": "fill_.Scalar",
}


def of_captured(operator: str) -> str:
    return (
        "RuntimeError During a grad (vjp, jvp, grad, etc) transform, the function provided attempted to call "
        f"in-place operation (aten::{operator}) that would mutate a captured Tensor. This is not supported; "
        "please rewrite the function being transformed to explicitly accept the mutated Tensor(s) as inputs."
    )


@pytest.mark.parametrize("transformed", TRANSFORMED)
def test_a_function_that_changes_a_tensor_from_outside_is_refused(transformed: str) -> None:
    source = "def f(x):\n    c.add_(x)\n    return (x * c).sum()\n"
    assert printed(f"{HEAD}{source}say(lambda: {transformed})\nprint(c)") == [
        of_captured("add_.Tensor"),
        "tensor([0., 0., 0.])",
    ]


def test_the_refusal_names_the_function_and_its_form() -> None:
    calls = "".join(f"say(grad(lambda x: ({change}, x.sum())[1]), x)\n" for change in CHANGES)
    assert printed(HEAD + calls) == [of_captured(name) for name in CHANGES.values()]


def test_arguments_and_tensors_made_inside_may_be_changed() -> None:
    source = """
def f(x, b):
    b.add_(1.0)
    z = torch.zeros(3)
    z[0] = x[0]
    z[1:] = x[1:] * 2
    return (z * x * b).sum()
print(grad(f)(x, c), c)
def outer(y):
    k = grad(lambda z: (z**3).sum())(y)
    k.add_(1.0)
    return (k * y).sum()
print(grad(outer)(x))
"""
    assert printed(HEAD + source) == [
        "tensor([ 2.,  8., 12.]) tensor([1., 1., 1.])",
        "tensor([10., 37., 82.])",
    ]


def test_a_tensor_of_an_outer_function_is_from_outside_for_the_inner_one() -> None:
    source = """
def outer(y):
    k = torch.zeros(3) + y
    def inner(z):
        k.add_(1.0)
        return (z * k).sum()
    return grad(inner)(y).sum()
say(grad(outer), x)
"""
    assert printed(HEAD + source) == [of_captured("add_.Tensor")]


@pytest.mark.parametrize(
    ("call", "begins"),
    [
        (
            "x.detach().requires_grad_()",
            "RuntimeError You are attempting to call Tensor.requires_grad_() (or",
        ),
        ("(x * x).sum().backward()", "RuntimeError backward() called inside a functorch transform. This"),
        ("torch.autograd.grad((w * w).sum(), w)", "RuntimeError element 0 of tensors does not require grad"),
        (
            "x.retain_grad()",
            "RuntimeError You are attempting to call Tensor.retain_grad() inside of a function",
        ),
    ],
)
def test_calls_that_need_a_graph_of_their_own_are_refused(call: str, begins: str) -> None:
    (line,) = printed(f"{HEAD}say(grad(lambda x: ({call}, x.sum())[1]), x)")
    assert line.startswith(begins)


OWN = """
class Square(torch.autograd.Function):
    generate_vmap_rule = True
    @staticmethod
    def forward(x):
        return x * x
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs)
    @staticmethod
    def backward(ctx, g):
        x, = ctx.saved_tensors
        return 2 * x * g
f = lambda x: Square.apply(x).sum()
"""


def test_a_function_without_a_rule_forward_is_refused_where_one_is_needed() -> None:
    refusal = (
        "NotImplementedError You must implement the jvp function for custom autograd.Function to use it with "
        "forward mode AD."
    )
    calls = "say(jvp, f, (x,), (x,))\nsay(hessian(f), x)\nsay(grad(f), x)\n"
    constant = "say(jvp, lambda x: x.sum() + f(torch.ones(2)), (x,), (x,))"
    assert printed(f"{HEAD}{OWN}{calls}{constant}") == [
        refusal,
        refusal,
        "tensor([2., 4., 6.])",
        "(tensor(8.), tensor(6.))",
    ]


def test_hessian_asks_for_a_rule_for_vmap_first() -> None:
    source = OWN.replace("    generate_vmap_rule = True\n", "")
    (line,) = printed(f"{HEAD}{source}say(hessian(f), x)")
    assert line.startswith("RuntimeError You tried to vmap over Square, but it does not have vmap support.")
