"""Tests that drive a real Chromium against a running server."""
