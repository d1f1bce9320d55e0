"""What stands before compared expressions: arrays for them, and functions that print what comes out."""

from __future__ import annotations

ARRAYS = """\
smooth = {make}([[0.3, -0.7, 1.2], [2.5, -1.6, 0.4]])
other = {make}([[1.1, 0.6, -0.8], [0.2, 1.7, -2.3]])
positive = {make}([[0.2, 0.9, 1.5], [2.0, 3.0, 0.05]])
units = {make}([[0.2, -0.5, 0.9], [-0.1, 0.6, 0.3]])
shares = {make}([[0.2, 0.5, 0.3], [0.1, 0.6, 0.3]])
onehot = {make}([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
signs = {make}([[-1.0, 1.0, 1.0], [1.0, -1.0, 1.0]])
row = {make}([0.5, -1.5, 2.0])
column = {make}([[2.0], [-0.5]])
line = {make}([3.0, 1.0, 2.0, 1.0, -4.0])
zeros = {make}([[0.0, 2.0, -1.0], [0.0, 0.0, 3.0]])
ties = {make}([[1.0, 0.0, 0.0], [2.0, 2.0, -1.0]])
edges = {make}([0.0, 1.0, -1.0, 0.5, -2.5, 3.0, 1e-30, 1e10, np.inf, -np.inf, np.nan])
margins = {make}([[0.0], [1.0], [-1.0], [2.5], [np.inf], [-np.inf], [np.nan]])
holes = {make}([[1.0, np.nan, 3.0], [np.inf, 2.0, -np.inf]])
doubles = {make}([[0.3, -0.7, 1.2], [2.5, -1.6, 0.4]]{double})
halves = {make}([0.5, -2.0, 3.0, 60000.0]{half})
ints = {make}([[3, -7, 0], [2, 5, -1]]{int32})
counts = {make}([[2, 3, 1], [4, 1, 2]]{int32})
wholes = {make}([[3, -7, 0], [2, 5, -1]]{int64})
limits = {make}([-2147483648, 2147483647, 0, -1]{int32})
octets = {make}([0, 1, 7, 255]{uint8})
flags = {make}([[True, False, True], [False, False, True]])
empty = {make}([]{single})
hollow = {make}(np.zeros([2, 0]){single})
scalar = {make}(0.7)
square = {make}([[2.0, 0.5], [0.3, 1.5]])
tall = {make}([[1.0, -0.5], [0.4, 2.0], [-1.2, 0.7]])
definite = {make}([[2.0, 0.6, 0.2], [0.6, 1.5, -0.3], [0.2, -0.3, 1.1]])
lower = {make}([[1.5, 0.0], [-0.4, 0.8]])
stack = {make}([[[2.0, 0.5], [0.3, 1.5]], [[1.0, -0.2], [0.7, 3.0]]])
images = {make}([[[[0.1], [0.8], [-0.3]], [[1.2], [0.5], [0.4]], [[-0.9], [0.6], [2.0]]]])
kernel = {make}([[[[0.5, -1.0]], [[0.3, 0.2]]], [[[-0.4, 0.6]], [[1.1, 0.7]]]])
"""

TYPES = {"single": "float32", "double": "float64", "half": "float16", "int32": "int32", "int64": "int64"}


def arrays(make: str, types: str) -> str:
    """The arrays, each made by a call of `make`, their types being members of the module `types`."""
    named = {**TYPES, "uint8": "uint8"}
    return ARRAYS.format(make=make, **{key: f", {types}.{name}" for key, name in named.items()})


SHOW_ARRAYS = """\
def show(value):
    if value is None or isinstance(value, (str, bool, int, float)):
        print(value)
    elif isinstance(value, (list, tuple)):
        print(len(value))
        for each in value:
            show(each)
    else:
        array = np.asarray(value)
        print(array.dtype, list(array.shape), array.tolist())

def form(value):
    array = np.asarray(value)
    print(array.dtype, list(array.shape))
"""

NUMPY = "import numpy as np\n" + arrays("np.array", "np") + SHOW_ARRAYS

WEIGH = """\
def floats(value):
    if value is None or isinstance(value, (str, bool, int, float)):
        return []
    if isinstance(value, (list, tuple)):
        return [one for each in value for one in floats(each)]
    return [value] if value.dtype.is_floating else []

def weigh(value):
    return [
        each * tf.cast(tf.reshape(tf.range(tf.size(each)), tf.shape(each)) + 1, each.dtype)
        for each in floats(value)
    ]
"""

TENSORFLOW_2 = (
    "import tensorflow as tf\nimport numpy as np\n"
    + arrays("tf.constant", "tf")
    + SHOW_ARRAYS
    + WEIGH
    + """\
def slopes(f, *xs):
    xs = list(xs)
    with tf.GradientTape() as outer:
        outer.watch(xs)
        with tf.GradientTape() as inner:
            inner.watch(xs)
            value = f(*xs)
            weighed = weigh(value)
        show(value)
        first = inner.gradient(weighed, xs) if weighed else []
        first = [None if each is None else tf.convert_to_tensor(each) for each in first]
        show(first)
        whole = weigh(first)
    if whole:
        second = outer.gradient(whole, xs)
        show([None if each is None else tf.convert_to_tensor(each) for each in second])

def stepped(optimizer):
    variable = tf.Variable([1.0, -2.0])
    for count in range(3):
        optimizer.apply_gradients([(2.0 * variable, variable)])
    show(variable)

def measured(metric, *given):
    metric.update_state(*given)
    metric.update_state(*given)
    show(metric.result())
"""
)

TENSORFLOW_1 = (
    "import tensorflow as tf\nimport numpy as np\n"
    + arrays("tf.constant", "tf")
    + WEIGH
    + """\
def show(value):
    if value is None or isinstance(value, (str, bool, int, float)):
        print(value)
    elif isinstance(value, (list, tuple)):
        print(len(value))
        for each in value:
            show(each)
    else:
        with tf.Session() as session:
            ran = session.run(value)
        array = np.asarray(0 if ran is None else ran)
        print(array.dtype, list(array.shape), array.tolist())

def form(value):
    with tf.Session() as session:
        array = np.asarray(session.run(value))
    print(array.dtype, list(array.shape))

def slopes(f, *xs):
    xs = list(xs)
    value = f(*xs)
    show(value)
    weighed = weigh(value)
    first = tf.gradients(weighed, xs) if weighed else []
    first = [None if each is None else tf.convert_to_tensor(each) for each in first]
    show(first)
    whole = weigh(first)
    if whole:
        second = tf.gradients(whole, xs)
        show([None if each is None else tf.convert_to_tensor(each) for each in second])

def stepped(optimizer):
    variable = tf.Variable([1.0, -2.0])
    step = optimizer.minimize(tf.reduce_sum(variable * variable))
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for count in range(3):
            session.run(step)
        show(session.run(variable).tolist())

def measured(metric):
    with tf.Session() as session:
        session.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
        print(session.run(metric[1]), session.run(metric[0]))
"""
)

PREAMBLES = {"tf1": TENSORFLOW_1, "tf2": TENSORFLOW_2, "numpy": NUMPY}
