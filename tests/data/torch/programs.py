"""PyTorch programs, each with a name; `record.py` asks the real library what they print."""

PROGRAMS = {
    "quadratic-descent": """
import torch
x = torch.tensor(5.0, requires_grad=True)
for step in range(6):
    y = x ** 2 - 4 * x + 7
    y.backward()
    with torch.no_grad():
        x -= 0.2 * x.grad
    x.grad = None
    print(step, round(x.item(), 5), y.item())
""",
    "linear-regression-by-hand": """
import torch
X = torch.tensor([[1.0], [2.0], [3.0], [4.0]])
Y = torch.tensor([[3.1], [4.9], [7.2], [8.8]])
w = torch.zeros(1, 1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
lr = 0.05
for epoch in range(50):
    pred = X @ w + b
    loss = ((pred - Y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= lr * w.grad
        b -= lr * b.grad
        w.grad.zero_()
        b.grad.zero_()
    if epoch % 10 == 0:
        print(f"epoch {epoch}: loss {loss.item():.4f}")
print(w, b)
""",
    "logistic-regression": """
import torch
import torch.nn.functional as F
X = torch.tensor([[0.5, 1.2], [-1.0, 0.3], [1.5, -0.7], [-0.4, -1.1], [2.0, 1.0]])
y = torch.tensor([1., 0., 1., 0., 1.])
w = torch.zeros(2, requires_grad=True)
b = torch.zeros((), requires_grad=True)
for i in range(30):
    logits = X.mv(w) + b
    loss = F.binary_cross_entropy_with_logits(logits, y)
    gw, gb = torch.autograd.grad(loss, (w, b))
    with torch.no_grad():
        w -= gw
        b -= gb
print(w.detach(), b.item(), loss)
acc = ((torch.sigmoid(X @ w + b) > 0.5).float() == y).float().mean()
print('accuracy', acc.item())
""",
    "mlp-manual": """
import torch
torch.set_printoptions(precision=3)
X = torch.linspace(-2, 2, 9).unsqueeze(1)
Y = torch.sin(X)
W1 = torch.tensor([[0.5, -0.3, 0.8]], requires_grad=True)
b1 = torch.zeros(3, requires_grad=True)
W2 = torch.tensor([[0.2], [-0.6], [0.4]], requires_grad=True)
b2 = torch.zeros(1, requires_grad=True)
params = [W1, b1, W2, b2]
for epoch in range(20):
    h = torch.tanh(X @ W1 + b1)
    out = h @ W2 + b2
    loss = torch.mean((out - Y) ** 2)
    for p in params:
        p.grad = None
    loss.backward()
    with torch.no_grad():
        for p in params:
            p -= 0.1 * p.grad
print(loss.item())
for p in params:
    print(p.shape, p.grad.norm().item())
""",
    "softmax-classifier": """
import torch
import torch.nn.functional as F
x = torch.tensor([[1., 2., -1.], [0., 0.5, 3.]])
W = torch.full((3, 4), 0.1, requires_grad=True)
t = torch.tensor([3, 1])
logits = x @ W
p = F.softmax(logits, dim=1)
loss = -p[range(2), t].log().mean()
loss.backward()
print(p)
print(loss)
print(W.grad)
print(torch.allclose(loss, F.cross_entropy(logits, t)))
""",
    "chain-rule-prints": """
import torch
a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(-1.5, requires_grad=True)
c = a * b
d = c.exp() + a
e = torch.log(d ** 2)
e.backward()
print(a.grad, b.grad)
print(c.grad_fn, c.grad_fn.next_functions[0][0].variable is a) if False else print(c.grad_fn.name())
print(e.grad_fn.name(), e.grad_fn.next_functions[0][0].name())
""",
    "retain-and-none": """
import torch
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
z = (y ** 2).sum()
y.retain_grad()
z.backward()
print(y.grad, x.grad, z.grad)
print(x.is_leaf, y.is_leaf, y.requires_grad, x.detach().requires_grad)
""",
    "backward-with-gradient": """
import torch
x = torch.arange(4.0, requires_grad=True)
y = x ** 3
y.backward(torch.tensor([1.0, 0.1, 0.01, 0.001]))
print(x.grad)
x.grad.zero_()
y = x * x
y.backward(gradient=torch.ones_like(y))
print(x.grad)
""",
    "error-nonscalar": """
import torch
x = torch.ones(3, requires_grad=True)
try:
    (x * 2).backward()
except RuntimeError as e:
    print(type(e).__name__, e)
try:
    torch.ones(2).sum().backward()
except RuntimeError as e:
    print(e)
""",
    "error-inplace-leaf": """
import torch
w = torch.ones(2, requires_grad=True)
try:
    w += 1
except RuntimeError as e:
    print("Error:", e)
try:
    w[0] = 5.
except RuntimeError as e:
    print("Error:", e)
with torch.no_grad():
    w += 1
    w[0] = 5.
print(w)
""",
    "error-version": """
import torch
x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x.exp()
y += 1
try:
    y.sum().backward()
except RuntimeError as e:
    print("modified by an inplace operation" in str(e))
    print(str(e)[:180])
z = (x * 2)
z += 1
z.sum().backward()
print(x.grad)
""",
    "error-shapes": """
import torch
for f in (lambda: torch.ones(2, 3) @ torch.ones(2, 3),
          lambda: torch.ones(2, 3) + torch.ones(2, 4),
          lambda: torch.ones(3).dot(torch.ones(4)),
          lambda: torch.ones(6).view(4, 2),
          lambda: torch.cat([torch.ones(2, 2), torch.ones(3, 3)]),
          lambda: torch.stack([torch.ones(2), torch.ones(3)])):
    try:
        f()
    except RuntimeError as e:
        print(e)
""",
    "error-index": """
import torch
x = torch.arange(5)
try:
    x[7]
except IndexError as e:
    print(e)
try:
    torch.ones(2, 2)[0, 0, 0]
except IndexError as e:
    print(e)
try:
    torch.ones(2, 3).sum(dim=2)
except IndexError as e:
    print(e)
try:
    torch.tensor([1, 2]).item()
except (RuntimeError, ValueError) as e:
    print(e)
try:
    if torch.tensor([1, 2]) > 0:
        pass
except RuntimeError as e:
    print(e)
""",
    "second-derivative": """
import torch
x = torch.tensor(1.5, requires_grad=True)
y = torch.sin(x) * x ** 2
g, = torch.autograd.grad(y, x, create_graph=True)
g.backward()
print(g.item(), x.grad.item())
print(g)
""",
    "hessian-loop": """
import torch
def rosen(p):
    return (1 - p[0]) ** 2 + 100 * (p[1] - p[0] ** 2) ** 2
p = torch.tensor([-1.2, 1.0], requires_grad=True)
y = rosen(p)
g = torch.autograd.grad(y, p, create_graph=True)[0]
rows = []
for i in range(2):
    rows.append(torch.autograd.grad(g[i], p, retain_graph=True)[0])
H = torch.stack(rows)
print(g.detach())
print(H)
step = torch.linalg.solve(H, -g.detach())
print(p.detach() + step)
""",
    "newton-sqrt": """
import torch
a = 2.0
x = torch.tensor(1.0, dtype=torch.float64, requires_grad=True)
for i in range(5):
    f = x ** 2 - a
    df, = torch.autograd.grad(f, x)
    with torch.no_grad():
        x.sub_(f / df)
    print(i, x.item())
print(x)
""",
    "grad-allow-unused": """
import torch
x = torch.tensor(1., requires_grad=True)
y = torch.tensor(2., requires_grad=True)
z = x * 3
print(torch.autograd.grad(z, (x, y), allow_unused=True))
z = x * 3
try:
    torch.autograd.grad(z, [y])
except RuntimeError as e:
    print(e)
""",
    "dtypes": """
import torch
a = torch.tensor([1, 2, 3])
b = torch.tensor([1.5, 2.5, 3.5])
print(a.dtype, b.dtype, (a + b).dtype, (a / 2).dtype, (a // 2), (a * True).dtype)
print(a.float(), b.long(), b.int(), a.double(), (b > 2), (b > 2).sum())
print(torch.tensor([True, False]).dtype, torch.tensor(3).dtype, torch.tensor(3.).dtype)
print((a + 1.0).dtype, (a + torch.tensor(1.0, dtype=torch.float64)).dtype, (b.double() + b).dtype)
print(torch.ones(2, dtype=torch.int32) + torch.ones(2, dtype=torch.int64))
""",
    "creation": """
import torch
print(torch.zeros(2, 3), torch.ones((2,)), torch.full((2, 2), 7), torch.full([2], 1.5))
print(torch.arange(5), torch.arange(1, 10, 3), torch.arange(0, 1, 0.25), torch.linspace(0, 1, 5))
print(torch.eye(3), torch.eye(2, 3))
x = torch.ones(2, 2, dtype=torch.float64)
print(torch.zeros_like(x), torch.ones_like(x, dtype=torch.int32), torch.full_like(x, 3))
print(x.new_zeros(2), x.new_tensor([1, 2]), torch.empty(0), torch.logspace(0, 2, 3))
print(torch.tensor([[1, 2], [3, 4]]).tolist(), torch.tensor(5).item())
""",
    "indexing": """
import torch
x = torch.arange(12).reshape(3, 4)
print(x[0], x[-1], x[:, 1], x[1:, ::2], x[..., -1])
print(x[x > 5], x[[0, 2]], x[torch.tensor([2, 0])], x[[0, 1], [1, 2]])
print(x[None].shape, x[:, None, :].shape, x[0, 1], x[1].tolist())
x[0] = -1
x[:, 3] = torch.tensor([7, 8, 9])
x[x == 5] = 0
print(x)
x[1, 1:3] += 10
print(x)
""",
    "views-share": """
import torch
a = torch.arange(6)
b = a.view(2, 3)
b[0, 0] = 100
print(a)
c = b.t()
c[2, 1] = -5
print(a, b, sep='\\n')
d = a.clone()
d[0] = 0
print(a[0], d[0])
e = a[2:4]
e *= 2
print(a, c.is_contiguous(), c.contiguous().view(-1))
""",
    "reductions-dims": """
import torch
x = torch.tensor([[3., 1., 2.], [6., 5., 4.]])
print(x.sum(), x.sum(0), x.sum(dim=1, keepdim=True), x.mean(1))
print(x.max(), x.min(dim=0), x.argmax(), x.argmax(dim=1), x.prod(1))
print(x.std(), x.var(dim=0), x.std(dim=1, unbiased=False), x.norm(), x.norm(p=1, dim=1))
v, i = torch.max(x, 1)
print(v, i)
print(x.cumsum(0), x.cumprod(1), torch.cumsum(x, dim=1))
print(torch.all(x > 0), torch.any(x > 5, dim=1), x.median(), x.logsumexp(1))
""",
    "sorting": """
import torch
x = torch.tensor([3.0, 1.0, 2.0, 5.0, 4.0], requires_grad=True)
s, idx = x.sort()
print(s, idx)
vals, inds = torch.topk(x, 2)
print(vals, inds)
(vals * torch.tensor([1., 10.])).sum().backward()
print(x.grad)
print(torch.argsort(x.detach(), descending=True), x.detach().sort(descending=True).values)
print(torch.sort(torch.tensor([[2, 1], [0, 3]]), dim=1))
""",
    "cat-split": """
import torch
x = torch.arange(10.)
parts = x.chunk(3)
print([p.tolist() for p in parts])
a, b = torch.split(x, [4, 6])
print(a, b)
print(torch.cat((a, b)).equal(x), torch.stack([a, a * 2]), torch.vstack([a, a]), torch.hstack([a, b]).shape)
m = torch.ones(2, 3)
print(torch.cat([m, m * 2], dim=1), torch.cat([m, m], 0).shape, torch.unbind(m)[0])
print(m.repeat(2, 2).shape, m.expand(4, 2, 3).shape, torch.tile(torch.tensor([1, 2]), (2,)))
""",
    "shapes": """
import torch
x = torch.arange(24).reshape(2, 3, 4)
print(x.shape, x.size(), x.size(1), x.dim(), x.numel(), len(x))
print(x.permute(2, 0, 1).shape, x.transpose(0, 2).shape, x.flatten().shape, x.flatten(1).shape)
print(x.view(-1, 6).shape, x.reshape(4, -1).shape, x.unsqueeze(0).shape, x[:, :1].squeeze(1).shape)
print(x.movedim(0, -1).shape, x.swapaxes(0, 1).shape, x.ravel()[:3], x.T.shape if x.dim() == 2 else 'no T')
print(torch.flip(torch.arange(4), (0,)), torch.roll(torch.arange(5), 2), torch.tensor([[1, 2], [3, 4]]).T)
""",
    "where-masked": """
import torch
x = torch.tensor([-2., -1., 0., 1., 2.], requires_grad=True)
y = torch.where(x > 0, x * 2, x / 2)
z = y.masked_fill(y < -0.6, 0.)
z.sum().backward()
print(y, z, x.grad)
print(torch.clamp(x, -1, 1), x.clamp(min=0), x.abs(), x.sign())
m = torch.maximum(x, torch.zeros_like(x))
print(m)
g, = torch.autograd.grad(m.sum(), x)
print(g)
""",
    "kinks": """
import torch
import torch.nn.functional as F
def d(f, v):
    x = torch.tensor(v, requires_grad=True)
    f(x).backward()
    return x.grad.item()
print(d(torch.abs, 0.), d(torch.relu, 0.), d(lambda x: x.clamp(0, 1), 0.), d(lambda x: x.clamp(0, 1), 1.))
print(d(lambda x: torch.max(x, torch.tensor(1.)), 1.), d(torch.sqrt, 0.), d(lambda x: x ** 0, 0.))
print(d(F.leaky_relu, 0.), d(F.hardtanh, 1.), d(torch.sign, 2.), d(torch.floor, 1.5), d(F.relu6, 6.))
z = torch.zeros(3, requires_grad=True)
z.norm().backward()
print(z.grad)
m = torch.tensor([1., 3., 3.], requires_grad=True)
m.max().backward()
print(m.grad)
m.grad = None
m.max(0).values.backward()
print(m.grad)
""",
    "gather-scatter": """
import torch
x = torch.tensor([[1., 2., 3.], [4., 5., 6.]], requires_grad=True)
idx = torch.tensor([[0, 2], [1, 1]])
g = torch.gather(x, 1, idx)
g.sum().backward()
print(g, x.grad)
s = torch.zeros(2, 3).scatter_(1, torch.tensor([[2], [0]]), 1.0)
print(s)
print(torch.zeros(4).scatter_add(0, torch.tensor([0, 1, 1, 3]), torch.tensor([1., 2., 3., 4.])))
print(torch.index_select(x, 1, torch.tensor([2, 0])), x.take(torch.tensor([0, 5])))
print(torch.zeros(3).index_add_(0, torch.tensor([0, 0, 2]), torch.tensor([1., 1., 5.])))
""",
    "matrix-ops": """
import torch
A = torch.tensor([[2., 1.], [1., 3.]], requires_grad=True)
b = torch.tensor([1., 2.])
print(A @ b, A.mm(A), torch.matmul(A, A.T), b @ b, torch.outer(b, b))
print(torch.det(A), torch.inverse(A), torch.trace(A))
x = torch.linalg.solve(A, b)
x.sum().backward()
print(x, A.grad)
print(torch.linalg.norm(A), torch.triu(A), torch.diag(A), torch.diag(b))
""",
    "batched": """
import torch
a = torch.arange(12.).reshape(2, 2, 3)
b = torch.arange(12.).reshape(2, 3, 2)
print(torch.bmm(a, b))
print((a @ b).shape, (a @ torch.ones(3)).shape, torch.einsum('bij,bjk->bik', a, b).equal(a @ b))
q = torch.ones(1, 2, 2, requires_grad=True)
out = torch.einsum('bij,bij->', q * 2, q)
out.backward()
print(out, q.grad)
print(torch.einsum('ii->i', torch.tensor([[1., 2.], [3., 4.]])), torch.einsum('i,j->ij', torch.ones(2), torch.arange(3.)))
print(torch.tensordot(a, b, dims=([2], [1])).shape)
""",
    "no-grad-decorator": """
import torch
w = torch.ones(2, requires_grad=True)
@torch.no_grad()
def update(p):
    p -= 0.5
    return p * 2
y = update(w)
print(w, y, y.requires_grad)
with torch.no_grad():
    a = w * 2
    with torch.enable_grad():
        b = w * 2
print(a.requires_grad, b.requires_grad, torch.is_grad_enabled())
torch.set_grad_enabled(False)
print((w * 2).requires_grad)
torch.set_grad_enabled(True)
with torch.set_grad_enabled(False):
    print((w * 2).requires_grad)
with torch.inference_mode():
    print((w * 3).requires_grad)
print((w * 2).requires_grad)
""",
    "hooks": """
import torch
x = torch.tensor([1., 2.], requires_grad=True)
y = x * 2
h = y.register_hook(lambda g: g * 10)
z = y.sum()
z.backward(retain_graph=True)
print(x.grad)
h.remove()
x.grad = None
x.register_hook(lambda g: print('leaf', g))
z.backward()
print(x.grad)
def nh(gi, go):
    print(gi, go)
w = (x * 3).sum()
w.grad_fn.register_hook(nh)
w.backward()
""",
    "hook-order": """
import torch
x = torch.tensor(1.0, requires_grad=True)
a = x * 2
b = x * 3
c = a * b
for name, t in [('x', x), ('a', a), ('b', b), ('c', c)]:
    t.register_hook(lambda g, name=name: print(name, g.item()))
c.backward()
""",
    "custom-relu": """
import torch
class MyReLU(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, slope):
        ctx.save_for_backward(x)
        ctx.slope = slope
        return torch.where(x > 0, x, x * slope)

    @staticmethod
    def backward(ctx, grad_output):
        x, = ctx.saved_tensors
        g = grad_output.clone()
        g[x < 0] *= ctx.slope
        return g, None
x = torch.tensor([-1., 2., -3.], requires_grad=True)
y = MyReLU.apply(x, 0.1)
print(y)
(y ** 2).sum().backward()
print(x.grad, ctx_names if False else y.grad_fn.name())
print(torch.autograd.gradcheck is not None)
""",
    "custom-two": """
import torch
class MulAdd(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b, c):
        ctx.save_for_backward(a, b)
        print(ctx.needs_input_grad)
        return a * b + c, a - b
    @staticmethod
    def backward(ctx, g1, g2):
        a, b = ctx.saved_tensors
        return g1 * b + g2, g1 * a - g2, g1
a = torch.tensor(2., requires_grad=True)
b = torch.tensor(3., requires_grad=True)
c = torch.tensor(4.)
u, v = MulAdd.apply(a, b, c)
print(u, v)
(u * v).backward()
print(a.grad, b.grad, c.grad)
""",
    "custom-exp-setup": """
import torch
from torch.autograd import Function
class Exp(Function):
    @staticmethod
    def forward(x):
        return x.exp()
    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)
    @staticmethod
    def backward(ctx, g):
        result, = ctx.saved_tensors
        return g * result
x = torch.tensor([0., 1.], requires_grad=True)
y = Exp.apply(x)
y.sum().backward()
print(y.detach(), x.grad)
x2 = torch.tensor(0.5, dtype=torch.float64, requires_grad=True)
g, = torch.autograd.grad(Exp.apply(x2), x2, create_graph=True)
gg, = torch.autograd.grad(g, x2)
print(g.item(), gg.item())
""",
    "functional-api": """
import torch
from torch.autograd.functional import jacobian, hessian, vjp, jvp, hvp
def f(x, y):
    return x ** 2 + 3 * y
x, y = torch.tensor([1., 2.]), torch.tensor([3., 4.])
print(jacobian(f, (x, y)))
g = lambda x: (x ** 3).sum()
print(hessian(g, x))
print(vjp(lambda t: t ** 2, x, torch.ones(2)))
print(jvp(lambda t: t.exp(), x, torch.tensor([1., 0.])))
print(hvp(g, x, torch.tensor([1., 1.])))
""",
    "func-transforms": """
import torch
from torch.func import grad, grad_and_value, vmap, jacrev, vjp, jvp, hessian
f = lambda w, x: ((w * x).sum() - 1) ** 2
w = torch.tensor([1., -1.])
x = torch.tensor([2., 3.])
print(grad(f)(w, x), grad(f, argnums=1)(w, x))
print(grad_and_value(f)(w, x))
xs = torch.tensor([[1., 2.], [3., 4.], [5., 6.]])
print(vmap(grad(f), in_dims=(None, 0))(w, xs))
print(grad(grad(torch.sin))(torch.tensor(1.0)))
print(vmap(torch.dot)(xs, xs))
out, fn = vjp(torch.sin, torch.tensor([0.5, 1.0]))
print(out, fn(torch.ones(2)))
print(jvp(torch.cos, (torch.tensor(0.3),), (torch.tensor(1.0),)))
print(jacrev(lambda x: x ** 2)(x), hessian(lambda x: (x ** 4).sum())(x))
""",
    "func-dict": """
import torch
from torch.func import grad, vmap
params = {'w': torch.tensor([1., 2.]), 'b': torch.tensor(0.5)}
def loss(params, x, y):
    return ((params['w'] @ x + params['b']) - y) ** 2
g = grad(loss)(params, torch.tensor([3., 1.]), torch.tensor(2.))
print(g)
for i in range(3):
    g = grad(loss)(params, torch.tensor([3., 1.]), torch.tensor(2.))
    params = {k: v - 0.01 * g[k] for k, v in params.items()}
print(params, loss(params, torch.tensor([3., 1.]), torch.tensor(2.)))
""",
    "losses-reductions": """
import torch
import torch.nn.functional as F
p = torch.tensor([[0.2, 0.7], [1.5, -0.4]], requires_grad=True)
t = torch.tensor([[0.0, 1.0], [1.0, 0.0]])
for r in ('mean', 'sum', 'none'):
    print(r, F.mse_loss(p, t, reduction=r), F.l1_loss(p, t, reduction=r), F.smooth_l1_loss(p, t, reduction=r))
print(F.binary_cross_entropy(torch.sigmoid(p), t), F.kl_div(F.log_softmax(p, 1), F.softmax(t, 1), reduction='batchmean'))
print(F.cross_entropy(p, torch.tensor([0, 1]), reduction='none'), F.cross_entropy(p, torch.tensor([1, 0]), weight=torch.tensor([1., 2.])))
l = F.cross_entropy(p, torch.tensor([1, 0]), label_smoothing=0.1)
l.backward()
print(l, p.grad)
""",
    "activations": """
import torch
import torch.nn.functional as F
x = torch.tensor([-2., -0.5, 0.3, 1.7], requires_grad=True)
for f in (torch.relu, torch.sigmoid, torch.tanh, F.elu, F.gelu, F.silu, F.softplus, F.selu, F.leaky_relu, F.mish, F.logsigmoid, F.hardswish, F.softsign):
    y = f(x)
    g, = torch.autograd.grad(y.sum(), x)
    print([round(v, 4) for v in y.tolist()], [round(v, 4) for v in g.tolist()])
print(F.softmax(x, dim=0), F.log_softmax(x, dim=-1), F.softmin(x, dim=0))
""",
    "elementwise-gradients": """
import torch
x = torch.tensor([0.3, 0.6], dtype=torch.float64, requires_grad=True)
fs = [torch.exp, torch.log, torch.sin, torch.cos, torch.tan, torch.asin, torch.acos, torch.atan, torch.sinh, torch.cosh, torch.sqrt, torch.rsqrt, torch.log1p, torch.expm1, torch.reciprocal, torch.erf, torch.log2, torch.log10, torch.square, torch.lgamma, torch.digamma]
for f in fs:
    y = f(x).sum()
    y.backward()
    print(f(x).tolist(), x.grad.tolist(), y.grad_fn.next_functions[0][0].name())
    x.grad = None
""",
    "pow-variants": """
import torch
x = torch.tensor([1., 2., 3.], requires_grad=True)
y = 2 ** x + x ** x + x ** 0.5 + x ** -1 + torch.pow(x, 3)
y.sum().backward()
print(y, x.grad)
print(5 - x, 6 / x, x // 2, x % 2, -x, 7 % x.detach(), 7 // x.detach())
print(torch.tensor([7, -7]) // 2, torch.tensor([7, -7]) % 3, torch.div(torch.tensor([7., -7.]), 2, rounding_mode='trunc'))
""",
    "broadcast-gradients": """
import torch
a = torch.ones(3, 1, requires_grad=True)
b = torch.arange(4., requires_grad=True)
c = torch.tensor(2., requires_grad=True)
out = (a * b + c).sum()
out.backward()
print(a.grad, b.grad, c.grad)
d = torch.ones(2, 1, 3, requires_grad=True)
((d + torch.ones(4, 1)) ** 2).mean().backward()
print(d.grad)
""",
    "accumulate-detach": """
import torch
x = torch.tensor(3., requires_grad=True)
y = x ** 2
z = y.detach() * x
z.backward()
print(x.grad)
w = (y * 2).detach()
print(w, w.requires_grad, w.is_leaf)
with torch.no_grad():
    v = x * 2
print(v.requires_grad, v.grad_fn)
x.requires_grad_(False)
print((x * 2).requires_grad)
t = torch.tensor([1., 2.])
t.requires_grad_()
print(t.requires_grad, t)
""",
    "copy-slices": """
import torch
x = torch.ones(2, 3, requires_grad=True)
y = x * 2
y[:, 0] = torch.tensor(0.)
y[0] *= 5
v = torch.tensor(3., requires_grad=True)
y[1, 1] = v * 2
s = y.sum()
print(y)
print(y.grad_fn.name())
s.backward()
print(x.grad, v.grad)
""",
    "inplace-methods": """
import torch
a = torch.tensor([1., -2., 3.])
a.add_(1).mul_(2).clamp_(min=0)
print(a)
a.fill_(7)
a.sub_(torch.tensor([1., 2., 3.])).div_(2)
print(a, a._version)
a.zero_()
b = torch.zeros(3)
b.copy_(torch.tensor([1, 2, 3]))
b.pow_(2).neg_().abs_().sqrt_()
print(a, b, b.exp_())
c = torch.arange(3)
c += 2
print(c)
try:
    c += 1.5
except RuntimeError as e:
    print(e)
""",
    "numpy-bridge": """
import torch
import numpy as np
a = np.array([1.0, 2.0, 3.0])
t = torch.from_numpy(a)
print(t, t.dtype)
t.mul_(2)
print(a)
n = torch.ones(3).numpy()
print(n, n.dtype, type(n))
u = torch.tensor(a, dtype=torch.float32, requires_grad=True)
try:
    u.numpy()
except RuntimeError as e:
    print(e)
print(u.detach().numpy(), torch.as_tensor([1, 2]), np.mean(t.numpy()))
print(torch.tensor(np.arange(3)), torch.tensor(np.float32(2.5)), torch.tensor([np.float64(1.5), 2.0]))
""",
    "printing-more": """
import torch
print(torch.tensor([0.1, 123456.789]), torch.tensor([1e-8, 1.0]), torch.tensor(1e10))
print(torch.tensor([float('nan'), float('inf'), -float('inf'), 1.0]))
print(torch.zeros(2, 0), torch.tensor([[1.5, -2.25], [1000.125, 0.]]))
print(torch.arange(1001.)[-3:], torch.ones(2, 2, 2))
print(torch.tensor(-0.0), torch.tensor(7, dtype=torch.int32), torch.tensor([1, 2], dtype=torch.uint8))
x = torch.tensor([1.0, 2.0], requires_grad=True)
print(x, x * 2, (x * 2).sum(), [x, x.sum()], {'a': x.detach()})
print(f"{x.sum().item():.3f} {x.sum():.2f} {x[0]}", str(x.sum()), repr(x.shape), x.dtype)
print("%.3f" % x.sum(), "{:.1f}".format(x[1].item()))
print(torch.rand(2) if False else torch.Size([1, 2]), tuple(x.shape), list(x.shape))
""",
    "printing-large": """
import torch
print(torch.arange(2000.))
print(torch.arange(40 * 40).reshape(40, 40))
print(torch.linspace(0, 1, 30))
""",
    "control-flow": """
import torch
def collatz_like(x):
    steps = 0
    while x > 1.5:
        if steps % 2 == 0:
            x = x / 2
        else:
            x = x * 0.9 - 0.1
        steps += 1
    return x, steps
for v in (10.0, 3.0, 0.7):
    x = torch.tensor(v, requires_grad=True)
    y, n = collatz_like(x)
    if y.requires_grad and n:
        y.backward()
        print(v, n, y.item(), x.grad.item())
    else:
        print(v, n, y.item(), x.grad)
""",
    "recurrence": """
import torch
h = torch.zeros(2)
W = torch.tensor([[0.5, -0.2], [0.1, 0.7]], requires_grad=True)
u = torch.tensor([1.0, -1.0], requires_grad=True)
outs = []
for t in range(5):
    h = torch.tanh(W @ h + u * (t + 1) / 5)
    outs.append(h)
loss = torch.stack(outs).pow(2).mean()
loss.backward()
print(loss.item())
print(W.grad, u.grad, sep='\\n')
print(len(outs), outs[-1])
""",
    "attention-multihead": """
import torch
import torch.nn.functional as F
B, T, H, D = 1, 3, 2, 2
x = torch.arange(B * T * H * D, dtype=torch.float32).view(B, T, H * D) / 10
Wq = torch.eye(4, requires_grad=True)
q = (x @ Wq).view(B, T, H, D).transpose(1, 2)
k = x.view(B, T, H, D).transpose(1, 2)
mask = torch.tril(torch.ones(T, T)).bool()
att = (q @ k.transpose(-2, -1)) / D ** 0.5
att = att.masked_fill(~mask, float('-inf'))
att = F.softmax(att, dim=-1)
out = (att @ k).transpose(1, 2).contiguous().view(B, T, H * D)
out.sum().backward()
print(att[0, 0])
print(out.shape, Wq.grad)
""",
    "layernorm-by-hand": """
import torch
x = torch.tensor([[1., 2., 4.], [0., -1., 3.]], requires_grad=True)
mu = x.mean(-1, keepdim=True)
var = x.var(-1, keepdim=True, unbiased=False)
y = (x - mu) / torch.sqrt(var + 1e-5)
(y * torch.arange(6.).view(2, 3)).sum().backward()
print(y)
print(x.grad)
print(mu, var, mu.requires_grad)
""",
    "conv-by-unfold": """
import torch
x = torch.arange(8., requires_grad=True)
k = torch.tensor([1., 0., -1.], requires_grad=True)
windows = torch.stack([x[i:i + 3] for i in range(6)])
y = windows @ k
y.pow(2).sum().backward()
print(y, x.grad, k.grad, sep='\\n')
""",
    "polynomial-fit": """
import torch
import math
x = torch.linspace(-math.pi, math.pi, 50)
y = torch.sin(x)
a = torch.tensor(0.1, requires_grad=True)
b = torch.tensor(0.5, requires_grad=True)
c = torch.tensor(0.0, requires_grad=True)
lr = 1e-4
for t in range(40):
    y_pred = a + b * x + c * x ** 3
    loss = (y_pred - y).pow(2).sum()
    if t % 10 == 9:
        print(t, loss.item())
    loss.backward()
    with torch.no_grad():
        a -= lr * a.grad
        b -= lr * b.grad
        c -= lr * c.grad
        a.grad = None
        b.grad = None
        c.grad = None
print(f'Result: y = {a.item():.4f} + {b.item():.4f} x + {c.item():.4f} x^3')
""",
    "momentum-by-hand": """
import torch
w = torch.tensor([4.0, -3.0], requires_grad=True)
v = torch.zeros_like(w)
A = torch.tensor([[3.0, 0.5], [0.5, 1.0]])
for i in range(15):
    loss = 0.5 * w @ A @ w
    g = torch.autograd.grad(loss, w)[0]
    v = 0.9 * v + g
    w = (w - 0.05 * v).detach().requires_grad_(True)
    if i % 5 == 4:
        print(i, loss.item(), w)
""",
    "data-attribute": """
import torch
w = torch.tensor([1.0, 2.0], requires_grad=True)
for _ in range(3):
    loss = (w ** 2).sum()
    loss.backward()
    w.data -= 0.1 * w.grad.data
    w.grad.data.zero_()
print(w, w.grad)
w.data = torch.tensor([9.0, 9.0])
print(w, w.is_leaf, w.requires_grad)
w.data[0] = 1.
print(w)
""",
    "inputs-argument": """
import torch
a = torch.tensor(1., requires_grad=True)
b = torch.tensor(2., requires_grad=True)
loss = a * b + b ** 2
loss.backward(inputs=[a])
print(a.grad, b.grad)
loss = a * b + b ** 2
loss.backward(retain_graph=True)
loss.backward()
print(a.grad, b.grad)
torch.autograd.backward([a * 2, b * 3])
print(a.grad, b.grad)
try:
    loss.backward()
except RuntimeError as e:
    print(str(e)[:60])
""",
    "saved-tensors": """
import torch
x = torch.tensor([1., 2.], requires_grad=True)
y = x.pow(2)
print(y.grad_fn._saved_self, y.grad_fn._saved_exponent, y.grad_fn._saved_self is x)
z = x.exp()
print(z.grad_fn._saved_result.equal(z), z.grad_fn._saved_result is z)
print(z.grad_fn.next_functions[0][1], z.grad_fn.next_functions[0][0].variable)
s = z.sum()
s.backward()
try:
    z.grad_fn._saved_result
except RuntimeError as e:
    print(str(e)[:70])
""",
    "einsum-bilinear": """
import torch
l = torch.arange(6., requires_grad=True).reshape(2, 3)
A = torch.ones(4, 3, 2)
r = torch.ones(2, 2) * 0.5
out = torch.einsum('bn,anm,bm->ba', l, A, r)
print(out)
print(torch.einsum('ij,ij->i', l, l), torch.einsum('ij->', l), torch.einsum('ij,kj->ik', l, l))
""",
    "min-max-grad": """
import torch
x = torch.tensor([[1., 4., 2.], [7., 0., 7.]], requires_grad=True)
(x.max(1)[0].sum() + x.min() + x.amax(0).sum() * 2).backward()
print(x.grad)
x.grad = None
(x.median() + x.median(1).values.sum() + x.std()).backward()
print(x.grad)
print(x.aminmax(), x.argmin(1), torch.max(x, 0))
""",
    "prod-zero": """
import torch
x = torch.tensor([2., 0., 3.], requires_grad=True)
x.prod().backward()
print(x.grad)
x.grad = None
torch.cumprod(x, 0).sum().backward()
print(x.grad)
m = torch.tensor([[1., 2.], [3., 4.]], requires_grad=True)
m.prod(1).sum().backward()
print(m.grad)
""",
    "losses-margins": """
import torch
import torch.nn.functional as F
a = torch.tensor([[1., 2.], [0.5, -1.]], requires_grad=True)
b = torch.tensor([[0.5, 1.], [2., 1.]])
n = torch.tensor([[3., -1.], [0., 0.]])
l = F.triplet_margin_loss(a, b, n) + F.cosine_embedding_loss(a, b, torch.tensor([1, -1])) + F.margin_ranking_loss(a[:, 0], a[:, 1], torch.tensor([1., -1.]), margin=0.3)
l = l + F.hinge_embedding_loss(a, torch.tensor([[1., -1.], [-1., 1.]])) + F.soft_margin_loss(a, torch.tensor([[1., -1.], [-1., 1.]])) + F.poisson_nll_loss(a, b) + F.gaussian_nll_loss(a, b, torch.ones(2, 2))
l.backward()
print(l, a.grad, sep='\\n')
del l
print(F.cosine_similarity(a, b), F.pairwise_distance(a, b), F.normalize(a, dim=1), F.one_hot(torch.tensor([0, 2]), 3))
""",
    "linear-embedding": """
import torch
import torch.nn.functional as F
x = torch.tensor([[1., 2.]])
W = torch.tensor([[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]], requires_grad=True)
b = torch.zeros(3, requires_grad=True)
y = F.linear(x, W, b)
print(y, y.grad_fn.name())
E = torch.arange(6.).reshape(3, 2).requires_grad_()
e = F.embedding(torch.tensor([[0, 2], [2, 2]]), E)
print(e.shape)
(y.sum() + e.sum()).backward()
print(W.grad, b.grad, E.grad)
""",
    "comparison-tools": """
import torch
a = torch.tensor([1., 2., 3.])
b = torch.tensor([1., 2.0001, 3.])
print(a == b, a != b, a < b, torch.eq(a, b), a.equal(b), torch.allclose(a, b, atol=1e-3), torch.isclose(a, b))
print((a > 1) & (a < 3), (a > 1) | (a < 2), ~(a > 1), torch.logical_and(a > 1, a < 3), torch.isnan(a / 0 * 0))
print(torch.nonzero(a > 1), torch.where(a > 1), (a > 1).nonzero(as_tuple=True), torch.count_nonzero(a - 1))
print(bool(a.sum() > 3), int(torch.tensor(3.7)), float(a[0]), a.max() == 3, 2 in a.tolist())
""",
    "iteration": """
import torch
m = torch.tensor([[1., 2.], [3., 4.]], requires_grad=True)
total = 0
for row in m:
    for v in row:
        total = total + v ** 2
total.backward()
print(total, m.grad)
a, b = m
print(a, b.tolist(), [x.item() for x in a], list(torch.arange(3)), sum(m).tolist())
for i, (x, y) in enumerate(zip(a, b)):
    print(i, x.item() * y.item())
""",
    "device": """
import torch
device = torch.device('cuda' if torch.cuda.is_available() else 'cpu')
print(device, torch.cuda.is_available())
x = torch.ones(2, device=device, requires_grad=True)
y = x.to(device) * 2
y = y.to(torch.float64).cpu()
print(y, y.device, x.device.type)
y.sum().backward()
print(x.grad, x.grad.dtype)
""",
    "jacobian-loop": """
import torch
def f(x):
    return torch.stack([x[0] ** 2 + x[1], torch.sin(x[0]) * x[1], x.prod()])
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = f(x)
J = torch.zeros(3, 2)
for i in range(3):
    e = torch.zeros(3)
    e[i] = 1.
    J[i] = torch.autograd.grad(y, x, grad_outputs=e, retain_graph=True)[0]
print(J)
print(torch.autograd.functional.jacobian(f, x.detach()))
""",
}
