"""The command line of snippets."""
