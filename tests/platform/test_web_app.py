"""The installable app: manifest, icons, service worker and offline page."""

import json
import re
import struct
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from tests.accounts.kit import make_user

pytestmark = pytest.mark.django_db


@pytest.mark.plain
def test_manifest_names_icons_of_the_sizes_that_they_have(client: Client) -> None:
    answer = client.get("/app.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    found = answer.json()
    assert (found["start_url"], found["display"], found["scope"]) == ("/", "standalone", "/")
    assert {icon["purpose"] for icon in found["icons"]} == {"any", "maskable"}
    for icon in found["icons"]:
        file = Path(settings.ROOT if hasattr(settings, "ROOT") else ".") / icon["src"][1:]
        content = file.read_bytes()
        assert content[:8] == b"\x89PNG\r\n\x1a\n"
        width, height = struct.unpack(">II", content[16:24])
        assert icon["sizes"] == f"{width}x{height}"
    assert b'rel="manifest" href="/app.webmanifest"' in client.get("/").content


def test_service_worker_stores_the_offline_page_and_no_other(client: Client) -> None:
    answer = client.get("/sw.js")
    script = answer.content.decode()
    assert answer["Content-Type"] == "text/javascript"
    assert answer["Cache-Control"] == "no-cache"
    found = re.search(r"const CONFIG = (\{.*\});", script)
    assert found is not None
    config = json.loads(found[1])
    assert config["offline"] == reverse("offline")
    assert all(path.startswith("/static/") for path in config["shell"])
    assert "cache.put" not in script
    assert script.count("addAll") == 1


def test_offline_page_is_the_same_for_everybody(client: Client) -> None:
    as_guest = client.get("/offline/").content
    client.force_login(make_user())
    page = client.get("/offline/")
    assert page.content == as_guest
    assert b"csrf" not in page.content
    assert "Set-Cookie" not in page.headers
