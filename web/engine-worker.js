// The engine's worker: picks a build of the engine for this browser, loads models into it and runs
// requests a step at a time, looking for newer messages between steps.
//
// page -> worker
//   {type: 'open', url}                 a folder with a model, on the page's server
//   {type: 'openFiles', files: [File]}  config.json, vocab.txt, model.safetensors (or index + shards), tokenizer*.json
//   {type: 'request', number, text, pair: null|text, variant, cut: null|number}
//   {type: 'stop'}                      drops the running request and ends a download
//   {type: 'forget'}                    removes stored models from the browser
//   {type: 'bench', id, ids, segments, mode, runs, warmup}
// worker -> page
//   {type: 'ready', variant, threads, isolated, files}   files: what the page must keep to work offline
//   {type: 'progress', bytes, total, rate, secondsLeft, source: 'network'|'cache', what, layersReady}
//   {type: 'message', bytes}            a message of session/messages.h, safetensors
//   {type: 'model', name, config, storage, tokenizer, warnings, bytes, network, seconds}   loaded
//   {type: 'note', message}             worth knowing, and no error
//   {type: 'error', scope: 'model'|'text'|'engine', message, retry}
//   {type: 'forgotten'} {type: 'bench', id, result | unsupported}
import {FilesSource, FolderSource, SourceError, forgetModels} from './model-source.js';
import {loadModel} from './model-store.js';

// A function that uses f32x4.relaxed_madd.
const kRelaxedProbe = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 8, 1, 96, 3, 123, 123, 123, 1, 123, 3, 2, 1, 0, 10, 13, 1, 11,
  0, 32, 0, 32, 1, 32, 2, 253, 133, 2, 11]);
const kSimdProbe = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11]);
const kMostThreads = 8;
const kTurn = 12;   // milliseconds of steps before newer messages are looked for

const parameters = new URL(self.location.href).searchParams;
const isolated = self.crossOriginIsolated === true;

let engine = null, variant = '', threads = 1;
let loading = null;      // AbortController of a running download
let lastModel = null;    // metadata of the last "model" message
let benchReply = null;

const post = (message, transfer = []) => self.postMessage(message, transfer);
const say = (scope, message, retry = false) => post({type: 'error', scope, message, retry});

// Metadata of a safetensors message.
function metadataOf(bytes) {
  const length = Number(new DataView(bytes.buffer).getBigUint64(0, true));
  return JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length))).__metadata__ ?? {};
}

function onEngineMessage(pointer, size) {
  const bytes = new Uint8Array(engine.wasmMemory.buffer, pointer, size).slice();
  const metadata = metadataOf(bytes);
  if (metadata.kind === 'bench') {
    benchReply = JSON.parse(metadata.result);
    return;
  }
  if (metadata.kind === 'error' && metadata.scope !== 'text') {
    if (benchReply === 'waiting') benchReply = {unsupported: metadata.message};
    else say(metadata.scope, metadata.message);
    return;
  }
  if (metadata.kind === 'model') lastModel = metadata;
  post({type: 'message', bytes: bytes.buffer}, [bytes.buffer]);
}

function variants() {
  const forced = parameters.get('engine');
  if (forced) return [forced];
  const instructions = WebAssembly.validate(kRelaxedProbe) ? 'relaxed' : 'simd';
  const several = isolated && (navigator.hardwareConcurrency ?? 1) > 1;
  return several ? [`${instructions}-threads`, instructions] : [instructions];
}

async function startEngine() {
  if (!WebAssembly.validate(kSimdProbe)) {
    throw new SourceError('This browser is too old for the engine (WebAssembly SIMD is missing): use Chrome 91, Firefox 89, Safari 16.4 or a later one. The example still works.');
  }
  let failure = null;
  for (const candidate of variants()) {
    try {
      const wanted = Number(parameters.get('threads')) || Math.min(kMostThreads, navigator.hardwareConcurrency ?? 1);
      threads = candidate.endsWith('threads') ? wanted : 1;
      const {default: create} = await import(`./engine-${candidate}.js`);
      engine = await create({onMessage: onEngineMessage, extraThreads: threads - 1});
      variant = candidate;
      engine._engine_start(threads);
      engine._engine_warm_up();
      return;
    } catch (error) {
      failure = error;   // shared memory refused, say: the next one needs less
      engine = null;
    }
  }
  throw new SourceError(`The engine did not start (${failure?.message ?? failure}). Reload the page; if it stays so, this browser gives it too little memory.`, true);
}

function crash(error) {
  engine = null;
  loading?.abort();
  say('engine', `The engine stopped (${error?.message ?? error}). Most likely the browser ran out of memory: close other tabs or take a shorter text, and load the model again.`, true);
}

