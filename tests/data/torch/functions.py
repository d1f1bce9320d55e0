"""What is asked of each expression: its value, and its first and second derivatives, in float64."""

SETTING = """import torch
import torch.nn.functional as F
xd = torch.tensor([[0.5, -1.2, 2.0], [0.0, 0.7, -0.3], [1.1, 0.7, -2.2]], dtype=torch.float64)
yd = torch.tensor([[0.5, 1.3, -0.4], [0.9, -0.8, 0.6], [1.1, -0.2, 0.3]], dtype=torch.float64)
vd = torch.tensor([0.3, -1.4, 0.8], dtype=torch.float64)

def numbers(found):
    return [None if one is None else one.detach().flatten().tolist() for one in found]

def ask(f):
    x, y, v = (one.clone().requires_grad_() for one in (xd, yd, vd))
    r = f(x, y, v, x.abs() + 0.3, x / 3)
    print("value", list(r.shape), r.grad_fn.name(), r.detach().flatten().tolist())
    w = torch.linspace(0.5, 1.5, r.numel(), dtype=r.dtype).reshape(r.shape)
    g = torch.autograd.grad((r * w).sum(), (x, y, v), create_graph=True, allow_unused=True)
    print("first", numbers(g))
    s = sum((one * one).sum() for one in g if one is not None)
    if s.requires_grad:
        print("second", numbers(torch.autograd.grad(s, (x, y, v), allow_unused=True)))
"""


def program_of(expression: str) -> str:
    """A program that asks for one expression of x, y, v, p (positive) and q (small)."""
    return f"{SETTING}\nask(lambda x, y, v, p, q: {expression})\n"
