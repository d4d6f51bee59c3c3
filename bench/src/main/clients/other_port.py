"""A plug-in of pytest for PyHive's suite, which connects to port 10000: it reaches the server at port SKEP_PORT of this machine, or
with SKEP_TRANSPORT=http at SKEP_HTTP_PORT.
"""

import os

from pyhive import hive
from thrift.transport import TSocket

connect_socket = TSocket.TSocket.__init__
connect = hive.Connection.__init__


def connect_elsewhere(self, host="localhost", port=9090, *rest, **named):
    connect_socket(self, host, int(os.environ["SKEP_PORT"]) if port == 10000 else port, *rest, **named)


def connect_over_http(self, host=None, port=None, scheme=None, *rest, **named):
    if "thrift_transport" not in named and port in (None, 10000):
        port, scheme = int(os.environ["SKEP_HTTP_PORT"]), "http"
    connect(self, host, port, scheme, *rest, **named)


TSocket.TSocket.__init__ = connect_elsewhere
if os.environ["SKEP_TRANSPORT"] == "http":
    hive.Connection.__init__ = connect_over_http
