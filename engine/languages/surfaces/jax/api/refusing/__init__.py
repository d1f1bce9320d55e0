"""What functions of JAX refuse of shapes, types and structures, in its words."""
