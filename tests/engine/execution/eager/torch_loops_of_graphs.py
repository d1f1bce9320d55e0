"""Loops of PyTorch: graphs, passes through them, hooks, and mistakes."""

LOOPS = """\
## a hook that comes later, and one that goes
w = torch.tensor([1.0, 2.0], requires_grad=True)
seen = []
for i in range(N):
    y = w * w
    if i == 12:
        handle = w.register_hook(lambda g: g * 2)
    if i == 20:
        handle.remove()
    if i % 10 == 0:
        y.register_hook(lambda g: seen.append(g.tolist()))
    y.sum().backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
    w.grad = None
print(w, seen)

## a gradient that is retained
w = torch.tensor([1.0, 2.0], requires_grad=True)
for i in range(N):
    y = w * w
    if i % 6 == 5:
        y.retain_grad()
    y.sum().backward()
    if i % 6 == 5:
        print(i, y.grad)
    with torch.no_grad():
        w -= 0.01 * w.grad
    w.grad = None

## a graph that is gone through twice
w = torch.tensor([1.0, 2.0], requires_grad=True)
for i in range(N):
    loss = (w ** 3).sum()
    loss.backward(retain_graph=True)
    loss.backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
    w.grad = None
print(w)
loss.backward()

## gradients by autograd.grad
w = torch.tensor([1.0, 2.0], requires_grad=True)
for i in range(N):
    loss = (w.sin() * w).sum()
    (g,) = torch.autograd.grad(loss, w)
    with torch.no_grad():
        w -= 0.05 * g
print(w, g)

## Newton's method
w = torch.tensor([1.0, 2.0], requires_grad=True)
for i in range(N):
    loss = (w ** 4 / 4 - w).sum()
    (g,) = torch.autograd.grad(loss, w, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), w)
    with torch.no_grad():
        w -= 0.1 * g / h
print(w, g, h)

## a gradient that is part of the loss
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
x = X.clone().requires_grad_()
for i in range(N):
    optimizer.zero_grad()
    y = model(x)
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    loss = ((y - Y) ** 2).mean() + (g ** 2).mean()
    loss.backward()
    optimizer.step()
print(loss, x.grad)

## a function of one's own
class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x ** 3
    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * 3 * x ** 2

w = torch.tensor([1.0, 2.0], requires_grad=True)
for i in range(N):
    loss = Cube.apply(w).sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
    w.grad = None
print(w)

## an average of the losses, and the last graph
w = torch.tensor([1.0, 2.0], requires_grad=True)
smooth = 0.0
for i in range(N):
    loss = (w ** 2).sum()
    smooth = 0.9 * smooth + 0.1 * loss.detach()
    loss.backward()
    with torch.no_grad():
        w -= 0.1 * w.grad
    w.grad = None
y = (w * 3).exp().sum()
y.backward()
print(smooth, w.grad, y.grad_fn.next_functions)

## inner loops, and a function of the loss
def train(rate, turns):
    w = torch.tensor([2.0, -1.0], requires_grad=True)
    for i in range(turns):
        loss = (w ** 2).sum() + w.prod()
        loss.backward()
        with torch.no_grad():
            w -= rate * w.grad
            w.grad.zero_()
    return w, loss
for rate in (0.01, 0.1, 0.4):
    w, loss = train(rate, N // 2)
    print(rate, w, loss)

## a mistake in the middle
w = torch.ones(3, 1, requires_grad=True)
for i in range(N):
    x = X if i < N - 5 else X[:, :2]
    loss = ((x @ w - Y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.05 * w.grad
    w.grad = None

## a leaf that is changed where it may not be
w = torch.ones(3, requires_grad=True)
for i in range(N):
    loss = (w ** 2).sum()
    if i == N - 5:
        with torch.no_grad():
            w += 1
    loss.backward()
    with torch.no_grad():
        w -= 0.05 * w.grad
    w.grad = None

## a pass from several numbers
w = torch.ones(3, requires_grad=True)
for i in range(N):
    y = w * torch.tensor([1.0, 2.0, 3.0])
    y.backward(torch.tensor([1.0, 0.5, i / 10]))
    with torch.no_grad():
        w -= 0.05 * w.grad
    w.grad = None
print(w)
"""
