import tensorflow as tf

inputs = tf.constant([[[0.5, 1.0]], [[-1.0, 0.25]], [[2.0, 0.0]]])
wx = tf.Variable([[0.1, 0.2], [0.3, -0.4]], name="wx")
wh = tf.Variable([[0.5, 0.0], [0.1, 0.5]], name="wh")
states = tf.scan(lambda h, v: tf.tanh(tf.matmul(v, wx) + tf.matmul(h, wh)), inputs, initializer=tf.zeros([1, 2]))
loss = tf.reduce_sum(states[-1] ** 2)
train = tf.train.GradientDescentOptimizer(0.5).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for _ in range(3):
        print("%.4f" % sess.run([loss, train])[0])
    print(["%.4f" % value for row in sess.run(wh) for value in row])
