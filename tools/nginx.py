"""Debian's nginx with the files of ``deploy/nginx``, for ``./run cluster``, the bench and tests.

It runs as the user who starts it, keeps its files in one directory and speaks no TLS.
"""

import os
import pwd
import resource
import shutil
from pathlib import Path
from typing import Final

from rpsite.env import ROOT
from tools import debian

FILES: Final = ROOT / "deploy/nginx"
#: The most connections of one nginx process.
MOST_CONNECTIONS: Final = 16_384

_MAIN: Final = """\
{user}
pid {directory}/nginx.pid;
daemon off;
worker_processes auto;
error_log stderr warn;
events {{
    worker_connections {connections};
}}
http {{
    include /etc/nginx/mime.types;
    default_type application/octet-stream;
    charset utf-8;
    server_tokens off;
    access_log off;
    client_body_temp_path {directory}/body;
    proxy_temp_path {directory}/proxy;
    fastcgi_temp_path {directory}/fastcgi;
    uwsgi_temp_path {directory}/uwsgi;
    scgi_temp_path {directory}/scgi;
    include {files}/routes.conf;
    {servers}
}}
"""
_SITE: Final = """\
    include {directory}/upstreams.conf;
    server {{
        listen {address};
        set $site_var {site_var};
        include {files}/locations.conf;
    }}
"""


def find_program() -> Path | None:
    """Return the path of nginx, which is not on every user's PATH."""
    found = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    return Path(found) if found else None


def ensure() -> Path:
    """Return the path of nginx; install it on Debian, as root.

    Raises:
        Missing: it is missing and cannot be installed.
    """
    return debian.ensure(find_program, ["nginx-light"], ["nginx"])


def command(directory: Path, servers: str) -> list[str]:
    """Write a configuration with these servers; return the command line that runs it."""
    connections = min(MOST_CONNECTIONS, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    directory.mkdir(exist_ok=True)
    # Started by root, its processes would run as a user who may not read the site's files.
    user = f"user {pwd.getpwuid(0).pw_name};" if os.geteuid() == 0 else ""
    main = directory / "nginx.conf"
    main.write_text(
        _MAIN.format(
            user=user, directory=directory, connections=connections, files=FILES, servers=servers
        )
    )
    return [str(ensure()), "-c", str(main)]


def site(directory: Path, address: str, site_var: Path) -> str:
    """Return the servers of a site whose upstreams are in ``directory``.

    Args:
        address: the host and port to listen on.
        site_var: the directory with the collected files.
    """
    return _SITE.format(directory=directory, address=address, site_var=site_var, files=FILES)
