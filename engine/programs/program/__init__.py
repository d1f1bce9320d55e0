"""One program: asked for, read, run, and told as the API's answer."""
