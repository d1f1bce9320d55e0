"""What a layer has: layers inside of it, variables, and the shapes of what it gives."""
