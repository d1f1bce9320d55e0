"""What people call by the name gradlens: the command line."""
