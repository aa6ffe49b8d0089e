"""Programs of ``./run test``, ``check`` and ``docs``; no part of the site."""
