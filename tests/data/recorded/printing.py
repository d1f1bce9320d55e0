import sys

import tensorflow as tf

x = tf.Variable([1.0, 2.0], name="x")
seen = tf.Print(x, [x, "and", tf.reduce_sum(x), 2], "x is ", first_n=3, summarize=5)
again = tf.Print(seen * 2.0, [seen], name="again")
loss = tf.reduce_sum(again * again)
gradient = tf.gradients(loss, x)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
chosen = tf.cond(loss > 1.0, lambda: tf.Print(loss, [loss]), lambda: loss)
shown = tf.print("x:", x, output_stream=sys.stdout)
with tf.control_dependencies([shown]):
    last = tf.identity(x)
named = tf.print({"b": [x, 1.5, None], "a": (x, "text")}, summarize=5, name="named", sep=", ", end="")
plain = tf.print("only text")
