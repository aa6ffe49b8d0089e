"""Settings: base for all, site for ./run site, test for ./run test, prod for a public server."""
