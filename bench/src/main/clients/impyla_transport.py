"""A plug-in of pytest for impyla's suite: with SKEP_TRANSPORT=http, its connections go over HTTP unless a test says how."""

import os

from impala import dbapi

connect = dbapi.connect


def connect_over_http(host="localhost", port=None, *rest, **named):
    if port == int(os.environ["SKEP_HTTP_PORT"]) and "use_http_transport" not in named:
        named.update(use_http_transport=True, http_path="cliservice")
    return connect(host, port, *rest, **named)


if os.environ["SKEP_TRANSPORT"] == "http":
    dbapi.connect = connect_over_http
