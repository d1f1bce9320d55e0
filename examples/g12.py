import tensorflow as tf

# Fit a line through (0, 1), (1, 3), (2, 5), (3, 7).
x = tf.constant([0., 1., 2., 3.])
t = tf.constant([1., 3., 5., 7.])
w = tf.Variable(0., name="w")
b = tf.Variable(0., name="b")
loss = tf.reduce_mean(tf.square(w * x + b - t))
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print("start", sess.run(loss))
    for step in range(200):
        sess.run(train)
    print("w %.4f, b %.4f" % tuple(sess.run([w, b])))
