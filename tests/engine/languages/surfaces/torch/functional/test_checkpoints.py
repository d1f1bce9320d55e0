"""`torch.utils.checkpoint`, hooks of saved tensors, `gradcheck`: how often they call a function.

Each text was printed by PyTorch 2.14.1.
"""

from __future__ import annotations

from engine.programs import ProgramRequest, run_program
from tests.limits import ROOMY

BLOCK = """import torch
from torch.utils.checkpoint import checkpoint
w = torch.tensor([[0.5, -0.5], [1.0, 0.2]], requires_grad=True)
x = torch.tensor([[1.0, 2.0]])
def block(x, w):
    print("start", torch.is_grad_enabled())
    h = torch.tanh(x @ w)
    print("after tanh")
    return h + 1
"""


def printed(source: str) -> str:
    answer = run_program(ProgramRequest(source), ROOMY)
    assert [one["message"] for one in answer["diagnostics"] if one["severity"] == "error"] == []
    return "\n".join(answer["printed"]).rstrip()


def test_a_function_runs_again_on_the_way_back_until_all_is_there_that_it_had_kept() -> None:
    source = BLOCK + "y = checkpoint(block, x, w, use_reentrant=False)\ny.sum().backward()\nprint(y, w.grad)"
    assert printed(source) == (
        "start True\nafter tanh\nstart True\n"
        "tensor([[1.9866, 0.9003]], grad_fn=<AddBackward0>) tensor([[0.0266, 0.9901],\n"
        "        [0.0532, 1.9801]])"
    )


def test_the_reentrant_one_runs_without_recording_under_one_node() -> None:
    source = BLOCK + "y = checkpoint(block, x, w, use_reentrant=True)\ny.sum().backward()\nprint(y, w.grad)"
    assert printed(source) == (
        "start False\nafter tanh\nstart True\nafter tanh\n"
        "tensor([[1.9866, 0.9003]], grad_fn=<CheckpointFunctionBackward>) tensor([[0.0266, 0.9901],\n"
        "        [0.0532, 1.9801]])"
    )


def test_the_reentrant_one_hands_out_no_gradient() -> None:
    source = f"""{BLOCK}y = checkpoint(block, x, w, use_reentrant=True)
try:
    torch.autograd.grad(y.sum(), w)
except RuntimeError as error:
    print(str(error)[:80])"""
    assert printed(source).endswith(
        "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or"
    )


def test_random_numbers_are_the_same_the_second_time_and_go_on_as_before() -> None:
    source = """import torch
from torch.utils.checkpoint import checkpoint
torch.manual_seed(0)
drop = torch.nn.Dropout(0.5)
v = torch.ones(6, requires_grad=True)
y = checkpoint(lambda v: drop(v * 2).sin(), v, use_reentrant=False)
print(torch.rand(2))
y.sum().backward()
print(v.grad, torch.rand(2))"""
    assert printed(source) == (
        "tensor([0.0223, 0.1689])\n"
        "tensor([ 0.0000,  0.0000, -2.6146,  0.0000,  0.0000,  0.0000]) tensor([0.2939, 0.5185])"
    )


def test_layers_in_segments_run_again_but_for_the_last_segment() -> None:
    source = """import torch
from torch import nn
from torch.utils.checkpoint import checkpoint_sequential
class Noisy(nn.Module):
    def __init__(self, k):
        super().__init__()
        self.k = k
    def forward(self, x):
        print(self.k, end=" ")
        return torch.sin(x * self.k)
a = torch.ones(2, requires_grad=True)
out = checkpoint_sequential(nn.Sequential(*[Noisy(k) for k in range(1, 5)]), 2, a, use_reentrant=False)
out.sum().backward()
print(a.grad)"""
    assert printed(source) == "1 2 3 4 1 2 tensor([1.1499, 1.1499])"


def test_a_hook_of_saved_tensors_is_called_in_every_turn_of_a_loop() -> None:
    source = """import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
opt = torch.optim.SGD([w], lr=0.1)
count = 0
def unpack(t):
    global count
    count += 1
    return t / 2
for i in range(6):
    opt.zero_grad()
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t * 2, unpack):
        loss = (w ** 2).sum()
    loss.backward()
    opt.step()
print(count, w)"""
    assert printed(source) == "6 tensor([0.2621, 0.5243], requires_grad=True)"


CUBE = """import torch
class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        print("forward", x.requires_grad, end="; ")
        ctx.save_for_backward(x)
        return (x ** 3).sum()
    @staticmethod
    def backward(ctx, g):
        print("backward", g.item(), end="; ")
        (x,) = ctx.saved_tensors
        return 3 * x ** 2GRADIENT
x = torch.tensor([0.3], dtype=torch.float64, requires_grad=True)
try:
    print(torch.autograd.gradcheck(Cube.apply, (x,)))
except RuntimeError as error:
    print(error)"""


def test_gradcheck_calls_a_function_as_often_as_pytorch_does() -> None:
    assert printed(CUBE.replace("GRADIENT", " * g")) == (
        "forward True; forward True; forward True; backward 1.0; backward 1.0; backward 0.0; "
        "forward True; backward 0.0; True"
    )


def test_gradcheck_finds_a_backward_that_forgets_the_chain_rule() -> None:
    assert printed(CUBE.replace("GRADIENT", "")) == (
        "forward True; forward True; forward True; backward 1.0; backward 1.0; backward 0.0; "
        "backward not multiplied by grad_output"
    )


def test_gradcheck_shows_both_jacobian_matrices_as_tensors() -> None:
    assert printed(CUBE.replace("GRADIENT", " * g * 2")).endswith(
        "Jacobian mismatch for output 0 with respect to input 0,\n"
        "numerical:tensor([[0.2700]], dtype=torch.float64)\n"
        "analytical:tensor([[0.5400]], dtype=torch.float64)"
    )
