import torch

# A derivative that recurses into its operands, against one backward sweep.
visits = 0

class Name:
    def __init__(self, name, number):
        self.name, self.number = name, number

    def value(self):
        return self.number

    def grad(self, by):
        global visits
        visits += 1
        return 1 if self.name == by else 0

class Sum:
    def __init__(self, left, right):
        self.left, self.right = left, right

    def grad(self, by):
        global visits
        visits += 1
        return self.left.grad(by) + self.right.grad(by)

class Power:
    def __init__(self, base, n):
        self.base, self.n = base, n

    def grad(self, by):
        return self.n * self.base.value() ** (self.n - 1)

depth = 10
doubled = Name("x", 1)
for _ in range(depth):
    doubled = Sum(doubled, doubled)
slope = doubled.grad("x")
print("recursion: %d visits for the slope %d" % (visits, slope))

x = torch.tensor(1.0, requires_grad=True)
y = x
for _ in range(depth):
    y = y + y
y.backward()
nodes, node = 0, y.grad_fn
while node is not None:
    nodes += 1
    node = node.next_functions[0][0] if node.next_functions else None
print("sweep: %d nodes for the slope %d" % (nodes, x.grad.item()))

print("w^2 by w: %d, by b: %d" % (Power(Name("w", 3), 2).grad("w"), Power(Name("w", 3), 2).grad("b")))
