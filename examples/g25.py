import tensorflow as tf

# Two towers share one variable; each sees half of the data, and their gradients are averaged.
w = tf.Variable(0.0, name="w")
optimizer = tf.train.GradientDescentOptimizer(0.01)
halves = [([1., 2.], [2., 4.]), ([3., 4.], [6., 8.])]

tower_grads = []
for number, (inputs, targets) in enumerate(halves):
    with tf.device("/gpu:%d" % number), tf.name_scope("tower_%d" % number):
        loss = tf.reduce_mean(tf.square(tf.constant(targets) - w * tf.constant(inputs)))
        tower_grads.append(optimizer.compute_gradients(loss, [w])[0][0])

with tf.device("/cpu:0"), tf.name_scope("average"):
    average = tf.add_n(tower_grads) / 2.0
train_op = optimizer.apply_gradients([(average, w)])

with tf.Session(config=tf.ConfigProto(allow_soft_placement=True)) as sess:
    sess.run(tf.global_variables_initializer())
    print(sess.run(tower_grads), sess.run(average))
    sess.run(train_op)
    print("w %.2f" % sess.run(w))
