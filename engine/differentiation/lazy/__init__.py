"""Reverse mode for large graphs: the same sweep, written down now and made when somebody looks."""
