import numpy as np
import tensorflow as tf

xs = [tf.placeholder(tf.float32, [4, 3]) for _ in range(3)]
cell = tf.nn.rnn_cell.BasicRNNCell(2)
with tf.variable_scope("net", initializer=tf.constant_initializer(0.25)):
    outputs, state = tf.nn.static_rnn(cell, xs, dtype=tf.float32)
loss = tf.reduce_mean(tf.square(outputs[-1] - 0.5))
train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
print([v.name for v in tf.trainable_variables()], cell.state_size, cell.output_size)
data = np.linspace(-1, 1, 36).reshape(3, 4, 3)
feed = dict(zip(xs, data))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(3):
        print("%.6f" % sess.run([loss, train], feed)[0])
    print(sess.run(state, feed).round(5))
