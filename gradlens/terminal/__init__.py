"""What the command line draws with rich: trees, tables, bars and charts; colours on a terminal alone."""
