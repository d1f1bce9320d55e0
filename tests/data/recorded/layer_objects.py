import tensorflow as tf

x = tf.placeholder(tf.float32, [None, 3])
images = tf.placeholder(tf.float32, [None, 4, 4, 1])
dense = tf.layers.Dense(2, activation=tf.nn.relu, kernel_initializer=tf.ones_initializer())
print(dense.name, dense.built)
y = dense(x)
with tf.name_scope("again"):
    twice = dense(x)
print(dense.kernel, dense.bias, dense.weights, dense.trainable_weights == dense.variables, dense.units, dense.built)
out = tf.layers.Dense(2, name="out", use_bias=False)
print(out.apply(y), out.bias, out.name)
beside = tf.layers.dense(x, 1)
another = tf.layers.Dense(1, activation="tanh")
print(another(y).name, another.name)
conv = tf.layers.Conv2D(2, 3, padding="same", activation=tf.nn.relu)
pool = tf.layers.MaxPooling2D(2, 2)
flat = tf.layers.Flatten()
small = pool(conv(images))
print(conv(images), pool(small), flat(small), flat(images))
drop = tf.layers.Dropout(0.5)
print(drop(y), drop(y, training=True))
norm = tf.layers.BatchNormalization()
print(norm(y, training=True), norm(y), norm.updates, [v.name for v in norm.non_trainable_weights])
with tf.variable_scope("net"):
    inner = tf.layers.Dense(2)
    print(inner(x))


def hidden(given):
    w = tf.get_variable("w", [3, 1], initializer=tf.constant_initializer(0.5))
    return tf.matmul(given, w)


shared = tf.make_template("shared", hidden)
print(shared(x).name, shared(x + 1.0).name, shared.name, shared.var_scope.name, shared.variables)
other = tf.make_template("shared", hidden)
print(other(x).name, [v.name for v in other.trainable_variables])
scaled = tf.make_template("scaled", lambda given, by: given * tf.get_variable("s", []) * by, by=2.0)
with tf.variable_scope("outer"):
    print(scaled(x).name)
print(scaled(x).name, [v.name for v in tf.trainable_variables()])
