import tensorflow as tf

# Clip every gradient to norm 5 between the two calls.
x = tf.Variable(50.)
w = tf.Variable(10.)
y = w * x
optimizer = tf.train.GradientDescentOptimizer(0.1)
grads_and_vars = optimizer.compute_gradients(y, [w])
for i, (g, v) in enumerate(grads_and_vars):
    if g is not None:
        grads_and_vars[i] = (tf.clip_by_norm(g, 5), v)
train_op = optimizer.apply_gradients(grads_and_vars)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(grads_and_vars))
    sess.run(train_op)
    print(sess.run([x, w, y]))
