"""The pages: one file each, thin. They read the state, call the floors below and draw."""
