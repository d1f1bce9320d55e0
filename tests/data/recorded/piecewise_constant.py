import tensorflow as tf

g = tf.train.get_or_create_global_step()
x = tf.Variable(3.0)
lr = tf.train.piecewise_constant(g, [2, 4], [1.0, 0.5, 0.1])
train = tf.train.GradientDescentOptimizer(lr).minimize(x * x, global_step=g)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for i in range(6):
        sess.run(train)
        print("%.4f" % sess.run(lr))
