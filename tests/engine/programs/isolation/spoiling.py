"""Programs that try to change what other programs find: each by another way, some stopped in the middle."""

from __future__ import annotations

from engine.languages.interpreter.classes.builtin_exceptions import BASES

TF1 = {
    "methods of exceptions": "\n".join(
        f"try:\n    {name}.{method} = lambda self, *args: 'WRONG'\nexcept Exception:\n    pass"
        for name in BASES
        for method in ("__str__", "__init__", "args", "stash")
    ),
    "a spy on arguments": (
        "def spy(self, *args):\n    self.args = args\n    Exception.stash.append(args)\n"
        "Exception.stash = []\nException.__init__ = spy"
    ),
    "subclasses of exceptions": (
        "class Mine(ValueError):\n    def __str__(self):\n        return 'WRONG'\nMine.stash = [1]\n"
        "try:\n    raise Mine('a')\nexcept ValueError as e:\n    e.args = ()\n    kept = e"
    ),
    "a name of a module": "np.pi = 3",
    "a function of a module": "tf.sin = tf.cos",
    "a type": "tf.float32.name = 'float64'",
    "a type of numpy's": "np.float32.stash = 1",
    "a function's attribute": "print.stash = []",
    "an argument's default": "def f(a=[]):\n    a.append(1)\n    return a\nf()\nf()\nlen.__defaults__ = f()",
    "built-in names": (
        "print = len = range = Exception = tf = np = None\nglobal_step = 1\n__name__ = 'other'\n"
        "def f():\n    global str, sorted, ValueError\n"
        "    str = sorted = ValueError = lambda *a: 'WRONG'\nf()"
    ),
    "numbers in place": "a = np.pi\na += 1\nmath.e\nb = np.inf\nb *= 0\nc = np.newaxis",
    "arrays in place": (
        "x = tf.Variable(tf.ones((3,)))\ny = tf.reduce_sum(x * 2.)\n(g,) = tf.gradients(y, [x])\n"
        "with tf.Session() as sess:\n    sess.run(tf.global_variables_initializer())\n"
        "    for one in (g, x, y, tf.ones_like(x), tf.zeros_like(x), tf.ones((3,)), tf.constant([1., 2.])):\n"
        "        for turn in range(3):\n            found = sess.run(one)\n"
        "            if one is not y:\n                found[:] = 7.\n                found.fill(9.)\n"
        "for made in (np.ones(3), np.zeros(3), np.eye(3), np.arange(3.), np.linspace(0, 1, 3)):\n"
        "    made[...] = 5\n    made.sort()"
    ),
    "lists in place": (
        "x = tf.Variable([[1., 2.]])\nx.get_shape().as_list().append(9)\n"
        "tf.trainable_variables().append(3)\ntf.global_variables().clear()\n"
        "tf.get_collection('trainable_variables').append(4)\ntf.add_to_collection('losses', x)\n"
        "tf.get_default_graph().get_operations().clear()\nx.op.inputs.append(1)\nx.op.outputs.clear()"
    ),
    "seeds": (
        "np.random.seed(123)\nrandom.seed(5)\ntf.set_random_seed(7)\n"
        "a = [np.random.rand(), random.random(), time.time(), time.time()]\n"
        "rng = np.random.RandomState(1)\nrng.rand(3)\nrandom.shuffle(a)"
    ),
    "how numbers print": (
        "import warnings\nnp.set_printoptions(precision=1, suppress=True)\nnp.seterr(all='raise')\n"
        "warnings.simplefilter('error')\nprint(np.ones(2) / 3)"
    ),
    "the streams": "import sys\nsys.path.append('x')\nsys.stdout.write('a')\nsys.stdout.write = print",
    "a session left open": "s = tf.InteractiveSession()\nx = tf.Variable(1.)\ns.run(x.initializer)",
    "another graph": "g = tf.Graph()\nwith g.as_default():\n    x = tf.Variable(1.)\n    x.stash = 1",
    "a gradient rule": (
        "@tf.RegisterGradient('Square')\ndef rule(op, grad):\n    return 0. * grad\n"
        "@tf.RegisterGradient('Wrong')\ndef wrong(op, grad):\n    return 0. * grad\n"
        "with tf.get_default_graph().gradient_override_map({'Square': 'Wrong', 'Sin': 'Wrong'}):\n"
        "    x = tf.Variable(2.)\n    y = tf.square(x) + tf.sin(x)\n    tf.gradients(y, [x])\n    1 / 0"
    ),
    "an optimizer": (
        "opt = tf.train.AdamOptimizer(0.5)\nx = tf.Variable(1.)\nstep = opt.minimize(x * x)\n"
        "opt.learning_rate = 9"
    ),
    "an error in open blocks": (
        "with tf.name_scope('a'):\n    with tf.variable_scope('b', reuse=tf.AUTO_REUSE):\n"
        "        x = tf.get_variable('x', [2])\n        with tf.control_dependencies([x]):\n"
        "            with tf.Session() as sess:\n                1 / 0"
    ),
    "a limit in open blocks": (
        "with tf.name_scope('a'), tf.variable_scope('b'), tf.Graph().as_default(), tf.Session() as sess:\n"
        "    x = tf.constant(1.)\n    with tf.control_dependencies([x]):\n        while True:\n"
        "            pass"
    ),
    "a refusal in open blocks": (
        "with tf.Graph().as_default(), tf.name_scope('a'), tf.device('/cpu:1'):\n"
        "    x = tf.Variable(1.)\n    eval('1')"
    ),
    "recursion in open blocks": (
        "def f(n):\n    with tf.name_scope('a'), tf.Graph().as_default():\n        return f(n + 1)\nf(0)"
    ),
    "generators in open blocks": (
        "x = tf.Variable(7.)\ndef left(block):\n    with block as one:\n        yield one\n"
        "kept = []\nfor block in (tf.Graph().as_default(), tf.name_scope('a'), tf.variable_scope('b'), "
        "tf.Session(graph=tf.Graph()), tf.control_dependencies([tf.constant(1.)])):\n"
        "    made = left(block)\n    kept.append(made)\n    next(made)\nkept.append(kept)"
    ),
    "generators cut by a limit": (
        "x = tf.Variable(7.)\ndef left():\n    with tf.Graph().as_default(), tf.Session() as sess:\n"
        "        yield sess\ng = left()\nkept = [g, next(g)]\nkept.append(kept)\nwhile True:\n    pass"
    ),
    "containers": (
        "import collections, functools, itertools\nP = collections.namedtuple('P', 'a b')\np = P(1, [])\n"
        "p.b.append(1)\nc = collections.Counter('aab')\nd = collections.defaultdict(list)\nd['a'].append(c)\n"
        "f = functools.partial(print, 'WRONG')\nf()\nn = itertools.count()\nnext(n)\nP._fields.append(3)"
    ),
    "shapes of truth": (
        "for shape in ((True, 2), [True], (np.int64(1), 2)):\n    x = tf.Variable(tf.ones(shape))\n"
        "    tf.gradients(tf.sin(x) * x, [x])\nz = tf.zeros((True, True)) + tf.ones([True])"
    ),
    "memory": "kept = [np.ones((300, 300)) for n in range(20)]\nkept.append(kept)\n[0] * 10 ** 9",
    "too many arrays": "kept = []\nwhile True:\n    kept.append(np.ones((1000, 1000)))",
    "deep brackets": "x = " + "(" * 150 + "1" + ")" * 150 + "\ny = " + "-" * 3000 + "1",
    "syntax": "with tf.name_scope('a'):\n    x = = 1",
    "an error while an error is handled": (
        "class E(Exception):\n    def __str__(self):\n        raise ValueError('inside')\n"
        "try:\n    raise E(1)\nexcept E as e:\n    raise KeyError(e)\nfinally:\n    raise"
    ),
}
TF2 = {
    "a method of a layer": "tf.keras.layers.Dense.call = lambda self, x: x",
    "a fact of a module": "tf.Module.variables = []",
    "a subclass of a layer": (
        "class D(tf.keras.layers.Dense):\n    def call(self, x):\n        return x\nD.stash = []\n"
        "d = D(2)\nd(tf.ones((1, 2)))\nd.kernel = 3\nd._weights.clear()\nd.units = 7"
    ),
    "eager arrays in place": (
        "x = tf.Variable([1., 2.])\nwith tf.GradientTape() as tape:\n    y = tf.reduce_sum(x * x)\n"
        "g = tape.gradient(y, x)\nfor one in (g, y, x, tf.ones(3), tf.zeros(3), tf.ones_like(x), "
        "tf.zeros_like(x), tf.constant(2.), tf.eye(2)):\n    a = one.numpy()\n"
        "    if len(one.shape):\n        a[...] = 7.\n        a.fill(8.)"
    ),
    "metrics and optimizers": (
        "m = tf.keras.metrics.Mean()\nm.update_state([9., 9.])\nopt = tf.keras.optimizers.Adam()\n"
        "opt.learning_rate = 100.\nopt.learning_rate.assign(7.)\nx = tf.Variable(1.)\n"
        "opt.apply_gradients([(tf.constant(1.), x)])\ntf.random.set_seed(9)\n"
        "tf.keras.initializers.Zeros().stash = 1"
    ),
    "a tape in a generator": (
        "x = tf.Variable(1.)\ndef left():\n    with tf.GradientTape(persistent=True) as tape:\n"
        "        yield tape\ng = left()\nkept = [g, next(g)]\nkept.append(kept)\ny = x * x"
    ),
    "a limit under a tape": (
        "x = tf.Variable(1.)\nwith tf.GradientTape() as tape:\n    while True:\n        y = x * x"
    ),
    "a data set half-way": (
        "d = tf.data.Dataset.from_tensor_slices([1., 2., 3.]).shuffle(3).repeat()\nit = iter(d)\nnext(it)\n"
        "for one in d:\n    1 / 0"
    ),
    "functions": (
        "@tf.function\ndef f(x):\n    return x * 2\nf(tf.constant(1.))\n@tf.custom_gradient\ndef g(x):\n"
        "    def back(dy):\n        return 0. * dy\n    return x * x, back\n"
        "y = g(tf.Variable(3.))\nf.stash = 1"
    ),
}
MATH = {
    "constants of mathematics": "pi = 3\ne = 2\ny = sin(pi) + e",
    "functions of mathematics": "sin(x) = 3 x\nexp(x) = x\ny = sin(x) + exp(x)",
    "a mistake of mathematics": "y = sin(x\nz = [1, 2] + x",
}
SPOILING = {
    **{name: (source, "tf1") for name, source in TF1.items()},
    **{name: (source, "tf2") for name, source in TF2.items()},
    **{name: (source, "math") for name, source in MATH.items()},
}
