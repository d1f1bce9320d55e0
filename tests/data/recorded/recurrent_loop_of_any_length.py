import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, None, 3])
cell = tf.nn.rnn_cell.BasicLSTMCell(2)
first = cell.zero_state(tf.shape(x)[1], tf.float32)
with tf.variable_scope("net", initializer=tf.constant_initializer(0.25)):
    outputs, state = tf.nn.dynamic_rnn(cell, x, initial_state=first, time_major=True, scope="turns")
print(outputs)
print(state)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for turns in (1, 3):
        h, (c, last) = sess.run([outputs, state], {x: np.linspace(-1, 1, turns * 6).reshape(turns, 2, 3)})
        print(h.round(5), c.round(5), last.round(5))
