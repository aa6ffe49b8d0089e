"""The processes of the zero-install site: starting, watching and ending them."""
