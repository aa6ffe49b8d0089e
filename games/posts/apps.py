"""The application of posts: it has no tables of its own."""

from django.apps import AppConfig


class PostsConfig(AppConfig):
    name = "games.posts"
    label = "posts"
