"""Programs that look at what other programs may have changed: each at another part of the service.

The first one runs right after a program that tries to change it, when what that one left behind is let go.
"""

from __future__ import annotations

from engine.languages.interpreter.classes.builtin_exceptions import BASES

EACH_EXCEPTION = "\n".join(
    f"try:\n    raise {name}('why', 2)\nexcept {name} as e:\n    print({name}, str(e), e.args, e)"
    for name in BASES
)
TF1 = {
    "names and graphs": (
        "a = tf.constant(1.)\nx = tf.Variable(2.)\nb = tf.constant(1.)\n"
        "print(a.name, x.name, b.name, a.graph is x.graph, tf.get_default_graph() is x.graph)\n"
        "print(tf.trainable_variables(), tf.get_collection('losses'), tf.get_default_session())\n"
        "with tf.variable_scope('b'):\n    print(tf.get_variable('x', [2]).name)\ny = a * x + b"
    ),
    "exceptions": EACH_EXCEPTION,
    "errors of the engine": (
        "for f in (lambda: 1 / 0, lambda: {}['a'], lambda: [][3], lambda: undefined, lambda: tf.add(1)):\n"
        "    try:\n        f()\n    except Exception as e:\n        print(type(e).__name__, e, e.args)"
    ),
    "a member that is not there": "print(Exception.stash)",
    "constants": (
        "print(np.pi, np.e, np.inf, math.pi, math.e, np.newaxis, tf.float32, np.float32, __name__)\n"
        "print(tf.float32.name, np.float32.__name__, tf.sin, len, print, Exception, sorted([2, 1]))"
    ),
    "training": (
        "x = tf.Variable(3.)\ny = tf.square(x) + tf.sin(x)\n"
        "train = tf.train.AdamOptimizer(0.1).minimize(y)\nwith tf.Session() as sess:\n"
        "    sess.run(tf.global_variables_initializer())\n    for step in range(3):\n"
        "        sess.run(train)\n"
        "    print(sess.run([x, y]), tf.gradients(y, [x]))"
    ),
    "ones and zeros": (
        "x = tf.Variable(tf.ones((3,)))\ny = tf.reduce_sum(x * 2.)\n"
        "found = [tf.gradients(y, [x])[0], tf.ones_like(x), tf.zeros_like(x), tf.ones((3,)), "
        "tf.zeros((3,))]\n"
        "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n"
        "    for turn in range(3):\n        print(sess.run(found))\nprint(np.ones(3), np.zeros(3), np.eye(3))"
    ),
    "random numbers": (
        "print(np.random.rand(2), random.random(), time.time(), np.random.RandomState(1).rand())\n"
        "x = tf.Variable(tf.random_normal([2]))\nwith tf.Session() as sess:\n"
        "    sess.run(tf.global_variables_initializer())\n"
        "    print(sess.run(x), sess.run(tf.random_uniform([2])))"
    ),
    "printed numbers": (
        "print(np.ones(3) / 3, 1 / 3, np.float32(1) / 3, np.array([1e-9, 1.]), np.zeros(2) / 0)"
    ),
    "a gradient rule": (
        "x = tf.Variable(2.)\nwith tf.get_default_graph().gradient_override_map({'Square': 'Wrong'}):\n"
        "    y = tf.square(x)\ng = tf.gradients(y, [x])"
    ),
    "shapes": (
        "x = tf.Variable(tf.ones((1, 2)))\ny = tf.sin(x) * x\ng = tf.gradients(y, [x])\n"
        "print(x.shape, x.get_shape().as_list(), (tf.zeros((1, 1)) + tf.ones([1])).shape)"
    ),
    "containers": (
        "import collections, itertools, sys\nP = collections.namedtuple('P', 'a b')\n"
        "print(P(1, 2), P._fields)\n"
        "print(collections.Counter('ab'), list(itertools.islice(itertools.count(), 2)))\n"
        "sys.stdout.write('b')\nclass A:\n    pass\nprint({A() for n in range(3)})\n"
        "def f(a=[]):\n    a.append(1)\n    return a\nprint(f(), f())"
    ),
    "arrays that fill the room": "kept = [np.ones((1000, 1000)) for n in range(9)]\nprint(kept[0].sum())",
    "a limit": "x = tf.Variable(1.)\nwhile True:\n    pass",
    "a refusal": "x = tf.Variable(1.)\neval('x')",
}
TF2 = {
    "exceptions of eager programs": (
        "try:\n    tf.ones(2) + tf.ones(3)\nexcept ValueError as e:\n    print(e)"
    ),
    "a tape": (
        "x = tf.Variable([1., 2.])\nc = tf.constant(3.)\nwith tf.GradientTape() as tape:\n"
        "    y = tf.reduce_sum(x * x * c)\nprint(y, tape.gradient(y, x), tf.ones(2), tf.zeros_like(x))"
    ),
    "layers": (
        "model = tf.keras.Sequential([tf.keras.layers.Dense(2, activation='relu'), "
        "tf.keras.layers.Dense(1)])\n"
        "x = tf.ones((1, 2))\nwith tf.GradientTape() as tape:\n    y = tf.reduce_sum(model(x) ** 2)\n"
        "g = tape.gradient(y, model.trainable_variables)\nopt = tf.keras.optimizers.Adam()\n"
        "opt.apply_gradients(zip(g, model.trainable_variables))\n"
        "print(y, model.layers[0].name, opt.learning_rate, [v.shape for v in model.variables])"
    ),
    "metrics and data": (
        "m = tf.keras.metrics.Mean()\nprint(m.result(), tf.random.normal([2]))\n"
        "for one in tf.data.Dataset.range(4).shuffle(4):\n    m.update_state(tf.cast(one, tf.float32))\n"
        "print(m.result())\nclass M(tf.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.x = tf.Variable(1.)\nprint(M().name, M().variables)"
    ),
}
MATH = {
    "mathematics": "y = sin(x) + exp(x) + pi + e\nz = [1, 2, 3] * y",
    "a misspelt function": "y = sim(x) + [1, 2] * [1, 2, 3]",
}
PLAIN = {
    **{name: (source, "tf1") for name, source in TF1.items()},
    **{name: (source, "tf2") for name, source in TF2.items()},
    **{name: (source, "math") for name, source in MATH.items()},
}
