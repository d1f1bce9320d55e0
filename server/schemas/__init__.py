"""What requests and answers look like, field for field."""
