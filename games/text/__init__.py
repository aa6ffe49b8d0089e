"""Words of typed lines and of sentences, for every game; knows none."""
