// The page in a real browser: the example before any weights, a typed text, its numbers beside those
// of the command line, keys, reload, a phone's width, and no request to anywhere else.
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {after, before, test} from 'node:test';
import {launch, openPage, pageUrl} from './browser.mjs';

const kRoot = new URL('../../', import.meta.url).pathname;
const kText = 'The author talked to Sara about [MASK] book';

let browser;
before(async () => { browser = await launch(); });
after(() => browser?.close());

const waitFor = (page, expression, timeout = 120000) => page.waitForFunction(expression, {timeout, polling: 50});

async function typed(page, text) {
  const before = await page.evaluate(() => Number(document.body.dataset.request ?? 0));
  await page.evaluate((text) => {
    const box = document.getElementById('text');
    box.value = text;
    box.dispatchEvent(new Event('input', {bubbles: true}));
  }, text);
  await page.waitForFunction((before) => Number(document.body.dataset.requestDone ?? 0) > before, {timeout: 120000, polling: 50}, before);
}

// attention_probs and effective attention of all heads by the command line, [L][H][T][T].
function commandLine(text) {
  const out = `${kRoot}build/page-test.json`;
  execFileSync(`${kRoot}build/release/src/app/nullscope`,
    ['attention', '--model', `${kRoot}weights/bert-base-uncased`, '--text', text, '--out', out], {stdio: ['ignore', 'ignore', 'ignore']});
  return JSON.parse(execFileSync('cat', [out], {maxBuffer: 1 << 28})).tensors;
}

test('the example is there before the weights, and answers keys', async () => {
  const page = await openPage(browser);
  await waitFor(page, 'document.body.dataset.snapshot === "1" && document.body.dataset.ready === "1"');
  const report = await page.evaluate(() => window.nullscope.report());
  assert.equal(report.shownTokens.length, 106);
  assert.ok(report.summary.length > 20, report.summary);
  const raw = await page.evaluate(() => window.nullscope.value('raw', 7, 6, 20, 105));
  assert.ok(raw > 0 && raw < 1, String(raw));
  await page.focus('#canvas');
  const head = report.selection.head;
  await page.keyboard.press('.');
  await waitFor(page, `window.nullscope.report().selection.head === ${head + 1}`);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test('a typed text is computed, with the numbers of the command line', async () => {
  const page = await openPage(browser);
  await waitFor(page, 'document.body.dataset.model === "1"', 240000);
  await typed(page, kText);
  const report = await page.evaluate(() => window.nullscope.report());
  assert.deepEqual(report.shownTokens, ['[CLS]', 'the', 'author', 'talked', 'to', 'sara', 'about', '[MASK]', 'book', '[SEP]']);
  const [best, second, third] = report.guesses[0].best;
  assert.equal(best[0], 'the');
  assert.equal(second[0], 'her');
  assert.equal(third[0], 'his');
  assert.ok(Math.abs(second[1] - 0.1019) < 0.03 * 0.1019, String(second[1]));   // fp16 storage: within 3 %
  assert.ok(Math.abs(third[1] - 0.0700) < 0.03 * 0.0700, String(third[1]));

  // A longer text, so that effective attention differs from attention.
  const long = Array(12).fill('The old bridge was closed, so the baker walked around.').join(' ');
  await typed(page, long);
  const expected = commandLine(long);
  const [layers, heads, tokens] = expected.attention_probs.shape;
  assert.ok(tokens > 64);
  let worst = 0, least = 1;
  const shown = await page.evaluate((layers, heads, tokens) => {
    const values = [];
    for (let l = 0; l < layers; ++l)
      for (let h = 0; h < heads; ++h)
        for (let q = 0; q < tokens; q += 17)
          for (let k = 0; k < tokens; k += 5) values.push([l, h, q, k, window.nullscope.value('raw', l, h, q, k), window.nullscope.value('effective', l, h, q, k)]);
    return values;
  }, layers, heads, tokens);
  for (const [l, h, q, k, raw, effective] of shown) {
    const at = ((l * heads + h) * tokens + q) * tokens + k;
    worst = Math.max(worst, Math.abs(raw - expected.attention_probs.data[at]), Math.abs(effective - expected['effective_attention.value'].data[at]));
    least = Math.min(least, effective);
  }
  assert.ok(worst < 2e-5, `largest difference to the command line ${worst}`);   // float32 on two instruction sets
  assert.ok(least < -1e-3, 'effective attention of a long text has negative entries');
  assert.deepEqual(page.errors, []);
  await page.close();
});

test('text and selection survive a reload; nothing is drawn while nothing changes', async () => {
  const page = await openPage(browser);
  await waitFor(page, 'document.body.dataset.model === "1"', 240000);
  await typed(page, 'A second visit.');
  await page.focus('#canvas');
  for (const key of [']', ']', '.']) await page.keyboard.press(key);
  await new Promise((done) => setTimeout(done, 1500));
  const before = await page.evaluate(() => window.nullscope.report().selection);
  await page.reload({waitUntil: 'load'});
  await waitFor(page, 'document.body.dataset.ready === "1" && document.body.dataset.model === "1" && window.nullscope.report().shownTokens.includes("visit")', 240000);
  assert.equal(await page.evaluate(() => document.getElementById('text').value), 'A second visit.');
  const after = await page.evaluate(() => window.nullscope.report().selection);
  assert.deepEqual([after.layer, after.head], [before.layer, before.head]);
  await new Promise((done) => setTimeout(done, 3000));
  const frames = await page.evaluate(() => window.nullscope.framesDrawn());
  await new Promise((done) => setTimeout(done, 2000));
  assert.equal(await page.evaluate(() => window.nullscope.framesDrawn()), frames);
  await page.close();
});

test('a phone-sized page has no sideways scrolling, a table for those who cannot see the canvas, and asks no other origin', async () => {
  const page = await browser.newPage();
  await page.setViewport({width: 360, height: 740});
  const others = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(pageUrl) && !/^(data|blob|about):/.test(request.url())) others.push(request.url());
  });
  await page.goto(pageUrl, {waitUntil: 'load'});
  await waitFor(page, 'document.body.dataset.snapshot === "1" && document.body.dataset.ready === "1"');
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth));
  await page.evaluate(() => { document.getElementById('numbers').open = true; });
  await waitFor(page, 'document.querySelectorAll("#table-place th").length > 0');
  assert.ok((await page.evaluate(() => document.getElementById('canvas').getAttribute('aria-label'))).length > 20);
  assert.deepEqual(others, []);
  await page.close();
});