// Calls into the engine with a JSON text.
function callWithJson(name, value) {
  // Halves of surrogate pairs are no text for JSON's strict reader: encoding first replaces them.
  const tidy = (key, item) => typeof item === 'string' ? new TextDecoder('utf-8', {ignoreBOM: true}).decode(new TextEncoder().encode(item)) : item;
  const bytes = new TextEncoder().encode(JSON.stringify(value, tidy));
  const at = allocate(bytes);
  const result = engine[name](at, bytes.length);
  engine._free(at);
  return Boolean(result);
}

function allocate(bytes) {
  const at = engine._malloc(bytes.length || 1) >>> 0;
  if (!at) throw new SourceError('The browser has no memory left for this: close other tabs, and load the model again.', true);
  new Uint8Array(engine.wasmMemory.buffer, at, bytes.length).set(bytes);
  return at;
}

// A piece of engine memory for one shard.
class Block {
  constructor(size, name) {
    this.size = size;
    this.at = engine._malloc(size) >>> 0;
    if (!this.at) {
      throw Object.assign(new SourceError(`There is no memory for ${name} (${Math.round(size / 1e6)} MB): close other tabs and try again, or take a smaller model.`, true), {final: true});
    }
    this.owner = engine;
  }
  // Made at each use: views end where memory ended when they were made.
  view(begin = 0, end = this.size) { return new Uint8Array(this.owner.wasmMemory.buffer, this.at + begin, end - begin); }
  free() { if (this.owner === engine) engine._free(this.at); }
}

const sink = {
  begin: (texts) => callWithJson('_engine_begin_model', texts),
  newBlock: (size, name) => new Block(size, name),
  addShard(name, block) {
    const text = new TextEncoder().encode(name), at = allocate(text);
    const taken = engine._engine_add_shard(at, text.length, block.at, block.size);
    engine._free(at);
    wake();
    return Boolean(taken);
  },
  layersReady: () => engine._engine_layers_ready(),
  finish() {
    const done = Boolean(engine._engine_finish_model());
    wake();
    return done;
  },
};

async function open(makeSource) {
  loading?.abort();
  const mine = loading = new AbortController();
  try {
    if (!engine) await startEngine();
    const source = makeSource({signal: mine.signal, onNote: (message) => post({type: 'note', message})});
    const outcome = await loadModel(source, sink, (message) => { if (!mine.signal.aborted) post(message); }, mine.signal);
    if (!outcome || mine.signal.aborted) return;
    post({type: 'model', name: lastModel.name, config: JSON.parse(lastModel.config), storage: lastModel.storage,
      tokenizer: lastModel.tokenizer === '1', warnings: JSON.parse(lastModel.warnings), ...outcome});
  } catch (error) {
    if (mine.signal.aborted) return;
    if (error instanceof SourceError) say('model', error.message, error.retry);
    else if (error instanceof WebAssembly.RuntimeError) crash(error);
    else say('model', `The model could not be loaded (${error.message}). Try again.`, true);
  } finally {
    if (loading === mine) loading = null;
  }
}

const channel = new MessageChannel();
let awake = false;
function wake() {
  if (awake || !engine) return;
  awake = true;
  channel.port2.postMessage(null);
}
channel.port1.onmessage = () => {
  awake = false;
  if (!engine) return;
  try {
    const end = performance.now() + kTurn;
    let more = true;
    while (more && performance.now() < end) more = Boolean(engine._engine_step());
    if (more) wake();
  } catch (error) {
    crash(error);
  }
};

function bench({id, ids, segments, mode, runs, warmup}) {
  benchReply = 'waiting';
  callWithJson('_engine_bench', {ids, segments, mode, runs, warmup});
  const result = benchReply;
  benchReply = null;
  post({type: 'bench', id, ...(result.unsupported ? result : {result: {...result, wasmBytes: engine.wasmMemory.buffer.byteLength,
    engine: {name: 'nullscope', variant, threads}}})});
}

const kActions = {
  open: ({url}) => open((options) => new FolderSource(url, options)),
  openFiles: ({files}) => open((options) => new FilesSource(files, options)),
  request({number, text, pair, variant: wanted, cut}) {
    if (!engine) return say('engine', 'The engine is not running: load the model again.', true);
    callWithJson('_engine_submit', {number, text, pair: pair ?? null, variant: wanted ?? 'value', cut: cut ?? null});
    wake();
  },
  stop() {
    if (loading) {
      loading.abort();
      say('model', 'The download was stopped. What has arrived is kept: load the model again to go on.', true);
    }
    engine?._engine_stop();
  },
  async forget() {
    await forgetModels();
    post({type: 'forgotten'});
  },
  bench,
};

const started = startEngine().then(() => {
  post({type: 'ready', variant, threads, isolated, files: ['engine-worker.js', 'model-source.js', 'model-store.js',
    `engine-${variant}.js`, `engine-${variant}.wasm`].map((file) => new URL(file, self.location.href).href)});
}, (error) => say('engine', error.message, error.retry ?? false));

self.onmessage = async ({data}) => {
  await started;
  try {
    await kActions[data.type]?.(data);
  } catch (error) {
    if (error instanceof SourceError) say('engine', error.message, error.retry);
    else crash(error);
  }
};
