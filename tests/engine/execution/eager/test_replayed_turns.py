"""A turn that goes like those before it only computes; the answer is that of turns that all run as always."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.execution.budget import Limits
from engine.execution.eager.turns import choosing, replay
from engine.programs import ProgramRequest, run_program

NEVER = 10**9
LIMITS = Limits(element_operations=100_000)
BEGIN = """\
import numpy as np
import tensorflow as tf

r = np.random.RandomState(0)
X = r.randn(6, 3)
Y = X @ np.array([[1.], [-2.], [0.5]]) + 0.1
w = tf.Variable(tf.ones([3, 1], DTYPE) * 0.3, name="w")
b = tf.Variable(0.1, dtype=DTYPE, name="b")
x, y = tf.constant(X, DTYPE), tf.constant(Y, DTYPE)
opt = tf.optimizers.SGD(0.05)

def model(x):
    return tf.matmul(x, w) + b

def loss_of(x, y):
    return tf.reduce_mean(tf.square(model(x) - y))

def step(x, y, variables=None):
    variables = [w, b] if variables is None else variables
    with tf.GradientTape() as tape:
        loss = loss_of(x, y)
    grads = tape.gradient(loss, variables)
    opt.apply_gradients(zip(grads, variables))
    return loss
"""
OPTIMIZERS = (
    *("SGD(0.05)", "SGD(0.05, momentum=0.9)", "SGD(0.05, momentum=0.9, nesterov=True)", "Adam(0.05)"),
    *("Adam(0.05, amsgrad=True)", "RMSprop(0.05)", "RMSprop(0.05, momentum=0.5, centered=True)"),
    *("Adagrad(0.05)", "Adadelta(0.05)", "Adamax(0.05)", "Nadam(0.05)", "Ftrl(0.05)"),
    *("AdamW(0.05, weight_decay=0.01)", "Lion(0.01)", "Adam(0.05, clipnorm=0.1)", "SGD(0.05, clipvalue=0.1)"),
    "SGD(0.05, global_clipnorm=0.1)",
)
LOOPS = {
    "a rate that falls": "opt = tf.optimizers.SGD(tf.keras.optimizers.schedules.ExponentialDecay(0.1, 5, 0.9))\n"
    "for i in range(40):\n    step(x, y)",
    "a rate that the program sets": "for i in range(40):\n    step(x, y)\n    if i == 20:\n        opt.learning_rate = 0.01",
    "each turn printed": "for i in range(40):\n    print(i, step(x, y), w.numpy().tolist(), float(b))",
    "a list of losses": "losses = []\nfor i in range(40):\n    losses.append(step(x, y))\n"
    "print(tf.reduce_mean(losses), losses[3], losses[-1])\nz = losses[5] * 2 + losses[30]\nprint(z)",
    "shown now and then": "for i in range(40):\n    step(x, y)\n    if i % 10 == 0:\n"
    "        print(i, loss_of(x, y).numpy())",
    "other shapes for a while": "for i in range(60):\n    n = 6 if i < 25 or i > 40 else 4\n    step(x[:n], y[:n])",
    "batches of an array": "for i in range(40):\n    k = r.randint(0, 6, 2)\n    step(X[k], Y[k])",
    "an array that changes in place": "A = X.copy()\nfor i in range(40):\n"
    "    with tf.GradientTape() as tape:\n        loss = tf.reduce_sum((tf.matmul(A, w) - Y) ** 2) / (i + 1.)\n"
    "    A += 0.01\n    g = tape.gradient(loss, w)\n    w.assign_sub(0.01 * g)\n    Y[0] = i\n    print(loss)",
    "a data set in batches": "data = tf.data.Dataset.from_tensor_slices((X.astype(NP), Y.astype(NP))).batch(2)\n"
    "for epoch in range(20):\n    for p, q in data:\n        l = step(p, q)\n    print(epoch, l)",
    "a data set with a short batch": "data = tf.data.Dataset.from_tensor_slices((X.astype(NP), Y.astype(NP))).batch(4)\n"
    "for epoch in range(20):\n    for p, q in data:\n        l = step(p, q)\n",
    "made ahead of the tape": "for i in range(40):\n    k = tf.constant(r.randn(6, 3).astype(NP))\n    q = k * 2.\n"
    "    with tf.GradientTape() as tape:\n        loss = tf.reduce_sum(tf.matmul(q, w))\n"
    "    w.assign_add(tape.gradient(loss, w) * 0.01)",
    "a branch on a value": "for i in range(50):\n    l = step(x, y)\n    if l < 0.5:\n        b.assign_add(0.01)\n"
    "    elif i % 7 == 3:\n        b.assign(0.)",
    "a branch inside of the tape": "for i in range(50):\n    with tf.GradientTape() as tape:\n"
    "        l = loss_of(x, y)\n        if i % 5 == 2:\n            l = l * 2. + tf.reduce_sum(w)\n"
    "    opt.apply_gradients(zip(tape.gradient(l, [w, b]), [w, b]))",
    "a mistake that comes late": "for i in range(40):\n    l = step(x, y)\n    if i == 30:\n        tf.matmul(x, y)",
    "a mistake inside of the tape": "for i in range(40):\n    with tf.GradientTape() as tape:\n        l = loss_of(x, y)\n"
    "        q = l / (1. if i < 30 else 'no')\n    opt.apply_gradients(zip(tape.gradient(l, [w, b]), [w, b]))",
    "a mistake that a program catches": "for i in range(40):\n    try:\n        with tf.GradientTape() as tape:\n"
    "            l = loss_of(x, y)\n            if i in (15, 16, 33):\n                raise ValueError('x')\n"
    "        opt.apply_gradients(zip(tape.gradient(l, [w, b]), [w, b]))\n    except ValueError as e:\n        print(i, e)",
    "an index out of range": "t = tf.Variable(tf.range(4, dtype=DTYPE))\nfor i in range(40):\n"
    "    with tf.GradientTape() as tape:\n        l = tf.gather(t, i // 8) ** 2\n    t.assign_sub(0.1 * tf.convert_to_tensor(tape.gradient(l, t)))",
    "updates by hand": "for i in range(40):\n    with tf.GradientTape() as tape:\n        l = loss_of(x, y)\n"
    "    gw, gb = tape.gradient(l, [w, b])\n    w.assign_sub(0.1 * gw)\n    b.assign(b - 0.1 * gb)",
    "a persistent tape": "for i in range(40):\n    with tf.GradientTape(persistent=True) as tape:\n"
    "        l = loss_of(x, y)\n        m = l * l\n    gw = tape.gradient(l, w)\n    gb = tape.gradient(m, b)\n    del tape\n"
    "    opt.apply_gradients([(gw, w), (gb, b)])",
    "persistent tapes that are kept": "tapes = []\nfor i in range(30):\n    with tf.GradientTape(persistent=True) as tape:\n"
    "        l = loss_of(x, y)\n    tapes.append((tape, l))\n    w.assign_sub(0.1 * tape.gradient(l, w))\n"
    "for tape, l in tapes[3::5]:\n    print(tape.gradient(l, [w, b]))\nprint([v.name for v in tapes[20][0].watched_variables()])",
    "a tape in a tape": "v = tf.Variable(1.3, dtype=DTYPE)\nfor i in range(40):\n    with tf.GradientTape() as outer:\n"
    "        with tf.GradientTape() as inner:\n            l = v ** 3 + tf.sin(v)\n        d = inner.gradient(l, v)\n"
    "    h = outer.gradient(d, v)\n    v.assign_sub(0.1 * d / (tf.abs(h) + 1.))\nprint(d, h)",
    "two tapes": "v = tf.Variable(1.3, dtype=DTYPE)\nfor i in range(40):\n"
    "    with tf.GradientTape() as one, tf.GradientTape() as two:\n        l = loss_of(x, y) * v\n        m = v * v + b\n"
    "    gw = one.gradient(l, [w, b])\n    gv = two.gradient(m, [v])\n    opt.apply_gradients(zip(gw, [w, b]))\n"
    "    opt.apply_gradients(zip(gv, [v]))",
    "two tapes one after the other": "v = tf.Variable(1.3, dtype=DTYPE)\nother = tf.optimizers.Adam(0.1)\nfor i in range(40):\n"
    "    step(x, y)\n    with tf.GradientTape() as two:\n        m = (v - b) ** 2\n"
    "    other.apply_gradients(zip(two.gradient(m, [v]), [v]))",
    "asked inside of its block": "for i in range(40):\n    with tf.GradientTape() as tape:\n        l = loss_of(x, y)\n"
    "        g = tape.gradient(l, [w, b])\n        extra = l + 1.\n    opt.apply_gradients(zip(g, [w, b]))",
    "a constant that is watched": "c = tf.constant(2., DTYPE)\nfor i in range(40):\n    with tf.GradientTape() as tape:\n"
    "        tape.watch(c)\n        l = c ** 3 * b\n    g = tape.gradient(l, [c, b])\n    b.assign_sub(0.01 * g[1])\nprint(g)",
    "only what is watched": "for i in range(40):\n    with tf.GradientTape(watch_accessed_variables=False) as tape:\n"
    "        tape.watch(w)\n        l = loss_of(x, y)\n    g = tape.gradient(l, [w, b])\n    w.assign_sub(0.1 * g[0])\nprint(g)",
    "a pause": "for i in range(40):\n    with tf.GradientTape() as tape:\n        l = loss_of(x, y)\n"
    "        with tape.stop_recording():\n            m = l * 2.\n        l = l + m\n    g = tape.gradient(l, [w, b])\n    opt.apply_gradients(zip(g, [w, b]))",
    "not connected": "u = tf.Variable(1., dtype=DTYPE)\nn = tf.Variable(3., dtype=DTYPE, trainable=False)\nfor i in range(40):\n"
    "    with tf.GradientTape() as tape:\n        l = loss_of(x, y) * n\n    g = tape.gradient(l, [w, u, n], unconnected_gradients='zero')\n"
    "    k = [w, u]\n    opt.apply_gradients(zip(g[:2], k))\nprint(g)",
    "without a gradient": "u = tf.Variable(1., dtype=DTYPE)\nfor i in range(40):\n    with tf.GradientTape() as tape:\n"
    "        l = loss_of(x, y)\n    g = tape.gradient(l, [w, u])\n    w.assign_sub(g[0] * 0.1)\nprint(g)",
    "read in the block": "for i in range(40):\n    with tf.GradientTape() as tape:\n        l = loss_of(x, y)\n"
    "        s = float(l) + b.numpy()\n    g = tape.gradient(l, [w, b])\n    opt.apply_gradients(zip(g, [w, b]))\nprint(s)",
    "a loss by the one before": "last = 0.\nfor i in range(40):\n    l = step(x, y)\n    print(l - last)\n    last = l",
    "a sum over the turns": "total = 0.\nfor i in range(40):\n    total += step(x, y)\nprint(total)",
    "a function of the graph": "fast = tf.function(step)\nfor i in range(40):\n    fast(x, y)\nprint(loss_of(x, y))",
    "a function of the graph beside": "@tf.function\ndef f(a):\n    return tf.reduce_sum(a * a) if tf.reduce_sum(a) > 0. else tf.reduce_sum(a)\n"
    "for i in range(40):\n    with tf.GradientTape() as tape:\n        l = loss_of(x, y) + f(w)\n"
    "    opt.apply_gradients(zip(tape.gradient(l, [w, b]), [w, b]))",
    "functions of other variables": "u = tf.Variable(tf.ones([3, 1], DTYPE))\nfor i in range(40):\n    step(x, y)\n    step(x, y, [w])\n    step(x, y, [b, w])",
    "names": "for i in range(40):\n    with tf.GradientTape() as tape:\n        with tf.name_scope('part'):\n"
    "            l = tf.reduce_sum(tf.square(model(x) - y), name='total')\n    opt.apply_gradients(zip(tape.gradient(l, [w, b]), [w, b]))\n"
    "    if i == 25:\n        q = tf.exp(l, name='late') * 2.\n        r2 = l * 2. - q\n        print(r2)",
    "random numbers": "tf.random.set_seed(1)\nfor i in range(40):\n    with tf.GradientTape() as tape:\n"
    "        l = loss_of(x + tf.random.normal([6, 3], dtype=DTYPE), y)\n    opt.apply_gradients(zip(tape.gradient(l, [w, b]), [w, b]))\n    print(tf.random.uniform([]))",
    "random numbers with a seed": "for i in range(40):\n    with tf.GradientTape() as tape:\n"
    "        l = loss_of(tf.nn.dropout(x, 0.3, seed=3), y)\n    opt.apply_gradients(zip(tape.gradient(l, [w, b]), [w, b]))",
    "a network of Keras": "m = tf.keras.Sequential([tf.keras.layers.Dense(4, activation='relu'), tf.keras.layers.Dense(1)])\n"
    "mse = tf.keras.losses.MeanSquaredError()\nadam = tf.keras.optimizers.Adam(0.01)\nfor i in range(40):\n    with tf.GradientTape() as tape:\n"
    "        l = mse(Y.astype('float32'), m(X.astype('float32'), training=True))\n"
    "    adam.apply_gradients(zip(tape.gradient(l, m.trainable_variables), m.trainable_variables))\n    print(l.numpy())",
    "a network that drops and normalizes": "m = tf.keras.Sequential([tf.keras.layers.Dense(4), tf.keras.layers.BatchNormalization(),"
    " tf.keras.layers.Dropout(0.2), tf.keras.layers.Dense(1)])\nfor i in range(30):\n    with tf.GradientTape() as tape:\n"
    "        l = tf.reduce_mean((m(X.astype('float32'), training=True) - Y.astype('float32')) ** 2)\n"
    "    opt.apply_gradients(zip(tape.gradient(l, m.trainable_variables), m.trainable_variables))\nprint(l)",
    "a model that is fitted": "m = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nm.compile(optimizer='adam', loss='mse', metrics=['mae'])\n"
    "h = m.fit(X, Y, epochs=12, batch_size=2, verbose=0)\nprint(h.history['loss'][-1])",
    "a class for the model": "class Line(tf.Module):\n    def __init__(self):\n        self.k = tf.Variable(0.5, dtype=DTYPE)\n    def __call__(self, x):\n"
    "        return self.k * x\nline = Line()\nfor i in range(40):\n    with tf.GradientTape() as t:\n        l = tf.reduce_mean(tf.abs(line(X[:, 0]) - Y[:, 0]))\n"
    "    line.k.assign_sub(0.1 * t.gradient(l, line.k))",
    "minimize": "for i in range(40):\n    opt.minimize(lambda: loss_of(x, y), [w, b])",
    "a pair of turns": "for i in range(60):\n    if i % 2:\n        step(x, y)\n    else:\n        with tf.GradientTape() as tape:\n            l = tf.reduce_sum(w ** 2)\n"
    "        w.assign_sub(0.01 * tape.gradient(l, w))",
    "embeddings": "e = tf.Variable(tf.ones([5, 2], DTYPE))\nfor i in range(30):\n    with tf.GradientTape() as tape:\n"
    "        l = tf.reduce_sum(tf.nn.embedding_lookup(e, [1, 3, 1]) ** 2)\n    opt.apply_gradients([(tape.gradient(l, e), e)])",
    "a jacobian": "for i in range(20):\n    with tf.GradientTape() as tape:\n        p = tf.reshape(model(x), [6])[:2]\n    j = tape.jacobian(p, w)\n    w.assign_sub(0.01 * j[0])",
    "zeros and infinities": "v = tf.Variable(2., dtype=DTYPE)\nfor i in range(40):\n    with tf.GradientTape() as tape:\n        l = v ** 4\n    g = tape.gradient(l, v)\n    v.assign_sub(0.5 * g)\n    print(l, g)",
    "a new variable late": "for i in range(40):\n    step(x, y)\n    if i == 20:\n        extra = tf.Variable(1., dtype=DTYPE)\n    if i > 20:\n        extra.assign_add(1.)",
    "integers": "for i in range(40):\n    with tf.GradientTape() as tape:\n        l = tf.reduce_sum(tf.one_hot(tf.argmax(x, 1), 3, dtype=DTYPE) * x) * b\n"
    "        n = tf.cast(tf.shape(x)[0], DTYPE)\n        l = l / n\n    b.assign_sub(0.1 * tape.gradient(l, b))\nprint(n)",
    "a number that counts": "for i in range(40):\n    with tf.GradientTape() as tape:\n        l = loss_of(x, y) * float(i) + i\n"
    "    opt.apply_gradients(zip(tape.gradient(l, [w, b]), [w, b]))",
    "a loop that leaves early": "for i in range(40):\n    with tf.GradientTape() as tape:\n        l = loss_of(x, y)\n    if i % 6 == 4:\n        continue\n"
    "    g = tape.gradient(l, [w, b])\n    if i == 37:\n        break\n    opt.apply_gradients(zip(g, [w, b]))",
    "gradients that are changed": "for i in range(40):\n    with tf.GradientTape() as tape:\n        l = loss_of(x, y)\n    g = tape.gradient(l, [w, b])\n"
    "    g = [tf.clip_by_norm(one, 0.1) for one in g]\n    opt.apply_gradients(zip(g, [w, b]))",
    "too much work": "for i in range(1000):\n    step(x, y)",
}
PROGRAMS = {
    **{name: ("tf.float32", loop) for name, loop in LOOPS.items()},
    **{f"{name}, float64": ("tf.float64", loop) for name, loop in LOOPS.items()},
    **{
        f"{made}, {dtype}": (dtype, f"opt = tf.optimizers.{made}\nfor i in range(40):\n    step(x, y)\nprint(w, b)")
        for made in OPTIMIZERS
        for dtype in ("tf.float32", "tf.float64")
    },
}


def source_of(name: str) -> str:
    dtype, loop = PROGRAMS[name]
    return (BEGIN + loop).replace("DTYPE", dtype).replace("NP", f"'{dtype[3:]}'")


def answer(monkeypatch: pytest.MonkeyPatch, source: str, turns: int) -> Any:
    """The answer to a program, where so many turns come before one is recorded."""
    monkeypatch.setattr(choosing, "TURNS_BEFORE_A_RECORDING", turns)
    monkeypatch.setattr(replay, "REPLAYS_BEFORE_A_FUNCTION", 4)
    return run_program(ProgramRequest(source), LIMITS)


@pytest.mark.slow
@pytest.mark.parametrize("name", PROGRAMS)
def test_an_answer_is_the_same_text_with_replayed_turns_and_without(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = source_of(name)
    expected, found = (answer(monkeypatch, source, turns) for turns in (NEVER, 2))
    assert json.dumps(found) == json.dumps(expected)
