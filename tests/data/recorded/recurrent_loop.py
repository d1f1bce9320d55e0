import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [4, 5, 3])
cell = tf.nn.rnn_cell.BasicRNNCell(2)
with tf.variable_scope("net", initializer=tf.constant_initializer(0.25)):
    outputs, state = tf.nn.dynamic_rnn(cell, x, dtype=tf.float32)
loss = tf.reduce_mean(tf.square(outputs[:, -1] - 0.5))
train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
print([v.name for v in tf.trainable_variables()], outputs, state)
feed = {x: np.linspace(-1, 1, 60).reshape(4, 5, 3)}
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(3):
        print("%.6f" % sess.run([loss, train], feed)[0])
    print(sess.run(outputs, feed).round(5))
    print(sess.run(state, feed).round(5))
