import numpy as np
import tensorflow as tf

# How many forward runs does the whole gradient of n parameters take?
n = 10
w = tf.Variable(tf.zeros([n]), name="w")
loss = tf.reduce_sum(tf.square(w - 1.0))
gradient = tf.gradients(loss, w)[0]

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    runs, delta, differences = 0, 0.125, []
    for i in range(n):
        step = np.zeros(n)
        step[i] = delta
        difference = sess.run(loss, {w: step}) - sess.run(loss, {w: -step})
        runs += 2
        differences.append(difference / (2 * delta))
    print("differences: %d forward runs" % runs)

    exact = sess.run(gradient)
    print("reverse mode: 1 forward run and 1 backward")
    print("largest disagreement: %g" % np.max(np.abs(exact - np.array(differences))))
