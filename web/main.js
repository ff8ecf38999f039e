// The page: starts the UI module, shows the snapshot at once, then brings in the engine. Each other
// script has one part of the page; what they show comes from the UI module's report.
import createApp from './app.js';
import {connectControls} from './controls.js';
import {EngineLink} from './engine-link.js';
import {Mirror} from './mirror.js';
import {keepForOffline} from './offline.js';
import {readSavedState, saveState} from './state-store.js';
import {Status} from './status.js';

const kModel = 'weights/bert-base-uncased/';
const body = document.body;
const canvas = document.getElementById('canvas');
const status = new Status();

async function fetchSnapshot() {
  const response = await fetch('snapshot.safetensors');
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

// Runs call(pointer, ...) with texts as C strings.
function withTexts(app, texts, call) {
  const pointers = texts.map((text) => app.stringToNewUTF8(text));
  try {
    return call(...pointers);
  } finally {
    pointers.forEach((pointer) => app._free(pointer));
  }
}

function receive(app, bytes) {
  const at = app._malloc(bytes.length);
  if (!at) return false;
  app.HEAPU8.set(bytes, at);
  const taken = app._page_receive(at, bytes.length);
  app._free(at);
  return Boolean(taken);
}

async function start() {
  const snapshot = fetchSnapshot();
  snapshot.catch(() => {});   // told below
  let app, link, mirror, controls;
  let changeWaiting = false;

  const report = () => JSON.parse(app.UTF8ToString(app._page_report()));
  const update = () => {
    changeWaiting = false;
    const now = report();
    mirror.show(now);
    status.showReport(now);
    saveState(now.state);
    Object.assign(body.dataset, {request: now.newest, tokens: now.tokens.length});
    if (!now.running && now.done && now.request > 0) body.dataset.requestDone = now.request;
    canvas.setAttribute('aria-label', `Attention maps. ${now.summary}`);
  };
  const onChange = () => {
    if (changeWaiting || !mirror) return;
    changeWaiting = true;
    setTimeout(update, 30);
  };

  app = await createApp({
    canvas,
    onChange,
    onRequest: (request) => link?.request(request),
    onHeight(height) {
      body.classList.toggle('column', height > 0);
      canvas.dataset.scroll = height > 0 ? 'page' : '';
      canvas.style.height = height > 0 ? `${Math.ceil(height)}px` : '';
    },
    onLongText: () => controls.setTexts(app.UTF8ToString(app._page_default_text()), null, true),
  });
  performance.mark('nullscope-app');
  mirror = new Mirror(app, report);
  if (!app._page_has_canvas()) {
    canvas.hidden = true;
    document.getElementById('numbers').open = true;
    status.showFault('This browser has no WebGL 2, so the pictures cannot be drawn: the numbers are in the table below. Turning on hardware acceleration in the browser\'s settings usually helps.');
  }

  const ask = (text, pair) => withTexts(app, [text, pair ?? ''], (a, b) => app._page_ask(a, pair !== null, b));
  controls = connectControls({
    ask,
    setTheme: (chosen, dark) => app._page_theme(chosen, dark),
    press: (key, shift) => withTexts(app, [key], (at) => app._page_press(at, shift)),
    pin: (query, key) => app._page_pin(query, key),
    openModel: (url) => { app._page_model_closed(); link.open(url); controls.askAgain(); },
    openFiles: (files) => { app._page_model_closed(); link.openFiles(files); controls.askAgain(); },
    forget: () => link.forget(),
    stop: () => link.stop(),
    retry: () => { status.clearFault(); app._page_clear_fault(); link.retry(); controls.askAgain(); },
    dismiss: () => { status.clearFault(); app._page_clear_fault(); },
    report,
  });

  const restore = (text) => withTexts(app, [text], (at) => app._page_restore(at));
  for (const saved of readSavedState()) if (restore(saved)) break;
  window.addEventListener('hashchange', () => {
    if (location.hash.length > 1 && restore(location.hash.slice(1))) controls.restoreFrom(report(), true);
  });
  controls.restoreFrom(report(), false);

  try {
    if (!receive(app, await snapshot)) status.showFault(report().fault?.message ?? 'The example could not be read.');
    else body.dataset.snapshot = '1';
    performance.mark('nullscope-snapshot');
  } catch (error) {
    status.note(`The example could not be fetched (${error.message}).`);
  }
  if (!report().state.includes('text=&')) controls.restoreFrom(report(), false);
  else controls.setTexts(app.UTF8ToString(app._page_default_text()), null, false);

  link = new EngineLink({
    status,
    onMessage: (bytes) => receive(app, bytes),
    onReady: (data) => {
      body.dataset.variant = data.variant;
      status.engineReady(data);
      keepForOffline(data.files).then((kept) => { if (kept) body.dataset.offline = '1'; });
    },
    onModel: () => { body.dataset.model = '1'; },
  });
  link.open(kModel);
  controls.askAgain();
  body.dataset.ready = '1';
  update();

  // Read access to what is shown, for tests and the curious.
  window.nullscope = {
    report,
    value: (kind, layer, head, query, key) => app._page_value(['raw', 'effective', 'null_part'].indexOf(kind), layer, head, query, key),
    framesDrawn: () => app._page_frames_drawn(),
  };
}

start().catch((error) => {
  const old = error instanceof WebAssembly.CompileError;
  status.showFault(old ? 'This browser is too old for Nullscope (WebAssembly SIMD is missing): use Chrome 91, Firefox 89, Safari 16.4 or a later one.'
    : `The page could not start (${error.message}). Reload it; if that does not help, some of its files did not arrive.`, {reload: true});
  status.note('Not running.');
  canvas.hidden = true;
});
