"""Augmented assignment changes what Python and numpy change: both run each program, and print the same."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from engine.programs import ProgramRequest, run_program

PROGRAMS = """
import numpy as np
a = np.array([3,1,2]); b = a; a.sort(); print(b)
---
import numpy as np
a = np.zeros(3); b = a[:2]; b.fill(7); print(a)
---
import numpy as np
a = np.zeros((2,2)); b = a[0]; a[:] = 5; print(b)
---
l = [1,2,3]; m = l; l[1:2] = [9,9]; print(m)
del l[0]; print(m)
---
import numpy as np
a = np.arange(6).reshape(2,3); a[0], a[1] = a[1], a[0]; print(a)
---
def f(x, l=[]):
    l.append(x); return l
print(f(1), f(2))
---
fs = [lambda: i for i in range(3)]
print([g() for g in fs])
---
class A:
    items = []
    def add(self, x): self.items.append(x)
a, b = A(), A(); a.add(1); b.add(2); print(A.items, a.items)
---
g = [[0]*2]*3; g[0][0] = 1; print(g)
---
d = {}; d.setdefault('a', []).append(1); d.setdefault('a', []).append(2); print(d)
---
import numpy as np
a = np.arange(10); b = a[::2]; b += 100; print(a)
---
import numpy as np
a = np.ones((3,3)); a[1] -= a[0] * 2; print(a)
---
import numpy as np
x = np.ones(3); y = x.copy(); y += 1; print(x, y)
---
import numpy as np
W = np.zeros((2,2)); mem = np.zeros_like(W)
for param, dparam, m in zip([W], [np.ones((2,2))], [mem]):
    m += dparam * dparam
    param += -0.1 * dparam / np.sqrt(m + 1e-8)
print(W)
---
import numpy as np
a = np.array([1,2,3]); a[0] = 2.7; print(a)
---
import numpy as np
a = np.float32(1); b = a; a += 1; print(a, b, type(a))
---
x = y = [1]; x += [2]; print(y)
x = x + [3]; print(y)
---
t = ([1], 2)
t[0].append(5); print(t)
---
import numpy as np
a = np.array(5.); b = a; a += 1; print(b)
---
import numpy as np
s = 0
s += np.ones(3); t = s; s += 1; print(t, s)
---
import numpy as np
grads = {}
grads['W'] = np.zeros(2); g = grads['W']; grads['W'] += 1; grads['W'] /= 2; print(g)
---
class P:
    def __init__(self, d): self.d = d
    def __iadd__(self, o):
        self.d += o; return self
p = P(1); q = p; p += 4; print(q.d)
---
class P:
    def __init__(self, d): self.d = d
    def __add__(self, o): return P(self.d + o)
p = P(1); q = p; p += 4; print(q.d, p.d)
---
import numpy as np
a = np.eye(2); a *= 3; a -= np.eye(2); a /= 2; print(a)
---
import numpy as np
a = np.arange(3); a = a / 2; a += 0.5; print(a)
---
import numpy as np
a = np.arange(3); a *= 2.0
---
import numpy as np
a = np.arange(3, dtype=np.float32); a += 1e-3; print(a.dtype)
---
import numpy as np
a = np.array([1, 2], dtype=np.int32); a += np.array([1, 2], dtype=np.int64); print(a.dtype)
---
import numpy as np
a = np.array([1, 2], dtype=np.uint8); a -= 3; print(a)
---
a = 'x'; b = a; a += 'y'; print(b)
---
import numpy as np
def relu_(x):
    x[x < 0] = 0
    return x
z = np.array([-1., 2.]); relu_(z); print(z)
---
import numpy as np
m = np.zeros((2, 3)); m[:, 1] += 4; m[1, :] *= 2; print(m)
---
import numpy as np
a = np.zeros(3); a[[0, 0, 1]] += 1; print(a)
---
l = [3, 1, 2]; m = l; l.sort(); print(m); l.reverse(); print(m)
l.insert(0, 9); l.pop(); l.extend([4]); l.remove(9); print(m); l.clear(); print(m)
---
a = [1, 2]; b = a * 2; a *= 2; print(a == b)
---
d = dict(a=1); e = d; d.update(b=2); print(e); d.pop('a'); print(e)
---
import numpy as np
a = np.arange(6).reshape(2, 3); b = a.T; b += 1; print(a)
---
import numpy as np
a = np.arange(3.); b = np.array([a, a]); b += 1; print(a)
---
import numpy as np
a = np.arange(3.); b = [a, a]; b[0] += 1; print(b)
---
import numpy as np
x = np.arange(4.); v = x[1:]; v *= -1; x[0] += 5; print(x, v)
---
import numpy as np
rng = np.arange(5); r2 = rng[rng > 2]; r2 += 1; print(rng)
---
a = b = 0
a += 1; print(a, b)
---
import numpy as np
i = np.int64(3); i //= 2; print(i); i **= 3; print(i); f = 2.0; f //= 0.3; print(f)
---
n = 7; n &= 3; n |= 8; n ^= 1; n <<= 2; n >>= 1; n %= 5; print(n)
---
import numpy as np
w = np.array([1., 2.])
def step(p):
    p -= 1
