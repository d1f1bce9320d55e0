import tensorflow as tf

# A network of twenty layers: over six hundred nodes with gradients and updates, folded into named scopes.
features = tf.constant([[0.1, 0.2, 0.3, 0.4], [0.4, 0.3, 0.2, 0.1]], name="features")
targets = tf.constant([[1.0], [0.0]], name="targets")

h = features
for layer in range(20):
    with tf.variable_scope("dense_%d" % layer):
        w = tf.get_variable("w", [4, 4], initializer=tf.initializers.identity())
        b = tf.get_variable("b", [4], initializer=tf.zeros_initializer())
        h = tf.nn.relu(tf.matmul(h, w) + b)

with tf.variable_scope("output"):
    w = tf.get_variable("w", [4, 1], initializer=tf.ones_initializer())
    prediction = tf.sigmoid(tf.matmul(h, w))

loss = tf.reduce_mean(tf.square(prediction - targets), name="loss")
train = tf.train.GradientDescentOptimizer(0.05).minimize(loss)

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for step in range(2):
        _, value = sess.run([train, loss])
        print("step %d: loss %.4f" % (step, value))
