// The engine under a stopwatch: window.bench({n, mode, threads, runs, ids, segments}) gives
// {ms, checksum, ...}, timed from token ids in memory to the result in memory. The page's address
// takes ?model=FOLDER/ and ?engine=VARIANT; the button does it by hand.
const parameters = new URL(location.href).searchParams;
const model = new URL(parameters.get('model') ?? 'weights/bert-base-uncased/', location.href).href;
const kModes = ['forward', 'forward_all'];

const status = document.getElementById('status');
let lane = null;   // {worker, threads, waiting: Map id -> function}
let lastId = 0;

function start(threads) {
  lane?.worker.terminate();
  const address = new URL('engine-worker.js', import.meta.url);
  if (threads > 1) address.searchParams.set('threads', threads);
  const forced = parameters.get('engine') ?? (threads === 1 && self.crossOriginIsolated ? 'relaxed' : null);
  if (forced) address.searchParams.set('engine', forced);
  const mine = lane = {worker: new Worker(address, {type: 'module'}), threads, waiting: new Map()};
  mine.ready = new Promise((done, fail) => {
    mine.worker.onmessage = ({data}) => {
      if (data.type === 'ready') mine.variant = data.variant;
      if (data.type === 'progress') status.textContent = `${(data.bytes / 1e6).toFixed(0)} of ${(data.total / 1e6).toFixed(0)} MB`;
      if (data.type === 'model') {
        status.textContent = `${data.name} ${data.storage}, ${mine.variant}, ${threads} thread(s)`;
        done();
      }
      if (data.type === 'error') {
        status.textContent = data.message;
        fail(new Error(data.message));
      }
      if (data.type === 'bench') mine.waiting.get(data.id)?.(data);
    };
    mine.worker.onerror = (event) => fail(new Error(event.message ?? 'the worker did not start'));
  });
  mine.worker.postMessage({type: 'open', url: model});
  return mine.ready;
}

window.bench = async ({n, mode, threads = 1, runs = 1, warmup = 0, ids, segments}) => {
  if (!kModes.includes(mode)) return {unsupported: `${mode} is not in this version`};
  if (threads > 1 && !self.crossOriginIsolated) return {unsupported: 'threads need a cross-origin isolated page'};
  if (lane.threads !== threads) window.benchReady = start(threads);
  await lane.ready;
  const id = ++lastId;
  const answer = new Promise((done) => lane.waiting.set(id, done));
  lane.worker.postMessage({type: 'bench', id, ids: [...ids].slice(0, n ?? ids.length), segments: [...(segments ?? ids.map(() => 0))].slice(0, n ?? ids.length), mode, runs, warmup});
  const {result, unsupported} = await answer;
  lane.waiting.delete(id);
  return result ?? {unsupported};
};
window.benchReady = start(1);

const button = document.getElementById('run');
window.benchReady.then(() => { button.disabled = false; }, () => {});
button.onclick = async () => {
  button.disabled = true;
  const out = document.getElementById('times');
  for (const n of [32, 128]) {
    const ids = Array.from({length: n}, (_, i) => (i * 97 + 1996) % 30522);
    const {ms} = await window.bench({n, mode: 'forward', runs: 7, warmup: 2, ids});
    ms.sort((a, b) => a - b);
    out.textContent += `${n} tokens: median ${ms[3].toFixed(1)} ms, best ${ms[0].toFixed(1)} ms\n`;
  }
  button.disabled = false;
};
