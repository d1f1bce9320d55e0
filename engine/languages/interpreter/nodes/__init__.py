"""What each kind of node of the syntax tree becomes: a closure that evaluates, executes or binds it."""
