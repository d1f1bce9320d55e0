import tensorflow as tf

x = tf.placeholder(tf.float32, name="x")
w = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="w")
rows = tf.placeholder(tf.int32, [None], name="rows")
loss = tf.reduce_sum(tf.sigmoid(tf.matmul(x, w))) + tf.reduce_sum(tf.nn.embedding_lookup(w, rows) ** 2)
step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    feeds = {x: [[1.0, -1.0]], rows: [1, 1]}
    sess.run(step, feeds)
    print(sess.run(loss, feeds))
    print(sess.run(tf.count_nonzero([[1, 0, 2], [0, 0, 0]], axis=1)))
