"""Loops of PyTorch: how gradients are emptied, and how parameters take their steps."""

LOOPS = """\
## gradients emptied by hand
w = torch.randn(3, 1, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
for i in range(N):
    loss = ((X @ w + b - Y) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        w -= 0.05 * w.grad
        b -= 0.05 * b.grad
        w.grad.zero_()
        b.grad.zero_()
print(loss.item(), w.tolist(), b.item(), w._version, w.grad)

## gradients set to None by hand
w = torch.randn(3, 1, requires_grad=True)
for i in range(N):
    ((X @ w - Y) ** 2).sum().backward()
    w.data -= 0.01 * w.grad
    w.grad = None
print(w, w.grad)

## a module with Adam
model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
losses = []
for epoch in range(N):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(X), Y)
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
    if epoch % 10 == 0:
        print(epoch, loss, loss.grad_fn)
print(losses[-1], optimizer.state_dict()["state"][0]["step"], model[0].weight.grad)

## momentum, and gradients emptied to zeros
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9, nesterov=True)
for epoch in range(N):
    loss = nn.MSELoss()(model(X), Y)
    optimizer.zero_grad(set_to_none=False)
    loss.backward()
    optimizer.step()
print(model.weight, model.bias, optimizer)

## gradients that add up over two passes
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.02)
for epoch in range(N):
    for part in (slice(0, 3), slice(3, 6)):
        (((model(X[part]) - Y[part]) ** 2).mean() / 2).backward()
    optimizer.step()
    optimizer.zero_grad()
print(model.weight)

## gradients that are never emptied
w = torch.ones(3, 1, requires_grad=True)
for i in range(N):
    ((X @ w - Y) ** 2).mean().backward()
    with torch.no_grad():
        w.sub_(0.001 * w.grad)
print(w, w.grad)

## a rate that falls
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=7, gamma=0.5)
for epoch in range(N):
    optimizer.zero_grad()
    loss = ((model(X) - Y) ** 2).mean()
    loss.backward()
    optimizer.step()
    scheduler.step()
print(scheduler.get_last_lr(), loss.item())

## a rate that falls in every turn
model = nn.Linear(3, 1)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.1, weight_decay=0.01)
scheduler = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.95)
for epoch in range(N):
    optimizer.zero_grad()
    loss = ((model(X) - Y) ** 2).mean()
    loss.backward()
    optimizer.step()
    scheduler.step()
print(scheduler.get_last_lr(), loss.item(), optimizer.param_groups[0]["lr"])

## a rate that the program sets, and a momentum
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for epoch in range(N):
    optimizer.zero_grad()
    ((model(X) - Y) ** 2).mean().backward()
    optimizer.step()
    if epoch == 15:
        optimizer.param_groups[0]["lr"] = 0.01
    if epoch == 25:
        optimizer.param_groups[0]["momentum"] = 0.01
print(model.weight)

## weights that are frozen, and freed
model = nn.Sequential(nn.Linear(3, 2), nn.Linear(2, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
for i in range(N):
    if i == 12:
        model[0].weight.requires_grad_(False)
    if i == 24:
        model[0].weight.requires_grad_(True)
    optimizer.zero_grad()
    loss = ((model(X) - Y) ** 2).mean()
    loss.backward()
    optimizer.step()
print(model[0].weight, model[0].weight.grad)

## clipped gradients
model = nn.Linear(3, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
for i in range(N):
    optimizer.zero_grad()
    ((model(X) - Y) ** 2).mean().backward()
    norm = nn.utils.clip_grad_norm_(model.parameters(), 0.3)
    optimizer.step()
print(norm, model.weight)

## gradients that the program changes
w = torch.tensor([1.0, 2.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1)
for i in range(N):
    optimizer.zero_grad()
    (w ** 2).sum().backward()
    w.grad *= 0.5
    if i % 7 == 3:
        w.grad[0] = 0.25
    optimizer.step()
print(w, w.grad)

## L-BFGS
w = torch.tensor([1.0, 2.0], requires_grad=True)
optimizer = torch.optim.LBFGS([w], lr=0.3, max_iter=4)
def closure():
    optimizer.zero_grad()
    loss = ((w - 3) ** 4).sum()
    loss.backward()
    return loss
for i in range(N // 4):
    loss = optimizer.step(closure)
print(w, loss)

## two players
generator, critic = nn.Linear(2, 1), nn.Linear(1, 1)
first = torch.optim.Adam(generator.parameters(), lr=0.02)
second = torch.optim.Adam(critic.parameters(), lr=0.02)
criterion = nn.BCEWithLogitsLoss()
for i in range(N):
    second.zero_grad()
    fake = generator(torch.randn(4, 2))
    real = criterion(critic(torch.randn(4, 1) + 2), torch.ones(4, 1))
    loss_c = real + criterion(critic(fake.detach()), torch.zeros(4, 1))
    loss_c.backward()
    second.step()
    first.zero_grad()
    loss_g = criterion(critic(fake), torch.ones(4, 1))
    loss_g.backward()
    first.step()
print(loss_c, loss_g, generator.weight)

## the state of an optimizer that is loaded again
w = torch.tensor([1.0, 2.0], requires_grad=True)
optimizer = torch.optim.Adam([w], lr=0.1)
for i in range(N):
    optimizer.zero_grad()
    (w ** 2).sum().backward()
    optimizer.step()
    if i == 14:
        kept = optimizer.state_dict()
        other = torch.optim.Adam([w], lr=0.1)
    if i == 24:
        optimizer.load_state_dict(kept)
    if i == 30:
        other.load_state_dict(optimizer.state_dict())
        optimizer = other
print(w, optimizer.state[w]["step"], optimizer.state[w]["exp_avg"])

## two steps in a turn
w = torch.tensor([1.0, 2.0], requires_grad=True)
optimizer = torch.optim.SGD([w], lr=0.1, momentum=0.5)
for i in range(N):
    optimizer.zero_grad()
    (w ** 2).sum().backward()
    optimizer.step()
    if i % 13 != 12:
        optimizer.step()
print(w)

## gradients that are set by hand
w = torch.tensor([1.0, 2.0], requires_grad=True)
for i in range(N):
    if i % 10 == 9:
        w.grad = torch.tensor([1.0, 1.0])
    (w ** 3).sum().backward()
    with torch.no_grad():
        w -= 0.01 * w.grad
    if i % 10 != 8:
        w.grad = None
print(w, w.grad)
"""
