import tensorflow as tf

x = tf.constant([[0.5, -1.0]])
w = tf.Variable([[0.3, -0.2], [0.8, 0.1]], name="w")
steps = tf.placeholder(tf.int32, [], name="steps")
_, h = tf.while_loop(
    lambda i, h: i < steps, lambda i, h: [i + 1, tf.tanh(tf.matmul(h, w) + x)], [0, tf.zeros([1, 2])]
)
loss = tf.reduce_sum(h**2)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for n in [0, 1, 4]:
        print('%.4f' % sess.run([loss, train], {steps: n})[0])
    print(['%.4f' % value for row in sess.run(w) for value in row])
