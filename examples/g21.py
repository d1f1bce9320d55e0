import tensorflow as tf

# Gradients that nobody sets back to 0: the same graph, walked back twice.
class Node:
    def __init__(self, value, inputs=()):
        self.value, self.inputs, self.grad = value, inputs, 0

    def __add__(self, other):
        return Node(self.value + other.value, ((self, 1), (other, 1)))

    def __mul__(self, other):
        return Node(self.value * other.value, ((self, other.value), (other, self.value)))

    def clear(self):
        self.grad = 0
        for node, local in self.inputs:
            node.clear()

    def backward(self):
        self.grad = 1
        self.send()

    def send(self):
        for node, local in self.inputs:
            node.grad += local * self.grad
        for node, local in self.inputs:
            node.send()

a, b, d = Node(3), Node(2), Node(1)
c = a + b
e = c * d
for number in ("first", "second"):
    e.backward()
    print("%s: a %d, b %d, c %d, d %d" % (number, a.grad, b.grad, c.grad, d.grad))

# What TensorFlow says, which begins at 0 each time.
a, b, d = [tf.Variable(value, name=name) for value, name in ((3., "a"), (2., "b"), (1., "d"))]
c = a + b
e = c * d
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print("TensorFlow: a %d, b %d, c %d, d %d" % tuple(sess.run(tf.gradients(e, [a, b, c, d]))))
