import tensorflow as tf

# Each partial derivative of a product is the other factor.
x = tf.Variable(50., name="x")
w = tf.Variable(10., name="w")
y = w * x
optimizer = tf.train.GradientDescentOptimizer(0.1)
grads_and_vars = optimizer.compute_gradients(y, [w, x])

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(grads_and_vars))
