import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 3, 2])
cell = tf.nn.rnn_cell.BasicLSTMCell(2, forget_bias=0.5)
with tf.variable_scope("net", initializer=tf.constant_initializer(0.25)):
    outputs, state = tf.nn.static_rnn(cell, tf.unstack(x, axis=1), dtype=tf.float32)
    newer = tf.contrib.rnn.LSTMCell(2, initializer=tf.ones_initializer(), activation=tf.nn.relu)
    again, last = newer(state.h, newer.zero_state(4, tf.float32))
    again, last = newer(again, last)
loss = tf.reduce_sum(tf.square(again)) + tf.reduce_sum(state.c)
grads = tf.gradients(loss, tf.trainable_variables())
print([v.name for v in tf.trainable_variables()])
print(state)
print(cell.state_size, newer.output_size)
data = np.linspace(-1, 1, 24).reshape(4, 3, 2)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print("%.5f" % sess.run(loss, {x: data}))
    for g in sess.run(grads, {x: data}):
        print(g.round(4))
    c, h = sess.run(state, {x: data})
    print(c.round(5), h.round(5))
