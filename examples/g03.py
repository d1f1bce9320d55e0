import tensorflow as tf

# y = x^2, one hundred steps downhill from x = 3
x = tf.Variable(3.)
y = tf.square(x)
train = tf.train.GradientDescentOptimizer(learning_rate=0.01).minimize(y)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(100):
        _, y_value, x_value = sess.run([train, y, x])
        print("step %d: x %f, y %f" % (step, x_value, y_value))
