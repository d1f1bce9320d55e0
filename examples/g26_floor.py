import tensorflow as tf

# None is not 0: z does not reach y, and floor passes nothing back.
x = tf.Variable(3., name="x")
z = tf.Variable(2., name="z")
k = tf.Variable(1.5, name="k")
y = x * x + tf.floor(k)
print(tf.gradients(y, [x, z, k]))
