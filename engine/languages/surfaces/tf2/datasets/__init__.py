"""`tf.data.Dataset`: what makes data sets, and what is made of them."""
