"""What answers look like, field for field."""
