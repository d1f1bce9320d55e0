import tensorflow as tf

# Exclusive or: a hidden layer of four units learns what a single straight line cannot.
inputs = tf.constant([[0., 0.], [0., 1.], [1., 0.], [1., 1.]], name="inputs")
targets = tf.constant([[0.], [1.], [1.], [0.]], name="targets")

with tf.name_scope("hidden"):
    w1 = tf.Variable([[1.0, -1.0, 0.5, 0.3], [-1.0, 1.0, 0.4, 0.6]], name="w")
    b1 = tf.Variable(tf.zeros([4]), name="b")
    hidden = tf.tanh(tf.matmul(inputs, w1) + b1)

with tf.name_scope("output"):
    w2 = tf.Variable([[1.0], [0.5], [-0.5], [0.25]], name="w")
    b2 = tf.Variable(tf.zeros([1]), name="b")
    output = tf.sigmoid(tf.matmul(hidden, w2) + b2)

loss = tf.reduce_mean(tf.square(output - targets), name="loss")
train = tf.train.AdamOptimizer(0.1).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(40):
        sess.run(train)
    print("loss %.4f" % sess.run(loss))
    print(sess.run(tf.round(output)).tolist())
