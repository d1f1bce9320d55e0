import tensorflow as tf

# Doubled until it is long enough: the number of turns jumps where a passes 1000/2048.
def length(a):
    b = a * 2
    while tf.norm(b) < 1000:
        b = b * 2
    return b

def slope(start):
    a = tf.Variable(start)
    with tf.GradientTape() as tape:
        b = length(a)
    return tape.gradient(b, a)

print("at 0.489", slope(0.489).numpy())
print("at 0.488", slope(0.488).numpy())

jump, delta = tf.constant(1000 / 2048, tf.float64), 1e-3
difference = (length(jump + delta) - length(jump - delta)) / (2 * delta)
print("across the jump %.0f" % difference.numpy())
