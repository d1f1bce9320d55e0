"""`gradlens compare A B`: two programs or graphs before and after a change."""
