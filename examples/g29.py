import tensorflow as tf

# The gradient is a graph, so it can be differentiated again.
x = tf.Variable(2., name="x")
y = x * x * x * x
first = tf.gradients(y, x)[0]
second = tf.gradients(first, x)[0]
third = tf.gradients(second, x)[0]

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run([y, first, second, third]))
