// The engine's worker in a real browser: loading with all its faults, requests, the store, no network.
import assert from 'node:assert/strict';
import {after, afterEach, before, beforeEach, test} from 'node:test';
import {launch} from './browser.mjs';
import {FaultyServer, cutAt, damaged, status} from './faulty-server.mjs';

let browser, server, page;

before(async () => {
  browser = await launch();
});
after(() => browser?.close());
beforeEach(async () => {
  server = await new FaultyServer().start();
  page = await browser.newPage();
  await page.goto(server.url + 'empty.html');
  await prepare();
});
afterEach(async () => {
  await page.close();
  await server.stop();
});

// `talk(messages, last)` in the page: sends the messages to the worker and gathers answers until one
// has the type `last`; those of the engine have "message KIND".
async function prepare(parameters = '') {
  await page.evaluate((parameters) => {
    const worker = new Worker('engine-worker.js' + parameters, {type: 'module'});
    const answers = [];
    let look = () => {};
    const metadata = (buffer) => {
      const bytes = new Uint8Array(buffer), length = Number(new DataView(buffer).getBigUint64(0, true));
      return JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length))).__metadata__;
    };
    const add = (answer) => { answers.push(answer); look(); };
    worker.onerror = (event) => add({type: 'error', scope: 'worker', message: event.message});
    worker.onmessage = ({data}) => add(data.type === 'message' ? {type: 'message', ...metadata(data.bytes)} : data);
    window.talk = (messages, last) => new Promise((done, refuse) => {
      setTimeout(() => refuse(new Error(`no ${last} within 20 s; got ${JSON.stringify(answers).slice(0, 2000)}`)), 20000);
      const since = answers.length;
      look = () => {
        const at = answers.slice(since).findIndex((answer) => [last, 'error', 'message error'].includes(answer.kind ? 'message ' + answer.kind : answer.type));
        if (at >= 0) done(answers.slice(since, since + at + 1));
      };
      for (const message of messages) worker.postMessage(message);
      look();
    });
    Object.assign(window, {worker, answers});
  }, parameters);
}

const talk = (messages, last) => page.evaluate((m, l) => window.talk(m, l), messages, last);
const open = (folder) => talk([{type: 'open', url: folder + '/'}], 'model');
const ask = (number, text, more = {}) => talk([{type: 'request', number, text, pair: null, variant: 'value', cut: null, ...more}], 'message done');
const failure = (answers) => {
  const last = answers.at(-1);
  assert.equal(last.type, 'error', JSON.stringify(last));
  return last;
};
const loaded = (answers) => {
  const last = answers.at(-1);
  assert.equal(last.type, 'model', JSON.stringify(last));
  return last;
};

test('a model is loaded, a text answered layer by layer, a newer one replaces it', async () => {
  server.addToy('toy');
  const model = loaded(await open('toy'));
  assert.equal(model.config.layers, 3);
  const answers = await ask(1, 'the cat sat on the [MASK].');
  assert.deepEqual(answers.map((a) => a.kind + (a.layer ?? '')), ['tokens', 'layer0', 'layer1', 'layer2', 'heads', 'done']);
  assert.ok(answers.every((a) => a.request === '1'));
  await page.evaluate(() => {
    for (const number of [2, 3]) window.worker.postMessage({type: 'request', number, text: `the dog ran ${number}`, pair: 'a bird', variant: 'value_and_ones', cut: 0.01});
  });
  await page.waitForFunction(() => window.answers.some((a) => a.kind === 'done' && a.request === '3'));
  const numbers = await page.evaluate(() => window.answers.filter((a) => a.request).map((a) => Number(a.request)));
  assert.deepEqual(numbers, [...numbers].sort((x, y) => x - y));   // nothing of an old request after the new one began
  const wrong = (await talk([{type: 'request', number: 4, text: 'cat', pair: null, variant: 'value', cut: 7}], 'error')).at(-1);
  assert.equal(wrong.kind, 'error');
  assert.equal(wrong.request, '4');
});

test('half a surrogate pair in the text is no fault', async () => {
  server.addToy('toy');
  await open('toy');
  assert.equal((await ask(1, 'cat \ud800 dog')).at(-1).kind, 'done');
});

test('stored shards are not fetched again, and forgetting fetches them anew', async () => {
  server.addToy('toy');
  assert.ok(loaded(await open('toy')).network > 0);
  server.log.length = 0;
  const again = await open('toy');
  assert.equal(loaded(again).network, 0);
  assert.ok(again.some((a) => a.type === 'progress' && a.source === 'cache'));
  assert.ok(!server.log.some((line) => line.includes('safetensors')), server.log.join());
  await talk([{type: 'forget'}], 'forgotten');
  assert.ok(loaded(await open('toy')).network > 0);
});

test('a cut connection goes on where it ended', async () => {
  server.addToy('toy');
  server.fault('toy/model.safetensors', cutAt(0.5));
  loaded(await open('toy'));
  assert.ok(server.log.some((line) => /model\.safetensors bytes=[1-9]\d*-$/.test(line)), server.log.join());
});