step(w); print(w)
---
import numpy as np
m = np.zeros((2, 2))
for row in m: row += 1
print(m)
---
import numpy as np
a = np.zeros(4); b = a.ravel(); b[0] = 1; print(a)
---
import numpy as np
a = np.zeros(4); b, c = np.split(a, 2); b[0] = 1; print(a)
---
import numpy as np
a = np.zeros(4); b = np.asarray(a); b[0] = 1; print(a)
c = np.asarray(a, dtype=np.float32); c[0] = 9; print(a)
---
import numpy as np
a = np.zeros(4); b = np.array(a); b[0] = 1; print(a)
---
s = {1}; t = s; s |= {2}; print(t); s -= {1}; print(t); s ^= {5}; print(t); s &= {5}; print(t)
---
u = {'a': 1}; x = u; x |= {'b': 2}; print(u); x |= [('c', 3)]; print(u)
---
import numpy as np
a = np.ones((2, 2)); b = a; a @= np.array([[1., 1.], [0., 1.]]); print(b)
---
import numpy as np
a = np.zeros(3); a += np.zeros((2, 3))
---
import numpy as np
a = np.arange(3); a /= 2
---
s = {1}
s |= [2]
---
l = [1]
l *= 1.5
"""


@pytest.mark.parametrize("source", [program.strip() for program in PROGRAMS.split("\n---\n")])
def test_a_program_that_changes_things_prints_what_python_prints(
    source: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "program.py"
    path.write_text(source)
    failed = False
    try:
        runpy.run_path(str(path))
    except (TypeError, ValueError):
        failed = True
    answer = run_program(ProgramRequest(source, dialect="tf2"))
    assert answer["printed"] == capsys.readouterr().out.splitlines()
    assert (answer["status"] == "error") == failed


def error_of(source: str) -> dict[str, str]:
    (error,) = run_program(ProgramRequest(source, dialect="tf2"))["diagnostics"]
    return error  # type: ignore[no-any-return]


def test_an_array_keeps_its_type() -> None:
    error = error_of("import numpy as np\na = np.arange(3)\na += 0.5")
    assert error["message"] == "An array of int64 cannot hold the result, which is float64."
    assert (
        error["hint"]
        == 'Begin with an array of float64, such as `a = a.astype("float64")`, or write `a = a + …`.'
    )


def test_an_array_keeps_its_shape() -> None:
    error = error_of("import numpy as np\na = np.zeros(3)\na += np.zeros((2, 3))")
    assert error["message"] == "An array of shape (3,) cannot take the result with a value of shape (2, 3)."


def test_a_tensor_that_is_added_makes_a_tensor_as_in_tensorflow() -> None:
    source = """
import numpy as np, tensorflow as tf
a = b = np.zeros(2)
a += tf.constant([1., 2.], tf.float64)
print(b, a)
"""
    assert run_program(ProgramRequest(source, dialect="tf2"))["printed"] == [
        "[0. 0.] tf.Tensor([1. 2.], shape=(2,), dtype=float64)"
    ]


def test_what_a_run_was_fed_stays_as_it_was() -> None:
    source = """
import numpy as np, tensorflow as tf
x = tf.placeholder(tf.float32, [2])
a = np.array([1., 2.], dtype=np.float32)
with tf.Session() as session:
    y = session.run(x * 2, {x: a})
a -= 100
y += 7
"""
    (session,) = run_program(ProgramRequest(source, dialect="tf1"))["sessions"]
    (run,) = session["kept"]
    assert [run[part][0]["value"]["data"] for part in ("feeds", "fetches")] == [[1.0, 2.0], [2.0, 4.0]]
