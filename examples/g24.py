import tensorflow as tf

# Twenty layers, h <- tanh(w * h). What is left of the gradient at the first of them?
x = tf.Variable(1.0, name="x")
w = tf.constant(1.0, name="w")
h = x
for layer in range(20):
    with tf.name_scope("layer_%d" % layer):
        h = tf.tanh(w * h)

gradient = tf.gradients(h, x)[0]

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print("dh/dx %.7g" % sess.run(gradient))
