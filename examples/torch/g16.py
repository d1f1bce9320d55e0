import torch

# The derivative of sin at 3 by automatic differentiation, and how far differences are from it.
def errors(dtype, deltas):
    x = torch.tensor(3.0, dtype=dtype, requires_grad=True)
    y = torch.sin(x)
    (slope,) = torch.autograd.grad(y, x)
    print("%s: autograd says %.7f" % (dtype, slope.item()))
    for delta in deltas:
        here, right, left = [torch.sin(torch.tensor(3.0 + d, dtype=dtype)).item() for d in (0, delta, -delta)]
        forward, central = (right - here) / delta, (right - left) / (2 * delta)
        exact = -0.9899924966004454
        print("  delta %.0e  forward %.1e  central %.1e" % (delta, abs(forward - exact), abs(central - exact)))

errors(torch.float64, [1e-1, 1e-3, 1e-5, 1e-7, 1e-9])
errors(torch.float32, [1e-1, 1e-3, 1e-4, 1e-5, 1e-7])
