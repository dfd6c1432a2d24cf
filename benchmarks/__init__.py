"""Benchmarks: each module measures one thing and returns JSON-ready figures. They never fail on time."""
