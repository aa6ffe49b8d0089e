"""The application of posts: it has no tables of its own."""

from django.apps import AppConfig


class PostsConfig(AppConfig):
    """Provides chat, posts of games, rooms and notebooks."""

    name = "games.posts"
    label = "posts"
