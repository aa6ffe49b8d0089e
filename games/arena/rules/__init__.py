"""Arena: rounds of rock, paper, scissors in which every player battles every other."""
