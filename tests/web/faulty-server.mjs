// A server for tests of loading: files of the page come from the real one, models from memory, with
// the faults that a test asks for. Everything is one origin, as for a visitor.
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {pageUrl} from './browser.mjs';

const toy = new URL('../golden/toy/', import.meta.url);
const kToyFiles = ['config.json', 'vocab.txt', 'model.safetensors'];

export const toyFiles = () => new Map(kToyFiles.map((name) => [name, readFileSync(new URL(name, toy))]));

function manifest(files) {
  return Buffer.from(JSON.stringify({format: 1, name: 'toy', storage: 'F32', files: [...files].map(([name, bytes]) =>
    ({name, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex')}))}));
}

export class FaultyServer {
  models = new Map();      // folder -> Map file -> bytes
  faults = new Map();      // 'folder/file' -> list of functions (request, response, bytes) => handled, each used once
  log = [];                // 'folder/file' or 'folder/file Range', in order

  addToy(folder, {withManifest = true, change = (files) => files} = {}) {
    const files = toyFiles();
    if (withManifest) files.set('nullscope.json', manifest(files));
    this.models.set(folder, change(files));
  }
  fault(path, ...list) { this.faults.set(path, list); }

  async start() {
    this.server = createServer((request, response) => this.reply(request, response).catch(() => response.destroy()));
    await new Promise((done) => this.server.listen(0, '127.0.0.1', done));
    this.url = `http://127.0.0.1:${this.server.address().port}/`;
    return this;
  }
  stop() {
    if (!this.server.listening) return null;
    this.server.closeAllConnections();
    return new Promise((done) => this.server.close(done));
  }

  async reply(request, response) {
    const path = decodeURIComponent(new URL(request.url, this.url).pathname.slice(1));
    if (path === 'empty.html') {
      response.writeHead(200, {'content-type': 'text/html'}).end('<!doctype html><title>empty</title><link rel="icon" href="data:,">');
      return;
    }
    const [folder, file] = path.split('/');
    if (!this.models.has(folder)) return this.proxy(path, response);
    const bytes = this.models.get(folder).get(file);
    this.log.push(path + (request.headers.range ? ' ' + request.headers.range : ''));
    const fault = this.faults.get(path)?.shift();
    if (fault && fault(request, response, bytes)) return;
    if (!bytes) {
      response.writeHead(404).end();
      return;
    }
    const etag = `"${bytes.length}"`;
    const from = /^bytes=(\d+)-$/.exec(request.headers.range ?? '');
    if (from && request.headers['if-range'] === etag) {
      const begin = Number(from[1]);
      response.writeHead(206, {etag, 'content-length': bytes.length - begin, 'content-range': `bytes ${begin}-${bytes.length - 1}/${bytes.length}`});
      response.end(request.method === 'HEAD' ? undefined : bytes.subarray(begin));
      return;
    }
    response.writeHead(200, {etag, 'content-length': bytes.length});
    response.end(request.method === 'HEAD' ? undefined : bytes);
  }

  async proxy(path, response) {
    const answer = await fetch(new URL(path, pageUrl));
    response.writeHead(answer.status, {'content-type': answer.headers.get('content-type') ?? 'text/plain'});
    response.end(Buffer.from(await answer.arrayBuffer()));
  }
}

// Faults.
export const status = (code) => (request, response) => response.writeHead(code).end() && true;
export const damaged = (request, response, bytes) => {
  const wrong = Buffer.from(bytes);
  wrong[wrong.length - 1] ^= 1;
  response.writeHead(200, {'content-length': wrong.length}).end(wrong);
  return true;
};
export const cutAt = (share) => (request, response, bytes) => {
  response.writeHead(200, {etag: `"${bytes.length}"`, 'content-length': bytes.length});
  response.write(bytes.subarray(0, Math.floor(bytes.length * share)), () => setTimeout(() => response.destroy(), 200));
  return true;
};
