import numpy as np
import tensorflow as tf

xs = [tf.placeholder(tf.float32, [4, 3]) for _ in range(2)]
cells = [tf.nn.rnn_cell.BasicLSTMCell(2), tf.nn.rnn_cell.GRUCell(3)]
stack = tf.nn.rnn_cell.MultiRNNCell(cells)
start = stack.zero_state(4, tf.float32)
with tf.variable_scope("net", initializer=tf.constant_initializer(0.25)):
    outputs, state = tf.nn.static_rnn(stack, xs, initial_state=start)
first = tf.nn.rnn_cell.MultiRNNCell([tf.nn.rnn_cell.BasicRNNCell(2) for _ in range(2)])
hidden, states = first(xs[0], first.zero_state(4, tf.float32))
hidden, states = first(xs[1], states)
loss = tf.reduce_sum(outputs[-1])
grads = tf.gradients(loss, stack.variables)
print([v.name for v in tf.global_variables()])
print(state)
print(stack.state_size, stack.output_size)
data = np.linspace(-1, 1, 24).reshape(2, 4, 3)
feed = dict(zip(xs, data))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(outputs, feed)[1].round(5))
    for g in sess.run(grads, feed):
        print(g.round(5))
