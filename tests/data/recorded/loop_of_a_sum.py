import tensorflow as tf

x = tf.Variable([0.5, 2.0])
i, p, s = tf.while_loop(lambda i, p, s: i < 4, lambda i, p, s: (i + 1, p * x, s + p), [0, tf.ones([2]), tf.zeros([2])])
g = tf.gradients(s, x)
t = tf.train.AdamOptimizer(0.1).minimize(tf.reduce_sum((s - 1.) ** 2))
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(['%.3f' % number for number in sess.run(s)], ['%.3f' % number for number in sess.run(g)[0]])
    for _ in range(3):
        sess.run(t)
    print(['%.3f' % number for number in sess.run(x)])
