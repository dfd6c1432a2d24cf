"""Programs to diagnose, in files named after the rules they are about.

Each file has FAULTY and SOUND, by category. In a faulty program the line that the report must name ends in ``# fault``.
A sound program comes close to the fault of its category, or does on purpose what looks like it, and is right.
"""
