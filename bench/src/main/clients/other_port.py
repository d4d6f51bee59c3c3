"""A plug-in of pytest: a suite that connects to port 10000 reaches the server at port SKEP_PORT of this machine."""

import os

from thrift.transport import TSocket

connect = TSocket.TSocket.__init__


def connect_elsewhere(self, host="localhost", port=9090, *rest, **named):
    connect(self, host, int(os.environ["SKEP_PORT"]) if port == 10000 else port, *rest, **named)


TSocket.TSocket.__init__ = connect_elsewhere
