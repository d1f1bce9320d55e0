import tensorflow as tf

# Two ways to ask for a gradient: both give handles, not numbers.
with tf.Graph().as_default():
    x = tf.Variable(3.)
    w = tf.Variable(4.)
    y = w * x
    grads = tf.gradients(y, [w])
    print(grads)
    optimizer = tf.train.GradientDescentOptimizer(0.1)
    grads_and_vars = optimizer.compute_gradients(y, [w])
    print(grads_and_vars)

    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        print(sess.run(grads))
