"""HTTP servers for oracles, on the address that the first argument names, as in 127.0.0.1:8080.

serve(ask) answers each POST with what ask(path, body) returns: a status and what is sent as JSON. serve_app(app) serves an
application of FastAPI.
"""

import http.server
import json
import sys


def address():
    """Returns the host and the port to listen on."""
    if len(sys.argv) != 2 or ":" not in sys.argv[1]:
        sys.exit(f"usage: {sys.argv[0]} HOST:PORT")
    host, port = sys.argv[1].rsplit(":", 1)
    return host, int(port)


def serve(ask):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            status, answer = ask(self.path, json.loads(body))
            text = json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        def log_message(self, *args):
            pass

    http.server.ThreadingHTTPServer(address(), Handler).serve_forever()


def serve_app(app):
    import uvicorn

    host, port = address()
    # Not the defaults: uvicorn would take a stand-in for uvloop.
    uvicorn.run(app, host=host, port=port, loop="asyncio", http="h11", log_level="critical")
