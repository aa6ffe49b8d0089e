"""Databases made by released versions, and the tests that upgrade them."""
