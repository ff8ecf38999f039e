#!/usr/bin/env python3
"""Serves a folder to this machine's browsers, for development and tests.

    web/serve.py [--port 8000] [--no-isolation] [--map NAME=FOLDER] [FOLDER]

Standard library only. Adds what http.server lacks for this project:
  * Cross-Origin-Opener-Policy and -Embedder-Policy, so that pages may share
    memory between threads (--no-isolation leaves them out, to test without);
  * single Range requests (206, 416) with If-Range, for resumed downloads of weights;
  * NAME.gz (or .br) beside NAME when the browser accepts it, and gzip made once
    in memory for text and wasm that lack one;
  * ETag and 304; the wasm MIME type; HTTP/1.1 with a thread for each connection.
Port 0 takes a free one; the address is printed on the first line. --map shows another
folder under /NAME/, so that weights need no copy beside the page.
"""
import argparse
import gzip
import mimetypes
import os
import re
import sys
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

mimetypes.add_type('application/wasm', '.wasm')
mimetypes.add_type('text/javascript', '.js')
mimetypes.add_type('text/javascript', '.mjs')
mimetypes.add_type('font/ttf', '.ttf')
COMPRESSIBLE = ('text/', 'application/wasm', 'application/json', 'image/svg')
squeezed = {}


class Handler(SimpleHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    isolate = True
    mapped = {}

    def translate_path(self, path):
        name, slash, rest = path.lstrip('/').partition('/')
        if slash and name in self.mapped:
            page, self.directory = self.directory, self.mapped[name]
            try:
                return super().translate_path('/' + rest)
            finally:
                self.directory = page
        return super().translate_path(path)

    def end_headers(self):
        if self.isolate:
            self.send_header('Cross-Origin-Opener-Policy', 'same-origin')
            self.send_header('Cross-Origin-Embedder-Policy', 'require-corp')
            self.send_header('Cross-Origin-Resource-Policy', 'same-origin')
        self.send_header('Cache-Control', 'no-cache')
        super().end_headers()

    def do_HEAD(self):
        self.reply(body=False)

    def do_GET(self):
        self.reply(body=True)

    def reply(self, body):
        path = self.translate_path(self.path)
        if os.path.isdir(path):
            path = os.path.join(path, 'index.html')
        try:
            file = open(path, 'rb')
        except OSError:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        with file:
            info = os.fstat(file.fileno())
            kind = self.guess_type(path)
            tag = f'{info.st_mtime_ns:x}-{info.st_size:x}'
            accepted = self.headers.get('Accept-Encoding', '')
            wanted = self.headers.get('Range')
            encoding = None if wanted else self.encoded(path, kind, tag, accepted)
            etag = f'"{tag}{"-" + encoding[0] if encoding else ""}"'

            if self.headers.get('If-None-Match') == etag:
                self.send_response(HTTPStatus.NOT_MODIFIED)
                self.send_header('ETag', etag)
                self.end_headers()
                return
            first, last, status = 0, info.st_size - 1, HTTPStatus.OK
            if wanted and self.headers.get('If-Range', etag) == etag:
                part = self.parse_range(wanted, info.st_size)
                if part is False:
                    self.send_response(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE)
                    self.send_header('Content-Range', f'bytes */{info.st_size}')
                    self.send_header('Content-Length', '0')
                    self.end_headers()
                    return
                if part:
                    first, last = part
                    status = HTTPStatus.PARTIAL_CONTENT
            length = len(encoding[1]) if encoding else last - first + 1
            self.send_response(status)
            self.send_header('Content-Type', kind)
            self.send_header('Content-Length', str(length))
            self.send_header('Accept-Ranges', 'bytes')
            self.send_header('Vary', 'Accept-Encoding')
            self.send_header('ETag', etag)
            if encoding:
                self.send_header('Content-Encoding', encoding[0])
            if status == HTTPStatus.PARTIAL_CONTENT:
                self.send_header('Content-Range', f'bytes {first}-{last}/{info.st_size}')
            self.end_headers()
            if not body:
                return
            try:
                if encoding:
                    self.wfile.write(encoding[1])
                    return
                file.seek(first)
                while length > 0:
                    block = file.read(min(length, 1 << 20))
                    if not block:
                        break
                    self.wfile.write(block)
                    length -= len(block)
            except (BrokenPipeError, ConnectionResetError):
                self.close_connection = True

    @staticmethod
    def parse_range(text, size):
        """(first, last), None to ignore it, False if it cannot be met."""
        match = re.fullmatch(r'bytes=(\d*)-(\d*)', text.strip())
        if not match or match[0] == 'bytes=-':
            return None
        if not match[1]:
            count = int(match[2])
            return (max(0, size - count), size - 1) if count and size else False
        first = int(match[1])
        last = min(int(match[2]), size - 1) if match[2] else size - 1
        return (first, last) if first <= last else False

    @staticmethod
    def encoded(path, kind, tag, accepted):
        """(encoding, bytes) or None."""
        for name, suffix in (('br', '.br'), ('gzip', '.gz')):
            if name in accepted and os.path.isfile(path + suffix):
                with open(path + suffix, 'rb') as file:
                    return name, file.read()
        if 'gzip' in accepted and kind.startswith(COMPRESSIBLE) and os.path.getsize(path) < 32 << 20:
            key = (path, tag)
            if key not in squeezed:
                with open(path, 'rb') as file:
                    squeezed[key] = gzip.compress(file.read(), 6)
            return 'gzip', squeezed[key]
        return None

    def log_message(self, *args):
        if os.environ.get('SERVE_LOG'):
            super().log_message(*args)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('folder', nargs='?', default='.')
    parser.add_argument('--port', type=int, default=8000)
    parser.add_argument('--host', default='127.0.0.1')
    parser.add_argument('--no-isolation', action='store_true')
    parser.add_argument('--map', action='append', default=[], metavar='NAME=FOLDER')
    args = parser.parse_args()
    if not os.path.isdir(args.folder):
        sys.exit(f'serve.py: {args.folder} is not a folder: build the page first (web/serve does)')
    Handler.mapped = dict(entry.split('=', 1) for entry in args.map)
    Handler.isolate = not args.no_isolation
    try:
        server = ThreadingHTTPServer((args.host, args.port), lambda *a: Handler(*a, directory=args.folder))
    except OSError as error:
        sys.exit(f'serve.py: port {args.port} of {args.host} cannot be used ({error.strerror}): give another with --port')
    server.daemon_threads = True
    print(f'http://{args.host}:{server.server_port}/', flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        sys.exit(0)


if __name__ == '__main__':
    main()
