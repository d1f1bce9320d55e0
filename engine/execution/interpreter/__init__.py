"""The session: a plan of nodes, run one by one, with a trace of what each computed."""
