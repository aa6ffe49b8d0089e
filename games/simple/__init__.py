"""The base of simple games: state, rules and the answers to the contract. A game writes its
actions, its facts and what an action does; the rest stands here. Source: docs/tutorials/coin.md.
"""