test('a server that is busy is asked again', async () => {
  server.addToy('toy');
  server.fault('toy/model.safetensors', status(503), status(503));
  loaded(await open('toy'));
});

test('damage is noticed, fetched again once, and then told', async () => {
  server.addToy('toy');
  server.fault('toy/model.safetensors', damaged);
  loaded(await open('toy'));
  server.addToy('bad');
  server.fault('bad/model.safetensors', damaged, damaged, damaged);
  const error = failure(await open('bad'));
  assert.match(error.message, /model\.safetensors is damaged/);
  assert.equal(error.retry, true);
});

test('a stored shard that is not the manifest\'s is fetched again', async () => {
  server.addToy('toy');
  loaded(await open('toy'));
  await page.evaluate(async () => {
    const store = await caches.open((await caches.keys()).find((name) => name.includes('models')));
    const key = (await store.keys()).find((request) => request.url.endsWith('.safetensors'));
    const old = await store.match(key), bytes = new Uint8Array(await old.arrayBuffer());
    bytes[bytes.length - 1] ^= 1;
    await store.put(key, new Response(bytes, {headers: old.headers}));
  });
  assert.ok(loaded(await open('toy')).network > 0);
});

test('what is missing or foreign is told in a sentence', async () => {
  server.models.set('nothing', new Map());
  assert.match(failure(await open('nothing')).message, /model\.safetensors could not be fetched: the server answered 404/);
  server.addToy('torch', {withManifest: false, change: (files) => new Map([...files].filter(([name]) => name !== 'model.safetensors'))});
  assert.match(failure(await open('torch')).message, /404/);
  server.addToy('wrong', {withManifest: false, change: (files) => files.set('model.safetensors', Buffer.from('PK no tensors at all'))});
  assert.match(failure(await open('wrong')).message, /model\.safetensors/);
  assert.match(failure(await talk([{type: 'open', url: 'https://example.org/model/'}], 'model')).message, /another server/);
  server.addToy('toy');
  loaded(await open('toy'));   // after all that
});

test('a folder without a manifest loads, and is stored as long as the server\'s tag is the same', async () => {
  server.addToy('plain', {withManifest: false});
  loaded(await open('plain'));
  assert.equal(loaded(await open('plain')).network, 0);
  server.models.get('plain').set('model.safetensors', Buffer.concat([server.models.get('plain').get('model.safetensors')]));
  assert.equal((await ask(1, 'the cat')).at(-1).kind, 'done');
});

test('dropped files load without a byte leaving the page', async () => {
  server.addToy('toy');
  await page.evaluate(async () => {
    window.files = await Promise.all(['config.json', 'vocab.txt', 'model.safetensors'].map(async (name) =>
      new File([await (await fetch('toy/' + name)).blob()], name)));
  });
  server.log.length = 0;
  const answers = await page.evaluate(() => window.talk([{type: 'openFiles', files: window.files}], 'model'));
  loaded(answers);
  assert.deepEqual(server.log, []);
  assert.equal((await ask(1, 'the cat')).at(-1).kind, 'done');
  const lacking = await page.evaluate(() => window.talk([{type: 'openFiles', files: [new File(['x'], 'pytorch_model.bin')]}], 'model'));
  assert.match(failure(lacking).message, /pytorch_model\.bin/);
});

test('stop ends a download with a word', async () => {
  server.addToy('toy');
  server.fault('toy/model.safetensors', (request, response, bytes) => {
    response.writeHead(200, {'content-length': bytes.length});
    response.write(bytes.subarray(0, 1000));   // and nothing more
    return true;
  });
  const waiting = talk([{type: 'open', url: 'toy/'}], 'model');
  await new Promise((done) => setTimeout(done, 1000));
  await page.evaluate(() => window.worker.postMessage({type: 'stop'}));
  assert.match(failure(await waiting).message, /stopped/);
  loaded(await open('toy'));
});

test('a second model that is opened at once is the one that is loaded', async () => {
  server.addToy('first');
  server.addToy('second');
  loaded(await open('first'));
  const answers = await talk([{type: 'open', url: 'first/'}, {type: 'open', url: 'second/'}, {type: 'open', url: 'first/'},
    {type: 'open', url: 'second/'}], 'model');
  loaded(answers);
  assert.equal((await ask(1, 'the cat')).at(-1).kind, 'done');
});

test('the page and the model work without a network after one visit', async () => {
  server.addToy('toy');
  loaded(await open('toy'));
  const kept = await page.evaluate(async () => {
    const {keepForOffline} = await import('./offline.js');
    return keepForOffline(window.answers.find((answer) => answer.type === 'ready').files);
  });
  assert.equal(kept, true);
  await server.stop();
  await page.goto(server.url + 'empty.html');
  await prepare();
  loaded(await open('toy'));
  assert.equal((await ask(1, 'the cat')).at(-1).kind, 'done');
});
