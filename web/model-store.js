// Loads a model from a source (model-source.js) into the engine: first the small files, then the
// shards, embeddings before the layers in order before the heads, so that a text can start early.
import {SourceError} from './model-source.js';

const kIndex = 'model.safetensors.index.json';
const kTexts = {config_json: 'config.json', vocab_txt: 'vocab.txt', tokenizer_json: 'tokenizer.json', tokenizer_config_json: 'tokenizer_config.json'};

// Shards of an index in the order in which the engine can use them.
function shardOrder(index) {
  const rank = new Map();
  for (const [tensor, shard] of Object.entries(index.weight_map ?? {})) {
    const layer = /\blayer\.(\d+)\./.exec(tensor);
    const place = layer ? 1 + Number(layer[1]) : /embeddings\./.test(tensor) ? 0 : Infinity;
    rank.set(shard, Math.min(place, rank.get(shard) ?? Infinity));
  }
  return [...rank].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1)).map(([shard]) => shard);
}

// What holds the weights: an index with shards, or one file.
async function findShards(source) {
  const names = source.list();
  if (!names || names.includes(kIndex)) {
    const text = names?.includes('model.safetensors') ? null : await source.text(kIndex);
    if (text !== null) {
      let index;
      try {
        index = JSON.parse(text);
      } catch {
        throw new SourceError(`${kIndex} is not JSON: the file is damaged.`);
      }
      const shards = source.order() ?? shardOrder(index);
      const missing = names && shards.find((shard) => !names.includes(shard));
      if (missing) throw new SourceError(`${missing} is missing: ${kIndex} names it. Add it to the others.`);
      return {index: text, shards, total: index.metadata?.total_size ?? 0};
    }
  }
  if (!names) return {index: null, shards: ['model.safetensors'], total: 0};
  const weights = names.filter((name) => name.endsWith('.safetensors'));
  if (weights.includes('model.safetensors')) return {index: null, shards: ['model.safetensors'], total: 0};
  if (weights.length === 1) return {index: null, shards: weights, total: 0};
  if (weights.length > 1) throw new SourceError(`There are ${weights.length} .safetensors files and no ${kIndex}: add the index, or give one file.`);
  const foreign = names.find((name) => /\.(bin|pt|pth|h5|onnx|gguf|ckpt|index|msgpack|data-\d+-of-\d+)$/.test(name));
  if (foreign) throw new SourceError(`${foreign} is not a format that the page reads: convert it with "nullscope convert", and drop the folder that this makes.`);
  throw new SourceError('There are no weights: expected model.safetensors, or shards with their index, beside config.json and vocab.txt.');
}

// Progress of all bytes, told a few times a second.
class Progress {
  constructor(report, total, layersReady) {
    Object.assign(this, {report, total, layersReady, bytes: 0, network: 0, last: 0, what: '', source: 'network', samples: []});
  }
  add(count, source) {
    this.bytes += count;
    this.source = source;
    if (source === 'network') this.network += count;
    this.tell(false);
  }
  tell(now = true) {
    const time = performance.now();
    if (!now && time - this.last < 100) return;
    this.last = time;
    this.samples.push([time, this.bytes]);
    while (this.samples.length > 2 && time - this.samples[0][0] > 4000) this.samples.shift();
    const [since, before] = this.samples[0];
    const rate = time > since ? Math.max(0, (this.bytes - before) / (time - since) * 1000) : 0;
    const total = Math.max(this.total, this.bytes);
    this.report({type: 'progress', bytes: this.bytes, total, rate, secondsLeft: rate > 0 ? (total - this.bytes) / rate : null,
      source: this.source, what: this.what, layersReady: this.layersReady()});
  }
}

// `engine`: {begin(texts), newBlock(size, name), addShard(name, block), layersReady(), finish()}, of which
// begin, addShard and finish say false when the model is refused (the engine has sent why).
// Resolves to {bytes, network, seconds}, or null when it was refused. After `signal` says stop the engine
// is not touched any more: it may be taking another model.
export async function loadModel(source, engine, report, signal) {
  const start = performance.now();
  await source.start();
  const names = source.list();
  const texts = {name: source.name};
  for (const [key, file] of Object.entries(kTexts)) {
    if (names && !names.includes(file)) continue;
    const text = await source.text(file);
    if (text !== null) texts[key] = text;
  }
  const {index, shards, total} = await findShards(source);
  if (index !== null) texts.index_json = index;
  signal.throwIfAborted();
  if (!engine.begin(texts)) return null;

  const sum = shards.reduce((bytes, shard) => bytes + source.size(shard), 0);
  const progress = new Progress(report, sum || total, () => engine.layersReady());
  for (const shard of shards) {
    progress.what = shard;
    progress.tell();
    const block = await source.shard(shard, (size, name) => engine.newBlock(size, name), (count, from) => progress.add(count, from));
    if (signal.aborted) block.free();
    signal.throwIfAborted();
    if (!engine.addShard(shard, block)) return null;
    progress.tell();
  }
  if (!engine.finish()) return null;
  await source.finish();
  progress.tell();
  return {bytes: progress.bytes, network: progress.network, seconds: (performance.now() - start) / 1000};
}
