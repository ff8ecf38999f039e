// Where the files of a model come from: a folder of this server (with a store in the browser, resumed
// downloads and retries) or files that the visitor dropped. Both give texts and whole shards; shards
// go straight into a block of the engine's memory.

// `retry`: trying again by hand may help. An error with `final` set is not tried again by itself.
export class SourceError extends Error {
  constructor(message, retry = false) {
    super(message);
    this.retry = retry;
  }
}

const kStore = 'nullscope-models-1';
const kTries = 5;
const kStall = 30000;        // milliseconds without a byte
const kSlice = 8 << 20;      // of a dropped file

const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

async function sha256(bytes) {
  // Shared memory is refused by crypto.subtle: such bytes are copied first.
  const own = bytes.buffer instanceof ArrayBuffer ? bytes : bytes.slice();
  const digest = await crypto.subtle.digest('SHA-256', own);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function openStore() {
  if (!globalThis.caches) return null;   // pages without https have none
  return caches.open(kStore).catch(() => null);
}

export async function forgetModels() {
  if (globalThis.caches) await caches.delete(kStore);
}

export class FolderSource {
  // `onNote(sentence)` tells what is worth knowing and no error.
  constructor(url, {signal, onNote}) {
    this.base = new URL(url.endsWith('/') ? url : url + '/', self.location.href);
    this.signal = signal;
    this.onNote = onNote;
    this.manifest = null;
    this.writing = Promise.resolve();
  }

  get name() { return this.manifest?.name ?? this.base.pathname.split('/').filter(Boolean).pop() ?? 'model'; }

  async start() {
    if (this.base.origin !== self.location.origin) {
      throw new SourceError(`${this.base.href} is on another server: Nullscope loads models only from the server that the page came from. Copy the folder there, or drop its files on the page.`);
    }
    this.store = await openStore();
    const text = await this.text('nullscope.json');
    if (text === null) return;
    try {
      this.manifest = JSON.parse(text);
    } catch {
      throw new SourceError(`${this.base.pathname}nullscope.json is not JSON: is this the folder of a model?`);
    }
    if (this.manifest.format !== 1 || !Array.isArray(this.manifest.files)) {
      throw new SourceError(`${this.base.pathname}nullscope.json has format ${this.manifest.format}, this page reads format 1: make the folder again, or reload the page.`);
    }
    this.files = new Map(this.manifest.files.map((file) => [file.name, file]));
  }

  // The names in the folder, null when it has no manifest.
  list() { return this.files ? [...this.files.keys()] : null; }
  size(name) { return this.files?.get(name)?.bytes ?? 0; }
  // Shards in the manifest's order, null without one.
  order() {
    const shards = this.manifest?.shards;
    return shards ? [shards.embeddings, ...(shards.layers ?? []), shards.heads].filter(Boolean) : null;
  }

  url(name) { return new URL(name, this.base).href; }

  // A small file, null when it is not there. The newest is wanted; the stored one serves offline.
  async text(name) {
    const expected = this.files?.get(name)?.sha256;
    for (let attempt = 1; ; ++attempt) {
      try {
        const response = await fetch(this.url(name), {signal: this.signal, cache: 'no-cache'});
        if (response.status === 404 || response.status === 410) return null;
        if (!response.ok) throw this.refused(name, response);
        const bytes = await response.arrayBuffer();
        if (expected && globalThis.crypto?.subtle && await sha256(new Uint8Array(bytes)) !== expected) throw this.damaged(name);
        await this.store?.put(this.url(name), new Response(bytes)).catch(() => {});
        return new TextDecoder().decode(bytes);
      } catch (error) {
        if (this.signal.aborted) throw error;
        const stored = await this.store?.match(this.url(name));
        if (stored && !(error instanceof SourceError)) return stored.text();
        await this.again(error, attempt, name);
      }
    }
  }

  refused(name, response) {
    const why = `${this.base.pathname}${name} could not be fetched: the server answered ${response.status}`;
    return response.status >= 500 || response.status === 429
      ? new SourceError(`${why}. Try again in a moment.`, true)
      : Object.assign(new SourceError(`${why}. Check that the folder of the model is complete.`), {final: true});
  }

  damaged(name) {
    return new SourceError(`${this.base.pathname}${name} is damaged: its SHA-256 is not the one in nullscope.json. Try again; if it stays so, the folder on the server must be made again.`, true);
  }

  // Waits before the next attempt, or gives up with a sentence.
  async again(error, attempt, name) {
    if (error.final || attempt >= kTries) {
      throw error instanceof SourceError ? error
        : new SourceError(`${this.base.pathname}${name} could not be fetched: the connection failed. Check the network and try again; what has arrived is kept.`, true);
    }
    await pause(500 * 2 ** (attempt - 1));
  }

  // A whole shard in a block from `newBlock(size)`; `onBytes(count, 'network' | 'cache')` as they come,
  // with a negative count for what has to be fetched again.
  async shard(name, newBlock, onBytes) {
    const expected = this.files?.get(name);
    const stored = await this.stored(name, expected);
    if (stored) {
      const block = await this.take(stored, name, newBlock, onBytes, 'cache');
      if (block) return block;
      await this.store.delete(this.url(name));
    }
    for (let damages = 0; ; ++damages) {
      const {block, etag} = await this.download(name, expected?.bytes, newBlock, onBytes);
      if (await this.sound(block, expected)) {
        await this.keep(name, block, etag);
        return block;
      }
      onBytes(-block.size, 'network');
      block.free();
      if (damages === 1) throw this.damaged(name);
    }
  }

  async sound(block, expected) {
    if (!expected?.sha256 || !globalThis.crypto?.subtle) return true;
    return await sha256(block.view()) === expected.sha256;
  }

  // The stored response, unless it is known to be old. A manifest's hash decides later.
  async stored(name, expected) {
    const response = await this.store?.match(this.url(name));
    if (!response || expected?.sha256) return response;
    try {
      const head = await fetch(this.url(name), {method: 'HEAD', signal: this.signal, cache: 'no-store'});
      return head.ok && head.headers.get('etag') !== response.headers.get('x-etag') ? undefined : response;
    } catch {
      return response;   // offline
    }
  }

  async take(response, name, newBlock, onBytes, source) {
    const size = Number(response.headers.get('x-bytes'));
    const block = newBlock(size, name);
    let have = 0;
    const reader = response.body.getReader();
    for (;;) {
      const {done, value} = await reader.read().catch(() => ({done: true}));   // a broken entry is a missing one
      if (done || this.signal.aborted || have + value.length > size) break;
      block.view(have, have + value.length).set(value);
      have += value.length;
      onBytes(value.length, source);
    }
    if (have === size && await this.sound(block, this.files?.get(name))) return block;
    block.free();
    this.signal.throwIfAborted();
    onBytes(-have, source);
    return null;
  }

  async keep(name, block, etag) {
    await this.writing;   // one copy at a time
    if (!this.store || this.full) return;
    const headers = {'x-bytes': String(block.size), 'x-etag': etag ?? ''};
    this.writing = this.store.put(this.url(name), new Response(block.view().slice(), {headers})).catch((error) => {
      this.full = true;
      this.onNote(error.name === 'QuotaExceededError'
        ? 'The browser has no room to keep the model: it works now, and is fetched again next time.'
        : 'The browser could not keep the model: it works now, and is fetched again next time.');
    });
  }

  async download(name, expectedSize, newBlock, onBytes) {
    let block = null, have = 0, etag = null, attempt = 1;
    for (;;) {
      const before = have;
      const stall = new AbortController();
      const stop = () => stall.abort();
      this.signal.addEventListener('abort', stop);
      let timer = setTimeout(stop, kStall);
      try {
        this.signal.throwIfAborted();
        const headers = have > 0 && etag ? {'Range': `bytes=${have}-`, 'If-Range': etag} : {};
        const response = await fetch(this.url(name), {headers, signal: stall.signal, cache: 'no-store'});
        if (!response.ok) throw this.refused(name, response);
        const goesOn = response.status === 206 && response.headers.get('content-range')?.startsWith(`bytes ${have}-`);
        if (!goesOn) {
          onBytes(-have, 'network');
          have = 0;
        }
        const tag = response.headers.get('etag');
        const plain = !response.headers.get('content-encoding');
        etag = plain && tag && !tag.startsWith('W/') ? tag : null;
        if (!block) {
          const size = expectedSize || (plain ? Number(response.headers.get('content-length')) : 0);
          if (!size) throw Object.assign(new SourceError(`${this.base.pathname}${name}: the server does not say how long it is. Add a nullscope.json (nullscope convert writes it).`), {final: true});
          block = newBlock(size, name);
        }
        const reader = response.body.getReader();
        for (;;) {
          const {done, value} = await reader.read();
          if (done) break;
          clearTimeout(timer);
          timer = setTimeout(stop, kStall);
          if (have + value.length > block.size) throw Object.assign(this.damaged(name), {final: true});
          block.view(have, have + value.length).set(value);
          have += value.length;
          onBytes(value.length, 'network');
        }
        if (have === block.size) return {block, etag: tag};
        throw new Error('short');
      } catch (error) {
        if (this.signal.aborted || error.final || error.retry === false) {
          block?.free();
          throw error;
        }
        if (have > before) attempt = 1;   // it does move
        try {
          await this.again(error, attempt++, name);
        } catch (last) {
          block?.free();
          throw last;
        }
      } finally {
        clearTimeout(timer);
        this.signal.removeEventListener('abort', stop);
      }
    }
  }

  async finish() { await this.writing; }
}

export class FilesSource {
  constructor(files, {signal}) {
    this.signal = signal;
    this.files = new Map([...files].map((file) => [file.name, file]));
  }
  get name() {
    const folder = [...this.files.values()][0]?.webkitRelativePath?.split('/')[0];
    return folder || 'your model';
  }
  async start() {}
  list() { return [...this.files.keys()]; }
  size(name) { return this.files.get(name)?.size ?? 0; }
  order() { return null; }

  async text(name) {
    const file = this.files.get(name);
    return file ? this.read(file, () => file.text()) : null;
  }

  read(file, action) {
    return action().catch(() => {
      throw new SourceError(`${file.name} could not be read: was it moved or changed after it was dropped? Drop it again.`, false);
    });
  }

  async shard(name, newBlock, onBytes) {
    const file = this.files.get(name);
    const block = newBlock(file.size, name);
    try {
      for (let at = 0; at < file.size; at += kSlice) {
        this.signal.throwIfAborted();
        const part = new Uint8Array(await this.read(file, () => file.slice(at, at + kSlice).arrayBuffer()));
        block.view(at, at + part.length).set(part);
        onBytes(part.length, 'cache');
      }
    } catch (error) {
      block.free();
      throw error;
    }
    return block;
  }

  async finish() {}
}
