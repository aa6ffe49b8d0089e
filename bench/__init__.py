"""Measure the site: load, scenarios, a plain baseline, other servers.  See bench/README.md."""
