import tensorflow as tf

x = tf.Variable([[1.0, 2.0], [3.0, 4.0]], name="x")
squares = tf.map_fn(lambda row: tf.reduce_sum(row * row), x)
sums = tf.scan(lambda total, row: total + row, x)
loss = tf.reduce_mean(squares) + tf.reduce_sum(sums)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train)
    print(sess.run(x))
