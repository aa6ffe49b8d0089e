"""Storages of static files that look up each address once: a page has two hundred."""

import functools
from collections.abc import Callable

from django.contrib.staticfiles.storage import StaticFilesStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedFiles(CompressedManifestStaticFilesStorage):
    """The site's storage: names with hashes, compressed files."""

    @functools.cached_property
    def url(self) -> Callable[[str | None], str]:
        return functools.cache(super().url)


class PlainFiles(StaticFilesStorage):
    """The tests' storage: names as they are."""

    @functools.cached_property
    def url(self) -> Callable[[str | None], str]:
        return functools.cache(super().url)
