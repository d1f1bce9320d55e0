import tensorflow as tf

x = tf.Variable(0.9, name="x")
p = tf.placeholder(tf.bool, name="p")
y = tf.cond(p, lambda: tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * x), [0, x])[1], lambda: x * 10.0)
g = tf.gradients(y, x)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for taken in [True, False]:
        print(['%.4f' % value for value in sess.run([y] + g, {p: taken})])
