"""The labs: what each one measures. Plain Python on the engine; the pages draw what comes back.

Every number is measured when it is asked for, and kept for the same settings in a cache of bounded size.
"""
