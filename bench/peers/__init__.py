"""Other game servers, playing the same duel under the same load."""
