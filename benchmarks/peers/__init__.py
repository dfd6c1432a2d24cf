"""Scripts that measure one library each, in a process of their own."""
