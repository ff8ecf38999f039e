// Keeps the page's own files for use without a network: newest first, stored ones when the server
// cannot be reached. Models are kept by model-source.js and pass by here. Registered with
// ?isolate=1 it also adds the headers that threads need, for hosts that cannot send them.
const kStore = 'nullscope-page-1';
const kIsolate = new URL(self.location.href).searchParams.get('isolate') === '1';

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

// {type: 'keep', urls}: what was loaded before this worker was in charge.
self.addEventListener('message', (event) => {
  if (event.data?.type !== 'keep') return;
  const own = event.data.urls.filter((url) => new URL(url).origin === self.location.origin);
  event.waitUntil(caches.open(kStore).then((store) => Promise.all(own.map(async (url) => {
    if (!await store.match(url)) await store.add(url).catch(() => {});
  }))).then(() => event.source?.postMessage({type: 'kept'})));
});

function isolated(response) {
  if (!kIsolate || response.status === 0) return response;
  const headers = new Headers(response.headers);
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
  headers.set('Cross-Origin-Resource-Policy', 'same-origin');
  return new Response(response.body, {status: response.status, statusText: response.statusText, headers});
}

async function newest(request) {
  const store = await caches.open(kStore);
  try {
    const response = await fetch(request);
    if (response.ok && response.status === 200) await store.put(request, response.clone()).catch(() => {});
    return isolated(response);
  } catch (error) {
    const stored = await store.match(request, {ignoreSearch: request.mode === 'navigate' || request.destination === 'worker'});
    if (stored) return isolated(stored);
    throw error;
  }
}

self.addEventListener('fetch', (event) => {
  const {request} = event;
  const model = request.url.endsWith('.safetensors') && request.cache === 'no-store';
  if (request.method !== 'GET' || new URL(request.url).origin !== self.location.origin || model || request.headers.has('range')) return;
  event.respondWith(newest(request));
});
