import numpy as np
import tensorflow as tf

x = tf.placeholder(tf.float32, [4, 3])
cell = tf.nn.rnn_cell.GRUCell(2, kernel_initializer=tf.constant_initializer(0.5))
state = cell.zero_state(4, tf.float32)
for _ in range(2):
    output, state = cell(x, state)
loss = tf.reduce_sum(output)
grads = tf.gradients(loss, cell.variables)
print([v.name for v in cell.variables])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    data = np.linspace(-1, 1, 12).reshape(4, 3)
    print(sess.run(output, {x: data}).round(5))
    for g in sess.run(grads, {x: data}):
        print(g.round(5))
