import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 5, 3])
cells = [tf.nn.rnn_cell.GRUCell(2), tf.contrib.rnn.LSTMCell(3)]
stack = tf.contrib.rnn.MultiRNNCell(cells)
with tf.variable_scope("net", initializer=tf.constant_initializer(0.25)):
    outputs, state = tf.nn.dynamic_rnn(stack, x, dtype=tf.float32)
loss = tf.reduce_sum(outputs[:, -1])
grads = tf.gradients(loss, tf.trainable_variables())
print([v.name for v in tf.trainable_variables()])
print(outputs)
print(state)
feed = {x: np.linspace(-1, 1, 30).reshape(2, 5, 3)}
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(outputs, feed).round(4))
    for g in sess.run(grads, feed):
        print(g.round(3))
