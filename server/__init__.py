"""The service: the REST interface and the page, around the engine."""
