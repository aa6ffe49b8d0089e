"""Arena: rounds of rock, paper, scissors in which everybody battles everybody."""
