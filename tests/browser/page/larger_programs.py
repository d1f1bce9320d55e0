"""Twenty programs larger than those of the gallery: deep, wide, with scopes, loops and optimizers."""

from __future__ import annotations

from itertools import pairwise

TF = "import tensorflow as tf\n"
OPTIMIZERS = ("GradientDescentOptimizer", "AdamOptimizer", "MomentumOptimizer", "RMSPropOptimizer")


def dense(sizes: list[int], optimizer: str, scoped: bool) -> str:
    """A network of dense layers with its training."""
    lines = [f"h = x = tf.constant(0.1, shape=[4, {sizes[0]}])"]
    for i, (inputs, outputs) in enumerate(pairwise(sizes)):
        lines += [f"with tf.name_scope('layer{i}'):"] if scoped else []
        body = [
            f"w{i} = tf.Variable(tf.constant(0.1, shape=[{inputs}, {outputs}]), name='w{i}')",
            f"b{i} = tf.Variable(tf.zeros([{outputs}]), name='b{i}')",
            f"h = tf.nn.relu(tf.matmul(h, w{i}) + b{i})",
        ]
        lines += [("    " if scoped else "") + line for line in body]
    lines += [
        "loss = tf.reduce_mean(tf.square(h - 1.0))",
        f"train = tf.train.{optimizer}(0.1).minimize(loss)",
    ]
    return TF + "\n".join(lines) + "\n"


def towers(count: int) -> str:
    """Towers that share a variable, and the mean of their gradients."""
    return TF + (
        "w = tf.Variable(2.0, name='w')\nopt = tf.train.GradientDescentOptimizer(0.1)\ngrads = []\n"
        f"for i in range({count}):\n"
        "    with tf.name_scope('tower%d' % i):\n"
        "        loss = tf.square(w * (i + 1.0) - 3.0)\n"
        "        grads.append(opt.compute_gradients(loss, [w])[0][0])\n"
        f"mean = tf.add_n(grads) / {count}.0\n"
        "train = opt.apply_gradients([(mean, w)])\n"
    )


def unrolled(steps: int, function: str = "tanh") -> str:
    """A recurrent network, unrolled."""
    return TF + (
        "w = tf.Variable(0.5, name='w')\nu = tf.Variable(0.3, name='u')\nh = tf.constant(0.1)\n"
        f"for i in range({steps}):\n"
        f"    h = tf.{function}(w * h + u * {0.1})\n"
        "loss = tf.square(h - 1.0)\ngrads = tf.gradients(loss, [w, u])\n"
    )


def fan(count: int) -> str:
    """A sum of many functions of one variable."""
    return "y = " + " + ".join(f"sin({i + 1}*x)" for i in range(count))


LARGER_PROGRAMS = {
    "chain of 16": "y = " + "sin(" * 16 + "x" + ")" * 16,
    "chain of 40": "y = " + "sin(" * 40 + "x" + ")" * 40,
    "sum of 8": fan(8),
    "sum of 24": fan(24),
    "product of 6": "y = " + " * ".join(f"(x{i}^2 + {i})" for i in range(6)),
    "rosenbrock of 6": "y = " + " + ".join(f"100*(x{i + 1} - x{i}^2)^2 + (1 - x{i})^2" for i in range(5)),
    **{f"two layers, {name}": dense([3, 4, 1], name, scoped=False) for name in OPTIMIZERS},
    "three scopes, descent": dense([3, 8, 8, 1], OPTIMIZERS[0], scoped=True),
    "three scopes, Adam": dense([3, 8, 8, 1], OPTIMIZERS[1], scoped=True),
    "eight scopes, Adam": dense([4] * 9, OPTIMIZERS[1], scoped=True),
    "six layers": dense([4] * 7, OPTIMIZERS[0], scoped=False),
    "two towers": towers(2),
    "six towers": towers(6),
    "unrolled 4": unrolled(4),
    "unrolled 12": unrolled(12),
    "unrolled 30": unrolled(30, "sigmoid"),
    "softmax": TF + "x = tf.constant([[1., 2.], [3., 4.], [5., 6.]])\n"
    "w = tf.Variable(tf.zeros([2, 3]))\nb = tf.Variable(tf.zeros([3]))\n"
    "loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits("
    "labels=tf.one_hot([0, 1, 2], 3), logits=tf.matmul(x, w) + b))\n"
    "train = tf.train.MomentumOptimizer(0.1, 0.9).minimize(loss)\n",
}
