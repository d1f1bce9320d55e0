import torch

# A rule of our own for x - y, judged by a difference quotient.
class MySub(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, y):
        return x - y

    @staticmethod
    def backward(ctx, grad):
        return grad, -grad

x = torch.tensor(5.0, requires_grad=True)
y = torch.tensor(3.0, requires_grad=True)
z = MySub.apply(x, y)
z.backward()

delta = 0.25
across_x = (MySub.apply(x + delta, y) - MySub.apply(x - delta, y)) / (2 * delta)
across_y = (MySub.apply(x, y + delta) - MySub.apply(x, y - delta)) / (2 * delta)
print("x: rule %g, difference %g" % (x.grad.item(), across_x.item()))
print("y: rule %g, difference %g" % (y.grad.item(), across_y.item()))
