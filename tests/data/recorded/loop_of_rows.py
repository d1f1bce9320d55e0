import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 2], name="x")
w = tf.Variable([[0.5, 0.1], [0.2, -0.3]], name="w"); b = tf.Variable([0.1, 0.2], name="b")
_, h = tf.while_loop(lambda i, h: i < 3, lambda i, h: (i + 1, tf.tanh(tf.matmul(h, w) + b) * h), [0, x])
loss = tf.reduce_mean(h)
g = tf.gradients(loss, [x, w, b])
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for value in sess.run(g, {x: [[1.0, 2.0], [3.0, 4.0]]}):
        print(['%.4f' % number for number in value.ravel()])
