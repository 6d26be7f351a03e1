"""A server for S3's protocol, based on moto.

Arguments: the port, and the path of a file. While the file exists, the server answers 503."""

import os
import sys

from moto.server import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import run_simple

app = DomainDispatcherApplication(create_backend_app)


def serve(environ, start_response):
    if os.path.exists(sys.argv[2]):
        start_response("503 Slow Down", [("Content-Length", "0")])
        return []
    return app(environ, start_response)


run_simple("127.0.0.1", int(sys.argv[1]), serve, threaded=True)
