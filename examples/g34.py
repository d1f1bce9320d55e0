import numpy as np
import tensorflow as tf

# Downhill on x^2 / 2 where each gradient is off by some noise.
noise = np.random.RandomState(0).normal(size=400)
e = tf.placeholder(tf.float32, name="noise")
x = tf.Variable(5.0, name="x")
step = tf.Variable(0, trainable=False, name="step")
rate = tf.constant(0.5)
loss = x * x / 2 + e * x
train = tf.train.GradientDescentOptimizer(rate).minimize(loss, global_step=step)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    squares = []
    for k in range(400):
        sess.run(train, {e: noise[k]})
        squares.append(sess.run(x) ** 2)
    print("x^2: %.3f after 10 updates, %.5f on average over the last 100" % (squares[9], sum(squares[300:]) / 100))
