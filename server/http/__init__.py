"""HTTP itself: connections, headers, hosts, bodies, the page's files, and problems as documents."""
